"""Each fixture pair: the text is what the converter gives, it is a fixed point, and both sides do the same."""

from __future__ import annotations

import ast
import warnings
from pathlib import Path

import pytest

from support.fixture_pairs import DEVICE, converted, differences, expected_of, name_of, numpy_files

pytestmark = pytest.mark.filterwarnings("ignore")
PAIRS = [pytest.param(path, id=name_of(path)) for path in numpy_files()]


@pytest.mark.parametrize("path", PAIRS)
def test_conversion_gives_the_expected_text(path: Path):
    done = converted(path)
    assert not done.problems
    assert done.after == expected_of(path).read_text("utf-8")


@pytest.mark.parametrize("path", PAIRS)
def test_a_second_conversion_changes_nothing(path: Path):
    text = expected_of(path).read_text("utf-8")
    again = converted(expected_of(path), text)
    assert not again.problems
    assert again.after == text


@pytest.mark.parametrize("path", PAIRS)
def test_both_sides_do_the_same(path: Path):
    assert list(differences(path, expected_of(path).read_text("utf-8"))) == []


@pytest.mark.long
@pytest.mark.parametrize("path", PAIRS)
def test_both_sides_do_the_same_where_a_policy_names_the_device(path: Path):
    if name_of(path) == "unknown/array_modules":
        pytest.skip("it asks for the type of the shim itself, which is that of a policy")
    device = "cpu" if DEVICE.startswith("cpu") else DEVICE
    assert list(differences(path, converted(path, device=device).after)) == []


