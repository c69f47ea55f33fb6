"""Walking `ast` trees quickly: the library's own walk spends most of its time on generators."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

_SKIPPED = {
    ast.Load, ast.Store, ast.Del, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.MatMult,
    ast.And, ast.Or, ast.Not, ast.USub, ast.UAdd, ast.Invert, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE,
    ast.Is, ast.IsNot, ast.In, ast.NotIn, ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift,
}  # fmt: skip
_LEAVES = {ast.Name, ast.Constant, ast.Pass, ast.Break, ast.Continue, ast.Global, ast.Nonlocal, ast.alias}
_PLAIN = frozenset("ctx op ops type_comment kind attr id arg level module asname conversion simple is_async".split())
"""Fields that hold an operator, a context, a string or a number, whatever the node is."""
_FIELDS: dict[type, tuple[str, ...]] = {}


def children(node: ast.AST) -> list[ast.AST]:
    """The child nodes in source order, operators and contexts left out."""
    kind = node.__class__
    if kind in _LEAVES:
        return []
    fields = _FIELDS.get(kind)
    if fields is None:
        fields = _FIELDS[kind] = tuple(field for field in kind._fields if field not in _PLAIN)
    found: list[ast.AST] = []
    for name in fields:
        value = getattr(node, name, None)
        if value.__class__ is list:
            if value:  # most are empty
                found += [item for item in value if isinstance(item, ast.AST)]
        elif value is not None and value.__class__ not in _SKIPPED and isinstance(value, ast.AST):
            found.append(value)
    return found


def walk(node: ast.AST) -> list[ast.AST]:
    """The node and everything below it."""
    found = [node]
    for one in found:  # grows while it is read
        if one.__class__ not in _LEAVES:
            found += children(one)
    return found


def statements(tree: ast.AST) -> list[ast.stmt]:
    """Every statement below a node: a fifth of what there is to walk."""
    found: list[ast.stmt] = []
    blocks = [tree]
    for block in blocks:  # grows while it is read
        for name in _BLOCKS:
            for one in getattr(block, name, ()):
                if isinstance(one, ast.stmt):
                    found.append(one)
                blocks.append(one)
    return found


_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
"""Fields that hold statements, or what holds statements."""
_LINES: list[int] = []


def share_lines(tree: ast.AST) -> None:
    """Make the nodes of a tree share the numbers of their lines: each its own takes a tenth of the tree's memory."""
    for node in walk(tree):
        if isinstance(node, (ast.expr, ast.stmt)):
            last = node.end_lineno or node.lineno
            if last >= len(_LINES):
                _LINES.extend(range(len(_LINES), last + 1000))
            node.lineno, node.end_lineno = _LINES[node.lineno], _LINES[last]


def named_parameters(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> list[ast.arg]:
    """The parameters of a function, but for `*args` and `**kwargs`."""
    arguments = function.args
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]


def dotted(node: ast.expr) -> str | None:
    """`self.x.y` as text; None for anything that is no chain of names."""
    if isinstance(node, ast.Name):  # which most are
        return node.id
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return ".".join([node.id, *reversed(parts)])


def item_path(node: ast.AST) -> str | None:
    """`args[0]` as a path below its name; None for anything that is no item of a name by a whole number."""
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and isinstance(node.slice, ast.Constant):
        return f"{node.value.id}.[{node.slice.value}]" if type(node.slice.value) is int else None
    return None


def named(tree: ast.Module, names: Iterable[str]) -> Iterator[ast.AST]:
    """The functions and classes of a module with these qualified names (`Class.method`)."""
    wanted = set(names)
    stack: list[tuple[ast.AST, str]] = [(tree, "")]
    while stack:
        node, prefix = stack.pop()
        for child in children(node):
            name = getattr(child, "name", None)
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                if f"{prefix}{name}" in wanted:
                    yield child
                stack.append((child, f"{prefix}{name}."))
            elif isinstance(child, ast.stmt):
                stack.append((child, prefix))
