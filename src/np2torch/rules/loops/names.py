"""The names that a loop binds: which go in before it and come back after it, and how."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any, NamedTuple

from np2torch.facts import values as v
from np2torch.names.scopes import is_of_comprehension
from np2torch.names.tree import children
from np2torch.names.tree import walk as tree_walk
from np2torch.rules.loops.elements import has_axes
from np2torch.rules.loops.flow import (
    around,
    binds_surely,
    blocks_above,
    body_reads,
    is_bound_before,
    is_bound_between,
    is_read_next,
    is_repeated,
    is_tried,
    parameters,
    reads_first,
    stores,
    target_pairs,
)
from np2torch.rules.loops.region import ANY, BACK, NUMBER, STRONG, VIEW, LoopRefusal, Region
from np2torch.rules.loops.sources import are_scalars, comes_back, is_array, is_held, is_plain
from np2torch.rules.site import ModuleContext


class Uses(NamedTuple):
    """Places that read a name bound by a loop, in the function around it.

    Attributes
    ----------
    facts
        Of its reads, and of the bindings in the loop.
    is_bound
        Is it bound outside of the loop too?
    is_read
        May what the loop bound be read outside of it?
    is_held
        Is it represented by a Python number?
    is_shared
        Is it global, or of a function around?
    """

    facts: list[v.Fact]
    is_bound: bool
    is_read: bool
    is_held: bool
    is_shared: bool


class Names:
    """The names that a loop binds, or statements in their order."""

    def __init__(self, ctx: ModuleContext, loop: Any, made: Region, statements: Sequence[ast.stmt] = ()) -> None:
        self.ctx, self.loop, self.made, self.statements = ctx, loop, made, statements
        self.last: Any = statements[-1] if statements else loop
        self.nodes = [node for one in statements or [loop] for node in tree_walk(one)]
        self.inside = set(self.nodes)

    def fact(self, node: ast.AST) -> v.Fact:
        """Give the fact of an expression in NumPy, whatever represents it after the conversion."""
        return self.ctx.fact_in_numpy(node)

    def hand_over(self, name: str) -> None:
        """Say of a name that the loop binds how it goes in and comes back."""
        uses = self._uses(name)
        if uses.is_shared:
            raise LoopRefusal(f"`{name}` is bound for others")
        if not uses.facts or all(map(is_plain, uses.facts)) and not uses.is_held:
            return
        fresh = self._fresh(name)
        carried = fresh is None and is_repeated(self.ctx, self.loop)
        enters = self._reads_first(name) and (fresh is not None or carried or self._may_be_bound(name, uses))
        if not enters and not uses.is_read:
            return
        fact = v.join(*uses.facts)
        if not comes_back(fact):
            raise LoopRefusal(f"`{name}` is no array and no number")
        if not self._may_cross(name, enters):
            raise LoopRefusal(f"`{name}` may not be bound before the loop")
        if enters:
            self.made.going[name] = self._way_in(name, fact if fresh is None else fresh, uses.is_held)
        if uses.is_read or carried:
            self.made.coming[name] = NUMBER if uses.is_held else BACK

    def _may_cross(self, name: str, enters: bool) -> bool:
        """Tell whether a name is bound wherever it is handed over, or is an error there in any case."""
        is_bound = is_bound_before(self.ctx, self.loop, name) or not enters and (
            is_read_next(self.ctx, self.last, name) or binds_surely(self.statements, name)
        )
        return is_bound and not is_tried(self.ctx, self.loop)

    def _reads_first(self, name: str) -> bool:
        """Tell whether the name may be read before it is bound there."""
        return body_reads(self.statements, name) if self.statements else reads_first(self.loop, name)

    def _uses(self, name: str) -> Uses:
        """Look for a name in the function that the loop stands in."""
        ctx, scope = self.ctx, self.ctx.function(self.loop)
        nodes = tree_walk(scope)
        named = [one for one in nodes if isinstance(one, ast.Name) and one.id == name and not self._is_anothers(one)]
        outside = [one for one in named if one not in self.inside]
        bound = [one for one in named if isinstance(one.ctx, ast.Store) and one in self.inside]
        known = [one for one in named if isinstance(one.ctx, ast.Load)]
        known += [one for one in bound if one in ctx.engine.facts]
        return Uses(
            facts=[self.fact(one) for one in known],
            is_bound=any(isinstance(one.ctx, ast.Store) for one in outside),
            is_read=isinstance(scope, ast.Module) or any(map(self._may_see, outside)),
            is_held=any(is_held(ctx, one) for one in named),
            is_shared=any(isinstance(one, (ast.Global, ast.Nonlocal)) and name in one.names for one in nodes),
        )

    def _is_anothers(self, node: ast.Name) -> bool:
        """Tell whether it is a variable of a comprehension or function within, which has the same name."""
        if is_of_comprehension(self.ctx.parents, node):
            return True
        scope, current = self.ctx.function(self.loop), self.ctx.function(node)
        while current is not scope and not isinstance(current, ast.Module):
            if node.id in parameters(current) | stores(children(current)):
                return True
            current = self.ctx.function(current)
        return False

    def _may_see(self, node: ast.Name) -> bool:
        """Tell whether a name outside of the loop may read what the loop bound: nothing binds the name first."""
        loops = (one for one in around(self.ctx, node) if isinstance(one, (ast.For, ast.While)))
        if any(self.loop not in tree_walk(one) and not reads_first(one, node.id) for one in loops):
            return False
        return isinstance(node.ctx, ast.Load) and not is_bound_between(self.ctx, self.last, node)

    def _may_be_bound(self, name: str, uses: Uses) -> bool:
        return uses.is_bound or is_bound_before(self.ctx, self.loop, name)

    def _fresh(self, name: str) -> v.Fact | None:
        """Give the fact that a name is bound to right before the loop, in the same block; None if it may be another."""
        for statement in reversed(next(iter(blocks_above(self.ctx, self.loop)), ())):
            for target, value in target_pairs(statement):
                if isinstance(target, ast.Name) and target.id == name:
                    return self.fact(value)
            if name in stores([statement]):
                return None
        return None

    def _way_in(self, name: str, fact: v.Fact, is_number: bool) -> str:
        if is_plain(fact):
            return ""
        if not is_number:
            within = [one for one in self.nodes if isinstance(one, ast.Name) and one.id == name]
            return VIEW if is_array(fact, any(has_axes(self.ctx, one) for one in within)) else ANY
        if are_scalars(fact):
            return STRONG
        raise LoopRefusal(f"`{name}` is a Python number for one of NumPy's, or for one of Python's")
