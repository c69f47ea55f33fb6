"""The torch side of the ufuncs whose torch namesake differs from NumPy, on operands of one dtype.

Where only complex numbers need more than the torch function, that function is the attribute `reals`.
"""

from __future__ import annotations

import functools
import itertools
import math
import sys
from collections.abc import Callable

import torch

from np2torch.shim._broadcast import common_shape
from np2torch.shim._errors import wrong
from np2torch.shim._numpy_routines import by_numpy
from np2torch.shim._promotion import Tensor
from np2torch.shim._stacking import read_by_numpy
from np2torch.shim._transforms import are_values

Unary = Callable[[Tensor], Tensor]
Binary = Callable[[Tensor, Tensor], Tensor]


def floats_only(function: Unary) -> Unary:
    """`function` for floating dtypes; integers and bools are their own floor, ceil and trunc."""
    return lambda x: function(x) if x.is_floating_point() else x


def by_parts(function: Binary) -> Binary:
    """Real and imaginary parts apart: torch multiplies the second operand by 1 first, which makes inf nan."""

    def parts(x: Tensor, y: Tensor) -> Tensor:
        if not x.is_complex():
            return function(x, y)
        shape = common_shape(x.shape, y.shape)
        return torch.view_as_complex(function(*(torch.view_as_real(z.expand(shape).resolve_conj()) for z in (x, y))))

    parts.reals = function  # type: ignore[attr-defined]
    return parts


# --------------------------------------------------------------------------------------------- comparisons
def _lexicographic(function: Binary) -> Binary:
    """Complex numbers compare by real part, then by imaginary part."""

    def compare(x: Tensor, y: Tensor) -> Tensor:
        if not x.is_complex():
            return function(x, y)
        # with a nan in either part every comparison of the two numbers is False
        decided = torch.where(x.real == y.real, function(x.imag, y.imag), function(x.real, y.real) & (x.imag == x.imag))
        return decided & ~torch.isnan(x) & ~torch.isnan(y)

    compare.reals = function  # type: ignore[attr-defined]
    return compare


greater = _lexicographic(torch.gt)
greater_equal = _lexicographic(torch.ge)
less = _lexicographic(torch.lt)
less_equal = _lexicographic(torch.le)


def _extremum(real: Binary, wins: Binary, *, nan: bool) -> Binary:
    """The larger or smaller one; of nan and a number either nan (maximum) or the number (fmax)."""

    def choose(x: Tensor, y: Tensor) -> Tensor:
        if not x.is_complex():
            return real(x, y)
        first = wins(x, y) | torch.isnan(x) if nan else wins(x, y) | torch.isnan(y)
        return torch.where(first, x, y)

    choose.reals = real  # type: ignore[attr-defined]
    return choose


maximum = _extremum(torch.maximum, greater_equal, nan=True)
minimum = _extremum(torch.minimum, less_equal, nan=True)
fmax = _extremum(torch.fmax, greater_equal, nan=False)
fmin = _extremum(torch.fmin, less_equal, nan=False)


# ------------------------------------------------------------------------------------------------ division
def floor_divide(x: Tensor, y: Tensor) -> Tensor:
    """Divide and round down; integers divided by zero give 0."""
    if x.is_floating_point():
        return torch.div(x, y, rounding_mode="floor")  # floor_divide has no gradient, not even zero
    zero = y == 0
    return torch.where(zero, 0, torch.floor_divide(x, torch.where(zero, 1, y)))


@by_numpy
def remainder(x: Tensor, y: Tensor) -> Tensor:
    """Compute the remainder; integers modulo zero give 0, and a zero has the sign of the divisor."""
    if x.is_floating_point():
        rest = fmod(x, y)
        rest = torch.where((rest != 0) & ((rest < 0) != (y < 0)), rest + y, rest)
        return torch.where(rest == 0, torch.copysign(torch.zeros_like(rest), y), rest)
    zero = y == 0
    return torch.where(zero, 0, torch.remainder(x, torch.where(zero, 1, y)))


