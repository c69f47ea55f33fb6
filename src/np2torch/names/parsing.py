"""Text to trees, without the crashes and the endless recursion that very deep ones lead to."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from np2torch.names.operator_calls import as_operators
from np2torch.names.tree import children, share_lines, walk
from np2torch.source.vendored_shim import as_shim

MOST_NESTED = 2_000
"""How deep a tree may be. Python itself compiles few that are deeper; all else here has stack for more."""
RECURSION = 3_000
"""The recursion limit while Python parses: in C it allows a multiple, for which there must be stack."""


class TooDeepError(ValueError):
    """A text whose tree would be too deep."""

    def __init__(self) -> None:
        super().__init__("nested too deeply")


def parse_source(text: str) -> ast.Module:
    """The tree of a module; imports of a copy of the shim are those of the shim, and calls of `pow` are powers.

    Raises
    ------
    SyntaxError, ValueError
        As `ast.parse` does.
    TooDeepError
        Where the tree is too deep to be worked on.
    """
    try:
        with _recursion_limit(RECURSION):
            tree = as_operators(as_shim(ast.parse(text), text), text)
    except SyntaxError as error:
        if error.msg == "too many nested parentheses":
            raise TooDeepError from None
        raise
    except (RecursionError, MemoryError):
        raise TooDeepError from None
    if depth(tree) > MOST_NESTED:
        raise TooDeepError
    return tree


def parse_once(path: str, text: str, read: dict[str, ast.Module]) -> ast.Module:
    """The tree of a module that was read before, else as `parse_source` gives it; kept among those that were `read`."""
    if path not in read:
        read[path] = tree = parse_source(text)
        share_lines(walk(tree))
    return read[path]


def depth(tree: ast.AST) -> int:
    """Measure the depth of a tree; operands of `and` and `or` count as nested, as in concrete trees."""
    level: list[ast.AST] = [tree]
    levels = widest = 0
    while level:
        levels += 1
        widest = max(widest, max((len(one.values) for one in level if isinstance(one, ast.BoolOp)), default=0))
        level = [child for one in level for child in children(one)]
    return max(levels, widest)


@contextmanager
def _recursion_limit(limit: int) -> Iterator[None]:
    before = sys.getrecursionlimit()
    with suppress(RecursionError):  # where we are deeper than that already
        sys.setrecursionlimit(min(limit, before))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
