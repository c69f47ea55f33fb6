"""Worlds: what the parameters of a function may be together, and what its body is found to be then.

An abstract value says of each parameter alone what it may be. A world says it of all at once: that they have one dtype,
say. What holds in every world holds for the function.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache

from np2torch.facts import values as v
from np2torch.facts.complex_tracking import inside
from np2torch.facts.domain import DOMAIN
from np2torch.facts.guards import ABOVE, World, by_parameters
from np2torch.facts.interpreter.contexts import CallContext as Run
from np2torch.facts.interpreter.definitions import FunctionDefinition
from np2torch.facts.interpreter.fixpoint import Interpreter
from np2torch.facts.interpreter.reached_functions import reached_functions
from np2torch.names.tree import walk as tree_walk
from np2torch.rewrite.guards.trials import told_apart

Facts = dict[ast.AST, v.Fact]
MAKING = (
    ast.Call, ast.List, ast.Set, ast.Dict, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.BinOp,
    ast.Starred, ast.Tuple,
)  # fmt: skip
"""The expressions that may make a list, a set or a dict."""
MOST_PASSES = 4
"""How often a body is run until the lists that it makes hold what it puts into them."""


@lru_cache(maxsize=256)
def nodes_of(function: ast.AST) -> tuple[ast.AST, ...]:
    """The nodes of a function, which are asked for again and again."""
    return tuple(tree_walk(function))


class _Sites(dict[ast.AST, frozenset[int]]):
    """The identities of the expressions of each function that may make lists and dicts, found when first asked for."""

    def __init__(self, engine: Interpreter) -> None:
        super().__init__()

    def __missing__(self, function: ast.AST) -> frozenset[int]:
        found = self[function] = frozenset(id(node) for node in tree_walk(function) if isinstance(node, MAKING))
        return found


def found_of(function: FunctionDefinition) -> dict[str, v.Fact]:
    """Give the facts found for the parameters, joined over all calls and unseen callers."""
    rows = [run.parameters for run in function.active.values()]
    columns = zip(*rows, strict=True) if rows else [()] * len(function.inputs)
    return {name: v.join(v.BOTTOM, *column) for name, column in zip(function.inputs, columns, strict=True)}


def run_in(engine: Interpreter, function: FunctionDefinition, found: Mapping[str, v.Fact], world: World) -> Run:
    """A run of a function's body in a world.

    Nothing is learnt from it elsewhere: the facts of the project stay what they are.
    """
    world = by_parameters(world)
    before = function.hold(tuple(name for name in world if "." in name or ABOVE in name))
    try:
        passed = tuple(world.get(name, found.get(name, v.TOP)) for name in function.inputs)
        return _run_on(engine, function, passed, found.values())
    finally:
        function.hold(before)


def _run_on(
    engine: Interpreter, function: FunctionDefinition, passed: tuple[v.Fact, ...], found: Iterable[v.Fact]
) -> Run:  # fmt: skip
    outer = next(iter(run.outer for run in function.active.values()), None)
    functions = reached_functions(engine, function)
    run = Run(function.module, function, outer, passed)
    with engine.isolate_errors(function.module), _emptied(engine, functions, found) as held, engine.tentative():
        for turn in range(MOST_PASSES):
            before = held()
            run = Run(function.module, function, outer, passed)
            with told_apart(engine, function, turn):
                engine.execute(run)
            if held() == before:
                return run
    with engine.tentative(), engine.isolate_errors(function.module), told_apart(engine, function, MOST_PASSES):
        engine.execute(run := Run(function.module, function, outer, passed))
    return run


@contextmanager
def _emptied(
    engine: Interpreter, functions: Iterable[FunctionDefinition], found: Iterable[v.Fact]
) -> Iterator[Callable[[], object]]:
    """Let the lists and dicts that these functions make hold nothing yet, but for those that others can reach.

    What is handed out says what they hold; nothing where nothing is ever put into one of them.
    """
    made = engine.once(_Sites)
    own = frozenset[int]().union(*(made[one.node] for one in functions))
    sites = own - visible(engine) - _sites(engine, found)
    heap = {site: engine.heap.pop(site) for site in sites & engine.heap.keys()}
    keys = {site: engine.keys.pop(site) for site in sites & engine.keys.keys()}
    try:
        yield lambda: [_held(cells, sites) for cells in (engine.heap, engine.keys)] if heap or keys else []
    finally:
        for held in (engine.heap, engine.keys):
            for site in sites & held.keys():
                del held[site]
        engine.heap.update(heap)
        engine.keys.update(keys)


def _held(cells: Mapping[int, object], sites: frozenset[int]) -> Mapping[int, object]:
    """Give what the lists and dicts hold that are made at these places."""
    return {site: cells[site] for site in sites & cells.keys()}


def visible(engine: Interpreter) -> frozenset[int]:
    """The lists and dicts that objects and modules hold."""
    return engine.once(_visible)


def _visible(engine: Interpreter) -> frozenset[int]:
    classes = (class_.attributes for class_ in engine.classes.values())
    globals_ = (names for module in engine.modules.values() for names in (module.env, module.assigned))
    facts = [fact for names in (*classes, *globals_) for fact in names.values()]
    facts += [fact for one in engine.functions.values() for fact in one.defaults.values()]
    return frozenset(_sites(engine, facts))


def _sites(engine: Interpreter, facts: Iterable[v.Fact]) -> set[int]:
    """Give the allocation sites of the lists and dicts in these facts, nested ones included."""
    found: set[int] = set()
    seen: set[v.Fact] = set()
    waiting = list(facts)
    while waiting:
        fact = waiting.pop()
        if fact in seen:
            continue
        seen.add(fact)
        for atom in fact:
            waiting += inside(atom)
            if (site := getattr(atom, "site", 0)) and site not in found:
                found.add(site)
                waiting += [engine.heap.get(site, v.BOTTOM), *engine.keys.get(site, {}).values()]
    return found


def outline(fact: v.Fact | None) -> tuple[object, ...]:
    """Give kinds, dtypes and ranks of a fact: two analyses have no definitions in common to compare."""
    return (frozenset(v.kinds(fact)), v.dtypes_of(fact), v.ranks_of(fact)) if fact else ()


def facts_of(run: Run, own: Container[ast.AST]) -> Facts:
    """Give the facts that a run found for the nodes of its body, including functions defined in it."""
    of_body = (one.facts for one in _runs(run, {run}) if one is run or one.function and one.function.node in own)
    found = join_worlds({node: fact for node, fact in facts.items() if node in own} for facts in of_body)
    return _reached(run.function.node, found) if DOMAIN.supposed and run.function is not None else found


def _reached(function: ast.AST, facts: Facts) -> Facts:
    """Drop the facts of the first statement that raises for certain, such as `len` of an array without axes, and below.

    What is evaluated before it raises is decided on in the other worlds.
    """
    body = getattr(function, "body", ())
    rest = body[next((at for at, one in enumerate(body) if _raises(one, facts)), len(body)) :] if body else ()
    unreached = {node for statement in rest for node in tree_walk(statement)}
    return {node: fact for node, fact in facts.items() if node not in unreached} if unreached else facts


def _raises(statement: ast.stmt, facts: Facts) -> bool:
    """Tell a statement that evaluates, first of all, an expression without a value."""
    waiting: list[ast.AST | None] = [getattr(statement, "test", getattr(statement, "value", None))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.expr) and facts.get(node, v.TOP) == v.BOTTOM:
            return True
        if isinstance(node, (ast.BinOp, ast.Compare, ast.UnaryOp, ast.Call, ast.Attribute, ast.Subscript, ast.keyword)):
            waiting += ast.iter_child_nodes(node)
    return False


def facts_below(run: Run) -> Facts:
    """Give the facts that a run and all runs below it found, joined over their calls."""
    return join_worlds(one.facts for one in _runs(run, {run}))


def _runs(run: Run, seen: set[Run]) -> Iterator[Run]:
    """A run and those of the functions that it called."""
    yield run
    for callee in run.calls:
        if callee not in seen:
            seen.add(callee)
            yield from _runs(callee, seen)


def join_worlds(several: Iterable[Facts]) -> Facts:
    """Join the facts of several worlds."""
    out: Facts = {}
    for facts in several:
        common = {node: v.join(out[node], facts[node]) for node in out.keys() & facts.keys()} if out else {}
        out.update(facts)
        out.update(common)
    return out


@contextmanager
def assuming(engine: Interpreter, facts: Facts) -> Iterator[None]:
    """Let the project's facts be these for a while."""
    missing = object()
    before = {node: engine.facts.get(node, missing) for node in facts}
    engine.facts.update(facts)
    try:
        yield
    finally:
        for node, fact in before.items():
            if fact is missing:
                del engine.facts[node]
            else:
                engine.facts[node] = fact  # type: ignore[assignment]
