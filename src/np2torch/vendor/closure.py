"""The part of the shim that some of its functions need."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from np2torch.vendor.shim_modules import SHIM, ShimModule, Unit, exports, is_ours

WHOLE = "globals"
"""The functions that read the names of a module by their text; then all of it is needed."""


class UnknownNameError(ValueError):
    """A name that the shim has not; the message is one line."""


class Closure:
    """The part of the shim that some names need.

    Attributes
    ----------
    units
        The statements that are needed, by module. A module that is needed runs what it does on import.
    imports
        The names that are needed of imports, by module.
    """

    def __init__(self, modules: Mapping[str, ShimModule]) -> None:
        self.modules = modules
        self.units: dict[str, set[Unit]] = {}
        self.imports: dict[str, set[str]] = {}
        self._done: set[tuple[str, str]] = set()
        self._waiting: list[tuple[str, Unit]] = []

    def add(self, chains: Iterable[tuple[str, ...]]) -> None:
        """Add names of the shim, each a path of attributes; no attributes at all stand for the whole of it.

        Raises
        ------
        UnknownNameError
            For a name that the shim has not.
        """
        for chain in chains:
            if not self._resolve(SHIM, chain):
                raise UnknownNameError(f"np2torch's shim has no {'.'.join(chain)}")
        while self._waiting:
            self._follow(*self._waiting.pop())

    def has(self, chain: tuple[str, ...]) -> bool:
        """Tell whether the shim has a name, or a module that has it."""
        shim = self.modules[SHIM]
        if chain[0] in shim.imported_names or f"{SHIM}.{chain[0]}" in self.modules:
            return True
        return any(chain[0] in exports(self.modules, source) for source in shim.starred_modules)

    def _whole(self, name: str) -> None:
        module = self._module(name)
        for unit in module.units:
            self._unit(name, unit)
            for found in unit.defines:
                self._name(name, found)
        for other in self.modules if name == SHIM else ():
            self._whole(other) if other != SHIM and other not in self.units else None

    def _module(self, name: str) -> ShimModule:
        """Enter a module: what it does on import is needed, and the packages around it."""
        module = self.modules[name]
        if name not in self.units:
            self.units[name] = set()
            self.imports.setdefault(name, set())
            for unit in module.units:
                if not unit.defines and not unit.is_import:
                    self._unit(name, unit)
            if name != SHIM:
                self._module(name.rpartition(".")[0])
        return module

    def _unit(self, name: str, unit: Unit) -> None:
        if unit not in self.units[name] and not unit.is_import:
            self.units[name].add(unit)
            self._waiting.append((name, unit))

    def _resolve(self, module: str, chain: tuple[str, ...]) -> bool:
        """Need what a path of attributes of a module leads to."""
        if not chain:
            self._whole(module)
            return True
        found = self._name(module, chain[0])
        if isinstance(found, str):
            return self._resolve(found, chain[1:])
        return found

    def _name(self, name: str, wanted: str) -> bool | str:
        """Need a name of a module: whether it has it, or the module that it is."""
        module = self._module(name)
        if wanted in module.defining:
            if (name, wanted) not in self._done:
                self._done.add((name, wanted))
                for unit in module.defining[wanted]:
                    self._unit(name, unit)
            return True
        if wanted in module.imported_names:
            self.imports[name].add(wanted)
            source, original = module.imported_names[wanted]
            inner = f"{source}.{original}"
            if inner in self.modules:
                self._module(inner)
                return inner
            return self._name(source, original) if source in self.modules else source
        for source in module.starred_modules:
            if wanted in exports(self.modules, source):
                self.imports[name].add(wanted)
                return self._name(source, wanted)
        if f"{name}.{wanted}" in self.modules:
            self._module(f"{name}.{wanted}")
            return f"{name}.{wanted}"
        if any(wanted in unit.defines for unit in module.units):  # imported from elsewhere
            self.imports[name].add(wanted)
            return True
        return False

    def _follow(self, name: str, unit: Unit) -> None:
        for chain in unit.uses:
            if chain == (WHOLE,):
                self._whole(name)
                continue
            found = self._name(name, chain[0])
            if isinstance(found, str) and not self._resolve(found, chain[1:]):
                self._whole(found)
        for node in ast.walk(unit.node):
            if isinstance(node, ast.ImportFrom) and node.module is not None and is_ours(node.module):
                for one in node.names:
                    inner = self._name(node.module, one.name) if node.module in self.modules else SHIM
                    if isinstance(inner, str):
                        self._whole(inner)
