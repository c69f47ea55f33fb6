"""Calls: of NumPy, of the project's functions and classes, of builtins, of methods."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from np2torch.facts import values as v
from np2torch.facts.arguments import Argument, Arguments
from np2torch.facts.interpreter.builtins import BUILTINS
from np2torch.facts.interpreter.definitions import FunctionDefinition
from np2torch.facts.interpreter.iteration import iterate
from np2torch.facts.interpreter.methods import call_method
from np2torch.facts.libraries import gives_back

if TYPE_CHECKING:
    from np2torch.facts.interpreter.frame import Frame


def call(frame: Frame, node: ast.Call) -> v.Fact:
    """The fact of a call."""
    function = frame.eval(node.func)
    arguments = Arguments()
    for argument in node.args:
        fact = frame.eval(argument)
        if isinstance(argument, ast.Starred):
            items = v.items_of(fact)
            if items is not None:
                arguments.positional += [Argument(None, item) for item in items]
                arguments.starred = True
            else:
                arguments.starred = True
                arguments.positional.append(Argument(None, iterate(frame, fact)))
        else:
            arguments.positional.append(Argument(argument, fact))
    for keyword in node.keywords:
        fact = frame.eval(keyword.value)
        if keyword.arg is None:
            arguments.starred = True
        else:
            arguments.keywords[keyword.arg] = Argument(keyword.value, fact)
    parts = [call_atom(frame, node, atom, arguments) for atom in function]
    return v.join(*parts) if parts else v.BOTTOM


def call_atom(frame: Frame, node: ast.Call, atom: v.Atom, arguments: Arguments) -> v.Fact:
    engine = frame.engine
    if isinstance(atom, v.Function):
        engine.callees[node].add(atom.definition)
        if stays_numpy(frame.function) and not stays_numpy(atom.definition):
            arguments = _crossing(arguments)
        return engine.apply(atom.definition, bind_parameters(atom.definition, arguments, v.one(atom.bound) if atom.bound else None))
    if isinstance(atom, v.Numpy):
        arguments.escape()
        return engine.api.call(atom.name, arguments)
    if isinstance(atom, v.Class):
        return engine.construct(atom.definition, arguments, bind_parameters)
    if isinstance(atom, v.Instance):
        method = atom.definition.find("__call__")
        if method is not None:
            engine.callees[node].add(method)
            return engine.apply(method, bind_parameters(method, arguments, v.one(atom)))
        return v.UNKNOWN
    if isinstance(atom, v.Method):
        return call_method(frame, node, atom, arguments)
    if isinstance(atom, v.Builtin):
        handler = BUILTINS.get(atom.name)
        if handler is not None:
            return handler(frame, node, arguments)
        arguments.escape()
        return v.OPAQUE
    if isinstance(atom, v.Foreign):
        return v.one(atom)
    arguments.escape()
    if isinstance(atom, v.Opaque):
        return gives_back(atom.origin, arguments)
    return v.UNKNOWN


def stays_numpy(function: FunctionDefinition | None) -> bool:
    """Is it a method of a subclass of ndarray, which stays on NumPy whole?"""
    return function is not None and function.owner is not None and function.owner.stays_numpy()


def _crossing(arguments: Arguments) -> Arguments:
    """Arguments on their way from a class that stays on NumPy into converted code: a boundary makes them tensors."""

    def cross(argument: Argument) -> Argument:
        fact = v.join(*(v.ARRAY if isinstance(a, v.Foreign) else v.one(a) for a in argument.fact)) if argument.fact else argument.fact
        return Argument(argument.node, fact)

    keywords = {name: cross(a) for name, a in arguments.keywords.items()}
    return Arguments([cross(a) for a in arguments.positional], keywords, arguments.starred)


def bind_parameters(function: FunctionDefinition, arguments: Arguments, receiver: v.Fact | None = None) -> dict[str, v.Fact]:
    """Facts of a project function's parameters for this call; those not passed are left out."""
    positional = [a.fact for a in arguments.positional]
    names = [p.arg for p in function.parameters()]
    if receiver is not None and not function.is_static:
        positional = [receiver, *positional]
    bound: dict[str, v.Fact] = {}
    stars = arguments.starred
    for index, name in enumerate(names):
        if index < len(positional):
            bound[name] = positional[index]
        elif stars and name not in arguments.keywords:
            bound[name] = v.UNKNOWN
    arguments_node = function.node.args
    if arguments_node.vararg is not None:
        rest = positional[len(names) :]
        bound[arguments_node.vararg.arg] = v.one(
            v.Sequence("tuple", None, v.UNKNOWN) if stars else v.Sequence("tuple", tuple(rest))
        )
    known = {*names, *(a.arg for a in arguments_node.kwonlyargs)}
    extra = []
    for name, argument in arguments.keywords.items():
        if name in known:
            bound[name] = argument.fact
        else:
            extra.append(argument.fact)
    if arguments_node.kwarg is not None:
        bound[arguments_node.kwarg.arg] = v.UNKNOWN
    if stars:
        for only in arguments_node.kwonlyargs:
            bound.setdefault(only.arg, v.UNKNOWN)
    return bound
