"""What Python asks a NumPy scalar, asked of 0-D tensors."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
import pytest
import torch

from np2torch.shim import protocols
from np2torch.verify.compare import difference

SCALARS = [np.float64(2.5), np.float32(0.1), np.int64(3), np.uint8(4), np.bool_(True), np.complex128(1j),
np.complex64(1), np.float16(0.1),
           np.float64(1e300), np.float32(1e-8), np.float64("nan"), np.float32(16777216.0), np.float32(1e-4),
           np.float32(1.5e-4), np.float16(2049),
           np.complex64(0.1 - 2j), np.complex64(-0.0), np.float32(-0.0), np.float32(np.inf),
           np.float32(123456)]  # fmt: skip
PYTHON_TYPES = [float, int, complex, bool, str, list, object, numbers.Number, numbers.Real, numbers.Integral,
numbers.Complex,
                numbers.Rational, (int, float), (str, (list, float))]  # fmt: skip


def to_torch(x: Any) -> Any:
    return torch.tensor(x.item(), dtype=getattr(torch, x.dtype.name))


@pytest.mark.parametrize("x", SCALARS, ids=repr)
def test_isinstance(x: Any) -> None:
    for types in PYTHON_TYPES:
        assert protocols.isinstance(to_torch(x), types) == isinstance(x, types), types
    for name in ("float64", "float32", "int64", "uint8", "complex64"):
        assert protocols.isinstance(to_torch(x), getattr(torch, name)) == isinstance(x, getattr(np, name))
    for name in (
        "generic",
        "number",
        "integer",
        "signedinteger",
        "unsignedinteger",
        "inexact",
        "floating",
        "complexfloating",
    ):
        assert protocols.isinstance(to_torch(x), getattr(np, name)) == isinstance(x, getattr(np, name)), name
    assert protocols.isinstance(to_torch(x), torch.Tensor)


def test_isinstance_of_others() -> None:
    assert (
        protocols.isinstance(1.5, float)
        and not protocols.isinstance(1.5, int)
        and not protocols.isinstance(1.5, np.floating)
    )
    assert protocols.isinstance(torch.ones(2), torch.Tensor) and not protocols.isinstance(
        torch.ones(2), (float, numbers.Number)
    )
    assert protocols.isinstance([1], (tuple, list)) and not protocols.isinstance(torch.ones(2), torch.float32)


@pytest.mark.parametrize("x", SCALARS, ids=repr)
def test_text_key_and_truth(x: Any) -> None:
    assert protocols.text(to_torch(x)) == str(x)
    if x == x:
        assert {x: 1}[protocols.key(to_torch(x))] == 1
    assert protocols.truth(to_torch(x)) == bool(x)


def test_containers() -> None:
    assert protocols.key((torch.tensor(1), (torch.tensor(2.5), "a"))) == (1, (2.5, "a"))
    assert protocols.key("a") == "a" and protocols.text([1]) == "[1]"
    for bad in (torch.ones(2), torch.ones(0)):
        with pytest.raises(ValueError):
            protocols.truth(bad)
    assert protocols.truth(torch.ones(1, 1)) and not protocols.truth([])


@pytest.mark.parametrize(
    "x", [np.float64(2.567), np.float64(2.5), np.float32(2.567), np.int64(123), np.uint8(5), np.float64(-0.5)], ids=repr
)
def test_round(x: Any) -> None:
    assert difference(round(x), protocols.builtin_round(to_torch(x))) is None
    for digits in (0, 1, -1):
        assert difference(round(x, digits), protocols.builtin_round(to_torch(x), digits)) is None
    assert protocols.builtin_round(2.567, 1) == 2.6
    with pytest.raises(TypeError):
        protocols.builtin_round(torch.ones(2))
