"""Import time: which modules have to change together so that all of a project can be imported at every step.

A module that computes with the names of another one while it is imported meets arrays before that is converted, and
tensors after. A function of it that is only called later does not matter here.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from np2torch.names.modules import absolute_name, beginnings, imported_from, module_names
from np2torch.names.scopes import bound_names

if TYPE_CHECKING:
    from np2torch.source.model import SourceFile

LATER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def units(files: Sequence[SourceFile], after: Mapping[Path, str]) -> list[list[Path]]:
    """Group the files that change, each with those that have to change with it; what is imported comes first.

    Parameters
    ----------
    files
        All files of the project, as they are before.
    after
        The new texts of those that change.
    """
    names = module_names(files)
    paths = {name: path for path, name in names.of.items()}
    imports = {file.path: _imported_paths(imported_from(file, names), paths) & after.keys() for file in files}
    trees = {file.path: ast.parse(file.text) for file in files if file.path in after}
    lost = {path: _bound(tree) - _bound(ast.parse(after[path])) for path, tree in trees.items()}
    group = {path: path for path in trees}

    def root(path: Path) -> Path:
        while group[path] != path:
            path = group[path]
        return path

    for path, tree in trees.items():
        owners = dict(_owners(tree, names.of[path], path.name == "__init__.py", paths))
        for other, is_called in _met(tree, owners, lost):
            for one in (_reachable(other, imports) if is_called else {other}) & trees.keys():
                group[root(one)] = root(path)
    found: dict[Path, list[Path]] = {}
    for path in _imported_first(list(trees), needs(files, trees.keys())):
        found.setdefault(root(path), []).append(path)
    return list(found.values())


def needs(files: Sequence[SourceFile], changed: Collection[Path]) -> dict[Path, set[Path]]:
    """Give the changing files that each changing file imports, through unchanged files too."""
    names = module_names(files)
    paths = {name: path for path, name in names.of.items()}
    graph = {file.path: {_module(name, paths) for name in imported_from(file, names)} for file in files}
    found: dict[Path, set[Path]] = {}
    for start in changed:
        seen, waiting = {start}, [start]
        while waiting:
            fresh = {one for one in graph.get(waiting.pop(), ()) if one is not None} - seen
            seen |= fresh
            waiting += fresh - set(changed)
        found[start] = seen & set(changed) - {start}
    return found


def _module(name: str, paths: Mapping[str, Path]) -> Path | None:
    """Give the file of what is imported, not those of the packages around it."""
    return next((paths[one] for one in sorted(beginnings(name), key=len, reverse=True) if one in paths), None)


def _imported_paths(modules: Iterable[str], paths: Mapping[str, Path]) -> set[Path]:
    return {paths[begin] for name in modules for begin in beginnings(name) if begin in paths}


def _owners(tree: ast.Module, name: str, is_package: bool, paths: Mapping[str, Path]) -> Iterator[tuple[str, Path]]:
    """Give the names that a module imports from modules of the project, each with the file of that."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name in paths:
                    yield alias.asname or alias.name.partition(".")[0], paths[alias.name]
        elif isinstance(node, ast.ImportFrom):
            module = absolute_name(name, is_package, node)
            for alias in node.names:
                path = paths.get(f"{module}.{alias.name}") or paths.get(module)
                if path is not None:
                    yield alias.asname or alias.name, path


def _met(tree: ast.Module, owners: Mapping[str, Path], lost: Mapping[Path, set[str]]) -> Iterator[tuple[Path, bool]]:
    """Give the files whose names a module works with while it is imported, and whether it calls them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                path = owners.get(alias.asname or alias.name)
                if path is not None and (alias.name in lost.get(path, ()) or alias.name == "*" and lost.get(path)):
                    yield path, False
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            path = owners.get(node.value.id)
            if path is not None and node.attr in lost.get(path, ()):
                yield path, False
    for node, is_called in _read_at_once(tree):
        if node.id in owners:
            yield owners[node.id], is_called


def _read_at_once(tree: ast.Module) -> Iterator[tuple[ast.Name, bool]]:
    """Give the names that are read while a module is imported, and whether they are called."""
    waiting: list[tuple[ast.AST, bool]] = [(tree, False)]
    while waiting:
        node, is_called = waiting.pop()
        if isinstance(node, ast.Name):
            yield node, is_called
        else:
            waiting += _computed_at_once(node, is_called)


def _computed_at_once(node: ast.AST, is_called: bool) -> Iterator[tuple[ast.AST, bool]]:
    """Give the parts of a node that are computed with it; bases and annotations compute nothing."""
    if isinstance(node, (*LATER, ast.ClassDef)):
        yield from ((one, True) for one in getattr(node, "decorator_list", ()))
        if isinstance(node, ast.ClassDef):
            yield from ((one, False) for one in node.body)
        else:
            yield from ((one, False) for one in (*node.args.defaults, *node.args.kw_defaults) if one is not None)
    elif isinstance(node, ast.Call):
        yield node.func, True
        yield from ((one, False) for one in (*node.args, *node.keywords))
    elif isinstance(node, ast.AnnAssign):
        yield from ((one, False) for one in (node.target, node.value) if one is not None)
    elif isinstance(node, ast.Attribute):
        yield node.value, is_called
    else:
        yield from ((one, False) for one in ast.iter_child_nodes(node))


def _bound(tree: ast.Module) -> set[str]:
    """Give the names that a module has once it is imported."""
    found: set[str] = set()
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        found.update(bound_names(node))
        if not isinstance(node, (*LATER, ast.ClassDef)):
            waiting += ast.iter_child_nodes(node)
    return found


def _reachable(start: Path, imports: Mapping[Path, set[Path]]) -> set[Path]:
    found, waiting = {start}, [start]
    while waiting:
        fresh = imports.get(waiting.pop(), set()) - found
        found |= fresh
        waiting += fresh
    return found


def _imported_first(paths: Sequence[Path], imports: Mapping[Path, set[Path]]) -> list[Path]:
    """Order files so that each comes after those that it imports, as far as they do not import each other."""
    done: dict[Path, None] = {}
    for start in paths:
        stack = [(start, iter(sorted(imports[start])))]
        begun = {start}
        while stack:
            path, rest = stack[-1]
            other = next((one for one in rest if one not in begun and one not in done), None)
            if other is not None:
                begun.add(other)
                stack.append((other, iter(sorted(imports[other]))))
            else:
                done[path] = None
                stack.pop()
    return list(done)
