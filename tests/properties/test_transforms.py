"""The functions of the shim compiled whole, on other devices, and differentiated.

Here one function of each line of the table; `make properties NAMES="--how traced"` runs them all.
"""

from __future__ import annotations

import pytest
import torch
from table import Row, rows
from transforms import CUT, LISTED, VALUED, differentiated, placed, traced, unlisted

torch.set_num_threads(1)


def first_of_each(chosen: list[Row]) -> list[Row]:
    """One row for each line: names that stand in one line share a mechanism."""
    lines = {row.template.replace(row.name.rpartition(".")[2], "F"): row for row in reversed(chosen)}
    return list(lines.values())


def thinned(chosen: list[Row]) -> list[object]:
    """The rows; CI has time for every sixth one."""
    return [pytest.param(row, marks=pytest.mark.long) if at % 6 else row for at, row in enumerate(chosen)]


def named(row: Row) -> str:
    """What pytest calls it."""
    return f"{row.name}: {row.template[:60]}"


@pytest.mark.parametrize("row", thinned(first_of_each(unlisted(rows(), LISTED))), ids=named)
def test_compiles_as_one_graph(row: Row) -> None:
    assert (said := traced(row)) is None, said


@pytest.mark.parametrize("row", thinned(unlisted(rows(), VALUED)), ids=named)
def test_stays_on_the_device_of_its_arguments(row: Row) -> None:
    assert (said := placed(row)) is None, said


@pytest.mark.parametrize("row", thinned(unlisted(rows(), CUT)), ids=named)
def test_gradients_are_what_small_steps_say(row: Row) -> None:
    assert (said := differentiated(row)) is None, said


def test_what_is_listed_is_in_the_table() -> None:
    assert {row.name for row in rows()} >= VALUED | CUT
