"""Calls that are expected to raise are no examples of how a function is used, and are converted for all the same."""

from __future__ import annotations

import pytest

from np2torch.facts import values as v
from support.facts import one, shown

F64 = v.array("float64", 1)
HELD = """
    class Held:
        def __init__(self, data):
            self.data = data
            self.check()
        def check(self):
            {check}
            if isinstance(self.data, str):
                raise TypeError
        def mean(self):
            {mean}
            return self.data.mean()
    Held(np.zeros(3)).mean()
    {failing}
"""


@pytest.mark.parametrize(
    "failing",
    [
        "assert_raises(TypeError, Held, 'text')",
        "case.assertRaises(TypeError, Held, data='text')",
        "case.assertRaisesRegex(TypeError, 'x', Held, 'text')",
        "with pytest.raises(TypeError):\n        Held('text')",
        "with pytest.raises(TypeError, match='x'):\n        n = 3\n        held = Held('text')",
    ],
)
def test_what_an_object_that_is_not_made_holds(failing):
    """The methods of others do not see it, what refuses it does."""
    first, second = shown(HELD.format(check="show(self.data)", mean="show(self.data)", failing=failing))
    assert v.kinds(first) == {"array", "text"}
    assert second == F64


def test_an_object_that_others_see_is_another_thing():
    text = HELD.format(check="pass", mean="show(self.data)", failing="held = Held(np.zeros(3))")
    text += "    def spoil(held):\n        held.data = 'text'\n        raise ValueError\n"
    text += "    assert_raises(ValueError, spoil, held)\n"
    assert v.kinds(one(text)) == {"array", "text"}


GUARDED = """
    def half(x):
        show(x)
        return x / 2
    def guarded(x, n):
        show(x)
        half(x)
        if n < 0:
            raise ValueError
        show(x)
    guarded(np.zeros(3), 1)
    with pytest.raises(ValueError):
        guarded([1.0], -1)
"""


def test_what_comes_before_the_error_counts():
    """Also what is called there and came back; what comes after it is not reached."""
    inside, before, after = shown(GUARDED)
    assert v.kinds(inside) == v.kinds(before) == {"array", "sequence"}
    assert after == F64


def test_only_the_last_call_is_expected_to_raise():
    text = "def first(x):\n    show(x)\ndef second(x):\n    show(x)\n    raise ValueError\n"
    text += "with pytest.raises(ValueError):\n    y = first(np.zeros(3))\n    second(np.arange(3))\n"
    first, second = shown(text)
    assert first == F64
    assert v.known_to_include(second, "unknown")  # nothing shows how it is used


def test_items_set_on_an_object():
    text = "class Box:\n    def __setitem__(self, key, item):\n        show(item)\n"
    text += "box = Box()\nbox['a'] = np.zeros(3)\n"
    assert one(text) == F64
    assert one(text + "box['a'] += np.arange(3)\n") != F64


def test_an_error_of_what_a_property_is_set_by():
    text = (
        "class Box:\n    def __init__(self, x):\n        show(x)\n        self.x = x\n"
        "    @property\n    def x(self):\n        return self._x\n"
        "    @x.setter\n    def x(self, x):\n        if isinstance(x, str):\n            raise TypeError\n"
        "        self._x = x\n"
        "Box(np.zeros(3))\nassert_raises(TypeError, Box, 'text')\n"
    )
    assert v.kinds(one(text)) == {"array", "text"}


@pytest.mark.parametrize(
    "passed, counts",
    [
        ("[1.0], [2.0]", True), ("[1.0], [2.0], 3", True), ("np.zeros(3), [[1.0], [2.0]]", True),
        ("1.0, [2.0]", False), ("[1.0], 'text'", False), ("[1.0], ['text']", False), ("[1.0], [2.0], 'text'", False),
    ],
)  # fmt: skip
def test_lists_of_numbers_count_behind_the_last_error(passed, counts):
    """NumPy may refuse their values anywhere, but not what is of another kind than what is expected."""
    text = "def add(x, y, n=1):\n    if n < 0:\n        raise ValueError\n    show(x)\n    show(y)\n    return x + y\n"
    text += f"add(np.zeros(3), np.zeros(3))\nassert_raises(ValueError, add, {passed})\n"
    assert any(v.known_to_include(fact, "sequence") for fact in shown(text)) == counts
