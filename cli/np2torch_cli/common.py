"""The common code of the verbs: options, settings, and the way from paths to converted files."""

from __future__ import annotations

import dataclasses
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import click
from click import style

from np2torch.names.modules import read_together
from np2torch.report.progress import Bar
from np2torch.report.tally import Tally
from np2torch.report.verification import Entry, verify_entries
from np2torch.rewrite.incremental import Steps
from np2torch.source import traces
from np2torch.source.around import Surroundings, surroundings
from np2torch.source.discover import Project, from_bytes, load_project
from np2torch.source.folder import DamagedError, find
from np2torch.source.lock import file_lock
from np2torch.source.model import Converted, Problem, Settings, SourceFile
from np2torch.source.paths import display_path
from np2torch.source.scope import Scope, ScopeError, changed_since, check_names, scope_of, split
from np2torch.source.setting_keys import FLOATS, FUNCTIONS, LOOPS, PUBLIC, RANDOM, SCALARS, UNKNOWNS
from np2torch.source.setting_kinds import SettingsError, check_codes, check_device
from np2torch.source.settings import has_table, load_settings, not_heard, with_nested
from np2torch.source.store import Store, default_folder
from np2torch_cli import doubts

F = TypeVar("F", bound=Callable[..., Any])
STDIN = Path("-")
INTERRUPTED = 130
"""The exit code of what was stopped with Ctrl-C: 128 and the number of the signal."""

PATHS = click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path, allow_dash=True))
ENGINE_OPTIONS = (
    click.option("--select", multiple=True, metavar="CODES", help="Only these codes or their beginnings (NPT1)."),
    click.option("--ignore", multiple=True, metavar="CODES", help="All codes but these."),
    click.option(
        "--indirect/--no-indirect", default=None, help="Convert files that only handle arrays made elsewhere."
    ),
    click.option("--assume", type=click.Choice(["float"]), help="Take unknown dtypes for float64; lists each use."),
    click.option("--only", multiple=True, metavar="PATH[::NAME]", help="Convert only this; all is analysed."),
    click.option("--since", metavar="REV", help="Convert only what differs from this revision of git."),
    click.option("--public-api", type=click.Choice(PUBLIC), help="What callers of public functions use."),
    click.option("--float", type=click.Choice(FLOATS), help="What float64 becomes."),
    click.option("--random", type=click.Choice(RANDOM), help="Whose stream the functions of np.random draw from."),
    click.option("--unknown", type=click.Choice(UNKNOWNS), help="What stands where a parameter's type is unknown."),
    click.option("--scalars", type=click.Choice(SCALARS), help="What scalars are where both come out the same."),
    click.option("--loops", type=click.Choice(LOOPS), help="What loops that go element by element run on."),
    click.option("--functions", type=click.Choice(FUNCTIONS), help="What functions by elements run on."),
    click.option(
        "--vectorize/--no-vectorize", default=None, help="Make whole-array code of loops proved independent."
    ),
    click.option("--device", metavar="NAME", help="What tensors are made on: cuda, cuda:1, mps, or parameter."),
    click.option(
        "--trace", type=click.Path(path_type=Path, exists=True, dir_okay=False), metavar="FILE",
        help="The trace to use; else the nearest .np2torch/trace.json.",
    ),
    click.option("--no-trace", is_flag=True, help="Use no trace."),
    click.option("-j", "--jobs", type=click.IntRange(0), metavar="N", help="Processes to use; 0 means one per core."),
    click.option("--config", type=click.Path(path_type=Path), metavar="FILE", help="A pyproject.toml with settings."),
    click.option("--stdin-filename", metavar="FILE", help="What to call standard input in messages."),
    click.option("--force-exclude", is_flag=True, help="Apply exclusions to files named on the command line too."),
    click.option("--no-cache", is_flag=True, help="Use no answers of earlier runs, and keep none."),
    click.option("-q", "--quiet", is_flag=True, help="No closing summary."),
    click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever was found; errors still exit with 2."),
)  # fmt: skip


def output_format_option(*formats: str) -> Callable[[F], F]:
    """The option that chooses the format of the output, under one name for all verbs."""
    return click.option("--output-format", type=click.Choice(formats), default=formats[0], show_default=True)


