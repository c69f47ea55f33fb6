"""Joining arrays: torch takes tensors of one dtype, or of those that it promotes as NumPy does."""

from __future__ import annotations

from np2torch.facts import results
from np2torch.facts import values as v
from np2torch.facts.arguments import BoundArguments, Returns
from np2torch.facts.domain import DOMAIN, spread, union
from np2torch.facts.results import arraylike, make
from np2torch.rules.arraylike import WEAKLY_SAFE, in_a_tuple, of_one_dtype, written_parts
from np2torch.rules.core import Area, Body, rule
from np2torch.rules.rule_arguments import Decline, Refused, RuleArgument, Spelling, Value, function

AREA = Area("shape", takes_text=True)


def _parts(bound: BoundArguments, name: str) -> tuple[v.Names, v.Ranks]:
    """The dtypes and the ranks of what is joined, promoted together."""
    fact = bound[name].fact
    lists = [atom for atom in fact if isinstance(atom, v.Sequence) and atom.items != ()]
    if not lists or len(lists) != len(fact):
        return _rows(fact)
    dtypes: v.Names = frozenset()
    ranks: v.Ranks = frozenset()
    parts = [arraylike(v.elements(atom), weak=False) for atom in lists]
    if any(part is None for part in parts):
        return None, None
    for atom, part in zip(lists, parts, strict=True):
        assert part is not None
        dtypes = union((dtypes, _of_unnamed_items(part[0]) if atom.items is None else _promoted(atom.items)))
        ranks = None if ranks is None or part[1] is None else ranks | part[1]
    return dtypes, ranks


def _rows(fact: v.Fact) -> tuple[v.Names, v.Ranks]:
    """The dtypes and the ranks of the rows of an array."""
    part = arraylike(fact, weak=False)
    if part is None or not v.only(fact, "array"):
        return None, None
    return part[0], None if part[1] is None else frozenset(max(rank - 1, 0) for rank in part[1])


def _promoted(items: tuple[v.Fact, ...]) -> v.Names:
    """The dtypes to which the items of a list are promoted."""
    parts = [arraylike(item, weak=False) for item in items]
    known = [part[0] for part in parts if part]
    joined: v.Names = known[0]
    for other in known[1:]:
        pair = [spread(joined, [other]), spread(other, [joined])]
        joined = results.result_dtypes("add", pair) if all(pair) else None
    return joined


def _of_unnamed_items(dtypes: v.Names) -> v.Names:
    """The dtypes to which items are promoted of which only those of all of them are known: of several nobody knows."""
    is_known = dtypes is not None and (len(dtypes) == 1 or dtypes & DOMAIN.apart)
    return dtypes if is_known else None


def _joined(name: str, least: int, grow: int = 0) -> Returns:
    def returns(bound: BoundArguments) -> v.Fact:
        held = _held(bound[name].fact)
        if any(map(results.stays, held)):
            return v.FOREIGN
        if any(v.known_to_include(one, "foreign") for one in held):  # the shim finds out
            return v.join(v.FOREIGN, v.ARRAY)
        dtypes, ranks = _parts(bound, name)
        if bound.is_given("dtype"):
            dtypes = results.dtype_names(bound["dtype"].fact)
        return make(dtypes, None if ranks is None else frozenset(max(r + grow, least) for r in ranks), decays=False)

    return returns


def _held(fact: v.Fact) -> list[v.Fact]:
    """List what is joined: the items of the list, those of lists in it too."""
    found = [fact]
    for atom in fact:
        if isinstance(atom, v.Sequence):
            found += [one for item in (atom.items or [v.elements(atom)]) for one in _held(item)]
    return found


def tensors_in(piece: RuleArgument) -> tuple[RuleArgument | str, set[int | None]]:
    """A sequence of tensors of one dtype, each of them cast where it is written, and their ranks."""
    parts = written_parts(piece)
    if parts is None:
        return piece, _ranks_of_items(piece.fact)
    cast = of_one_dtype(parts)
    ranks = {part.rank for part in cast}
    if all(part.text == before.text and not part.made_by for part, before in zip(cast, parts, strict=True)):
        return piece, ranks
    return in_a_tuple(cast), ranks


def _ranks_of_items(fact: v.Fact) -> set[int | None]:
    """The ranks of the items of a sequence; declines where they are no tensors of one dtype."""
    if not v.only(fact, "sequence"):
        raise Decline("contents unknown")
    items = [item for atom in fact if isinstance(atom, v.Sequence) for item in (atom.items or (atom.element,))]
    if not all(v.is_tensor(item) and not v.known_to_include(item, "scalar") for item in items):
        raise Decline("contents unknown")
    dtypes = {v.dtype_of(item) for item in items}
    together = all((v.dtypes_of(item) or DOMAIN.unknown) <= WEAKLY_SAFE for item in items)
    if (len(dtypes) != 1 or None in dtypes) and not together:
        raise Decline("dtypes may differ")
    return {v.rank_of(item) for item in items}


@rule("concatenate", returns=_joined("arrays", 1), code="NPT132")
def concatenate(
    arrays: Value, axis: Value = 0, out: Refused = None, dtype: Refused = None, casting: Refused = "same_kind"
) -> Spelling:
    """Of one dtype, or of several that torch promotes as NumPy does."""
    tensors, ranks = tensors_in(arrays)
    if axis.given and not v.only(axis.fact, "number"):
        raise Decline("axis unknown")
    if len(ranks - {None}) > 1 or 0 in ranks:
        raise Decline("torch passes over empty vectors among matrices")
    return function("torch.cat", tensors, dim=axis)


@rule("stack", returns=_joined("arrays", 1, 1), code="NPT132")
def stack(
    arrays: Value, axis: Value = 0, out: Refused = None, dtype: Refused = None, casting: Refused = "same_kind"
) -> Spelling:
    """Of one dtype, or of several that torch promotes as NumPy does."""
    return function("torch.stack", tensors_in(arrays)[0], dim=axis)


def _stacked(torch_name: str) -> Body:
    def body(tup: Value, dtype: Refused = None, casting: Refused = "same_kind") -> Spelling:
        """Of one dtype, or of several that torch promotes as NumPy does."""
        tensors, ranks = tensors_in(tup)
        if torch_name == "hstack" and len({max(rank, 1) for rank in ranks if rank is not None}) > 1:
            raise Decline("torch passes over empty vectors among matrices")
        return function(f"torch.{torch_name}", tensors)

    return body


for _name, _least in {"vstack": 2, "hstack": 1, "dstack": 3, "column_stack": 2}.items():
    rule(_name, returns=_joined("tup", _least), code="NPT132")(_stacked(_name))
