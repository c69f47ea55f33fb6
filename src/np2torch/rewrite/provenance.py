"""Provenance of facts: found again after the analysis, from the tree, the calls and the evidence."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from np2torch.facts import notation
from np2torch.facts import values as v
from np2torch.facts.evidence import RETURN, Evidence
from np2torch.facts.interpreter.definitions import FunctionDefinition, ModuleInfo
from np2torch.facts.interpreter.fixpoint import Interpreter
from np2torch.names.tree import dotted_name
from np2torch.names.tree import walk as tree_walk
from np2torch.rules.site import ModuleContext, source_of
from np2torch.source.model import Origin
from np2torch.source.paths import display_path

MOST = 6
"""Places of one kind that are named at most."""


class Root(NamedTuple):
    """The place whose type would have to be stated for an expression to be known: in words, and by name."""

    what: str
    place: str
    name: str


class Origins:
    """The provenance of the facts of an analysed project."""

    def __init__(self, engine: Interpreter, infos: Iterable[ModuleInfo]) -> None:
        self.engine = engine
        self.calls: dict[FunctionDefinition, list[tuple[ModuleInfo, ast.Call]]] = {}
        self.stores: dict[str, list[tuple[ModuleInfo, ast.Attribute]]] = {}
        for info in infos:
            for node in tree_walk(info.tree):
                if isinstance(node, ast.Call):
                    for function in self._callees(node):
                        self.calls.setdefault(function, []).append((info, node))
                elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                    self.stores.setdefault(node.attr, []).append((info, node))

    def _callees(self, node: ast.Call) -> Iterator[FunctionDefinition]:
        for atom in self.engine.facts.get(node.func, ()):
            found = None
            if isinstance(atom, v.Function):
                found = atom.definition
            elif isinstance(atom, (v.Class, v.Instance)):
                found = atom.definition.find("__init__" if isinstance(atom, v.Class) else "__call__")
            if found is not None:
                yield found

    # ------------------------------------------------------------------------------------------ by kind of node
    def of(self, ctx: ModuleContext, node: ast.expr) -> list[Origin]:
        """Why what is known of an expression is known."""
        if isinstance(node, ast.Name):
            return list(self._of_name(ctx, node))
        if isinstance(node, ast.Attribute):
            return list(self._of_attribute(ctx, node))
        if isinstance(node, ast.Call):
            return list(self._of_call(ctx, node))
        if isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Compare)):
            return [Origin("table", "", "NumPy's results of the operator for these operands (NEP 50)")]
        if isinstance(node, ast.Subscript):
            return [Origin("indexing", "", f"a part of `{source_of(node.value)}`")]
        if isinstance(node, (ast.List, ast.Tuple, ast.Dict, ast.Set, ast.ListComp, ast.JoinedStr)):
            return [Origin("literal", _place(ctx.module, node), source_of(node))]
        if isinstance(node, (ast.IfExp, ast.BoolOp)):
            return [Origin("alternatives", "", "either of its parts")]
        return []

    def _of_name(self, ctx: ModuleContext, node: ast.Name) -> Iterator[Origin]:
        kind, owner = scope_of(ctx, node)
        if kind == "parameter":
            yield from self.of_parameter(owner, node.id, ctx.module)
        elif kind == "bound":
            for target in owner[:MOST]:
                statement = ctx.statement(target)
                words = ast.unparse(statement).splitlines()[0] if statement is not None else node.id
                yield Origin("assignment", _place(ctx.module, target), words)
                yield from _said(ctx.module, ctx.module.stated.get(target))
        elif kind == "imported":
            yield Origin("import", _place(ctx.module, owner), ast.unparse(owner))

    def of_parameter(self, function: FunctionDefinition, name: str, info: ModuleInfo) -> Iterator[Origin]:
        """Give the origins of the fact of a parameter: its calls, its default, its evidence."""
        yield Origin("parameter", _place(info, function.node), f"{name} of {function.name}")
        if function.owner is not None and not function.is_static and name == function.parameters[0]:
            return  # the instance it is called on
        calls = self.calls.get(function, [])
        for module, call in calls[:MOST]:
            argument = passed_values(function, call, name)
            fact = notation.show_fact(self.engine.facts.get(argument, v.TOP)) if argument is not None else ""
            yield Origin("call", _place(module, call), source_of(call), fact or "the default, or not seen")
        if len(calls) > MOST:
            yield Origin("call", "", f"and {len(calls) - MOST} more calls")
        if not calls:
            yield Origin("call", "", "nothing in the files given calls it")
        if name in function.defaults:
            yield Origin("default", _place(info, function.node), name, notation.show_fact(function.defaults[name]))
        yield from _said(info, function.evidence.get(name))

    def _of_attribute(self, ctx: ModuleContext, node: ast.Attribute) -> Iterator[Origin]:
        owner = ctx.fact(node.value)
        classes = [atom.definition for atom in owner if isinstance(atom, (v.Instance, v.Class))]
        if classes:
            bodies = {id(child) for class_ in classes for one in class_.lineage() for child in tree_walk(one.node)}
            inside = [(info, store) for info, store in self.stores.get(node.attr, ()) if id(store) in bodies]
            for info, store in inside[:MOST]:
                yield Origin("attribute", _place(info, store), f"{dotted_name(store) or node.attr} is set")
                yield from _said(info, info.stated.get(store))
            method = classes[0].find(node.attr)
            if method is not None:
                yield Origin("method", _place(method.module, method.node), method.name)
        elif v.known_to_include(owner, "array", "scalar"):
            yield Origin("table", "", f"attribute of the array `{source_of(node.value)}`")

    def _of_call(self, ctx: ModuleContext, node: ast.Call) -> Iterator[Origin]:
        for atom in ctx.fact(node.func):
            if isinstance(atom, v.Function):
                function = atom.definition
                yield Origin("result", _place(function.module, function.node), f"what {function.name} returns")
                yield from _said(function.module, function.evidence.get(RETURN))
            elif isinstance(atom, v.Class):
                yield Origin("result", _place(atom.definition.module, atom.definition.node), "an instance")
            elif isinstance(atom, v.Numpy):
                yield Origin("table", "", f"what {atom.name} returns for these arguments")
            elif isinstance(atom, v.Method):
                yield Origin("table", "", f"what the method {atom.name} returns on {notation.show_fact(atom.owner)}")
            elif isinstance(atom, v.Opaque) and atom.origin:
                yield Origin("library", "", f"{atom.origin}, which is not part of the files given")
            elif isinstance(atom, v.Top):
                yield Origin("unknown", "", f"`{source_of(node.func)}` is not known")

    # ----------------------------------------------------------------------------------------------- remedies
    def root(self, ctx: ModuleContext, node: ast.expr) -> Root | None:
        """Find the place whose type has to be stated so that this expression is known; None if it has no name."""
        if isinstance(node, ast.Name):
            kind, owner = scope_of(ctx, node)
            if kind == "parameter":
                return Root(f"parameter {node.id} of {owner.name}", _place(ctx.module, owner.node), node.id)
            if kind == "bound":
                return Root(f"the assignment of {node.id}", _place(ctx.module, owner[-1]), node.id)
        if isinstance(node, ast.Attribute) and (name := dotted_name(node)) is not None:
            origins = [origin for origin in self._of_attribute(ctx, node) if origin.kind == "attribute"]
            if origins:
                return Root(f"the assignment of {name}", origins[-1].place, f"self.{node.attr}")
        if isinstance(node, ast.Call):
            origins = [origin for origin in self._of_call(ctx, node) if origin.kind == "result"]
            if origins:
                return Root(f"the result of {source_of(node.func)}", origins[0].place, RETURN)
        return None


def scope_of(ctx: ModuleContext, node: ast.Name) -> tuple[str, Any]:
    """Find what binds a name: a parameter (of a function), assignments (targets), an import (a statement), nothing."""
    body: ast.AST | None = ctx.function(node)
    while body is not None:
        function = ctx.engine.functions.get(body)
        if function is not None and node.id in function.parameters:
            return "parameter", function
        inside = [child for child in tree_walk(body) if _scope(ctx, child) is body]
        targets = [n for n in inside if isinstance(n, ast.Name) and n.id == node.id and isinstance(n.ctx, ast.Store)]
        if targets:
            return "bound", targets
        for child in inside:
            if isinstance(child, (ast.Import, ast.ImportFrom)):
                if any((alias.asname or alias.name.split(".")[0]) == node.id for alias in child.names):
                    return "imported", child
        body = None if isinstance(body, ast.Module) else ctx.function(body)
    return "nothing", None


def _scope(ctx: ModuleContext, node: ast.AST) -> ast.AST:
    found: ast.AST = ctx.function(node)
    return found


def passed_values(function: FunctionDefinition, call: ast.Call, name: str) -> ast.expr | None:
    """The argument a call passes for a parameter; None for the default, or where stars hide it."""
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    names = function.positional
    if function.owner is not None and not function.is_static:
        names = names[1:]
    if name not in names or any(isinstance(argument, ast.Starred) for argument in call.args):
        return None
    index = names.index(name)
    return call.args[index] if index < len(call.args) else None


def _said(info: ModuleInfo, evidence: Evidence | None) -> Iterator[Origin]:
    path = display_path(Path(info.path))
    for source in [one for one in evidence.sources if one.fact] if evidence is not None else ():
        yield Origin(source.kind, f"{path}:{source.line}", source.text, notation.show_fact(source.fact))


def _place(info: ModuleInfo, node: ast.AST) -> str:
    return f"{display_path(Path(info.path))}:{getattr(node, 'lineno', 1)}"
