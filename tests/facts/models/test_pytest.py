# ruff: noqa: E501 (tables of source texts)
"""Comparisons with `pytest.approx`."""

from __future__ import annotations

import pytest

from np2torch.facts import values as v
from support.facts import one


@pytest.mark.parametrize("compared", ["np.zeros(3) == pytest.approx([0, 1, 2])", "pytest.approx(np.zeros(3)) == x", "x.sum() == pytest.approx(2)"])
def test_what_is_compared_with_pytests_approx_is_answered_for_all_elements_at_once(compared):
    assert one(f"import pytest\nx = np.zeros(3)\nshow({compared})\n") == v.join(v.BOOL, v.scalar("bool"))
