"""numpy.emath, bits in bytes, axes, DLPack and the rarer methods: every case runs under NumPy and under the shim."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from np2torch import shim
from np2torch.shim import bits
from support.both import Side, agree, table

EMATH = r"""
np.sqrt(x) ## x=np.array([1.0, 4.0])
np.sqrt(x) ## x=np.array([1.0, -4.0])
np.sqrt(x) ## x=np.array([1, 4])
np.sqrt(x) ## x=np.array([1, -4])
np.sqrt(x) ## x=np.array([1.0, -4.0], dtype=np.float32)
np.sqrt(x) ## x=np.array([1, -4], dtype=np.int16)
np.sqrt(x) ## x=np.array([1j, -4])
np.sqrt(x) ## x=np.array([])
np.sqrt(x) ## x=np.array([np.nan, 1.0])
np.sqrt(-1)
np.sqrt(4.0)
np.sqrt([1.0, -1.0])
np.log(x) ## x=np.array([1.0, -np.e])
np.log(x) ## x=np.array([1.0, 2.0])
np.log10(x) ## x=np.array([10.0, -10.0])
np.log2(x) ## x=np.array([8.0, -8.0])
np.logn(2, x) ## x=np.array([4.0, 8.0])
np.logn(2, x) ## x=np.array([-4.0, -8.0, 8.0])
np.power(x, 2) ## x=np.array([2, 4])
np.power(x, -2) ## x=np.array([2, 4])
np.power(x, y) ## x=np.array([-2, 4]), y=np.array([2, -4])
np.power(x, 0.5) ## x=np.array([-2.0, 4.0])
np.arccos(x) ## x=np.array([0.5, -1.0])
np.arccos(x) ## x=np.array([1.0, 2.0])
np.arcsin(x) ## x=np.array([0.0, 1.0])
np.arcsin(x) ## x=np.array([0.0, 2.0])
np.arctanh(x) ## x=np.array([0.5, 0.0])
np.arctanh(x) ## x=np.array([0.5, 2.0])
"""
BITS = r"""
np.packbits(x) ## x=np.array([1, 0, 1, 1, 0, 0, 0, 1, 1])
np.packbits(x) ## x=np.array([[True, False, True], [False, True, False]])
np.packbits(x, axis=1) ## x=np.array([[True, False, True], [False, True, False]])
np.packbits(x, axis=0) ## x=np.array([[True, False, True], [False, True, False]])
np.packbits(x, axis=-1, bitorder='little') ## x=np.array([[3, 0, 2], [0, 1, 0]])
np.packbits(x, bitorder='middle') ## x=np.array([1, 0])
np.packbits(x) ## x=np.array([1.0, 0.0])
np.packbits(x) ## x=np.zeros(0, dtype=bool)
np.packbits(x, axis=1) ## x=np.zeros((2, 0), dtype=bool)
np.packbits(x) ## x=np.array(5)
np.unpackbits(x) ## x=np.array([[2], [7], [23]], dtype=np.uint8)
np.unpackbits(x, axis=1) ## x=np.array([[2], [7], [23]], dtype=np.uint8)
np.unpackbits(x, axis=0) ## x=np.array([[2], [7], [23]], dtype=np.uint8)
np.unpackbits(x, axis=1, count=3) ## x=np.array([[2], [7], [23]], dtype=np.uint8)
np.unpackbits(x, axis=1, count=-3) ## x=np.array([[2], [7], [23]], dtype=np.uint8)
np.unpackbits(x, axis=1, count=12) ## x=np.array([[2], [7], [23]], dtype=np.uint8)
np.unpackbits(x, count=-99) ## x=np.array([2], dtype=np.uint8)
np.unpackbits(x, bitorder='little') ## x=np.array([2, 7], dtype=np.uint8)
np.unpackbits(x) ## x=np.array([2, 7])
"""
AXES = r"""
np.normalize_axis_index(0, 3)
np.normalize_axis_index(-1, 3)
np.normalize_axis_index(3, 3)
np.normalize_axis_index(-4, 3, 'axis of x')
np.normalize_axis_tuple(-1, 3)
np.normalize_axis_tuple([0, -1], 3)
np.normalize_axis_tuple((0, 0), 3)
np.normalize_axis_tuple((0, 0), 3, 'source')
np.normalize_axis_tuple((0, -3), 3, allow_duplicate=True)
"""


@pytest.mark.parametrize(("expression", "names"), table(EMATH))
def test_functions_that_may_be_complex(expression: str, names: dict[str, Any]) -> None:
    agree(expression.replace("np.", "np.emath.", 1), shim, **names)


@pytest.mark.parametrize(("expression", "names"), table(BITS))
def test_bits(expression: str, names: dict[str, Any]) -> None:
    agree(expression, Side(bits), **names)


@pytest.mark.parametrize(("expression", "names"), table(AXES))
def test_axes(expression: str, names: dict[str, Any]) -> None:
    agree(expression.replace("np.", "np.lib.array_utils.", 1), shim, **names)


def test_memory_is_shared_through_dlpack() -> None:
    x = np.arange(3.0)
    shared, copied = shim.from_dlpack(x), shim.from_dlpack(x, copy=True)
    x[0] = 7.0
    assert shared.tolist() == [7.0, 1.0, 2.0] and copied.tolist() == [0.0, 1.0, 2.0]


def test_files_of_plain_numbers(tmp_path: Path) -> None:
    shim.invoke(torch.arange(3.0, dtype=torch.float64), "tofile", tmp_path / "x")
    found = shim.fromfile(tmp_path / "x", dtype=torch.float64)
    assert found.dtype is torch.float64 and found.tolist() == [0.0, 1.0, 2.0]


def test_one_element_is_set() -> None:
    x = torch.zeros(2, 3)
    shim.invoke(x, "itemset", 4, 1.0)
    shim.invoke(x, "itemset", (0, 1), 2.0)
    one = torch.zeros(())
    shim.invoke(one, "itemset", 3.0)
    assert x.tolist() == [[0.0, 2.0, 0.0], [0.0, 1.0, 0.0]] and one.item() == 3.0
