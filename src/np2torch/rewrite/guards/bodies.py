"""The body of a function in several worlds: what all of them decide, else what holds in all of them."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import cast

from np2torch.facts import values as v
from np2torch.facts.domain import DOMAIN
from np2torch.names.tree import walk as tree_walk
from np2torch.rewrite.guards.decisions import Nodes, Signature, StatementDecisions, decide_in
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
        self._known: dict[bool, dict[ast.stmt, dict[Seen, StatementDecisions]]] = defaultdict(lambda: defaultdict(dict))
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

    def products_of_any_axes(self, facts: Facts) -> int:
        """Count the products that would be plainer if the numbers of axes were known."""
        return sum(one.of_any_axes for one in self._decided(facts, self._seen_in(facts)).values())

    def _merge(self, runs: Sequence[Facts]) -> tuple[Facts, int]:
        seen = list(map(self._seen_in, runs))
        worlds = [self._decided(facts, of) for facts, of in zip(runs, seen, strict=True)]
        together: Facts = {}
        apart: dict[ast.stmt, Facts] = {}
        reaching: dict[ast.stmt, list[frozenset[Signature]]] = {}
        for statement, parts in self.nodes.of.items():
            several = list(dict.fromkeys(of[statement] for of in seen))
            fullest = min(several, key=lambda row: row.count(None))
            pairs = zip(seen, worlds, strict=True)
            made = [one[statement].signatures for of, one in pairs if any(of[statement]) or not any(fullest)]
            if len(set(made)) == 1:  # one stands for all, the others for its gaps
                several = [fullest] if None not in fullest else several
                facts = tuple(map(_first, fullest, _joined(several)))
            else:
                facts = _joined(several)
                apart[statement] = _known(dict(zip(parts, fullest, strict=True)))
                reaching[statement] = made
            together |= _known(dict(zip(parts, facts, strict=True)))
        return self._by_parts(together, apart, reaching)

    def _by_parts(
        self, joined: Facts, apart: Mapping[ast.stmt, Facts], reaching: Mapping[ast.stmt, list[frozenset[Signature]]]
    ) -> tuple[Facts, int]:
        """Let one world stand for all in those parts of statements that all decide alike, where that leaves less.

        Parameters
        ----------
        joined
            What holds in all worlds.
        apart
            The facts of one world, for each statement that is not decided alike.
        reaching
            What is decided on these statements in the worlds that come to them.
        """
        at_last = self._decided(joined, self._seen_in(joined))
        several = {one: reaching[one] for one in apart if at_last[one].left}
        known = {one: _only_of(self._parts_alike(one, made), apart[one]) for one, made in several.items()}
        tried = {one: facts for one, facts in known.items() if facts}
        while tried:
            together = joined | {node: fact for facts in tried.values() for node, fact in facts.items()}
            found = self._decided(together, self._seen_in(together))
            wrong = [one for one in tried if not _holds_in_all(found[one], at_last[one], several[one])]
            if not wrong:
                return together, sum(one.left for one in found.values())
            tried = {one: facts for one, facts in tried.items() if one not in wrong}
        return joined, sum(one.left for one in at_last.values())

    def _parts_alike(self, statement: ast.stmt, decisions: Sequence[frozenset[Signature]]) -> set[ast.AST]:
        """The nodes below expressions that all worlds decide alike: these need not know what the others are there."""
        differing = frozenset.union(*decisions) - frozenset.intersection(*decisions)
        edited = {number for kind, number, *_ in differing if kind == "edit"}
        touched = {number for _, number, *_ in differing}
        order, found = self.nodes.order, set[ast.AST]()
        for node in self.nodes.of[statement]:
            if isinstance(node, ast.expr) and node not in found and order[node] not in edited:
                below = tree_walk(node)[1:]
                if touched.isdisjoint(map(order.get, below)):
                    found.update(below)
        return found

    def _seen_in(self, facts: Facts) -> Mapping[ast.stmt, Seen]:
        """The facts of each statement in a world."""
        if id(facts) not in self._seen:
            of = {statement: tuple(map(facts.get, parts)) for statement, parts in self.nodes.of.items()}
            self._seen[id(facts)] = facts, of
        return self._seen[id(facts)][1]

    def _decided(self, facts: Facts, seen: Mapping[ast.stmt, Seen]) -> Mapping[ast.stmt, StatementDecisions]:
        """Decide on each statement in a world."""
        known = self._known[DOMAIN.supposed]
        found = {statement: known[statement].get(row) for statement, row in seen.items()}
        if new := {statement for statement, decided in found.items() if decided is None}:
            for statement, decided in decide_in(self.ctx, self.nodes, facts, new).items():
                found[statement] = known[statement][seen[statement]] = decided
                self.decided += len(seen[statement])
        return cast(Mapping[ast.stmt, StatementDecisions], found)


def _holds_in_all(
    found: StatementDecisions, joined: StatementDecisions, worlds: Sequence[frozenset[Signature]]
) -> bool:  # fmt: skip
    """Tell decisions that are right in all worlds, and leave less than those that rest on what holds in all of them.

    Each is one of these, or the decision of every world; and what one world needs is there, or the node is rewritten
    as it is by what holds in all of them.
    """
    in_every, in_some = frozenset.intersection(*worlds), frozenset.union(*worlds)
    rewritten = {number for kind, number, *_ in found.signatures & joined.signatures if kind == "edit"}
    needed = {one for one in in_some if one[0] != "edit" or one[1] not in rewritten}
    is_right = found.signatures <= joined.signatures | in_every and needed <= found.signatures
    return is_right and found.left < joined.left


def _only_of(nodes: Container[ast.AST], facts: Facts) -> Facts:
    return {node: fact for node, fact in facts.items() if node in nodes}


def _known(facts: Mapping[ast.AST, v.Fact | None]) -> Facts:
    return {node: fact for node, fact in facts.items() if fact is not None}


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
