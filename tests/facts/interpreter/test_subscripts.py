"""Facts of subscripts: ranks after indexing, and items of containers."""

from __future__ import annotations

from np2torch.facts import values as v
from support.facts import one, shown


def test_parts_of_a_flat_array_and_of_a_named_tuple():
    text = """
    from typing import NamedTuple

    class Found(NamedTuple):
        x: int
        y: int

    a = np.zeros((2, 3))
    show(a.flat[np.array([0, 1])])
    show(a.flat[2:])
    show(a.flat[0])
    show(Found(1, 2)[:1])
    """
    several, sliced, element, part = shown(text)
    assert v.known_to_include(several, "array") and sliced == v.array("float64", 1)
    assert v.only(element, "scalar") and v.only(part, "sequence")


def test_the_element_of_an_array_of_any_dtype_is_a_number():
    assert v.only(one("def f(x):\n    show(np.asarray(x).item())\n"), "number")


def test_a_tuple_of_places_is_no_array_of_indices():
    fact = one("def f(x):\n    for i in np.ndindex(x.shape):\n        show(x[i])\n\nf(np.zeros(2))\nf(np.eye(2))\n")
    assert v.known_to_include(fact, "scalar")


def test_an_item_of_an_array_of_unknown_rank_may_be_a_scalar():
    for use in ("a[0]", "[e for e in a][0]"):
        found = one(f"def f(x):\n    a = np.asarray(x)\n    show({use})\n")
        assert v.kinds(found) == {"array", "scalar"}


def test_a_named_tuple_is_unpacked_and_indexed():
    text = """
    from typing import NamedTuple

    class Pair(NamedTuple):
        a: np.ndarray
        b: int

    def f():
        return Pair(np.zeros(3), b=2)

    a, b = f()
    show(a)
    show(b)
    show(f()[1])
    show(f().a)
    """
    assert [v.widen(fact) for fact in shown(text)] == [v.array("float64", 1), v.SIZE, v.SIZE, v.array("float64", 1)]


def test_what_is_put_in_a_row_has_a_dtype_where_its_rank_is_unknown():
    found = one("def f(x, y):\n    show(np.r_[False, np.equal(x, y), False])\n")
    assert found == v.one(v.Array(frozenset(["bool"]), None))
