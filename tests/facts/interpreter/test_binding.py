"""Arguments of calls, bound to the parameters of a function."""

from __future__ import annotations

import pytest

from np2torch.facts import values as v
from support.facts import one

FUNCTION = "def f(a, b=None, *rest, c='t', **more):\n    show({shown})\n\n"


@pytest.mark.parametrize(
    ("call", "shown", "expected"),
    [
        ("f(np.zeros(2))", "b", v.NONE),
        ("f(1, b=2.0)", "b", v.number(2.0)),
        ("f(1, 2, 'x', 'y')", "rest", v.one(v.Sequence("tuple", (v.one(v.Text("x")), v.one(v.Text("y")))))),
        ("f(1)", "c", v.one(v.Text("t"))),
        ("f(1, d=None)", "more['d']", v.NONE),
        ("f(*(1, 'x'))", "b", v.one(v.Text("x"))),
    ],
)
def test_parameters_are_what_is_passed(call: str, shown: str, expected: v.Fact) -> None:
    assert one(FUNCTION.format(shown=shown) + call + "\n") == expected
