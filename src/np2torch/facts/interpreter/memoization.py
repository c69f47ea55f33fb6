"""Expressions that meet the facts they met before: they give what they gave then, and are not evaluated again.

A body runs in many contexts, its loops several times, and much of it once more in each round: most expressions meet the
same facts each time. What an expression gives depends on the names and paths in it, and on what it reads outside of
the body. Kept is what it gave for these, with the fact of each part and what became known of its names on the way. One
that does more than that, such as calling a function of the project, is evaluated each time, all but those of its parts
that do not. What only ever grows (what escaped, what is put into a list) has been done and is not done again.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from np2torch.facts import values as v
from np2torch.facts.interpreter.dependencies import value
from np2torch.facts.interpreter.raising_calls import UNREACHED
from np2torch.names.tree import children, dotted_name, item_path
from np2torch.names.tree import walk as tree_walk

if TYPE_CHECKING:
    from np2torch.facts.interpreter.contexts import Cell
    from np2torch.facts.interpreter.protocols import Frame

FEWEST_KEPT, EACH_LINE = 20_000, 1
"""So many evaluations are kept, in a longer project as many as it has lines: all are forgotten then."""
Key: TypeAlias = tuple[Any, ...]


class Evaluation(NamedTuple):
    """The recorded evaluation of an expression.

    Attributes
    ----------
    nodes, facts
        Its parts and itself, and the fact of each.
    reads
        The values it read outside of the body, other than names.
    known
        The facts that it narrowed, of names and paths (`x.shape` was read, so `x` is an array).
    """

    fact: v.Fact
    nodes: tuple[ast.AST, ...]
    facts: tuple[v.Fact, ...]
    reads: tuple[tuple[Cell, object], ...]
    known: tuple[tuple[str, v.Fact], ...]


class Past:
    """The evaluations of one expression, by the facts of the names and paths in it."""

    __slots__ = ("kept", "names", "paths")

    def __init__(self, node: ast.expr) -> None:
        names: dict[str, None] = {}
        paths: dict[str | None, None] = {}
        binds = False
        nodes = tree_walk(node)
        for one in nodes:
            kind = one.__class__
            if kind is ast.Name:
                names[one.id] = None  # type: ignore[attr-defined]
            elif kind is ast.Attribute:
                paths[dotted_name(one)] = None  # type: ignore[arg-type]
            elif kind is ast.Subscript:
                paths[item_path(one)] = None
            elif kind is ast.comprehension:
                binds = True
        paths.pop(None, None)
        self.names = tuple(sorted(_names(node, nodes)) if binds else names)
        self.paths: tuple[str, ...] = tuple(filter(None, paths))
        self.kept: dict[Key, Evaluation] = {}


def _names(node: ast.AST, nodes: Sequence[ast.AST]) -> set[str]:
    """The names in an expression that are not its own, as those are that a comprehension binds."""
    if not any(isinstance(one, ast.comprehension) for one in nodes):
        return {one.id for one in nodes if isinstance(one, ast.Name)}
    found = {name for child in children(node) for name in _names(child, tree_walk(child))}
    generators = getattr(node, "generators", ())
    found -= {one.id for part in generators for one in tree_walk(part.target) if isinstance(one, ast.Name)}
    return found.union(*(_names(part.iter, tree_walk(part.iter)) for part in generators[:1]))


class EvaluationCache:
    """The evaluations of all expressions of a project.

    Parameters
    ----------
    lines
        How many the project has.
    """

    __slots__ = ("_acting", "_count", "_most", "_past")

    def __init__(self, lines: int = 0) -> None:
        self._most = max(FEWEST_KEPT, EACH_LINE * lines)
        self._past: dict[ast.expr, Past] = {}
        self._acting: set[ast.expr] = set()
        self._count = 0

    def forget(self) -> None:
        """Give back the memory."""
        self._past = {}
        self._count = 0

    def cached_fact(self, frame: Frame, node: ast.expr) -> v.Fact:
        """Give the fact of an expression: the cached one if the facts that it read are the same."""
        if node in self._acting or node is frame.expected:
            return frame.evaluate(node)
        past = self._past.get(node)
        if past is None:
            past = self._past[node] = Past(node)
        mode = frame.failing if frame.failing is False or frame.failing == UNREACHED else True
        env = frame.env
        paths = map(env.get, past.paths) if frame.has_paths else ()
        key = (mode, *map(frame.lookup, past.names), *paths)
        found = past.kept.get(key)
        if found is None or not _again(frame, found):
            return self._anew(frame, node, past, key)
        return found.fact

    def _anew(self, frame: Frame, node: ast.expr, past: Past, key: Key) -> v.Fact:
        """Evaluate it, and keep what it gives."""
        names = (*past.names, *past.paths)
        before = list(map(frame.env.get, names))
        fact, facts, reads = _alone(frame, node)
        if frame.acted or frame.has_bound:
            self._past.pop(node, None)
            self._acting.add(node)
            return fact
        after = zip(names, before, map(frame.env.get, names), strict=True)
        known = tuple((name, new) for name, old, new in after if new is not None and new is not old)
        own = {("global", frame.module, name) for name in past.names}
        others = tuple(item for item in reads.items() if item[0] not in own)
        past.kept[key] = Evaluation(fact, tuple(facts), tuple(facts.values()), others, known)
        self._count += 1
        if self._count > self._most:
            self.forget()
        return fact


def _alone(frame: Frame, node: ast.expr) -> tuple[v.Fact, dict[ast.AST, v.Fact], dict[Cell, object]]:
    """Evaluate an expression as one whole; with it what was found of its parts, and read, on the way."""
    facts, reads = frame.facts, frame.reads
    found: dict[ast.AST, v.Fact] = {}
    read: dict[Cell, object] = {}
    frame.record_in(found, read, as_whole=True)
    try:
        fact = frame.evaluate(node)
    finally:
        frame.record_in(facts, reads, as_whole=False)
        _take_over(facts, found.items())
        for cell, then in read.items():
            reads.setdefault(cell, then)
    return fact, found, read


def _take_over(facts: dict[ast.AST, v.Fact], found: Iterable[tuple[ast.AST, v.Fact]]) -> None:
    """Keep facts of expressions, beside what another pass found."""
    for node, fact in found:
        old = facts.get(node)
        if old is None:
            facts[node] = fact
        elif old is not fact and old != fact:
            facts[node] = v.join(old, fact)


def _again(frame: Frame, found: Evaluation) -> bool:
    """Use a cached result if the facts that it read outside the body are unchanged; tell whether they are."""
    reads, engine = frame.reads, frame.engine
    for cell, then in found.reads:
        now = value(engine, cell)
        if now is not then and now != then:
            return False
    for cell, then in found.reads:
        reads.setdefault(cell, then)
    _take_over(frame.facts, zip(found.nodes, found.facts, strict=True))
    for name, fact in found.known:
        frame.know(name, fact)
    return True
