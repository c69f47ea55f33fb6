"""`np2torch check`: what a conversion would still take away."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from np2torch.report.findings import check_lines, step_summary, too_many_guards, verdict
from np2torch.report.summary import as_json, statistics_lines
from np2torch_cli.common import PATHS, Options, engine_options, leave, output_format_option, say, start, warn


@click.command("check")
@output_format_option("text", "json", "github")
@click.option("--statistics", is_flag=True, help="Count the sites per code instead of listing them.")
@click.option("--max-guards", type=click.IntRange(0), metavar="N", help="Fail where more guards stand at entries.")
@engine_options
@PATHS
def command(paths: tuple[Path, ...], output_format: str, statistics: bool, max_guards: int | None, **rest: Any) -> None:
    """List the convertible uses of NumPy that are left; never edit.

    PATHS are files, folders, or '-' for standard input. One line per site: file:line:column: CODE message. What has to
    stay on NumPy is no finding.

    Exits with 1 when convertible NumPy is left, or there are more guards than allowed, with 2 when a file could not be
    handled.
    """
    options = Options(**rest)
    if statistics and output_format != "text":
        raise click.UsageError(f"--statistics is text; --output-format {output_format} counts the codes by itself.")
    run = start(paths, options)
    with run.bar:
        for _ in run.results:
            pass
    warn(run.tally)
    if output_format == "json":
        click.echo(as_json(run.tally))
    elif statistics:
        say(statistics_lines(run.tally))
    else:
        say(check_lines(run.tally, output_format))
    if output_format == "github" and (summary := os.environ.get("GITHUB_STEP_SUMMARY")):
        with Path(summary).open("a", encoding="utf-8") as stream:
            stream.write(step_summary(run.tally))
    if not options.quiet and output_format != "json":
        say([verdict(run.tally)], err=True)
    if too_many := too_many_guards(run.tally, max_guards):
        say([too_many], err=True)
    leave(bool(run.tally.convertible() or too_many), run.tally, options)
