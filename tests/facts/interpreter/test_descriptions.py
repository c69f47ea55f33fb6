# ruff: noqa: E501 (tables of source texts)
"""What the text of a function says of its parameters: annotations, docstrings, use."""

from __future__ import annotations

import pytest

from np2torch.facts import values as v
from support.facts import one


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f(x: np.ndarray):\n    show(x)\n", v.ARRAY),
        ("def f(x: 'np.ndarray'):\n    show(x)\n", v.ARRAY),
        ("import numpy.typing as npt\ndef f(x: npt.NDArray[np.float32]):\n    show(x)\n", v.array("float32")),
        ("from typing import Optional\ndef f(x: Optional[np.ndarray]):\n    show(x)\n", v.join(v.ARRAY, v.NONE)),
        ("def f(x: np.ndarray | None):\n    show(x)\n", v.join(v.ARRAY, v.NONE)),
        ("def f(x: str):\n    show(x)\n", v.TEXT),
        ("def f(x):\n    show(x)\n    return x.shape\n", v.ARRAY),
        ("def f(x):\n    show(x)\n    return x @ x\n", v.ARRAY),
        ("def f(x):\n    show(x)\n    return x[:, 0]\n", v.ARRAY),
        ("def f(x):\n    show(x)\n    return isinstance(x, list) or x.shape\n", v.TOP),
        ("def f(x):\n    show(x)\n    return x\n", v.TOP),
        ("def f(x):\n    '''Do.\n\n    Parameters\n    ----------\n    x : ndarray of shape (n, m)\n        It.\n    '''\n    show(x)\n", v.array(None, 2)),
        ("def f(x):\n    '''Do.\n\n    Parameters\n    ----------\n    x : 2-D ndarray\n    '''\n    show(x)\n", v.array(None, 2)),
        ("def f(x):\n    '''Do.\n\n    Args:\n        x (np.ndarray): it.\n    '''\n    show(x)\n", v.ARRAY),
        ("def f(x):\n    '''Do.\n\n    Parameters\n    ----------\n    x : array_like or float\n    '''\n    show(x)\n", v.join(v.ARRAY, v.TOP)),
    ],
)  # fmt: skip
def test_evidence(text, expected):
    assert one(text) == expected
