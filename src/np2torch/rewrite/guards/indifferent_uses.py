"""The uses that take no notice of a difference: what stands around an expression does the same with either value."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, NamedTuple

from np2torch.facts import values as v
from np2torch.rewrite.guards.arithmetic import is_remainder_in_double, is_short, is_whole, is_whole_power
from np2torch.rewrite.guards.own_calls import Bodies
from np2torch.rules.syntax.coercions import admits_lists

MOVING = frozenset(
    "array asarray asanyarray asfarray ascontiguousarray atleast_1d atleast_2d atleast_3d copy reshape ravel flatten "
    "squeeze expand_dims transpose swapaxes moveaxis rollaxis concatenate stack vstack hstack dstack column_stack "
    "where take repeat tile roll flip fliplr flipud rot90 sort diagonal diag tril triu broadcast_to split array_split "
    "choose compress broadcast broadcast_arrays meshgrid max min amax amin maximum minimum fmax fmin clip real item "
    "tolist append insert delete".split()
)
"""Functions and methods that hand values on as they are."""
WIDENING = MOVING | frozenset("sum cumsum nansum nancumsum".split())
"""With those that add up small integers in wide ones."""
EXACT = WIDENING | frozenset(
    "abs absolute fabs negative add subtract multiply diff dot matmul outer inner trace ptp square sign cross".split()
)
"""Functions that are as exact on whole numbers in float64 as on integers, below 2 ** 53."""
EXACT_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.USub, ast.UAdd, ast.MatMult)
SHORT = frozenset({"float16", "float32", "complex64"})
ASKING = frozenset("dtype itemsize nbytes data strides flags base".split())
"""Attributes that tell of the dtype."""
QUIET = frozenset("len float complex enumerate zip reversed iter bool".split())
"""Builtins that take no notice of a dtype; what they hand on is looked at where it goes."""
HANDING_ON = frozenset("enumerate zip reversed iter list tuple".split())
WHOLE_ONLY = frozenset("gcd lcm factorial comb perm isqrt".split())
"""Functions of `math` that refuse floats; the others make floats of integers themselves."""
PASSING = frozenset("abs sum max min sorted".split())


class Use(NamedTuple):
    """The use of an expression that differs behind a guard, by the node around it."""

    bodies: Bodies
    node: ast.expr
    differs: bool
    """Whether the node around it differs as well."""
    differing: set[ast.AST]
    exact: bool


def takes_no_notice(bodies: Bodies, node: ast.expr, differing: set[ast.AST], exact: bool) -> bool:
    """Tell whether what stands around an expression that differs does the same with either value."""
    parent = bodies.parents.get(node)
    if isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)):
        is_updated = exact and _stays_whole(bodies, parent)
        return isinstance(node, ast.Name) or is_updated
    if isinstance(parent, ast.keyword):
        parent = bodies.parents.get(parent)
    if isinstance(parent, LOOKED_AT_ELSEWHERE):
        return True
    takes_none = _USES.get(type(parent))
    if takes_none is None:
        return _is_message(bodies, parent)
    return takes_none(Use(bodies, node, parent in differing, differing, exact), parent)


def _in_operation(use: Use, parent: ast.BinOp) -> bool:
    original = use.bodies.original
    is_exact = isinstance(parent.op, EXACT_OPERATORS) or is_whole_power(original, parent)
    is_exact = is_exact or is_remainder_in_double(original, parent)
    of_lists = v.only(original.get(parent, v.BOTTOM), "sequence")  # `[x] * 3`
    return not use.differs or use.exact and is_exact and not _is_weak(use, parent) or of_lists


def _is_weak(use: Use, parent: ast.BinOp) -> bool:
    """Tell whether a Python number, which a tensor replaces, may take the single precision of the other operand."""
    original = use.bodies.original
    other = original.get(parent.right if use.node is parent.left else parent.left, v.BOTTOM)
    is_short = v.may(other, "array", "scalar") and bool((v.dtypes_of(other) or SHORT) & SHORT)
    return is_short and v.known_to_include(original[use.node], "number")


def _behind_a_sign(use: Use, parent: ast.UnaryOp) -> bool:
    is_exact = use.exact and isinstance(parent.op, EXACT_OPERATORS)
    return not use.differs or is_exact or isinstance(parent.op, ast.UAdd)


def _in_subscript(use: Use, parent: ast.Subscript) -> bool:
    """An index has to stay a whole number."""
    return use.node is parent.value or _is_mask(use.bodies.original[use.node])


def _of_attribute(use: Use, parent: ast.Attribute) -> bool:
    call = use.bodies.parents.get(parent)
    made = call if isinstance(call, ast.Call) and call.func is parent else parent
    if made is call and made in use.differing:
        return parent.attr in (EXACT if use.exact else WIDENING)
    is_value = parent.attr in MOVING or _is_value(use.bodies.original.get(made, v.BOTTOM))
    return parent.attr not in ASKING and is_value


def _is_value(fact: v.Fact) -> bool:
    """Tell values from what shows a dtype or goes elsewhere: text, dtypes, objects, None (`x.tofile(f)`)."""
    return v.only(fact, "array", "scalar", "number", "sequence", "iterator") or not fact


def _in_assignment(use: Use, parent: ast.Assign | ast.AnnAssign) -> bool:
    targets = parent.targets if isinstance(parent, ast.Assign) else [parent.target]
    return all(_is_local(target) or _casts(use.bodies, target, use.differing) for target in targets)


def _in_update(use: Use, parent: ast.AugAssign) -> bool:
    """An array is updated in its own dtype; another value is stored anew, which a name shows by its uses."""
    target = parent.target
    if use.node is not parent.value or target in use.differing:
        return use.node is parent.value and use.exact and _stays_whole(use.bodies, parent)
    in_place = v.only(use.bodies.fact(target), "array") or _casts(use.bodies, target, use.differing)
    return in_place or isinstance(target, ast.Name)


def _stays_whole(bodies: Bodies, node: ast.AST | None) -> bool:
    """Tell whether whole numbers are changed in place to whole numbers, in integers as in float64."""
    if not isinstance(node, ast.AugAssign) or not isinstance(node.op, (ast.Add, ast.Sub, ast.Mult)):
        return False
    return is_whole(bodies.original.get(node.value, v.TOP))


def _is_message(bodies: Bodies, node: ast.AST | None) -> bool:
    """Tell whether it is only shown in the text of an error."""
    current = node
    if not isinstance(node, ast.FormattedValue):
        return False
    while isinstance(current, (ast.expr, ast.keyword)):
        current = bodies.parents.get(current)
    return isinstance(current, ast.Raise)


def _admits_both(bodies: Bodies, call: ast.Call) -> bool:
    """Tell whether a test of classes lets what is passed pass, and the array of it as well."""
    return admits_lists(bodies.fact, call) and v.only(bodies.original[call.args[0]], "sequence", "array")


def _in_comparison(use: Use, parent: ast.Compare) -> bool:
    asks_none = isinstance(parent.ops[0], (ast.Is, ast.IsNot, ast.Eq, ast.NotEq))
    if asks_none and isinstance(parent.comparators[0], ast.Constant) and parent.comparators[0].value is None:
        return True
    if any(isinstance(op, (ast.Is, ast.IsNot)) for op in parent.ops):
        return not use.differs
    return use.exact or not use.differs and not _is_weakly_compared(use.bodies, parent, use.node)


def _is_weakly_compared(bodies: Bodies, comparison: ast.Compare, node: ast.expr) -> bool:
    """Tell whether an array of single precision meets a number that is another one in double precision."""
    others = (side for side in (comparison.left, *comparison.comparators) if side is not node)
    numbers = (bodies.original.get(side, v.BOTTOM) for side in others)
    is_rounded = any(v.known_to_include(fact, "number") and not is_short(v.constant(fact)) for fact in numbers)
    return is_rounded and bool((v.dtypes_of(bodies.original[node]) or SHORT) & SHORT)


def _is_mask(fact: v.Fact) -> bool:
    """Tell whether it is made of bools, which stay that."""
    of_bools = all(atom.type == "bool" for atom in fact if isinstance(atom, v.Num))
    dtypes = v.dtypes_of(fact)
    return of_bools and v.only(fact, "number", "scalar", "array") and dtypes is not None and dtypes <= {"bool"}


def _is_local(target: ast.expr) -> bool:
    """Tell whether it is a name, or several, whose uses are checked by themselves."""
    if isinstance(target, (ast.Tuple, ast.List)):
        return all(map(_is_local, target.elts))
    return isinstance(target, ast.Name)


def _casts(bodies: Bodies, target: ast.expr, differing: set[ast.AST]) -> bool:
    """Tell whether it is a part of an array, which casts the stored value."""
    if not isinstance(target, ast.Subscript) or target.value in differing:
        return False
    return v.only(bodies.fact(target.value), "array")


def _in_call(use: Use, call: ast.Call) -> bool:
    if call in use.bodies.calls:
        return True
    carrying = EXACT if use.exact else WIDENING
    match v.sole(use.bodies.fact(call.func)):
        case v.Numpy(name=name):
            if name.endswith(".at"):  # `np.add.at(a, indices, b)` adds in the dtype of `a`
                return call.args[2:3] == [use.node] and call.args[0] not in use.differing
            is_value = _is_value(use.bodies.original.get(call, v.BOTTOM))
            return not use.differs and is_value or name.rpartition(".")[2] in carrying
        case v.Builtin(name=name):
            return _in_builtin(use, call, name, carrying)
    return False


def _in_builtin(use: Use, call: ast.Call, name: str, carrying: frozenset[str]) -> bool:
    if name == "isinstance":
        return v.only(use.bodies.original[use.node], "array") or _admits_both(use.bodies, call)
    if name == "map":
        called = v.sole(use.bodies.fact(call.args[0]))
        return isinstance(called, v.Numpy) and (not use.differs or called.name.rpartition(".")[2] in carrying)
    if name.startswith("math."):
        return not use.differs and name.removeprefix("math.") not in WHOLE_ONLY
    return name in QUIET and not use.differs or name in HANDING_ON or use.exact and name in PASSING


LOOKED_AT_ELSEWHERE = (
    ast.BoolOp, ast.IfExp, ast.NamedExpr, ast.Starred, ast.Tuple, ast.List, ast.comprehension, ast.ListComp,
    ast.GeneratorExp, ast.For, ast.AsyncFor, ast.While, ast.If, ast.Expr, ast.Assert,
)  # fmt: skip
"""Nodes that hand a value on, or ask its truth: what they make of it is looked at by itself where it differs."""
_USES: dict[type, Callable[[Use, Any], bool]] = {
    ast.BinOp: _in_operation,
    ast.UnaryOp: _behind_a_sign,
    ast.Compare: _in_comparison,
    ast.Subscript: _in_subscript,
    ast.Attribute: _of_attribute,
    ast.Return: lambda use, parent: not use.bodies.is_outermost(parent),
    ast.Call: _in_call,
    ast.Assign: _in_assignment,
    ast.AnnAssign: _in_assignment,
    ast.AugAssign: _in_update,
}
"""Whether a node around a value that differs takes no notice of that."""
