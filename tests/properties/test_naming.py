"""Programs with hostile names and places of imports do the same in NumPy and converted."""

from __future__ import annotations

import pytest
from naming import FORMS, IMPORTS, NAMES, OTHERS, difference, drawn


@pytest.mark.parametrize("seed", range(50))
def test_programs_with_hostile_names_do_the_same(seed: int) -> None:
    program = drawn(seed)
    assert difference(program) is None, program.drawn


def test_what_is_drawn_needs_other_names() -> None:
    """The programs would show a defect: most of them speak of a name that the new text needs."""
    texts = [drawn(seed).files["program.py"] for seed in range(50)]
    assert sum(any(name in text for name in ("torch", "shim", "math")) for text in texts) > len(texts) // 3
    assert len(IMPORTS) > 20 and len(FORMS) > 50 and OTHERS and NAMES
