"""Order statistics, histograms, correlation, differences and interpolation against NumPy."""

import numpy as np
import pytest
import torch

from np2torch.shim import calculus, histograms, linalg, statistics
from support.differential import agree, sample

NAN, INF = float("nan"), float("inf")
SHAPES = [(), (0,), (1,), (2,), (5,), (3, 4), (4, 0), (2, 3, 4)]
METHODS = """inverted_cdf averaged_inverted_cdf closest_observation interpolated_inverted_cdf hazen weibull linear
median_unbiased normal_unbiased lower higher midpoint nearest""".split()


def check(name, *args, **kwargs):
    module = next(m for m in (statistics, histograms, calculus) if hasattr(m, name))
    agree(getattr(np, name), getattr(module, name), *args, **kwargs)


@pytest.mark.parametrize("name", ["median", "nanmedian"])
def test_median(name):
    for dtype in "?bBlLefd":
        for shape in SHAPES:
            for kwargs in [{}, {"axis": 0}, {"axis": -1, "keepdims": True}, {"axis": (0, 1)}, {"keepdims": True}]:
                check(name, sample(dtype, shape, 4), **kwargs)
    x = np.array([[NAN, 2, -INF, 2], [NAN, 5, 5, -1], [NAN, INF, 0.0, 1], [NAN, INF, -INF, 1]])
    for kwargs in [{}, {"axis": 0}, {"axis": 1}, {"axis": 1, "keepdims": True}]:
        check(name, x, **kwargs)
    check(name, [3, 1, 2, 10])


@pytest.mark.parametrize("name", ["quantile", "nanquantile"])
@pytest.mark.parametrize("method", METHODS)
def test_quantile(name, method):
    check(name, (np.arange(65521) % 1000).astype("f"), 0.3, method=method, rtol=0)
    for dtype in "lBdf?":
        for shape in [(1,), (5,), (3, 4)]:
            a = sample(dtype, shape, 6)
            for q in (0.3, 0, 0.5, [0.0, 0.25, 0.5, 0.9, 1.0], [[0.1], [0.8]], np.float32(0.35)):
                for kwargs in [{}, {"axis": -1, "keepdims": True}]:
                    check(name, a, q, method=method, rtol=4e-6 if dtype == "f" else None, atol=1e-15, **kwargs)
    x = np.array([[NAN, 2, 7, 2], [4, 5, 5, -1], [NAN, 8, 0.0, 1], [NAN, NAN, NAN, NAN]])
    check(name, x, [0.2, 0.6], method=method, axis=1)
    check(name, x, 0.6, method=method, axis=0)


@pytest.mark.parametrize("name", ["percentile", "nanpercentile"])
def test_percentile(name):
    for dtype in "ldf":
        a = sample(dtype, (2, 3, 4), 6)
        for q in (30, 99.5, [0, 25, 50, 100], np.array([10, 20]), -1, 101, [50, 300]):
            for kwargs in [{}, {"axis": (0, 2)}, {"axis": 1, "keepdims": True}, {"axis": 5}]:
                check(name, a, q, rtol=4e-6 if dtype == "f" else None, atol=1e-15, **kwargs)
    check(name, [1.0, 2, 3], 50, method="odd")
    check(name, np.array([1j]), 50)
    check(name, np.zeros(0), 50)
    for dtype in "ef":  # places of long arrays, which the dtype itself does not hold
        check(name, (np.arange(65521) % 1000).astype(dtype), 30)
        for q in (np.float32(40), 40):
            check(name, np.arange(5).astype(dtype), q, method="inverted_cdf", weights=np.arange(1, 6.0))
    check(name, [1.0, 2.0], NAN)
    check(name, [1.0, 2.0], [5, NAN])
    check(name, np.array([1, INF, -INF, 2]), [25, 50, 75])
    check(name, [5, 1, 3, 2], [10, 50, 90], method="inverted_cdf", weights=[1, 2, 0, 5])
    if name == "percentile":  # NumPy's nanpercentile fails on weights for an axis
        check(name, sample("d", (3, 4)), 40, method="inverted_cdf", weights=np.arange(1, 5), axis=1)
    check(name, [5, 1], 40, weights=[1, 2])


