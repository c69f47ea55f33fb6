"""The whole way: parse, resolve, infer, decide, rewrite, render. One bad file never stops the rest."""

from __future__ import annotations

import ast
import gc
import multiprocessing
import os
import signal
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import cached_property, partial
from importlib import resources
from pathlib import Path, PurePath
from typing import NamedTuple

import libcst as cst

from np2torch.facts import compiled, complex_escape, pragmas, serving, stubs, suppressions, traced
from np2torch.facts import values as v
from np2torch.facts.complex_tracking import COMPLEX
from np2torch.facts.domain import DOMAIN, Domain
from np2torch.facts.interpreter import Interpreter
from np2torch.facts.interpreter.definitions import ModuleInfo, Place
from np2torch.facts.interpreter.outside import Outside
from np2torch.facts.mod_ref_summaries import ProjectAliases
from np2torch.facts.stores import Stores
from np2torch.names import modules as module_names
from np2torch.names.elsewhere import Elsewhere, elsewhere
from np2torch.names.keeping import Kept
from np2torch.names.openness import guarded_functions, library_of, open_functions
from np2torch.names.public import Module, public_definitions, within
from np2torch.names.tree import named
from np2torch.names.tree import walk as tree_walk
from np2torch.rewrite import bridges, default_float, doctests, keeping, loops, passages, policies, reading, refusals
from np2torch.rewrite.apply import render
from np2torch.rewrite.contracts import contracts_of
from np2torch.rewrite.deep import nesting_deeply
from np2torch.rewrite.doctests import Doctest
from np2torch.rewrite.guards import placing
from np2torch.rewrite.guards import stage as guard_stage
from np2torch.rewrite.guards.standing import standing_guards
from np2torch.rewrite.hazards import hazards_in
from np2torch.rewrite.imports import Imports
from np2torch.rewrite.keeping import Keeping
from np2torch.rewrite.plan import Plan, make_plan
from np2torch.rewrite.provenance import Origins
from np2torch.rewrite.remarks import remarks_on
from np2torch.rewrite.spelling import MODULES, Spelling, part
from np2torch.rules.api import RuleBook
from np2torch.rules.loops.regions import regions_in
from np2torch.rules.scalars.representation import represent
from np2torch.rules.site import ModuleContext
from np2torch.source.examples import given_names
from np2torch.source.gradients import scalars_for
from np2torch.source.ignore import is_closed
from np2torch.source.line_length import line_length
from np2torch.source.mentions import EVERY, Mentions, dtypes_in
from np2torch.source.model import Converted, Problem, Remark, Settings, Site, SourceFile
from np2torch.source.scan import mentions_numpy
from np2torch.source.traces import load as load_traces

ASSUMED = {"": None, "float": frozenset({"float64"})}
"""What each value of the setting `assume` says of arrays of unknown dtype."""


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
    """What is known of a project, ready to be worked off file by file.

    Where there is a trace the project is analysed without it as well: what differs rests on the trace. Complex numbers
    that only come of `eig` and the like are kept `apart` from arrays of unknown dtype, unless they get out of sight.
    """
    every = module_names.module_names(files)
    wanted = module_names.relevant(files, every)
    read = [reading.cut(file) for file in files]
    problems = {one.path: one for one in read if isinstance(one, Problem)}
    files = [file if isinstance(one, Problem) else one for file, one in zip(files, read, strict=True)]
    mentions = dtypes_in(file.text for file in files if file.path in wanted)
    helpers = module_names.helpers(files, every, wanted)
    too_large = {path: problems[path] for path in problems if path in wanted or path in helpers}
    chosen = Chosen(every, wanted, helpers, mentions, too_large)
    work = _analysed(files, settings, chosen, with_trace, apart)
    if arrays := keeping.array_classes(settings.keep, work.infos, work.engine):
        work = _analysed(files, settings, chosen._replace(arrays=arrays), with_trace, apart)
    return work


class Chosen(NamedTuple):
    """The names of a project's modules: of all, of those that are about NumPy, of those that are read with them.

    And the dtypes that they speak of, the files that are too large, and the subclasses of ndarray that are to stay so,
    by module and name.
    """

    every: module_names.ModuleNames
    wanted: Mapping[Path, str]
    helpers: Mapping[Path, str]
    mentions: Mentions
    too_large: Mapping[Path, Problem]
    arrays: frozenset[tuple[str, str]] = frozenset()


