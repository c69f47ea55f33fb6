"""What parameters of open functions are meant for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from np2torch.rewrite.convert import analyse
from np2torch.rewrite.guards.candidates import stated_numbers
from np2torch.source.model import Settings, SourceFile
from support.guards import both, tensors

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


STATED = """import numpy as np

def scale(x, step=1.0, level=50, offset=0.0, gain=2.0, count=3):
    \"\"\"Scale.

    Parameters
    ----------
    x : array_like
        Values.
    level : complex array-like or number
        What it is scaled by.
    offset : number or array-like, optional
        What is added.
    gain : float
        By how much more.
    \"\"\"
    return np.asarray(x) * gain + offset + level * step + count
"""


def test_a_default_says_nothing_against_the_documentation() -> None:
    """What is documented to take arrays or complex numbers is no number by its default: such were refused."""
    work = analyse([SourceFile(Path("lib.py"), "lib.py", STATED)], Settings())
    (definition,) = next(iter(work.analysed.run.trees.infos.values())).functions
    assert stated_numbers(definition) == {"step", "gain", "count"}


LIKELIHOOD = """def likelihood(scale, shape, data):
    result = -1e300
    if scale != 0:
        factor = shape / scale
        if shape != 0 and factor >= 0 and scale >= 0:
            result = -len(data) * np.log(scale) - (1 / shape + 1) * np.log(factor * data + 1).sum()
    return result
"""


@pytest.mark.parametrize("scale", [0.5, 3, np.array(2.5), np.float64(0)])
def test_what_a_condition_compares_is_taken_as_a_number(scale: object) -> None:
    """Nobody can ask whether an array of several elements is zero, so that numbers are not refused."""
    old, new, _ = both(LIKELIHOOD, "likelihood")
    data = np.array([0.5, 2.0, 7.25])
    for shape in (2.0, 3, np.array(0.25)):
        found = new(tensors(scale), tensors(shape), torch.from_numpy(data))
        np.testing.assert_allclose(np.asarray(found), old(scale, shape, data), rtol=1e-12)
