"""Complex results of `eig` and the like are followed, so that other arrays need not be taken for complex ones."""

from __future__ import annotations

import pytest

EIG = """import numpy as np

def halved(x: np.ndarray):
    return x / 2.0

def spectrum(a):
    values, vectors = np.linalg.eig(a)
"""


@pytest.mark.parametrize(
    "rest",
    [
        "    return np.abs(values)\n",
        "    print('%s' % values)\n    return vectors.real\n",
        "    out = [values, a]\n    return len(out), type(values)\n",
    ],
)
def test_others_stay_real(convert, rest):
    assert "x.to(torch.float64) / 2.0" in convert(EIG + rest)


@pytest.mark.parametrize(
    "rest",
    [
        "    return values\n",
        "    a.values = values\n",
        "    save(values)\n",
        "    return [v for v in values]\n",
        "    from scipy.linalg import eigvals\n    return np.abs(eigvals(a))\n",
        "    return np.abs(solver.eigvals())\n",
        "class Modes:\n    def __init__(self, a):\n        self.values = np.linalg.eigvals(a)\n\n"
        "def read(modes):\n    return np.abs(modes.values)\n",
    ],
)
def test_what_gets_out_of_sight_may_be_anywhere(convert, rest):
    assert "x / torch.tensor(2.0, dtype=torch.float64)" in convert(EIG + rest)


def test_joined_with_what_is_not_known(convert):
    rest = "    x = a if a.sum() > 3 else vectors\n    return np.abs(x / 2.0)\n"
    text = convert(EIG + rest)
    assert "x.to(torch.float64) / 2.0" in text
    assert "shim.operator.truediv(x, 2.0)" in text


def test_passed_on_within_the_project(convert):
    rest = "    return np.abs(tripled(vectors))\n\ndef tripled(v):\n    return v / 3.0\n"
    text = convert(EIG + rest)
    assert "x.to(torch.float64) / 2.0" in text
    assert "v.to(" not in text
