"""Loops that go by elements, as libraries have them, and calls that outsiders make: dtypes, lists, generators, scalars."""

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
F64, F32, I64, U8 = cases.F64, cases.F32, cases.I64, cases.U8

CASES = [
    Case("loop_smooth", """
def smooth(u, w):
    for i in range(1, len(u) - 1):
        u[i] = u[i] + w * (u[i - 1] - u[i + 1])
    return u
""", "smooth(np.array([1.0, 2.0, 4.0]), 0.5)", [f"smooth({a}, {w})" for a in ANY for w in ("0.5", "2", "np.float32(0.5)", "np.float64(0.5)", "np.array(2)")]),
    Case("loop_prefix", """
def prefix(x):
    out = np.zeros(len(x))
    total = x[0]
    for i in range(1, len(x)):
        total += x[i]
        out[i] = total
    return out, total, x
""", "prefix(np.array([1.0, 2.0, 4.0]))", each("prefix({})", ANY)),
    Case("loop_like", """
def ewma(x, alpha):
    out = np.empty_like(x)
    out[0] = x[0]
    for i in range(1, len(x)):
        out[i] = alpha * x[i] + (1 - alpha) * out[i - 1]
    return out
""", "ewma(np.array([1.0, 2.0, 4.0]), 0.5)", [f"ewma({a}, {w})" for a in ANY for w in ("0.5", "2", "np.float32(0.25)")]),
    Case("loop_search", """
def first(x, limit):
    best = 0
    at = -1
    for i, value in enumerate(x):
        if value > limit and value > best:
            best, at = value, i
    return best, at
""", "first(np.array([1.0, 2.0, 4.0]), 1.5)", [f"first({a}, {w})" for a in REAL for w in ("1.5", "2", "np.float32(0.5)")]),
    Case("loop_return", """
def where(m, limit):
    for i in range(len(m)):
        for j in range(len(m)):
            if abs(m[i][j]) > limit:
                return m[i][j], m[i], (i, j)
    return None
""", "where(np.array([[1.0, 2.0], [4.0, 5.0]]), 3)", [f"where({a}, {w})" for a in MATRICES for w in ("3", "2.5", "np.float32(2)")]),
    Case("loop_counts", """
def counts(x, n):
    c = np.zeros(n, dtype=int)
    for v in x:
        c[int(abs(v)) % n] += 1
    return c
""", "counts(np.array([1, 2, 1]), 3)", each("counts({}, 3)", ANY, "counts((v for v in [1, 2]), 3)", "counts({1: 2}, 3)", "counts(range(4), 3)", "counts(np.array([[1, 2]]), 3)", "counts(5, 3)")),
    Case("loop_held", """
def scaled(x, k):
    step = np.sqrt(k)
    total = 0.0
    for i in range(len(x)):
        total += x[i] / step
        x[i] = x[i] * step
    return total, total / step, x
""", "scaled(np.array([1.0, 2.0]), 3)", [f"scaled({a}, {w})" for a in ANY for w in ("2", "0", "0.5", "np.float32(2)", "np.array([1.0, 4.0, 9.0])")]),
    Case("loop_divide", """
def ratios(a, b):
    out = []
    worst = 0
    for i in range(len(a)):
        q = a[i] / b[i]
        if q > worst:
            worst = q
        out.append(q)
    return out, worst
""", "ratios(np.array([1.0, 2.0]), np.array([1.0, 2.0]))", [f"ratios({a}, {b})" for a in REAL for b in (F64, F32, I64, U8, "[0, 1, 0]", "np.array([0.0, 1.0, 0.0])")]),
    Case("loop_rows", """
def rows(m, v):
    out = np.zeros(len(m))
    for i in range(len(m)):
        r = m[i] * v
        out[i] = np.sum(r) - r[0]
    return out
""", "rows(np.eye(2), np.ones(2))", [f"rows({a}, {w})" for a in MATRICES for w in ("2", "0.5", "np.array([1.0, 2.0])", "np.array([1, 2], dtype=np.float32)", "[1, 2]")]),
    Case("loop_object", """
class Chain:
    def __init__(self, weights):
        self.weights = weights
        self.seen = []

    def run(self, x):
        y = np.zeros(len(x))
        for i in range(len(x)):
            for k in range(len(self.weights)):
                y[i] += self.weights[k] * x[i]
            self.seen.append(x[i])
        return y, self.seen
""", "Chain(np.array([1.0, 2.0])).run(np.array([1.0, 2.0]))", [f"Chain({a}).run({b})" for a in REAL for b in REAL]),
    Case("row_swapped", """
def swapped(m, w):
    corner = m[0, 0]
    m[0, 0] = m[1, 1] * w
    m[1, 1] = corner
    m[0, 1], m[1, 0] = m[1, 0], m[0, 1]
    return corner, m[0, 0] / corner, m
""", "swapped(np.array([[1.0, 2.0], [4.0, 5.0]]), 0.5)", [f"swapped({a}, {w})" for a in MATRICES for w in ("0.5", "2", "np.float32(0.5)", "np.float64(2)", "np.array([1.0, 2.0])")]),
    Case("row_updated", """
def updated(x, gain, z):
    y = z - x[0]
    x[0] += gain[0] * y
    x[1] += gain[1] * y
    last = x[1]
    return last, y, x, last * gain[0]
""", "updated(np.array([1.0, 2.0]), np.array([0.5, 0.25]), 3.0)", [f"updated({a}, {b}, {z})" for a in REAL for b in (F64, F32, I64, "[0.5, 1]") for z in ("2", "0.5", "np.float32(2)", "np.array([1.0, 2.0])")]),
    Case("row_object", """
class Tracker:
    def __init__(self, x, gain):
        self.x = x
        self.gain = gain
        self.n = 0

    def update(self, z):
        self.n += 1
        x = self.x
        if self.n > 1:
            self.gain[0] = 1 / self.n
            y = z - x[0]
            x[0] += self.gain[0] * y
            x[1] = x[0] - y
        return self.x, self.gain

    def run(self, z):
        return self.update(z), self.update(z), self.update(z)
""", "Tracker(np.array([1.0, 2.0]), np.array([0.5])).run(2.0)", [f"Tracker({a}, {b}).run({z})" for a in REAL for b in REAL for z in ("2", "0.5")]),
]
