# ruff: noqa: E501 (tables of source texts)
"""Facts of calls of builtins and of functions of the standard library."""

from __future__ import annotations

import pytest

from np2torch.facts import values as v
from support.facts import one, shown


def test_the_root_of_a_python_number_stays_one():
    fact = one("def f(n):\n    show(np.sqrt(2 / n))\n\nf(3)\n")
    assert fact == v.scalar("float64", python=True)


@pytest.mark.parametrize(("factory", "missing"), [("lambda: 0", "number"), ("int", "number"), ("list", "sequence"), ("Grid", "instance")])
def test_a_defaultdict_also_holds_what_its_factory_makes(factory, missing):
    text = f"""
        import collections
        class Grid: pass
        found = collections.defaultdict({factory})
        found[3] = np.zeros(3)
        show(found[4])
        """
    fact = one(text)
    assert v.known_to_include(fact, missing) and v.known_to_include(fact, "array") and not v.known_to_include(fact, "unknown")


def test_tuples_added_up_have_any_length():
    fact = one("show(sum([(1, 2), (3, 4)], ()))\n")
    assert [(atom.type, atom.items, v.elements(atom)) for atom in fact] == [("tuple", None, v.SIZE)]


@pytest.mark.parametrize("module", ["builtins", "six.moves"])
def test_builtins_that_are_imported(module):
    assert one(f"from {module} import range\nfor i in range(3):\n    show(i)\n") == v.SIZE


def test_the_copy_of_a_scalar_is_one():
    assert one("show(np.zeros(3).sum().copy())") == v.scalar("float64")
    assert one("show(np.copy(np.zeros(3).sum()))") == v.array("float64", 0)


def test_the_sum_of_what_may_be_empty_may_be_the_zero_it_starts_with():
    fact = one("def f(x):\n    show(sum(x[i] for i in range(len(x))))\n\nf(np.zeros(3))\n")
    assert v.known_to_include(fact, "number")
    assert v.only(one("show(sum([np.float64(1.0), np.float64(2.0)]))\n"), "scalar")


def test_the_type_of_an_object_is_its_class():
    text = """
    class A:
        @staticmethod
        def f(x):
            return x * 2

    show(type(A()).f(np.zeros(3)))
    """
    assert one(text) == v.array("float64", 1)


def test_a_sum_of_perhaps_nothing_may_be_a_float():
    text = "from other import n\nshape = np.zeros((2, 3)).shape\nshow(np.prod(shape[n:]))\nshow(np.prod(shape))\n"
    assert shown(text) == [v.scalar({"int64", "float64"}), v.scalar("int64")]
