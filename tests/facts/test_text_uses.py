"""Values that are text or paths by their use."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from np2torch.facts import notation
from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Settings, SourceFile
from np2torch.verify.compare import difference
from support.facts import one


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("show(line.strip())", "str"),
        ("show(line.split())", "list of str"),
        ("show(line.split(sep, 1))", "unknown"),  # a splitter of data sets has such a method too
        ("line.startswith('x'); show(line)", "str"),
        ("rest = line.data; rest.endswith('x'); show(rest)", "str"),
        ("show(line.name.str.upper())", "unknown"),  # a column of pandas
        ("line = line.lower() if isinstance(line, str) else line; show(line)", "str | unknown"),
    ],
)
def test_what_has_methods_of_text(body: str, expected: str) -> None:
    assert notation.show_fact(one(f"def f(line, sep):\n    {body}")) == expected


def test_methods_of_that_name_in_the_project() -> None:
    found = one("""
        class Interval:
            def upper(self):
                return np.zeros(3)


        def f(x):
            show(x.upper())
    """)
    assert notation.show_fact(found) == "unknown"


def test_keys_and_messages_of_text(tmp_path: Path) -> None:
    """Nothing is taken by value that is text, a path or a key; both sides give the same."""
    text = """
import numpy as np


def read(path, line, found):
    with open(path) as file:
        count = len(file.read().split())
    key, value, *rest = line.strip().split(" ")
    found[key] = np.array([float(one) for one in rest])
    lengths = {}
    for name, one in found.items():
        lengths[name] = f"{name} has {len(one)}"
    return f"{path} {key}: {count}", int(value), found, lengths
"""
    (result,) = convert_project([SourceFile(Path("program.py"), "program.py", text)], Settings())
    assert "shim" not in result.after
    path = tmp_path / "x"
    path.write_text("a b c")
    sides: list[dict[str, Any]] = [{}, {}]
    for side, names in zip((text, result.after), sides, strict=True):
        exec(side, names)
    old, new = (names["read"](path, " k 3 1.5 2.5\n", {}) for names in sides)
    assert difference(old, new) is None
