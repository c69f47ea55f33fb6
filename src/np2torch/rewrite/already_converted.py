"""The parts of a file that an earlier run has converted: a second run changes nothing in them.

The facts of a converted file differ from those it was converted with, so these parts are recognized by their text.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from itertools import pairwise

from np2torch.facts import values as v
from np2torch.names.scopes import bound_names
from np2torch.names.tree import children, reads_any
from np2torch.names.tree import walk as tree_walk
from np2torch.rules.loops.flow import stores
from np2torch.rules.site import ModuleContext
from np2torch.source import vendored_shim

MADE = re.compile(r"^[ \t\f]*(from np2torch\b|import np2torch\b)|TODO\(np2torch\)", re.MULTILINE)
"""The mark of a file that was converted."""
OURS = ("torch", "np2torch")
"""The packages whose modules the new text uses."""
BLOCKS = (ast.stmt, ast.ExceptHandler, ast.match_case)


@dataclass
class SettledNodes:
    """Nodes that stay as they are, and those of which only calls of NumPy are converted."""

    left: set[ast.AST] = field(default_factory=set)
    calls_only: set[ast.AST] = field(default_factory=set)
    decided: Set[ast.AST] = frozenset()
    """Decided elsewhere; what is below a statement without a block is, too."""


def settle_converted(ctx: ModuleContext) -> SettledNodes:
    """Find the definitions and statements that are settled already; none in a file that was never converted."""
    found = SettledNodes()
    is_example = ctx.module.around is not None  # in a docstring, where nobody imports the shim
    if not _our_names(ctx) if is_example else not _is_made(ctx.module.text):
        return found
    lines, mark = ctx.module.text.splitlines(), _mark(ctx)
    for unit in _units(ctx.module.tree):
        marked = any(mark.search(line) for line in lines[_start(unit, lines) : unit.end_lineno])
        if not marked and not is_example and not _names_numpy(ctx, unit):
            found.left.add(unit)
            continue
        if not marked:  # written since: converted as in any other file
            continue
        found.calls_only.update(tree_walk(unit))
        found.left.update(_on_numpy(ctx, unit))
        for part, first, last in _parts(unit):
            if any(mark.search(line) for line in lines[first - 1 : last]) or _noted_above(first, lines):
                found.left.add(part)
    return found


def _is_made(text: str) -> bool:
    return bool(MADE.search(text) or vendored_shim.IMPORTED.search(text))


def _on_numpy(ctx: ModuleContext, unit: ast.stmt) -> Iterator[ast.AST]:
    """The loops and statements that run in NumPy on views which the lines right above them make, and bodies that do."""
    for node in tree_walk(unit):
        if isinstance(node, ast.FunctionDef) and any(map(_computes, node.decorator_list)):
            yield from node.body
        for _, block in ast.iter_fields(node):
            if isinstance(block, list):
                views: set[str] = set()
                for above, loop in pairwise(block):
                    views |= _views_made(ctx, above)
                    if isinstance(loop, (ast.For, ast.While)) and (_hands_over(ctx, above) or reads_any(loop, views)):
                        yield loop
                yield from _reading_views(ctx, block)


def _reading_views(ctx: ModuleContext, block: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """The statements below lines that make views, up to the last one that reads a view."""
    views: set[str] = set()
    waiting: list[ast.AST] = []
    for statement in block:
        if isinstance(statement, ast.Assign) and _hands_over(ctx, statement):
            made = _views_made(ctx, statement)
            views, waiting = made if waiting else views | made, []
        elif views and not isinstance(statement, (ast.For, ast.While)):
            waiting.append(statement)
            if reads_any(statement, views):
                yield from waiting
                waiting = []
        else:
            views = set()


def _views_made(ctx: ModuleContext, node: ast.AST) -> set[str]:
    """The names that a line gives to views of others."""
    if not isinstance(node, ast.Assign) or not _hands_over(ctx, node):
        return set()
    return {name for name in stores(node.targets) if not reads_any(node.value, {name})}


def _computes(decorator: ast.expr) -> bool:
    return isinstance(decorator, ast.Attribute) and decorator.attr == "by_elements"


def _hands_over(ctx: ModuleContext, node: ast.AST) -> bool:
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Attribute) and node.value.attr == "__wrapped__":
        return True
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
        return False
    function = node.value.func
    is_method = isinstance(function, ast.Attribute) and function.attr == "numpy"  # as earlier versions wrote it
    return is_method or any(is_ours(ctx, function, name) for name in ("numpy_view", "as_numpy", "numpy_stream"))


def _mark(ctx: ModuleContext) -> re.Pattern[str]:
    """Give the pattern that marks a statement as converted: the names of torch and the shim in this file, and notes."""
    names = "|".join(sorted(map(re.escape, _our_names(ctx))))
    return re.compile(rf"\b(?:{names or 'torch|shim'})\b|TODO\(np2torch\)")


def _our_names(ctx: ModuleContext) -> set[str]:
    """The names that imports give to torch, the shim and modules in them, in the file around an example too."""
    found: set[str] = set()
    for node in [*(ctx.module.around.nodes if ctx.module.around is not None else ()), *ctx.module.nodes]:
        if isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").split(".")[0] in OURS:
            found.update(alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.Import):
            found.update(name for one in node.names if one.name.split(".")[0] in OURS for name in bound_names(one))
    return found


def is_ours(ctx: ModuleContext, node: ast.AST, name: str) -> bool:
    """Tell whether it is a function of the shim, under whatever name the shim has in this file."""
    is_member = isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.value, ast.Name)
    return is_member and node.value.id in {"shim", *_our_names(ctx)}  # type: ignore[attr-defined]


def is_numpys(ctx: ModuleContext, node: ast.AST) -> bool:
    """Tell whether it is a name of NumPy's API, or a call of one."""
    called = node.func if isinstance(node, ast.Call) else node
    while isinstance(called, ast.Attribute):
        called = called.value
    if not isinstance(called, ast.Name):
        return False
    modules = (atom.name for atom in ctx.fact(called) if isinstance(atom, v.Module))
    return called.id in ctx.numpy_names or any(name.split(".")[0] == "numpy" for name in modules)


