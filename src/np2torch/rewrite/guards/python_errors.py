"""The errors that Python's lists and numbers raise by themselves where arrays have an answer: `x.shape`, `-x`.

A guard may refuse what raises such an error, or make an array of it: no answer of NumPy is lost.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from np2torch.facts import values as v
from np2torch.facts.interpreter.operators import may_count
from np2torch.facts.python_types import lacks
from np2torch.names.tree import children, named_parameters
from np2torch.names.tree import walk as tree_walk
from np2torch.rewrite.guards.indifferent_uses import EXACT
from np2torch.rewrite.guards.own_calls import Function
from np2torch.rewrite.guards.worlds import Facts, nodes_of

NUMERIC = EXACT | frozenset("shape ndim size T imag conj conjugate mean std var prod any all argmax argmin".split())
"""Attributes of arrays that show values and shapes, and neither a dtype nor memory as `tofile` does."""


class PythonErrors:
    """Finds what raises errors in a function that is passed lists and numbers, and in those that it calls.

    Parameters
    ----------
    function
        The function that is passed them.
    facts
        The facts of its body then.
    """

    def __init__(self, function: Function, facts: Facts) -> None:
        self._facts = facts
        names = {one.arg for one in named_parameters(function)}
        parameters = (node for node in nodes_of(function) if isinstance(node, ast.Name) and node.id in names)
        self._lists = {node for node in parameters if _is_only_list(facts.get(node, v.BOTTOM))}

    def within(self, function: ast.AST) -> set[ast.AST]:
        """Collect what raises an error in the body of a function, all that is made of it, and what is not reached."""
        found: set[ast.AST] = set()
        tried = tried_in(function)
        for node in reversed(nodes_of(function)):
            if isinstance(node, ast.expr):
                raises = _raises(node, self._facts) or node not in tried and self._lacks_attribute(node)
                if raises or found and not found.isdisjoint(_evaluated(node)):
                    found.add(node)
            elif isinstance(node, ast.Assign) and any(isinstance(one, (ast.Tuple, ast.List)) for one in node.targets):
                if v.only(self._facts.get(node.value, v.BOTTOM), "number"):
                    found.add(node.value)  # a number cannot be unpacked
        body: list[ast.stmt] = getattr(function, "body", [])
        return found.union(*map(tree_walk, body[_first_raising(body, found) :]))

    def _lacks_attribute(self, node: ast.expr) -> bool:
        """Tell an attribute that only arrays have, of a list that is passed; its items may stand for arrays."""
        if not isinstance(node, ast.Attribute) or node.attr not in NUMERIC or node.value not in self._lists:
            return False
        return lacks(self._facts[node.value], node.attr)


def facts_reached(function: Function, facts: Facts) -> Facts:
    """Leave out the facts of what raises an error and of what is not reached."""
    raising = PythonErrors(function, facts).within(function)
    return {node: fact for node, fact in facts.items() if node not in raising}


def always_raises(function: Function, facts: Facts) -> bool:
    """Tell whether the function raises an error whatever lists and numbers it is passed."""
    raising = PythonErrors(function, facts).within(function)
    return _first_raising(function.body, raising) < len(function.body)


def tried_in(function: ast.AST) -> set[ast.AST]:
    """Collect what stands in a `try` that catches errors."""
    tries = (node for node in nodes_of(function) if isinstance(node, ast.Try) and node.handlers)
    return {node for one in tries for statement in one.body for node in tree_walk(statement)}


def _first_raising(body: list[ast.stmt], raising: set[ast.AST]) -> int:
    """Give the index of the first statement that always raises an error."""
    return next((at for at, one in enumerate(body) if _certainly(one, raising)), len(body))


def _certainly(statement: ast.stmt, raising: set[ast.AST]) -> bool:
    """Tell whether one of these nodes is evaluated whenever the statement is."""
    match statement:
        case ast.Assign(value=first) | ast.AnnAssign(value=first) | ast.Expr(value=first) | ast.Return(value=first):
            return first in raising
        case ast.If(test=first) | ast.While(test=first) | ast.Assert(test=first) | ast.For(iter=first):
            return first in raising
    return False


def _evaluated(node: ast.expr) -> Iterator[ast.AST]:
    """Yield the parts of an expression that are evaluated each time the expression is."""
    match node:
        case ast.IfExp():
            yield node.test
        case ast.BoolOp():
            yield node.values[0]
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            yield node.generators[0].iter
        case ast.Lambda():
            pass
        case _:
            yield from children(node)


def _raises(node: ast.expr, facts: Facts) -> bool:
    """Tell an operation that Python has none of for lists or numbers, such as a difference of two lists."""
    if isinstance(node, ast.UnaryOp):
        return not isinstance(node.op, ast.Not) and v.only(facts.get(node.operand, v.BOTTOM), "sequence")
    if isinstance(node, ast.Subscript):
        return v.only(facts.get(node.value, v.BOTTOM), "number")
    if not isinstance(node, ast.BinOp) or isinstance(node.op, ast.Add):
        return False
    sides = [facts.get(side, v.BOTTOM) for side in (node.left, node.right)]
    if not any(map(_is_only_list, sides)) or not all(_is_only_list(side) or v.only(side, "number") for side in sides):
        return False
    numbers = [side for side in sides if v.only(side, "number")]
    return not isinstance(node.op, ast.Mult) or not any(may_count(atom) for side in numbers for atom in side)


def _is_only_list(fact: v.Fact) -> bool:
    """Tell lists and tuples from sets, which have operators of their own: `a | b`, `a - b`."""
    return bool(fact) and all(isinstance(atom, v.Sequence) and atom.type in ("list", "tuple") for atom in fact)
