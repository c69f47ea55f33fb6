"""Linear forms over whole numbers: `2*i + n - 1`, as bounds of ranges and places in arrays.

A symbol is the text of an expression of Python (`n`, `u.shape[0]`), or the variable of a loop, which is an `int` here:
loops that use one name after the other have different variables.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import NamedTuple

Symbol = str | int


class Linear(NamedTuple):
    """A sum of symbols with whole factors, and a constant. `terms` are sorted and have no zero."""

    terms: tuple[tuple[Symbol, int], ...] = ()
    constant: int = 0

    @classmethod
    def of(cls, terms: Mapping[Symbol, int], constant: int = 0) -> Linear:
        """Make a form of factors, some of which may be zero."""
        kept = [(symbol, factor) for symbol, factor in terms.items() if factor]
        return cls(tuple(sorted(kept, key=lambda term: (isinstance(term[0], str), str(term[0])))), constant)

    def plus(self, other: Linear, times: int = 1) -> Linear:
        """Add a multiple of another form."""
        terms = dict(self.terms)
        for symbol, factor in other.terms:
            terms[symbol] = terms.get(symbol, 0) + times * factor
        return Linear.of(terms, self.constant + times * other.constant)

    def times(self, times: int) -> Linear:
        """Multiply by a whole number."""
        return Linear().plus(self, times)

    def shift(self, constant: int) -> Linear:
        """Add a constant."""
        return self._replace(constant=self.constant + constant)

    def factor(self, symbol: Symbol) -> int:
        """Give the factor of a symbol."""
        return dict(self.terms).get(symbol, 0)

    def without(self, symbol: Symbol) -> Linear:
        """Leave a symbol out."""
        return Linear(tuple(term for term in self.terms if term[0] != symbol), self.constant)

    def put_in(self, symbol: Symbol, form: Linear) -> Linear:
        """Put a form in the place of a symbol."""
        return self.without(symbol).plus(form, self.factor(symbol))

    @property
    def variables(self) -> frozenset[int]:
        """The variables of loops in it."""
        return frozenset(symbol for symbol, _ in self.terms if isinstance(symbol, int))

    @property
    def is_constant(self) -> bool:
        """Tell whether it is one number."""
        return not self.terms


ZERO = Linear()


def to_node(form: Linear, names: Mapping[int, str]) -> ast.expr:
    """Write a form as an expression, with these names for the variables of loops."""
    parts: list[tuple[bool, ast.expr]] = []
    for symbol, factor in form.terms:
        text = names[symbol] if isinstance(symbol, int) else symbol
        node: ast.expr = ast.parse(text, mode="eval").body
        if abs(factor) != 1:
            node = ast.BinOp(ast.Constant(abs(factor)), ast.Mult(), node)
        parts.append((factor > 0, node))
    parts.sort(key=lambda part: not part[0])
    if form.constant or not parts:
        parts.append((form.constant >= 0 or not parts, ast.Constant(abs(form.constant) if parts else form.constant)))
    is_added, result = parts[0]
    if not is_added:
        result = ast.UnaryOp(ast.USub(), result)
    for is_added, node in parts[1:]:
        result = ast.BinOp(result, ast.Add() if is_added else ast.Sub(), node)
    return result
