"""The value that an expression of a loop's body has in all passes at once: an array with an axis for each loop."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from np2torch.rules.vectorize.linear import Linear

RANKS = {"b1": 0, "bool": 0, "i8": 1, "int": 1, "f8": 2, "float": 2, "c16": 3, "complex": 3}
"""The kinds of numbers: NumPy's by their dtype, Python's by their type; the higher one takes the lower."""
BOOLS = ("b1", "bool")
NUMPYS = ("b1", "i8", "f8", "c16")
PYTHONS = ("bool", "int", "float", "complex")
MOST_BITS = 62
"""The most bits of a whole number that int64 holds with its sign."""
EXACT_BITS = 53
"""The most bits of a whole number that float64 holds."""


class VectorizeRefusal(Exception):
    """The reason for which a loop stays as it is."""


class Value(NamedTuple):
    """An expression, and how its axes belong to loops.

    Attributes
    ----------
    node
        The expression of NumPy.
    dims
        The loop of each of its axes, by the loops' numbers; no axis for what is the same in all passes.
    kind
        A key of `RANKS`: the type that the scalar has in the loop.
    form
        The linear form that it is, where it is one.
    bits
        The most bits of one of Python's whole numbers.
    factors
        Of a product its two sides.
    is_nonnegative
        Is it known to be no negative number? NaN is none.
    is_exact
        Does torch give each bit of it that NumPy gives?
    known
        The number that a name is bound to before the loop, where the text says it.
    """

    node: ast.expr
    dims: tuple[int, ...]
    kind: str
    form: Linear | None = None
    bits: int = 31
    factors: tuple[Value, Value] | None = None
    is_nonnegative: bool = False
    is_exact: bool = True
    known: object = None

    @property
    def is_python(self) -> bool:
        """Tell whether it is one of Python's numbers in the loop."""
        return self.kind in PYTHONS


def constant(number: object) -> Value:
    """Give the value of a number that is written out."""
    if isinstance(number, complex):
        return Value(ast.Constant(number), (), "complex")
    assert isinstance(number, (bool, int, float))
    node: ast.expr = ast.Constant(number) if number >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-number))
    if type(number) is int:
        form = Linear(constant=number)
        return Value(node, (), "int", form, number.bit_length(), is_nonnegative=number >= 0)
    return Value(node, (), type(number).__name__, is_nonnegative=number >= 0)


def literal(node: ast.expr) -> object:
    """Give the number that an expression writes out; None for others."""
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        return None


def union(values: Iterable[Value]) -> tuple[int, ...]:
    """Give the axes of all of these, in the order of the loops."""
    return tuple(sorted({dim for value in values for dim in value.dims}))


def align(value: Value, dims: Sequence[int]) -> ast.expr:
    """Give an expression that broadcasts against arrays of these axes, in ascending order."""
    if not value.dims or value.dims == tuple(dims):
        return value.node
    node, own = value.node, value.dims
    if list(own) != sorted(own):
        order = sorted(range(len(own)), key=lambda at: own[at])
        node = transpose(node, order)
        own = tuple(sorted(own))
    needed = [dim for dim in dims if dim >= own[0]]
    items: list[ast.expr] = [ast.Slice() if dim in own else ast.Constant(None) for dim in needed]
    if all(isinstance(item, ast.Slice) for item in items):
        return node
    index = items[0] if len(items) == 1 else ast.Tuple(items, ast.Load())
    return ast.Subscript(node, index, ast.Load())


def transpose(node: ast.expr, order: Sequence[int]) -> ast.expr:
    """Put the axes of an array in another order."""
    if list(order) == sorted(order):
        return node
    if list(order) == sorted(order, reverse=True):
        return ast.Attribute(node, "T", ast.Load())
    return ast.Call(ast.Attribute(node, "transpose", ast.Load()), [ast.Constant(at) for at in order], [])


def promoted_kind(left: Value, right: Value) -> str:
    """Give the kind of arithmetic of two numbers, as NumPy and Python have it.

    Raises
    ------
    VectorizeRefusal
        For two bools: NumPy's have no arithmetic like Python's.
    """
    rank = max(RANKS[left.kind], RANKS[right.kind])
    if rank == 0:
        raise VectorizeRefusal("arithmetic of two bools")
    return (PYTHONS if left.is_python and right.is_python else NUMPYS)[rank]


def mixed_kind(left: Value, right: Value) -> str:
    """Give the kind of numbers that are partly these and partly those: Python's where one may be, for its errors."""
    rank = max(RANKS[left.kind], RANKS[right.kind])
    is_python = left.is_python and right.is_python if rank == 1 else left.is_python or right.is_python
    return (PYTHONS if is_python else NUMPYS)[rank]


def literal_of(op: ast.operator, left: int, right: int) -> int:
    """Compute with two whole numbers that are written out."""
    if isinstance(op, ast.Mult):
        return left * right
    return left + right if isinstance(op, ast.Add) else left - right
