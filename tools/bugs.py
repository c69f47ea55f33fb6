"""Realistic bugs of ports, planted in converted text: a table of changes to one node of a syntax tree each."""

from __future__ import annotations

import ast
import copy
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from np2torch.verify.hints import node_of

Bug = Callable[[ast.AST], "ast.AST | None"]
"""Changes a node, in place or by another one; None where it does not fit."""


def _called(node: ast.AST, *names: str) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in names


def _keyword(node: ast.AST, names: str, among: Sequence[str] = ()) -> ast.keyword | None:
    """The keyword of a call that has one of these names, separated by spaces."""
    if not isinstance(node, ast.Call) or among and not _called(node, *among):
        return None
    return next((one for one in node.keywords if one.arg in names.split()), None)


def _without(names: str, *among: str, value: str = "") -> Bug:
    """Drop a keyword, where a value is named only with that value."""

    def plant(node: ast.AST) -> ast.AST | None:
        found = _keyword(node, names, among)
        if found is not None and value and ast.unparse(found.value) != value:
            return None
        if found is None or not isinstance(node, ast.Call):
            return None
        node.keywords.remove(found)
        return node

    return plant


def _with_value(names: str, change: Callable[[ast.expr], ast.expr | None]) -> Bug:
    """Give a keyword another value."""

    def plant(node: ast.AST) -> ast.AST | None:
        found = _keyword(node, names)
        new = None if found is None else change(found.value)
        if found is None or new is None:
            return None
        found.value = new
        return node

    return plant


def _drop_method(*names: str, is_kept: bool = False) -> Bug:
    """`x.clone()` becomes `x`; with `is_kept` only where the result is returned, or written into."""
    return lambda node: (
        node.func.value
        if isinstance(node, ast.Call)
        and (not is_kept or getattr(node, "is_kept", False))
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in names
        and ast.unparse(node.func.value) not in ("torch", "shim", "copy", "np")
        else None
    )


def _drop_cast(node: ast.AST) -> ast.AST | None:
    """`x.to(torch.float64)` becomes `x`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "to" and node.args:
        return node.func.value if ast.unparse(node.args[0]).startswith("torch.") else None
    return None


COERCIONS = ("asarray", "as_tensor", "tensor", "tensors", "floating", "inexact", "promote", "array")
OF_DTYPES = ("float32", "dtype dropped", "cast dropped")


def _drop_coercion(node: ast.AST) -> ast.AST | None:
    """`x = shim.asarray(x)` becomes `x = x`."""
    if (
        isinstance(node, ast.Assign)
        and _called(node.value, *COERCIONS)
        and isinstance(node.value, ast.Call)
        and node.value.args
    ):
        first = node.value.args[0]
        if all(_keyword(node.value, name) is not None for name in ("numbers", "lists")):
            return None  # a guard that changes nothing, and only refuses
        if isinstance(first, ast.Name) and ast.unparse(node.targets[0]) == ast.unparse(first):
            node.value = first
            return node
    return None


def _renamed(**names: str) -> Bug:
    """`torch.quantile(x, 0.5)` becomes `torch.median(x)` and the like: another function of the same signature."""

    def plant(node: ast.AST) -> ast.AST | None:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in names:
            node.func.attr = names[node.func.attr]
            return node
        return None

    return plant


def _to_view(node: ast.AST) -> ast.AST | None:
    """`shim.array(x)` becomes `shim.asarray(x)`, where the result is returned, or written into."""
    if isinstance(node, ast.Call) and getattr(node, "is_kept", False) and node.args:
        is_literal = isinstance(node.args[0], (ast.List, ast.Tuple, ast.Constant, ast.ListComp))
        return None if is_literal else _renamed(array="asarray", flatten="ravel")(node)
    return None


def _to_median(node: ast.AST) -> ast.AST | None:
    """`torch.quantile(x, 0.5)`, or NumPy's median, becomes `torch.median(x)`: the lower of two in the middle."""
    if _called(node, "median") and isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        is_shim = ast.unparse(node.func) == "shim.median"
        return ast.parse(f"torch.median({ast.unparse(node.args[0])})", mode="eval").body if is_shim else None
    if (
        _called(node, "quantile")
        and isinstance(node, ast.Call)
        and len(node.args) > 1
        and ast.unparse(node.args[1]) == "0.5"
    ):
        return ast.parse(f"torch.median({ast.unparse(node.args[0])})", mode="eval").body
    return None


def _float32(value: ast.expr) -> ast.expr | None:
    return ast.parse("torch.float32", mode="eval").body if ast.unparse(value) == "torch.float64" else None


def _other_axis(value: ast.expr) -> ast.expr | None:
    text = ast.unparse(value)
    return (
        ast.parse({"0": "-1", "1": "0", "-1": "0"}.get(text, "0"), mode="eval").body
        if text in ("0", "1", "-1")
        else None
    )


def _other_indexing(value: ast.expr) -> ast.expr | None:
    return ast.Constant("xy" if ast.unparse(value) == "'ij'" else "ij")


def _of_meshgrid(node: ast.AST) -> ast.AST | None:
    """`shim.meshgrid(x, y)` becomes one of the other order of axes; so does one whose order is named."""
    if not isinstance(node, ast.Call) or not _called(node, "meshgrid"):
        return None
    if _keyword(node, "indexing") is not None:
        return _with_value("indexing", _other_indexing)(node)
    if ast.unparse(node.func).startswith("shim."):  # torch's own order is the other one
        node.keywords.append(ast.keyword("indexing", ast.Constant("ij")))
        return node
    return None


def _slice_off_by_one(node: ast.AST) -> ast.AST | None:
    """`x[1:]` becomes `x[2:]`, `x[:-1]` becomes `x[:-2]`."""
    if not isinstance(node, ast.Slice):
        return None
    for name in ("lower", "upper"):
        bound = getattr(node, name)
        if bound is not None:
            text = ast.unparse(bound)
            setattr(node, name, ast.parse(f"{text} - 1" if text.startswith("-") else f"{text} + 1", mode="eval").body)
            return node
    return None


def _range_off_by_one(node: ast.AST) -> ast.AST | None:
    if _called(node, "arange", "range") and isinstance(node, ast.Call) and node.args:
        index = min(1, len(node.args) - 1)
        node.args[index] = ast.BinOp(node.args[index], ast.Sub(), ast.Constant(1))
        return node
    return None


def _in_place(node: ast.AST) -> ast.AST | None:
    """`y = x - m` of a parameter becomes `y = x.sub_(m)`."""
    names: dict[type, str] = {ast.Sub: "sub_", ast.Add: "add_", ast.Mult: "mul_", ast.Div: "div_"}
    if (
        isinstance(node, ast.BinOp)
        and isinstance(node.left, ast.Name)
        and type(node.op) in names
        and getattr(node.left, "is_tensor", False)
    ):
        return ast.Call(ast.Attribute(node.left, names[type(node.op)], ast.Load()), [node.right], [])
    return None


def _swapped_pad(node: ast.AST) -> ast.AST | None:
    if (
        _called(node, "pad")
        and isinstance(node, ast.Call)
        and len(node.args) > 1
        and isinstance(node.args[1], (ast.Tuple, ast.List))
    ):
        if len({ast.unparse(one) for one in node.args[1].elts}) > 1:
            node.args[1].elts.reverse()
            return node
    return None


def _swapped(*names: str) -> Bug:
    """`torch.atan2(y, x)` becomes `torch.atan2(x, y)`: the first two arguments."""

    def plant(node: ast.AST) -> ast.AST | None:
        if isinstance(node, ast.Call) and _called(node, *names) and len(node.args) >= 2:
            node.args[:2] = reversed(node.args[:2])
            return node
        return None

    return plant


def _swapped_where(node: ast.AST) -> ast.AST | None:
    """The values of `torch.where` in the other order."""
    if isinstance(node, ast.Call) and _called(node, "where") and len(node.args) == 3:
        node.args[1:] = [node.args[2], node.args[1]]
        return node
    return None


