"""Walking `ast` trees quickly: the library's own walk spends most of its time on generators."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

N = TypeVar("N", bound=ast.AST)
T = TypeVar("T")
REPEATABLE = (
    ast.Name, ast.Constant, ast.Attribute, ast.Subscript, ast.Slice, ast.Tuple, ast.UnaryOp, ast.USub, ast.expr_context,
)  # fmt: skip
"""The nodes of expressions that may be evaluated twice."""

_LEAVES = {ast.Name, ast.Constant, ast.Pass, ast.Break, ast.Continue, ast.Global, ast.Nonlocal, ast.alias}
_PLAIN = frozenset(
    "ctx op ops type_comment kind attr id arg level module asname conversion simple is_async rest kwd_attrs".split()
)
"""Fields that hold an operator, a context, a string or a number, whatever the node is."""
_WITH_GAPS = frozenset({"keys", "kw_defaults"})
"""Fields that hold lists of nodes and `None`."""
_FIELDS: dict[type[ast.AST], tuple[str, ...]] = dict.fromkeys(_LEAVES, ())


def _fields_of(kind: type[ast.AST]) -> tuple[str, ...]:
    """The fields that may hold nodes, kept for the next node of the class."""
    _FIELDS[kind] = found = tuple(field for field in kind._fields if field not in _PLAIN)
    return found


def children(node: ast.AST) -> Sequence[ast.AST]:
    """The child nodes in source order, operators and contexts left out; kept with the node: no tree changes later."""
    kind = node.__class__
    if kind in _LEAVES:
        return ()
    try:
        return node._children  # type: ignore[attr-defined, no-any-return]
    except AttributeError:
        return _found_children(node, kind)


def _found_children(node: ast.AST, kind: type[ast.AST]) -> tuple[ast.AST, ...]:
    found: list[ast.AST] = []
    for name in _FIELDS[kind] if kind in _FIELDS else _fields_of(kind):
        value = getattr(node, name, None)
        if value.__class__ is list:
            if value:  # most are empty
                found += filter(None, value) if name in _WITH_GAPS else value
        elif isinstance(value, ast.AST):
            found.append(value)
    node._children = kept = tuple(found)  # type: ignore[attr-defined]
    return kept


def walk(node: ast.AST) -> list[ast.AST]:
    """The node and everything below it."""
    found = [node]
    for one in found:  # grows while it is read; `children` is written out, since this is called for every node
        kind = one.__class__
        if kind not in _LEAVES:
            try:
                found += one._children  # type: ignore[attr-defined]
            except AttributeError:
                found += _found_children(one, kind)
    return found


def parents_in(tree: ast.Module) -> Mapping[ast.AST, ast.AST]:
    """The node that each node of a module is a child of; kept with the module."""
    try:
        return tree._parents  # type: ignore[attr-defined, no-any-return]
    except AttributeError:
        parents: dict[ast.AST, ast.AST] = {}
        stack: list[ast.AST] = [tree]
        while stack:
            node = stack.pop()
            below = children(node)
            parents.update(dict.fromkeys(below, node))
            stack += below
        tree._parents = parents  # type: ignore[attr-defined]
        return parents


def computed_once(node: ast.AST, rests_on: object, compute: Callable[[], T]) -> T:
    """Give what is computed of a node; kept with it for all that rest on the same."""
    known = getattr(node, "_computed", None)
    if known is None or known[0] != rests_on:
        known = node._computed = rests_on, compute()  # type: ignore[attr-defined]
    found: T = known[1]
    return found


@lru_cache(maxsize=1024)
def places_of_names(node: ast.AST) -> Mapping[str, Sequence[ast.Name]]:
    """Give the places of each name in a tree."""
    found: dict[str, list[ast.Name]] = {}
    for one in walk(node):
        if isinstance(one, ast.Name):
            found.setdefault(one.id, []).append(one)
    return found


COMPARISONS = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
"""The operators that compare values: neither identity nor membership."""


class Nodes:
    """All nodes below a node and itself, and those of a class, each in the order of `walk`."""

    __slots__ = ("_of", "number")

    def __init__(self, node: ast.AST) -> None:
        every = walk(node)
        self.number = len(every)
        self._of: dict[type[ast.AST], list[Any]] = defaultdict(list)
        for one in every:
            self._of[one.__class__].append(one)

    def of(self, kind: type[N]) -> Sequence[N]:
        """Those of a class."""
        return self._of.get(kind, ())


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


def share_lines(nodes: Iterable[ast.AST]) -> None:
    """Make the nodes of a tree share the numbers of their lines: each its own takes a tenth of the tree's memory."""
    lines: dict[int, int] = {}
    for node in nodes:
        last = getattr(node, "end_lineno", None)
        if last is not None and last > MOST_SHARED_BY_PYTHON:
            first: int = node.lineno  # type: ignore[attr-defined]
            node.lineno = lines.setdefault(first, first)  # type: ignore[attr-defined]
            node.end_lineno = lines.setdefault(last, last)  # type: ignore[attr-defined]


