"""GitLab: a code quality report, which merge requests show beside the lines."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from np2torch.report.notices import Notice
from np2torch.report.verdict import CheckResult

SEVERITIES = {"error": "major", "warning": "minor", "note": "info"}


def lines(check: CheckResult) -> Iterator[str]:
    """Give one document; GitLab itself compares fingerprints with those of the target branch."""
    yield json.dumps([_issue(notice) for notice in check.visible_notices], indent=2, ensure_ascii=False)


def _issue(notice: Notice) -> dict[str, Any]:
    mark = notice.fingerprint or hashlib.sha256(notice.text.encode("utf-8", "replace")).hexdigest()[:16]
    return {
        "description": f"{notice.code} {notice.message}",
        "check_name": notice.code,
        "fingerprint": mark,
        "severity": SEVERITIES[notice.level],
        "location": {"path": notice.path, "lines": {"begin": max(notice.line, 1)}},
    }
