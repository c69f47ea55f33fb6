"""Parameters that choose what a function does."""

from __future__ import annotations

from np2torch.facts import values as v
from support.facts import one


def test_any_other_word_is_forgotten():
    text = "def f(x, how):\n    show(how)\n\nf(2.0, 'up')\nf(3.0, 'down')\nf(3.0, 'left')\n"
    assert one(text) == v.TEXT
