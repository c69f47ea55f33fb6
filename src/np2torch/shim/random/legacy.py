"""`RandomState`: the frozen streams of `numpy.random.seed`, `rand`, `randn` and their like."""

from __future__ import annotations

import warnings
from typing import Any

import torch

from np2torch.shim._core import as_shape, asarray
from np2torch.shim.random import continuous, integers, multivariate, ordering
from np2torch.shim.random._libm import Tensor
from np2torch.shim.random.bit_generator import BitGenerator
from np2torch.shim.random.distributions import Distributions
from np2torch.shim.random.mt19937 import MT19937
from np2torch.shim.random.source import LegacySource
from np2torch.shim.random.twins import in_bulk, reseeded


class RandomState(Distributions):
    """`numpy.random.RandomState`: the same numbers for the same seed, as CPU tensors."""

    def __init__(self, seed: Any = None) -> None:
        if isinstance(seed, BitGenerator):
            self._bit_generator = seed
            self._source: LegacySource = LegacySource(seed)
            return
        twister = MT19937() if seed is None else MT19937.unseeded()
        self._bit_generator = twister
        self._source = LegacySource(twister)
        if not reseeded(self._source, seed) and seed is not None:
            twister._legacy_seeding(seed)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({type(self._bit_generator).__name__})"

    def seed(self, seed: Any = None) -> None:
        """Start the stream anew."""
        if not isinstance(self._bit_generator, MT19937):
            raise TypeError("can only re-seed a MT19937 BitGenerator")
        if reseeded(self._source, seed):
            return
        self._bit_generator._legacy_seeding(seed)
        self._source.spare = None

    def get_state(self, legacy: bool = True) -> Any:
        """The state: NumPy's tuple ('MT19937', key, pos, has_gauss, cached_gaussian), or its dictionary."""
        state = self._bit_generator.state
        spare = self._source.spare
        if legacy and isinstance(self._bit_generator, MT19937):
            inner = state["state"]
            return ("MT19937", inner["key"], inner["pos"], int(spare is not None), spare or 0.0)
        return {**state, "has_gauss": int(spare is not None), "gauss": spare or 0.0}

    def set_state(self, state: Any) -> None:
        """Restore a state of either form; NumPy's own are accepted."""
        if isinstance(state, dict):
            self._bit_generator.state = state
            has_gauss, gauss = state.get("has_gauss", 0), state.get("gauss", 0.0)
        else:
            if not isinstance(state, (tuple, list)):
                raise TypeError("state must be a dict or a tuple.")
            if state[0] != "MT19937":
                raise ValueError("set_state can only be used with legacy MT19937 state instances.")
            self._bit_generator.state = {"bit_generator": "MT19937", "state": {"key": state[1], "pos": state[2]}}
            has_gauss, gauss = state[3:5] if len(state) > 3 else (0, 0.0)
        self._source.spare = float(gauss) if has_gauss else None

    def random_sample(self, size: Any = None) -> Any:
        """Uniform on [0, 1)."""
        return continuous.random.draw(self._source, size)

    def random(self, size: Any = None) -> Any:
        """Uniform on [0, 1)."""
        return self.random_sample(size)

    def rand(self, *args: Any) -> Any:
        """Uniform on [0, 1), the shape in separate arguments."""
        return self.random_sample(args or None)

    def randn(self, *args: Any) -> Any:
        """Standard normals, the shape in separate arguments."""
        return self.standard_normal(args or None)

    def standard_normal(self, size: Any = None) -> Any:
        """The normal of mean 0 and deviation 1."""
        return continuous.standard_normal.draw(self._source, size)

    def standard_exponential(self, size: Any = None) -> Any:
        """The exponential of mean 1."""
        return continuous.standard_exponential.draw(self._source, size)

    def standard_gamma(self, shape: Any, size: Any = None) -> Any:
        """The gamma of scale 1."""
        return continuous.standard_gamma.draw(self._source, size, shape)

    def randint(self, low: Any, high: Any = None, size: Any = None, dtype: Any = int) -> Any:
        """Integers in [low, high), or [0, low)."""
        return integers.integers(self._bit_generator, low, high, size, dtype, endpoint=False, masked=True)

    def random_integers(self, low: Any, high: Any = None, size: Any = None) -> Any:
        """Integers in [low, high], or [1, low]; deprecated in NumPy."""
        if high is None:
            low, high = 1, low
        message = f"This function is deprecated. Please call randint({low}, {high} + 1) instead"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        return self.randint(low, int(high) + 1, size=size, dtype=torch.int64)

    def tomaxint(self, size: Any = None) -> Any:
        """Integers in [0, 2**63)."""
        shape = None if size is None else as_shape(size)
        found = self._bit_generator.words64(torch.Size(shape or ()).numel()) >> 1 & (2**63 - 1)
        return int(found) if shape is None else found.reshape(shape)

    def bytes(self, length: int) -> bytes:
        """Random bytes."""
        words = self._bit_generator.words32((length - 1) // 4 + 1).tolist()
        return b"".join(word.to_bytes(4, "little") for word in words)[:length]

    def choice(self, a: Any, size: Any = None, replace: bool = True, p: Any = None) -> Any:
        """A sample of `range(a)` or of a 1-D array."""
        if not (isinstance(a, (int, list, tuple)) or (a if hasattr(a, "ndim") else asarray(a)).ndim <= 1):
            raise ValueError("a must be 1-dimensional")
        return ordering.choice(self._source, a, size, replace, p)

    def shuffle(self, x: Any) -> None:
        """Shuffle along the first axis, in place."""
        ordering.shuffle(self._source, x)

    def permutation(self, x: Any) -> Any:
        """A shuffled range, or a copy of an array shuffled along its first axis."""
        return ordering.permutation(self._source, x)

    def multivariate_normal(
        self, mean: Any, cov: Any, size: Any = None, check_valid: str = "warn", tol: float = 1e-8
    ) -> Tensor:
        """Normals of a given covariance; the last bits depend on the singular value decomposition."""
        return multivariate.multivariate_normal(self._source, mean, cov, size, check_valid, tol)


IN_BULK = (
    "beta binomial chisquare choice exponential f gamma geometric gumbel hypergeometric laplace logistic lognormal "
    "logseries multivariate_normal negative_binomial noncentral_chisquare noncentral_f normal pareto permutation "
    "poisson power rand randint randn random random_sample rayleigh standard_cauchy standard_exponential "
    "standard_gamma standard_normal standard_t triangular uniform vonmises wald weibull zipf"
).split()
"""The methods that NumPy's own generator serves if many numbers are drawn."""
for _name in IN_BULK:
    setattr(RandomState, _name, in_bulk(getattr(RandomState, _name)))
