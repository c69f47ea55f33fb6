"""Functions that go on after an error: what torch refuses and NumPy computes must not end there."""

from __future__ import annotations

import runpy
from pathlib import Path

cases = runpy.run_path(str(Path(__file__).with_name("cases.py")))
Case, lines = cases["Case"], cases["lines"]

VALUES = [
    "np.array([3, 1 + 2j, 1 + 1j])", "np.array([True, False])", "np.array([7, 1], dtype=np.uint8)", "[1.5, 2.0]",
    "np.array([0.5, 2.0], dtype=np.float32)", "np.array([])", "np.array([2, 9], dtype=np.int8)",
]  # fmt: skip
CAUGHT = {
    "largest": "try:\n    return np.max(x)\nexcept Exception:\n    return 0.0",
    "span": "x = np.asarray(x)\ntry:\n    return x.max() - x.min()\nexcept ValueError:\n    return -1",
    "turned": "x = np.asarray(x)\ntry:\n    return -np.sort(x)\nexcept (TypeError, IndexError):\n    return None",
    "beyond": "x = np.asarray(x)\nfound = None\ntry:\n    found = x > 1\nexcept:\n    pass\nreturn found",
    "sized": "x = np.asarray(x)\ny = 0\nwith contextlib.suppress(RuntimeError):\n    y = np.abs(x)\nreturn y",
    "crossed": "x = np.asarray(x)\ntry:\n    return np.r_[x[0], x[1]].min()\nexcept Exception:\n    return x * 2",
}
"""Functions of `x` with an answer for errors."""
CASES = [
    Case(
        name, f"\nimport contextlib\n\n\ndef {name}(x):\n{lines(body)}",
        f"{name}(np.ones(2))", [f"{name}({one})" for one in VALUES],
    )
    for name, body in CAUGHT.items()
]  # fmt: skip
