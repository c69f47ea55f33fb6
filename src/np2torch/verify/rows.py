"""Rows of the evidence, wherever their inputs are from."""

from __future__ import annotations

from typing import NamedTuple


class Row(NamedTuple):
    """One comparison: what was called, what it gave on either side, and how the two differ (None: not at all).

    Where nothing was compared `exercised` is false, and `difference` says why.
    """

    name: str
    inputs: str
    old: str
    new: str
    difference: str | None
    stays_numpy: bool = False
    exercised: bool = True


def unexercised_row(name: str, why: str, inputs: str = "", old: str = "", new: str = "") -> Row:
    """The row of what was not compared, which is never equal."""
    return Row(name, inputs, old, new, f"nothing compared: {why}", exercised=False)


def proven(rows: list[Row] | tuple[Row, ...]) -> bool:
    """Tell whether something was compared, and all of it agrees."""
    return any(row.exercised for row in rows) and all(row.difference is None for row in rows)
