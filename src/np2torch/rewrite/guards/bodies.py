"""The body of a function in several worlds: what all of them decide, else what holds in all of them."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from np2torch.rewrite.guards.decisions import Decisions, Nodes, agree, decide_in
from np2torch.rewrite.guards.worlds import Facts, joined
from np2torch.rules.site import ModuleContext


class Body:
    """A function of a module, decided on in one world after the other."""

    def __init__(self, ctx: ModuleContext, node: ast.AST) -> None:
        self.ctx = ctx
        self.nodes = Nodes(ctx, node)
        self._decisions: dict[int, tuple[Facts, Decisions]] = {}
        self._merged: dict[tuple[int, ...], tuple[Facts, int]] = {}

    def decided(self, facts: Facts) -> Decisions:
        """What is decided where the facts are these; asked once.

        A statement with the same facts as in the world before is not asked again: what it looks at elsewhere is what
        these worlds have together in the end.
        """
        if id(facts) not in self._decisions:
            before, known = next(reversed(self._decisions.values()), ({}, Decisions()))
            alike = self._alike(before, facts) if before else []
            self._decisions[id(facts)] = facts, decide_in(self.ctx, self.nodes, facts, known, alike)
        return self._decisions[id(facts)][1]

    def merged(self, runs: Sequence[Facts]) -> tuple[Facts, int]:
        """The facts to go by in all of these worlds, and how many sites are not native then."""
        key = tuple(map(id, runs))
        if key not in self._merged:
            self._merged[key] = self._merge(runs)
        return self._merged[key]

    def _merge(self, runs: Sequence[Facts]) -> tuple[Facts, int]:
        decided = list(map(self.decided, runs))
        alike = [one for one in self.nodes.of if agree(one, decided)]
        if len(alike) == len(self.nodes.of) and self._is_complete(runs[0], runs):
            return runs[0], decided[0].score
        together = joined(runs)
        for statement in alike:
            parts = self.nodes.of[statement]
            fullest = max(runs, key=lambda facts: sum(part in facts for part in parts))
            together |= {part: fullest[part] for part in parts if part in fullest}
        return together, decide_in(self.ctx, self.nodes, together, decided[0], alike).score

    def _alike(self, one: Facts, other: Facts) -> list[ast.stmt]:
        """The statements that have the same facts in two worlds."""
        return [
            statement for statement, parts in self.nodes.of.items()
            if all(one.get(part) == other.get(part) for part in parts)
        ]  # fmt: skip

    @staticmethod
    def _is_complete(facts: Facts, runs: Sequence[Facts]) -> bool:
        """Is all that is reached in any world reached in this one?"""
        return all(len(facts) >= len(other) and facts.keys() >= other.keys() for other in runs)
