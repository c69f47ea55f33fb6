"""The integers that the scalars of a body may be, so that none is taken for a Python number where NumPy wraps it.

Intervals are joined over all that is bound to a name, and over all that is stored in an array which the body makes
itself, until nothing changes. What goes on growing by little at a time, as a counter and the table of an edit distance
do, does not come near the largest integer while a program lives.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from typing import NamedTuple

from np2torch.facts import values as v
from np2torch.facts.access_paths import root_of
from np2torch.rules.scalars.bodies import Body, Bound, Item
from np2torch.rules.scalars.lifetimes import is_private
from np2torch.rules.site import ModuleContext


class Interval(NamedTuple):
    """A range of integers that a number may be."""

    low: float
    high: float

    @property
    def is_int64(self) -> bool:
        """Tell whether all of them are int64 numbers, so that nothing wraps."""
        return self.low >= -(2**63) and self.high < 2**63

    @property
    def is_exact(self) -> bool:
        """Tell whether a float64 holds each of them exactly."""
        return self.low >= -(2**53) and self.high <= 2**53

    @property
    def negative(self) -> Interval:
        """The integers of the other sign."""
        return Interval(-self.high, -self.low)

    def hull(self, other: Interval) -> Interval:
        """The least interval that holds both."""
        return Interval(min(self.low, other.low), max(self.high, other.high))


INT64 = Interval(-(2**63), 2**63 - 1)
ANY = Interval(-math.inf, math.inf)
SIZES = Interval(0, 2**48)
"""How many elements there may be, and their indices."""
BIT = Interval(0, 1)


def _corners(op: Callable[[float, float], float], a: Interval, b: Interval) -> Interval:
    if ANY in (a, b) or math.inf in (-a.low, a.high, -b.low, b.high):
        return ANY
    found = [op(x, y) for x in a for y in b]
    return Interval(min(found), max(found))


def _mask(a: Interval, b: Interval) -> Interval:
    """`a & b`: no more than the smaller of those that are not negative."""
    tops = [one.high for one in (a, b) if one.low >= 0]
    return Interval(0, min(tops)) if tops else _bits(a, b)


def _bits(a: Interval, b: Interval) -> Interval:
    """`a | b`, `a ^ b`: no longer than the longer of them."""
    most = max(one if one >= 0 else -one - 1 for one in (*a, *b))
    if most == math.inf:
        return ANY
    top = 2 ** int(most).bit_length()
    return Interval(0 if min(a.low, b.low) >= 0 else -top, top - 1)


def _shifted(a: Interval, b: Interval) -> Interval:
    if b.low < 0 or b.high > 63 or math.inf in (-a.low, a.high):
        return ANY
    return _corners(lambda x, y: x * 2**y, a, b)


def _right(a: Interval, b: Interval) -> Interval:
    return Interval(min(a.low, 0), max(a.high, 0)) if b.low >= 0 and b.high <= 63 else ANY


def _remainder(a: Interval, b: Interval) -> Interval:
    return Interval(0, b.high - 1) if b.low > 0 else ANY


def _quotient(a: Interval, b: Interval) -> Interval:
    return Interval(min(a.low, 0), max(a.high, 0)) if b.low > 0 else ANY


INTERVALS: dict[type[ast.operator], Callable[[Interval, Interval], Interval]] = {
    ast.Add: lambda a, b: Interval(a.low + b.low, a.high + b.high),
    ast.Sub: lambda a, b: Interval(a.low - b.high, a.high - b.low),
    ast.Mult: lambda a, b: _corners(lambda x, y: x * y, a, b),
    ast.BitAnd: _mask, ast.BitOr: _bits, ast.BitXor: _bits, ast.LShift: _shifted, ast.RShift: _right,
    ast.Mod: _remainder, ast.FloorDiv: _quotient,
}  # fmt: skip
"""The results of operations on integers; ANY where Python raises or NumPy does otherwise."""


GROWING = Interval(-(2**62), 2**62)
"""The interval that a number never leaves if it grows by little at a time."""
LITTLE = 2**16
MOST_PASSES = 4
INDICES = frozenset("argmax argmin nanargmax nanargmin searchsorted count_nonzero".split())
"""Functions and methods that give an index or a number of elements."""
FILLED = {"zeros": Interval(0, 0), "zeros_like": Interval(0, 0), "ones": BIT, "ones_like": BIT}
"""Functions that make arrays of one small number."""
PLACES = frozenset(v.Numpy(f"numpy.{name}") for name in ("argsort", "flatnonzero", "argwhere"))
"""Functions that give arrays of indices."""
PLACES_BY_AXIS = frozenset({v.Numpy("numpy.nonzero"), v.Numpy("numpy.where")})
"""Functions that give, with a single argument, a tuple of such arrays."""


class Intervals:
    """The intervals of the names and arrays of a body."""

    def __init__(self, ctx: ModuleContext, body: Body) -> None:
        self.ctx, self.body = ctx, body
        self.arrays = self._arrays()
        self.found: dict[str, Interval] = {}
        bound: dict[str, list[Bound]] = {name: values for name, values in body.bindings.items() if self._counts(name)}
        bound.update(self.arrays)
        self.known = bound.keys()
        growing = self._settle(bound)
        while growing:
            self.found.update(dict.fromkeys(growing, GROWING))
            more = self._settle({name: values for name, values in bound.items() if name not in growing})
            far = {name for name in growing if not all(map(self._is_near, bound[name]))}
            if not more and not far:
                return
            self.found.update(dict.fromkeys(far, ANY))
            bound = {name: values for name, values in bound.items() if name not in far}
            growing = (growing | more) - far

    def _settle(self, bound: dict[str, list[Bound]]) -> set[str]:
        """Join what is bound to each name until nothing changes; the names that go on changing."""
        changed: set[str] = set()
        for _ in range(MOST_PASSES):
            changed = set()
            for name, values in bound.items():
                joined = _hull([self.found.get(name), *map(self.of, values)])
                if joined is not None and joined != self.found.get(name):
                    self.found[name] = joined
                    changed.add(name)
            if not changed:
                break
        return changed

    def _is_near(self, value: Bound) -> bool:
        """Tell whether a bound value leaves the interval of growing numbers by a little at most."""
        one = self.of(value) or BIT
        return one.low >= GROWING.low - LITTLE and one.high <= GROWING.high + LITTLE

    def _fact(self, node: ast.AST) -> v.Fact:
        return self.ctx.fact_in_numpy(node)

    def _counts(self, name: str) -> bool:
        """Tell whether a name may be an integer."""
        return any(_types(self._fact(one)) & {"int", "bool"} for one in self.body.loads.get(name, ()))

    def _arrays(self) -> dict[str, list[Bound]]:
        """By name, what is stored in the arrays of integers that the body makes itself and hands to nobody."""
        stored: dict[str, list[Bound]] = {}
        lost = set[str]()
        for node in self.body.nodes:
            if not isinstance(node, ast.Subscript) or isinstance(node.ctx, ast.Load):
                continue
            root, parent = root_of(node.value), self.ctx.parents.get(node)
            if root is None:
                continue
            if isinstance(parent, ast.Assign) and parent.targets == [node] and isinstance(node.value, ast.Name):
                stored.setdefault(root, []).append(parent.value)
            else:
                lost.add(root)
        found: dict[str, list[Bound]] = {}
        for name, values in stored.items():
            made = self.body.bindings.get(name, [])
            filled = all(isinstance(one, ast.Call) and _function(one) in FILLED for one in made)
            plain = all(isinstance(one, ast.AST) and v.only(self._fact(one), "array") for one in made)
            if made and filled and plain and name not in lost and self._is_alone(made[0], name):
                found[name] = [*made, *values]
        return found

    def _is_alone(self, made: Bound, name: str) -> bool:
        """Tell whether nothing else shares memory with an array of that name."""
        assert isinstance(made, ast.expr)
        aliases = self.ctx.aliases(made)
        return aliases.names_of([aliases.find(name)]) == {name} and is_private(self.ctx, name, aliases)

    def of(self, node: Bound) -> Interval | None:
        """The integers that an expression, or the elements of an array, may be; None where it is none so far."""
        if isinstance(node, ast.AugAssign):
            assert isinstance(node.target, ast.Name)
            return _computed(node.op, self.found.get(node.target.id), self.of(node.value))
        if isinstance(node, Item):
            return SIZES.hull(SIZES.negative) if _are_places(self.ctx, node) else INT64
        fact = self._fact(node)
        value = v.constant(fact)
        if isinstance(value, int):
            return Interval(value, value)
        if isinstance(node, ast.Name) and self.body.key(node) in self.known:
            return self.found.get(self.body.key(node))
        types = _types(fact)
        if v.only(fact, "array"):
            return self._of_array(node)
        if not types:
            return ANY
        if "int" not in types:
            return BIT
        return self._of_integer(node, fact)

    def _of_array(self, node: ast.expr) -> Interval:
        if isinstance(node, ast.Call) and isinstance(self.ctx.parents.get(node), ast.Assign):
            if _function(node) in FILLED:
                return FILLED[_function(node)]
            if _function(node) == "arange" and len(node.args) == 1 and not node.keywords:
                return SIZES
        return INT64

    def _of_integer(self, node: ast.expr, fact: v.Fact) -> Interval | None:
        match node:
            case ast.Name() if self.body.key(node) in self.body.counters:
                return SIZES.hull(SIZES.negative)
            case ast.BinOp(left=left, op=op, right=right):
                return _computed(op, self.of(left), self.of(right))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                inner = self.of(operand)
                return None if inner is None else inner.negative
            case ast.IfExp(body=one, orelse=other):
                return _hull([self.of(one), self.of(other)])
            case ast.Call(func=ast.Name(id="min" | "max"), args=[_, _, *_] as args, keywords=[]):
                return _hull([self.of(one) for one in args])
            case ast.Subscript(value=ast.Name() as array) if self.body.key(array) in self.arrays:
                return self.found.get(self.body.key(array))
        if self._is_size(node, fact):
            return SIZES
        return INT64 if v.only(fact, "scalar") else ANY

    def _is_size(self, node: ast.expr, fact: v.Fact) -> bool:
        """Tell whether it is an index or a number of elements."""
        if isinstance(node, ast.Call):
            counts = _function(node) in INDICES and v.only(fact, "scalar")
            return counts or v.sole(self._fact(node.func)) == v.Builtin("len")
        if isinstance(node, ast.Subscript):
            return isinstance(node.value, ast.Attribute) and node.value.attr == "shape"
        return isinstance(node, ast.Attribute) and node.attr in ("size", "ndim")


def _types(fact: v.Fact) -> set[str]:
    """The Python types of the numbers that it may be, other atoms left out."""
    found = {atom.type for atom in fact if isinstance(atom, v.Num)}
    for atom in fact:
        if isinstance(atom, v.Scalar):
            found |= {"int" if one[0] in "iu" else one for one in atom.dtypes or ("int64",)}
    return found


def _function(node: ast.AST) -> str:
    function = getattr(node, "func", None)
    return str(getattr(function, "attr", getattr(function, "id", "")))


def _computed(op: ast.operator, left: Interval | None, right: Interval | None) -> Interval | None:
    if left is None or right is None:
        return None
    return INTERVALS[type(op)](left, right) if type(op) in INTERVALS else ANY


def _hull(parts: list[Interval | None]) -> Interval | None:
    """The hull of those that there are so far."""
    found = [one for one in parts if one is not None]
    return Interval(min(one.low for one in found), max(one.high for one in found)) if found else None


def _are_places(ctx: ModuleContext, item: Item) -> bool:
    """Tell whether the items are indices, or numbers below a length."""
    node = item.source
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Call):
        single = len(node.value.args) == 1 and not node.value.keywords
        return single and v.sole(ctx.fact_in_numpy(node.value.func)) in PLACES_BY_AXIS
    if not isinstance(node, ast.Call):
        return node is None
    function = v.sole(ctx.fact_in_numpy(node.func))
    counts = function == v.Numpy("numpy.arange") and len(node.args) == 1 and not node.keywords
    return counts or function in PLACES
