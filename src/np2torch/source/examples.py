"""Examples in docstrings: the sessions that `doctest` runs, taken out as modules of their own, and put back.

A session is the text behind the prompts of one docstring. In front of each example stands a marker, a comment that
conversion leaves where it is, so that the new text can be told apart into examples again.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

_LITERAL = re.compile(r"""(?P<prefix>[rRuU]?)(?P<quote>\"{3}|'{3})""")
_PROMPT = re.compile(r"(?P<indent>[ ]*)>>>(?: (?P<source>.*)|)$")
_MORE = re.compile(r"[ ]*\.\.\.(?: (?P<source>.*)|)$")
_MARKER = re.compile(r"^#>\d+\n", re.MULTILINE)
_FAILS = re.compile(r"Traceback \((?:most recent call last|innermost last)\):")
_GIVEN = re.compile(r"""\bdoctest_namespace\[["'](\w+)["']\]\s*=\s*(?:np|numpy)\b(?!\.)""")
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_HOLDS_STATEMENTS = (ast.stmt, ast.ExceptHandler, ast.match_case)


@dataclass(frozen=True)
class Example:
    """One prompt and what is expected to be printed; lines count from 0 in the text between the quotes.

    Attributes
    ----------
    start, after, end
        The line of the prompt, the first one of what is expected, and the first one beyond.
    """

    start: int
    after: int
    end: int
    indent: str
    source: str
    want: str

    @property
    def fails(self) -> bool:
        """Tell whether an error is expected."""
        return _FAILS.match(self.want) is not None


@dataclass(frozen=True)
class Session:
    """The examples of one docstring.

    Attributes
    ----------
    node
        The docstring.
    owner
        The module, class or function that it is of.
    written
        The lines between the quotes, as they stand in the file.
    """

    node: ast.Constant
    owner: ast.AST
    opening: str
    closing: str
    written: tuple[str, ...]
    examples: tuple[Example, ...]

    @cached_property
    def text(self) -> str:
        """The examples as a module, each below its marker."""
        return "".join(f"#>{number}\n{example.source}\n" for number, example in enumerate(self.examples))

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """In which line of `text`, counted from 1, the source of each example starts."""
        found, line = [], 2
        for example in self.examples:
            found.append(line)
            line += example.source.count("\n") + 2
        return tuple(found)

    def example_at(self, line: int) -> int:
        """The number of the example that holds this line of `text`."""
        return sum(start <= line for start in self.starts) - 1

    def place(self, line: int, column: int) -> tuple[int, int]:
        """Line and column in the file of a place in `text`, all counted from 1."""
        number = self.example_at(line)
        example = self.examples[number]
        at = example.start + line - self.starts[number]
        first = self.node.col_offset + len(self.opening) if at == 0 else 0
        return self.node.lineno + at, first + len(example.indent) + 4 + column

    def literal(self, text: str, wants: Mapping[int, str]) -> str | None:
        """The docstring with other sources and, by the number of the example, other expected output.

        None where the new text cannot be told apart into the examples, or cannot stand in this literal.
        """
        parts = _MARKER.split(text)
        if len(parts) != len(self.examples) + 1 or parts[0].strip():
            return None
        out: list[str] = []
        at = 0
        for number, (example, part) in enumerate(zip(self.examples, parts[1:], strict=True)):
            out += self.written[at : example.start]
            at = example.end
            if part.rstrip("\n") == example.source.rstrip("\n"):
                out += self.written[example.start : example.after]
            else:
                leads = example.source.startswith("#")
                out += map(self._written, add_prompts(part, example.indent, leads))
                if example.source.endswith("\n"):  # a block that is closed by a prompt without text
                    out.append(self.written[example.after - 1])
            if number in wants:
                out += (self._written(f"{example.indent}{line}".rstrip()) for line in wants[number].split("\n"))
            else:
                out += self.written[example.after : example.end]
        body = "\n".join([*out, *self.written[at:]])
        made = f"{self.opening}{body}{self.closing}"
        return made if _stands(made, self.closing) else None

    def _written(self, line: str) -> str:
        end = "\r" if self.written[0].endswith("\r") else ""
        return (line if "r" in self.opening.lower() else line.replace("\\", "\\\\")) + end


