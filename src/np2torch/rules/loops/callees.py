"""The functions of the project that a loop calls: which of them may run in NumPy, and what is noted of them."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from np2torch.facts import values as v
from np2torch.names.tree import walk as tree_walk
from np2torch.rules.loops.flow import parameters, stores
from np2torch.rules.loops.region import LoopRefusal, Region
from np2torch.rules.site import ModuleContext

NONE: Mapping[ast.AST, Any] = MappingProxyType({})


class Callees:
    """The functions that a loop, or a function, calls.

    Attributes
    ----------
    bound
        The names that it binds.
    called, passed
        The functions that it calls by their names, and those that the function around is passed.
    seen
        The names that are dealt with.
    apart
        The names of what functions take apart, and give back.
    """

    def __init__(self, ctx: ModuleContext, loop: Any, bound: set[str], computing: Mapping[ast.AST, Any] = NONE) -> None:
        self.ctx, self.loop, self.bound, self.computing = ctx, loop, bound, computing
        self.made: Region = Region(loop)
        self.called: dict[str, list[ast.Name]] = {}
        self.passed: dict[str, list[ast.Name]] = {}
        self.seen: set[ast.AST] = set()
        self.apart: set[str] = set()

    def fact(self, node: ast.AST) -> v.Fact:
        """Give the fact of an expression in NumPy, whatever represents it after the conversion."""
        return self.ctx.fact_in_numpy(node)

    def _is_computing(self, function: ast.Name) -> bool:
        """Tell whether it is a function that may run in NumPy, and note it."""
        callee = self._callee(function)
        if callee is None or callee not in self.computing:
            return self._is_passed(function)
        if self._reads_own(callee):
            raise LoopRefusal(f"`{function.id}` reads what the loop binds")
        self.called.setdefault(function.id, []).append(function)
        self._note_call(function, {callee})
        return True

    def _reads_own(self, callee: ast.AST) -> bool:
        """Tell whether a function, or one that it calls, reads a variable of this scope that the loop binds."""
        scope, waiting, seen = self.ctx.function(self.loop), [callee], set[ast.AST]()
        while waiting:
            node = waiting.pop()
            seen.add(node)
            if node in self.ctx.parents and not self.bound.isdisjoint(self.computing[node].read):
                current = self.ctx.function(node)
                while current is not scope and not isinstance(current, ast.Module):
                    current = self.ctx.function(current)
                if current is scope:
                    return True
            waiting += self.computing[node].calls.keys() - seen
        return False

    def _is_passed(self, function: ast.Name) -> bool:
        """Tell whether it is a parameter, and some call passes a function that may run in NumPy; note it."""
        named = {atom.definition.node for atom in self.fact(function) if isinstance(atom, v.Function)}
        nodes = {node for node, one in self.computing.items() if node in named or function in one.passed}
        is_known = v.only(self.fact(function), "function", "unknown") and bool(nodes)
        if not is_known or function.id in self.bound or function.id not in parameters(self.ctx.function(self.loop)):
            return False
        self.passed.setdefault(function.id, []).append(function)
        for node in nodes:  # a guard takes the place of what is passed, so that facts know it no more
            self.computing[node].passed.add(function)
        self._note_call(function, nodes)
        return True

    def _note_call(self, function: ast.Name, callees: set[ast.AST]) -> None:
        """Note the call of functions that may run in NumPy, and which names hold what they take apart and give back."""
        self.seen.add(function)
        self.made.note_calls(callees)
        if not all(self.computing[one].taken_apart for one in callees):
            return
        call = self.ctx.parents[function]
        self.apart |= {one.id for one in tree_walk(call) if isinstance(one, ast.Name)}
        statement = self.ctx.statement(function)
        self.apart |= stores(statement.targets) if isinstance(statement, ast.Assign) else set()

    def _callee(self, function: ast.expr) -> ast.AST | None:
        """The function of a module that is meant, where it is certain."""
        fact = self.fact(function)
        definitions = list({atom.definition for atom in fact if isinstance(atom, v.Function)})
        root = function
        while isinstance(root, ast.Attribute):
            root = root.value
        if (
            len(definitions) != 1
            or not v.only(fact, "function")
            or not isinstance(root, ast.Name)
            or root.id in self.bound
        ):
            return None
        if root is not function and not v.only(self.fact(root), "module"):
            return None
        return definitions[0].node if definitions[0].owner is None else None
