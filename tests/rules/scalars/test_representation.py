"""Scalars as Python numbers or tensors: what decides, and what that means for gradients."""

from __future__ import annotations

import copy
from pathlib import Path

import numpy as np
import pytest
import torch

from np2torch import shim
from np2torch.rewrite.convert import convert_project
from np2torch.source.gradients import scalars_for
from np2torch.source.model import Settings, SourceFile

RECURRENCE = """\
import numpy as np


def smoothed(x, alpha):
    out = np.zeros(len(x))
    out[0] = x[0]
    for i in range(1, len(x)):
        out[i] = alpha * x[i] + out[i - 1]
    return out


def total(x):
    s = 0.0
    for i in range(len(x)):
        if x[i] > 1.5:
            s += x[i] * 2
    return s


def largest(x):
    m = x.max()
    if m > 2:
        print(m)
    return m * x


smoothed(np.ones(3), 0.5), total(np.ones(3)), largest(np.ones(3))
"""


def converted(text: str, **settings: str) -> str:
    given = {"closed": ("*",), "loops": "tensor", **settings}
    (done,) = convert_project([SourceFile(Path("m.py"), "m.py", text)], Settings(**given))
    assert not done.problems
    return done.after


def function(text: str, name: str, **settings: str):
    made: dict[str, object] = {}
    exec(compile(converted(text, **settings), "m.py", "exec"), made)
    return made[name]


@pytest.mark.parametrize("scalars", ["number", "tensor"])
@pytest.mark.parametrize("name", ["total", "largest"])
def test_what_is_returned_can_be_differentiated(name: str, scalars: str):
    x = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64, requires_grad=True)
    function(RECURRENCE, name, scalars=scalars)(x).sum().backward()
    assert x.grad is not None
    assert x.grad.abs().sum() > 0


def test_a_recurrence_keeps_gradients_where_that_is_asked_for():
    x = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64, requires_grad=True)
    function(RECURRENCE, "smoothed", scalars="tensor")(x, 0.5).sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [3.0, 1.0, 0.5]
    assert "out[i - 1].item()" in converted(RECURRENCE, scalars="number")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("w.requires_grad_()", "tensor"),
        ("torch.zeros(3, requires_grad=True)", "tensor"),
        ("loss.backward()", "tensor"),
        ("opt = torch.optim.Adam(w)", "tensor"),
        ("from torch import nn, optim", "tensor"),
        ("g = torch.autograd.grad(y, x)", "tensor"),
        ("torch.no_grad()", "number"),
        ("backward = 3", "number"),
        ("from scipy.optimize import minimize", "number"),
    ],
)
def test_the_text_of_a_project_decides_where_nobody_does(text: str, found: str):
    assert scalars_for(["import numpy as np\n", text]) == found


def test_by_default_it_is_the_text_of_all_files():
    train = SourceFile(Path("train.py"), "train.py", "import torch\n\nw = torch.zeros(3, requires_grad=True)\n")
    alone = converted(RECURRENCE)
    settings = Settings(closed=("*",), loops="tensor")
    beside = next(convert_project([SourceFile(Path("m.py"), "m.py", RECURRENCE), train], settings)).after
    assert alone == converted(RECURRENCE, scalars="number")
    assert beside == converted(RECURRENCE, scalars="tensor")
    assert alone != beside


def test_an_ignored_code_leaves_scalars_tensors():
    text = converted(RECURRENCE, ignore=("NPT525",))  # type: ignore[arg-type]
    assert ".item()" not in text.partition("def largest")[0]


@pytest.mark.parametrize("line", ["here = x[i]  # np2torch: skip", "here = x[i]  # np2torch: skip[NPT525]"])
def test_a_name_with_one_binding_that_is_left_stays_a_tensor(line: str):
    text = (
        "import numpy as np\n\n\ndef f(x):\n    here = x[0]\n    for i in range(3):\n"
        f"        {line}\n        if here > 2:\n            print('yes')\n\n\nf(np.ones(3))\n"
    )
    assert "here = x[0].item()" not in converted(text)


def test_with_float32_nothing_is_a_float64_number():
    text = converted(RECURRENCE, float="float32")
    assert "x[i].item()" not in text


PASSED = """\
import numpy as np


def bump(v):
    z = v
    v += 1
    return v, z


def told(v):
    return isinstance(v, np.ndarray), type(v).__name__
"""


def outcomes(bump, told, value) -> tuple[object, ...]:
    changed, kept = bump(value)
    return float(changed), float(kept), changed is kept, *told(value)


@pytest.mark.parametrize("value", [np.float64(1), np.array(1.0), np.float32(1), np.array(2, "int64")])
def test_what_callers_pass_without_axes_is_a_scalar_or_is_marked(value: object):
    old: dict[str, object] = {}
    exec(PASSED, old)
    new = [function(PASSED, name, closed=()) for name in ("bump", "told")]
    expected = outcomes(old["bump"], old["told"], copy.copy(value))
    assert outcomes(*new, shim.from_numpy(copy.copy(value))) == expected
    by_hand = torch.tensor(value.item(), dtype=getattr(torch, str(value.dtype)))
    by_hand = shim.array_0d(by_hand) if isinstance(value, np.ndarray) else by_hand
    assert outcomes(*new, by_hand) == expected
