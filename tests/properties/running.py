"""From a line of the table to examples, and from an example to what NumPy, the shim and converted code make of it."""

from __future__ import annotations

import ast
import builtins
import operator
import re
import types
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch
from drawing import Case, Drawn, hole
from hypothesis import strategies as st

from np2torch import shim
from np2torch.verify.compare import difference

PARTS = re.compile(r"\{([^{}]*)\}|<((?:'[^']*'|[^<>'])+)>")
OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv", ast.Mod: "mod",
    ast.Pow: "pow", ast.MatMult: "matmul", ast.BitAnd: "and_", ast.BitOr: "or_", ast.BitXor: "xor",
    ast.LShift: "lshift", ast.RShift: "rshift", ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert",
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge",
}  # fmt: skip


@st.composite
def cases(draw: Any, template: str) -> Case:
    """Examples of a template: `<...>` are holes, `{...}` are there or not."""
    case = Case()

    def fill(text: str) -> str:
        found, at = "", 0
        for part in PARTS.finditer(text):
            found += text[at : part.start()]
            at = part.end()
            if part[2] is not None:
                found += hole(draw, case, part[2])
            elif draw(st.integers(0, 2)) == 0:
                found += fill(part[1])
        return found + text[at:]

    case.source = fill(template)
    return case


class _ToShim(ast.NodeTransformer):
    """Operators, subscripts, methods and attributes of arguments as calls of the shim."""

    def __init__(self, names: set[str]) -> None:
        self.names = names

    def _call(self, name: str, *args: ast.expr) -> ast.Call:
        owner: ast.expr = ast.Name("np", ast.Load())
        for part in name.split("."):
            owner = ast.Attribute(owner, part, ast.Load())
        return ast.Call(owner, list(args), [])

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        return self._call("operator." + OPERATORS[type(node.op)], node.left, node.right)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.operand, ast.Constant):
            return node
        return self._call("operator." + OPERATORS[type(node.op)], node.operand)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.ops[0], ast.In):
            return self._call("operator.contains", node.comparators[0], node.left)
        return self._call("operator." + OPERATORS[type(node.ops[0])], node.left, node.comparators[0])

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        return self._call("operator.getitem", node.value, node.slice) if self._mine(node.value) else node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        target, value = node.targets[0], self.visit(node.value)
        if isinstance(target, ast.Subscript):
            return ast.Expr(self._call("operator.setitem", target.value, target.slice, value))
        if isinstance(target, ast.Attribute):
            return ast.Expr(self._call("set_attribute", target.value, ast.Constant(target.attr), value))
        return ast.Assign(node.targets, value)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        assert isinstance(node.target, ast.Name)
        value = self._call(
            "operator.i" + OPERATORS[type(node.op)].rstrip("_"), ast.Name(node.target.id, ast.Load()), node.value
        )
        return ast.Assign([node.target], value)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        return self._call("attribute", node.value, ast.Constant(node.attr)) if self._mine(node.value) else node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        function = node.func
        if isinstance(function, ast.Attribute) and self._mine(function.value):
            call = self._call("invoke", function.value, ast.Constant(function.attr), *map(self.visit, node.args))
            call.keywords = [ast.keyword(k.arg, self.visit(k.value)) for k in node.keywords]
            return call
        return self.generic_visit(node)

    def _mine(self, node: ast.AST) -> bool:
        dtype = isinstance(node, ast.Call) and ast.unparse(node.func) == "np.dtype"
        return isinstance(node, ast.Name) and node.id in self.names or dtype


def function_source(case: Case, name: str = "case", head: str = "") -> str:
    """The example as a function of its arrays: statements, then the expression whose value is returned."""
    *statements, last = case.source.split("; ")
    body = "".join(f"    {line}\n" for line in statements)
    return f"def {name}({', '.join(case.arrays)}):{head}\n{body}    return {last}\n"


def _compiled(tree: ast.AST, np_: Any) -> Callable[..., Any]:
    names: dict[str, Any] = {"np": np_, "operator": operator if np_ is np else np_.operator}
    exec(compile(ast.fix_missing_locations(tree), "<case>", "exec"), names)
    function: Callable[..., Any] = names["case"]
    return function


