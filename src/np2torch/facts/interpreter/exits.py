"""What is known after a call because it came back: a function that raises for other arguments tells what they are.

Where a body does not bind a parameter again, what the parameter may be at the ends of the body is what the argument may
be after the call; and the attributes it knows of an object by then (`self.x`) the caller knows too.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from np2torch.facts import values as v
from np2torch.facts.interpreter.reflection import fact_of, path_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from np2torch.facts.interpreter.contexts import Context
    from np2torch.facts.interpreter.definitions import FunctionDefinition, FunctionNode
    from np2torch.facts.interpreter.frame import Frame


RAISING = (ast.Raise, ast.Assert)


def steady(node: FunctionNode, nodes: Sequence[ast.AST]) -> frozenset[str]:
    """The parameters that a body never binds again, where it raises, or calls what may only be there to raise."""
    if not any(
        isinstance(one, RAISING) or isinstance(one, ast.Expr) and isinstance(one.value, ast.Call) for one in nodes
    ):
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
        if isinstance(atom, v.Anything):
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