DATA = np.random.default_rng(0).normal(size=57).round(1)
INTS = np.random.default_rng(1).integers(0, 9, 40)
HISTOGRAMS = [
    (DATA,), (DATA, 7), (DATA, 5, (-1, 1)), (DATA, [-2, -0.5, 0, 0.1, 2]), (INTS,), (INTS, 4),
    (INTS, [0, 3, 3, 8]), (INTS, 9, (0, 9)),
    (DATA.astype("f"), 6), (DATA.reshape(3, 19), 4), ([],), ([], 3, (0, 2)), ([3.0, 3.0], 4), ([NAN, 1.0], 3),
    ([NAN, 1.0], 3, (0, 2)),
    (DATA, 0), (DATA, 2.5), (DATA, [3, 1, 2]), (DATA, [[1, 2]]), (DATA, 4, (2, 1)), (DATA, 4, (0, INF)),
    ([True, False, True], 2), (DATA, "odd"),
    (INTS.astype("B"), 5), ([0, 1, 2, 3, 4], [0, 1, 2, 3, 4]), (np.linspace(0, 1, 31), 10),
    (np.arange(10) * 0.1, 10, (0, 1)), (5.0, 3), ([1, 1 + 2e-16] * 10, 10), (np.array([-100, 100, 3], np.int8), 4),
]  # fmt: skip


@pytest.mark.parametrize("case", HISTOGRAMS, ids=range(len(HISTOGRAMS)))
def test_histogram(case):
    check("histogram", *case)
    check("histogram_bin_edges", *case)
    check("histogram", *case, density=True)
    for dtype in "ldfF":
        if np.size(case[0]):
            check("histogram", *case, weights=sample(dtype, np.shape(case[0]), 3), rtol=1e-6)
    check("histogram", *case, weights=[1, 2])


@pytest.mark.parametrize("bins", "auto fd doane scott stone rice sturges sqrt".split())
def test_automatic_bins(bins):
    for a in (DATA, INTS, DATA**3, DATA[:2], [], [1.0, 1.0, 1.0], np.array([1, 100, 3]), [4.0]):
        check("histogram", a, bins)
    check("histogram", DATA, bins, (-1, 0.5))
    check("histogram", DATA**3, bins, (-30, 20))
    check("histogram", np.array([-2, 0, 127, -128, 5], np.int8), bins)
    check("histogram", DATA, bins, weights=DATA)


def test_histograms_of_points():
    x, y = DATA[:40], INTS / 2
    edges = np.array([-2, 0, 0.5, 2])
    for bins in (4, [3, 5], edges, [edges, np.arange(6)], [4, edges], [edges, 3]):
        check("histogram2d", x, y, bins)
        check("histogram2d", x, y, bins, density=True)
        check("histogram2d", x, y, bins, range=[[-1, 1], [0, 3]], weights=y)
    check("histogram2d", x, y[:3])
    points = np.stack([x, y, x + y], 1)
    check("histogramdd", points, 3)
    check("histogramdd", points, (2, 3, 4), density=True)
    check("histogramdd", [x, y], [edges, 2])
    check("histogramdd", points, (2, 3))
    check("histogramdd", x, [4])


COUNTS = [
    ([1, 2, 2, 5],), ([],), (np.array([], int),), ([1, 2], [0.5, 1]), ([1, 2], None, 7), ([-1],),
    (np.array([1.5]),), ([[1]],), ([1], [1, 2]), ([True, False],),
    ([1, 1], [1, 2]), (np.array([1, 2], "B"),), ([1], None, -1), ([1], [1j]), (3,),
    ([1, 1], np.array([1, 2], "f"), 4), (np.array([1], "L"),),
]  # fmt: skip


@pytest.mark.parametrize("case", COUNTS, ids=range(len(COUNTS)))
def test_bincount(case):
    check("bincount", *case)


def test_digitize():
    for x in ([0.5, 1, 2.5, NAN, -INF], [[1, 2], [3, 0]], 1.5, np.array([1, 2], "B")):
        for bins in ([0, 1, 2], [2.0, 1.0, 0.5], [1], [], [1, 1, 2], [1, 3, 2], [[1]], np.array([0, 1], "f")):
            for right in (False, True):
                check("digitize", x, bins, right)


