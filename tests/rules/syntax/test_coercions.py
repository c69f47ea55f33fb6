"""Tests whether a parameter is an array, where nothing rests on the answer but that an array is made of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from support.guards import both, is_equal, outcome, tensors

SPREAD = """def spread(x, y):
    if not isinstance(x, np.ndarray):
        x = np.array(x)
    if isinstance(y, (list, tuple)):
        y = np.asarray(y)
    d = np.sqrt(((x - y) ** 2).sum(axis=-1))
    return d / (1 + d.max())
"""
EITHER = """def either(x):
    x = x if isinstance(x, np.ndarray) else np.asarray(x)
    return np.exp(-x ** 2) * x.mean()
"""
NESTED = """def nested(x, flag=True):
    if flag:
        if isinstance(x, list) or isinstance(x, tuple):
            x = np.array(x)  # of rows
    return np.cumsum(x * 0.5)
"""
WRITTEN = """def written(x):
    if not isinstance(x, np.ndarray):
        x = np.array(x)
    x += 2
    return x
"""
IN_FLOAT = """def in_float(x):
    if not isinstance(x, np.ndarray):
        x = np.array(x, dtype=float)
    return x * 2
"""
MORE = """def more(x):
    if not isinstance(x, np.ndarray):
        x = np.array(x)
        return x.sum() + 1
    return x.sum()
"""
BRANCHES = """def branches(x):
    if isinstance(x, list):
        return [2 * one for one in x]
    return x * 2
"""
BASES = [
    np.arange(6.0).reshape(2, 3) - 2, np.arange(6).reshape(2, 3), np.arange(4, dtype=np.float32),
    np.array([True, False]), np.array([1 + 2j, 3.0]), np.float64(1.5), np.zeros((0, 3)), np.arange(8.0)[::2],
    [1, 2, 4], [1.5, 2.0], (3.0, 4.0), [[1, 2], [3, 5]], [True, False], 3, 2.5,
]  # fmt: skip


def _copied(value: Any) -> Any:
    return value.copy() if isinstance(value, np.ndarray) else list(value) if isinstance(value, list) else value


def _never_silent(text: str, name: str, values: list[Any], more: list[Any]) -> int:
    """Count the calls that come out equal; none may differ and say nothing."""
    old, new, _ = both(text, name)
    equal = 0
    for value in values:
        wanted = outcome(old, [_copied(value), *more])
        given = outcome(new, [tensors(_copied(value)), *map(tensors, more)])
        if wanted is None or given is None:
            continue
        parts = len(wanted) - 1 - len(more)
        assert all(map(is_equal, wanted[:parts], given[:parts])), (name, value, wanted, given)
        equal += 1
    return equal


@pytest.mark.parametrize(
    ("text", "name", "more", "least"),
    [
        (SPREAD, "spread", [np.array([1.0, 0.5, 2.0])], 4), (SPREAD, "spread", [[1, 2, 3]], 4),
        (EITHER, "either", [], 8),
        (NESTED, "nested", [], 10), (NESTED, "nested", [False], 6), (WRITTEN, "written", [], 8),
        (IN_FLOAT, "in_float", [], 10), (MORE, "more", [], 10), (BRANCHES, "branches", [], 10),
    ],
)  # fmt: skip
def test_lists_numbers_and_arrays_come_out_equal(text: str, name: str, more: list[Any], least: int) -> None:
    assert _never_silent(text, name, BASES, more) >= least


@pytest.mark.parametrize(("text", "name"), [(SPREAD, "spread"), (EITHER, "either"), (NESTED, "nested")])
def test_behind_a_guard_the_test_is_left_out(text: str, name: str) -> None:
    _, new, after = both(text, name)
    assert "shim.inexact(" in after and "isinstance" not in after and after.count("shim.") == 1
    assert ("# of rows" in text) == ("# of rows" in after)
    assert isinstance(new(*[torch.ones(2, 3, dtype=torch.float64)] * (1 + (name == "spread"))), torch.Tensor)


@pytest.mark.parametrize(("text", "name"), [(IN_FLOAT, "in_float"), (MORE, "more"), (BRANCHES, "branches")])
def test_where_more_rests_on_it_the_test_stays(text: str, name: str) -> None:
    *_, after = both(text, name)
    assert "isinstance(" in after
