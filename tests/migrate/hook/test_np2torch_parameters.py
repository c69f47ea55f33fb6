"""Parametrized tests of both sides are paired by what their parameters are."""

from __future__ import annotations

import importlib
import sys

import numpy as np
import pytest
import torch

from np2torch import shim
from np2torch.migrate.runner import HOOK


@pytest.fixture
def parameters(monkeypatch):
    monkeypatch.syspath_prepend(str(HOOK))
    yield importlib.import_module("np2torch_parameters")
    monkeypatch.delitem(sys.modules, "np2torch_parameters")


class Own:
    """An object of the project."""


SAME = {
    "dtype": (np.dtype("f4"), torch.float32), "class": (np.int64, torch.int64), "longlong": (np.longlong, torch.int64),
    "array": (np.arange(6.0).reshape(2, 3) / 3, torch.arange(6, dtype=torch.float64).reshape(2, 3) / 3),
    "scalar": (np.float64(0.1), torch.tensor(0.1, dtype=torch.float64)), "number": (np.int64(3), 3),
    "bool": (np.bool_(True), torch.tensor(True)), "function": (np.sin, torch.sin), "kind": (np.integer, shim.integer),
    "nested": (
        {"a": [np.float32, (1, None)], "b": {np.int8, np.bool_}},
        {"a": [torch.float32, (1, None)], "b": {torch.bool, torch.int8}},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SAME)
def test_what_is_the_same_on_torch_is_described_alike_and_not_vaguely(parameters, name):
    ours, theirs = SAME[name]
    said = parameters.describe({"x": ours})
    assert said == parameters.describe({"x": theirs}) and parameters.VAGUE not in said


def test_what_differs_is_told_apart(parameters):
    values = [np.int32, np.int64, int, 1, 1.0, 1.5, True, "1", np.float32(1), np.zeros(3), np.ones(3), np.zeros((3, 1))]
    values += [np.zeros(3, int), np.dtype(">i4"), "?", (1,), [1], {1}, "x" * 100, "x" * 99, None, np.cos, Own]
    said = [parameters.describe({"x": value}) for value in values]
    assert len(set(said)) == len(values) - 1  # 1.0 is described as 1
    assert not [one for one in said if parameters.VAGUE in one]


def test_what_cannot_be_told_apart_is_described_vaguely(parameters):
    values = [Own(), np.zeros(1000), [Own()], {"a" * 100: Own()}, {1: np.array([Own()])}]
    assert all(parameters.VAGUE in parameters.describe({"x": value}) for value in values)


PAIRS = [
    ("abc", "abc", [0, 1, 2], {}, []), ("abc", "cab", [2, 0, 1], {}, []),
    ("abb", "aab", [0, 1, 2], {}, []), ("aXb", "bYa", [2, 1, 0], {}, []),  # a rest of the same number, in order
    ("ababc", "cab", [4, 0, 1], {2: 0, 3: 1}, []), ("abX", "ab", [0, 1], {}, [2]), ("ab", "abc", [0, 1, 2], {}, []),
    ("aXYb", "Zba", [1, 3, 0], {}, [2]), ("", "a", [0], {}, []), ("a", "", [], {}, [0]),
    ("??a", "?a", [0, 2], {}, [1]), ("?aa", "?a", [0, 1], {2: 1}, []), ("??", "??", [0, 1], {}, []),
]  # fmt: skip


@pytest.mark.parametrize(("known", "here", "numbers", "twins", "lacking"), PAIRS)
def test_tests_are_paired_by_their_parameters_and_the_rest_in_order(parameters, known, here, numbers, twins, lacking):
    """No test stands for another whose parameters are only as vague."""
    assert parameters.pair(list(known), list(here)) == (numbers, twins, lacking)