def test_covariance():
    a, b = sample("d", (3, 6)), sample("d", (3, 6), 5)
    for m in (a, a[0], a[:, :1], a.astype("f"), sample("l", (2, 4)), sample("D", (2, 4)), a[:, :0], a[:0]):
        for kwargs in [{}, {"rowvar": False}, {"bias": True}, {"ddof": 0}, {"ddof": 2}]:
            check("cov", m, rtol=1e-11, atol=1e-15, **kwargs)
        check("corrcoef", m, rtol=1e-11, atol=1e-15)
    (
        check("cov", a, b),
        check("corrcoef", a[0], b[0]),
        check("cov", a, b, rowvar=False),
        check("corrcoef", a, rowvar=False),
    )
    w, v = np.array([1, 2, 3, 1, 1, 2]), np.array([0.5, 1, 2, 1, 1, 3])
    for kwargs in [
        {"fweights": w},
        {"aweights": v},
        {"fweights": w, "aweights": v},
        {"aweights": v, "ddof": 0},
        {"fweights": v},
    ]:
        check("cov", a, atol=1e-15, **kwargs)
    for kwargs in [{"fweights": w[:3]}, {"aweights": -v}, {"ddof": 1.5}, {"dtype": "f4", "rtol": 1e-5, "atol": 1e-7}]:
        check("cov", a, **kwargs)


@pytest.mark.parametrize("name", ["correlate", "convolve"])
def test_sliding(name):
    for mode in ("valid", "same", "full"):
        for n, m in [(6, 3), (3, 6), (5, 4), (4, 5), (4, 4), (1, 1), (1, 3), (6, 2), (2, 6), (0, 2), (2, 0)]:
            for pair in ("dd", "ll", "fd", "DD", "lD", "??", "bB", "ff", "Dd"):
                x, y = sample(pair[0], (n,), 1), sample(pair[1], (m,), 2)
                check(name, x, y, mode, rtol=1e-5 if pair == "ff" else 1e-11, atol=1e-6 if pair == "ff" else 1e-13)
    check(name, [1, 2, 3], 2), check(name, [[1]], [1]), check(name, [1], [1], "odd")


INTERP = [
    ([0.5, 1, 2.5, 9, -3, NAN, 3], [1, 2, 3], [3, 2, 0]), (1.5, [1, 2], [3.0, 4]),
    ([[1, 2], [1.5, 7]], [1, 2, 4], [0, 10, 20]), ([2], [2], [5]),
    ([1.0, 3], [2], [5]), ([], [1, 2], [3, 4]), ([1], [], []), ([1], [1, 2], [1]), ([1.5], [1, 1, 2], [0, 5, 6]),
    ([1, 2.5], [1, 2, 3], [1 + 1j, 2, 3j]),
    ([0.5, 1.5], [0, 1, 2], [INF, INF, 3]), ([1.5], [0, 1, 2], [1, INF, INF]), ([2.5], [3, 2, 1], [1, 2, 3]),
    ([1.0, 2], [[1, 2]], [[3, 4]]),
]  # fmt: skip


@pytest.mark.parametrize("case", INTERP, ids=range(len(INTERP)))
def test_interp(case):
    check("interp", *case)
    check("interp", *case, left=-1, right=99)
    check("interp", *case, period=2.5) if len(case[1]) == len(case[2]) and case[1] else None


def test_interp_period():
    check("interp", [-180, -170, -185, 185, -10, -5, 0, 365], [190, -190, 350, -350], [5, 10, 3, 4], period=360)
    check("interp", [1.0], [1, 2], [3, 4], period=0)
    check("interp", [NAN, 0.0, 5.0, -1.0], [0.0], [1.0])
    check("interp", [NAN, 0.0, 5.0, -1.0], [0.0], [1.0], left=7, right=8)
    check("interp", [NAN, 0.0], [0.0], [1 + 2j])
    check("interp", [NAN, 0.0], [0.0], [1.0], period=2)
    check("interp", [1.0, NAN], [NAN], [3.0], left=7)
    for fp in ([1, 2, INF, 4], [1, 2, NAN, 4], [INF, 1, 2, -INF], [1, 2 + 1j, INF, 4], [1, complex(2, INF), 3, 4]):
        check("interp", [1, 2, 2.5, 3, 4, 0, NAN], [1, 2, 3, 4], fp)