def _entries(context: click.Context, parameter: click.Parameter, value: Path | None) -> tuple[Entry, ...] | None:
    if value is None:
        return None
    try:
        return verify_entries(value.read_text("utf-8"))
    except ValueError as error:
        raise click.UsageError(f"--verify {value}: {error}", context) from None


VERIFY_OPTION = click.option(
    "--verify", "verified", type=click.Path(path_type=Path, exists=True, dir_okay=False), metavar="FILE",
    callback=_entries, help="What `np2torch verify --output-format json` wrote, to be joined in.",
)  # fmt: skip


def engine_options(command: F) -> F:
    """Add the options of every verb that runs the conversion."""
    for option in reversed(ENGINE_OPTIONS):
        command = option(command)
    return command


class Options(NamedTuple):
    """The values of `ENGINE_OPTIONS`."""

    select: tuple[str, ...]
    ignore: tuple[str, ...]
    indirect: bool | None
    assume: str | None
    only: tuple[str, ...]
    since: str | None
    public_api: str | None
    float: str | None
    random: str | None
    unknown: str | None
    scalars: str | None
    loops: str | None
    functions: str | None
    vectorize: bool | None
    device: str | None
    trace: Path | None
    no_trace: bool
    jobs: int | None
    config: Path | None
    stdin_filename: str | None
    force_exclude: bool
    no_cache: bool
    quiet: bool
    exit_zero: bool


class Run(NamedTuple):
    """A conversion under way; iterating over `results` does the work and fills the tally.

    Attributes
    ----------
    files
        Those that were asked for: all of the project, unless it was only read around them.
    within
        The real paths of the folders that were given, or hold what was given: nothing else is written.
    """

    files: tuple[SourceFile, ...]
    results: Iterator[Converted]
    tally: Tally
    bar: Bar
    steps: Steps
    within: tuple[str, ...]

    @property
    def waiting(self) -> list[SourceFile]:
        """Files with NumPy that are left for later steps; those that were only read are not spoken of."""
        return [file for file in self.steps.waiting if file in self.files]


def start(
    paths: tuple[Path, ...],
    options: Options,
    without: Path | None = None,
    writes: bool = False,
    with_notebooks: bool = True,
) -> Run:
    """Read the files and set the conversion up.

    Parameters
    ----------
    without
        A folder to leave out: where the results go.
    writes
        Whether files of the project will be replaced: then no other run may do so at the same time.
    with_notebooks
        Whether notebooks are read too.
    """
    paths, only = _named_parts(paths, options)
    if (why := _conflict(paths, options)) is not None:
        raise click.UsageError(why)
    settings, given = _settings(paths, options)
    settings, damaged = _with_usable_trace(settings, options.trace)
    files_given = [path for path in paths if path != STDIN]
    with usage_errors(SettingsError):
        place = surroundings(files_given, settings)
    if writes:
        hold_lock(place.root)
    bar = Bar("Converting", enabled=False if options.quiet else None)
    with bar.unless_done(), usage_errors(SettingsError):
        project, asked = _read(paths, place, settings, options, without, with_notebooks)
        settings = with_nested(settings, [file.path for file in project.files], given)
        check_meaning(settings)
        scope = _scope(project, only, options.since, settings)
        if place.around:
            wanted = {Path(os.path.realpath(file.path)) for file in asked.files}
            scope = dict.fromkeys(wanted) if scope is None else {p: scope[p] for p in scope if p in wanted}
        whole = place.below(paths) if scope is None and any(map(os.path.isdir, paths)) else ()
        steps = Steps(project.files, settings, scope, place.record, whole, _store(options))
        warnings = [*doubts.nothing_read(asked, scope, options.since)]
        warnings += _not_applied(options, settings, steps, asked, project)
        nothing_read = not asked.files or scope is not None and not scope
        tally = Tally([*asked.problems, *steps.damaged, *damaged], len(asked.files), warnings, nothing_read)
    within = tuple(os.path.realpath(path if os.path.isdir(path) else path.parent) for path in files_given)
    shown = {file.path for file in asked.files}
    return Run(asked.files, _results(steps, tally, bar, shown), tally, bar, steps, within)


