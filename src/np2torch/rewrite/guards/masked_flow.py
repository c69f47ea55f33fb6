"""The flow of the masked arrays of a project: from `numpy.ma` through names, attributes, calls and results.

A taint analysis that knows no paths: a name is tainted in all of its function, nested functions included, an attribute
in all objects. What gets out of sight (to functions that nobody knows) is lost: a guard refuses it aloud.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest

from np2torch.facts import values as v
from np2torch.facts.interpreter.definitions import FunctionDefinition
from np2torch.facts.ndarray_subclasses import masked_names, uses_masked
from np2torch.facts.reaching_values import takes_receiver
from np2torch.names.tree import called_name, dotted_name
from np2torch.names.tree import walk as tree_walk
from np2torch.rewrite.guards.worlds import nodes_of
from np2torch.rules.site import ModuleContext

UNMASKING = frozenset(
    "data mask shape dtype ndim size itemsize nbytes strides filled compressed tolist item count getdata getmask "
    "getmaskarray is_masked isMaskedArray isMA isarray".split()
)
"""Attributes, methods and functions of masked arrays that give something else."""
PLAIN = frozenset("float int bool complex str repr len isinstance type id hash print format range hasattr".split())
"""Functions of Python whose results are no arrays."""
MAKERS = frozenset(f"numpy.{name}" for name in "array asarray ascontiguousarray shape ndim size".split())
"""Functions of NumPy that leave the mask out."""
STORING = frozenset("append appendleft extend extendleft insert add update setdefault put fill".split())
"""Methods that keep in their object what they are given."""


class _Unit:
    """Code that shares its names: an outermost function with those nested in it, or all of a module outside of them.

    Attributes
    ----------
    upward
        Its nodes, those below first.
    speaking
        The nodes that stand for `numpy.ma`, or for something of it.
    words
        The names and attributes that it reads.
    looked_at
        The numbers of tainted names and functions known when it was looked at last.
    """

    def __init__(
        self, ctx: ModuleContext, nodes: Sequence[ast.AST], functions: Sequence[FunctionDefinition],
        of_masked: set[ast.AST],
    ) -> None:  # fmt: skip
        self.ctx = ctx
        self.upward = nodes[::-1]
        self.functions = functions
        self.speaking = of_masked.intersection(nodes)
        self.words = {_last_name(node) for node in nodes if isinstance(node, (ast.Name, ast.Attribute))}
        calls = (node for node in nodes if isinstance(node, ast.Call))
        self.callees = {one.node for call in calls for one in ctx.engine.callees.get(call, ())}
        self.names: set[str] = set()
        self.looked_at: tuple[int, ...] = ()
        self.is_reached = False

    @property
    def is_module(self) -> bool:
        """Tell whether it is the code of a module that is in no function."""
        return not self.functions


class MaskedFlow:
    """The functions of a project that a masked array may reach."""

    def __init__(self, contexts: Sequence[ModuleContext]) -> None:
        self.engine = contexts[0].engine
        self.attributes: set[str] = set()
        self.globals: set[str] = set()
        self.returning: set[ast.AST] = set()
        self.units = [unit for ctx in contexts for unit in _units(ctx)]
        self.unit_of = {one.node: unit for unit in self.units for one in unit.functions}
        self.methods: dict[str, list[FunctionDefinition]] = defaultdict(list)
        for function in self.engine.functions.values():
            if function.owner is not None:
                self.methods[function.name].append(function)

    def functions(self) -> set[ast.AST]:
        """Follow the arrays until nothing new is found."""
        before: object = None
        while before != (before := self._size()):
            for unit in self.units:
                self._pass(unit)
        return {one.node for unit in self.units if unit.is_reached for one in unit.functions}

    def _size(self) -> tuple[int, ...]:
        names = sum(len(unit.names) for unit in self.units)
        return names, len(self.attributes), len(self.globals), len(self.returning)

    def _pass(self, unit: _Unit) -> None:
        """Find the tainted nodes of a unit, those below first, and what becomes of them."""
        known = len(unit.names), len(self.attributes), len(self.globals), len(self.returning)
        if unit.looked_at == known or not self._may_have_some(unit):
            return
        unit.looked_at = known
        tainted: set[ast.AST] = set()
        for node in unit.upward:
            if self._is_tainted(unit, node, tainted):
                tainted.add(node)
        unit.is_reached = unit.is_reached or bool(tainted or unit.names)
        for node in unit.upward if tainted else ():
            self._follow(unit, node, tainted)

    def _may_have_some(self, unit: _Unit) -> bool:
        is_read = not (unit.words.isdisjoint(self.attributes) and unit.words.isdisjoint(self.globals))
        return bool(unit.speaking or unit.names) or is_read or not unit.callees.isdisjoint(self.returning)

    def _is_tainted(self, unit: _Unit, node: ast.AST, tainted: set[ast.AST]) -> bool:
        if node in unit.speaking:
            return True
        match node:
            case ast.Name(id=name, ctx=context):
                return isinstance(context, ast.Load) and (name in unit.names or name in self.globals)
            case ast.Attribute(attr=name, value=value, ctx=ast.Load()):
                return name in self.attributes or value in tainted and name not in UNMASKING
            case ast.Call():
                return self._gives_tainted(unit, node, tainted)
            case ast.JoinedStr() | ast.Lambda():
                return False
            case ast.expr() | ast.keyword():
                return any(child in tainted for child in ast.iter_child_nodes(node))
        return False

    def _gives_tainted(self, unit: _Unit, call: ast.Call, tainted: set[ast.AST]) -> bool:
        callees = self.engine.callees.get(call, ())
        if callees:
            return any(one.node in self.returning for one in callees)
        function = v.sole(unit.ctx.fact(call.func))
        if isinstance(function, v.Builtin) and function.name in PLAIN:
            return False
        if isinstance(function, v.Numpy) and function.name in MAKERS or called_name(call) in UNMASKING:
            return False
        return any(child in tainted for child in ast.iter_child_nodes(call))

    def _follow(self, unit: _Unit, node: ast.AST, tainted: set[ast.AST]) -> None:
        """Taint what is bound to a tainted value, given it or returned with it."""
        match node:
            case ast.Assign(targets=targets, value=value) if value in tainted:
                self._bind(unit, targets)
            case (
                ast.AnnAssign(target=target, value=value) | ast.AugAssign(target=target, value=value)
                | ast.NamedExpr(target=target, value=value) | ast.For(target=target, iter=value)
                | ast.AsyncFor(target=target, iter=value) | ast.comprehension(target=target, iter=value)
            ) if value in tainted:  # fmt: skip
                self._bind(unit, [target])
            case ast.withitem(context_expr=value, optional_vars=ast.expr() as target) if value in tainted:
                self._bind(unit, [target])
            case ast.Return(value=value) | ast.Yield(value=value) | ast.YieldFrom(value=value) if value in tainted:
                self.returning.update(one.node for one in unit.functions)
            case ast.Lambda(body=body) if body in tainted:
                self.returning.add(node)
            case ast.Call():
                self._pass_on(unit, node, tainted)

    def _pass_on(self, unit: _Unit, call: ast.Call, tainted: set[ast.AST]) -> None:
        """Taint the parameters of what is called with a tainted argument, and the object that keeps it."""
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        if tainted.isdisjoint(given):
            return
        callees: Iterable[FunctionDefinition] = self.engine.callees.get(call, ())
        name = called_name(call)
        if not callees:
            by_name = self.methods.get(name, ()) if isinstance(call.func, ast.Attribute) else ()
            callees = [*by_name, *(one for argument in given for one in _functions_in(unit.ctx.fact(argument)))]
            if name in STORING and isinstance(call.func, ast.Attribute):
                self._keep(unit, call.func.value)
        for callee in callees:
            if (reached := self.unit_of.get(callee.node)) is not None:
                is_explicit = callee.owner is not None and not callee.takes_class and _is_of_class(unit.ctx, call)
                reached.names.update(_reached_parameters(callee, call, call.args[is_explicit:], tainted))

    def _bind(self, unit: _Unit, targets: Sequence[ast.expr]) -> None:
        for node in (one for target in targets for one in tree_walk(target)):
            match node:
                case ast.Name(ctx=ast.Store()) | ast.Attribute(ctx=ast.Store()):
                    self._keep(unit, node)
                case ast.Subscript(ctx=ast.Store(), value=owner) if not v.only(unit.ctx.fact(owner), "array"):
                    self._keep(unit, owner)  # an array takes the values alone

    def _keep(self, unit: _Unit, owner: ast.expr) -> None:
        """Taint a name or an attribute that holds the value, or holds what holds it."""
        while isinstance(owner, ast.Subscript):
            owner = owner.value
        match owner:
            case ast.Attribute(attr=name):
                self.attributes.add(name)
            case ast.Name(id=name) if unit.is_module:
                self.globals.add(name)
                self.attributes.add(name)
            case ast.Name(id=name):
                unit.names.add(name)
                if any(isinstance(one, ast.Global) and name in one.names for one in unit.upward):
                    self.globals.add(name)
                    self.attributes.add(name)


def _units(ctx: ModuleContext) -> Iterator[_Unit]:
    """Share out the code of a module."""
    inside: set[ast.AST] = set()
    definitions: Mapping[ast.AST, FunctionDefinition] = {one.node: one for one in ctx.module.functions}
    whole = tree_walk(ctx.module.tree)
    speaking = _speaking_of_masked(ctx, whole)
    for node in whole:
        if node in definitions and node not in inside:
            nodes = nodes_of(node)
            inside.update(nodes)
            yield _Unit(ctx, nodes, [definitions[one] for one in nodes if one in definitions], speaking)
    yield _Unit(ctx, [node for node in whole if node not in inside], (), speaking)


def _speaking_of_masked(ctx: ModuleContext, nodes: Iterable[ast.AST]) -> set[ast.AST]:
    """Give the nodes of a module that stand for `numpy.ma`, or for something of it, by any name."""
    if not uses_masked(ctx.module.tree):
        return set()
    imported = set(masked_names(ctx.module.tree))
    named = (node for node in nodes if isinstance(node, (ast.Name, ast.Attribute)))
    return {node for node in named if _is_masked(ctx, node, imported)}


def _is_masked(ctx: ModuleContext, node: ast.Name | ast.Attribute, imported: set[str]) -> bool:
    if isinstance(node, ast.Name) and node.id in imported and isinstance(node.ctx, ast.Load):
        return True
    modules = (atom.name for atom in ctx.fact(node) if isinstance(atom, (v.Module, v.Numpy)))
    return any(f"{name}.".startswith("numpy.ma.") for name in modules) or dotted_name(node) in ("np.ma", "numpy.ma")


def _functions_in(fact: v.Fact) -> Iterator[FunctionDefinition]:
    yield from (atom.definition for atom in fact if isinstance(atom, v.Function))


def _is_of_class(ctx: ModuleContext, call: ast.Call) -> bool:
    """Tell a call of a method by its class, which is given the object too: `Base.update(self, x)`."""
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    return owner is not None and any(isinstance(atom, v.Class) for atom in ctx.fact(owner))


def _reached_parameters(
    function: FunctionDefinition, call: ast.Call, passed: Sequence[ast.expr], tainted: set[ast.AST]
) -> Iterator[str]:
    """The parameters that get a tainted argument: all, where it is not plain which argument goes to which."""
    first = takes_receiver(function)
    rest = function.parameters[len(function.named_parameters) :]
    is_plain = not any(isinstance(one, ast.Starred) for one in call.args) and all(one.arg for one in call.keywords)
    if not is_plain or not _calls_by_name(function, call):
        yield from function.parameters[first:]
        return
    given = [*zip_longest(passed, function.positional[first:])][: len(passed)]
    given += [(one.value, one.arg if one.arg in function.named_parameters else None) for one in call.keywords]
    for argument, name in given:
        if argument in tainted:
            yield from [name] if name else rest


def _calls_by_name(function: FunctionDefinition, call: ast.Call) -> bool:
    """Tell whether a call gives its arguments to this function itself: by its name, or by that of its class."""
    name = called_name(call)
    return name == function.name or function.owner is not None and function.name == "__init__"


def _last_name(node: ast.Name | ast.Attribute) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr
