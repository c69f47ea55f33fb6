"""The entries of the setting `keep`: `pkg.module:Class.method`, `pkg.module:VARIABLE`, or a whole module."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Set
from pathlib import Path
from typing import NamedTuple

from np2torch.names.tree import walk as tree_walk

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
AROUND = (ast.If, ast.Try, ast.With, ast.For, ast.While)
"""Statements of a module in which definitions may stand."""
OWN_SCOPES = (*DEFINITIONS, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
"""The nodes that bind names of their own."""
TOP = "<module>"
"""The name of what a module does when it is imported, its definitions left out."""
DECORATOR = "on_numpy"
"""The function of the shim that leaves what it decorates on NumPy."""


SUFFIX = ".py"
"""How an entry ends that names a module by its file."""


class KeptNodes(NamedTuple):
    """The nodes of a module that stay on NumPy by name.

    Attributes
    ----------
    definitions
        Functions, methods and classes: their callers may use tensors.
    statements
        Statements at the top of the module.
    unknown
        The names that mean nothing there.
    """

    definitions: tuple[Definition, ...] = ()
    statements: tuple[ast.stmt, ...] = ()
    unknown: tuple[str, ...] = ()


def is_dotted(name: str) -> bool:
    """Tell whether it is a name that Python could import."""
    return all(part.isidentifier() for part in name.split("."))


def module_entry(name: str, path: Path, root: Path) -> str:
    """Give what a module is called in entries: its dotted name, or its file below the root where that is no name.

    Scripts may have names such as `plot-all.py`, and two files in different folders the same one.
    """
    if is_dotted(name):
        return name
    real = path.resolve()
    return real.relative_to(root).as_posix() if real.is_relative_to(root) else real.as_posix()


def shared_out(entries: Iterable[str], modules: Mapping[Path, str], also: Mapping[str, str]) -> dict[str, list[str]]:
    """The names within each module; those of modules that are not there are left out."""
    known = set(modules.values())
    out: dict[str, list[str]] = {}
    for entry in entries:
        module, _, name = entry.partition(":")
        module = also.get(module, module)
        if module.endswith(SUFFIX):
            found = (one for path, one in modules.items() if f"/{path.resolve().as_posix()}".endswith(f"/{module}"))
            module = next(found, module)
        if module in known:
            out.setdefault(module, []).append(name)
    return out


def find_kept_nodes(tree: ast.Module, names: Iterable[str], of_libraries: Set[ast.AST] = frozenset()) -> KeptNodes:
    """Give what of a module stays on NumPy; an empty name is all of it.

    Classes that are marked because they derive from those of libraries count only where they are named.
    """
    definitions: dict[Definition, None] = dict.fromkeys(one for one in _marked(tree) if one not in of_libraries)
    statements: dict[ast.stmt, None] = {}
    unknown = []
    tops = list(definitions_in(tree.body))
    for name in names:
        found = list(_named(tree.body, name.split("."))) if name else tops
        bound = [one for one in tree.body if not isinstance(one, DEFINITIONS) and name in bound_by(one)]
        if name in ("", TOP):
            bound = list(_run_at_import(tree))
        if name and not found and not bound:
            unknown.append(name)
        definitions.update(dict.fromkeys(found))
        statements.update(dict.fromkeys(bound if not found or not name else []))
    inside = {below for one in definitions for below in tree_walk(one) if below is not one}
    return KeptNodes(tuple(one for one in definitions if one not in inside), tuple(statements), tuple(unknown))


def definitions_in(body: Iterable[ast.stmt]) -> Iterator[Definition]:
    """The definitions of a block, also under `if` and `try`."""
    for statement in body:
        if isinstance(statement, DEFINITIONS):
            yield statement
        elif isinstance(statement, AROUND):
            yield from definitions_in(one for one in ast.iter_child_nodes(statement) if isinstance(one, ast.stmt))
            yield from definitions_in(one for handler in getattr(statement, "handlers", ()) for one in handler.body)


def _named(body: Iterable[ast.stmt], path: list[str]) -> Iterator[Definition]:
    """The definitions that a dotted name means; of a property all its functions."""
    first, *rest = path
    for node in definitions_in(body):
        if node.name == first and not rest:
            yield node
        elif node.name == first and isinstance(node, ast.ClassDef):
            yield from _named(node.body, rest)


def _run_at_import(tree: ast.Module) -> Iterator[ast.stmt]:
    """The statements of a module that do something else than import or define."""
    for one in tree.body:
        is_text = isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)
        if not is_text and not isinstance(one, (ast.Import, ast.ImportFrom, *DEFINITIONS)):
            if not any(isinstance(below, (*DEFINITIONS, ast.Import, ast.ImportFrom)) for below in ast.walk(one)):
                yield one


def bound_by(statement: ast.stmt) -> set[str]:
    """The names that a statement gives a value at the top of a module."""
    found: set[str] = set()
    stack: list[ast.AST] = [statement]
    for node in stack:  # grows while it is read
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        stack += [] if isinstance(node, OWN_SCOPES) else ast.iter_child_nodes(node)
    return found


def _marked(tree: ast.Module) -> Iterator[Definition]:
    """The definitions that an earlier run has left on NumPy."""
    for node in tree_walk(tree):
        if isinstance(node, DEFINITIONS) and is_marked(node):
            yield node


def is_marked(node: Definition) -> bool:
    """Tell whether it has the decorator already, under whatever name the file has the shim."""
    return any(isinstance(one, ast.Attribute) and one.attr == DECORATOR for one in node.decorator_list)
