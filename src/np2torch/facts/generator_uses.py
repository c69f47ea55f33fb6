"""Parameters that are generators of random numbers by their use: `rng.standard_normal(n)`, `rng.normal(size=n)`."""

from __future__ import annotations

import ast
import functools
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from np2torch.facts import values as v
from np2torch.facts.kept_parameters import asked_names, bindings, kept_parameters
from np2torch.names.resolve import members
from np2torch.names.tree import Nodes, dotted_name

CLASSES = ("random.Generator", "random.RandomState")
"""NumPy's classes of generators."""
AMBIGUOUS = frozenset(
    "beta binomial bytes choice dirichlet exponential f gamma geometric get_state gumbel laplace logistic normal "
    "pareto permutation poisson power random sample seed set_state shuffle spawn triangular uniform wald weibull zipf "
    "rayleigh integers rand bit_generator logseries randint".split()
)
"""Methods whose names other objects have, too: they count where a `size` is asked for."""
SIZED_FROM = {"normal": 3, "uniform": 3, "randint": 3, "integers": 3, "choice": 3, "binomial": 3, "gamma": 3, "beta": 3}
"""The number of arguments from which the last of a method is a size."""
SIZE = "size"
ASKING = ("isinstance", "hasattr", "type", "getattr")
"""Functions that ask what something is, so that it may be anything."""
WORDS = "used as only generators of random numbers are"
TESTED = "may be a generator of random numbers, for which it is tested"
SAID = (WORDS, TESTED)
"""What the evidence says."""


def said_by(nodes: Nodes) -> Iterator[tuple[str, int, str, v.Fact]]:
    """The names that are or may be generators, with the line, the words for it, and what they are."""
    yield from ((name, line, WORDS, fact) for name, (line, fact) in of_use(nodes).items())
    yield from ((name, line, TESTED, v.BOTTOM) for name, line in _tested_for(nodes).items())


def said_of_attributes(class_: ast.ClassDef, nodes: Nodes) -> Iterator[tuple[str, int, str, v.Fact]]:
    """The same of parameters of `__init__` that are kept in attributes from which methods draw: `self.rng = rng`."""
    found = kept_parameters(class_, _drawn(_calls(nodes), ()))
    yield from ((name, line, WORDS, fact) for name, (line, fact) in found.items())


def of_use(nodes: Nodes) -> dict[str, tuple[int, v.Fact]]:
    """Names whose methods only NumPy's generators have, with the line of the first use and the classes that have them.

    What a name is used as after it was bound again says nothing, but for a default in place of None.
    """
    bound = bindings(nodes)
    calls = (call for call in _calls(nodes) if "." not in call.path and call.line < bound.get(call.path, call.line + 1))
    return _drawn(calls, {one.id for call in nodes.of(ast.Call) for one in asked_names(call, ASKING)})


def _tested_for(nodes: Nodes) -> dict[str, int]:
    """Names that are tested for being generators, and the line: `isinstance(seed, np.random.RandomState)`."""
    bound, lines = bindings(nodes), dict[str, int]()
    for call in nodes.of(ast.Call):
        if len(call.args) == 2 and (names := asked_names(call, ASKING)) and any(map(_is_class, ast.walk(call.args[1]))):
            if names[0] is call.args[0] and call.lineno <= bound.get(names[0].id, call.lineno):
                lines.setdefault(names[0].id, call.lineno)
    return lines


def _is_class(node: ast.AST) -> bool:
    return isinstance(node, ast.expr) and (dotted_name(node) or "").endswith(CLASSES)


class _Call(NamedTuple):
    """The call of a method of a name, or of a path such as `self.rng`."""

    path: str
    line: int
    method: str
    node: ast.Call


def _calls(nodes: Nodes) -> Iterator[_Call]:
    for call in nodes.of(ast.Call):
        if isinstance(call.func, ast.Attribute) and (path := dotted_name(call.func.value)) is not None:
            yield _Call(path, call.func.value.lineno, call.func.attr, call)


def _drawn(calls: Iterable[_Call], tested: Collection[str]) -> dict[str, tuple[int, v.Fact]]:
    """The paths from which random numbers are drawn, for certain."""
    found: dict[str, int] = {}
    drawn: dict[str, set[str]] = {}
    for call in calls:
        if call.path not in tested:
            drawn.setdefault(call.path, set()).add(call.method)
            if _is_draw(call.method, call.node):
                found.setdefault(call.path, call.line)
    of_names = {name: (line, _of_classes(drawn[name])) for name, line in found.items()}
    return {name: said for name, said in of_names.items() if said[1]}


def _is_draw(method: str, call: ast.Call) -> bool:
    if method not in _methods():
        return False
    sized = any(keyword.arg == SIZE for keyword in call.keywords)
    return method not in AMBIGUOUS or sized or len(call.args) >= SIZED_FROM.get(method, len(call.args) + 1)


@functools.cache
def _methods() -> frozenset[str]:
    """The methods of NumPy's generators."""
    return frozenset().union(*(_of_class(name) for name in CLASSES))


@functools.cache
def _of_class(name: str) -> frozenset[str]:
    return frozenset(one.removeprefix(f"{name}.") for one in members() if one.startswith(f"{name}."))


def _of_classes(drawn: set[str]) -> v.Fact:
    """The generators of the classes that have all of these methods."""
    return frozenset(v.Numpy(f"numpy.{name}()") for name in CLASSES if drawn <= _of_class(name))
