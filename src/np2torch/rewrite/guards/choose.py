"""The guard of each open function: the narrowest after which its body is native torch.

Guards are found by trying. For each form the body is run in all worlds that the form leaves, and decided on in each.
A statement on which all worlds agree is written so; any other is decided by what holds in all of them. A guard is worth
its line where it leaves fewer calls of the shim, and only if it changes nothing for those who pass what it takes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from np2torch.facts import values as v
from np2torch.facts.guards import GuardLine, World, accepts
from np2torch.facts.interpreter.definitions import FunctionDefinition
from np2torch.facts.universe import supposing
from np2torch.rewrite.guards.bodies import Body
from np2torch.rewrite.guards.candidates import candidates, may_be_numbers
from np2torch.rewrite.guards.forms import KINDS, after, inexact_worlds, mixed_worlds, number_worlds, same
from np2torch.rewrite.guards.validity import holds
from np2torch.rewrite.guards.worlds import Facts, facts_in, found_of
from np2torch.rules.site import Context

MOST_REFUSED = 20
"""More than any guard refuses."""
Key = tuple[tuple[str, v.Fact], ...]


class Trial(NamedTuple):
    """A guard with the facts of the body after it, and how many sites stay that are not native."""

    guard: GuardLine
    facts: Facts
    score: int


class Choice(NamedTuple):
    """The guard that is chosen, if one is, and why."""

    trial: Trial | None
    reason: str


class Chooser:
    """Looks for the guard of one function."""

    def __init__(self, ctx: Context, definition: FunctionDefinition) -> None:
        assert not isinstance(definition.node, ast.Lambda)
        self.ctx = ctx
        self.definition = definition
        self.node = definition.node
        self.found = found_of(definition)
        self.body = Body(ctx, self.node)
        self._runs: dict[Key, Facts] = {}

    def choose(self) -> Choice:
        """The best guard, where there is one that is worth its line, and the reason."""
        if not self._can_stand():
            return Choice(None, "there is no line for one above the body")
        names = candidates(self.ctx, self.node, self.found)
        if not names:
            return Choice(None, "no parameter is an array of unknown dtype by the way it is used")
        plain = self.body.decided({}).score
        if not plain:
            return Choice(None, "the body is plain torch without one")
        with supposing():
            trials = [one for one in self._trials(names) if one.score < plain]
            served = [one for one in trials if self._serves_callers(one.guard)]
            best = min(served, key=lambda trial: (trial.score, self._cost(trial.guard)), default=None)
            if best is not None:
                best = self._with_fewer_names(best)
                return Choice(best, f"of {plain} calls of the shim it leaves {best.score}")
        if trials:
            return Choice(None, f"the project passes what `{trials[0].guard.text('shim')}` refuses")
        return Choice(None, "none leaves fewer calls of the shim")

    def _can_stand(self) -> bool:
        """Is there a line for it, below the one of the `def`?"""
        first = body_of(self.node)
        return first is not None and first.lineno > self.node.lineno and not self.definition.is_compiled

    def _trials(self, names: Sequence[str]) -> Iterator[Trial]:
        for form in ("tensor", "inexact", "floating") if len(names) == 1 else ("promote", "inexact", "floating"):
            if (trial := self._trial(names, form)) is not None:
                yield trial

    def _with_fewer_names(self, best: Trial) -> Trial:
        """The same guard without the parameters that it is not needed for."""
        for name in best.guard.names if len(best.guard.names) > 1 else ():
            names = [one for one in best.guard.names if one != name]
            less = self._trial(names, best.guard.form) if names else None
            if less is not None and less.score <= best.score and self._serves_callers(less.guard):
                best = less
        return best

    def _cost(self, guard: GuardLine) -> int:
        """How much a guard refuses, and whether the functions that are called in the body still face every dtype."""
        callees = (self.ctx.engine.callees.get(node, ()) for node in self.body.order if isinstance(node, ast.Call))
        helped = any(one.node not in self.ctx.engine.open for several in callees for one in several)
        return guard.refused + MOST_REFUSED * (helped and guard.form in ("tensor", "promote"))

    def _serves_callers(self, guard: GuardLine) -> bool:
        """Does the guard take all that the project itself passes, but where it waits for an error?"""
        runs = [run for run in self.definition.active.values() if not run.failing]
        return all(accepts(guard, dict(zip(self.definition.parameters, run.parameters, strict=True))) for run in runs)

    # -------------------------------------------------------------------------------------------- one form
    def _trial(self, names: Sequence[str], form: str) -> Trial | None:
        if form in ("tensor", "promote"):
            return self._of_any_dtype(names, form)
        worlds = list(inexact_worlds(names, form))
        facts, score = self._merged(worlds)
        numbers = self._numbers(names, worlds, score, form)
        options = (*numbers, *self._conversions(names), *self._precisions(names))
        if "numbers=True" in numbers:
            worlds += self._number_worlds(names)
            facts, score = self._merged(worlds)
        return Trial(GuardLine(tuple(names), form, options, worlds=tuple(worlds)), facts, score)

    def _of_any_dtype(self, names: Sequence[str], form: str) -> Trial | None:
        """`tensor` and `promote`: the dtype stays what it is, or is the common one; the body is right for each kind."""
        floats = [same(names, dtype) for dtype in KINDS["f"]]
        least = self._merged(floats)[1]
        kinds = [k for k in KINDS if self._merged([*floats, *(same(names, dtype) for dtype in KINDS[k])])[1] == least]
        worlds = [same(names, dtype) for kind in kinds for dtype in KINDS[kind]]
        facts, score = self._merged(worlds)
        while score > least and len(kinds) > 1:
            kinds.pop()
            worlds = [same(names, dtype) for kind in kinds for dtype in KINDS[kind]]
            facts, score = self._merged(worlds)
        numbers = self._numbers(names, worlds, score, form)
        if "numbers=True" in numbers:
            worlds += self._number_worlds(names)
            facts, score = self._merged(worlds)
        lists = [same_lists(names), *(same(names, "float64") | same_lists([name]) for name in names if len(names) > 1)]
        options = [*numbers] if len(kinds) == len(KINDS) else [f'kinds="{"".join(kinds)}"', *numbers]
        if self._writes(names):
            options.append("copy=False")
        elif not self._is_valid(lists, same(names, "float64"), exact=True):
            options.append("lists=False")
        if form == "promote" and not self._precisions(names):
            return None
        return Trial(GuardLine(tuple(names), form, tuple(options), worlds=tuple(worlds)), facts, score)

    def _numbers(self, names: Sequence[str], worlds: Sequence[World], score: int, form: str) -> tuple[str, ...]:
        """What becomes of Python's numbers: they stay where the body is right for them, and become tensors else."""
        if self._merged([*worlds, *self._number_worlds(names)])[1] <= score:
            return ("numbers=True",)
        is_valid = all(self._is_valid([world], after(world, form), exact=True) for world in self._number_worlds(names))
        return () if is_valid else ("numbers=False",)

    def _number_worlds(self, names: Sequence[str]) -> list[World]:
        return list(number_worlds(names, may_be_numbers(self.ctx, self.node, names)))

    def _conversions(self, names: Sequence[str]) -> tuple[str, ...]:
        """What a guard to floating dtypes has to refuse of integers and lists."""
        floats = same(names, "float64")
        whole = [same(names, "int64"), *(floats | same([name], "int64") for name in names if len(names) > 1)]
        if self._writes(names) or not self._is_valid(whole, floats, exact=True):
            return ("copy=False",)
        options: tuple[str, ...] = ()
        if not self._is_valid([same(names, "uint8"), same(names, "bool")], floats):
            options += ("exact=True",)
        lists = [same_lists(names), *(floats | same_lists([name]) for name in names if len(names) > 1)]
        if not self._is_valid(lists, same(names, "float64"), exact=True):
            options += ("lists=False",)
        return options

    def _precisions(self, names: Sequence[str]) -> tuple[str, ...]:
        """May several precisions become the widest at once, since that is where they meet in any case?"""
        mixed = list(mixed_worlds(names, "float64", "float32"))
        return ("mixed=True",) if mixed and self._is_valid(mixed, same(names, "float64")) else ()

    def _is_valid(self, worlds: Sequence[World], guarded: World, exact: bool = False) -> bool:
        """Is the function the same in these worlds and in the one that the guard makes of them?"""
        facts = self._facts(guarded)
        return all(holds(self.ctx, self.node, self._facts(world), facts, exact) for world in worlds)

    def _writes(self, names: Sequence[str]) -> bool:
        """Does the function write into what it is given?"""
        effect = self.ctx.project.writes(self.definition)
        positions = {self.definition.parameters.index(name) for name in names}
        return bool(positions & set(effect.parameters))

    # ------------------------------------------------------------------------------------------ many worlds
    def _merged(self, worlds: Sequence[World]) -> tuple[Facts, int]:
        return self.body.merged(list(map(self._facts, worlds)))

    def _facts(self, world: World) -> Facts:
        key = tuple(sorted(world.items(), key=lambda item: item[0]))
        if key not in self._runs:
            self._runs[key] = facts_in(self.ctx.engine, self.definition, self.found, world, self.body.order)
        return self._runs[key]


def same_lists(names: Sequence[str]) -> World:
    """All of these are lists of numbers."""
    return dict.fromkeys(names, v.one(v.Sequence("list", None, v.FLOAT, filled=True)))


def body_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.stmt | None:
    """The first statement of a function after its docstring."""
    body = function.body
    first = body[0]
    is_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    rest = body[1:] if is_docstring else body
    return rest[0] if rest else None
