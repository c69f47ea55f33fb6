"""What a name may be where statements leave, repeat or skip others: no fact leaves out what a run can see."""

from __future__ import annotations

import contextlib
import textwrap
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from np2torch.facts import values as v
from support.facts import one, shown

VECTOR, MATRIX = v.array("float64", 1), v.array("float64", 2)
VALUES = ("None", "1", "'t'", "np.zeros(2)", "np.zeros((2, 2))", "[1.0]")
TESTS = (
    "next(bits)", "x is None", "x is not None", "isinstance(x, np.ndarray)", "isinstance(x, (int, list))",
    "not isinstance(x, str)", "x is None or isinstance(x, int)", "x is not None and isinstance(x, list)", "flag",
    "np.asarray(x).dtype == float", "np.asarray(x).dtype.kind in 'iu'", "not (is_array(x) and x.dtype != float)",
    "x is None or flag", "not flag", "is_array(x)", "mode == 'a'", "mode in ('b', 'c')",
    "mode != 'c' and isinstance(x, np.ndarray)",
)  # fmt: skip
FLAGS = ("flag = True", "flag = False", "flag = x is None", "flag = is_array(x)", "mode = 'c'")
CALLS = st.tuples(st.sampled_from(VALUES), st.booleans(), st.sampled_from(["'a'", "'b'", "mode"]))
HEAD = """
import numpy as np
from contextlib import suppress

def is_array(x):
    return isinstance(x, np.ndarray)

def f(bits, x, flag, mode):
"""


@st.composite
def blocks(draw: Any, depth: int = 0, in_loop: bool = False) -> list[str]:
    """A few statements that bind `x`, look at it, and change the flow."""
    out: list[str] = []
    for _ in range(draw(st.integers(1, 4))):
        kind = draw(st.integers(0, 11 if depth < 3 else 5))
        if kind <= 1:
            out.append(f"x = {draw(st.sampled_from(VALUES))}")
        elif kind == 2:
            out.append("show(x)")
        elif kind == 3:
            out.append(draw(st.sampled_from(FLAGS)))
        elif kind == 4:
            out.append(draw(st.sampled_from(["break", "continue", "show(x)"] if in_loop else ["show(x)"])))
        elif kind == 5:
            ends = draw(st.sampled_from(["return x", "raise KeyError", "pass"]))
            out.append(f"if {draw(st.sampled_from(TESTS))}: {ends}")
        elif kind <= 7:
            out += [f"if {draw(st.sampled_from(TESTS))}:", *inside(draw, depth, in_loop)]
            if draw(st.booleans()):
                out += ["else:", *inside(draw, depth, in_loop)]
        elif kind <= 9:
            out += [draw(st.sampled_from(["for _ in range(3):", "while next(bits):"])), *inside(draw, depth, True)]
            if draw(st.booleans()):
                out += ["else:", *inside(draw, depth, in_loop)]
        elif kind == 10:
            out += ["with suppress(KeyError):", *inside(draw, depth, in_loop)]
        else:
            out += ["try:", *inside(draw, depth, in_loop), "except KeyError:", *inside(draw, depth, in_loop)]
            if draw(st.booleans()):
                out += ["finally:", "    show(x)"]
    return out


def inside(draw: Any, depth: int, in_loop: bool) -> list[str]:
    return ["    " + line for line in [*draw(blocks(depth=depth + 1, in_loop=in_loop)), "show(x)"]]


def admits(fact: v.Fact, value: object) -> bool:
    """May the value be what the fact says?"""
    for atom in fact:
        if isinstance(atom, v.Top) or isinstance(atom, v.Nothing) and value is None:
            return True
        if isinstance(atom, v.Array) and isinstance(value, np.ndarray):
            return atom.ranks is None or value.ndim in atom.ranks
        if isinstance(atom, v.Num) and type(value).__name__ == atom.type:
            return atom.value is None or atom.value == value
        if isinstance(atom, v.Text) and isinstance(value, str):
            return True
        if isinstance(atom, v.Sequence) and type(value).__name__ == atom.type:
            return True
    return False


@settings(max_examples=120, deadline=None)
@given(blocks(), st.lists(st.booleans(), max_size=24), st.lists(CALLS, min_size=1, max_size=4))
def test_a_run_sees_nothing_that_no_fact_holds(body, bits, given):
    """Programs made at random are run, and what is seen at each place is among the alternatives."""
    text = HEAD + textwrap.indent("\n".join([*body, "show(x)", "return x"]), "    ")
    text += "\nbits = open('x')\nmode = input()\n"
    calls = [f"show(f(iter(bits), {', '.join(map(str, one))}))" for one in given]
    parts = ("\n".join([text, *calls])).split("show(")
    numbered = "".join(part + (f"show({n}, " if n < len(parts) - 1 else "") for n, part in enumerate(parts))
    lines = numbered.replace("bits = open('x')", "").replace("mode = input()", "").split("\n")
    seen: list[tuple[int, object]] = []
    scope: dict[str, Any] = {"show": lambda n, x: seen.append((n, x)), "bits": bits, "mode": "a"}
    exec("\n".join(lines[: -len(calls)]), scope)
    for call in lines[-len(calls) :]:
        with contextlib.suppress(KeyError, StopIteration):
            exec(call, scope)
    facts = shown("\n".join([text, *calls]))
    for place, value in seen:
        assert admits(facts[place], value), (place, value, facts[place])


