"""Scalars of two dtypes computed by Python: NumPy's values and dtypes, and torch wherever these would differ."""

from __future__ import annotations

import itertools
import operator as python
import warnings
from typing import Any

import numpy as np
import pytest
import torch

from np2torch.shim import _scalar_arithmetic, operator
from np2torch.verify.compare import difference

NAMES = "add sub mul truediv floordiv mod pow lt le gt ge eq ne".split()
SCALARS = [
    np.float64(1.5), np.float64(-0.0), np.float64(np.nan), np.float64(np.inf), np.float64(2**53 + 2), np.int64(0),
    np.int64(7), np.int64(-(2**63)), np.int64(2**63 - 1), np.int64(2**53 + 1), np.int32(2**31 - 1), np.uint8(255),
    np.uint16(9), np.uint32(2**32 - 1), np.int8(-128), np.uint64(2**63), np.float32(0.1), np.bool_(True),
]  # fmt: skip
NUMBERS = [0, 1, -1, 2, 3, 255, -129, 2**31, 2**62, 0.0, -0.5, 2.0, 1e300, float("nan"), float("inf")]


def _outcome(function: Any, *given: Any) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return function(*given)
    except (ValueError, OverflowError, TypeError, ZeroDivisionError) as error:
        return type(error)


def _tensor(x: Any) -> Any:
    return torch.from_numpy(np.asarray(x)) if isinstance(x, np.generic) else x


@pytest.mark.parametrize("name", NAMES)
def test_what_is_computed_is_numpys(name: str):
    function = _scalar_arithmetic.by_numbers(name)
    pairs = [*itertools.product(SCALARS, SCALARS + NUMBERS), *itertools.product(NUMBERS, SCALARS)]
    done = 0
    for a, b in pairs:
        found = function(_tensor(a), _tensor(b))
        if found is not None:
            wanted = _outcome(getattr(python, name), a, b)
            assert difference(np.asarray(wanted)[()], found) is None, (name, a, b, wanted, found)
            done += 1
    assert done > 80, done


@pytest.mark.parametrize("name", NAMES)
def test_operators_are_numpys_whoever_computes(name: str):
    for a, b in itertools.product(SCALARS[:6] + SCALARS[10:12], NUMBERS[:8]):
        wanted = _outcome(getattr(python, name), a, b)
        found = _outcome(getattr(operator, name), _tensor(a), b)
        if isinstance(wanted, type):
            assert found is wanted, (name, a, b)
        else:
            assert difference(wanted, found) is None, (name, a, b, wanted, found)


def test_gradients_flow_on():
    x = torch.tensor(3.0, dtype=torch.float64, requires_grad=True)
    (slope,) = torch.autograd.grad(operator.add(operator.mul(2, x), operator.pow(x, 2)), x)
    assert slope == 8


def test_transforms_and_compilation_see_the_operation():
    def step(x: torch.Tensor) -> Any:
        return operator.sub(1, operator.mul(x, 3))

    x = torch.arange(3)
    assert torch.func.vmap(step)(x).tolist() == [1, -2, -5]
    compiled = torch.compile(step, fullgraph=True, backend="eager")
    assert compiled(torch.tensor(2)).item() == -5


def test_results_have_memory_of_their_own():
    x = torch.tensor(2)
    found = operator.add(x, 1)
    found += 1
    assert (x.item(), found.item()) == (2, 4)
