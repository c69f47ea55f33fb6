"""Programs that share memory in every way people do give the same in NumPy and converted."""

from __future__ import annotations

import pytest
from programs import drawn, outcome, shrunk

BATCH = 6


STARTS = [0, *(pytest.param(one, marks=pytest.mark.long) for one in range(BATCH, 120, BATCH))]
"""The seeds that batches begin with."""


@pytest.mark.parametrize("unknown", [False, pytest.param(True, marks=pytest.mark.long)])
@pytest.mark.parametrize("start", STARTS)
def test_programs_that_share_memory_agree(start: int, unknown: bool) -> None:
    """`unknown`: converted without a caller, nothing is known of what the function is given."""
    kinds = []
    for seed in range(start, start + BATCH):
        program = drawn(seed, unknown)
        found = outcome(program, unknown)
        kinds.append(found.kind)
        if found.kind == "wrong":
            least = shrunk(program, "wrong", unknown)
            lines = "\n".join(line for one in least.body for line in one.lines())
            pytest.fail(f"seed {seed}: {outcome(least, unknown).why}\n{lines}")
    assert kinds.count("equal") > BATCH // 3
