"""Values that are dtypes by their use or their name."""

from __future__ import annotations

import ast

import pytest

from np2torch.facts.dtype_uses import is_called_dtype, used_as_dtypes
from np2torch.names.tree import Nodes


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("y = x.astype(kind)", "kind"),
        ("y = np.zeros(3, dtype=kind)", "kind"),
        ("y = np.dtype(self.kind)", "self.kind"),
        ("y = np.finfo(kind).eps", "kind"),
    ],
)
def test_what_is_passed_as_a_dtype_is_one(text, name):
    assert used_as_dtypes(Nodes(ast.parse(f"pass\n{text}\n"))) == {name: 2}


def test_a_method_of_another_name_takes_none():
    assert used_as_dtypes(Nodes(ast.parse("y = x.reshape(kind)\nz = kind.dtype(x)\n"))) == {}


@pytest.mark.parametrize(("name", "expected"), [("out_dtype", True), ("DataType", True), ("dtypes", False)])
def test_names_of_dtypes(name, expected):
    assert is_called_dtype(name) is expected
