"""Parameters that are called as functions of NumPy's are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from support.guards import both, convert

CASES = {
    "aggregate": "def aggregate(x, func=np.mean):\n    return func(x, axis=0)\n",
    "first": "def first(x, func):\n    return func(x, axis=1)[0]\n",
    "kept": "class Fold:\n    def __init__(self, func):\n        self.func = func\n\n    def run(self, x):\n"
    "        return self.func(x, axis=-1)\n\n\ndef kept(x, func):\n    return Fold(func).run(x)\n",
    "wide": "def wide(x, func):\n    return x - func(x, axis=0, keepdims=True)\n",
}
FUNCTIONS = [np.mean, np.max, np.std, np.median, np.sum, np.prod, np.nanmean]


@pytest.mark.parametrize("numpys", FUNCTIONS, ids=lambda one: one.__name__)
@pytest.mark.parametrize("name", CASES)
def test_callers_pass_functions_of_numpys(name: str, numpys: Any) -> None:
    old, new, text = both(CASES[name], name)
    assert "shim.function(func)" in text
    x = np.array([[3.0, 1.0, 2.0], [0.5, -1.0, 4.0]])
    found, expected = new(torch.from_numpy(x.copy()), numpys), old(x, numpys)
    assert isinstance(found, torch.Tensor)
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-12)


@pytest.mark.parametrize(
    "text",
    [
        "def f(x, func):\n    return func(x)\n",  # as likely a function of the caller's
        "def f(x, func):\n    func = func or x.mean\n    return func(x, axis=0)\n",
        "def f(x, model):\n    return model.mean(x, axis=0)\n",
        "def _f(x, func):\n    return func(x, axis=0)\n\n\nprint(_f(np.ones((2, 2)), np.mean))\n",
    ],
)
def test_no_line_where_nothing_says_so(text: str) -> None:
    assert "shim.function" not in convert(text).after
