"""Membership by value."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from np2torch.verify.compare import difference
from support.guards import both
from support.handlers import agree


def test_of_scalars():
    agree(
        """
        x = np.array([1, 2, 3])
        a = x[0] in (1, 5)
        b = 2 in x
        c = x[1] in {2: 'two'}
        d = x[0] not in [x[1], x[2]]
        """,
        """
        x = torch.tensor([1, 2, 3])
        a = x[0] in (1, 5)
        b = 2 in x
        c = x[1].item() in {2: 'two'}
        d = x[0] not in [x[1], x[2]]
        """,
    )


@pytest.mark.parametrize("expression", ["np.all(given == [a, b])", "(given != [a, b]).any()", "given[given == [a, b]]"])
def test_what_is_unknown_is_compared_with_each_item(expression):
    """A tensor beside a list is equal to nothing, without an error."""
    old, new, _ = both(f"def same(given, a, b):\n    return {expression}\n", "same")
    x = np.array([1.0, 2.0])
    for a, b in ((1, 2), (1, 3), (2.5, 2.0)):
        assert difference(old(x, a, b), new(torch.from_numpy(x), a, b)) is None


def test_what_is_unknown_may_be_a_dtype_among_the_names_of_some():
    """A dtype of torch equals no name; a text is looked up as before."""
    old, new, _ = both('def is_held(kind):\n    return kind in ("uint8", "float32"), np.zeros(2, kind)\n', "is_held")
    for kind in ("uint8", "float32", "int64"):
        for one, other in ((np.dtype(kind), getattr(torch, kind)), (kind, kind)):
            assert old(one)[0] == new(other)[0] == (kind != "int64")
