"""Names in strings that may be run or looked up later: `timeit("np.ones(3)")`, `getattr(module, "np")`."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from np2torch.names.scopes import bound_names
from np2torch.names.tree import called_name, walk

LOOKING_UP = frozenset(
    "getattr hasattr setattr delattr attrgetter object patch __import__ import_from importattr".split()
)
"""Functions and methods that are given the name of an attribute as text (`monkeypatch.setattr`, `patch.object`)."""
NAMESPACES = frozenset({"globals", "locals", "vars", "__dict__"})
"""Functions and attributes that give the names of a module as text."""
HOLE = "NP2TORCH_HOLE"
"""The placeholder for parts of a text that are known only at run time."""
_FIELD = re.compile(r"%(?:\(\w+\))?[-#0 +]*[\d.*]*[a-zA-Z]|\{[^{}]*\}")
_PROMPT = re.compile(r"^[ \t]*(?:>>>|\.\.\.) ?(.*)$", re.MULTILINE)
_WORD = re.compile(r"[^\W\d]\w*")


@dataclass
class InStrings:
    """The names in the strings of a module.

    Attributes
    ----------
    read, bound
        Names that code in them reads from around it, and those that it binds.
    looked_up
        Names that are looked up by their text.
    members
        Names of modules and what code reads of them: `("mod", "np")` of `pkg.mod.np.ones`.
    """

    read: set[str] = field(default_factory=set)
    bound: set[str] = field(default_factory=set)
    looked_up: set[str] = field(default_factory=set)
    members: set[tuple[str, str]] = field(default_factory=set)


def in_strings(nodes: Sequence[ast.AST], wanted: Container[str], examples: Container[ast.AST] = ()) -> InStrings:
    """Look for these names in the strings among some nodes.

    Parameters
    ----------
    examples
        Docstrings whose examples are read by other means.
    """
    found = InStrings(bound=_keys_stored(nodes))
    comments = {node.value for node in nodes if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)}
    is_dynamic = any((getattr(node, "id", None) or getattr(node, "attr", None)) in NAMESPACES for node in nodes)
    looking_up = (node for node in nodes if isinstance(node, ast.Call) and called_name(node) in LOOKING_UP)
    keys = {one for call in looking_up for one in call.args}
    for node, text in _texts(nodes):
        if not any(word in wanted for word in _WORD.findall(text)):
            continue
        if text.isidentifier():
            if is_dynamic or node in keys:
                found.looked_up.add(text)
        elif node not in comments:
            _read(text, found, wanted)
        elif node not in examples and ">>>" in text:
            found.read.update(_WORD.findall("\n".join(_PROMPT.findall(text))))
    return found


def _keys_stored(nodes: Iterable[ast.AST]) -> set[str]:
    """Names that are bound by their text: `globals()["name"] = value`."""
    stores = [node for node in nodes if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)]
    given = [one.slice for one in stores if isinstance(one.value, ast.Call) and called_name(one.value) in NAMESPACES]
    return {key.value for key in given if isinstance(key, ast.Constant) and isinstance(key.value, str)}


def _texts(nodes: Iterable[ast.AST]) -> Iterator[tuple[ast.AST, str]]:
    """The strings among nodes that are listed from the top down, each put together from its parts."""
    parts: set[ast.AST] = set()
    for node in nodes:
        if isinstance(node, (ast.Constant, ast.JoinedStr, ast.BinOp)) and node not in parts:
            text = _text(node)
            if text is not None:
                parts.update(one for one in walk(node) if one is not node)
                yield node, text


def _text(node: ast.expr) -> str | None:
    """The text of a literal, an f-string, or a sum with one of them; holes where it is not written."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=values):
            return "".join(_text(value) or HOLE for value in values if not _is_shown(value, values))
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            first, second = _text(left), _text(right)
            return None if first is None and second is None else (first or HOLE) + (second or HOLE)
        case ast.BinOp(left=left, op=ast.Mod()):
            return _text(left)
    return None


def _is_shown(node: ast.expr, values: Sequence[ast.expr]) -> bool:
    """Tell whether it is the text of an expression beside its value, as in `f"{x = }"`. It is shown, not run."""
    after = values[values.index(node) + 1 :][:1]
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or not node.value.rstrip().endswith("="):
        return False
    return bool(after) and isinstance(after[0], ast.FormattedValue) and after[0].lineno == node.lineno


def _read(text: str, found: InStrings, wanted: Container[str]) -> None:
    """Add what a text speaks of, if it is code."""
    if ">>>" in text:
        text = "\n".join(_PROMPT.findall(text))
    tree = _parsed(text) or _parsed(_FIELD.sub(HOLE, text))
    if tree is None:  # a part of a statement, or prose
        calls = re.findall(r"(?<![\w.])(\w+)(?:\.\w+)+\(", text)
        found.read.update(name for name in calls if name in wanted)
        return
    nodes = walk(tree)
    bound = {name for node in nodes for name in bound_names(node)}
    found.bound |= bound
    for node in nodes:
        if isinstance(node, ast.Name) and node.id not in bound and not (node.id == "numpy" and _is_path(tree)):
            found.read.add(node.id)
        elif isinstance(node, ast.Attribute):
            owner = node.value.attr if isinstance(node.value, ast.Attribute) else getattr(node.value, "id", "")
            found.members.add((owner, node.attr))
        elif isinstance(node, ast.ImportFrom):
            found.members.update(((node.module or "").rpartition(".")[2], alias.name) for alias in node.names)


def _is_path(tree: ast.Module) -> bool:
    """Tell whether it is a dotted name and nothing else. "numpy.linalg" is the name of a module, whoever imports it."""
    node: ast.AST = tree.body[0] if len(tree.body) == 1 else tree
    node = node.value if isinstance(node, ast.Expr) else node
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(textwrap.dedent(text).strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
