"""Text: `file:line:column: CODE message`, as every linter writes it."""

from __future__ import annotations

from collections.abc import Iterator

from click import style

from np2torch.report.verdict import CheckResult


def lines(check: CheckResult) -> Iterator[str]:
    """Give one line for each notice that is to be read."""
    for notice in check.visible_notices:
        is_problem = notice.level == "error" and notice.site is None
        why = " (in a migrated file)" if notice.status == "migrated" else ""
        yield style(notice.text, fg="red") if is_problem else notice.text + why
