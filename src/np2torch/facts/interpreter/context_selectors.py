"""Parameters that choose what a function does (`mode="full"`): calls that choose otherwise are told apart."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from np2torch.facts import values as v
from np2torch.names.tree import Nodes, parameter_defaults
from np2torch.source.literals import MOST_ITEMS

MOST_CHOICES = 8
SPELLED = ("lower", "upper", "strip", "casefold")
"""Methods of words that choices are compared by."""
Chosen: TypeAlias = tuple[Any, ...]
"""The words and numbers that a call passes for such parameters, None for others."""


class ContextSelectors:
    """The constants that calls of one function pass for parameters which its body compares with constants.

    Parameters
    ----------
    names
        All its parameters.
    nodes
        The nodes of its body.
    """

    __slots__ = ("_at", "_met", "_of")

    def __init__(self, names: Sequence[str], nodes: Nodes | None = None) -> None:
        compared = {name for node in nodes.of(ast.Compare) for name in _compared(node)} if nodes is not None else set()
        self._at = tuple(at for at, name in enumerate(names) if name in compared)
        self._of: dict[tuple[v.Fact, ...], Chosen] = {}
        self._met: set[Chosen] = set()

    def of(self, key: tuple[v.Fact, ...]) -> Chosen:
        """Give what a call with these parameters chooses; nothing where too many do."""
        if not self._at:
            return ()
        found = self._of.get(key)
        if found is None:
            found = tuple(map(v.constant, (key[at] for at in self._at)))
            if found not in self._met and len(self._met) >= MOST_CHOICES:
                found = ()
            self._met.add(found)
            self._of[key] = found
        return found

    def without_constants(self, key: tuple[v.Fact, ...]) -> tuple[v.Fact, ...]:
        """The parameters without their constants, but for what is chosen."""
        kept = self._at if self.of(key) else ()
        return tuple(fact if at in kept else v.widen(fact) for at, fact in enumerate(key))

    def forget(self) -> None:
        """Give back the memory."""
        self._of.clear()


NO_CHOICES = ContextSelectors(())


def _compared(node: ast.Compare) -> Iterable[str]:
    """Names that are compared with words or whole numbers."""
    sides = [node.left, *node.comparators]
    if all(isinstance(op, (ast.Eq, ast.NotEq, ast.In, ast.NotIn)) for op in node.ops) and any(map(is_choice, sides)):
        yield from filter(None, map(chooser, sides))


def chooser(node: ast.expr) -> str | None:
    """The name that a side of a comparison looks at, perhaps spelled in another way (`mode.lower()`)."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in SPELLED:
        node = node.func.value
    return node.id if isinstance(node, ast.Name) else None


def varied_constants(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """Names that are given one word, number or truth value here and another one there.

    A parameter that nobody ever passes otherwise chooses nothing: whoever does later is to find both ways.
    """
    values: dict[str, set[object]] = {}
    for node in nodes:
        if node.__class__ in _GIVING:
            for name, value in _given(node):
                if isinstance(value, ast.Constant) and isinstance(value.value, (str, int)):
                    values.setdefault(name, set()).add(str(value.value))
    return frozenset(name for name, several in values.items() if len(several) > 1)


_GIVING = {ast.keyword, ast.arguments, ast.Assign, ast.AnnAssign}


def _given(node: ast.AST) -> Iterable[tuple[str, ast.expr | None]]:
    """The names that are given values by keyword, as a default or by an assignment, with these."""
    if isinstance(node, ast.keyword):
        return [(node.arg or "", node.value)]
    if isinstance(node, ast.arguments):
        return parameter_defaults(node)
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    value = node.value if isinstance(node, (ast.Assign, ast.AnnAssign)) else None
    return [(target.id, value) for target in targets if isinstance(target, ast.Name)]


def is_choice(node: ast.expr) -> bool:
    """Tell whether it is a word or a whole number, or several of them, written out."""
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return 0 < len(node.elts) <= MOST_ITEMS and all(map(is_choice, node.elts))
    return isinstance(node, ast.Constant) and isinstance(node.value, (str, int))


def answer(op: ast.cmpop, left: v.Fact, right: ast.expr) -> bool | None:
    """Give what a comparison of a constant with what is written out gives; None where that is not certain."""
    value = v.constant(left)
    if not isinstance(value, (str, int)) or not is_choice(right):
        return None
    if isinstance(op, (ast.In, ast.NotIn)) and isinstance(right, (ast.Tuple, ast.List, ast.Set)):
        return (value in ast.literal_eval(right)) == isinstance(op, ast.In)
    if isinstance(op, (ast.Eq, ast.NotEq)) and isinstance(right, ast.Constant):
        return bool(value == right.value) == isinstance(op, ast.Eq)
    return None
