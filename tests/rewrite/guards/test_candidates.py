"""What parameters of open functions are meant for."""

from __future__ import annotations

import numpy as np
import pytest

from support.guards import both

MEANS = """def means(x, y):
    classes = np.array(tuple(set(y.tolist())))
    found = np.zeros((len(classes), x.shape[1]))
    for i, cl in enumerate(classes):
        found[i] = np.mean(x[y == cl], axis=0)
    for cl, mean in zip(classes, found):
        for row in x[y == cl]:
            mean += np.dot(row - mean, row) * (y == cl).sum()
    return classes, found
"""


@pytest.mark.parametrize("kind", ["int64", "float64", "bool"])
def test_whole_numbers_are_taken_of_what_a_set_is_made(kind: str) -> None:
    old, new, _ = both(MEANS, "means")
    x, y = np.arange(8.0).reshape(4, 2), np.array([1, 0, 1, 1]).astype(kind)
    for one, other in zip(old(x, y), new(x, y), strict=True):
        np.testing.assert_allclose(np.asarray(other), one)