def _without_transpose(node: ast.AST) -> ast.AST | None:
    return node.value if isinstance(node, ast.Attribute) and node.attr in ("T", "mT", "H", "mH") else None


BUGS: dict[str, Bug] = {
    "correction dropped": _without("correction", value="0"),
    "ddof dropped": _without("ddof", value="1"),
    "cast dropped": _drop_cast,
    "clone dropped": _drop_method("clone", "copy", is_kept=True),
    "a view for a copy": _to_view,
    "item dropped": _drop_method("item", "tolist"),
    "median for quantile": _to_median,
    "method dropped": _without("method interpolation", "quantile", "percentile", "nanquantile", "nanpercentile"),
    "right dropped": _without("right", "searchsorted", "bucketize", "digitize"),
    "side dropped": _without("side", "searchsorted"),
    "stable dropped": _without("stable kind", "sort", "argsort"),
    "endpoint dropped": _without("endpoint"),
    "order dropped": _without("order"),
    "ord dropped": _without("ord"),
    "indexing": _of_meshgrid,
    "float32": _with_value("dtype", _float32),
    "dtype dropped": _without("dtype", value="torch.float64"),
    "slice off by one": _slice_off_by_one,
    "range off by one": _range_off_by_one,
    "in-place on an argument": _in_place,
    "coercion dropped": _drop_coercion,
    "axis ignored": _without("dim axis"),
    "another axis": _with_value("dim axis", _other_axis),
    "keepdim dropped": _without("keepdim keepdims"),
    "pad order": _swapped_pad,
    "flip dropped": _drop_method("flip"),
    "split for tensor_split": _renamed(tensor_split="split", array_split="split"),
    "minimum for maximum": _renamed(amax="amin", maximum="minimum", fmax="fmin", argmax="argmin", max="min"),
    "rounding": _renamed(floor="trunc", ceil="floor", trunc="floor", round="floor"),
    "fmod for remainder": _renamed(remainder="fmod", mod="fmod"),
    "NaN not left out": _renamed(nansum="sum", nanmean="mean", nanmedian="median", nanquantile="quantile"),
    "all for any": _renamed(all="any", any="all"),
    "arguments swapped": _swapped("atan2", "arctan2"),
    "where swapped": _swapped_where,
    "transpose dropped": _without_transpose,
}


class Planted(NamedTuple):
    """A module with a bug in one function.

    Attributes
    ----------
    reached
        The module with an error raised in the place of the statement that has the bug: what it changes shows which
        calls come there.
    """

    bug: str
    text: str
    reached: str


def planted(text: str, name: str, rng: random.Random, used: Counter[str] | None = None) -> Iterator[Planted]:
    """The module with one bug in one function, bug after bug, those that were used least first."""
    names = list(BUGS)
    rng.shuffle(names)
    names.sort(key=lambda bug: (used or Counter())[bug])
    plain = ast.unparse(ast.parse(text))
    for bug in names:
        tree = ast.parse(text)
        node = node_of(tree, name)
        if node is None:
            return
        _mark_tensors(node)
        _mark_kept(node)
        _mark_promoted(node)
        sites = [
            number for number, one in enumerate(ast.walk(node))
            if not (bug in OF_DTYPES and getattr(one, "is_promoted", False)) and BUGS[bug](copy.deepcopy(one)) is not None
        ]  # fmt: skip
        if sites:
            site = rng.choice(sites)
            _Planter(node, site, BUGS[bug]).visit(tree)
            changed = ast.unparse(ast.fix_missing_locations(tree))
            if changed != plain:
                yield Planted(bug, changed, _stopped(text, name, site))


def _stopped(text: str, name: str, site: int) -> str:
    """The module with an error in the place of the innermost statement that a node of a function is in."""
    tree = ast.parse(text)
    node = node_of(tree, name)
    assert node is not None
    chosen = list(ast.walk(node))[site]
    around = [one for one in ast.walk(node) if isinstance(one, ast.stmt) and any(chosen is two for two in ast.walk(one))]
    innermost = around[-1]  # breadth first: what is within comes later
    _Planter(innermost, 0, lambda _: ast.parse("raise KeyboardInterrupt('reached')").body[0]).visit(tree)
    return ast.unparse(ast.fix_missing_locations(tree))


