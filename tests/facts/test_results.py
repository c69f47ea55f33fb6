# ruff: noqa: E501 (tables of source texts)
"""What functions and methods make: of lists that may hold text, of ufuncs by their methods, Python's lists and numbers."""

from __future__ import annotations

import numpy as np
import pytest

from np2torch.facts import values as v
from support.facts import one, shown


def held(value):
    """The fact of a value of NumPy's."""
    if isinstance(value, np.ndarray):
        return v.array(value.dtype.name, value.ndim)
    return v.scalar(value.dtype.name)


@pytest.mark.parametrize("make", ["np.array", "np.copy", "np.asarray"])
def test_a_list_of_text_beside_an_array_is_an_array_of_text(make):
    fact = one(f"def f(x):\n    show({make}(x))\n\nf(np.zeros(3))\nf(['a', 1.0])\nf(['a', 'b', 'c'])\n")
    assert v.known_to_include(fact, "foreign")
    assert v.known_to_include(fact, "array")


def test_a_list_of_text_made_an_array_of_numbers_is_one():
    fact = one("def f(x):\n    show(np.array(x, dtype=float))\n\nf(np.zeros(3))\nf(['1', '2'])\n")
    assert v.only(fact, "array")


@pytest.mark.parametrize(
    "call",
    [
        "np.add.outer(np.zeros(3), np.arange(2))", "np.add.outer(np.zeros(3, np.float32), 2.0)",
        "np.equal.outer(np.arange(3), np.eye(3))", "np.subtract.outer(1, 2)", "np.add.reduce(np.eye(3))",
        "np.add.reduce(np.arange(3).astype(np.int8))", "np.add.reduce(np.arange(3) > 1)",
        "np.subtract.reduce(np.arange(3).astype(np.int8))", "np.add.reduce(np.eye(3), axis=None)",
        "np.maximum.reduce([np.zeros(3), np.ones(3)])", "np.add.reduce(np.eye(3), axis=(0, 1))",
        "np.add.reduce(np.eye(3), keepdims=True)", "np.logical_and.reduce([[0, 1], [1, 1]])",
        "np.add.accumulate(np.arange(3).astype(np.int8))", "np.multiply.accumulate(np.eye(3), 1)",
        "np.add.reduce(np.eye(3), dtype=np.float32)",
    ],
)  # fmt: skip
def test_methods_of_ufuncs(call):
    assert one(f"show({call})") == held(eval(call))


@pytest.mark.parametrize(
    "call", ["np.exp.outer(np.eye(2))", "np.add.reduce(np.eye(3), out=x)", "np.add.reduceat(x, [0, 1])"]
)
def test_methods_of_ufuncs_of_which_nothing_is_said(call):
    assert v.known_to_include(one(f"x = np.zeros(3)\nshow({call})"), "unknown")


def test_the_element_of_an_array_of_any_dtype_is_a_number():
    assert v.only(one("def f(x):\n    show(np.asarray(x).item())\n"), "number")


def test_the_lists_of_an_array_are_as_deep_as_it_has_dimensions():
    fact = one("show(np.eye(3).tolist())")
    assert v.elements(v.sole(v.elements(v.sole(fact)))) == v.FLOAT
    assert one("show(np.zeros(3).sum().tolist())") == v.FLOAT


def test_what_is_appended_to_the_list_of_an_array_is_in_it():
    text = "class C:\n    def __init__(self):\n        self.x = np.arange(3).tolist()\n    def add(self):\n        self.x.append('end')\n    def get(self):\n        for one in self.x:\n            show(one)\n\nc = C()\nc.add()\nc.get()\n"
    assert v.known_to_include(one(text), "text")


def test_the_copy_of_a_scalar_is_one():
    assert one("show(np.zeros(3).sum().copy())") == v.scalar("float64")
    assert one("show(np.copy(np.zeros(3).sum()))") == v.array("float64", 0)


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


def test_what_is_added_to_an_item_in_place_is_in_the_list():
    text = "def f(a):\n    sums = [0] * 3\n    for i in range(3):\n        sums[i] += a[i]\n    show(sums[0])\n\nf(np.zeros(3))\n"
    assert v.known_to_include(one(text), "scalar")


def test_what_is_added_to_a_value_in_place_is_in_the_dict():
    text = "def f(a):\n    sums = {'x': 0}\n    sums['x'] += a\n    show(sums['x'])\n\nf(np.zeros(3))\n"
    assert v.known_to_include(one(text), "array")


def test_an_attribute_of_an_element_of_a_matrix_may_be_anything():
    assert v.known_to_include(one("class M(np.matrix):\n    pass\n\nshow(M([[1]])[0, 0].nominal_value)"), "unknown")


def test_lists_of_scalars_answer_as_their_items_do():
    assert one("xs = list(np.zeros(3))\nshow(xs < xs)") == v.join(v.BOOL, v.scalar("bool"))
    assert one("xs = list(np.zeros(3))\nshow(xs == xs)") == v.BOOL


