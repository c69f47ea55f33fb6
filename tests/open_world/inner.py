"""Functions that bind names to what other functions give, before they compute with them: guards between statements."""

from __future__ import annotations

import runpy
from pathlib import Path

cases = runpy.run_path(str(Path(__file__).with_name("cases.py")))
Case, MEETING, VALUES, lines = cases["Case"], cases["MEETING"], cases["VALUES"], cases["lines"]

VECTOR = """
import types

lookup = types.SimpleNamespace(f=lambda v: v).f


def vector(v):
    if isinstance(v, (list, tuple)):
        return np.array(v)
    return v
"""
BODIES = {name: body for name, body in MEETING.items() if not body.startswith("x = ")} | {
    "given_back": "return x",
    "both_given_back": "z = x / 2.0\nreturn x, z + y",
    "written_by_view": "z = x\nz[0] = 7\nreturn x * 2.0 + y",
    "written_alias": "w = np.ones(3) * x\nw[0] = 2.5\nreturn w + y",
    "kept_view": "p = [x]\np[0][1] = 100\nreturn x / y",
    "halved": "x = x // 2\nreturn x * y",
    "bits": "return x ** 2 + y ** 2",
    "negative": "return -x * y, x.dtype.kind",
    "none_first": "if y is None:\n    return x * 2.0\nreturn x * y",
    "early": "if len(x) == 0:\n    return None\nreturn np.dot(x, x) * y",
    "in_lambda": "f = lambda t: t * x\nreturn f(y) + f(2.0)",
    "in_loop": "total = 0.0\nfor one in x:\n    total = total + one * y\nreturn total",
    "overflow": "return x * x * y",
    "whole": "return np.sum(x), np.mean(x) * y",
}  # fmt: skip
"""By name, what functions do with `x`, which another function gives, and `y`."""
ENTERING = {
    "": "x = vector(x)",
    "_both": "x = vector(x)\ny = vector(y)",
    "_renamed": "z = vector(x)\nx = z",
    "_unpacked": "x, y = vector(x), vector(y)",
    "_branch": "if isinstance(x, (list, tuple)):\n    x = vector(x)",
    "_foreign": "x = lookup(x)",
}
"""By the end of a name, how the names are bound."""


CASES = [
    Case(
        f"{name}{end}",
        f"{VECTOR}\n\ndef {name}{end}(x, y):\n{lines(entering)}{lines(body)}",
        f"{name}{end}(np.ones(3), 1.0)",
        [f"{name}{end}({one}, {other})" for one in VALUES for other in VALUES],
    )
    for name, body in BODIES.items() for end, entering in ENTERING.items()
]  # fmt: skip
