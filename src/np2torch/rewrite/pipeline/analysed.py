"""The second stage of the pipeline: what is known of a project, run again until its assumptions hold.

One run of the interpreter takes something for granted (`Assumptions`). What it finds may say otherwise: then a revision
gives other assumptions, and the project is run with these.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from np2torch.facts import compiled_functions, complex_escape, pragmas, serving, stubs, suppressions, trace_evidence
from np2torch.facts import values as v
from np2torch.facts.complex_tracking import COMPLEX
from np2torch.facts.domain import DOMAIN, Domain
from np2torch.facts.extents import Extents
from np2torch.facts.interpreter import Interpreter
from np2torch.facts.interpreter.definitions import FunctionDefinition, ModuleInfo
from np2torch.facts.interpreter.environment import Place
from np2torch.facts.interpreter.outside import Outside
from np2torch.facts.mod_ref_summaries import ProjectAliases
from np2torch.facts.stores import Stores
from np2torch.names import modules as module_names
from np2torch.names.elsewhere import Elsewhere, elsewhere
from np2torch.names.openness import guarded_functions, handed_out, open_functions
from np2torch.names.public import Module, within
from np2torch.names.tree import find_definitions
from np2torch.names.tree import walk as tree_walk
from np2torch.rewrite import keeping, loops, reading
from np2torch.rewrite.deep import nesting_deeply
from np2torch.rewrite.guards import stage as guard_stage
from np2torch.rewrite.guards.worlds import outline
from np2torch.rewrite.keeping import Keeping
from np2torch.rewrite.pipeline.parsed import Parsed, Trees
from np2torch.rewrite.provenance import Origins
from np2torch.rewrite.spelling import MODULES
from np2torch.rules.api import RuleBook
from np2torch.rules.loops.decisions import decide_loops, functions_in_numpy
from np2torch.rules.loops.functions import Computing
from np2torch.rules.scalars.representation import represent
from np2torch.rules.site import ModuleContext
from np2torch.source.mentions import EVERY, dtypes_in
from np2torch.source.model import Problem, Settings, SourceFile
from np2torch.source.traces import load as load_traces

ASSUMED = {"": None, "float": frozenset({"float64"})}
"""The dtypes that each value of the setting `assume` states for arrays of unknown dtype."""


class Assumptions(NamedTuple):
    """The assumptions of a run of the interpreter.

    Attributes
    ----------
    trace
        Whether what a trace has seen is believed.
    apart
        Whether complex results of `eig` and the like are kept apart from arrays of unknown dtype.
    arrays
        The subclasses of ndarray that are to stay so, by module and name.
    serving
        The functions that only serve classes which stay on NumPy.
    given
        The functions of modules without NumPy that the project gives arrays, and that callers nobody sees may too.
    choices
        The guards of functions; None before any was chosen.
    """

    trace: bool = True
    apart: bool = True
    arrays: frozenset[tuple[str, str]] = frozenset()
    serving: frozenset[Place] = frozenset()
    given: frozenset[ast.AST] = frozenset()
    choices: guard_stage.Choices | None = None

    @property
    def guards(self) -> Mapping[Place, Any]:
        """The guards chosen so far."""
        return self.choices.guards if self.choices is not None else {}

    def gives_the_facts_of(self, other: Assumptions) -> bool:
        """Tell whether a run would find what it finds under the other ones: no guard more, and nothing else changed."""
        same = self._replace(choices=None) == other._replace(choices=None)
        return same and len(self.guards) <= len(other.guards)


@dataclass(frozen=True, eq=False)
class Run:
    """A project and what one run of the interpreter found, with what is derived from that.

    Attributes
    ----------
    library, open
        The modules that callers nobody sees may import, and their functions.
    public
        The definitions that callers with ndarrays may use.
    traces
        What a trace has seen, by path.
    """

    parsed: Parsed
    trees: Trees
    engine: Interpreter
    domain: Domain
    library: Mapping[str, Module]
    open: Set[ast.AST]
    public: frozenset[ast.AST]
    traces: Mapping[Path, Any]

    @property
    def settings(self) -> Settings:
        """The settings of the project."""
        return self.parsed.settings

    @cached_property
    def elsewhere(self) -> Mapping[str, Elsewhere]:
        """Give the uses of each module's names in other places."""
        known = {path: [one.session.node for one in found] for path, found in self.trees.examples.items()}
        return elsewhere(self.trees.infos, self.engine.also, self._modules, MODULES, known)

    def _modules(self, node: ast.expr) -> Iterator[str]:
        facts = self.engine.facts.get(node) or ()
        return (atom.name for atom in facts if isinstance(atom, v.Module) and atom.name in self.engine.modules)

    @cached_property
    def origins(self) -> Origins:
        """Give the provenance of the facts of the project."""
        return Origins(self.engine, self.trees.infos.values())

    @cached_property
    def keeps_gradients(self) -> bool:
        """Tell whether scalars through which gradients may flow are to stay tensors."""
        return (self.settings.scalars or self.parsed.scalars) == "tensor"

    @cached_property
    def project(self) -> ProjectAliases:
        """Give the mod/ref summaries of the project's functions; computed when there is something to rewrite."""
        with nesting_deeply():
            return ProjectAliases(self.engine)

    @cached_property
    def stores(self) -> Stores:
        """Give the places where the project's functions may write."""
        return Stores(self.engine, self.project)

    @cached_property
    def extents(self) -> Extents:
        """Give how many elements arrays have at most."""
        return Extents(self.engine, self.project)

    @cached_property
    def shim(self) -> frozenset[str]:
        """The names that the shim has."""
        return shim_names()

    @cached_property
    def keeping(self) -> Keeping:
        """Give the parts of the project that the setting `keep` leaves on NumPy."""
        return Keeping(self.settings.keep, self.trees.infos, self.engine)

    def contexts(self) -> Iterator[ModuleContext]:
        """Give what is needed to decide on each file."""
        for file in self.parsed.files:
            if (info := self.trees.infos.get(file.path)) is not None:
                yield self.context(file, info, self.keeping.reached)

    def context(
        self, file: SourceFile, info: ModuleInfo, reached: Set[ast.AST], kept: Set[ast.AST] = frozenset(),
        traced: Set[ast.AST] = frozenset(),
    ) -> ModuleContext:  # fmt: skip
        """Collect what is needed to decide on a file, from now on with the values of this analysis."""
        if not self.runs_in_numpy:
            return self._bare_context(file, info, reached, kept, traced)
        in_numpy, made = self.in_numpy, None
        if (kept, traced, reached) == (self._kept_in(file), frozenset(), self.keeping.reached):
            made = self._begun.pop(info.tree, None)
        ctx = made or self._bare_context(file, info, reached, kept, traced)
        decide_loops(ctx, in_numpy)
        return ctx

    @cached_property
    def _begun(self) -> dict[ast.Module, ModuleContext]:
        """Give what was collected of files to see what runs in NumPy, each for the first who wants it."""
        return {}

    def take_facts(self, facts: Mapping[ast.AST, v.Fact]) -> None:
        """Go by other facts of some expressions from now on."""
        self.engine.facts.update(facts)
        self._begun.clear()

    def _kept_in(self, file: SourceFile) -> set[ast.AST]:
        """Give the parts of a file that stay on NumPy."""
        return keeping.nodes_left(self.keeping.of(file.path))

    @cached_property
    def runs_in_numpy(self) -> bool:
        """Tell whether what goes by elements is to run in NumPy."""
        return loops.policy_of(self.settings, self.keeps_gradients) == "numpy"

    @cached_property
    def in_numpy(self) -> Mapping[ast.AST, Computing]:
        """The functions that run in NumPy as wholes: what loops in NumPy call, and others where that is asked for."""
        if self.settings.functions == "tensor":
            return {}
        for file in self.parsed.files:
            if file.mentions_numpy and (info := self.trees.infos.get(file.path)) is not None:
                self._begun[info.tree] = self._bare_context(file, info, self.keeping.reached, self._kept_in(file))
        return functions_in_numpy(self._begun.values(), self.settings.functions == "numpy")

    def _bare_context(
        self, file: SourceFile, info: ModuleInfo, reached: Set[ast.AST], kept: Set[ast.AST] = frozenset(),
        traced: Set[ast.AST] = frozenset(),
    ) -> ModuleContext:  # fmt: skip
        self.domain.activate()
        names = (self.settings.scope or {}).get(file.path)
        ctx = ModuleContext(
            self.engine, info, self.project, self.stores, self.extents, self.shim,
            self.settings.for_file(file.path).selects, traced=traced, public=self.public, reached=reached, kept=kept,
            parts=None if names is None or info.around else frozenset(find_definitions(info.tree, names)),
            torchs_random=self.settings.random == "torch", mentions_numpy=file.mentions_numpy,
        )  # fmt: skip
        if self.settings.float == "numpy":  # a float32 that becomes a Python number is a float64
            represent(ctx, self.keeps_gradients)
        return ctx


