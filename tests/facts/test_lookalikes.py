"""What a project has that is used as other things are."""

from __future__ import annotations

import ast

import pytest

from np2torch.facts.lookalikes import lookalikes


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import collections\nseen = collections.deque()", set()),
        ("from collections import namedtuple\nPoint = namedtuple('Point', 'x, y')", {"x", "y", "_fields"}),
        ("from collections import namedtuple\nPoint = namedtuple('Point', ['x', 'y'])", {"x", "y"}),
        ("from typing import NamedTuple\nclass Point(NamedTuple):\n    x: int\n    def far(self): pass", {"x", "far"}),
        ("import collections\nNAMES = ['x']\nclass P(collections.namedtuple('P', NAMES)): pass", {"x"}),
        ("from collections import namedtuple\nPoint = namedtuple('Point', names())", None),
        ("from collections import namedtuple\nfrom here import NAMES\nPoint = namedtuple('Point', NAMES)", None),
    ],
)
def test_items_of_named_tuples(text: str, expected: set[str] | None) -> None:
    found = lookalikes([ast.parse("x = 1"), ast.parse(text)]).items
    if not expected:
        assert found == (None if expected is None else frozenset())
    else:
        assert found is not None
        assert expected <= found


def test_masked_arrays() -> None:
    assert lookalikes([ast.parse("import numpy as np\nx = np.ma.array([1])")]).masked
    assert not lookalikes([ast.parse("import numpy as np\nx = np.array([1])")]).masked
