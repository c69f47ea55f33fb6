"""What calls tell by coming back, and what comes out of classes that stay on NumPy."""

from __future__ import annotations

import pytest

from np2torch.facts import values as v
from support.facts import one, shown

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


def test_an_object_that_goes_into_converted_code_stays_itself():
    q, x = shown(f"{CLASS}q.sent()\n")
    assert v.only(q, "foreign")
    assert x == v.array("float64", 1)


def test_a_plain_array_is_no_instance_of_a_subclass():
    text = f"{CLASS}x = np.zeros(3)\nshow(q.matrix() if isinstance(x, Vector) else x)\n"
    assert shown(text)[-1] == v.array("float64", 1)


# ------------------------------------------------------------------------------------------- calls that come back
def test_a_guard_that_came_back_tells_what_it_was_given():
    text = """
    from other import n

    def check(x, name="x"):
        if not isinstance(x, (list, np.ndarray)):
            raise TypeError(name)

    x = np.zeros(3) if n else 1.5 if n == 1 else None
    check(x, name="y")
    show(x)
    """
    assert one(text) == v.array("float64", 1)


def test_a_guard_of_guards_and_of_the_rank():
    text = """
    from other import n

    def check(x):
        if x.ndim != 2:
            raise ValueError

    def checks(a, b):
        check(a)
        check(b)
        assert a.shape

    x = np.zeros(3) if n else np.zeros((3, 3))
    y = np.zeros(3) if n else np.zeros((3, 3))
    checks(x, b=y)
    show(x)
    show(y)
    """
    assert shown(text) == [v.array("float64", 2)] * 2


def test_a_parameter_that_is_bound_again_tells_nothing():
    text = """
    from other import n

    def check(x):
        x = np.zeros((2, 2))
        if x.ndim != 2:
            raise ValueError

    x = np.zeros(3) if n else np.zeros((3, 3))
    check(x)
    show(x)
    """
    assert one(text) == v.array("float64", {1, 2})


def test_attributes_are_what_a_method_left_them():
    text = """
    class A:
        def __init__(self, x):
            self.x = x
            self.check()
            show(self.x)
            self.forget()
            show(self.x)

        def check(self):
            if self.x is None:
                raise ValueError
            self.x = np.asarray(self.x)

        def forget(self):
            self.x = None

    A([1.0, 2.0])
    A(None)
    """
    first, second = shown(text)
    assert first == v.array("float64", 1)
    assert second == v.NONE or v.known_to_include(second, "none")


def test_a_guard_that_may_come_back_early_tells_only_what_both_ends_know():
    text = """
    from other import n

    def check(x, strict):
        if not strict:
            return
        if x is None:
            raise ValueError

    x = np.zeros(3) if n else None
    check(x, n)
    show(x)
    """
    assert v.kinds(one(text)) == {"array", "none"}


def test_a_branch_of_an_expression_that_is_never_taken_gives_nothing():
    assert one("x = np.zeros(3)\nshow([1] if x is None else x)\n") == v.array("float64", 1)


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
