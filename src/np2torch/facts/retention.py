"""The parameters that a function of the project retains: what it is passed there may be held after it returns.

A parameter is let go only on a proof: each use of it, and of the names that may hold it, is one that keeps nothing.
What was not recognised retains.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from np2torch.facts import values as v
from np2torch.facts.access_paths import (
    GOING_THROUGH,
    STORING,
    VIEW_ATTRIBUTES,
    VIEW_FUNCTIONS,
    VIEW_METHODS,
    passed_for,
)  # fmt: skip
from np2torch.facts.bindings import single_bindings
from np2torch.facts.interpreter.definitions import FunctionDefinition
from np2torch.facts.interpreter.fixpoint import Interpreter
from np2torch.names.tree import called_name, children
from np2torch.names.tree import walk as tree_walk

CONSUMING = frozenset(
    "abs all any ascii bin bool bytes callable chr complex divmod float format hash hex id int isinstance issubclass "
    "len oct ord pow print range repr round str sum type hasattr bytearray".split()
)
"""Python's functions that keep nothing of their arguments and hand on none of them."""
CONSUMING_MODULES = ("math", "cmath", "json", "struct", "warnings", "time", "logging", "os", "re", "string", "textwrap")
"""Modules of the standard library whose functions only look at numbers."""
CHOOSING = ("max", "min")
"""Python's functions that hand on one of their arguments."""
SET_METHODS = frozenset("add discard remove __contains__ count index".split())
"""Methods of containers that take what they look for by value."""
COPYING = ("array", "scalar", "text", "number", "numpy")
"""Kinds of objects whose methods copy what they are given, or only look at it."""
MAY_HOLD = ("array", "scalar", "sequence", "mapping", "iterator", "instance")
"""Kinds of values that may be, or hold, an element of an array."""
HOLDERS = ("sequence", "mapping", "iterator", "instance")
"""Kinds of values that hold others."""
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
EXPRESSIONS_THAT_LOOK = (ast.Compare, ast.JoinedStr, ast.FormattedValue, ast.Slice, ast.Constant)
Held = Iterator[str]


class Summary(NamedTuple):
    """The parameters that one function retains by itself or passes on.

    Attributes
    ----------
    retained
        Positions of the parameters that it stores, returns or hands to what is not known.
    passed
        Positions of the parameters that it passes on, with the function of the project and the position there.
    """

    retained: set[int]
    passed: set[tuple[int, FunctionDefinition, int]]


class Retention:
    """The parameters that each function of a project retains."""

    def __init__(self, engine: Interpreter) -> None:
        self._engine = engine
        self._summaries: dict[FunctionDefinition, Summary] = {}
        self._retained: dict[FunctionDefinition, set[int]] = {}

    def of(self, function: FunctionDefinition) -> set[int]:
        """Give the positions of the parameters that may be held after the call."""
        if function not in self._retained:
            self._solve(function)
        return self._retained[function]

    def _solve(self, function: FunctionDefinition) -> None:
        """Summarise all that the function may call, then propagate until nothing is added."""
        waiting, found = [function], dict[FunctionDefinition, Summary]()
        while waiting:
            one = waiting.pop()
            if one in found or one in self._retained:
                continue
            found[one] = _Body(self._engine, one).summary()
            waiting += [callee for _, callee, _ in found[one].passed]
        retained = {one: set(summary.retained) for one, summary in found.items()}
        retained |= {one: places for one, places in self._retained.items() if one not in retained}
        changed = True
        while changed:
            changed = False
            for one, summary in found.items():
                more = {mine for mine, callee, place in summary.passed if place in retained[callee]} - retained[one]
                retained[one] |= more
                changed = changed or bool(more)
        self._retained |= retained


