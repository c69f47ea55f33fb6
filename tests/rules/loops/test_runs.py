"""Statements in a row that run in NumPy: what is taken, what is refused, and what a second conversion leaves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Settings, SourceFile

TEXT = """import numpy as np


class Filter:
    def __init__(self, x, gain):
        self.x, self.gain, self.n = x, gain, 0

    def helper(self, x):
        self.n += 1
        return x

    def update(self, x, gain, z):
        {before}
        x[0] += gain[0] * z
        {within}
        x[1] -= gain[1] * x[0]
        {after}
        return z


Filter(np.ones(3), np.ones(3)).update(np.ones(3), np.ones(3), 0.5)
"""


def text_of(text: str, **settings: object) -> str:
    source = SourceFile(Path("m.py"), "m.py", text)
    (done,) = convert_project([source], Settings(**{"closed": ("*",), **settings}))  # type: ignore[arg-type]
    assert not done.problems
    return done.after


def filled(**parts: str) -> str:
    return TEXT.format(**{"before": "pass", "within": "pass", "after": "pass", **parts})


@pytest.mark.parametrize(
    ("parts", "in_numpy"),
    [
        ({}, True), ({"before": "self.n += 1", "after": "self.n += x[0]"}, True), ({"within": "y = x[0] / 2"}, True),
        ({"within": "if z > 1: x[2] = z"}, True), ({"after": "return x[0]"}, True), ({"after": "return x"}, True),
        ({"within": "self.n += 1"}, False), ({"within": "self.helper(x)"}, False), ({"within": "yield z"}, False),
        ({"within": "for i in range(3): self.helper(x)"}, False),
        ({"before": "x = np.zeros(3)"}, False), ({"before": "x = np.copy(x)"}, False),
        ({"before": "for z in (1, 2):\n            x[2] = self.helper(z)\n            continue"}, True),
    ],
)  # fmt: skip
def test_what_may_stand_among_them(parts: dict[str, str], in_numpy: bool):
    assert ("x_np[1] -= gain_np[1] * x_np[0]" in text_of(filled(**parts))) is in_numpy


@pytest.mark.parametrize(
    ("settings", "in_numpy"),
    [
        ({}, True), ({"loops": "tensor"}, False), ({"device": "cuda"}, False), ({"float": "float32"}, False),
        ({"scalars": "tensor"}, False), ({"ignore": ("NPT575",)}, False),
    ],
)  # fmt: skip
def test_settings_choose(settings: dict[str, object], in_numpy: bool):
    assert ("numpy_view(x)" in text_of(filled(), **settings)) is in_numpy


@pytest.mark.parametrize(("size", "in_numpy"), [("3", True), ("100000", False)])
def test_long_arrays_are_computed_with_in_torch(size: str, in_numpy: bool):
    text = filled(within="x[:] = x + gain").replace("np.ones(3)", f"np.ones({size})")
    assert ("x_np[:] = x_np + gain_np" in text_of(text)) is in_numpy


ANGLES = """import math

import numpy as np


class Angles:
    def of(self, m):
        size = math.sqrt(m[0, 0] * m[0, 0] + m[1, 0] * m[1, 0])
        if size > 1e-6:
            return {first}, size
        return math.atan2(-m[0, 1], m[1, 1]), 0.0


