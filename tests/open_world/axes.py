"""Functions that ask for an axis, called with what has none; numbers that guards leave; products of two precisions."""

from __future__ import annotations

import runpy
from pathlib import Path

cases = runpy.run_path(str(Path(__file__).with_name("cases.py")))
Case, lines = cases["Case"], cases["lines"]

NONE = ["0.75", "np.float64(0.75)", "np.array(0.75)", "np.float32(0.75)"]
VECTORS = ["np.array([0.5, -1.25])", "np.array([0.5, 2.0], dtype=np.float32)", "[0.5, 2.0]", "np.eye(2)"]
REVERSING = {
    "backwards": "return np.exp(values[::-1])",
    "backwards_coerced": "values = np.asarray(values, dtype=float)\nreturn values[::-1]",
    "flipped": "values = np.asarray(values)\nreturn np.flip(values, 0) + 1.0",
    "flipped_named": "values = np.asarray(values)\nreturn np.exp(np.flip(values, axis=0))",
    "flipped_up": "values = np.asarray(values)\nreturn np.flipud(values) / 2.0",
    "mirrored": "values = np.asarray(values)\nreturn values[:, ::-1] / 2.0",
}
"""Functions of `values` whose reversal NumPy refuses where there is no axis."""
CASES = [
    Case(
        name, f"\ndef {name}(values):\n{lines(body)}",
        f"{name}(np.eye(2))", [f"{name}({one})" for one in NONE + VECTORS],
    )
    for name, body in REVERSING.items()
]  # fmt: skip
CASES += [
    Case("predicted", """
class Filter:
    def __init__(self, n):
        self.w = np.ones(n) / 3

    def predict(self, x):
        return np.dot(self.w, x)


def predicted(x):
    return Filter(2).predict(x)
""", "predicted(np.ones(2))", [f"predicted({one})" for one in VECTORS]),
    Case("slanted", """
def part(day):
    return day * (2 * np.pi / 365)


def slanted(day):
    return 1.0 + 0.033 * np.cos(part(day))
""", "slanted(np.ones(2))", [f"slanted({one})" for one in (*NONE, *VECTORS[:2], "100", "0.5")]),
]  # fmt: skip
SINGLES = "np.array([0.5, 1.25], dtype=np.float32)"
PRECISIONS = [
    Case("factor", """
def factor(sig, accl):
    return sig * np.maximum(1.0, accl)
""", "factor(np.eye(2), np.eye(2))", [f"factor({SINGLES}, np.array([3, 0], dtype=np.{kind}))" for kind in (
        "uint8", "int16", "bool_", "int64", "float32",
    )] + [f"factor(np.array([3, 0], dtype=np.uint8), {SINGLES})"]),
    Case("related", """
def related(a, b):
    across, along = np.meshgrid(b, a, sparse=True)
    return along * across
""", "related(np.ones(2), np.ones(3))", [
        f"related({one}, {other})" for one in (SINGLES, "np.ones(2)", "3", "2.5") for other in ("3", "2.5", SINGLES)
    ]),
    Case("through", """
def viscosity(tk):
    return 2.5e-6 * np.sqrt(28.97 * tk) / (tk / 97.0 + 1.0)


def through(tk, pair):
    density = pair * 100.0 / (287.0 * tk)
    return density / viscosity(tk)
""", "through(np.eye(2), np.eye(2))", [
        f"through({tk}, {pair})"
        for tk in ("300.0", "300", "np.float64(300)", SINGLES) for pair in (SINGLES, "np.eye(2)", "2.5")
    ]),
]  # fmt: skip
