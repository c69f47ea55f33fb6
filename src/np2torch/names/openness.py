"""Open functions, which callers outside the project may call; all calls of closed functions are in the project.

Open are the public functions and methods of library modules. Closed are tests, modules that are run as programs, names
with a leading underscore, functions inside of functions unless they are handed out, and what the settings say.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from np2torch.names.modules import absolute_name
from np2torch.names.public import TESTS, Module, public_definitions, within
from np2torch.names.tree import statements

WORK = (ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith)
"""Statements at the top of a module that are a program's work, not a library's."""
SPECIAL = "__"


def library_of(modules: Mapping[str, Module], closed: Iterable[str] = ()) -> dict[str, Module]:
    """The modules that callers outside may import: no tests, no programs.

    Parameters
    ----------
    modules
        By dotted name.
    closed
        The names of modules that nobody outside of the project calls, as the settings say.
    """
    imported = _imported(modules)
    left_out = set(closed)
    left_out |= {name for name, module in modules.items() if name not in imported and is_program(name, module.tree)}
    return {name: module for name, module in modules.items() if name not in left_out and not TESTS.search(name)}


def open_functions(library: Mapping[str, Module]) -> frozenset[ast.AST]:
    """The functions of library modules that may be called with anything."""
    functions = within(public_definitions(library))
    return frozenset(node for node in functions if not is_private(node))


def handed_out(functions: Iterable[ast.AST]) -> frozenset[ast.AST]:
    """Collect the functions inside of these that whoever calls them gets: returned, yielded, put into an attribute."""
    found: set[ast.AST] = set()
    waiting = list(functions)
    while waiting:
        nodes = list(_own_nodes(waiting.pop()))
        given = [part for node in nodes for value in _given(node) for part in _parts(value)]
        names = {part.id for part in given if isinstance(part, ast.Name)}
        new: set[ast.AST] = {part for part in given if isinstance(part, ast.Lambda)}
        new |= {one for one in nodes if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)) and one.name in names}
        waiting += new - found
        found |= new
    return frozenset(found)


def _own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """Walk a function without the bodies of functions and classes in it."""
    waiting = list(ast.iter_child_nodes(function))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            waiting += ast.iter_child_nodes(node)


def _given(node: ast.AST) -> list[ast.expr]:
    """List what a statement or expression hands to others."""
    if isinstance(node, (ast.Return, ast.Yield)) and node.value is not None:
        return [node.value]
    if isinstance(node, ast.Assign) and any(isinstance(target, ast.Attribute) for target in node.targets):
        return [node.value]
    return []


def _parts(value: ast.expr) -> Iterator[ast.expr]:
    """Walk what a value is or holds: the items of a tuple, the branches of a choice."""
    match value:
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Dict(values=parts):
            for part in parts:
                yield from _parts(part)
        case ast.IfExp(body=body, orelse=orelse):
            yield from (*_parts(body), *_parts(orelse))
        case _:
            yield value


def guarded_functions(library: Mapping[str, Module]) -> frozenset[ast.AST]:
    """The functions of library modules that may have a guard: private ones too, but for those in functions."""
    found: set[ast.AST] = set()
    for module in library.values():
        scopes: list[ast.AST] = [module.tree]
        while scopes:
            for node in ast.iter_child_nodes(scopes.pop()):
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    found.add(node)
                elif isinstance(node, (ast.ClassDef, ast.If, ast.Try, ast.ExceptHandler)):
                    scopes.append(node)
    return frozenset(found)


def is_program(name: str, tree: ast.Module) -> bool:
    """Tell whether a module is meant to be run, as it does more than define names: in a package, when it is imported.

    What a package's module does under `if __name__ == "__main__":` shows how it is used.
    """
    works = [node for node in tree.body if _is_work(node)]
    return bool(works) and not ("." in name and all(isinstance(node, ast.If) for node in works))


def _is_work(node: ast.stmt) -> bool:
    if isinstance(node, ast.If):
        return "__name__" in ast.unparse(node.test)
    return isinstance(node, WORK) or isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)


def is_private(node: ast.AST) -> bool:
    """Tell whether the name of a definition has a leading underscore, and is no special one."""
    name = getattr(node, "name", "")
    return name.startswith("_") and not (name.startswith(SPECIAL) and name.endswith(SPECIAL))


def _imported(modules: Mapping[str, Module]) -> set[str]:
    """The modules that others of the project import, whole or by names of them."""
    found: set[str] = set()
    for name, module in modules.items():
        for node in statements(module.tree):
            if isinstance(node, ast.Import):
                found.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                source = absolute_name(name, module.is_package, node)
                found.update([source, *(f"{source}.{alias.name}" for alias in node.names)])
    return found
