"""The search for what has to stay on NumPy, so that all that passed there passes on torch."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue

from np2torch.facts.guards import GUARDS
from np2torch.migrate.conversion import Conversion, modules_of
from np2torch.migrate.copies import Copy
from np2torch.migrate.results import WHOLE, Outcomes, Result
from np2torch.migrate.runner import Runner, concerned, frames_in
from np2torch.migrate.smallest import smallest

MOST_ROUNDS = 200
MOST_NAMED = 4
ASSERTIONS = ("AssertionError", "Failed")
"""Errors that say nothing of where a wrong value came from."""
REFUSAL = re.compile(rf"TypeError: shim\.(?:{'|'.join(sorted(GUARDS))})\b")
"""The error of a guard that does not take what is passed."""


@dataclass
class Baseline:
    """What the tests do on NumPy.

    Attributes
    ----------
    order
        The tests that pass there both times, as they ran.
    flaky
        Those that do once.
    functions
        What each of them calls, as entries.
    modules
        The names of the modules that can be imported.
    output
        What a command that is not pytest prints, where it prints that each time.
    """

    order: list[str] = field(default_factory=list)
    flaky: list[str] = field(default_factory=list)
    functions: Mapping[str, Sequence[str]] = field(default_factory=dict)
    modules: list[str] = field(default_factory=list)
    shown: Mapping[str, str] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
    output: str | None = None


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
    copies
        Where the converted project is run, several at a time.
    say
        Tells the user how far it has come.
    first
        What is left on NumPy in any case, with the reasons.
    """

    def __init__(
        self, conversion: Conversion, runner: Runner, copies: Sequence[Copy], baseline: Baseline,
        say: Callable[[str], None], first: Mapping[str, str],
    ) -> None:  # fmt: skip
        self.conversion, self.runner, self.baseline, self.say = conversion, runner, baseline, say
        self.copies: SimpleQueue[Copy] = SimpleQueue()
        for copy in copies:
            self.copies.put(copy)
        self.threads = ThreadPoolExecutor(len(copies))
        self.found = Found(dict(first))
        self.fixed = frozenset(first)
        self.suspects: dict[str, set[str]] = {}
        """By entry, the tests for which it was left on NumPy."""
        self.passed: set[str] = set()
        """The tests that passed in the last run of all, and what was left on NumPy then."""
        self.left: set[str] = set()

    # ---------------------------------------------------------------------------------------------- runs
    @contextmanager
    def _copy(self, entries: Collection[str]) -> Iterator[Copy]:
        copy = self.copies.get()
        try:
            self.conversion.write(copy, entries)
            yield copy
        finally:
            self.copies.put(copy)

    def outcomes(self, entries: Collection[str], tests: Sequence[str] | None) -> tuple[Outcomes, dict[str, list[str]]]:
        """A run with these entries left, and the entries that its errors lead to, the innermost first."""
        with self._copy(entries) as copy:
            is_all = tests is None or len(tests) == len(self._open())  # what counts in the end is a fresh process
            found = self.runner.run(copy, tests if WHOLE not in self.baseline.order else None, fresh=is_all)
            self._compare_output(found)
            places = {name: self._places(result, copy) for name, result in found.tests.items() if not result.is_good}
            for name, result in found.uncollected.items():
                places[name] = self._places(result, copy)
            if found.is_pytest and not found.tests and not found.uncollected:  # it ended before it began
                lost = Result("failed", error=found.output.strip()[-200:], frames=frames_in(found.output))
                found.uncollected[""], places[""] = lost, self._places(lost, copy)
        return found, places

    def _compare_output(self, found: Outcomes) -> None:
        """Of a command that is not pytest, what it prints counts as well."""
        result = found.tests.get(WHOLE)
        if result is not None and result.is_good and self.baseline.output is not None:
            from np2torch.verify.output import text_difference  # it imports both NumPy and torch

            different = text_difference(self.baseline.output, found.output)
            if different is not None:
                result.outcome, result.error = "failed", f"AssertionError: it prints something else: {different}"

    def _places(self, result: Result, copy: Copy) -> list[str]:
        found = (self.conversion.of_frame(frame, copy) for frame in reversed(result.frames))
        return list(dict.fromkeys(one for one in found if one is not None))

    def _pass(self, sets: Sequence[Collection[str]], tests: Sequence[str]) -> list[bool]:
        """For each set of entries: do all these tests pass with it?"""

        def one(entries: Collection[str]) -> bool:
            found, _ = self.outcomes(entries, tests)
            return found.good() >= set(tests)

        return list(self.threads.map(one, sets))

    # ------------------------------------------------------------------------------------------- imports
    def _modules(self, names: Collection[str]) -> list[tuple[str, Path, Path]]:
        paths = [path for path, name in self.conversion.modules.items() if name in names]
        return modules_of(self.conversion, paths)

    def imports(self) -> None:
        """Leave on NumPy what keeps modules from being imported: without them nothing else can be seen."""
        listed = self._modules(set(self.baseline.modules))
        for _ in range(MOST_ROUNDS):
            with self._copy(self.found.kept) as copy:
                results = self.runner.imports(copy, listed, fresh=False).tests
                failing = {name: result for name, result in results.items() if not result.is_good}
                places = {name: self._places(result, copy) for name, result in failing.items()}
            if not self._add({name: (failing[name].error, places[name]) for name in failing}):
                if not failing or not self._silent_import(listed, failing):
                    break
            self.say(f"{len(failing)} modules cannot be imported; {len(self.found.kept)} places stay on NumPy")
        self.found.unsolved.update({f"import {name}": result.error for name, result in failing.items()})

    def _silent_import(self, listed: Sequence[tuple[str, Path, Path]], failing: Mapping[str, Result]) -> bool:
        """Find what keeps the first of some modules from being imported where the error does not lead there."""
        name, result = next(iter(failing.items()))
        asked = [one for one in listed if one[0] == name]

        def imported(parts: Sequence[Sequence[str]]) -> list[bool]:
            return [self._is_imported([*self.found.kept, *part], asked) for part in parts]

        every = [one for one in self.conversion.everything() if not self._is_kept(one)]
        if not every or not imported([every])[0]:
            return False
        self.say(f"looking for what keeps {name} from being imported")
        found = smallest(every, imported)
        self.say(f"  on NumPy: {', '.join(found)}")
        for entry in found:
            self.found.kept[entry] = result.error
            self.suspects.setdefault(entry, set()).add(name)
        return True

    def _is_imported(self, entries: Collection[str], modules: Sequence[tuple[str, Path, Path]]) -> bool:
        with self._copy(entries) as copy:
            return len(self.runner.imports(copy, modules, fresh=False).good()) == len(modules)

    # --------------------------------------------------------------------------------------------- tests
    def tests(self) -> None:
        """Leave on NumPy what makes tests fail, until all pass."""
        wanted: list[str] | None = None
        for _ in range(MOST_ROUNDS):
            asked = wanted if wanted is not None else self._open()
            found, places = self.outcomes(self.found.kept, asked)
            failing = [name for name in asked if name not in found.good()]
            if not failing:
                if wanted is None:
                    return
                wanted = None
                continue
            self.say(f"{len(failing)} of {len(asked)} tests fail; {len(self.found.kept)} places stay on NumPy")
            if wanted is None:
                broken = [name for name in failing if name in self.passed]
                is_wider = self._widen(broken)
                self.passed, self.left = found.good(), set(self.found.kept)
                if is_wider:
                    continue
            errors = {name: self._error(name, found, places) for name in failing}
            if not self._add({name: (error, self._told(error, found)) for name, (error, found) in errors.items()}):
                self._silent(failing, errors)
            wanted = [name for name in failing if name not in self.found.unsolved]
            wanted = wanted or None
        found, places = self.outcomes(self.found.kept, self._open())
        lost = [name for name in self._open() if name not in found.good()]
        self.found.unsolved.update({name: self._error(name, found, places)[0] for name in lost})

    def _told(self, error: str, places: list[str]) -> list[str]:
        """The places that an error speaks of: a failed assertion only of itself, which may ask too much."""
        if error.startswith(ASSERTIONS):
            return [] if not places or self._is_kept(places[0]) else places[:1]
        return places

    def _widen(self, broken: Sequence[str]) -> bool:
        """Methods whose border makes other tests fail: their classes stay on NumPy as a whole."""
        new = [entry for entry in self.found.kept if entry not in self.left and "." in entry.partition(":")[2]]
        if not broken or not new:
            return False
        without = [[one for one in self.found.kept if one != entry] for entry in new]
        guilty = [entry for entry, good in zip(new, self._pass(without, broken[:1]), strict=True) if good]
        for entry in guilty:
            self.say(f"  with its class: {entry}")
            reason, tests = self.found.kept.pop(entry), self.suspects.get(entry, set())
            for wider in self.conversion.family(self.conversion.wider(entry)[0]):
                self.found.kept.setdefault(wider, reason)
                self.suspects.setdefault(wider, set()).update(tests | set(broken))
        for entry in list(self.found.kept):
            if entry not in self.fixed and any(one in self.found.kept for one in self.conversion.wider(entry)):
                del self.found.kept[entry]
        return bool(guilty)

    def _open(self) -> list[str]:
        return [name for name in self.baseline.order if name not in self.found.unsolved]

    @staticmethod
    def _error(name: str, found: Outcomes, places: Mapping[str, list[str]]) -> tuple[str, list[str]]:
        """The error of a test and where it leads; of one that did not run that of its module."""
        if name in found.tests and found.tests[name].outcome:
            return found.tests[name].error or found.tests[name].outcome, places.get(name, [])
        for above in (name.partition("::")[0], ""):
            if above in found.uncollected:
                return found.uncollected[above].error, places.get(above, [])
        return "it did not run", []

    def _add(self, errors: Mapping[str, tuple[str, list[str]]]) -> bool:
        """Leave on NumPy where these errors come from; whether that is anything new."""
        new: dict[str, str] = {}
        freed: dict[str, str] = {}
        for name, (error, places) in errors.items():
            if REFUSAL.match(error) and places and self.conversion.is_guarded(places[0]):
                freed.setdefault(places[0], error)
                continue
            for entry in self._next(places):
                new.setdefault(entry, error)
                self.suspects.setdefault(entry, set()).add(name)
        self.found.kept.update(new)
        self.found.unguarded.update(freed)
        self.conversion.unguarded = self.conversion.unguarded.union(freed)
        for entries, what in ((new, "on NumPy"), (freed, "without a guard")):
            if entries:
                more = f" and {len(entries) - MOST_NAMED} more" if len(entries) > MOST_NAMED else ""
                self.say(f"  {what}: {', '.join(list(entries)[:MOST_NAMED])}{more}")
        return bool(new or freed)

    def _next(self, places: Sequence[str]) -> list[str]:
        """What to try next: the innermost place, then those around it, then what these are part of."""
        for place in places:
            if not self._is_kept(place):
                return [place]
        for place in places:
            names = [one for one in self.conversion.read_by(place) if not self._is_kept(one)]
            if names:
                return names
        for place in places:
            for wider in self.conversion.wider(place):
                family = [one for one in self.conversion.family(wider) if not self._is_kept(one)]
                if family:
                    return family
        return []

    def _is_kept(self, entry: str) -> bool:
        return entry in self.found.kept or any(one in self.found.kept for one in self.conversion.wider(entry))

    # -------------------------------------------------------------------------------------------- silent
    def _silent(self, failing: Sequence[str], errors: Mapping[str, tuple[str, list[str]]]) -> None:
        """Find what makes one of these tests fail, of which the error does not tell."""
        test = min(failing, key=lambda name: len(self._candidates([name])))
        error, places = errors[test]
        for place in places[:1]:  # it was left on NumPy for its assertion, and fails all the same
            if place not in self.fixed and self.suspects.get(place) == {test}:
                self.found.kept.pop(place, None)
        company = self._company(test)
        if company is None:
            self.found.unsolved[test] = f"{error} (only at times)"
            return
        run = [*company, test]
        self.say(f"looking for what changes {self.baseline.shown.get(test, test)}")
        for candidates in self._ever_more(run):
            if self._pass([[*self.found.kept, *candidates]], run)[0]:
                culprits = smallest(
                    candidates, lambda parts: self._pass([[*self.found.kept, *part] for part in parts], run)
                )
                self.say(f"  on NumPy: {', '.join(culprits)}")
                for entry in culprits:
                    self.found.kept[entry] = error
                    self.suspects.setdefault(entry, set()).update(run)
                return
        self.found.unsolved[test] = error

    def _company(self, test: str) -> list[str] | None:
        """The tests that have to run before one for it to fail; None where it passes whatever runs before."""
        alone, kept = [test], list(self.found.kept)
        if not self._pass([kept], alone)[0]:
            return []
        order = self._open()
        before = order[: order.index(test)]

        def fail(parts: Sequence[Sequence[str]]) -> list[bool]:
            def one(part: Sequence[str]) -> bool:
                return test not in self.outcomes(kept, [*part, test])[0].good()

            return list(self.threads.map(one, parts))

        return smallest(before, fail) if before and fail([before])[0] else None

    def _candidates(self, tests: Iterable[str]) -> list[str]:
        """What these tests run that has something to convert, and is converted."""
        found = dict.fromkeys(entry for test in tests for entry in self.baseline.functions.get(test, ()))
        return [one for one in found if not self._is_kept(one) and self.conversion.has_sites(one)]

    def _ever_more(self, tests: Sequence[str]) -> Iterable[list[str]]:
        """What may be at fault: what the tests run, then all of the modules that lies in, then everything."""
        first = self._candidates(tests)
        if first:
            yield first
        modules = {one.partition(":")[0] for test in tests for one in self.baseline.functions.get(test, ())}
        every = [one for one in self.conversion.everything() if not self._is_kept(one)]
        near = [one for one in every if one.partition(":")[0] in modules and self.conversion.has_sites(one)]
        if len(near) > len(first):
            yield near
        if len(every) > len(near):
            yield every
        yield sorted({one.partition(":")[0] for one in every})

    # ----------------------------------------------------------------------------------------- smaller
    def minimise(self) -> None:
        """Convert again what need not stay on NumPy: each place on its own, by the tests for which it was left."""
        waiting = [entry for entry in self.found.kept if entry not in self.fixed]
        waiting.sort(key=self.conversion.sites_in, reverse=True)
        if not waiting:
            return
        self.say(f"trying to convert {len(waiting)} places again")
        while waiting:
            batch, waiting = waiting[: self.parallel], waiting[self.parallel :]
            without = [[one for one in self.found.kept if one != entry] for entry in batch]
            good = list(self.threads.map(self._is_fine, without, [self.suspects.get(one, set()) for one in batch]))
            for entry, is_good in zip(batch, good, strict=True):
                if is_good:
                    del self.found.kept[entry]
                    rest = [entry for entry, fine in zip(batch, good, strict=True) if fine and entry in self.found.kept]
                    if rest:  # tried with the one that has just gone
                        waiting = [*rest, *waiting]
                    break

    def _is_fine(self, entries: Collection[str], suspects: Collection[str]) -> bool:
        """Can these modules be imported, and do these tests pass, with these entries left?"""
        modules = self._modules(set(self.baseline.modules) & set(suspects))
        if modules and not self._is_imported(entries, modules):
            return False
        tests = concerned(set(suspects) & set(self._open()), self.baseline.order)
        return not tests or self.outcomes(entries, tests)[0].good() >= set(tests)

    @property
    def parallel(self) -> int:
        """How many runs go on at a time."""
        return self.threads._max_workers
