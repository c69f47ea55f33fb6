"""Functions that are passed give the same of arrays, scalars and tensors."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from np2torch.verify import samples


@pytest.mark.parametrize("value", [np.arange(3), np.int64(4), np.float32(1.5), np.array([True]), np.array([1j])])
@pytest.mark.parametrize("name", samples.NAMES)
def test_both_sides_give_one_dtype(name, value):
    old = getattr(samples, name)(value)
    new = getattr(samples, name)(torch.as_tensor(value))
    assert str(new.dtype) == f"torch.{old.dtype}" and np.array_equal(old, new.numpy())
