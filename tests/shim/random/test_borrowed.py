"""Generators of NumPy's that callers pass."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
import torch

from np2torch import shim


def test_a_borrowed_generator() -> None:
    """It goes back as what it was, draws into tensors, and can be copied."""
    numpys = np.random.default_rng(1)
    ours = shim.generator(numpys)
    assert shim.to_numpy(ours) is numpys
    assert shim.generator(ours) is ours
    assert ours == shim.generator(numpys)
    assert hash(ours) == hash(shim.generator(numpys))
    out = torch.zeros(3, dtype=torch.float64)
    assert ours.random(out=out) is out
    assert out.tolist() == np.random.default_rng(1).random(3).tolist()
    twin = copy.deepcopy(ours)
    assert twin.normal(size=2).tolist() == ours.normal(size=2).tolist()
    assert all(isinstance(child.normal(size=2), torch.Tensor) for child in ours.spawn(2))
    items = [1, torch.tensor(2.0), "three"]
    ours.shuffle(items)
    assert len({id(item) for item in items}) == 3
    assert shim.generator(np.random) is shim.random
    assert shim.generator("text") == "text"
    assert repr(ours) == repr(numpys)
    assert shim.random.default_rng(np.random.PCG64(5)).random() == np.random.default_rng(5).random()


@pytest.mark.parametrize("make", [np.random.default_rng, np.random.RandomState])
@pytest.mark.parametrize("shape", [(7,), (4, 2), (1,), (0,)])
def test_the_memory_of_a_tensor_is_shuffled(make: Any, shape: tuple[int, ...]) -> None:
    """Left to itself NumPy takes a tensor for a sequence, and doubles some of its items."""
    array = np.arange(np.prod(shape)).reshape(shape)
    for shuffle in (lambda x: shim.generator(make(3)).shuffle(x), lambda x: shim.on_elements(make(3).shuffle, x)):
        expected, x = array.copy(), torch.from_numpy(array.copy())
        make(3).shuffle(expected)
        shuffle(x)
        np.testing.assert_array_equal(x.numpy(), expected)
