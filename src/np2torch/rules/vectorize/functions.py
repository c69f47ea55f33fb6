"""The functions that may be called in a loop which runs all at once, and what they are for whole arrays."""

from __future__ import annotations

from typing import NamedTuple

FLOATING = frozenset(
    "sqrt exp exp2 expm1 log log2 log10 log1p sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh "
    "cbrt fabs deg2rad rad2deg degrees radians".split()
)
"""Functions of NumPy of one number that give a float64."""
COMPLEX = frozenset("sqrt exp log sin cos tan sinh cosh tanh square abs absolute conj conjugate negative".split())
"""Those that take complex numbers as well."""
ROUNDING = frozenset("floor ceil trunc rint".split())
"""Functions that give the kind of float they are given."""
KEEPING = frozenset("abs absolute square sign negative positive conj conjugate".split())
"""Functions that give what they are given."""
TESTS = frozenset("isnan isinf isfinite".split())
OF_TWO = frozenset("arctan2 hypot copysign logaddexp".split())
"""Functions of two numbers that give a float64."""
CHOOSING = frozenset("maximum minimum fmax fmin".split())
"""Functions of two numbers that give one of them."""
OPERATORS = {
    "add": "+", "subtract": "-", "multiply": "*", "divide": "/", "true_divide": "/", "power": "**", "float_power": "",
    "mod": "%", "remainder": "%", "floor_divide": "//",
}  # fmt: skip


class MathFunction(NamedTuple):
    """A function of `math`: NumPy's for whole arrays, and the argument for which the one of `math` raises.

    Attributes
    ----------
    fails
        The comparison of the argument, and the bound; "inf" for infinities.
    nonnegative
        Does an argument that is no negative number never fail?
    """

    numpy: str
    fails: tuple[str, float] | None = None
    error: str = "ValueError"
    message: str = "math domain error"
    nonnegative: bool = False


MATH = {
    "sqrt": MathFunction("sqrt", ("<", 0), nonnegative=True), "log": MathFunction("log", ("<=", 0)),
    "log2": MathFunction("log2", ("<=", 0)), "log10": MathFunction("log10", ("<=", 0)),
    "log1p": MathFunction("log1p", ("<=", -1), nonnegative=True),
    "sin": MathFunction("sin", ("inf", 0)), "cos": MathFunction("cos", ("inf", 0)),
    "tan": MathFunction("tan", ("inf", 0)),
    "exp": MathFunction("exp", (">", 709.782712893384), "OverflowError", "math range error"),
    "atan": MathFunction("arctan"), "tanh": MathFunction("tanh"), "asinh": MathFunction("arcsinh"),
    "fabs": MathFunction("abs"),
    "atan2": MathFunction("arctan2"), "copysign": MathFunction("copysign"), "radians": MathFunction("radians"),
    "degrees": MathFunction("degrees"), "isnan": MathFunction("isnan"), "isinf": MathFunction("isinf"),
    "isfinite": MathFunction("isfinite"),
}  # fmt: skip
"""Of `math`."""
MATH_TESTS = frozenset({"isnan", "isinf", "isfinite"})
MATH_OF_TWO = frozenset({"atan2", "copysign"})
NONNEGATIVE = frozenset("sqrt exp exp2 abs absolute fabs square cosh hypot".split())
"""Functions that give no negative number, but for -0.0."""
EXACT = frozenset(
    "sqrt abs absolute fabs floor ceil trunc rint square sign negative positive copysign maximum minimum fmax fmin "
    "isnan isinf isfinite".split()
)
"""Functions whose results have the same bits in torch as in NumPy."""
