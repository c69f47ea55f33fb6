"""Tensors of a module that functions read which numba compiles go in as ndarrays under another name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Settings, SourceFile

TABLES = """
import numpy as np
{between}
TABLE = np.array([5, 2, -2, 7], dtype=np.int64)
KIND = np.float64
"""
READING = """
try:
    from numba import njit
except ImportError:
    njit = lambda function: function


@njit
def picked(i, dx):
    a, b = TABLE[i : i + 2]
    return a * dx + b * dx


@njit
def all_of(x):
    out = np.zeros(len(x), KIND)
    for i in range(len(x)):
        TABLE_np = picked(i, x[i])
        out[i] = TABLE_np
    return out


def total(x: np.ndarray):
    return all_of(np.asarray(x, dtype=float)).sum() + TABLE.sum()
"""


def converted(*texts: str) -> list[str]:
    files = [SourceFile(Path(f"{name}.py"), f"{name}.py", text) for name, text in zip("ab", texts, strict=False)]
    return [one.after for one in convert_project(files, Settings())]


def run(text: str) -> dict[str, Any]:
    """Run a module without numba, and give its names."""
    names: dict[str, Any] = {"__name__": "a"}
    exec(compile(text, "a.py", "exec"), names)
    return names


@pytest.mark.parametrize("between", ["", "import math"])
def test_a_compiled_function_reads_views_of_the_modules_tensors(between):
    whole = TABLES.format(between=between) + READING
    (after,) = converted(whole)
    assert "TABLE_np_ = shim.to_numpy(TABLE)\nKIND" in after and "KIND_np = shim.to_numpy(KIND)" in after
    assert "a, b = TABLE_np_[i : i + 2]" in after and "np.zeros(len(x), KIND_np)" in after and "TABLE.sum()" in after
    assert converted(after) == [after]
    old, new = run(whole), run(after)
    for x in ([0.1, 0.7, 3.3], [0.3]):
        assert new["total"](torch.tensor(x, dtype=torch.float64)).item() == old["total"](np.array(x))


def test_tables_of_another_module_are_viewed_below_the_imports():
    tables, after = converted(TABLES.format(between=""), "import numpy as np\nfrom a import *\nimport math\n" + READING)
    assert "import math\nTABLE_np_ = shim.to_numpy(TABLE)" in after.replace("\n\n", "\n"), after
    assert "shim.to_numpy" not in tables


@pytest.mark.parametrize(
    "more", ["\nTABLE = np.ones(4)\n", "\ndef change():\n    global TABLE\n    TABLE = np.ones(4)\n"]
)
def test_what_is_bound_again_has_no_view_and_is_listed(more):
    text = TABLES.format(between="") + READING + more
    (done,) = convert_project([SourceFile(Path("a.py"), "a.py", text)], Settings())
    assert "to_numpy(TABLE)" not in done.after
    assert any(one.code == "NPT514" and one.message.startswith("TABLE") for one in done.remarks)
