"""The sources of the shim, read and not imported: which statement defines what, and what it uses."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path

SHIM = "np2torch.shim"
SUFFIX = ".py"
TYPED = "py.typed"


@dataclass(frozen=True, eq=False)
class Unit:
    """A statement at the top of a module.

    Attributes
    ----------
    defines
        The names that it binds, or whose value it changes; none for one that is run for its effect.
    uses
        Each name that it reads, with the attributes that follow: `("ufuncs", "add")`.
    """

    node: ast.stmt
    defines: frozenset[str]
    uses: frozenset[tuple[str, ...]]

    @property
    def is_import(self) -> bool:
        """Tell whether it is an import."""
        return isinstance(self.node, (ast.Import, ast.ImportFrom))


@dataclass(frozen=True, eq=False)
class ShimModule:
    """A module of the shim; `name` is the whole one."""

    name: str
    is_package: bool
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        """The module as Python reads it."""
        return ast.parse(self.text)

    @cached_property
    def lines(self) -> list[str]:
        """The lines of its text."""
        return self.text.splitlines()

    @cached_property
    def docstrings(self) -> Mapping[int, int]:
        """The last lines of statements that a docstring follows, and those of the docstrings."""
        return {
            node.end_lineno or 0: after.end_lineno or 0
            for node, after in pairwise(self.tree.body)
            if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
        }

    @cached_property
    def public_names(self) -> tuple[str | ast.Name, ...]:
        """Its `__all__`, as far as it is written out; names stand for those of other modules."""
        found: list[str | ast.Name] = []
        for node in self.tree.body:
            if isinstance(node, (ast.Assign, ast.AugAssign)) and "__all__" in _targets(node):
                found += [node.value] if isinstance(node.value, ast.Name) else ast.literal_eval(node.value)
        return tuple(found)

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """The statements at its top, but for its docstring, those of attributes, and `__all__`."""
        return tuple(_units(self.tree))

    @cached_property
    def defining(self) -> Mapping[str, tuple[Unit, ...]]:
        """The statements that make a name what it is, imports left out."""
        found: dict[str, list[Unit]] = {}
        for unit in self.units:
            for name in () if unit.is_import else unit.defines:
                found.setdefault(name, []).append(unit)
        return {name: tuple(units) for name, units in found.items()}

    @cached_property
    def imported_names(self) -> Mapping[str, tuple[str, str]]:
        """Give where names come from that it imports from the shim: the module, and the name there."""
        return {
            one.asname or one.name: (node.module, one.name)
            for node in (unit.node for unit in self.units)
            if isinstance(node, ast.ImportFrom) and node.module is not None and is_ours(node.module)
            for one in node.names
        }

    @cached_property
    def starred_modules(self) -> tuple[str, ...]:
        """The modules of which it takes all names."""
        nodes = (unit.node for unit in self.units)
        return tuple(n.module or "" for n in nodes if isinstance(n, ast.ImportFrom) and n.names[0].name == "*")


def is_ours(module: str) -> bool:
    """Tell whether a module is the shim or a part of it."""
    return f"{module}.".startswith(f"{SHIM}.") or module == SHIM.partition(".")[0]


def read_shim(folder: Path) -> dict[str, ShimModule]:
    """Read all modules of the shim."""
    found = {}
    for path in sorted(folder.rglob(f"*{SUFFIX}")):
        parts = path.relative_to(folder).with_suffix("").parts
        is_package = parts[-1] == "__init__"
        name = ".".join((SHIM, *(parts[:-1] if is_package else parts)))
        found[name] = ShimModule(name, is_package, path.read_text("utf-8"))
    return found


def exports(modules: Mapping[str, ShimModule], name: str) -> list[str]:
    """Give what a module hands out by `*`."""
    module, found = modules[name], list[str]()
    for one in module.public_names:
        found += [one] if isinstance(one, str) else exports(modules, module.imported_names[one.id][0])
    return found


def _units(tree: ast.Module) -> Iterator[Unit]:
    for node in tree.body:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        defines = frozenset(_targets(node))
        if "__all__" in defines or isinstance(node, ast.ImportFrom) and node.module == "__future__":
            continue
        yield Unit(node, defines, frozenset(read_chains(node)))


def _targets(node: ast.stmt) -> list[str]:
    """Name what a statement binds or changes."""
    match node:
        case ast.FunctionDef() | ast.ClassDef():
            return [node.name]
        case ast.Import() | ast.ImportFrom():
            return [one.asname or one.name.partition(".")[0] for one in node.names]
        case ast.Assign():
            return [name for target in node.targets for name in _roots(target)]
        case ast.AnnAssign() | ast.AugAssign():
            return _roots(node.target)
    return []


def _roots(target: ast.expr) -> list[str]:
    if isinstance(target, (ast.Tuple, ast.List)):
        return [name for one in target.elts for name in _roots(one)]
    while isinstance(target, (ast.Attribute, ast.Subscript, ast.Starred)):
        target = target.value
    return [target.id] if isinstance(target, ast.Name) else []


def read_chains(node: ast.AST) -> Iterator[tuple[str, ...]]:
    """Give the names in a statement, each with the attributes behind it."""
    stack = [node]
    while stack:
        one = stack.pop()
        path: list[str] = []
        below = one
        while isinstance(below, ast.Attribute):
            path.append(below.attr)
            below = below.value
        if isinstance(below, ast.Name):
            yield (below.id, *reversed(path))
        else:
            stack.extend(ast.iter_child_nodes(below))
