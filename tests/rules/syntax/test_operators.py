"""Operators with the casts of NEP 50."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from support.guards import both, convert, tensors
from support.handlers import agree


def test_arithmetic():
    agree(
        """
        i, f = np.arange(1, 4), np.ones(3)
        a = i / 2
        b = i + f
        c = i**2
        d = -f
        e = i // 2 + i % 2
        h = np.float32(2) * f
        """,
        """
        i, f = torch.arange(1, 4), torch.ones(3, dtype=torch.float64)
        a = i.to(torch.float64) / 2
        b = i + f
        c = i**2
        d = -f
        e = i // 2 + i % 2
        h = torch.tensor(2, dtype=torch.float32) * f
        """,
    )


def test_comparisons():
    agree(
        """
        i, f = np.arange(3), np.ones(3)
        a = i < f
        b = i == 1
        c = (i > 0) & (f > 0)
        d = ~(i > 1)
        """,
        """
        i, f = torch.arange(3), torch.ones(3, dtype=torch.float64)
        a = i < f
        b = i == 1
        c = (i > 0) & (f > 0)
        d = ~(i > 1)
        """,
    )


def test_an_unknown_operand_beside_what_may_be_a_text_too():
    agree(
        """
        import json

        class Box:
            pass

        class Scale:
            def __init__(self, factor):
                self.factor = factor

            def scaled(self, name):
                return getattr(Box, name) * self.factor

        setattr(Box, "data", np.arange(3, dtype=np.int32))
        setattr(Box, "count", 3)
        a, b = Scale(json.loads("0.5")).scaled("data"), Scale("ab").scaled("count")
        """,
        """
        import json

        class Box:
            pass

        class Scale:
            def __init__(self, factor):
                self.factor = factor

            def scaled(self, name):
                return shim.operator.mul(getattr(Box, name), self.factor)

        setattr(Box, "data", torch.arange(3, dtype=torch.int32))
        setattr(Box, "count", 3)
        a, b = Scale(json.loads("0.5")).scaled("data"), Scale("ab").scaled("count")
        """,
    )


def test_dtypes_that_torch_holds_and_does_not_compute_with():
    agree(
        """
        def split(number):
            n = np.uint32(number)
            c, r = divmod(n, 7)
            return c // 3, r % 4, -n, c * r

        def day(number):
            n, s = np.int32(number), np.uint32(82)
            k = np.uint32(719468 + 146097 * s)
            return np.uint32(n + k), n * s, s - n

        found = split(1000), day(3), day(np.array([3, 5])), divmod(7, 2)
        """,
        """
        def split(number):
            n = shim.uint32(number)
            c, r = shim.divmod(n, 7)
            return shim.operator.floordiv(c, 3), shim.operator.mod(r, 4), shim.operator.neg(n), c * r

        def day(number):
            n, s = shim.int32(number), shim.uint32(82)
            k = shim.uint32(shim.operator.add(719468, 146097 * s))
            return (
                shim.uint32(n.to(torch.int64) + k.to(torch.int64)),
                n.to(torch.int64) * s.to(torch.int64),
                s.to(torch.int64) - n.to(torch.int64),
            )

        found = split(1000), day(3), day(torch.tensor([3, 5])), divmod(7, 2)
        """,
        closed=(),
    )


def test_the_order_of_what_may_be_wide_and_unsigned():
    """Where the project names such a dtype, that of an unknown array may be one, which torch does not order."""
    agree(
        """
        def above(held, name):
            x = getattr(held, name)
            return np.max(x), np.any(x > 3), len(name) < 3, x is held

        class Held:
            values = np.array([1, 5], dtype=np.uint32)

        found = above(Held(), "values")
        """,
        """
        def above(held, name):
            x = getattr(held, name)
            return shim.max(x), shim.any(shim.operator.gt(x, 3)), len(name) < 3, x is held

        class Held:
            values = torch.tensor([1, 5], dtype=torch.uint32)

        found = above(Held(), "values")
        """,
        closed=(),
    )


def test_what_may_be_an_array_times_a_list_of_several_numbers():
    """A number repeats it, an array is multiplied by it."""
    agree(
        """
        class Box:
            pass

        def scaled(name):
            x = getattr(Box, name)
            return x * [1, 0.5], (1, 2) * x

        setattr(Box, "a", np.array([3.0, 4.0]))
        setattr(Box, "n", 2)
        r = [scaled("a"), scaled("n")]
        """,
        """
        class Box:
            pass

        def scaled(name):
            x = getattr(Box, name)
            return shim.operator.mul(x, [1, 0.5]), shim.operator.mul((1, 2), x)

        setattr(Box, "a", torch.tensor([3.0, 4.0], dtype=torch.float64))
        setattr(Box, "n", 2)
        r = [scaled("a"), scaled("n")]
        """,
    )


def test_a_list_of_one_item_is_meant_to_be_repeated():
    text = "def f(held, key):\n    n = held.get(key)\n    return [0] * n, n * [1, 2], np.ones(n)\n"
    assert "return [0] * n, shim.operator.mul(n, [1, 2])" in convert(text).after


def test_what_may_be_an_object_of_the_project_or_an_array():
    agree(
        """
        class Step:
            def __init__(self, size):
                self.size = size

            def __mul__(self, other):
                return self.size * 2

            def __gt__(self, other):
                return self.size > 2

        def scaled(one, other):
            return one * other

        def more(one, other):
            return one > other

        wide, narrow = np.array([0.1, 0.7]), np.array([0.1, 0.7], dtype=np.float32)
        pairs = [(Step(1), 1.5), (narrow, wide[0]), (np.arange(2), 0.5), (wide, 1.5)]
        a = [scaled(one, other) for one, other in pairs]
        b = [more(one, other) for one, other in pairs]
        """,
        """
        class Step:
            def __init__(self, size):
                self.size = size

            def __mul__(self, other):
                return self.size * 2

            def __gt__(self, other):
                return self.size > 2

        def scaled(one, other):
            return shim.operator.mul(one, other)

        def more(one, other):
            return shim.operator.gt(one, other)

        wide, narrow = torch.tensor([0.1, 0.7], dtype=torch.float64), torch.tensor([0.1, 0.7], dtype=torch.float32)
        pairs = [(Step(1), 1.5), (narrow, wide[0].clone()), (torch.arange(2), 0.5), (wide, 1.5)]
        a = [scaled(one, other) for one, other in pairs]
        b = [more(one, other) for one, other in pairs]
        """,
    )


RECORD = '''
DT = np.dtype([("n", "i4"), ("width", "f4", (3,))])


class Header:
    def __init__(self, data=None):
        self.data = np.zeros((), DT) if data is None else data

    def store(self, shape):
        data = self.data
        data["n"] = shape[0]
        return bool(data["n"] != shape[0]), bool(data["n"] == shape[0]), bool(shape[0] != data["n"])

    def widths(self):
        width = self.data["width"][1:].copy()
        return bool(np.any(width < 0)), bool(np.all(width == 0)), int(np.sum(width * 2 == width))


def use(shape, data=None):
    held = Header(data)
    return held.store(shape), held.widths()
'''


def test_what_may_stay_on_numpy_is_compared_at_run_time_with_what_may_be_a_tensor():
    """`ndarray != tensor` is True in Python, whatever they hold: neither gives an answer for the other."""
    assert (np.array(5) != torch.tensor(5)) is True
    old, new, text = both(RECORD, "use")
    assert "shim.operator.ne(data[" in text and "np.any(" not in text
    for data in (None, np.zeros((), [("n", "i4"), ("width", "f4", (3,))])):
        for shape in ((3, 4), np.array([3, 4])):
            given = torch.from_numpy(shape) if isinstance(shape, np.ndarray) else shape
            assert old(shape, data) == new(given, data) == ((False, True, False), (False, True, 2))


EQUALS = """LEVELS = np.array([1.0, 2.0])


def equals(found):
    return LEVELS == found["level"], found["level"] != LEVELS
"""


@pytest.mark.parametrize("level", [[1.0, 3.0], (1.0, 2.0), [[1.0], [2.0]], None, "a", 1.0, np.array([2.0, 2.0])])
def test_an_array_equals_what_is_unknown_by_elements(level: Any) -> None:
    old, new, after = both(EQUALS, "equals")
    assert "shim.operator.eq(" in after and "shim.operator.ne(" in after
    expected, given = old({"level": level}), new({"level": tensors(level)})
    assert [one.tolist() for one in given] == [one.tolist() for one in expected]