class _Planter(ast.NodeTransformer):
    """Replaces one node."""

    def __init__(self, function: ast.AST, site: int, bug: Bug) -> None:
        self.chosen = list(ast.walk(function))[site]
        self.bug = bug

    def visit(self, node: ast.AST) -> Any:
        """Replace the node that was chosen, whole."""
        return self.bug(node) if node is self.chosen else self.generic_visit(node)


def _mark_kept(node: ast.AST) -> None:
    """Note which calls give what is returned, or written into in place: there a copy is not the same as a view."""
    statements = [one for one in ast.walk(node) if isinstance(one, ast.stmt)]
    written = {
        one.value.id
        for statement in statements
        if isinstance(statement, (ast.Assign, ast.AugAssign))
        for target in (statement.targets if isinstance(statement, ast.Assign) else [statement.target])
        for one in [target]
        if isinstance(one, ast.Subscript) and isinstance(one.value, ast.Name)
    }
    for one in statements:
        value = getattr(one, "value", None)
        is_returned = isinstance(one, ast.Return)
        is_written = isinstance(one, ast.Assign) and {ast.unparse(target) for target in one.targets} & written
        if isinstance(value, ast.Call) and (is_returned or is_written) and _root(value) in _parameters(node):
            value.is_kept = True  # type: ignore[attr-defined]


def _root(node: ast.expr) -> str:
    """The name that an expression is a part, a method or a copy of."""
    while not isinstance(node, ast.Name):
        if isinstance(node, ast.Call):
            is_function = ast.unparse(node.func).startswith(("torch.", "shim.")) or isinstance(node.func, ast.Name)
            if is_function and not node.args:
                return ""
            node = node.args[0] if is_function else node.func
        elif isinstance(node, (ast.Attribute, ast.Subscript)):
            node = node.value
        else:
            return ""
    return node.id


def _parameters(node: ast.AST) -> set[str]:
    arguments = getattr(node, "args", None)
    return {one.arg for one in arguments.args} if isinstance(arguments, ast.arguments) else set()


def _mark_promoted(node: ast.AST) -> None:
    """Note constants that are stacked with others: these give the dtype, and short numbers are the same in each."""
    for call in ast.walk(node):
        if _called(call, "stack", "cat", "hstack", "vstack") and isinstance(call, ast.Call) and call.args:
            items = call.args[0].elts if isinstance(call.args[0], (ast.List, ast.Tuple)) else []
            for item in items if len(items) > 1 else []:
                numbers = [one.value for one in ast.walk(item) if isinstance(one, ast.Constant)]
                is_short = all(isinstance(one, (int, float)) and (one * 8) % 1 == 0 for one in numbers)
                is_cast = _called(item, "to") and not numbers
                item.is_promoted = is_cast or _called(item, "tensor") and is_short  # type: ignore[attr-defined]


def _rebound(node: ast.AST) -> set[str]:
    """Names that something new is bound to, other than what a guard makes of them."""
    found: set[str] = set()
    for one in ast.walk(node):
        if isinstance(one, ast.Assign) and not _called(one.value, *COERCIONS):
            names = [name for target in one.targets for name in ast.walk(target) if isinstance(name, ast.Name)]
            found |= {name.id for name in names if isinstance(name.ctx, ast.Store)}
    return found


def _mark_tensors(node: ast.AST) -> None:
    """Note which names are parameters that arrive as tensors: those whose tensor attributes are used."""
    names = _parameters(node) - _rebound(node)
    used = {
        one.value.id
        for one in ast.walk(node)
        if isinstance(one, ast.Attribute)
        and isinstance(one.value, ast.Name)
        and one.attr in ("shape", "sum", "mean", "ndim", "to", "T")
    }
    for one in ast.walk(node):
        if isinstance(one, ast.Name):
            one.is_tensor = one.id in names & used  # type: ignore[attr-defined]
