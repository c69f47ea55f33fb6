"""Functions and classes as libraries have them, one call that tells little of them, and calls that outsiders make.

A call is an expression in which the names of the module are known and `np` makes arrays: ndarrays on one side, tensors
of the same dtype on the other.
"""

from __future__ import annotations

from typing import NamedTuple

F64, F32 = "np.array([0.5, -1.25, 3.0])", "np.array([0.5, -1.25, 3.0], dtype=np.float32)"
I64, C128 = "np.array([1, 2, 4])", "np.array([1 + 2j, 0.5j, 3.0])"
U8, BOOL = "np.array([200, 100, 7], dtype=np.uint8)", "np.array([True, False, True])"
LISTS = ["[1, 2, 4]", "[0.5, 1.5, 2.5]", "(1, 2.5, 4)"]
REAL = [F64, F32, I64, U8, *LISTS]
ANY = [F64, F32, I64, C128, U8, BOOL, *LISTS]
NUMBERS = ["2.5", "3", "np.float64(2.5)", "np.float32(2.5)"]
M64, M32 = "np.array([[2.5, 1.0], [1.0, 3.5]])", "np.array([[2.5, 1.0], [1.0, 3.5]], dtype=np.float32)"
MATRICES = [M64, M32, "np.array([[2, 1], [1, 3]])", "np.array([[2 + 1j, 1], [1, 3j]])", "[[2, 1], [1, 3]]", "[[2.5, 1], [1, 3]]"]
PAIRS = [f"{a}, {b}" for a in (F64, F32, I64) for b in (F64, F32, "2", "0.5")] + [f"{C128}, {F64}", "[1, 2, 4], [2, 3, 4]"]
CALLBACKS = ["lambda t, y: -y", "lambda t, y: 1", "lambda t, y: (1, 2, 3)", "lambda t, y: y > 0", "lambda t, y: np.uint8(200)", "lambda t, y: np.sum(y)", "lambda t, y: None", "np.multiply"]
RESULTS = [F64, F32, I64, "2", "0.5", "np.float32(2.0)", "np.float64(0.1)"]
"""What functions give that callers pass."""


class Case(NamedTuple):
    """A module, the call that a project makes of it, and the calls of others."""

    name: str
    source: str
    narrow: str
    wide: list[str]


def lines(text: str) -> str:
    """The statements of a function, indented."""
    return "".join(f"    {line}\n" for line in text.split("\n"))


def each(call: str, values: list[str], *more: str) -> list[str]:
    """The call with each of the values in the place of `{}`."""
    return [call.format(value) for value in values] + list(more)


