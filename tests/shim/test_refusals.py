"""Calls that NumPy refuses, and what lies next to them that it takes: nothing comes back where NumPy raises."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from np2torch import shim
from support.both import agree

CASES = r"""
np.add.reduce(e, initial=None)
np.multiply.reduce(np.ones((0, 3)), initial=None)
np.multiply.reduce(np.ones((0, 3)))
np.add.reduce(np.ones((0, 3)), axis=1, initial=None)
np.sum(e, initial=None)
np.sum(x, initial=None)
np.logical_and.reduce(e, initial=None)
np.minimum.reduce(e, initial=None)
np.modf.at(x, [1])
np.divmod.at(i, [1], 2)
np.negative.at(i, [1])
np.add(1, 2, ...)
np.add.reduce(x, out=...)
np.add.reduce(x, out=(...,))
np.add.reduce(x, out=(None,))
np.vecdot(x, x, axis=0)
np.vecdot(x, x, axis=0, axes=[0, 0])
np.add(3., 4., dtype="float32", casting="equiv")
np.add(3., 4., dtype="float32", casting="safe")
np.add(3, 4, dtype="float64", casting="equiv")
np.add(3., 4., dtype="float64", casting="equiv")
np.add(3, 4, dtype="int32", casting="equiv")
np.add(3, x, dtype="float32", casting="safe")
np.clip(x, 2)
np.clip(x, a_min=2)
np.clip(x, a_max=2)
np.clip(x, max=2)
np.clip(x, min=2)
np.clip(x, 1, min=2)
np.clip(x, 1, 2, max=2)
np.clip(x, None, 2)
np.clip(x)
np.astype([1, 2], float)
np.astype(x, int)
np.vectorize(3)
np.vectorize(pyfunc=3)
np.delete(i, True)
np.delete(i, np.array(False))
np.delete(i, [True, False])
np.quantile(np.array([1j, 2]), 0.5)
np.reshape(i, (np.array([1]), -1))
np.reshape(i, (np.array(1), -1))
np.take(i, [0], np.array([0]))
np.sum(i, axis=np.array([0]))
np.sum(i, axis=np.array(0))
np.sort(i, axis=np.array([0]))
np.concatenate([i, i], axis=np.array([0]))
np.linspace(0, 1, np.array([3]))
np.eye(np.array([2]))
np.roll(i, np.array([1]))
np.flip(i, axis=np.array([0]))
np.moveaxis(np.ones((2, 3)), np.array([0]), 1)
np.ravel_multi_index((7, np.zeros(0, int)), (3, 2))
np.ravel_multi_index((7, [0]), (3, 2))
np.can_cast("i4", None)
np.can_cast(None, "i4")
np.promote_types("i4", None)
"""


@pytest.mark.parametrize("expression", CASES.strip().splitlines())
def test_refused(expression):
    agree(expression, e=np.zeros(0), x=np.array([1.5, 2.5]), i=np.array([3, 4]))


COMPARED = ["3", "-3", "2**63", "2**63 + 1", "2**64", "2**300", "-2**300", "1.5", "i", "np.uint8(3)"]


@pytest.mark.parametrize("function", ["equal", "not_equal", "less", "less_equal", "greater", "greater_equal"])
@pytest.mark.parametrize("first", COMPARED)
@pytest.mark.parametrize("second", COMPARED)
def test_comparisons_of_integers_of_any_size(function, first, second):
    agree(f"np.{function}({first}, {second})", i=np.array([3, 4]))


@pytest.mark.parametrize("expression", [
    "np.median(z)", "np.median(z, axis=0)", "np.nanmedian(z, axis=1, keepdims=True)", "np.median(z[:, :1])",
    "np.median(z[:0])", "np.nanmedian(np.array([complex(1, np.nan), 2, 3j]))", "np.median(np.array([np.nan, 1j]))",
    "np.pad(z, 2, mode='median')", "np.pad(z, 1, mode='median', stat_length=2)",
    "np.pad(z, 1, mode='median', stat_length=0)", "np.pad(z.real, 1, mode='median', stat_length=0)",
])  # fmt: skip
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_medians_of_complex_numbers(expression, dtype):
    agree(expression, z=np.array([[1 + 2j, 1 - 1j, 0], [3, 1, 2j], [1j, 4, 4 - 1j]], dtype))


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("call", [
    "np.delete(k, 1, axis=1)", "np.delete(k, slice(60, None), axis=1)", "np.delete(k, [0], axis=0)", "np.delete(k, 3)",
    "np.insert(k, 1, 7, axis=1)", "np.insert(k, [0, 1], 7, axis=0)",
])  # fmt: skip
def test_what_is_edited_keeps_its_order_in_memory(call, order):
    k = np.asarray(np.arange(15).reshape(3, 5), order=order)
    expected, found = eval(call, {"np": np, "k": k}), eval(call, {"np": shim, "k": torch.from_numpy(k)})
    assert torch.equal(torch.from_numpy(expected), found)
    assert [bool(found.is_contiguous()), found.stride()] == [
        expected.flags.c_contiguous, tuple(step // expected.itemsize for step in expected.strides)
    ]
