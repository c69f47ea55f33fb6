"""Functions in which values of unknown precision meet arrays of float64: float32's last bits would show in these."""

from __future__ import annotations

import runpy
from pathlib import Path

cases = runpy.run_path(str(Path(__file__).with_name("cases.py")))
Case, lines = cases["Case"], cases["lines"]
GIVEN = ["np.array([0.1, 0.4, 0.7, 1.0, 1.3], dtype=np.float32)", "np.arange(5)", "np.linspace(0.1, 1.3, 5)"]
WIDENING = {
    "product": "return np.exp(x) * np.linspace(0.0, 1.0, 5)",
    "cast": "return np.sin(x).astype(np.float64) / 3",
    "made": "return np.array(np.log1p(x), dtype='float64') + 1",
    "stored": "out = np.zeros(len(x))\nout[:] = np.tanh(x)\nreturn out",
    "added": "out = np.ones(5)\nout += np.power(x, 1.5)\nreturn out",
    "total": "return np.mean(x) + np.zeros(2)",
    "stacked": "return np.vstack([np.cos(x), np.linspace(0.0, 1.0, 5)])",
    "between": "x = np.concatenate([x])\nreturn np.exp(x) * np.hanning(5)",
}
"""By name, bodies whose results are in double precision."""
CASES = [
    Case(name, f"def {name}(x):\n{lines(body)}", f"{name}(np.ones(5))", [f"{name}({one})" for one in GIVEN])
    for name, body in WIDENING.items()
]
