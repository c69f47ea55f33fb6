"""JSON: the accounting of `convert`, with each finding, its status and its fingerprint."""

from __future__ import annotations

from collections.abc import Iterator

from np2torch.report.formats.records import record
from np2torch.report.summary import as_json
from np2torch.report.verdict import CheckResult, verdict_line


def lines(check: CheckResult) -> Iterator[str]:
    """Give one document; its shape is `docs/schemas/check-1.json`."""
    counts = {status: check.count(status) for status in ("new", "allowed", "migrated")}
    told = {"verdict": verdict_line(check), **counts, "gone": check.gone, "over": list(check.over)}
    yield as_json(check.tally, also={"check": told, "findings": list(map(record, check.findings))})