@by_numpy
def fmod(x: Tensor, y: Tensor) -> Tensor:
    """Compute C's remainder; integers modulo zero give 0, floats lose powers of two of the divisor one by one.

    Where x / y overflows torch's vectorised fmod gives NaN. Scaling by a power of two is exact.
    """
    if x.is_floating_point():
        rest, divisor = x.double(), y.double()
        for scale in ((2.0**1000, 2.0**1000), (2.0**1000,), ()) if x.dtype is torch.float64 else ((),):
            rest = torch.fmod(rest, math.prod(scale, start=divisor))
        return rest.to(x.dtype)
    zero = y == 0
    return torch.where(zero, 0, torch.fmod(x, torch.where(zero, 1, y)))


def divmod_(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """Quotient and remainder of floor division."""
    return floor_divide(x, y), remainder(x, y)


def reciprocal(x: Tensor) -> Tensor:
    """1/x; of integers the truncated one, and what the C cast makes of infinity for 0; of complex 0 NaN."""
    if x.is_complex():
        return _complex_reciprocal(x)
    return torch.reciprocal(x) if x.is_floating_point() else torch.reciprocal(x.double()).to(x.dtype)


def _complex_reciprocal(x: Tensor) -> Tensor:
    """Scaled by the larger part, as NumPy does it."""
    wide = x.imag.abs() <= x.real.abs()
    large, small = torch.where(wide, x.real, x.imag), torch.where(wide, x.imag, x.real)
    ratio = small / large
    scale = large + small * ratio
    one, other = torch.reciprocal(scale), ratio / scale
    return torch.complex(torch.where(wide, one, other), -torch.where(wide, other, one))


def modf(x: Tensor) -> tuple[Tensor, Tensor]:
    """Fractional and integral part, both with the sign of x."""
    whole = torch.trunc(x)
    rest = torch.where(torch.isinf(x), torch.zeros_like(x), x - whole)
    return torch.copysign(rest, x), whole


def frexp(x: Tensor) -> tuple[Tensor, Tensor]:
    """Mantissa and binary exponent; the exponent of what is not finite is 0."""
    mantissa, exponent = torch.frexp(x)
    return mantissa, torch.where(torch.isfinite(x), exponent, 0)


def ldexp(x: Tensor, exponent: Tensor) -> Tensor:
    """x * 2**exponent in three steps, so that no power of two overflows before its time."""
    exponent = exponent.clamp(-3000, 3000)
    third = torch.div(exponent, 3, rounding_mode="floor")
    wide = x.double() if x.dtype is not torch.float64 else x
    for step in (third, third, exponent - 2 * third):
        wide = wide * torch.exp2(step.double())
    return wide.to(x.dtype)


# ------------------------------------------------------------------------------------- powers and exponents
def power(x: Tensor, y: Tensor) -> Tensor:
    """x**y; negative powers of integers raise.

    Raises
    ------
    ValueError
        For an integer to a negative integer power.
    """
    if x.is_complex():
        return _complex_power(x, y)
    if not x.is_floating_point() and y.dtype.is_signed and x.numel():
        if wrong(y < 0, said := "Integers to negative integer powers are not allowed."):
            raise ValueError(said)
    return torch.pow(x, y)


def _complex_power(x: Tensor, y: Tensor) -> Tensor:
    """Small whole powers by multiplication; 0**y is 1 for y = 0, 0 for a positive real part of y, else nan."""
    result = torch.pow(torch.where(x == 0, 1, x) if y.requires_grad else x, y)  # the logarithm of 0 has no gradient
    at_zero = torch.where(y.real > 0, 0.0, torch.nan).to(y.real.dtype)
    result = torch.where(x == 0, torch.complex(at_zero, at_zero), result)
    product = torch.ones_like(x)
    for exponent in range(4):
        result = torch.where(y == exponent, product, result)
        product = product * x
    return result


@by_numpy
def cbrt(x: Tensor) -> Tensor:
    """The real cube root: |x|**(1/3) corrected by one Newton step."""
    size = x.abs().float() if x.dtype is torch.float16 else x.abs()
    root = torch.pow(size, 1.0 / 3.0)
    usable = (size > 0) & torch.isfinite(size)
    safe = torch.where(usable, root, 1.0)
    root = torch.where(usable, safe - (safe - size / (safe * safe)) / 3.0, root)
    return torch.copysign(root.to(x.dtype), x)


def square(x: Tensor) -> Tensor:
    """x * x."""
    return x * x


def logaddexp2(x: Tensor, y: Tensor) -> Tensor:
    """log2(2**x + 2**y), exact for equal operands."""
    return torch.where(x == y, x + 1, torch.logaddexp2(x, y))


def complex_log1p(x: Tensor) -> Tensor:
    """log(1 + x); of complex numbers by NumPy's formula, log of the absolute value and the angle."""
    if not x.is_complex():
        return torch.log1p(x)
    shifted = x.real + 1
    return torch.complex(torch.log(torch.hypot(shifted, x.imag)), torch.atan2(x.imag, shifted))


# ------------------------------------------------------------------------------------------- signs and bits
def sign(x: Tensor) -> Tensor:
    """The sign; of nan nan, of complex numbers x/|x|."""
    if x.is_complex():
        return torch.sgn(x)
    return torch.where(torch.isnan(x), x, torch.sign(x)) if x.is_floating_point() else torch.sign(x)


def negative(x: Tensor) -> Tensor:
    """-x, with the signs of complex zeros turned too."""
    return torch.view_as_complex(-torch.view_as_real(x.resolve_conj())) if x.is_complex() else torch.neg(x)


def absolute(x: Tensor) -> Tensor:
    """|x|; a bool is its own."""
    return x if x.dtype is torch.bool else torch.abs(x)


def rint(x: Tensor) -> Tensor:
    """The nearest integer, halves to even; of complex numbers part by part."""
    return (
        torch.view_as_complex(torch.round(torch.view_as_real(x.resolve_conj()))) if x.is_complex() else torch.round(x)
    )


def conjugate(x: Tensor) -> Tensor:
    """The conjugate, computed rather than flagged: NumPy's is no view."""
    return torch.conj_physical(x).clone() if x.is_complex() else x


FEW = 24
"""Up to here Python's roots are faster than NumPy's."""


@functools.cache
def _roots_are_nearest() -> bool:
    """Tell whether torch's square root is correctly rounded, as IEEE 754 asks; on some processors 1 % are not."""
    numbers = [n / 7 for n in range(1, 1000)]
    return torch.sqrt(torch.tensor(numbers, dtype=torch.float64)).tolist() == [math.sqrt(n) for n in numbers]


def sqrt(x: Tensor) -> Tensor:
    """The square root: NumPy's own where torch's is not the nearest number, and no graph needs torch's."""
    plain = type(x) is Tensor and x.dtype in (torch.float32, torch.float64) and are_values(x)
    if not plain or _roots_are_nearest():
        return torch.sqrt(x)
    try:
        if not x.ndim:
            value = x.item()
            if value != value:
                return x.clone()
            value = math.sqrt(value) if value >= 0 else math.nan
            read = read_by_numpy(value, x.dtype)
            return x.new_full((), value) if read is None else read
        loaded = sys.modules.get("numpy")
        if loaded is not None and x.ndim == 1 and x.dtype is torch.float64 and x.numel() <= FEW:
            roots = [math.sqrt(value) if value >= 0 else math.nan for value in x.tolist()]
            return torch.from_numpy(loaded.array(roots, "f8"))
        host = x.resolve_neg().numpy()
    except RuntimeError:  # under vmap and its like
        return torch.sqrt(x)
    import numpy

    with numpy.errstate(invalid="ignore"):
        return torch.from_numpy(numpy.asarray(numpy.sqrt(host)))


def root(x: Tensor) -> Tensor:
    """The square root of a variance, whose gradient is 0 where it is 0, as that of `torch.std` is."""
    if not x.requires_grad:
        return sqrt(x)
    none = x == 0
    return torch.where(none, 0.0, torch.sqrt(torch.where(none, 1.0, x)))


def heaviside(x: Tensor, y: Tensor) -> Tensor:
    """0, y or 1; nan of nan."""
    return torch.where(torch.isnan(x), x, torch.where(x == 0, y, (x > 0).to(x.dtype)))


def spacing(x: Tensor) -> Tensor:
    """The distance to the next number away from zero; in float16 to the next larger one."""
    up = torch.full_like(x, torch.inf)
    found = torch.nextafter(x, up if x.dtype is torch.float16 else torch.where(x < 0, -up, up)) - x
    return torch.where(torch.isinf(x), torch.nan, found)


def bitwise_count(x: Tensor) -> Tensor:
    """The number of one-bits of |x|, summed in ever wider fields of one word."""
    x = x.to(torch.int64).abs()
    x = x - ((x >> 1) & 0x5555555555555555)
    x = (x & 0x3333333333333333) + ((x >> 2) & 0x3333333333333333)
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((x * 0x0101010101010101) >> 56) & 0xFF


# ------------------------------------------------------------------------------------ reductions over one axis
SINGLE = frozenset({torch.float16, torch.float32, torch.complex64})
"""The dtypes in which the order of the additions shows."""


def summed(
    x: Tensor, dim: int | tuple[int, ...] | None = None, keepdim: bool = False, *, dtype: torch.dtype | None = None
) -> Tensor:
    """`torch.sum`, in single precision in NumPy's order.

    NumPy adds the innermost axis by halves, as torch adds every axis; along another axis it adds one row after the
    other. Of 20,000 float32 numbers the fourth digit differs.
    """
    if type(dim) is int and x.dtype in SINGLE and dtype in (None, x.dtype) and _adds_rows(x, dim):
        if x.dtype is torch.float16:  # each sum rounded, which torch does at the end only
            total = functools.reduce(torch.add, x.unbind(dim))
            return total.unsqueeze(dim) if keepdim else total
        if x.is_complex():  # `index_add_` multiplies by 1, which makes both parts NaN where one is
            parts = torch.view_as_real(x.resolve_conj())
            return torch.view_as_complex(summed(parts, dim % x.ndim, keepdim))
        places = torch.zeros(x.shape[dim], dtype=torch.int64)
        shape = list(x.shape)
        shape[dim] = 1
        total = x.new_zeros(shape).index_add_(dim, places, x)
        return total if keepdim else total.squeeze(dim)
    return torch.sum(x, dim, keepdim, dtype=dtype)


def _adds_rows(x: Tensor, dim: int) -> bool:
    """Tell whether NumPy loops over another axis first; on a device other than the CPU the order is always torch's."""
    if x.ndim < 2 or x.shape[dim] < 2 or not x.is_cpu or torch.compiler.is_compiling():
        return False
    step = abs(x.stride(dim))
    return any(n > 1 and other < step for n, other in zip(x.shape, x.stride(), strict=True))


def accumulated(function: Callable[..., Tensor]) -> Callable[[Tensor, int], Tensor]:
    """A torch sum or product along an axis that stays in the dtype of its operand (of bools: any and all)."""
    return lambda x, dim: function(x, dim, dtype=torch.int64 if x.dtype is torch.bool else x.dtype)


def no_complex(function: Callable[[Tensor, int], Tensor], scalar: Binary) -> Callable[[Tensor, int], Tensor]:
    """A torch reduction that complex tensors lack: for them, fold with the kernel itself."""
    return lambda x, dim: functools.reduce(scalar, x.unbind(dim)).clone() if x.is_complex() else function(x, dim)


def no_complex_scan(function: Callable[..., tuple[Tensor, Tensor]], scalar: Binary) -> Callable[[Tensor, int], Tensor]:
    """The values of cummax or cummin; complex tensors accumulate with the kernel itself."""

    def scan(x: Tensor, dim: int) -> Tensor:
        if not x.is_complex():
            return function(x, dim)[0]
        return torch.stack(list(itertools.accumulate(x.unbind(dim), scalar)), dim)

    return scan


def scatter(reduce: str) -> Callable[[Tensor, Tensor, Tensor], Tensor | None]:
    """`at` as one scatter into a flat tensor; of complex numbers torch cannot find the larger one."""

    def apply(flat: Tensor, places: Tensor, given: Tensor) -> Tensor | None:
        if flat.is_complex() and reduce != "prod":
            return None
        return flat.scatter_reduce_(0, places, given, reduce)

    return apply


def gcd(x: Tensor, y: Tensor) -> Tensor:
    """Never negative; torch's is where one is the lowest integer."""
    return torch.gcd(x, y).abs()


def lcm(x: Tensor, y: Tensor) -> Tensor:
    """Give the least common multiple; one that does not fit the dtype wraps, and may be negative then."""
    common = gcd(x, y)
    one = torch.ones_like(common)
    return x.abs() // torch.where(common == 0, one, common) * y.abs()
