"""Looks by trial for what has to stay on NumPy where errors do not tell, and for what need not stay there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence

from np2torch.migrate.budget import Allowance
from np2torch.migrate.hunts import Hunt, Trial, follow
from np2torch.migrate.left_places import LeftPlaces, some
from np2torch.migrate.smallest import asked_as, smallest
from np2torch.migrate.trials import Failure, Trials
from np2torch.names.keeping import TOP

MOST_HUNTS = 6
"""Kinds of errors that are hunted in a round: others often have the same cause."""
MOST_SUSPECTS = 4
"""Tests that say whether a place can be converted again."""


class Hunting:
    """Hunts that change what is left on NumPy.

    Parameters
    ----------
    is_late
        Says when to break them off.
    allowance
        The time for all of them.

    Attributes
    ----------
    converted_again
        Entries that were given up as not needed, with the reasons for which they were left once.
    """

    def __init__(
        self, trials: Trials, left: LeftPlaces, is_late: Callable[[], bool], allowance: Allowance
    ) -> None:  # fmt: skip
        self.trials, self.left, self.is_late, self.allowance = trials, left, is_late, allowance
        self.conversion, self.baseline, self.say = trials.conversion, trials.baseline, left.say
        self.converted_again: dict[str, str] = {}

    def _follow(self, hunts: Sequence[Hunt]) -> int:
        """Carry hunts out in the time that there is for them; how many are broken off."""

        def ask(batches: Sequence[Sequence[Trial]]) -> list[list[bool]]:
            return self.trials.ask(self.left.reasons, batches)

        def reach(trial: Trial) -> set[str]:
            return self.near([*trial.tests, *trial.company])

        with self.allowance.part() as is_used_up:
            is_late = lambda: self.is_late() or is_used_up()  # noqa: E731
            return follow(hunts, reach, ask, self.trials.width, is_late)

    def near(self, tests: Iterable[str]) -> set[str]:
        """The entries that have to do with some tests: what they call, what that is part of, variables beside it."""
        called = {entry for test in tests for entry in self.baseline.functions.get(test, ())}
        modules = {entry.partition(":")[0] for entry in called}
        known = (*self.left.reasons, *self.converted_again)
        beside = {one for one in known if one.partition(":")[0] in modules and self.conversion.is_variable(one)}
        around = {one for entry in called for one in self.conversion.wider(entry)}
        return called | around | beside | {f"{module}:{TOP}" for module in modules}

    # ------------------------------------------------------------------------------- what is at fault
    def hunt(self, failing: Mapping[str, Failure]) -> None:
        """Search for the cause of failing tests whose errors do not name it, one test for each kind of error."""
        groups: dict[tuple[str, str], str] = {}
        for name in sorted(failing, key=lambda one: len(self._candidates([one]))):
            failure = failing[name]
            groups.setdefault((failure.error.partition(":")[0], next(iter(failure.places), "")), name)
        groups = dict(list(groups.items())[:MOST_HUNTS])
        for test in groups.values():
            place = next(iter(failing[test].places), "")
            if place not in self.left.fixed and self.left.suspects.get(place) == {test}:
                self.left.reasons.pop(place, None)  # it was left on NumPy for its assertion, and fails all the same
        shown = [self.baseline.shown.get(test, test) for test in groups.values()]
        self.say(f"looking for what changes {some(shown, 2)}")
        self.left.tell_why(list(groups.values())[:2], failing)
        found: set[str] = set()
        broken_off = self._follow([self._look(test, failing[test], found) for test in groups.values()])
        if broken_off and not self.is_late():  # the time for hunts is over, not that of the search
            self.say(f"  the time for this is over: {broken_off} of {len(groups)} are not narrowed to the least")
            self._keep_more({test: failing[test] for test in groups.values() if test not in found})

    def _look(self, test: str, failure: Failure, found: set[str]) -> Hunt:
        """Find what makes one test fail; note that something has been found."""
        is_alone = not (yield Trial([test]))
        company = [] if is_alone else (yield from self._company(test))
        run = [*company, test]

        def keep(entries: Sequence[str]) -> None:
            found.add(test)
            self.left.keep(dict.fromkeys(run, (failure, entries)))

        if is_alone or company:
            self.trials.learn(run)
            yield from _narrowed(self._enough(run, test, company), keep)
            is_sure = not self.left.may_give_up([test])
            if test not in found and is_sure and not self.trials.runner.is_over() and len(self.baseline.order) > 1:
                found.add(test)
                self.left.leave_out({test: failure})  # with everything left on NumPy it fails as well
        if test not in found:  # it fails only at times, or too much would have to stay
            found.add(test)
            self._keep_more({test: failure})

    def _keep_more(self, failing: dict[str, Failure]) -> None:
        """Leave on NumPy what tests call, or more, where they cannot be given up."""
        if self.left.may_give_up(failing):
            self.left.give_up(failing)
        else:
            self.left.keep_more(failing)

    @staticmethod
    def _with(entries: Iterable[str], test: str, company: Sequence[str]) -> Trial:
        return Trial([test], frozenset(entries), company=company)

    def _enough(self, run: Sequence[str], test: str, company: Sequence[str]) -> Generator[Trial, bool, list[str]]:
        """The fewest entries that a test needs; none where nothing is enough."""
        for candidates in self._ever_more(run):
            if (yield self._with(candidates, test, company)):
                return (yield from self._fewest(candidates, test, company))
        return []

    def _fewest(
        self, candidates: Sequence[str], test: str, company: Sequence[str]
    ) -> Generator[Trial, bool, list[str]]:  # fmt: skip
        """Those of some entries that a test needs; of modules what it needs of them."""
        found = yield from asked_as(smallest(candidates), lambda part: self._with(part, test, company))
        parts = self.left.not_kept(one for one in self.conversion.everything() if one.partition(":")[0] in found)
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
        """List what these tests run that has something to convert, and is converted; the last to begin comes first."""
        found = dict.fromkeys(entry for test in tests for entry in reversed(self.baseline.functions.get(test, ())))
        return self.left.suspicion.sort([one for one in self.left.not_kept(found) if self.conversion.has_sites(one)])

    def _ever_more(self, tests: Sequence[str]) -> Iterable[list[str]]:
        """List what may be at fault: what the tests run, then all of the modules that lies in, then any module."""
        first = self._candidates(tests)
        if first:
            yield first
        modules = {one.partition(":")[0] for test in tests for one in self.baseline.functions.get(test, ())}
        every = self.left.not_kept(self.conversion.everything())
        near = [one for one in every if one.partition(":")[0] in modules and self.conversion.has_sites(one)]
        if len(near) > len(first):
            yield near
        if not self.left.may_give_up([tests[-1]]):
            yield self.left.not_kept(self.conversion.all_modules())

    # ----------------------------------------------------------------------------------------- larger
    def widen(self, broken: Sequence[str], new: Collection[str]) -> None:
        """Entries whose border makes other tests fail: more around them stays on NumPy, as little as these need.

        That is a class with its family, or the module: what the test passes with.
        """
        found: dict[str, tuple[str, Sequence[str]]] = {}

        def asking(test: str, entries: Sequence[str]) -> Hunt:
            for entry in entries:
                alone = Trial([test], fewer=frozenset([entry]))
                if not (yield alone):
                    continue
                for wider in self._around(entry):
                    if (yield alone._replace(more=frozenset(wider))):
                        found[entry] = test, wider
                        return

        asked: dict[tuple[str, ...], str] = {}
        for test in broken:
            asked.setdefault(tuple(self.borders(test, new)), test)
        self._follow([asking(test, entries) for entries, test in asked.items() if entries])
        kept, suspects = self.left.reasons, self.left.suspects
        for entry, (test, wider) in found.items():
            self.say(f"  with all around it: {entry}")
            reason = kept.pop(entry)
            for one in wider:
                kept.setdefault(one, reason)
                suspects.setdefault(one, set()).update({test} | suspects.get(entry, set()))
        self.left.drop_covered()

    def borders(self, test: str, new: Collection[str]) -> list[str]:
        """List those of some new entries that a test may run into."""
        return [entry for entry in self.within_reach(test, new) if ":" in entry]

    def within_reach(self, test: str, new: Collection[str]) -> list[str]:
        """List those of some new entries, modules as well, that a test runs or has beside what it runs."""
        near = self.near([test])
        return sorted(entry for entry in new if entry in near and entry not in self.left.fixed)

    def _around(self, entry: str) -> Iterator[list[str]]:
        """List what an entry is part of, with the family of classes that are."""
        for wider in self.conversion.wider(entry):
            if new := self.left.not_kept(self.conversion.family(wider)):
                yield new

    def put_back(self, failing: Iterable[str]) -> None:
        """Leave on NumPy for good what was converted again and a failing test runs."""
        near = self.near(failing)
        back = {entry: why for entry, why in self.converted_again.items() if entry in near}
        self.left.reasons.update(back)
        self.left.fixed |= back.keys()
        for entry in back:
            del self.converted_again[entry]

    # ----------------------------------------------------------------------------------------- smaller
    def minimise(self, entries: Iterable[str]) -> None:
        """Convert again what of these entries need not stay on NumPy, each by tests for which it was left there.

        What was put back stays: the tests alone said once before that it is not needed.
        """
        open_ones = [entry for entry in entries if entry not in self.left.fixed]
        waiting = sorted(open_ones, key=self.conversion.sites_in, reverse=True)
        if waiting and not self.is_late():
            self.say(f"trying to convert {len(waiting)} places again")
            self._follow([self._again(entry) for entry in waiting])

    def _again(self, entry: str) -> Hunt:
        """Convert an entry again where the tests allow it, or as much of it as they allow."""
        suspects = self.left.suspects.get(entry, set())
        modules = sorted(suspects & set(self.baseline.modules))
        tests = sorted(suspects & set(self.baseline.order), key=lambda one: self.baseline.seconds.get(one, 0.0))
        without = Trial(tests[:MOST_SUSPECTS], fewer=frozenset([entry]), modules=modules)
        if (yield without):
            self.converted_again[entry] = self.left.reasons.pop(entry)
            return
        self.left.settled.add(entry)
        inside = [one for one in self.conversion.everything() if entry in self.conversion.wider(one)]
        near = self.near(tests)  # what the tests run comes first
        parts = [one for one in inside if self.conversion.has_sites(one) or one.endswith(TOP)]
        parts.sort(key=lambda one: one not in near)
        if len(parts) > 1 and (yield without._replace(more=frozenset(parts))):
            reason = self.left.reasons[entry]

            def keep(needed: Sequence[str]) -> None:
                self.left.reasons.pop(entry)
                self.left.settled.update(needed)
                for one in needed:
                    self.left.reasons[one] = reason
                    self.left.suspects.setdefault(one, set()).update(suspects)

            asking = asked_as(smallest(parts), lambda part: without._replace(more=frozenset(part)))
            yield from _narrowed(asking, keep, parts)


def _narrowed(
    asking: Generator[Trial, bool, list[str]], keep: Callable[[Sequence[str]], None], enough: Sequence[str] = ()
) -> Hunt:  # fmt: skip
    """Look for the fewest entries that are enough, and keep them.

    Broken off, it ends with the fewest that are known to be `enough`, if there are any.
    """
    try:
        trial = next(asking)
        while True:
            is_good = yield trial
            if is_good:
                enough = sorted(trial.more)
            trial = asking.send(is_good)
    except StopIteration as end:
        enough = end.value
    finally:
        if enough:
            keep(enough)
