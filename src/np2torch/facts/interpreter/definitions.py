"""The state of modules, functions and classes of the project while the interpreter runs."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Literal, TypeAlias

from np2torch.facts import values as v
from np2torch.facts.arguments import Arguments
from np2torch.facts.complex_tracking import to_top
from np2torch.facts.evidence import Case, Evidence
from np2torch.facts.guards import GuardLine
from np2torch.facts.interpreter import binding
from np2torch.facts.interpreter.context_selectors import NO_CHOICES, Chosen, ContextSelectors
from np2torch.facts.interpreter.decorators import NO_EFFECT, DecoratorEffect
from np2torch.facts.interpreter.effects import Effects
from np2torch.facts.interpreter.environment import ANY_NAME, Cell, Env, Heap, Place, Scope
from np2torch.facts.interpreter.function_runs import FunctionRuns
from np2torch.facts.interpreter.shared_parameters import SharedParameters
from np2torch.facts.interpreter.texts import ClassText, FunctionText, ModuleText
from np2torch.source.model import Remark

UNREACHED: Final = "unreached"
Failing: TypeAlias = "ClassDefinition | bool | Literal['unreached']"
"""Whether a call is expected to raise, the class whose constructor it is, or that it is never reached."""
Outcome: TypeAlias = tuple[object, ...]
SharedBy: TypeAlias = "tuple[Failing, Chosen, bool]"
"""The calls that share a context: those of which something is not known spoil what is known of the others."""


@dataclass(eq=False)
class ModuleInfo(ModuleText):
    """A parsed module of the project, or the examples of a docstring as one.

    Attributes
    ----------
    stated
        What people say of its names, by the nodes that bind them.
    around
        The module whose names it sees beside its own.
    body, aside
        The statements that are run, and those that cannot be.
    cut
        Line and column of the displays that have more items than the tree shows.
    skipped, unwanted
        The nodes that stay as they are, and the beginnings of codes that are not wanted of a node.
    compiled
        Functions that numba compiles, which stay as they are.
    giving
        Functions that are converted, and of which a `return` stays as it is.
    """

    env: Env = field(default_factory=dict)
    assigned: Env = field(default_factory=dict)
    context: CallContext | None = None
    uses_torch: bool = False
    functions: list[FunctionDefinition] = field(default_factory=list)
    classes: list[ClassDefinition] = field(default_factory=list)
    stated: dict[ast.AST, Evidence] = field(default_factory=dict)
    remarks: list[Remark] = field(default_factory=list)
    around: ModuleInfo | None = None
    cut: frozenset[tuple[int, int]] = frozenset()
    skipped: set[ast.AST] = field(default_factory=set)
    compiled: set[ast.AST] = field(default_factory=set)
    unwanted: dict[ast.AST, tuple[str, ...]] = field(default_factory=dict)
    giving: set[ast.AST] = field(default_factory=set)
    body: list[ast.stmt] = field(init=False)
    aside: list[ast.stmt] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.body = self.tree.body

    def note_torch(self) -> None:
        """Note that it imports torch."""
        self.uses_torch = True

    def begin(self) -> Env:
        """Forget what its top level binds, for another run; give what it was."""
        before, self.env = self.env, {}
        return before

    def top_level(self) -> CallContext:
        """Give the run of its top level."""
        if self.context is None:
            self.context = CallContext(self, None, None, ())
        return self.context

    def stand_within(self, around: ModuleInfo, body: list[ast.stmt], aside: list[ast.stmt]) -> None:
        """See the names of another module too, and run these statements alone."""
        self.around, self.body, self.aside = around, body, aside

    def member(self, name: str) -> v.Fact | None:
        """Give what a global may be: what the module binds, and what functions assign to it."""
        fact = self.env.get(name)
        if self.assigned and name in self.assigned:
            return self.assigned[name] if fact is None else v.join(fact, self.assigned[name])
        return self.around.member(name) if fact is None and self.around is not None else fact


@dataclass(eq=False)
class FunctionDefinition(FunctionText):
    """A function of the project: kept per `def`, so that call contexts and evidence accumulate.

    Attributes
    ----------
    escaped
        Whether code that is not followed may call it with anything.
    altered
        What its decorators may change.
    steady
        Parameters that it never binds again, where it may raise.
    rebinding
        The assignments that are the first to bind other parameters again, where it may raise.
    copies
        Names that are arrays of a parameter for good (`a = np.asarray(x)`).
    guard, held
        The line at its entry that says what its parameters are, and the attributes of its object (`self.x`) in it.
    size, spent
        How many nodes it has, and how many of them its runs have come to.
    """

    module: ModuleInfo
    heap: Heap
    owner: ClassDefinition | None = None
    closure: CallContext | None = None
    closures: dict[CallContext, None] = field(default_factory=dict)
    defaults: dict[str, v.Fact] = field(default_factory=dict)
    active: dict[Any, CallContext] = field(default_factory=dict)
    known: dict[Any, CallContext] = field(default_factory=dict)
    general: dict[SharedBy, SharedParameters] = field(default_factory=dict)
    plain: dict[SharedBy, SharedParameters] = field(default_factory=dict)
    depth: int = 0
    size: int = 0
    spent: int = 0
    called: bool = False
    escaped: bool = False
    altered: DecoratorEffect = NO_EFFECT
    evidence: dict[str, Evidence] = field(default_factory=dict)
    classes: dict[str, tuple[ClassDefinition | None, ...]] = field(default_factory=dict)
    steady: frozenset[str] = frozenset()
    rebinding: dict[ast.stmt, frozenset[str]] = field(default_factory=dict)
    copies: Mapping[str, ast.Name] = field(default_factory=dict)
    choices: ContextSelectors = NO_CHOICES
    cases: dict[str, list[Case]] = field(default_factory=dict)
    guard: GuardLine | None = None
    held: tuple[str, ...] = ()

    @cached_property
    def place(self) -> Place:
        """Give the file, line and column of the definition."""
        return (self.module.path, self.node.lineno, self.node.col_offset)

    @cached_property
    def is_compiled(self) -> bool:
        """Tell whether it is compiled by numba, and so kept on NumPy."""
        return self.node in self.module.compiled

    @property
    def is_running(self) -> bool:
        """Tell whether a run of it is under way."""
        return self.depth > 0

    def take_effect(self, effect: DecoratorEffect) -> None:
        """Note what a decorator may change of what it is given, or gives back."""
        self.altered |= effect
        self.escaped = self.escaped or any(effect)

    def enter(self) -> int:
        """Begin a run of the body; give how many nodes it has."""
        self.depth += 1
        self.spent += self.size
        return self.size

    def leave(self) -> None:
        """End a run of the body."""
        self.depth -= 1

    def exchange_runs(self, runs: FunctionRuns) -> FunctionRuns:
        """Go on with other runs than those so far; give these."""
        before = FunctionRuns(self.active, self.known, self.general, self.plain, self.spent)
        self.active, self.known, self.general, self.plain, self.spent = runs
        return before

    def hold(self, paths: tuple[str, ...]) -> tuple[str, ...]:
        """Take attributes of its object for inputs; give those that were."""
        before, self.held = self.held, paths
        return before

    def take_guard(self, guard: GuardLine) -> None:
        """Take the line at its entry, and the attributes in it, for what its inputs are."""
        self.guard, self.held = guard, tuple(guard.inputs)

    def note_called(self) -> None:
        """Note that the project calls it."""
        self.called = True

    def close_over(self, closure: CallContext | None) -> None:
        """Note the run in which the definition is met."""
        self.closure = closure
        if closure is not None:
            self.closures[closure] = None

    def escape(self, escaped: bool = True) -> None:
        """Note whether code that is not followed may call it with anything."""
        self.escaped = escaped

    def belong_to(self, owner: ClassDefinition, said: dict[str, Evidence] | None) -> None:
        """Make it a method of a class, with the evidence of its parameters that the class gives."""
        self.owner = owner
        self.evidence = self.evidence if said is None else said

    @property
    def inputs(self) -> tuple[str, ...]:
        """The parameters, and the attributes of its object that are told apart as they are."""
        return self.parameters + self.held

    def bind(self, arguments: Arguments, receiver: v.Fact | None = None) -> dict[str, v.Fact]:
        """Facts of the parameters for a call; those not passed are left out."""
        return binding.bind(self, arguments, receiver)


@dataclass(eq=False)
class ClassDefinition(ClassText):
    """A class of the project; attribute facts are joined over all its instances.

    Attributes
    ----------
    attempted
        What instances are given by calls of the class that are expected to raise: no other call ever sees it.
    """

    module: ModuleInfo
    bases: list[ClassDefinition] = field(default_factory=list)
    methods: dict[str, FunctionDefinition] = field(default_factory=dict)
    attributes: dict[str, v.Fact] = field(default_factory=dict)
    attempted: dict[str, v.Fact] = field(default_factory=dict)
    declared: dict[str, v.Fact] = field(default_factory=dict)
    opaque_base: bool = False
    is_array: bool = False
    is_kept: bool = False
    is_called_back: bool = False
    called_by_base: frozenset[str] = frozenset()
    heirs: list[ClassDefinition] = field(default_factory=list)
    is_enum: bool = False
    setters: dict[str, FunctionDefinition] = field(default_factory=dict)
    getters: dict[str, FunctionDefinition] = field(default_factory=dict)
    """The getters of attributes that are made by `property(f, g)`."""
    _lineage: tuple[int, tuple[ClassDefinition, ...]] | None = None

    @cached_property
    def place(self) -> Place:
        """Give the file, line and column of the definition."""
        return (self.module.path, self.node.lineno, self.node.col_offset)

    def derive_ndarray(self, kept: bool) -> None:
        """Derive the class from ndarray, or from a class of NumPy's that stays there."""
        self.is_array, self.is_kept = True, kept

    def keep(self) -> None:
        """Let the class stay on NumPy."""
        self.is_kept = True

    def derive_unseen(self, is_enum: bool, is_called_back: bool) -> None:
        """Derive the class from one that is not seen: an enumeration, or one that calls what derives from it."""
        self.opaque_base = True
        self.is_enum, self.is_called_back = self.is_enum or is_enum, self.is_called_back or is_called_back

    def add_called(self, names: frozenset[str]) -> None:
        """Add methods that a base calls."""
        self.called_by_base |= names

    def setter(self, name: str) -> FunctionDefinition | None:
        """Give what assigning to a property calls, here or in a base."""
        return next((class_.setters[name] for class_ in self.lineage() if name in class_.setters), None)

    def getter(self, name: str) -> FunctionDefinition | None:
        """Give the function that reading an attribute calls, of this class or a base: the getter of a property."""
        for class_ in self.lineage():
            if name in class_.getters:
                return class_.getters[name]
            if name in class_.methods:
                method = class_.methods[name]
                return method if method.is_property else None
        return None

    def find(self, name: str) -> FunctionDefinition | None:
        """Give the method of that name, here or in a base."""
        return next((class_.methods[name] for class_ in self.lineage() if name in class_.methods), None)

    def attribute(self, name: str) -> v.Fact:
        """Give what the attribute may be."""
        found = []
        for class_ in self.lineage():
            held = class_.attributes
            if name in held:
                found.append(held[name])
            if ANY_NAME in held:
                found.append(held[ANY_NAME])
        return found[0] if len(found) == 1 else v.join(v.BOTTOM, *found)

    def ever(self, name: str) -> v.Fact:
        """Give what the attribute may be, of objects whose constructor raises too."""
        tried = [class_.attempted.get(each, v.BOTTOM) for class_ in self.lineage() for each in (name, ANY_NAME)]
        return v.join(self.attribute(name), *tried)

    def annotated_fact(self, name: str) -> v.Fact:
        """Give what the annotation of a field says, here or in a base."""
        return next((class_.declared[name] for class_ in self.lineage() if name in class_.declared), v.BOTTOM)

    def lineage(self) -> tuple[ClassDefinition, ...]:
        """This class and its bases in the project, which are complete before it is; kept: it is asked for often."""
        if self._lineage is None or self._lineage[0] != len(self.bases):
            above = (found for base in self.bases for found in base.lineage())
            self._lineage = (len(self.bases), (self, *above))
        return self._lineage[1]

    @cached_property
    def holds_records(self) -> bool:
        """Tell whether it is a subclass of recarray."""
        return any("recarray" in class_.base_names for class_ in self.lineage())

    @property
    def opaque(self) -> bool:
        """Tell whether it may inherit what we cannot see."""
        return any(c.opaque_base for c in self.lineage())

    def is_ndarray(self) -> bool:
        """Tell whether it is a subclass of ndarray."""
        for class_ in self.lineage():  # a loop: it is asked for often  # noqa: SIM110
            if class_.is_array:
                return True
        return False

    def is_tensor(self) -> bool:
        """Tell whether it is a subclass of ndarray that becomes one of `torch.Tensor`."""
        return self.is_ndarray() and not self.is_kept

    def stays_numpy(self) -> bool:
        """Tell whether it stays on NumPy whole, because of its bases, because of all its subclasses, or on request."""
        if self.node in self.module.skipped or self._is_bound():
            return True
        return bool(self.heirs) and all(heir._is_bound() for heir in self.heirs)

    def is_called_by_library(self) -> bool:
        """Tell whether it stays on NumPy because a library calls it, or all its subclasses, with ndarrays."""
        return not self.is_ndarray() and self.node not in self.module.skipped and self.stays_numpy()

    def _is_bound(self) -> bool:
        return any(one.is_array and one.is_kept or one.is_called_back for one in self.lineage())


