"""The state of one run of one body, and how it changes: the facts of names, where the flow goes, what is at hand."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from np2torch.facts import values as v
from np2torch.facts.interpreter.definitions import UNREACHED, CallContext, Failing
from np2torch.facts.interpreter.environment import Cell, Env, merge


class RunState:
    """The state of one run.

    Attributes
    ----------
    env, has_paths
        The facts of its names, and whether there are some of paths such as `self.x` among them.
    alive
        Whether the flow goes on after the statement that was run last.
    left_a_with
        Whether a `with` was left for good; its manager may have swallowed an error on the way, so that what follows
        runs.
    leaving
        The states in which passes of the loop at hand are left by `break` and `continue`.
    bound
        What names were bound to meanwhile, where an error may stop what runs.
    is_whole
        Whether the parts of an expression are run that is kept as a whole (`memoization.py`).
    acted, has_bound
        Whether something was done meanwhile that has to be done each time, and whether a name was bound.
    called, site, failing, expected
        Of the call at hand the context that served it, where it stands, and how it is expected to end; the call that
        is expected to raise.
    returned, yielded
        What the run gives so far; no `yield` was met where `yielded` is None.
    settled
        What parameters were before they were bound again, which callers are told (`postconditions.py`).
    """

    def __init__(self, context: CallContext) -> None:
        self.context = context
        self.facts = context.facts
        self.reads = context.reads
        self.is_whole = False
        self.acted = self.has_bound = False
        self.env: Env = {}
        self.has_paths = False
        self.returned: v.Fact = v.BOTTOM
        self.yielded: v.Fact | None = None
        self.alive = True
        self.left_a_with = False
        self.leaving: list[Env] = []
        self.bound: Env | None = None
        self.settled: Env = {}
        self.globals: set[str] = set()
        self.nonlocals: set[str] = set()
        self.called: CallContext | None = None
        self.failing: Failing = context.failing
        self.expected: ast.Call | None = None
        self.site: ast.Call | None = None

    def enter(self, env: Env, has_paths: bool = False) -> None:
        """Go on with other facts of the names, and perhaps of paths such as `self.x`."""
        self.env = env
        self.has_paths = self.has_paths or has_paths

    def join(self, env: Env) -> None:
        """Go on with what the names may be here or were there: what ran in between may not have run."""
        self.env = merge([env, self.env])

    def stop(self) -> None:
        """End the flow here."""
        self.alive = False

    def resume(self, alive: bool = True) -> None:
        """Let the flow go on here."""
        self.alive = alive

    def act(self) -> None:
        """Note that something is done that has to be done each time."""
        self.acted = True

    def give(self, fact: v.Fact) -> None:
        """Return this, or another time another one."""
        self.returned = v.join(self.returned, fact)

    def yield_(self, fact: v.Fact) -> None:
        """Yield this as well."""
        self.yielded = v.join(self.yielded or v.BOTTOM, fact)

    def note_left_with(self) -> None:
        """Note that a `with` was left for good, unless its object holds the error back."""
        self.left_a_with = True

    def expect_error_of(self, call: ast.Call | None) -> None:
        """Expect this call to raise."""
        self.expected = call

    def leave_scope(self, env: Env, has_bound: bool) -> None:
        """Forget what a comprehension bound."""
        self.env, self.has_bound = env, has_bound

    def run_pass(self, body: Callable[[], None]) -> list[Env]:
        """Run one pass through the body of a loop; give the states in which it was left early."""
        outside, self.leaving = self.leaving, []
        self.env = dict(self.env)
        body()
        left, self.leaving = self.leaving, outside
        return left

    def bound_by(self, run: Callable[[], None]) -> Env:
        """Run something; give all that it binds on the way, joined."""
        outside, self.bound = self.bound, {}
        run()
        bound, self.bound = self.bound, outside
        return bound

    def look_aside(self, look: Callable[[], object]) -> None:
        """Look at what never runs: what it returns, binds and leaves behind is forgotten."""
        facts, failing, leaving, bound = self.facts, self.failing, self.leaving, self.bound
        env, returned, yielded, exits = self.env, self.returned, self.yielded, self.context.exits
        self.facts, self.failing, self.leaving, self.env = self.context.unreached, UNREACHED, [], dict(env)
        self.bound = None
        look()
        self.facts, self.failing, self.leaving, self.bound, self.env = facts, failing, leaving, bound, env
        self.returned, self.yielded = returned, yielded
        self.context.come_back(exits)

    def record_in(self, facts: dict[ast.AST, v.Fact], reads: dict[Cell, object], as_whole: bool) -> None:
        """Record facts and what is read elsewhere; what is one whole begins without having acted or bound a name."""
        self.facts, self.reads, self.is_whole = facts, reads, as_whole
        if as_whole:
            self.acted = self.has_bound = False

    def begin_call(self, node: ast.Call, is_followed: bool) -> Failing:
        """Begin a call; give how the calls around it are expected to end."""
        before, self.called = self.failing, None
        self.failing = before or self.expected is node
        self.site = node if is_followed else None
        return before

    def end_call(self, before: Failing) -> None:
        """End a call."""
        self.site, self.failing = None, before

    def note_called(self, context: CallContext) -> None:
        """Note the context that served the call at hand."""
        self.called = context

    @contextmanager
    def expecting(self, mode: Failing) -> Iterator[None]:
        """Expect calls made meanwhile to raise."""
        before = self.failing
        if before != UNREACHED:
            self.failing = mode
        try:
            yield
        finally:
            self.failing = before
