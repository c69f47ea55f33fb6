"""Reductions against NumPy, over dtypes, shapes, axes and keywords."""

import numpy as np
import pytest
import torch

from np2torch.shim import nanfunctions, reductions
from support.differential import agree, sample

NAN, INF = float("nan"), float("inf")
DTYPES = "? b B h i l L e f d F D".split()
PLAIN = ["sum", "prod", "mean", "std", "var", "max", "min", "amax", "amin", "ptp", "any", "all"]
ARGS = ["argmax", "argmin"]
RUNNING = ["cumsum", "cumprod"]
NANS = ["nansum", "nanprod", "nanmean", "nanstd", "nanvar", "nanmax", "nanmin"]
SHAPES = [(), (0,), (1,), (5,), (3, 4), (0, 3), (3, 0), (2, 3, 4)]


def both(name):
    return getattr(np, name), getattr(nanfunctions if name.startswith("nan") else reductions, name)


@pytest.mark.parametrize("name", PLAIN + ARGS + NANS + ["count_nonzero"])
def test_dtypes_and_axes(name):
    old, new = both(name)
    for dtype in DTYPES:
        if name.startswith("nan") and dtype in "FD" and name in ("nanmax", "nanmin"):
            continue
        loose = {"e": {"rtol": 2e-2, "atol": 2e-2}, "f": {"rtol": 1e-5}, "F": {"rtol": 1e-5}}.get(dtype, {})
        for shape in SHAPES:
            a = sample(dtype, shape, 1)
            for kwargs in [{}, {"axis": 0}, {"axis": -1, "keepdims": True}, {"axis": 3}]:
                agree(old, new, a, **kwargs, **loose)
            if name not in ARGS:
                axes = [{"axis": (0, -1)}, {"axis": (), "keepdims": True}, {"axis": (0, 0)}, {"keepdims": True}]
                for kwargs in axes if shape == (2, 3, 4) else []:
                    agree(old, new, a, **kwargs, **loose)


@pytest.mark.parametrize("name", PLAIN + NANS)
def test_where_and_initial(name):
    old, new = both(name)
    a, mask = sample("d", (3, 4), 2), sample("?", (3, 4), 3)
    for x in (a, a.astype("f"), sample("l", (3, 4)), sample("?", (3, 4), 4)):
        if name != "ptp":
            agree(old, new, x, where=mask, rtol=1e-5 if x.dtype == "f" else None)
            agree(old, new, x, axis=0, where=mask[:, :1], rtol=1e-5 if x.dtype == "f" else None)
        if name.removeprefix("nan") in ("sum", "prod", "max", "min"):
            for initial in (2, 0.5, -10):
                agree(old, new, x, initial=initial)
                agree(old, new, x, axis=1, initial=initial, where=mask)
    if name.removeprefix("nan") in ("sum", "prod", "max", "min"):
        agree(old, new, np.zeros((0, 3)), initial=3, axis=0)


@pytest.mark.parametrize("name", PLAIN + ARGS + NANS + ["nanargmax", "nanargmin"])
def test_nan_and_ties(name):
    old, new = both(name)
    x = np.array([[NAN, 2, -INF, 2], [NAN, 5, 5, -1], [NAN, INF, 0.0, 1]])
    for dtype in "df":
        a = x.astype(dtype)
        for kwargs in [{}, {"axis": 0}, {"axis": 1}, {"axis": 1, "keepdims": True}]:
            agree(old, new, a, **kwargs)
        agree(old, new, a[:, 1:], axis=0)
        agree(old, new, np.array([NAN, NAN], dtype))
        agree(old, new, np.array([3, 3, 1, 1], dtype))
        agree(old, new, np.zeros(0, dtype))
    agree(old, new, np.array([1 + 2j, 1 + 3j, 0, 1 + 3j]))


@pytest.mark.parametrize("name", [*RUNNING, "nancumsum", "nancumprod"])
def test_running(name):
    old, new = both(name)
    for dtype in DTYPES:
        for shape in [(), (0,), (1,), (5,), (3, 4)]:
            a = sample(dtype, shape, 1)
            for axis in (None, 0, -1, 2):
                rtol, atol = {"e": (2e-2, 2e-2), "f": (2e-5, 0.0), "F": (2e-5, 1e-5)}.get(dtype, (None, 0.0))
                agree(old, new, a, axis=axis, rtol=rtol, atol=atol)
    agree(old, new, [[1.0, NAN, 3], [4, 5, NAN]], 1)
    for dtype in ("f4", bool, "c16", "i2", int):
        agree(old, new, sample("b", (4,)), dtype=dtype)


@pytest.mark.parametrize("name", ["cumulative_sum", "cumulative_prod"])
def test_cumulative(name):
    old, new = both(name)
    for a in (sample("l", (4,)), sample("B", (4,)), sample("d", (2, 3)), np.float64(3), np.zeros(0)):
        for kwargs in [{}, {"axis": 0}, {"axis": -1, "include_initial": True}, {"include_initial": True}]:
            agree(old, new, a, **kwargs)


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@pytest.mark.parametrize("name", ["std", "var", "nanstd", "nanvar"])
def test_a_real_dtype_drops_the_imaginary_part_of_the_mean_alone(name):
    x = np.array([[1 + 2j, 3 - 1j, 0.5j], [2, 1j, 5]])
    old, new = both(name)
    for axis in (None, 0, 1):
        found = new(torch.from_numpy(x), axis, dtype=torch.float64, ddof=1)
        np.testing.assert_allclose(found, old(x, axis, dtype=np.float64, ddof=1))


