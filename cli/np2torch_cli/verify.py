"""`np2torch verify`: the proof."""

from __future__ import annotations

import json
import tempfile
from contextlib import ExitStack
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from np2torch.report.progress import Bar
from np2torch.source.settings import SettingsError
from np2torch_cli.common import INTERRUPTED, interrupted_by_sigterm, output_format_option, usage_errors

if TYPE_CHECKING:
    from np2torch.verify.calls import Call
    from np2torch.verify.evidence import Entry
    from np2torch.verify.statements import Statements
    from np2torch.verify.trees import Row

PATH = click.Path(path_type=Path, exists=True)
END = "--"
STOPPED = "np2torch.stopped"
FILE = click.Path(path_type=Path, dir_okay=False)


class Options(NamedTuple):
    """The options of the command line besides the paths."""

    replay: tuple[Path, ...]
    generate: bool
    only: tuple[str, ...]
    seed: int
    timeout: float
    seconds: float
    minutes: float | None
    memory: int
    scripts: Path | None
    device: str
    grad: bool
    compile: bool


class WithCommand(click.Command):
    """A command that takes another one, with its options, after `--`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep what follows `--` apart."""
        end = args.index(END) if END in args else len(args)
        ctx.meta[END] = tuple(args[end + 1 :])
        return super().parse_args(ctx, args[:end])


@click.command("verify", cls=WithCommand)
@click.argument("paths", nargs=-1, required=True, type=PATH, metavar="OLD NEW [-- COMMAND...]")
@click.option("--rev", metavar="REV", help="Take OLD from this revision of git; then only NEW is named.")
@click.option("--replay", multiple=True, type=click.Path(path_type=Path, exists=True, dir_okay=False),
              metavar="FILE", help="Calls recorded by `np2torch trace --record-values`.")  # fmt: skip
@click.option("--tests", is_flag=True, help="COMMAND runs pytest: pair the results of the tests.")
@click.option("--generate/--no-generate", default=True, help="Draw inputs for each function.")
@click.option("--only", multiple=True, metavar="NAME", help="Only this function or Class.method.")
@click.option("--seed", default=0, show_default=True, help="Other inputs for another number.")
@click.option("--timeout", type=click.FloatRange(0, min_open=True), default=120.0, show_default=True,
              help="Seconds a program may run.")  # fmt: skip
@click.option("--seconds", type=click.FloatRange(0, min_open=True), default=2.0, show_default=True,
              help="Seconds one call may take.")  # fmt: skip
@click.option("--minutes", type=click.FloatRange(0, min_open=True), metavar="NUMBER",
              help="Minutes for all functions, each of which has its share.  [default: what it takes]")  # fmt: skip
@click.option("--memory", type=click.IntRange(1), default=2000, show_default=True, help="Megabytes one call may take.")
@click.option("--device", default="cpu", show_default=True, metavar="NAME", help="Where tensors of the new side lie.")
@click.option("--grad", is_flag=True, help="Compare gradients of the new side with numerical ones.")
@click.option("--compile", is_flag=True, help="Compile each function of the new side to one graph, and compare.")
@click.option("--scripts", type=click.Path(path_type=Path, file_okay=False), metavar="DIR",
              help="Write a program for each difference.")  # fmt: skip
@click.option("--markdown", type=FILE, metavar="FILE", help="Write a page for the pull request.")
@click.option("--junit", type=FILE, metavar="FILE", help="Write a report for CI systems.")
@output_format_option("text", "json")
def command(
    paths: tuple[Path, ...],
    rev: str | None,
    tests: bool,
    markdown: Path | None,
    junit: Path | None,
    output_format: str,
    **rest: object,
) -> None:
    """Run converted code against its original and compare.

    OLD and NEW are two files or two folders. Each function and method is called on both sides, in processes of their
    own, with inputs drawn from its contract, with calls that were recorded, and with what the dict CASES of OLD lists;
    two files are run as programs too. Results, errors, output, shared memory and the arguments left behind must agree
    in dtype, shape, value and Python type.

    A COMMAND is run in a copy of each tree, and its output, exit code and files are compared; with --tests it is the
    results of the tests that it runs. This runs the code of both sides.

    Exits with 1 when something differs, when nothing was compared, or when a function never ran; with 2 when numpy or
    torch is missing; with 130 when it was stopped: what had been compared by then is shown.
    """
    options = Options(**rest)  # type: ignore[arg-type]
    words: tuple[str, ...] = click.get_current_context().meta[END]
    if tests and not words:
        raise click.UsageError("--tests takes the command that runs them after --, as in `-- pytest -q`.")
    with ExitStack() as stack:
        old, new = _sides(paths, rev, stack)
        with interrupted_by_sigterm(), Bar("Running"):
            entries = _entries(old, new, options)
            if words and not _is_stopped():
                entries += _of_command(words, _trees(old, new, rev, stack), tests, options.timeout)
    _write(entries, old, new, markdown, junit, output_format, rev)
    if _is_stopped():
        click.echo("np2torch: stopped: what was not compared by then is not exercised", err=True)
        raise SystemExit(INTERRUPTED)
    raise SystemExit(0 if _proven(entries, old.is_dir() if old.exists() else paths[0].is_dir()) else 1)


def _is_stopped() -> bool:
    """Tell whether Ctrl-C, or an end from outside, has stopped the calls of functions."""
    return STOPPED in click.get_current_context().meta


