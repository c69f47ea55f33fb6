"""The tests that have passed, and those that have to run again: those that what has changed since concerns."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

from np2torch.migrate.conversion import Conversion
from np2torch.names import keeping
from np2torch.names.keeping import TOP

SHARED = re.compile(r"\bscope\s*=|\bset_?up_?(?:class|module)\b|\bcache\b|\blru_cache\b", re.IGNORECASE)
"""Signs in the text of tests that one makes what another uses."""
START = 0.1
"""The share of a run of all tests that a run of few takes at least."""


class ProofState(NamedTuple):
    """The tests that passed at some time, the texts of the files then, what was left on NumPy, what tests called."""

    passing: frozenset[str]
    texts: Mapping[str, str]
    left: frozenset[str]
    called: Mapping[str, frozenset[str]]
    ran: frozenset[str]
    is_begun: bool
    is_whole: bool


class Proof:
    """The record of the tests that have passed, in a run of all tests and in those of some since then.

    Parameters
    ----------
    order
        All tests.
    seconds
        How long they take: on NumPy, later as they ran last.

    Attributes
    ----------
    on_numpy
        How long the tests take there.
    on_torch
        How long those took on torch that have passed there.
    called
        The functions that each test calls, as entries.
    loaded
        The functions that ran outside all tests.
    left
        What was left on NumPy in the last of these runs.
    is_begun
        Whether all tests have run once, if not in one run.
    is_whole
        Whether they have passed in one run, with what was left on NumPy last.
    """

    def __init__(self, conversion: Conversion, order: Collection[str], seconds: Mapping[str, float]) -> None:
        self.conversion, self.order, self.seconds = conversion, order, seconds
        self.on_numpy = dict(seconds)
        self.on_torch: dict[str, float] = {}
        self.called: dict[str, frozenset[str]] = {}
        self.loaded: frozenset[str] = frozenset()
        self.left: frozenset[str] = frozenset()
        self.is_begun = self.is_whole = False
        self._ran: set[str] = set()
        self._passing: set[str] = set()
        self._texts: Mapping[str, str] = {}
        self._module = cache(conversion.module_of_test)  # by the file of a test

    @property
    def pace(self) -> float:
        """So many times as long as on NumPy tests take on torch, at least once."""
        on_numpy = sum(self.on_numpy.get(test, 0.0) for test in self.on_torch)
        return max(1.0, sum(self.on_torch.values()) / on_numpy) if on_numpy else 1.0

    def part_on_numpy(self, tests: Iterable[str]) -> float:
        """The share of the time of all tests that some take on NumPy."""
        every = sum(self.on_numpy.get(test, 0.0) for test in self.order)
        return sum(self.on_numpy.get(test, 0.0) for test in tests) / every if every else 1.0

    def begin_on_numpy(self, called: Mapping[str, Collection[str]]) -> None:
        """Begin anew from the project as it was, where all tests pass and call these functions."""
        self.called = {test: frozenset(entries) for test, entries in called.items()}
        self.add(self.conversion.all_modules(), self.order, ())

    def add(self, entries: Collection[str], tests: Collection[str], failing: Collection[str]) -> None:
        """Note a run with these entries left on NumPy: of all tests, or of all that what changed concerns."""
        is_all = len(tests) == len(self.order)
        self._passing = ({*tests} if is_all else self._passing.union(tests)).difference(failing)
        self._texts, self.left = self._converted(entries), frozenset(entries)
        self._ran.update(tests)
        self.is_begun |= self._ran.issuperset(self.order)
        self.is_whole = is_all and not failing

    def add_part(
        self, entries: Collection[str], asked: Collection[str], done: Collection[str], failing: Collection[str],
        together: bool = True,
    ) -> None:  # fmt: skip
        """Note a run that may have been cut off, or shared out: of what was asked only what is done counts."""
        self._passing.difference_update(asked)
        self.add(entries, done, failing)
        self.is_whole &= together

    def tests_to_run(self, entries: Collection[str]) -> list[str]:
        """The tests that have to run for all to have passed with these entries left on NumPy."""
        if not self._ran:
            return list(self.order)
        now = self._converted(entries)
        changed = {name for module in now for name in _changed(module, self._texts[module], now[module])}
        reach = self._reach(changed)
        return [test for test in self.order if test not in self._passing or reach(test)]

    def cost(self, entries: Collection[str]) -> float:
        """The share of the time of all tests that those take that call any of these entries, once these are left.

        A test all of whose functions are left takes what it takes on NumPy.
        """
        modules = {one for one in entries if ":" not in one}
        inside = (one for one in self.conversion.everything() if one.partition(":")[0] in modules)
        left = {*entries, *(inside if modules else ())}
        reach = self._reach(left)
        every = sum(self.seconds.get(test, 0.0) for test in self.order)
        taken = sum(self._seconds_with(test, left) for test in self.order if reach(test))
        return max(START, taken / every) if every else 1.0

    def _seconds_with(self, test: str, left: Collection[str]) -> float:
        now = self.seconds.get(test, 0.0)
        called = self.called.get(test, ())
        part = sum(one in left for one in called) / len(called) if called else 0.0
        return now - part * max(0.0, now - self.on_numpy.get(test, now))

    def state(self) -> ProofState:
        """Give what is known now, to go back to."""
        return ProofState(
            frozenset(self._passing), self._texts, self.left, dict(self.called), frozenset(self._ran), self.is_begun,
            self.is_whole,
        )  # fmt: skip

    def go_back(self, state: ProofState) -> None:
        """Know again what was known once: what has been tried since does not count."""
        self._passing, self._texts, self.left = set(state.passing), state.texts, state.left
        self.called, self._ran = dict(state.called), set(state.ran)
        self.is_begun, self.is_whole = state.is_begun, state.is_whole

    # ------------------------------------------------------------------------------------------- what changes
    def _converted(self, entries: Collection[str]) -> dict[str, str]:
        return {str(one.path): one.after for one in self.conversion.convert_files(entries)}

    def _reach(self, changed: Collection[str]) -> Callable[[str], bool]:
        """Tell of a test whether it has to do with any of these functions, and modules' own statements."""
        names = self.conversion.names
        entries = set()
        for one in changed:
            module, _, name = one.partition(":")
            module = names.get(Path(module), module)
            entries.add(f"{module}:{name}")
            entries.add(f"{module}:{name.rpartition('.')[0] or name}")  # a class that is left as a whole
        if entries & self.loaded:
            return lambda test: True
        tops = {one.partition(":")[0] for one in entries if one.endswith(f":{TOP}")}

        @cache
        def imports(module: str) -> bool:
            return bool(tops.intersection(self.conversion.imported_by([module])))

        @cache
        def is_shared(file: str) -> bool:
            return any(concerns(one) for one in self._by_file[file] if one in self.called)

        def concerns(test: str) -> bool:
            called = self.called.get(test)
            own = self._module(test.partition("::")[0])
            if called is None or not entries.isdisjoint(called):
                return True
            modules = {one.partition(":")[0] for one in called}.union([own] if own else [])
            return bool(tops) and (own is None or any(map(imports, modules)))

        def is_reached(test: str) -> bool:
            return is_shared(test.partition("::")[0]) if self._shares(test) else concerns(test)

        return is_reached

    @cached_property
    def _by_file(self) -> Mapping[str, list[str]]:
        files: dict[str, list[str]] = {}
        for test in self.order:
            files.setdefault(test.partition("::")[0], []).append(test)
        return files

    def _shares(self, test: str) -> bool:
        """Tell whether the tests of its file may share what they make."""
        own = self._module(test.partition("::")[0])
        return own is None or bool(SHARED.search(self._originals[own]))

    @cached_property
    def _originals(self) -> Mapping[str, str]:
        names = self.conversion.names
        return {names[one.path]: one.text for one in self.conversion.files if one.path in names}


def _changed(file: str, before: str, after: str) -> Iterable[str]:
    """The functions that two texts of a file do not share, and what it does at import."""
    if before == after:
        return ()
    one, other = _units(before), _units(after)
    return [f"{file}:{name}" for name in {**one, **other} if one.get(name) != other.get(name)]


@cache
def _units(text: str) -> Mapping[str, str]:
    """The functions and methods of a text, and all the rest but for imports: what Python makes of each."""
    found: dict[str, str] = {}

    def add(name: str, node: ast.AST) -> None:
        found[name] = found.get(name, "") + ast.dump(node)

    try:
        body = ast.parse(text).body
    except SyntaxError:
        return {TOP: text}
    for node in keeping.definitions_in(body):
        if not isinstance(node, ast.ClassDef):
            add(node.name, node)
            continue
        for one in keeping.definitions_in(node.body):
            add(f"{node.name}.{one.name}", one)
        node.body = [one for one in node.body if not isinstance(one, keeping.DEFINITIONS)]
        add(TOP, node)
    for statement in body:
        if not isinstance(statement, (ast.Import, ast.ImportFrom, *keeping.DEFINITIONS)):
            add(TOP, statement)
    return found
