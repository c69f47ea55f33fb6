"""Programs that compute with scalars in loops give the same in NumPy and converted."""

from __future__ import annotations

import pytest
from arithmetic import drawn, numbers_held, outcome, shrunk

BATCH = 20


@pytest.mark.parametrize("start", range(0, 60, BATCH))
def test_programs_that_compute_with_scalars_agree(start: int) -> None:
    """Where Python raises or does not wrap, and NumPy divides by zero, overflows, wraps or rounds to float32."""
    programs = [drawn(seed) for seed in range(start, start + BATCH)]
    kinds = []
    for program in programs:
        kind, why = outcome(program)
        kinds.append(kind)
        if kind == "wrong":
            pytest.fail(f"seed {program.seed}: {why}\n" + "\n".join(shrunk(program, kind).lines))
    assert kinds.count("equal") > BATCH // 2
    assert sum(map(numbers_held, programs)) > BATCH  # not only tensors
