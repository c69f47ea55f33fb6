"""NumPy's universal functions: one line each of kernel, loops and what `reduce` may use."""

from __future__ import annotations

from typing import Any

import torch

from np2torch.shim import _kernels as k
from np2torch.shim._promotion import BOOL, COMPLEX128, FLOAT16, FLOAT64, INT64, Tensor, kind, real_dtype, result_dtype
from np2torch.shim._type_resolution import (
    BOOLS,
    COMPLEXES,
    FLOATS,
    INTS,
    Dtypes,
    Operands,
    as_tensors,
    by_arithmetic,
    by_comparison,
    by_division,
    by_truth,
    dtypes_of,
    first_loop,
)  # fmt: skip
from np2torch.shim._ufunc import UFunc

REALS: Dtypes = INTS + FLOATS
NUMBERS: Dtypes = REALS + COMPLEXES
ALL: Dtypes = BOOLS + NUMBERS
INEXACT: Dtypes = FLOATS + COMPLEXES
TRUTHS: Dtypes = (*BOOLS, torch.float32, FLOAT64, INT64)
SUMMED: Dtypes = (*FLOATS[1:], INT64, *COMPLEXES)
"""The dtypes that torch and NumPy sum in the same dtype."""


def _bool(dtype: torch.dtype) -> torch.dtype:
    return BOOL


def _same(dtype: torch.dtype) -> torch.dtype:
    return dtype


# ---------------------------------------------------------------------------------------------- arithmetic
add = UFunc(
    "add", 2, k.by_parts(torch.add), ALL, identity=0, widens=True, wraps=True, scalars=True, whole=(k.summed, SUMMED),
    fold=k.accumulated(k.summed), scan=k.accumulated(torch.cumsum),
    scatter=lambda flat, places, given: flat.index_add_(0, places, given),
)  # fmt: skip
subtract = UFunc(
    "subtract", 2, k.by_parts(torch.subtract), NUMBERS, resolve=by_arithmetic, wraps=True, scalars=True,
    scatter=lambda flat, places, given: flat.index_add_(0, places, given, alpha=-1),
)  # fmt: skip
multiply = UFunc(
    "multiply", 2, torch.multiply, ALL, identity=1, widens=True, wraps=True, scalars=True,
    whole=(torch.prod, FLOATS[1:]),
    fold=k.accumulated(torch.prod), scan=k.accumulated(torch.cumprod), scatter=k.scatter("prod"),
)  # fmt: skip
divide = true_divide = UFunc("divide", 2, torch.true_divide, INEXACT, resolve=by_division, scalars=True)
floor_divide = UFunc("floor_divide", 2, k.floor_divide, REALS)
remainder = mod = UFunc("remainder", 2, k.remainder, REALS)
fmod = UFunc("fmod", 2, k.fmod, REALS)
divmod = UFunc("divmod", 2, k.divmod_, REALS, returns=(_same, _same))
power = pow = UFunc("power", 2, k.power, NUMBERS, wraps=True, numbers=(2, -1))
float_power = UFunc("float_power", 2, k.power, (FLOAT64, COMPLEX128))
negative = UFunc("negative", 1, k.negative, NUMBERS, resolve=by_arithmetic, wraps=True)
positive = UFunc("positive", 1, lambda x: x, NUMBERS, resolve=by_arithmetic, wraps=True)
absolute = abs = UFunc(
    "absolute", 1, k.absolute, ALL, returns=real_dtype
)
fabs = UFunc("fabs", 1, torch.abs, FLOATS)
sign = UFunc("sign", 1, k.sign, NUMBERS, resolve=by_arithmetic)
square = UFunc("square", 1, k.square, NUMBERS, wraps=True)
reciprocal = UFunc("reciprocal", 1, k.reciprocal, NUMBERS)
conjugate = conj = UFunc("conjugate", 1, k.conjugate, NUMBERS, wraps=True)
gcd = UFunc("gcd", 2, k.gcd, INTS, resolve=by_arithmetic, identity=0)
lcm = UFunc("lcm", 2, k.lcm, INTS, resolve=by_arithmetic)

