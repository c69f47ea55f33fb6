"""What is native without the dtype being known: NumPy and torch agree for every dtype there is, or torch raises."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from np2torch import shim
from np2torch.verify.compare import difference

pytestmark = pytest.mark.filterwarnings("ignore")
DTYPES = "bool uint8 uint16 uint32 uint64 int8 int16 int32 int64 float16 float32 float64 complex64 complex128".split()
MODULE = f"""import numpy as np

DTYPES = [{", ".join(f"np.{'bool_' if name == 'bool' else name}" for name in DTYPES)}]


def f(x: np.ndarray):
    return {{}}
"""
WIDE = {"uint16", "uint32", "uint64"}
COMPLEX = {"complex64", "complex128"}
UNORDERED = WIDE | COMPLEX
EXPRESSIONS = {
    "x.max()": UNORDERED, "np.min(x)": UNORDERED, "x.max(axis=0)": UNORDERED,
    "np.amin(x, axis=1, keepdims=True)": UNORDERED,
    "np.sort(x)": COMPLEX, "np.sort(x, axis=0)": COMPLEX, "np.argsort(x, kind='stable')": COMPLEX,
    "x.nonzero()": WIDE, "np.nonzero(x)": WIDE, "np.where(x)": WIDE, "x.reshape(-1)": set(), "x.ravel()": set(),
    "x.copy()": set(), "np.squeeze(x)": set(), "x.swapaxes(0, 1)": set(), "np.zeros_like(x)": set(),
    "x[:, 1:]": set(), "x.astype(np.float64)": set(), "x.astype(np.complex128)": set(),
    "x.astype(np.int64)": set(),
}  # fmt: skip
"""Expressions, with the dtypes for which torch raises."""
VALUES = [[3, 0, 2], [1, 1, 7], [0, 5, 1]]


def values(dtype: str) -> np.ndarray:
    """Numbers with ties and zeros, fractions and signs where the dtype has them, NaN for floats."""
    x = np.array(VALUES).astype(dtype)
    if x.dtype.kind == "i":
        x[0] = -x[0]
    if x.dtype.kind in "fc":
        x[0] = x[0] * -0.5
    if x.dtype.kind == "c":
        x[1] = x[1] * 1j
    return x


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_every_dtype_gives_the_same(expression, convert):
    text = convert(MODULE.format(expression))
    spelled = text.split("return ")[1].strip()
    assert "shim" not in spelled, spelled
    raising = set()
    for dtype in DTYPES:
        x = values(dtype)
        for old in (x, np.where(x == 1, np.nan, x) if x.dtype.kind == "f" else x):
            expected = eval(expression, {"np": np, "x": old.copy()})
            try:
                found = eval(spelled, {"torch": torch, "shim": shim, "x": torch.from_numpy(old.copy())})
            except (RuntimeError, NotImplementedError):
                raising.add(dtype)
            else:
                assert difference(expected, found) is None, (dtype, expected, found)
    assert raising <= EXPRESSIONS[expression]
