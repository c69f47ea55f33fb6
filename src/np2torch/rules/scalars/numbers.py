"""Python numbers that behave as the NumPy scalars of their values: a table of kinds per operation, and intervals.

`float64` and a Python float are the same number, and most operations on them are the same: what differs is what Python
raises for (a zero divisor, an overflow in `**`), integers that NumPy wraps, bools that NumPy adds as bools, and
integers that NumPy compares as floats.
"""

from __future__ import annotations

import ast
from itertools import product
from typing import NamedTuple

from np2torch.facts import tables
from np2torch.facts import values as v
from np2torch.facts.domain import DOMAIN
from np2torch.facts.interpreter.operators import OPERATORS
from np2torch.names.tree import COMPARISONS
from np2torch.rules.casts import unify
from np2torch.rules.scalars.intervals import INTERVALS, Interval

KINDS = {"float64": "float", "int64": "int", "bool": "bool", "complex128": "complex"}
"""NumPy's scalars that have a Python number of the same values, and its type."""
WEAK = {"float": "pyfloat", "int": "pyint", "bool": "pybool", "complex": "pycomplex"}


class Alternative(NamedTuple):
    """One thing that a number may be: its Python type, and whether NumPy has a scalar there."""

    type: str
    is_scalar: bool


Alternatives = frozenset[Alternative]


def alternatives(fact: v.Fact) -> Alternatives | None:
    """Give the kinds of number that a value may be besides None; None if Python may have no such number."""
    found: set[Alternative] = set()
    for atom in fact:
        if isinstance(atom, v.Num):
            found.add(Alternative(atom.type, False))
        elif isinstance(atom, v.Scalar):
            dtypes = DOMAIN.unknown if atom.dtypes is None else atom.dtypes
            if not dtypes <= KINDS.keys():
                return None
            found.update(Alternative(KINDS[dtype], True) for dtype in dtypes)
        elif not isinstance(atom, v.Nothing):
            return None
    return frozenset(found) if found else None


def number_of(fact: v.Fact) -> v.Fact:
    """The fact of the Python number in the place of a NumPy scalar."""
    out = []
    for atom in fact:
        if isinstance(atom, v.Scalar):
            dtypes = DOMAIN.unknown if atom.dtypes is None else atom.dtypes
            out += [v.one(v.Num(KINDS[dtype])) for dtype in sorted(dtypes)]
        else:
            out.append(v.one(atom))
    return v.join(*out)


class Operand(NamedTuple):
    """A number beside an operator: what it may be, the integers among that, and its value where that is known."""

    kinds: Alternatives
    interval: Interval
    value: object = None


def agrees(op: type[ast.AST], left: Operand, right: Operand) -> bool:
    """Tell whether an operation on two Python numbers is the same as on the NumPy scalars in their place."""
    pairs = product(left.kinds, right.kinds)
    return all(_agree(op, one, other, left, right) for one, other in pairs if one.is_scalar or other.is_scalar)


def _agree(op: type[ast.AST], one: Alternative, other: Alternative, left: Operand, right: Operand) -> bool:
    types = {one.type, other.type}
    exact = all(side.interval.is_exact for side, kind in ((left, one), (right, other)) if kind.type == "int")
    if issubclass(op, ast.cmpop):
        return _compare_alike(op, types, exact)
    if "complex" in types:
        return False
    if types == {"bool"}:
        return op in (ast.BitAnd, ast.BitOr, ast.BitXor)
    if op is ast.Div:  # Python rounds the quotient of two integers once, NumPy each of them before
        return _is_nonzero(right.value) and ("float" in types or exact)
    if op in (ast.FloorDiv, ast.Mod) and not _is_nonzero(right.value):
        return False
    if "float" in types:
        return op in (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)
    if op not in INTERVALS or not (left.interval.is_int64 and right.interval.is_int64):
        return False
    return INTERVALS[op](left.interval, right.interval).is_int64


def _is_nonzero(value: object) -> bool:
    return isinstance(value, (int, float)) and value != 0


def _compare_alike(op: type[ast.AST], types: set[str], exact: bool) -> bool:
    if "complex" in types:
        return op in (ast.Eq, ast.NotEq) and "int" not in types
    if types == {"int", "float"}:  # NumPy compares them as floats
        return exact
    return op in COMPARISONS


def promotes_alike(op: type[ast.AST], number: Alternatives, others: v.Fact, is_left: bool) -> bool:
    """Tell whether an operation with an array has the same dtype beside a Python number as beside the NumPy scalar.

    It is also asked that torch finds that dtype without casts.
    """
    dtypes = v.dtypes_of(others)
    if op not in OPERATORS or not v.only(others, "array", "scalar"):
        return False
    plain = v.join(*(v.one(v.Num(one.type)) for one in number))
    casts = unify(OPERATORS[op], [plain, others] if is_left else [others, plain])
    if casts is None or any(casts.operands) or casts.result is not None:
        return False
    if any(one.type == "int" for one in number) and not (dtypes or DOMAIN.unknown) <= KINDS.keys() - {"bool"}:
        return False
    strong = {name: dtype for dtype, name in KINDS.items()}
    for kind, dtype in product(number, DOMAIN.unknown if dtypes is None else dtypes):
        sides = [(weak, dtype) if is_left else (dtype, weak) for weak in (strong[kind.type], WEAK[kind.type])]
        if kind.is_scalar and tables.result(OPERATORS[op], *sides[0]) != tables.result(OPERATORS[op], *sides[1]):
            return False
    return True


STORED = {
    "float": ("float64", "float32", "complex128", "complex64"), "int": ("int64", "float64", "complex128"),
    "bool": ("bool", "int64", "float64", "float32", "complex128"), "complex": ("complex128", "complex64"),
}  # fmt: skip
"""The dtypes of arrays that a Python number is stored in as the NumPy scalar of its value is."""


def stores_alike(number: Alternatives, array: v.Fact) -> bool:
    """Tell whether an array of known dtype stores a Python number as it stores the NumPy scalar in its place."""
    dtypes = v.dtypes_of(array)
    if not v.only(array, "array") or not dtypes:
        return False
    return all(dtypes <= set(STORED[one.type]) for one in number if one.is_scalar)


PLAIN_CALLS = frozenset("print str bool complex".split())
"""Python's functions that do the same with a Python number of any type."""
OF_REAL = frozenset("float int".split())
OF_NUMBERS = frozenset("round range chr bin hex oct".split())
"""Those that do so with floats and integers, or refuse them alike."""
CHOICES = ("abs", "min", "max")
"""Python's functions that give one of their arguments, or its absolute value."""


def taken_alike(name: str, number: Alternatives, types: str = "") -> bool:
    """Tell whether a Python function does the same with a Python number as with the NumPy scalar in its place.

    Parameters
    ----------
    types
        The second argument of `isinstance`, as text.
    """
    kinds = {one.type for one in number if one.is_scalar}
    if name == "isinstance":
        return kinds == {types} and types in ("float", "complex")
    if name in PLAIN_CALLS:
        return True
    if name in OF_NUMBERS:
        return kinds <= {"float", "int"}
    return (name in OF_REAL or name.startswith("math.")) and "complex" not in kinds
