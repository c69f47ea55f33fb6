"""Guards between the statements of a function: for names that calls of others give, as `q = as_vector(q)`.

At the entry nothing is known of them. The guard stands above the first statement behind those that bind them, and holds
from there on. Parameters that are used from there on may be in it, too.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from np2torch.facts import values as v
from np2torch.facts.domain import supposing
from np2torch.facts.guards import WEIGHTS, GuardLine, World, above, plain_name
from np2torch.facts.interpreter.budget import BudgetSpentError
from np2torch.facts.interpreter.definitions import FunctionDefinition
from np2torch.names.tree import named_parameters, places_of_names
from np2torch.names.tree import statements as tree_statements
from np2torch.names.tree import walk as tree_walk
from np2torch.rewrite.guards.candidates import MOST, is_open, is_used_as_array
from np2torch.rewrite.guards.choose import Chooser
from np2torch.rewrite.guards.forms import SINGLE, Parameters
from np2torch.rewrite.guards.passed_arguments import known_arguments
from np2torch.rewrite.guards.runs import Choice, Trial
from np2torch.rewrite.guards.weights import MOST_REFUSED, NO_LIMIT
from np2torch.rules.site import ModuleContext
from np2torch.rules.syntax.coercions import coerced_by

Function = ast.FunctionDef | ast.AsyncFunctionDef
LEAST_SAVED = 2
"""How many sites a guard between statements saves at least, or how much less it refuses than one at the entry."""
MOST_POSITIONS = 8
"""The positions that are looked at in a function."""
MOST_TRIED = 2
"""Those of which every form is tried: where most becomes native in float64."""
MOST_SPENT = 50_000
"""How many nodes may be run and decided on for one position."""


class Position(NamedTuple):
    """A place between two statements, and where the names that may be guarded there are first read behind it."""

    number: int
    reads: dict[str, ast.Name]


def choose(ctx: ModuleContext, definition: FunctionDefinition, given: World | None = None) -> Choice:
    """Choose the guard of a function: at its entry, or further down where that leaves less."""
    chooser = Chooser(ctx, definition, given)
    choice = chooser.choose()
    if definition.name == "__init__" or definition.is_compiled:
        return choice
    several = list(_positions(ctx, definition))[:MOST_POSITIONS]
    if not several:
        return choice
    if not (plain := chooser.plain):
        return choice
    bound, least = (plain - LEAST_SAVED, NO_LIMIT), LEAST_SAVED
    if choice.trial is not None:
        least = 1
        bound = choice.trial.score, chooser.cost(choice.trial.guard) - LEAST_SAVED
        names = choice.trial.guard.names
        several = [one for one in several if not _is_coercion(ctx, chooser.node.body[one.number - 1], names)]
    words = {one: _words(one) for one in tree_statements(chooser.node)}
    least = max(least, chooser.body.score() - bound[0])  # none saves other sites than those that it reaches
    several = [one for one in several if chooser.body.score(_reached(chooser.node, one, words)) >= least]
    if not several:
        return choice
    with supposing():
        best = _best([InnerChooser(chooser, one) for one in several], bound)
    if best is None:
        return choice
    return Choice(best, f"of {plain} calls of the shim it leaves {best.score}")


def _is_coercion(ctx: ModuleContext, statement: ast.stmt, names: Sequence[str]) -> bool:
    """Tell whether a statement makes an array of one of these names, which the guard above it does already."""
    found = coerced_by(ctx.fact, ctx.parents, statement)
    return found is not None and found[1].id in names


def _best(choosers: Sequence[InnerChooser], bound: tuple[int, int]) -> Trial | None:
    """The best guard of some positions that leaves fewer sites, or as many and refuses less."""
    enough = choosers[0].all_spent + choosers[0].budget_for(bound[0])
    leaving = [(one.in_double(), number) for number, one in enumerate(choosers) if one.all_spent < enough]
    best: Trial | None = None
    for least, number in sorted(leaving)[:MOST_TRIED]:
        found = choosers[number].best(least, bound[0] + 1) if least <= bound[0] else None
        if found is not None and (weighed := (found.score, choosers[number].cost(found.guard))) <= bound:
            best, bound = found, (weighed[0], weighed[1] - 1)
    return best


class InnerChooser(Chooser):
    """Looks for the guard of a function at one position."""

    most_refused = 1

    def __init__(self, at_entry: Chooser, position: Position) -> None:
        super().__init__(at_entry.ctx, at_entry.definition, at_entry.given, at_entry.body)
        self.reads = {above(name, position.number): node for name, node in position.reads.items()}
        self.text = _rest(at_entry.node, position.number)

    def in_double(self) -> int:
        """Count the sites that are left if all names are arrays of float64."""
        try:
            return self._least(Parameters(tuple(self.reads)))
        except BudgetSpentError:
            return 10**6

    def best(self, least: int, below: int) -> Trial | None:
        """The best guard at this position, if one leaves fewer sites than `below`; none leaves less than `least`."""
        names, written = list(self.reads), self._written(list(self.reads))
        if written and (len(written) == len(names) or not self._may_take_fewer(names)):
            return None  # every guard would copy what is written, and none of fewer names would be tried
        self._before = self.all_spent  # what positions tried before have spent is not its own
        self.most_spent = min(MOST_SPENT, self.budget_for(below - least))
        try:
            return self._search(names, below)[1]
        except BudgetSpentError:
            return self._best(one for one in self._made if one.score < below)

    @cached_property
    def _known(self) -> list[World]:
        """List the facts that the names have there behind the arguments that the project is known to pass."""
        passed = [one for one in known_arguments(self.ctx, self.definition) if not all(map(_is_unknown, one.values()))]
        several = map(self._facts, passed)
        worlds = ({name: facts[node] for name, node in self.reads.items() if node in facts} for facts in several)
        return [world for world in worlds if not all(map(_is_unknown, world.values()))]

    def _written(self, names: Sequence[str]) -> set[str]:
        """The names whose memory may be written behind the guard; all where a parameter's may, which may be theirs."""
        written = {name for name in names if self._is_written(plain_name(name), self.reads[name])}
        first = next(iter(self.reads.values()))
        return set(names) if any(self._is_written(one, first) for one in self.definition.parameters) else written

    def _is_written(self, name: str, at: ast.Name) -> bool:
        aliases = self.ctx.aliases(at)
        added_to = (one.target for one in tree_walk(self.text) if isinstance(one, ast.AugAssign))
        added_to = (one for one in added_to if v.may(self.ctx.fact(one), "array"))
        in_place = any(isinstance(one, ast.Name) and aliases.share(one.id, name) for one in added_to)
        return in_place or aliases.may_be_written(name, at)

    def _in_double(self, parameters: Parameters, most: int) -> Iterator[Trial]:
        """None: what comes from other functions is taken in every precision."""
        return iter(())

    def _may_take_fewer(self, names: Sequence[str]) -> bool:
        """Tell whether a guard that is refused says which fewer names to try."""
        return bool(self._known) or any(map(self._is_meant_as_list, names))

    def _refused_at_once(self, parameters: Parameters, form: str) -> Trial | None:
        """The guard that refuses integers: those of fewer names may not."""
        kept = self._kept(parameters, "int64" if form in SINGLE else None)
        guard = GuardLine(parameters.names, form, kept=kept, ranks=tuple(parameters.ranks.items()))
        return Trial(guard, self._score(parameters.of_one_precision("floating"))) if kept else None

    def _of_any_dtype(self, parameters: Parameters, form: str, most: int) -> tuple[list[World], tuple[str, ...]] | None:
        """None at once where integers are refused, too."""
        of_callees = MOST_REFUSED * (self._is_helped and parameters.single)
        return super()._of_any_dtype(parameters, form, min(most, of_callees + WEIGHTS["i"]))

    def _refuses_needed_numbers(self, trial: Trial) -> bool:
        return bool(self._refused_numbers(trial.guard))

    def _serves_callers(self, guard: GuardLine) -> bool:
        """Tell whether it takes what the project has there; integers and Python's numbers in any case."""
        refuses = guard.kept or guard.refuses_integers or self._refused_numbers(guard)
        return not refuses and super()._serves_callers(guard)


