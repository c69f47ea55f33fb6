"""Functions of NumPy's that callers pass."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from np2torch import shim
from np2torch.shim.callables import function

X = np.array([[3.0, 1.0, 2.0], [0.5, -1.0, 4.0]])
FUNCTIONS = [
    np.mean, np.max, np.std, np.var, np.median, np.sum, np.prod, np.argmax, np.ptp, np.linalg.norm, np.sort, np.any,
    np.nanmean, np.maximum.reduce, np.add.accumulate, np.cumsum, np.count_nonzero,
]  # fmt: skip


@pytest.mark.parametrize("numpys", FUNCTIONS, ids=lambda one: one.__name__)
def test_it_gives_what_numpys_gives_as_tensors(numpys: Any) -> None:
    found, expected = function(numpys)(torch.from_numpy(X.copy()), axis=0), numpys(X, axis=0)
    assert isinstance(found, torch.Tensor)
    assert found.numpy().dtype == expected.dtype
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-12)


def test_what_the_shim_lacks_is_called_with_ndarrays() -> None:
    """A function of masked arrays, of a random stream, one that NumPy makes."""
    x = torch.from_numpy(X.copy())
    assert isinstance(function(np.ma.median)(x), torch.Tensor | float)
    assert isinstance(function(np.random.default_rng(0).permutation)(x), torch.Tensor)
    assert function(np.vectorize(lambda one: one + 1))(x).tolist() == (X + 1).tolist()


@pytest.mark.parametrize("other", [len, sum, torch.sum, shim.mean, np.float64, np.ndarray, None, "mean", 3])
def test_anything_else_is_itself(other: Any) -> None:
    assert function(other) is other


def test_gradients_flow_through_the_shims() -> None:
    x = torch.from_numpy(X.copy()).requires_grad_()
    function(np.sum)(function(np.square)(x)).backward()
    np.testing.assert_allclose(x.grad.numpy(), 2 * X)  # type: ignore[union-attr]
