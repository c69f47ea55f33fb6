"""Attributes of objects that a test tries to make of lists, in bodies behind a guard."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from support.guards import both

FUSED = """
def numerical(item):
    if not isinstance(item, (list, tuple, np.ndarray)):
        raise TypeError("no array")
    copied = np.array(item)
    if not (copied.dtype == np.dtype(int) or copied.dtype == np.dtype(float)):
        raise TypeError("no numbers")


class Fused:
    def __init__(self, x: np.ndarray = None, y: np.ndarray = None, w: np.ndarray = None):
        self.x = x
        self.y = y
        self.w = w
        if all(one is not None for one in [self.x, self.y, self.w]):
            self.z = self.fuse()

    def fuse(self):
        numerical(self.x)
        numerical(self.y)
        numerical(self.w)
        x = np.atleast_2d(self.x)
        y = np.atleast_2d(self.y)
        w = np.atleast_2d(self.w)
        if x.shape != y.shape or x.shape != w.shape:
            raise ValueError("the shapes differ")
        return x + y + w
"""
TEST = """
import unittest

DATA = np.random.default_rng(0).random((3, 10, 3))

class TestFused(unittest.TestCase):
    def setUp(self):
        self.x = np.copy(DATA[0])
        self.y = np.copy(DATA[1])
        self.w = np.copy(DATA[2])

    def test_right(self):
        self.assertEqual(Fused(self.x, self.y, self.w).z.shape, (10, 3))

    def test_wrong(self):
        self.assertRaises(TypeError, Fused, x=self.x, y=1.0, w=self.w)
        self.assertRaises(TypeError, Fused, x=self.x, y=True, w=self.w)
        self.assertRaises(ValueError, Fused, x=self.x, y=[1.0, 2.0, 3.0], w=self.w)
        self.assertRaises(ValueError, Fused, x=self.x, y=self.y, w=[1.0, 2.0])
"""


def test_lists_that_are_refused_by_their_shape():
    """They come to the error that the class raises, and so they do in torch."""
    old, new, after = both(FUSED, "Fused", TEST)
    assert "x, y, w = shim.tensors(x, y, w" in after  # the guard, behind what makes arrays of the attributes
    x, y, w = np.random.default_rng(0).random((3, 10, 3))
    for class_, several in ((old, (x, y, w)), (new, map(torch.tensor, (x, y, w)))):
        x, y, w = several
        with pytest.raises(ValueError, match="the shapes differ"):
            class_(x, [1.0, 2.0, 3.0], w)
        with pytest.raises(TypeError, match="no array"):
            class_(x, 1.0, w)
    assert np.allclose(new(x, y, w).z.numpy(), old(x.numpy(), y.numpy(), w.numpy()).z, rtol=1e-12, atol=0)
