"""The first stage of the pipeline: a project as it is read, before anything is known of its values."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from np2torch.facts.interpreter.definitions import ModuleInfo
from np2torch.names import modules as module_names
from np2torch.names.openness import library_of
from np2torch.names.public import Module, public_definitions
from np2torch.rewrite import doctests, reading
from np2torch.rewrite.doctests import Doctest
from np2torch.source.examples import given_names
from np2torch.source.extensions import compiled_modules
from np2torch.source.gradients import scalars_for
from np2torch.source.ignore import is_closed
from np2torch.source.mentions import Mentions, dtypes_in, names_unheld
from np2torch.source.model import Problem, Settings, SourceFile
from np2torch.source.scan import mentions_numpy


@dataclass(frozen=True, eq=False)
class Parsed:
    """A project as it is read.

    Attributes
    ----------
    files
        All files, with large literals summarised.
    every, wanted, helpers
        The names of its modules: of all, of those that are about NumPy, of those that are read with them.
    mentions, names_unheld
        The dtypes that they speak of, and whether they name one that torch lacks.
    unreadable
        The files that are not read: for the size of what is written out in them, or as the analysis of them failed.
    read
        The trees of the files that were parsed so far, which every analysis reads and none changes.
    """

    files: Sequence[SourceFile]
    settings: Settings
    every: module_names.ModuleNames
    wanted: Mapping[Path, str]
    helpers: Mapping[Path, str]
    mentions: Mentions
    names_unheld: bool
    unreadable: Mapping[Path, Problem]
    read: dict[str, ast.Module] = field(default_factory=dict)

    def trees(self) -> Trees:
        """Parse the modules. An analysis writes into the modules, so that each has its own, and shares their trees."""
        infos: dict[Path, ModuleInfo] = {}
        problems: dict[Path, Problem] = dict(self.unreadable)
        for file in self.files:
            if file.path in self.names and file.path not in problems:
                parsed = reading.parse(file, self.names[file.path], file.path in self.helpers, self.read)
                if isinstance(parsed, ModuleInfo):
                    infos[file.path] = parsed
                else:
                    problems[file.path] = parsed
        given = given_names(file.text for file in self.files if file.path.name == "conftest.py")
        own = {path: info for path, info in infos.items() if mentions_numpy(info.text)}
        examples = {path: list(doctests.read(info, given, self.read)) for path, info in own.items()}
        return Trees(infos, problems, examples)

    def without(self, problems: Mapping[Path, Problem]) -> Parsed:
        """Give the project with these files left as they are, for these problems."""
        return replace(self, unreadable={**self.unreadable, **problems})

    @cached_property
    def names(self) -> Mapping[Path, str]:
        """The names of the modules that are parsed."""
        return {**self.wanted, **self.helpers}

    @cached_property
    def hiding_torch(self) -> set[Path]:
        """The folders in which `import torch` would import a module of the project."""
        return module_names.hidden_in("torch", self.every.of)

    @cached_property
    def importers(self) -> Mapping[str, str]:
        """For each module that another one imports, one that does."""
        return module_names.importers(self.files)

    @cached_property
    def extensions(self) -> frozenset[str]:
        """The modules of the project that are compiled."""
        return compiled_modules(self.every.of)

    @cached_property
    def scalars(self) -> str:
        """The setting of that name where nobody gives one."""
        return scalars_for(file.text for file in self.files)

    @cached_property
    def has_torch(self) -> bool:
        """Tell whether code in the project uses torch already."""
        return any("torch" in file.imported_modules for file in self.files)


class Trees(NamedTuple):
    """The modules of a project, the problems of those that cannot be parsed, and the examples in docstrings."""

    infos: dict[Path, ModuleInfo]
    problems: dict[Path, Problem]
    examples: dict[Path, list[Doctest]]

    @property
    def sessions(self) -> list[ModuleInfo]:
        """The examples that can be parsed, each a module of its own."""
        return [one.info for found in self.examples.values() for one in found if one.info is not None]

    def public(self, settings: Settings) -> frozenset[ast.AST]:
        """Give the definitions that callers with ndarrays may use."""
        if settings.public_api != "ndarray":
            return frozenset()
        own = (info for info in self.infos.values() if not info.is_helper)
        return frozenset(public_definitions(_by_name(own), settings.public_modules))

    def library(self, settings: Settings) -> dict[str, Module]:
        """Give the modules that callers nobody sees may import, by name."""
        return self._importable(settings, are_helpers=False)

    def helpers(self, settings: Settings) -> dict[str, Module]:
        """Give the modules without NumPy that such callers may import too, by name."""
        return self._importable(settings, are_helpers=True)

    def _importable(self, settings: Settings, are_helpers: bool) -> dict[str, Module]:
        infos = [info for info in self.infos.values() if info.is_helper == are_helpers]
        return library_of(_by_name(infos), [info.name for info in infos if is_closed(Path(info.path), settings)])


def _by_name(infos: Iterable[ModuleInfo]) -> dict[str, Module]:
    return {info.name: Module(info.tree, info.is_package) for info in infos}


def parse_project(files: Sequence[SourceFile], settings: Settings) -> Parsed:
    """Read a project: which of its modules are about NumPy, and which dtypes they speak of."""
    every = module_names.module_names(files)
    wanted = module_names.relevant(files, every)
    read = [reading.cut(file) for file in files]
    problems = {one.path: one for one in read if isinstance(one, Problem)}
    files = [file if isinstance(one, Problem) else one for file, one in zip(files, read, strict=True)]
    texts = [file.text for file in files if file.path in wanted]
    helpers = module_names.helpers(files, every, wanted)
    unreadable = {path: problems[path] for path in problems if path in wanted or path in helpers}
    return Parsed(files, settings, every, wanted, helpers, dtypes_in(texts), names_unheld(texts), unreadable)
