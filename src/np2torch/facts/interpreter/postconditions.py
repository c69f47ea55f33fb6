"""Postconditions: a function that raises for other arguments tells what they are by coming back.

The facts of a parameter at the ends of the body, or where the body binds it again, are the facts of the argument after
the call; the caller also knows the attributes that the body knows of an object by then (`self.x`).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from np2torch.facts import values as v
from np2torch.facts.interpreter.reflection import fact_of, path_of
from np2torch.names.tree import Nodes, named_parameters
from np2torch.names.tree import walk as tree_walk

if TYPE_CHECKING:
    from np2torch.facts.interpreter.contexts import CallContext
    from np2torch.facts.interpreter.definitions import FunctionDefinition
    from np2torch.facts.interpreter.environment import FunctionNode
    from np2torch.facts.interpreter.protocols import Frame


def may_raise(nodes: Nodes) -> bool:
    """Tell whether a body raises, or calls a function that may be there only to raise."""
    raises = bool(nodes.of(ast.Raise)) or bool(nodes.of(ast.Assert))
    return raises or any(isinstance(one.value, ast.Call) for one in nodes.of(ast.Expr))


def steady(node: FunctionNode, nodes: Nodes) -> frozenset[str]:
    """The parameters that a body never binds again."""
    return frozenset(one.arg for one in named_parameters(node)) - {one.id for one in _bindings(nodes)}


def rebinding(node: FunctionNode, nodes: Nodes) -> dict[ast.stmt, frozenset[str]]:
    """The assignments of a body itself, not of a block in it, that are the first to bind these parameters again."""
    if isinstance(node, ast.Lambda):
        return {}
    bound = sorted(_bindings(nodes), key=lambda one: (one.lineno, one.col_offset), reverse=True)
    first = {one.id: one for one in bound}
    named = {one.arg for one in named_parameters(node)} & set(first)
    found = {}
    for statement in node.body:
        if isinstance(statement, ast.Assign):
            parts = [part for target in statement.targets for part in tree_walk(target)]
            if names := frozenset(one.id for one in parts if isinstance(one, ast.Name) and first.get(one.id) is one):
                found[statement] = names & named
    return {statement: names for statement, names in found.items() if names}


def _bindings(nodes: Nodes) -> list[ast.Name]:
    return [one for one in nodes.of(ast.Name) if not isinstance(one.ctx, ast.Load)]


def settle(frame: Frame, statement: ast.stmt) -> None:
    """Note the facts of parameters before they are bound again: the postcondition of the arguments."""
    if frame.function is not None:
        for name in frame.function.rebinding.get(statement, ()):
            frame.settled[name] = frame.env.get(name, v.TOP)


def note(frame: Frame) -> None:
    """Join what the parameters may be here into the postcondition, where the body ends."""
    context, function = frame.context, frame.function
    if function is None or not function.steady and not function.rebinding:
        return
    names = function.steady.union(*function.rebinding.values()) - frame.settled.keys()
    here = {key: fact for key, fact in frame.env.items() if key.split(".", 1)[0] in names} | frame.settled
    past = context.exits
    if past is not None:
        here = {key: v.join(past[key], here[key]) for key in past if key in here}
    if here != past:
        context.come_back(here)


def learn(frame: Frame, node: ast.Call, function: FunctionDefinition, receiver: bool, context: CallContext) -> None:
    """Take over what the call tells of the names and attributes that it was given."""
    known = context.exits
    if not known or context.running:
        return
    names = function.positional
    given: list[tuple[str, ast.expr]] = []
    if receiver and not function.is_static and isinstance(node.func, ast.Attribute) and names:
        given.append((names[0], node.func.value))
    if any(isinstance(argument, ast.Starred) for argument in node.args):
        return
    given += zip(names[len(given) :], node.args, strict=False)
    given += [(keyword.arg, keyword.value) for keyword in node.keywords if keyword.arg is not None]
    for name, argument in given:
        path = path_of(frame, argument)
        if path is None or name not in known:
            continue
        fact = frame.env.get(path) or fact_of(frame, argument)
        left = _met(fact, known[name], name not in function.evidence)  # which fills in what is not known
        if left and left != fact:
            frame.know(path, left)
        for key, inside in known.items():
            if key.startswith(name + "."):
                frame.know(path + key[len(name) :], inside)


def _met(fact: v.Fact, told: v.Fact, dtypes: bool = True) -> v.Fact:
    """The alternatives that are among those told; of arrays the ranks and `dtypes`, of lists the elements."""
    if v.known_to_include(told, "unknown"):
        return fact
    kinds, kept = v.kinds(told), []
    for atom in fact:
        if isinstance(atom, v.Top):
            return fact
        if isinstance(atom, (v.Array, v.Scalar)):
            kept += [_of_array(atom, one, dtypes) for one in told]
        elif isinstance(atom, v.Sequence):
            kept += [_of_sequence(atom, one, dtypes) for one in told]
        elif atom.kind in kinds:
            kept.append(v.one(atom))
    return v.join(v.BOTTOM, *kept)


def _of_array(atom: v.Array | v.Scalar, told: v.Atom, dtypes: bool) -> v.Fact:
    if isinstance(atom, v.Array) and isinstance(told, v.Array):
        ranks = atom.ranks if told.ranks is None else told.ranks if atom.ranks is None else atom.ranks & told.ranks
        if ranks is not None and not ranks:
            return v.BOTTOM
        atom = atom._replace(ranks=ranks)
    elif atom.kind != told.kind:
        return v.BOTTOM
    said = told.dtypes if isinstance(told, (v.Array, v.Scalar)) and dtypes else None
    if said is None or atom.dtypes is None:
        return v.one(atom)
    return v.one(atom._replace(dtypes=atom.dtypes & said)) if atom.dtypes & said else v.BOTTOM


def _of_sequence(atom: v.Sequence, told: v.Atom, dtypes: bool) -> v.Fact:
    if not isinstance(told, v.Sequence) or told.type != atom.type:
        return v.BOTTOM
    if atom.site != told.site and v.MANY_SITES not in (atom.site, told.site):
        return v.BOTTOM
    inside = v.elements(told)
    if atom.items is None:
        left = _met(atom.element, inside, dtypes)
        if left or not atom.element:
            return v.one(atom.of(left) if left != atom.element else atom)
        return v.BOTTOM if atom.has_items else v.one(v.Sequence(atom.type, (), site=atom.site))
    each = told.items if told.items is not None and len(told.items) == len(atom.items) else [inside] * len(atom.items)
    items = [_met(item, one, dtypes) for item, one in zip(atom.items, each, strict=True)]
    if not all(left or not item for left, item in zip(items, atom.items, strict=True)):
        return v.BOTTOM
    return v.one(atom.holding(*items) if tuple(items) != atom.items else atom)
