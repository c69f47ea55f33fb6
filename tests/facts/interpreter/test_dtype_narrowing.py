# ruff: noqa: E501 (tables of source texts)
"""What tests of dtypes say of arrays, and of what these were made of."""

from __future__ import annotations

import pytest

from np2torch.facts import values as v
from support.facts import one, shown

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