def _is_unknown(fact: v.Fact) -> bool:
    return v.only(fact, "unknown")


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
        reads = {name: one for name in bound if name not in own and (one := _first_read(rest, name)) is not None}
        reads = {name: one for name, one in reads.items() if is_open(ctx.fact(one), is_open_function)}
        reads = {name: one for name, one in reads.items() if is_used_as_array(ctx, rest, name)}
        if len(reads) <= MOST and not stored.isdisjoint(reads):
            yield Position(number, reads)


def _rest(node: Function, number: int) -> Function:
    """The function without its first statements."""
    return ast.FunctionDef(
        name=node.name, args=node.args, body=node.body[number:], decorator_list=[], returns=None, type_comment=None,
        lineno=node.lineno, col_offset=node.col_offset,
    )  # fmt: skip


def _reached(node: Function, position: Position, words: Mapping[ast.stmt, set[str]]) -> set[ast.stmt]:
    """The statements behind a position that read its names, or what is made of them; all have their `words`."""
    statements = [below for one in node.body[position.number :] for below in (one, *tree_statements(one))]
    known, before = set(position.reads), 0
    while len(known) > before:
        before = len(known)
        known |= {word for one in statements if not known.isdisjoint(words[one]) for word in _stored_words(one)}
    return {one for one in statements if not known.isdisjoint(words[one])}


