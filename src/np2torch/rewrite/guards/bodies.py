"""The body of a function in several worlds: what all of them decide, else what holds in all of them."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Sequence

from np2torch.names.tree import walk as tree_walk
from np2torch.rewrite.guards.decisions import Decisions, agree, decide_in
from np2torch.rewrite.guards.worlds import Facts, joined
from np2torch.rules.site import Context


class Body:
    """A function of a module, decided on in one world after the other."""

    def __init__(self, ctx: Context, node: ast.AST) -> None:
        self.ctx = ctx
        self.node = node
        self.order = {one: number for number, one in enumerate(tree_walk(node))}
        self._parts: dict[ast.stmt | None, list[ast.AST]] = defaultdict(list)
        for one in self.order:
            self._parts[ctx.statement(one)].append(one)
        self._decisions: dict[int, tuple[Facts, Decisions]] = {}

    def decided(self, facts: Facts) -> Decisions:
        """What is decided where the facts are these; asked once."""
        if id(facts) not in self._decisions:
            self._decisions[id(facts)] = facts, decide_in(self.ctx, self.node, facts, self.order)
        return self._decisions[id(facts)][1]

    def merged(self, runs: Sequence[Facts]) -> tuple[Facts, int]:
        """The facts to go by in all of these worlds, and how many sites are not native then."""
        decided = list(map(self.decided, runs))
        statements = [one for one in self._parts if one is not None]
        differing = {one for one in statements if not agree(one, decided)}
        if not differing and self._is_complete(runs[0], runs):
            return runs[0], decided[0].score
        together = joined(runs)
        for statement, parts in self._parts.items():
            if statement is not None and statement not in differing:
                fullest = max(runs, key=lambda facts: sum(part in facts for part in parts))
                together |= {part: fullest[part] for part in parts if part in fullest}
        return together, decide_in(self.ctx, self.node, together, self.order).score

    @staticmethod
    def _is_complete(facts: Facts, runs: Sequence[Facts]) -> bool:
        """Is all that is reached in any world reached in this one?"""
        return all(len(facts) >= len(other) and facts.keys() >= other.keys() for other in runs)
