"""Bodies in several worlds: parts of a statement that all worlds decide alike stay plain, whatever the rest does."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from np2torch.verify.compare import difference
from support.guards import both

SCALED = """def scaled(q, k):
    return q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
"""
DTYPES = ("float64", "float32", "int64", "uint8")


@pytest.mark.parametrize("first", DTYPES)
@pytest.mark.parametrize("second", DTYPES)
@pytest.mark.parametrize("shapes", [((3, 2), (4, 2)), ((2, 3, 2), (2, 5, 2)), ((0, 2), (4, 2)), ((2,), (1, 2))])
def test_a_product_stays_plain_where_only_its_quotient_is_cast(first, second, shapes):
    old, new, text = both(SCALED, "scaled")
    assert "shim.operator" not in text and "@" in text
    rng = np.random.default_rng(0)
    q, k = (rng.integers(0, 9, shape).astype(dtype) for shape, dtype in zip(shapes, (first, second), strict=True))
    try:
        done = new(torch.from_numpy(q), torch.from_numpy(k))
    except TypeError as refused:
        assert "shim." in str(refused) and (first != second or first == "float32")  # whose last bits would show
        return
    assert not difference(old(q, k), done)
