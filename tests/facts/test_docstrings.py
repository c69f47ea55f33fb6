# ruff: noqa: E501 (tables of source texts)
"""What docstrings say of parameters and results."""

from __future__ import annotations

import numpy as np
import pytest

from np2torch.facts import values as v
from support.facts import one
from support.guards import both, is_equal, outcome, tensors

NUMPYDOC = '"""F.\n\n    Parameters\n    ----------\n    x : %s\n        Where.\n    """'


@pytest.mark.parametrize(("annotation", "said"), [("float", ""), ("", "float, optional"), ("", "int or float"), ("", "scalar or array_like")])
def test_where_people_say_float_callers_nobody_sees_pass_more_than_integers(annotation, said):
    stated = f"x: {annotation}" if annotation else "x"
    text = NUMPYDOC % said if said else '"""F."""'
    fact = one(f"def f({stated}):\n    {text}\n    show(np.array([x, x]))\n\nf(3)\n")
    assert v.dtypes_of(fact) == frozenset(["int64", "float64"])


@pytest.mark.parametrize("said", ["int", "the number of steps", "number of steps", "int, optional"])
def test_integers_stay_integers(said):
    fact = one(f"def f(x):\n    {NUMPYDOC % said}\n    show(np.array([x, x]))\n\nf(3)\n")
    assert fact == v.array("int64", 1)


@pytest.mark.parametrize(("kind", "expected"), [("ndarray", v.scalar()), ("int", v.scalar("float64"))])
def test_a_documented_float_may_be_any_numpy_scalar_beside_arrays(kind, expected):
    said = f"Parameters\n    ----------\n    a : {kind}\n    x : float\n"
    assert expected <= one(f'def f(a, x):\n    """F.\n\n    {said}    """\n    show(x)\n')


def test_a_docstring_fills_in_what_is_unknown_of_one_result_and_not_of_the_others():
    text = (
        "def f(x, y):\n    '''F.\\n\\n    Returns\\n    -------\\n    z : array, shape (4, 4)\\n    '''\n"
        "    if y:\n        return np.zeros((2, 2, 2))\n    return x\n\ndef g(x, y):\n    show(f(x, y))\n"
    )
    assert v.ranks_of(one(text)) == {2, 3}


DOCUMENTED = '''def gaussian(x, a, dev):
    """A bell.

    Parameters
    ----------
    x : {word}
        Point.
    a, dev : number
        Height and width.
    """
    return a * np.exp(-x ** 2 / (2.0 * dev ** 2)), 1 / x
'''


@pytest.mark.parametrize("word", ["number", "float", "scalar, optional"])
@pytest.mark.parametrize("x", [2.5, 3, np.float32(1.5), np.int64(3), np.array([1, 2]), np.ones(2, np.float32), np.ones(2)])
def test_unseen_callers_pass_arrays_for_a_documented_number(word, x):
    old, new, _ = both(DOCUMENTED.format(word=word), "gaussian")
    given, expected = outcome(new, [tensors(x), 1.0, 2.0]), outcome(old, [x, 1.0, 2.0])
    assert expected is not None
    assert given is None or all(map(is_equal, expected[:2], given[:2]))
    assert given is not None or getattr(x, "dtype", None) == "float32"