@dataclass(frozen=True, eq=False)
class Analysed:
    """An analysis, the assumptions that it bears out, and the expressions of which it knows more by a trace."""

    run: Run
    assumptions: Assumptions
    traced: frozenset[ast.AST]

    @property
    def reasons(self) -> Mapping[Place, str]:
        """Give the reasons for which functions have their guard, or none."""
        return self.assumptions.choices.reasons if self.assumptions.choices is not None else {}


def analyse_project(parsed: Parsed, trace: bool = True, apart: bool = True) -> Analysed:
    """Analyse a project; with the subclasses of ndarray that the setting `keep` names as what they are."""
    begin = Assumptions(trace, apart)
    analysed = settle(parsed, begin)
    if arrays := keeping.array_classes(parsed.settings.keep, analysed.run.trees.infos, analysed.run.engine):
        analysed = settle(parsed, begin._replace(arrays=arrays))
    return analysed


def settle(parsed: Parsed, assumptions: Assumptions) -> Analysed:
    """Run a project until nothing that was found speaks against what was assumed.

    Where there is a trace the project is analysed without it as well: what differs rests on the trace.
    """
    begin, run = assumptions, interpret(parsed, assumptions)
    while (revised := _revised(run, assumptions)) is not None:
        if not revised.gives_the_facts_of(assumptions):
            run = interpret(parsed, revised)
        assumptions = revised
    if failed := _failed(run):
        return settle(parsed.without(failed), begin)
    if assumptions.guards:
        with nesting_deeply():
            run.take_facts(guard_stage.settle_all(run.contexts()))
    if not any(file.path.resolve() in run.traces for file in parsed.files):
        return Analysed(run, assumptions, frozenset())
    guarded = assumptions.choices if assumptions.guards else None
    plain = settle(parsed, assumptions._replace(trace=False, choices=guarded))
    return Analysed(run, assumptions, _differing(run.trees.infos, run.engine, plain.run))


