"""The search for what has to stay on NumPy, so that all that passed there passes on torch, in few runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial

from np2torch.migrate.budget import Allowance, Budget
from np2torch.migrate.entries import in_haste
from np2torch.migrate.hunting import Hunting
from np2torch.migrate.left_places import LIKELY, MODULES, LeftPlaces, SearchResult
from np2torch.migrate.mending import Flow, Mending
from np2torch.migrate.plans import Plans
from np2torch.migrate.postponed_hunts import PostponedHunts
from np2torch.migrate.runner import concerned_tests
from np2torch.migrate.setbacks import FEW, Setbacks
from np2torch.migrate.smallest import smallest, smallest_part
from np2torch.migrate.sounding import ENOUGH_PASS, MOST_SOUNDINGS, sounding
from np2torch.migrate.speakers import speakers
from np2torch.migrate.trials import OVER, Failure, Trials, not_cut_off, try_given_up
from np2torch.migrate.unrelated_tests import without_unrelated

MOST_FULL = 3
"""Runs of all tests on torch after each of which the smallest places are looked for."""
MOST_WIDER = 9
"""Further runs, after each of which more modules are left on NumPy."""
MOST_BETTER = 7
"""Further runs where one has passed, and time is left."""
MOST_ROUNDS = 14
"""Runs of the tests that fail, between two runs of all."""
MOST_STUCK, FEWER = 2, 0.75
"""After so many rounds that leave more than this share of the tests failing, tracebacks are not followed any more."""
MOST_BROKEN = 3
"""Tests that a new border breaks, and for which the least around it is looked for before something has passed."""
MOST_IMPORTS = 12
FAR_LESS = 0.5
"""What has passed is not the end where it converts less than this share of what left few enough tests failing."""


class Search:
    """Looks for the culprits.

    Parameters
    ----------
    say
        Tells the user how far it has come.
    first
        What is left on NumPy from the beginning, with the reasons.
    hasty
        What of that an earlier search had no time to try again.

    Attributes
    ----------
    best
        The last that passed a run of all tests, and all imports; None while there is none.
    is_over
        Whether there was no time to see whether less may stay on NumPy.
    is_hurried
        Whether more was left there for want of time.
    is_pieced
        Whether the best has passed in runs of some tests, with no time for all of them at once.

    Notes
    -----
    What it ends with is the best; where there is none, or it converts far less, what left fewest tests failing when
    all ran, if these may be given up; else the project as it was: every module left on NumPy. The first that passes
    is looked for before anything is hunted or converted again. When the time comes near before it is there, the
    search goes back to what left few enough failing; otherwise ever more stays on NumPy for those that fail.
    """

    def __init__(
        self, trials: Trials, say: Callable[[str], None], first: Mapping[str, str],
        hasty: Collection[str] = (),
    ) -> None:  # fmt: skip
        self.trials, self.conversion, self.baseline, self.say = trials, trials.conversion, trials.baseline, say
        self.left = LeftPlaces(self.conversion, self.baseline, say, first, hasty)
        seconds = self.conversion.seconds + self.baseline.run_seconds
        self.hunting = Hunting(trials, self.left, self.is_late, Allowance(seconds))
        self.postponed = PostponedHunts(self.left)
        self.best: SearchResult | None = None
        self.is_over = self.is_pieced = self.is_hurried = False
        self.budget = Budget(trials.runner.deadline, self.baseline.run_seconds)
        self.setbacks = Setbacks(self.left)
        self.plans = Plans(trials, self.left, self.budget, self.setbacks)
        self.untried: list[str] = []
        """Entries that may not have to stay."""
        self.refused: dict[str, str] = {}
        """Functions left on NumPy for the refusal of their guard: without it all would have to be analysed again."""
        self.hasty = frozenset(hasty)
        self.has_tests = True
        is_solved = lambda: self.best is not None  # noqa: E731
        try_last = partial(self._try, is_last=True)
        flow = Flow(self._try, try_last, self._all_tests, self._go_back, self.is_late, is_solved)
        self.mending = Mending(trials, self.left, self.plans, self.setbacks, Allowance(seconds), flow)

    @property
    def result(self) -> SearchResult:
        """The end, so far."""
        return self.left.found

    @property
    def ending(self) -> str:
        """The end of the search in words."""
        if self.result is self.setbacks.nearest:
            return f"it ends with what leaves {len(self.result.unsolved)} tests failing"
        return "every module stays on NumPy" if self.best is None else "what passed last is what it ends with"

    def reasons(self) -> dict[str, str]:
        """Why each entry stays on NumPy in the end; what was not tried again for want of time says so."""
        known = self.left.given | self.left.settled
        has_time = not (self.is_over or self.is_hurried)
        kept = self.result.kept.items()
        return {entry: why if has_time or entry in known else in_haste(why) for entry, why in kept}

    def is_late(self) -> bool:
        """Tell whether only so much time is left as the runs of all tests take that are still needed."""
        preparation = self.trials.preparation if self.trials.proof.is_begun else 0.0
        return self.budget.is_late(has_best=self.best is not None, preparation=preparation)

    def _has_run(self) -> bool:
        """Tell whether all tests can run once more."""
        return self.budget.has_run(has_best=self.best is not None)

    @contextmanager
    def _trials_until(self, end: float) -> Iterator[None]:
        """End trials where the runs to come have to begin, while nothing has passed: what is cut off has failed."""
        before = self.trials.runner.deadline
        if self._is_hasty():
            self.trials.runner.stop_at(min(before, end))
        try:
            yield
        finally:
            self.trials.runner.stop_at(before)

    def _is_hasty(self) -> bool:
        """Tell whether something has to pass first, before the least is looked for."""
        return self.best is None and (self.has_tests or self.budget.is_limited)

    def run(self, has_tests: bool) -> None:
        """Leave on NumPy what has to stay there."""
        self.has_tests = has_tests
        self.imports()
        if has_tests and not self.is_over:
            self.tests()
        self.left.drop_covered()
        try_given_up(self.trials, self.result.kept)
        self.result.unsolved.update(self.baseline.given_up)

    # ------------------------------------------------------------------------------------------- imports
    def imports(self) -> None:
        """Leave on NumPy what keeps modules from being imported: without them nothing else can be seen."""
        before = set(self.left.reasons)
        failing = self._not_imported()
        for number in range(MOST_IMPORTS):
            if not failing or self.trials.runner.is_over():
                break
            if number >= MOST_IMPORTS // 2 or self.is_late():
                if not self.left.keep_more(failing):
                    break
            elif not self._add(failing, 0) and not self._silent_import(failing):
                break
            self.say(f"{len(failing)} modules cannot be imported; {len(self.left.reasons)} places stay on NumPy")
            failing = self._not_imported()
        new = [entry for entry in self.left.reasons if entry not in before]
        if self._is_hasty():
            self.untried += new
        elif new:
            self.hunting.minimise(new)
            failing = self._not_imported()
            while failing and self.left.keep_more(failing):
                failing = self._not_imported()
        if failing and self.trials.runner.is_over():
            self._end()
        else:
            self.result.unsolved = {f"import {name}": failure.error for name, failure in failing.items()}

    def _not_imported(self) -> dict[str, Failure]:
        return self.trials.not_imported(self.left.reasons, self.baseline.modules)

    def _silent_import(self, failing: Mapping[str, Failure]) -> bool:
        """Find what keeps the first of some modules from being imported where the error does not lead there."""
        name, failure = next(iter(failing.items()))

        def is_imported(part: Sequence[str]) -> bool:
            return not self.trials.not_imported([*self.left.reasons, *part], [name])

        every = self.left.not_kept(self.conversion.everything())
        if not every or not is_imported(every):
            return False
        self.say(f"looking for what keeps {name} from being imported")
        self.left.tell_why([name], failing)
        return self.left.keep({name: (failure, smallest_part(smallest(every), is_imported))})

    # --------------------------------------------------------------------------------------------- tests
    def tests(self) -> None:
        """Leave on NumPy what makes tests fail, until all pass; then convert again what can be."""
        self._sound()
        passed: set[str] = set()
        left: set[str] = set()
        failing: dict[str, Failure] = {}
        for number in range(MOST_FULL + MOST_WIDER):
            has_best = self.best is not None
            if not self.plans.prepares_run(failing, has_best) or has_best and number > MOST_FULL + MOST_BETTER:
                self._end()
                return
            failing = self._all_tests()
            if not failing:
                if not self._is_best():
                    continue
                failing = self._refuted()
                if not failing:
                    self._take_best()
                    return
            tests, places = len(self.baseline.order), len(self.left.reasons)
            self.say(f"{len(failing)} of {tests} tests fail; {places} places stay on NumPy")
            self.left.tell_why(list(failing)[:1], failing)
            self.plans.expect(failing)
            if not (failing := without_unrelated(self.trials, self.left, failing, self._has_run)):
                continue
            is_worse = self.best is None and len(failing) > self.setbacks.least
            if not (failing := self.mending.after_run(failing)):
                continue
            if self._take_back(failing, passed.intersection(failing), left, is_worse):
                passed, left = set(self.baseline.order) - set(failing), set(self.left.reasons)
                continue
            self.left.suspect(failing, self.trials.proof.called)
            before = set(kept := dict(self.left.reasons))
            self.hunting.put_back(failing)
            if self._has_to_hurry(failing):
                if self._ends_in_haste(failing, number):
                    return
            else:
                self._widen([name for name in failing if name in passed], before - left)
                passed, left = set(self.baseline.order) - set(failing), before
                self._settle(failing)
                self.mending.before_run(failing, kept)
                self.untried += [entry for entry in self.left.reasons if entry not in before]
        self._end("AssertionError: tests fail")

    def _sound(self) -> None:
        """Follow the tracebacks of few tests that call what all call, before all run; undo what breaks others.

        Where most pass the others can wait. A round that mends few is the last, and undone.
        """
        if not (tests := sounding(self.baseline)) or not self._has_run():
            return
        before = dict(self.left.reasons)
        with self._trials_until(self.budget.late):
            first = failing = self.trials.failures(self.left.reasons, tests, is_all=True)
        self.budget.run_seconds *= self.trials.proof.pace / self.trials.gain
        self.left.suspect(failing, self.trials.proof.called)
        for number in range(MOST_SOUNDINGS):
            self.say(f"{len(failing)} of {len(tests)} tests fail, which call what all tests call")
            self.left.tell_why(list(failing)[:1], failing)
            kept = dict(self.left.reasons)
            if len(failing) <= ENOUGH_PASS * len(tests) or self.is_late() or not self._add(failing, number):
                break
            left = not_cut_off(self._try(list(failing)))
            if len(left) > FEWER * len(failing):
                self.left.found.kept = kept
                break
            failing = left
        new = [entry for entry in self.left.reasons if entry not in before]
        changed = self.trials.proof.tests_to_run(self.left.reasons) if new else []
        broken = not_cut_off(self._try(concerned_tests(set(tests).difference(first), changed)))
        back = sorted(self.hunting.near(broken).intersection(new))
        self.left.found.kept = {entry: why for entry, why in self.left.reasons.items() if entry not in back}
        self.left.tell(back, f"converted again, since {len(broken)} tests fail that passed")
        self.untried += [entry for entry in new if entry not in back]

    def _has_to_hurry(self, failing: Collection[str]) -> bool:
        """Tell whether something has to pass soon, whatever it converts: all runs lead nowhere, or time ends."""
        is_stalled = self.best is None and self.setbacks.is_stalled
        return self.is_late() or is_stalled and not self.left.may_give_up(failing)

    def _go_back(self) -> dict[str, Failure]:
        """Go back to the run of all tests that left fewest failing; give those."""
        self.postponed.forget()
        self.mending.note()
        return self.setbacks.go_back()

    def _take_back(
        self, failing: Mapping[str, Failure], broken: Collection[str], before: Collection[str], is_worse: bool
    ) -> bool:  # fmt: skip
        """Convert again what breaks more tests than it mends; whether there was any.

        That is where all that fails may be given up, as what was mended is then, or where more fail than did before.
        """
        if self.best is not None or self.setbacks.good_enough is None and not is_worse:
            return False
        new = set(self.left.reasons).difference(before)
        borders = {name: self.hunting.borders(name, new) for name in broken}
        if self.setbacks.good_enough is not None and self.setbacks.take_back(borders):
            return True
        return is_worse and self.setbacks.bar({name: self.hunting.within_reach(name, new) for name in broken}, failing)

    def _widen(self, broken: Sequence[str], new: Collection[str]) -> None:
        """Look for what has to stay around new entries, for tests that pass without them."""
        self.left.borders = {}
        if self._is_hasty() and len(broken) > MOST_BROKEN:
            self.left.borders = {name: self.hunting.borders(name, new) for name in broken}
            return
        with self._trials_until(self.budget.late):
            self.hunting.widen(broken, new)

    def _all_tests(self, is_whole: bool = False) -> dict[str, Failure]:
        """The tests that fail; where time is limited, only those run again that what has changed concerns."""
        tests: Sequence[str] = self.baseline.order
        if not is_whole:
            tests = self.trials.proof.tests_to_run(self.left.reasons)
        self.trials.runner.stop_at(self.budget.last_end)
        tells = len(tests) == len(self.baseline.order) or not self.trials.proof.is_begun
        with self.budget.run(self.trials.proof.part_on_numpy(tests) if tells else 0.0):
            failing = self.trials.failures(self.left.reasons, tests, is_all=True, together=is_whole) if tests else {}
        self.trials.runner.stop_at(self.budget.last_end)  # the imports come after it
        return failing

    def _refuted(self) -> dict[str, Failure]:
        """The tests that fail when all run, where only some have run for the best; none where there is no time."""
        more = (self.trials.gain - 1) * self.budget.run_seconds
        if self.trials.proof.is_whole or not self.budget.has_time(more):
            return {}
        failing = self._all_tests(is_whole=True)
        if seen := not_cut_off(failing):
            self.best = None
        self.is_pieced &= bool(failing) and not seen  # what was cut off has shown nothing
        return seen

    def _ends_in_haste(self, failing: dict[str, Failure], number: int) -> bool:
        """Leave more on NumPy since time is short; tell whether the search ends there."""
        if self.mending.in_haste() or self._keep_in_haste(failing, number):
            return False
        if len(failing) == len(self.baseline.order):  # nothing could prove anything
            self.baseline.leave_out(failing)
            return True
        self.left.leave_out(failing)  # everything is on NumPy
        return False

    def _keep_in_haste(self, failing: dict[str, Failure], number: int = 0) -> bool:
        """Leave on NumPy what these tests call, or more; whether there was any left.

        Where only one more run has time, they are tried before it, and it begins when it has to.
        """
        self.is_hurried |= self.is_late()
        if self.best is None and self.setbacks.good_enough is not None and not self.left.may_give_up(failing):
            failing = self._go_back()
        if self.left.may_give_up(failing):
            self.left.give_up(failing)
            return True
        step = self.plans.step(number)
        is_any = is_new = self.plans.keep_affordable(failing, step) or self.left.keep_more(failing, step)
        while is_new and failing and self._is_hasty() and self.budget.is_for_trials(self.trials.preparation):
            tests = concerned_tests(failing, self.baseline.order)
            with self._trials_until(self.budget.last_trial):
                failing = self.trials.failures(self.left.reasons, tests)
            is_new = self.plans.keep_affordable(failing, MODULES)
        return is_any

    def _is_best(self) -> bool:
        """See to what none of the tests imports, then to what may be left out; tell whether there was nothing.

        Where there was, all tests have to run once more.
        """
        before = set(self.left.reasons)
        self.imports()
        if self.is_over:
            return True
        if before == set(self.left.reasons):
            if self.best is None or self.left.share(self.result) >= self.left.share(self.best):
                self.best = self.result.copy()
                self.is_pieced = not self.trials.proof.is_whole
            if self.hasty and not self.postponed:
                self.postponed.resume(self.hasty, self.trials.proof.called)
                self.hasty = frozenset()
            if (self.postponed or self.refused) and not self.is_late():
                self._take_up()
            if before == set(self.left.reasons):
                self._convert_again()
        return before == set(self.left.reasons)

    def _take_up(self) -> None:
        """Hunt what was postponed until something had passed."""
        tests = concerned_tests([*self.postponed.undo(), *self._free_refused()], self.baseline.order)
        self.say(f"looking for less than what {len(tests)} tests call")
        before = set(self.left.reasons)
        if failing := self.trials.failures(self.left.reasons, tests):
            self._settle(failing)
        self.untried += [entry for entry in self.left.reasons if entry not in before]

    def _free_refused(self) -> list[str]:
        """Convert without a guard what was left on NumPy for its refusal, where there is time; the tests concerned."""
        refused = {place: error for place, error in self.refused.items() if place in self.left.reasons}
        self.refused = {}
        if not refused or not self.budget.has_time(self.conversion.seconds):
            return []
        for place in refused:
            del self.left.reasons[place]
        self.left.free(refused)
        return [test for place in refused for test in self.left.suspects.get(place, ())]

    def _take_best(self) -> None:
        """End with what has passed with most converted; where that is far less, with what leaves few tests failing."""
        if self.best is not None and self.left.share(self.best) > self.left.share(self.result):
            self.left.found = self.best
        nearest = self.setbacks.good_enough
        if nearest is not None and self.left.share(self.result) < FAR_LESS * self.left.share(nearest):
            self.left.found, self.is_over = nearest, True
        left_out = set(self.baseline.unrelated)
        self.result.unsolved = {name: why for name, why in self.result.unsolved.items() if name not in left_out}

    def _convert_again(self) -> None:
        untried = dict.fromkeys([*self.untried, *self.mending.kept])
        self.untried, self.mending.kept = [], []
        self.hunting.minimise([entry for entry in untried if entry in self.left.reasons])

    def _end(self, reason: str = OVER) -> None:
        """End the search with the best or nearest that it has, else with all modules on NumPy.

        That is the project as it was, whose tests have passed.
        """
        self.is_over = True
        if self.best is None and self.setbacks.good_enough is None and self.has_tests:
            self.plans.grows(self.setbacks.failed)
            self.best = self.plans.grown
            self.is_pieced = self.best is not None
        if (found := self.best or self.setbacks.good_enough) is not None:
            self.left.found = found
            self._take_best()
            return
        self.left.keep({"": (Failure(reason), self.left.not_kept(self.conversion.all_modules()))})
        self.result.unsolved.clear()
        self.left.drop_covered()

    def _settle(self, failing: Mapping[str, Failure]) -> None:
        """Leave on NumPy what makes these tests fail, by runs of these: of those that fail alike a few first."""
        stuck = 0
        waiting: list[str] = []
        are_few = self.left.may_give_up(failing)
        for number in range(MOST_ROUNDS):
            if not are_few and not (failing := self.left.without_stubborn(failing)):
                return
            if self.is_late():
                if not self.postponed.put_back(failing):
                    self._keep_in_haste(dict(failing))
                return
            if number >= MOST_ROUNDS - 3:
                is_new = self.left.keep_more(failing)
            elif stuck < (1 if self._is_hasty() else MOST_STUCK) and self._add(failing, number):
                is_new = True
            elif self._is_hasty() and not self._hunts_first(failing, are_few):
                is_new = self.postponed.keep_more(failing, LIKELY)
            else:
                self.hunting.hunt(failing)
                is_new = True
            if not is_new:
                return
            tests, rest = speakers(failing, self.baseline)
            waiting += rest
            before = len(tests)
            failing = self._try(tests)
            if not failing and waiting and self._has_run():
                tests, waiting = concerned_tests(waiting, self.baseline.order), []
                failing = self._try(tests)
            if not failing or not self._has_run():
                return
            stuck = stuck + 1 if len(failing) > FEWER * before else 0
            self.say(f"  {len(failing)} of these {len(tests)} fail; {len(self.left.reasons)} places stay on NumPy")
            self.left.tell_why(list(failing)[:1], failing)

    def _hunts_first(self, failing: Collection[str], are_few: bool) -> bool:
        """Tell whether hunts come before anything has passed: few tests fail, and all hunts end before that."""
        if are_few or self.setbacks.any:
            return True
        ends = time.monotonic() + self.hunting.allowance.left
        return len(failing) <= FEW * len(self.baseline.order) and ends < self.budget.late

    def _try(
        self, tests: Sequence[str], entries: Collection[str] | None = None, is_last: bool = False
    ) -> dict[str, Failure]:  # fmt: skip
        """Those of some tests that fail now, or with other entries left on NumPy; at last until the last run begins."""
        with self._trials_until(self.budget.last_trial if is_last else self.budget.late):
            return self.trials.failures(self.left.reasons if entries is None else entries, tests) if tests else {}

    def _add(self, failing: Mapping[str, Failure], number: int) -> bool:
        """Leave on NumPy where these errors come from, more from round to round; whether that is anything new."""
        freed: dict[str, str] = {}
        new: dict[str, tuple[Failure, Sequence[str]]] = {}
        for name, failure in failing.items():
            refused = self.left.refusals({name: failure})
            if refused and self._is_hasty():
                self.refused |= refused
                new[name] = failure, self.left.not_kept(refused)
            elif refused:
                freed = refused | freed
            else:
                new[name] = failure, self.left.around(failure, number)
        self.left.free(freed)
        return self.left.keep(new) or bool(freed)
