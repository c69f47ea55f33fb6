"""Programs that keep, key and test scalars give the same in NumPy and converted."""

from __future__ import annotations

import pytest
from scalar_writes import WRITES
from scalars import KEEPERS, LAYOUTS, Form, Program, drawn, outcome, show, shrunk

BATCH = 5


def parts(most: int) -> list[object]:
    """The first of each batch; CI has time for every eighth one."""
    every = range(0, most, BATCH)
    return [pytest.param(one, marks=pytest.mark.long) if one // BATCH % 8 else one for one in every]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("start", parts(40))
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


@pytest.mark.parametrize("keeper", ["largest object", pytest.param("reversed view", marks=pytest.mark.long)])
@pytest.mark.parametrize("start", parts(len(WRITES)))
def test_what_is_written_through_something_that_holds_it_is_seen(start: int, keeper: str) -> None:
    """An object that holds an element has its own memory; a reversed view that is written is a TODO."""
    keep, shown = (text.format(a="x") for text in KEEPERS[keeper])
    for seed, write in enumerate(WRITES[start : start + BATCH]):
        form = Form("keeper", keeper, [keep, *write.format(a="x").splitlines(), f"out.append({shown})"])
        program = Program([form], "float64", seed)
        if outcome(program, "library").kind == "wrong":
            pytest.fail("\n".join(show(program, "library")))
