"""What the project passes decides which guards can stand."""

from __future__ import annotations

import pytest

from np2torch.facts.interpreter.budget import BARE, Budget
from support.guards import reasons

REPEATED = "def repeated(x):\n    return np.exp(x * 2)\n"


@pytest.mark.parametrize("passed", ["[1.0, 2.0]", "(1.0, 2.0)"])
def test_no_guard_is_tried_where_lists_are_passed_that_are_not_arrays_to_the_body(passed: str) -> None:
    found = reasons(REPEATED, f"def used():\n    return repeated({passed})\n")
    assert found["repeated"] == "the project passes lists, which the body does not take as arrays"


def test_lists_that_are_arrays_to_the_body_are_taken() -> None:
    found = reasons("def roots(x):\n    return np.exp(np.sqrt(x))\n", "def used():\n    return roots([1.0, 2.0])\n")
    assert "it leaves 0" in found["roots"]


def test_a_function_is_asked_again_where_more_is_known_of_what_it_is_passed() -> None:
    text = "def inner(x):\n    return np.exp(x) * np.sqrt(x)\n\n\ndef outer(x):\n    return inner(np.exp(x))\n"
    assert all("it leaves 0" in reason for reason in reasons(text).values())


def test_lists_are_known_of_a_function_whose_calls_share_one_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a long project: its parameters may be anything after so many kinds."""
    monkeypatch.setattr(Budget, "level", lambda self, function: BARE)
    arrays = [f"np.ones({(2,) * rank}, '{dtype}')" for rank in range(1, 5) for dtype in ("float64", "int64", "int32")]
    lines = [f"    repeated({one})\n" for one in (*arrays, "[1.0, 2.0]")]
    found = reasons(REPEATED, f"def used():\n{''.join(lines)}")
    assert found["repeated"] == "the project passes lists, which the body does not take as arrays"


DECORATED = """
import functools


def along(function):
    @functools.wraps(function)
    def wrapper(x, *args, **kwargs):
        return [function(one, *args, **kwargs) for one in x]
    return wrapper


@along
def scaled(x, by):
    return np.exp(by * 2) * x
"""


@pytest.mark.parametrize("passed", ["[1.0, 2.0]", "by=(1.0, 2.0)"])
def test_what_calls_hand_to_a_decorator_is_known(passed: str) -> None:
    call = f"scaled(np.ones((2, 2)), {passed})"
    lists = "the project passes lists, which the body does not take as arrays"
    assert reasons(DECORATED, f"def used():\n    return {call}\n")["scaled"] == lists
    refused = f"def used():\n    with pytest.raises(TypeError):\n        {call}\n"
    assert "it leaves 0" in reasons(DECORATED, refused)["scaled"]
