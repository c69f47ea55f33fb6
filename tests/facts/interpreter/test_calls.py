# ruff: noqa: E501 (tables of source texts)
"""What reaches a name by way of keywords, computed attribute names, test cases, named tuples and random draws."""

from __future__ import annotations

import pytest

from np2torch.facts import values as v
from support.facts import one, shown


# --------------------------------------------------------------------------------------------------- keywords
def test_keywords_are_known_by_name():
    text = """
    def f(**options):
        show(options.get("x", 1.0))
        show(options.pop("y", None))
        show(options["x"])

    f(x=np.zeros(3))
    f(x=np.zeros((2, 2)))
    """
    first, second, third = shown(text)
    assert first == v.join(v.array("float64", {1, 2}), v.number(1.0))
    assert second == v.NONE
    assert third == v.array("float64", {1, 2})


def test_keywords_are_handed_on():
    text = """
    def f(**options):
        return g(**options)

    def g(a, b=None, **rest):
        show(a)
        show(b)
        show(rest.get("c"))

    f(a=np.zeros(3), b=np.arange(3), c=1)
    """
    a, b, c = shown(text)
    assert a == v.array("float64", 1)
    assert b == v.join(v.array("int64", 1), v.NONE)
    assert c == v.join(v.SIZE, v.NONE)


@pytest.mark.parametrize("last", ["", ", True", ", *np.zeros(2, dtype=bool)"])
def test_positional_arguments_nobody_knows_how_many(last):
    """Each may be any of the items and of what stands behind them, or be left out where it has a default."""
    text = f"""
    def f(first, a, b=None, *more, key=1):
        show(first)
        show(a)
        show(b)
        show(more[0])
        show(key)

    f("text", *np.zeros(3){last})
    """
    first, a, b, more, key = shown(text)
    item = v.join(v.scalar("float64"), {"": v.BOTTOM, ", True": v.number(True)}.get(last, v.scalar("bool")))
    assert (first, key) == (v.one(v.Text("text")), v.number(1))
    assert (a, b, more) == (item, v.join(item, v.NONE), item)


def test_positional_arguments_of_a_list_that_grows():
    text = """
    class C:
        def f(self, a, b=None, c=None):
            show(a)
            show(b)
            show(c)

    items = [1.0, 2]
    items.append("text")
    C().f(*items)
    C().f(c=np.zeros(2), *(1, 2))
    """
    a, b, c = shown(text)
    assert {atom.kind for atom in a} == {"number", "text"}
    assert {atom.kind for atom in b} == {"number", "text", "none"}
    assert {atom.kind for atom in c} == {"number", "text", "none", "array"}


@pytest.mark.parametrize(
    "line",
    ["options[which] = np.zeros(3)", "options.update(elsewhere)", "f(**elsewhere)", "for k, v in elsewhere: options[k] = np.zeros(3)"],
)
def test_keywords_that_are_not_written_out_may_be_any(line):
    text = f"""
    from other import elsewhere, which

    def f(**options):
        {line}
        show(options.get("x", 1))

    f(y=2)
    """
    fact = one(text)
    assert v.known_to_include(fact, "unknown") or v.known_to_include(fact, "array")


def test_a_tuple_of_known_length_is_passed_item_by_item():
    text = "def f(a, b, c=None):\n    show(a)\n    show(b)\n    show(c)\n\npair = (np.zeros(3), 2)\nf(*pair)\n"
    assert shown(text) == [v.array("float64", 1), v.number(2), v.NONE]


def test_parameters_are_what_is_passed():
    assert one("def f(x):\n    show(x)\n\nf(np.zeros(3))\nf(np.arange(3))\n") == v.array({"float64", "int64"}, 1)


def test_each_call_gets_its_own_result():
    first, second = shown("def f(x):\n    return x + 1\n\nshow(f(np.zeros(3)))\nshow(f(np.arange(3)))\n")
    assert (first, second) == (v.array("float64", 1), v.array("int64", 1))


def test_keywords_defaults_and_stars():
    text = "def f(a, b=2.0, *rest, c=None, **more):\n    show(a, b, c)\n\nf(np.zeros(1), c=np.arange(2))\n"
    a, b, c = shown(text)
    assert a == v.array("float64", 1)
    assert v.only(b, "number")
    assert c == v.array("int64", 1)


def test_functions_as_values():
    assert one("def f(x):\n    return x / 2\n\ng = f\nh = lambda x: g(x)\nshow(h(np.arange(3)))\n") == v.array("float64", 1)


def test_objects_of_the_project_given_to_numpy():
    """NumPy asks an object for a method of the function's name, and makes arrays of objects."""
    text = """
    class Dual:
        def exp(self):
            return self

    show(np.exp(Dual()))
    show(np.array([Dual(), Dual()]))
    """
    assert all(v.known_to_include(fact, "unknown") for fact in shown(text))


@pytest.mark.parametrize(
    "text",
    [
        "xs = [i * 0.5 for i in (1, 2, 3)]", "rows = [((1, 2, 3), 4), ((5.0, 6.0, 7.0), 8)]\nfor xs, _ in rows:\n    pass",
        "for xs in ([1, 2, 3], [4.0, 5.0, 6.0]):\n    pass",
    ],
)  # fmt: skip
def test_as_many_arguments_as_stand_behind_a_star_are_passed(text):
    made = f"def f(a, b, c, d=None):\n    show(d)\n\n{text}\nf(*xs)\n"
    assert one(made) == v.NONE


@pytest.mark.parametrize(
    "text",
    [
        "xs = [i for i in (1, 2, 3) if i > 1]",
        "xs = [i for i in (1, 2, 3)]\nxs.append(4)",
        "xs = [1, 2, 3]\nif a:\n    xs = [1, 2]",
    ],
)
def test_more_or_fewer_arguments_than_that(text):
    made = f"def f(a, b, c=None, d=None):\n    show(c)\n\n{text}\nf(*xs)\n"
    assert v.known_to_include(one(made), "none", "number")
    assert v.known_to_include(one(made.replace("show(c)", "show(d)")), "number")


@pytest.mark.parametrize("change", ["del xs[0]", "xs.pop()", "taken(xs)", "ys = xs\nys.remove(2)"])
def test_what_is_taken_out_of_a_list_is_no_argument_behind_a_star(change):
    text = (
        "def taken(a):\n    a.remove(2)\n\ndef f(a, b=None, c='t'):\n    show(c)\n\n"
        f"xs = [1.0, 2, 3]\n{change}\nf(*[x for x in xs])\n"
    )
    assert v.known_to_include(one(text), "text")
