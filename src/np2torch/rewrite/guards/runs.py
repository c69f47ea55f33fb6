"""Trials of a function in one world after the other, with the numbers of sites that they leave."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from np2torch.facts import values as v
from np2torch.facts.guards import GuardLine, World
from np2torch.facts.interpreter.budget import BudgetSpentError
from np2torch.facts.interpreter.contexts import CallContext as Run
from np2torch.facts.interpreter.definitions import FunctionDefinition
from np2torch.facts.interpreter.fixpoint import Interpreter
from np2torch.rewrite.guards.bodies import Body, open_attributes
from np2torch.rewrite.guards.forms import with_none
from np2torch.rewrite.guards.texts import stored_values
from np2torch.rewrite.guards.worlds import Facts, facts_below, facts_of, found_of, run_in
from np2torch.rules.site import ModuleContext

MOST_SPENT = 200_000
"""How many nodes may be run and decided on for one function: it is settled with what has been found then."""
FEW_SPENT, EACH_SITE = 20_000, 10_000
"""How many may be in any case, and how many more for each site that a guard could save."""
MANY_FUNCTIONS = 500
"""In a project of more functions than these, each has less to spend."""
OF_DECISION = 4
"""How many nodes are run in the time that it takes to decide on one."""
Key = tuple[tuple[str, v.Fact], ...]
"""A world that can be hashed."""


class Trial(NamedTuple):
    """A guard, and how many sites stay that are not native behind it."""

    guard: GuardLine
    score: int


class Choice(NamedTuple):
    """The guard that is chosen, if one is, and why."""

    trial: Trial | None
    reason: str


def budget_for(engine: Interpreter, sites: int) -> int:
    """Give how many nodes may be run and decided on for the sake of so many sites of one function."""
    share = min(1.0, MANY_FUNCTIONS / max(1, len(engine.functions)))
    return min(MOST_SPENT, int(share * (FEW_SPENT + EACH_SITE * sites)))


class Runs:
    """Trials of one function, each made once.

    Attributes
    ----------
    optional
        The parameters that may be None.
    text
        The part of the function behind the guard: the function itself, or one of the statements that are left.
    given
        What attributes of its object are, `self.x`: others see to that.
    held
        What more of them are, in every world.
    most_spent
        The budget: how many nodes may be run and decided on.
    """

    def __init__(
        self, ctx: ModuleContext, definition: FunctionDefinition, given: World | None = None, body: Body | None = None
    ) -> None:
        assert not isinstance(definition.node, ast.Lambda)
        self.ctx = ctx
        self.definition = definition
        self.node = self.text = definition.node
        self.found = found_of(definition)
        self.body = body or Body(ctx, self.node)
        self.optional: frozenset[str] = frozenset()
        self.given, self.held = given or {}, World()
        self.stored = list(stored_values(self.node))
        self.most_spent = MOST_SPENT
        self._before = self.all_spent
        self._runs: dict[Key, Run] = {}
        self._own: dict[Key, Facts] = {}
        self._below: dict[Key, Facts] = {}

    @cached_property
    def plain(self) -> int:
        """The number of sites that are left without a guard."""
        return self.body.score() + open_attributes(map(self.ctx.fact, self.stored))

    @property
    def all_spent(self) -> int:
        """How many nodes were run in trials, and decided on for this function, which takes longer."""
        return self.ctx.engine.trial_budget.spent + OF_DECISION * self.body.decided

    def _check_budget(self) -> None:
        if self.all_spent - self._before > self.most_spent:
            raise BudgetSpentError

    def _leaves(self, most: int, worlds: Sequence[World]) -> bool:
        """Tell whether all of these worlds leave at most `most` sites; stop at the first that leaves more."""
        pairs = ([worlds[0], world] for world in worlds)
        return all(self._score(pair) <= most for pair in pairs) and self._score(worlds) <= most

    def _score(self, worlds: Sequence[World]) -> int:
        """Count the sites that are left, and attributes whose dtype stays open: these are sites in other methods."""
        self._check_budget()
        several = [self._facts(world) for world in worlds]
        found = (v.join(v.BOTTOM, *(facts.get(node, v.BOTTOM) for facts in several)) for node in self.stored)
        return self.body.merge_facts(several)[1] + open_attributes(found)

    def _facts(self, world: World) -> Facts:
        """Give the facts of the body in a world."""
        key, run = self._run(world)
        if key not in self._own:
            self._own[key] = facts_of(run, self.body.nodes.order)
        return self._own[key]

    def _all_facts(self, world: World) -> Facts:
        """Give the facts of the body and of the functions that it calls in a world."""
        key, run = self._run(world)
        if key not in self._below:
            self._below[key] = facts_below(run)
        return self._below[key]

    def _key(self, world: World) -> Key:
        whole = with_none(world, self.optional) | self.given | self.held
        return tuple(sorted(whole.items(), key=lambda item: item[0]))

    def budget_for(self, sites: int) -> int:
        """Give how many nodes may be run and decided on for the sake of so many sites."""
        return budget_for(self.ctx.engine, sites)

    def _run(self, world: World) -> tuple[Key, Run]:
        key = self._key(world)
        if key not in self._runs:
            self._check_budget()
            with self.ctx.engine.trial_budget.limit(self.most_spent - (self.all_spent - self._before)):
                self._runs[key] = run_in(self.ctx.engine, self.definition, self.found, dict(key))
        return key, self._runs[key]