# ------------------------------------------------------------------------------- exponents and trigonometry
sqrt = UFunc("sqrt", 1, k.sqrt, INEXACT)
cbrt = UFunc("cbrt", 1, k.cbrt, FLOATS)
exp = UFunc("exp", 1, torch.exp, INEXACT)
exp2 = UFunc("exp2", 1, torch.exp2, INEXACT)
expm1 = UFunc("expm1", 1, torch.expm1, INEXACT)
log = UFunc("log", 1, torch.log, INEXACT)
log2 = UFunc("log2", 1, torch.log2, INEXACT)
log10 = UFunc("log10", 1, torch.log10, INEXACT)
log1p = UFunc("log1p", 1, k.complex_log1p, INEXACT)
logaddexp = UFunc("logaddexp", 2, torch.logaddexp, FLOATS, identity=float("-inf"), fold=torch.logsumexp)
logaddexp2 = UFunc("logaddexp2", 2, k.logaddexp2, FLOATS, identity=float("-inf"))
sin = UFunc("sin", 1, torch.sin, INEXACT)
cos = UFunc("cos", 1, torch.cos, INEXACT)
tan = UFunc("tan", 1, torch.tan, INEXACT)
arcsin = asin = UFunc("arcsin", 1, torch.arcsin, INEXACT)
arccos = acos = UFunc("arccos", 1, torch.arccos, INEXACT)
arctan = atan = UFunc("arctan", 1, torch.arctan, INEXACT)
arctan2 = atan2 = UFunc("arctan2", 2, torch.arctan2, FLOATS)
sinh = UFunc("sinh", 1, torch.sinh, INEXACT)
cosh = UFunc("cosh", 1, torch.cosh, INEXACT)
tanh = UFunc("tanh", 1, torch.tanh, INEXACT)
arcsinh = asinh = UFunc("arcsinh", 1, torch.arcsinh, INEXACT)
arccosh = acosh = UFunc("arccosh", 1, torch.arccosh, INEXACT)
arctanh = atanh = UFunc("arctanh", 1, torch.arctanh, INEXACT)
hypot = UFunc("hypot", 2, torch.hypot, FLOATS, identity=0)
degrees = UFunc("degrees", 1, torch.rad2deg, FLOATS)
rad2deg = UFunc("rad2deg", 1, torch.rad2deg, FLOATS)
radians = UFunc("radians", 1, torch.deg2rad, FLOATS)
deg2rad = UFunc("deg2rad", 1, torch.deg2rad, FLOATS)

# ---------------------------------------------------------------------------------------------- extremes
maximum = UFunc(
    "maximum", 2, k.maximum, ALL, reorderable=True, scatter=k.scatter("amax"), whole=(torch.amax, SUMMED[:3]),
    fold=k.no_complex(torch.amax, k.maximum), scan=k.no_complex_scan(torch.cummax, k.maximum),
)  # fmt: skip
minimum = UFunc(
    "minimum", 2, k.minimum, ALL, reorderable=True, scatter=k.scatter("amin"), whole=(torch.amin, SUMMED[:3]),
    fold=k.no_complex(torch.amin, k.minimum), scan=k.no_complex_scan(torch.cummin, k.minimum),
)  # fmt: skip
fmax = UFunc("fmax", 2, k.fmax, ALL, reorderable=True)
fmin = UFunc("fmin", 2, k.fmin, ALL, reorderable=True)

# ------------------------------------------------------------------------------------------------ rounding
floor = UFunc("floor", 1, k.floats_only(torch.floor), BOOLS + REALS, wraps=True)
ceil = UFunc("ceil", 1, k.floats_only(torch.ceil), BOOLS + REALS, wraps=True)
trunc = UFunc("trunc", 1, k.floats_only(torch.trunc), BOOLS + REALS, wraps=True)
rint = UFunc("rint", 1, k.rint, INEXACT)

# ------------------------------------------------------------------------------------- comparisons and logic
equal = UFunc("equal", 2, torch.eq, ALL, returns=_bool, resolve=by_comparison, wraps=True, scalars=True)
not_equal = UFunc("not_equal", 2, torch.ne, ALL, returns=_bool, resolve=by_comparison, wraps=True, scalars=True)
greater = UFunc("greater", 2, k.greater, ALL, returns=_bool, resolve=by_comparison, scalars=True)
greater_equal = UFunc("greater_equal", 2, k.greater_equal, ALL, returns=_bool, resolve=by_comparison, scalars=True)
less = UFunc("less", 2, k.less, ALL, returns=_bool, resolve=by_comparison, scalars=True)
less_equal = UFunc("less_equal", 2, k.less_equal, ALL, returns=_bool, resolve=by_comparison, scalars=True)
logical_and = UFunc(
    "logical_and", 2, torch.logical_and, BOOLS, resolve=by_truth, identity=True, fold=torch.all,
    whole=(torch.all, TRUTHS),
)  # fmt: skip
logical_or = UFunc(
    "logical_or", 2, torch.logical_or, BOOLS, resolve=by_truth, identity=False, fold=torch.any,
    whole=(torch.any, TRUTHS),
)  # fmt: skip
logical_xor = UFunc("logical_xor", 2, torch.logical_xor, BOOLS, resolve=by_truth, identity=False)
logical_not = UFunc("logical_not", 1, torch.logical_not, BOOLS, resolve=by_truth)
isnan = UFunc("isnan", 1, torch.isnan, ALL, returns=_bool, wraps=True)
isinf = UFunc("isinf", 1, torch.isinf, ALL, returns=_bool, wraps=True)
isfinite = UFunc("isfinite", 1, torch.isfinite, ALL, returns=_bool, wraps=True)
signbit = UFunc("signbit", 1, torch.signbit, FLOATS, returns=_bool)