def outcome(function: Callable[..., Any], args: list[Any]) -> tuple[Any, BaseException | None]:
    """The result, or what was raised."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return function(*args), None
        except Exception as error:
            return None, error


def numpy_outcome(case: Case) -> tuple[list[Any], Any, BaseException | None]:
    """The arguments left behind, the result and the error of NumPy."""
    args = [x.array() for x in case.arrays.values()]
    return args, *outcome(_compiled(ast.parse(function_source(case)), np), args)


def shim_function(case: Case) -> Callable[..., Any]:
    """The example as a function of tensors that calls the shim."""
    return _compiled(_ToShim(set(case.arrays)).visit(ast.parse(function_source(case))), shim)


def shim_outcome(case: Case) -> tuple[list[Any], Any, BaseException | None]:
    """The same for the shim."""
    args = [x.tensor() for x in case.arrays.values()]
    return args, *outcome(shim_function(case), args)


Outcome = tuple[list[Any], Any, BaseException | None]


def compare(case: Case, old: Outcome, new: Outcome, slack: float, strict: bool = True) -> str | None:
    """None when both agree, else how not. Without `strict` any error is as good as another."""
    (old_args, old_result, old_error), (new_args, new_result, new_error) = old, new
    if old_error is not None or new_error is not None:
        if old_error is None:
            return f"only torch raises {new_error!r}"
        if new_error is None:
            return f"only NumPy raises {old_error!r}; torch gives {new_result!r}"
        base = next(c for c in type(old_error).__mro__ if getattr(builtins, c.__name__, None) is c)
        return None if not strict or isinstance(new_error, base) else f"{old_error!r} became {new_error!r}"
    old_result, new_result = _plain(old_result), _plain(new_result)
    eps = _narrowest(case)
    found = _difference(old_result, new_result, slack, eps)
    for name, before, after in zip(case.arrays, old_args, new_args, strict=True):
        found = found or (f"argument {name}: {d}" if (d := _difference(before, after, slack, eps)) else None)
    return found or (_sharing(case, old_args, old_result, new_args, new_result) if strict else None)


def _plain(x: Any) -> Any:
    if isinstance(x, (types.GeneratorType, map, zip)) or hasattr(x, "__next__"):
        return list(x)
    return np.asarray(x) if isinstance(x, np.generic) else x


def _narrowest(case: Case) -> float:
    """The last place of the narrowest float that a result stored in `out` may have been computed in."""
    if "out=" not in case.source:
        return 0.0
    drawn = [x.base.dtype for x in case.arrays.values() if isinstance(x, Drawn)]
    named = [np.dtype(name) for name in re.findall(r"float16|float32|complex64", case.source)]
    return max((float(np.finfo(dtype).eps) for dtype in drawn + named if dtype.kind in "fc"), default=0.0)


def _difference(old: Any, new: Any, slack: float, least: float = 0.0) -> str | None:
    """Where sums are taken in another order, what cancels out leaves an error of the size of what was summed."""
    exact = difference(old, new)
    if exact is None or not slack:
        return exact
    sizes = [1.0]
    for x in _arrays(old):
        finite = np.abs(x[np.isfinite(x)]) if x.dtype.kind in "fc" else x.reshape(-1)[:0]
        sizes.append(float(finite.max()) if finite.size else 1.0)
    eps = max((float(np.finfo(x.dtype).eps) for x in _arrays(old) if x.dtype.kind in "fc"), default=least)
    eps = max(eps, least)
    bound = slack * eps * max(sizes)
    return difference(old, new, rtol=slack * eps, atol=bound)


def _arrays(x: Any) -> Iterator[np.ndarray[Any, Any]]:
    if isinstance(x, (list, tuple)):
        for item in x:
            yield from _arrays(item)
    elif isinstance(x, (np.ndarray, np.generic)) and x.dtype.kind in "biufc":
        yield np.asarray(x)


def _tensors(x: Any) -> Iterator[torch.Tensor]:
    if isinstance(x, (list, tuple)):
        for item in x:
            yield from _tensors(item)
    elif isinstance(x, torch.Tensor):
        yield x


def _sharing(case: Case, old_args: list[Any], old: Any, new_args: list[Any], new: Any) -> str | None:
    """Whether a result looks into the memory of an argument, where both are arrays with elements."""
    pairs = [(x, y) for x, y in zip(_arrays(old), _tensors(new), strict=False) if x.ndim and x.size]
    for name, before, after in zip(case.arrays, old_args, new_args, strict=True):
        drawn = case.arrays[name]
        if not isinstance(drawn, Drawn) or drawn.layout == "reversed" or not before.ndim:
            continue
        for x, y in pairs:
            shared = np.may_share_memory(x, before)
            if shared and any(s < 0 for s in x.strides):  # torch has no negative strides: NPT309
                continue
            if shared != (y.untyped_storage().data_ptr() == after.untyped_storage().data_ptr()):
                return f"{name} is {'no longer' if shared else 'now'} shared with the result"
    return None
