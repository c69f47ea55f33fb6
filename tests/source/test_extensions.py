"""Compiled modules of a package, to which ndarrays go."""

from __future__ import annotations

from pathlib import Path

from np2torch.rewrite.answers import key_of
from np2torch.rewrite.convert import convert_project
from np2torch.source.extensions import compiled_modules
from np2torch.source.model import Settings, SourceFile

SOLVING = """import numpy as np
{line}


def run(d, e):
    x = np.zeros(3)
    solve(np.asarray(d, dtype=float), e, x)
    return x
"""
ONLY = "from pk._fast import solve"
ELSE = """
try:
    from pk._fast import solve
except ImportError:
    def solve(d, e, x):
        x[:] = d + e"""


def project(folder: Path, line: str) -> list[SourceFile]:
    package = folder / "pk"
    package.mkdir()
    texts = {"__init__.py": "", "main.py": SOLVING.format(line=line)}
    for name, text in texts.items():
        (package / name).write_text(text)
    return [SourceFile(package / name, name, text) for name, text in texts.items()]


def text_of(files: list[SourceFile]) -> str:
    return next(one.after for one in convert_project(files, Settings()) if one.path.name == "main.py")


def test_a_compiled_module_gets_ndarrays(tmp_path: Path) -> None:
    files = project(tmp_path, ONLY)
    assert ".numpy()" not in text_of(files)
    before = key_of(files, Settings())
    (tmp_path / "pk" / "_fast.pyx").write_text("")
    assert "shim.to_numpy(e), x.numpy())" in text_of(files)
    assert key_of(files, Settings()) != before


def test_what_stands_in_for_it_gets_tensors(tmp_path: Path) -> None:
    files = project(tmp_path, ELSE)
    (tmp_path / "pk" / "_fast.cpython-311-x86_64-linux-gnu.so").write_bytes(b"")
    assert "shim.across(solve)(" in text_of(files)


def test_a_module_with_python_text_is_none(tmp_path: Path) -> None:
    for name in ("_fast.c", "_fast.py", "_slow.f90"):
        (tmp_path / name).write_text("")
    names = {tmp_path / "__init__.py": "pk", tmp_path / "_fast.py": "pk._fast"}
    assert compiled_modules(names) == {"pk._slow"}
