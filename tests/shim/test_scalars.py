"""Numbers that callers pass as tensors without axes."""

from __future__ import annotations

import pytest
import torch

from np2torch import shim


@pytest.mark.parametrize("dtype", [torch.int64, torch.int32, torch.uint8, torch.uint16, torch.bool])
def test_integers_without_axes_become_numbers(dtype):
    number = shim.python_number(torch.tensor(1, dtype=dtype))
    assert type(number) is (bool if dtype is torch.bool else int) and number == 1


@pytest.mark.parametrize("x", [3, 2.5, None, "all", [1, 2], torch.tensor(2.5, dtype=torch.float64)])
def test_anything_else_is_itself(x):
    assert shim.python_number(x) is x


@pytest.mark.parametrize("x", [torch.tensor([1]), torch.tensor(2.5, dtype=torch.float32), torch.tensor(1j)])
def test_axes_and_single_precision_are_refused(x):
    with pytest.raises(TypeError, match="a number is expected"):
        shim.python_number(x)
