"""What parameters of open functions are meant for."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from support.guards import both

SCATTER = """def scatter(x, y):
    classes = np.array(tuple(set(y)))
    means = np.zeros((len(classes), x.shape[1]))
    for i, cl in enumerate(classes):
        means[i] = np.mean(x[y == cl], axis=0)
    total = np.zeros((x.shape[1], x.shape[1]))
    for cl, mean in zip(classes, means):
        within = np.zeros((x.shape[1], x.shape[1]))
        for row in x[y == cl]:
            within += np.outer(row - mean, row - mean)
        total += within
    middle = np.mean(x, axis=0)
    for cl, mean in zip(classes, means):
        total += x[y == cl, :].shape[0] * np.outer(mean - middle, mean - middle)
    return total
"""


@pytest.mark.parametrize("kind", ["int64", "float64", "bool"])
def test_whole_numbers_are_taken_of_what_a_set_is_made(kind: str) -> None:
    old, new, _ = both(SCATTER, "scatter")
    x, y = np.arange(8.0).reshape(4, 2), np.array([1, 0, 1, 1]).astype(kind)
    np.testing.assert_allclose(new(torch.from_numpy(x), torch.from_numpy(y)), old(x, y))
