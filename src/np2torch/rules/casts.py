"""Casts: what the generated recipes ask for, unified over everything the operands may be."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from np2torch.facts import results, tables
from np2torch.facts import values as v
from np2torch.facts.domain import DOMAIN, memoise
from np2torch.rules.rule_arguments import RuleArgument, kind_of

MOST_COMBINATIONS = 400
"""More combinations of what operands may be are not gone through."""


def descriptors(fact: v.Fact, any_rank: bool = False) -> frozenset[tables.Operand] | None:
    """The (dtype, is 0-D) or weak names an operand may be; None when it may be no number at all.

    An array of unknown rank counts as one with axes; with `any_rank` as one without as well.
    """
    out: set[tables.Operand] = set()
    if not fact:
        return None
    for atom in fact:
        if isinstance(atom, v.Array):
            ranks = atom.ranks
            for dtype in DOMAIN.unknown if atom.dtypes is None else atom.dtypes:
                if ranks is None or ranks - {0}:
                    out.add((dtype, False))
                if any_rank if ranks is None else 0 in ranks:
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


@dataclass(frozen=True, slots=True)
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
    return _unify(name, tuple(facts), inplace, exact_zero, alike, (DOMAIN.supposed, DOMAIN.caught))


@memoise(50_000)
def _unify(
    name: str, facts: tuple[v.Fact, ...], inplace: bool, exact_zero: bool, alike: bool, world: tuple[bool, bool]
) -> Casts | None:
    """The same, supposed or caught or not: the same operands meet in one world after the other."""
    found = _unified(name, facts, inplace, exact_zero, alike)
    if found is None and name == "subtract" and any(map(_is_unsure, facts)):
        return _unified(name, facts, inplace, exact_zero, alike, no_bools=True)
    return found


def _bears_any_rank(name: str, facts: Sequence[v.Fact], inplace: bool) -> bool:
    """Tell whether casts found for arrays with axes are right for those of unknown rank."""
    return inplace or len(facts) != 2 or _alike_without_axes(name, facts)


def _alike_without_axes(name: str, facts: Sequence[v.Fact]) -> bool:
    """Tell whether an array of unknown rank needs the same casts with axes as without.

    Beside an operand of another dtype, torch gives a 0-D tensor less weight in promotion than NumPy does, and beside
    an array with axes it takes 0-D tensors of dtypes that it does not promote.
    """
    for at, other in ((0, 1), (1, 0)):
        arrays = (atom for atom in facts[at] if isinstance(atom, v.Array) and atom.ranks is None)
        dtypes = {dtype for atom in arrays for dtype in atom.dtypes or ()}
        beside = [one for one in descriptors(facts[other]) or () if isinstance(one, tuple)]
        for dtype, two in itertools.product(dtypes, beside):
            pairs = [[(dtype, without), two] for without in (True, False)]
            some, all_ = (tables.recipe(name, *(pair if at == 0 else pair[::-1])) for pair in pairs)
            if dtype != two[0] and some is not None and all_ is not None and _conflict(some, all_, two[1]):
                return False
    return True


def _conflict(some: tables.Recipe, all_: tables.Recipe, are_without: bool) -> bool:
    """Tell whether the casts of an operand without axes are others, or more where the other one has none either."""
    pairs = zip(some.casts, all_.casts, strict=True)
    return any(mine != cast and not (are_without and mine is None) for mine, cast in pairs)


def _is_unsure(fact: v.Fact) -> bool:
    """Tell whether it is an array of unknown dtype."""
    return v.dtypes_of(fact) is None and v.may(fact, "array", "scalar")


def _unified(
    name: str,
    facts: Sequence[v.Fact],
    inplace: bool,
    exact_zero: bool,
    alike: bool,
    no_bools: bool = False,
    any_rank: bool = False,
) -> Casts | None:
    sets = [one for fact in facts if (one := descriptors(fact, any_rank)) is not None]
    count = math.prod(map(len, sets))
    if len(sets) < len(facts) or count > MOST_COMBINATIONS:
        return None
    asked = Unification(name, inplace, exact_zero, alike, no_bools, tuple(map(_is_unsure, facts)), count > 1)
    needs: list[Need] = []
    kinds: set[str] = set()
    for combination in itertools.product(*sets):
        need = asked.need(combination)
        if need is None:
            return None
        kinds |= {need} if isinstance(need, str) else set()
        needs += [need] if isinstance(need, Need) else []
    casts = _intersected(len(facts), needs)
    if casts is None or not needs and (REFUSED in kinds or RAISING not in kinds):
        return None  # nothing is left that both answer
    if not kinds.isdisjoint((REFUSED, RAISING)) and casts != Casts((None,) * len(facts)):
        return None  # a cast would let torch answer where without one it raises
    if not any_rank and not _bears_any_rank(name, facts, inplace):
        return _unified(name, facts, inplace, exact_zero, alike, no_bools, any_rank=True)
    return casts if all(need.bears(casts, name) for need in needs) else None


class Need(NamedTuple):
    """The casts that one combination of operands needs."""

    operands: tuple[tables.Operand, ...]
    recipe: tables.Recipe
    result: object

    def bears(self, casts: Casts, name: str) -> bool:
        """Tell whether casts that another combination asks for are harmless in this one."""
        for have, mine, cast in zip(self.operands, self.recipe.casts, casts.operands, strict=True):
            if cast is None or mine == cast:
                continue
            if isinstance(have, str) or have[0] != cast and (cast != self.result or name not in IN_RESULTS_DTYPE):
                return False
        pairs = (casts.result, self.recipe.result_cast), (casts.dtype_argument, self.recipe.dtype_argument)
        return all(wanted is None or mine is not None or wanted == self.result for wanted, mine in pairs)


SKIPPED, REFUSED, RAISING = "skipped", "refused", "raising"
"""Combinations that ask for nothing: they do not count; torch refuses them where dtypes are supposed, or both do."""


class Unification(NamedTuple):
    """Casts that the operands of a function need, one combination of dtypes at a time.

    Attributes
    ----------
    unsure
        Which operands are arrays of unknown dtype.
    several
        Whether there is more than one combination.
    """

    name: str
    inplace: bool
    exact_zero: bool
    alike: bool
    no_bools: bool
    unsure: tuple[bool, ...]
    several: bool

    def need(self, operands: tuple[tables.Operand, ...]) -> Need | str | None:
        """Give what a combination asks for; None where nothing makes torch's result NumPy's."""
        plain = [one if isinstance(one, str) else one[0] for one in operands]
        if self._counts_not(operands, plain):
            return SKIPPED
        expected = tables.result(self.name, *plain)
        if expected is None:  # NumPy raises
            return RAISING if DOMAIN.supposed and _raises(self.name, operands, self.inplace) else SKIPPED
        if not DOMAIN.caught and self._is_unspoken(plain) and tables.raises(self.name, *operands):
            return SKIPPED
        recipe = (tables.inplace if self.inplace else tables.recipe)(self.name, *operands)
        if recipe is None:
            return self._without_recipe(operands, plain, expected)
        return None if self.exact_zero and not recipe.zero_safe else Need(operands, recipe, expected)

    def _counts_not(self, operands: tuple[tables.Operand, ...], plain: Sequence[str]) -> bool:
        """Tell whether a combination is left out: no array, unequal dtypes that must be equal, or improbable bools."""
        if all(isinstance(one, str) for one in operands) or self.alike and len(set(plain)) > 1:
            return True
        pairs = zip(plain, self.unsure, strict=True)
        return self.no_bools and any(dtype == "bool" and unsure for dtype, unsure in pairs)

    def _is_unspoken(self, plain: Sequence[str]) -> bool:
        """Tell whether there is a dtype that no text speaks of."""
        pairs = zip(plain, self.unsure, strict=True)
        return any(unsure and dtype in DOMAIN.unspoken for dtype, unsure in pairs)

    def _without_recipe(
        self, operands: tuple[tables.Operand, ...], plain: Sequence[str], expected: object
    ) -> str | None:
        """Ask whether torch raises where it has no operation with NumPy's result."""
        raises = partial(_raises, self.name, operands, self.inplace)
        if DOMAIN.supposed and raises():
            return REFUSED
        unsure = any(self.unsure)
        if DOMAIN.caught and not (self.inplace and _refused(plain[0], expected)):
            return None
        if unsure and "bool" in plain or self.inplace and _refused(plain[0], expected):
            return SKIPPED  # an unknown dtype that is bool after all raises in torch, loudly; and so do both sides here
        orders_complex = self.several and self.name in ORDERINGS and any(kind_of(dtype) == "c" for dtype in plain)
        if (unsure or orders_complex) and raises():
            return SKIPPED  # so does a wide unsigned one, which torch stores and does not compute with
        return None


