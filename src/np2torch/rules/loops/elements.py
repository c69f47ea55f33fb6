"""Loops that go by elements: what a loop reads and writes by its variables, and what it computes on whole arrays."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType

from np2torch.facts import values as v
from np2torch.facts.interpreter.subscripts import index_parts
from np2torch.names.tree import children, reads_any
from np2torch.names.tree import walk as tree_walk
from np2torch.rules.loops import vocabulary as words
from np2torch.rules.loops.flow import Loop, parameters, stores
from np2torch.rules.site import ModuleContext

NONE: Mapping[ast.Call, bool] = MappingProxyType({})
MOST_SHORT = 2048
"""On more elements an operation takes torch at most twice as long as NumPy, and one of slices four times."""
MOST_BESIDE_VECTORS = 4096
"""The product of a larger matrix with a vector takes torch no more than twice as long."""
MOST_SMALL = 64
"""Matrices of so few elements are multiplied in no time: what counts is the call."""
FEWEST_PASSES = 10
"""Fewer passes over short arrays are no gain."""
FEWEST, OUTWEIGHS = 6, 3
"""So many elements by themselves, and so many for each use of an array as a whole, cost more in torch than it gains."""


class Elements:
    """The parts of arrays that a loop handles.

    Parameters
    ----------
    hoisted
        The expressions in the loop that read what is bound outside of it.
    apart
        The names of what functions take apart that the loop calls.
    calls
        The calls of functions that run in NumPy, and whether these are passed.
    """

    def __init__(
        self, ctx: ModuleContext, loop: Loop, hoisted: Collection[ast.expr], apart: Collection[str],
        calls: Mapping[ast.Call, bool] = NONE,
    ) -> None:  # fmt: skip
        self.ctx, self.loop, self.hoisted, self.apart, self.calls = ctx, loop, hoisted, apart, calls
        self.nodes = tree_walk(loop)
        self.bound = stores([loop])

    def fact(self, node: ast.AST) -> v.Fact:
        """Give the fact of an expression in NumPy, whatever represents it after the conversion."""
        return self.ctx.fact_in_numpy(node)

    def why_not(self) -> str | None:
        """Say why the loop is to stay on tensors: it reads nothing by its variables, or computes with whole arrays."""
        if not (self._has_elements(self.loop) or self._has_short() or self._draws_numbers()):
            return "no element is read or written by the variables of the loop"
        wholes = [node for node in self._whole() if not self._is_deep(node)]
        parts = sum(self._is_single(one) or self._is_element(one, self.bound) for one in self.nodes) if wholes else 0
        if not wholes or parts >= max(FEWEST, OUTWEIGHS * len(wholes)):
            return None
        return f"`{ast.unparse(wholes[0])}` is computed with as a whole"

    def _is_single(self, node: ast.AST) -> bool:
        """Tell whether it reads or writes one element of an array."""
        if not isinstance(node, ast.Subscript) or not self._may_be_array(node.value):
            return False
        ranks = v.ranks_of(self.fact(node.value))
        parts = index_parts(node.slice)
        return (ranks is None or len(parts) in ranks) and all(map(self._may_be_one, parts))

    def _may_be_array(self, node: ast.AST) -> bool:
        return v.may(self.fact(node), "array") and not v.known_to_include(self.fact(node), "text", "sequence")

    def _may_be_one(self, node: ast.expr) -> bool:
        """Tell whether it may be a number, as far as that is known."""
        return v.known_to_include(self.fact(node), "number", "scalar")

    def _has_elements(self, loop: Loop) -> bool:
        bound = stores([loop])
        sources = _gone_through(loop.iter) if isinstance(loop, ast.For) else []
        if any(v.known_to_include(self.fact(one), "array") for one in sources) or any(
            map(self._is_of_numbers, self.calls)
        ):
            return True
        return any(self._is_element(one, bound) for one in tree_walk(loop))

    def _is_of_numbers(self, call: ast.Call) -> bool:
        """Tell whether a function is called with what changes and may be numbers: it computes with scalars then."""
        given = all(map(self._may_be_one, call.args))
        if not given and self.calls[call]:  # a guard says of numbers that they are arrays
            given = all(0 in (v.ranks_of(self.fact(one)) or {0}) for one in call.args)
        names = {one.id for one in tree_walk(call) if isinstance(one, ast.Name)}
        return given and not call.keywords and not names.isdisjoint(self.bound)

    def _is_element(self, node: ast.AST, bound: set[str]) -> bool:
        """Tell whether it is an element of an array, selected by a variable of the loop."""
        if not isinstance(node, ast.Subscript) or not self._may_be_array(node.value):
            return False
        parts = index_parts(node.slice)
        if any(v.only(self.fact(part), "array", "sequence") for part in parts):
            return False
        return reads_any(node.slice, bound)

    def _whole(self) -> Iterator[ast.expr]:
        """The places where arrays are used as wholes, but for what was cut from them by the variables of the loop."""
        rows = self._rows()
        for node in self.nodes:
            is_name = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) or node in self.hoisted
            if not is_name or not isinstance(node, ast.expr) or not v.only(self.fact(node), "array"):
                continue
            if isinstance(node, ast.Name) and (node.id in rows or node.id in self.apart) or self._is_searched(node):
                continue
            if not (has_axes(self.ctx, node) or self._may_be_number(node) or self._is_short(node)):
                yield node

    @cached_property
    def _is_often(self) -> bool:
        """Tell whether the loop may be run so often that views of short arrays pay."""
        ctx, loop = self.ctx, self.loop
        passes = ctx.extents.passes(loop.iter, ctx.function(loop)) if isinstance(loop, ast.For) else None
        return passes is None or passes >= FEWEST_PASSES

    def _has_short(self) -> bool:
        """Tell whether the loop computes with short arrays."""
        return any(self._is_short(one) for one in self.nodes if isinstance(one, (ast.Name, ast.Attribute)))

    def _draws_numbers(self) -> bool:
        """Tell whether the loop draws random numbers one by one."""
        calls = (one for one in self.nodes if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute))
        drawing = (one for one in calls if one.func.attr in words.DRAWING and one.func.value in self.hoisted)  # type: ignore[attr-defined]
        return self._is_often and any(v.only(self.fact(one), "scalar", "number") for one in drawing)

    def _is_short(self, node: ast.expr) -> bool:
        """Tell whether it is an array of few elements, as the program says, and read often enough."""
        if not self._is_often or not v.only(self.fact(node), "array"):
            return False
        return self._has_at_most(self._most(node), node)

    def _has_at_most(self, most: int, node: ast.expr) -> bool:
        elements = self.ctx.extents.elements(node, self.ctx.function(node))
        return elements is not None and elements <= most

    def _most(self, node: ast.expr) -> int:
        """Give the most elements of an array that is short; linear algebra with matrices is as fast in torch."""
        if {0, 1}.issuperset(v.ranks_of(self.fact(node)) or {2}):
            return MOST_SHORT
        parent = self.ctx.parents.get(node)
        while isinstance(parent, ast.Attribute) and parent.attr == "T":
            node, parent = parent, self.ctx.parents.get(parent)
        if isinstance(parent, ast.Attribute) and parent.attr == "dot":
            node, parent = parent, self.ctx.parents.get(parent)
        match parent:
            case ast.BinOp(op=ast.MatMult()):
                return self._most_beside([one for one in (parent.left, parent.right) if one is not node])
            case ast.Call() if parent.func is node or not words.PRODUCTS.isdisjoint(self._names_of(parent.func)):
                return self._most_beside([one for one in parent.args if one is not node])
            case ast.Call() if any(one.startswith("numpy.linalg.") for one in self._names_of(parent.func)):
                return MOST_SMALL
        return MOST_SHORT

    def _most_beside(self, others: Sequence[ast.expr]) -> int:
        """Give the most elements of a matrix in a product with these."""
        small = (v.ranks_of(self.fact(one)) == frozenset({1}) or self._has_at_most(MOST_SMALL, one) for one in others)
        return MOST_BESIDE_VECTORS if others and all(small) else MOST_SMALL

    def _is_searched(self, node: ast.expr) -> bool:
        """Tell whether it is an argument of a search such as `searchsorted`."""
        call = self.ctx.parents.get(node)
        if not isinstance(call, ast.Call) or node not in call.args:
            return False
        return not words.SEARCHING.isdisjoint(self._names_of(call.func))

    def _names_of(self, function: ast.expr) -> set[str]:
        """Give the functions of NumPy that are meant."""
        return {atom.name for atom in self.fact(function) if isinstance(atom, v.Numpy)}

    def _may_be_number(self, node: ast.expr) -> bool:
        """Tell whether it is a local name that may hold a number, as nothing in its function shows that it has axes."""
        scope = self.ctx.function(self.loop)
        if not isinstance(node, ast.Name) or node.id not in parameters(scope) | stores(children(scope)):
            return False
        if 0 not in (v.ranks_of(self.fact(node)) or {0}):
            return False
        named = (one for one in tree_walk(scope) if isinstance(one, ast.Name) and one.id == node.id)
        return not any(has_axes(self.ctx, one) or self._is_multiplied(one) for one in named)

    def _is_multiplied(self, node: ast.AST) -> bool:
        parent = self.ctx.parents.get(node)
        return isinstance(parent, ast.Attribute) or isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.MatMult)

    def _rows(self) -> set[str]:
        """The names that hold nothing but what was cut from arrays by the variables of the loop."""
        values: dict[str, list[ast.expr]] = {}
        for node in self.nodes:
            if isinstance(node, ast.Assign):
                for name in stores(node.targets):
                    values.setdefault(name, []).append(node.value)
            elif isinstance(node, ast.For):
                for name in stores([node.target]):
                    values.setdefault(name, [])
        bound = self.bound

        def is_cut(value: ast.expr) -> bool:
            return self._is_display(value) or any(self._is_element(one, bound) for one in tree_walk(value))

        cut = {name for name, given in values.items() if all(map(is_cut, given))}
        met = (one.id for one in self.nodes if isinstance(one, ast.Name) and self._meets_row(one, cut))
        return cut.union(met)

    def _is_display(self, value: ast.expr) -> bool:
        """Tell whether it is an array of a few numbers, which are written out."""
        if not isinstance(value, ast.Call) or not value.args or not isinstance(value.args[0], (ast.List, ast.Tuple)):
            return False
        names = self._names_of(value.func)
        return names <= words.MAKING and bool(names) and all(map(self._may_be_one, value.args[0].elts))

    def _meets_row(self, node: ast.Name, rows: set[str]) -> bool:
        """Tell whether an array is computed with a row cut by the variables of the loop, or stored in one: as long."""
        parent = self.ctx.parents.get(node)
        is_product = isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.MatMult)
        if isinstance(parent, ast.Assign):
            others = parent.targets
        elif isinstance(parent, ast.BinOp):
            others = [parent.left, parent.right]
        elif isinstance(parent, ast.Call) and node in parent.args:
            is_product = not words.PRODUCTS.isdisjoint(self._names_of(parent.func))
            others = parent.args if is_product else []
        else:
            return False
        is_long = not is_product and not {0, 1}.issuperset(self._axes(node) or {1})
        return not is_long and any(self._is_row(other, rows) for other in others if other is not node)

    def _is_row(self, node: ast.expr, rows: set[str]) -> bool:
        """Tell whether it is made of rows, as far as that is known: of an unknown array, what is cut by one slice."""
        parts = [one for one in tree_walk(node) if isinstance(one, (ast.Name, ast.Subscript))]
        cut = [one for one in parts if self._is_element(one, self.bound) or getattr(one, "id", "") in rows]
        is_short = all({0, 1}.issuperset(self._axes(one) or {2}) for one in cut)
        return bool(cut) and is_short and self._axes(node) != {0}

    def _axes(self, node: ast.expr) -> Collection[int] | None:
        """How many axes an expression may have; what is cut of an array without more evidence, as many as slices."""
        known = v.ranks_of(self.fact(node))
        if known is not None or not isinstance(node, ast.Subscript):
            return known
        slices = [isinstance(part, ast.Slice) for part in index_parts(node.slice)]
        ranks = v.ranks_of(self.fact(node.value)) or {len(slices)}
        return {rank - slices.count(False) for rank in ranks}

    def _is_deep(self, node: ast.AST) -> bool:
        """Tell whether it stands in an inner loop that goes by elements too."""
        current = self.ctx.parents.get(node)
        while current is not None and current is not self.loop:
            if isinstance(current, (ast.For, ast.While)):
                return self._has_elements(current)
            current = self.ctx.parents.get(current)
        return False


def has_axes(ctx: ModuleContext, node: ast.AST) -> bool:
    """Tell whether an expression is used as only an array with axes can be."""
    parent = ctx.parents.get(node)
    if isinstance(parent, ast.Attribute) and parent.attr in words.DESCRIBING or is_gone_through(ctx, node):
        return True
    if isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name) and parent.func.id == "len":
        return True
    return isinstance(parent, ast.Subscript) and parent.value is node


def is_gone_through(ctx: ModuleContext, node: ast.AST) -> bool:
    """Tell whether a loop iterates over an expression, directly or in `zip` and its like."""
    parent = ctx.parents.get(node)
    while parent is not None and _goes_through(parent, node):
        node, parent = parent, ctx.parents.get(parent)
    return isinstance(parent, ast.For) and parent.iter is node


def _goes_through(parent: ast.AST, node: ast.AST) -> bool:
    """Tell whether the parent iterates over the elements of a node: `zip` and its like, `ravel`, the call of that."""
    if isinstance(parent, ast.Attribute):
        return parent.attr in words.FLATTENING
    if not isinstance(parent, ast.Call):
        return False
    if isinstance(parent.func, ast.Name):
        return parent.func.id in words.ITERATING
    return parent.func is node and not parent.args and not parent.keywords


def _gone_through(node: ast.expr) -> list[ast.expr]:
    """Give the expressions that a loop iterates over, those in `zip` and `enumerate` too."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in words.ITERATING:
        return [one for argument in node.args for one in _gone_through(argument)]
    return [node]
