"""What is known after a call because it came back: a function that raises for other arguments tells what they are.

Where a body does not bind a parameter again, what the parameter may be at the ends of the body is what the argument may
be after the call; and the attributes it knows of an object by then (`self.x`) the caller knows too.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from np2torch.facts import values as v
from np2torch.names.tree import dotted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from np2torch.facts.interpreter.contexts import Context
    from np2torch.facts.interpreter.definitions import FunctionDefinition, FunctionNode
    from np2torch.facts.interpreter.frame import Frame


def steady(node: FunctionNode, nodes: Sequence[ast.AST]) -> frozenset[str]:
    """The parameters that a body never binds again, where it may raise."""
    if not any(isinstance(one, (ast.Raise, ast.Assert)) for one in nodes):
        return frozenset()
    bound = {one.id for one in nodes if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load)}
    return frozenset(one.arg for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)) - bound


def note(frame: Frame) -> None:
    """The body ends here."""
    context, names = frame.context, frame.function.steady if frame.function is not None else frozenset()
    if not names:
        return
    here = {key: fact for key, fact in frame.env.items() if key.split(".", 1)[0] in names}
    past = context.exits
    if past is not None:
        here = {key: v.join(past[key], here[key]) for key in past if key in here}
    if here != past:
        context.exits = here


def learn(frame: Frame, node: ast.Call, function: FunctionDefinition, receiver: bool, context: Context) -> None:
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
        path = dotted(argument)
        if path is None or name not in known:
            continue
        fact = frame.env.get(path) or frame.facts.get(argument, v.UNKNOWN)
        left = _met(fact, known[name])
        if left and left != fact:
            frame.know(path, left)
        for key, inside in known.items():
            if key.startswith(name + "."):
                frame.know(path + key[len(name) :], inside)


def _met(fact: v.Fact, told: v.Fact) -> v.Fact:
    """The alternatives that are among those told; of arrays the ranks."""
    if v.known_to_include(told, "unknown"):
        return fact
    arrays = v.sole(v.keep(told, lambda atom: atom.kind == "array"))
    kinds, kept = v.kinds(told), []
    for atom in fact:
        if isinstance(atom, v.Array) and isinstance(arrays, v.Array) and arrays.ranks is not None:
            ranks = arrays.ranks if atom.ranks is None else atom.ranks & arrays.ranks
            if ranks:
                kept.append(v.one(v.Array(atom.dtypes, ranks)))
        elif isinstance(atom, v.Anything):
            return fact
        elif atom.kind in kinds:
            kept.append(v.one(atom))
    return v.join(*kept) if kept else v.BOTTOM
