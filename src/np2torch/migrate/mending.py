"""Mends few failing tests of many, where little would do and nothing more may break."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from np2torch.migrate.budget import Allowance
from np2torch.migrate.grouping import Grouping
from np2torch.migrate.left_places import LeftPlaces
from np2torch.migrate.plans import Plans
from np2torch.migrate.runner import concerned_tests
from np2torch.migrate.setbacks import SETBACK, Setbacks
from np2torch.migrate.smallest import smallest
from np2torch.migrate.together import Together, guilty
from np2torch.migrate.trials import OVER, Ask, EntrySet, Failure, Trials

STEPS = KNOWN, AROUND, FUNCTIONS, MODULES, FILE, IMPORTS = range(6)
"""What is tried for a test alone: what was left for it and undone, all around what would mend it and breaks others,
what it runs, its modules, its file's, their imports."""
MOST_TRIALS = 40
"""Runs of a test that narrow down what it needs."""
MOST_SINGLE = 16
"""Where there are no more, each is tried alone first: some of them without others may do harm."""
MOST_SAMPLED = 20
"""Passing tests that show whether what would stay on NumPy for a failing one breaks others."""
SAMPLED = 0.05
"""The share of the time of all tests that these take at most."""
HARMFUL = 0.25
"""Where no more than this share of such a sample fails, that may be chance."""
MOSTLY, HARDLY_ANY = 0.5, 0.25
"""Where more than this share of all was converted, and less than this of that still is, that is undone as well."""
HELD = 0.25
"""The share of what is converted that all of it may hold back, unless nothing else is left."""
LITTLE = 0.2
"""The share of what is converted that is too little, while something else can be tried."""
MOST_FREED = 4
"""Times that guards are taken away, since behind one there may be others."""
HALF = 0.6
"""The share of the time that is spent so; then whole modules are looked for, however many."""
MOST_RUNS, AT_ONCE = 1, 2
"""For so many runs of all tests there has to be time, beside one that what follows may need; for more, where nothing
else has been tried before."""
LAST_RUNS, RESERVED = 3, 0.3
"""The time of so many runs of all tests is kept for the last, where that is no more than this share of all."""
LAST = 1.75
"""The time that the last run takes, and trials before it, in that of a run of all tests."""
MOST_TAKEN = 3
"""Runs for what is found at a time, each without what has broken tests in the one before."""
MORE, MUCH = 2.0, 16
"""With time for so many runs of all tests so many times as many failing tests are few."""
PART = 0.4
"""The share of the time that is left that is spent on what to leave there, before all that it concerns runs."""


class Flow(NamedTuple):
    """The search around it.

    Attributes
    ----------
    ask
        Runs tests while there is time for more runs of all of them.
    ask_last
        The same in the time before the last run of all tests.
    run
        Runs the tests that what has changed concerns, and gives those that fail.
    go_back
        Goes back to the run of all tests that left fewest failing, and gives these.
    is_late
        Says when only so much time is left as such a run takes.
    is_solved
        Says whether something has passed.
    """

    ask: Ask
    ask_last: Ask
    run: Callable[[], dict[str, Failure]]
    go_back: Callable[[], dict[str, Failure]]
    is_late: Callable[[], bool]
    is_solved: Callable[[], bool]


