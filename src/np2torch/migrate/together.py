"""Looks for what a few failing tests need in runs of all of them: where their errors lead, then likely culprits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from math import sqrt

from np2torch.migrate.left_places import ASSERTIONS, LeftPlaces
from np2torch.migrate.runner import concerned_tests
from np2torch.migrate.trials import Ask, EntrySet, Failure, Sample

MOST_ROUNDS = 20
"""Runs of the tests that still fail, each with other entries left on NumPy for each of them."""
MOST_NARROWING, MOST_PARTS = 24, 16
"""Runs in which less is tried for each, and in so many parts it is cut at most."""
MOST_CANARIES = 4
"""Of the tests that show whether anything is harmful so many run in each of these runs."""
MOST_CHECKS = 6
"""Runs that show whether tests pass together with all that was found for any of them, and break no others."""
MOST_SINGLE = 6
"""So many of the likely culprits of a test are tried one by one, then the first two, four, eight and so on."""
MOST_CULPRITS = 64


class Together:
    """Looks for what mends failing tests, for all of them at once.

    Attributes
    ----------
    harmful
        By test, what mends it and breaks others.
    """

    def __init__(self, left: LeftPlaces, ask: Ask, sample: Sample) -> None:
        self.left, self.baseline, self.ask, self.sample = left, left.baseline, ask, sample
        self.harmful: dict[str, EntrySet] = {}
        self._tried: dict[tuple[str, bool], set[EntrySet]] = {}
        self._barred = EntrySet()
        self._passing = Counter[str]()
        self._alike: dict[str, list[str]] = {}

    def forget(self) -> None:
        """Try all of it again: what else stays on NumPy has changed."""
        self._tried = {}

    def learn(self, failing: Mapping[str, Failure]) -> None:
        """Note which tests fail alike, and how many pass that call each function, or any of a module."""
        kinds: dict[tuple[str, str], list[str]] = {}
        for test, failure in failing.items():
            kinds.setdefault((failure.error, next(iter(failure.places), "")), []).append(test)
        self._alike = {test: tests for tests in kinds.values() for test in tests}
        good = (test for test in self.baseline.order if test not in failing)
        self._passing = Counter(part for test in good for part in self._parts_of(test))

    def likely(self, test: str, entries: Iterable[str]) -> list[str]:
        """Sort entries: those are likely culprits that the tests which fail alike call, and few that pass."""
        alike = self._alike.get(test, [test])
        failing = Counter(part for one in alike for part in self._parts_of(one))
        return sorted(entries, key=lambda one: -failing[one] / sqrt(failing[one] + self._passing[one] or 1))

    def _parts_of(self, test: str) -> set[str]:
        return {part for entry in self.baseline.functions.get(test, ()) for part in _parts(entry)}

    def look(
        self, failing: Mapping[str, Failure], is_over: Callable[[], bool], are_modules: bool = False
    ) -> dict[str, EntrySet]:  # fmt: skip
        """Give by test what it passes with, functions or modules; together it breaks none of a sample."""
        done: dict[str, EntrySet] = {}
        waiting = {test: [(EntrySet(), failure)] for test, failure in failing.items()}
        for _ in range(MOST_ROUNDS):
            proposed = {test: self._next(test, chain, are_modules) for test, chain in waiting.items()}
            proposed = {test: entries for test, entries in proposed.items() if entries}
            if not proposed or is_over():
                break
            canaries = self.sample(EntrySet().union(*proposed.values()), failing)[:MOST_CANARIES]
            failed = self._fail([*proposed, *canaries], [*done.values(), *proposed.values()])
            harmful = self._learn_harm(proposed, canaries, failed)
            for test, entries in proposed.items():
                if harmful and (entries & harmful or test in failed):
                    if entries & harmful:
                        self.harmful[test] = entries & harmful
                    else:
                        self._tried[test, are_modules].discard(entries)
                elif test not in failed:
                    done[test] = entries
                    del waiting[test]
                else:
                    waiting[test].append((entries, failed[test]))
        less = self.check(self._narrowed(dict(done), is_over), failing)
        lost = {test: entries for test, entries in done.items() if test not in less}
        if not lost or is_over():  # what one passes with may have been left for another, which needs it no more
            return less
        return self.check(less | lost, failing) or less

    def _narrowed(self, found: dict[str, EntrySet], is_over: Callable[[], bool]) -> dict[str, EntrySet]:
        """Leave out of what was found for each test what it passes without: halves first, then ever smaller parts."""
        waiting = {test: self._less(test, entries) for test, entries in found.items()}
        for _ in range(MOST_NARROWING):
            asked = {test: less[0] for test, less in waiting.items() if less}
            if not asked or is_over():
                break
            failed = self._fail(asked, [asked.get(test, entries) for test, entries in found.items()])
            for test, less in asked.items():
                if test in failed:
                    waiting[test] = waiting[test][1:]
                else:
                    found[test], waiting[test] = less, self._less(test, less)
        return found

    def _less(self, test: str, entries: EntrySet) -> list[EntrySet]:
        """List parts of some entries, the unlikely half first: the likely one has failed, where it was tried."""
        ranked, found, size = self.likely(test, sorted(entries)), list[EntrySet](), len(entries)
        while (size := size // 2) and len(ranked) // size <= MOST_PARTS:
            begins = range(0, len(ranked), size)
            found += [EntrySet(ranked[:begin] + ranked[begin + size :]) for begin in begins]
        return found

    def _learn_harm(
        self, proposed: Mapping[str, EntrySet], canaries: Sequence[str], failed: Collection[str]
    ) -> EntrySet:  # fmt: skip
        """Give what of that breaks tests that passed; of others that fail then nothing is known."""
        broken, good = ([test for test in canaries if (test in failed) is is_bad] for is_bad in (True, False))
        harmful = guilty(self.baseline.functions, EntrySet().union(*proposed.values()), broken, good)
        self._barred |= harmful
        return harmful

    def _fail(self, tests: Iterable[str], sets: Iterable[EntrySet]) -> Mapping[str, Failure]:
        entries = self.left.not_kept(sorted(EntrySet().union(*sets)))
        return self.ask(concerned_tests(tests, self.baseline.order), [*self.left.reasons, *entries])

    def _next(self, test: str, chain: Sequence[tuple[EntrySet, Failure]], are_modules: bool) -> EntrySet:
        """Give what to leave on NumPy for a test next, after what was tried, and the errors that there were then."""
        tried = self._tried.setdefault((test, are_modules), set())
        choices = self._modules(test, chain[0][1]) if are_modules else self._functions(test, chain)
        found = next((one for one in choices if one and one not in tried), EntrySet())
        tried.add(found)
        return found

    def _functions(self, test: str, chain: Sequence[tuple[EntrySet, Failure]]) -> list[EntrySet]:
        """List what may be tried of functions; an error that leads elsewhere than before says what is needed beside."""
        last, failure = chain[-1]
        named = {place for _, one in chain[:-1] for place in one.places[:1]}
        is_new = len(chain) == 1 or not named.intersection(failure.places[:1])
        found = [last.union(self._open(failure.places)[:1])] if is_new else []
        first = chain[0][1]
        frames = () if first.error.startswith(ASSERTIONS) else self._open(first.places)
        called = [one for one in self.baseline.functions.get(test, ()) if self.left.conversion.has_sites(one)]
        culprits = self.likely(test, self._open(called))[:MOST_CULPRITS]
        found += [EntrySet([one]) for one in (*frames, *culprits[:MOST_SINGLE])]
        return found + _beginnings(culprits, 2)

    def _modules(self, test: str, failure: Failure) -> list[EntrySet]:
        """List what may be tried of modules."""
        own = self.left.conversion.module_of_test(test)
        called = (*self.baseline.functions.get(test, ()), *failure.places, *([own] if own else []))
        modules = self._open(one.partition(":")[0] for one in called)
        return _beginnings(self.likely(test, modules), 1)

    def _open(self, entries: Iterable[str]) -> list[str]:
        return [one for one in self.left.not_kept(entries) if one not in self.left.barred and one not in self._barred]

    # ------------------------------------------------------------------------------------- what breaks others
    def check(self, found: dict[str, EntrySet], failing: Collection[str]) -> dict[str, EntrySet]:
        """Give of what was found what does it together, without what breaks others of a sample."""
        for _ in range(MOST_CHECKS):
            every = EntrySet().union(*found.values())
            if not (sample := self.sample(every, failing) if every else []):
                return found
            failed = self._fail([*found, *sample], found.values())
            if not failed:
                return found
            broken = [test for test in failed if test not in found]
            harmful = guilty(self.baseline.functions, every, broken, [one for one in sample if one not in failed])
            gone = {test for test, entries in found.items() if entries & harmful}
            self.harmful.update({test: found[test] for test in gone})
            found = {test: entries for test, entries in found.items() if test not in gone and test not in failed}
        return {}


def guilty(
    calls: Mapping[str, Iterable[str]], entries: Collection[str], broken: Iterable[str], passing: Iterable[str]
) -> EntrySet:  # fmt: skip
    """Give the fewest of some entries that explain why tests are broken: those that few call which pass.

    An entry concerns tests that call it, or anything of it where it is a module or a class.
    """

    def concerning(test: str) -> set[str]:
        called = {one for entry in calls.get(test, ()) for one in _parts(entry)}
        return called.intersection(entries)

    waiting = {test: found for test in broken if (found := concerning(test))}
    good = Counter(one for test in passing for one in concerning(test))
    chosen: set[str] = set()
    while waiting:
        bad = Counter(one for found in waiting.values() for one in found)
        worst = max(bad, key=lambda one: (bad[one] / sqrt(bad[one] + good[one]), one))
        chosen.add(worst)
        waiting = {test: found for test, found in waiting.items() if worst not in found}
    return frozenset(chosen)


def _parts(entry: str) -> list[str]:
    """An entry, with what it is part of."""
    module, _, name = entry.partition(":")
    names = name.split(".") if name else []
    return [module, *(f"{module}:{'.'.join(names[: end + 1])}" for end in range(len(names)))]


def _beginnings(entries: Sequence[str], number: int) -> list[EntrySet]:
    """Give the first of some entries, so many, then twice as many each time, at last all."""
    found = []
    while entries and number < 2 * len(entries):
        found.append(EntrySet(entries[:number]))
        number *= 2
    return found
