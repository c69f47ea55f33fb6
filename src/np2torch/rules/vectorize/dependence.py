"""Distance vectors: whether the passes of a nest that touch one element of an array may run at the same time.

Run all at once, each statement is done for all passes before the next one is. So of two places that touch one element,
the one whose pass came first has to stand first; in one pass the order is that of the text anyway.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from np2torch.rules.vectorize.linear import Linear


class Access(NamedTuple):
    """A place where elements of an array are read or written.

    Attributes
    ----------
    forms
        Its subscripts; None for one that is no linear form.
    loops
        The loops around it, outermost first.
    at
        When it happens: a read comes before the store of its statement.
    is_store
        Does it write?
    sums
        The operator by which it only adds up; empty for others.
    ranges
        The least and the greatest value of each subscript, without variables; None where that is not known.
    """

    array: str
    forms: tuple[Linear | None, ...]
    loops: tuple[int, ...]
    at: int
    is_store: bool
    sums: str = ""
    ranges: tuple[tuple[Linear, Linear] | None, ...] = ()


def conflict(one: Access, other: Access, steps: Callable[[int], int], positive: Callable[[Linear], bool]) -> str | None:
    """Say why two accesses of one array, of which one writes, forbid to run all passes at once; None if they allow it.

    Parameters
    ----------
    steps
        The direction of each loop: 1 or -1.
    positive
        Tells whether a form is certainly above zero.
    """
    if one.sums and one.sums == other.sums:
        return None
    if any(_are_apart(*pair, positive) for pair in zip(one.ranges, other.ranges, strict=False)):
        return None
    if any(_never_meet(left, right) for left, right in zip(one.forms, other.forms, strict=True)):
        return None
    common = [loop for loop, same in zip(one.loops, other.loops, strict=False) if loop == same]
    distance: dict[int, int] = {}
    for left, right in zip(one.forms, other.forms, strict=True):
        if left is None or right is None:
            return f"elements of `{one.array}` at places that are looked up are read and written"
        if not (left.variables | right.variables) & set(common):
            continue  # they may be the same, or not
        if left.variables != right.variables or len(left.variables) > 1:
            return f"elements of `{one.array}` that are not known to be others are read and written"
        difference = right.plus(left, -1)
        (loop,) = left.variables
        if loop not in common or not difference.is_constant:
            return f"elements of `{one.array}` that are not known to be others are read and written"
        # one's pass minus other's: left(p) = right(q), factor * (p - q) = difference
        quotient = difference.constant // left.factor(loop)
        if distance.setdefault(loop, quotient) != quotient:
            return None
    return _order(one, other, [(loop, distance.get(loop)) for loop in common], steps)


def _order(
    one: Access, other: Access, distances: list[tuple[int, int | None]], steps: Callable[[int], int]
) -> str | None:
    """Say why two accesses of one element, so many passes of each loop apart, come in the wrong order; None if not."""
    for loop, distance in distances:
        if distance is None:
            return f"`{one.array}` is read or written at the same place in several passes"
        ahead = distance * steps(loop)
        if ahead:  # the pass of one is that many later
            if (one.at > other.at) == (ahead > 0):
                return None
            return f"a pass reads or writes what another one has written to `{one.array}`, {abs(ahead)} apart"
    return None


def _never_meet(left: Linear | None, right: Linear | None) -> bool:
    """Tell whether two subscripts that differ by a constant are never the same number, in whichever passes."""
    if left is None or right is None or left.variables != right.variables or len(left.variables) > 1:
        return False
    difference = right.plus(left, -1)
    if not difference.is_constant:
        return False
    if not left.variables:
        return bool(difference.constant)
    return bool(difference.constant % left.factor(next(iter(left.variables))))


def _are_apart(
    one: tuple[Linear, Linear] | None, other: tuple[Linear, Linear] | None, positive: Callable[[Linear], bool]
) -> bool:
    """Tell whether two ranges have no number in common."""
    if one is None or other is None:
        return False
    return positive(one[0].plus(other[1], -1)) or positive(other[0].plus(one[1], -1))


def why_not(accesses: Sequence[Access], steps: Callable[[int], int], positive: Callable[[Linear], bool]) -> str | None:
    """Say what in these accesses forbids that all passes run at once."""
    for at, one in enumerate(accesses):
        for other in accesses[at:]:
            if one.array == other.array and (one.is_store or other.is_store):
                if one is other and not one.is_store:
                    continue
                if (why := conflict(one, other, steps, positive)) is not None:
                    return why
    return None
