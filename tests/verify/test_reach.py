"""Budgets rest on what a function itself may come to, not on all that stands in its module."""

from __future__ import annotations

import pytest

from np2torch.verify.reach import Reach

OTHER = """
from numpy.linalg import svd as parts

TABLE = {"a": lambda x: x % 2}

def inner(x):
    return parts(x)

class Box:
    kind = "float32"

    def pack(self, x):
        return x.searchsorted(1)

    def __matmul__(self, other):
        return other.qr()
"""
MODULE = """
import numpy as np
from .other import Box, TABLE
from . import other

def plain(x):
    return np.abs(x)

def called(x):
    return other.inner(x)

def looked_up(x):
    return TABLE["a"](x)

def boxed(x):
    return Box() @ x

def packed(box, x):
    return box.pack(x)

class Own:
    def method(self, x):
        return plain(x)

    def other(self, x):
        return called(x)
"""


@pytest.mark.parametrize(
    ("name", "there", "absent"),
    [
        ("plain", {"abs"}, {"svd", "%", "float32", "searchsorted"}),
        ("called", {"svd"}, {"%", "float32"}),
        ("looked_up", {"%"}, {"svd"}),
        ("boxed", {"float32", "qr", "searchsorted"}, {"svd", "%"}),
        ("packed", {"searchsorted"}, {"float32", "qr"}),
        ("Own", {"abs", "svd"}, {"float32"}),
        ("nowhere", set(), {"abs"}),
    ],
)
def test_names_are_those_of_the_body_and_of_what_it_calls(tmp_path, name, there, absent):
    package = tmp_path / "pkg"
    package.mkdir()
    for file, text in (("__init__", ""), ("other", OTHER), ("module", MODULE)):
        (package / f"{file}.py").write_text(text)
    found = Reach(package / "module.py").names(name)
    assert there <= found and not absent & found


def test_floats_are_those_of_all_code_that_is_reached(tmp_path):
    (tmp_path / "m.py").write_text("""
ZERO = 273.15

def degrees(k):
    return k - ZERO

def other(x):
    return x * 7.5

def force(k):
    return (degrees(k) - 14.0) / 2.0
""")
    assert sorted(Reach(tmp_path / "m.py").floats("force")) == [2.0, 14.0, 273.15]
