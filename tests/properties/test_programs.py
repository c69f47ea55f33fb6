"""Programs that share memory in every way people do give the same in NumPy and converted."""

from __future__ import annotations

import pytest
from programs import drawn, outcome, shrunk

BATCH = 20


@pytest.mark.parametrize("start", range(0, 160, BATCH))
def test_programs_that_share_memory_agree(start: int) -> None:
    kinds = []
    for seed in range(start, start + BATCH):
        found = outcome(drawn(seed))
        kinds.append(found.kind)
        if found.kind == "wrong":
            least = shrunk(drawn(seed), "wrong")
            pytest.fail(f"seed {seed}: {outcome(least).why}\n" + "\n".join(line for s in least.body for line in s.lines()))
    assert kinds.count("equal") > BATCH // 2
