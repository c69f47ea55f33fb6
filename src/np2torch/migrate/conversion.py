"""The project converted with this or that left on NumPy: analysed once, only what changes is planned again."""

from __future__ import annotations

import ast
import dataclasses
import threading
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from np2torch.facts.interpreter.definitions import ModuleInfo
from np2torch.migrate.copies import Copy, import_roots
from np2torch.migrate.drafts import Drafts
from np2torch.migrate.origins import Origins
from np2torch.migrate.results import Frame
from np2torch.names import keeping, modules
from np2torch.names.keeping import TOP, KeptNodes
from np2torch.rewrite.convert import Work, analyse, interpreting
from np2torch.rewrite.keeping import Keeping, array_classes, module_uses
from np2torch.source.model import Converted, Settings, Site, SourceFile
from np2torch.source.read import encode

MOST_ANALYSES = 4
"""How many analyses are remembered."""
Variant = tuple[frozenset[tuple[str, str]], frozenset[str]]
"""The choices that need another analysis: ndarray subclasses that stay so, and functions without a guard."""


class Share(NamedTuple):
    """Share of the uses of NumPy that are converted."""

    converted: int
    sites: int

    @property
    def percent(self) -> float:
        """The share."""
        return 100.0 * self.converted / self.sites if self.sites else 100.0


