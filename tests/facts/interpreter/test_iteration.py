# ruff: noqa: E501 (tables of source texts)
"""Facts of items, one after the other and by place."""

from __future__ import annotations

import textwrap

import pytest

from np2torch.facts import values as v
from support.facts import one, shown


def test_an_object_that_is_its_own_iterator():
    text = "class C:\n    def __iter__(self):\n        return self\n    def __next__(self):\n        return np.zeros(3)\n\nfor x in C():\n    show(x)\n"
    assert one(text) == v.array("float64", 1)


def test_tuples_of_several_lengths():
    text = """
    for shape in [(4,), (5, 4), (2, 5, 4)]:
        x = np.zeros(shape)
        show(x)
        show(np.ones(x.shape[:-1] + (3, 2)))
        show(np.ones(np.broadcast(x[..., 0], 1.0).shape + (1,)))
        show(np.ones(x.shape[n:]))
    """
    ranks = [{1, 2, 3}, {2, 3, 4}, {1, 2, 3}, None]
    assert shown("n = int(input())\n" + textwrap.dedent(text)) == [v.array("float64", one) for one in ranks]


def test_a_list_of_what_may_be_text_beside_numbers_may_be_a_list_of_numbers():
    text = """
        def load(columns):
            found = tuple(list() for _ in columns)
            for one, column in zip(found, columns):
                one.append(column(input()))
            return found[0] if len(columns) == 1 else found

        first, second = load([float, str])
        show(np.array([first, second]))
        """
    assert v.ranks_of(one(text)) == frozenset([1, 2])


def test_a_list_that_grows_is_of_any_length():
    assert v.ranks_of(one("def f(x):\n    s = list(x.shape)\n    s.append(2)\n    show(np.zeros(s))\n\nf(np.zeros(2))\nf(np.eye(2))\n")) is None


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


def test_an_object_is_iterated_as_it_says():
    text = "class A:\n    def __iter__(self):\n        yield np.zeros(3)\n\nfor x in A():\n    show(x)\n"
    assert one(text) == v.array("float64", 1)
