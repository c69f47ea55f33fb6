"""Mends the last few failing tests one after another, where little would do and nothing more may break."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from np2torch.migrate.budget import Allowance
from np2torch.migrate.left_places import LeftPlaces
from np2torch.migrate.plans import Plans
from np2torch.migrate.runner import concerned_tests
from np2torch.migrate.setbacks import SETBACK, Setbacks
from np2torch.migrate.smallest import smallest
from np2torch.migrate.trials import OVER, Failure, Trials

Entries = frozenset[str]

STEPS = KNOWN, FUNCTIONS, MODULES, FILE, IMPORTS = range(5)
"""What is tried for a test: what was left for it and undone, what it runs, its modules, its file's, their imports."""
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
"""The share of what is converted that all of it may hold back: few tests are not worth more."""
MOST_RUNS = 2
"""For so many runs of all tests there has to be time, beside one that what follows may need."""
PART = 0.25
"""The share of the time that is left that is spent on what to leave there, before all that it concerns runs."""


class Flow(NamedTuple):
    """The search around it.

    Attributes
    ----------
    ask
        Gives those of some tests that fail with these entries on NumPy.
    run
        Runs the tests that what has changed concerns, and gives those that fail.
    go_back
        Goes back to the run of all tests that left fewest failing, and gives these.
    is_late
        Says when only so much time is left as such a run takes.
    is_solved
        Says whether something has passed.
    """

    ask: Callable[[Sequence[str], Collection[str]], Collection[str]]
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
        self._refused: set[tuple[str, Entries]] = set()
        self._narrowed: dict[tuple[str, Entries], Entries] = {}

    def after_run(self, failing: dict[str, Failure]) -> dict[str, Failure]:
        """See to what fails in a run of all tests; give those that are still to be solved.

        A setback is undone. Where few of many tests fail, too many to give up, and runs get nowhere, these are mended.
        """
        if self.flow.is_solved():
            return failing
        if self.setbacks.is_setback(failing):
            failing = self.flow.go_back()
        is_due = (self.setbacks.any or self.setbacks.is_stalled) and self._is_for(failing)
        return self.mend(failing) if is_due else failing

    def _is_for(self, failing: Collection[str]) -> bool:
        has_time = self.budget.has_time(MOST_RUNS * self.budget.run_seconds) and not self.flow.is_late()
        is_open = has_time and not self.is_over and not self.flow.is_solved()
        return is_open and self.setbacks.are_few(failing) and not self.left.may_give_up(failing)

    def before_run(self, failing: dict[str, Failure], before: dict[str, str]) -> None:
        """Undo what was left for few failing tests since, where it is nearly all or breaks many, and mend these."""
        new = frozenset(self.left.reasons).difference(before)
        if new and self._is_for(failing) and (self._is_nearly_all(before) or self._breaks_many(new, failing)):
            self.note()
            self.left.found.kept = before
            self.mend(failing)

    def _is_nearly_all(self, before: Collection[str]) -> bool:
        was, now = self.conversion.share(before), self.conversion.share(self.left.reasons)
        return was.converted > MOSTLY * was.sites and now.converted < HARDLY_ANY * was.converted

    def _breaks_many(self, new: Entries, failing: Collection[str]) -> bool:
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
        left = dict(failing)
        while left and (found := self._in_time(left)) and (found := self._affordable(found)):
            left = self._taken(left, found)
        if not self.left.may_give_up(left):
            return left
        self.left.give_up(left)
        return {}

    # ---------------------------------------------------------------------------------- what is proposed
    def _in_time(self, failing: Mapping[str, Failure]) -> dict[str, Entries]:
        """Propose what there is time for."""
        now = time.monotonic()
        with self.allowance.part() as is_used_up:
            late = now + PART * (self.budget.late - now)
            self._is_over = lambda: is_used_up() or self.flow.is_late() or time.monotonic() > late
            found = self._found(failing)
            self.is_over = not found and not self._is_over()
            return found

    def _found(self, failing: Mapping[str, Failure]) -> dict[str, Entries]:
        """Give by test what it passes with, and what breaks none of the others that are asked."""
        found: dict[str, Entries] = {}
        waiting = sorted(failing, key=lambda one: self.baseline.seconds.get(one, 0.0))
        for step, test in [(step, test) for step in STEPS for test in waiting]:
            if test not in waiting:
                continue
            if self._is_over():
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

    def _is_too_much(self, more: Iterable[str]) -> bool:
        """Tell whether more would hold back too much, with all that was left on NumPy here before."""
        share = self.conversion.share
        before = (entry for entry in self.left.reasons if entry not in self.kept)
        return share([*self.left.reasons, *more]).converted < (1 - HELD) * share([*before]).converted

    def _mended(self, more: Iterable[str], asked: Sequence[str], sample: Collection[str]) -> set[str]:
        """Those of some failing tests that pass with more on NumPy; none where one of the sample fails then."""
        entries = [*self.left.reasons, *self.left.not_kept(sorted(more))]
        failing = self.flow.ask(concerned_tests({*asked, *sample}, self.baseline.order), entries)
        return set() if any(test in failing for test in sample) else {test for test in asked if test not in failing}

    def _passes_with(self, test: str, step: int) -> Entries:
        """Give what a test may pass with, as little as was found in time; nothing where all of it is not enough."""
        asked = frozenset(self.left.not_kept(self._candidates(test, step)))
        if step == KNOWN:
            return asked
        if (test, asked) not in self._narrowed:
            self._narrowed[test, asked] = self._fewest(test, sorted(asked, key=self._rank))
        return self._narrowed[test, asked]

    def _candidates(self, test: str, step: int) -> Iterable[str]:
        """Give what is tried: what was left before, what the test runs, the modules of that, of its file, imports."""
        if step == KNOWN:
            return self._known.get(test, ())
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

    def _fewest(self, test: str, entries: Sequence[str]) -> Entries:
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

    def _sample(self, entries: Entries, failing: Collection[str]) -> list[str]:
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

    def _own(self, test: str) -> Entries:
        own = self.conversion.module_of_test(test)
        return frozenset([own] if own else [])

    @staticmethod
    def _modules_of(entries: Iterable[str]) -> Entries:
        return frozenset(one.partition(":")[0] for one in entries)

    def _rank(self, entry: str) -> tuple[int, str]:
        return self.conversion.sites_in(entry), entry

    def _size(self, entries: Iterable[str]) -> int:
        return sum(map(self.conversion.sites_in, entries))

    # ------------------------------------------------------------------------------------- what is taken
    def _affordable(self, found: Mapping[str, Entries]) -> dict[str, Entries]:
        """Give of what is proposed, the smallest first, what the next run has time for."""
        chosen: dict[str, Entries] = {}
        for test in sorted(found, key=lambda one: self._size(found[one])):
            cost = self.plans.cost(found[test].union(*chosen.values()))
            if self.budget.fits(cost):
                self.budget.share = cost
                chosen[test] = found[test]
        return chosen

    def _taken(self, failing: dict[str, Failure], found: Mapping[str, Entries]) -> dict[str, Failure]:
        """Leave on NumPy what is proposed; give what fails then, and undo it where that is not less."""
        before, state = dict(self.left.reasons), self.trials.proof.state()
        self.left.keep({test: (failing[test], self.left.not_kept(sorted(few))) for test, few in found.items()})
        self.left.drop_covered()
        now = self.flow.run()
        if not any(failure.error == OVER for failure in now.values()):
            self.setbacks.note(now)
            if len(now) < len(failing):
                self.kept += [one for one in self.left.reasons if one not in before]
                self.left.say(f"  {len(now)} tests fail; {len(self.left.reasons)} places stay on NumPy")
                return now
        self.left.say(f"  undone: {len(now)} tests fail, {len(failing)} did before")
        self.left.found.kept = before
        self.trials.proof.go_back(state)
        self._refuse(found, [test for test in now if test not in failing])
        return failing

    def _refuse(self, found: Mapping[str, Entries], broken: Sequence[str]) -> None:
        """Propose no more what may have broken tests; where that may be any of it, the largest."""
        modules = {one.partition(":")[0] for test in broken for one in self._runs(test)}
        guilty = [test for test, entries in found.items() if modules & self._modules_of(entries)]
        if len(guilty) == len(found) > 1 or not guilty:
            guilty = sorted(found, key=lambda one: self._size(found[one]))[len(found) // 2 :]
        self._refused.update((test, found[test]) for test in guilty)