def _words(node: ast.AST) -> set[str]:
    """The names and attributes in it."""
    nodes = tree_walk(node)
    return {one.id for one in nodes if isinstance(one, ast.Name)} | {
        one.attr for one in nodes if isinstance(one, ast.Attribute)
    }  # fmt: skip


def _stored_words(statement: ast.stmt) -> set[str]:
    """The names and attributes that it stores in, or in parts of which it does."""
    if isinstance(statement, ast.Expr):
        return _words(statement)  # `held.append(x)`
    targets = [*getattr(statement, "targets", ()), *filter(None, [getattr(statement, "target", None)])]
    return _stored(statement).union(*map(_words, targets))


def _first_read(rest: Function, name: str) -> ast.Name | None:
    """The first place that reads a name; None where it may be bound before, or an inner scope has the same name."""
    for statement in rest.body:
        nodes = places_of_names(statement).get(name, ())
        if name in _of_inner_scopes(statement):
            return None
        if nodes:
            is_assignment = isinstance(statement, ast.Assign)  # whose targets are bound last
            bound = [] if is_assignment else [one for one in nodes if not isinstance(one.ctx, ast.Load)]
            reads = [one for one in nodes if isinstance(one.ctx, ast.Load)]
            first = min([*bound, *reads], key=lambda one: (one.lineno, one.col_offset), default=None)
            return None if first in bound else first
    return None


@lru_cache(maxsize=1024)
def _of_inner_scopes(statement: ast.stmt) -> set[str]:
    """The names that comprehensions and functions in a statement have for themselves."""
    names: set[str] = set()
    for node in tree_walk(statement):
        if isinstance(node, ast.comprehension):
            names |= _stored(node.target)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            names.update(one.arg for one in named_parameters(node))
    return names


def _bound(statement: ast.stmt) -> set[str]:
    """The names that a statement binds for certain."""
    match statement:
        case ast.Assign():
            return set().union(*map(_stored, statement.targets))
        case ast.AnnAssign(value=ast.expr()):
            return _stored(statement.target)
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


def _stored(node: ast.AST) -> set[str]:
    """The names that a statement, or a target, may bind."""
    nodes = (one for one in tree_walk(node) if isinstance(one, ast.Name))
    return {one.id for one in nodes if isinstance(one.ctx, ast.Store)}
