"""`numpy.fft` on tensors: integers, bools and sizes as NumPy takes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from np2torch.shim import _core, _promotion
from np2torch.shim._core import ArrayLike, AxisLike, OutArray, normalized
from np2torch.shim._errors import deprecated
from np2torch.shim._promotion import Tensor

__all__ = [
    "fft", "fft2", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifft2", "ifftn", "ifftshift", "ihfft", "irfft",
    "irfft2", "irfftn", "rfft", "rfft2", "rfftfreq", "rfftn",
]  # fmt: skip

COMPLEX_TO_REAL = ("irfft", "irfft2", "irfftn", "hfft")


def _operand(a: Tensor, name: str) -> Tensor:
    """In the precision NumPy transforms in: integers and bools in float64, float16 in float32."""
    a = a.to(_promotion.mean_dtype(a.dtype))
    if a.dtype in (torch.float16, torch.bfloat16):
        a = a.to(torch.float32)
    if name in ("rfft", "rfft2", "rfftn", "ihfft") and a.is_complex():
        raise TypeError(f"ufunc '{name}' did not contain a loop with signature matching types {str(a.dtype)[6:]}")
    return a.to(_promotion.promote2(a.dtype, torch.complex64)) if name in COMPLEX_TO_REAL else a


INVERSE = ("ifft", "irfft", "ihfft")


def _mode(norm: str | None) -> str:
    if norm not in (None, "backward", "ortho", "forward"):
        raise ValueError(f'Invalid norm value {norm}; should be "backward", "ortho" or "forward".')
    return norm or "backward"


def _single(name: str, a: Tensor, n: int, dim: int, mode: str) -> Tensor:
    """One axis transformed. NumPy scales float16 by a factor that is itself rounded to float16."""
    operand = _operand(a, name)
    transform = getattr(torch.fft, name)
    if not operand.numel():  # nothing but empty axes around: torch's backend refuses
        shape = [max(size, 1) for size in operand.shape]
        found = transform(operand.new_zeros(shape), n=n, dim=dim)
        dtype = torch.float16 if a.dtype is torch.float16 and name in COMPLEX_TO_REAL else found.dtype
        empty: Tensor = found.new_zeros([*a.shape[:dim], found.shape[dim], *a.shape[dim + 1 :]], dtype=dtype)
        return empty
    if a.dtype is not torch.float16:
        whole: Tensor = transform(operand, n=n, dim=dim, norm=mode)
        return whole.resolve_conj()
    unscaled = "forward" if name in INVERSE else "backward"
    found = transform(operand, n=n, dim=dim, norm=unscaled).resolve_conj()
    if mode != unscaled:
        length = torch.tensor(n, dtype=torch.float16, device=a.device)
        factor = torch.reciprocal(torch.sqrt(length) if mode == "ortho" else length)
        found = found * factor.to(_promotion.real_dtype(operand.dtype))
    return found.to(torch.float16) if name in COMPLEX_TO_REAL else found  # type: ignore[no-any-return]


def _one(name: str) -> Callable[..., Any]:
    """A transform along one axis."""

    @normalized
    def function(
        a: ArrayLike, n: int | None = None, axis: AxisLike = -1, norm: str | None = None, out: OutArray = None
    ) -> Tensor:
        mode = _mode(norm)
        (dim,) = _core.axes_of(axis, a.ndim)
        size = n if n is None else int(n)
        length = size if size is not None else 2 * (a.shape[dim] - 1) if name in COMPLEX_TO_REAL else a.shape[dim]
        if length < 1:
            raise ValueError(f"Invalid number of FFT data points ({length}) specified.")
        return _single(name, a, length if size is None else size, dim, mode)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"`numpy.fft.{name}`: along one axis, in double precision for integers."
    return function


def _shape_and_axes(a: Tensor, s: Any, axes: Any) -> tuple[list[int] | None, Sequence[int]]:
    """Complete `s` and `axes` of a transform over several axes; in `s` -1 stands for a size that stays."""
    if s is not None and axes is None:
        deprecated("`axes` should not be `None` if `s` is not `None` (Deprecated in NumPy 2.0).")
    if s is not None and None in (s := list(s)):
        deprecated("Passing an array containing `None` values to `s` is deprecated in NumPy 2.0.")
        s = [-1 if one is None else one for one in s]
    if axes is None:
        axes = tuple(range(a.ndim)) if s is None else tuple(range(-len(s), 0))
    if s is not None and len(s) != len(axes):
        raise ValueError("Shape and axes have different lengths.")
    return s, axes


def _many(name: str, default: tuple[int, ...] | None) -> Callable[..., Any]:
    """A transform over several axes, by default the last `len(s)` of them or all."""
    transform = getattr(torch.fft, name[:-1] + "n")

    @normalized
    def function(
        a: ArrayLike, s: Any = None, axes: AxisLike = default, norm: str | None = None, out: OutArray = None
    ) -> Tensor:
        mode = _mode(norm)
        s, axes = _shape_and_axes(a, s, axes)
        dims = [_core.axes_of(one, a.ndim)[0] for one in axes]
        if not dims:
            if "r" in name:
                raise IndexError("at least one axis is needed")
            return _operand(a, name).to(_promotion.promote2(a.dtype, torch.complex64))
        sizes = [a.shape[dim] if s is None or int(s[i]) == -1 else int(s[i]) for i, dim in enumerate(dims)]
        if name in COMPLEX_TO_REAL and s is None:
            sizes[-1] = 2 * (sizes[-1] - 1)
        if min(sizes) < 1:
            raise ValueError(f"Invalid number of FFT data points ({min(sizes)}) specified.")
        if name in ("rfft2", "rfftn") and a.is_complex():
            _operand(a, name)
        if len(set(dims)) < len(dims) or a.dtype is torch.float16 or not a.numel():
            return _one_by_one(name, a, sizes, dims, mode)
        found: Tensor = transform(_operand(a, name), s=sizes, dim=dims, norm=mode)
        return found.resolve_conj()

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"`numpy.fft.{name}`: over several axes, in double precision for integers."
    return function


def _one_by_one(name: str, a: Tensor, sizes: list[int], dims: list[int], mode: str) -> Tensor:
    """Transform axis by axis, the last first unless it is the one that turns real; an axis given twice twice."""
    single = name[:-1]
    steps = list(zip(sizes, dims, strict=True))
    order = steps if single == "irfft" else steps[::-1]
    for i, (size, dim) in enumerate(order):
        real = i == {"rfft": 0, "irfft": len(order) - 1}.get(single)
        step = single if real or "r" not in single else "ifft" if single == "irfft" else "fft"
        a = _single(step, a, size, dim, mode)
    return a


fft, ifft, rfft, irfft, hfft, ihfft = (_one(name) for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"))
fftn, ifftn, rfftn, irfftn = (_many(name, None) for name in ("fftn", "ifftn", "rfftn", "irfftn"))
fft2, ifft2, rfft2, irfft2 = (_many(name, (-2, -1)) for name in ("fft2", "ifft2", "rfft2", "irfft2"))


# ---------------------------------------------------------------------------------------------- helpers
def _frequencies(n: Any, d: Any, places: Callable[[int], Tensor]) -> Tensor:
    try:
        n = n.__index__()
    except (AttributeError, TypeError):
        raise ValueError("n should be an integer") from None
    found: Tensor = places(n) * (1.0 / (n * d))  # NumPy's order of operations, to the last bit
    return found


def fftfreq(n: int, d: Any = 1.0, device: Any = None) -> Tensor:
    """`numpy.fft.fftfreq`: the frequencies of `fft`, in float64."""

    def places(n: int) -> Tensor:
        k = torch.arange(n, dtype=torch.float64, device=device)
        return torch.where(k >= (n + 1) // 2, k - n, k)

    return _frequencies(n, d, places)


def rfftfreq(n: int, d: Any = 1.0, device: Any = None) -> Tensor:
    """`numpy.fft.rfftfreq`: the frequencies of `rfft`, in float64."""
    return _frequencies(n, d, lambda n: torch.arange(n // 2 + 1, dtype=torch.float64, device=device))


@normalized
def fftshift(x: ArrayLike, axes: AxisLike = None) -> Tensor:
    """`numpy.fft.fftshift`: the zero frequency to the middle."""
    dims = _core.axes_of(axes, x.ndim)
    return torch.roll(x, [x.shape[dim] // 2 for dim in dims], dims) if dims else x.clone()


@normalized
def ifftshift(x: ArrayLike, axes: AxisLike = None) -> Tensor:
    """`numpy.fft.ifftshift`: undoes `fftshift`, also for odd lengths."""
    dims = _core.axes_of(axes, x.ndim)
    return torch.roll(x, [-(x.shape[dim] // 2) for dim in dims], dims) if dims else x.clone()
