"""What a run of tests says of itself."""

from __future__ import annotations

import pytest

from np2torch.migrate.results import Outcomes


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        ("usage: pytest [options]\npytest: error: unrecognized arguments: --cov\n  rootdir: /tmp\n",
         "pytest: error: unrecognized arguments: --cov"),
        ("no tests ran\n\n", "no tests ran"),
        ("", "it says nothing"),
    ],
)  # fmt: skip
def test_the_reason_is_the_error_whatever_follows_it(output: str, reason: str) -> None:
    outcomes = Outcomes()
    outcomes.end(4, output)
    assert outcomes.why_none_passes() == reason
