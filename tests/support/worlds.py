"""Projects made up for the search of `np2torch migrate`: what their tests call, need and do not bear."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Collection, Mapping
from types import MappingProxyType, SimpleNamespace
from typing import Any

from np2torch.migrate import budget as budgets
from np2torch.migrate.conversion import Share
from np2torch.migrate.search import Search
from np2torch.migrate.trials import GIVEN_UP, Baseline, Failure

MODULES, FUNCTIONS = 6, 5
FULL, FEW = 10.0, 1.0
"""Seconds of a run of all tests, and of one of some."""


class World:
    """A project whose tests pass once all that each needs is left on NumPy, and nothing that it does not bear.

    Parameters
    ----------
    seed
        Decides what the tests call, need and do not bear.
    deadline
        When the time ends, by the world's own clock.
    good
        The more, the fewer tests need anything.
    pairs
        The share of tests two of whose functions stay both or none.
    core
        So many functions are called by all tests.
    causes
        So many functions have to stay for all tests that call them; 0 for others with each test.
    slow
        So many times as long a test takes where all that it calls is converted.
    calls
        So many functions each test calls beside the core.
    """

    def __init__(
        self, seed: int, deadline: float, modules: int = MODULES, tests: int = 12, good: int = 2, pairs: float = 0.0,
        core: int = 0, slow: float = 1.0, causes: int = 0, calls: int = 6,
    ) -> None:  # fmt: skip
        draw = random.Random(seed)
        self.slow = slow
        culprits = draw.sample(range(core, modules * FUNCTIONS), causes) if causes else []
        self.now, self.full_runs = 0.0, 0
        self.every = [f"m{i}:f{j}" for i in range(modules) for j in range(FUNCTIONS)]
        self.baseline = Baseline(run_seconds=FULL, modules=[f"m{i}" for i in range(modules)])
        self.needs: dict[str, frozenset[str]] = {}
        self.told: dict[str, bool] = {}
        self.breaks: dict[str, str] = {}
        self.pairs: dict[str, tuple[str, str]] = {}
        for number in range(tests):
            test = f"t.py::test_{number}"
            called = [*self.every[:core], *draw.sample(self.every[core:], calls)]
            self.baseline.order.append(test)
            self.baseline.functions[test] = called
            self.needs[test] = frozenset(draw.sample(called, draw.choice([*[0] * good, 1, 2])))
            if causes:
                self.needs[test] = frozenset(one for one in called if self.every.index(one) in culprits)
            self.told[test] = draw.random() < 0.5
            if draw.random() < 0.4 / good:  # a border on which it fails, unless the whole module stays
                self.breaks[test] = draw.choice([one for one in called if one not in self.needs[test]])
            if pairs and draw.random() < pairs:
                self.pairs[test] = called[0], called[1]
        self.width, self.copies = 1, None
        self.on_numpy = dict.fromkeys(self.baseline.order, 1.0)
        self.baseline.seconds.update(self.on_numpy)
        self.runner = SimpleNamespace(deadline=deadline, is_over=lambda: self.now > self.runner.deadline)
        self.runner.stop_at = lambda end: setattr(self.runner, "deadline", end)
        self.conversion = self.proof = self
        self.passing: set[str] = set()
        self.ran: set[str] = set()
        self.left: frozenset[str] = frozenset()
        self.is_begun = self.is_whole = False
        self.asked = Counter[str]()
        self.called = self.baseline.functions

    few = FEW
    pace = gain = 1.0
    preparation = 0.0
    """Seconds before the tests of the first trial begin, which nothing can cut off."""

    # tests whose errors have other reasons
    hopeless: frozenset[str] = frozenset()
    """They fail whatever is converted, once the search has begun."""
    moody: frozenset[str] = frozenset()
    """They pass each third time that they run in a fresh process, and in others."""

    stubborn: frozenset[str] = frozenset()
    """They pass only with all modules on NumPy."""
    whole: Mapping[str, frozenset[str]] = MappingProxyType({})
    """By test, the modules that have to stay as a whole for it."""
    brittle = math.inf
    """With so many modules on NumPy as a whole, but not all, a test fails that calls any of these and others."""

    frail: frozenset[str] = frozenset()
    """The functions that, left on NumPy without the rest of their modules, make tests fail that call them."""

    # what the search asks of a conversion
    guarded: frozenset[str] = frozenset()
    """The functions whose guards refuse what tests pass them."""
    unguarded: frozenset[str] = frozenset()
    seconds = 20.0
    """Of an analysis."""
    spelled: dict[str, str] = {}  # noqa: RUF012

    def everything(self):
        return list(self.every)

    def all_modules(self):
        return list(self.baseline.modules)

    imported_by = connected_files = lambda self, some: list(some)

    def wider(self, entry):
        return [entry.partition(":")[0]] if ":" in entry else []

    def family(self, entry):
        return [entry]

    def has_sites(self, entry):
        return True

    def sites_in(self, entry):
        return 1 if ":" in entry else FUNCTIONS

    def share(self, entries):
        left = {one for one in self.every if self._is_kept(one, set(entries))}
        return Share(len(self.every) - len(left), len(self.every))

    def is_variable(self, entry):
        return False

    def is_guarded(self, entry):
        return entry in self.guarded - self.unguarded

    def read_by(self, entry):
        return []

    def module_of_test(self, test):
        return None

    # what it asks of trials
    def _is_kept(self, entry, kept):
        return entry in kept or entry.partition(":")[0] in kept

    def passes(self, test, kept):
        modules = kept.intersection(self.baseline.modules)
        if test in self.stubborn and len(modules) < len(self.baseline.modules):
            return False
        if not modules.issuperset(self.whole.get(test, ())):
            return False
        if self.brittle <= len(modules) and len({self._is_kept(one, modules) for one in self.called[test]}) == 2:
            return False
        if len({self._is_kept(one, kept) for one in self.pairs.get(test, ())}) == 2:
            return False
        if any(one in kept and one.partition(":")[0] not in kept for one in self.frail.intersection(self.called[test])):
            return False
        border = self.breaks.get(test, "")
        at_border = border in kept and border.partition(":")[0] not in kept
        return not at_border and not self._missing(test, kept)

    def _missing(self, test, kept):
        solved = self.guarded & self.unguarded
        return sorted(one for one in self.needs[test] if one not in solved and not self._is_kept(one, kept))

    def failures(self, kept, tests, is_all=False, together=False):
        if not is_all:
            self.now, self.preparation = self.now + self.preparation, 0.0
        begin = self.now
        seconds = FULL * self._time(tests, {*kept}) / len(self.baseline.order)
        self.now += max(seconds, FULL / 10) if is_all else self.few if self.slow == 1 else max(self.few, seconds)
        self.baseline.seconds.update({one: self._time([one], {*kept}) for one in tests if is_all})
        self.pace = self._time(tests, {*kept}) / len(tests) if is_all else self.pace
        self.full_runs += is_all and len(tests) == len(self.baseline.order)
        if self.now > self.runner.deadline:  # it is ended
            self.now = math.nextafter(max(begin, self.runner.deadline), math.inf)
            return {test: Failure("TimeoutError: the time was over") for test in tests}
        kept = set(kept)
        self.asked.update(tests if is_all else ())
        bad = {*self.hopeless, *(one for one in self.moody if is_all and self.asked[one] % 3)}
        failing = [test for test in tests if test in bad or not self.passes(test, kept)]
        if is_all:
            self._note(kept, tests, failing)
        return {test: self._failure(test, kept) for test in failing}

    def _time(self, tests, kept):
        """The time of some tests, in those of tests on NumPy."""
        calls = [[self._is_kept(entry, kept) for entry in self.baseline.functions[test]] for test in tests]
        return sum(1 + (self.slow - 1) * (1 - sum(few) / len(few)) for few in calls)

    def _failure(self, test, kept):
        left = self._missing(test, kept)
        if not left or not self.told[test]:
            return Failure("AssertionError: 1 != 2")
        return Failure("TypeError: shim.tensor: no" if self.is_guarded(left[0]) else "TypeError: no", left[:1])

    # what it asks of the proof
    def _note(self, kept, tests, failing):
        is_all = len(tests) == len(self.baseline.order)
        self.passing = (self.passing | set(tests)) - set(failing)
        self.left, self.is_whole = frozenset(kept), is_all and not failing
        self.ran |= {*tests}
        self.is_begun |= self.ran.issuperset(self.baseline.order)

    def state(self):
        return set(self.passing), self.left, set(self.ran), self.is_begun, self.is_whole

    def go_back(self, state):
        self.passing, self.left, self.ran = set(state[0]), state[1], set(state[2])
        self.is_begun, self.is_whole = state[3:]

    def part_on_numpy(self, tests):
        return len([*tests]) / len(self.baseline.order)

    def begin_on_numpy(self, called):
        self._note(self.baseline.modules, self.baseline.order, ())

    def tests_to_run(self, kept):
        kept = set(kept)
        how = ((self._how(one, kept), self._how(one, self.left)) for one in self.every)
        changed = {entry for entry, (now, before) in zip(self.every, how, strict=True) if now != before}
        return [one for one in self.baseline.order if one not in self.passing or self._calls(one, changed)]

    def _how(self, entry, kept):
        return self._is_kept(entry, kept), entry.partition(":")[0] in kept

    def cost(self, entries):
        left = {one for one in self.every if self._is_kept(one, set(entries))}
        called = [one for one in self.baseline.order if self._calls(one, left)]
        every = sum(self.baseline.seconds.get(one, 1.0) for one in self.baseline.order)
        return max(0.1, self._time(called, {*self.left, *entries}) / every)

    def _calls(self, test, entries):
        return not entries.isdisjoint(self.baseline.functions[test])

    def learn(self, tests):
        self.now = min(self.now + self.few, max(self.now, self.runner.deadline))

    def ask(self, kept, batches):
        answers = []
        for batch in batches:
            fewer = frozenset().union(*(trial.fewer for trial in batch))
            more = frozenset().union(*(trial.more for trial in batch))
            failing = self.failures(({*kept} - fewer) | more, [one for trial in batch for one in trial.tests])
            answers.append([not any(one in failing for one in trial.tests) for trial in batch])
        return answers

    def not_imported(self, kept, modules, is_trial=False):
        return {}


def searched(
    monkeypatch, seed: int, deadline: float = math.inf, guarded: frozenset[str] = frozenset(),
    hopeless: frozenset[str] = frozenset(), moody: frozenset[str] = frozenset(),
    few: float = FEW, preparation: float = 0.0, start: Mapping[str, str] = MappingProxyType({}),
    hasty: Collection[str] = (), stubborn: frozenset[str] = frozenset(), may_fail: float = GIVEN_UP,
    whole: Mapping[str, frozenset[str]] = MappingProxyType({}), brittle: float = math.inf,
    frail: frozenset[str] = frozenset(), **size: Any,
) -> tuple[World, Search]:  # fmt: skip
    world = World(seed, deadline, **size)
    world.guarded, world.hopeless, world.moody, world.few = guarded, hopeless, moody, few
    world.preparation, world.stubborn, world.baseline.may_fail = preparation, stubborn, may_fail
    world.whole, world.brittle, world.frail = whole, brittle, frail
    monkeypatch.setattr(budgets.time, "monotonic", lambda: world.now)
    search = Search(world, lambda line: None, start, hasty)
    search.run(has_tests=True)
    return world, search
