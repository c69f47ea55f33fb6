"""Casts: what the generated recipes ask for, unified over everything the operands may be."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from np2torch.facts import results, tables
from np2torch.facts import values as v
from np2torch.facts.domain import DOMAIN
from np2torch.rules.rule_arguments import RuleArgument, kind_of


def descriptors(fact: v.Fact) -> frozenset[tables.Operand] | None:
    """The (dtype, is 0-D) or weak names an operand may be; None when it may be no number at all."""
    out: set[tables.Operand] = set()
    if not fact:
        return None
    for atom in fact:
        if isinstance(atom, v.Array):
            ranks = atom.ranks
            for dtype in DOMAIN.unknown if atom.dtypes is None else atom.dtypes:
                if ranks is None or ranks - {0}:
                    out.add((dtype, False))
                if ranks is not None and 0 in ranks:
                    out.add((dtype, True))
        elif isinstance(atom, v.Scalar) and atom.python:
            out.add("pyfloat")
        elif isinstance(atom, v.Scalar):
            out.update((dtype, True) for dtype in (DOMAIN.unknown if atom.dtypes is None else atom.dtypes))
        elif isinstance(atom, v.Num):
            out.add(results.WEAK[atom.type])
        elif isinstance(atom, v.Top):
            for dtype in DOMAIN.dtypes:
                out.add((dtype, False))
            out.update(results.WEAK[t] for t in ("int", "float"))
        else:
            return None
    return frozenset(out)


def without_none(fact: v.Fact) -> v.Fact:
    """An operand that may be None: as None it raises on both sides, so the other alternatives decide."""
    return v.without(fact, "none") or fact


@dataclass(slots=True)
class Casts:
    """The casts that make a torch operation equal to NumPy's for every alternative of its operands."""

    operands: tuple[str | None, ...]
    result: str | None = None
    dtype_argument: str | None = None


def unify(
    name: str, facts: Sequence[v.Fact], inplace: bool = False, exact_zero: bool = True, alike: bool = False
) -> Casts | None:
    """One set of casts that is right for every combination of what the operands may be; None where there is none.

    Combinations for which NumPy itself raises do not count, and of operands `alike` only those of one dtype. Nor do
    bools of which nobody has spoken where torch refuses them: it never subtracts any.
    """
    found = _unified(name, facts, inplace, exact_zero, alike)
    if found is None and name == "subtract" and any(map(_is_unsure, facts)):
        return _unified(name, facts, inplace, exact_zero, alike, no_bools=True)
    return found


def _alike_without_axes(name: str, facts: Sequence[v.Fact]) -> bool:
    """Does an array of which nobody knows whether it has axes need no other casts where it has none?

    Beside one of another dtype it takes part in torch's promotion less than in NumPy's.
    """
    for at, other in ((0, 1), (1, 0)):
        arrays = (atom for atom in facts[at] if isinstance(atom, v.Array) and atom.ranks is None)
        dtypes = {dtype for atom in arrays for dtype in atom.dtypes or ()}
        beside = [one for one in descriptors(facts[other]) or () if isinstance(one, tuple) and not one[1]]
        for dtype, two in itertools.product(dtypes, beside):
            pairs = [[(dtype, without), two] for without in (True, False)]
            some, all_ = (tables.recipe(name, *(pair if at == 0 else pair[::-1])) for pair in pairs)
            if dtype != two[0] and some is not None and all_ is not None and some.casts != all_.casts:
                return False
    return True


def _is_unsure(fact: v.Fact) -> bool:
    """Is it an array of unknown dtype?"""
    return v.dtypes_of(fact) is None and v.may(fact, "array", "scalar")


