"""Casts that are right for all that operands may be."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from support.guards import both

SLANT = """def slant(x, z):
    wide = np.hypot(x.astype(np.float64), 1.0)
    return wide / z
"""
FLOATS = ("float32", "float64")


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("shapes", [((), ()), ((), (3,)), ((3,), ()), ((2, 1), (3,)), ((0,), ())])
def test_arrays_of_any_rank_are_cast_as_those_without_axes_need_it(shapes, dtype) -> None:
    old, new, text = both(SLANT, "slant")
    assert "wide / z.to(torch.float64)" in text
    x, z = (np.asarray(np.linspace(1.0, 2.0, int(np.prod(shape))).reshape(shape), dtype=dtype) for shape in shapes)
    expected, result = old(x, z), new(torch.from_numpy(x), torch.from_numpy(z))
    assert str(result.dtype) == f"torch.{expected.dtype}" and tuple(result.shape) == expected.shape
    np.testing.assert_allclose(result.numpy(), expected, rtol=1e-12)
