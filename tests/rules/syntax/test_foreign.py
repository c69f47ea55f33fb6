"""What plotting libraries look at as colours and numbers is no tensor."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

FIGURE = '''
import numbers

import numpy as np


class Axes:
    """It asks for the class of colours and of transparency, and makes arrays of the rest, as matplotlib's does."""

    def plot(self, *data, color=None, alpha=None, **others):
        seen = [np.asarray(one).shape for one in data]
        if not isinstance(color, (str, tuple, list, np.ndarray)):
            raise ValueError(f"{color!r} is not a valid value for color")
        if not isinstance(alpha, (numbers.Real, type(None))):
            raise TypeError("alpha must be numeric or None")
        return seen, [float(one) for one in color], float(alpha)

    def text(self, x, y, s, label=""):
        return f"{s} {label}"

    def set_yticklabels(self, labels):
        return [f"{one}" for one in labels]

    def set_alpha(self, alpha):
        return self.plot(color=[], alpha=alpha)


def subplot(rows):
    if not isinstance(rows, numbers.Integral):
        raise ValueError("Number of rows must be a positive integer")
    return Axes()
'''
DRAWN = """
import matplotlib.pyplot as plt
import numpy as np

counts = np.array([3, 2, 2])
ax = plt.subplot(counts[1])
x = np.linspace(0, 1, 4)
rgb = np.array([0.5, 0.25, 1.0])
seen = [ax.plot(x, x * 2, color=colour, alpha=strength, lw=x[1]) for colour, strength in zip(np.eye(3) / 2, rgb)]
seen.append(ax.plot(x, color=rgb, alpha=rgb.min()))
seen.append(ax.set_alpha(rgb[0]))
seen.append(ax.text(x[0], x[1], rgb.max(), label=counts[0]))
seen.append(ax.set_yticklabels(counts))
"""


def test_styles_are_no_tensors_and_data_goes_as_it_is(convert, monkeypatch):
    library, drawing = ModuleType("matplotlib"), ModuleType("matplotlib.pyplot")
    exec(FIGURE, vars(drawing))
    library.pyplot = drawing  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "matplotlib", library)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", drawing)
    before: dict[str, Any] = {}
    after: dict[str, Any] = {}
    exec(DRAWN, before)
    text = convert(DRAWN)
    exec(text, after)
    assert after["seen"] == before["seen"]
    assert "ax.plot(x, x * 2, color" in text
