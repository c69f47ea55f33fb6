"""`Generator` and `default_rng`: the streams of NumPy's modern interface."""

from __future__ import annotations

from typing import Any

import torch

from np2torch.shim._core import as_shape
from np2torch.shim._promotion import as_dtype
from np2torch.shim.random import continuous, float32, integers, multivariate, ordering
from np2torch.shim.random._libm import Tensor
from np2torch.shim.random.bit_generator import BitGenerator
from np2torch.shim.random.borrowed import borrowed_from
from np2torch.shim.random.distributions import Distributions
from np2torch.shim.random.law import Law
from np2torch.shim.random.pcg64 import PCG64
from np2torch.shim.random.source import ModernSource
from np2torch.shim.random.twins import in_bulk


class Generator(Distributions):
    """`numpy.random.Generator`: the same numbers for the same bit generator, as CPU tensors."""

    def __init__(self, bit_generator: BitGenerator) -> None:
        if not isinstance(bit_generator, BitGenerator):
            raise TypeError("Generator takes a BitGenerator; use default_rng for a seed")
        self._bit_generator = bit_generator
        self._source: ModernSource = ModernSource(bit_generator)

    def __repr__(self) -> str:
        return f"Generator({type(self._bit_generator).__name__})"

    @property
    def bit_generator(self) -> BitGenerator:
        """The source of words."""
        return self._bit_generator

    def spawn(self, n_children: int) -> list[Generator]:
        """Independent generators."""
        return [Generator(bits) for bits in self._bit_generator.spawn(n_children)]

    def _standard(self, wide: Law, narrow: Law, size: Any, dtype: Any, out: Tensor | None, *parameters: Any) -> Any:
        """A draw in double or single precision, into `out` if given."""
        target = as_dtype(dtype)
        if target not in (torch.float64, torch.float32):
            raise TypeError(f"Unsupported dtype {dtype!r}")
        if out is not None:
            if out.dtype is not target:
                raise TypeError(f"Supplied output array has the wrong type. Expected {target}, got {out.dtype}")
            if size is not None and as_shape(size) != tuple(out.shape):
                raise ValueError("size must match out.shape when used together")
            size = tuple(out.shape)
        found = (wide if target is torch.float64 else narrow).draw(self._source, size, *parameters)
        if isinstance(found, Tensor):
            found = found.to(target)
        return found if out is None else out.copy_(found)

    def random(self, size: Any = None, dtype: Any = torch.float64, out: Tensor | None = None) -> Any:
        """Uniform on [0, 1)."""
        return self._standard(continuous.random, float32.random, size, dtype, out)

    def standard_normal(self, size: Any = None, dtype: Any = torch.float64, out: Tensor | None = None) -> Any:
        """The normal of mean 0 and deviation 1."""
        return self._standard(continuous.standard_normal, float32.standard_normal, size, dtype, out)

    def standard_exponential(
        self, size: Any = None, dtype: Any = torch.float64, method: str = "zig", out: Tensor | None = None
    ) -> Any:
        """The exponential of mean 1, by ziggurat or by inversion (`method="inv"`)."""
        if method == "zig":
            return self._standard(continuous.standard_exponential, float32.standard_exponential, size, dtype, out)
        return self._standard(continuous.inverse_exponential, float32.inverse_exponential, size, dtype, out)

    def standard_gamma(
        self, shape: Any, size: Any = None, dtype: Any = torch.float64, out: Tensor | None = None
    ) -> Any:
        """The gamma of scale 1."""
        return self._standard(continuous.standard_gamma, float32.standard_gamma, size, dtype, out, shape)

    def integers(
        self, low: Any, high: Any = None, size: Any = None, dtype: Any = torch.int64, endpoint: bool = False
    ) -> Any:
        """Integers in [low, high), or [low, high] with `endpoint`."""
        return integers.integers(self._bit_generator, low, high, size, dtype, endpoint, masked=False)

    def bytes(self, length: int) -> bytes:
        """Random bytes."""
        words = self._bit_generator.words32((length - 1) // 4 + 1).tolist()
        return b"".join(word.to_bytes(4, "little") for word in words)[:length]

    def choice(
        self, a: Any, size: Any = None, replace: bool = True, p: Any = None, axis: int = 0, shuffle: bool = True
    ) -> Any:
        """A sample of `range(a)` or of an array's entries along an axis."""
        return ordering.choice(self._source, a, size, replace, p, axis, shuffle)

    def shuffle(self, x: Any, axis: int = 0) -> None:
        """Shuffle along an axis, in place."""
        ordering.shuffle(self._source, x, axis)

    def permutation(self, x: Any, axis: int = 0) -> Any:
        """A shuffled range, or a copy of an array shuffled along an axis."""
        return ordering.permutation(self._source, x, axis)

    def permuted(self, x: Any, *, axis: int | None = None, out: Tensor | None = None) -> Tensor:
        """A copy with every line along an axis shuffled by itself."""
        return ordering.permuted(self._source, x, axis, out)

    def multivariate_normal(
        self,
        mean: Any,
        cov: Any,
        size: Any = None,
        check_valid: str = "warn",
        tol: float = 1e-8,
        *,
        method: str = "svd",
    ) -> Tensor:
        """Normals of a given covariance; the last bits depend on the decomposition."""
        return multivariate.multivariate_normal(self._source, mean, cov, size, check_valid, tol, method)

    def multivariate_hypergeometric(
        self, colors: Any, nsample: int, size: Any = None, method: str = "marginals"
    ) -> Tensor:
        """Counts per colour in samples without replacement."""
        return multivariate.multivariate_hypergeometric(self._source, colors, nsample, size, method)


IN_BULK = (
    "beta binomial chisquare choice exponential f gamma geometric gumbel hypergeometric integers laplace logistic "
    "lognormal logseries multivariate_normal negative_binomial noncentral_chisquare noncentral_f normal pareto "
    "permutation poisson power random rayleigh standard_cauchy standard_exponential standard_gamma standard_normal "
    "standard_t triangular uniform vonmises wald weibull zipf"
).split()
"""The methods that NumPy's own generator serves if many numbers are drawn."""
for _name in IN_BULK:
    setattr(Generator, _name, in_bulk(getattr(Generator, _name)))


def default_rng(seed: Any = None) -> Any:
    """A `Generator` on PCG64; a `Generator`, `BitGenerator` or `RandomState`, NumPy's too, is used as it stands."""
    from np2torch.shim.random.legacy import RandomState

    if (borrowed := borrowed_from(seed)) is not None:
        return borrowed
    if isinstance(seed, Generator):
        return seed
    if isinstance(seed, RandomState):
        return Generator(seed._bit_generator)
    return Generator(seed if isinstance(seed, BitGenerator) else PCG64(seed))