def _unified(
    name: str, facts: Sequence[v.Fact], inplace: bool, exact_zero: bool, alike: bool, no_bools: bool = False
) -> Casts | None:
    sets = [descriptors(fact) for fact in facts]
    if any(one is None for one in sets):
        return None
    known = [one for one in sets if one is not None]
    total = 1
    for one in known:
        total *= len(one)
    if total > 400:
        return None
    unsure_of = list(map(_is_unsure, facts))
    unsure = any(unsure_of)
    wanted: list[str | None] = [None] * len(facts)
    result: str | None = None
    argument: str | None = None
    seen = refused = False
    needs: list[tuple[tuple[tables.Operand, ...], tables.Recipe]] = []
    for combination in itertools.product(*known):
        plain = [c if isinstance(c, str) else c[0] for c in combination]
        if all(isinstance(c, str) for c in combination) or alike and len(set(plain)) > 1:
            continue
        if no_bools and any(dtype == "bool" and unsure for dtype, unsure in zip(plain, unsure_of, strict=True)):
            continue
        expected = tables.result(name, *plain)
        if expected is None:
            refused |= DOMAIN.supposed and _raises(name, combination, inplace)
            continue  # NumPy raises
        pairs = zip(plain, unsure_of, strict=True)
        if any(open_ and dtype in DOMAIN.unspoken for dtype, open_ in pairs) and tables.raises(name, *combination):
            continue
        recipe = tables.inplace(name, *combination) if inplace else tables.recipe(name, *combination)
        if recipe is None:
            if DOMAIN.supposed and _raises(name, combination, inplace):
                refused = True
                continue
            if unsure and "bool" in plain or inplace and _refused(plain[0], expected):
                continue  # an unknown dtype that is bool after all raises in torch, loudly; and so do both sides here
            orders_complex = total > 1 and name in ORDERINGS and any(kind_of(dtype) == "c" for dtype in plain)
            if (unsure or orders_complex) and _raises(name, combination, inplace):
                continue  # so does a wide unsigned one, which torch stores and does not compute with
            return None
        if exact_zero and not recipe.zero_safe:
            return None
        needs.append((combination, recipe))
        seen = True
        for index, cast in enumerate(recipe.casts):
            if cast is not None:
                if wanted[index] not in (None, cast):
                    return None
                wanted[index] = cast
        if recipe.result_cast is not None:
            if result not in (None, recipe.result_cast):
                return None
            result = recipe.result_cast
        if recipe.dtype_argument is not None:
            if argument not in (None, recipe.dtype_argument):
                return None
            argument = recipe.dtype_argument
    if not seen and not refused or refused and (any(wanted) or result is not None or argument is not None):
        return None  # a cast would let torch answer where without one it raises
    if not inplace and len(facts) == 2 and not _alike_without_axes(name, facts):
        return None
    for combination, recipe in needs:  # a cast asked for by one combination must be harmless in the others
        outcome = tables.result(name, *(c if isinstance(c, str) else c[0] for c in combination))
        for index, cast in enumerate(wanted):
            have = combination[index]
            if cast is None or recipe.casts[index] == cast:
                continue
            if isinstance(have, str) or have[0] != cast and (cast != outcome or name not in IN_RESULTS_DTYPE):
                return None
        if result is not None and recipe.result_cast is None and outcome != result:
            return None
        if argument is not None and recipe.dtype_argument is None and outcome != argument:
            return None
    return Casts(tuple(wanted), result, argument)


def _raises(name: str, operands: tuple[tables.Operand, ...], inplace: bool) -> bool:
    """Does torch refuse operands of these dtypes, as they are?"""
    return not inplace and tables.raises(name, *operands)


ORDERINGS = frozenset("less less_equal greater greater_equal maximum minimum fmax fmin".split())
"""Functions that torch refuses of complex numbers, which NumPy orders."""
IN_RESULTS_DTYPE = frozenset(
    "add subtract multiply divide true_divide maximum minimum fmax fmin arctan2 hypot logaddexp".split()
)
"""Functions that NumPy computes in the dtype of the result: it casts the operands to that itself."""


def _refused(left: str, result: object) -> bool:
    """Does it not go in place, in NumPy as in torch: integers into bools, floats into integers, complex into floats?"""
    return isinstance(result, str) and LEVELS[kind_of(result)] > LEVELS.get(kind_of(left), len(LEVELS))


LEVELS = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}
"""Kinds of dtypes, from the narrowest."""


def apply_casts(casts: Casts, pieces: Sequence[RuleArgument]) -> list[RuleArgument]:
    """The pieces with their casts spelled out."""
    return [p if c is None else p.to(c) for p, c in zip(pieces, casts.operands, strict=True)]
