"""`np2torch migrate`: convert so far that every test that passed still passes."""

from __future__ import annotations

import dataclasses
import os
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from np2torch.migrate.entries import KEEP, UNGUARDED, comment, comments, is_from_before, is_in_haste, write_entries
from np2torch.source.settings import FILE, settings_in
from np2torch.source.write import replace_atomically
from np2torch_cli.common import INTERRUPTED, PATHS, Options, engine_options, interrupted_by_sigterm, start

if TYPE_CHECKING:
    from np2torch.migrate.run import Task
    from np2torch.source.model import Converted


class WithCommand(click.Command):
    """A command whose last arguments, behind `--`, are another one."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put what stands behind `--` aside."""
        cut = args.index("--") if "--" in args else len(args)
        ctx.meta["command"] = tuple(args[cut + 1 :])
        return super().parse_args(ctx, args[:cut])

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """The usage, with the other command."""
        return [*super().collect_usage_pieces(ctx), "[-- COMMAND [ARGUMENTS]...]"]


@click.command("migrate", cls=WithCommand)
@click.option("-w", "--write", is_flag=True, help="Write the conversion and the setting `keep` back.")
@click.option("--write-failing", is_flag=True, help="The same, where more tests fail than may be given up as well.")
@click.option("--imports-only", is_flag=True, help="Without tests: see that every module can be imported.")
@click.option("--report", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Write it as Markdown.")
@click.option("--test-seconds", type=click.FloatRange(0, min_open=True), default=20.0, show_default=True,
              help="Seconds a test may take, beside twenty times what it takes on NumPy.")  # fmt: skip
@click.option("--memory", type=click.FloatRange(0), default=0.0, metavar="GB", help="Memory a child may take.")
@click.option("--minutes", type=click.FloatRange(0), default=0.0, metavar="M",
              help="How long all of it may take; 0 for no limit.")  # fmt: skip
@click.option("--give-up", type=click.FloatRange(0, 100), metavar="PERCENT", default=0.5, show_default=True,
              help="Share of the tests that may fail in the end; each is listed, and the exit code is 1.")  # fmt: skip
@engine_options
@PATHS
@click.pass_context
def command(
    ctx: click.Context, /, paths: tuple[Path, ...], write: bool, write_failing: bool, imports_only: bool,
    report: Path | None, test_seconds: float, memory: float, minutes: float, give_up: float, **rest: Any,
) -> None:  # fmt: skip
    """Convert a project so far that every test that passed still passes.

    np2torch migrate src tests -- pytest -q

    The command runs on NumPy twice, then on the conversion, in copies of the project: its tests show which functions,
    classes and modules have to stay on NumPy, with borders on both sides. These become the setting `keep`, which
    convert and check heed from then on. Of a command that is not pytest the exit code and the output are compared.

    Exits with 0 when all that passed passes, with 1 when a test does not or is not there any longer, some module
    cannot be imported or nothing is converted (then nothing is written), with 2 for an error. Where nothing could be
    converted unless more tests fail than may be given up, that is shown, and written with --write-failing only.
    """
    words: tuple[str, ...] = ctx.meta["command"]
    if imports_only == bool(words):
        raise click.UsageError("Give a command behind '--', or --imports-only.")
    from np2torch.migrate.run import NothingToRunError, Task, migrate, project_root
    from np2torch.migrate.runner import Limits

    options = Options(**rest)
    run = start(paths, options, with_notebooks=False)
    settings = run.steps.settings
    folder = project_root(paths, settings)
    if options.config is None and settings_in(settings.root) is None and (folder / FILE).is_file():
        settings = dataclasses.replace(settings, root=folder)  # no second pyproject.toml, below the project's
    given = settings.root / FILE if options.config is None else options.config
    before, first = _entries(KEEP, settings.keep, given)
    freed, still = _entries(UNGUARDED, settings.unguarded, given)
    said = {KEEP: before, UNGUARDED: freed}
    settings = dataclasses.replace(settings, unguarded=tuple(still))
    task = Task(
        run.steps.sources, settings, folder, Path(os.path.realpath(Path.cwd())), words, first,
        before, Limits(test_seconds, memory), options.jobs or min(os.cpu_count() or 1, 4), minutes,
        give_up / 100,
    )  # fmt: skip
    with _interruptible(), tempfile.TemporaryDirectory(prefix="np2torch-migrate-", ignore_cleanup_errors=True) as place:
        try:
            bill, converted = migrate(task, Path(place), _told if not options.quiet else _silent)
        except NothingToRunError as error:
            raise click.UsageError(str(error)) from None
    if (write_failing or write and not bill.is_short) and not bill.is_empty:
        _write_settings(given, {KEEP: bill.kept, UNGUARDED: {**still, **bill.unguarded}}, said)
        _write(paths, options, task, converted)
    for line in bill.lines():
        click.echo(line)
    if report is not None:
        replace_atomically(report, bill.markdown().encode(), 0o644)
    raise SystemExit(1 if (bill.unsolved or bill.missing or bill.is_empty) and not options.exit_zero else 0)


BEGIN = time.monotonic()


def _told(line: str) -> None:
    click.echo(f"np2torch: [{time.monotonic() - BEGIN:4.0f} s] {line}", err=True)


def _silent(line: str) -> None:
    pass


@contextmanager
def _interruptible() -> Iterator[None]:
    """Ctrl-C and an end from outside leave nothing behind: the copies go away, the project was never touched."""
    try:
        with interrupted_by_sigterm():
            yield
    except KeyboardInterrupt:
        click.echo("np2torch: stopped: nothing was written", err=True)
        raise SystemExit(INTERRUPTED) from None


def _entries(key: str, entries: tuple[str, ...], file: Path) -> tuple[dict[str, str], dict[str, str]]:
    """The entries of a setting with their reasons, and those to begin with: people's own and this version's."""
    said = comments(file.read_text("utf-8"), key) if file.is_file() else {}
    before = {entry: said.get(entry, "") for entry in entries}
    return before, {entry: why for entry, why in before.items() if not is_from_before(why)}


def _write_settings(
    file: Path, found: Mapping[str, Mapping[str, str]], said: Mapping[str, Mapping[str, str]]
) -> None:  # fmt: skip
    """Write what stays on NumPy, and what has no guard, with the reasons that are known."""
    text = new = file.read_text("utf-8") if file.is_file() else ""
    for key, named in found.items():
        known = {one: why for one, why in said[key].items() if not is_in_haste(why)}
        entries = {one: known[one] if one in known else comment(why, key) for one, why in named.items()}
        new = write_entries(new, entries, key)
    if new != text:
        replace_atomically(file, new.encode(), 0o644)


def _write(paths: tuple[Path, ...], options: Options, task: Task, converted: Sequence[Converted]) -> None:
    """Write as `convert --write` does: what the search ends with, unless the project has changed meanwhile."""
    from np2torch_cli.convert import Progress
    from np2torch_cli.convert import _write as write

    again = start(paths, options._replace(quiet=True), writes=True, with_notebooks=False)
    was, now = (dataclasses.replace(one, keep=(), unguarded=()) for one in (task.settings, again.steps.settings))
    if again.steps.sources == list(task.files) and was == now:
        again.steps.prepare(converted)
    with again.bar:
        write(Progress(again))
