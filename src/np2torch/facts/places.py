"""The statements of a module by their lines: what a comment speaks of."""

from __future__ import annotations

import ast

from np2torch.names.tree import children
from np2torch.names.tree import walk as tree_walk

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
BLOCKS = (ast.stmt, ast.ExceptHandler, ast.match_case)
"""The nodes in a statement that are not part of its head."""


class Places:
    """The statements of a module by their lines."""

    def __init__(self, tree: ast.Module) -> None:
        statements = [node for node in tree_walk(tree) if isinstance(node, ast.stmt)]
        self.headers = sorted(((*_header(node), node) for node in statements), key=lambda entry: entry[:2])

    def over(self, line: int) -> list[ast.stmt]:
        """Give the compound statements whose first line up to the colon includes a line."""
        return [node for first, last, node in self.headers if first <= line <= last]

    def below(self, line: int) -> list[ast.stmt]:
        """The statements on the first line with one below a line."""
        following = next((first for first, _, _ in self.headers if first > line), 0)
        return [node for first, _, node in self.headers if first == following]

    def spoken_of(self, line: int, alone: bool) -> list[ast.stmt]:
        """The statements on a line; of a comment alone there that in the midst of which it stands, or those below."""
        over = self.over(line)
        if alone:
            return [node for node in over if line <= _end_of_head(node)] or self.below(line)
        return over


def has_blocks(node: ast.stmt) -> bool:
    """Tell whether a statement has other statements in it."""
    return hasattr(node, "body") or isinstance(node, ast.Match)


def _header(node: ast.stmt) -> tuple[int, int]:
    """First and last line of a statement without its body."""
    first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
    if not has_blocks(node):
        return first, node.end_lineno or node.lineno
    inner = node.cases[0].pattern.lineno if isinstance(node, ast.Match) else _header(node.body[0])[0]  # type: ignore[attr-defined]
    return first, max(node.lineno, inner - 1)


def _end_of_head(node: ast.stmt) -> int:
    """The last line on which something of a head stands."""
    if not has_blocks(node):
        return node.end_lineno or node.lineno
    return max([node.lineno, *(getattr(one, "end_lineno", None) or 0 for one in head(node))])


def head(statement: ast.stmt) -> list[ast.AST]:
    """A statement's nodes without those of the blocks in it."""
    return [node for child in children(statement) if not isinstance(child, BLOCKS) for node in tree_walk(child)]