def _intersected(count: int, needs: Sequence[Need]) -> Casts | None:
    """Find the one set of casts that all combinations ask for; None where two ask for different ones."""
    asked = [*([need.recipe.casts[index] for need in needs] for index in range(count))]
    asked += [[need.recipe.result_cast for need in needs], [need.recipe.dtype_argument for need in needs]]
    found = [{one for one in column if one is not None} for column in asked]
    if any(len(one) > 1 for one in found):
        return None
    *operands, result, argument = (next(iter(one), None) for one in found)
    return Casts(tuple(operands), result, argument)


def _raises(name: str, operands: tuple[tables.Operand, ...], inplace: bool) -> bool:
    """Tell whether torch refuses operands of these dtypes as they are."""
    return not inplace and tables.raises(name, *operands)


ORDERINGS = frozenset("less less_equal greater greater_equal maximum minimum fmax fmin".split())
"""Functions that torch refuses of complex numbers, which NumPy orders."""
IN_RESULTS_DTYPE = frozenset(
    "add subtract multiply divide true_divide maximum minimum fmax fmin arctan2 hypot logaddexp".split()
)
"""Functions that NumPy computes in the dtype of the result: it casts the operands to that itself."""


def _refused(left: str, result: object) -> bool:
    """Tell whether NumPy and torch both refuse to store the result in place, such as floats in integers."""
    return isinstance(result, str) and LEVELS[kind_of(result)] > LEVELS.get(kind_of(left), len(LEVELS))


LEVELS = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}
"""Kinds of dtypes, from the narrowest."""


def apply_casts(casts: Casts, pieces: Sequence[RuleArgument]) -> list[RuleArgument]:
    """The pieces with their casts spelled out."""
    return [p if c is None else p.to(c) for p, c in zip(pieces, casts.operands, strict=True)]
