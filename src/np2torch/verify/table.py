"""The comparison as a table."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from np2torch.verify.rows import Row

PIPE_WIDTH = 140


def print_table(
    rows: Sequence[Row], old: str, new: str, console: Console | None = None, left_out: Sequence[str] = ()
) -> None:
    """Print rows side by side, differences in words, and a closing count; `left_out` was not asked for."""
    table = Table(title="old against new", title_justify="left", show_lines=False)
    for heading in ("function", "inputs", f"old: {old}", f"new: {new}", "verdict"):
        table.add_column(Text(heading), overflow="fold")
    for row in rows:
        table.add_row(Text(row.name), Text(row.inputs), Text(row.old), Text(row.new), _verdict(row))
    console = console or Console()
    if not console.is_terminal:
        console.width = max(console.width, PIPE_WIDTH)
    console.print(table)
    console.print(Text(verdict_line(rows)))
    if left_out:
        console.print(Text(f"CASES does not name {', '.join(left_out)}: not compared by themselves."))


def _verdict(row: Row) -> Text:
    if row.difference is not None:
        return Text(row.difference, "bold red" if row.exercised else "yellow")
    return Text("equal, stays on NumPy (TODO)", "yellow") if row.stays_numpy else Text("equal", "green")


def verdict_line(rows: Sequence[Row]) -> str:
    """Say how many of the comparisons agree, and what was not compared."""
    compared = [row for row in rows if row.exercised]
    different = sum(row.difference is not None for row in compared)
    missing = [row.name for row in rows if not row.exercised]
    rest = f" Nothing was compared of {', '.join(dict.fromkeys(missing))}: not proven." if missing else ""
    if not compared:
        return "Nothing was compared: list functions and inputs in the dict CASES, or let the program print." + rest
    if different:
        return f"{different} of {len(compared)} comparisons differ.{rest}"
    what = "dtype, shape, value, Python type, mutated arguments, output"
    return f"{len(compared)} of {len(compared)} comparisons agree: {what}.{rest}"