class _Body:
    """One function body: the names that may hold parameters, and where these go."""

    def __init__(self, engine: Interpreter, function: FunctionDefinition) -> None:
        self._engine, self._function = engine, function
        self._lasting = {
            name for one in tree_walk(function.node)
            if isinstance(one, (ast.Global, ast.Nonlocal)) for name in one.names
        }  # fmt: skip
        self._flows: dict[str, set[str]] = {}
        self._kept: set[str] = set()
        self._passed: list[tuple[str, FunctionDefinition, int]] = []
        self._stored: list[tuple[str, set[str]]] = []
        self._bound: dict[str, list[ast.expr]] = {}

    def summary(self) -> Summary:
        """Go through the body once, then follow the parameters along the names."""
        node = self._function.node
        if isinstance(node, ast.Lambda):
            self._keep(node.body)
            self._visit(node.body)
        else:
            for statement in node.body:
                self._visit(statement)
        for owner, names in self._stored:
            if self._is_own(owner):
                self._flows.setdefault(owner, set()).update(names)
            else:
                self._kept |= names
        retained, passed = set[int](), set[tuple[int, FunctionDefinition, int]]()
        holders: dict[str, set[int]] = {name: {place} for place, name in enumerate(self._function.parameters)}
        changed = True
        while changed:
            changed = False
            for target, sources in self._flows.items():
                places = set[int]().union(*(holders.get(name, set()) for name in sources))
                if not places <= holders.setdefault(target, set()):
                    holders[target] |= places
                    changed = True
        for name in self._kept:
            retained |= holders.get(name, set())
        for name, callee, place in self._passed:
            passed |= {(mine, callee, place) for mine in holders.get(name, ())}
        return Summary(retained, passed)

    def _is_own(self, name: str) -> bool:
        """Tell whether a name is only bound to what the body makes, so that a store there is none into what lasts."""
        values = self._bound.get(name, [])
        if not values or name in self._lasting or name in self._function.parameters:
            return False
        return all(isinstance(one, DISPLAYS) or self._makes_container(one) for one in values)

    def _makes_container(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Call) and v.only(self._fact(node.func), "builtin", "class")

    def _fact(self, node: ast.AST | None) -> v.Fact:
        return self._engine.facts.get(node, v.TOP) if node is not None else v.TOP

    def _keep(self, *values: ast.expr | None) -> None:
        for value in values:
            self._kept.update(self._held(value))

    def _flow(self, target: ast.expr, value: ast.expr) -> None:
        """Bind what an assignment binds; a store is judged when all bindings of its owner are known."""
        held = set(self._held(value))
        if isinstance(target, ast.Starred):
            target = target.value
        if isinstance(target, ast.Name):
            self._bound.setdefault(target.id, []).append(value)
            self._flows.setdefault(target.id, set()).update(held)
            if target.id in self._lasting:
                self._kept |= held
        elif isinstance(target, (ast.Tuple, ast.List)):
            for one in target.elts:
                self._flow(one, value)
        elif isinstance(target, (ast.Subscript, ast.Attribute)):
            self._store(target.value, held)

    def _store(self, owner: ast.expr, held: set[str]) -> None:
        if v.only(self._fact(owner), "array"):
            return  # which copies
        if isinstance(owner, ast.Name):
            self._stored.append((owner.id, held))
        else:
            self._kept |= held

    # ------------------------------------------------------------------------------------------- statements
    def _visit(self, node: ast.AST) -> None:
        if isinstance(node, FUNCTIONS):
            self._kept.update(_names(node))  # what runs later may do anything with it
            return
        if isinstance(node, ast.ClassDef):
            self._kept.update(_names(node))
            return
        handle = STATEMENTS.get(type(node))
        if handle is not None:
            handle(self, node)
        for child in children(node):
            self._visit(child)

    def _assign(self, node: ast.Assign) -> None:
        for target, value in single_bindings(node):
            self._flow(target, value)

    def _assign_one(self, node: ast.AnnAssign | ast.NamedExpr) -> None:
        if node.value is not None:
            self._flow(node.target, node.value)

    def _augment(self, node: ast.AugAssign) -> None:
        if v.only(self._fact(node.target), "array", "scalar", "number", "text"):
            return
        held = set(self._held(node.value))
        self._store(node.target if isinstance(node.target, ast.Name) else node.target.value, held)

    def _loop(self, node: ast.For | ast.AsyncFor | ast.comprehension) -> None:
        self._flow(node.target, node.iter)

    def _enter(self, node: ast.withitem) -> None:
        if node.optional_vars is not None:
            self._flow(node.optional_vars, node.context_expr)

    def _match(self, node: ast.Match) -> None:
        for case in node.cases:
            for one in tree_walk(case.pattern):
                name = getattr(one, "name", None) or getattr(one, "rest", None)
                if isinstance(name, str):
                    self._flow(ast.Name(name, ast.Store()), node.subject)

    def _hand_out(self, node: ast.Return | ast.Yield | ast.YieldFrom | ast.Await) -> None:
        self._keep(node.value)

    def _raise(self, node: ast.Raise) -> None:
        self._keep(node.exc, node.cause)

    # ------------------------------------------------------------------------------------------- calls
    def _call(self, node: ast.Call) -> None:
        function, fact = node.func, self._fact(node.func)
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        if v.only(fact, "numpy") or v.only(fact, "builtin") and self._only_looks(fact):
            return
        callees = self._engine.callees.get(node, ())
        if callees and v.only(fact, "function", "class", "method") and not any(any(one.altered) for one in callees):
            for callee in callees:
                for place in range(len(callee.parameters)):
                    for argument in passed_for(node, callee, [place]):
                        self._passed += [(name, callee, place) for name in self._held(argument)]
            return
        if isinstance(function, ast.Attribute):
            if v.only(self._fact(function.value), *COPYING):
                return
            if function.attr in STORING:
                self._store(function.value, {name for one in given for name in self._held(one)})
                return
            if function.attr in SET_METHODS:
                return
        self._keep(*given)

    @staticmethod
    def _only_looks(fact: v.Fact) -> bool:
        names = {atom.name for atom in fact if isinstance(atom, v.Builtin)}
        return all(
            one in CONSUMING or one in CHOOSING or one in GOING_THROUGH or one.partition(".")[0] in CONSUMING_MODULES
            for one in names
        )

    # ------------------------------------------------------------------------------------------- values
    def _held(self, node: ast.AST | None) -> Held:
        """Yield the names whose value an expression's value may be, or hold."""
        if node is None or isinstance(node, EXPRESSIONS_THAT_LOOK):
            return
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, FUNCTIONS):
            yield from _names(node)
        elif not isinstance(node, ast.expr) or isinstance(node, DISPLAYS) or v.may(self._fact(node), *MAY_HOLD):
            for part in PARTS.get(type(node), _all_parts)(self, node):
                yield from self._held(part)

    def _parts_of_operator(self, node: ast.BinOp) -> Iterator[ast.AST]:
        for operand in (node.left, node.right):  # `[v] * 2` holds `v`, `v * 2` is a new value
            if isinstance(operand, DISPLAYS) or v.known_to_include(self._fact(operand), "sequence", "mapping"):
                yield operand

    def _parts_of_attribute(self, node: ast.Attribute) -> Iterator[ast.AST]:
        if node.attr in VIEW_ATTRIBUTES or v.known_to_include(self._fact(node.value), "instance"):
            yield node.value

    def _parts_of_sign(self, node: ast.UnaryOp) -> Iterator[ast.AST]:
        if isinstance(node.op, ast.UAdd):  # `+x` is x itself in torch
            yield node.operand

    def _parts_of_call(self, node: ast.Call) -> Iterator[ast.AST]:
        fact = self._fact(node.func)
        if node in self._engine.callees and v.only(fact, "function", "method"):
            return  # what such a function gives back is among what it retains
        if v.only(fact, "numpy"):
            name = called_name(node)
            yield from node.args[:1] if name in VIEW_FUNCTIONS else ()
            return
        if v.only(fact, "builtin") and all(atom.name in CONSUMING for atom in fact if isinstance(atom, v.Builtin)):
            return
        if isinstance(node.func, ast.Attribute):
            owner = self._fact(node.func.value)
            if node.func.attr in VIEW_METHODS or v.known_to_include(owner, *HOLDERS):
                yield node.func.value
            if v.only(owner, *COPYING):
                return
        yield from node.args
        yield from (keyword.value for keyword in node.keywords)


