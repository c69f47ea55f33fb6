"""One way a body is run, with what it read and what it found: what lets a later round reuse it untouched."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, TypeAlias

from np2torch.facts import ndarray_subclasses
from np2torch.facts import values as v
from np2torch.facts.complex_tracking import to_top

if TYPE_CHECKING:
    from np2torch.facts.interpreter.context_selectors import Chosen
    from np2torch.facts.interpreter.definitions import FunctionDefinition, ModuleInfo
    from np2torch.facts.interpreter.frame import Frame
    from np2torch.facts.interpreter.raising_calls import Failing

Outcome: TypeAlias = tuple[object, ...]
SharedBy: TypeAlias = "tuple[Failing, Chosen, bool]"
"""The calls that share a context: those of which something is not known spoil what is known of the others."""
Cell: TypeAlias = tuple[str, Any, Any]
"""Something outside a body that it can read: ("element", site, None), ("attribute", class, name), ..."""


FEWER = 4
"""How much sooner a parameter that takes functions and instances may be anything."""
SIMPLE = frozenset({"array", "scalar", "number", "foreign", "none", "text", "unknown", "sequence", "iterator", "dtype"})


class Shared:
    """The parameters of all the calls that share one context; one that keeps growing may be anything."""

    __slots__ = ("facts", "growth", "most")

    def __init__(self, facts: tuple[v.Fact, ...], most: int) -> None:
        self.facts = facts
        self.most = most
        self.growth = [0] * len(facts)

    def take_in(self, facts: tuple[v.Fact, ...]) -> tuple[v.Fact, ...]:
        """What the parameters may be with a further call."""
        if facts != self.facts:
            self.facts = tuple(map(self._grown, range(len(facts)), self.facts, facts))
        return self.facts

    def _grown(self, index: int, past: v.Fact, fact: v.Fact) -> v.Fact:
        if past is fact or past == fact:
            return past
        if self.growth[index] < 0:
            return to_top(v.join(past, fact))
        grown = v.widen(v.join(past, fact))
        if grown == past:
            return past
        self.growth[index] += 1 if v.kinds(grown) <= SIMPLE else FEWER
        if self.growth[index] <= self.most and grown != v.TOP:
            return grown
        self.growth[index] = -1
        return to_top(grown)


def shared(
    contexts: dict[SharedBy, Shared], by: SharedBy, facts: tuple[v.Fact, ...], growth: int
) -> tuple[v.Fact, ...]:
    """The parameters of the context that calls share; each may grow so often before it may be anything."""
    found = contexts.get(by)
    if found is None:
        found = contexts[by] = Shared(facts, growth)
    return found.take_in(facts)


class CallContext:
    """A function called with certain parameter facts inside a certain outer run, or the top level of a module.

    A context lives through all rounds. It is run again only when something it read has another value by then.

    Attributes
    ----------
    outer
        The run whose variables the body sees, for a function defined inside another.
    failing
        Is it a call that is expected to raise, or below one?
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
    sets
        Names of the attributes that it, or what it calls, assigns.
    exits
        What its parameters, and attributes of them, may be when it comes back; None as long as it does not.
    nonlocals
        What it assigned to variables of outer runs.
    recursive
        Did this run take in its own result, by a call of itself?
    executed, checked
        The rounds in which it was last run and last known to be up to date.
    """

    __slots__ = (
        "calls", "checked", "executed", "exits", "facts", "failed", "failing", "frame", "function", "ident", "module",
        "nonlocals", "number", "outer", "outside", "parameters", "reads", "recursive", "result", "running", "sets",
        "unreached", "unstable",
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
        self.frame: Frame | None = None
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
        self.sets: frozenset[str] = frozenset()
        self.failed: dict[tuple[ast.Call | None, CallContext], tuple[v.Fact, ...]] = {}
        self.nonlocals: dict[tuple[CallContext, str], v.Fact] = {}

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
        """What a caller has of it."""
        return self.result, self.exits

    def reach_out(self) -> None:
        """Assign to variables of outer runs what this one assigned."""
        for (outer, name), fact in self.nonlocals.items():
            if outer.frame is not None:
                outer.frame.env[name] = v.join(outer.frame.env.get(name, v.BOTTOM), fact)

    @property
    def is_active(self) -> bool:
        """Is it in use in this round?"""
        return self.function is None or self.function.active.get(self.ident) is self

    def moved(self) -> bool:
        """Has a variable of an outer run another value than the one read?"""
        return any(outer.variable(name) != value for (outer, name), value in self.outside.items())

    def variable(self, name: str) -> v.Fact | None:
        """What a variable of this run may be now."""
        return self.frame.env.get(name) if self.frame is not None else None

    def note_call(self, callee: CallContext) -> None:
        """Take in the effects of a call."""
        self.calls[callee] = callee.outcome
        if not self.sets >= callee.sets:
            self.sets = self.sets | callee.sets if self.sets else callee.sets
        for (outer, name), fact in callee.nonlocals.items():
            if outer is not self:
                self.nonlocals[outer, name] = v.join(self.nonlocals.get((outer, name), v.BOTTOM), fact)


def either_way(fact: v.Fact) -> v.Fact:
    """What a call gives that is a Python number for its own constants, and may be spelled as a tensor for others.

    The body has one spelling, which rests on all the calls.
    """
    out: list[v.Fact] = []
    for atom in fact:
        if isinstance(atom, v.Scalar) and atom.python:
            out += [v.scalar(atom.dtypes), v.FLOAT]
        elif isinstance(atom, v.Sequence) and atom.items is not None:
            out.append(v.one(atom.holding(*map(either_way, atom.items))))
        else:
            out.append(v.one(atom))
    return v.join(v.BOTTOM, *out)


def is_open(fact: v.Fact) -> bool:
    """May it be anything, or an array of any rank?"""
    for atom in fact:  # noqa: SIM110
        if atom.kind == "unknown" or isinstance(atom, v.Array) and atom.ranks is None:
            return True
    return False


def is_numeric(fact: v.Fact, depth: int = 0) -> bool:
    """Is an array or a number among the alternatives, or in a sequence?"""
    for atom in fact:
        if atom.kind in ("array", "scalar", "number", "foreign") or ndarray_subclasses.is_one(atom):
            return True
        if isinstance(atom, v.Sequence) and depth < 3:
            if any(is_numeric(item, depth + 1) for item in (atom.items if atom.items is not None else [atom.element])):
                return True
    return False
