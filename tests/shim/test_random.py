"""The shim's random streams against NumPy's, bit for bit."""

import warnings
from types import ModuleType

import numpy as np
import pytest
import torch

from np2torch import shim
from np2torch.shim import random as R
from np2torch.shim.random import twins


@pytest.fixture(autouse=True, params=["ours", "numpys"])
def whose(request, monkeypatch):
    """Every test is run with our own generators, and with NumPy's wherever they may draw."""
    monkeypatch.setattr(twins, "FEWEST", 2**63 if request.param == "ours" else 1)

warnings.simplefilter("ignore", DeprecationWarning)
A = [1.3, 2.0, 5.0]
X3 = np.arange(24.0).reshape(4, 3, 2)
P5 = [0.1, 0.2, 0.3, 0.25, 0.15]


def pair(kind, seed):
    if kind == "legacy":
        return np.random.RandomState(seed), R.RandomState(seed)
    return np.random.default_rng(seed), R.default_rng(seed)


def assert_same(expected, found):
    """Same type (a 0-D tensor for a NumPy scalar), dtype, shape and bits."""
    if isinstance(expected, (np.ndarray, np.generic)):
        assert isinstance(found, torch.Tensor)
        found = found.numpy()
        assert (expected.dtype, expected.shape) == (found.dtype, found.shape)
        assert np.array_equal(expected, found, equal_nan=expected.dtype.kind == "f")
    else:
        assert type(expected) is type(found)
        assert expected == found or expected != expected


def assert_same_stream(call, kinds=("legacy", "modern"), seeds=(0, 42)):
    """`call(generator, array)` gives the same, and leaves the stream at the same place."""
    for kind in kinds:
        for seed in seeds:
            expected, found = pair(kind, seed)
            assert expected.normal() == found.normal()
            assert_same(call(expected, np.array), call(found, lambda x: torch.from_numpy(np.array(x))))
            assert_same(expected.normal(size=3), found.normal(size=3))
            if kind == "modern":
                assert expected.bit_generator.state == found.bit_generator.state


DISTRIBUTIONS = [
    ("beta", (0.5, 0.7)), ("beta", (2.0, 3.0)), ("beta", (1e-200, 1e-200)), ("beta", (0.01, 0.02)),
    ("binomial", (10, 0.3)), ("binomial", (10, 0.8)), ("binomial", (1000, 0.4)), ("binomial", (100000, 0.9)),
    ("binomial", (50, 0.0)), ("binomial", (0, 0.5)), ("binomial", (5, 1.0)), ("binomial", ([5, 10, 500], 0.4)),
    ("chisquare", (3.0,)), ("chisquare", (1.0,)), ("exponential", (2.0,)), ("f", (3.0, 4.0)),
    ("gamma", (2.5, 1.5)), ("gamma", (0.3,)), ("gamma", (1.0,)), ("gamma", (0.0,)), ("gamma", (A, [1, 2, 3])),
    ("geometric", (0.5,)), ("geometric", (0.1,)), ("geometric", (1e-4,)), ("gumbel", (1.0, 2.0)),
    ("hypergeometric", (10, 20, 5)), ("hypergeometric", (100, 200, 50)), ("hypergeometric", (200, 100, 250)),
    ("hypergeometric", (20, 10, 12)), ("hypergeometric", (20000, 10000, 1200)),
    ("laplace", (1.0, 2.0)), ("logistic", (1.0, 2.0)), ("lognormal", (0.1, 0.5)), ("lognormal", (1000.0, 1.0)),
    ("logseries", (0.7,)), ("logseries", (0.99,)), ("negative_binomial", (5, 0.3)),
    ("negative_binomial", (0.5, 0.01)), ("noncentral_chisquare", (3.0, 2.0)), ("noncentral_chisquare", (0.5, 2.0)),
    ("noncentral_chisquare", (0.5, 0.0)), ("noncentral_f", (3.0, 4.0, 1.0)), ("normal", (1.0, 2.0)),
    ("normal", (A, 2.0)), ("normal", (float("nan"), 1.0)), ("pareto", (3.0,)), ("pareto", (1e-4,)),
    ("poisson", (3.0,)), ("poisson", (30.0,)), ("poisson", (1e6,)), ("poisson", (0.0,)), ("poisson", (10.0,)),
    ("poisson", (A,)), ("power", (3.0,)), ("random", ()), ("rayleigh", (2.0,)), ("standard_cauchy", ()),
    ("standard_exponential", ()), ("standard_gamma", (2.0,)), ("standard_normal", ()), ("standard_t", (3.0,)),
    ("triangular", (0.0, 1.0, 3.0)), ("uniform", (-1.0, 4)), ("uniform", (A, 7.0)),
    ("vonmises", (0.0, 1.0)), ("vonmises", (1.0, 1e-6)), ("vonmises", (1.0, 1e-9)), ("vonmises", (3.0, 1e7)),
    ("vonmises", (2.0, 50.0)), ("wald", (1.0, 2.0)), ("weibull", (2.0,)), ("weibull", (0.0,)), ("zipf", (2.0,)),
    ("zipf", (1.1,)), ("multinomial", (20, [0.2, 0.3, 0.5])), ("multinomial", (1000, [0.5, 0.1, 0.4])),
    ("dirichlet", ([0.5, 1.0, 2.0],)), ("dirichlet", ([0.05, 0.01, 0.02],)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "args"), DISTRIBUTIONS, ids=lambda x: str(x))
