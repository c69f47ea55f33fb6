"""Our streams as NumPy's generators: whoever draws, the stream is one."""

from __future__ import annotations

import numpy as np

from np2torch import shim


def test_code_in_numpy_draws_where_ours_is():
    ours, theirs = shim.default_rng(3), np.random.default_rng(3)
    assert ours.random() == theirs.random()
    assert shim.numpy_stream(ours).normal() == theirs.normal() and ours.random() == theirs.random()
    shim.random.seed(4)
    old = np.random.RandomState(4)
    assert shim.numpy_stream().randn() == old.randn() and shim.random.rand() == old.rand()
