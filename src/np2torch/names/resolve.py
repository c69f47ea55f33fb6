"""NumPy's public names without NumPy: a checked-in list, and the spellings that mean the same thing."""

from __future__ import annotations

import functools
import re
from importlib import resources

ALIASES = {
    "absolute": "abs", "amax": "max", "amin": "min", "around": "round", "round_": "round", "bitwise_invert": "invert",
    "bitwise_not": "invert", "bitwise_left_shift": "left_shift", "bitwise_right_shift": "right_shift",
    "conjugate": "conj", "concat": "concatenate", "divide": "true_divide", "pow": "power", "mod": "remainder",
    "acos": "arccos", "acosh": "arccosh", "asin": "arcsin", "asinh": "arcsinh", "atan": "arctan", "atanh": "arctanh",
    "atan2": "arctan2", "permute_dims": "transpose", "row_stack": "vstack", "product": "prod",
    "cumproduct": "cumprod", "alltrue": "all", "sometrue": "any", "in1d": "isin", "trapz": "trapezoid",
    "degrees": "rad2deg", "radians": "deg2rad", "Inf": "inf", "Infinity": "inf", "infty": "inf", "PINF": "inf",
    "NaN": "nan", "NAN": "nan", "float_": "float64", "complex_": "complex128", "int0": "intp",
    "uint0": "uintp", "cfloat": "complex128",
    "singlecomplex": "complex64", "bool_": "bool", "bool8": "bool", "random.random_sample": "random.random",
    "random.ranf": "random.random", "random.sample": "random.random",
}  # fmt: skip
"""Spellings of one thing, removed ones included, on the name the rules use."""

INNER_MODULES = re.compile(
    r"^(matlib|_?core(\.(numeric|fromnumeric|_?multiarray|umath|shape_base|function_base|numerictypes|einsumfunc|getlimits"
    r"|arrayprint|_ufunc_config))?"
    r"|lib(\._?(function_base|shape_base|twodim_base|index_tricks|arraysetops|nanfunctions|ufunclike|type_check|arraypad"
    r"|polynomial|histograms|npyio|utils)(_impl)?)?|(?P<area>linalg|fft|random|testing)"
    r"\.(_?linalg|_?pocketfft|_?helper|mtrand|_generator|utils|_private\.utils))\."
)
"""Modules inside NumPy that hold what `numpy`, or the area named, offers under the same name."""

SCALAR_CLASSES = frozenset(
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128 intp uintp "
    "intc uintc short ushort byte ubyte long ulong longlong ulonglong int_ uint half single double csingle "
    "cdouble".split()
)
"""Scalar classes with a torch dtype, `numpy.` left out."""
ABSTRACT_CLASSES = frozenset(
    "generic number integer signedinteger unsignedinteger inexact floating complexfloating".split()
)
PYTHON_CLASSES = {name: name for name in ("int", "float", "complex", "object", "str")} | {"unicode_": "str"}
"""Classes NumPy once re-exported from Python."""
CONSTANTS = {
    "pi": 3.141592653589793, "e": 2.718281828459045, "euler_gamma": 0.5772156649015329, "inf": float("inf"),
    "nan": float("nan"), "NINF": float("-inf"), "PZERO": 0.0, "NZERO": -0.0,
}  # fmt: skip


@functools.cache
def public() -> dict[str, str]:
    """Every public dotted name with its kind: module, function, ufunc, class or constant."""
    return dict(line.split() for line in _lines("numpy_api.txt"))


def is_function(name: str) -> bool:
    """Tell whether it is a function or a ufunc of NumPy's, in whatever spelling."""
    return public().get(canonical(name)) in ("function", "ufunc")


@functools.cache
def exported_names(module: str) -> tuple[str, ...]:
    """Names `from module import *` binds."""
    prefix = module + "."
    return tuple(n[len(prefix) :] for n in public() if n.startswith(prefix) and "." not in n[len(prefix) :])


@functools.cache
def canonical(name: str) -> str:
    """The one name the rules know a dotted NumPy name by: `numpy.amax` is `numpy.max`."""
    short = name.removeprefix("numpy.").replace("lib.scimath.", "emath.")
    if name not in public() and (inner := INNER_MODULES.match(short)):
        outer = (f"{inner['area']}." if inner["area"] else "") + short[inner.end() :]
        short = outer if f"numpy.{outer}" in public() else short
    for _ in range(2):
        short = ALIASES.get(short, short)
    return f"numpy.{short}"


@functools.cache
def members() -> dict[str, str]:
    """Members of NumPy's classes ("ndarray.sum", "dtype.'f4'") with their kind: method, attribute or spelling."""
    return dict(line.rsplit(maxsplit=1) for line in _lines("numpy_members.txt"))


@functools.cache
def in_torch_numpy() -> frozenset[str]:
    """Those of the names, `numpy.` left out, and of the members that `torch._numpy` has."""
    return frozenset(line.removeprefix("numpy.") for line in _lines("torch_numpy.txt"))


def _lines(name: str) -> list[str]:
    text = resources.files("np2torch.names").joinpath(name).read_text("ascii")
    return [line for line in text.splitlines() if not line.startswith("#")]
