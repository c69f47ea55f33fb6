"""Pragmas that leave code on NumPy: `# np2torch: skip`, `skip[NPT120]`, `off` and `on`, `skip-file`."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterable, Iterator

from np2torch.facts.interpreter.definitions import ModuleInfo
from np2torch.facts.places import DEFINITIONS, Places, has_blocks, head
from np2torch.names.tree import walk as tree_walk
from np2torch.source.model import Remark
from np2torch.source.nearest import did_you_mean
from np2torch.source.pragmas import WORDS, Comment, Pragma, comments, pragmas

UNREAD = "NPT513"
_CODE = re.compile(r"NPT\d{0,3}")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
EVERY = ("NPT",)
"""The beginning of all codes."""


def read(info: ModuleInfo) -> None:
    """Put what is to be left as it is into `info.skipped` and `info.unwanted`, what means nothing into its remarks."""
    found = [(comment, pragma) for comment in comments(info.text) for pragma in pragmas(comment.text)]
    found = [(comment, pragma) for comment, pragma in found if pragma.word != ""]
    if not found:
        return
    places = Places(info.tree)
    off: int | None = None
    for comment, pragma in found:
        why = _why_not(comment, pragma, off)
        if why is not None:
            info.remarks.append(Remark(comment.line, 1, UNREAD, f"`{pragma.body}`: {why}"))
        elif pragma.word == "skip-file":
            info.skipped.update(tree_walk(info.tree))
        elif pragma.word == "off":
            off = comment.line
        elif pragma.word == "on" and off is not None:
            _leave_between(info, places, off, comment.line)
            off = None
        elif not _leave(info, places.spoken_of(comment.line, comment.alone), pragma.codes):
            info.remarks.append(Remark(comment.line, 1, UNREAD, f"`{pragma.body}`: no statement stands here"))
    if off is not None:
        _leave_between(info, places, off, math.inf)
    if any(isinstance(node, ast.Return) for node in info.skipped):
        info.giving.update(_giving(info))


def _giving(info: ModuleInfo) -> Iterator[ast.AST]:
    """The functions that are converted and of which a `return` is left."""
    for function in info.nodes:
        if isinstance(function, FUNCTIONS) and function not in info.skipped:
            stack: list[ast.AST] = [*function.body]
            for node in stack:  # grows while it is read
                if isinstance(node, ast.Return) and node in info.skipped:
                    yield function
                stack += [] if isinstance(node, DEFINITIONS) else ast.iter_child_nodes(node)


def _why_not(comment: Comment, pragma: Pragma, off: int | None) -> str | None:
    """Give the reason for which a pragma is not understood."""
    if pragma.word is None:
        word = re.split(r"[\[\s]", pragma.body, maxsplit=1)[0]
        if word in WORDS:
            return f"write `# np2torch: {word}`, of `skip` perhaps with codes in brackets"
        return "no pragma and no type" + did_you_mean(word, WORDS, f"; known: {', '.join(WORDS)}, `name: type`")
    for code in pragma.codes:
        if not _CODE.fullmatch(code):
            return f"{code!r} is no code or beginning of one (NPT120, NPT1)"
    if pragma.word != "skip" and not comment.alone:
        return f"`{pragma.word}` stands on a line of its own"
    if pragma.word == "off" and off is not None:
        return f"it is off since line {off}"
    if pragma.word == "on" and off is None:
        return "nothing is off here"
    return None


def _leave_between(info: ModuleInfo, places: Places, first: float, last: float) -> None:
    """Leave the statements that begin between two lines; a definition as a whole where it ends there too."""
    for begin, _, node in places.headers:
        if first < begin < last and node not in info.skipped:
            whole = isinstance(node, DEFINITIONS) and (node.end_lineno or node.lineno) < last
            _mark(info, tree_walk(node) if whole else _own(node), node, ())


def _leave(info: ModuleInfo, statements: Iterable[ast.stmt], codes: tuple[str, ...]) -> bool:
    """Leave statements, of definitions all that is in them; whether there is any."""
    is_any = False
    for node in statements:
        is_any = True
        _mark(info, tree_walk(node) if isinstance(node, DEFINITIONS) else _own(node), node, codes)
    return is_any


def _own(node: ast.stmt) -> list[ast.AST]:
    """All of a simple statement; of one with a body what stands in its head."""
    return head(node) if has_blocks(node) else tree_walk(node)


def _mark(info: ModuleInfo, nodes: list[ast.AST], statement: ast.stmt, codes: tuple[str, ...]) -> None:
    if not codes:
        info.skipped.update(nodes)
    for node in {statement, *(nodes if codes else ())}:  # the statement itself is no node of its head
        info.unwanted[node] = (*info.unwanted.get(node, ()), *(codes or EVERY))
