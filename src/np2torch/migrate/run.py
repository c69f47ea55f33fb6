"""The whole way of `np2torch migrate`: baseline on NumPy, analysis, search, bill; nothing is written to the project."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from np2torch.migrate.bill import Bill
from np2torch.migrate.conversion import Conversion, modules_of
from np2torch.migrate.copies import Copy, is_copied
from np2torch.migrate.entries import is_in_haste, order_entries
from np2torch.migrate.results import Outcomes
from np2torch.migrate.runner import Limits, Runner
from np2torch.migrate.search import Search
from np2torch.migrate.trials import GIVEN_UP, Baseline, Trials, functions_of
from np2torch.source.model import Converted, Settings, SourceFile

BROKEN = 2
"""pytest was interrupted, or could not begin, with an exit code of at least this."""
ON_TORCH = ("numpy", "torch", "np2torch.shim")
"""The modules that converted code imports."""


class NothingToRunError(RuntimeError):
    """Error of a command that does nothing that can be compared; the message is one line."""


@dataclass
class Task:
    """The task of a search.

    Attributes
    ----------
    root
        The folder that is copied.
    folder
        The user's working folder, where the command runs.
    start
        What is left on NumPy from the beginning, with the reasons.
    before
        What the settings left there until now.
    minutes
        How long all of it may take, from the beginning; 0 for as long as it takes.
    may_fail
        The share of the tests that may be given up.
    """

    files: Sequence[SourceFile]
    settings: Settings
    root: Path
    folder: Path
    command: tuple[str, ...]
    start: Mapping[str, str]
    before: Mapping[str, str]
    limits: Limits
    jobs: int = 1
    minutes: float = 0.0
    may_fail: float = GIVEN_UP


def migrate(task: Task, place: Path, say: Callable[[str], None]) -> tuple[Bill, list[Converted]]:
    """Find what has to stay on NumPy; the bill, and what comes of each file.

    Raises
    ------
    NothingToRunError
        Where the command fails on NumPy, or no test passes there.
    """
    begin = time.monotonic()
    say(f"analysing {len(task.files)} files")
    conversion = Conversion(task.files, task.settings)
    share = conversion.share(())
    seconds = time.monotonic() - begin
    say(f"{share.converted} of {share.sites} uses of NumPy can be converted; analysed in {seconds:.0f} s")
    runner = Runner(command_in_copies(task), task.folder, conversion.roots, task.limits, place)
    with closing(runner):  # before the threads are waited for
        return _searched(task, conversion, runner, place, say, begin)


def command_in_copies(task: Task) -> tuple[str, ...]:
    """The command as it is started in a copy, which has the project's own programs, but none of its environment."""
    if not task.command:
        return ()
    program, *rest = task.command
    path = Path(os.path.abspath(task.folder / program))
    if os.sep in program and not is_copied(path, Path(os.path.realpath(task.root))):
        program = str(path)
    if shutil.which(str(path) if os.sep in program else program) is None:
        raise NothingToRunError(f"there is no program {program!r} that can be run")
    return program, *rest


