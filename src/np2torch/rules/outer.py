"""`np.subtract.outer(a, b)` of arrays whose ranks are known: `a[:, None] - b`, broadcast."""

from __future__ import annotations

import functools
from typing import cast

from np2torch.facts import values as v
from np2torch.facts.arguments import BoundArguments
from np2torch.rules import ufunc_methods
from np2torch.rules.arraylike import loosen
from np2torch.rules.core import FUNCTIONS, METHODS_OF_UFUNCS, Body, Rule
from np2torch.rules.elementwise import BINARY
from np2torch.rules.rule_arguments import Decline, RuleArgument, Spelling, text

SIGNS = {
    "add": "+", "subtract": "-", "multiply": "*", "true_divide": "/", "equal": "==", "not_equal": "!=", "less": "<",
    "less_equal": "<=", "greater": ">", "greater_equal": ">=", "bitwise_and": "&", "bitwise_or": "|",
    "bitwise_xor": "^",
}  # fmt: skip
"""Ufuncs that are spelled as operators."""


def _spread(piece: RuleArgument, added: int) -> RuleArgument:
    """An operand with so many axes of length 1 behind its own."""
    if not piece.rank or not added:
        return piece
    nones = ", ".join(["None"] * added)
    fact = v.one(v.Array(v.dtypes_of(piece.fact), frozenset([piece.rank + added])))
    return piece.with_text(f"{piece}[{':' if piece.rank == 1 else '...'}, {nones}]", fact=fact)


def _body(table: str, elementwise: Body) -> Body:
    def body(a: RuleArgument, b: RuleArgument, out: RuleArgument, dtype: RuleArgument) -> Spelling:
        a, b = loosen(a), loosen(b)
        if out.is_passed or dtype.is_passed or a.rank is None or b.rank is None or not (a.is_tensor and b.is_tensor):
            raise Decline("ranks are not known")
        emit = elementwise(_spread(a, b.rank), b, out)
        if table in SIGNS and emit.function and [keyword for keyword, _ in emit.arguments] == [None, None]:
            (_, left), (_, right) = emit.arguments
            return text(f"{left} {SIGNS[table]} {right}", cast=emit.cast)
        return emit

    return body


def _returns(table: str, bound: BoundArguments) -> v.Fact:
    return ufunc_methods.outer(table, bound)


for _table in BINARY:
    _name = f"numpy.{_table}.outer"
    _elementwise = FUNCTIONS[f"numpy.{_table}"]
    _rule = Rule(
        _name, "NPT102", ufunc_methods.OUTER, functools.partial(_returns, _table),
        _body(_table, cast(Body, _elementwise.body)), "Broadcast: the axes of the second operand come last.",
        area="elementwise", takes_text=True,
    )  # fmt: skip
    METHODS_OF_UFUNCS.add(_rule, _name)
