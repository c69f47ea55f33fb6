"""The short ways of assertions: they say yes only where the long ways do."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import torch

from np2torch.shim._quick_tests import are_close, are_equal, are_near

VALUES = [0.0, -0.0, 1.0, 1.0 + 1e-9, 1.0 + 1e-6, math.nan, math.inf, -math.inf, 1e308, -1e308, 5e-324]
PAIRS = list(itertools.product(VALUES, repeat=2))


def holds(check, *arguments: object, **named: object) -> bool:
    try:
        check(*arguments, **named)
    except AssertionError:
        return False
    return True


@pytest.mark.filterwarnings("ignore")
def test_yes_is_numpys_yes():
    for x, y in PAIRS:
        a, b = np.array([1.0, x]), np.array([1.0, y])
        s, t = torch.from_numpy(a), torch.from_numpy(b)
        for rtol, atol, nan in ((1e-7, 0, True), (0.0, 1e-8, False)):
            close = holds(np.testing.assert_allclose, a, b, rtol, atol, nan)
            assert are_close(s, t, rtol, atol, nan) is close, (x, y)
        assert are_equal(s, t) <= holds(np.testing.assert_array_equal, a, b)
        assert are_near(s, t, 1.5e-6) <= holds(np.testing.assert_array_almost_equal, a, b), (x, y)
    assert are_near(torch.ones(2, dtype=torch.float64), [1.0, 1.0], 1e-7)


def test_everything_else_goes_the_long_way():
    x = torch.ones(2, dtype=torch.float64)
    others = [
        None,
        "a",
        [1.0, "a"],
        [1.0, 2.0, 3.0],
        x.float(),
        x[None],
        [[1.0, 1.0]],
        1,
        x.to("meta"),
        [[1.0], [2.0, 3.0]],
    ]
    assert not any(are_close(x, one, 1e-7, 0, True) or are_near(x, one, 1.0) or are_equal(x, one) for one in others)
    assert not are_close(x, x, -1.0, 0, True) and not are_close(x, x, 1e-7, 0, None)
    assert not are_near(x[:0], x[:0], 1.0)