def _units(tree: ast.Module) -> Iterator[ast.stmt]:
    """Functions, methods, and the other statements of the module and its classes."""
    stack: list[ast.stmt] = list(tree.body)
    while stack:
        statement = stack.pop()
        if isinstance(statement, ast.ClassDef):
            stack += statement.body
        else:
            yield statement


def _start(node: ast.stmt, lines: list[str]) -> int:
    """The index of its first line, decorators and notes above it included."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return _top(min([node.lineno, *(one.lineno for one in decorators)]), lines)


def _top(line: int, lines: list[str]) -> int:
    """The index of the first of the comments right above a line, or of the line itself."""
    index = line - 1
    while index and lines[index - 1].lstrip().startswith("#"):
        index -= 1
    return index


def _names_numpy(ctx: ModuleContext, unit: ast.stmt) -> bool:
    return any(is_numpys(ctx, node) for node in tree_walk(unit) if isinstance(node, (ast.Name, ast.Attribute)))


def _parts(unit: ast.stmt) -> Iterator[tuple[ast.AST, int, int]]:
    """Each statement without blocks, and what stands in the head of each one with blocks; with first and last line."""
    for node in tree_walk(unit):
        if not isinstance(node, BLOCKS):
            continue
        below = children(node)
        inner = [one for one in below if isinstance(one, BLOCKS)]
        if not inner and isinstance(node, ast.stmt):
            yield node, node.lineno, node.end_lineno or node.lineno
            continue
        for one in below:
            if not isinstance(one, BLOCKS) and (line := getattr(one, "lineno", None)) is not None:
                start = getattr(node, "lineno", line)
                yield one, min(start, line), getattr(one, "end_lineno", None) or line
            elif isinstance(one, (ast.arguments, ast.withitem)):
                places = [child for child in tree_walk(one) if isinstance(child, (ast.expr, ast.arg))]
                if places:
                    yield one, min(p.lineno for p in places), max(p.end_lineno or p.lineno for p in places)


def _noted_above(first: int, lines: list[str]) -> bool:
    return any("TODO(np2torch)" in line for line in lines[_top(first, lines) : first - 1])
