"""Precisions behind guards: what numbers become, and what several precisions come to."""

from __future__ import annotations

import pytest
import torch

from np2torch import shim
from np2torch.shim._guard_precisions import join_precisions

DOUBLE, SINGLE = torch.ones(2, dtype=torch.float64), torch.ones(2, dtype=torch.float32)


@pytest.mark.parametrize(
    ("arguments", "mixed", "expected"),
    [
        ((2.0,), None, [torch.float64]),
        ((SINGLE, 2.0), None, [torch.float32, torch.float32]),
        ((SINGLE, 2j), None, [torch.float32, torch.complex64]),
        ((SINGLE, DOUBLE), None, [torch.float32, torch.float64]),
        ((SINGLE, DOUBLE, 2.0), True, [torch.float64, torch.float64, torch.float64]),
        ((SINGLE * 1j, DOUBLE), True, [torch.complex128, torch.float64]),
    ],
)
def test_numbers_and_several_precisions(arguments, mixed, expected):
    found = list(arguments)
    join_precisions(found, arguments, shim.inexact, mixed, None)
    assert [x.dtype for x in found] == expected


@pytest.mark.parametrize(
    ("arguments", "mixed", "message"),
    [
        ((SINGLE, DOUBLE), False, "float64"),
        ((SINGLE, DOUBLE[0]), None, "float64"),
        ((SINGLE.to(torch.float16), 2j), None, "float16"),
    ],
)
def test_what_torch_computes_otherwise_is_refused(arguments, mixed, message):
    with pytest.raises(TypeError, match=message):
        join_precisions(list(arguments), arguments, shim.inexact, mixed, None)


def test_numbers_that_stay_are_left():
    found = [SINGLE, 2.0]
    join_precisions(found, (SINGLE, 2.0), shim.inexact, None, True)
    assert found[1] == 2.0 and type(found[1]) is float