def _analysed(
    files: Sequence[SourceFile],
    settings: Settings,
    chosen: Chosen,
    with_trace: bool,
    apart: bool,
    left: frozenset[Place] = frozenset(),
    choices: guard_stage.Choices | None = None,
) -> Work:
    every, wanted, helpers, mentions, too_large, arrays = chosen
    types = pragmas.shared_out(settings.types, wanted.values())
    traces = load_traces(settings.trace) if settings.trace is not None and with_trace else {}
    infos: dict[Path, ModuleInfo] = {}
    problems: dict[Path, Problem] = dict(too_large)
    names = {**wanted, **helpers}
    for file in files:
        if file.path in names and file.path not in problems:
            parsed = reading.parse(file, names[file.path])
            if isinstance(parsed, ModuleInfo):
                parsed.is_helper = file.path in helpers
                infos[file.path] = parsed
            else:
                problems[file.path] = parsed
    given = given_names(file.text for file in files if file.path.name == "conftest.py")
    examples = {path: list(doctests.read(info, given)) for path, info in infos.items() if mentions_numpy(info.text)}
    sessions = [one.info for found in examples.values() for one in found if one.info is not None]
    said, may_occur = map(frozenset.union, mentions, dtypes_in(session.text for session in sessions))
    apart = apart and "complex128" in may_occur - said
    library = _library(infos.values(), settings)
    open_ = open_functions(library)
    unspoken = EVERY - may_occur if open_ else frozenset[str]()
    if open_:
        said, may_occur, apart = EVERY, EVERY, False
    dtypes, kept_apart = (said, COMPLEX) if apart else (may_occur, frozenset[str]())
    universe = Domain(dtypes, ASSUMED[settings.assume], kept_apart, DOMAIN.supposed, unspoken)
    universe.activate()
    texts = {file.path: file.whole_text for file in files}
    for path, info in infos.items():
        suppressions.read(info)
        compiled.leave(info)
        serving.leave(info, left)
        keeping.skip(info, arrays)
        guard_stage.check(info, settings.unguarded, every.also)
        pragmas.read(info, types.get(info.name, {}))
        if (stub := reading.stub(path)) is not None:
            stubs.read(info, stub)
        if (seen := traces.get(path.resolve())) is not None:
            traced.read(info, seen, texts[path], decides=info.name not in library)
    for session in sessions:
        suppressions.read(session)
    public = _public(infos.values(), settings)
    outside = Outside(within(public), open_, choices.guards if choices else {})
    if infos:
        unread = set(every.of.values()) - set(names.values())
        outside = outside._replace(unread=unread, called_outside=module_names.outsiders(files, every, names))
    engine = Interpreter(RuleBook(), every.also, outside)
    try:
        engine.run([*infos.values(), *sessions])
    except RecursionError as error:  # too deep for the interpreter: nothing is known, nothing is guessed
        for path in infos:
            problems[path] = Problem(path, 1, 1, "NPT905", f"the analysis gave up: {error}")
        infos = {}
    if not left and choices is None and (helpers_of_kept := serving.found(engine)):
        return _analysed(files, settings, chosen, with_trace, apart, helpers_of_kept)
    if apart and complex_escape.found(engine):
        return _analysed(files, settings, chosen, with_trace, False, left)
    work = Work(files, infos, problems, engine, settings, universe, public, examples)
    while open_ and (choices is None or not choices.is_whole) and settings.unknown == "guard":
        asked = open_ if choices is None else guarded_functions(library) - guard_stage.having_one(engine)
        with nesting_deeply():
            more = guard_stage.choose_all(work.contexts(), asked, settings.unguarded, choices)
        if len(more.guards) > len(choices.guards if choices else ()):
            return _analysed(files, settings, chosen, with_trace, apart, left, more)
        choices = more
    if choices is not None and choices.guards:
        with nesting_deeply():
            engine.facts.update(guard_stage.settle_all(work.contexts()))
    work.reasons = choices.reasons if choices is not None else {}
    work.hiding = module_names.hidden_in("torch", every.of)
    work.again = partial(_analysed, files, settings, chosen, with_trace, apart, left)
    if any(file.path.resolve() in traces for file in files):
        guarded = choices if choices is not None and choices.guards else None
        work.traced = _differing(work, _analysed(files, settings, chosen, False, apart, left, guarded))
    return work


