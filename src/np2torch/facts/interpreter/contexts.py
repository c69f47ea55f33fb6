"""Facts that calls pass and give back: which tell calls apart, and which are spelled in one way for all."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TypeAlias

from np2torch.facts import ndarray_subclasses
from np2torch.facts import values as v
from np2torch.facts.interpreter.definitions import CallContext as CallContext
from np2torch.facts.interpreter.definitions import Outcome as Outcome
from np2torch.facts.interpreter.environment import Cell as Cell
from np2torch.facts.interpreter.shared_parameters import shared_key as shared_key

Widest: TypeAlias = dict[tuple[v.Fact, ...], list[dict[ast.AST, v.Fact]]]
"""What the contexts of a function that cover all others found for each expression of its body, by their parameters."""


def either_way(fact: v.Fact) -> v.Fact:
    """Give what a call gives that is a Python number for its own constants, and may be spelled as a tensor for others.

    The body has one spelling, which rests on all the calls.
    """
    out: list[v.Fact] = []
    for atom in fact:
        if isinstance(atom, v.Scalar) and atom.python:
            out += [v.scalar(atom.dtypes), v.FLOAT]
        elif isinstance(atom, v.Sequence) and atom.items is not None:
            out.append(v.one(atom.holding(*map(either_way, atom.items))))
        else:
            out.append(v.one(atom))
    return v.join(v.BOTTOM, *out)


def widest(contexts: Iterable[CallContext]) -> Widest:
    """Give the parameters that those of no other context cover, with what was found: a proof for these holds for all.

    Parameters
    ----------
    contexts
        Those of one function.
    """
    several = sorted(contexts, key=lambda context: bool(context.failing))
    if len(several) < 2:
        return {}
    rows: list[tuple[v.Fact, ...]] = []
    for row in dict.fromkeys(context.parameters for context in several):
        if not any(_covers(other, row) for other in rows):
            rows = [other for other in rows if not _covers(row, other)] + [row]
    return {row: [context.facts for context in several if context.parameters == row] for row in rows}


def _covers(row: tuple[v.Fact, ...], other: tuple[v.Fact, ...]) -> bool:
    pairs = zip(row, other, strict=True)
    return all(v.known_to_include(wide, "unknown") or v.join(wide, fact) == wide for wide, fact in pairs)


def is_open(fact: v.Fact) -> bool:
    """Tell whether it may be anything, or an array of any rank."""
    for atom in fact:  # noqa: SIM110
        if atom.kind == "unknown" or isinstance(atom, v.Array) and atom.ranks is None:
            return True
    return False


def is_numeric(fact: v.Fact, depth: int = 0) -> bool:
    """Tell whether an array or a number is among the alternatives, or in a sequence."""
    for atom in fact:
        if atom.kind in ("array", "scalar", "number", "foreign") or ndarray_subclasses.is_one(atom):
            return True
        if isinstance(atom, v.Sequence) and depth < 3:
            if any(is_numeric(item, depth + 1) for item in (atom.items if atom.items is not None else [atom.element])):
                return True
    return False
