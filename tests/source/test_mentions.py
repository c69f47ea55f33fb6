"""The dtypes that a project's text speaks of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from np2torch.source.mentions import ALWAYS, CODE, HINTS, anywhere, dtypes_in, names_unheld


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("half = n // 2\nsingle = x[0]\n", ""),
        ("# the more complex half, in single steps\n", ""),
        ('def f(x):\n    """More complex angles, and\n    half of them."""\n    return x  # like an fft\n', ""),
        ("x = np.zeros(3, np.half)\n", "float16"),
        ("x = np.zeros(3, 'half')\n", "float16"),
        ("from numpy import (single, half)\nx = half(3)\n", "float16 float32"),
        ("from numpy import *\nx = half(3)\n", "float16"),
        ("x = np.zeros(3, dtype='<f4')\n", "float32"),
        ("x = y * 1j\n", "complex128"),
        ("x = complex(1, 2)\n", "complex128"),
        ('def f(x):\n    """F.\n\n    Parameters\n    ----------\n    x : complex ndarray\n    """\n', "complex128"),
        ('def f(x):\n    """F.\n\n    Parameters\n    ----------\n    x : float32 array\n    """\n', "float32"),
        ("# np2torch: x: float32[n]\n", "float32"),
        ("this is ( no Python: 'float32' and half\n", "float32"),
    ],
)
def test_dtypes_in(text, more):
    assert dtypes_in([text]).computed == ALWAYS | set(more.split())


def test_what_is_computed_is_not_said():
    said, computed = dtypes_in(["w, q = np.linalg.eig(a)\n", "x = np.zeros(3, 'f4')\n"])
    assert said == ALWAYS | {"float32"} and computed == said | {"complex128"}


@pytest.mark.parametrize("dtype", CODE)
@given(data=st.data())
def test_nothing_is_missed_for_want_of_a_hint(dtype, data):
    text = data.draw(st.from_regex(anywhere(dtype)))
    assert any(hint in text for hint in HINTS[dtype])


@pytest.mark.parametrize(
    ("text", "is_named"),
    [
        ("x = np.zeros(3, np.longdouble)\n", True),
        ("x = np.frombuffer(data, '>i4')\n", True),
        ("x = y.view(y.dtype.newbyteorder())\n", True),
        ("x = np.zeros(3, dtype='g')\n", True),
        ("plt.plot(x, y, 'g')\n", False),
        ("x = np.zeros(3, '<i4')\n", False),
        ("x = np.zeros(3)  # no longdouble\n", False),
        ('"""Not for longdouble."""\nx = 3\n', False),
    ],
)
def test_names_unheld(text, is_named):
    assert names_unheld([text]) is is_named
