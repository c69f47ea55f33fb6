"""Guards between the statements of a function: where they stand, and what keeps them away."""

from __future__ import annotations

from typing import Any

import pytest

from np2torch.facts import values as v
from np2torch.facts.guards import GuardLine
from np2torch.rewrite.guards.forms import Parameters
from np2torch.rewrite.guards.inner import InnerChooser
from np2torch.rewrite.guards.runs import Trial
from support.guards import HEAD, convert

VECTOR = "def vector(v):\n    return np.array(v, dtype=float) if isinstance(v, list) else v\n\n\n"


def converted(*statements: str) -> list[str]:
    """The statements of a function of `x` and `y` after conversion, each in one line."""
    text = VECTOR + "def f(x, y):\n" + "".join(f"    {line}\n" for line in statements)
    return [line.strip() for line in convert(text).after.partition("def f(x, y):\n")[2].splitlines()]


def test_a_guard_stands_below_what_binds_the_name() -> None:
    lines = converted("x = vector(x)", "return x / np.linalg.norm(x)")
    assert lines[0] == "x = vector(x)"
    assert lines[1].startswith("x = shim.inexact(x")
    assert lines[2] == "return x / torch.linalg.norm(x)"


def test_one_guard_serves_several_names_and_parameters() -> None:
    lines = converted("d = lookup(x)", "e = lookup(y)", "return np.sin(d) * e + y")
    assert lines[:2] == ["d = lookup(x)", "e = lookup(y)"]
    assert lines[2].startswith("y, d, e = shim.")
    assert "shim" not in lines[-1]


def test_it_takes_lists_that_the_first_statements_take() -> None:
    guard = next(line for line in converted("x = vector(x)", "return np.exp(x)") if "shim.in" in line)
    assert "lists=False" not in guard


@pytest.mark.parametrize(
    "statements",
    [
        ("d = lookup(x)", "if isinstance(d, str):", "    return d", "return np.sin(d) * d"),
        ("d = lookup(x)", "if d == 'none':", "    return 0", "return np.sin(d) * d"),
        ("if y:", "    d = lookup(x)", "return np.sin(d) * d"),
        ("d = lookup(x)", "return np.zeros(d) * d"),
        ("global d", "d = lookup(x)", "return np.sin(d) * d"),
        ("d = lookup(x)", "for d in y:", "    x = np.sin(d) * d", "return x"),
        ("d = lookup(x)", "e = [np.sin(d) * d for d in y]", "return e"),
    ],
)
def test_what_may_be_no_array_or_is_not_bound_gets_none(statements: tuple[str, ...]) -> None:
    assert not any(line.startswith("d = shim") for line in converted(*statements))


@pytest.mark.parametrize("written", ["p[0] = 1", "p += 1", "p.sort()", "np.add(p, 1, out=p)"])
def test_no_copy_is_made_of_what_may_share_memory_with_what_is_written(written: str) -> None:
    lines = converted("p = lookup(x)", "d = p[:2]", written, "return np.sin(d) * d, p")
    guard = next((line for line in lines if line.startswith(("d = shim", "p, d = shim"))), "copy=False")
    assert "copy=False" in guard or "only=" in guard or ".tensor" in guard


def test_forms_that_refuse_integers_are_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []
    trial = InnerChooser._trial

    def seen(self: InnerChooser, parameters: Parameters, form: str, *args: Any, **options: Any) -> Trial | None:
        tried.append(form)
        return trial(self, parameters, form, *args, **options)

    monkeypatch.setattr(InnerChooser, "_trial", seen)
    converted("d = lookup(x)", "return np.sin(d) * d")
    assert "floating" in tried
    tried.clear()
    converted("d = lookup(x)", "return np.sin(d) * d, d // 2")  # shows whether `d` is whole
    assert tried and set(tried) <= {"tensor"}


def test_a_second_conversion_changes_nothing() -> None:
    once = convert(VECTOR + "def f(x):\n    x = vector(x)\n    return x / np.linalg.norm(x)\n").after
    assert convert(once.removeprefix(HEAD)).after.removeprefix(HEAD) == once


def test_a_guard_of_attributes_alone_is_weighed_beside_one_between_statements() -> None:
    assert GuardLine((), "inexact", held=(("self.x", v.array("float64")),)).refusal_weight == 0


@pytest.mark.parametrize("told", ["array_like of int", "array_like"])
def test_integers_are_not_refused(told: str) -> None:
    lines = (
        "def f(n, d, v=None):\n    '''Make points.\n\n    Parameters\n    ----------\n",
        f"    v : {told}\n        A vector.\n    '''\n",
        "    if v is None:\n        v = np.random.randint(2, n, d)\n    v = np.asarray(v) % n\n",
        "    return np.array([(i * v) % n for i in range(n)], dtype=int)\n",
    )
    assert 'kinds="f' not in convert("".join(lines)).after


def test_no_form_is_tried_where_every_guard_would_copy_what_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    statements = ("p = lookup(x)", "p[0] = 1", "return np.sin(p) * p, np.cos(p) + p")
    before = converted(*statements)
    monkeypatch.setattr(InnerChooser, "_search", None)
    assert converted(*statements) == before


def test_options_are_not_looked_for_where_integers_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(InnerChooser, "_trial", None)
    monkeypatch.setattr(InnerChooser, "_kept", lambda self, parameters, dtype: parameters.names)
    lines = converted("d = lookup(x)", "e = lookup(y)", "return np.sin(d) * e + d")
    assert not any("= shim.inexact" in line for line in lines)


def test_a_parameter_stated_as_a_tuple_gets_none() -> None:
    text = (
        "def best(pair: tuple, both, k: int):\n    a, b = both\n    u = pair[k].reshape(pair[k].size, 1)\n"
        "    v = pair[-k].reshape(pair[-k].size, 1)\n    return np.dot(a, u).max() == np.dot(b.T, v).max()\n"
    )
    assert "shim.invoke(pair[k]" in convert(text).after
    assert "shim.invoke(pair[k]" not in convert(text.replace(": tuple", "")).after


HOLDER = """

class Holder:
    def __init__(self, values):
        self.values = values


def _use():
    return scaled(Holder({}))
"""


@pytest.mark.parametrize(
    ("passed", "refused"), [("np.arange(3, dtype=np.uint8)", True), ("np.arange(3.0)", False), ("[1.0, 2.0]", False)]
)  # fmt: skip
def test_it_takes_what_the_project_has_there(passed: str, refused: bool) -> None:
    """`p` is an array of small integers for one of the project's own calls, in which NumPy computes."""
    text = "def scaled(x):\n    p = x.values\n    return (np.sin(p) * p + np.cos(p) * p) / p\n"
    assert "p = shim.inexact(p" in convert(text).after
    assert ("p = shim.inexact(p" in convert(text + HOLDER.format(passed)).after) is not refused