def _sides(paths: tuple[Path, ...], rev: str | None, stack: ExitStack) -> tuple[Path, Path]:
    if rev is None:
        if len(paths) != 2:
            raise click.UsageError("Two paths are to be named, OLD and NEW, or one with --rev.")
        if paths[0].is_dir() != paths[1].is_dir():
            raise click.UsageError("OLD and NEW are to be two files or two folders.")
        return paths[0], paths[1]
    if len(paths) != 1:
        raise click.UsageError("--rev takes OLD from git; only NEW is named beside it.")
    from np2torch.verify.revision import RevisionError, extract_revision

    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="np2torch-old-")))
    with usage_errors(RevisionError):
        return extract_revision(paths[0], rev, folder), paths[0]


def _trees(old: Path, new: Path, rev: str | None, stack: ExitStack) -> tuple[Path, Path]:
    """The folders in which a command is run: of a revision what the current one was."""
    if rev is None:
        return (old, new) if old.is_dir() else (old.parent, new.parent)
    from np2torch.verify.revision import extract_revision

    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="np2torch-old-")))
    return extract_revision(Path.cwd(), rev, folder), Path.cwd()


def _of_command(words: tuple[str, ...], trees: tuple[Path, Path], is_suite: bool, timeout: float) -> list[Entry]:
    from np2torch.verify.command import command_rows
    from np2torch.verify.evidence import Entry
    from np2torch.verify.suite import suite_rows

    rows = suite_rows if is_suite else command_rows
    try:
        return [Entry("", "", row) for row in rows(words, *trees, timeout)]
    except OSError as error:
        raise click.UsageError(f"cannot run {words[0]}: {error.strerror}") from None


def _entries(old: Path, new: Path, options: Options) -> list[Entry]:
    try:
        import torch  # noqa: F401

        from np2torch.verify.children import Limits
        from np2torch.verify.evidence import Entry, entry
        from np2torch.verify.listed_cases import listed_rows
        from np2torch.verify.probes import GRADIENTS, GRAPH
        from np2torch.verify.trees import Plan, rest_of, verify_trees, write_script
    except ImportError as error:
        raise click.UsageError(f"{error}; install 'np2torch[verify]' to run both sides.") from None
    entries, device = [], _device(options.device)
    if old.is_file():
        entries = [Entry("", str(old), row) for row in listed_rows(old, new, options.timeout, device)]
    recorded = _recorded(options.replay)
    if not options.generate and not recorded:
        return entries
    plan = Plan(
        Limits(options.seconds, options.memory), options.seed, recorded, options.generate, options.only,
        ((GRADIENTS,) if options.grad else ()) + ((GRAPH,) if options.compile else ()), device,
        60 * options.minutes if options.minutes is not None else inf,
    )  # fmt: skip
    rows: list[Row] = []
    try:
        for row in verify_trees(old, new, _statements(old), plan):
            rows.append(row)
    except KeyboardInterrupt:
        click.get_current_context().meta[STOPPED] = True
        rows += rest_of(old, new, plan, {(row.module, row.result.name) for row in rows})
    found = []
    for row in rows:
        script = write_script(options.scripts, old, new, row) if options.scripts is not None else ""
        found.append(entry(row.module if old.is_dir() else "", str(row.path), row.result, script))
    return _joined(entries, found)


def _joined(listed: list[Entry], called: list[Entry]) -> list[Entry]:
    """All entries, but those that say a function is not exercised which the others exercise."""
    done = {one.row.name for one in listed if one.row.exercised}
    exercised = {one.row.name for one in called if one.verdict != "not exercised"}
    called = [one for one in called if one.verdict != "not exercised" or one.row.name not in done]
    return [one for one in listed if one.row.exercised or one.row.name not in exercised] + called


def _recorded(files: tuple[Path, ...]) -> dict[tuple[str, str], list[Call]]:
    """Load the recordings of some files, by module and function."""
    from np2torch.verify.replay import ReplayError, load

    with usage_errors(ReplayError):
        return {key: calls for file in files for key, calls in load(file).items()}


def _device(name: str) -> str:
    """The name of a device that torch has here."""
    import torch

    try:
        torch.empty(0, device=name)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        raise click.UsageError(f"--device {name}: {next(iter(str(error).splitlines()), '')}") from None
    if torch.device(name).type == "meta":
        raise click.UsageError("--device meta: its tensors have no values to compare.")
    return name


def _statements(old: Path) -> Statements:
    from np2torch.source.discover import load_project
    from np2torch.source.settings import load_settings
    from np2torch.verify.statements import Statements

    with usage_errors(SettingsError):
        settings = load_settings([old])
    return Statements.of(load_project([old], settings).files, settings)


def _proven(entries: list[Entry], is_folder: bool) -> bool:
    """Tell whether something was compared, and all of it agrees; of two files, nothing public may be left out."""
    exercised = [one for one in entries if one.row.exercised]
    missing = [] if is_folder else [one for one in entries if not one.row.exercised and one.result is None]
    return bool(exercised) and all(one.row.difference is None for one in exercised) and not missing


def _write(
    entries: list[Entry],
    old: Path,
    new: Path,
    markdown: Path | None,
    junit: Path | None,
    output_format: str,
    rev: str | None,
) -> None:
    from np2torch.verify import evidence
    from np2torch.verify.run import left_out
    from np2torch.verify.table import print_table

    shown = f"{new.name} at {rev}" if rev is not None else old.name
    if markdown is not None:
        markdown.write_text(evidence.markdown(entries, shown, new.name), "utf-8")
    if junit is not None:
        junit.write_text(evidence.junit(entries), "utf-8")
    if output_format == "json":
        click.echo(json.dumps(evidence.as_json(entries), indent=2, ensure_ascii=False))
        return
    rows = [one.row._replace(name=f"{one.module}.{one.row.name}" if one.module else one.row.name) for one in entries]
    print_table(
        rows, shown, new.name, left_out=left_out(old, rows) if old.is_file() and _proven(entries, False) else ()
    )
