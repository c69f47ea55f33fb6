"""The arguments that a call writes, for functions of NumPy and of the standard library."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from np2torch.facts import stdlib
from np2torch.facts import values as v
from np2torch.facts.access_paths import writes_first
from np2torch.facts.interpreter.fixpoint import Interpreter

NO_MEMORY = ("number", "text", "none", "sequence", "mapping", "iterator", "module", "dtype", "function", "class")
"""Kinds of values that hold no memory of an array's themselves: to store into them writes none."""


def written_arguments(engine: Interpreter, call: ast.Call) -> Iterator[ast.expr]:
    """Yield the arrays a call writes: `out=`, an `out` given by place, the first argument of `np.copyto`, `setitem`."""
    for one in _written(engine, call):
        if not v.only(engine.facts.get(one, v.TOP), *NO_MEMORY):
            yield one


def _written(engine: Interpreter, call: ast.Call) -> Iterator[ast.expr]:
    for keyword in call.keywords:
        if keyword.arg == "out":
            yield from _each(keyword.value)
    if writes_first(call):
        yield call.args[0]
    for atom in engine.facts.get(call.func, v.TOP):
        place = _place(engine, atom)
        if place is not None and place < len(call.args):
            yield from _each(call.args[place])


def makes_new(fact: v.Fact) -> bool:
    """Tell whether it is a built-in function whose result is a new object, and no part of its arguments."""
    return bool(fact) and all(isinstance(atom, v.Builtin) and atom.name in stdlib.COMPUTING for atom in fact)


def runs_anything(fact: v.Fact) -> bool:
    """Tell whether it is a function that runs a text as code, as `exec` does."""
    return any(isinstance(atom, v.Builtin) and atom.name in stdlib.RUNNING for atom in fact)


def _each(node: ast.expr) -> Iterator[ast.expr]:
    """Yield the arrays of `out=(a, b)`."""
    yield from node.elts if isinstance(node, (ast.Tuple, ast.List)) else [node]


def _place(engine: Interpreter, atom: v.Atom) -> int | None:
    """Find the place of the argument that a function writes."""
    match atom:
        case v.Numpy(name=name):
            return engine.api.place_of_out(name, is_method=False)
        case v.Method(name=name):
            return engine.api.place_of_out(name, is_method=True)
        case v.Builtin(name=name) | v.Opaque(origin=name):
            return stdlib.WRITING.get(name)
    return None
