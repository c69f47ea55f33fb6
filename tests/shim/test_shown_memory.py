"""Memory that objects show is taken without a copy, as NumPy does."""

from __future__ import annotations

import array

import numpy as np
import pytest
import torch

from np2torch import shim
from np2torch.shim._shown_memory import by_interface, of_buffer


class Shown:
    """An object over an array, without any other protocol of arrays."""

    def __init__(self, held, name="__array_interface__"):
        self.held = held
        setattr(self, name, shim.attribute(held, name))


@pytest.mark.parametrize("held", [np.arange(6.0).reshape(2, 3).T, torch.arange(6).reshape(2, 3)])
def test_an_interface_is_a_view(held):
    found = shim.asarray(Shown(held))
    assert found.shape == held.shape and str(found.dtype).endswith(str(held.dtype).removeprefix("torch."))
    found[1, 0] = 77
    assert held[1, 0] == 77 and shim.array([Shown(held)] * 2).shape == (2, *held.shape)
    shim.testing.assert_array_equal(Shown(held), found)


def test_it_is_the_tensor_s_own_memory_or_none():
    with pytest.raises(RuntimeError):
        shim.attribute(torch.ones(2, dtype=torch.complex64).conj(), "__array_interface__")


def test_structures_count_and_classes_do_not():
    assert by_interface(Shown(np.ones(2), "__array_struct__")).tolist() == [1, 1]
    assert by_interface(Shown) is None and by_interface(object()) is None


def test_buffers_are_shared_where_they_can_be_written():
    numbers = array.array("d", [1, 2])
    of_buffer(memoryview(numbers))[0] = 5
    shim.array(memoryview(numbers))[0] = 6
    assert numbers[0] == 5 and of_buffer(memoryview(b"ab")).tolist() == [97, 98]