def _named_parts(paths: tuple[Path, ...], options: Options) -> tuple[tuple[Path, ...], list[str]]:
    """The paths without the functions and classes that are named behind them, and all that is named."""
    if any(str(item).endswith("::") for item in (*paths, *options.only)) or "" in options.only:
        raise click.UsageError("A path is to be named, and after '::' a function or class in it.")
    parts = [split(str(path)) for path in paths]
    only = [*options.only, *(str(path) for path, (_, name) in zip(paths, parts, strict=True) if name)]
    return tuple(path for path, _ in parts), only


def _not_applied(
    options: Options, settings: Settings, steps: Steps, asked: Project, project: Project
) -> Iterator[str]:
    """Warn of settings and traces that are given and apply to nothing."""
    if options.config is not None and not has_table(options.config):
        yield f"--config {options.config}: it has no table [tool.np2torch]"
    yield from not_heard(settings, [file.path for file in asked.files])
    yield from doubts.unknown_modules(settings, project.files)
    if options.trace is not None and not set(steps.real.values()) & set(traces.load(options.trace)):
        yield f"--trace {options.trace}: it says nothing of the files given"


def _store(options: Options) -> Store | None:
    return None if options.no_cache else Store(default_folder())


def _read(
    paths: tuple[Path, ...],
    place: Surroundings,
    settings: Settings,
    options: Options,
    without: Path | None,
    with_notebooks: bool,
) -> tuple[Project, Project]:
    """All that is to be analysed, and of that what was asked for: the same unless files are read with their project."""
    if STDIN in paths:
        project = from_bytes(sys.stdin.buffer.read(), options.stdin_filename or "<stdin>")
    else:
        given = (*place.around, *paths)
        force = options.force_exclude
        project = load_project(given, settings, force_exclude=force, without=without, with_notebooks=with_notebooks)
    if not place.around:
        return project, project
    named = {os.path.realpath(path) for path in paths}
    if not place.is_recorded:
        chosen = {file.path for file in project.files if os.path.realpath(file.path) in named}
        inside = read_together(project.files, chosen)
        project = project._replace(files=tuple(file for file in project.files if file.path in inside))
    files = tuple(file for file in project.files if os.path.realpath(file.path) in named)
    problems = tuple(problem for problem in project.problems if os.path.realpath(problem.path) in named)
    return project, Project(files, problems)


def _with_usable_trace(settings: Settings, named: Path | None) -> tuple[Settings, list[Problem]]:
    """The settings, without a trace that cannot be used, and what is wrong with it; one that was named must be one."""
    if settings.trace is None:
        return settings, []
    reason = ""
    try:
        is_empty = not traces.load(settings.trace)
    except DamagedError as error:
        if named is None:
            return dataclasses.replace(settings, trace=None), [error.problem]
        is_empty, reason = True, f": {error}"
    if named is not None and is_empty:
        raise click.UsageError(f"--trace {named}: nothing that `np2torch trace` has written{reason}")
    return settings, []


@contextmanager
def stoppable(how_far: Callable[[], str]) -> Iterator[None]:
    """End in one line, with the exit code that shells expect, where the user presses Ctrl-C."""
    try:
        yield
    except KeyboardInterrupt:
        click.echo(f"np2torch: stopped: {how_far()}", err=True)
        raise SystemExit(INTERRUPTED) from None