def _public(infos: Iterable[ModuleInfo], settings: Settings) -> frozenset[ast.AST]:
    """The definitions that callers with ndarrays may use."""
    if settings.public_api != "ndarray":
        return frozenset()
    modules = {info.name: Module(info.tree, info.is_package) for info in infos if not info.is_helper}
    return frozenset(public_definitions(modules, settings.public_modules))


def _library(infos: Iterable[ModuleInfo], settings: Settings) -> dict[str, Module]:
    """The modules that callers nobody sees may import, by name."""
    modules = {info.name: Module(info.tree, info.is_package) for info in infos if not info.is_helper}
    closed = [info.name for info in infos if is_closed(Path(info.path), settings)]
    return library_of(modules, closed)


def _differing(work: Work, plain: Work) -> frozenset[ast.AST]:
    """The expressions of which another analysis of the same files knows something else."""
    pairs = [(info.tree, plain.infos[path].tree) for path, info in work.infos.items() if path in plain.infos]
    return frozenset(
        node
        for tree, other in pairs for node, same in zip(tree_walk(tree), tree_walk(other), strict=True)
        if _outline(work.engine.facts.get(node)) != _outline(plain.engine.facts.get(same))
    )  # fmt: skip


def _outline(fact: v.Fact | None) -> tuple[object, ...]:
    """What tells facts of two runs of the analysis apart: they know different definitions."""
    return (v.kinds(fact), v.dtypes_of(fact), v.ranks_of(fact)) if fact else ()