CASES = [
    # ------------------------------------------------------------------------------------- classes and attributes
    Case("scaler", """
class Scaler:
    def fit(self, x):
        self.mean = np.mean(x, axis=0)
        self.scale = np.std(x, axis=0)
        return self

    def transform(self, x):
        return (x - self.mean) / self.scale
""", "Scaler().fit(np.array([1.0, 2.0])).transform(np.array([1.0]))",
         each("Scaler().fit({}).transform(np.array([0.5, 2.0]))", ANY, f"Scaler().fit({F32}).transform({F32})")),
    Case("compared_whole", """
def same(p, q):
    return np.all(p == q, axis=-1)

def cleaned(x):
    if x == 0:
        return np.zeros(2)
    return np.sin(x)
""", f"same({F64}, {F64}), cleaned(np.array(0.5))",
         ["same([[1.0, 2], [3, 4]], [1.0, 2])", "same([1, 2], [1.0, 2])", f"same({F64}, [0.5, 1, 3])", "cleaned([0.0])", "cleaned(0)",
          "cleaned(np.array([0.0]))", *(f"same({a}, {b})" for a in (F64, F32, I64) for b in (F64, "0.5"))]),
    Case("spaced_in_the_precision_of_bounds", """
class Grid:
    @staticmethod
    def of(matrix, n=3):
        kind = "object"
        if isinstance(n, int):
            n = [n] * matrix.shape[1]
            kind = "float64"
        return np.array([np.linspace(np.min(c), np.max(c), k) for k, c in zip(n, matrix.T)], dtype=kind)

def decades(a, b):
    return np.logspace(a[0] - a[0], b, 3) * np.array(0.1), np.linspace(a[0], b, 4) + np.float64(0.1)
""", f"Grid.of({M64}, 4), decades({F64}, 2.0)",
         each("Grid.of({})", MATRICES) + [f"decades({a}, {b})" for a in (F64, F32, I64) for b in ("2.0", "4", "np.float32(2)")]),
    Case("checked_by_name", """
def check(names, name):
    if not isinstance(names[name], np.ndarray):
        raise ValueError(f"{name} is no array")

def apex(points, along):
    check(locals(), "points")
    return np.argmax(points.dot(along)) if hasattr(points, "dot") else np.argmax(np.dot(points, along))
""", f"apex({M64}, np.array([1.0, 2.0]))", each("apex({}, np.array([1.0, 2.0]))", MATRICES)),
    Case("numbers_meet_first", """
def spherical(x, y, z):
    flat = np.hypot(x, y)
    return np.arctan2(y, x), np.arctan2(z, flat), np.hypot(flat, z)
""", f"spherical({F64}, {F64}, {F64})",
         [f"spherical({x}, {y}, {z})" for x in ("1.5", "2", F64, F32) for y in ("0.5", F32) for z in ("3.0", F64, F32, "np.float32(2)")]),
    Case("polynomial", """
class Poly:
    def __init__(self, coefficients):
        self.c = np.asarray(coefficients)

    @property
    def degree(self):
        return len(self.c) - 1

    def __call__(self, x):
        result = np.zeros_like(x)
        for c in self.c[::-1]:
            result = result * x + c
        return result
""", "Poly([1, 2])(np.array([1, 2]))",
         each("Poly({})(np.array([0.5, 1.5]))", ANY, f"Poly([1.5, 2])({F32})", f"Poly([1, 2])({I64})", "Poly([1, 2.5])([1, 2])", "Poly((1, 2, 3)).degree")),
    Case("power", """
class Signal:
    def __init__(self, samples):
        self.samples = samples

    @property
    def power(self):
        return np.mean(np.abs(self.samples) ** 2)
""", "Signal(np.array([1.0, 2.0])).power", each("Signal({}).power", ANY)),
    Case("set_outside", """
class Gain:
    factor = 2

    def apply(self, x):
        return self.factor * np.asarray(x)


def louder(x, factor):
    gain = Gain()
    gain.factor = factor
    return gain.apply(x)
""", "louder(np.array([1.0]), 3)", each("louder({}, 3)", ANY, f"louder({F32}, 0.5)", f"louder({I64}, np.array([0.5, 1, 2]))", "Gain().apply([1, 2])")),
    Case("static_metric", """
class Metric:
    @staticmethod
    def mse(a, b):
        return np.mean((a - b) ** 2)
""", "Metric.mse(np.ones(2), np.zeros(2))", each("Metric.mse({})", PAIRS)),
    Case("around", """
class Box:
    def __init__(self, low, high):
        self.low, self.high = low, high

    @classmethod
    def around(cls, points):
        points = np.asarray(points)
        return cls(points.min(axis=0), points.max(axis=0))

    def size(self):
        return np.prod(self.high - self.low)
""", "Box.around([[0, 0], [1, 2]]).size()", each("Box.around({}).size()", [*MATRICES[:3], *MATRICES[4:], "np.eye(3, dtype=np.float32)", "np.array([[200, 1], [3, 4]], dtype=np.uint8)"])),
    Case("plane", """
from dataclasses import dataclass


@dataclass
class Plane:
    normal: object
    offset: float = 0.0

    def distance(self, point):
        return np.dot(point, self.normal) - self.offset
""", "Plane(np.array([1.0, 0.0])).distance(np.array([2.0, 1.0]))",
         each("Plane({}, 0.5).distance(np.array([2.0, 1.0, 0.5]))", ANY, f"Plane({F32}).distance({F32})", "Plane([1, 2], 1).distance([3, 4])")),
    Case("vector", """
class Vec:
    def __init__(self, v):
        self.v = np.asarray(v, dtype=float)

    def __add__(self, other):
        return Vec(self.v + other.v)

    def norm(self):
        return np.sqrt(np.sum(self.v ** 2))
""", "(Vec([1.0]) + Vec([2.0])).norm()", each("(Vec({0}) + Vec({0})).norm()", REAL + NUMBERS)),
    Case("rows", """
class Rows:
    def __init__(self, m):
        self.m = np.atleast_2d(m)

    def __len__(self):
        return len(self.m)

    def __iter__(self):
        for row in self.m:
            yield row.sum()
""", "list(Rows([[1, 2]]))", each("list(Rows({}))", MATRICES + [F32, "[1, 2]", "2.5"])),
    Case("layers", """
class Layer:
    def __call__(self, x):
        return self.forward(np.asarray(x))


class Relu(Layer):
    def forward(self, x):
        return np.maximum(x, 0)


class Leaky(Layer):
    def __init__(self, slope=0.1):
        self.slope = slope

    def forward(self, x):
        return np.where(x > 0, x, self.slope * x)
""", "Relu()(np.array([1.0, -1.0])), Leaky()(np.array([1.0]))", each("Relu()({})", REAL + NUMBERS) + each("Leaky(0.5)({})", REAL)),
    # ------------------------------------------------------------------------- generators, closures, callbacks
    Case("windows", """
def windows(x, n):
    for i in range(len(x) - n + 1):
        yield np.mean(x[i : i + n])
""", "list(windows(np.array([1.0, 2.0, 3.0]), 2))", each("list(windows({}, 2))", ANY)),
    Case("averager", """
def averager():
    total, count, mean = 0.0, 0, None
    while True:
        x = yield mean
        total = total + np.sum(x)
        count += np.size(x)
        mean = total / count


def averages(parts):
    run = averager()
    next(run)
    return [run.send(part) for part in parts]
""", "averages([np.array([1.0])])", each("averages([{}, 2.0])", REAL + NUMBERS)),
    Case("damped", """
def damped(rate):
    def step(x):
        return x * np.exp(-rate * x)

    return step
""", "damped(0.5)(np.array([1.0]))", each("damped(0.5)({})", [F64, F32, I64, C128, *NUMBERS], f"damped({F64})(2)", f"damped(np.float32(2))({F32})")),
    Case("zscore", """
def zscore(x):
    def centred(v):
        return v - np.mean(v)

    c = centred(np.asarray(x))
    return c / np.std(c)
""", "zscore(np.array([1.0, 2.0]))", each("zscore({})", ANY)),
    Case("simpson", """
def simpson(f, a, b, n=4):
    x = np.linspace(a, b, n + 1)
    y = f(x)
    return (b - a) / n / 3 * (y[0] + 4 * np.sum(y[1:-1:2]) + 2 * np.sum(y[2:-1:2]) + y[-1])
""", "simpson(lambda x: x * 2, 0, 1)",
         ["simpson(lambda x: x ** 2, 0, 1)", "simpson(lambda x: x > 0.3, 0.0, 1.0)", "simpson(lambda x: x * 1j, 0, 2, 8)", "simpson(lambda x: 0.5 * x, np.float64(0), 3)",
          "simpson(lambda x: -x, -1, 1, n=6)", "simpson(lambda x: x * x, np.float32(0.5), 1.5)"]),
    Case("newton", """
def newton(f, slope, x, steps=3):
    for _ in range(steps):
        x = x - f(x) / slope(x)
    return x
""", "newton(lambda x: x * x - 2, lambda x: 2 * x, 1.0)", each("newton(lambda x: x * x - 2, lambda x: 2 * x, {})", [F64, F32, I64, C128, *NUMBERS])),
    Case("rk2", """
def rk2(f, y, t, h):
    first = f(t, y)
    second = f(t + h, y + h * first)
    return y + h / 2 * (first + second)


class Mixed:
    def __init__(self, *values):
        self.values, self.at = values, -1

    def __call__(self, t, y):
        self.at += 1
        return self.values[self.at % len(self.values)]
""", "rk2(lambda t, y: -y, np.array([1.0]), 0.0, 0.1)",
         [f"rk2({f}, {y}, 0, {h})" for f in CALLBACKS for y, h in ((F64, "0.1"), (F32, "np.float32(0.1)"), (I64, "1"), ("3", "1"), ("2.0", "0.5"))]
         + [f"rk2(Mixed({a}, {b}), {y}, 0.0, 0.5)" for a in RESULTS for b in RESULTS for y in (F64, "1.0", "2")]),
    Case("descent", """
def descend(slope, x, rate=0.1, steps=3):
    for _ in range(steps):
        x = x - rate * slope(x)
    return x
""", "descend(lambda x: 2 * x, np.array([1.0]))",
         [f"descend({f}, {x}, {r})" for f in ("np.sign", "np.exp", "lambda x: 1", "lambda x: np.arange(3)", "lambda x: [1.0]") for x in (F64, F32, I64, "3", "2.5") for r in ("0.1", "1")]),
    Case("mapped", """
def mapped(f, rows):
    return np.array([f(np.asarray(row)) for row in rows])
""", "mapped(lambda r: r.sum(), [[1.0, 2.0]])", each("mapped(lambda r: r.sum() * 2, {})", MATRICES + ["[[1, 2], [3, 4, 5]]", "[(True, False)]"])),
    Case("kinds", """
ACTIVATIONS = {
    "relu": lambda x: np.maximum(x, 0),
    "square": np.square,
    "soft": lambda x: np.log1p(np.exp(x)),
}


def activate(x, kind="relu"):
    return ACTIVATIONS[kind](x)
""", "activate(np.array([1.0]))", each("activate({})", REAL) + each("activate({}, 'square')", ANY) + each("activate({}, 'soft')", REAL)),
    # ---------------------------------------------------------------------------------- kinds of parameters
    Case("rescale", """
def rescale(x, *, low=0.0, high=1.0):
    return low + (high - low) * (x - np.min(x)) / np.ptp(x)
""", "rescale(np.array([1.0, 2.0]))", each("rescale({})", [F64, F32, I64, U8], f"rescale({F32}, low=2, high=3)", f"rescale({I64}, low=-1)", f"rescale({F64}, high=np.float32(2))")),
    Case("centred", """
def centred(x, origin=None):
    if origin is None:
        origin = np.mean(x, axis=0)
    return x - origin
""", "centred(np.array([1.0, 2.0]))", each("centred({})", ANY) + each("centred({}, 1)", [F64, F32, I64, C128]) + [f"centred({I64}, {F32})", f"centred({M64}, [1, 2])"]),
    Case("weighted", """
def weighted(x, weights=None):
    x = np.asarray(x)
    if weights is None:
        weights = np.ones(x.shape)
    return np.sum(x * weights) / np.sum(weights)
""", "weighted([1.0, 2.0])", each("weighted({})", ANY) + each("weighted({}, [1, 2, 1])", REAL) + [f"weighted({F32}, {F32})", f"weighted({I64}, {I64})"]),
    Case("total", """
def total(*parts):
    out = 0
    for part in parts:
        out = out + np.asarray(part)
    return out
""", "total(np.array([1.0]))", each("total({})", ANY) + [f"total({F32}, {F32})", f"total({F32}, [1, 2, 3])", f"total({I64}, {C128}, 2)", "total()", f"total({U8}, {U8})"]),
    Case("columns", """
def columns(*vectors):
    return np.column_stack(vectors)
""", "columns(np.array([1.0]), np.array([2.0]))", each("columns({}, np.array([1, 2, 3]))", ANY) + [f"columns({F32}, {F32})", "columns([1, 2], [3, 4])"]),
    Case("options", """
def spread(x, **options):
    return np.std(x, **options)
""", "spread(np.array([1.0, 2.0]))", each("spread({})", ANY, f"spread({M64}, axis=0)", f"spread({F32}, ddof=1)", f"spread({M32}, axis=1, keepdims=True)", "spread([1, 2, 4], ddof=1)")),
    Case("smooth", """
def smooth(x, kernel=(0.25, 0.5, 0.25)):
    return np.convolve(x, kernel, mode="same")
""", "smooth(np.array([1.0, 2.0, 3.0]))", each("smooth({})", ANY, f"smooth({I64}, [1, 1])", f"smooth({F32}, np.array([0.5, 0.5], dtype=np.float32))", f"smooth({C128}, [1, 1j])")),
    Case("looked_up", """
def looked_up(x, xs=(0, 1, 2), ys=(0, 10, 40)):
    return np.interp(x, xs, ys)
""", "looked_up(np.array([0.5]))", each("looked_up({})", REAL + NUMBERS, "looked_up(0.5, [0, 1], [1j, 2])", f"looked_up(1.5, {I64}, {F32})")),
    Case("typed", """
def typed(x, dtype=float):
    return np.zeros(len(x), dtype=dtype) + x
""", "typed(np.array([1.0]))", each("typed({})", ANY, f"typed({F32}, np.float32)", f"typed({I64}, int)", f"typed({U8}, np.uint8)", f"typed({C128}, complex)")),
    Case("axpy", """
def axpy(a, x, y, out=None):
    result = a * x + y
    if out is None:
        return result
    out[...] = result
    return out
""", "axpy(2.0, np.ones(3), np.ones(3))", each("axpy(2, {}, 1)", [F64, F32, I64, C128]) + [f"axpy(0.5, {I64}, {F32})", f"axpy(0.5, {F64}, {F64}, o := np.zeros(3)), o", f"axpy(2, {F64}, 1, o := np.zeros(3, dtype=np.float32)), o", "axpy(2, 3.5, 1)", f"axpy({F64}, {F32}, 1j)"]),
    Case("stepped", """
def stepped(x, step=2):
    return x[::step]
""", "stepped(np.array([1.0, 2.0]))", each("stepped({})", ANY, f"stepped({F32}, 1)", f"stepped({M64}, np.int64(2))", "stepped('abcd')")),
    # ------------------------------------------------------------------------- calls, recursion, results, stores
    Case("matrix_power", """
def matrix_power(a, n):
    if n == 0:
        return np.eye(len(a))
    half = matrix_power(a, n // 2)
    return half @ half @ a if n % 2 else half @ half
""", "matrix_power(np.eye(2), 3)", each("matrix_power({}, 3)", MATRICES) + each("matrix_power({}, 0)", MATRICES)),
    Case("losses", """
def logistic(z):
    return 1 / (1 + np.exp(-z))


def cross_entropy(p, y):
    return -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p))


def loss(w, x, y):
    return cross_entropy(logistic(np.dot(x, w)), y)
""", "loss(np.ones(2), np.eye(2), np.array([0, 1]))",
         each("loss(np.array([0.5, -0.5]), {}, np.array([0, 1]))", MATRICES) + each("logistic({})", [F64, F32, I64, C128, *NUMBERS]) + ["cross_entropy(np.array([0.5, 0.25]), [1, 0])", "loss([1, 2], [[0.5, 1], [1, 0]], [0, 1])"]),
    Case("fill_above", """
def fill_above(x, limit):
    x[x > limit] = limit
    return x
""", "fill_above(np.array([1.0, 2.0]), 1.5)", each("fill_above(x := {}, 2), x", [F64, F32, I64, U8, BOOL]) + [f"fill_above(x := {I64}, 2.5), x", f"fill_above(x := {F32}, 0.1), x", "fill_above([1, 2], 1)"]),
    Case("add_to", """
def add_to(acc, x):
    acc += x
    return acc
""", "add_to(np.zeros(2), np.ones(2))",
         [f"add_to(a := {a}, {b}), a" for a in (F64, F32, I64, C128) for b in (F64, I64, "2", "0.5")] + ["add_to(1, 2)", "add_to(a := [1], [2]), a"]),
    Case("normalise_rows", """
def normalise_rows(m):
    for i in range(len(m)):
        m[i] /= np.linalg.norm(m[i])
    return m
""", "normalise_rows(np.eye(2))", each("normalise_rows(m := {}), m", MATRICES[:4]) + [f"normalise_rows(m := np.array({M64})), m", "normalise_rows(np.ones((2, 2), dtype=np.float16))"]),
    Case("polar", """
def polar(x, y):
    return np.hypot(x, y), np.arctan2(y, x)
""", "polar(np.array([1.0]), np.array([0.0]))", each("polar({})", PAIRS) + ["polar(3, 4)", "polar(0.5, np.float32(2))"]),
    Case("summary", """
def summary(x):
    x = np.asarray(x)
    return {"n": len(x), "low": np.min(x), "mean": x.mean(), "total": x.sum(), "shape": x.shape}
""", "summary([1.0, 2.0])", each("summary({})", ANY)),
    Case("powers", """
def powers(x, n):
    return np.stack([np.asarray(x) ** k for k in range(n)])
""", "powers(np.array([1.0]), 2)", each("powers({}, 3)", ANY + NUMBERS)),
    Case("split_first", """
def split_first(x):
    first, *rest = x
    return first, np.array(rest)
""", "split_first(np.array([1.0, 2.0]))", each("split_first({})", ANY)),
    # ------------------------------------------------------------------------------------------- tests and branches
    Case("as_column", """
def as_column(x):
    x = np.asarray(x)
    if x.ndim == 1:
        return x[:, None]
    return np.atleast_2d(x)
""", "as_column(np.array([1.0]))", each("as_column({})", ANY + MATRICES + NUMBERS)),
    Case("magnitude", """
def magnitude(x):
    if isinstance(x, (int, float)):
        return abs(x)
    return np.sqrt(np.sum(x * x))
""", "magnitude(np.array([3.0, 4.0]))", each("magnitude({})", [F64, F32, I64, C128, U8, "2.5", "-3", "np.float32(2)"])),
    Case("safe_ratio", """
def safe_ratio(a, b):
    try:
        return a / b
    except ZeroDivisionError:
        return 0.0
""", "safe_ratio(1.0, 2.0)", each("safe_ratio({})", PAIRS) + ["safe_ratio(1, 0)", f"safe_ratio({I64}, 0)", "safe_ratio(np.float64(1), 0)"]),
    Case("roots", """
def root(x, steps=6):
    y = x
    for _ in range(steps):
        y = 0.5 * (y + x / y)
    return y
""", "root(2.0)", each("root({})", [F64, F32, I64, C128, *NUMBERS])),
    Case("positive_mean", """
def positive_mean(x):
    x = np.asarray(x)
    return x[x > 0].mean()
""", "positive_mean(np.array([1.0]))", each("positive_mean({})", REAL + [BOOL])),
    Case("padded", """
def padded(x, n):
    out = np.zeros(n)
    out[: len(x)] = x
    return out
""", "padded(np.array([1.0]), 2)", each("padded({}, 4)", REAL + [BOOL])),
    Case("huber", """
def huber(r, delta=1.0):
    r = np.abs(r)
    return np.where(r <= delta, 0.5 * r ** 2, delta * (r - 0.5 * delta))
""", "huber(np.array([0.5, 2.0]))", each("huber({})", ANY + NUMBERS) + [f"huber({F32}, 2)", f"huber({I64}, {F64})"]),
    Case("drawdown", """
def drawdown(p):
    peak = np.maximum.accumulate(p)
    return (peak - p) / peak
""", "drawdown(np.array([1.0, 2.0]))", each("drawdown({})", [F64, F32, I64, U8, *LISTS])),
    Case("gram", """
def gram(a):
    a = np.asarray(a)
    return a.T @ a
""", "gram(np.eye(2))", each("gram({})", MATRICES + [F64, F32, "np.array([[200, 1], [2, 3]], dtype=np.uint8)"])),
    Case("blend", """
WEIGHTS = np.array([0.25, 0.5, 0.25])


def blend(x):
    return np.dot(x, WEIGHTS)
""", "blend(np.array([1.0, 2.0, 3.0]))", each("blend({})", ANY)),
    Case("annotated", """
def halve(x: float) -> float:
    return np.sqrt(x) / 2
""", "halve(4.0)", each("halve({})", [F64, F32, I64, *NUMBERS])),
    Case("listed", """
from typing import Sequence


def variation(values: Sequence[float]) -> float:
    return np.abs(np.diff(values)).sum()
""", "variation([1, 2, 4])", each("variation({})", ANY)),
    Case("product_table", """
def product_table(a, b):
    return np.outer(a, b) + 1
""", "product_table([1, 2], [1, 2])", each("product_table({})", PAIRS) + [f"product_table({U8}, {U8})", "product_table(2, [1.5, 2])"]),
    Case("ordered", """
def _northern(lat):
    if lat < -90 or lat > 300:
        return True
    return bool(np.isnan(np.deg2rad(lat)))


def ordered(lat):
    return np.where(_northern(lat), 1.0, 2.0)
""", "ordered(45.0)", [
        f"ordered({one})" for one in ("0.5", "np.float64(0.5)", "100", "np.uint8(200)", "np.int8(100)", "np.array(7, dtype=np.uint8)")
    ]),
]  # fmt: skip