def test_the_sum_of_what_may_be_empty_may_be_the_zero_it_starts_with():
    fact = one("def f(x):\n    show(sum(x[i] for i in range(len(x))))\n\nf(np.zeros(3))\n")
    assert v.known_to_include(fact, "number")
    assert v.only(one("show(sum([np.float64(1.0), np.float64(2.0)]))\n"), "scalar")


def test_what_is_assigned_to_a_slice_of_a_list_is_in_it():
    fact = one("parts = [0.0, 0.0]\nparts[1:] = np.zeros(1)\nshow(parts[1])\n")
    assert v.known_to_include(fact, "scalar")
    assert not v.known_to_include(fact, "array", "unknown")


CHECK = """def checked(x, y):
    if not isinstance(x, np.ndarray):
        raise TypeError
    {between}
    x = np.array(x)
    y = np.array(y)
    if isinstance(y, list):
        raise TypeError

def f(x):
    checked(x, x)
    show(x)

f(np.zeros(3) if np.random.rand() < 0.5 else 'text')
"""


def test_what_was_checked_before_a_parameter_is_bound_again_is_known_of_the_argument():
    assert v.only(one(CHECK.format(between="pass")), "array")


@pytest.mark.parametrize("between", ["if y is None:\n        x = np.zeros(2)", "for x in y:\n        pass", "x = y"])
def test_what_is_checked_of_another_value_is_not(between):
    checked_late = CHECK.format(between="pass").replace("    pass\n", "").replace("    if not", f"    {between}\n    if not", 1)
    assert v.known_to_include(one(checked_late), "text")


@pytest.mark.parametrize("change", ["del xs[0]", "xs.pop()", "taken(xs)", "ys = xs\nys.remove(2)"])
def test_what_is_taken_out_of_a_list_is_no_argument_behind_a_star(change):
    text = (
        "def taken(a):\n    a.remove(2)\n\ndef f(a, b=None, c='t'):\n    show(c)\n\n"
        f"xs = [1.0, 2, 3]\n{change}\nf(*[x for x in xs])\n"
    )
    assert v.known_to_include(one(text), "text")


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


def test_a_list_that_grows_is_of_any_length():
    assert v.ranks_of(one("def f(x):\n    s = list(x.shape)\n    s.append(2)\n    show(np.zeros(s))\n\nf(np.zeros(2))\nf(np.eye(2))\n")) is None


@pytest.mark.parametrize("call", ["np.array(range(3))", "np.asarray(range(1, 3)) / 2.0"])
def test_an_array_of_a_range(call):
    assert one(f"show({call})") == held(eval(call))


def test_an_array_of_a_range_that_may_be_empty():
    assert one("def f(n):\n    show(np.array(range(n)))\n\nf(0)\nf(3)\n") == v.array({"int64", "float64"}, 1)


def test_a_tuple_of_places_is_no_array_of_indices():
    fact = one("def f(x):\n    for i in np.ndindex(x.shape):\n        show(x[i])\n\nf(np.zeros(2))\nf(np.eye(2))\n")
    assert v.known_to_include(fact, "scalar")


def test_a_docstring_fills_in_what_is_unknown_of_one_result_and_not_of_the_others():
    text = (
        "def f(x, y):\n    '''F.\\n\\n    Returns\\n    -------\\n    z : array, shape (4, 4)\\n    '''\n"
        "    if y:\n        return np.zeros((2, 2, 2))\n    return x\n\ndef g(x, y):\n    show(f(x, y))\n"
    )
    assert v.ranks_of(one(text)) == {2, 3}


@pytest.mark.parametrize(
    "call",
    [
        "np.block([[np.eye(2), np.ones((2, 1))]])", "np.block([[1, 2], [3, 4]])", "np.block([np.ones(2, np.float32), 1])",
        "np.block([[np.ones((1, 2, 2), int)]])", "np.mgrid[0:3, 0:2]", "np.mgrid[0:3.0, 0:2]", "np.mgrid[0:3:5j]",
        "np.gradient(np.arange(4))", "np.gradient(np.eye(3), axis=0)", "np.gradient(np.ones(3, np.float32), 2.0)",
        "np.ogrid[0:3]", "np.ogrid[0:3, 0:2.0][1]", "np.gradient(np.eye(3), axis=(0, 1))[1]", "np.gradient(np.eye(3))[0]",
        "np.polyfit(np.arange(4), np.arange(4), 1)", "np.polyfit(range(4), np.ones((4, 2), np.float32), 1)",
        "np.polyfit(np.arange(4) * 1j, np.arange(4), 1)",
    ],
)  # fmt: skip
def test_grids_blocks_slopes_and_fits(call):
    assert one(f"show({call})") == held(eval(call))


def test_a_fit_of_anything_has_one_or_two_dimensions():
    assert v.ranks_of(one("def f(x, y):\n    show(np.polyfit(x, y, 1))\n")) == {1, 2}