def _stands(literal: str, quote: str) -> bool:
    """Tell whether it is one literal still."""
    try:
        node = ast.parse(literal, mode="eval").body
    except (SyntaxError, ValueError):
        return False
    return isinstance(node, ast.Constant) and literal.count(quote) == 2


def sessions(tree: ast.Module, text: str) -> Iterator[Session]:
    """The sessions in the docstrings of a module."""
    if ">>>" not in text:
        return
    lines = text.split("\n")
    blocks: list[ast.AST] = [tree]
    for owner in blocks:  # grows while it is read
        blocks += (one for one in ast.iter_child_nodes(owner) if isinstance(one, _HOLDS_STATEMENTS))
        first = owner.body[0] if isinstance(owner, _DOCUMENTED) and owner.body else None
        node = first.value if isinstance(first, ast.Expr) else None
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and ">>>" in node.value:
            found = _session(node, owner, lines)
            if found is not None:
                yield found


def given_names(texts: Iterable[str]) -> list[str]:
    """Names that examples have for NumPy without an import, from pytest's `doctest_namespace`."""
    return sorted({name for text in texts for name in _GIVEN.findall(text)})


def _session(node: ast.Constant, owner: ast.AST, lines: list[str]) -> Session | None:
    segment = _segment(node, lines)
    opening = _LITERAL.match(segment)
    if opening is None or not segment.endswith(opening["quote"]):
        return None
    body = segment[opening.end() : -len(opening["quote"])]
    read, written = tuple(str(node.value).split("\n")), tuple(body.split("\n"))
    examples = tuple(_examples(read))
    raw = "r" in opening["prefix"].lower()
    if len(read) != len(written) or not examples:
        return None
    for one in examples:
        for line in range(one.start, one.end):
            if written[line].rstrip("\r") != (read[line] if raw else read[line].replace("\\", "\\\\")):
                return None
    return Session(node, owner, opening.group(), opening["quote"], written, examples)


def _segment(node: ast.Constant, lines: list[str]) -> str:
    """The text of a literal: like `ast.get_source_segment`, without splitting the text anew each time."""
    found = lines[node.lineno - 1 : node.end_lineno]
    if not found:  # lines that end otherwise
        return ""
    found[-1] = found[-1].encode()[: node.end_col_offset].decode()
    found[0] = found[0].encode()[node.col_offset :].decode()
    return "\n".join(found)


def _examples(lines: tuple[str, ...]) -> Iterator[Example]:
    """The examples among the lines of a docstring, as `doctest` finds them; comments behind a prompt too."""
    at = 0
    while at < len(lines):
        prompt = _PROMPT.match(lines[at])
        if prompt is None:
            at += 1
            continue
        start, source = at, [prompt["source"] or ""]
        at += 1
        while at < len(lines) and (more := _MORE.match(lines[at])):
            source.append(more["source"] or "")
            at += 1
        after = at
        while at < len(lines) and lines[at].strip() and not _PROMPT.match(lines[at]):
            at += 1
        indent = prompt["indent"]
        want = "\n".join(line.removeprefix(indent) for line in lines[after:at])
        yield Example(start, after, at, indent, "\n".join(source), want)


def add_prompts(source: str, indent: str, leads: bool = False) -> list[str]:
    """The lines of a source behind prompts: each statement behind one of its own.

    Parameters
    ----------
    leads
        A comment belongs to the statement below it, as in `>>> # doctest: +SKIP`; otherwise to the one above, in the
        same example, for which the options in it hold.
    """
    starts: set[int] = set()
    inside: set[int] = set()
    for statement in ast.parse(source).body:
        first = min([statement.lineno, *(one.lineno for one in getattr(statement, "decorator_list", ()))])
        starts.add(first)
        inside.update(range(first, (statement.end_lineno or first) + 1))
    out: list[str] = []
    below_comment = False
    for number, line in enumerate(source.rstrip("\n").split("\n"), 1):
        if number in inside or line.startswith((" ", "\t")):
            out.append(f"{indent}{'>>>' if number in starts and not below_comment else '...'} {line}".rstrip())
            below_comment = False
        elif line.strip():
            out.append(f"{indent}{'>>>' if not out or leads and not below_comment else '...'} {line}")
            below_comment = leads
    return out
