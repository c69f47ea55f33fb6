"""Every function of the shim against NumPy, on examples drawn from the table.

Here a few examples each; `make properties EXAMPLES=500` runs many and prints how often the two differed.
"""

from __future__ import annotations

import os

import numpy as np
import pytest
import torch
from converted import converted, disagreement, sample
from covered import ELSEWHERE
from hypothesis import HealthCheck, given, settings
from known import KNOWN, NATIVE, known
from running import cases, compare, numpy_outcome, shim_outcome
from table import Row, rows

from support.paths import ROOT

torch.set_num_threads(1)
NAMES = ROOT / "src/np2torch/rules/shim_names.txt"
EXAMPLES = int(os.environ.get("EXAMPLES", "3"))


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row.name}: {row.template[:60]}")
def test_the_shim_agrees_with_numpy(row: Row) -> None:
    @settings(
        max_examples=EXAMPLES, database=None, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
    )
    @given(cases(row.template))
    def agrees(case):
        found = compare(case, numpy_outcome(case), shim_outcome(case), row.slack)
        assert found is None or known(row.name, found), f"{case}: {found}"

    agrees()


@pytest.mark.parametrize("part", range(8))
def test_native_templates_agree_with_numpy(part: int) -> None:
    chosen = [row for row in rows() if not row.name.startswith(("random.", "testing.", "polynomial."))][part::8]
    examples = [(row, case) for row in chosen for case in sample(row, 2 * EXAMPLES, part)]
    native = [one for one in converted(examples) if one.is_native()]
    assert len(native) > 50
    for one in native:
        found = disagreement(one)
        assert found is None or known(one.row.name, found, native=True), f"{one.case} as {one.text}: {found}"


def in_numpy(name: str) -> bool:
    """Has NumPy a thing of that name? What else there is in the shim is its own."""
    found: object = np
    for part in name.split("."):
        found = getattr(found, part, None)
    return found is not None


def test_every_name_is_in_the_table_or_tested_elsewhere() -> None:
    names = set(NAMES.read_text().splitlines()[1:])
    told = {row.name for row in rows()}
    assert {name for name in names - told - ELSEWHERE if in_numpy(name)} == set()
    assert (told | ELSEWHERE) - names == set()


def test_each_difference_that_stays_is_documented() -> None:
    page = (ROOT / "docs/differences.md").read_text()
    sections = {line.removeprefix("### ") for line in page.splitlines() if line.startswith("### ")}
    assert {difference.section for difference in KNOWN + NATIVE} == sections