def test_distributions(name, args):
    vectors = name in ("multinomial", "dirichlet")
    for size in (None, 5, (200, 3), (0, 3), ()):
        if size in (5, (), (0, 3)) and not vectors and any(isinstance(x, list) for x in args):
            size = (2, 3)
        assert_same_stream(lambda g, _, size=size: getattr(g, name)(*args, size=size))


@pytest.mark.parametrize("dtype", "bool uint8 int8 uint16 int16 uint32 int32 uint64 int64".split())
def test_integers(dtype):
    low, high = (0, 1) if dtype == "bool" else (int(np.iinfo(dtype).min), int(np.iinfo(dtype).max))
    ranges = [(0, 1), (0, 2 if dtype == "bool" else 100), (low, high + 1), (0, high), (low // 2, high // 3 * 2 + 1)]
    calls = [(a, b, size) for a, b in ranges for size in (None, 1, 7, (50, 3), ())]
    calls.append(([0, 0, 0], [1, 2, 2] if dtype == "bool" else [10, 100, 3], (40, 3)))
    for call in calls:
        assert_same_stream(lambda g, _, call=call: ints(g)(*call, dtype=dtype))


def ints(g):
    return g.integers if hasattr(g, "integers") else g.randint


SHUFFLES = {
    "default dtype": lambda g, a: ints(g)(10),
    "python int": lambda g, a: ints(g)(10, dtype=int),
    "python bool": lambda g, a: ints(g)(2, dtype=bool),
    "0-d bounds": lambda g, a: ints(g)(a(3), a(10), 5),
    "length-1 bound": lambda g, a: ints(g)([10]),
    "array bounds": lambda g, a: ints(g)(a([10, 20])),
    "float bound": lambda g, a: ints(g)(0, 10.7, 4),
    "40 bits": lambda g, a: ints(g)(-(2**40), 2**40, 400),
    "permutation": lambda g, a: g.permutation(5),
    "permutation 1000": lambda g, a: g.permutation(1000),
    "permutation array": lambda g, a: g.permutation(a(np.arange(50.0))),
    "permutation rows": lambda g, a: g.permutation(a(X3)),
    "permutation list": lambda g, a: g.permutation([3, 1, 4, 1, 5]),
    "bytes": lambda g, a: g.bytes(13),
    "choice list": lambda g, a: g.choice(A),
    "choice large": lambda g, a: g.choice(20000, 700, replace=False),
    "choice huge": lambda g, a: g.choice(10**5, 10, replace=False),
    "choice tail": lambda g, a: g.choice(20000, 5000, replace=False),
    "choice str": lambda g, a: str(g.choice(["red", "green", "blue"])),
    "broadcast": lambda g, a: g.normal(a([1.0, 2.0]), a([[1.0], [3.0]]), size=(4, 2, 2)),
    "broadcast alone": lambda g, a: g.normal(a([1.0, 2.0]), a([[1.0], [3.0]])),
    "empty": lambda g, a: g.normal(a([]), 1.0),
    "0-d": lambda g, a: g.normal(a(1.0), a(2.0)),
    "float32 parameter": lambda g, a: g.normal(a(np.float32([1, 2])), 1),
    "int parameter": lambda g, a: g.poisson(a([1, 2]), (3, 2)),
    "many normals": lambda g, a: g.normal(size=20001),
    "dirichlet zero": lambda g, a: g.dirichlet([0.05, 0.02, 0.01]),
}


@pytest.mark.parametrize("name", SHUFFLES)
def test_both(name):
    assert_same_stream(SHUFFLES[name])


@pytest.mark.parametrize("size", [None, 3, (2, 2), 0, ()])
def test_choice(size):
    assert_same_stream(lambda g, a: g.choice(5, size))
    assert_same_stream(lambda g, a: g.choice(5, size, replace=False))
    assert_same_stream(lambda g, a: g.choice(5, size, p=P5))
    assert_same_stream(lambda g, a: g.choice(5, size, replace=False, p=P5))
    assert_same_stream(lambda g, a: g.choice(a([1, 2, 7.0]), size))
    assert_same_stream(lambda g, a: g.choice(a([1, 2, 7.0, 8, 9]), size, replace=False, p=a(P5)))
    assert_same_stream(lambda g, a: g.choice(a(X3), size, axis=1), ["modern"])
    assert_same_stream(lambda g, a: g.choice(50, size, replace=False, shuffle=False), ["modern"])


def shuffled(x, **how):
    def call(g, a):
        array = a(x)
        assert g.shuffle(array, **how) is None
        return array

    return call


def test_shuffle():
    for x in (np.arange(20), np.arange(1000.0), X3, np.arange(1), np.arange(0)):
        assert_same_stream(shuffled(x))
    assert_same_stream(shuffled(X3, axis=1), ["modern"])

    def as_list(g, _):
        items = list("abcdefghijkl")
        g.shuffle(items)
        return "".join(items)

    assert_same_stream(as_list)


def test_shuffle_writes_through_views():
    expected, found = pair("modern", 3)
    x, y = np.arange(24.0).reshape(4, 6), torch.arange(24.0, dtype=torch.float64).reshape(4, 6)
    expected.shuffle(x[:, 2])
    found.shuffle(y[:, 2])
    assert_same(x, y)


@pytest.mark.parametrize("axis", [None, 0, 1, 2, -1])
def test_permuted(axis):
    assert_same_stream(lambda g, a: g.permuted(a(X3), axis=axis), ["modern"])
    assert_same_stream(lambda g, a: g.permuted(a(X3).T, axis=axis), ["modern"])  # columns first in memory


MODERN = {
    "random float32": lambda g, a: g.random(501, dtype=np.float32),
    "random out": lambda g, a: g.random(out=a(np.zeros(5))),
    "normal float32": lambda g, a: g.standard_normal((25, 25), dtype="f4"),
    "exponential float32": lambda g, a: g.standard_exponential(500, dtype="float32"),
    "exponential inversion": lambda g, a: g.standard_exponential(500, method="inv"),
    "gamma float32": lambda g, a: g.standard_gamma(2.5, 500, dtype="f4"),
    "scalar float32": lambda g, a: g.standard_normal(dtype="f4"),
    "endpoint": lambda g, a: g.integers(5, 9, 100, endpoint=True),
    "permutation axis": lambda g, a: g.permutation(a(X3), axis=2),
    "multinomial n": lambda g, a: g.multinomial([3, 5], [0.2, 0.8]),
    "multinomial rows": lambda g, a: g.multinomial(10, [[0.2, 0.8], [0.5, 0.5]], size=(3, 2)),
    "dirichlet sticks": lambda g, a: g.dirichlet([0.05, 0.0, 0.0]),
    "zipf": lambda g, a: g.zipf(2000.0, 4),
    "marginals": lambda g, a: g.multivariate_hypergeometric([16, 8, 4], 20, 5, method="marginals"),
    "count": lambda g, a: g.multivariate_hypergeometric([16, 8, 4], 6, 5, method="count"),
    "exponentials": lambda g, a: g.standard_exponential(100001),
    "normals": lambda g, a: g.standard_normal(300001),
}


@pytest.mark.parametrize("name", MODERN)
def test_modern(name):
    assert_same_stream(MODERN[name], ["modern"], seeds=range(4))


LEGACY = {
    "rand": lambda g, a: g.rand(),
    "rand shape": lambda g, a: g.rand(3, 2),
    "rand empty": lambda g, a: g.rand(0, 3),
    "randn": lambda g, a: g.randn(),
    "randn odd": lambda g, a: g.randn(3, 33),
    "randn many": lambda g, a: g.randn(50001),
    "random_sample": lambda g, a: g.random_sample(4),
    "tomaxint": lambda g, a: g.tomaxint(5),
    "tomaxint scalar": lambda g, a: g.tomaxint(),
    "random_integers": lambda g, a: g.random_integers(5, size=4),
    "random_integers scalar": lambda g, a: g.random_integers(5),
}


@pytest.mark.parametrize("name", LEGACY)
def test_legacy(name):
    assert_same_stream(LEGACY[name], ["legacy"])


COVARIANCE = [[2.0, 0.3, 0.1], [0.3, 1.0, 0.2], [0.1, 0.2, 3.0]]


@pytest.mark.parametrize("method", [None, "svd", "eigh", "cholesky"])
def test_multivariate_normal(method):
    expected, found = pair("legacy" if method is None else "modern", 5)
    how = {} if method is None else {"method": method}
    for size in (None, 4, (2, 3)):
        a = expected.multivariate_normal([1.0, 2.0, 3.0], COVARIANCE, size, **how)
        b = found.multivariate_normal([1.0, 2.0, 3.0], COVARIANCE, size, **how)
        np.testing.assert_allclose(b.numpy(), a, rtol=1e-12)
        assert b.shape == a.shape
    with pytest.warns(RuntimeWarning, match="positive-semidefinite"):
        found.multivariate_normal([0.0, 0.0], [[1.0, 2.0], [2.0, 1.0]])


@pytest.mark.parametrize("kind", ["legacy", "modern"])
def test_multivariate_normal_of_tensors(kind):
    expected, found = pair(kind, 5)
    mean, cov = torch.zeros(3, dtype=torch.float64), torch.tensor(COVARIANCE, dtype=torch.float64)
    for size in [None] * 30 + [(20, 2), None]:  # by NumPy's own generator after a while
        a = expected.multivariate_normal(np.zeros(3), np.array(COVARIANCE), size)
        np.testing.assert_allclose(found.multivariate_normal(mean, cov, size).numpy(), a, rtol=1e-10)


ERRORS = {
    "scale": lambda g: g.normal(0, -1),
    "minus zero": lambda g: g.exponential(-0.0),
    "lam": lambda g: g.poisson(-1),
    "lam nan": lambda g: g.poisson(float("nan")),
    "lam large": lambda g: g.poisson(1e30),
    "p": lambda g: g.binomial(5, 1.5),
    "size": lambda g: g.normal([1, 2], 1, size=3),
    "negative size": lambda g: g.normal(size=-1),
    "float size": lambda g: g.normal(size=2.5),
    "triangular": lambda g: g.triangular(3, 2, 1),
    "weights": lambda g: g.choice(3, p=[0.1, 0.1, 0.1]),
    "weights length": lambda g: g.choice(3, 5, p=[0.5, 0.5]),
    "too many": lambda g: g.choice(3, 5, replace=False),
    "uniform": lambda g: g.uniform(0, float("inf")),
    "integers": lambda g: ints(g)(5, 5),
    "integers dtype": lambda g: ints(g)(5, dtype=float),
    "integers range": lambda g: ints(g)(0, 300, dtype="uint8"),
    "hypergeometric": lambda g: g.hypergeometric(2, 3, 9),
    "multinomial": lambda g: g.multinomial(10, [0.9, 0.8, 0.1]),
    "dirichlet": lambda g: g.dirichlet([1, -1]),
    "complex": lambda g: g.normal(1j),
}


@pytest.mark.parametrize("name", ERRORS)
@pytest.mark.parametrize("kind", ["legacy", "modern"])
def test_errors(name, kind):
    expected, found = pair(kind, 0)
    with pytest.raises(Exception) as error:
        ERRORS[name](expected)
    with pytest.raises(type(error.value)):
        ERRORS[name](found)


def test_module_functions_are_one_stream():
    np.random.seed(7)
    shim.random.seed(7)
    for call in (
        lambda m: m.rand(2), lambda m: m.randn(3), lambda m: m.randint(0, 10, 4), lambda m: m.choice(5, 2, False),
        lambda m: m.permutation(4), lambda m: m.normal(), lambda m: m.ranf(2), lambda m: m.sample(),
        lambda m: m.random(),
    ):  # fmt: skip
        assert_same(call(np.random), call(shim.random))


def test_exports_are_numpys():
    assert set(R.__all__) <= {name for name in dir(np.random) if not name.startswith("_")}
    assert isinstance(R, ModuleType)
    assert all(hasattr(R, name) for name in R.__all__)
    for theirs, ours in ((np.random.Generator, R.Generator), (np.random.RandomState, R.RandomState)):
        missing = {n for n in dir(theirs) if not n.startswith("_")} - set(dir(ours))
        assert not missing


OF_NDARRAYS = [
    "choice(x[0], 3)", "choice(x[0])", "choice(texts, 2)", "choice(texts)", "choice(np.int64(5), 2)", "choice(x, 2)",
    "choice(x[0], 3, p=np.array([0.1, 0.2, 0.3, 0.4]))", "permutation(x)", "permutation(texts)",
    "permutation(x[0] < 2)", "permutation(np.int64(5))", "choice(np.float64(5), 2)",
    "shuffle(x)", "shuffle(texts)", "permuted(x, axis=1)",
]  # fmt: skip


@pytest.mark.parametrize("call", OF_NDARRAYS)
@pytest.mark.parametrize("kind", ["RandomState", "default_rng"])
def test_ndarrays_that_libraries_give(kind, call):
    """Every ndarray has `__index__`, and only one of no dimensions stands for a number; texts stay NumPy's."""
    found = []
    for numpy in (np, shim):
        names = {"g": getattr(numpy.random, kind)(5), "x": np.arange(12.0).reshape(3, 4), "np": np}
        names["texts"] = np.array(["a", "b", "c"])
        try:
            given = np.asarray(eval(f"g.{call}", names)).tolist()
        except Exception as error:
            given = AttributeError if isinstance(error, AttributeError) else ValueError
        found.append((given, names["x"].tolist(), names["texts"].tolist()))
    assert found[0] == found[1]
