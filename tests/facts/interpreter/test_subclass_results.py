"""What comes out of operations on classes that derive from ndarray."""

from __future__ import annotations

import pytest

from np2torch.facts import values as v
from support.facts import one, shown


def test_a_sign_of_what_may_be_a_plain_array_or_one_of_a_subclass_is_either():
    fact = one("""
        class Sub(np.ndarray): pass
        def pick(flag):
            return np.zeros(3) if flag else np.zeros(3).view(Sub)
        show(-pick(input()))
        """)
    assert v.kinds(fact) == {"array", "instance"}


def test_a_view_as_what_nobody_knows_may_be_of_a_class_of_the_project():
    text = "{}\ndef see(kind):\n    show(np.zeros(3).view(kind))\n"
    assert one(text.format("")) == v.array(None, 1)
    assert v.known_to_include(one(text.format("class Sub(np.ndarray): pass")), "unknown")


CLASS = """
class Vector(np.ndarray):
    __array_priority__ = 0.0

    def __new__(cls, values):
        values = np.array(values, dtype=float)
        made = super().__new__(cls, values.shape, float, values)
        made.plain = values
        return made

    @property
    def double(self):
        return self.plain * 2

    def matrix(self):
        return np.outer(self.plain, self.plain)

    def rows(self):
        return (row for row in self.matrix())

    def moved(self):
        return Vector(self.plain + 1)

    def sent(self):
        return seen(self, self.plain)


def seen(q, x):
    show(q)
    show(x)


q = Vector(np.zeros(3))
"""


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("q.double", v.array("float64", 1)),
        ("q.plain", v.array("float64", 1)),
        ("q.matrix()", v.array("float64", 2)),
        ("q.moved().matrix()", v.array("float64", 2)),
        ("Vector.matrix(q)", v.array("float64", 2)),
        ("np.copy(q)", v.ARRAY),
        ("np.copy(q[0])", v.ARRAY),
        ("np.array(q * 2 + np.ones(3))", v.ARRAY),
        ("np.array(q, dtype=np.float32)", v.array("float32")),
        ("q.shape", v.one(v.Sequence("tuple", None, v.SIZE))),
    ],
)
def test_what_comes_out_of_a_subclass_of_ndarray(expression, expected):
    assert shown(f"{CLASS}show({expression})\n")[-1] == expected


@pytest.mark.parametrize("expression", ["q", "q.moved()", "q[0]", "q * 2", "np.sqrt(q)", "q.rows()"])
def test_what_stays_on_numpy_stays(expression):
    assert v.only(shown(f"{CLASS}show({expression})\n")[-1], "foreign")


def test_a_plain_array_is_no_instance_of_a_subclass():
    text = f"{CLASS}x = np.zeros(3)\nshow(q.matrix() if isinstance(x, Vector) else x)\n"
    assert shown(text)[-1] == v.array("float64", 1)


def test_numpy_calls_array_finalize():
    text = """
    class Vector(np.ndarray):
        def __array_finalize__(self, obj):
            show(obj)
            self.plain = getattr(obj, "plain", np.zeros(3))

    def f(q: Vector):
        return q

    show(Vector((3,)).plain)
    """
    obj, plain = shown(text)
    assert v.kinds(obj) == {"none", "array", "instance"}
    assert plain == v.array("float64", 1)


def test_an_object_that_goes_into_converted_code_stays_itself():
    q, x = shown(f"{CLASS}q.sent()\n")
    assert v.only(q, "foreign")
    assert x == v.array("float64", 1)
