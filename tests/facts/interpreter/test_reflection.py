"""Attributes by computed names."""

from __future__ import annotations

import pytest

from np2torch.facts import values as v
from support.facts import one, shown


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