@contextmanager
def interrupted_by_sigterm() -> Iterator[None]:
    """Take an end from outside for Ctrl-C."""

    def stop(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def hold_lock(folder: Path) -> None:
    """Let no other run write in a folder until this one ends; say so where it has to wait."""
    message = f"np2torch: another run is at work in {display_path(folder)}; waiting for it to end"
    context = click.get_current_context()
    context.with_resource(file_lock(folder, lambda: click.echo(message, err=True)))


def _conflict(paths: Sequence[Path], options: Options) -> str | None:
    """Options that mean nothing together."""
    if STDIN in paths and len(paths) > 1:
        return "'-' stands for standard input and takes no other path beside it."
    if options.stdin_filename is not None and STDIN not in paths:
        return "--stdin-filename names standard input, which is read where the path is '-'."
    if STDIN in paths and (options.only or options.since is not None):
        return "--only and --since choose among files; standard input is one text."
    if options.trace is not None and options.no_trace:
        return "--trace and --no-trace exclude each other."
    return None


@contextmanager
def usage_errors(*kinds: type[Exception]) -> Iterator[None]:
    """Turn errors of these kinds, whose messages are one line, into errors of usage."""
    try:
        yield
    except kinds as error:
        raise click.UsageError(str(error)) from None


def _scope(project: Project, only: list[str], since: str | None, settings: Settings) -> Scope | None:
    """Give the part of the project to convert; None for all."""
    if not only and since is None:
        return None
    files = [file.path for file in project.files]
    with usage_errors(ScopeError):
        scope = scope_of(only or map(str, files), files)
        if since is not None:
            changed = changed_since(since, settings.root)
            scope = {path: names for path, names in scope.items() if path in changed}
        for file in project.files:
            check_names(file, scope.get(Path(os.path.realpath(file.path))))
    return scope


PASSED = (
    "indirect", "jobs", "assume", "public_api", "float", "random", "unknown", "scalars", "loops", "functions",
    "vectorize",
)  # fmt: skip
"""Options that are settings as they stand."""


def _settings(paths: tuple[Path, ...], options: Options) -> tuple[Settings, dict[str, Any]]:
    """The settings of a run, and what of them the command line gives."""
    settings = settings_for([path for path in paths if path != STDIN], options.config)
    given = {name: getattr(options, name) for name in PASSED}
    with usage_errors(SettingsError):
        given["select"] = check_codes(options.select) or None
        given["device"] = check_device(options.device) if options.device is not None else None
        given["trace"] = None if options.no_trace else options.trace or find(settings.root, traces.NAME)
        given["ignore"] = check_codes(options.ignore) or None
    given = {key: value for key, value in given.items() if value is not None}
    origins = {**settings.origins, **dict.fromkeys(given, "command line")}
    return dataclasses.replace(settings, **given, origins=origins), given


def settings_for(paths: Iterable[Path], config: Path | None) -> Settings:
    """The settings for some paths; what is wrong with them ends the run in one line."""
    with usage_errors(SettingsError):
        settings = load_settings(paths, config)
    check_meaning(settings)
    return settings


def check_meaning(settings: Settings) -> None:
    """End the run in one line where settings name codes that there are not, or types that are none."""
    for one in (settings, *settings.nested.values()):
        of_files = [code for _, codes in one.per_file_ignores for code in codes]
        if one.select or one.ignore or of_files:
            from np2torch.rules.codes import CODES

            for code in (*one.select, *one.ignore, *of_files):
                if not any(known.startswith(code) for known in CODES):
                    raise click.UsageError(f"There is no code that begins with {code}.")
    if settings.types:
        from np2torch.facts import notation

        for name, spelling in settings.types:
            try:
                notation.fact(spelling)
            except notation.SpellingError as error:
                raise click.UsageError(f"{settings.root / 'pyproject.toml'}: types: {name}: {error}") from None


def _results(steps: Steps, tally: Tally, bar: Bar, shown: set[Path]) -> Iterator[Converted]:
    for converted in steps.run(bar):
        if converted.path in shown:
            tally.add(converted)
            yield converted


def warn(tally: Tally) -> None:
    """Say what was not looked at, or means nothing: also where a summary is not wanted."""
    say((style(f"warning: {line}", fg="yellow") for line in tally.warnings), err=True)


def say(lines: Iterable[str], err: bool = False) -> None:
    """Print lines; colours are dropped where there is no terminal or the user wants none (NO_COLOR)."""
    for line in lines:
        click.echo(line, err=err, color=wants_colour(err))


def wants_colour(err: bool = False) -> bool:
    """Tell whether to colour what goes to a stream."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (sys.stderr if err else sys.stdout).isatty()


def leave(found: bool, tally: Tally, options: Options) -> None:
    """Exit as ruff does: 2 for files that could not be handled, 1 for findings, 0 otherwise."""
    if tally.problems:
        raise SystemExit(2)
    raise SystemExit(1 if found and not options.exit_zero else 0)
