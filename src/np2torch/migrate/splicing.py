"""The text of a file put together, function by function, from what it is with none and with all left on NumPy."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from np2torch.names import keeping

LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
HEAD = "<head>"
"""The decorators of a class, with the comments above."""
WHOLE = "<class>"
"""The whole of a class, with that."""
Name = tuple[str, int]
"""The name of a piece: its qualified name, and how many of that name stand above it."""


class Piece(NamedTuple):
    """The lines of a function, method or class, or those above a class, with the comments above: from 0, without the
    end."""

    begin: int
    end: int


class Cut:
    """A text cut into pieces.

    Attributes
    ----------
    pieces
        In the order of the text, by name.
    imports
        The imports among the statements of the module, by what they say.
    """

    def __init__(self, text: str) -> None:
        self.lines: list[str] = LINE.findall(text)
        tree = ast.parse(text)
        self.pieces = {name: self._piece(node, name) for node, name in name_of(tree).items()}
        classes = {node: name for node, name in name_of(tree).items() if isinstance(node, ast.ClassDef)}
        wholes = {whole(name): Piece(self._begin(node), node.end_lineno or 0) for node, name in classes.items()}
        self._all = {**self.pieces, **wholes}
        self.imports = {ast.unparse(one): one for one in tree.body if isinstance(one, (ast.Import, ast.ImportFrom))}
        own = (below for one in tree.body if not isinstance(one, keeping.DEFINITIONS) for below in ast.walk(one))
        self.deeper = {ast.unparse(one) for one in own if isinstance(one, (ast.Import, ast.ImportFrom))}
        self.first_import = self._first_import(tree)

    def _first_import(self, tree: ast.Module) -> int:
        """The line that an import may go above."""
        later = (one for one in tree.body if not _is_text(one) and getattr(one, "module", "") != "__future__")
        first = next(later, None)
        if isinstance(first, keeping.DEFINITIONS):
            return self._begin(first)
        return _top(first) if first is not None else len(self.lines)

    def _piece(self, node: keeping.Definition, name: Name) -> Piece:
        is_head = name[0].endswith(HEAD)
        return Piece(self._begin(node), node.lineno - 1 if is_head else node.end_lineno or node.lineno)

    def _begin(self, node: keeping.Definition) -> int:
        begin = _top(node)
        while begin and self.lines[begin - 1].lstrip().startswith("#"):
            begin -= 1
        return begin

    def text(self, name: Name) -> list[str]:
        """The lines of a piece."""
        begin, end = self.place(name)
        return self.lines[begin:end]

    def place(self, name: Name) -> Piece:
        """Give the place of a piece, or of a whole class."""
        return self._all[name]


def splice(plain: Cut, others: Mapping[Name, Cut]) -> str | None:
    """The plain text with some pieces from other texts; None where these are not made of the same pieces."""
    added: dict[str, None] = {}
    for other in {id(one): one for one in others.values()}.values():
        missing = other.deeper - plain.deeper
        if list(other.pieces) != list(plain.pieces) or missing - other.imports.keys():
            return None
        added.update(dict.fromkeys(one for one in other.imports if one in missing))
    return "".join(_lines(plain, others, [f"{one}\n" for one in added]))


def _lines(plain: Cut, others: Mapping[Name, Cut], imports: Sequence[str]) -> Iterator[str]:
    at = 0
    changes = [(Piece(plain.first_import, plain.first_import), imports)]
    changes += [(plain.place(name), other.text(name)) for name, other in others.items()]
    for (begin, end), lines in sorted(changes, key=lambda one: one[0]):
        yield from plain.lines[at:begin]
        yield from lines
        at = end
    yield from plain.lines[at:]


def whole(name: Name) -> Name:
    """Give the name of a whole class, from the name of its head."""
    return name[0].removesuffix(HEAD) + WHOLE, name[1]


def name_of(tree: ast.Module) -> dict[keeping.Definition, Name]:
    """The names of the pieces that the definitions of a module are; a class is its head."""
    found: dict[keeping.Definition, Name] = {}
    seen: dict[str, int] = {}
    for node in keeping.definitions_in(tree.body):
        inside = keeping.definitions_in(node.body) if isinstance(node, ast.ClassDef) else ()
        head = f"{node.name}.{HEAD}" if isinstance(node, ast.ClassDef) else node.name
        for one, name in [(node, head), *((one, f"{node.name}.{one.name}") for one in inside)]:
            found[one] = name, seen.get(name, 0)
            seen[name] = seen.get(name, 0) + 1
    return found


def _top(node: ast.stmt) -> int:
    decorators = node.decorator_list if isinstance(node, keeping.DEFINITIONS) else []
    return min([node.lineno, *(one.lineno for one in decorators)]) - 1


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
