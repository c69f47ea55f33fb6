"""The body of a function in several worlds: what all of them decide, else what holds in all of them."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence

from np2torch.facts import values as v
from np2torch.facts.domain import DOMAIN
from np2torch.rewrite.guards.decisions import Nodes, StatementDecisions, decide_in
from np2torch.rewrite.guards.worlds import Facts
from np2torch.rules.site import ModuleContext

OF_ATTRIBUTE = 2
"""How many sites an attribute of unknown dtype stands for."""
Seen = tuple[v.Fact | None, ...]
"""The facts of the nodes of a statement."""


class Body:
    """A function of a module, decided on in one world after the other.

    Most statements have the same facts in most worlds. So each is decided once for its own facts: what it looks at
    elsewhere is what these worlds have together in the end.

    Attributes
    ----------
    decided
        How many nodes were decided on so far.
    """

    def __init__(self, ctx: ModuleContext, node: ast.AST) -> None:
        self.ctx = ctx
        self.nodes = Nodes(ctx, node)
        self.decided = 0
        self._known: dict[tuple[ast.stmt, bool], dict[Seen, StatementDecisions]] = defaultdict(dict)
        self._seen: dict[int, tuple[Facts, Mapping[ast.stmt, Seen]]] = {}
        self._merged: dict[tuple[int, ...], tuple[Facts, int]] = {}

    def score(self, only: Container[ast.stmt] | None = None) -> int:
        """Count the sites that are not native by the facts of the project, of all statements or some."""
        decided = self._decided({}, self._seen_in({}))
        return sum(one.left for statement, one in decided.items() if only is None or statement in only)

    def merge_facts(self, runs: Sequence[Facts]) -> tuple[Facts, int]:
        """The facts to go by in all of these worlds, and how many sites are not native then."""
        key = tuple(dict.fromkeys(map(id, runs)))
        if key not in self._merged:
            self._merged[key] = self._merge(runs)
        return self._merged[key]

    def _merge(self, runs: Sequence[Facts]) -> tuple[Facts, int]:
        seen = list(map(self._seen_in, runs))
        decided = [self._decided(facts, of) for facts, of in zip(runs, seen, strict=True)]
        together: Facts = {}
        for statement, parts in self.nodes.of.items():
            several = list(dict.fromkeys(of[statement] for of in seen))
            is_alike = len({one[statement].signatures for one in decided}) == 1
            if is_alike:  # one world stands for all, and the others for what is not reached in it
                fullest = min(several, key=lambda row: row.count(None))
                several = [fullest] if None not in fullest else several
                facts = tuple(map(_first, fullest, _joined(several)))
            else:
                facts = _joined(several)
            together |= {part: fact for part, fact in zip(parts, facts, strict=True) if fact is not None}
        at_last = self._decided(together, self._seen_in(together))
        return together, sum(one.left for one in at_last.values())

    def _seen_in(self, facts: Facts) -> Mapping[ast.stmt, Seen]:
        """The facts of each statement in a world."""
        if id(facts) not in self._seen:
            of = {statement: tuple(map(facts.get, parts)) for statement, parts in self.nodes.of.items()}
            self._seen[id(facts)] = facts, of
        return self._seen[id(facts)][1]

    def _decided(self, facts: Facts, seen: Mapping[ast.stmt, Seen]) -> Mapping[ast.stmt, StatementDecisions]:
        """Decide on each statement in a world."""
        known = {statement: self._known[statement, DOMAIN.supposed] for statement in seen}
        if new := {statement for statement, row in seen.items() if row not in known[statement]}:
            for statement, decided in decide_in(self.ctx, self.nodes, facts, new).items():
                known[statement][seen[statement]] = decided
                self.decided += len(seen[statement])
        return {statement: known[statement][row] for statement, row in seen.items()}


def _joined(rows: Sequence[Seen]) -> Seen:
    """Join the facts of several worlds; None for a node that is reached in none."""
    columns = ([fact for fact in column if fact is not None] for column in zip(*rows, strict=True))
    return tuple(v.join(*column) if column else None for column in columns)


def _first(fact: v.Fact | None, other: v.Fact | None) -> v.Fact | None:
    return other if fact is None else fact


OF_ONE_CAST = frozenset({"float64", "int64"})
"""Dtypes of which NumPy's operators make float64 alike: a cast to it is right for all of them."""


def open_attributes(stored: Iterable[v.Fact]) -> int:
    """Count the sites of attributes that may be arrays of several dtypes."""
    arrays = (fact for fact in stored if v.may(fact, "array", "scalar"))
    several = (v.dtypes_of(fact) for fact in arrays)
    return OF_ATTRIBUTE * sum(dtypes is None or len(dtypes) > 1 and not dtypes <= OF_ONE_CAST for dtypes in several)
