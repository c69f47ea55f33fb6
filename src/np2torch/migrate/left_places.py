"""The record of what is left on NumPy so far: why, for which tests, and what more can be left there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from np2torch.facts.guards import GUARDS
from np2torch.migrate.conversion import Conversion
from np2torch.migrate.results import in_short
from np2torch.migrate.suspicion import Suspicion
from np2torch.migrate.trials import Baseline, Failure

REFUSAL = re.compile(rf"TypeError: shim\.(?:{'|'.join(sorted(GUARDS))})\b")
"""The error of a guard that does not take what is passed."""
LIKELY, CALLED, MODULES = range(3)
"""The code to leave on NumPy if the culprits are not found: some of what the tests call, all of it, whole modules."""
MOST_NAMED = 4
ASSERTIONS = ("AssertionError", "Failed")
"""Errors that say nothing of where a wrong value came from."""


@dataclass
class SearchResult:
    """The end of a search.

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

    def copy(self) -> SearchResult:
        """Copy the state of the search."""
        return SearchResult(dict(self.kept), dict(self.unguarded), dict(self.unsolved))


class LeftPlaces:
    """The places that are left on NumPy.

    Parameters
    ----------
    first
        What is left there in the beginning, with the reasons.
    free
        What of that need not stay.
    say
        Tells the user what is added.

    Attributes
    ----------
    fixed
        The entries that stay there for good.
    suspects
        By entry, the tests for which it was left on NumPy.
    settled
        The entries that were seen to be needed.
    barred
        The entries to which errors lead no more: left on NumPy they broke more tests than they mended.
    borders
        By test, the entries since whose coming it fails.
    suspicion
        Which functions are likely to be at fault.
    """

    def __init__(
        self, conversion: Conversion, baseline: Baseline, say: Callable[[str], None], first: Mapping[str, str],
        free: Collection[str] = (),
    ) -> None:  # fmt: skip
        self.conversion, self.baseline, self.say = conversion, baseline, say
        self.found = SearchResult(dict(first))
        self.given = self.fixed = frozenset(first).difference(free)
        self.suspects: dict[str, set[str]] = {}
        self.settled: set[str] = set()
        self.barred: set[str] = set()
        self.suspicion = Suspicion()
        self.borders: dict[str, Collection[str]] = {}
        self._steps = Counter[str]()

    @property
    def reasons(self) -> dict[str, str]:
        """The reason for each entry."""
        return self.found.kept

    def keep(self, new: Mapping[str, tuple[Failure, Sequence[str]]]) -> bool:
        """Leave entries on NumPy, each for a test and its error; whether there are any."""
        entries: dict[str, str] = {}
        for name, (failure, places) in new.items():
            for entry in places:
                entries.setdefault(entry, failure.error)
                self.suspects.setdefault(entry, set()).add(name)
        self.reasons.update(entries)
        self.tell(entries, "on NumPy")
        return bool(entries)

    def tell(self, entries: Collection[str], what: str) -> None:
        """Say what is left, or done."""
        if entries:
            self.say(f"  {what}: {some(entries, MOST_NAMED)}")

    def tell_why(self, names: Iterable[str], failing: Mapping[str, Failure]) -> None:
        """Say why some tests or modules fail, each in a line."""
        for name in names:
            self.say(f"    {self.baseline.shown.get(name, name)}: {in_short(failing[name].error)}")

    def suspect(self, failing: Collection[str], called: Mapping[str, Iterable[str]]) -> None:
        """Learn which functions are likely to be at fault, from what tests call that pass and that fail."""
        passing = {test: self.not_kept(entries) for test, entries in called.items() if test not in failing}
        self.suspicion.learn(passing, {test: self.baseline.functions.get(test, ()) for test in failing})

    def free(self, refused: Mapping[str, str]) -> None:
        """Convert functions without a guard, for the errors of their guards."""
        self.found.unguarded.update(refused)
        self.conversion.unguarded = self.conversion.unguarded.union(refused)
        self.tell(refused, "without a guard")

    def refusals(self, failing: Mapping[str, Failure]) -> dict[str, str]:
        """Give the functions whose guards refuse what some tests pass, with the errors."""
        refused: dict[str, str] = {}
        for failure in failing.values():
            place = failure.places[0] if failure.places else ""
            if REFUSAL.match(failure.error) and place and self.conversion.is_guarded(place):
                refused.setdefault(place, failure.error)
        return refused

    def guard_again(self, freed: Collection[str]) -> None:
        """Give functions back the guards that they had, since nothing comes of it."""
        self.tell(freed, "with the guard again")
        for entry in freed:
            self.found.unguarded.pop(entry, None)
        self.conversion.unguarded = self.conversion.unguarded.difference(freed)

    def not_kept(self, entries: Iterable[str]) -> list[str]:
        """Those that are converted, also with what they are part of."""
        kept = self.reasons
        unique = dict.fromkeys(entries)
        return [one for one in unique if one not in kept and not self.is_covered(one)]

    def is_covered(self, entry: str) -> bool:
        """Tell whether it is part of what stays."""
        return any(one in self.reasons for one in self.conversion.wider(entry))

    def drop_covered(self) -> None:
        """Leave out entries that are part of others; these stay for the same tests as well."""
        for entry in list(self.reasons):
            if entry in self.given:
                continue
            for cover in (one for one in self.conversion.wider(entry) if one in self.reasons):
                self.suspects.setdefault(cover, set()).update(self.suspects.get(entry, ()))
                self.reasons.pop(entry, None)

    def leave_out(self, failing: Mapping[str, Failure]) -> None:
        """Leave out tests that fail whatever is converted, and what was left on NumPy for them alone."""
        self.baseline.leave_out(failing)
        self.say(f"  left out, since everything on NumPy does not help: {some(list(failing), MOST_NAMED)}")
        self.tell_why(list(failing)[:1], failing)
        self._forget(failing)

    def may_give_up(self, tests: Collection[str]) -> bool:
        """Tell whether these tests may be given up beside those that are."""
        return self.is_allowed(len(tests) + len(self.baseline.given_up))

    def is_allowed(self, number: int) -> bool:
        """Tell whether so many tests in all may fail in the end."""
        return number <= self.baseline.may_fail * self.baseline.number

    def share(self, found: SearchResult) -> int:
        """The uses of NumPy that are converted with what a search has found."""
        return self.conversion.share(found.kept).converted

    def give_up(self, failing: Mapping[str, Failure]) -> None:
        """Let tests fail in the end, and convert what was left on NumPy for them alone."""
        if not failing:
            return
        self.baseline.give_up({name: failure.error for name, failure in failing.items()})
        self.say(f"  given up, since too much would have to stay on NumPy: {some(list(failing), MOST_NAMED)}")
        self.tell_why(list(failing)[:1], failing)
        self._forget(failing)

    def without_stubborn(self, failing: Mapping[str, Failure]) -> Mapping[str, Failure]:
        """Give up a few tests of many that fail with all that they call on NumPy.

        Their modules, and what these import, might be everything.
        """
        asked = set(self.all_called(failing)).difference(self.borders)
        if not asked or not self.may_give_up(asked):
            return failing
        self.give_up({name: failure for name, failure in failing.items() if name in asked})
        return {name: failure for name, failure in failing.items() if name not in asked}

    def _forget(self, tests: Collection[str]) -> None:
        """Convert again what was left for these tests alone."""
        for entry, others in self.suspects.items():
            if others and others <= set(tests) and entry not in self.given:
                self.reasons.pop(entry, None)
            others.difference_update(tests)

    # --------------------------------------------------------------------------- what tracebacks tell
    def around(self, failure: Failure, number: int) -> Sequence[str]:
        """Give what to try next: the likeliest place, then twice as many, what these read, what they are part of.

        Before all have run that is the innermost, then all. A failed assertion speaks only of itself, which may ask
        too much.
        """
        places = failure.places
        if failure.error.startswith(ASSERTIONS):
            return self._open(places[:1])
        if around := self.suspicion.sort(self._open(places)):
            return around[: 2**number] if self.suspicion.is_known or not number else around
        if read := self._open(entry for place in places for entry in self.conversion.read_by(place)):
            return read
        wider = (entry for place in places for entry in self.conversion.wider(place))
        families = (self._open(self.conversion.family(entry)) for entry in wider)
        return next((family for family in families if family), [])

    def _open(self, entries: Iterable[str]) -> list[str]:
        """Those that are converted, and to which errors may lead."""
        return [one for one in self.not_kept(entries) if one not in self.barred]

    # -------------------------------------------------------------------------------- what was too small
    def keep_more(self, failing: Mapping[str, Failure], begin: int = CALLED) -> bool:
        """Leave ever more on NumPy for each of these tests or modules; whether there was any left."""
        is_new = self.keep(self.more(failing, begin))
        self.drop_covered()
        return is_new

    def more(self, failing: Mapping[str, Failure], begin: int) -> dict[str, tuple[Failure, Sequence[str]]]:
        """Give for each of these tests or modules what to leave on NumPy next, with its error."""
        return {name: (failure, self._more(name, failure, begin)) for name, failure in failing.items()}

    def _called(self, name: str, failure: Failure) -> Sequence[str]:
        entries = (*self.baseline.functions.get(name, ()), *failure.places)
        return [one for one in self.not_kept(entries) if self.conversion.has_sites(one)]

    def likely(self, failing: Mapping[str, Failure], most: int) -> dict[str, tuple[Failure, Sequence[str]]]:
        """Give of what each of some tests calls so many likely culprits, with its error."""
        called = {name: self.suspicion.sort(self._called(name, failure)) for name, failure in failing.items()}
        return {name: (failing[name], entries[:most]) for name, entries in called.items()}

    def all_called(self, failing: Mapping[str, Failure]) -> list[str]:
        """List those of some tests all of whose functions are left already."""
        return [name for name, failure in failing.items() if not self._called(name, failure)]

    def _around_borders(self, name: str) -> list[str]:
        """Give the modules whose borders have made a test fail, if they have; once."""
        modules = (self.conversion.wider(entry)[-1] for entry in self.borders.pop(name, ()))
        return self.not_kept(modules)

    def _more(self, name: str, failure: Failure, begin: int) -> Sequence[str]:
        """Give what a test calls, then the modules that it runs, their imports, all around these, at last all.

        Of what it calls, the likely culprits come first, and twice as many each time.
        """
        if begin == LIKELY and (around := self._around_borders(name)):
            return around
        if begin <= CALLED and (called := self._called(name, failure)):
            if begin == CALLED:
                return called
            self._steps[name] += 1
            return self.suspicion.sort(self._open(called) or called)[: 2 ** self._steps[name] // 2]
        own = self.conversion.module_of_test(name) if "::" in name else self.conversion.spelled.get(name)
        entries = [*self.baseline.functions.get(name, ()), *failure.places]
        if own and ("::" in name or not entries):  # a module that cannot be imported is mostly not at fault itself
            entries.append(own)
        first = list(dict.fromkeys(one.partition(":")[0] for one in entries))
        wider = (
            list,
            self.conversion.imported_by,
            self.conversion.connected_files,
            lambda _: self.conversion.all_modules(),
        )
        return next(filter(None, (self.not_kept(modules(first)) for modules in wider)), [])


def some(names: Collection[str], most: int) -> str:
    """The first of some names, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{', '.join(list(names)[:most])}{more}"
