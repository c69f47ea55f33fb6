"""Loops that go by elements: what a loop reads and writes by its variables, and what it computes on whole arrays."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType

from np2torch.facts import values as v
from np2torch.names.tree import children
from np2torch.names.tree import walk as tree_walk
from np2torch.rules.loops import vocabulary as words
from np2torch.rules.loops.flow import Loop, parameters, stores
from np2torch.rules.site import ModuleContext

NONE: Mapping[ast.Call, bool] = MappingProxyType({})
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
        if not self._has_elements(self.loop):
            return "no element is read or written by the variables of the loop"
        wholes = [node for node in self._whole() if not self._is_deep(node)]
        if not wholes or sum(map(self._is_single, self.nodes)) >= max(FEWEST, OUTWEIGHS * len(wholes)):
            return None
        return f"`{ast.unparse(wholes[0])}` is computed with as a whole"

    def _is_single(self, node: ast.AST) -> bool:
        """Tell whether it reads or writes one element of an array."""
        if not isinstance(node, ast.Subscript) or not v.only(self.fact(node.value), "array"):
            return False
        ranks = v.ranks_of(self.fact(node.value))
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return (ranks is None or len(parts) in ranks) and all(map(self._may_be_one, parts))

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
        if not isinstance(node, ast.Subscript) or not v.may(self.fact(node.value), "array"):
            return False
        if v.known_to_include(self.fact(node.value), "text", "sequence"):
            return False
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if any(v.only(self.fact(part), "array", "sequence") for part in parts):
            return False
        return any(isinstance(one, ast.Name) and one.id in bound for one in tree_walk(node.slice))

    def _whole(self) -> Iterator[ast.expr]:
        """The places where arrays are used as wholes, but for what was cut from them by the variables of the loop."""
        rows = self._rows()
        for node in self.nodes:
            is_name = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) or node in self.hoisted
            if not is_name or not isinstance(node, ast.expr) or not v.only(self.fact(node), "array"):
                continue
            if isinstance(node, ast.Name) and (node.id in rows or node.id in self.apart) or self._is_searched(node):
                continue
            if not has_axes(self.ctx, node) and not self._may_be_number(node):
                yield node

    def _is_searched(self, node: ast.expr) -> bool:
        """Tell whether it is an argument of a search such as `searchsorted`."""
        call = self.ctx.parents.get(node)
        if not isinstance(call, ast.Call) or node not in call.args:
            return False
        return any(isinstance(atom, v.Numpy) and atom.name in words.SEARCHING for atom in self.fact(call.func))

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
            return any(self._is_element(one, bound) for one in tree_walk(value))

        return {name for name, given in values.items() if all(map(is_cut, given))}

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
