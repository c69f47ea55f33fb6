"""A package and its copy of the shim: which names it uses, its imports, and the files on disk."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from np2torch.source.discover import load_project
from np2torch.source.model import Problem, Settings, SourceFile
from np2torch.source.paths import display_path
from np2torch.source.shim_folder import shim_folder
from np2torch.source.vendored_shim import COPY, with_copy
from np2torch.source.write import replace_atomically, write_file
from np2torch.vendor.closure import Closure, UnknownNameError
from np2torch.vendor.shim_modules import SHIM, read_chains, read_shim
from np2torch.vendor.writing import MADE, Source, listed_names, write_copy

INIT = "__init__.py"


class VendorError(ValueError):
    """Why a package gets no copy; the message is one line."""


class Copy(NamedTuple):
    """A package as it is to be.

    Attributes
    ----------
    folder, files
        Where the copy lies, and its files by their paths in it.
    edited
        The files whose imports change, with their new texts.
    names
        The names of the shim that are used.
    problems
        Files that cannot be read.
    """

    folder: Path
    files: dict[PurePosixPath, str]
    edited: list[tuple[SourceFile, str]]
    names: list[str]
    problems: tuple[Problem, ...]


def plan_copy(package: Path, others: Sequence[Path], include: Sequence[str], settings: Settings) -> Copy:
    """Work out what a package needs of the shim.

    Parameters
    ----------
    others
        Files and folders beside the package that use the same copy: its tests, programs.
    include
        Names to take along that no text speaks of; those that an earlier copy was asked for stay.

    Raises
    ------
    VendorError
        Where there is no package, or an import cannot be changed.
    """
    name = package_name(package)
    project = load_project([package, *others], settings)
    files = [file for file in project.files if not file.text.startswith(MADE)]
    uses = Uses(name)
    edited = []
    for file in files:
        text = uses.rename_imports(file)
        uses.collect(file, text)
        if text != file.text:
            edited.append((file, text))
    head = package / COPY / INIT
    included = sorted({*include, *(listed_names(head.read_text("utf-8")) if head.is_file() else ())})
    folder = shim_folder()
    closure = Closure(read_shim(folder))
    try:
        closure.add([*uses.chains, *(tuple(one.split(".")) for one in included)])
    except UnknownNameError as error:
        raise VendorError(str(error)) from None
    closure.add(chain for chain in uses.perhaps if closure.has(chain))
    names = sorted({".".join(chain[:2]) or "all of it" for chain in uses.chains})
    written = write_copy(closure, Source(folder, name), tuple(included)) if uses.chains or included else {}
    return Copy(package / COPY, written, edited, names, project.problems)


def package_name(folder: Path) -> str:
    """Give the name by which a package is imported."""
    folder = folder.resolve()
    if not (folder / INIT).is_file():
        raise VendorError(f"{display_path(folder)} is no package: it has no {INIT}")
    parts = [folder.name]
    while ((folder := folder.parent) / INIT).is_file():
        parts.insert(0, folder.name)
    return ".".join(parts)


class Uses:
    """The names of the shim that texts use, and their imports.

    Attributes
    ----------
    chains
        Paths of attributes from the shim on.
    perhaps
        Those that strings speak of: examples in docstrings, code that is run later.
    """

    def __init__(self, package: str) -> None:
        self.copy = f"{package}.{COPY}"
        self.package = package
        self.chains: set[tuple[str, ...]] = set()
        self.perhaps: set[tuple[str, ...]] = set()

    def rename_imports(self, file: SourceFile) -> str:
        """Give the text with imports of the copy for those of np2torch's shim."""
        text = with_copy(file.text, self.package)
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return file.text  # Python cannot run it either
        for node in ast.walk(tree):
            modules = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            modules = [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else modules
            if any(module.partition(".")[0] == SHIM.partition(".")[0] for module in modules):
                found = f"{file.display}:{getattr(node, 'lineno', 1)}: {ast.unparse(node)}"
                raise VendorError(f"{found}: cannot be changed; write `from np2torch import shim`")
        return text

    def collect(self, file: SourceFile, text: str) -> None:
        """Note what a text with its imports changed uses."""
        if COPY not in text:
            return
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return
        known = dict(self._imported(tree))
        self.chains.update(path for name, path in known.items() if path)
        read = set(read_chains(tree))
        self.chains.update(known[chain[0]] + chain[1:] for chain in read if chain[0] in known)
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                for name in known or ("shim",):
                    for match in re.finditer(rf"\b{name}((?:\.\w+)+)", node.value):
                        self.perhaps.add(known.get(name, ()) + tuple(match[1][1:].split(".")))

    def _imported(self, tree: ast.Module) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Give the names that imports bind to the copy, or to what is in it."""
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for one in node.names:
                    if f"{one.name}.".startswith(f"{self.copy}.") and one.asname:
                        yield one.asname, tuple(one.name.removeprefix(self.copy).split(".")[1:])
            elif isinstance(node, ast.ImportFrom) and not node.level and node.module is not None:
                for one in node.names:
                    whole = f"{node.module}.{one.name}"
                    if f"{whole}.".startswith(f"{self.copy}."):
                        yield one.asname or one.name, tuple(whole.removeprefix(self.copy).split(".")[1:])


def differences(copy: Copy) -> list[str]:
    """Name what is not as it should be, one line each."""
    lines = [f"{file.display}: imports np2torch; the package has a copy of its shim" for file, _ in copy.edited]
    there = _on_disk(copy.folder)
    for path in sorted(copy.files.keys() | there.keys()):
        shown = display_path(copy.folder / path)
        if path not in there:
            lines.append(f"{shown}: missing")
        elif path not in copy.files:
            lines.append(f"{shown}: not needed any more")
        elif there[path] != copy.files[path]:
            lines.append(f"{shown}: not what np2torch would write")
    return lines


def write_all(copy: Copy) -> list[Problem]:
    """Write the copy, then the imports, so that a run that is stopped leaves a package that can be imported."""
    there = _on_disk(copy.folder)
    for path, text in copy.files.items():
        if there.get(path) != text:
            target = copy.folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            replace_atomically(target, text.encode(), 0o644)
    problems = [found for file, text in copy.edited if (found := write_file(file, text)) is not None]
    for path in () if problems else sorted(there.keys() - copy.files.keys()):
        (copy.folder / path).unlink()
    return problems


def _on_disk(folder: Path) -> dict[PurePosixPath, str]:
    """Give the files of a copy as they are; others in its folder are no business of ours."""
    found = {}
    for path in sorted(folder.rglob("*.py")):
        text = path.read_text("utf-8", errors="replace")
        if text.startswith(MADE):
            found[PurePosixPath(path.relative_to(folder).as_posix())] = text
    return found
