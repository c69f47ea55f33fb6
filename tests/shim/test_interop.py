"""The border between tensors and arrays."""

from __future__ import annotations

from collections import OrderedDict, namedtuple
from typing import Any

import numpy as np
import pytest
import torch

from np2torch.shim.interop import callback, from_numpy, to_numpy
from np2torch.verify.compare import difference

Point = namedtuple("Point", "x y")
ARRAYS: list[Any] = [
    np.arange(3.0), np.ones((2, 3), "f4"), np.array([True]), np.zeros((0, 2), "i4"), np.arange(6).reshape(2, 3).T,
    np.array([1 + 1j], "c8"),
    np.arange(5)[::-1], np.arange(3, dtype=">f8"), np.array([1], "u8"), np.float32(0.1), np.int64(2),
    np.bool_(True), np.array(2.5),
]  # fmt: skip


@pytest.mark.parametrize("x", ARRAYS, ids=repr)
def test_round_trip(x: Any) -> None:
    native = x[()] if x.ndim == 0 else x.astype(x.dtype.newbyteorder("="))
    assert difference(native, from_numpy(x)) is None
    back = to_numpy(from_numpy(x))
    assert type(back) is type(native) and back.dtype == native.dtype and np.array_equal(back, native)


def test_memory_is_shared() -> None:
    a = np.arange(3.0)
    x = from_numpy(a)
    x[0] = 9
    to_numpy(x)[1] = 8
    assert a.tolist() == [9, 8, 2]
    grad = torch.ones(2, requires_grad=True)
    assert to_numpy(grad).tolist() == [1, 1]
    assert to_numpy(torch.ones(2, dtype=torch.bfloat16)).dtype == np.float32
    assert to_numpy(torch.tensor([1j]).conj()).tolist() == [-1j]


def test_containers() -> None:
    one = torch.ones(2)
    nested = {"a": [one, (one, 3)], "p": Point(one, None), "o": OrderedDict(k=one), "s": "text", "n": torch.Size([2])}
    out = to_numpy(nested)
    assert isinstance(out["a"][0], np.ndarray) and isinstance(out["a"][1], tuple) and out["a"][1][1] == 3
    assert isinstance(out["p"], Point) and isinstance(out["o"], OrderedDict) and out["n"] is nested["n"]
    back = from_numpy(out)
    assert isinstance(back["p"].x, torch.Tensor) and isinstance(back["o"]["k"], torch.Tensor)
    untouched = [1, {"a": "b"}]
    assert to_numpy(untouched) is untouched and from_numpy(untouched) is untouched


@pytest.mark.parametrize("x", [np.array(["a"]), np.array([None]), np.array(["2020"], "M8[Y]"), np.zeros(1, [("a",
int)]),
                               np.ma.array([1, 2]), np.longdouble(1), np.str_("a"), 3, None], ids=repr)  # fmt: skip
def test_what_torch_cannot_hold_stays(x: Any) -> None:
    assert from_numpy(x) is x


def test_callback() -> None:
    seen = []

    def area(x: Any, scale: Any = None) -> Any:
        """Doc."""
        seen.append((type(x), type(scale)))
        return (x * 2).sum(), x

    total, same = callback(area)(np.arange(3.0), scale=np.float64(2))
    assert seen == [(torch.Tensor, torch.Tensor)]
    assert isinstance(total, np.float64) and isinstance(same, np.ndarray) and callback(area).__doc__ == "Doc."