def test_differences():
    for dtype in "?bBldfD":
        for shape in SHAPES:
            a = sample(dtype, shape, 2)
            for kwargs in [
                {},
                {"n": 2},
                {"axis": 0},
                {"n": 0},
                {"n": -1},
                {"n": 7},
                {"prepend": 1},
                {"append": 2.5, "axis": 0},
                {"axis": 4},
            ]:
                check("diff", a, **kwargs)
            check("ediff1d", a)
            check("ediff1d", a, to_end=[1, 2], to_begin=0)
            check("ediff1d", a, to_begin=2.5)
    check("diff", [1, 2, 4], prepend=[7, 8], append=[9]), check("diff", [[1, 2]], prepend=[[0], [1]])


GRADIENT_ARGS = [(), (2,), (0.5,), (np.array(2.0),)]


def test_gradient():
    for dtype in "lfdDB":
        for shape in [(5,), (2,), (1,), (3, 4), (4, 3, 5), ()]:
            f = sample(dtype, shape, 3)
            loose = {"f": {"rtol": 2e-5, "atol": 1e-5}}.get(dtype, {"atol": 1e-14})
            for args in GRADIENT_ARGS:
                for kwargs in [{}, {"edge_order": 2}, {"axis": 0}, {"axis": (0, -1)}, {"axis": 3}]:
                    check("gradient", f, *args, **kwargs, **loose)
            check("gradient", f, 2, 3.0, **loose)
    f, x, y = sample("d", (4, 5)), np.array([0, 1, 3, 3.5]), np.array([0, 1, 2, 4, 9])
    for kwargs in ({}, {"edge_order": 2}):
        (
            check("gradient", f, x, y, **kwargs),
            check("gradient", f, x, axis=0, **kwargs),
            check("gradient", f, 2, y, **kwargs),
        )
        check("gradient", f, np.arange(4), np.arange(5) * 2, **kwargs), check("gradient", f, x, axis=1, **kwargs)
    check("gradient", f, edge_order=3), check("gradient", f, x, x), check("gradient", f, 1, 2, 3)
    check("gradient", f, [[1]], axis=0)


def test_trapezoid():
    for dtype in "lfdDB?":
        for shape in [(5,), (3, 4), (1,), (0,)]:
            y = sample(dtype, shape, 3)
            for kwargs in [{}, {"dx": 0.5}, {"axis": 0}, {"dx": 2, "axis": -1}]:
                check("trapezoid", y, rtol=1e-5 if dtype == "f" else None, atol=1e-14, **kwargs)
    check("trapezoid", [1, 2, 3], [4, 6, 9.0]), check("trapezoid", sample("d", (3, 4)), [0, 1, 3], axis=0)
    check("trapezoid", sample("d", (2, 3)), sample("d", (2, 3), 9))
    assert calculus.trapz is calculus.trapezoid


def test_cross():
    for dtypes in ("dd", "ll", "lf", "DD", "BB"):
        a, b = sample(dtypes[0], (4, 3), 1), sample(dtypes[1], (4, 3), 2)
        for args in [
            (a, b),
            (a[0], b),
            (a, b[1]),
            (a[0], b[0]),
            (a[:, :2], b[:, :2]),
            (a[:, :2], b),
            (a, b[:, :2]),
            (a[:, :1], b),
        ]:
            check("cross", *args, atol=1e-14)
        check("cross", a.T, b, axisa=0, atol=1e-14), check("cross", a.T, b.T, axis=0, atol=1e-14)
        check("cross", a, b, axisc=0, atol=1e-14), check("cross", a, b, axisa=5)


@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_cross_of_parallel_vectors_is_exact(dtype):
    """Torch's fuses a product with the difference: of a vector with itself it is 1e-17."""
    a = (10 * np.random.default_rng(0).normal(size=(100, 3))).astype(dtype)
    for theirs, ours in ((np.cross, calculus.cross), (np.linalg.cross, linalg.cross)):
        assert not ours(torch.tensor(a), torch.tensor(a)).any()
        np.testing.assert_array_equal(ours(torch.tensor(a), torch.tensor(3 * a)).numpy(), theirs(a, 3 * a), strict=True)


@pytest.mark.long
def test_large_quantile():
    a = np.random.default_rng(0).integers(0, 1000, 2**24 + 5).astype("f4")
    check("quantile", a, 0.999), check("median", a)