def test_a_loop_that_is_left_early():
    text = """
    def f(a):
        x = a
        for i in range(3):
            x = None
            if input():
                break
            x = a * 2
        return x

    show(f(np.zeros(3)))
    """
    assert one(text) == v.join(VECTOR, v.NONE)


def test_continue_tells_what_is_left():
    text = """
    for x in [None, np.zeros(3)]:
        if x is None:
            continue
        show(x)
    """
    assert one(text) == VECTOR


def test_an_object_of_the_standard_library_may_be_none():
    text = """
    import re

    def f(text):
        if re.match("a", text) is None:
            return np.zeros(3)
        return 3

    show(f(input()))
    """
    assert v.kinds(one(text)) == {"array", "number"}


def test_what_is_done_at_last_sees_every_way_out():
    text = """
    def f(a):
        x = None
        try:
            x = a
            return x
        finally:
            show(x)

    f(np.zeros(3))
    """
    assert one(text) == v.join(VECTOR, v.NONE)


def test_a_manager_may_swallow_the_error_before_a_return():
    text = """
    def f(a, manager):
        with manager:
            return np.zeros(int(a))
        show(a)
        return None

    show(f(input(), open("x")))
    """
    read, given_back = shown(text)
    assert read == v.TEXT and v.kinds(given_back) == {"array", "none"}


DISPATCH = """
def f(x{more}):
    {test}:
        return [f(item{passed}) for item in x]
    show(x)
    return x * 2

show(f(np.zeros(3){first}))
show(f([np.zeros(3), np.zeros(2)]{second}))
"""


@pytest.mark.parametrize(
    ("test", "more", "passed", "first", "second"),
    [
        ("if isinstance(x, list)", "", "", "", ""),
        ("if not isinstance(x, np.ndarray)", "", "", "", ""),
        ("if each", ", each=False", "", "", ", each=True"),
        ("if not whole", ", whole=True", "", "", ", whole=False"),
        ("if mode == 'each'", ", mode='whole'", "", "", ", mode='each'"),
        ("if mode.lower() == 'each'", ", mode='whole'", "", "", ", mode='Each'"),
        ("if mode in ('each', 'all')", ", mode='whole'", "", "", ", mode='each'"),
        ("if count != 1", ", count=1", "", "", ", count=2"),
    ],
)
def test_calls_that_take_another_way(test, more, passed, first, second):
    """What a call never comes to says nothing of the others."""
    inside, array, several = shown(DISPATCH.format(test=test, more=more, passed=passed, first=first, second=second))
    assert inside == array == VECTOR
    assert v.kinds(several) == {"sequence"}


def test_what_no_call_comes_to_is_known_all_the_same():
    text = """
    def f(x):
        if x is None:
            y = np.zeros((2, 2))
            show(y)
        return x

    show(f(np.zeros(3)))
    """
    assert shown(text) == [MATRIX, VECTOR]


def test_what_is_set_where_no_call_comes_is_not_believed():
    text = """
    class A:
        def __init__(self, x):
            self.x = x
            if isinstance(x, str):
                self.x = None

    show(A(np.zeros(3)).x)
    """
    assert one(text) == VECTOR


def test_what_nobody_tries_is_there_for_those_who_will():
    """A flag that no call sets, or a word that none passes, leaves both ways open."""
    text = """
    def f(x, fast=True, mode="whole"):
        g = np.exp if fast else sum
        y = x if mode == "whole" else None
        show(g)
        return y

    show(f(np.zeros(3)))
    show(f(np.zeros(2), mode="Whole".lower()))
    """
    function, first, second = shown(text)
    assert len(function) == 2 and first == second == v.join(VECTOR, v.NONE)


def test_a_word_that_no_call_passes_is_there_all_the_same():
    text = """
    def f(x, mode="a"):
        if mode == "a":
            return x
        if mode == "b":
            return [x]
        return None

    show(f(np.zeros(3)))
    show(f(np.zeros(2), mode="b"))
    """
    first, second = shown(text)
    assert first == VECTOR and v.kinds(second) == {"sequence", "none"}


def test_what_suppresses_an_error_goes_on_after_a_return():
    text = """
    import contextlib

    def f(x):
        with contextlib.suppress(ValueError):
            return np.zeros(int(x))

    show(f(input()))
    """
    assert v.kinds(one(text)) == {"array", "none"}


def test_a_loop_that_may_stop_early_leaves_what_was_before():
    text = """
    from other import done

    class A:
        def __init__(self):
            self.x = np.zeros(3)
            for name in ("x", "y"):
                if done(name):
                    break
                setattr(self, name, 1)
            show(self.x)

    A()
    """
    assert v.kinds(one(text)) == {"array", "number"}


def test_a_branch_of_an_expression_that_is_never_taken_gives_nothing():
    assert one("x = np.zeros(3)\nshow([1] if x is None else x)\n") == v.array("float64", 1)
