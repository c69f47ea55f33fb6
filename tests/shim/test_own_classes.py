"""Objects of classes that stay on NumPy, and NumPy's ufuncs, beside the shim's functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from np2torch import shim


class Counted(np.ndarray):
    """Counts what is made of it, and refuses square roots."""

    def __array_finalize__(self, obj: Any) -> None:
        self.count = getattr(obj, "count", 0) + 1

    def __array_wrap__(self, obj: Any, context: Any = None, return_scalar: bool = False) -> Any:
        if context is not None and context[0] is np.sqrt:
            raise ValueError("no root")
        return super().__array_wrap__(obj, context, return_scalar)


@pytest.mark.parametrize("name", ["exp", "add", "cumsum", "diff", "round", "flip", "where", "clip"])
def test_numpys_function_answers(name):
    counted = np.array([1.0, 4.0]).view(Counted)
    arguments = {"add": (counted, 1.0), "where": (counted > 2.0, counted, 0.0), "clip": (counted, 0.0, 2.0)}
    given = arguments.get(name, (counted,))
    old, new = getattr(np, name)(*given), getattr(shim, name)(*given)
    assert isinstance(new, Counted) is isinstance(old, Counted)
    assert np.asarray(new).tolist() == np.asarray(old).tolist()


def test_the_class_may_refuse():
    with pytest.raises(ValueError, match="no root"):
        shim.sqrt(np.array([4.0]).view(Counted))
    assert shim.sqrt(np.array([4.0])).tolist() == [2.0]


@pytest.mark.parametrize("name", ["add", "true_divide", "absolute", "conjugate"])
def test_a_table_finds_both_ufuncs(name):
    own, numpys = getattr(shim, name), getattr(np, name)
    assert {own: 1}[numpys] == {numpys: 1}[own] == 1
    assert np.subtract not in {own}
