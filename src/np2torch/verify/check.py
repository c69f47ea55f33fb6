"""One function on both sides: inputs from every source, both observed, each pair judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from np2torch.verify import probing, reach, steadiness, vary
from np2torch.verify.calls import Call, Observation
from np2torch.verify.children import Child
from np2torch.verify.clock import Allowance
from np2torch.verify.drawn_values import Inputs
from np2torch.verify.hints import LABELS, REMAINDER, SINGLE, Hints
from np2torch.verify.judge import UNSUPPORTED, Distance, How, Verdict, judge, leaves, numbers_in
from np2torch.verify.known_differences import RECIPROCALS, SUMMED, TIES, UNRAISED, find_difference, stand_ins
from np2torch.verify.last_bits import MORE, NUDGES, WIDER, Gaps, LastBits, Start, widen
from np2torch.verify.moved_inputs import as_floats
from np2torch.verify.ordinary import JudgedCall, is_ordinary, narrowed_inside, too_lenient, too_loud
from np2torch.verify.pasts import ends_before
from np2torch.verify.probes import (
    CASTS,
    EXACT,
    FILLED,
    GRADIENTS,
    NOTHING,
    ORDER,
    PIVOTS,
    QUIET,
    SEARCHED,
    STABLE,
    WRONG,
    ProbeAnswer,
)
from np2torch.verify.reach import ARGSORT, ERRSTATE, LINEAR, METHOD, SUMS, UNWRITTEN, UP_TO_SIGNS
from np2torch.verify.shrink import shrunk
from np2torch.verify.slow_calls import ends_when_smaller
from np2torch.verify.tally import Tally, growing_parts
from np2torch.verify.target import Target
from np2torch.verify.trials import MOST_SECONDS, Trial, trials_of

WIDE, SINGULAR = ("float64", "complex128"), "linear algebra of a matrix without full rank"
HANGING = Verdict("skipped", "its result hangs on the last bits of its inputs")
MOST_SHOWN = 5
CANCELLATION, LINALG_ERROR = "cancellation", "LinAlgError"
OF_VALUES = ("ValueError", "ZeroDivisionError", "OverflowError")
WELL_ABOVE = 16.0
"""How much larger than its result an input is that is asked whether it counts."""
MOST_NARROWED = 12
"""Calls of a function of which that is asked."""
SURELY = 3
"""Calls in which a part of a result was another each time, or ends of the new side, after which no more are made."""
PATIENCE = 10.0
"""How much longer than any other a call may take that the old side answers."""
MOST_NEW_SECONDS, MOST_JUDGING = 3.0, 5.0
"""The time of a function for calls on the new side, and to judge all of them."""
LEAST_SHARE = 0.25
"""The part of its time on the old side that a function has at least of which calls were recorded: people make them."""


class Failure(NamedTuple):
    """A call on which the two sides part, as small as it was possible to make it."""

    call: Call
    verdict: Verdict
    old: str
    new: str
    inputs: Inputs | None = None


class Result(NamedTuple):
    """The findings about one function.

    Attributes
    ----------
    verdict
        "equal", "different" or "not exercised".
    counts
        Calls by origin that both sides answered; after a colon, those for which one side or both raised.
    """

    name: str
    verdict: str
    why: str
    counts: Counter[str]
    distance: Distance
    failures: tuple[Failure, ...]
    budgets: tuple[str, ...]
    old_seconds: float = 0.0
    new_seconds: float = 0.0
    rests_on: tuple[str, ...] = ()
    line: int = 0
    probes: Mapping[str, ProbeAnswer] = {}
    known: tuple[str, ...] = ()
    """The documented differences that some calls show."""


class Sides(NamedTuple):
    """The two children with one module open, and whether notes in the new one say that NumPy is left.

    `share` is the part of its time that a function has where the time for all of them is short.
    """

    old: Child
    new: Child
    numpy_left: bool = False
    share: float = 1.0


def check(
    target: Target,
    sides: Sides,
    seed: int,
    recorded: Sequence[Call] = (),
    is_generating: bool = True,
    probes: Sequence[str] = (),
    is_brief: bool = False,
) -> Result:
    """Exercise a function and judge it; probes are asked where both sides agree.

    Parameters
    ----------
    is_brief
        Whether to stop at the first difference, and to show it as it is found.
    """
    trials, why = trials_of(target, sides.old, seed, recorded, is_generating, sides.share)
    return check_trials(target, sides, trials, why, probes, is_brief)


def check_trials(
    target: Target,
    sides: Sides,
    trials: Sequence[Trial],
    why: str = "",
    probes: Sequence[str] = (),
    is_brief: bool = False,
) -> Result:
    """Check a function by some calls.

    Parameters
    ----------
    why
        What kept others from being made.
    """
    if not trials:
        text = why or "no inputs could be made"
        return Result(target.name, "not exercised", text, Counter(), Distance(), (), (), line=target.function.line)
    return _Judging(target, sides).result(trials, why, probes, is_brief)


class _Judging:
    def __init__(self, target: Target, sides: Sides) -> None:
        self.target = target
        self.sides = sides
        self.up_to_signs = bool(UP_TO_SIGNS & target.body.names)
        self.is_linear = bool(LINEAR & target.body.names)
        self.has_sums = bool(SUMS & target.body.names)
        self.has_zero_signs = not (reach.EXTREMES | {REMAINDER}) & target.body.names  # `%`: the dividend's
        self.uses_single = SINGLE in target.body.names
        self.asks_for_order = bool(SEARCHED.keys() & target.body.names)
        self.bits = LastBits(sides.old, any(LABELS in one.uses for one in target.body.parameters.values()))
        self._hangs = False
        self._narrow = MOST_NARROWED
        self._unsteady: Counter[str] = Counter()

    def result(self, trials: Sequence[Trial], why: str, probes: Sequence[str], is_brief: bool) -> Result:
        """Make the calls on both sides and judge each."""
        tally = self._tally(trials, is_brief)
        found = tally.found
        failures = [one for one in found if one.verdict.kind == "different"]
        hinted = [self.target.body.parameters.get(one.name, Hints()).shapes for one in self.target.parameters]
        failures += narrowed_inside(found) + too_lenient(found)
        failures += too_loud(found, self.target.kinds, hinted, self.sides.old.lines)
        shown = [self._smallest(*one, is_brief) for one in failures[:1]]
        shown += [
            Failure(call, verdict, a.word, b.word, inputs) for inputs, call, verdict, a, b in failures[1:MOST_SHOWN]
        ]
        verdict_word, why = tally.conclusion([one.verdict for one in shown], why)
        said = {kind: self._said(kind, found) for kind in probes} if verdict_word == "equal" else {}
        wrong = next((f"{kind}: {one.why}" for kind, one in said.items() if probing.is_mismatch(one)), "")
        verdict_word, why = ("different", wrong) if wrong else (verdict_word, why)
        return Result(
            self.target.name, verdict_word, why, tally.counts, tally.distance, tuple(shown),
            tuple(sorted(tally.budgets)), tally.seconds[0], tally.seconds[1], (), self.target.function.line, said,
            tuple(sorted(tally.known)),
        )  # fmt: skip

    def _tally(self, trials: Sequence[Trial], is_brief: bool) -> Tally:
        """Make the calls, and count what is seen of them."""
        tally = Tally()
        served = self._served(trials, tally)
        share, sides = self.sides.share, self.sides[:2]
        calling, judging = Allowance(share * MOST_NEW_SECONDS, sides[1:]), Allowance(share * MOST_JUDGING, sides)
        for some in growing_parts(served):
            new = self.sides.new.run([call for (_, call), _ in some], allowance=calling)
            for ((inputs, call), a), b in zip(some, new, strict=True):
                is_enough = tally.has_answers or tally.found and inputs is not None
                if b.is_late or is_enough and not judging.remaining:
                    break
                verdict = self.judge(inputs, call, a, b, is_close=tally.differing < MOST_SHOWN)
                tally.add(JudgedCall(inputs, call, verdict, a, b))
            if not (calling.remaining and judging.remaining):
                tally.note_late(call for (_, call), _ in served)
                break
            if is_brief and tally.differing or sum(bool(one.ended) for one in new) >= SURELY:
                break
        return tally

    def _served(self, trials: Sequence[Trial], tally: Tally) -> list[tuple[Trial, Observation]]:
        """Make the calls on the old side; gives those that come to an end there, with what is seen of them."""
        is_recorded = any(inputs is None for inputs, _ in trials)
        share = max(self.sides.share, LEAST_SHARE if is_recorded else 0.0)
        allowance = Allowance(share * MOST_SECONDS, self.sides[:1])
        old = self.sides.old.run([call for _, call in trials], allowance=allowance)
        tally.skipped.update(one.word for one in old if one.ended)
        tally.note_late(call for (_, call), one in zip(trials, old, strict=True) if one.is_late)
        return [(trial, one) for trial, one in zip(trials, old, strict=True) if not (one.ended or one.is_late)]

    def _said(self, kind: str, found: Sequence[JudgedCall]) -> ProbeAnswer:
        """Probe ordinary calls that both sides answer alike."""
        equal = [one for one in found if one.verdict.kind == "equal" and one.old.has_result and is_ordinary(one, None)]
        if kind == GRADIENTS:  # those of floats in no special order
            equal.sort(key=lambda one: (one.note != "", "float64" not in str(one.call.packed.values)))
        by_call = {id(one.old): one for one in equal}
        return probing.probe_calls(
            kind,
            [(one.call, one.old) for one in equal],
            self.sides.new,
            lambda old, new: self.judge(by_call[id(old)].inputs, by_call[id(old)].call, old, new),
        )

    def judge(
        self, inputs: Inputs | None, call: Call, old: Observation, new: Observation, is_close: bool = True
    ) -> Verdict:
        """The verdict on a call; where values differ, the old side says how much the last bits mean to it.

        Parameters
        ----------
        is_close
            Whether to look closely: not where enough differences are known.
        """
        verdict = self._judged(inputs, call, old, new, is_close)
        if verdict.kind not in ("different", "loud", "lenient"):
            return verdict
        text = find_difference(call, old, new)
        if not text and is_close and verdict.kind != "lenient":
            text = self._otherwise(inputs, call, old, new)
        return Verdict("announced", text) if text else verdict

    def _otherwise(self, inputs: Inputs | None, call: Call, seen: Observation, new: Observation) -> str:
        """Name the known difference but for which the old side gives what the new one gives, if that is so."""
        alike = [(QUIET, UNRAISED)] * bool(self.sides.numpy_left and ERRSTATE & self.target.body.names)
        alike += [(STABLE, TIES)] * bool(ARGSORT & self.target.body.names)
        for probe, text in alike + [(EXACT, SUMMED)] * bool(SUMS & self.target.body.names):
            old = self.sides.old.run([call], probe, is_shared=True)[0]
            if self._judged(inputs, call, old, new).kind in ("equal", "lenient"):
                return text
        if self.is_linear and self._answers(call, PIVOTS) == WRONG:
            return RECIPROCALS
        for packed, text, free in stand_ins(call.packed):
            other = call._replace(packed=packed)
            old = self.sides.old.run([other], is_shared=True)[0]
            if not steadiness.end_alike(old, new) or free and steadiness.has_other_precision(seen, new):
                continue
            if self._judged(inputs, other, old, new, free=free).kind == "equal":
                return text
        return ""

    def _judged(
        self, inputs: Inputs | None, call: Call, old: Observation, new: Observation, is_close: bool = True,
        free: frozenset[str] = frozenset(),
    ) -> Verdict:  # fmt: skip
        """The verdict on a call before it is asked whether a difference is a known one; free paths do not count."""
        numbers = [leaf.values for leaf in numbers_in(call.packed)]
        how = self._how(numbers)._replace(unsteady=free)
        is_strict = inputs is None
        if new.ended == "hang" and not old.ended and not self._hangs:  # it may only be slow
            new = self.sides.new.run([call], patience=PATIENCE)[0]
            self._hangs = new.ended == "hang"
        if new.ended == "hang" and ends_when_smaller(self.target, *self.sides[:2], inputs, old):
            return Verdict("lenient", f"{old.word} became a long computation")
        if ends_before(inputs, old, new):
            return Verdict("skipped", "a call that comes before raises")
        verdict = judge(old, new, how, is_strict)
        if verdict.kind == "equal" and old.has_result and CANCELLATION in verdict.budgets and self._narrow > 0:
            how = self._narrower(call, old, new, how)
            verdict = judge(old, new, how, is_strict)
        if verdict.kind != "different" or new.ended or not is_close or not old.has_result:
            return self._of_error(inputs, call, old, new, verdict, is_close)
        if why := self._says_nothing(inputs, call, numbers, verdict):
            return Verdict("skipped", why)
        return self._beyond_unwritten(call, old, new, how, verdict, is_strict)

    def _says_nothing(self, inputs: Inputs | None, call: Call, numbers: Sequence[Any], verdict: Verdict) -> str:
        """Say why a difference shows nothing: any result is right, or each library has its own; empty where it does."""
        if self.asks_for_order and self._is_out_of_order(inputs, call):
            return "the order of what it searches in is not given"
        if self.is_linear and not all(map(vary.is_finite, numbers)):
            return "linear algebra of NaN and infinities"
        if inputs is not None and not verdict.rounding and self._answers(call, CASTS) == WRONG:
            return "NaN, or numbers out of range, are cast to integers"
        return ""

    def _how(self, numbers: Sequence[Any]) -> How:
        """Give the differences that are allowed in a call with these numbers."""
        return How(
            self.sides.numpy_left, {}, max(map(vary.scale, numbers), default=0.0), self.up_to_signs,
            zero_signs=self.has_zero_signs and all(map(vary.is_finite_and_real, numbers)), is_linear=self.is_linear,
            is_single=self.uses_single and not any(one.dtype in WIDE and one.ndim for one in numbers),
            is_of_complex=any(one.dtype.kind == "c" for one in numbers), is_closed=self.target.is_closed,
        )  # fmt: skip

    def _narrower(self, call: Call, old: Observation, new: Observation, how: How) -> How:
        """Leave large inputs that the result does not depend on out of the scale of what is allowed."""
        assert old.values is not None
        if judge(old, new, how._replace(scale=0.0)).kind == "equal":
            return how
        self._narrow -= 1
        given = [leaf.values for path, leaf in leaves(old.values) if path.startswith("[")]
        counts = [vary.scale(one.values) for one in numbers_in(call.packed) if one.kind == "int"]
        limit = max((WELL_ABOVE * one for one in map(vary.scale, given)), default=0.0)
        return self.bits.narrow_scale(call, old, how, limit, max(counts, default=0.0))

    def _is_out_of_order(self, inputs: Inputs | None, call: Call) -> bool:
        """Tell whether the old side searches in what is not in order; of methods it can only be guessed."""
        if (said := self._answers(call, ORDER)) != NOTHING or METHOD not in self.target.body.names:
            return said == WRONG
        return not all(map(vary.is_ordered, inputs.values if inputs is not None else ()))

    def _answers(self, call: Call, probe: str) -> str:
        """Ask the old side something about a call; gives a word."""
        return getattr(self.sides.old.run([call], probe, is_shared=True)[0].said, "word", NOTHING)

    def _beyond_unwritten(
        self, call: Call, old: Observation, new: Observation, how: How, verdict: Verdict, is_strict: bool
    ) -> Verdict:
        """The verdict once numbers are left out that the old side reads of memory which was never written."""
        if UNWRITTEN & self.target.body.names:
            others = [self.sides.old.run([call], one, is_shared=True)[0] for one in FILLED]
            if (free := steadiness.unwritten(old, others)) is None:
                return Verdict("skipped", "it reads memory that was never written")
            how = how._replace(allowed=free)
            verdict = judge(old, new, how, is_strict)
        if verdict.kind != "different":
            return verdict
        return self._beyond_unsteady(call, old, new, how, verdict, is_strict)

    def _beyond_unsteady(
        self, call: Call, old: Observation, new: Observation, how: How, verdict: Verdict, is_strict: bool
    ) -> Verdict:
        """The verdict once what the old side gives in another way each time is left out."""
        if known := frozenset(path for path, times in self._unsteady.items() if times >= SURELY):
            steady = judge(old, new, how._replace(unsteady=known | how.unsteady), is_strict)
            if steady.kind == "equal":
                return steady
        again = self.sides.old.run([call], is_afresh=True)[0]
        if judge(old, again, How(numpy_left=True, allowed=how.allowed)).kind not in ("equal", "skipped"):
            if judge(again, self.sides.new.run([call])[0], how, is_strict).kind == "equal":
                return Verdict("equal")
            if not (paths := steadiness.unsteady(old, again)):
                return Verdict("skipped", "it gives another result each time")
            self._unsteady.update(paths)
            how = how._replace(unsteady=paths | how.unsteady)
            verdict = judge(old, new, how, is_strict)
            if verdict.kind != "different":
                return verdict
        return self._beyond_last_bits(call, old, new, how, verdict, is_strict)

    def _beyond_last_bits(
        self, call: Call, old: Observation, new: Observation, how: How, verdict: Verdict, is_strict: bool
    ) -> Verdict:
        """The verdict once what moves when inputs move by a last bit is left out."""
        start = Start(call, old)
        starts = self.bits.telling(start, bool(reach.FFT & self.target.body.names))
        if not verdict.rounding and steadiness.has_other_precision(old, new, how):
            if not any(self.bits.moves_precision(one, how) for one in starts):
                return verdict
        if self.is_linear and (found := self.bits.without_full_rank(call, old)) is not None:
            is_of_shapes = new.has_result and steadiness.shapes(old) != steadiness.shapes(new)
            if is_of_shapes and steadiness.keeps_shapes(old, self.bits.run_nudged(call, MORE * NUDGES, WIDER)):
                return verdict
            return self._of_steady_parts(found, old, new, how, is_strict)
        if self.is_linear and steadiness.turns_complex_by_rounding(old, new, how.scale):
            return Verdict("skipped", "eigenvalues that are real or complex by their last bits")
        if self.has_sums and not verdict.rounding and any(map(self.bits.is_moved, starts)):
            return Verdict("skipped", "a choice that hangs on the last bits of sums")
        if verdict.rounding:
            return self._rounded(call, old, new, how, is_strict)
        gaps = self.bits.gaps_of_stretches(start, how)
        return HANGING if gaps is None or steadiness.jumps(old, gaps) else verdict

    def _of_steady_parts(self, start: Start, old: Observation, new: Observation, how: How, is_strict: bool) -> Verdict:
        """The verdict on what stays where it is when others jump: eigenvalues, where vectors of equal ones do not."""
        gaps = self.bits.gaps(start, MORE * NUDGES, WIDER) or {}
        several = [(path, {path: gap}) for path, gap in gaps.items()]
        paths = {path for path, one in several if steadiness.jumps(start.seen, one) or steadiness.changes_kind(one)}
        steady = {path: gap for path, gap in gaps.items() if path not in paths and path.startswith("[")}
        if not steady or steadiness.turns_complex_by_rounding(old, new, how.scale):
            return Verdict("skipped", SINGULAR)
        assert old.values is not None  # what is steady may be what is left of large numbers that are not
        largest = max((vary.scale(leaf.values) for path, leaf in leaves(old.values) if path in paths), default=0.0)
        how = how._replace(unsteady=how.unsteady | paths, allowed=steady, scale=max(how.scale, largest))
        verdict = judge(old, new, how, is_strict)
        return verdict if verdict.rounding else Verdict("skipped", SINGULAR)

    def _rounded(self, call: Call, old: Observation, new: Observation, how: How, is_strict: bool) -> Verdict:
        """The verdict on floats that differ; a few movements do not always show what hangs on a last bit."""
        if self.uses_single and self.bits.is_single(call, old):
            how = how._replace(is_single=True)
        allowed: Gaps = dict(how.allowed)
        verdict = HANGING
        for measured in self._measures(call, old, how):
            for start, gaps in measured:
                gaps = self.bits.gaps_but_counts(start, how) if gaps is None else gaps
                if gaps is None or steadiness.jumps(start.seen, gaps):
                    if start.is_telling:
                        return HANGING
                    continue  # a count that is no longer whole is another count
                widen(allowed, gaps)
            if (verdict := judge(old, new, how._replace(allowed=allowed), is_strict)).kind != "different":
                return verdict
        allowed = steadiness.even_out(old, allowed)
        if (verdict := judge(old, new, how._replace(allowed=allowed), is_strict)).kind != "different":
            return verdict
        gaps, exact = self.bits.gaps_of_precision(call, old, how)
        alone = how._replace(unsteady=how.unsteady | {"argument"})
        if exact is None or judge(exact, new, alone, is_strict).kind == "equal":  # it does not round
            return verdict
        widen(allowed, gaps)
        return judge(old, new, how._replace(allowed=allowed), is_strict)

    def _measures(self, call: Call, old: Observation, how: How) -> Iterator[Iterator[tuple[Start, Gaps | None]]]:
        """Yield measurements of how far numbers move with last bits: of the inputs, then of what products are given."""
        starts = list(self.bits.starts(call, old))
        yield ((one, self.bits.gaps(one, NUDGES, how=how)) for one in starts)
        yield ((one, self.bits.gaps(one, MORE * NUDGES, how=how)) for one in starts)
        if self.is_linear and (gaps := self.bits.gaps_of_matrices(call, old, how)) is not None:
            yield iter([(Start(call, old), gaps)])

    def _is_singular(self, call: Call, old: Observation, new: Observation) -> bool:
        """Tell whether the new side raises for a matrix whose last bits decide what the old one gives, or does.

        Or where last bits decide whether the old side comes to a `raise` of the project's.
        """
        if new.raised is None or not old.has_result or not (self.is_linear or new.raised.by == "own"):
            return False
        if new.raised.name.endswith(LINALG_ERROR):
            return self.bits.without_full_rank(call, old) is not None
        if self.bits.raises(Start(call, old), new.raised.name):
            return True  # or it raises for an infinity that is a large number on the old side: any number is right
        return new.raised.name in OF_VALUES and self.is_linear and self.bits.without_full_rank(call, old) is not None

    def _is_list_to_closed(self, inputs: Inputs | None) -> bool:
        """Tell whether a list is passed that the contract of a function does not name which its project alone calls."""
        return inputs is not None and self.target.is_closed and self.target.has_unnamed_list(inputs)

    def _answers_floats(self, call: Call, old: Observation, new: Observation) -> bool:
        """Tell a closed function that refuses integers and answers floats: guards of its callers make these of them."""
        packed = as_floats(call.packed) if self.target.is_closed else None
        if packed is None or new.raised is None or new.raised.name not in UNSUPPORTED:
            return False
        how = self._how([leaf.values for leaf in numbers_in(packed)])._replace(unsteady=frozenset({"argument"}))
        return judge(old, self.sides.new.run([call._replace(packed=packed)])[0], how, True).kind == "equal"

    def _of_error(
        self, inputs: Inputs | None, call: Call, old: Observation, new: Observation, verdict: Verdict, is_close: bool
    ) -> Verdict:
        """The verdict, unless the old side no longer raises when arrays that it sums are a little larger.

        Nor where the new side only says that a matrix is singular, and its last bits decide what the old one gives.
        """
        if verdict.kind == "loud" and is_close and self._is_singular(call, old, new):
            return Verdict("skipped", SINGULAR)
        if verdict.kind == "loud" and self._is_list_to_closed(inputs) and new.raised and new.raised.name in UNSUPPORTED:
            return Verdict("refused", verdict.text)
        if verdict.kind == "loud" and inputs is None and self._answers_floats(call, old, new):
            return Verdict("refused", verdict.text)
        if verdict.kind != "different" or old.has_result or not (is_close and SUMS & self.target.body.names):
            return verdict
        return HANGING if self.bits.stops_raising(call) else verdict

    def _smallest(
        self, inputs: Inputs | None, call: Call, verdict: Verdict, old: Observation, new: Observation, is_brief: bool
    ) -> Failure:
        if inputs is None or not inputs.is_whole or is_brief:
            return Failure(call, verdict, old.word, new.word)

        def verdicts(candidates: list[Inputs]) -> list[Verdict | None]:
            made = [(at, made) for at, one in enumerate(candidates) if (made := self.target.call(one)) is not None]
            a = self.sides.old.run([one for _, one in made])
            b = self.sides.new.run([one for _, one in made])
            found: list[Verdict | None] = [None] * len(candidates)
            for (index, one), x, y in zip(made, a, b, strict=True):
                found[index] = self.judge(candidates[index], one, x, y)
            return found

        small, smaller = shrunk(inputs, verdict, self.target, verdicts)
        made = self.target.call(small) or call
        return Failure(made, smaller, self.sides.old.run([made])[0].word, self.sides.new.run([made])[0].word, small)
