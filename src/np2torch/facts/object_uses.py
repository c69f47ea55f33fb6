"""Parameters that are objects by their use: of which something is read that no array, number or container has."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable, Iterator

from np2torch.facts import values as v
from np2torch.facts.kept_parameters import asked_names
from np2torch.names.resolve import members, public
from np2torch.names.tree import Nodes, named_parameters
from np2torch.names.tree import walk as tree_walk

BUILTINS = (str, bytes, list, tuple, dict, set, int, float, complex, range, slice)
"""Classes of Python's whose values are used in other ways than objects are."""
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
BRANCHING = (
    ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.Try, ast.Match, ast.BoolOp, ast.Lambda, ast.FunctionDef,
    ast.AsyncFunctionDef, ast.ClassDef, ast.Assert, *COMPREHENSIONS,
)  # fmt: skip
"""What may leave out the code below it."""
WORDS = "used as neither arrays nor numbers are"
"""What the evidence says."""
ASKING = ("isinstance", "hasattr", "getattr", "type", "callable")
LEAVING = (ast.Return, ast.Break, ast.Continue)
LOOPS = (ast.For, ast.AsyncFor)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def of_use(function: ast.AST, nodes: Nodes, of_tuples: frozenset[str] | None = frozenset()) -> dict[str, int]:
    """Parameters of which an attribute of objects is read wherever the function is run to its end, and the line.

    Those that are bound anew are left out, and those whose class is tested. Attributes `of_tuples`, whose items have
    names, do not count; None stands for all.
    """
    if not isinstance(function, FUNCTIONS) or of_tuples is None:
        return {}
    names = {one.arg for one in named_parameters(function)}
    names -= {one.id for one in nodes.of(ast.Name) if isinstance(one.ctx, (ast.Store, ast.Del))}
    names -= {one.id for one in _tested(nodes)}
    lines: dict[str, int] = {}
    for read in _always_read(function.body) if names else ():
        if _owner(read) in names and _is_own(read, of_tuples):
            lines.setdefault(_owner(read), read.lineno)
    return lines


def said_by(
    function: ast.AST, nodes: Nodes, of_tuples: frozenset[str] | None
) -> Iterator[tuple[str, int, str, v.Fact]]:
    """The same with the words for it; what more they are nobody says."""
    yield from ((name, line, WORDS, v.BOTTOM) for name, line in of_use(function, nodes, of_tuples).items())


def of_loop(loop: ast.AST, of_tuples: frozenset[str] | None = frozenset()) -> frozenset[str]:
    """Names that a loop or a comprehension binds, of which an attribute of objects is read each time."""
    if not isinstance(loop, (*LOOPS, *COMPREHENSIONS)):
        return frozenset()
    targets = [loop.target] if isinstance(loop, LOOPS) else [one.target for one in loop.generators]
    names = {one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)}
    if of_tuples is None or not names:
        return frozenset()
    inside = Nodes(loop)
    stored = [one.id for one in inside.of(ast.Name) if isinstance(one.ctx, (ast.Store, ast.Del))]
    names = {name for name in names if stored.count(name) == 1} - {one.id for one in _tested(inside)}
    return frozenset(_owner(read) for read in _reads_each_time(loop) if _is_own(read, of_tuples)) & names


def _reads_each_time(loop: ast.AST) -> list[ast.Attribute]:
    """The attributes that are read in each pass of a loop, or for each item of a comprehension."""
    if isinstance(loop, LOOPS):
        return list(_always_read(loop.body))
    found = (getattr(loop, field, None) for field in ("elt", "key", "value"))
    return [read for part in found if part is not None for read in _reads(part)]


def _is_own(read: ast.Attribute, of_tuples: frozenset[str]) -> bool:
    return is_of_objects(read.attr) and read.attr not in of_tuples


def _owner(read: ast.Attribute) -> str:
    return read.value.id if isinstance(read.value, ast.Name) else ""


@functools.cache
def is_of_objects(attribute: str) -> bool:
    """Tell whether neither NumPy itself nor its classes nor Python's plain values have such an attribute."""
    return not attribute.startswith("__") and attribute not in _others()


@functools.cache
def _others() -> frozenset[str]:
    """The names of what NumPy and Python's plain classes have."""
    numpys = {name.rpartition(".")[2] for name in (*members(), *public())}
    return frozenset(numpys.union(*map(dir, BUILTINS)))


def _tested(nodes: Nodes) -> Iterator[ast.Name]:
    """Names whose class, or attributes are asked for: they may be anything."""
    for call in nodes.of(ast.Call):
        yield from asked_names(call, ASKING)
    yield from (test.subject for test in nodes.of(ast.Match) if isinstance(test.subject, ast.Name))


def _always_read(body: Iterable[ast.stmt]) -> Iterator[ast.Attribute]:
    """The attributes that are read in statements which no condition leaves out."""
    for statement in body:
        for part in _certain_parts(statement):
            yield from _reads(part)
        if isinstance(statement, (ast.With, ast.AsyncWith)):
            yield from _always_read(statement.body)
        if any(isinstance(one, LEAVING) for one in tree_walk(statement)):
            return  # what follows may be left out


def _reads(part: ast.AST) -> list[ast.Attribute]:
    """The attributes that are read in a part of code that nothing leaves out."""
    found = tree_walk(part)
    is_certain = not any(isinstance(one, BRANCHING) for one in found)
    return [one for one in found if is_certain and isinstance(one, ast.Attribute)]


def _certain_parts(statement: ast.stmt) -> list[ast.AST]:
    """Give the parts of a statement that are evaluated in any case."""
    match statement:
        case ast.If(test=part) | ast.While(test=part) | ast.For(iter=part) | ast.AsyncFor(iter=part):
            return [part]
        case ast.With(items=items) | ast.AsyncWith(items=items):
            return [*items]
    return [statement]
