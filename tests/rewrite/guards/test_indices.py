"""Parameters that are arrays of indices get a line of their own, behind which torch indexes by them as NumPy does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from support.guards import both, convert, is_equal, outcome, tensors

CENTRES = """def centres(vertices, faces):
    a, b, c = vertices[faces[:, 0]], vertices[faces[:, 1]], vertices[faces[:, 2]]
    return (a + b + c) / 3
"""
LOSS = """def loss(log_p, labels):
    return -log_p[np.arange(len(labels)), labels].mean()
"""
COUNTED = """def counted(x, at):
    counts = np.zeros(4)
    counts[at.ravel()] += 2.5
    return counts, x[at + 1], at.ndim
"""
CROSS = """def cross(p, targets):
    n = p.shape[0]
    return -np.sum(np.log(p[np.arange(n), targets]))
"""
ONE_HOT = """def one_hot(labels, n=None):
    labels = np.asarray(labels)
    if n is None:
        n = labels.max() + 1
    out = np.zeros((labels.size, n))
    out[np.arange(labels.size), labels] = 1
    return out
"""
SCATTER = """def scatter(labels, values, k):
    sums = np.zeros((k, values.shape[1]))
    np.add.at(sums, labels, values)
    return sums
"""
PAIRS = """def forces(n, i, j, f):
    out = np.zeros((n, n))
    np.add.at(out, (i, j), f)
    np.subtract.at(out, (j, i), f)
    return out
"""
VERTICES = np.arange(12.0).reshape(4, 3)
INDICES = [[0, 1, 2], [3, 2, 1]]
DTYPES = [np.int64, np.int32, np.int16, np.uint8, np.bool_, np.float64]


@pytest.mark.parametrize("dtype", [*DTYPES, list])
@pytest.mark.parametrize(
    ("text", "name", "indices"),
    [(CENTRES, "centres", INDICES), (LOSS, "loss", [0, 2, 1, 1]), (COUNTED, "counted", [[0, 2], [1, 1]])],
)
def test_arrays_of_indices_are_indexed_by_or_refused(text: str, name: str, indices: Any, dtype: Any) -> None:
    old, new, after = both(text, name)
    assert after.count("shim.index") == 0 and "shim.tensor(" in after and 'kinds="ib"' in after
    given = [VERTICES, indices if dtype is list else np.array(indices, dtype)]
    found = outcome(new, list(map(tensors, given)))
    expected = outcome(old, given)
    if found is None:
        assert expected is None or dtype in (np.int16, np.uint8, list)
    else:
        assert expected is not None and all(map(is_equal, expected, found))


@pytest.mark.parametrize("taken", [np.int64, np.int32])
def test_what_torch_indexes_by_is_taken(taken: Any) -> None:
    for text, name, indices in [(CENTRES, "centres", INDICES), (LOSS, "loss", [0, 2, 1, 1])]:
        _, new, _ = both(text, name)
        assert outcome(new, [tensors(VERTICES), tensors(np.array(indices, taken))]) is not None


def test_what_may_be_one_number_is_no_array_of_indices() -> None:
    after = convert("def row(x, i):\n    return x[i] + x[i + 1]\n").after
    assert 'kinds="ib"' not in after


def test_what_is_calculated_with_is_no_array_of_indices() -> None:
    after = convert(LOSS.replace("return", "print(labels.sum() / 2)\n    return")).after
    assert 'kinds="ib"' not in after


@pytest.mark.parametrize("labels", [[0, 2, 1], (1, 0), np.array([2, 0]), np.array([0, 1], np.int32), [], 1])
def test_what_is_made_an_array_may_be_a_list(labels: Any) -> None:
    old, new, after = both(ONE_HOT, "one_hot")
    assert 'labels = shim.tensor(labels, kinds="ib")\n' in after and "asarray" not in after
    expected, found = outcome(old, [labels]), outcome(new, [tensors(labels)])
    assert expected is None if found is None else is_equal(expected[0], found[0])
    assert outcome(new, [tensors(np.array([1, 0], np.uint8))]) is None, "torch takes uint8 for a mask"


@pytest.mark.parametrize("targets", [[0, 2, 1, 1], np.array([0, 2, 1, 1]), 2])
def test_what_stands_beside_an_array_of_indices(targets: Any) -> None:
    old, new, after = both(CROSS, "cross")
    assert 'targets = shim.tensor(targets, kinds="ib", numbers=True)' in after and after.count("shim.") == 2
    given = [np.arange(1.0, 13.0).reshape(4, 3), targets]
    assert is_equal(outcome(old, given)[0], outcome(new, list(map(tensors, given)))[0])


@pytest.mark.parametrize("values", [VERTICES, VERTICES.astype("f4"), VERTICES.astype(int), VERTICES > 2])
@pytest.mark.parametrize("labels", [[0, 2, 0, 1], np.array([1, 1, 0, 2]), np.array([2, 2, 2, 2], np.int32)])
def test_where_a_ufunc_adds(values: Any, labels: Any) -> None:
    old, new, after = both(SCATTER, "scatter")
    assert "sums.index_put_((labels,), values.to(torch.float64), accumulate=True)" in after
    given = [labels, values, 3]
    expected, found = outcome(old, given), outcome(new, list(map(tensors, given)))
    assert expected is not None and found is not None and is_equal(expected[0], found[0])


@pytest.mark.parametrize("f", [np.array([0.5, 1.5, 2.0]), [1, 2, 3], 2.5])
def test_where_a_ufunc_adds_on_several_axes(f: Any) -> None:
    old, new, after = both(PAIRS, "forces")
    assert "index_put_((i, j), " in after and "shim.add" not in after
    given = [3, np.array([0, 1, 1]), [2, 2, 2], f]
    expected, found = outcome(old, given), outcome(new, list(map(tensors, given)))
    assert expected is not None and found is not None and is_equal(expected[0], found[0])
