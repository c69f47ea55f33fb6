"""Programs that keep, key and test scalars give the same in NumPy and converted."""

from __future__ import annotations

import pytest
from scalars import LAYOUTS, drawn, outcome, show, shrunk

BATCH = 20


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("start", range(0, 60, BATCH))
def test_programs_that_keep_scalars_agree(start: int, layout: str) -> None:
    """Where a scalar is kept, written, made a key or asked what it is, in one file, as a library, in several files."""
    kinds = []
    for seed in range(start, start + BATCH):
        program = drawn(seed)
        found = outcome(program, layout)
        kinds.append(found.kind)
        if found.kind == "wrong":
            pytest.fail("\n".join(show(shrunk(program, "wrong", layout), layout)))
    assert kinds.count("equal") > BATCH // 2
