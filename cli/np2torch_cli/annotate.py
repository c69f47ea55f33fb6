"""`np2torch annotate`: write what is known of parameters and results into the source or the settings."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from np2torch.report.diff import paint_diff, unified_diff
from np2torch.report.progress import Bar
from np2torch.report.summary import remark_lines
from np2torch.report.tally import Tally
from np2torch.source import traces
from np2torch.source.around import surroundings
from np2torch.source.discover import load_project
from np2torch.source.folder import find
from np2torch.source.model import SourceFile
from np2torch.source.paths import display_path
from np2torch.source.read import read_file
from np2torch.source.settings import FILE, SettingsError, with_nested
from np2torch.source.write import write_file
from np2torch_cli.common import hold_lock, say, settings_for, usage_errors, wants_colour

if TYPE_CHECKING:
    from np2torch.rewrite.annotate import FileAnnotations

Changes = Sequence[tuple[SourceFile, str]]


@click.command("annotate")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("-w", "--write", is_flag=True, help="Write the changes back.")
@click.option("--inline", "how", flag_value="inline", default=True, help="As comments in the heads of functions.")
@click.option("--stub", "how", flag_value="stub", help="In a stub file beside each module.")
@click.option("--settings", "how", flag_value="settings", help="In [tool.np2torch.types] of pyproject.toml.")
@click.option(
    "--trace",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="The trace to use; else the nearest .np2torch/trace.json.",
)
@click.option("--no-trace", is_flag=True, help="Use no trace: write what the code itself shows.")
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE", help="A pyproject.toml with settings.")
@click.option("-q", "--quiet", is_flag=True, help="No closing summary.")  # fmt: skip
def command(
    paths: tuple[Path, ...], write: bool, how: str, trace: Path | None, no_trace: bool, config: Path | None, quiet: bool
) -> None:
    """Write what callers and traces show of parameters as statements that later runs read.

    PATHS are files and folders, analysed together: give the whole project, tests included. What people state already
    is never changed; what contradicts it is reported (NPT530). Nothing is written without --write.

    Exits with 1 when there is a diff to show or a contradiction; with 2 when a file could not be handled.
    """
    from np2torch.rewrite.annotate import find_annotations

    if trace is not None and no_trace:
        raise click.UsageError("--trace and --no-trace exclude each other.")
    settings = settings_for(paths, config)
    seen = None if no_trace else trace or find(settings.root, traces.NAME)
    with usage_errors(SettingsError):
        place = surroundings(paths, settings)
        project = load_project((*place.around, *paths), dataclasses.replace(settings, jobs=1, trace=seen))
        settings = with_nested(settings, [file.path for file in project.files], {})
    if write:
        hold_lock(place.root)
    with Bar("Analysing"):
        found = list(find_annotations(project.files, dataclasses.replace(settings, jobs=1, trace=seen)))
    if place.around:
        found = _named(found, paths)
    tally = Tally(project.problems, len(found))
    changes = CHANGES[how](found, config or settings.root / FILE)
    for one in found:
        tally.add(one.with_comments())
    changed = sum(_carried_out(tally, file, text, write) for file, text in changes)
    if not quiet:
        say(remark_lines(tally), err=True)
        count, verb = sum(len(one.statements) for one in found), "written to" if write else "would be written to"
        say([f"np2torch: {count} statements {verb} {changed} files"], err=True)
    contradicted = bool(tally.remarks("NPT530"))
    raise SystemExit(2 if tally.problems else 1 if contradicted or changed and not write else 0)


def _named(found: Sequence[FileAnnotations], paths: Sequence[Path]) -> list[FileAnnotations]:
    """Those of files that are named, where others were read around them."""
    named = {os.path.realpath(path) for path in paths if not os.path.isdir(path)}
    return [one for one in found if os.path.realpath(one.file.path) in named]


def _inline(found: Sequence[FileAnnotations], target: Path) -> Changes:
    """The files with comments in the heads of functions."""
    return [(one.file, one.with_comments().after) for one in found]


def _in_stubs(found: Sequence[FileAnnotations], target: Path) -> Changes:
    """The stub files beside the modules."""
    from np2torch.rewrite.stubs import make_stub, stub_of

    return [make_stub(one.file, one.statements, stub_of(one.file)) for one in found if one.statements]


def _in_settings(found: Sequence[FileAnnotations], target: Path) -> Changes:
    """The settings with a table of types."""
    from np2torch.rewrite.annotate import in_settings

    file = read_file(target) if target.is_file() else None
    if not isinstance(file, SourceFile):
        raise click.UsageError(f"{display_path(target)}: there is no such file to write the types to.")
    return [(file, in_settings(file.text, [statement for one in found for statement in one.statements]))]


CHANGES: dict[str, Callable[[Sequence[FileAnnotations], Path], Changes]] = {
    "inline": _inline, "stub": _in_stubs, "settings": _in_settings,
}  # fmt: skip
"""Files and their new texts, by where the statements go."""


def _carried_out(tally: Tally, file: SourceFile, text: str, write: bool) -> bool:
    """Write a file, or show its diff; tell whether there is one."""
    diff = unified_diff(file.text, text, file.display)
    if diff and not write:
        click.echo(paint_diff(diff) if wants_colour() else diff, nl=False, color=wants_colour())
    elif diff:
        tally.note(write_file(file, text, None if file.text or file.path.exists() else file.path))
    return bool(diff)