def _names(node: ast.AST) -> Held:
    """Yield every name that is read below a node."""
    return (one.id for one in tree_walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load))


def _all_parts(body: _Body, node: ast.AST) -> Iterator[ast.AST]:
    return iter(children(node))


def _value(body: _Body, node: Any) -> Iterator[ast.AST]:
    yield node.value


def _chosen(body: _Body, node: ast.IfExp) -> Iterator[ast.AST]:
    yield from (node.body, node.orelse)


def _item(body: _Body, node: ast.ListComp) -> Iterator[ast.AST]:
    yield node.elt  # its names hold what is gone through


def _values(body: _Body, node: ast.Dict) -> Iterator[ast.AST]:
    yield from node.values  # keys are taken by value


DISPLAYS = (ast.List, ast.Tuple, ast.Dict, ast.Set, ast.ListComp, ast.GeneratorExp, ast.DictComp, ast.SetComp)
"""Expressions that make a container."""
PARTS: dict[type[ast.AST], Callable[[_Body, Any], Iterator[ast.AST]]] = {
    ast.Attribute: _Body._parts_of_attribute, ast.Subscript: _value, ast.UnaryOp: _Body._parts_of_sign,
    ast.BinOp: _Body._parts_of_operator,
    ast.Call: _Body._parts_of_call, ast.IfExp: _chosen, ast.ListComp: _item, ast.SetComp: _item, ast.DictComp: _value,
    ast.Dict: _values,
}  # fmt: skip
"""The parts of an expression that its value may be or hold; all of them where it is not named here."""
STATEMENTS: dict[type[ast.AST], Callable[[_Body, Any], None]] = {
    ast.Assign: _Body._assign, ast.AnnAssign: _Body._assign_one, ast.NamedExpr: _Body._assign_one,
    ast.AugAssign: _Body._augment, ast.For: _Body._loop, ast.AsyncFor: _Body._loop, ast.comprehension: _Body._loop,
    ast.withitem: _Body._enter, ast.Match: _Body._match, ast.Return: _Body._hand_out, ast.Yield: _Body._hand_out,
    ast.YieldFrom: _Body._hand_out, ast.Await: _Body._hand_out, ast.Raise: _Body._raise, ast.Call: _Body._call,
}  # fmt: skip
"""The handler of each kind of node that binds, stores or passes on."""
