"""Calls that are expected to raise wait until a round ends: one run of a function then serves all of them.

What they find only counts beside what others find (`raising_calls.py`), and little rests on what they give: a run for
each would cost as much as all else does where tests look at many errors. The calls below them are run as others are.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from np2torch.facts import values as v
from np2torch.facts.interpreter.contexts import CallContext, Outcome
from np2torch.facts.interpreter.raising_calls import UNREACHED, passes_lists

if TYPE_CHECKING:
    from np2torch.facts.interpreter.context_selectors import Chosen
    from np2torch.facts.interpreter.definitions import FunctionDefinition
    from np2torch.facts.interpreter.protocols import Frame, Rounds
    from np2torch.facts.interpreter.raising_calls import Failing


class RaisingContext(CallContext):
    """One context for those of a function's calls that are expected to raise, choose alike and pass lists alike.

    Attributes
    ----------
    parameters
        What the calls met in this round pass.
    seen
        The parameters it was last run with.
    """

    __slots__ = ("seen",)

    def __init__(
        self, function: FunctionDefinition, outer: CallContext | None, chosen: Chosen, failing: Failing,
        takes_lists: bool,
    ) -> None:  # fmt: skip
        super().__init__(function.module, function, outer, (), failing)
        self.ident = (outer, chosen, ("expected", failing, takes_lists))
        self.seen: tuple[v.Fact, ...] = ()

    @property
    def outcome(self) -> Outcome:
        """Give what callers read: effects as well, since they went on before this was run."""
        return *super().outcome, self.effects.sets, dict(self.effects.nonlocals)

    def begin_round(self) -> None:
        self.parameters = ()

    def meet(self, passed: tuple[v.Fact, ...]) -> None:
        self.parameters = tuple(map(v.join, self.parameters, passed)) if self.parameters else passed

    def is_due(self, engine: Rounds) -> bool:
        """Tell whether it is still to be run or looked at in this round."""
        return self.checked != engine.number or self.seen != self.parameters


def waits(frame: Frame | None, passed: tuple[v.Fact, ...], outer: CallContext | None) -> bool:
    """Tell whether a call that is expected to raise is run later: it is the outermost one, without closures."""
    if frame is None or not frame.failing or frame.failing == UNREACHED or frame.context.failing:
        return False
    return outer is None and not any(map(_sees_a_run, passed))


def _sees_a_run(fact: v.Fact) -> bool:
    """Tell whether it may be, or hold, a function that was defined inside another."""
    return any(
        isinstance(atom, v.Function) and atom.outer is not None
        or isinstance(atom, v.Sequence) and _sees_a_run(v.elements(atom))
        for atom in fact
    )  # fmt: skip


def meet(
    function: FunctionDefinition, passed: tuple[v.Fact, ...], outer: CallContext | None, mode: Failing
) -> CallContext:
    """The context that serves a call, with what is known of it so far."""
    chosen, takes_lists = function.choices.of(passed), passes_lists(function, passed)
    fresh = RaisingContext(function, outer, chosen, mode, takes_lists)
    found = function.active[fresh.ident] = function.known.setdefault(fresh.ident, fresh)
    found.meet(passed)
    found.effects.assign_nonlocals()
    return found


def note(caller: CallContext, site: ast.Call | None, callee: CallContext, passed: tuple[v.Fact, ...]) -> None:
    """Keep that a call expected to raise was made here, for a round in which the caller is not run again."""
    before = caller.failed.get((site, callee))
    caller.failed[site, callee] = passed if before is None else tuple(map(v.join, before, passed))


def note_call(frame: Frame, context: CallContext, passed: tuple[v.Fact, ...], mode: Failing) -> None:
    """Note in a caller's run which context served a call, and forget what that sets of the arguments."""
    frame.context.note_call(context)
    if mode and mode != UNREACHED:
        note(frame.context, frame.site, context, passed)
    frame.note_called(context)
    if context.effects.sets:
        frame.forget(context.effects.sets, passed)


def run(engine: Rounds) -> None:
    """Run what waits, until nothing does; who called it, and what it let go of, is then for another round."""
    while due := [
        context
        for function in list(engine.functions.values())
        for context in function.active.values()
        if isinstance(context, RaisingContext) and context.is_due(engine)
    ]:
        for context in due:
            if engine.wide and context.seen:
                context.meet(context.seen)  # from here on it only grows
            is_new = context.seen != context.parameters
            context.seen = context.parameters
            with engine.isolate_errors(context.module):
                if is_new or not engine.holds(context):
                    engine.note_change()
                    engine.execute(context)
