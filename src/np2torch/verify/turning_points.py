"""Calls next to where a function turns: a little less, and it counts one less or takes another branch.

What is compared, rounded down or counted is right for most inputs even where it is computed with too few digits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from np2torch.verify.calls import Call, Observation
from np2torch.verify.clock import Allowance
from np2torch.verify.drawn_values import Inputs
from np2torch.verify.judge import Values, leaves
from np2torch.verify.target import Target

NOTE = "next to where it turns"
FACTORS = (2.0, 0.5)
"""What an argument is multiplied by to find another outcome."""
HALVINGS = 30
"""How often the way between two calls is halved: what is left is less than a last bit of float32, and far more than one
of float64."""
MOST_PAIRS, MOST_BASES = 12, 6

Run = Callable[[list[Call]], list[Observation]]


class Outcome(NamedTuple):
    """The part of an observation that changes by steps alone.

    Attributes
    ----------
    error
        The class of an error that the project raises.
    lines
        The lines that the call comes to.
    sizes
        The shapes of all that comes back, by path.
    whole
        The bytes of what is whole there, by path.
    """

    error: str
    lines: frozenset[int]
    sizes: Mapping[str, tuple[int, ...]]
    whole: Mapping[str, bytes]

    def differs(self, other: Outcome) -> bool:
        """Tell whether another one differs by more than numbers that happen to be whole in one of them."""
        if self[:3] != other[:3]:
            return True
        return any(self.whole[path] != other.whole[path] for path in self.whole.keys() & other.whole.keys())


class Turn(NamedTuple):
    """Two calls that differ by one argument, and in the outcome.

    Attributes
    ----------
    base
        The call that is changed.
    place
        The place of the argument.
    low, high
        What it is multiplied by; 0 is moved by the same.
    below, above
        The outcomes of both.
    """

    base: Inputs
    place: int
    low: float
    high: float
    below: Outcome
    above: Outcome

    @property
    def middle(self) -> float:
        """Give the factor between both."""
        return (self.low + self.high) / 2

    def take_half(self, outcome: Outcome | None) -> Turn:
        """Give the half of the way in which it turns, by the outcome of the middle; none is another one."""
        if outcome is None or self.below.differs(outcome):
            return self._replace(high=self.middle, above=outcome or self.above)
        return self._replace(low=self.middle, below=outcome)

    def with_factor(self, factor: float) -> Inputs:
        """Give the call with one argument multiplied."""
        return with_multiple(self.base, self.place, factor)


def turning_points(bases: Sequence[Inputs], target: Target, run: Run, allowance: Allowance) -> list[Inputs]:
    """List calls on both sides of each place where the outcome was found to change.

    Parameters
    ----------
    bases
        Calls that have a result.
    allowance
        The time for all of it.
    """
    turns = _turns(bases, target, run)
    for _ in range(HALVINGS if turns else 0):
        seen = _outcomes([one.with_factor(one.middle) for one in turns], target, run)
        turns = [one.take_half(outcome) for one, outcome in zip(turns, seen, strict=True)]
        if not allowance.remaining:
            return []
    turns = [one for one in turns if one.below.differs(one.above)]
    return [one.with_factor(factor) for one in turns for factor in (one.low, one.high)]


def _turns(bases: Sequence[Inputs], target: Target, run: Run) -> list[Turn]:
    """Find arguments that make another outcome when they are doubled, or halved."""
    places = [(one, index) for one in bases[:MOST_BASES] for index, value in enumerate(one.values) if _is_real(value)]
    own = dict(zip(map(id, bases), _outcomes(bases[:MOST_BASES], target, run), strict=False))
    found: dict[tuple[int, int], Turn] = {}
    for factor in FACTORS:
        left = [(one, index) for one, index in places if (id(one), index) not in found]
        seen = _outcomes([with_multiple(one, index, factor) for one, index in left], target, run)
        for (one, index), outcome in zip(left, seen, strict=True):
            below = own[id(one)]
            if below is not None and outcome is not None and below.differs(outcome):
                found[id(one), index] = Turn(one, index, 1.0, factor, below, outcome)
    return list(found.values())[:MOST_PAIRS]


def _is_real(value: Any) -> bool:
    """Tell whether a value is a finite number, or an array of floats."""
    if isinstance(value, np.ndarray):
        return value.dtype.kind == "f" and bool(value.size) and bool(np.isfinite(value).all())
    return type(value) in (int, float) and bool(np.isfinite(value))


def with_multiple(inputs: Inputs, index: int, factor: float) -> Inputs:
    """Give the call with one argument multiplied; 0 becomes what the factor is more than 1."""
    value = inputs.values[index]
    new: Any = float(value) * factor if type(value) in (int, float) and value else factor - 1.0
    if isinstance(value, np.ndarray):
        new = np.asarray(value * factor, value.dtype)
    return inputs._replace(values=(*inputs.values[:index], new, *inputs.values[index + 1 :]), note=NOTE)


def _outcomes(inputs: Sequence[Inputs], target: Target, run: Run) -> list[Outcome | None]:
    """List the outcomes of calls, None where there is none, or where the contract does not name such values."""
    made = [target.call(one) if target.is_within(one) else None for one in inputs]
    seen = iter(run([one for one in made if one is not None]))
    return [None if one is None else outcome_of(next(seen)) for one in made]


def outcome_of(seen: Observation) -> Outcome | None:
    """Give what changes by steps; None where neither a result nor an error of the project's is seen."""
    if seen.raised is not None:
        return Outcome(seen.raised.name, seen.lines, {}, {}) if seen.raised.by == "own" else None
    if not seen.has_result or seen.values is None:
        return None
    results = {path: leaf.values for path, leaf in leaves(seen.values) if path[:1] == "["}
    whole = {path: one.tobytes() for path, one in results.items() if _is_whole(one)}
    return Outcome("", seen.lines, {path: one.shape for path, one in results.items()}, whole)


def _is_whole(numbers: Values) -> bool:
    """Tell whether numbers are whole: bools and integers are, and floats where all are."""
    if numbers.dtype.kind in "fc":
        return numbers.dtype.kind == "f" and bool((np.floor(numbers) == numbers).all())
    return True
