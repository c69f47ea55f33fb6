"""The text torch prints where a doctest expects the text of arrays, with the numbers read from NumPy's text."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable
from typing import Any

from np2torch.facts import values as v
from np2torch.names import resolve
from np2torch.names.tree import called_name
from np2torch.rewrite.tensor_text import Nested, flat, tensor_text

BLANK = "<BLANKLINE>"
_CALL = re.compile(r"(?<![\w.'\"])(?:(?:np|numpy)\.)?(?P<name>\w+)\(")
_TRUTH = re.compile(r"(?<![\w.'\"])(?:np|numpy)\.(True|False)_")
_DTYPE = re.compile(r"dtype\('(\w+)'\)")
_SHAPE = re.compile(r"\(([\d, ]*)\)")
_BARE = re.compile(r"-?(?:\d[\d.]*(?:e[+-]?\d+)?|inf|nan)|True|False")
_GAP = re.compile(r"(?<=[\w.\])])\s+(?=[-+\w.\[(])")
"""Between the elements of an array that is printed without commas."""
_CONSTANTS = {"nan": math.nan, "inf": math.inf}
_OF_TYPE = {bool: "bool", int: "int64", float: "float64", complex: "complex128"}
_SCALARS = resolve.SCALAR_CLASSES - {"bool"}
DType = Callable[[str], str]
"""The dtype under the settings, for one of NumPy's."""


class NotKnown(Exception):
    """Error of a text of NumPy's for which torch's cannot be told."""


def tensor_repr(want: str, fact: v.Fact, dtype: DType) -> str:
    """Give the `repr` of a value once its arrays are tensors; the same text if it has no arrays.

    Parameters
    ----------
    want
        NumPy's text.
    fact
        What is known of the value.

    Raises
    ------
    NotKnown
        There is an array in it that cannot be read.
    """
    text = want.replace(BLANK, "")
    if (name := _DTYPE.fullmatch(text)) is not None and name[1] in resolve.SCALAR_CLASSES:
        return f"torch.{dtype(name[1])}"
    if text == "<class 'numpy.ndarray'>":
        return "<class 'torch.Tensor'>"
    is_tensor = v.only(fact, "array", "scalar") and not _is_pythons(fact)
    if is_tensor and _BARE.fullmatch(text):  # as NumPy 1 showed its scalars
        value = _literal(text)
        return tensor_text(value, dtype(v.dtype_of(fact) or _dtype_of(value)))
    if not is_tensor and not v.may(fact, "array", "scalar", "sequence", "mapping"):
        return want
    out, at = "", 0
    while (call := _CALL.search(text, at)) is not None:
        end = _closing(text, call.end())
        out += text[at : call.start()]
        if call["name"] == "array" or call["name"] in _SCALARS:
            out += _tensor(text[call.start() : end], dtype)
        else:
            out += text[call.start() : end]
        at = end
    out = _TRUTH.sub(lambda found: tensor_text(found[1] == "True", "bool"), out + text[at:])
    return want if out == text else _blanked(out)


def shape_shown(want: str) -> str:
    """Give the text of the shape of a tensor."""
    sizes = _SHAPE.fullmatch(want)
    return want if sizes is None else f"torch.Size([{sizes[1].strip().removesuffix(',')}])"


def tensor_str(want: str, fact: v.Fact, dtype: DType) -> str:
    """Give the text that `print` writes of an array, its `str`, once it is a tensor."""
    if not v.only(fact, "array") or not want.startswith("["):
        raise NotKnown
    text = _GAP.sub(", ", want.replace(BLANK, ""))
    values = _literal(text)
    numbers = flat(values)
    known = v.dtype_of(fact) or (_dtype_of(*numbers) if numbers else "float64")
    return _blanked(tensor_text(values, dtype(known), _shape(values)))


def _is_pythons(fact: v.Fact) -> bool:
    return any(isinstance(atom, v.Scalar) and atom.python for atom in fact)


def _blanked(text: str) -> str:
    return "\n".join(line if line.strip() else BLANK for line in text.split("\n"))


def _closing(text: str, start: int) -> int:
    """Find the end of the parenthesis that was opened before `start`."""
    depth = 1
    for at in range(start, len(text)):
        depth += (text[at] in "([{") - (text[at] in ")]}")
        if depth == 0:
            return at + 1
    raise NotKnown


def _tensor(text: str, dtype: DType) -> str:
    """The tensor for `array(...)` or `np.float64(...)`."""
    try:
        call = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        raise NotKnown from None
    if not isinstance(call, ast.Call) or len(call.args) != 1:
        raise NotKnown
    name = called_name(call)
    values = _value(call.args[0])
    said = {keyword.arg: keyword.value for keyword in call.keywords}
    if not said.keys() <= {"dtype", "shape"}:
        raise NotKnown
    numbers = flat(values)
    if "dtype" in said:
        known = getattr(said["dtype"], "id", getattr(said["dtype"], "value", None))
    elif name in _SCALARS:
        known = name
    else:
        known = _dtype_of(*numbers) if numbers else "float64"
    if known not in _SCALARS | {"bool"}:
        raise NotKnown
    return tensor_text(values, dtype(str(known)), _sizes(said["shape"]) if "shape" in said else _shape(values))


def _sizes(node: ast.expr) -> tuple[int, ...]:
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    return tuple(int(_number(part)) for part in parts)


def _shape(values: Nested) -> tuple[int, ...]:
    """The shape of lists that hold no number."""
    return (len(values), *(_shape(values[0]) if values else ())) if isinstance(values, list) else ()


def _dtype_of(*numbers: Any) -> str:
    kinds = {type(number) for number in numbers}
    if len(kinds) != 1 or not kinds <= _OF_TYPE.keys():
        raise NotKnown
    return _OF_TYPE[kinds.pop()]


def _literal(text: str) -> Nested:
    try:
        return _value(ast.parse(text, mode="eval").body)
    except (SyntaxError, ValueError):
        raise NotKnown from None


def _value(node: ast.expr) -> Any:
    """Numbers in nested lists, of their literal."""
    match node:
        case ast.List():
            return [_value(one) for one in node.elts]
        case ast.Constant(value=bool() | int() | float() | complex() as number):
            return number
        case ast.Constant(value=value) if value is Ellipsis:
            return value
        case ast.Name(id=name) if name in _CONSTANTS:
            return _CONSTANTS[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_number(operand)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as sign, right=right):
            second = _number(right)
            return complex(_number(left).real, second.imag if isinstance(sign, ast.Add) else -second.imag)
    raise NotKnown


def _number(node: ast.expr) -> Any:
    value = _value(node)
    if isinstance(value, (list, bool)) or value is Ellipsis:
        raise NotKnown
    return value
