"""The names of a project that outsiders may use: those without an underscore, in `__all__`, re-exported by packages."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from np2torch.names.modules import absolute_name
from np2torch.names.tree import walk as tree_walk

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
TESTS = re.compile(r"(^|\.)(tests?|conftest|test_\w+|\w+_test|setup|__main__)(\.|$)")


class Module(NamedTuple):
    """A module of the project as far as its names go."""

    tree: ast.Module
    is_package: bool


def public_definitions(modules: Mapping[str, Module], named: Sequence[str] = ()) -> set[ast.AST]:
    """The functions and classes that callers outside the project may use.

    Parameters
    ----------
    modules
        By dotted name.
    named
        The public modules, a package with all below it; empty for all but tests.

    Notes
    -----
    Classes are public whatever their name, and so are the classes they derive from: public functions return their
    instances, public classes inherit their methods.
    """
    found: dict[Definition, str] = {}
    for name, module in modules.items():
        if _is_public(name, named):
            listed = names_in_all(module.tree)
            for node in _definitions(module.tree):
                if isinstance(node, ast.ClassDef) or node.name[0] != "_" or node.name in listed:
                    found[node] = name
            if module.is_package:
                found.update(_handed_on(name, modules, listed))
    waiting = list(found.items())
    while waiting:
        node, name = waiting.pop()
        for base in getattr(node, "bases", ()):
            if isinstance(base, ast.Name):
                fresh = [(one, where) for one, where in _defined(name, base.id, modules) if one not in found]
                found.update(fresh)
                waiting += fresh
    return set(found)


def within(definitions: Iterable[ast.AST]) -> frozenset[ast.AST]:
    """The functions among some definitions, methods of classes included."""
    found: set[ast.AST] = set()
    for node in definitions:
        found.update(node.body if isinstance(node, ast.ClassDef) else [node])
    return frozenset(node for node in found if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)))


def _is_public(name: str, named: Sequence[str]) -> bool:
    if named:
        return any(name == one or name.startswith(f"{one}.") for one in named)
    return not TESTS.search(name)


def _definitions(tree: ast.Module) -> Iterable[Definition]:
    """Definitions at the top of a module, also under `if` and `try`."""
    stack: list[ast.stmt] = list(tree.body)
    while stack:
        node = stack.pop()
        if isinstance(node, DEFINITIONS):
            yield node
        elif isinstance(node, (ast.If, ast.Try, ast.With)):
            stack += [one for one in ast.iter_child_nodes(node) if isinstance(one, ast.stmt)]
            stack += [one for handler in getattr(node, "handlers", ()) for one in handler.body]


LITERAL = (ast.List, ast.Tuple, ast.Constant, ast.BinOp, ast.Add, ast.Load)


def star(tree: ast.Module) -> set[str] | None:
    """The names `import *` binds, as `__all__` lists them; None without it, or where a program puts it together."""
    used = [node for node in tree_walk(tree) if isinstance(node, ast.Name) and node.id == "__all__"]
    statements = [node for node in tree.body if isinstance(node, (ast.Assign, ast.AugAssign)) and _is_list(node)]
    literal = all(isinstance(part, LITERAL) for node in statements for part in ast.walk(node.value))
    return names_in_all(tree) if used and literal and len(used) == len(statements) else None


def _is_list(node: ast.Assign | ast.AugAssign) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets)


def names_in_all(tree: ast.Module) -> set[str]:
    """The strings that are put into `__all__`."""
    names: set[str] = set()
    for node in tree.body:
        if isinstance(node, (ast.Assign, ast.AugAssign)) and _is_list(node):
            inside = ast.walk(node.value)
            names |= {one.value for one in inside if isinstance(one, ast.Constant) and isinstance(one.value, str)}
    return names


def _handed_on(name: str, modules: Mapping[str, Module], listed: set[str]) -> Iterable[tuple[Definition, str]]:
    """Definitions of other modules of the project that a package offers as its own."""
    for node in modules[name].tree.body:
        if not isinstance(node, ast.ImportFrom):
            continue
        source = absolute_name(name, True, node)
        for alias in node.names:
            shown = alias.asname or alias.name
            if alias.name == "*" and source in modules:
                theirs = names_in_all(modules[source].tree)
                offered = _definitions(modules[source].tree)
                yield from ((d, source) for d in offered if (d.name in theirs if theirs else d.name[0] != "_"))
            elif shown[0] != "_" or shown in listed:
                yield from _defined(source, alias.name, modules)


def _defined(source: str, name: str, modules: Mapping[str, Module], depth: int = 0) -> Iterable[tuple[Definition, str]]:
    """Find the definition that a module means by a name, and its module, through any number of imports."""
    module = modules.get(source)
    if module is None or depth > MOST_STEPS:
        return
    yield from ((node, source) for node in _definitions(module.tree) if node.name == name)
    for node in module.tree.body:
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if name in (alias.asname, alias.name) and alias.name != "*":
                    yield from _defined(absolute_name(source, module.is_package, node), alias.name, modules, depth + 1)


MOST_STEPS = 6
"""How many modules may hand a name on to one another."""
