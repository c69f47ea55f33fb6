"""Guards between the statements of a function: for names that calls of others give, as `q = as_vector(q)`.

At the entry nothing is known of them. The guard stands above the first statement behind those that bind them, and holds
from there on. Parameters that are used from there on may be in it, too.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from np2torch.facts.access_paths import WRITING_FUNCTIONS, WRITING_METHODS
from np2torch.facts.domain import supposing
from np2torch.facts.guards import World, above, plain_name
from np2torch.facts.interpreter.definitions import FunctionDefinition
from np2torch.names.tree import dotted_name, named_parameters
from np2torch.names.tree import walk as tree_walk
from np2torch.rewrite.guards.bodies import open_attributes
from np2torch.rewrite.guards.candidates import MOST, is_open, is_used_as_array
from np2torch.rewrite.guards.choose import NO_LIMIT, Chooser
from np2torch.rewrite.guards.forms import Parameters
from np2torch.rewrite.guards.runs import Choice, Trial, TrialBudgetError
from np2torch.rules.site import ModuleContext

Function = ast.FunctionDef | ast.AsyncFunctionDef
LEAST_SAVED = 2
"""How many sites a guard between statements saves at least, or how much less it refuses than one at the entry."""
MOST_POSITIONS = 8
"""The positions that are looked at in a function."""
MOST_TRIED = 2
"""Those of which every form is tried: where most becomes native in float64."""
FRESH = frozenset("zeros ones empty full zeros_like ones_like empty_like full_like eye identity copy array".split())
"""Functions and methods that make an array of their own."""


class Position(NamedTuple):
    """A place between two statements, and the names that may be guarded there."""

    number: int
    names: tuple[str, ...]


def choose(ctx: ModuleContext, definition: FunctionDefinition, given: World | None = None) -> Choice:
    """Choose the guard of a function: at its entry, or further down where that leaves less."""
    chooser = Chooser(ctx, definition, given)
    choice = chooser.choose()
    if definition.name == "__init__" or definition.is_compiled:
        return choice
    several = list(_positions(ctx, definition))[:MOST_POSITIONS]
    if not several:
        return choice
    plain = chooser.body.score() + open_attributes(map(ctx.fact, chooser.stored))
    if not plain:
        return choice
    bound = plain - LEAST_SAVED, NO_LIMIT
    if choice.trial is not None:
        bound = choice.left, chooser.cost(choice.trial.guard) - LEAST_SAVED
    with supposing():
        best = _best([InnerChooser(chooser, one) for one in several], bound)
    if best is None:
        return choice
    return Choice(best, f"of {plain} calls of the shim it leaves {best.score}", best.score)


def _best(choosers: Sequence[InnerChooser], bound: tuple[int, int]) -> Trial | None:
    """The best guard of some positions that leaves fewer sites, or as many and refuses less."""
    leaving = [(one.in_double(), number) for number, one in enumerate(choosers)]
    best: Trial | None = None
    for least, number in sorted(leaving)[:MOST_TRIED]:
        found = choosers[number].best(bound[0] + 1) if least <= bound[0] else None
        if found is not None and (weighed := (found.score, choosers[number].cost(found.guard))) <= bound:
            best, bound = found, (weighed[0], weighed[1] - 1)
    return best


class InnerChooser(Chooser):
    """Looks for the guard of a function at one position."""

    def __init__(self, at_entry: Chooser, position: Position) -> None:
        super().__init__(at_entry.ctx, at_entry.definition, at_entry.given)
        self.body, self.position = at_entry.body, position
        self.names = [above(name, position.number) for name in position.names]
        self.text = _rest(at_entry.node, position.number)

    def in_double(self) -> int:
        """Count the sites that are left if all names are arrays of float64."""
        try:
            return self._least(Parameters(tuple(self.names)))
        except TrialBudgetError:
            return 10**6

    def best(self, below: int) -> Trial | None:
        """The best guard at this position, if one leaves fewer sites than that."""
        try:
            return self._search(self.names, below)[1]
        except TrialBudgetError:
            return self._best(one for one in self._made if one.score < below)

    @cached_property
    def _known(self) -> list[World]:
        """What the names are there in the runs of the project's own calls."""
        first = {name: _first_read(self.text, plain_name(name)) for name in self.names}
        runs = [run for run in self.definition.active.values() if not run.failing]
        worlds = ({name: run.facts[node] for name, node in first.items() if node in run.facts} for run in runs)
        return [world for world in worlds if world]

    def _written(self, names: Sequence[str]) -> set[str]:
        """All names where anything may be written that the function has not made itself: one may be a view of it."""
        return set(names) if _writes(self.ctx, self.node, self.text) else set()