def _failed(run: Run) -> dict[Path, Problem]:
    """Give the problems of the files in which a defect of ours stopped the analysis.

    What they call would be known by its other callers alone, so that they count as files that are not read.
    """
    failures, found = run.engine.failures, dict[Path, Problem]()
    for path, info in run.trees.infos.items():
        sessions = (one.info for one in run.trees.examples.get(path, ()) if one.info is not None)
        failed = (failures[module.path] for module in (info, *sessions) if module.path in failures)
        if (error := next(failed, None)) is not None:
            found[path] = reading.defect(path, error)
    return found


def _revised(run: Run, assumptions: Assumptions) -> Assumptions | None:
    """Ask each revision in turn; None where all is borne out."""
    return next((found for revise in REVISIONS if (found := revise(run, assumptions)) is not None), None)


def _leave_helpers(run: Run, assumptions: Assumptions) -> Assumptions | None:
    """Leave the functions that turn out to serve only classes which stay on NumPy."""
    if assumptions.serving or assumptions.choices is not None:
        return None
    found = serving.find_served(run.engine)
    return assumptions._replace(serving=found) if found else None


def _open_helpers(run: Run, assumptions: Assumptions) -> Assumptions | None:
    """Open the functions of modules without NumPy that are given arrays: callers nobody sees pass others."""
    if assumptions.given or assumptions.choices is not None:
        return None
    public = open_functions(run.trees.helpers(run.settings))
    given = (one for node, one in run.engine.functions.items() if node in public and _is_given_arrays(one))
    found = frozenset(one.node for one in given)
    return assumptions._replace(given=found) if found else None


def _is_given_arrays(function: FunctionDefinition) -> bool:
    """Tell whether a call of the project passes it an array or a NumPy scalar."""
    contexts = (context for context in function.active.values() if not context.failing)
    return any(v.known_to_include(fact, "array", "scalar") for context in contexts for fact in context.parameters)


def _follow_complex(run: Run, assumptions: Assumptions) -> Assumptions | None:
    """Take complex numbers for what any array may hold, where they get out of sight."""
    escapes = run.domain.apart and complex_escape.find_escape(run.engine)
    return assumptions._replace(apart=False, choices=None) if escapes else None


def _choose_guards(run: Run, assumptions: Assumptions) -> Assumptions | None:
    """Choose guards of open functions, and behind these of private ones whose arguments stay unknown."""
    choices, unguarded = assumptions.choices, run.settings.unguarded
    if not run.open or choices is not None and choices.is_whole or run.settings.unknown != "guard":
        return None
    asked = run.open if choices is None else guarded_functions(run.library) - guard_stage.having_one(run.engine)
    with nesting_deeply():
        chosen = guard_stage.choose_all(run.contexts(), asked, unguarded, choices)
    return assumptions._replace(choices=chosen)


