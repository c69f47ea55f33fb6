"""Whole modules for failing tests: all that these run stays on NumPy, then ever more of it is converted in groups."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from np2torch.migrate.left_places import LeftPlaces
from np2torch.migrate.runner import concerned_tests
from np2torch.migrate.trials import Ask, EntrySet, Failure, Sample, not_cut_off

MOST_CHECKS = 3
"""Samples of other tests that run what was found."""
LARGE = 0.1
"""The share of all of them that a group holds which few tests are not worth."""


class Grouping:
    """Looks for modules that some tests need on NumPy, from the other end.

    Parameters
    ----------
    rank
        Sorts modules, likely culprits first.

    Notes
    -----
    Nothing has to be known of the culprits: it begins with what tests pass with, and a group of modules is converted
    where they pass without it as well; else its halves are tried. Ended at any time, it has something that passes.
    """

    def __init__(
        self, left: LeftPlaces, ask: Ask, sample: Sample, rank: Callable[[Iterable[str]], list[str]]
    ) -> None:  # fmt: skip
        self.left, self.ask, self.sample, self.rank = left, ask, sample, rank
        self.conversion, self.baseline = left.conversion, left.baseline

    def search(self, failing: Mapping[str, Failure], is_over: Callable[[], bool]) -> EntrySet:
        """Give modules with which tests pass and no others of a sample fail; none where there are none such.

        A test that fails with all of them on NumPy is not heeded, where others pass.
        """
        for modules in self._wholes(failing):
            asked = [*failing, *self.sample(EntrySet(modules), failing)]
            failed = self._fail(asked, modules)
            heeded = [test for test in asked if test not in failed]
            if any(test in failing for test in heeded) and not any(test not in failing for test in failed):
                return self._checked(modules, heeded, failing, is_over)
            if is_over():
                break
        return EntrySet()

    def _checked(
        self, modules: Sequence[str], heeded: Sequence[str], failing: Mapping[str, Failure], is_over: Callable[[], bool]
    ) -> EntrySet:  # fmt: skip
        """Leave out as much as can be; the modules of other tests that fail then stay as well."""
        found = self._fewer(modules, heeded, failing, is_over)
        for _ in range(MOST_CHECKS):
            sample = self.sample(found, [*failing, *heeded])
            failed = self._fail(sample, found) if sample else {}
            if not not_cut_off(failed):
                return found
            heeded = [*heeded, *sample]
            ran = {one.partition(":")[0] for test in failed for one in self.baseline.functions.get(test, ())}
            found |= ran.intersection(modules)
        return EntrySet()

    def _wholes(self, failing: Mapping[str, Failure]) -> Iterable[list[str]]:
        """List the modules that tests run, with their own and those that these import; then all."""
        entries = [entry for test in failing for entry in self.baseline.functions.get(test, ())]
        entries += [place for failure in failing.values() for place in failure.places]
        own = filter(None, map(self.conversion.module_of_test, failing))
        ran = list(dict.fromkeys(one.partition(":")[0] for one in (*entries, *own)))
        yield self.rank(self.left.not_kept(ran))
        yield self.rank(self.left.not_kept(self.conversion.all_modules()))

    def _fewer(
        self, modules: Sequence[str], heeded: Sequence[str], failing: Mapping[str, Failure], is_over: Callable[[], bool]
    ) -> EntrySet:  # fmt: skip
        """Leave out groups of modules, the unlikely ones first, as long as all these tests pass.

        So few tests that they may be given up do not hold back much.
        """
        asked, gone = list(heeded), [test for test in failing if test not in heeded]
        kept, middle = set(modules), len(modules) // 2
        groups = [[*modules[:middle]], [*modules[middle:]]]
        most = self._size(modules)
        while groups and not is_over():
            group = groups.pop()
            failed = self._fail(asked, [one for one in modules if one in kept and one not in group]) if group else {}
            is_large = self._size(group) >= LARGE * most and set(failed) <= failing.keys()
            if failed and len(failed) < len(asked) and is_large and self.left.may_give_up([*gone, *failed]):
                gone += failed
                asked = [test for test in asked if test not in failed]
                failed = {}
            if not failed:
                kept.difference_update(group)
            elif len(group) > 1:
                groups += [group[: len(group) // 2], group[len(group) // 2 :]]
        return EntrySet(kept)

    def _size(self, modules: Iterable[str]) -> int:
        return sum(map(self.conversion.sites_in, modules))

    def _fail(self, tests: Iterable[str], modules: Iterable[str]) -> Mapping[str, Failure]:
        covered = set(modules)
        entries = [one for one in self.left.reasons if one.partition(":")[0] not in covered]
        return self.ask(concerned_tests(tests, self.baseline.order), [*entries, *covered])