@pytest.mark.parametrize("name", ["sum", "prod", "mean", "std", "var", "nansum", "nanmean", "nanstd"])
def test_dtype(name):
    old, new = both(name)
    for dtype in ("f4", "f8", "c16", int, "i2", "u1", bool):
        if name not in ("sum", "prod", "nansum") and dtype in (int, "i2", "u1", bool):
            continue
        for given in "?blfd":
            agree(
                old, new, np.abs(sample(given, (6,), 2)) if given != "?" else sample("?", (6,)), dtype=dtype, rtol=2e-6
            )


def test_spread():
    a = sample("d", (3, 4))
    for name in ("std", "var", "nanstd", "nanvar"):
        old, new = both(name)
        for kwargs in [
            {"ddof": 1},
            {"ddof": 1.5, "axis": 0},
            {"correction": 1},
            {"ddof": 1, "correction": 1},
            {"ddof": 4, "axis": 1},
        ]:
            agree(old, new, a, **kwargs)
            agree(old, new, np.where(a > 0, a, NAN), **kwargs)
        agree(old, new, a[:1, :1], ddof=1)
        agree(old, new, a, mean=np.full((1, 4), 0.25), axis=0)
        agree(old, new, sample("D", (5,)), ddof=1)
        agree(old, new, [True, False, True])
        agree(old, new, 5)


AVERAGES = [
    ([1, 2, 4],), (sample("d", (3, 4)), 0), (sample("d", (3, 4)), 0, [1, 2, 3]),
    (sample("f", (3, 4)), 1, [1, 2, 3, 4]),
    (sample("l", (3, 4)), None, np.arange(12).reshape(3, 4)), ([1, 2], None, [0, 0]), ([1, 2], None, [1, 2, 3]),
    (sample("d", (3, 4)), None, [1, 2, 3]), (sample("d", (2, 3, 4)), (0, 2), sample("d", (2, 4), 8)),
    (sample("f", (3,)), None, np.ones(3, "f")), (sample("D", (3,)), None, [1.0, 2, 3]),
    (sample("b", (3,)), 0, sample("B", (3,)) + 1),
    (sample("d", (2, 3)), (1, 0), sample("d", (3, 2), 8)), (sample("?", (3,)), 0, [True, True, True]),
    (sample("d", (3, 4)), 0, [1, 2]),
]  # fmt: skip


@pytest.mark.parametrize("case", AVERAGES, ids=range(len(AVERAGES)))
def test_average(case):
    for kwargs in [{}, {"returned": True}, {"keepdims": True}]:
        agree(*both("average"), *case, **kwargs, rtol=2e-6 if case[0] is AVERAGES[3][0] else None)


def test_out():
    a = torch.tensor([[1.0, 2.0], [3.0, 5.0]])
    for name in ("sum", "mean", "max", "std", "nansum", "nanmax", "ptp"):
        out = torch.zeros(2)
        function = both(name)[1]
        assert function(a, axis=0, out=out) is out and torch.equal(out, function(a, axis=0))
    with pytest.raises(ValueError):
        reductions.sum(a, axis=0, out=torch.zeros(3))
    out = torch.zeros(2, dtype=torch.int64)
    assert reductions.argmax(a, 0, out) is out and out.tolist() == [1, 1]
    with pytest.raises(TypeError):
        reductions.sum(a, axis=0, out=out)
    assert reductions.cumsum(a, 0, out=torch.zeros(2, 2)).tolist() == [[1, 2], [4, 7]]
    assert reductions.all(a, out=torch.zeros((), dtype=torch.bool))


def test_large_and_strided():
    a = np.random.default_rng(0).normal(size=(300, 200))
    for name in ("sum", "mean", "std", "max", "argmin", "cumsum"):
        for x in (a, a[::3, ::-1], a.T):
            agree(*both(name), x, axis=0, rtol=1e-10, atol=1e-11)
    agree(*both("sum"), np.full(5, 2**63, "L"))
    agree(*both("sum"), np.array([200, 100], "B"))
    agree(*both("count_nonzero"), np.array([[0, 1, NAN], [0, 0, 2]]), axis=0)
    agree(*both("argmax"), np.array([1, 2, 2]), axis=(0,))


@pytest.mark.parametrize("name", ["sum", "prod", "max", "nanmin"])
def test_an_initial_value_that_does_not_fit(name):
    for initial in (-3, 300, 2 - 1j, NAN, 2.5):
        agree(*both(name), np.array([1, 2], "B"), initial=initial)


def test_gradients():
    x = torch.tensor([1.0, 2.0, 4.0], requires_grad=True)
    for function in (
        reductions.mean,
        reductions.std,
        reductions.prod,
        reductions.max,
        nanfunctions.nanmean,
        nanfunctions.nanvar,
    ):
        (grad,) = torch.autograd.grad(function(x), x)
        assert torch.isfinite(grad).all()


@pytest.mark.parametrize(
    "values",
    [
        "np.array([0.1, 1e16, -1e16, 0.3])", "-np.zeros(3)", "np.arange(5)", "np.array([2**62, 2**62])",
        "np.arange(6.0)[::2]", "np.arange(4) > 1", "np.ones(3, np.float32)", "np.ones((2, 3))", "np.zeros(0)",
        "[1, 2.5]",
    ],
)  # fmt: skip
@pytest.mark.filterwarnings("ignore")
def test_items_add_up_from_left_to_right(values: str):
    x = eval(values)
    expected, found = sum(x), reductions.sum_items(torch.from_numpy(x) if isinstance(x, np.ndarray) else x)
    if isinstance(found, torch.Tensor):
        found = found.numpy()
        assert found.dtype == expected.dtype and np.array_equal(np.signbit(found), np.signbit(expected))
    assert np.array_equal(found, expected)
