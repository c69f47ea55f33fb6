# ruff: noqa: E501 (tables of source texts)
"""What conditions say of the names they test: None, kinds, ranks."""

from __future__ import annotations

import numpy as np
import pytest

from np2torch.facts import values as v
from support.facts import one, shown

MATRIX_OR_VECTOR = "import os\nx = np.zeros((2, 2)) if os.sep else np.zeros(2)\n"


@pytest.mark.parametrize(
    ("test", "inside", "after"),
    [
        ("x.ndim == 1", {1}, {2}),
        ("x.ndim != 1", {2}, {1}),
        ("1 == x.ndim", {1}, {2}),
        ("x.ndim < 2", {1}, {2}),
        ("2 > x.ndim", {1}, {2}),
        ("x.ndim >= 2", {2}, {1}),
        ("x.ndim in (1, 3)", {1}, {2}),
        ("x.ndim not in [1]", {2}, {1}),
        ("len(x.shape) == 2", {2}, {1}),
        ("x.shape == (3,)", {1}, {1, 2}),
        ("x.shape != (3, 3)", {1, 2}, {2}),
        ("x.shape == np.zeros((2, 2)).shape", {2}, {1, 2}),
        ("x.ndim == 1 and x.shape[0] > 2", {1}, {1, 2}),
        ("x.ndim == 1 or x.shape[1] > 2", {1, 2}, {2}),
        ("not x.ndim == 1", {2}, {1}),
        ("x.shape[0] == 1", {1, 2}, {1, 2}),
    ],
)
def test_a_test_of_the_rank(test, inside, after):
    first, second = shown(f"{MATRIX_OR_VECTOR}if {test}:\n    show(x)\nelse:\n    show(x)\n")
    assert (first, second) == (v.array("float64", inside), v.array("float64", after))


def test_a_guard_tells_the_rank_of_an_array_of_any():
    text = "def f(x):\n    x = np.asarray(x, dtype=float)\n    if x.shape != (3,):\n        raise ValueError\n    show(x)\n    return x\n"
    assert one(text) == v.array("float64", 1)


def test_a_guard_on_an_attribute_holds_until_it_is_set_again():
    text = """
    class A:
        def __init__(self, x):
            self.x = np.asarray(x, dtype=float)
            if self.x.ndim != 2:
                raise ValueError
            show(self.x)
            self.reset()
            show(self.x)

        def reset(self):
            self.x = np.zeros((1, 2, 3))

    A(open("x"))
    """
    first, second = shown(text)
    assert first == v.array("float64", 2)
    assert v.ranks_of(second) is None


def test_what_was_none_is_not_after_another_object_took_the_name():
    text = """
    class A:
        def __init__(self, x):
            self.x = x

    def f(a, b):
        if a.x is None:
            a = b
            show(a.x)

    f(A(None), A(np.zeros(3)))
    """
    assert v.known_to_include(one(text), "array")


def test_whose_shape_was_read_is_no_list():
    first, second = shown("import os\nx = np.zeros(3) if os.sep else [1.0]\nshow(x)\nn = x.shape[0]\nshow(x)\n")
    assert v.kinds(first) == {"array", "sequence"}
    assert second == v.array("float64", 1)


def test_an_index_into_a_shape_tells_the_least_rank():
    assert one(f"{MATRIX_OR_VECTOR}n = x.shape[1]\nshow(x)\n") == v.array("float64", 2)
    assert one(f"{MATRIX_OR_VECTOR}n = x.shape[-1]\nshow(x)\n") == v.array("float64", {1, 2})


def test_where_the_reading_may_fail_nothing_is_ruled_out():
    text = (
        "import os\nx = np.zeros(3) if os.sep else [1.0]\ntry:\n    n = x.shape\nexcept AttributeError:\n    show(x)\n"
    )
    assert v.kinds(one(text)) == {"array", "sequence"}


@pytest.mark.parametrize(
    ("types", "inside", "after"),
    [
        ("np.ndarray", {"array"}, {"number", "sequence", "none", "scalar"}),
        ("(list, np.ndarray)", {"array"}, {"number", "sequence", "none", "scalar"}),
        ("(list, tuple, np.ndarray)", {"array", "sequence"}, {"number", "none", "scalar"}),
        ("(int, float)", {"number", "scalar"}, {"array", "sequence", "none"}),
        ("int", {"number"}, {"array", "sequence", "none", "scalar"}),
        (
            "Unheard",
            {"array", "number", "sequence", "none", "scalar"},
            {"array", "number", "sequence", "none", "scalar"},
        ),
    ],
)
def test_a_test_of_the_type(types, inside, after):
    text = f"""
    from elsewhere import Unheard, n
    x = np.zeros(3) if n == 1 else 3 if n == 2 else (1, 2) if n == 3 else None if n else np.float64(2)
    if isinstance(x, {types}):
        show(x)
    else:
        show(x)
    """
    first, second = shown(text)
    assert (v.kinds(first), v.kinds(second)) == (inside, after)


def test_an_array_of_text_is_no_number():
    text = "import os\nx = np.array(['a']) if os.sep else 3.0\nif isinstance(x, (int, float)):\n    show(x)\nelse:\n    show(x)\n"
    first, second = shown(text)
    assert (v.kinds(first), v.kinds(second)) == ({"number"}, {"foreign"})


@pytest.mark.parametrize("element", ["x[0]", "x.item()", "x.tolist()[0]", "x.flat[0]", "x.T.item()", "next(iter(x))"])
def test_but_an_element_of_one_may_be_text_or_a_number(element):
    text = f"import os\nx = np.array(['a'] if os.sep else [None, 1])\ny = {element}\nif isinstance(y, (str, int)):\n    show(y)\n"
    assert v.known_to_include(one(text), "foreign", "unknown", "text")


