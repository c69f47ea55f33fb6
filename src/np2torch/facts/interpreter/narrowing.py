"""What a condition says of the names it tests."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from np2torch.facts import values as v
from np2torch.names.tree import dotted

if TYPE_CHECKING:
    from np2torch.facts.interpreter.frame import Frame


def _is_known(fact: v.Fact) -> bool:
    """Is every alternative known, so that a test that leaves none is never taken?"""
    return bool(fact) and not any(isinstance(atom, v.Anything) for atom in fact)


def narrow(frame: Frame, test: ast.expr, truth: bool) -> None:
    """Use what a condition says of names: `is None`, `isinstance`, `not`, `and`."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        narrow(frame, test.operand, not truth)
    elif isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And if truth else ast.Or):
        for value in test.values:
            narrow(frame, value, truth)
    elif isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], (ast.Is, ast.IsNot)):
        right = test.comparators[0]
        key = dotted(test.left)
        if key and isinstance(right, ast.Constant) and right.value is None:
            is_none = isinstance(test.ops[0], ast.Is) == truth
            fact = frame.facts.get(test.left, v.UNKNOWN)
            kept = v.keep(fact, lambda atom: (atom.kind == "none") == is_none or atom.kind == "unknown" and not is_none)
            if not kept and is_none != (fact == v.NONE) and _is_known(fact):
                frame.impossible = True
            frame.env[key] = v.NONE if is_none else kept or fact
    elif isinstance(test, ast.Call) and isinstance(test.func, ast.Name) and test.func.id == "isinstance":
        if len(test.args) == 2 and (key := dotted(test.args[0])):
            _narrow_isinstance(frame, key, test.args[0], test.args[1], truth)


def _narrow_isinstance(frame: Frame, key: str, node: ast.expr, types: ast.expr, truth: bool) -> None:
    fact = frame.facts.get(node, v.UNKNOWN)
    wanted = types.elts if isinstance(types, ast.Tuple) else [types]
    named = [ast.unparse(t).split(".")[-1] for t in wanted]
    if named == ["ndarray"]:
        if truth:
            arrays = v.keep(fact, lambda atom: atom.kind in ("array", "foreign"))
            frame.env[key] = arrays or (v.ARRAY if v.may(fact, "array") else fact)
        else:
            frame.env[key] = v.keep(fact, lambda atom: atom.kind != "array") or fact
    elif all(name in ("list", "tuple", "str", "dict") for name in named):
        of = {"list": "sequence", "tuple": "sequence", "str": "text", "dict": "mapping"}
        if truth:
            kept = v.keep(fact, lambda atom: atom.kind in {of[name] for name in named})
            if kept or named == ["str"]:
                frame.env[key] = kept or v.TEXT
        else:
            gone = {of[name] for name in named}
            sequences = {name for name in named if of[name] == "sequence"}

            def stays(atom: v.Atom) -> bool:
                return atom.kind not in gone or isinstance(atom, v.Sequence) and atom.type not in sequences

            frame.env[key] = v.keep(fact, stays) or fact
