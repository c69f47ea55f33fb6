"""Classes of tensors with an `__array_wrap__` of their own, beside classes of arrays.

Expressions with such objects are in `test_subclassing.py`.
"""

from __future__ import annotations

import numpy as np
import pytest
import torch

from np2torch import shim


def counting(base, arrays):
    """A class of arrays that are counted, and what `__array_wrap__` is given."""
    seen = []

    class Counting(base):
        def __array_wrap__(self, array, context=None, return_scalar=False):
            seen.append((type(array) is arrays, tuple(array.shape), return_scalar))
            return super().__array_wrap__(array, context, return_scalar)

    return Counting, seen


TEXTS = "x + 1;x.sum();x.sum(axis=0);abs(x);x[:1];x.T;x == 1;x @ x;x.mean();x.copy()".split(";")


@pytest.mark.parametrize("text", TEXTS)
def test_the_class_is_given_what_numpy_gives_it(text):
    outcomes = []
    tensor = torch.eye(2, dtype=torch.float64)
    for base, arrays, data in ((np.ndarray, np.ndarray, np.eye(2)), (shim.ndarray, torch.Tensor, tensor)):
        Counting, seen = counting(base, arrays)
        x = data.view(Counting) if base is np.ndarray else shim.invoke(data, "view", Counting)
        found = eval(text, {"x": x})
        outcomes.append((type(found).__name__, np.asarray(found).tolist(), seen))
    assert outcomes[0] == outcomes[1]


def test_what_torch_computes_in_one_step_is_refused_where_numpy_takes_several():
    Counting, _ = counting(shim.ndarray, torch.Tensor)
    x = shim.invoke(torch.eye(2), "view", Counting)
    assert type(torch.exp(x)) is Counting
    assert type(torch.transpose(x, 0, 1)) is Counting
    for call in (torch.sum, torch.linalg.inv, lambda x: x.as_subclass(Counting).std()):
        with pytest.raises(TypeError, match="__array_wrap__"):
            call(x)