@pytest.mark.parametrize(
    ("types", "expected"),
    [
        ("np.ndarray", v.ARRAY),
        ("float", v.join(v.FLOAT, v.scalar("float64"))),
        ("int", v.join(v.INT, v.BOOL)),
        ("(np.ndarray, str)", v.join(v.ARRAY, v.TEXT)),
        ("(np.ndarray, Unheard)", v.TOP),
    ],
)
def test_what_may_be_anything_is_what_the_test_asks_for(types, expected):
    assert one(f"def f(x):\n    if isinstance(x, {types}):\n        show(x)\n") == expected


def test_a_branch_that_no_type_enters_gives_nothing():
    text = "def f(x):\n    if isinstance(x, str):\n        return x\n    return np.zeros(3)\n\nshow(f(np.zeros(2)))\n"
    assert one(text) == v.array("float64", 1)


def test_what_a_branch_tells_is_joined_after_it():
    text = f"{MATRIX_OR_VECTOR}if x.ndim == 1:\n    x = x[None]\nshow(x)\n"
    assert one(text) == v.array("float64", 2)


@pytest.mark.parametrize("read", ["getattr(self, name)", "self.__getattribute__(name)"])
def test_a_test_of_an_attribute_read_by_its_name(read):
    text = f"""
    import os
    def check(x):
        if not isinstance(x, (list, np.ndarray)):
            raise TypeError

    class A:
        def __init__(self, a, b):
            self.a, self.b = a, b
            for name in ("a", "b"):
                if {read} is not None:
                    check({read})
            show(self.a)
            show(self.b)

    A([1.0] if os.sep else "word", None if os.name else 3 if os.x else np.zeros(3))
    """
    first, second = shown(text)
    assert v.kinds(first) == {"sequence"}
    assert v.kinds(second) == {"none", "array"}


def test_either_of_two_tests():
    text = f"{MATRIX_OR_VECTOR}y = 3 if os.sep else 'word' if os.name else None\nif y is None or isinstance(y, int):\n    show(y)\nelse:\n    show(y)\n"
    first, second = shown(text)
    assert (v.kinds(first), v.kinds(second)) == ({"none", "number"}, {"text"})


def test_either_of_two_tests_of_two_names_tells_nothing_of_one():
    text = f"{MATRIX_OR_VECTOR}y = 3 if os.sep else None\nif y is None or x.ndim == 1:\n    show(x)\n    show(y)\n"
    first, second = shown(text)
    assert v.ranks_of(first) == {1, 2}
    assert v.kinds(second) == {"none", "number"}


def test_what_was_unpacked_was_no_scalar():
    text = (
        "import os\nx = np.zeros(2) if os.sep else np.float64(1) if os.name else np.array(1.0)\na, b = x / 2\nshow(a)\n"
    )
    assert one(text) == v.scalar("float64")


def test_what_was_gone_through_was_no_number():
    text = "import os\nx = [np.zeros(2)] if os.sep else 3 if os.name else None\nfor a in x:\n    show(a)\n"
    assert one(text) == v.array("float64", 1)


def test_none_is_ruled_out_by_a_test():
    first, second = shown("def f(x=None):\n    show(x)\n    if x is None:\n        x = np.zeros(3)\n    show(x)\n\nf()\n")
    assert v.known_to_include(first, "none")
    assert second == v.array("float64", 1)


def test_what_a_test_says_of_an_item_of_a_tuple_ends_where_the_tuple_is_another_one():
    first, later = shown("""
        def f(*args):
            if not isinstance(args[0], str):
                return
            show(args[0])
            while input():
                show(args[0])
                args = tuple(load())
        def load():
            return eval(input())
        """)
    assert first == v.TEXT
    assert v.known_to_include(later, "unknown")


@pytest.mark.parametrize(
    ("lines", "ranks"),
    [
        ("x[x[..., 0] > 0]", {2}), ("x[:, np.ones(x.shape[1:], bool)]", {2}), ("x[x > 0]", {1}),
        ("np.zeros(list(x.shape) + [3])", {3, 4}), ("np.zeros(sorted(x.shape)[1:])", {1, 2}),
        ("x[..., None].reshape(*x.shape)", {2, 3}), ("x.reshape(*(x.shape + (1,)))", {3, 4}),
        ("np.random.rand(*x.shape)", {2, 3}), ("x[tuple([0] * (x.ndim - 1))]", {1}),
    ],
)  # fmt: skip
def test_ranks_of_an_array_of_two_or_three_dimensions(lines, ranks):
    made = [eval(lines, {"np": np, "x": np.zeros((2,) * rank)}).ndim for rank in (2, 3)]
    fact = one(f"def f(x):\n    show({lines})\n\nf(np.zeros((2, 2)))\nf(np.zeros((2, 2, 2)))\n")
    said = v.ranks_of(fact)
    assert set(made) == ranks
    assert said is not None and ranks <= said


@pytest.mark.parametrize(
    ("test", "is_text"),
    [
        ("x == 'a'", True), ("x in ('a', 'b')", True), ("not x not in {'a'}", True), ("x == 'a' or x == 'b'", True),
        ("x != 'a'", False), ("x in ('a', 1)", False), ("x == 1", False), ("x in names", False), ("'a' in x", False),
    ],
)  # fmt: skip
def test_what_equals_a_text_is_one(test, is_text):
    (inside,) = shown(f"names = ['a']\n\ndef f(x):\n    if {test}:\n        show(x)\n")
    assert v.known_to_include(inside, "unknown") is not is_text
    assert v.known_to_include(inside, "text") is is_text
