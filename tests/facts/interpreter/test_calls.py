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


@pytest.mark.parametrize(
    "line",
    [
        "self.__dict__.update(options)",
        "self.__dict__.update(**options)",
        "self.__dict__.update({'gain': np.ones(2), 'other': 1})",
        "found = dict(a=1)\n            found.update({'gain': np.ones(2)})\n            self.__dict__.update(found)",
        "self.__dict__['gain'] = np.ones(2)",
        "for name, value in options.items():\n                self.__dict__[name] = value",
    ],
)
def test_attributes_by_way_of_the_namespace(line):
    text = f"""
    class Filter:
        def __init__(self, **options):
            self.gain = 0
            {line}
        def apply(self):
            show(self.gain)

    Filter(gain=np.ones(2)).apply()
    """
    assert one(text) >= v.array("float64", 1)


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


# ----------------------------------------------------------------------------------------- attributes by name
def test_attributes_by_names_that_are_written_out():
    text = """
    class A:
        def __init__(self, x):
            self.x = x
            self.y = np.zeros((2, 2))
            for name in ("x",):
                setattr(self, name, np.zeros(3))
            for name in ["x", "y"]:
                self.__setattr__(name, np.array(getattr(self, name)))
            show(self.x)
            show(self.y)

    a = A([1, 2])
    show(a.y)
    show(getattr(a, "z", None))
    """
    x, y, outside, missing = shown(text)
    assert x == v.array("float64", 1)
    assert y == outside == v.array("float64", 2)
    assert v.known_to_include(missing, "none")


def test_an_attribute_set_by_a_name_that_is_computed_may_be_each():
    text = """
    from other import names

    class A:
        def __init__(self):
            self.x = np.zeros(3)
            show(self.x)
            for name in names:
                setattr(self, name, np.zeros((2, 2)))
            show(self.x)

    show(A().x)
    """
    first, second, third = shown(text)
    assert first == v.array("float64", 1)
    assert second == third == v.array("float64", {1, 2})


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


def test_an_attribute_of_a_function_is_none_of_an_object():
    assert one("def f():\n    return np.zeros(3)\n\nf.version = 1\nshow(f())\n") == v.array("float64", 1)


# ---------------------------------------------------------------------------------------- tests and their cases
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


# ------------------------------------------------------------------------------------------------- named tuples
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


def test_a_field_nobody_sets_is_what_its_annotation_says():
    text = "from dataclasses import dataclass\n\n@dataclass\nclass A:\n    x: np.ndarray\n\ndef f(a: A):\n    show(a.x)\n"
    assert one(text) == v.ARRAY


def test_an_object_is_iterated_as_it_says():
    text = "class A:\n    def __iter__(self):\n        yield np.zeros(3)\n\nfor x in A():\n    show(x)\n"
    assert one(text) == v.array("float64", 1)


# -------------------------------------------------------------------------------------------------------- draws
@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("np.random.choice([0.5, 1.5], size=3)", v.array("float64", 1)),
        ("np.random.choice([0.5, 1.5])", v.scalar("float64")),
        ("np.random.choice(5, (2, 2))", v.array("int64", 2)),
        ("np.random.choice(5)", v.INT),
        ("np.random.default_rng(0).choice(np.zeros((3, 2)), 4)", v.array("float64", 2)),
        ("np.random.choice(['a', 'b'], 2)", v.TOP),
        ("np.random.permutation([1, 2])", v.array("int64", 1)),
        ("np.random.uniform(np.zeros(3), 1)", v.array("float64", 1)),
        ("np.random.uniform(0, 1)", v.FLOAT),
        ("np.random.multivariate_normal(np.zeros(2), np.eye(2))", v.array("float64", 1)),
        ("np.random.multivariate_normal(np.zeros(2), np.eye(2), size=5)", v.array("float64", 2)),
        ("np.random.multinomial(3, [0.5, 0.5])", v.array("int64", 1)),
        ("np.zeros((2, 3) if np.random.rand() > 0.5 else 2)", v.array("float64", {1, 2})),
        ("np.zeros((5, 2))[random.sample(range(5), 2)]", v.array("float64", 2)),
        ("random.choice([np.zeros(2)])", v.array("float64", 1)),
        ("random.uniform(0, 1)", v.FLOAT),
    ],
)
def test_a_draw(expression, expected):
    assert one(f"import random\nshow({expression})\n") == expected


# ------------------------------------------------------------------------------------------- lists with None in them
def test_a_list_of_what_may_be_none_makes_an_array_or_objects():
    text = "def f(x):\n    return None if x > 2 else np.zeros(3)\n\nshow(np.array([f(x) for x in (1, 2, 3)]))\n"
    assert one(text) == v.join(v.OBJECTS, v.array("float64", 2))


def test_a_list_with_none_in_it_makes_objects():
    assert one("show(np.array([None, 1.0]))") == v.OBJECTS


def test_numbers_beside_what_stays_on_numpy_are_not_all_there_is():
    assert one("words = np.array(['a', 'b'])\nshow(np.array([*words, -1]))\n") == v.FOREIGN


# ------------------------------------------------------------------------------------------------ found by packages
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


def test_the_type_of_an_object_is_its_class():
    text = """
    class A:
        @staticmethod
        def f(x):
            return x * 2

    show(type(A()).f(np.zeros(3)))
    """
    assert one(text) == v.array("float64", 1)


def test_a_comparison_of_what_may_be_numbers():
    text = "from other import n\nx = 1 if n else np.zeros(3)\nshow(x == 2)\nshow(x == np.ones(3))\nshow(x < x)\n"
    one_side, array, both = shown(text)
    assert one_side == both == v.join(v.BOOL, v.array("bool", 1))
    assert array == v.array("bool", 1)


def test_a_sum_of_perhaps_nothing_may_be_a_float():
    text = "from other import n\nshape = np.zeros((2, 3)).shape\nshow(np.prod(shape[n:]))\nshow(np.prod(shape))\n"
    assert shown(text) == [v.scalar({"int64", "float64"}), v.scalar("int64")]


def test_sparse_matrices_are_no_arrays():
    text = "from scipy import sparse\nshow(sparse.block_diag([np.eye(2), np.eye(3)]))\n"
    assert not v.known_to_include(one(text), "array")
