"""Calls that are expected to raise wait until a round ends, and one run serves all of them."""

from __future__ import annotations

import pytest

from np2torch.facts import values as v
from np2torch.facts.interpreter import Interpreter
from support.facts import one, shown

REFUSING = """
    def check(x):
        if isinstance(x, str):
            raise TypeError
    def half(x, n):
        show(x)
        check(x)
        show(x)
        if n < 0:
            raise ValueError
    half(np.zeros(3), 1)
    with pytest.raises(TypeError):
        half("text", 1)
    with pytest.raises(ValueError):
        half([1.0], -1)
"""


def test_one_run_serves_all_calls_that_are_expected_to_raise(monkeypatch):
    """What one of them is refused for does not come as far as what another is refused for."""
    bodies = []
    execute = Interpreter.execute
    monkeypatch.setattr(
        Interpreter, "execute", lambda self, context: (bodies.append(context), execute(self, context))[1]
    )
    before, after = shown(REFUSING)
    assert v.kinds(before) == {"array", "sequence", "text"}
    assert v.kinds(after) == {"array", "sequence"}
    of_half = [context.failing for context in bodies if context.function and context.function.name == "half"]
    assert sorted(map(str, of_half)) == ["False", "True"]


def test_what_a_call_did_before_it_raised():
    """It is run after the rest of its caller was, which is to see it all the same."""
    text = "class Box:\n    def fill(self, item):\n        self.item = item\n        raise ValueError\n"
    text += "class Task:\n    def __init__(self, f):\n        self.f = f\n"
    text += "def run(task):\n    task.f()\n    raise ValueError\nBox().fill(np.zeros(3))\n"
    text += "def test():\n    box = Box()\n    box.item = 1\n    n = 1\n"
    text += "    def change():\n        nonlocal n\n        n = 'text'\n"
    text += "    with pytest.raises(ValueError):\n        box.fill(np.zeros(3))\n    show(box.item)\n"
    text += "    with pytest.raises(ValueError):\n        run(Task(change))\n    show(n)\ntest()\n"
    item, number = shown(text)
    assert v.kinds(item) == {"number", "array"}
    assert v.kinds(number) == {"number", "text"}


@pytest.mark.parametrize("call", ["(lambda: half(x))()", "run(lambda: half(x))", "run_first([lambda: half(x)])"])
def test_functions_that_see_the_variables_of_a_test_as_they_are(call):
    text = "def half(x):\n    show(x)\n    return x / 2\ndef run(f):\n    f()\ndef run_first(fs):\n    fs[0]()\n"
    text += f"def test():\n    x = 'text'\n    with pytest.raises(TypeError):\n        {call}\n    x = np.zeros(3)\n"
    assert v.known_to_include(one(text + "test()\n"), "text")
