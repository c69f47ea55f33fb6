"""Notices as records of JSON, which two formats share."""

from __future__ import annotations

from typing import Any

from np2torch.report.notices import Notice


def record(notice: Notice) -> dict[str, Any]:
    """Give a notice as an object of JSON; a finding has its outcome, status and fingerprint too."""
    said: dict[str, Any] = {
        "level": notice.level, "path": notice.path, "line": notice.line, "column": notice.column, "code": notice.code,
        "message": notice.message,
    }  # fmt: skip
    if notice.site is not None:
        said |= {"outcome": notice.site.outcome, "function": notice.site.function, "source": notice.site.source}
        said |= {"status": notice.status, "fingerprint": notice.fingerprint}
    return said