# ---------------------------------------------------------------------------------------------------- bits
bitwise_and = UFunc("bitwise_and", 2, torch.bitwise_and, BOOLS + INTS, identity=-1, wraps=True)
bitwise_or = UFunc("bitwise_or", 2, torch.bitwise_or, BOOLS + INTS, identity=0, wraps=True)
bitwise_xor = UFunc("bitwise_xor", 2, torch.bitwise_xor, BOOLS + INTS, identity=0, wraps=True)
invert = bitwise_not = bitwise_invert = UFunc("invert", 1, torch.bitwise_not, BOOLS + INTS, wraps=True)
left_shift = bitwise_left_shift = UFunc("left_shift", 2, torch.bitwise_left_shift, INTS, wraps=True)
right_shift = bitwise_right_shift = UFunc("right_shift", 2, torch.bitwise_right_shift, INTS)
bitwise_count = UFunc("bitwise_count", 1, k.bitwise_count, INTS, returns=lambda dtype: torch.uint8)

# ----------------------------------------------------------------------------------- the anatomy of floats
copysign = UFunc("copysign", 2, torch.copysign, FLOATS)
nextafter = UFunc("nextafter", 2, torch.nextafter, FLOATS)
spacing = UFunc("spacing", 1, k.spacing, FLOATS)
heaviside = UFunc("heaviside", 2, k.heaviside, FLOATS)
modf = UFunc("modf", 1, k.modf, FLOATS, returns=(_same, _same))
frexp = UFunc("frexp", 1, k.frexp, FLOATS, returns=(_same, lambda dtype: torch.int32))


class _Ldexp(UFunc):
    """ldexp: the only function whose operands keep two dtypes, a float and an integer one."""

    def _fast(self, x: Any, y: Any = None) -> None:
        """Never directly: torch would take a float exponent."""

    def _cast(self, operands: Operands, dtype: torch.dtype | None, casting: str) -> list[Tensor]:
        x, exponent = operands[0], result_dtype(operands[1])
        # a Python bool, or a Python int beside an integer array, is content with the first loop, float16
        weak = isinstance(x, bool) or (isinstance(x, int) and isinstance(operands[1], Tensor) and kind(exponent) == 1)
        number = FLOAT16 if weak else first_loop(self.loops, *dtypes_of(operands[:1]))
        if number is None or kind(exponent) >= 2 or exponent is torch.uint64:
            raise self._no_loop(operands)
        return as_tensors(operands, [dtype or number, torch.int64])


ldexp = _Ldexp("ldexp", 2, k.ldexp, FLOATS)
ufunc = UFunc

__all__ = [
    "abs",
    "absolute",
    "acos",
    "acosh",
    "add",
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctan2",
    "arctanh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "bitwise_and",
    "bitwise_count",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_not",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "cbrt",
    "ceil",
    "conj",
    "conjugate",
    "copysign",
    "cos",
    "cosh",
    "deg2rad",
    "degrees",
    "divide",
    "divmod",
    "equal",
    "exp",
    "exp2",
    "expm1",
    "fabs",
    "float_power",
    "floor",
    "floor_divide",
    "fmax",
    "fmin",
    "fmod",
    "frexp",
    "gcd",
    "greater",
    "greater_equal",
    "heaviside",
    "hypot",
    "invert",
    "isfinite",
    "isinf",
    "isnan",
    "lcm",
    "ldexp",
    "left_shift",
    "less",
    "less_equal",
    "log",
    "log1p",
    "log2",
    "log10",
    "logaddexp",
    "logaddexp2",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "mod",
    "modf",
    "multiply",
    "negative",
    "nextafter",
    "not_equal",
    "positive",
    "pow",
    "power",
    "rad2deg",
    "radians",
    "reciprocal",
    "remainder",
    "right_shift",
    "rint",
    "sign",
    "signbit",
    "sin",
    "sinh",
    "spacing",
    "sqrt",
    "square",
    "subtract",
    "tan",
    "tanh",
    "true_divide",
    "trunc",
    "ufunc",
]  # fmt: skip
