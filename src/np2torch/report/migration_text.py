"""The report of a migration for terminals and as Markdown."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from np2torch.report.migration import Migration
from np2torch.report.tally import guard_line
from np2torch.source.model import OUTCOMES, SourceFile
from np2torch.source.notebook import position

MOST_ROWS = 20
STYLES = {"native": "green", "cast": "cyan", "shim": "blue", "boundary": "magenta", "todo": "yellow"}
Rows = list[Sequence[str]]


class Section:
    """A heading and a table below it, or a line where it has no rows."""

    def __init__(self, title: str, columns: Sequence[str], rows: Rows, nothing: str, most: int = MOST_ROWS) -> None:
        self.title, self.columns, self.nothing = title, columns, nothing
        self.rows, self.more = rows[:most], max(len(rows) - most, 0)


def sections(migration: Migration) -> Iterator[Section]:
    """Give the parts of a report, the same ones in each format."""
    done, files = len(migration.converted_files), len(migration.files)
    total = sum(migration.outcomes.values())
    counts = migration.outcomes.items()
    rows: Rows = [(outcome, str(number), f"{number / total:.1%}" if total else "") for outcome, number in counts]
    yield Section(f"{done} of {files} files are converted", ("outcome", "sites", "share"), rows, "")
    hands: Rows = [
        (str(hand.times), hand.source, hand.code, hand.message, _place(*hand.place)) for hand in migration.hands()
    ]
    heads: Sequence[str] = ("sites", "name", "code", "why", "first")
    yield Section("Names that need hands", heads, hands, "None: a conversion takes all of NumPy away.")
    hot = [(one.file, remark) for one in migration.files for remark in one.hot]
    loops: Rows = [(_place(file, one.line, one.column), one.code, one.message) for file, one in hot]
    yield Section("Hot loops", ("place", "code", "what"), loops, "None is known.")
    order: Rows = [
        (
            str(number), one.file.display, "done" if one.is_done else "to do", str(one.before.count("\n")),
            *(str(one.outcomes[outcome]) for outcome in OUTCOMES), str(len(one.guards)),
        )
        for number, one in enumerate(migration.files, 1)
    ]  # fmt: skip
    heads = ("#", "file", "state", "lines", *OUTCOMES, "guards")
    yield Section("Files, in the order in which to migrate them", heads, order, "No file uses NumPy.", len(order))
    if migration.verified:
        proven: Rows = [
            (one["verdict"], f"{one.get('module', '')}.{one['name']}".lstrip("."), str(one.get("difference") or ""))
            for one in sorted(migration.verified, key=lambda one: one["verdict"] == "equal")
        ]
        yield Section("Verified", ("verdict", "function", "difference"), proven, "")


def _place(file: SourceFile, line: int, column: int) -> str:
    return position(file.display, line, column)


def text(migration: Migration, width: int, has_colours: bool) -> str:
    """Lay a report out for a terminal."""
    out = io.StringIO()
    console = Console(file=out, width=width, force_terminal=has_colours, no_color=not has_colours, highlight=False)
    for section in sections(migration):
        console.print(Text(section.title, style="bold"))
        if not section.rows:
            console.print(Text(f"  {section.nothing}", style="dim"))
        else:
            table = Table(box=None, pad_edge=True, header_style="dim")
            for column in section.columns:
                is_number = column in ("sites", "share", "lines", "#", "guards", *OUTCOMES)
                table.add_column(column, justify="right" if is_number else "left", overflow="fold")
            for row in section.rows:
                table.add_row(*(Text(cell, style=STYLES.get(cell, "")) for cell in row))
            console.print(table)
        if section.more:
            console.print(Text(f"  ... and {section.more} more", style="dim"))
        console.print()
    return out.getvalue()


def markdown(migration: Migration) -> str:
    """Write a report as a Markdown document."""
    parts = [f"# np2torch report: {_plain(migration.title)}\n"]
    for section in sections(migration):
        parts.append(f"## {section.title}\n")
        if not section.rows:
            parts.append(f"{section.nothing}\n")
            continue
        head = " | ".join(section.columns)
        rows = [" | ".join(map(_cell, row)) for row in section.rows]
        lines = [f"| {head} |", "|" + "---|" * len(section.columns), *(f"| {row} |" for row in rows)]
        more = [f"\n… and {section.more} more."] if section.more else []
        parts.append("\n".join([*lines, *more]) + "\n")
    guards = [guard_line(guard) for one in migration.files for guard in one.guards]
    if guards:
        parts.append("## Guards\n\n" + "\n".join(f"* {_cell(line)}" for line in guards) + "\n")
    return "\n".join(parts)


def _cell(text: str) -> str:
    return _plain(" ".join(text.split())).replace("|", "\\|")


def _plain(text: str) -> str:
    """Text that Markdown shows as it is."""
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>#" else letter for letter in text)
