"""The short ways of universal functions: what they give is what the long way gives."""

from __future__ import annotations

import itertools

import pytest
import torch

from np2torch import shim
from np2torch.shim._core import as_operand
from np2torch.shim._mixed_operands import learned, mixed

DTYPES = (
    torch.bool,
    torch.uint8,
    torch.int8,
    torch.int32,
    torch.int64,
    torch.float16,
    torch.float32,
    torch.float64,
    torch.complex128,
)
OPERANDS = [torch.tensor([0, 1, 3], dtype=one) for one in DTYPES] + [True, 3, -2, 2**40, 0.5, 2j, float("inf")]
NAMES = "add subtract multiply divide floor_divide remainder maximum less equal bitwise_and arctan2 hypot fmod"


def in_full(ufunc, x, y):
    return ufunc._run(ufunc._cast([as_operand(x), as_operand(y)], None, "same_kind"))[0]


@pytest.mark.parametrize("name", NAMES.split())
def test_operands_of_two_dtypes_go_the_short_way_as_the_long(name: str):
    ufunc = getattr(shim, name)
    taken = 0
    for x, y in itertools.permutations(OPERANDS, 2):
        if not isinstance(x, torch.Tensor) and not isinstance(y, torch.Tensor):
            continue
        try:
            found = mixed(ufunc, x, y)
        except RuntimeError:
            continue
        if found is not None:
            taken += 1
            expected = in_full(ufunc, x, y)
            assert found.dtype is expected.dtype, (x, y)
            assert torch.equal(torch.nan_to_num(found), torch.nan_to_num(expected)), (x, y)
    assert taken > 20


def test_what_values_decide_goes_the_long_way():
    x = torch.tensor([1, 2], dtype=torch.int8)
    assert mixed(shim.add, x, 3) is None and mixed(shim.less, torch.ones(2, dtype=torch.int64), 2**40) is None
    assert mixed(shim.add, x, "a") is None
    assert shim.add(x, 3).dtype is torch.int8
    with pytest.raises(OverflowError):
        shim.add(x, 300)


def test_a_kernel_is_learned_where_its_result_stands():
    assert learned(shim.add, torch.float64) is not None and learned(shim.sqrt, torch.int64) is not None
    assert learned(shim.divide, torch.int64) is None and learned(shim.divmod, torch.float64) is None
