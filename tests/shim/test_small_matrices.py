"""Small matrices by NumPy's own LAPACK: the same values, the shim's own errors."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from np2torch.shim import linalg
from np2torch.verify.compare import difference

rng = np.random.default_rng(5)


@pytest.mark.parametrize("size", [0, 1, 2, 3, 8, 9])
def test_values_are_numpys(size: int):
    a, b, rows = rng.normal(size=(size, size)), rng.normal(size=size), rng.normal(size=(size, 2))
    for name, given in [("inv", (a,)), ("det", (a,)), ("solve", (a, b)), ("solve", (a, rows)), ("eig", (a + a.T,))]:
        found = getattr(linalg, name)(*map(torch.from_numpy, given))
        assert difference(getattr(np.linalg, name)(*given), found) is None, name


@pytest.mark.parametrize("name", ["inv", "det", "eig"])
def test_errors_are_the_shims(name: str):
    with pytest.raises(linalg.LinAlgError, match="must be square"):
        getattr(linalg, name)(torch.zeros(2, 3, dtype=torch.float64))


def test_singular_matrices_are_refused():
    with pytest.raises(linalg.LinAlgError, match="Singular matrix"):
        linalg.inv(torch.zeros(3, 3, dtype=torch.float64))
