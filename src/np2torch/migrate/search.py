"""The search for what has to stay on NumPy, so that all that passed there passes on torch, in few runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from np2torch.facts.guards import GUARDS
from np2torch.migrate.budget import Budget
from np2torch.migrate.hunts import Hunt, Trial, follow
from np2torch.migrate.runner import concerned
from np2torch.migrate.smallest import answered, asked_as, smallest
from np2torch.migrate.trials import OVER, Failure, Trials
from np2torch.names.keeping import TOP

MOST_FULL = 3
"""Runs of all tests on torch after each of which the smallest places are looked for."""
MOST_WIDER = 5
"""Further runs, after each of which more modules are left on NumPy."""
MOST_ROUNDS = 10
"""Runs of the tests that fail, between two runs of all."""
MOST_STUCK, FEWER = 2, 0.75
"""After so many rounds that leave more than this share of the tests failing, more is left on NumPy at a time."""
CALLED, MODULES = 0, 1
"""What is left on NumPy where the culprits are not found: what the tests call, or their modules from the first."""
MOST_IMPORTS = 12
MOST_HUNTS = 6
"""Kinds of errors that are hunted in a round: others often have the same cause."""
MOST_SUSPECTS = 4
"""Tests that say whether a place can be converted again."""
MOST_NAMED = 4
ASSERTIONS = ("AssertionError", "Failed")
"""Errors that say nothing of where a wrong value came from."""
REFUSAL = re.compile(rf"TypeError: shim\.(?:{'|'.join(sorted(GUARDS))})\b")
"""The error of a guard that does not take what is passed."""


@dataclass
class Found:
    """What the search ends with.

    Attributes
    ----------
    kept
        Why each entry is left on NumPy.
    unguarded
        Why each function is converted without a guard.
    unsolved
        The tests that fail whatever is left there, with their errors.
    """

    kept: dict[str, str] = field(default_factory=dict)
    unguarded: dict[str, str] = field(default_factory=dict)
    unsolved: dict[str, str] = field(default_factory=dict)


class Search:
    """Looks for the culprits.

    Parameters
    ----------
    say
        Tells the user how far it has come.
    first
        What is left on NumPy in any case, with the reasons.

    Attributes
    ----------
    best
        The last that passed a run of all tests, and all imports; None while there is none.
    is_over
        Was there no time to see whether less may stay on NumPy?

    Notes
    -----
    What it ends with is the best, or where there is none the project as it was: every module left on NumPy. Where time
    is limited, the first that passes is looked for before anything is converted again; when the time comes near before
    it is there, all that the failing tests call is left on NumPy, then ever more modules.
    """

    def __init__(self, trials: Trials, say: Callable[[str], None], first: Mapping[str, str]) -> None:
        self.trials, self.conversion, self.baseline, self.say = trials, trials.conversion, trials.baseline, say
        self.found = Found(dict(first))
        self.given = self.fixed = frozenset(first)
        self.best: Found | None = None
        self.is_over = False
        self.budget = Budget(trials.runner.deadline, self.baseline.run_seconds)
        self.suspects: dict[str, set[str]] = {}
        """By entry, the tests for which it was left on NumPy."""
        self.untried: list[str] = []
        """Entries that may not have to stay."""
        self.converted_again: dict[str, str] = {}
        """Entries that were given up as not needed, with the reasons for which they were left once."""

    def is_late(self) -> bool:
        """Tell whether only so much time is left as the runs of all tests take that are still needed."""
        return self.budget.is_late(has_best=self.best is not None)

    def _has_run(self) -> bool:
        """Can all tests run once more?"""
        return self.budget.has_run(has_best=self.best is not None)

    def run(self, has_tests: bool) -> None:
        """Leave on NumPy what has to stay there."""
        self.imports()
        if has_tests and not self.is_over:
            self.tests()

    # ------------------------------------------------------------------------------------------- imports
    def imports(self) -> None:
        """Leave on NumPy what keeps modules from being imported: without them nothing else can be seen."""
        before = set(self.found.kept)
        failing = self._not_imported()
        for number in range(MOST_IMPORTS):
            if not failing or self.trials.runner.is_over():
                break
            if number >= MOST_IMPORTS // 2 or self.is_late():
                if not self._keep_more(failing):
                    break
            elif not self._add(failing, 0) and not self._silent_import(failing):
                break
            self.say(f"{len(failing)} modules cannot be imported; {len(self.found.kept)} places stay on NumPy")
            failing = self._not_imported()
        if new := [entry for entry in self.found.kept if entry not in before]:
            self.minimise(new)
            failing = self._not_imported()
            while failing and self._keep_more(failing):
                failing = self._not_imported()
        if failing and self.trials.runner.is_over():
            self._end()
        else:
            self.found.unsolved = {f"import {name}": failure.error for name, failure in failing.items()}

    def _not_imported(self) -> dict[str, Failure]:
        return self.trials.not_imported(self.found.kept, self.baseline.modules)

    def _silent_import(self, failing: Mapping[str, Failure]) -> bool:
        """Find what keeps the first of some modules from being imported where the error does not lead there."""
        name, failure = next(iter(failing.items()))

        def is_imported(part: Sequence[str]) -> bool:
            return not self.trials.not_imported([*self.found.kept, *part], [name])

        every = self._not_kept(self.conversion.everything())
        if not every or not is_imported(every):
            return False
        self.say(f"looking for what keeps {name} from being imported")
        return self._keep({name: (failure, answered(smallest(every), is_imported))})

    # --------------------------------------------------------------------------------------------- tests
    def tests(self) -> None:
        """Leave on NumPy what makes tests fail, until all pass; then convert again what can be."""
        passed: set[str] = set()
        left: set[str] = set()
        for number in range(MOST_FULL + MOST_WIDER):
            if not self._has_run() or self.best is not None and number > MOST_FULL:
                self._end()
                return
            failing = self._all_tests()
            if not failing:
                if self._is_best():
                    return
                continue
            tests, places = len(self.baseline.order), len(self.found.kept)
            self.say(f"{len(failing)} of {tests} tests fail; {places} places stay on NumPy")
            if self._has_run():
                self.trials.learn(failing)
            before = set(self.found.kept)
            self._put_back(failing)
            if number >= MOST_FULL or self.is_late():
                if not self._keep_more(failing, MODULES):  # all are left on NumPy: it is not for us that these fail
                    self._leave_out(failing)
                    return
            else:
                self._widen([name for name in failing if name in passed], before - left)
                passed, left = set(self.baseline.order) - set(failing), before
                self._settle(failing)
                self.untried += [entry for entry in self.found.kept if entry not in before]
                if not self.budget.is_limited:
                    self._convert_again()
        self._end("AssertionError: tests fail")

    def _all_tests(self) -> dict[str, Failure]:
        self.trials.runner.deadline = self.budget.last_end
        with self.budget.full_run():
            failing = self.trials.failures(self.found.kept, self.baseline.order, is_all=True)
        self.trials.runner.deadline = self.budget.last_end  # the imports come after it
        return failing

    def _is_best(self) -> bool:
        """All tests pass: see to the modules that none imports, and to what may be converted again; was there nothing?

        Where there was, all tests have to run once more.
        """
        before = set(self.found.kept)
        self.imports()
        if self.is_over:
            return True
        if before == set(self.found.kept):
            if self.best is None or self._share(self.found) >= self._share(self.best):
                self.best = Found(dict(self.found.kept), dict(self.found.unguarded), dict(self.found.unsolved))
            self._convert_again()
        return before == set(self.found.kept)

    def _share(self, found: Found) -> int:
        return self.conversion.share(found.kept).converted

    def _convert_again(self) -> None:
        untried, self.untried = self.untried, []
        self.minimise([entry for entry in untried if entry in self.found.kept])

    def _end(self, reason: str = OVER) -> None:
        """Nothing more can be seen: what it ends with is the best, else all modules stay on NumPy.

        That is the project as it was, whose tests have passed.
        """
        self.is_over = True
        if self.best is not None:
            self.found = self.best
            return
        self._keep({"": (Failure(reason), self._not_kept(self.conversion.all_modules()))})
        self.found.unsolved.clear()
        self._drop_covered()

    def _leave_out(self, failing: Collection[str]) -> None:
        """Tests that pass twice on NumPy and then fail on the same code are flaky."""
        self.baseline.flaky += failing
        self.baseline.order = [name for name in self.baseline.order if name not in failing]

    def _settle(self, failing: Mapping[str, Failure]) -> None:
        """Leave on NumPy what makes these tests fail, by runs of these alone."""
        stuck = 0
        for number in range(MOST_ROUNDS):
            if self.is_late():
                self._keep_more(failing, MODULES)
                return
            if number >= MOST_ROUNDS - 3 or stuck >= MOST_STUCK:
                if not self._keep_more(failing):
                    return
            elif not self._add(failing, number):
                self._hunt(failing)
            before, tests = len(failing), concerned(failing, self.baseline.order)
            failing = self.trials.failures(self.found.kept, tests)
            if not failing or not self._has_run():
                return
            stuck = stuck + 1 if len(failing) > FEWER * before else 0
            self.say(f"  {len(failing)} of these {len(tests)} fail; {len(self.found.kept)} places stay on NumPy")

    # --------------------------------------------------------------------------- what tracebacks tell
    def _add(self, failing: Mapping[str, Failure], number: int) -> bool:
        """Leave on NumPy where these errors come from, more from round to round; whether that is anything new."""
        freed: dict[str, str] = {}
        new: dict[str, tuple[Failure, Sequence[str]]] = {}
        for name, failure in failing.items():
            place = failure.places[0] if failure.places else ""
            if REFUSAL.match(failure.error) and place and self.conversion.is_guarded(place):
                freed.setdefault(place, failure.error)
            else:
                new[name] = failure, self._next(failure, number)
        self.found.unguarded.update(freed)
        self.conversion.unguarded = self.conversion.unguarded.union(freed)
        self._tell(freed, "without a guard")
        return self._keep(new) or bool(freed)

    def _next(self, failure: Failure, number: int) -> Sequence[str]:
        """What to try next: the innermost place, then all around it, what these read, what they are part of.

        A failed assertion speaks only of itself, which may ask too much.
        """
        places = failure.places
        if failure.error.startswith(ASSERTIONS):
            return self._not_kept(places[:1])
        if around := self._not_kept(places):
            return around if number else around[:1]
        if read := self._not_kept(entry for place in places for entry in self.conversion.read_by(place)):
            return read
        wider = (entry for place in places for entry in self.conversion.wider(place))
        families = (self._not_kept(self.conversion.family(entry)) for entry in wider)
        return next((family for family in families if family), [])

    def _keep(self, new: Mapping[str, tuple[Failure, Sequence[str]]]) -> bool:
        """Leave entries on NumPy, each for a test and its error; whether there are any."""
        entries: dict[str, str] = {}
        for name, (failure, places) in new.items():
            for entry in places:
                entries.setdefault(entry, failure.error)
                self.suspects.setdefault(entry, set()).add(name)
        self.found.kept.update(entries)
        self._tell(entries, "on NumPy")
        return bool(entries)

    def _tell(self, entries: Collection[str], what: str) -> None:
        if entries:
            self.say(f"  {what}: {_some(entries, MOST_NAMED)}")

    def _not_kept(self, entries: Iterable[str]) -> list[str]:
        """Those that are converted, also with what they are part of."""
        kept = self.found.kept
        unique = dict.fromkeys(entries)
        return [one for one in unique if one not in kept and not any(it in kept for it in self.conversion.wider(one))]

    # -------------------------------------------------------------------------------- what was too small
    def _keep_more(self, failing: Mapping[str, Failure], begin: int = CALLED) -> bool:
        """Leave ever more on NumPy for each of these tests or modules; whether there was any left."""
        new = {name: (failure, self._more(name, failure, begin)) for name, failure in failing.items()}
        is_new = self._keep(new)
        self._drop_covered()
        return is_new

    def _more(self, name: str, failure: Failure, begin: int) -> Sequence[str]:
        """What a test calls, the modules that it runs, those that they import, all around these, at last all."""
        own = self.conversion.module_of_test(name) if "::" in name else self.conversion.spelled.get(name)
        entries = [*self.baseline.functions.get(name, ()), *failure.places]
        called = [one for one in self._not_kept(entries) if self.conversion.has_sites(one)]
        if called and begin == CALLED:
            return called
        if own and ("::" in name or not entries):  # a module that cannot be imported is mostly not at fault itself
            entries.append(own)
        first = list(dict.fromkeys(one.partition(":")[0] for one in entries))
        wider = (list, self.conversion.imported_by, self.conversion.connected, lambda _: self.conversion.all_modules())
        return next(filter(None, (self._not_kept(modules(first)) for modules in wider)), [])

    def _drop_covered(self) -> None:
        """Leave out entries that are part of others."""
        for entry in list(self.found.kept):
            if entry not in self.given and any(one in self.found.kept for one in self.conversion.wider(entry)):
                del self.found.kept[entry]

    def _put_back(self, failing: Iterable[str]) -> None:
        """What was converted again, and a test that fails runs, stays on NumPy for good."""
        near = self._near(failing)
        back = {entry: why for entry, why in self.converted_again.items() if entry in near}
        self.found.kept.update(back)
        self.fixed |= back.keys()
        for entry in back:
            del self.converted_again[entry]

    def _widen(self, broken: Sequence[str], new: Collection[str]) -> None:
        """Methods whose border makes other tests fail: their classes stay on NumPy as a whole, with their families."""
        guilty: dict[str, str] = {}

        def asking(test: str, entries: Iterable[str]) -> Hunt:
            for entry in entries:
                if (yield Trial([test], fewer=frozenset([entry]))):
                    guilty[entry] = test

        methods = {entry for entry in new if "." in entry.partition(":")[2] and entry not in self.fixed}
        asked: dict[frozenset[str], str] = {}
        for test in broken:
            asked.setdefault(frozenset(methods & self._near([test])), test)
        self._follow([asking(test, sorted(entries)) for entries, test in asked.items()])
        for entry, test in guilty.items():
            self.say(f"  with its class: {entry}")
            reason = self.found.kept.pop(entry)
            for wider in self.conversion.family(self.conversion.wider(entry)[0]):
                self.found.kept.setdefault(wider, reason)
                self.suspects.setdefault(wider, set()).update({test} | self.suspects.get(entry, set()))
        self._drop_covered()

    # -------------------------------------------------------------------------------------------- hunts
    def _follow(self, hunts: Sequence[Hunt]) -> None:
        def ask(batches: Sequence[Sequence[Trial]]) -> list[list[bool]]:
            return self.trials.ask(self.found.kept, batches)

        def reach(trial: Trial) -> set[str]:
            return self._near([*trial.tests, *trial.company])

        follow(hunts, reach, ask, self.trials.width, self.is_late)

    def _near(self, tests: Iterable[str]) -> set[str]:
        """The entries that have to do with some tests: what they call, what that is part of, variables beside it."""
        called = {entry for test in tests for entry in self.baseline.functions.get(test, ())}
        modules = {entry.partition(":")[0] for entry in called}
        known = (*self.found.kept, *self.converted_again)
        beside = {one for one in known if one.partition(":")[0] in modules and self.conversion.is_variable(one)}
        around = {one for entry in called for one in self.conversion.wider(entry)}
        return called | around | beside | {f"{module}:{TOP}" for module in modules}

    def _hunt(self, failing: Mapping[str, Failure]) -> None:
        """Find what makes tests fail whose errors do not tell, one of each kind of error."""
        groups: dict[tuple[str, str], str] = {}
        for name in sorted(failing, key=lambda one: len(self._candidates([one]))):
            failure = failing[name]
            groups.setdefault((failure.error.partition(":")[0], next(iter(failure.places), "")), name)
        groups = dict(list(groups.items())[:MOST_HUNTS])
        for test in groups.values():
            place = next(iter(failing[test].places), "")
            if place not in self.fixed and self.suspects.get(place) == {test}:
                self.found.kept.pop(place, None)  # it was left on NumPy for its assertion, and fails all the same
        shown = [self.baseline.shown.get(test, test) for test in groups.values()]
        self.say(f"looking for what changes {_some(shown, 2)}")
        self._follow([self._look(test, failing[test]) for test in groups.values()])

    def _look(self, test: str, failure: Failure) -> Hunt:
        """Find what makes one test fail."""
        company: list[str] = []
        if (yield Trial([test])):
            company = yield from self._company(test)
            if not company:  # it fails only at times
                self._keep_more({test: failure})
                return
        run = [*company, test]
        self.trials.learn(run)
        for candidates in self._ever_more(run):
            if (yield self._with(candidates, test, company)):
                try:
                    candidates = yield from self._fewest(candidates, test, company)
                finally:  # also where the hunt is broken off, since it is late: all of these are enough
                    self._keep(dict.fromkeys(run, (failure, candidates)))
                return
        self._keep_more({test: failure})

    @staticmethod
    def _with(entries: Iterable[str], test: str, company: Sequence[str]) -> Trial:
        return Trial([test], frozenset(entries), company=company)

    def _fewest(
        self, candidates: Sequence[str], test: str, company: Sequence[str]
    ) -> Generator[Trial, bool, list[str]]:  # fmt: skip
        """Those of some entries that a test needs; of modules what it needs of them."""
        found = yield from asked_as(smallest(candidates), lambda part: self._with(part, test, company))
        parts = self._not_kept(one for one in self.conversion.everything() if one.partition(":")[0] in found)
        if parts and (yield self._with(parts, test, company)):  # modules were found
            found = yield from asked_as(smallest(parts), lambda part: self._with(part, test, company))
        return found

    def _company(self, test: str) -> Generator[Trial, bool, list[str]]:
        """The tests that have to run before one for it to fail; none where it passes whatever runs before."""
        order = self.baseline.order
        before = order[: order.index(test)][::-1]
        if not before or (yield Trial([test], company=before)):
            return []
        asking = smallest(before)
        part = next(asking, None)
        try:
            while part is not None:
                part = asking.send(not (yield Trial([test], company=part)))
        except StopIteration as end:
            before = end.value
        return before

    def _candidates(self, tests: Iterable[str]) -> list[str]:
        """What these tests run that has something to convert, and is converted; the last to begin comes first."""
        found = dict.fromkeys(entry for test in tests for entry in reversed(self.baseline.functions.get(test, ())))
        return [one for one in self._not_kept(found) if self.conversion.has_sites(one)]

    def _ever_more(self, tests: Sequence[str]) -> Iterable[list[str]]:
        """What may be at fault: what the tests run, then all of the modules that lies in, then any module."""
        first = self._candidates(tests)
        if first:
            yield first
        modules = {one.partition(":")[0] for test in tests for one in self.baseline.functions.get(test, ())}
        every = self._not_kept(self.conversion.everything())
        near = [one for one in every if one.partition(":")[0] in modules and self.conversion.has_sites(one)]
        if len(near) > len(first):
            yield near
        yield self._not_kept(self.conversion.all_modules())

    # ----------------------------------------------------------------------------------------- smaller
    def minimise(self, entries: Iterable[str]) -> None:
        """Convert again what of these entries need not stay on NumPy, each by tests for which it was left there."""
        waiting = sorted(entries, key=self.conversion.sites_in, reverse=True)
        if waiting and not self.is_late():
            self.say(f"trying to convert {len(waiting)} places again")
            self._follow([self._again(entry) for entry in waiting])

    def _again(self, entry: str) -> Hunt:
        """Convert an entry again where the tests allow it, or as much of it as they allow."""
        suspects = self.suspects.get(entry, set())
        modules = sorted(suspects & set(self.baseline.modules))
        tests = sorted(suspects & set(self.baseline.order), key=lambda one: self.baseline.seconds.get(one, 0.0))
        without = Trial(tests[:MOST_SUSPECTS], fewer=frozenset([entry]), modules=modules)
        if (yield without):
            self.converted_again[entry] = self.found.kept.pop(entry)
            return
        inside = [one for one in self.conversion.everything() if entry in self.conversion.wider(one)]
        near = self._near(tests)  # what the tests run comes first
        parts = [one for one in inside if self.conversion.has_sites(one) or one.endswith(TOP)]
        parts.sort(key=lambda one: one not in near)
        if len(parts) > 1 and (yield without._replace(more=frozenset(parts))):
            needed = yield from asked_as(smallest(parts), lambda part: without._replace(more=frozenset(part)))
            reason = self.found.kept.pop(entry)
            for one in needed:
                self.found.kept[one] = reason
                self.suspects.setdefault(one, set()).update(suspects)


def _some(names: Collection[str], most: int) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{', '.join(list(names)[:most])}{more}"