class Work:
    """The files of an analysed project, planned and rewritten one by one, in as many processes as asked for."""

    def __init__(
        self,
        files: Sequence[SourceFile],
        infos: Mapping[Path, ModuleInfo],
        problems: Mapping[Path, Problem],
        engine: Interpreter,
        settings: Settings,
        universe: Domain,
        public: frozenset[ast.AST],
        examples: Mapping[Path, Sequence[Doctest]],
    ) -> None:
        self.files, self.infos, self.problems, self.engine, self.settings = files, infos, problems, engine, settings
        self.universe, self.public, self.examples = universe, public, examples
        self.traced: frozenset[ast.AST] = frozenset()
        self.again: Callable[[guard_stage.Choices], Work] | None = None
        self.keeping = Keeping(settings.keep, infos, engine)
        self.shim = shim_names()
        self.hiding: set[Path] = set()
        self.reasons: Mapping[Place, str] = {}

    @cached_property
    def elsewhere(self) -> Mapping[str, Elsewhere]:
        """What is made of the names of each module in other places."""
        known = {path: [one.session.node for one in found] for path, found in self.examples.items()}
        return elsewhere(self.infos, self.engine.also, self._modules, MODULES, known)

    @cached_property
    def importers(self) -> Mapping[str, str]:
        """For each module that another one imports, one that does."""
        return module_names.importers(self.files)

    @cached_property
    def origins(self) -> Origins:
        """Where the facts of the project come from."""
        return Origins(self.engine, self.infos.values())

    @cached_property
    def has_torch(self) -> bool:
        """Is there code in the project that uses torch already?"""
        return any("torch" in file.imported_modules for file in self.files)

    def _modules(self, node: ast.expr) -> Iterator[str]:
        facts = self.engine.facts.get(node) or ()
        return (atom.name for atom in facts if isinstance(atom, v.Module) and atom.name in self.engine.modules)

    @cached_property
    def keeps_gradients(self) -> bool:
        """Are scalars through which gradients may flow to stay tensors?"""
        return (self.settings.scalars or scalars_for(file.text for file in self.files)) == "tensor"

    @cached_property
    def project(self) -> ProjectAliases:
        """What the project's functions do to memory: asked where there is something to rewrite."""
        with nesting_deeply():
            return ProjectAliases(self.engine)

    @cached_property
    def stores(self) -> Stores:
        """Where the project's functions may write."""
        return Stores(self.engine, self.project)

    def contexts(self) -> Iterator[ModuleContext]:
        """What is needed to decide on each file."""
        for file in self.files:
            if (info := self.infos.get(file.path)) is not None:
                yield self.context(file, info)

    def keep(self, entries: Sequence[str]) -> None:
        """Leave on NumPy what these name, from now on."""
        self.keeping = Keeping(entries, self.infos, self.engine)

    def run(self) -> Iterator[Converted]:
        """Convert every file, in order."""
        jobs = self.settings.jobs or os.cpu_count() or 1
        busy = [number for number, file in enumerate(self.files) if file.path in self.infos]
        if jobs == 1 or len(busy) < FEWEST_TO_SHARE or "fork" not in multiprocessing.get_all_start_methods():
            yield from map(self.convert, range(len(self.files)))
            return
        self.universe.activate()
        _ = self.project, self.elsewhere, self.origins  # forked processes have it all without copying
        pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("fork"), _start_worker, (self,))
        try:
            done = pool.map(_convert_shared, busy, chunksize=4)
            for number in range(len(self.files)):
                yield next(done) if self.files[number].path in self.infos else self.convert(number)
        finally:
            pool.shutdown(cancel_futures=True)

    def context(self, file: SourceFile, info: ModuleInfo, kept: Set[ast.AST] = frozenset()) -> ModuleContext:
        """Collect what is needed to decide on a file, from now on with the values of this analysis."""
        self.universe.activate()
        names = (self.settings.scope or {}).get(file.path)
        ctx = ModuleContext(
            self.engine, info, self.project, self.stores, self.shim, self.settings.for_file(file.path).selects,
            traced=self.traced, public=self.public, reached=self.keeping.reached, kept=kept,
            parts=None if names is None or info.around else frozenset(named(info.tree, names)),
            torchs_random=self.settings.random == "torch", mentions_numpy=file.mentions_numpy,
        )  # fmt: skip
        if self.settings.float == "numpy":  # a float32 that becomes a Python number is a float64
            represent(ctx, self.keeps_gradients)
        if loops.policy_of(self.settings, self.keeps_gradients) == "numpy":
            ctx.on_numpy.update((region.loop, region) for region in regions_in(ctx))
        return ctx

    def planned(self, file: SourceFile, info: ModuleInfo) -> tuple[ModuleContext, Plan, list[Remark]]:
        """What is to be done in a module, and what is to be said of it."""
        kept, said = self.keeping.of(file.path) if info.around is None else Kept(), list[Remark]()
        ctx = self.context(file, info, keeping.left(kept))

        def change(plan: Plan) -> None:
            for statement, note in keeping.plan_borders(ctx, kept, info.name in self.keeping.sealed):
                plan.notes.setdefault(statement, []).append(note)
            said.extend(keeping.remarks(ctx, kept))
            said.extend(refusals.settle(ctx, plan))
            passages.settle(ctx, plan)
            said.extend(policies.apply(ctx, plan, self.settings))
            if self.settings.float == "default" and info.around is None and (plan.edits or plan.wraps):
                why = default_float.why_not(ctx, self.importers, self.has_torch)
                refused = Remark(1, 1, default_float.REFUSED, f"the default dtype is not set here: {why}")
                said.extend([refused] if why else default_float.apply(ctx, plan))
            said.extend(bridges.build(ctx, plan, self.elsewhere[info.name].used))
            placing.put(ctx, plan)
            loops.hand_over(ctx, plan)

        plan = make_plan(ctx, change)
        loops.rename(ctx, plan)
        return ctx, plan, [*remarks_on(ctx), *said]

    def with_fewer_guards(self, entries: Sequence[str]) -> Work | None:
        """The same project where these functions have no guard; None where all has to be analysed for it."""
        gone = guard_stage.unguarded(entries, self.infos.values(), self.engine.also)
        left = {place: line for place, line in self.engine.guards.items() if place not in gone}
        return self.again(guard_stage.Choices(left, self.reasons)) if self.again is not None and left else None

    def planned_examples(self, file: SourceFile, ctx: ModuleContext) -> list[doctests.Planned]:
        """What is to be done in the examples in the docstrings of a module, where those are to be converted."""
        found = [one for one in self.examples.get(file.path, ()) if ctx.is_wanted(one.session.owner)]
        return [doctests.planned(one, partial(self.planned, file), ctx.module.skipped) for one in found]

    def convert(self, number: int) -> Converted:
        """Convert the file of that number."""
        self.universe.activate()
        file = self.files[number]
        info = self.infos.get(file.path)
        scope = self.settings.scope
        if file.path in self.problems:
            return reading.whole(file, _failed(file, self.problems[file.path]))
        if info is None or scope is not None and file.path not in scope:
            unchanged = Converted(file.path, file.text, file.text, guards=standing_guards(file))
            return reading.whole(file, unchanged)
        with nesting_deeply():
            return reading.whole(file, _convert_file(file, info, self))


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


