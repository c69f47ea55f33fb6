"""The whole way: Parsed, Analysed, Planned, Converted. One bad file never stops the rest."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from np2torch.facts.interpreter import Interpreter
from np2torch.facts.interpreter.definitions import ModuleInfo
from np2torch.facts.interpreter.environment import Place
from np2torch.rewrite.deep import nesting_deeply
from np2torch.rewrite.guards import stage as guard_stage
from np2torch.rewrite.keeping import Keeping
from np2torch.rewrite.pipeline.analysed import Analysed, analyse_project, settle
from np2torch.rewrite.pipeline.analysed import shim_names as shim_names
from np2torch.rewrite.pipeline.parsed import parse_project
from np2torch.rewrite.pipeline.planned import convert_file
from np2torch.rewrite.provenance import Origins
from np2torch.rewrite.vectorizing import Rewritten, tell, vectorize
from np2torch.rules.site import ModuleContext
from np2torch.source.model import Converted, Problem, Settings, SourceFile


def convert_project(
    files: Sequence[SourceFile], settings: Settings, progress: Callable[[int, int], None] | None = None
) -> Iterator[Converted]:
    """Convert a project: facts over all its files, then each file on its own.

    Yields
    ------
    Converted
        One for each file, in order; a file that cannot be converted comes back as it was, with the problem.
    """
    with interpreting():
        work = analyse(files, settings)
    for number, converted in enumerate(work.run()):
        if progress is not None:
            progress(number + 1, len(files))
        yield converted
    gc.unfreeze()


@contextmanager
def interpreting() -> Iterator[None]:
    """Let calls nest deeply, and let Python not look for cycles among millions of facts that live until the end."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        with nesting_deeply():
            yield
    finally:
        if was_on:
            gc.freeze()
            gc.enable()


def analyse(files: Sequence[SourceFile], settings: Settings, with_trace: bool = True, apart: bool = True) -> Work:
    """Find what is known of a project, ready to be worked off file by file.

    Complex numbers that only come of `eig` and the like are kept `apart` from arrays of unknown dtype, unless they get
    out of sight.
    """
    rewritten: Mapping[int, Rewritten] = {}
    if settings.vectorize:
        files, rewritten = vectorize(files, settings, with_trace)
    return Work(analyse_project(parse_project(files, settings), with_trace, apart), rewritten)


class Work:
    """The files of an analysed project, planned and rewritten one by one, in as many processes as asked for."""

    def __init__(self, analysed: Analysed, rewritten: Mapping[int, Rewritten] | None = None) -> None:
        self.analysed, self.rewritten = analysed, rewritten or {}
        self.keeping = analysed.run.keeping

    @property
    def infos(self) -> Mapping[Path, ModuleInfo]:
        """The modules of the project."""
        return self.analysed.run.trees.infos

    @property
    def problems(self) -> Mapping[Path, Problem]:
        """The files that cannot be read."""
        return self.analysed.run.trees.problems

    @property
    def engine(self) -> Interpreter:
        """The interpreter, with all that it found."""
        return self.analysed.run.engine

    @property
    def origins(self) -> Origins:
        """Give the provenance of the facts of the project."""
        return self.analysed.run.origins

    @property
    def reasons(self) -> Mapping[Place, str]:
        """Give the reasons for which functions have their guard, or none."""
        return self.analysed.reasons

    def keep(self, entries: Sequence[str]) -> None:
        """Leave on NumPy what these name, from now on."""
        self.keeping = Keeping(entries, self.infos, self.engine)

    def context(self, file: SourceFile, info: ModuleInfo) -> ModuleContext:
        """Collect what is needed to decide on a file."""
        return self.analysed.run.context(file, info, self.keeping.reached, traced=self.analysed.traced)

    def with_fewer_guards(self, entries: Sequence[str]) -> Work | None:
        """Give the same project where these functions have no guard; None where all has to be analysed for it."""
        gone = guard_stage.unguarded_functions(entries, self.infos.values(), self.engine.also)
        left = {place: line for place, line in self.engine.guards.items() if place not in gone}
        if not left:
            return None
        choices = guard_stage.Choices(left, self.reasons)
        analysed = settle(self.analysed.run.parsed, self.analysed.assumptions._replace(choices=choices))
        return Work(analysed, self.rewritten)

    def run(self) -> Iterator[Converted]:
        """Convert every file, in order."""
        run, files = self.analysed.run, self.analysed.run.parsed.files
        jobs = run.settings.jobs or os.cpu_count() or 1
        busy = [number for number, file in enumerate(files) if file.path in self.infos]
        if jobs == 1 or len(busy) < FEWEST_TO_SHARE or "fork" not in multiprocessing.get_all_start_methods():
            yield from (self.convert(number) for number in range(len(files)))
            return
        run.domain.activate()
        _ = run.project, run.elsewhere, run.origins  # forked processes have it all without copying
        pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("fork"), _start_worker, (self,))
        try:
            done = pool.map(_convert_shared, busy, chunksize=4)
            for number in range(len(files)):
                yield next(done) if files[number].path in self.infos else self.convert(number)
        finally:
            pool.shutdown(cancel_futures=True)

    def convert(self, number: int, keep: Keeping | None = None) -> Converted:
        """Convert the file of that number; with something else left on NumPy than what is left of the whole."""
        self.analysed.run.domain.activate()
        converted = convert_file(self.analysed, keep or self.keeping, self.analysed.run.parsed.files[number])
        return tell(converted, self.rewritten[number]) if number in self.rewritten else converted


FEWEST_TO_SHARE = 8
_SHARED: list[Work] = []
"""In a worker: what it works on, which it has from the process that it was forked from."""


def _start_worker(work: Work) -> None:
    """Begin a worker: Ctrl-C ends it without a word, and so does the end of the process that it works for."""
    _SHARED.append(work)
    signal.signal(signal.SIGINT, signal.SIG_DFL)

    def follow() -> None:
        if (parent := multiprocessing.parent_process()) is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=follow, daemon=True).start()


def _convert_shared(number: int) -> Converted:
    return _SHARED[0].convert(number)
