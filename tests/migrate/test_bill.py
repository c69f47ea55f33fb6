"""The figures at the end: where nothing is converted, how near one came and what share of tests to give up."""

from __future__ import annotations

import pytest

from np2torch.migrate.bill import Bill
from np2torch.migrate.conversion import Share


def _bill(nearest: tuple[int, int]) -> Bill:
    kept = {"m": "TypeError: no"}
    return Bill("pytest", 5443, (), {}, 1, 9, 3, 60.0, Share(0, 900), kept, {"m": 900}, nearest=nearest, possible=880)


def test_where_nothing_is_converted_one_is_told_what_to_give_up():
    said = "\n".join(_bill((52, 870)).lines())
    assert "nothing is converted, so nothing is written: TypeError: no; with 52 tests failing 870 of 900" in said
    assert "--give-up 1 ends with that" in said


@pytest.mark.parametrize("nearest", [(0, 0), (2000, 870)])
def test_nobody_is_told_to_give_up_many_or_none(nearest):
    assert "--give-up" not in "\n".join(_bill(nearest).lines())
