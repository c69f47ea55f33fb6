"""Functions that numba compiles stay on NumPy; converted code hands them ndarrays and gets tensors back."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Converted, Settings, SourceFile

COMPILER = '''
"""A compiler that takes what numba takes: ndarrays and Python's numbers, and no other function than compiled ones."""
import numpy


def jit(*options, **more):
    def compiled(function):
        def call(*values):
            for value in values:
                if type(value) not in (numpy.ndarray, int, float, bool):
                    raise TypeError(f"{function.__name__}: {type(value)} has no type here")
            return unboxed(function(*values))

        return call

    return compiled(options[0]) if len(options) == 1 and callable(options[0]) else compiled


def unboxed(value):
    if isinstance(value, tuple):
        return tuple(map(unboxed, value))
    return value.item() if isinstance(value, numpy.generic) else value


njit = jit
'''
KERNELS = '''
import numba as nb
import numpy as np
from numba import jit as compiled


@nb.njit
def steps(s):
    return s[1:] - s[:-1]


@compiled("float64(float64[:], int64)", nopython=True)
def total(x, n):
    out = np.zeros(n)
    t = 0.0
    for i in range(len(x)):
        t += x[i] / n
        out[i % n] += t
    return t * steps(x)[0] + out.sum()


@nb.jit
def both(x):
    return x * 2, np.sum(x)


def jit(function):
    return function


@jit
def plain(x):
    return np.cumsum(x) / 2


def main(x):
    x = np.asarray(x, dtype=np.float64)
    d = steps(x)
    y, s = both(d)
    return [d * total(x, 3) + np.exp(-y) * s, plain(x) * s, steps(x).sum(), s + 1]
'''
CALL = """
import torch, numpy
from kernels import main

print([type(one).__name__ for one in main([1.0, 4.0, 2.0, 8.0])])
print([numpy.asarray(one).tolist() for one in main([1.0, 4.0, 2.0, 8.0])])
"""


@pytest.fixture(scope="module")
def kernels() -> Converted:
    path = Path("kernels.py")
    (done,) = convert_project([SourceFile(path, "kernels.py", KERNELS)], Settings())
    return done


def test_compiled_functions_stay_as_they_are(kernels: Converted):
    for name in ("steps", "total", "both"):
        body = KERNELS.split(f"def {name}(")[1].split("\n\n\n")[0]
        assert f"def {name}({body}" in kernels.after
        assert f"# TODO(np2torch): NPT570 `{name}` is compiled by numba" in kernels.after
    assert "np.cumsum" not in kernels.after, "a decorator of the project's is none of numba's"
    assert [site.code for site in kernels.sites].count("NPT570") == 3


def test_a_second_conversion_changes_nothing(kernels: Converted):
    path = Path("kernels.py")
    (again,) = convert_project([SourceFile(path, "kernels.py", kernels.after)], Settings())
    assert again.after == kernels.after


def test_tensors_go_in_as_arrays_and_come_back_as_tensors(kernels: Converted, tmp_path: Path):
    (tmp_path / "numba.py").write_text(COMPILER)
    (tmp_path / "call.py").write_text(CALL)
    printed = []
    for text in (KERNELS, kernels.after):
        (tmp_path / "kernels.py").write_text(text)
        done = subprocess.run([sys.executable, "call.py"], cwd=tmp_path, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        printed.append(done.stdout.splitlines())
    (before, values), (after, others) = printed
    assert before == "['ndarray', 'ndarray', 'float64', 'float']"
    assert after == "['Tensor', 'Tensor', 'Tensor', 'float']"
    assert values == others