def _positions(ctx: ModuleContext, definition: FunctionDefinition) -> Iterator[Position]:
    """The positions behind statements that bind names which are arrays of unknown dtype from there on."""
    node = definition.node
    assert not isinstance(node, ast.Lambda)
    if any(isinstance(one, (ast.Global, ast.Nonlocal)) for one in tree_walk(node)):
        return
    is_open_function = node in ctx.engine.open
    bound = dict.fromkeys(one.arg for one in named_parameters(node))
    own = definition.positional[:1] if definition.owner is not None and not definition.is_static else ()
    for number, statement in enumerate(node.body[:-1], 1):
        stored = _stored(statement)
        bound.update(dict.fromkeys(sorted(_bound(statement))))
        if stored.isdisjoint(bound):
            continue
        rest = _rest(node, number)
        names = tuple(name for name in bound if name not in own and _may_be_guarded(ctx, rest, name, is_open_function))
        if len(names) <= MOST and not stored.isdisjoint(names):
            yield Position(number, names)


def _rest(node: Function, number: int) -> Function:
    """The function without its first statements."""
    return ast.FunctionDef(
        name=node.name, args=node.args, body=node.body[number:], decorator_list=[], returns=None, type_comment=None,
        lineno=node.lineno, col_offset=node.col_offset,
    )  # fmt: skip


def _may_be_guarded(ctx: ModuleContext, rest: Function, name: str, to_anybody: bool) -> bool:
    first = _first_read(rest, name)
    return first is not None and is_open(ctx.fact(first), to_anybody) and is_used_as_array(ctx, rest, name)


def _first_read(rest: Function, name: str) -> ast.Name | None:
    """The first place that reads a name; None where it is bound before, or an inner function reads it."""
    for statement in rest.body:
        nodes = [one for one in tree_walk(statement) if isinstance(one, ast.Name) and one.id == name]
        if not nodes:
            continue
        reads = [one for one in nodes if isinstance(one.ctx, ast.Load)]
        return min(reads, key=lambda one: (one.lineno, one.col_offset), default=None)
    return None


def _bound(statement: ast.stmt) -> set[str]:
    """The names that a statement binds for certain."""
    match statement:
        case ast.Assign():
            return set().union(*map(_names, statement.targets))
        case ast.AnnAssign(value=ast.expr()):
            return _names(statement.target)
        case ast.If():
            return _bound_by_each([statement.body, statement.orelse])
        case ast.Try():
            return _bound_by_each([[*statement.body, *statement.orelse], *(one.body for one in statement.handlers)])
    return set()


def _bound_by(statements: Sequence[ast.stmt]) -> set[str]:
    return set().union(*map(_bound, statements))


def _bound_by_each(ways: Sequence[Sequence[ast.stmt]]) -> set[str]:
    """The names that each way binds, but for those that end the function."""
    going_on = [way for way in ways if not way or not isinstance(way[-1], (ast.Return, ast.Raise))]
    return set.intersection(*map(_bound_by, going_on)) if going_on else set()


def _stored(statement: ast.stmt) -> set[str]:
    """The names that a statement may bind."""
    nodes = (one for one in tree_walk(statement) if isinstance(one, ast.Name))
    return {one.id for one in nodes if isinstance(one.ctx, ast.Store)}


def _writes(ctx: ModuleContext, function: Function, rest: Function) -> bool:
    """Tell whether something is written in place that may have been there before."""
    own = _made_here(function)
    for node in tree_walk(rest):
        match node:
            case ast.AugAssign(target=target):
                written: list[ast.expr] = [target]
            case ast.Subscript(ctx=ast.Store() | ast.Del()):
                written = [node]
            case ast.Call():
                written = _written_by(ctx, node)
            case _:
                continue
        if any(_root(one) not in own for one in written):
            return True
    return False


def _written_by(ctx: ModuleContext, call: ast.Call) -> list[ast.expr]:
    """The arguments, or the receiver, that a call may write into."""
    written = [one.value for one in call.keywords if one.arg == "out"]
    name = getattr(call.func, "attr", "")
    if isinstance(call.func, ast.Attribute) and name in WRITING_METHODS | {"setflags"}:
        written.append(call.func.value)
    if name in WRITING_FUNCTIONS:
        written += call.args[:1]
    if any(ctx.project.writes(one).parameters for one in ctx.engine.callees.get(call, ())):
        written += [*call.args, *(one.value for one in call.keywords)]
    return written


def _made_here(function: Function) -> set[str]:
    """The names that only ever mean an array which the function makes."""
    made: set[str] = set()
    other = {one.arg for one in named_parameters(function)}
    for node in tree_walk(function):
        if isinstance(node, ast.Assign):
            names = {one.id for one in node.targets if isinstance(one, ast.Name)}
            (made if _is_fresh(node.value) else other).update(names)
            other.update(*(_names(one) for one in node.targets if not isinstance(one, ast.Name)))
        elif isinstance(node, (ast.AnnAssign, ast.NamedExpr, ast.For, ast.comprehension)):
            other.update(_names(node.target))
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            other.update(_names(node.optional_vars))
    return made - other


def _is_fresh(node: ast.expr) -> bool:
    if isinstance(node, (ast.BinOp, ast.Constant)):
        return True
    name = (dotted_name(node.func) or "") if isinstance(node, ast.Call) else ""
    return name.rpartition(".")[2] in FRESH


def _names(target: ast.expr) -> set[str]:
    return {one.id for one in ast.walk(target) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}


def _root(node: ast.expr) -> str:
    while isinstance(node, (ast.Subscript, ast.Attribute, ast.Starred)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