class Mending:
    """Leaves more on NumPy for few failing tests; a state with more failing tests than before is never taken.

    Parameters
    ----------
    allowance
        The time for all of it.

    Attributes
    ----------
    kept
        What was left on NumPy, and has mended tests.
    is_over
        Whether all of it was tried, and the time for it was not over before.
    """

    def __init__(
        self, trials: Trials, left: LeftPlaces, plans: Plans, setbacks: Setbacks, allowance: Allowance, flow: Flow
    ) -> None:  # fmt: skip
        self.trials, self.left, self.plans, self.setbacks = trials, left, plans, setbacks
        self.conversion, self.baseline, self.budget = trials.conversion, trials.baseline, plans.budget
        self.allowance, self.flow = allowance, flow
        self._known: dict[str, list[str]] = {}
        self.kept: list[str] = []
        self.is_over = False
        self._is_over: Callable[[], bool] = flow.is_late
        self._refused: set[tuple[str, EntrySet]] = set()
        self._narrowed: dict[tuple[str, EntrySet], EntrySet] = {}
        self._held = HELD
        self._together = Together(left, flow.ask, self._sample)
        self._proposed: dict[str, list[EntrySet]] = {}

    def after_run(self, failing: dict[str, Failure]) -> dict[str, Failure]:
        """See to what fails in a run of all tests; give those that are still to be solved.

        A setback is undone. Where few of many tests fail, too many to give up, these are mended.
        """
        if self.flow.is_solved():
            return failing
        if self.setbacks.is_setback(failing):
            failing = self.flow.go_back()
        if self.is_over or not self._is_for(failing) or not (failing := self._without_guards(failing)):
            return failing
        if not (failing := self.mend(failing)):
            return failing
        return {} if not self.is_over and self.in_haste() else failing

    def _is_for(self, failing: Collection[str]) -> bool:
        runs = MOST_RUNS if self.setbacks.any or self.setbacks.is_stalled else AT_ONCE
        has_time = self.budget.has_time(runs * self.budget.run_seconds) and not self.flow.is_late()
        is_open = has_time and not self.flow.is_solved() and not self.left.may_give_up(failing)
        has_much = self.budget.is_limited and self.budget.has_time(MUCH * self.budget.run_seconds)
        return is_open and self.setbacks.are_few(failing, MORE if has_much else 1.0)

    def before_run(self, failing: dict[str, Failure], before: dict[str, str]) -> None:
        """Undo what was left for few failing tests since, where it is nearly all or breaks many, and mend these."""
        new = frozenset(self.left.reasons).difference(before)
        if new and self._is_for(failing) and (self._is_nearly_all(before) or self._breaks_many(new, failing)):
            self.note()
            self.left.found.kept = before
            self.mend(failing)

    def _without_guards(self, failing: dict[str, Failure]) -> dict[str, Failure]:
        """Convert functions without the guards that refuse what few tests pass, while fewer fail; give those that do.

        That holds nothing back. The project is analysed anew for it, so there has to be time for that and for what
        else may be needed.
        """
        best, state, vain = failing, self.trials.proof.state(), set[str]()
        seconds = self.conversion.seconds
        for _ in range(MOST_FREED):
            freed = self.left.refusals(failing)
            if not freed or not self.budget.has_time(seconds + AT_ONCE * self.budget.run_seconds):
                break
            begin = time.monotonic()
            self.left.free(freed)
            vain.update(freed)
            failing = self.flow.run()
            seconds = time.monotonic() - begin
            self.left.say(f"  {len(failing)} tests fail, {len(best)} did before")
            if len(failing) > len(best) or any(failure.error == OVER for failure in failing.values()):
                break
            if len(failing) < len(best):
                best, state = failing, self.trials.proof.state()
                self.setbacks.note(best)
                vain.clear()
        if vain:
            self.left.guard_again(vain)
            self.trials.proof.go_back(state)
        return best

    def _is_nearly_all(self, before: Collection[str]) -> bool:
        was, now = self.conversion.share(before), self.conversion.share(self.left.reasons)
        return was.converted > MOSTLY * was.sites and now.converted < HARDLY_ANY * was.converted

    def _breaks_many(self, new: EntrySet, failing: Collection[str]) -> bool:
        """Tell whether many more are likely to fail with new entries.

        That is told by tests that pass without it, show it soon and stand for all that run any of the same modules.
        """
        modules = self._modules_of(new)
        reached = sum(not modules.isdisjoint(self._modules_of(self._runs(one))) for one in self.baseline.order)
        if not (sample := self._sample(new, failing)):
            return False
        broken = self.flow.ask(sample, self.left.reasons)
        share = len(broken) / len(sample)
        if share <= HARMFUL or share * reached <= SETBACK * len(failing):
            return False
        self.left.say(f"  undone: {len(broken)} of {len(sample)} tests fail that passed before")
        return True

    def note(self) -> None:
        """Note what is left on NumPy for each test: what is undone may do for some of them."""
        for entry in self.left.reasons:
            for test in self.left.suspects.get(entry, ()):
                self._known.setdefault(test, []).append(entry)

    def mend(self, failing: dict[str, Failure]) -> dict[str, Failure]:
        """Leave more on NumPy, as long as fewer tests fail; give those that do in the end and may not be given up."""
        if len(failing) > self.setbacks.least:
            failing = self.flow.go_back()
        self.left.say(f"looking for what mends some of {len(failing)} tests and breaks no others")
        self._together.forget()
        now, left = time.monotonic(), dict(failing)
        end = now + HALF * (self._late - now)
        while left and (found := self._in_time(left, end)) and (found := self._affordable(found, left)):
            left = self._taken(left, found)
        if not self.left.may_give_up(left):
            left = self._grouped(left)
        if not self.left.may_give_up(left):
            return left
        self.left.give_up(left)
        return {}

    def _grouped(self, failing: dict[str, Failure]) -> dict[str, Failure]:
        """Leave whole modules on NumPy for all tests that still fail, however much that is."""
        self.left.say(f"looking for modules that {len(failing)} tests need")
        modules = self._modules_for(failing, self.flow.ask, self._late)
        converted = self._converted_with(modules)
        is_much = not converted or converted < LITTLE * self._converted_with(()) and time.monotonic() < self._late
        if not modules or is_much or not self.budget.fits(self.plans.cost(modules)):
            return failing
        return self._taken(failing, dict.fromkeys(failing, modules))

    def _modules_for(self, failing: Mapping[str, Failure], ask: Ask, end: float) -> EntrySet:
        """Give modules that few failing tests need on NumPy, as few as are found until then."""
        self._together.learn(failing)
        quick = min(failing, key=lambda one: self.baseline.seconds.get(one, 0.0))
        grouping = Grouping(self.left, ask, self._sample, lambda some: self._together.likely(quick, some))
        return grouping.search(failing, lambda: time.monotonic() > end)

    def has_few(self) -> bool:
        """Tell whether few tests failed in the best run, too many to give up, and nothing has passed."""
        failed = self.setbacks.failed
        is_none = self.setbacks.nearest is None or self.flow.is_solved() or self.setbacks.good_enough is not None
        return not is_none and self.setbacks.are_few(failed)

    def in_haste(self) -> bool:
        """Leave whole modules on NumPy for few failing tests before the last run, however much; whether there are any.

        The state with fewest failing tests is what it begins with.
        """
        if not self.has_few():
            return False
        failing = self.flow.go_back()
        self.budget.share = 1.0
        modules = self._modules_for(failing, self.flow.ask_last, self.budget.last_trial)
        self.budget.share = self.plans.cost(modules)
        if not modules or not self._converted_with(modules) or not self.budget.has_run(has_best=False):
            return False
        self.left.keep({test: (failure, sorted(modules)) for test, failure in failing.items()})
        self.left.drop_covered()
        return True

    # ---------------------------------------------------------------------------------- what is proposed
    def _in_time(self, failing: Mapping[str, Failure], end: float) -> dict[str, EntrySet]:
        """Propose what there is time for until this end."""
        self._together.learn(failing)
        now = time.monotonic()
        with self.allowance.part() as is_used_up:
            late = min(end, now + PART * (self._late - now))
            self._is_over = lambda: is_used_up() or self.flow.is_late() or time.monotonic() > late
            found = self._found(failing)
            self.is_over = not found and not self._is_over()
        return found

    @property
    def _late(self) -> float:
        """The time from which on there is only enough for the last runs, whose first may show that more is needed."""
        return self.budget.late_with(LAST_RUNS, RESERVED)

    def _found(self, failing: Mapping[str, Failure]) -> dict[str, EntrySet]:
        """Give by test what it passes with, and what breaks none of the others that are asked."""
        if found := self._found_together(failing):
            return found
        found = {}
        waiting = sorted(failing, key=lambda one: self.baseline.seconds.get(one, 0.0))
        for step, test in [(step, test) for step in STEPS for test in waiting]:
            if test not in waiting:
                continue
            if self._is_over() or self.left.may_give_up(waiting):
                break
            entries = self._passes_with(test, step)
            every = entries.union(*found.values())
            if not entries or (test, entries) in self._refused or self._is_too_much(every):
                continue
            alike = [one for one in waiting if failing[one].error == failing[test].error or one == test]
            mended = self._mended(every, alike, self._sample(entries, failing))
            if test in mended:
                found[test] = entries
                waiting = [one for one in waiting if one not in mended]
            elif not found:  # with what was found for others it may pass in the next round, once that is settled
                self._refused.add((test, entries))
        return found

    def _found_together(self, failing: Mapping[str, Failure]) -> dict[str, EntrySet]:
        """Give by test what was found for all of them at once: what is known before, functions, then modules."""
        if found := self._allowed(failing):
            return found
        for are_modules in (False, True):
            for test, entries in self._together.look(failing, self._is_over, are_modules).items():
                self._proposed.setdefault(test, []).append(entries)
            if found := self._allowed(failing):
                break
        return found

    def _allowed(self, failing: Collection[str]) -> dict[str, EntrySet]:
        """Give of what was found for tests together what is not too much, the smallest first."""
        open_ones = [(test, entries) for test in failing for entries in self._proposed.get(test, ())]
        found: dict[str, EntrySet] = {}
        for test, entries in sorted(open_ones, key=lambda one: self._size(one[1])):
            is_open = test not in found and (test, entries) not in self._refused
            if is_open and not self._is_too_much(entries.union(*found.values())):
                found[test] = entries
        return found

    def _converted_with(self, more: Iterable[str]) -> int:
        return self.conversion.share([*self.left.reasons, *more]).converted

    def _is_too_much(self, more: Iterable[str]) -> bool:
        """Tell whether more would hold back too much, with all that was left on NumPy here before."""
        share = self.conversion.share
        before = (entry for entry in self.left.reasons if entry not in self.kept)
        return share([*self.left.reasons, *more]).converted < (1 - self._held) * share([*before]).converted

    def _mended(self, more: Iterable[str], asked: Sequence[str], sample: Collection[str]) -> set[str]:
        """Those of some failing tests that pass with more on NumPy; none where one of the sample fails then."""
        entries = [*self.left.reasons, *self.left.not_kept(sorted(more))]
        failing = self.flow.ask(concerned_tests({*asked, *sample}, self.baseline.order), entries)
        return set() if any(test in failing for test in sample) else {test for test in asked if test not in failing}

    def _passes_with(self, test: str, step: int) -> EntrySet:
        """Give what a test may pass with, as little as was found in time; nothing where all of it is not enough."""
        asked = frozenset(self.left.not_kept(self._candidates(test, step)))
        if step == KNOWN:
            return asked
        if (test, asked) not in self._narrowed:
            self._narrowed[test, asked] = self._fewest(test, self._together.likely(test, sorted(asked)))
        return self._narrowed[test, asked]

    def _candidates(self, test: str, step: int) -> Iterable[str]:
        """Give what is tried: what was left before, what the test runs, the modules of that, of its file, imports."""
        if step == KNOWN:
            return self._known.get(test, ())
        if step == AROUND:
            return [self.conversion.wider(one)[-1] for one in self._together.harmful.get(test, ()) if ":" in one]
        runs = [one for one in self._runs(test) if self.conversion.has_sites(one)]
        if step == FUNCTIONS:
            return runs
        ran = self._modules_of(self._runs(test)) | self._own(test)
        if step == MODULES:
            return ran
        if step == FILE:
            file = test.partition("::")[0]
            beside = [one for one in self.baseline.order if one.partition("::")[0] == file]
            return ran.union(*(self._modules_of(self._runs(one)) for one in beside))
        return ran.union(self.conversion.imported_by(sorted(ran)))

    def _fewest(self, test: str, entries: Sequence[str]) -> EntrySet:
        """The fewest of some entries that a test passes with, in a few trials; none where all do not do."""
        is_enough = cache(lambda part: test in self._mended(part, [test], ()))
        if not entries or not is_enough(frozenset(entries)):
            return frozenset()
        for one in entries if len(entries) <= MOST_SINGLE else ():
            if not self._is_over() and is_enough(frozenset([one])):
                return frozenset([one])
        enough = frozenset(entries)
        asking = smallest(entries)
        try:
            part = frozenset(next(asking))
            for _ in range(MOST_TRIALS):
                if self._is_over():
                    break
                if is_enough(part) and len(part) < len(enough):
                    enough = part
                part = frozenset(asking.send(is_enough(part)))
        except StopIteration as done:
            enough = frozenset(done.value)
        return enough

    def _sample(self, entries: EntrySet, failing: Collection[str]) -> list[str]:
        """Passing tests that run what would stay on NumPy, the quick ones first, each with something that none has."""
        modules = self._modules_of(entries)
        seconds = self.baseline.seconds
        most = SAMPLED * sum(seconds.get(one, 0.0) for one in self.baseline.order)
        seen: set[str] = set()
        chosen: list[str] = []
        for test in sorted(self.baseline.order, key=lambda one: seconds.get(one, 0.0)):
            new = {one for one in self._runs(test) if one.partition(":")[0] in modules} - seen
            if not new or test in failing or chosen and seconds.get(test, 0.0) > most:
                continue
            most -= seconds.get(test, 0.0)
            seen |= new
            chosen.append(test)
            if len(chosen) == MOST_SAMPLED:
                break
        return chosen

    def _runs(self, test: str) -> Sequence[str]:
        return self.baseline.functions.get(test, ())

    def _own(self, test: str) -> EntrySet:
        own = self.conversion.module_of_test(test)
        return frozenset([own] if own else [])

    @staticmethod
    def _modules_of(entries: Iterable[str]) -> EntrySet:
        return frozenset(one.partition(":")[0] for one in entries)

    def _size(self, entries: Iterable[str]) -> int:
        return sum(map(self.conversion.sites_in, entries))

    # ------------------------------------------------------------------------------------- what is taken
    def _affordable(self, found: Mapping[str, EntrySet], failing: Collection[str]) -> dict[str, EntrySet]:
        """Give of what is proposed, the smallest first, what the next run has time for, and one after it."""
        chosen: dict[str, EntrySet] = {}
        is_last = self.left.may_give_up([test for test in failing if test not in found])
        reserve = 0.0 if is_last else LAST
        for test in sorted(found, key=lambda one: self._size(found[one])):
            cost = self.plans.cost(found[test].union(*chosen.values()))
            if self.budget.fits(cost + reserve):
                self.budget.share = cost
                chosen[test] = found[test]
        return chosen

    def _taken(self, failing: dict[str, Failure], found: Mapping[str, EntrySet]) -> dict[str, Failure]:
        """Leave on NumPy what is proposed; give what fails then. Where that is not less, what breaks others goes."""
        before, state = dict(self.left.reasons), self.trials.proof.state()
        best, kept, after = failing, before, state
        for _ in range(MOST_TAKEN):
            self.left.found.kept = dict(before)
            self.left.keep({test: (failing[test], self.left.not_kept(sorted(few))) for test, few in found.items()})
            self.left.drop_covered()
            now = self.flow.run()
            if any(failure.error == OVER for failure in now.values()):
                break
            self.setbacks.note(now)
            undone = "" if len(now) < len(failing) else "undone: "
            self.left.say(f"  {undone}{len(now)} tests fail, {len(failing)} did before")
            if len(now) < len(best):
                best, kept, after = now, dict(self.left.reasons), self.trials.proof.state()
                break
            broken = [test for test in now if test not in failing]
            self._refuse(found, broken, now)
            rest = {test: entries for test, entries in found.items() if (test, entries) not in self._refused}
            has_time = self.budget.fits(self.plans.cost(EntrySet().union(*rest.values())) + LAST)
            if not rest or not has_time:
                break
            found = rest
        self.kept += [one for one in kept if one not in before]
        self.left.found.kept = kept
        self.trials.proof.go_back(after)
        return best

    def _refuse(self, found: Mapping[str, EntrySet], broken: Sequence[str], failing: Collection[str]) -> None:
        """Propose no more what may have broken tests; where nothing tells what has, the largest."""
        passing = [test for test in self.baseline.order if test not in failing]
        harmful = guilty(self.baseline.functions, frozenset().union(*found.values()), broken, passing)
        gone = [test for test, entries in found.items() if entries & harmful]
        if not gone:
            gone = sorted(found, key=lambda one: self._size(found[one]))[len(found) // 2 :]
        self._refused.update((test, found[test]) for test in gone)
        self._together.harmful.update({test: found[test] for test in gone})
