"""`np2torch convert`: show the diff, write it back, write it elsewhere, or filter standard input."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from np2torch.report.diff import paint_diff, unified_diff
from np2torch.report.summary import as_json, problem_lines, step_lines, summary_lines
from np2torch.report.verification import Entry
from np2torch.rewrite.requirements import project
from np2torch.source.folder import project_folder
from np2torch.source.model import Converted, Problem, SourceFile
from np2torch.source.paths import common_folder, display_path, is_below, mirrored_path
from np2torch.source.read import encode
from np2torch.source.write import replace_atomically, sweep, write_file
from np2torch_cli.common import (
    PATHS,
    STDIN,
    VERIFY_OPTION,
    Options,
    Run,
    engine_options,
    hold_lock,
    leave,
    output_format_option,
    say,
    start,
    stoppable,
    wants_colour,
    warn,
)

MOST_LINES = 800
Sink = Callable[[SourceFile, Converted], Problem | None]


@click.command("convert")
@click.option("--diff", "show_diff", is_flag=True, help="Show what would change and write nothing (the default).")
@click.option("-w", "--write", is_flag=True, help="Write the changes back.")
@click.option("--output-dir", type=click.Path(path_type=Path, file_okay=False), metavar="DIR", help="Write all there.")
@click.option("--split-by", type=click.Choice(("dir", "module", "outcome")), help="Write patches there instead.")
@click.option("--max-lines", type=click.IntRange(1), metavar="N", help="The most lines a patch changes (800).")
@VERIFY_OPTION
@click.option("--requirements/--no-requirements", default=None, help="Convert what the project requires too.")
@output_format_option("text", "json")
@engine_options
@PATHS
def command(
    paths: tuple[Path, ...], show_diff: bool, write: bool, output_dir: Path | None, output_format: str,
    split_by: str | None, max_lines: int | None, verified: tuple[Entry, ...] | None, requirements: bool | None,
    **rest: Any,
) -> None:  # fmt: skip
    """Rewrite NumPy code into torch code.

    PATHS are files, folders, or '-' for standard input, whose converted text goes to standard output. All of them are
    analysed together: give the whole project, tests included. Nothing is written without --write or --output-dir. With
    --split-by that folder gets numbered patches for `git apply`, and the project stays as it is.

    Exits with 1 when there is a diff to show, or when a written file has TODOs; with 2 when a file could not be
    handled.
    """
    options = Options(**rest)
    is_of_patches = max_lines is not None or verified is not None
    _refuse_nonsense(paths, (show_diff, write, output_dir is not None), bool(split_by), is_of_patches)
    filters = STDIN in paths and not show_diff and output_format == "text"
    writes = write or output_dir is not None or filters
    if output_dir is not None:
        output_dir.mkdir(parents=True, exist_ok=True)
        hold_lock(output_dir)
    run = start(paths, options, output_dir, writes=write)
    diffs: dict[str, str] = {}
    progress = Progress(run, _around(paths, run, requirements))
    with stoppable(progress.line), run.bar:
        if write:
            _write(progress)
        elif output_dir is not None and split_by:
            _cut(progress, output_dir, split_by, max_lines or MOST_LINES, verified or ())
        elif output_dir is not None:
            _mirror(progress, common_folder(paths), output_dir)
        else:
            sink = _filter if filters else _collect(diffs, None if output_format == "json" else run.bar.clear)
            _show(progress, sink)
    warn(run.tally)
    if output_format == "json":
        click.echo(as_json(run.tally, diffs))
    else:
        _close(run, options, writes)
    leave(bool(run.tally.outcomes["todo"] if writes else run.tally.changed_count), run.tally, options)


def _refuse_nonsense(
    paths: tuple[Path, ...], ways: tuple[bool, bool, bool], is_split: bool, is_of_patches: bool
) -> None:
    """Refuse options that mean nothing together; the ways are --diff, --write and --output-dir."""
    if sum(ways) > 1:
        raise click.UsageError("--diff, --write and --output-dir exclude each other.")
    if STDIN in paths and any(ways[1:]):
        raise click.UsageError("Standard input has no place to be written to.")
    if is_split and not ways[2] or is_of_patches and not is_split:
        needs = "--split-by needs --output-dir for its patches, and --max-lines and --verify need --split-by."
        raise click.UsageError(needs)


def _close(run: Run, options: Options, writes: bool) -> None:
    """Say how a run went."""
    if options.quiet:
        say(problem_lines(run.tally), err=True)
        return
    say(step_lines(run.steps.edited_files, run.waiting), err=True)
    say(summary_lines(run.tally, "changed" if writes else "would change"), err=True)


def _show(progress: Progress, sink: Sink) -> None:
    """Convert, and give each file to the sink as it comes; what the project requires comes last."""
    results = []
    for file, converted in progress.results():
        progress.run.tally.note(sink(file, converted))
        results.append((file, converted))
    for file, converted in progress.requirement_files(results):
        progress.run.tally.note(sink(file, converted))


def _around(paths: tuple[Path, ...], run: Run, wanted: bool | None) -> Path | None:
    """Give the folder whose requirements are to be converted; None where parts of a project are, or nobody wants it."""
    settings = run.steps.settings
    is_whole = STDIN not in paths and run.steps.scope is None and any(map(os.path.isdir, paths))
    is_wanted = settings.requirements if wanted is None else wanted
    return project_folder(common_folder(paths)) if is_whole and is_wanted else None


class Progress:
    """The progress of a run."""

    def __init__(self, run: Run, folder: Path | None = None) -> None:
        self.run, self.folder = run, folder
        self.converted = self.written = self.to_write = 0

    def requirement_files(
        self, results: Sequence[tuple[SourceFile, Converted]], numpy: bool | None = None
    ) -> list[tuple[SourceFile, Converted]]:
        """Give the files that say what the project requires; NumPy too where that is said."""
        if self.folder is None:
            return []
        after = project.by_path(results)
        needs = project.needs_of(self.folder, after)
        if numpy is not None:
            needs = needs._replace(numpy=numpy or needs.numpy)
        found = list(project.rewritten(self.folder, after, needs))
        for file, converted in found:
            if file.display not in self.run.tally.seen:
                self.run.tally.add(converted)
        return found

    def results(self) -> Iterator[tuple[SourceFile, Converted]]:
        """The files that were asked for and what comes of them, those last that there was no reason to look at."""
        waiting = {file.path: file for file in self.run.files}
        for converted in self.run.results:
            self.converted += 1
            yield waiting.pop(converted.path), converted
        for file in waiting.values():
            yield file, Converted(file.path, file.text, file.text)

    def line(self) -> str:
        """Give the message for a run that was stopped."""
        if self.to_write:
            return f"{self.written} of {self.to_write} files were written; the same command again does the rest"
        return f"{self.converted} of {len(self.run.files)} files were converted, none was written"


def _write(progress: Progress) -> None:
    """Convert all, then write what has changed: the journal first, so that the run may be stopped anywhere."""
    run, results = progress.run, list(progress.results())
    required = progress.requirement_files(results)
    try:
        run.steps.begin([converted for _, converted in results])
    except OSError as error:
        reason = f"cannot write: {error.strerror or error}; no file was changed"
        run.tally.note(Problem(run.steps.place, 0, 0, "NPT902", reason))
        run.tally.left_alone(file.path for file, _ in results)
        return
    progress.to_write = sum(converted.is_changed for _, converted in (*results, *required))
    written: list[Converted] = []
    failed: list[Path] = []
    for file, converted in results:
        problem = write_file(file, converted.after, within=run.within)
        run.tally.note(problem)
        if problem is None:
            progress.written += converted.is_changed
            written.append(converted)
        else:
            failed.append(file.path)
    run.steps.finish(written)
    for file, converted in required:
        problem = write_file(file, converted.after)
        run.tally.note(problem)
        progress.written += problem is None
        failed += [file.path] * (problem is not None)
    run.tally.left_alone(failed)


def _mirror(progress: Progress, base: Path, target_folder: Path) -> None:
    """Convert all, then write all, changed or not, to the places that they have elsewhere.

    A file of requirements outside of the folder that is converted has no place there.
    """
    results = list(progress.results())
    for file, converted in progress.requirement_files(results):
        if is_below(file.path, base):
            results.append((file, converted))
        else:
            why = "is outside of what is converted: its requirements are not written"
            progress.run.tally.warnings.append(f"{display_path(file.path)} {why}")
    targets = [mirrored_path(file.path, base, target_folder) for file, _ in results]
    sweep({target.parent for target in targets})
    progress.to_write = len(results)
    for (file, converted), target in zip(results, targets, strict=True):
        progress.run.tally.note(write_file(file, converted.after, target))
        progress.written += 1


def _cut(progress: Progress, folder: Path, by: str, most_lines: int, entries: tuple[Entry, ...]) -> None:
    """Convert all, then write patches; nothing else is changed."""
    from np2torch.report import patches

    results, here = list(progress.results()), Path.cwd()
    top = next((one for one in (here, *here.parents) if (one / ".git").exists()), here)
    changed = patches.changes(results, top)
    cut = patches.split(progress.run.steps.files, changed, by, most_lines)
    both = progress.requirement_files(results, numpy=True)
    middle = {file.path: converted.after for file, converted in both}
    last = [
        (replace(file, text=before), one._replace(before=before))
        for file, one in progress.requirement_files(results)
        if (before := middle.get(file.path, file.text)) != one.after
    ]  # fmt: skip
    if both:
        cut.insert(0, patches.Patch("requirements, torch comes in", [*patches.changes(both, top).values()]))
    if last:
        cut.append(patches.Patch("requirements, NumPy goes out", [*patches.changes(last, top).values()]))
    command = shlex.join(["np2torch", *sys.argv[1:]])
    try:
        names = patches.write(folder, cut, command, lambda path, data: replace_atomically(path, data, 0o644), entries)
    except OSError as error:
        progress.run.tally.note(Problem(folder, 0, 0, "NPT902", f"cannot write: {error.strerror or error}"))
    else:
        say(names)


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
        shown = file.notebook.readable if file.notebook is not None else str
        diff = unified_diff(shown(converted.before), shown(converted.after), file.display)
        if diff:
            diffs[file.display] = diff
        if diff and before_printing is not None:
            before_printing()
            click.echo(paint_diff(diff) if wants_colour() else diff, nl=False, color=wants_colour())
        return None

    return sink
