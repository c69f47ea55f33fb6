"""The dtypes that a project's text speaks of."""

from __future__ import annotations

import pytest

from np2torch.source.mentions import ALWAYS, dtypes_in


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
    assert dtypes_in([text]) == ALWAYS | set(more.split())