@pytest.mark.parametrize(
    "line",
    [
        "a, b = map(np.asarray, (x, y))", "a, b = (np.asarray(one) for one in (x, y))",
        "a, b = [np.asarray(one) for one in (x, y)]", "a, b = tuple(np.asarray(one) for one in [x, y])",
        "a, b = list(map(lambda one: np.asarray(one), [x, y]))", "a, b = map(np.multiply, (x, y), (x, 1))",
        "a, b = (lambda a, b: (a, b))(*(np.asarray(one) for one in [x, y]))",
    ],
)  # fmt: skip
def test_a_few_things_gone_through_one_by_one(line):
    text = "def f(x, y):\n    {}\n    show({})\n\nf(np.eye(2), np.arange(3))\n"
    assert one(text.format(line, "a")) == v.array("float64", 2)
    assert one(text.format(line, "b")) == v.array("int64", 1)


def test_what_is_appended_to_a_list_made_of_others_is_in_it():
    text = "xs = [np.asarray(one) for one in (np.eye(2), [1])]\nxs.append(2.5)\nshow({})\n"
    assert v.known_to_include(one(text.format("xs[1]")), "number")
    assert v.known_to_include(one("xs = [i * 2 for i in (1, 2)]\nxs.append('a')\nshow(xs[1])\n"), "text")


def test_what_is_sorted_may_stand_anywhere():
    assert {atom.type for atom in one("xs = sorted((2.5, 1))\nshow(xs[0])")} == {"int", "float"}


@pytest.mark.parametrize("call", ["np.identity(2, dtype=dtype)", "np.zeros((2, 2), dtype)", "np.array([[x, 1], [2, x]], dtype=dtype)"])
def test_a_dtype_that_may_be_none(call):
    text = f"def f(x, dtype=None):\n    show({call})\n\nf(2.0)\nf(3.0)\nf(4.0, 'f4')\nf(5.0, 'f4')\n"
    assert one(text) == v.array({"float32", "float64"}, 2)


def test_any_other_word_is_forgotten():
    text = "def f(x, how):\n    show(how)\n\nf(2.0, 'up')\nf(3.0, 'down')\nf(3.0, 'left')\n"
    assert one(text) == v.TEXT


@pytest.mark.parametrize("operator", ["==", "!="])
def test_what_may_be_none_beside_an_array(operator):
    text = f"def f(x, y):\n    show(x {operator} y)\n\nf(np.eye(2), None)\nf(np.eye(2), 1)\nf(None, 1)\n"
    assert one(text) == v.join(v.BOOL, v.scalar("bool"), v.array("bool", 2))
    assert v.known_to_include(one(text.replace("f(None, 1)", "f(object(), None)").replace("(x, y):", "(x, y, z=None):")), "unknown")


def test_a_call_of_which_less_is_known_does_not_spoil_the_others():
    kinds = [(rank, dtype) for dtype in ("int8", "float32", "float64", "int64") for rank in (1, 2, 3)]
    calls = "".join(f"show(f(np.zeros({(2,) * rank}, np.{dtype})))\n" for rank, dtype in kinds)
    text = f"def f(x):\n    return x * 2\n\ndef g(x):\n    return f(np.asarray(x))\n\n{calls}"
    ranks = [v.ranks_of(fact) for fact in shown(text)]
    assert None not in ranks


def test_a_property_read_by_a_name_nobody_knows_does_what_it_does():
    found = one("""
        class Kept:
            def __init__(self):
                self.a = None
            @property
            def last(self):
                self.a = 3
                return self.a
        def f(names):
            kept = Kept()
            for name in names:
                getattr(kept, name)
            show(kept.a)
    """)
    assert v.kinds(found) == {"none", "number"}


def test_attributes_by_computed_names_may_be_any_and_those_written_out_are_known():
    found = one("""
        class Saver:
            def __init__(self, names, last):
                self.x = np.zeros(3)
                self.__dict__.update(dict(zip(["a", "b"], (1, np.ones((2, 2))))))
                held = {}
                for name in names:
                    held[name] = [1]
                if last:
                    self.__dict__.update(held)
                show(self.b)
        Saver(input().split(), True)
    """)
    assert v.kinds(found) == {"array", "sequence"}
    assert v.ranks_of(v.keep(found, lambda atom: atom.kind == "array")) == {2}


@pytest.mark.parametrize("call", ["np.sum(x)", "np.sin(x)", "np.real(x)"])
def test_what_numpy_makes_of_an_object_is_not_known(call):
    assert one(f"class Own:\n    def sum(self, **options):\n        return self\nx = Own()\nshow({call})\n") == v.TOP


def test_densities_of_vectors_have_fewer_dimensions():
    assert one("from scipy.stats import multivariate_normal\nshow(multivariate_normal.logpdf(np.zeros((3, 2)), np.zeros(2)))") != v.array("float64", 2)


def test_the_real_part_of_a_number_is_one():
    assert v.kinds(one("show(np.real(2.5))")) == {"number"}


def test_an_item_of_an_array_of_unknown_rank_may_be_a_scalar():
    for use in ("a[0]", "[e for e in a][0]"):
        found = one(f"def f(x):\n    a = np.asarray(x)\n    show({use})\n")
        assert v.kinds(found) == {"array", "scalar"}
