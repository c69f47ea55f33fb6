"""Numbers of double precision in extended precision and back: what was not computed in it is no number any more."""

from __future__ import annotations

import numpy as np

from np2torch.verify.precision import narrow, widen


def test_numbers_in_double_precision_are_widened():
    values = [np.ones(2), [1.5, (np.float64(2.0), 3)], np.ones(2, "f4"), np.arange(2), "a", np.ones(1) * 1j]
    array, (number, (scalar, whole)), single, integers, text, imaginary = widen(values)
    assert array.dtype == np.longdouble and type(number) is type(scalar) is np.longdouble and type(whole) is int
    assert single.dtype == np.float32 and integers.dtype == np.int64 and text == "a"
    assert imaginary.dtype == np.clongdouble


def test_results_are_narrowed_that_were_computed_so():
    found = narrow({"a": [np.longdouble(1.5), np.ones(2, np.longdouble)], "b": (np.ones(2), 0.5, np.arange(2))})
    number, array = found["a"]
    assert number.dtype == array.dtype == np.float64
    assert found["b"][:2] == ("double precision",) * 2 and found["b"][2].dtype == np.int64
