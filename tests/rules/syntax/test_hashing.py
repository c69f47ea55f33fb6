"""Keys and members by value."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from support.guards import both
from support.handlers import agree


def test_keys():
    agree(
        """
        x = np.array([1, 2, 2])
        counts = {}
        for one in x:
            counts[one] = counts.get(one, 0) + 1
        kinds = {one for one in x}
        names = {x[0]: 'a'}
        """,
        """
        x = torch.tensor([1, 2, 2])
        counts = {}
        for one in x:
            counts[one.item()] = counts.get(one.item(), 0) + 1
        kinds = {one.item() for one in x}
        names = {x[0].item(): 'a'}
        """,
    )


def test_functions_that_remember():
    agree(
        """
        import functools


        @functools.lru_cache
        def double(x):
            return 2 * x


        x = np.array([1.0, 1.0])
        y = [double(one) for one in x]
        hits = double.cache_info().hits
        """,
        """
        import functools


        @shim.by_value(functools.lru_cache)
        def double(x):
            return 2 * x


        x = torch.tensor([1.0, 1.0], dtype=torch.float64)
        y = [double(one) for one in x]
        hits = double.cache_info().hits
        """,
    )


def test_what_people_say_is_an_array_may_be_a_list():
    kept = "    kept = tuple(set(labels))\n    return len(kept), [x[labels == a] for a in kept]\n"
    text = f"def classes(x, labels):\n{kept}"
    old, new, after = both(text, "classes")
    assert "shim.keys(labels)" in after
    x = np.arange(6.0).reshape(3, 2)
    assert new(torch.from_numpy(x), [1, 2, 1])[0] == old(x, [1, 2, 1])[0] == 2
    assert new(torch.from_numpy(x), torch.tensor([1, 2, 1]))[0] == old(x, np.array([1, 2, 1]))[0] == 2


DESCRIBED = """class Positive:
    def __init__(self, kept):
        self.data, self.kept = {}, kept

    def __set__(self, instance, value):
        self.kept[instance] = self.data[instance] = np.uint8(2) * np.abs(value)

    def __get__(self, instance, owner):
        return self.data[instance], self.kept[instance]

    def __delete__(self, instance):
        del self.data[instance]


def described(x):
    class Thing:
        size = Positive({})

    thing = Thing()
    thing.size = x
    found = thing.size
    del thing.size
    return found
"""


def test_the_object_of_a_descriptor_is_no_array():
    old, new, after = both(DESCRIBED, "described")
    assert "shim.key" not in after and "shim.index" not in after, after
    x = np.array([-1.0, 2.0])
    assert [one.tolist() for one in new(torch.from_numpy(x))] == [one.tolist() for one in old(x)]


def test_the_name_of_an_attribute_is_text():
    text = """
class Fields(dict):
    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"no {name}") from None

    def __setattr__(self, key, value):
        self[key] = value

    def __format__(self, spec):
        return spec + format(self.total, spec)


def __getattr__(name):
    return {"size": 3}[name]


def use(x):
    fields = Fields()
    fields.total = np.sin(x).sum()
    return fields.total, f"{fields:.3f}", hasattr(fields, "other"), __getattr__("size")
"""
    old, new, after = both(text, "use")
    assert "shim.key(" not in after and "printable(name)" not in after
    x = np.array([0.5, 1.5])
    (total, *rest), (expected, *others) = new(torch.from_numpy(x)), old(x)
    assert rest == others and total.item() == pytest.approx(expected, rel=1e-12)


def test_what_is_compared_with_texts_is_text():
    text = """
class Named:
    def __init__(self, name):
        self.name = name

    def __eq__(self, other):
        return self.name == other

    def __hash__(self):
        return hash(self.name)

    def __str__(self):
        return "named " + self.name


def use(n, kind):
    if kind == "box":
        window = np.ones(n)
    elif kind in ("ramp", "saw"):
        window = np.arange(n) / n
    else:
        raise ValueError(f"no {kind}")
    made = {kind: window}
    return made[kind], made["box" if kind == "box" else kind], "made of %s" % kind
"""
    old, new, after = both(text, "use")
    assert "shim.key(" not in after and "printable(" not in after
    for kind in ("box", "saw"):
        (found, same, said), (expected, _, says) = new(3, kind), old(3, kind)
        assert found is same and said == says and found.tolist() == pytest.approx(expected.tolist(), rel=1e-12)
    for side in (old, new):
        named = side.__globals__["Named"]("box")
        assert side(2, named)[2] == "made of named box"
