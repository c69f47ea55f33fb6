"""The guards that stand in a file already: those of an earlier run, or written by people."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from np2torch.facts.guard_calls import guard_lines
from np2torch.facts.guards import CONTRACT, GUARDS, Function
from np2torch.names.tree import children
from np2torch.source.model import Guard, SourceFile

GUARDED = re.compile(rf"shim\.(?:{'|'.join(sorted({CONTRACT, *GUARDS}))})\(")
STANDING = "in the file already"


def standing_guards(file: SourceFile, tree: ast.Module | None = None) -> tuple[Guard, ...]:
    """Every guard in the text of a module, in its order; the tree is made where there is none yet."""
    if not GUARDED.search(file.text):
        return ()
    if tree is None:
        try:
            tree = ast.parse(file.text)
        except (SyntaxError, ValueError, RecursionError):  # such a file has other problems
            return ()
    return tuple(
        Guard(file.path, getattr(node, "lineno", function.lineno), name, _text(file.text, function, node), STANDING)
        for name, function in _functions(tree, "") for node in guard_lines(function)
    )  # fmt: skip


def _functions(scope: ast.AST, prefix: str) -> Iterator[tuple[str, Function]]:
    """The functions of a scope with their dotted names, inner ones after the one around them."""
    for node in children(scope):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield prefix + node.name, node
            yield from _functions(node, f"{prefix}{node.name}.")
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node, f"{prefix}{node.name}.")
        else:
            yield from _functions(node, prefix)


def _text(text: str, function: Function, node: ast.AST) -> str:
    """The guard as it is written, in one line."""
    written = " ".join((ast.get_source_segment(text, node) or ast.unparse(node)).split())
    return f"@{written}" if node in function.decorator_list else written
