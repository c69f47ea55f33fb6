"""The contents of objects, lists, dicts and module globals of a project, over all that stores into them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from np2torch.facts import values as v
from np2torch.facts.complex_tracking import to_top
from np2torch.facts.interpreter import protocols, raising_calls
from np2torch.facts.interpreter.definitions import ClassDefinition, ModuleInfo
from np2torch.facts.interpreter.dependencies import NO_KEYS
from np2torch.facts.interpreter.effects import Effects, Store
from np2torch.facts.interpreter.environment import DTYPE_KEY

T = TypeVar("T")
MOST_KEYS = 64


class Heap:
    """Cells that take in whatever is stored.

    Attributes
    ----------
    heap
        Elements of lists and values of dicts, by the place that made them.
    keys
        Values of dicts under constant keys, by the place that made them.
    by_number
        Dicts in which NumPy scalars are looked up, by the place that made them.
    changed
        Whether a cell has taken in something new in this round.
    wide
        From now on, what still changes may be anything.
    """

    def __init__(self) -> None:
        self.heap: dict[int, v.Fact] = {}
        self.keys: dict[int, dict[object, v.Fact]] = {}
        self.by_number: set[int] = set()
        self.changed = False
        self.wide = False
        self._computed: dict[Callable[[Any], Any], Any] = {}
        self._before: list[tuple[dict[Any, Any], object, object]] | None = None

    @contextmanager
    def tentative(self) -> Iterator[None]:
        """Let cells be in the end what they are now: what a trial stores is no part of the project."""
        outer, self._before = self._before, []
        changed = self.changed
        try:
            yield
        finally:
            for cells, key, fact in reversed(self._before):
                if fact is None:
                    cells.pop(key, None)
                else:
                    cells[key] = fact
            self._before, self.changed = outer, changed

    def once(self, compute: Callable[[Any], T]) -> T:
        """Give what a function says of a finished analysis, computed once."""
        if compute not in self._computed:
            self._computed[compute] = compute(self)
        found: T = self._computed[compute]
        return found

    def note_change(self) -> None:
        """Note that others may read something else than before."""
        self.changed = True

    def widen_cell(self, old: v.Fact, fact: v.Fact) -> v.Fact:
        """Widen what a cell held by another fact; what never comes to rest becomes top."""
        new = v.join(old, v.widen(fact))
        if self.wide and new != old:
            new = to_top(new)
        self.changed = self.changed or new != old
        return new

    def set_attribute(self, class_: ClassDefinition, name: str, fact: v.Fact, frame: protocols.Frame) -> None:
        """Join a fact into an attribute of all instances of a class."""
        frame.act()
        if frame.failing == raising_calls.UNREACHED:
            return
        held = class_.attempted if raising_calls.is_own(frame.failing, class_) else class_.attributes
        self._store(Store(held, name, fact))

    def note_key(self, site: int, key: v.Fact) -> None:
        """Note that a dict is read or written under this key."""
        if v.known_to_include(key, "scalar"):
            self.by_number.add(site)
        if v.known_to_include(key, "dtype"):
            self._store(Store(self.keys, site, v.one(v.DType()), DTYPE_KEY))

    def add_element(self, site: int, fact: v.Fact, key: object = None) -> None:
        """Join a fact into the elements of a list or dict by its allocation site."""
        self._store(Store(self.heap, site, fact))
        if key is not None:
            self._store(Store(self.keys, site, fact, key))

    def set_global(self, module: ModuleInfo, name: str, fact: v.Fact) -> None:
        """Join a fact into a global that a function assigns."""
        self._store(Store(module.assigned, name, fact))

    def note_store(self, store: Store) -> None:
        """Note what is stored in a trial."""

    def repeat(self, effects: Effects) -> None:
        """Store what a run stored itself in an earlier trial."""
        if self._before is not None:
            for store in effects.stores:
                self._carry_out(store)

    def _store(self, store: Store) -> None:
        if self._before is not None:
            self.note_store(store)
        self._carry_out(store)

    def _carry_out(self, store: Store) -> None:
        cells, key = store.cells, store.key
        before = cells.get(key)
        if store.within is None:
            value: object = self.widen_cell(before or v.BOTTOM, store.fact)
        else:
            keys = before or NO_KEYS
            merged = self.widen_cell(keys.get(store.within, v.BOTTOM), store.fact)
            if merged == keys.get(store.within) or len(keys) >= MOST_KEYS:
                return
            value = {**keys, store.within: merged}  # a new dict: a context may have read the old one
        if self._before is not None:
            self._before.append((cells, key, before))
        cells[key] = value
