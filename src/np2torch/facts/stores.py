"""Places in a function body that may write the memory of arrays: visible stores, and calls that may do anything.

`aliases` and `effects` tell what is known to be written. This is the other direction, for proofs: a body without such a
store or call writes nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from np2torch.facts import values as v
from np2torch.facts.access_paths import STORING, WRITING_METHODS, FunctionNode
from np2torch.facts.alias_analysis import Aliases
from np2torch.facts.interpreter.definitions import FunctionDefinition
from np2torch.facts.interpreter.fixpoint import Interpreter
from np2torch.facts.mod_ref_summaries import ProjectAliases
from np2torch.facts.outputs import NO_MEMORY, runs_anything, written_arguments

REPLACED = (*NO_MEMORY, "scalar")
"""Kinds of values that an augmented assignment replaces by others, or that hold no memory of an array's."""
HARMLESS = ("numpy", "builtin", "method", "opaque", "dtype", "text", "number", "none", "module")
"""Kinds of callees that write no array but by `out=` and the writing methods, unless they are given functions."""
SWITCHING = (ast.Yield, ast.YieldFrom, ast.Await)
"""Expressions at which code of others runs."""


class Store(NamedTuple):
    """A place where memory may be written.

    Attributes
    ----------
    name
        The name or attribute by which it is reached; None for a call that may write anything.
    first, last
        The lines between which it happens.
    """

    name: str | None
    node: ast.AST
    first: int
    last: int


class Stores:
    """The stores of every function body of a project, found when they are asked for."""

    def __init__(self, engine: Interpreter, project: ProjectAliases) -> None:
        self.engine, self.project = engine, project
        self._found: dict[ast.AST, list[Store]] = {}
        self._quiet: dict[FunctionDefinition, bool] = {}
        self._under_way: list[ast.AST] = []

    def of(self, body: FunctionNode) -> list[Store]:
        """The stores in a body, functions that are defined in it left out."""
        if body not in self._found:
            self._under_way.append(body)
            self._found[body] = list(self._stores(self.project.of(body)))
            self._under_way.pop()
        return self._found[body]

    def is_quiet(self, function: FunctionDefinition) -> bool:
        """Tell whether a function writes only arrays that it makes itself, whatever it is called with."""
        if function not in self._quiet:
            aliases = self.project.of(function.node)
            quiet = not self._is_running(function)
            quiet = quiet and all(s.name is not None and aliases.is_always_own(s.name) for s in self.of(function.node))
            if self._under_way:
                return quiet
            self._quiet[function] = quiet
        return self._quiet[function]

    def _stores(self, aliases: Aliases) -> Iterator[Store]:
        for node in aliases.nodes:
            if isinstance(node, (ast.Subscript, ast.Attribute)) and not isinstance(node.ctx, ast.Load):
                yield from self._into(aliases, node.value, node, node)
            elif isinstance(node, ast.AugAssign):
                if not v.only(self._fact(node.target), *REPLACED):
                    yield from self._named(aliases, node.target, node)
            elif isinstance(node, ast.Call):
                yield from self._called(aliases, node)
            elif isinstance(node, SWITCHING):
                yield self._store(None, node)

    def _fact(self, node: ast.AST) -> v.Fact:
        return self.engine.facts.get(node) or v.TOP

    def _into(
        self, aliases: Aliases, owner: ast.expr, target: ast.Subscript | ast.Attribute, at: ast.AST
    ) -> Iterator[Store]:
        """A store into an item or attribute: of an array it writes memory, of an object it replaces a value."""
        fact = self._fact(owner)
        if isinstance(target, ast.Attribute) and not v.known_to_include(fact, "array", "unknown"):
            return
        if not v.only(fact, *NO_MEMORY):
            yield from self._named(aliases, owner, at)

    def _named(self, aliases: Aliases, target: ast.expr, at: ast.AST) -> Iterator[Store]:
        roots: list[str | None] = [*aliases.roots(target)] or [None]
        for root in roots:
            yield self._store(root, at)

    @staticmethod
    def _store(name: str | None, node: ast.AST) -> Store:
        line = getattr(node, "lineno", 0)
        return Store(name, node, line, getattr(node, "end_lineno", line) or line)

    def _called(self, aliases: Aliases, node: ast.Call) -> Iterator[Store]:
        for written in written_arguments(self.engine, node):
            yield from self._named(aliases, written, node)
        function = node.func
        if isinstance(function, ast.Attribute) and function.attr in WRITING_METHODS:
            if not v.only(self._fact(function.value), *NO_MEMORY):
                yield from self._named(aliases, function.value, node)
        if not self._is_known(node):
            yield self._store(None, node)
            return
        for name in aliases.names_written(node):
            yield self._store(name, node)

    def _is_known(self, node: ast.Call) -> bool:
        """Tell whether a call certainly writes only what the mod/ref summaries of its functions say."""
        fact = self._fact(node.func)
        if runs_anything(fact):
            return False
        callees = self.engine.callees.get(node, ())
        if not callees and isinstance(node.func, ast.Attribute) and node.func.attr in STORING:
            return True  # a container keeps its argument
        if v.known_to_include(fact, "unknown") or not callees and not v.only(fact, *HARMLESS, "class"):
            return False
        given = [self._fact(one) for one in (*node.args, *(k.value for k in node.keywords))]
        inside = [atom.definition for one in given for atom in one if isinstance(atom, v.Function)]
        return all(map(self.is_quiet, inside)) and all(map(self._runs_known, callees))

    def _runs_known(self, function: FunctionDefinition) -> bool:
        """Tell whether a function of the project calls nothing that may write anything."""
        if self._is_running(function):
            return self._under_way[-1] is function.node  # one that calls itself does what the rest of it does
        return all(one.name is not None for one in self.of(function.node))

    def _is_running(self, function: FunctionDefinition) -> bool:
        return function.node in self._under_way
