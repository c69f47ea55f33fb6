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


OF_MANY = "import os\nx = np.zeros(3) if os.sep else np.zeros(3, int) if os.name else np.zeros(3, bool)\n"


@pytest.mark.parametrize(
    ("test", "inside", "after"),
    [
        ("x.dtype == float", {"float64"}, {"int64", "bool"}),
        ("np.dtype('float64') == x.dtype", {"float64"}, {"int64", "bool"}),
        ("x.dtype != np.int64", {"float64", "bool"}, {"int64"}),
        ("x.dtype in (int, float)", {"float64", "int64"}, {"bool"}),
        ("x.dtype not in [int, bool]", {"float64"}, {"int64", "bool"}),
        ("x.dtype.kind == 'f'", {"float64"}, {"int64", "bool"}),
        ("x.dtype.kind in 'iu'", {"int64"}, {"float64", "bool"}),
        ("x.dtype.kind not in ('i', 'b')", {"float64"}, {"int64", "bool"}),
        ("x.dtype.name == 'bool'", {"bool"}, {"float64", "int64"}),
        ("x.dtype.name in ('bool', 'int64')", {"bool", "int64"}, {"float64"}),
        ("np.issubdtype(x.dtype, np.integer)", {"int64"}, {"float64", "bool"}),
        ("np.issubdtype(x.dtype, np.number)", {"int64", "float64"}, {"bool"}),
        ("np.issubdtype(x.dtype, float)", {"float64"}, {"int64", "bool"}),
        ("np.iscomplexobj(x)", {"float64", "int64", "bool"}, {"float64", "int64", "bool"}),
        ("x.dtype == int or x.dtype == bool", {"int64", "bool"}, {"float64"}),
        ("not (x.dtype == int or x.dtype == bool)", {"float64"}, {"int64", "bool"}),
        ("x.dtype == int and x.sum()", {"int64"}, {"float64", "int64", "bool"}),
        ("x.dtype == os.name", {"float64", "int64", "bool"}, {"float64", "int64", "bool"}),
        ("x.dtype == (int if os.sep else float)", {"float64", "int64"}, {"float64", "int64", "bool"}),
        ("x.dtype.kind == os.name", {"float64", "int64", "bool"}, {"float64", "int64", "bool"}),
        ("x.dtype == 'U5'", {"float64", "int64", "bool"}, {"float64", "int64", "bool"}),
    ],
)
def test_a_test_of_the_dtype(test, inside, after):
    first, second = shown(f"{OF_MANY}if {test}:\n    show(x)\nelse:\n    show(x)\n")
    assert (first, second) == (v.array(inside, 1), v.array(after, 1))


def test_an_array_of_any_dtype_has_the_one_that_is_asked_for():
    text = "def f(x):\n    x = np.asarray(x)\n    if x.dtype == np.float64:\n        show(x)\n    if x.dtype.kind == 'c':\n        show(x)\n"
    first, second = shown(text)
    assert v.dtypes_of(first) == {"float64"}
    assert v.dtypes_of(second) is None  # none that was thought of


def test_an_array_of_any_dtype_but_one_is_of_any():
    assert v.dtypes_of(one("def f(x):\n    x = np.asarray(x)\n    if x.dtype != bool:\n        show(x)\n")) is None


CHECKED = """
import os
def check(x):
    copy = {made}
    {spoils}
    if not (copy.dtype == int or copy.dtype == float):
        raise TypeError
    return copy

x = (np.zeros(2) if os.sep else np.zeros(2, bool) if os.a else [1.0, 2.0] if os.b else ["a", "b"] if os.c else "word"
     if os.d else [True, False] if os.e else [1, None] if os.f else 3 if os.g else None if os.h else np.array(["u"]))
y = check(x)
show(x)
"""


def checked(made: str = "np.array(x)", spoils: str = "pass") -> v.Fact:
    return one(CHECKED.format(made=made, spoils=spoils))


@pytest.mark.parametrize("made", ["np.array(x)", "np.asarray(x)", "np.copy(x)"])
def test_a_test_of_the_dtype_tells_of_what_the_array_was_made_of(made):
    left = checked(made)
    assert v.kinds(left) == {"array", "sequence", "number"}
    assert v.dtypes_of(v.keep(left, lambda atom: atom.kind == "array")) == {"float64"}
    (sequence,) = v.keep(left, lambda atom: atom.kind == "sequence")
    assert v.kinds(v.elements(sequence)) == {"number"}


@pytest.mark.parametrize(
    ("made", "spoils"),
    [
        ("np.array(x, dtype=float)", "pass"),
        ("np.zeros(3)", "pass"),
        ("np.array(x)", "copy = np.zeros(3)"),
        ("np.array(x)", "x = np.zeros(3)"),
        ("np.array(x)", "x.append('word')"),
        ("np.array(x)", "x[0] = 'word'"),
        ("len(x)", "pass"),
    ],
)
def test_but_not_where_the_two_have_parted(made, spoils):
    assert v.known_to_include(checked(made, spoils), "text", "none")


def test_a_list_of_numbers_or_text_holds_numbers_after_the_test():
    text = """
    import os
    def check(x):
        if np.asarray(x).dtype.kind not in "iuf":
            raise TypeError

    x = [1.0 if os.sep else "word" for _ in range(os.n)]
    check(x)
    show(x)
    """
    (sequence,) = one(text)
    assert v.kinds(v.elements(sequence)) == {"number"}


def test_what_stays_on_numpy_may_have_any_dtype():
    text = "import os\nx = np.matrix([[1.0]]) if os.sep else np.zeros((2, 2))\nif x.dtype == float:\n    show(x)\n"
    assert v.kinds(one(text)) == {"foreign", "array"}


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
