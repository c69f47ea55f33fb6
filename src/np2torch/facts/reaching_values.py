"""The expressions in a project from which names, attributes, parameters and results of calls have their values.

Of functions that others may call too, what the project itself passes counts, but for its tests: they pass short arrays
to what is meant for long ones.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from np2torch.facts.access_paths import FunctionNode
from np2torch.facts.interpreter.definitions import FunctionDefinition
from np2torch.facts.interpreter.fixpoint import Interpreter
from np2torch.facts.mod_ref_summaries import ProjectAliases
from np2torch.names.public import TESTS
from np2torch.names.tree import children, named_parameters, parameter_defaults

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class Value(NamedTuple):
    """An expression in a body of the project, of whose value some part is meant.

    Attributes
    ----------
    path
        The items that are taken, one within the other: of `(a, _), _ = f()` it is `(0, 0)` for `a`.
    is_each
        Whether what an iteration over the value gives is meant.
    """

    node: ast.expr
    body: FunctionNode
    path: tuple[int, ...] = ()
    is_each: bool = False

    def item(self) -> Value | None:
        """Give the part as an expression of its own, where the text spells the items out."""
        value = self
        while value.path and isinstance(value.node, (ast.Tuple, ast.List)):
            if value.is_each or value.path[0] >= len(value.node.elts):
                return None
            value = value._replace(node=value.node.elts[value.path[0]], path=value.path[1:])
        return value


Values = Sequence[Value] | None
"""The values there may be; None where others are possible."""


class ReachingValues:
    """The expressions that are bound, passed and returned in a project, found when they are asked for."""

    def __init__(self, engine: Interpreter, project: ProjectAliases) -> None:
        self.engine, self.project = engine, project
        self._bound: dict[FunctionNode, dict[str, list[Value] | None]] = {}
        self._returned: dict[FunctionNode, list[Value]] = {}
        self._attributes: dict[str, list[Value] | None] | None = None

    @cached_property
    def _of_tests(self) -> set[ast.AST]:
        """The nodes of the project's tests."""
        return {node for name, one in self.engine.modules.items() if TESTS.search(name) for node in ast.walk(one.tree)}

    def of_name(self, name: str, body: FunctionNode) -> Values:
        """Give what a name may be in a body: what the innermost body that binds it binds it to, or is passed for it."""
        current: FunctionNode | None = body
        while current is not None:
            bound = self._bindings(current)
            passed = isinstance(current, FUNCTIONS) and name in {one.arg for one in named_parameters(current)}
            if name in bound or passed:
                found, given = bound.get(name, []), self._passed(name, current) if passed else []
                return None if found is None or given is None else [*found, *given]
            current = self.project.body_around(current)
        return None

    def of_attribute(self, name: str) -> Values:
        """Give what the project stores in attributes of this name."""
        if self._attributes is None:
            self._attributes = {}
            for body in self._bodies():
                for target, value in _targets(body):
                    if isinstance(target, ast.Attribute):
                        _enter(self._attributes, target.attr, value)
        return self._attributes.get(name)

    def of_call(self, call: ast.Call, path: tuple[int, ...]) -> Values:
        """Give what the functions of the project return that a call may reach; None where there is none."""
        callees = self.engine.callees.get(call, ())
        found: list[Value] = []
        for callee in callees:
            if callee.node not in self._returned:
                self._returned[callee.node] = list(_returns(callee.node))
            found += (value._replace(path=path) for value in self._returned[callee.node])
        return found or None

    def _bodies(self) -> Iterator[FunctionNode]:
        yield from (function.node for function in self.engine.functions.values())
        yield from (module.tree for module in self.engine.modules.values())

    def _bindings(self, body: FunctionNode) -> dict[str, list[Value] | None]:
        if body not in self._bound:
            found = self._bound[body] = {}
            seen: set[ast.AST] = set()
            for target, value in _targets(body):
                if isinstance(target, ast.Name):
                    seen.add(target)
                    _enter(found, target.id, value)
            for node in _own_nodes(body):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node not in seen:
                    found[node.id] = None
        return self._bound[body]

    def _passed(self, name: str, body: FunctionNode) -> Values:
        """Give what the callers in the project pass for a parameter, or its default; None where there are none."""
        function = self.engine.functions.get(body)
        if function is None or isinstance(body, ast.Module):
            return None
        calls = self.project.calls(function)
        if body in self.engine.open:
            calls = [one for one in calls if one not in self._of_tests]
        default = dict(parameter_defaults(body.args)).get(name)
        found: list[Value] = []
        for call in calls:
            argument = _argument(call, function, name)
            if argument is not None:
                found.append(Value(argument, self.project.body_of(call)))
            elif default is not None:
                found.append(Value(default, body))
            else:
                return None
        return found or None


def _own_nodes(body: FunctionNode) -> list[ast.AST]:
    """The nodes of a body, without the bodies of functions that are defined in it."""
    found = list(children(body))
    for node in found:  # grows while it is read
        if not isinstance(node, FUNCTIONS):
            found += children(node)
    return found


def _enter(found: dict[str, list[Value] | None], name: str, value: Value | None) -> None:
    known = found.setdefault(name, [])
    if known is not None and value is not None:
        known.append(value)
    else:
        found[name] = None


def passed_arguments(call: ast.Call, function: FunctionDefinition) -> list[tuple[str, ast.expr]]:
    """The parameters that a call passes something for, as the text says it, and what."""
    pairs = list(zip(function.positional[takes_receiver(function) :], call.args, strict=False))
    return pairs + [(one.arg, one.value) for one in call.keywords if one.arg in function.named_parameters]


def takes_receiver(function: FunctionDefinition) -> bool:
    """Tell a method whose first parameter is its object or its class."""
    return function.owner is not None and not function.is_static


def _argument(call: ast.Call, function: FunctionDefinition, name: str) -> ast.expr | None:
    """The argument that a call passes for a parameter, where the text says it; `*args` may be for any."""
    passed = dict(passed_arguments(call, function))
    is_known = not any(isinstance(one, ast.Starred) for one in call.args) or passed.get(name) not in call.args
    return passed.get(name) if is_known else None


def _returns(body: FunctionNode) -> Iterator[Value]:
    if isinstance(body, ast.Lambda):
        yield Value(body.body, body)
    for node in _own_nodes(body):
        if isinstance(node, ast.Return) and node.value is not None:
            yield Value(node.value, body)


def _targets(body: FunctionNode) -> Iterator[tuple[ast.expr, Value | None]]:
    """The targets in a body, each with the value that it is bound to; None where that is no expression."""
    for node in _own_nodes(body):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                yield from _items(target, Value(node.value, body))
        elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
            yield node.target, Value(node.value, body)
        elif isinstance(node, ast.AugAssign):
            yield node.target, Value(ast.BinOp(node.target, node.op, node.value), body)
        elif isinstance(node, (ast.For, ast.comprehension)):
            yield from _items(node.target, Value(node.iter, body, is_each=True))


def _items(target: ast.expr, value: Value) -> Iterator[tuple[ast.expr, Value | None]]:
    if not isinstance(target, (ast.Tuple, ast.List)):
        yield target, value.item()
        return
    for at, one in enumerate(target.elts):
        if isinstance(one, ast.Starred):
            yield one.value, None
        else:
            yield from _items(one, value._replace(path=(*value.path, at)))
