"""What is encoded stays small: objects are looked into up to a number of values, the same on both sides."""

from __future__ import annotations

import importlib
import sys
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from scipy.sparse import csr_array

from np2torch.verify import encode
from np2torch.verify.calls import Observation
from np2torch.verify.decode import unpack
from np2torch.verify.encode import Table, pack
from np2torch.verify.judge import judge


class Node:
    """An object with a number and another one."""

    def __init__(self, number: float, inner: object = None) -> None:
        self.number = number
        self.inner = inner


def observed(*values: object) -> Observation:
    return Observation(values=pack([[list(values)], [[], {}], []]))


def test_objects_are_looked_into_up_to_a_number_of_values(monkeypatch: pytest.MonkeyPatch) -> None:
    far = Node(2.0)
    numbers = [0.5] * 40
    whole = observed(Node(1.0), numbers, far, far)
    monkeypatch.setattr(encode, "MOST_VALUES", 20)
    cut = observed(Node(1.0), numbers, far, far)
    assert whole.values is not None and cut.values is not None
    near, listed, beyond, again = cut.values.values[0][1][0][1]
    assert near[0] == "object" and len(listed[1]) == 40 and beyond == ["opaque", "Node"] and again[0] == "again"
    assert judge(whole, cut).kind == judge(cut, whole).kind == "equal"
    assert judge(cut, observed(Node(3.0), numbers, far, far)).kind == "different"


class Index:
    """As much of an index of pandas as is used."""

    def __init__(self, values: object, name: object = None) -> None:
        self.values, self.name = np.asarray(values), name
        self.dtype = self.values.dtype

    def to_numpy(self) -> object:
        return self.values


class RangeIndex(Index):
    """Likewise."""

    def __init__(self, start: int, stop: int, step: int) -> None:
        super().__init__(np.arange(start, stop, step))
        self.start, self.stop, self.step = start, stop, step


class Series:
    """Likewise."""

    def __init__(self, values: object, index: object = None, name: object = None) -> None:
        self.values, self.name = np.asarray(values), name
        self.dtype = self.values.dtype
        self.index = index if isinstance(index, Index) else RangeIndex(0, len(self.values), 1)

    def to_numpy(self) -> object:
        return self.values


def a_series(monkeypatch: pytest.MonkeyPatch) -> None:
    others = {name: type(name, (), {}) for name in ("DataFrame", "MultiIndex")}
    pandas = SimpleNamespace(
        Series=Series, RangeIndex=RangeIndex, **others,
        Index=lambda values, name=None: values if isinstance(values, Index) else Index(values, name),
    )  # fmt: skip
    monkeypatch.setitem(sys.modules, "pandas", pandas)  # type: ignore[arg-type]


def found(module: str, name: str) -> object:
    return getattr(importlib.import_module(module), name)


@pytest.mark.parametrize("is_torch", [False, True])
def test_tables_and_objects_of_libraries_hold_arrays_of_numpy_on_both_sides(
    monkeypatch: pytest.MonkeyPatch, is_torch: bool
) -> None:
    a_series(monkeypatch)
    given = Series([1.5, 2.5], Index([3, 5], "t"), "v")
    drawn = Table("Series", range(3), (None, None), [np.arange(3.0)])
    packed = pack([given, drawn, csr_array(np.eye(2)), np.ones(2)], is_layout_kept=True)
    series, made, sparse, plain = unpack(packed, is_torch, found)
    assert type(series) is Series and (series.name, series.index.name, list(series.index.values)) == ("v", "t", [3, 5])
    assert type(made.values) is type(series.values) is type(sparse.data) is np.ndarray
    assert list(series.values) == [1.5, 2.5] and type(made.index) is RangeIndex and made.index.stop == 3
    assert isinstance(plain, torch.Tensor) == is_torch


@pytest.mark.parametrize("is_torch", [False, True])
def test_objects_of_the_project_hold_tensors_inside_of_others_too(is_torch: bool) -> None:
    sparse = csr_array(np.eye(2))
    sparse.note = Node(np.ones(2), sparse.data)
    (made,) = unpack(pack([sparse], is_layout_kept=True), is_torch, found)
    assert type(made.data) is np.ndarray
    assert isinstance(made.note.number, torch.Tensor) == is_torch


def test_tables_are_compared_by_what_they_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    a_series(monkeypatch)
    one = observed(Series([1.0, 2.0]))
    assert judge(one, observed(Series([1.0, 2.0]))).kind == "equal"
    assert judge(one, observed(Series([1.0, 2.1]))).kind == "different"
    assert judge(one, observed(Series([1.0, 2.0], name="a"))).kind == "different"
    assert judge(observed(np.array([1.0, 2.0])), one).text == "[0][0] array became Series"
