"""The same project gives the same text in every process, whatever the seed of Python's hashes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

DTYPES = ("float64", "float32", "int64", "int32", "int16", "int8", "uint8", "bool")
HEAD = '''import numpy as np


def scaled(x, many):
    """More kinds of calls than are told apart."""
    return x * many
'''
CALLER = '''

def of_{dtype}(n):
    return scaled(np.zeros(n, dtype=np.{dtype}), n) / 2
'''
CHOICE = """

def chosen(kind, n):
    function = {choice}
    return function(n)


def gathered(first, n):
    many, few = [n], [[n]]
    rows = many if first else few
    rows.append(np.zeros(n))
    for row in rows:
        n = n + row
    return n / 3


print(chosen(1, 3), gathered(True, 3))
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    choice = " ".join(f"of_{dtype} if kind == {number} else" for number, dtype in enumerate(DTYPES[1:]))
    text = HEAD + "".join(CALLER.format(dtype=dtype) for dtype in DTYPES)
    path = tmp_path / "program.py"
    path.write_text(text + CHOICE.format(choice=f"{choice} of_{DTYPES[0]}"))
    return path


def test_the_seed_of_hashes_makes_no_difference(program: Path) -> None:
    texts = set()
    for seed in range(6):
        environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
        command = [sys.executable, "-m", "np2torch_cli", "convert", "--diff", str(program)]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
        assert "shim.operator" in done.stdout, done.stderr
        texts.add(done.stdout)
    assert len(texts) == 1