def _searched(
    task: Task, conversion: Conversion, runner: Runner, place: Path, say: Callable[[str], None], begin: float
) -> tuple[Bill, list[Converted]]:
    name = Path(os.path.realpath(task.root)).name  # which is a package's, where the folder itself is one
    numpy = Copy(task.root, place / "numpy" / name, conversion.originals(), ("numpy",))
    baseline = on_numpy(conversion, runner, numpy, say)
    baseline.may_fail = task.may_fail
    runner.learn(dict(baseline.seconds), baseline.imported)
    if task.minutes:
        runner.stop_at(begin + 60 * task.minutes)
    places = [place / f"torch{number}" / name for number in range(max(task.jobs, 1))]
    copies = [Copy(task.root, one, conversion.originals(), ON_TORCH) for one in places]

    def learn(tests: Sequence[str]) -> dict[str, list[str]]:
        found = runner.run(numpy, tests, functions=True, fresh=False)
        called, good = functions_of(found, conversion, numpy), found.good()
        return {name: entries for name, entries in called.items() if name in good}

    hasty = {entry for entry, said in task.start.items() if is_in_haste(said)}
    search = Search(Trials(conversion, runner, copies, baseline, learn), say, task.start, hasty)
    search.run(has_tests=bool(task.command))
    is_short = search.setbacks.ends_short()
    if search.is_over:
        say(f"the time is over: {search.ending}")
    kept = search.reasons()
    holds = {entry: conversion.sites_in(entry) for entry in kept}
    shown = {baseline.shown.get(name, name): error for name, error in search.result.unsolved.items()}
    bill = Bill(
        " ".join(task.command), baseline.number,
        [baseline.shown.get(name, name) for name in baseline.flaky], shown, len(baseline.modules),
        runner.runs, runner.full_runs, time.monotonic() - begin, conversion.share(kept),
        {entry: kept[entry] for entry in order_entries(kept, holds)}, holds,
        [entry for entry in task.before if entry not in kept], search.result.unguarded,
        {baseline.shown.get(name, name): error for name, error in baseline.unrelated.items()},
        search.best is not None and search.is_pieced and not is_short, search.is_over or search.is_hurried,
        conversion.share(task.start).converted, search.budget.run_seconds, baseline.lacking or (),
        baseline.twins.intersection(baseline.order), is_short,
    )  # fmt: skip
    conversion.unguarded = frozenset((*task.settings.unguarded, *search.result.unguarded))
    return bill, conversion.convert_files(kept)


def on_numpy(conversion: Conversion, runner: Runner, copy: Copy, say: Callable[[str], None]) -> Baseline:
    """Run the tests on NumPy twice, the second time with what each calls, and give the baseline."""
    paths = [path for path in conversion.modules if path in conversion.names]
    imported = runner.imports(copy, modules_of(conversion, paths))
    modules = sorted(imported.good())
    runner.learn_imports({name: imported.tests[name].seconds for name in modules})
    _check_place(imported)
    say(f"{len(modules)} of {len(paths)} modules can be imported on NumPy")
    if not runner.command:
        return Baseline(modules=modules)
    first = runner.run(copy)
    runner.learn_parameters(first.parameters)
    begin = time.monotonic()
    second = runner.run(copy, functions=True)
    run_seconds = time.monotonic() - begin
    _check_place(first)
    good = first.good() & second.good()
    names = [*first.tests, *(name for name in second.tests if name not in first.tests)]
    order = [name for name in names if name in good]
    flaky = [name for name in names if name in first.good() ^ second.good()]
    if not order:
        raise NothingToRunError(f"nothing passes on NumPy with {' '.join(runner.command)!r}: {first.why_none_passes()}")
    say(f"{len(order)} tests pass on NumPy, {len(flaky)} are flaky")
    called = functions_of(second, conversion, copy)
    return Baseline(
        order, flaky, functions={name: called[name] for name in order}, modules=modules, run_seconds=run_seconds,
        imported=first.imported,
        seconds={name: second.tests[name].seconds for name in order},
        shown={name: result.shown or name for name, result in first.tests.items()},
        is_shared_out=first.sessions == 1,
        output=first.output if not first.is_pytest and first.output == second.output else None,
    )  # fmt: skip


def _check_place(found: Outcomes) -> None:
    """See that nothing is imported from the working tree: tests of it would say nothing of the copy."""
    if found.outside:
        raise NothingToRunError(
            f"{found.outside[0]} is imported from the working tree, not from the copy: an installation of the project, "
            "or a line that puts its folder on sys.path, goes before PYTHONPATH"
        )


def project_root(paths: Sequence[Path], settings: Settings) -> Path:
    """The folder to copy: that of the settings or the repository, with the paths and the working folder in it."""
    here = Path(os.path.realpath(Path.cwd()))
    inside = [Path(os.path.realpath(path)) for path in paths] + [here]
    common = Path(os.path.commonpath([*map(str, inside), os.path.realpath(settings.root)]))
    for folder in (common, *common.parents):
        if (folder / ".git").exists() or (folder / "pyproject.toml").exists():
            return folder
    return common
