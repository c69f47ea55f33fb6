# ruff: noqa: E501 (tables of source texts)
"""What a call that came back tells of its arguments."""

from __future__ import annotations

import pytest

from np2torch.facts import values as v
from support.facts import one, shown

CHECK = """def checked(x, y):
    if not isinstance(x, np.ndarray):
        raise TypeError
    {between}
    x = np.array(x)
    y = np.array(y)
    if isinstance(y, list):
        raise TypeError

def f(x):
    checked(x, x)
    show(x)

f(np.zeros(3) if np.random.rand() < 0.5 else 'text')
"""


def test_what_was_checked_before_a_parameter_is_bound_again_is_known_of_the_argument():
    assert v.only(one(CHECK.format(between="pass")), "array")


@pytest.mark.parametrize("between", ["if y is None:\n        x = np.zeros(2)", "for x in y:\n        pass", "x = y"])
def test_what_is_checked_of_another_value_is_not(between):
    checked_late = CHECK.format(between="pass").replace("    pass\n", "").replace("    if not", f"    {between}\n    if not", 1)
    assert v.known_to_include(one(checked_late), "text")


def test_a_guard_that_came_back_tells_what_it_was_given():
    text = """
    from other import n

    def check(x, name="x"):
        if not isinstance(x, (list, np.ndarray)):
            raise TypeError(name)

    x = np.zeros(3) if n else 1.5 if n == 1 else None
    check(x, name="y")
    show(x)
    """
    assert one(text) == v.array("float64", 1)


def test_a_guard_of_guards_and_of_the_rank():
    text = """
    from other import n

    def check(x):
        if x.ndim != 2:
            raise ValueError

    def checks(a, b):
        check(a)
        check(b)
        assert a.shape

    x = np.zeros(3) if n else np.zeros((3, 3))
    y = np.zeros(3) if n else np.zeros((3, 3))
    checks(x, b=y)
    show(x)
    show(y)
    """
    assert shown(text) == [v.array("float64", 2)] * 2


def test_a_parameter_that_is_bound_again_tells_nothing():
    text = """
    from other import n

    def check(x):
        x = np.zeros((2, 2))
        if x.ndim != 2:
            raise ValueError

    x = np.zeros(3) if n else np.zeros((3, 3))
    check(x)
    show(x)
    """
    assert one(text) == v.array("float64", {1, 2})


def test_a_guard_that_may_come_back_early_tells_only_what_both_ends_know():
    text = """
    from other import n

    def check(x, strict):
        if not strict:
            return
        if x is None:
            raise ValueError

    x = np.zeros(3) if n else None
    check(x, n)
    show(x)
    """
    assert v.kinds(one(text)) == {"array", "none"}
