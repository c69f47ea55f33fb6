"""Moves the inputs of a call by last bits, and measures what that changes of its result on the old side."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from np2torch.verify import vary
from np2torch.verify.calls import Call, Observation
from np2torch.verify.children import Child
from np2torch.verify.judge import EPSILON, STRICT, How, Path, Values, leaves, numbers_in
from np2torch.verify.moved_inputs import AS_FLOATS, IN_DOUBLE, as_floats, in_memory_apart, move_floats, with_dtypes
from np2torch.verify.probes import EXTENDED, MOVED
from np2torch.verify.steadiness import changes_kind, has_other_precision, is_unmoved, jumps, movement

NUDGES, MORE = 6, 3
"""How often inputs are moved, and how many times as often where that has shown nothing."""
WIDER = 2**20
"""How much further inputs of linear algebra are moved: without full rank its results hang on the last bits."""
STRETCHES = tuple(1 + sign * count * 2.0**-51 for count in (1, 2, 3) for sign in (1, -1))
FACTORS = (1.37, 0.81)
"""What inputs are multiplied by that are asked whether they count."""
HALF = "float16"

MOST_UNITS = 32
"""Last bits of float32 by which what is computed in it is off, at most."""

Change = Callable[[Any], Any]
Gaps = dict[Path, Values]


class Start(NamedTuple):
    """A call whose inputs are moved.

    Attributes
    ----------
    call, seen
        The call, and what the old side gives of it.
    is_telling
        Whether a result that jumps tells of last bits: numbers may be counts.
    """

    call: Call
    seen: Observation
    is_telling: bool = True


def widen(known: Gaps, gaps: Gaps) -> None:
    """Take in movements where they are larger than those known of the same numbers."""
    for path, gap in gaps.items():
        before = known.setdefault(path, gap)
        known[path] = np.maximum(gap, before) if before.shape == gap.shape else before


class LastBits:
    """Moves the inputs of calls, and measures what becomes of the results of the old side.

    Parameters
    ----------
    has_labels
        Whether some arrays are labels, which nothing lies next to.
    """

    def __init__(self, old: Child, has_labels: bool) -> None:
        self.old = old
        self.has_labels = has_labels
        self.rng = np.random.default_rng(0)

    def starts(self, call: Call, seen: Observation) -> Iterator[Start]:
        """Yield the call, and others of which more can be moved, where the old side answers them.

        Those are the call with floats in place of the integers of its arrays and lists, then of all, and the one in
        which no two arrays share memory.
        """
        packed = call.packed
        others = ((as_floats(packed), True), (as_floats(packed, True), False), (in_memory_apart(packed), True))
        yield Start(call, seen)
        for changed, is_telling in others:
            if changed is not None:
                one = call._replace(packed=changed)
                (other,) = self.old.run([one], is_shared=True)
                if other.has_result:
                    yield Start(one, other, is_telling)

    def run_moved(self, call: Call, changes: Sequence[Change]) -> list[Observation]:
        """Make a call on the old side with changed inputs."""
        changes = [partial(vary.move_but_labels, change=one) for one in changes] if self.has_labels else changes
        made = [call._replace(packed=move_floats(call.packed, change)) for change in changes]
        return self.old.run(made, is_shared=True)

    def run_nudged(self, call: Call, times: int = NUDGES, by: float = 1.0) -> list[Observation]:
        """Make a call with inputs that are moved by last bits, each by some of its own."""
        return self.run_moved(call, [partial(vary.nudge, rng=self.rng, by=by)] * times)

    def gaps(self, start: Start, times: int = NUDGES, by: float = 1.0, how: How = STRICT) -> Gaps | None:
        """Measure how far each number of a result moves; None where its structure does not stay."""
        return movement(start.seen, self.run_nudged(start.call, times, by), how)

    def gaps_but_counts(self, start: Start, how: How) -> Gaps | None:
        """Measure the same with whole numbers that stand alone left as they are; None where there are none either."""
        if not any(vary.is_one_whole(leaf.values) for leaf in numbers_in(start.call.packed)):
            return None
        changes = [partial(vary.nudge_but_counts, rng=self.rng)] * NUDGES
        return movement(start.seen, self.run_moved(start.call, changes), how)

    def gaps_of_matrices(self, call: Call, seen: Observation, how: How) -> Gaps | None:
        """Measure the same with what linear algebra is given moved, and not the inputs of the call.

        Each in a worker of its own: what others have kept for later calls would not move.
        """
        return movement(seen, [self.old.run([call], probe)[0] for probe in MOVED], how)

    def gaps_of_stretches(self, start: Start, how: How) -> Gaps | None:
        """Measure the same with all inputs a little larger, or smaller: what is equal stays equal."""
        changes = [partial(vary.stretch, factor=factor) for factor in STRETCHES]
        return movement(start.seen, self.run_moved(start.call, changes), how)

    def gaps_of_precision(self, call: Call, seen: Observation, how: How) -> tuple[Gaps, Observation | None]:
        """Measure how far a result is from that of the same numbers in double precision, and give that one.

        What is rounded to less on the way moves by as much. Integers count where they are to the function what floats
        are that hold them.
        """
        given = call
        for dtype, floating in AS_FLOATS.items():
            if (floats := with_dtypes(call.packed, {dtype: floating})) is not None:
                (other,) = self.old.run([call._replace(packed=floats)], is_shared=True)
                gaps = movement(seen, [other], how)
                call = call._replace(packed=floats) if gaps is not None and is_unmoved(gaps) else call
        nudges = [partial(vary.nudge, rng=self.rng)] * (MORE * NUDGES)
        several = [call.packed, *(move_floats(call.packed, one) for one in nudges)]
        wide = [one for packed in several if (one := with_dtypes(packed, IN_DOUBLE)) is not None]
        if not wide:
            return self._gaps_of_integers(given, seen)
        made = self.old.run([call._replace(packed=packed) for packed in (*several, *wide)], is_shared=True)
        found: Gaps = {}
        for narrow, exact in zip(made[: len(wide)], made[len(wide) :], strict=True):
            gaps = movement(narrow, [exact], how) or {}
            widen(found, {path: np.where(np.isfinite(gap), gap, 0.0) for path, gap in gaps.items() if path[:1] == "["})
        return found, made[len(wide)]

    def _gaps_of_integers(self, call: Call, seen: Observation) -> tuple[Gaps, Observation | None]:
        """Measure how far a result is from that of float64 in the place of small integers, and give that one.

        A library may compute in single precision with these: where all is off by no more, so may be any last bit of it.
        """
        floats = with_dtypes(call.packed, dict.fromkeys(AS_FLOATS, "float64"))
        if floats is None or seen.values is None:
            return {}, None
        (exact,) = self.old.run([call._replace(packed=floats)], is_shared=True)
        if not exact.has_result or exact.values is None:
            return {}, None
        pairs = [dict(leaves(one)) for one in (seen.values, exact.values)]
        numbers = [
            {at: leaf.values for at, leaf in one.items() if at[:1] == "[" and leaf.dtype in EPSILON} for one in pairs
        ]
        if [(at, one.shape) for at, one in numbers[0].items()] != [(at, one.shape) for at, one in numbers[1].items()]:
            return {}, None
        unit = EPSILON["float32"]
        most = MOST_UNITS * unit * max(map(vary.scale, numbers[0].values()), default=0.0)
        gaps = {at: np.abs(one - numbers[1][at]).astype("float64") for at, one in numbers[0].items() if one.size}
        if not all((gap <= most).all() for gap in gaps.values()):
            return {}, None
        return {at: np.maximum(gap, unit * vary.scale(numbers[0][at])) for at, gap in gaps.items() if gap.any()}, exact

    def is_moved(self, start: Start, by: float = 1.0) -> bool:
        """Tell whether inputs that are moved by little give other numbers, or a result of another kind."""
        gaps = self.gaps(start, by=by)
        return gaps is None or jumps(start.seen, gaps) or changes_kind(gaps)

    def without_full_rank(self, call: Call, seen: Observation) -> Start | None:
        """Find the start that linear algebra makes something else of when it moves by little."""
        starts = self.starts(call, seen)
        return next((one for one in starts if one.is_telling and self.is_moved(one, WIDER)), None)

    def moves_precision(self, start: Start, how: How) -> bool:
        """Tell whether inputs that are moved by last bits give numbers of another precision."""
        seen = (one for times in (NUDGES, MORE * NUDGES) for one in self.run_nudged(start.call, times))
        return any(has_other_precision(start.seen, one, how) for one in seen)

    def telling(self, start: Start, is_transformed: bool) -> list[Start]:
        """List the starts whose last bits may decide: of integers too where a transform makes floats of them."""
        return [one for one in self.starts(start.call, start.seen) if one.is_telling] if is_transformed else [start]

    def is_single(self, call: Call, old: Observation) -> bool:
        """Tell whether last bits of arrays do not move a result at all: then float32 is what it is computed in."""
        nudge = partial(vary.arrays_alone, change=partial(vary.nudge, rng=self.rng))
        gaps = movement(old, self.run_moved(call, [nudge] * NUDGES))
        return gaps is not None and is_unmoved(gaps)

    def counts_above(self, call: Call, old: Observation, limit: float) -> bool:
        """Tell whether inputs above a limit count for the result: where no bit of it ever changes they do not.

        Multiplied alike they leave what cancels as it is, and moved by last bits what is rounded.
        """
        changes: list[Change] = [partial(operator.mul, factor) for factor in FACTORS]
        changes += [partial(vary.nudge, rng=self.rng)] * NUDGES
        for start in self.starts(call, old):
            if not start.is_telling:
                continue
            moved = self.run_moved(start.call, [partial(vary.above, limit=limit, change=change) for change in changes])
            gaps = movement(start.seen, moved)
            if gaps is None or not is_unmoved(gaps):
                return True
        return False

    def narrow_scale(self, call: Call, old: Observation, how: How, limit: float, counts: float = 0.0) -> How:
        """Allow less where inputs are above a limit: what they count for, or what the old side itself rounds off.

        Parameters
        ----------
        counts
            The largest whole number that is passed: of these it is not asked whether they count.
        """
        if how.scale <= limit:
            return how
        if how.scale > counts and not self.counts_above(call, old, max(limit, counts)):
            return how._replace(scale=max(limit, counts))
        errors = self.errors(call, how)
        return how if errors is None else how._replace(scale=limit, allowed=errors)

    def errors(self, call: Call, how: How) -> Gaps | None:
        """Measure how far results are from those in extended precision, for inputs moved by last bits.

        None where a result is not computed in extended precision.
        """
        nudges = [partial(vary.nudge, rng=self.rng)] * NUDGES
        several = [call.packed, *(move_floats(call.packed, one) for one in nudges)]
        calls = [call._replace(packed=packed) for packed in several]
        found: Gaps = {}
        seen = self.old.run(calls, is_shared=True), self.old.run(calls, EXTENDED, is_shared=True)
        for double, extended in zip(*seen, strict=True):
            gaps = movement(double, [extended], how)
            if gaps is None or any(np.isinf(gap).any() for gap in gaps.values()):
                return None
            widen(found, gaps)
        return found

    def stops_raising(self, call: Call) -> bool:
        """Tell whether a call that raises for a sum has a result when arrays are a little larger, or smaller.

        It may have one where they are of half precision: NumPy rounds each step of a sum, torch the whole.
        """
        if any(one.dtype == HALF for one in numbers_in(call.packed)):
            return True
        changes = [partial(vary.arrays_alone, change=partial(vary.stretch, factor=factor)) for factor in STRETCHES]
        return any(one.has_result for one in self.run_moved(call, changes))

    def raises(self, start: Start, name: str) -> bool:
        """Tell whether some error is raised when inputs of linear algebra are moved by little."""
        return any(one.raised is not None and one.raised.name == name for one in self.run_nudged(start.call, by=WIDER))