Angles().of(np.eye(2))
"""


@pytest.mark.parametrize(
    ("first", "in_numpy"),
    [
        ("math.atan2(m[1, 0], m[0, 0])", True), ("float(m[1, 0] / m[0, 0])", True), ("-math.sin(-m[1, 0])", True),
        ("np.arctan2(m[1, 0], m[0, 0])", False), ("m[1, 0] / m[0, 0]", False), ("m[0]", False),
    ],
)  # fmt: skip
def test_what_is_only_read_is_to_become_pythons_numbers(first: str, in_numpy: bool):
    text = ANGLES.format(first=first)
    done = text_of(text)
    assert ("math.sqrt(m_np[0, 0] * m_np[0, 0] + m_np[1, 0] * m_np[1, 0])" in done) is in_numpy
    numpys, torchs = dict[str, Any](), dict[str, Any]()
    exec(text, numpys)
    exec(done, torchs)
    for m in (np.array([[0.5, 2.0], [3.0, 4.0]]), np.zeros((2, 2))):
        if m.any() or first.startswith("math"):
            expected = numpys["Angles"]().of(m)
            found = torchs["Angles"]().of(torch.from_numpy(m))
            assert np.array_equal(expected[0], found[0]) and expected[1] == found[1]


@pytest.mark.parametrize(
    "line",
    [
        "if z > 0: x[0] += gain[0] * z; x[1] -= gain[1] * x[0]; x[2] = gain[2]",
        "x[0] += gain[0] * z; x[1] -= gain[1] * x[0]; x[2] = w = gain[2] / 3; self.w = w",
        "y = x[0]; y = y * gain[0] - x[1] * gain[1]; x[0] = y; x[1] = -y; self.w = y",
    ],
)
def test_statements_that_share_a_line_stay(line: str):
    text = filled(within=line).replace("x[0] += gain[0] * z\n", "pass\n")
    text = text.replace("        x[1] -= gain[1] * x[0]\n", "")
    done = text_of(text)
    assert "numpy_view" not in done
    numpys, torchs = dict[str, Any](), dict[str, Any]()
    exec(text, numpys)
    exec(done, torchs)
    given = np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.25, 2.0])
    tensors = [torch.from_numpy(one.copy()) for one in given]
    numpys["Filter"](*given).update(*given, 0.5)
    filter_ = torchs["Filter"](*tensors)
    filter_.update(*tensors, 0.5)
    assert np.array_equal(given[0], tensors[0].numpy())
    assert isinstance(getattr(filter_, "w", tensors[0]), torch.Tensor)


def test_scalars_computed_beside_such_elements_keep_their_gradients():
    text = ANGLES.format(first="float(m[1, 0])").replace("def of(self, m):", "def of(self, m, k):")
    text = text.replace("        if size", "        root = np.sqrt(k) * 2\n        if size")
    text = text.replace(", size\n", ", root\n")
    done = text_of(text.replace("of(np.eye(2))", "of(np.eye(2), np.float64(2.0))"))
    assert "numpy_view" not in done
    made: dict[str, Any] = {}
    exec(done, made)
    k = torch.tensor(4.0, dtype=torch.float64, requires_grad=True)
    made["Angles"]().of(torch.eye(2, dtype=torch.float64), k)[1].backward()
    assert k.grad is not None and k.grad.item() == 0.5


def test_few_elements_stay():
    few = filled().replace("x[1] -= gain[1] * x[0]", "pass").replace("gain[0]", "z")
    assert "numpy_view" not in text_of(few)


@pytest.mark.parametrize("parts", [{}, {"within": "y = x[0] / 2", "after": "x[2] = y * self.n"}])
def test_a_second_conversion_changes_nothing(parts: dict[str, str]):
    once = text_of(filled(**parts))
    assert "numpy_view" in once
    assert text_of(once) == once


def test_the_tensor_that_is_given_back_is_the_one_that_came_in():
    made: dict[str, Any] = {}
    exec(text_of(filled(after="return x")), made)
    x, gain = torch.ones(3, dtype=torch.float64), torch.ones(3, dtype=torch.float64)
    assert made["Filter"](x, gain).update(x, gain, 0.5) is x
    assert x.tolist() == [1.5, -0.5, 1.0]


def test_a_gradient_is_refused_aloud():
    made: dict[str, Any] = {}
    exec(text_of(filled()), made)
    x = torch.ones(3, dtype=torch.float64, requires_grad=True)
    with pytest.raises(RuntimeError, match="requires grad"):
        made["Filter"](x, x).update(x, x, 0.5)


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "int16", "uint8"])
def test_dtypes_are_numpys(dtype: str):
    text = filled(within="y = x[0] / 2\n        w = y * z", after="return x, y, w")
    numpys, torchs = dict[str, Any](), dict[str, Any]()
    exec(text, numpys)
    exec(text_of(text), torchs)
    given = [np.array([3, 2, 1]).astype(dtype), np.array([2, 1, 1]).astype(dtype)]
    tensors = [torch.from_numpy(one.copy()) for one in given]
    expected = numpys["Filter"](*given).update(*given, 1)
    found = torchs["Filter"](*tensors).update(*tensors, 1)
    for one, other in zip(expected, found, strict=True):
        assert str(other.dtype) == f"torch.{one.dtype}"
        assert np.array_equal(one, other.numpy())
