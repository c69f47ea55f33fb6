"""Functions that take arrays apart, as libraries have them, and calls that outsiders make: dtypes, lists, scalars, sizes."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

spec = importlib.util.spec_from_file_location("open_world_cases", Path(__file__).with_name("cases.py"))
assert spec is not None and spec.loader is not None
cases: Any = importlib.util.module_from_spec(spec)
sys.modules["open_world_cases"] = cases
spec.loader.exec_module(cases)
Case, each, ANY, REAL, MATRICES = cases.Case, cases.each, cases.ANY, cases.REAL, cases.MATRICES

QUATERNIONS = [
    "np.array([0.5, 1.0, -2.0, 0.25])", "np.array([1, 2, 3, 200], dtype=np.uint8)", "np.array([3, -1, 2, 0])",
    "np.array([0.5, 1.0, -2.0, 0.25], dtype=np.float32)", "np.array([1j, 1.0, -2.0, 0.25])", "[1, 0, 0, 2]", "(0.0, 0.0, 0.0, 0.0)",
    "np.zeros(4)", "np.eye(4)", "[np.float32(2), 1, 1.5, 0]", "np.array([True, False, True, True])", "np.ones(3)", "2.0", "None",
    "np.array([np.inf, 0.0, -0.0, np.nan])", "np.arange(8.0)[::2]", "range(4)",
]  # fmt: skip
OTHERS = ["np.array([1.0, 2.0, 3.0, 4.0])", "np.array([1, 2, 3, 4], dtype=np.int16)", "[0.5, 0, 0, 1]", "np.ones(4, dtype=np.float32)"]

CASES = [
    Case("apart_product", """
def product(q, r):
    w, x, y, z = q
    a, b, c, d = r
    return np.array([w * a - x * b - y * c - z * d, w * b + x * a + y * d - z * c, w * c - x * d + y * a + z * b, w * d + x * c - y * b + z * a])
""", "product(np.array([1.0, 0, 0, 0]), np.array([1.0, 0, 0, 0]))", [f"product({q}, {r})" for q in QUATERNIONS for r in OTHERS]),
    Case("apart_matrix", """
EPS = np.finfo(np.float64).eps


def rotation(q):
    w, x, y, z = q
    n = w * w + x * x + y * y + z * z
    if n < EPS:
        return np.eye(3)
    s = 2.0 / n
    return np.array([[1 - s * (y * y + z * z), s * (x * y - w * z)], [s * (x * y + w * z), 1 - s * (x * x + z * z)]])


def rotated(v, q):
    q = np.asarray(q) / np.sqrt(np.dot(q, q))
    return rotation(q).dot(v), q
""", "rotation(np.array([1.0, 0, 0, 0]))", [f"{f}{q})" for q in QUATERNIONS for f in ("rotation(", "rotated([1.0, 2.0], ", "rotated(np.ones(2, dtype=np.float32), ")]),
    Case("apart_element", """
def slope(p, q):
    rise = q[1] - p[1]
    run = q[0] - p[0]
    return rise / run, p[2], p[:2], [q[2], (rise, 1)]
""", "slope(np.ones(3), np.zeros(3))", [f"slope({p}, {q})" for p in QUATERNIONS for q in OTHERS]),
    Case("apart_written", """
def turned(p, angle):
    c, s = np.cos(angle), np.sin(angle)
    out = np.zeros((3, 3), dtype=float)
    out[0, 0] = c
    out[0, 1] = -s
    out[1, 0] = s
    out[1, 1] = c
    out[2, 2] = 1
    p = np.array(p, dtype=float)
    p[0] = p[0] * c - p[1] * s
    p[2] += p[1] // 1 + p[1] % 1
    return out, p
""", "turned(np.ones(3), 0.5)", [f"turned({p}, {a})" for p in QUATERNIONS for a in ("0", "0.5", "np.float32(0.5)", "np.array(2)", "np.array([0.5])", "None")]),
    Case("apart_texts", """
TABLE = {"xyz": (0, 1, 2), "zyx": (2, 1, 0)}


def ordered(p, order="xyz"):
    try:
        i, j, k = TABLE[order.lower()]
    except (AttributeError, KeyError):
        i, j, k = order
    return np.array([p[i], p[j], p[k]]), p[i] > p[j], max(p[i], p[j])
""", "ordered(np.ones(3))", [f"ordered({p}{o})" for p in QUATERNIONS for o in ("", ", 'zyx'", ", 'ZYX'", ", (0, 1, 1)", ", np.array([0, 1, 1])", ", 'abc'")]),
    Case("apart_methods", """
def centred(m):
    a, b = m
    c = a.mean() - b.mean()
    return a.sum() - c, b.copy(), a.shape, m[0], m[1]
""", "centred(np.eye(2))", each("centred({})", [*MATRICES, *ANY])),
    Case("apart_returned", """
def first(p):
    x, y, z = p[0], p[1], p[2]
    if x > 0:
        return p
    return x, None, {2: 3}[2] if y else y


def both(p):
    return first(p), first(p)
""", "first(np.ones(3))", [f"{f}({q})" for q in QUATERNIONS for f in ("first", "both")]),
    Case("imports_inside", """
def unit(v):
    from numpy.linalg import norm
    v = np.double(np.atleast_2d(v)).copy()
    length = norm(v, axis=1)
    return (v.T / length).T
""", "unit(np.ones(3))", [f"unit({p})" for p in QUATERNIONS]),
    Case("power_call", """
def raised(v, k=2):
    return pow(v, k), 2.0 * pow(v, 2), pow(v, 0.5) / pow(k, 2)
""", "raised(np.ones(3))", each("raised({})", [one for one in (*MATRICES, *ANY) if one.startswith("np.")])),
]