# ------------------------------------------------ two parameters, one of which is coerced, reduced or without axes
MEETING = {
    "coerced_times": "x = np.asarray(x, dtype=float)\nreturn x * y",
    "signed": "return np.where(x > 0, 1.0, -1.0) * y",
    "coerced_plus": "x = np.asarray(x)\nreturn x + y",
    "coerced_both": "x, y = np.asarray(x), np.asarray(y)\nreturn x * y + 1",
    "averaged": "m = np.mean(x)\nreturn m * y",
    "without_sum": "s = np.sum(x, axis=0)\nreturn y - s",
    "around_mean": "x = np.array(x, dtype=np.float64)\nx = x - x.mean()\nreturn x / y",
    "shifted": "t = np.full(3, 2.0)\nreturn t * x + y",
    "ratio": "return (x - y) / (np.abs(x) + np.abs(y))",
    "mixture": "return 2 * x - 0.1 * y",
    "first_times": "x = np.atleast_1d(x)\nreturn x[0] * y",
    "total_times": "return np.float64(x.sum()) * y",
    "spread_out": "r = np.ones(len(x))\nr = r * y\nreturn r + x",
    "alike": "return np.invert(x == y)",
    "greater": "x = np.asarray(x)\nreturn np.where(x < y, np.pi, x)",
}
"""By name, functions of `x` and `y`, which promote to other dtypes where one of them is a number or has no axes."""
VALUES = [F64, F32, I64, C128, "[1, 2, 4]", *NUMBERS]
CASES += [
    Case(
        name, f"\ndef {name}(x, y):\n{lines(body)}",
        f"{name}(np.ones(3), 1.0)", [f"{name}({one}, {other})" for one in VALUES for other in VALUES],
    )
    for name, body in MEETING.items()
]  # fmt: skip
