"""`np2torch convert`: show the diff, write it back, write it elsewhere, or filter standard input."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from np2torch.report.diff import painted, unified_diff
from np2torch.report.summary import as_json, problem_lines, step_lines, summary_lines
from np2torch.source.model import Converted, Problem, SourceFile
from np2torch.source.paths import common_folder, mirrored
from np2torch.source.read import encode
from np2torch.source.write import write_file
from np2torch_cli.common import (
    PATHS,
    STDIN,
    Options,
    engine_options,
    leave,
    output_format_option,
    say,
    start,
    wants_colour,
    warn,
)

Sink = Callable[[SourceFile, Converted], Problem | None]


@click.command("convert")
@click.option("--diff", "show_diff", is_flag=True, help="Show what would change and write nothing (the default).")
@click.option("-w", "--write", is_flag=True, help="Write the changes back.")
@click.option("--output-dir", type=click.Path(path_type=Path, file_okay=False), metavar="DIR", help="Write all there.")
@output_format_option("text", "json")
@engine_options
@PATHS
def command(
    paths: tuple[Path, ...], show_diff: bool, write: bool, output_dir: Path | None, output_format: str, **rest: Any
) -> None:
    """Rewrite NumPy code into torch code.

    PATHS are files, folders, or '-' for standard input, whose converted text goes to standard output. All of them are
    analysed together: give the whole project, tests included. Nothing is written without --write or --output-dir.

    Exits with 1 when there is a diff to show, or when a written file has TODOs; with 2 when a file could not be
    handled.
    """
    options = Options(**rest)
    if sum((show_diff, write, output_dir is not None)) > 1:
        raise click.UsageError("--diff, --write and --output-dir exclude each other.")
    if STDIN in paths and (write or output_dir is not None):
        raise click.UsageError("Standard input has no place to be written to.")
    filters = STDIN in paths and not show_diff and output_format == "text"
    writes = write or output_dir is not None or filters
    run = start(paths, options, output_dir)
    diffs: dict[str, str] = {}
    if output_dir is not None:
        sink = _mirror(common_folder(paths), output_dir)
    elif writes:
        sink = _filter if filters else _write
    else:
        sink = _collect(diffs, None if output_format == "json" else run.bar.clear)
    done: list[Converted] = []
    waiting = {file.path: file for file in run.project.files}
    with run.bar:
        for converted in run.results:
            problem = sink(waiting.pop(converted.path), converted)
            run.tally.note(problem)
            if write and problem is None:
                done.append(converted)
        for file in waiting.values():  # files that the conversion had no reason to look at
            run.tally.note(sink(file, Converted(file.path, file.text, file.text)))
    if write:
        run.steps.keep(done)
    warn(run.tally)
    if output_format == "json":
        click.echo(as_json(run.tally, diffs))
    elif options.quiet:
        say(problem_lines(run.tally), err=True)
    else:
        say(step_lines(run.steps.edited, run.steps.waiting), err=True)
        say(summary_lines(run.tally, "changed" if writes else "would change"), err=True)
    leave(bool(run.tally.outcomes["todo"] if writes else run.tally.changed), run.tally, options)


def _write(file: SourceFile, converted: Converted) -> Problem | None:
    return write_file(file, converted.after)


def _mirror(base: Path, output_dir: Path) -> Sink:
    def sink(file: SourceFile, converted: Converted) -> Problem | None:
        return write_file(file, converted.after, mirrored(file.path, base, output_dir))

    return sink


def _filter(file: SourceFile, converted: Converted) -> Problem | None:
    """Write the bytes that would have been written to the file; the old ones where the new cannot be encoded."""
    problem = None
    try:
        data = encode(converted.after, file)
    except UnicodeEncodeError as error:
        problem = Problem(file.path, 1, 1, "NPT901", f"cannot write: {error}")
        data = encode(converted.before, file)
    sys.stdout.buffer.write(data)
    return problem


def _collect(diffs: dict[str, str], before_printing: Callable[[], None] | None) -> Sink:
    """Keep the diffs by path, and print each as it comes unless there is nothing to call before."""

    def sink(file: SourceFile, converted: Converted) -> Problem | None:
        diff = unified_diff(converted.before, converted.after, file.display)
        if diff:
            diffs[file.display] = diff
        if diff and before_printing is not None:
            before_printing()
            click.echo(painted(diff) if wants_colour() else diff, nl=False, color=wants_colour())
        return None

    return sink
