"""The report of a migration as one HTML page that needs no network.

The page has the list of all sites; the rows of a file are kept apart as text, read when the file is opened.
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from importlib import resources
from itertools import zip_longest
from typing import Any

from np2torch import __version__
from np2torch.report.migration import FileReport, Migration
from np2torch.rules.codes import CODES
from np2torch.source.model import OUTCOMES, Site
from np2torch.source.notebook import Notebook, position

TEMPLATE, STYLE, PROGRAM = "page.html.jinja", "page.css", "page.js"
PARTS = {
    "Keyword.Type": "t", "Keyword": "k", "Name.Function": "f", "Name.Class": "f", "Name.Decorator": "d",
    "Name.Builtin": "b", "Literal.String": "s", "Literal.Number": "m", "Comment": "c",
}  # fmt: skip
"""The kinds of tokens that have a colour, by the beginnings of their names in pygments."""


FARTHEST = 60
"""So many lines after a difference the sides are looked at for the next line that is on both."""


class MissingExtraError(ImportError):
    """Error of a report without jinja2 or pygments; the message is one line."""


def render(migration: Migration) -> str:
    """Write the page.

    Raises
    ------
    MissingExtraError
        Where jinja2 or pygments is not installed.
    """
    try:
        import jinja2
        import pygments  # noqa: F401
    except ImportError as error:
        raise MissingExtraError(f"{error}; install 'np2torch[report]' for HTML reports.") from None
    folder = resources.files("np2torch.report") / "templates"
    parts = {name: (folder / name).read_text("utf-8") for name in (TEMPLATE, STYLE, PROGRAM)}
    environment = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(parts[TEMPLATE]).render(
        title=migration.title,
        version=__version__,
        style=parts[STYLE],
        program=parts[PROGRAM],
        overview=_in_script(_overview(migration)),
        files=[_in_script(_file(one)) for one in migration.files],
    )


def _in_script(document: Any) -> str:
    """Spell a document so that it can stand in a script element: no tag can end it or begin another."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _overview(migration: Migration) -> dict[str, Any]:
    numbers = {id(one): number for number, one in enumerate(migration.files)}
    codes = sorted({each.site.code for one in migration.files for each in one.sites})
    by_file = {one.file.display: number for number, one in enumerate(migration.files)}
    return {
        "outcomes": migration.outcomes,
        "lines": migration.lines,
        "codes": {code: CODES[code].title if code in CODES else "" for code in codes},
        "files": [
            {
                "path": one.file.display, "done": one.is_done, "lines": one.before.count("\n") + 1,
                "counts": [one.outcomes[outcome] for outcome in OUTCOMES], "guards": len(one.guards),
                "hot": len(one.hot),
            }
            for one in migration.files
        ],
        "sites": [
            [
                numbers[id(one)], each.site.line, _place(one, each.site),
                OUTCOMES.index(each.site.outcome), each.site.code, each.site.source, each.site.message,
            ]
            for one in migration.files for each in one.sites
        ],
        "hands": [
            [hand.times, hand.source, hand.code, hand.message, by_file[hand.place[0].display], hand.place[1]]
            for hand in migration.hands()
        ],
        "hot": [
            [numbers[id(one)], remark.line, remark.code, remark.message]
            for one in migration.files for remark in one.hot
        ],
        "guards": [
            [numbers[id(one)], guard.line, guard.function, guard.text, guard.reason]
            for one in migration.files for guard in one.guards
        ],
        "verified": [_verdict(one, by_file) for one in migration.verified],
        "problems": [[str(one.path), one.line, one.code, one.message] for one in migration.problems],
    }  # fmt: skip


def _verdict(one: Mapping[str, Any], files: Mapping[str, int]) -> dict[str, Any]:
    """Give what verify says of a function, with the number of its file, -1 where that is none of the report's."""
    path = one.get("path")
    return {
        "name": f"{one.get('module') or ''}.{one['name']}".lstrip("."),
        "verdict": one["verdict"],
        "difference": str(one.get("difference") or ""),
        "line": one.get("line") or 0,
        "file": next((number for name, number in files.items() if path and name.endswith(_tail(path))), -1),
        "failures": [[each["old"], each["new"], each["note"]] for each in one.get("failures", ())][:3],
    }


def _place(one: FileReport, site: Site) -> str:
    return position(one.file.display, site.line, site.column).removeprefix(f"{one.file.display}:")


def _tail(path: str) -> str:
    return "/".join(path.replace("\\", "/").split("/")[-2:])


def _file(one: FileReport) -> dict[str, Any]:
    known = [
        [
            [each.source, each.type, [[o.kind, o.place, o.text, o.fact] for o in each.origins]]
            for each in site.known
        ]
        for site in one.sites
    ]  # fmt: skip
    return {"rows": list(_rows(one)), "known": known}


def _rows(one: FileReport) -> Iterator[str | list[str | int]]:
    """Give the rows of both sides: a line that is on both, or a pair, with 0 for what is on one side alone."""
    before, after = _lines(one.before), _lines(one.after)
    notebook = one.file.notebook if isinstance(one.file.notebook, Notebook) else None
    old, new = (highlight("\n".join(_shown(side, notebook))) for side in (before, after))
    first = start = 0
    for last, end in meetings(before, after):
        yield from (list(pair) for pair in zip_longest(old[first:last], new[start:end], fillvalue=0))
        first, start = last, end
        while first < len(before) and start < len(after) and before[first] == after[start]:
            yield old[first]
            first, start = first + 1, start + 1


def meetings(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Give the places from which on both sides are equal again, the ends of both last.

    Conversions change a few lines here and there, so that the next place is near. This takes a time that grows with
    the lines, where `difflib` takes one that grows with their square.
    """
    first = start = 0
    while first < len(before) or start < len(after):
        first, start = _meeting(before, after, first, start)
        yield first, start
        while first < len(before) and start < len(after) and before[first] == after[start]:
            first, start = first + 1, start + 1


def _meeting(before: Sequence[str], after: Sequence[str], first: int, start: int) -> tuple[int, int]:
    """Give the nearest place where two lines in a row, or all that is left, are equal."""
    for distance in range(2 * FARTHEST):
        for down in range(max(0, distance - FARTHEST), min(distance, FARTHEST) + 1):
            at, to = first + down, start + distance - down
            left = len(before) - at, len(after) - to
            if min(left) < 0 or 0 in left and left != (0, 0):
                continue
            if before[at : at + 2] == after[to : to + 2]:
                return at, to
    return len(before), len(after)


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _shown(lines: list[str], notebook: Notebook | None) -> list[str]:
    """Give lines as people read them, one for one."""
    if notebook is None:
        return lines
    return [notebook.readable(line).split("\n")[0] for line in lines]


@lru_cache(maxsize=4)
def highlight(text: str) -> list[str]:
    """Give the lines of a text as HTML, escaped, with an element around each token that has a colour."""
    from pygments.lexers.python import PythonLexer
    from pygments.token import Token, _TokenType

    letters: dict[_TokenType, str] = {}
    found = [""]
    lexer = PythonLexer(stripnl=False, ensurenl=False)
    for kind, value in lexer.get_tokens(text):
        if kind not in letters:
            name = str(kind).removeprefix(f"{Token}.")
            letters[kind] = next((letter for begin, letter in PARTS.items() if name.startswith(begin)), "")
        letter = letters[kind]
        for number, part in enumerate(value.split("\n")):
            if number:
                found.append("")
            if part:
                text = html.escape(part, quote=False)
                found[-1] += f"<i class={letter}>{text}</i>" if letter and not part.isspace() else text
    return found + [""] * (text.count("\n") + 1 - len(found))
