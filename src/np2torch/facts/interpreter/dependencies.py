"""Dependencies: what a body can read outside of itself (`Cell`), and its present value."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from np2torch.facts import values as v

if TYPE_CHECKING:
    from np2torch.facts.interpreter.contexts import Cell
    from np2torch.facts.interpreter.definitions import ModuleInfo
    from np2torch.facts.interpreter.protocols import Cells

NO_KEYS: dict[object, v.Fact] = {}


def value(engine: Cells, cell: Cell) -> object:
    """Read the present value of a dependency."""
    kind, owner, name = cell
    return VALUES[kind](engine, owner, name)


def _global(engine: Cells, module: ModuleInfo, name: str) -> v.Fact | None:
    if module.context is None or module.context.checked != engine.number:
        engine.run_module(module)
    return module.member(name)


VALUES: dict[str, Callable[[Cells, Any, Any], object]] = {
    "element": lambda engine, site, _: engine.heap.get(site),
    "keys": lambda engine, site, _: engine.keys.get(site, NO_KEYS),
    "attribute": lambda _, class_, name: class_.attribute(name),
    "ever": lambda _, class_, name: class_.ever(name),
    "settled": lambda engine, _, __: engine.settled,
    "left": lambda engine, test, truth: engine.tried and (test, truth) not in engine.taken,
    "heirs": lambda engine, class_, _: len(engine.heirs.get(class_, ())),
    "methods": lambda engine, _, name: len(engine.methods.get(name, ())),
    "global": _global,
}
"""The present value of each kind of cell."""
