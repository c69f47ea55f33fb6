"""Findings of `check`: one line each for people, annotations for GitHub."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from np2torch.report.summary import DOUBTED, HAZARDS, LEFT, problem_lines
from np2torch.report.tally import Finding, Tally, guard_line, problem_line


def text_lines(findings: Iterable[Finding]) -> Iterator[str]:
    """`file:line:column: CODE message`, as every linter writes them."""
    yield from map(str, findings)


def github_lines(tally: Tally) -> Iterator[str]:
    """Workflow commands that GitHub shows beside the code; it shows only ten a step, so each carries its place too."""
    for finding in tally.convertible():
        site = finding.site
        place = f"file={_property(finding.path)},line={site.line},col={site.column},title={_property(site.code)}"
        yield f"::error {place}::{_data(str(finding))}"
    for line in tally.remarks(*DOUBTED, *LEFT, *HAZARDS):
        path, row, column, text = line.split(":", 3)
        place = f"file={_property(path)},line={row},col={column},title={text.split()[0]}"
        yield f"::warning {place}::{_data(line)}"
    for guard in tally.guards():
        place = f"file={_property(guard.path.as_posix())},line={guard.line},col=1,title={guard.code}"
        yield f"::notice {place}::{_data(guard_line(guard))}"
    for problem in tally.problems:
        place = f"file={_property(problem.path.as_posix())},line={max(problem.line, 1)},col={max(problem.column, 1)}"
        yield f"::error {place},title={_property(problem.code)}::{_data(problem_line(problem))}"


def check_lines(tally: Tally, output_format: str) -> Iterator[str]:
    """Give what `check` prints in a line-based format."""
    if output_format == "github":
        yield from github_lines(tally)
    else:
        yield from text_lines(tally.convertible())
        yield from tally.remarks(*DOUBTED, *LEFT, *HAZARDS)
        yield from map(guard_line, tally.guards())
        yield from problem_lines(tally)


def too_many_guards(tally: Tally, allowed: int | None) -> str:
    """What to say where there are more guards than are allowed; nothing where there are not."""
    number = len(tally.guards())
    return "" if allowed is None or number <= allowed else f"Found {number} guards; --max-guards allows {allowed}."


def verdict(tally: Tally) -> str:
    """The last line of `check`."""
    found = tally.convertible()
    if tally.nothing_read:
        return "Nothing was checked."
    if not found and tally.problems:
        return f"No convertible NumPy found where it could be looked for; {len(tally.problems)} could not be handled."
    if not found:
        return "No convertible NumPy left."
    files = len({finding.path for finding in found})
    return f"Found {len(found)} convertible uses of NumPy in {files} file{'s' if files > 1 else ''}."


def step_summary(tally: Tally) -> str:
    """A Markdown table of the findings per code, for the summary page of a GitHub job."""
    codes = Counter(finding.site.code for finding in tally.convertible())
    rows = "".join(f"| {code} | {number} |\n" for code, number in codes.most_common())
    return f"### np2torch\n\n{verdict(tally)}\n\n" + (f"| code | sites |\n|---|---|\n{rows}" if rows else "")


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