def _convert_file(file: SourceFile, info: ModuleInfo, work: Work) -> Converted:
    try:
        ctx, plan, said = work.planned(file, info)
        sessions = work.planned_examples(file, ctx)
        known, parts = work.elsewhere[info.name], [part(one.ctx, one.plan) for one in sessions if one.ctx and one.plan]
        spelling = Spelling([part(ctx, plan), *parts], known, work.settings.shim_import)
        limit = line_length(file.path, file.text)
        examples = doctests.rewrite(sessions, work.settings, spelling, limit)
        examples.enter(plan, info.tree)
        remarks = (*said, *examples.remarks, *hazards_in(ctx, plan))
        if not file.mentions_numpy and not ctx.reaches_numpy() and not work.settings.for_file(file.path).indirect:
            return _left_alone(file, plan)
        imports = Imports(ctx, plan, known, spelling)
        guards = (*standing_guards(file, info.tree), *placing.chosen(ctx))
        contracts = tuple(contracts_of(ctx, work.origins, work.settings, work.reasons))
        if not plan.touches() and not imports.changed():
            return Converted(file.path, file.text, file.text, tuple(plan.sites), (), remarks, guards, contracts)
        if not work.hiding.isdisjoint(file.path.parents):
            message = "`import torch` would import the project's own module torch; rename that, then convert"
            return _failed(file, Problem(file.path, 1, 1, "NPT512", message))
        text = file.text if file.summary is None else file.summary.compact(file.text)
        after = render(text, ctx, plan, imports, limit)
        ast.parse(after)
    except RecursionError as error:
        return _failed(file, Problem(file.path, 1, 1, "NPT905", f"too deeply nested: {error}"))
    except cst.ParserSyntaxError as error:
        return _failed(file, Problem(file.path, error.raw_line, error.raw_column + 1, "NPT904", error.message))
    except SyntaxError as error:
        message = "internal: the new text does not parse; the file is left as it was"
        return _failed(file, Problem(file.path, error.lineno or 1, 1, "NPT906", message))
    except Exception as error:  # a defect of ours must not stop the other files
        where = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{PurePath(where.filename).name}:{where.lineno}"
        message = f"internal: {type(error).__name__} in {place}; the file is left as it was"
        return _failed(file, Problem(file.path, 1, 1, "NPT906", message))
    return Converted(file.path, file.text, after, tuple(plan.sites), (), remarks, guards, contracts)


def _failed(file: SourceFile, problem: Problem) -> Converted:
    return Converted(file.path, file.text, file.text, (), (problem,))


def _left_alone(file: SourceFile, plan: Plan) -> Converted:
    """A file that never mentions NumPy is not changed where that is asked for; where it should be, that is said."""
    if not plan.touches():
        return Converted(file.path, file.text, file.text)
    first = min(site.line for site in plan.sites)
    message = (
        f"{len(plan.sites)} places handle arrays made elsewhere, but the file never mentions NumPy and is left as it "
        "is; --indirect converts it too"
    )
    return Converted(file.path, file.text, file.text, (Site(first, 1, "todo", "NPT501", file.path.name, message),))


def shim_names() -> frozenset[str]:
    """Every dotted name the shim has, from the checked-in list."""
    text = resources.files("np2torch.rules").joinpath("shim_names.txt").read_text("ascii")
    return frozenset(line for line in text.splitlines() if not line.startswith("#"))
