"""The project's modules: dotted names of files, which of them matter, what each imports of another."""

from __future__ import annotations

import ast
import itertools
import re
import sys
from collections.abc import Container, Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from np2torch.source.model import SourceFile

Names = Mapping[Path, str]
"""The dotted name of each file of a project."""
_WORD = re.compile(r"[^\W\d]\w*")
_HANDS_ON = re.compile(r"\bimport\b[^\n]*\b(np|xp|numpy)\b")
"""A module without NumPy of its own that imports the name, so that others may import it from there."""


def module_name(path: Path, packages: set[Path]) -> str:
    """Find the dotted name by which a file is imported: from the highest folder that is a package down.

    All paths are absolute: the folder `.` has no name and is its own parent.
    """
    parts = [] if path.name == "__init__.py" else [path.stem]
    top = _top(path, packages)
    folder = path.parent
    while folder != top:
        parts.append(folder.name)
        folder = folder.parent
    return ".".join(reversed(parts)) or path.parent.name


def _top(path: Path, packages: set[Path]) -> Path:
    """Find the folder that a file is imported from: the first one that is no package."""
    folder = path.parent
    while folder in packages:
        folder = folder.parent
    return folder


class ModuleNames(NamedTuple):
    """The names that the files of a project are imported by.

    Attributes
    ----------
    of
        The dotted name of each file.
    also
        Other names under which some are imported too, and the name of each.
    """

    of: Names
    also: Mapping[str, str]


def module_names(files: Sequence[SourceFile]) -> ModuleNames:
    """The dotted names of the files."""
    places = {file.path: file.path.absolute() for file in files}
    packages = {place.parent for place in places.values() if place.name == "__init__.py"}
    plain = {path: module_name(place, packages) for path, place in places.items()}
    imported = {begin for file in files for one in file.imported_modules for begin in beginnings(one)}
    spaces = _namespaces(imported, plain, {path: _top(place, packages) for path, place in places.items()})
    names: dict[Path, str] = {}
    also: dict[str, str] = {}
    taken: set[str] = set()
    for path, name in plain.items():
        spaced = f"{spaces[path]}.{name}" if path in spaces else name
        is_both = spaced != name and name.split(".")[0] in imported
        name = name if is_both else spaced
        while name in taken:  # two scripts of one name in different folders
            name += "'"
        taken.add(name)
        names[path] = name
        if is_both:
            also[spaced] = name
    return ModuleNames(names, also)


def _namespaces(imported: Container[str], names: Names, tops: Mapping[Path, Path]) -> dict[Path, str]:
    """Give what stands before the names of files whose folder is imported by its own name, though it is no package.

    Python takes a folder without `__init__.py` for a part of a name too (PEP 420): `tests.conftest`. A name that a file
    has as it is says nothing of it: the repository `pack` with the package `pack` that has a module `pack.pack`.
    """
    plain = set(names.values())
    below: dict[Path, list[Path]] = {}
    for path in names:
        below.setdefault(tops[path], []).append(path)
    spaces: dict[Path, str] = {}
    for top, paths in below.items():
        firsts = {names[path].split(".")[0] for path in paths}
        named = [folder.name for folder in (top, *top.parents)]
        for depth in range(1, MOST_NAMESPACES + 1):
            spelled = [".".join(reversed(named[at:depth])) for at in range(depth)]
            if any(one in imported and one not in plain for one in (f"{spelled[0]}.{first}" for first in firsts)):
                if named[depth - 1] not in OTHERS:  # the folders above are then parts of names too
                    for folder, space in zip((top, *top.parents), spelled, strict=False):
                        spaces |= dict.fromkeys(below.get(folder, ()), space)
                break
    return spaces


OTHERS = sys.stdlib_module_names | {"numpy", "scipy", "torch", "matplotlib", "pandas", "sklearn", "pytest"}
"""Packages that a folder of the same name does not stand for: Python takes the package."""
MOST_NAMESPACES = 3
"""So many folders above a module may be such parts of its name."""


def beginnings(name: str) -> list[str]:
    """`a.b.c` -> [`a`, `a.b`, `a.b.c`]; nothing of a relative name."""
    parts = [] if name.startswith(".") else name.split(".")
    return [".".join(parts[: count + 1]) for count in range(len(parts))]


def hidden_in(module: str, names: Names) -> set[Path]:
    """The folders of a project from which Python imports the project's own module of this name."""
    own = {path for path, name in names.items() if name.rstrip("'") == module}
    return {path.parent.parent if path.name == "__init__.py" else path.parent for path in own}


def helpers(files: Sequence[SourceFile], names: ModuleNames, wanted: Names) -> Names:
    """Files without NumPy that the relevant ones import: their constants and functions meet arrays.

    The small ones first, and no more text than the relevant files have: NumPy at the edge of a large program does not
    make all of it worth reading.
    """
    imported = {name for file in files if file.path in wanted for name in imported_from(file, names)}
    left = _free(files, wanted)
    found: dict[Path, str] = {}
    for file in sorted(files, key=_size):
        if file.path not in wanted and names.of[file.path] in imported:
            left -= len(file.text)
            if left < 0:
                break
            found[file.path] = names.of[file.path]
    return found


FREE_TEXT = 300_000
"""So many characters without NumPy are read for the sake of what they import, or as many as there are with NumPy."""


def _free(files: Sequence[SourceFile], wanted: Container[Path]) -> int:
    return max(FREE_TEXT, sum(_size(file) for file in files if file.path in wanted))


def _size(file: SourceFile) -> int:
    return len(file.text)