MOST_SHARED_BY_PYTHON = 256
"""Up to here there is one object for each number anyway."""


def named_parameters(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> list[ast.arg]:
    """The parameters of a function, but for `*args` and `**kwargs`."""
    arguments = function.args
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]


def parameter_defaults(arguments: ast.arguments) -> list[tuple[str, ast.expr]]:
    """The parameters that have a default, in their order, each with it."""
    positional = [*arguments.posonlyargs, *arguments.args]
    with_default = positional[len(positional) - len(arguments.defaults) :]
    pairs = [*zip(with_default, arguments.defaults, strict=True)]
    keyed = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    return [(one.arg, value) for one, value in (*pairs, *keyed) if value is not None]


def dotted_name(node: ast.expr) -> str | None:
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


def is_of_self(node: ast.AST) -> bool:
    """Tell an attribute of `self`."""
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"


def is_whole_number(node: ast.AST) -> bool:
    """Tell a whole number that is written out; no bool."""
    return isinstance(node, ast.Constant) and type(node.value) is int


def is_real_number(node: ast.AST) -> bool:
    """Tell a whole number, or one with a point, that is written out; no bool."""
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


def reads_any(node: ast.AST, names: Container[str]) -> bool:
    """Tell whether one of these names stands in it."""
    return any(isinstance(one, ast.Name) and one.id in names for one in walk(node))


def called_name(call: ast.Call) -> str:
    """The last name of what is called: `sum` of `x.sum()` and of `sum(x)`; empty of what has none."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def blocks(node: ast.AST) -> Iterator[Sequence[ast.stmt]]:
    """The blocks of statements of a node: the body of a loop, and what is done after it."""
    for _, part in ast.iter_fields(node):
        if isinstance(part, list) and part and isinstance(part[0], ast.stmt):
            yield part


def begins_below_head(function: ast.AST) -> bool:
    """Tell whether the body of a function begins on a line of its own: not of a lambda, nor of `def f(x): return x`."""
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    arguments = function.args
    parts = [*named_parameters(function), arguments.vararg, arguments.kwarg, function.returns]
    parts += [*arguments.defaults, *arguments.kw_defaults]
    return function.body[0].lineno > max([function.lineno, *(one.end_lineno or 0 for one in parts if one is not None)])


def is_repeatable(node: ast.AST) -> bool:
    """Tell whether an expression can be evaluated twice without cost and effect: names, constants, paths."""
    return all(isinstance(part, REPEATABLE) for part in ast.walk(node))


def item_path(node: ast.AST) -> str | None:
    """`args[0]` as a path below its name; None for anything that is no item of a name by a whole number."""
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and isinstance(node.slice, ast.Constant):
        return f"{node.value.id}.[{node.slice.value}]" if type(node.slice.value) is int else None
    return None


def find_definitions(tree: ast.Module, names: Iterable[str]) -> Iterator[ast.AST]:
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