REVISIONS: tuple[Callable[[Run, Assumptions], Assumptions | None], ...] = (
    _leave_helpers, _open_helpers, _follow_complex, _choose_guards,
)  # fmt: skip
"""The checks of a run's assumptions, in order; each gives the assumptions for another run, or None."""


def interpret(parsed: Parsed, assumptions: Assumptions) -> Run:
    """Run the interpreter over a project once, under these assumptions."""
    settings, trees = parsed.settings, parsed.trees()
    library = trees.library(settings)
    open_ = open_functions(library) | assumptions.given
    domain = _domain(parsed, trees, assumptions, bool(open_))
    domain.activate()
    traces = load_traces(settings.trace) if settings.trace is not None and assumptions.trace else {}
    _read_what_people_say(parsed, trees, assumptions, library, traces)
    public = trees.public(settings)
    outside = _outside(parsed, trees, Outside(within(public), open_ | handed_out(open_), assumptions.guards))
    engine = Interpreter(RuleBook(), parsed.every.also, outside)
    try:
        engine.run([*trees.infos.values(), *trees.sessions])
    except RecursionError as error:  # too deep for the interpreter: nothing is known, nothing is guessed
        for path in trees.infos:
            trees.problems[path] = Problem(path, 1, 1, "NPT905", f"the analysis gave up: {error}")
        trees = trees._replace(infos={})
    return Run(parsed, trees, engine, domain, library, open_, public, traces)


def _domain(parsed: Parsed, trees: Trees, assumptions: Assumptions, is_open: bool) -> Domain:
    """Make the domain: the dtypes that the texts speak of; any where callers nobody sees may pass others."""
    in_examples = dtypes_in(session.text for session in trees.sessions)
    said, may_occur = map(frozenset.union, parsed.mentions, in_examples)
    apart = assumptions.apart and "complex128" in may_occur - said
    unspoken, spoken = EVERY - may_occur if is_open else frozenset[str](), said
    if is_open:
        said, may_occur, apart = EVERY, EVERY, False
    dtypes, kept_apart = (said, COMPLEX) if apart else (may_occur, frozenset[str]())
    assumed, unheld = ASSUMED[parsed.settings.assume], parsed.names_unheld
    return Domain(dtypes, assumed, kept_apart, DOMAIN.supposed, unspoken, spoken, unheld)


def _read_what_people_say(
    parsed: Parsed, trees: Trees, assumptions: Assumptions, library: Mapping[str, Module], traces: Mapping[Path, Any]
) -> None:
    """Read comments, settings, stubs and traces into the modules."""
    settings = parsed.settings
    types = pragmas.shared_out(settings.types, parsed.wanted.values())
    texts = {file.path: file.whole_text for file in parsed.files}
    known = dict(settings.stubs)
    for path, info in trees.infos.items():
        suppressions.read(info)
        compiled_functions.leave(info)
        serving.leave(info, assumptions.serving)
        keeping.skip(info, assumptions.arrays)
        guard_stage.check(info, settings.unguarded, parsed.every.also)
        pragmas.read(info, types.get(info.name, {}))
        if (stub := reading.stub(path, known)) is not None:
            stubs.read(info, stub)
        if (seen := traces.get(path.resolve())) is not None:
            trace_evidence.read(info, seen, texts[path], decides=info.name not in library)
    for session in trees.sessions:
        suppressions.read(session)


def _outside(parsed: Parsed, trees: Trees, outside: Outside) -> Outside:
    """Add the modules that are not looked into, or are compiled, and what they may call."""
    if not trees.infos:
        return outside
    read = {path: name for path, name in parsed.names.items() if path in trees.infos}
    unread = set(parsed.every.of.values()) - set(read.values())
    called = module_names.outsiders(parsed.files, parsed.every, read)
    return outside._replace(unread=unread, called_outside=called, extensions=parsed.extensions)


def _differing(infos: Mapping[Path, ModuleInfo], engine: Interpreter, plain: Run) -> frozenset[ast.AST]:
    """Give the expressions of which another analysis of the same files knows something else."""
    others = plain.trees.infos
    pairs = [(info.tree, others[path].tree) for path, info in infos.items() if path in others]
    return frozenset(
        node
        for tree, other in pairs for node, same in zip(tree_walk(tree), tree_walk(other), strict=True)
        if outline(engine.facts.get(node)) != outline(plain.engine.facts.get(same))
    )  # fmt: skip


def shim_names() -> frozenset[str]:
    """Give every dotted name the shim has, from the checked-in list."""
    text = resources.files("np2torch.rules").joinpath("shim_names.txt").read_text("ascii")
    return frozenset(line for line in text.splitlines() if not line.startswith("#"))