def outsiders(files: Sequence[SourceFile], names: ModuleNames, read: Names) -> set[str]:
    """The words of files that import what is read and are not read themselves: they may call what they name."""
    modules = set(read.values())
    words: set[str] = set()
    for file in files:
        if file.path not in read and imported_from(file, names) & modules:
            words.update(_WORD.findall(file.text))
    return words


def relevant(files: Sequence[SourceFile], names: ModuleNames) -> Names:
    """Files worth parsing, with their module names: those that import numpy or SciPy, and those that import such a one.

    Of the latter the small ones first, within a bound: what the others call is known by name (`outsiders`).
    A package counts as what its `__init__` imports: what imports the package calls that.
    """
    packages = {file.path: _packages(file, names) for file in files if file.mentions_numpy}
    if not any("numpy" in imported for imported in packages.values()):
        return {}
    wanted = {path for path, imported in packages.items() if imported & {"numpy", "scipy"}}
    hubs = {names.of[path] for path in wanted}  # importers of these may handle NumPy's names or arrays
    rest = [file for file in sorted(files, key=_size) if file.path not in wanted]
    wanted.update(_importers(rest, names, hubs, _free(files, wanted)))
    return {file.path: names.of[file.path] for file in files if file.path in wanted}


def _packages(file: SourceFile, names: ModuleNames) -> set[str]:
    """The packages of which a file imports modules."""
    return {name.split(".")[0] for name in imported_from(file, names)}


def _importers(files: Sequence[SourceFile], names: ModuleNames, hubs: Set[str], left: int) -> Iterator[Path]:
    """Find the files that import these modules, and what hands on those, within so many characters."""
    rest = {file.path: file.text for file in files}
    imports = {file.path: imported_from(file, names) for file in files}
    while found := [path for path in rest if imports[path] & hubs]:
        sizes = itertools.accumulate(len(rest[path]) for path in found)
        found = [path for path, size in zip(found, sizes, strict=True) if size <= left]
        left -= sum(len(rest[path]) for path in found)
        if not found:
            break
        yield from found
        hubs = {names.of[path] for path in found if path.name == "__init__.py" or _HANDS_ON.search(rest[path])}
        for path in found:
            del rest[path]


def connected_modules(files: Sequence[SourceFile], start: Container[Path]) -> set[Path]:
    """The files that those at the start import, or are imported by, and so on."""
    names = module_names(files)
    paths = {name: path for path, name in names.of.items()}
    beside: dict[Path, set[Path]] = {file.path: set() for file in files}
    for file in files:
        for name in imported_from(file, names):
            for path in (paths[one] for one in beginnings(name) if one in paths):
                beside[file.path].add(path)
                beside[path].add(file.path)
    waiting = [file.path for file in files if file.path in start]
    found = set(waiting)
    while waiting:
        fresh = beside[waiting.pop()] - found
        found |= fresh
        waiting += fresh
    return found


MOST_OF_A_PROJECT = 0.75
"""From this part of the code with NumPy on, all of a project is read with what it is connected with."""


def read_together(files: Sequence[SourceFile], start: Container[Path]) -> set[Path]:
    """The files to analyse with those at the start: the connected ones, or all where these are most of the project.

    What is asked of a file and what is asked of its whole project are one analysis then, of which both are kept.
    """
    found = connected_modules(files, start)
    with_numpy = [(file.path, len(file.text)) for file in files if file.mentions_numpy]
    inside = sum(size for path, size in with_numpy if path in found)
    whole = inside > 0 and inside >= MOST_OF_A_PROJECT * sum(size for _, size in with_numpy)
    return {file.path for file in files} if whole else found


def import_graph(files: Sequence[SourceFile]) -> dict[Path, set[Path]]:
    """Give the files of the project that each of them imports."""
    names = module_names(files)
    paths = {name: path for path, name in names.of.items()}
    graph: dict[Path, set[Path]] = {}
    for file in files:
        begun = {one for name in imported_from(file, names) for one in beginnings(name)}
        graph[file.path] = {paths[one] for one in begun if one in paths} - {file.path}
    return graph


def importers(files: Sequence[SourceFile]) -> Mapping[str, str]:
    """For each module of a project that another one imports, the name of one that does."""
    names = module_names(files)
    known = set(names.of.values())
    pairs = ((one, names.of[file.path]) for file in files for one in imported_from(file, names))
    begun = ((name, importer) for one, importer in pairs for name in beginnings(one))
    return {name: importer for name, importer in begun if name in known and name != importer}


def absolute_name(importer: str, is_package: bool, node: ast.ImportFrom) -> str:
    """The absolute name of the module a `from` import names."""
    return _absolute(importer, is_package, node.level, node.module or "")


def numpys_module(node: ast.ImportFrom) -> str | None:
    """NumPy's module that a `from` import names; a relative one means the project's own, be it NumPy's source."""
    module = node.module or ""
    return module if not node.level and module.split(".")[0] == "numpy" else None


def imported_from(file: SourceFile, names: ModuleNames) -> set[str]:
    """The absolute names of the modules that a file may import."""
    importer, is_package = names.of[file.path], file.path.name == "__init__.py"
    split = [(one, one.lstrip(".")) for one in file.imported_modules]
    found = (_absolute(importer, is_package, len(one) - len(name), name) for one, name in split)
    return {names.also.get(name, name) for name in found}


def _absolute(importer: str, is_package: bool, level: int, name: str) -> str:
    """Give what a name with so many dots before it means in a module."""
    if not level:
        return name
    parts = importer.split(".")
    base = parts[: len(parts) - level + is_package]
    return ".".join([*base, name] if name else base)
