"""`np2torch check`: what a conversion would still take away."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path
from typing import Any, NamedTuple

import click

from np2torch.report import baseline
from np2torch.report.formats import FORMATS, lines
from np2torch.report.summary import statistics_lines
from np2torch.report.verdict import CheckResult, judge_check, looked_at, verdict_line
from np2torch.source.model import Settings
from np2torch.source.paths import display_path
from np2torch_cli.common import (
    PATHS,
    Options,
    Run,
    engine_options,
    leave,
    output_format_option,
    say,
    start,
    usage_errors,
    warn,
)

AMOUNT = click.IntRange(0)


class Ratchet(NamedTuple):
    """The options that say how much NumPy is allowed."""

    baseline: Path | None
    update_baseline: bool
    force: bool
    max_shim: int | None
    max_guards: int | None
    max_todo: int | None

    def settings(self, settings: Settings) -> Settings:
        """Give the settings with what the command line says of budgets."""
        given = {name: getattr(self, name) for name in ("max_shim", "max_guards", "max_todo")}
        return dataclasses.replace(settings, **{name: value for name, value in given.items() if value is not None})

    def file(self, settings: Settings) -> Path | None:
        """Give the file of the baseline; None where there is none."""
        return self.baseline or (settings.root / settings.baseline if settings.baseline else None)


@click.command("check")
@output_format_option(*FORMATS)
@click.option("--statistics", is_flag=True, help="Count the sites per code instead of listing them.")
@click.option(
    "--baseline", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
    help="Allow the findings that this file lists; anything new fails.",
)
@click.option("--update-baseline", is_flag=True, help="Take out of the baseline what is gone, or make one.")
@click.option("--force", is_flag=True, help="Let --update-baseline take in new findings too.")
@click.option("--max-shim", type=AMOUNT, metavar="N", help="Fail where there are more calls of the shim.")
@click.option("--max-guards", type=AMOUNT, metavar="N", help="Fail where more guards stand at entries.")
@click.option("--max-todo", type=AMOUNT, metavar="N", help="Fail where there are more TODOs.")
@engine_options
@PATHS
def command(paths: tuple[Path, ...], output_format: str, statistics: bool, **rest: Any) -> None:
    """List the convertible uses of NumPy that are left; never edit.

    PATHS are files, folders, or '-' for standard input. One line per site: file:line:column: CODE message. What has to
    stay on NumPy is no finding.

    Exits with 1 when convertible NumPy is left that no baseline allows, or there is more than the budgets allow; with
    2 when a file could not be handled.
    """
    ratchet = Ratchet(**{name: rest.pop(name) for name in Ratchet._fields})
    options = Options(**rest)
    if statistics and output_format != "text":
        raise click.UsageError(f"--statistics is text; --output-format {output_format} counts the codes by itself.")
    if ratchet.force and not ratchet.update_baseline:
        raise click.UsageError("--force lets --update-baseline take in new findings; alone it means nothing.")
    run = start(paths, options)
    with run.bar:
        for _ in run.results:
            pass
    warn(run.tally)
    check, said = _judge(run, ratchet)
    if statistics:
        say(statistics_lines(run.tally))
    else:
        say(lines(check, output_format))
    if output_format == "github" and (summary := os.environ.get("GITHUB_STEP_SUMMARY")):
        from np2torch.report.formats.github import step_summary

        with Path(summary).open("a", encoding="utf-8") as stream:
            stream.write(step_summary(check))
    if not options.quiet and output_format in ("text", "github"):
        say([verdict_line(check)], err=True)
    say([*check.over, *said], err=True)
    leave(bool(check.failing or check.over), run.tally, options)


def _judge(run: Run, ratchet: Ratchet) -> tuple[CheckResult, list[str]]:
    """Judge one run by its baseline and budgets, and update the baseline."""
    settings = ratchet.settings(run.steps.settings)
    file = ratchet.file(settings)
    if file is None:
        if ratchet.update_baseline:
            raise click.UsageError("--update-baseline needs --baseline FILE, or the setting of that name.")
        return judge_check(run.tally, settings, settings.root), []
    folder = Path(os.path.abspath(file)).parent
    is_new = ratchet.update_baseline and not file.exists()
    with usage_errors(baseline.BaselineError):
        entries = {} if is_new else baseline.load(file)
    check = judge_check(run.tally, settings, folder, entries)
    if not ratchet.update_baseline:
        gone = f"{check.gone} findings of {display_path(file)} are gone; --update-baseline takes them out"
        return check, [gone] if check.gone else []
    strict = (notice for notice in check.findings if notice.status != "migrated")
    now = baseline.present(strict, folder)
    after = baseline.update_baseline(entries, now, looked_at(run.tally, folder), folder, ratchet.force or is_new)
    with usage_errors(OSError):
        baseline.save(file, after)
    said = f"{display_path(file)}: {baseline.size(entries)} findings before, {baseline.size(after)} now"
    return judge_check(run.tally, settings, folder, after), [said]
