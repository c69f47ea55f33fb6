"""The figures at the end: where too many tests fail, what is shown is not written, and one is told how it may be."""

from __future__ import annotations

from np2torch.migrate.bill import Bill
from np2torch.migrate.conversion import Share
from np2torch.migrate.trials import OVER


def _bill(failing: int, share: Share, is_short: bool) -> Bill:
    unsolved = {f"test_{number}": "TypeError: no" for number in range(failing)}
    kept = {"m": "TypeError: no"}
    return Bill(
        "pytest", 5443, (), unsolved, 1, 9, 3, 60.0, share, kept, {"m": 900}, possible=880, is_short=is_short
    )  # fmt: skip


def test_where_more_fail_than_may_one_is_told_how_to_write_it_all_the_same():
    bill = _bill(52, Share(870, 900), is_short=True)
    for said in ("\n".join(bill.lines()), bill.markdown()):
        assert "52 tests fail, more than may be given up" in said and "--write-failing only; --give-up 1 lets" in said
        assert "870 of 900" in said and "nothing is converted, so" not in said
    assert "not solved: test_51: TypeError: no" in bill.lines()


def test_else_nobody_is_told_to_let_tests_fail():
    for bill in (_bill(0, Share(0, 900), is_short=False), _bill(2, Share(870, 900), is_short=False)):
        assert "--give-up" not in "\n".join(bill.lines()) and "--write-failing" not in bill.markdown()
    assert "nothing is converted, so nothing is written: TypeError: no" in _bill(0, Share(0, 900), False).lines()


def test_tests_that_run_as_one_count_and_those_that_are_not_there_do_not():
    bill = Bill(
        "pytest", 9, (), {}, 1, 9, 3, 60.0, Share(870, 900), {}, {}, possible=880,
        lacking=["t.py::test_a[8]"], twins=["t.py::test_b[1]", "t.py::test_b[2]"],
    )  # fmt: skip
    said = list(bill.lines())
    assert said[0].startswith("8 of 9 tests")
    assert said[1:3] == [
        "1 are not there on torch, which has fewer parameters: t.py::test_a (1)",
        "2 of them are one with others, of the same parameters on torch: t.py::test_b (2)",
    ]
    assert "| One with others, of the same parameters on torch | t.py::test_b (2) |" in bill.markdown()


def test_what_has_not_run_is_told_apart_from_what_fails():
    unsolved = {"t.py::test_a": "TypeError: no", "t.py::test_b": OVER, "t.py::test_c": OVER}
    bill = Bill(
        "pytest", 20, (), unsolved, 1, 9, 3, 60.0, Share(870, 900), {}, {}, possible=880, is_short=True,
        is_hurried=True,
    )  # fmt: skip
    said = list(bill.lines())
    assert said[0].startswith("17 of 20 tests that pass on NumPy pass on torch")
    assert said[1].startswith("1 tests fail and 2 have not run, more than may be given up")
    assert said[-2:] == [
        "not solved: t.py::test_a: TypeError: no", "not run for want of time: t.py::test_b, t.py::test_c",
    ]  # fmt: skip
    assert "## Not run for want of time\n\n* t.py::test_b\n* t.py::test_c\n" in bill.markdown()