@pytest.mark.parametrize("path", PAIRS)
def test_the_output_compiles_without_warnings(path: Path):
    text = expected_of(path).read_text("utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compile(ast.parse(text), str(path), "exec")


HEAD = """import contextlib
import datetime
import fractions
import functools

import numpy as np
import scipy.sparse


"""
ONCE = {  # each was once silently wrong
    "two parameters that are one array": """
def between(a, b):
    a[1:] = b[:-1]
    return a, b


def main():
    x = np.arange(4.0)
    return between(np.zeros(4), x), between(x, x)
""",
    "a flattened array that is returned and written by the caller": """
def early(m):
    return m.flatten()


def main():
    m = np.zeros((2, 2))
    flat = early(m)
    flat[0] = -1.0
    return m, flat
""",
    "NumPy's error out of SciPy": """
from scipy.linalg import inv


def safe(m):
    try:
        return inv(m)
    except np.linalg.LinAlgError:
        return -np.eye(m.shape[0])


def main():
    return safe(np.ones((2, 2))), safe(2.0 * np.eye(2))
""",
    "a quotient by what may be an integer": """
def ratio(q):
    a, b = q
    n = a * a + b * b
    return 2.0 / n


def main():
    pairs = {"w": [1.0, 2.0]}
    return ratio(np.array([1, 2])), ratio(np.array([0.5, 2.0])), ratio([3, 4]), ratio(list(map(float, pairs["w"])))
""",
    "an element of an array of unknown rank is a number": """
def kind(reference):
    values = np.copy(reference)
    return [isinstance(item, (int, float)) for item in values]


def main():
    given = {"a": [1.0, 2.0], "b": np.array([0.5])}
    return kind(given["a"]), kind(given["b"]), kind((3.0, 4.0)), [kind(v) for v in given.values()]
""",
    "np.positive copies": """
def main():
    x = np.arange(3.0)
    y = +x
    y[0] = 100.0
    z = np.positive(x)
    z[1] = 50.0
    return x, y, z
""",
    "an element in a set display": """
def main():
    n = np.array([2, 1])
    return n[0] in {2, 5}, n[0] in (2, 5), n[0] not in [2], n[1] in frozenset([1])
""",
    "an element in a repeated list": """
def main():
    x = np.array([1.0, 2.0])
    e = [x[1]] * 2
    x *= 10
    return e, x
""",
    "an element kept by another function": """
def main():
    x = np.array([1.0, -2.0])
    state = {}

    def update(v):
        state["last"] = v

    for v in x:
        update(v)
    x[:] = 0
    return state, x
""",
    "elements in displays and comprehensions": """
def main():
    x = np.array([1.0, 2.0, 3.0])
    a, b, c = [x[i] for i in range(2)], [*[x[0]], x[1]] + [x[2]], [0.0] * 2 + [x[0]]
    d = tuple(x[i] for i in (2, 1))
    x[:] = 9.0
    return a, b, c, d, x
""",
    "an element a method keeps": """
class Best:
    def __init__(self):
        self.value, self.seen = None, []

    def offer(self, v, w=0):
        self.value = v
        self.seen.append((v, w))


def main():
    x, best = np.array([3.0, 4.0]), Best()
    best.offer(x[1], x[0])
    x *= 2
    return best.value, best.seen
""",
    "an element by percent s": """
def main():
    x = np.array([0.5, 2.5])
    return "%s" % x[0], "%s %s" % (x[0], x.mean())
""",
    "a bool array to a power, its dtype unknown": """
def power(x: np.ndarray):
    return x ** 2


CASES = {"power": [(np.array([True, False]),)]}
""",
    "abs of an array that may be bool": """
def size(x: np.ndarray):
    return np.abs(x), np.floor(x)


CASES = {"size": [(np.array([True, False]),)]}
""",
    "operands of which nothing is known": """
def scaled(x, k=2):
    return x * k, x / 2


CASES = {"scaled": [(np.array([1, 2]), 0.5)]}
""",
    "float32 elements as text": """
def main():
    x = np.array([0.1, 2.5], dtype=np.float32)
    return f"{x[0]}", "%s" % x[0], "{}".format(x[0]), str(x[0])
""",
}
ONCE |= {  # what the two libraries share, copy and round differently
    "views of a matrix whose source is written": """
def main():
    a = np.arange(9.0).reshape(3, 3)
    d, e, b = np.diag(a), np.diagonal(a), np.float64(a)
    r = a.reshape(-1)
    a[0, 0] = 99.0
    b[1, 1] = -1.0
    r[2] = 7.0
    return a, d, e, b, r
""",
    "a real array and its conjugate": """
def main():
    x = np.array([1.0, 2.0])
    same, copied = x.conj(), np.conj(x)
    x[0] = 5.0
    return same, copied
""",
    "ranges of fractions": """
def main():
    return np.arange(0.1, 9, 0.7), np.arange(0, 1, 0.1), np.arange(0.5, 4, 0.25), np.linspace(0, 1, 11)
""",
    "complex zeros and infinities": """
def main():
    z = np.array([1 + 0j, 1j, complex(0, np.inf), complex(np.nan, 1), 0j])
    return np.angle(-z), z - z[::-1], z + z[::-1], z - 1, 1 - z, np.reciprocal(z)
""",
    "remainders of quotients that overflow": """
def main():
    x, d = np.array([1.0, -7.3, 1e308, -3.0]), np.array([5e-324, 1e-310, 1e-300, np.inf])
    return np.fmod(x, d), np.remainder(x, d[::-1])
""",
    "numbers out of text and None, and beyond int64": """
def main():
    x = np.zeros(3)
    x[0] = None
    n = np.array([1, 2])
    return x, np.array([1.0, None], dtype=float), np.array(["1", "2.5"], dtype=float), np.array([-1, 2**63]), n
""",
    "small unsigned integers as indices": """
def main():
    x = np.arange(5.0)
    return [x[np.array([0, 1], dtype=t)] for t in (np.uint16, np.uint64)], x[np.array([3, 1], dtype=np.uint32)]
""",
    "a line fitted to float32": """
def main():
    x = np.array([0, 1, 3], dtype=np.float32)
    return np.polyfit(x, x * 2 + 1, 1)
""",
    "errors that are caught": """
def shaped(x):
    try:
        return x.reshape(2, 2)
    except (KeyError, ValueError):
        return None


def main():
    x, rows = np.arange(3), [np.array([1, 2])]
    try:
        found = np.array([2, 2]) in rows
    except ValueError:
        found = "ambiguous"
    with contextlib.suppress(ValueError):
        x[:] = np.ones(5, dtype=int)
        found = "stored"
    return shaped(x), shaped(np.arange(4)), found
""",
    "a cache that is given NumPy scalars": """
calls = []


@functools.lru_cache(maxsize=None)
def double(k, by=1):
    calls.append(1)
    return k * 2 * by


def main():
    n = np.int64(3)
    return double(n), double(n + 0), double(np.int64(4), by=n), double(n - 0), len(calls), double.cache_info().hits
""",
    "scalars and arrays inside containers, as text": """
def main():
    x, flag = np.array([1.0, 2.5]), np.array([True])
    print(list(x), (x[0],), [flag[0], x])
    return str(list(x)), f"{[x[0]]}", repr(x), repr(x[1]), repr((x[0], 1)), repr(flag[0])
""",
    "integers divided by zero": """
def main():
    n, z = np.int64(7), np.int64(0)
    return n // z, n % z, 5 // z, np.array([3, 4]) // z
""",
    "numbers given to the standard library": """
def main():
    x = np.array([2.0, 0.25])
    return str(datetime.timedelta(seconds=x[0])), fractions.Fraction(x[1]) + 1
""",
    "the memory of an array": """
def main():
    a = np.arange(3.0)
    memoryview(a.data)[0] = 9.0
    return a, a.data.nbytes
""",
    "a sum of uint8 has a maximum": """
def main():
    a = np.array([[10, 200], [30, 5]], dtype=np.uint8)
    return a - a.sum(axis=0).max(), a.sum(axis=1).argmin()
""",
    "a sparse matrix times an array": """
def main():
    a, m = np.array([1.0, 2.0]), scipy.sparse.csr_matrix([[1.0, 2.0], [0.0, 3.0]])
    return (m @ a) + a, m * 2 @ a
""",
    "grids that are written": """
def grids(n):
    x, y = np.meshgrid(np.arange(n), np.arange(2.0).astype(int))
    return x, y


def flat(m):
    found = m.flatten()
    return found


def main():
    x, y = np.arange(3.0), np.arange(2.0)
    u, v = np.meshgrid(x, y)
    p, q = np.meshgrid(x, y, indexing="ij")
    p[0, 0] = 9.0
    s, t = np.meshgrid(x[1:], y)
    x[2] = 7.0
    a, b = grids(3)
    a[0] = 5
    m = np.eye(2)
    f = flat(m)
    f[0] = 3.0
    return u, v, p, q, s, t, a, b, m, np.meshgrid(y, y), np.einsum("i,j->ij", x, y)
""",
    "a copy of what is read-only": """
def main():
    a = np.arange(4.0).reshape(2, 2)
    d = a.diagonal()
    d = d.copy()
    d[0] = 5.0
    wide = np.broadcast_to(a, (2, 2, 2))
    if d[0] > 1:
        wide = wide + 1
        wide[0] = 0.0
    e = np.diag([d[0], 1.0])
    e += 1
    return a, d, wide, e
""",
}


def note_of(text: str, tmp_path: Path) -> str:
    path = tmp_path / "case_numpy.py"
    path.write_text(HEAD + text.lstrip("\n"), "utf-8")
    return converted(path).after


REFUSED = {  # what torch cannot do as NumPy does it; nothing says so at run time
    "NPT309 rot90": "def main():\n    a = np.eye(3)\n    np.rot90(a)[0, 0] = 9.0\n    return a\n",
    "NPT309 fliplr": "def main():\n    a = np.eye(3)\n    b = np.fliplr(a)\n    b += 1\n    return a\n",
    "NPT309 part": "def main():\n    a = np.arange(9.0)\n    b = a[5:1:-1]\n    a[3] = 0\n    return b\n",
    "NPT307 diagonal": "def main():\n    a = np.eye(3)\n    d = a.diagonal()\n    d[0] = 1\n    return a\n",
    "NPT307 diag": "def main():\n    a = np.eye(3)\n    d = np.diag(a)\n    e = d[1:]\n    e[0] = 1\n    return a\n",
    "NPT307 broadcast_to": "def main():\n    b = np.broadcast_to(np.ones(3), (2, 3))\n    b[0, 0] = 9\n    return b\n",
    "NPT310 except": "def f(x: np.ndarray):\n    try:\n        x = 1 / x\n    except RuntimeWarning:\n        x = 0\n",
    "NPT310 errstate": "def f(x: np.ndarray):\n    with np.errstate(all='raise'):\n        return 1 / x\n",
    "NPT310 warns": "def f(x: np.ndarray):\n    with pytest.warns(RuntimeWarning):\n        np.log(x)\n",
    "NPT301 strings": "def main():\n    return list(np.unique(['b', 'a', 'b']))\n",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_is_refused(name: str, tmp_path: Path):
    assert f"# TODO(np2torch): {name.split()[0]} " in note_of(REFUSED[name], tmp_path)


def test_what_is_only_read_is_not_refused(tmp_path: Path):
    text = "def main(a: np.ndarray):\n    return np.rot90(a).sum() + np.diagonal(np.eye(3))[0] + a[::-1].copy()[0]\n"
    assert "TODO" not in note_of(text, tmp_path)
    assert "TODO" not in note_of("def f(c):\n    m = np.diag([c, c])\n    m += 1\n    return m\n", tmp_path)


OPEN = {
    "a bool array to a power, its dtype unknown": "NumPy answers int8",
    "abs of an array that may be bool": "torch has none",
}
ONCE_WRONG = [
    pytest.param(text, id=name, marks=pytest.mark.xfail(strict=True, reason=OPEN[name]) if name in OPEN else ())
    for name, text in ONCE.items()
]


@pytest.mark.parametrize("text", ONCE_WRONG)
def test_what_was_once_wrong(text: str, tmp_path: Path):
    after = note_of(text, tmp_path)
    assert list(differences(tmp_path / "case_numpy.py", after)) == []