class CallContext:
    """A function called with certain parameter facts inside a certain outer run, or the top level of a module.

    A context lives through all rounds. It is run again only when something it read has another value by then.

    Attributes
    ----------
    outer
        The run whose variables the body sees, for a function defined inside another.
    failing
        Whether it is a call that is expected to raise, or below one.
    parameters
        What the parameters of the function may be.
    result
        What the call gives.
    facts
        Fact of each expression of the body.
    reads, outside, calls
        Values read of cells, of the outer runs' variables, and results of the contexts called.
    failed
        The calls made that are expected to raise or below one that is, where they stand written, and what they pass.
    effects
        What it, or what it calls, does beside giving its result.
    exits
        What its parameters, and attributes of them, may be when it comes back; None as long as it does not.
    recursive
        Whether this run read its own result, by a call of itself.
    executed, checked
        The rounds in which it was last run and last known to be up to date.
    """

    __slots__ = (
        "calls", "checked", "effects", "executed", "exits", "facts", "failed", "failing", "frame", "function", "ident",
        "module", "number", "outer", "outside", "parameters", "reads", "recursive", "result", "running", "unreached",
        "unstable",
    )  # fmt: skip

    def __init__(
        self, module: ModuleInfo, function: FunctionDefinition | None, outer: CallContext | None,
        key: tuple[v.Fact, ...], failing: Failing = False,
    ) -> None:  # fmt: skip
        self.module = module
        self.function = function
        self.outer = outer
        self.ident: tuple[Any, ...] = (outer, key, failing)
        self.parameters = key
        self.failing = failing
        self.number = len(function.known) if function is not None else 0
        self.result: v.Fact = v.BOTTOM
        self.frame: Scope | None = None
        self.executed = self.checked = -1
        self.running = self.recursive = self.unstable = False
        self.begin()

    def begin(self) -> None:
        """Forget the last run."""
        self.facts: dict[ast.AST, v.Fact] = {}
        self.unreached: dict[ast.AST, v.Fact] = {}
        self.reads: dict[Cell, object] = {}
        self.outside: dict[tuple[CallContext, str], v.Fact | None] = {}
        self.calls: dict[CallContext, Outcome] = {}
        self.exits: dict[str, v.Fact] | None = None
        self.effects = Effects()
        self.failed: dict[tuple[ast.Call | None, CallContext], tuple[v.Fact, ...]] = {}

    def come_back(self, exits: dict[str, v.Fact] | None) -> None:
        """Note what the parameters may be when the call comes back."""
        self.exits = exits

    def stand_in(self, frame: Scope | None) -> None:
        """Let a frame be the run that others read variables of."""
        self.frame = frame

    def start(self, round_: int) -> None:
        """Begin a run; a second one within a round adds to the first."""
        if self.executed != round_:
            self.begin()
            self.result = v.BOTTOM
        self.executed = self.checked = round_
        self.running, self.recursive = True, False

    def check(self, round_: int) -> None:
        """Take the run to be up to date in a round."""
        self.checked = round_

    def note_recursion(self) -> None:
        """Note that a run that is under way is asked for its result, by a call of itself."""
        self.recursive = self.recursive or self.running

    def stop(self) -> None:
        """Note that no run is under way any longer."""
        self.running = False

    def serve_again(self, before: int) -> None:
        """Stand for a run of an earlier round than this one, which has to be asked whether it is up to date."""
        self.executed, self.checked = min(self.executed, before - 1), -1

    def drop(self) -> None:
        """Forget a run that nobody meets any longer."""
        self.begin()
        self.executed = -1

    def add_result(self, fact: v.Fact) -> bool:
        """Add what a run gives; tell whether it has to run again, as it read a result of its own that was less."""
        before, self.result = self.result, v.join(self.result, fact)
        return self.result != before and self.recursive

    def finish(self, unstable: bool) -> None:
        """End a run; a result that does not come to rest may be anything."""
        self.unstable = self.unstable or unstable
        if self.unstable:
            self.result = to_top(self.result)

    def begin_round(self) -> None:
        """Forget what was met in the round before, where that is kept."""

    def meet(self, passed: tuple[v.Fact, ...]) -> None:
        """Take in a further call, where one context serves several."""

    @property
    def place(self) -> tuple[object, ...]:
        """The function, and which of its contexts this is."""
        return (*self.function.place, self.number) if self.function is not None else (self.module.path,)

    @property
    def outcome(self) -> Outcome:
        """Give the result and the postconditions, which callers read."""
        return self.result, self.exits

    @property
    def is_active(self) -> bool:
        """Tell whether it is in use in this round."""
        return self.function is None or self.function.active.get(self.ident) is self

    def is_outdated(self) -> bool:
        """Tell whether a variable of an outer run has another value than the one read."""
        return any(outer.variable(name) != value for (outer, name), value in self.outside.items())

    def variable(self, name: str) -> v.Fact | None:
        """Give the fact of a variable of this run."""
        return self.frame.env.get(name) if self.frame is not None else None

    def note_call(self, callee: CallContext) -> None:
        """Take in the effects of a call."""
        self.calls[callee] = callee.outcome
        self.effects.take_in(callee.effects, self)
