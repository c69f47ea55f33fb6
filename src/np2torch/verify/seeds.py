"""Inputs to begin with: those of recorded calls, and those of examples in docstrings."""

from __future__ import annotations

import ast
import doctest
import math
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from np2torch.verify.calls import Call
from np2torch.verify.decode import unpack
from np2torch.verify.draw import DEFAULT
from np2torch.verify.pairs import Parameter

MOST_SEEDS = 8
LARGEST = 10_000
MAKERS = frozenset((
    "array", "asarray", "arange", "linspace", "zeros", "ones", "eye", "identity", "full", "diag", "float32", "float64",
    "int32", "int64", "deg2rad", "radians", "sin", "cos", "sqrt", "exp", "abs", "vstack", "hstack", "column_stack",
))  # fmt: skip
"""Functions of NumPy that examples make their inputs with."""
VALUES = {"pi": math.pi, "e": math.e, "inf": math.inf, "nan": math.nan, "newaxis": None}
DTYPES = frozenset(("float", "int", "bool", "complex"))
OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
}  # fmt: skip
Values = tuple[Any, ...]


class UnknownError(ValueError):
    """An expression of which no value is made here."""


def of_call(call: Call, constructor: Sequence[Parameter] | None, own: Sequence[Parameter]) -> Values | None:
    """The values of all parameters of a recorded call; None where other calls were made before it."""
    if len(call.steps) != (1 if constructor is None else 2):
        return None
    try:
        values = iter(unpack(call.packed, False, _nothing))
    except (TypeError, ValueError, AttributeError):
        return None
    found: list[Any] = []
    for step, parameters in zip(call.steps, [own] if constructor is None else [constructor, own], strict=True):
        args = [next(values) for _ in range(step.positional)]
        named = {name: next(values) for name in step.keywords}
        placed = arrange(parameters, args, named)
        if placed is None:
            return None
        found += placed
    return tuple(found)


def _nothing(module: str, name: str) -> Any:
    raise TypeError(f"{module}.{name} is not imported here")


def arrange(parameters: Sequence[Parameter], args: Sequence[Any], named: Mapping[str, Any]) -> list[Any] | None:
    """Arguments by parameter; None where they do not fit."""
    left, rest, found = list(args), dict(named), list[Any]()
    for one in parameters:
        if one.kind == "*":
            found.append(tuple(left))
            left = []
        elif one.kind == "positional" and left:
            found.append(left.pop(0))
        elif one.name in rest:
            found.append(rest.pop(one.name))
        elif one.default is not None:
            found.append(DEFAULT)
        else:
            return None
    return found if not left and not rest else None


def of_examples(docstring: str, name: str, parameters: Sequence[Parameter]) -> Iterator[Values]:
    """Find the inputs of a function in the examples of its docstring, as far as they are written out."""
    known: dict[str, Any] = {}
    try:
        examples = doctest.DocTestParser().get_examples(docstring)
    except ValueError:
        return
    for example in examples:
        try:
            tree = ast.parse(example.source)
        except (SyntaxError, ValueError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and _last(node.func) == name:
                try:
                    args = [_value(one, known) for one in node.args]
                    named = {str(one.arg): _value(one.value, known) for one in node.keywords}
                except Exception:  # whatever its arithmetic raises
                    continue
                if (found := arrange(parameters, args, named)) is not None:
                    yield tuple(found)
        _assign(tree, known)


def _assign(tree: ast.Module, known: dict[str, Any]) -> None:
    """Note what an example assigns to names."""
    for stmt in tree.body:
        if not isinstance(stmt, ast.Assign):
            continue
        for target in stmt.targets:
            names = [one.id for one in ast.walk(target) if isinstance(one, ast.Name)]
            try:
                value = _value(stmt.value, known)
                known.update(zip(names, [value] if isinstance(target, ast.Name) else value, strict=True))
            except Exception:  # then the names mean nothing from here on
                for one in names:
                    known.pop(one, None)


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _value(node: ast.expr, known: Mapping[str, Any]) -> Any:
    """The value of an expression that is written out.

    Raises
    ------
    UnknownError
        Where it is not.
    """
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name) if name in known:
            return known[name]
        case ast.Name(id=name) if name in DTYPES:
            return {"float": float, "int": int, "bool": bool, "complex": complex}[name]
        case ast.List(elts=items):
            return [_value(one, known) for one in items]
        case ast.Tuple(elts=items):
            return tuple(_value(one, known) for one in items)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, known)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
            return OPERATORS[type(op)](_value(left, known), _value(right, known))
        case ast.Attribute(value=ast.Name(id="np" | "numpy" | "math"), attr=name) if name in VALUES:
            return VALUES[name]
        case ast.Call(func=func, args=args, keywords=keywords) if _last(func) in MAKERS:
            given = [_value(one, known) for one in args]
            if any(isinstance(one, (int, float)) and abs(one) > LARGEST for one in given):
                raise UnknownError("too large")
            named: dict[str, Any] = {str(one.arg): _value(one.value, known) for one in keywords}
            return getattr(np, _last(func))(*given, **named)
    raise UnknownError(ast.unparse(node))
