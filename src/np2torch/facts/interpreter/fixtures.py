"""pytest's fixtures: what a test is given for a parameter, by its name and from where it stands."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath
from typing import TYPE_CHECKING

from np2torch.facts import values as v

if TYPE_CHECKING:
    from np2torch.facts.interpreter.definitions import ClassDefinition, FunctionDefinition, ModuleInfo
    from np2torch.facts.interpreter.protocols import Rounds


class Fixtures:
    """The fixtures of a project; those of a `conftest` are seen in its folder and below."""

    def __init__(self, engine: Rounds, modules: Iterable[ModuleInfo]) -> None:
        self.engine = engine
        shared = [(PurePath(m.path).parent, m) for m in modules if PurePath(m.path).name == "conftest.py"]
        self.shared = sorted(shared, key=lambda pair: -len(pair[0].parts))
        self.making: list[FunctionDefinition] = []
        self.named: dict[str, list[FunctionDefinition]] = {}
        for module in modules:
            for function in module.functions:
                if function.is_fixture and function.owner is None:
                    self.named.setdefault(function.name, []).append(function)

    def fixture_fact(self, function: FunctionDefinition, class_: ClassDefinition | None, name: str) -> v.Fact | None:
        """Give what pytest passes for a parameter; None for an unknown fixture, or if pytest does not call it."""
        if not (function.name.startswith("test") or function.is_fixture):
            return None
        fixture = self._find(function, class_, name)
        if fixture is None or fixture in self.making:
            return None
        self.making.append(fixture)
        try:
            owner = class_ if fixture.owner is not None else None
            return self.engine.apply(None, fixture, self._parameters(fixture, owner), entry=True) or v.TOP
        finally:
            self.making.pop()

    def _parameters(self, fixture: FunctionDefinition, class_: ClassDefinition | None) -> dict[str, v.Fact]:
        """Give what a fixture is given itself: other fixtures."""
        facts: dict[str, v.Fact] = {}
        for index, name in enumerate(fixture.named_parameters):
            if index == 0 and class_ is not None and not fixture.is_static:
                facts[name] = v.one(self.engine.instance(class_))
            elif (fact := self.fixture_fact(fixture, class_, name)) is not None:
                facts[name] = fact
        return facts

    def _find(
        self, function: FunctionDefinition, class_: ClassDefinition | None, name: str
    ) -> FunctionDefinition | None:
        """The nearest fixture of that name: the class's, the module's, the conftest's of the folders around it."""
        if class_ is not None and (own := class_.find(name)) is not None and own.is_fixture and own is not function:
            return own
        folder = PurePath(function.module.path).parent
        around = [module for where, module in self.shared if where == folder or where in folder.parents]
        for module in [function.module, *around]:
            for found in self.named.get(name, ()):
                if found.module is module and found is not function:
                    return found
            if any(isinstance(a, v.Function) and a.definition is not function for a in module.env.get(name, ())):
                return None  # imported, or made in another way
        return None
