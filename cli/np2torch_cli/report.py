"""`np2torch report`: a migration as a whole, before and after."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import click

from np2torch.report.verification import Entry
from np2torch.source.write import replace_atomically
from np2torch_cli.common import (
    PATHS,
    STDIN,
    VERIFY_OPTION,
    Options,
    engine_options,
    leave,
    say,
    start,
    usage_errors,
    wants_colour,
    warn,
)


@click.command("report")
@click.option(
    "--output-format", type=click.Choice(["text", "markdown", "html"]), default="text", show_default=True,
    help="html needs the extra 'report'.",
)  # fmt: skip
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Where to write.")
@VERIFY_OPTION
@engine_options
@PATHS
def command(
    paths: tuple[Path, ...], output_format: str, output: Path | None, verified: tuple[Entry, ...] | None, **rest: Any
) -> None:
    """Report on a migration: what is to be done, in which order, and what became of what is done.

    PATHS are the project. Of files that are converted the report shows the code before and as it is now, of the others
    as a conversion would leave it. Nothing is changed.

    Exits with 2 when a file could not be handled.
    """
    from np2torch.report import html_page, migration, migration_text

    options = Options(**rest)
    if STDIN in paths:
        raise click.UsageError("A report is on files; '-' is none.")
    run = start(paths, options)
    with run.bar:
        found = migration.read_migration(
            run.steps, _title(paths), [file.path for file in run.files], output_format == "html", verified or (),
            run.bar,
        )  # fmt: skip
    for problem in found.problems:
        run.tally.note(problem)
    warn(run.tally)
    with usage_errors(html_page.MissingExtraError):
        if output_format == "html":
            text = html_page.render(found)
        elif output_format == "markdown":
            text = migration_text.markdown(found)
        else:
            width = shutil.get_terminal_size((120, 40)).columns
            text = migration_text.text(found, width, output is None and wants_colour())
    if output is None:
        click.echo(text, nl=False, color=wants_colour())
    else:
        replace_atomically(output.absolute(), text.encode(), 0o644)
        if not options.quiet:
            say([f"{output}: {len(found.files)} files, {sum(found.outcomes.values())} uses of NumPy"], err=True)
    leave(False, run.tally, options)


def _title(paths: tuple[Path, ...]) -> str:
    return ", ".join(path.resolve().name for path in paths)
