"""Classes that stay on NumPy."""

from __future__ import annotations

import sys
import types

import numpy as np
import torch

from support.conversions import convert_files
from support.handlers import agree


def test_masked_arrays():
    agree(
        """
        x = np.ma.masked_greater(np.arange(4.0), 2)
        mean = float(x.mean())
        filled = x.filled(0.0)
        count = int(x.count())
        """,
        """
        # TODO(np2torch): NPT304 np.ma.masked_greater has no torch counterpart; kept on NumPy.
        x = np.ma.masked_greater(torch.arange(4.0, dtype=torch.float64).numpy(), 2)
        mean = float(x.mean())
        filled = x.filled(0.0)
        count = int(x.count())
        """,
    )


def test_a_class_of_matrices():
    agree(
        """
        m = np.matrix([[1.0, 2.0], [3.0, 4.0]])
        square = (m * m).tolist()
        row = m[0].tolist()
        """,
        """
        # TODO(np2torch): NPT304 np.matrix has no torch counterpart; kept on NumPy.
        m = np.matrix([[1.0, 2.0], [3.0, 4.0]])
        square = (m * m).tolist()
        row = m[0].tolist()
        """,
    )


LAW = """
import numpy as np
from scipy.stats import rv_continuous

ROOT = 1.0 / np.sqrt(np.float64(4.0))


class Ramp(rv_continuous):
    def _argcheck(self, c):
        return np.asarray(c) > 0

    def _cdf(self, x, c):
        return np.clip(x * ROOT * 2, 0.0, 1.0)

    def doubled(self, x):
        return np.asarray(x) * 2 * np.asarray(c_of(x))


def c_of(x):
    out = 0.0
    for i in range(len(x)):
        out += x[i]
    return out


ramp = Ramp(name="ramp", a=0.0, b=1.0)
"""
ASKING = """
import importlib

import numpy as np

law = getattr(importlib.import_module("law"), "".join(["ra", "mp"]))
c = np.array([0.5, -1.0])
x = np.array([0.25, 0.5])
results = [law._argcheck(c) & np.array([True, True]), law.cdf(x, 1.0) - x, law.doubled(x) - x]
results.append(law.rvs(1.0, size=2, random_state=np.random.default_rng(1)) - x)
"""


def test_objects_of_which_nothing_is_known_take_tensors():
    """Methods of such a class, and those that it inherits, gave ndarrays to callers with tensors: a TypeError."""
    answers = []
    for law, asking in ((LAW, ASKING), tuple(_converted_files(law=LAW, asking=ASKING))):
        sys.modules["law"] = module = types.ModuleType("law")
        try:
            exec(law, vars(module))
            exec(asking, names := {"__name__": "asking"})
        finally:
            del sys.modules["law"]
        answers.append(names["results"])
    expected, found = answers
    assert all(isinstance(one, torch.Tensor) for one in found)
    for one, other in zip(expected, found, strict=True):
        np.testing.assert_array_equal(one, other.numpy())


def _converted_files(**files: str) -> list[str]:
    done = convert_files({f"{name}.py": text for name, text in files.items()})
    return [done[f"{name}.py"].after for name in files]