class Conversion:
    """A project, and what comes of it for each set of what is kept.

    Parameters
    ----------
    files
        The project on NumPy.
    scope
        The files to convert, None for all.

    Attributes
    ----------
    seconds
        How long an analysis takes: one more is made for other guards.
    """

    def __init__(self, files: Sequence[SourceFile], settings: Settings) -> None:
        self.files, self.settings = files, settings
        self.unguarded = frozenset(settings.unguarded)
        begin = time.monotonic()
        self.work = self._analysed(())
        self.seconds = time.monotonic() - begin
        self._works: dict[Variant, Work] = {(frozenset(), self.unguarded): self.work}
        root = Path(settings.root).resolve()
        infos = self.work.infos.items()
        self.names = {path: keeping.module_entry(info.name, path, root) for path, info in infos}
        self.paths = {name: path for path, name in self.names.items()}
        self.spelled = {info.name: self.names[path] for path, info in infos}
        every = modules.module_names(files)
        self.modules = every.of
        self.roots = import_roots(every.of.items())
        self._cache: dict[tuple[int, Work, KeptNodes, bool, frozenset[ast.AST]], Converted] = {}
        self._drafts: dict[tuple[int, Work], Drafts] = {}
        self._counts: dict[str, int] = {}
        self._busy = threading.Lock()

    # --------------------------------------------------------------------------------------------- texts
    def convert_files(self, entries: Collection[str]) -> list[Converted]:
        """Every file with these entries left on NumPy."""
        with self._busy:
            work = self._keeping(entries)
            return [self._one(work, number) for number in range(len(self.files))]

    def draft_texts(self, entries: Collection[str]) -> list[str]:
        """The texts of the same for a trial: put together where files are cut into functions, which takes no time."""
        with self._busy:
            work = self._keeping(entries)
            return [self._draft(work, number) for number in range(len(self.files))]

    def _keeping(self, entries: Collection[str]) -> Work:
        """The analysis that knows of the subclasses of ndarray among these entries, which are left from now on."""
        arrays = array_classes(sorted(entries), self.work.infos, self.work.engine)
        variant = arrays, self.unguarded
        if variant not in self._works:
            if len(self._works) > MOST_ANALYSES:
                self._forget(next(one for one in self._works if self._works[one] is not self.work))
            self._works[variant] = self._analysed(sorted(f"{module}:{name}" for module, name in arrays))
        work = self._works[variant]
        work.keep(sorted(entries))
        return work

    def _draft(self, work: Work, number: int) -> str:
        path, keep = self.files[number].path, work.keeping
        info = work.infos.get(path)
        if info is None or info.name in keep.sealed or info.name in keep.whole:
            return self._one(work, number).after
        drafts = self._drafts.setdefault((number, work), Drafts(work, number))
        text = drafts.text(keep.of(path), keep.reached)
        return self._one(work, number).after if text is None else text

    def _forget(self, variant: Variant) -> None:
        """Make room for another analysis."""
        work = self._works.pop(variant)
        self._cache = {key: value for key, value in self._cache.items() if key[1] is not work}
        self._drafts = {key: value for key, value in self._drafts.items() if key[1] is not work}

    def _analysed(self, entries: Sequence[str]) -> Work:
        with interpreting():
            if not entries and self.unguarded > frozenset(self.settings.unguarded):
                found = self.work.with_fewer_guards(sorted(self.unguarded))
                if found is not None:
                    return found
            asked = dataclasses.replace(self.settings, keep=tuple(entries), unguarded=tuple(sorted(self.unguarded)))
            return analyse(self.files, asked)

    def _one(self, work: Work, number: int) -> Converted:
        path = self.files[number].path
        info, keep = work.infos.get(path), work.keeping
        nodes = info.nodes if info is not None else ()
        left = keep.of(path)
        is_sealed = info is not None and info.name in keep.sealed
        key = (number, work, left, is_sealed, frozenset(node for node in nodes if node in keep.reached))
        if key not in self._cache:
            self._cache[key] = work.convert(number)
        return self._cache[key]

    def write(self, copy: Copy, entries: Collection[str], is_trial: bool = False) -> None:
        """Put the project with these entries left on NumPy into a copy."""
        texts = self.draft_texts(entries) if is_trial else [one.after for one in self.convert_files(entries)]
        pairs = zip(self.files, texts, strict=True)
        copy.write({file.path: encode(text, file) for file, text in pairs})

    def originals(self) -> dict[Path, bytes]:
        """The files as they are on NumPy."""
        return {file.path: encode(file.text, file) for file in self.files}

    # -------------------------------------------------------------------------------------------- entries
    def is_guarded(self, entry: str) -> bool:
        """Tell whether the conversion puts a guard into this function."""
        module, _, name = entry.partition(":")
        info = self._info(self.paths[module]) if module in self.paths else None
        if info is None or entry in self.unguarded:
            return False
        nodes = keeping.find_kept_nodes(info.tree, [name]).definitions
        return any(one.guard is not None and one.node in nodes for one in info.functions)

    def entry(self, path: Path, name: str, line: int = 0, text: str = "") -> str | None:
        """Give what to keep for a place: the function, method, or variable that stands there."""
        info = self._info(path)
        if info is None:
            return None
        module = self.spelled[info.name]
        if name != TOP:
            return f"{module}:{self._unit(info, name)}"
        for statement in ast.parse(text).body if text else ():
            if statement.lineno <= line <= (statement.end_lineno or line):
                if isinstance(statement, (ast.Import, ast.ImportFrom)):
                    return None
                if isinstance(statement, keeping.DEFINITIONS):
                    return f"{module}:{statement.name}"
                names = sorted(keeping.bound_by(statement))
                return f"{module}:{next((one for one in names if self._is_variable(path, one)), TOP)}"
        return f"{module}:{TOP}"

    def _unit(self, info: ModuleInfo, name: str) -> str:
        """The longest part of a qualified name that a definition has, outside or, where others wrap it, inside."""
        for qualified in name.split(".<locals>."):
            parts = qualified.split(".")
            if self._is_array_class(info, parts[0]):  # as a whole, or not at all
                return parts[0]
            while parts:
                if keeping.find_kept_nodes(info.tree, [".".join(parts)]).definitions:
                    return ".".join(parts)
                parts.pop()
        return TOP

    def _is_array_class(self, info: ModuleInfo, name: str) -> bool:
        classes = self.work.engine.classes
        nodes = keeping.find_kept_nodes(info.tree, [name]).definitions
        found = (classes.get(node) for node in nodes if isinstance(node, ast.ClassDef))
        return any(one is not None and one.is_ndarray() for one in found)

    def of_frame(self, frame: Frame, copy: Copy) -> str | None:
        """Give what to keep for a frame of a traceback."""
        path = copy.original(frame.path)
        if path is None:
            return None
        text = Path(frame.path).read_text("utf-8", "replace") if frame.name == TOP else ""
        try:
            return self.entry(path, frame.name, frame.line, text)
        except SyntaxError:
            return None

    def _info(self, path: Path) -> ModuleInfo | None:
        return self._by_real.get(path.resolve())

    @cached_property
    def _by_real(self) -> dict[Path, ModuleInfo]:
        return {path.resolve(): info for path, info in self.work.infos.items() if path not in self.work.problems}

    def read_by(self, entry: str) -> list[str]:
        """The variables of modules that an entry reads, as entries: of functions those with something to convert."""
        module, _, name = entry.partition(":")
        path = self.paths.get(module)
        if path is None or not name:
            return []
        found = keeping.find_kept_nodes(self._tree(path), [name])
        classes = [one for one in found.definitions if isinstance(one, ast.ClassDef)]
        name = self.work.infos[path].name
        by_functions = (one for one in self._origins.read(name, found.definitions) if self.has_sites(one))
        return list(dict.fromkeys([*self._origins.read(name, [*found.statements, *classes]), *by_functions]))

    @cached_property
    def _origins(self) -> Origins:
        return Origins(self.work.infos.values())

    def _is_variable(self, path: Path, name: str) -> bool:
        info = self._info(path)
        return info is not None and bool(keeping.find_kept_nodes(info.tree, [name]).statements)

    def is_variable(self, entry: str) -> bool:
        """Tell whether an entry is a variable of a module."""
        module, _, name = entry.partition(":")
        return module in self.paths and bool(name) and self._is_variable(self.paths[module], name)

    def imported_by(self, some: Iterable[str]) -> list[str]:
        """The modules of the project that some import, with those that these import, and themselves."""
        return _reachable(some, self._uses)

    def connected_files(self, some: Iterable[str]) -> list[str]:
        """The same with all that import any of these: what has nothing to do with the rest of the project."""
        both = {name: set(used) for name, used in self._uses.items()}
        for name, used in self._uses.items():
            for one in used:
                both[one].add(name)
        return _reachable(some, both)

    @cached_property
    def _uses(self) -> dict[str, set[str]]:
        uses = module_uses(self.work.infos, self.work.engine.also)
        pairs = ((name, (self.spelled[one] for one in used if one in self.spelled)) for name, used in uses.items())
        return {self.spelled[name]: set(used) for name, used in pairs}

    def all_modules(self) -> list[str]:
        """Everything: with all modules left on NumPy the project is what it was."""
        return list(self.paths)

    def module_of_test(self, test: str) -> str | None:
        """The module that a test stands in, by what pytest calls it."""
        file = test.partition("::")[0]
        found = (name for path, name in self.names.items() if f"/{path.resolve().as_posix()}".endswith(f"/{file}"))
        return next(found, None) if file.endswith(keeping.SUFFIX) else None

    def wider(self, entry: str) -> list[str]:
        """Give what an entry is part of, from small to large: the class, the class with its family, the module."""
        module, _, name = entry.partition(":")
        found: list[str] = []
        if "." in name:
            found.append(f"{module}:{name.rpartition('.')[0]}")
        return [*found, module] if name else found

    def family(self, entry: str) -> list[str]:
        """A class with the classes of the project that it derives from, and those that derive from it."""
        module, _, name = entry.partition(":")
        path = self.paths.get(module)
        nodes = (
            keeping.find_kept_nodes(self.work.infos[path].tree, [name]).definitions if path is not None and name else ()
        )
        found = []
        for node in nodes:
            definition = self.work.engine.classes.get(node) if isinstance(node, ast.ClassDef) else None
            if definition is not None:
                found += [*definition.lineage(), *definition.heirs]
        return sorted({f"{self.spelled[one.module.name]}:{one.node.name}" for one in found} | {entry})

    # ----------------------------------------------------------------------------------------------- sites
    @cached_property
    def plain(self) -> list[Converted]:
        """The project with nothing left on NumPy by name."""
        return self.convert_files(())

    def sites_in(self, entry: str) -> int:
        """Count the uses of NumPy that an entry holds back."""
        if entry not in self._counts:
            self._counts[entry] = self._count(entry)
        return self._counts[entry]

    def _count(self, entry: str) -> int:
        module, _, name = entry.partition(":")
        path = self.paths.get(module)
        if path is None:
            return 0
        found = self._inside(path, keeping.find_kept_nodes(self._tree(path), [name])) if name else self._sites[path]
        return sum(site.outcome != "todo" for site in found)

    def has_sites(self, entry: str) -> bool:
        """Tell whether there is anything to convert in it."""
        return self.sites_in(entry) > 0

    def _tree(self, path: Path) -> ast.Module:
        return self.work.infos[path].tree

    def _inside(self, path: Path, found: KeptNodes) -> Iterator[Site]:
        spans = []
        for node in (*found.definitions, *found.statements):
            lines = [node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))]
            spans.append((min(lines), node.end_lineno or node.lineno))
        for site in self._sites[path]:
            if any(first <= site.line <= last for first, last in spans):
                yield site

    @cached_property
    def _sites(self) -> dict[Path, tuple[Site, ...]]:
        return {one.path: one.sites for one in self.plain}

    def share(self, entries: Collection[str]) -> Share:
        """Count the uses of NumPy that are converted with these entries left."""
        every = sum(len(sites) for sites in self._sites.values())
        converted = sum(site.outcome != "todo" for sites in self._sites.values() for site in sites)
        keep = Keeping(sorted(entries), self.work.infos, self.work.engine)
        whole = {self.paths[one] for one in entries if one in self.paths}
        parts = [self._inside(path, found) for path, found in keep.by_path.items() if path not in whole]
        left = [site for sites in (*parts, *(self._sites[path] for path in whole)) for site in sites]
        return Share(converted - sum(site.outcome != "todo" for site in left), every)

    def everything(self) -> list[str]:
        """All that could be left on NumPy, one by one."""
        return [f"{self.names[path]}:{name}" for path in self.names for name in self._units(path)]

    def _units(self, path: Path) -> Iterator[str]:
        yield TOP
        for node in keeping.definitions_in(self._tree(path).body):
            if isinstance(node, ast.ClassDef) and not self._is_array_class(self.work.infos[path], node.name):
                yield from (f"{node.name}.{one.name}" for one in keeping.definitions_in(node.body))
            else:
                yield node.name


def _reachable(start: Iterable[str], steps: Mapping[str, Iterable[str]]) -> list[str]:
    found: dict[str, None] = {}
    waiting = [one for one in start if one in steps]
    while waiting:
        found[one := waiting.pop()] = None
        waiting += [other for other in steps[one] if other not in found]
    return list(found)


def modules_of(conversion: Conversion, paths: Iterable[Path]) -> list[tuple[str, Path, Path]]:
    """Name, file, and the folder that it is imported from, of some files."""
    found = []
    for path in paths:
        name = conversion.modules[path]
        (top,) = import_roots([(path, name)])
        found.append((name, path, top))
    return found
