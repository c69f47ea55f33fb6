"""The comparison as a table."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from np2torch.verify.run import Row

PIPE_WIDTH = 140


def print_table(rows: Sequence[Row], old: str, new: str, console: Console | None = None) -> None:
    """Print rows side by side, differences in words, and a closing count."""
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


def _verdict(row: Row) -> Text:
    if row.difference is not None:
        return Text(row.difference, "bold red")
    return Text("equal, stays on NumPy (TODO)", "yellow") if row.stays_numpy else Text("equal", "green")


def verdict_line(rows: Sequence[Row]) -> str:
    """How many of the comparisons agree."""
    different = sum(row.difference is not None for row in rows)
    if not rows:
        return "Nothing to compare: no CASES, no output, no function that can be called without arguments."
    if different:
        return f"{different} of {len(rows)} comparisons differ."
    return f"{len(rows)} of {len(rows)} comparisons agree: dtype, shape, value, Python type, mutated arguments, output."
