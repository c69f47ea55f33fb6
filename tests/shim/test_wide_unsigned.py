"""Unsigned integers of 16 to 64 bits in int64, and back."""

from __future__ import annotations

import pytest
import torch

from np2torch.shim._wide_unsigned import from_int64, in_int64

VALUES = [0, 1, 2**63 - 1, 2**63, 2**64 - 1]


def test_the_order_of_uint64_survives_and_all_values_come_back():
    x = torch.tensor(VALUES, dtype=torch.uint64)
    (moved,) = in_int64([x], orders=True)
    assert moved.dtype is torch.int64 and moved.tolist() == sorted(moved.tolist())
    assert from_int64(moved, torch.uint64, orders=True).to(torch.uint64).tolist() == VALUES


@pytest.mark.parametrize(("dtype", "orders"), [(torch.uint64, False), (torch.uint32, True), (torch.int64, True)])
def test_anything_else_keeps_its_values(dtype, orders):
    x = torch.tensor([0, 1, 7], dtype=dtype)
    (same,) = in_int64([x], orders=orders)
    assert same.tolist() == x.tolist() == from_int64(same, dtype, orders).tolist()
    assert from_int64(same > 1, dtype, orders).tolist() == [False, False, True]
