"""The bodies of the project's own functions that a function calls, to be looked at with it."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator, Mapping

from np2torch.facts import values as v
from np2torch.facts.interpreter.definitions import FunctionDefinition
from np2torch.facts.reaching_values import passed_arguments, takes_receiver
from np2torch.rewrite.guards.worlds import Facts, nodes_of
from np2torch.rules.site import ModuleContext

Function = ast.FunctionDef | ast.AsyncFunctionDef
OPAQUE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.Yield, ast.YieldFrom, ast.Await,
          ast.Global, ast.Nonlocal)  # fmt: skip
"""The nodes of code that runs at another time: a body with one is not analysed together with a caller's."""
MOST_BODIES = 12


class Bodies:
    """The body of a function, and those of the functions that it calls and that were entered.

    Attributes
    ----------
    original
        The facts of the bodies for what is passed.
    of
        The functions.
    calls
        The calls that were entered: what they pass is looked at where the callees use it.
    given
        The names of parameters, in the callees, that are passed something of interest.
    """

    def __init__(self, ctx: ModuleContext, function: Function, original: Facts) -> None:
        self.ctx = ctx
        self.original = original
        self.of: list[Function] = [function]
        self.calls: set[ast.Call] = set()
        self.given: set[ast.AST] = set()
        self.parents: Mapping[ast.AST, ast.AST] = ctx.parents

    def fact(self, node: ast.AST) -> v.Fact:
        """Give the fact of an expression over all runs."""
        return self.ctx.fact(node)

    def is_outermost(self, statement: ast.AST) -> bool:
        """Tell whether it is a statement of the function that was asked about."""
        current: ast.AST | None = statement
        while current is not None and current not in self.of:
            current = self.parents.get(current)
        return current is None or current is self.of[0]

    def enter(self, passed: Container[ast.AST]) -> list[Function]:
        """Enter the calls that pass one of these; the bodies that are new."""
        new: list[Function] = []
        for body in list(self.of):
            for call in nodes_of(body):
                if isinstance(call, ast.Call):
                    new += self._enter(call, passed)
        return new

    def _enter(self, call: ast.Call, passed: Container[ast.AST]) -> Iterator[Function]:
        at = {argument for argument in (*call.args, *(one.value for one in call.keywords)) if argument in passed}
        callees = self.ctx.engine.callees.get(call, ())
        if not at or not callees or not v.only(self.fact(call.func), "function", "class"):
            return
        if not all(self._is_open_book(call, callee) for callee in callees):
            return
        self.calls.add(call)
        for callee in callees:
            node = callee.node
            assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
            if node not in self.of:
                self.of.append(node)
                if node not in self.parents:
                    below = {child: one for one in nodes_of(node) for child in ast.iter_child_nodes(one)}
                    self.parents = {**self.parents, **below}
                yield node
            names = {name for name, argument in passed_arguments(call, callee) if argument in at}
            self.given.update(one for one in nodes_of(node) if isinstance(one, ast.Name) and one.id in names)

    def _is_open_book(self, call: ast.Call, callee: FunctionDefinition) -> bool:
        """Tell whether its body runs once for the call, as it is, and what each parameter is passed."""
        node = callee.node
        if isinstance(node, ast.Lambda) or any(callee.altered) or isinstance(node, ast.AsyncFunctionDef):
            return False
        if any(isinstance(argument, ast.Starred) for argument in call.args) or any(
            not one.arg for one in call.keywords
        ):
            return False
        if takes_receiver(callee) and any(
            isinstance(one, v.Function) and not one.bound for one in self.fact(call.func)
        ):
            return False  # `Base.method(self, x)`
        if len(passed_arguments(call, callee)) < len(call.args) + len(call.keywords):
            return False
        is_known = node in self.of or len(self.of) < MOST_BODIES
        return is_known and not any(isinstance(one, OPAQUE) for one in nodes_of(node) if one is not node)
