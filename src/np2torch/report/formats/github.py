"""GitHub: workflow commands that become annotations, and a table for the summary page of the job."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from np2torch.report.verdict import CheckResult, verdict_line

COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def lines(check: CheckResult) -> Iterator[str]:
    """Give one annotation for each notice; GitHub shows only ten a step, so each carries its place too."""
    for notice in check.visible_notices:
        line, column = max(notice.line, 1), max(notice.column, 1)
        place = f"file={_property(notice.path)},line={line},col={column},title={_property(notice.code)}"
        yield f"::{COMMANDS[notice.level]} {place}::{_data(notice.text)}"


def step_summary(check: CheckResult) -> str:
    """Give a Markdown table of the findings per code, for the summary page of a job."""
    codes = Counter(notice.code for notice in check.failing)
    rows = "".join(f"| {code} | {number} |\n" for code, number in codes.most_common())
    said = "\n\n".join((verdict_line(check), *check.over))
    return f"### np2torch\n\n{said}\n\n" + (f"| code | sites |\n|---|---|\n{rows}" if rows else "")


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
