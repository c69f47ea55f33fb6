"""JSON lines: one object for each notice, for programs that read as they come."""

from __future__ import annotations

import json
from collections.abc import Iterator

from np2torch.report.formats.records import record
from np2torch.report.verdict import CheckResult


def lines(check: CheckResult) -> Iterator[str]:
    """Give one line for each notice, allowed ones too."""
    for notice in check.notices:
        yield json.dumps(record(notice), ensure_ascii=False)
