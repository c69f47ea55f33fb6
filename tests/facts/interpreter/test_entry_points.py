# ruff: noqa: E501 (tables of source texts)
"""Where a project is entered: tests, their cases, and what nothing in it calls."""

from __future__ import annotations

import textwrap

import pytest

from np2torch.facts import values as v
from support.facts import one, run, shown


def test_a_public_function_without_callers_is_still_run():
    assert one("def f(x):\n    y = np.zeros(3)\n    show(y)\n") == v.array("float64", 1)


def test_parametrized_tests_are_call_sites():
    text = "import pytest\n@pytest.mark.parametrize('x, n', [(np.zeros(3), 1), (np.zeros((2, 2)), 2)])\ndef test_it(x, n):\n    show(x)\n"
    assert one(text) == v.array("float64", {1, 2})


@pytest.mark.parametrize(
    "search", ["inspect.getmembers(near)", "vars(near)", "getattr(near, name)", "json.dumps(1)"]
)  # fmt: skip
def test_the_functions_of_a_module_that_is_searched_may_be_called_with_anything(search):
    near = """
    import numpy as np

    class Scale:
        def __init__(self, by=None):
            show(by)

    def total(x=2):
        show(x)
    """
    text = f"import inspect, json, near\n\nnear.total(1)\nnear.Scale(None)\nname = input()\n{search}\nshow(1)\n"
    searched = "near" in search
    engine, _ = run(text, near=textwrap.dedent(near))
    found = {name: engine.functions[node] for node in engine.functions if (name := getattr(node, "name", ""))}
    assert found["total"].escaped is found["__init__"].escaped is searched


def test_starred_parameters_nobody_is_seen_to_pass():
    rest, options, name = shown("def f(*rest, **options):\n    show(rest)\n    show(options)\n    for name in options:\n        show(name)\n\nimport other\nother.register(f)")
    assert v.kinds(rest) == {"sequence"} and v.kinds(options) == {"mapping"} and name == v.OPAQUE


def test_functions_lost_among_many_may_be_called_with_anything():
    """A parameter that takes ever more functions may be anything in the end: so may what these are called with."""
    defined = "\n".join(f"def f{n}(x):\n    show(x)\n    return x\n" for n in range(24))
    called = "\n".join(f"Kept(f{n})(1.0)\nf{n}(np.zeros(3))" for n in range(24))
    text = "class Kept:\n    def __init__(self, f):\n        self.f = f\n    def __call__(self, x):\n        return self.f(x)\n"
    assert all(v.known_to_include(fact, "unknown", "number") for fact in shown(text + defined + called))


@pytest.mark.parametrize(
    "cases",
    [
        "CASES = [(np.zeros(3), 1), (np.arange(3), 2)]",
        "CASES = ((np.zeros(3), 1), (np.arange(3), 2))",
        "CASES = [(x, n) for x, n in ((np.zeros(3), 1), (np.arange(3), 2))]",
    ],
)
def test_cases_that_have_a_name(cases):
    text = f"""
    import pytest
    {cases}

    @pytest.mark.parametrize("x, n", CASES)
    def test_it(x, n):
        show(x)
        show(n)
    """
    assert shown(text) == [v.array({"float64", "int64"}, 1), v.one(v.Num("int", None, True))]


def test_cases_that_are_listed_in_part():
    text = """
    import pytest
    MORE = [np.zeros((2, 2))]

    @pytest.mark.parametrize("x", [np.zeros(3), *MORE])
    def test_it(x):
        show(x)
    """
    assert one(text) == v.array("float64", {1, 2})


def test_a_function_kept_by_a_class_is_called_with_more_than_is_seen():
    text = """
    def f(n):
        show(n)

    class A:
        call = f

        def run(self, other):
            return other.call(np.zeros(3))

    f(5)
    """
    assert v.constant(one(text)) is None
