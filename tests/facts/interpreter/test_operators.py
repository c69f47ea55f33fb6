# ruff: noqa: E501 (tables of source texts)
"""Facts of operators on numbers, containers, arrays and objects."""

from __future__ import annotations

import pytest

from np2torch.facts import values as v
from support.facts import one, shown


def test_a_path_joined_with_text_is_no_text():
    text = "from pathlib import Path\nshow(Path('a') / 'b')\nshow('a' + 'b')\nshow('%d' % 1)\nshow(2 * 'ab')"
    path, *texts = shown(text)
    assert v.only(path, "opaque")
    assert texts == [v.TEXT, v.TEXT, v.TEXT]


def test_an_operator_in_place_is_the_method_of_its_own():
    text = """
    class C:
        def __add__(self, other):
            return 1.0
        def __iadd__(self, other):
            show(other)
            return np.zeros(3)

    c = C()
    c += [1]
    show(c)
    """
    other, made = shown(text)
    assert v.known_to_include(other, "sequence") and made == v.array("float64", 1)


def test_a_list_repeated_so_often_as_a_scalar_says_has_any_length():
    fact = one("x = np.arange(3)\nshow(['a'] * (x[2] - x[0]))\n")
    assert [(atom.items, v.kinds(v.elements(atom))) for atom in fact] == [(None, {"text"})]


def test_an_array_beside_an_object_of_the_project_is_what_the_object_says_or_one_of_objects():
    hidden, array = shown("""
        class Hidden: pass
        class Holder:
            def __array__(self): return np.zeros(3)
        setattr(Hidden, "__radd__", lambda self, other: "text")
        x = np.zeros(3)
        show(x + Hidden(), x * Holder())
        """)
    assert hidden == v.TOP
    assert v.only(array, "array")


def test_what_may_be_a_number_beside_the_unknown_may_make_no_array():
    text = "import some\nx = 0 if some.f() else np.zeros(3)\nt = some.g()\nshow(t * x, x + t, t * np.zeros(3))"
    product, total, array = shown(text)
    assert v.known_to_include(product, "unknown", "opaque") and v.known_to_include(total, "unknown", "opaque")
    assert v.only(array, "array")


def test_a_comparison_with_what_stays_on_numpy_stays_there():
    text = """
    class Kept(np.ndarray):
        __array_priority__ = 3
    def f(x):
        q = np.asarray(x).view(Kept)
        show(q < np.zeros(3), 1.0 >= q)
    f([1.0])
    """
    assert all(v.only(fact, "foreign") for fact in shown(text))


def test_lists_of_scalars_answer_as_their_items_do():
    assert one("xs = list(np.zeros(3))\nshow(xs < xs)") == v.join(v.BOOL, v.scalar("bool"))
    assert one("xs = list(np.zeros(3))\nshow(xs == xs)") == v.BOOL


@pytest.mark.parametrize("operator", ["==", "!="])
def test_what_may_be_none_beside_an_array(operator):
    text = f"def f(x, y):\n    show(x {operator} y)\n\nf(np.eye(2), None)\nf(np.eye(2), 1)\nf(None, 1)\n"
    assert one(text) == v.join(v.BOOL, v.scalar("bool"), v.array("bool", 2))
    assert v.known_to_include(one(text.replace("f(None, 1)", "f(object(), None)").replace("(x, y):", "(x, y, z=None):")), "unknown")


def test_numbers_beside_what_stays_on_numpy_are_not_all_there_is():
    assert one("words = np.array(['a', 'b'])\nshow(np.array([*words, -1]))\n") == v.FOREIGN


def test_a_comparison_of_what_may_be_numbers():
    text = "from other import n\nx = 1 if n else np.zeros(3)\nshow(x == 2)\nshow(x == np.ones(3))\nshow(x < x)\n"
    one_side, array, both = shown(text)
    assert one_side == both == v.join(v.BOOL, v.array("bool", 1))
    assert array == v.array("bool", 1)


@pytest.mark.parametrize("power", ["6378137.0**2", "2**100", "0.5**1000", "(-521.0)**3", "1e200**2", "7.0**-80"])
def test_a_power_of_constants_is_a_number(power: str):
    assert one(f"show({power})") and v.only(one(f"show({power})"), "number")
