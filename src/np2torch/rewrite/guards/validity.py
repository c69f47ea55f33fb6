"""The test whether a guard leaves what a function does as it is, for what a caller may pass that the guard changes.

A guard makes float64 of integers, arrays of lists. The body is run on what is passed, as NumPy has it, and on what the
guard makes of it. Where an expression differs, each use of it must take no notice: an operation that promotes to the
same dtype either way, or one that is as exact on float64 as on integers and whose own uses take no notice.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from np2torch.facts import values as v
from np2torch.facts.domain import memoise
from np2torch.facts.guards import NUMPYS
from np2torch.names.tree import walk as tree_walk
from np2torch.rewrite.guards.arithmetic import is_list, is_short, is_whole, is_whole_power
from np2torch.rewrite.guards.own_calls import Bodies, Function
from np2torch.rewrite.guards.uses import admits_lists
from np2torch.rewrite.guards.worlds import Facts, nodes_of
from np2torch.rules.scalars.bodies import LOOKING_AT_LOCALS
from np2torch.rules.site import ModuleContext

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
ROUNDED = (ast.Add, ast.Sub, ast.Mult, ast.Div)
ROUNDED_FUNCTIONS = MOVING | frozenset(
    "abs absolute fabs negative positive add subtract multiply divide true_divide square sqrt sign isnan isfinite "
    "isinf full full_like zeros_like ones_like copy diff floor ceil trunc rint".split()
)
"""Operators and functions whose results IEEE 754 says to the last bit."""
DOUBLES = frozenset({"float64", "complex128"})
"""Dtypes that hold all digits of Python's numbers."""
SHORT = frozenset({"float16", "float32", "complex64"})
ASKING = frozenset("dtype itemsize nbytes data strides flags base".split())
"""Attributes that tell of the dtype."""
QUIET = frozenset("len float complex enumerate zip reversed iter bool".split())
"""Builtins that take no notice of a dtype; what they hand on is looked at where it goes."""
HANDING_ON = frozenset("enumerate zip reversed iter list tuple".split())
WHOLE_ONLY = frozenset("gcd lcm factorial comb perm isqrt".split())
"""Functions of `math` that refuse floats; the others make floats of integers themselves."""
MOST_PASSES = 4
PASSING = frozenset("abs sum max min sorted".split())


def holds(ctx: ModuleContext, function: Function, original: Facts, guarded: Facts, exact: bool) -> bool:
    """Tell whether the function does the same with what is passed and with what the guard makes of it.

    Parameters
    ----------
    original, guarded
        The facts of its body with either.
    exact
        Whether these are integers with which NumPy computes without wrapping around.
    """
    bodies = Bodies(ctx, function, original)
    differing = _all_differing(bodies, original, guarded)
    if any(not guarded.get(node) for node in differing) or _is_caught(bodies, original, guarded):
        return False  # another branch is taken
    if _shows_what_differs(bodies, differing, original, guarded):
        return False
    names = {node.id for node in differing if isinstance(node, ast.Name)}
    unseen = (n for n in nodes_of(function) if isinstance(n, ast.Name) and n.id in names and n not in original)
    if any(ctx.function(node) is not function for node in unseen):  # in a function that others call
        return False
    return all(_takes_no_notice(bodies, node, differing, exact) for node in differing if isinstance(node, ast.expr))


def rounds_numbers(ctx: ModuleContext, function: Function, original: Facts, guarded: Facts) -> bool:
    """Tell whether Python's numbers are used in double precision, where the guard has rounded them to single."""
    bodies = Bodies(ctx, function, original)
    differing = _all_differing(bodies, original, guarded)
    rounded = (node for node in differing if SHORT & (v.dtypes_of(guarded.get(node, v.BOTTOM)) or SHORT))
    return any(_is_of_double(original.get(node, v.BOTTOM)) or _keeps_digits(bodies, node, original) for node in rounded)


def differing(ctx: ModuleContext, function: Function, original: Facts, guarded: Facts) -> set[ast.AST]:
    """Collect the expressions that are, or may be, something else behind a guard."""
    return _all_differing(Bodies(ctx, function, original), original, guarded)


def _is_of_double(fact: v.Fact) -> bool:
    arrays = v.keep(fact, lambda atom: atom.kind in ("array", "scalar"))
    return bool(arrays) and not DOUBLES.isdisjoint(v.dtypes_of(arrays) or DOUBLES)


def _keeps_digits(bodies: Bodies, node: ast.AST, original: Facts) -> bool:
    """Tell whether what is made of an expression has all its digits: an array of float64, one of Python's numbers."""
    parent = bodies.parents.get(node)
    result = original.get(parent, v.BOTTOM) if isinstance(parent, ast.expr) else v.BOTTOM
    return _is_of_double(result) or isinstance(parent, ast.Call) and v.known_to_include(result, "number")


def _all_differing(bodies: Bodies, original: Facts, guarded: Facts) -> set[ast.AST]:
    """Collect the expressions that differ, in the body and in those of the functions that they are passed to."""
    raising = _raising(bodies.of[0], original)
    while True:
        differing = _differing(bodies, original, guarded, raising)
        if not (entered := bodies.enter(differing)):
            return differing
        raising.update(*(_raising(body, original) for body in entered))


def _differing(bodies: Bodies, original: Facts, guarded: Facts, raising: set[ast.AST]) -> set[ast.AST]:
    """Collect the expressions that differ in the bodies entered so far."""
    nodes = (node for body in bodies.of for node in nodes_of(body) if isinstance(node, ast.expr))
    reached = (node for node in nodes if original.get(node) and node not in raising)
    found: set[ast.AST] = {
        node for node in reached if _outline(original[node]) != _outline(guarded.get(node, v.BOTTOM))
    }
    found -= {node for node in found if isinstance(node, ast.Compare) and _is_test(bodies, node, original)}
    found |= {node for node in bodies.given if _is_open(original.get(node, v.BOTTOM)) and node not in raising}
    for body in bodies.of:
        _add_unknown(bodies, body, original, found, raising)
    return found


def _is_caught(bodies: Bodies, original: Facts, guarded: Facts) -> bool:
    """Tell whether something in a `try` raises an error for what is passed, and none behind the guard."""
    tries = (node for body in bodies.of for node in nodes_of(body) if isinstance(node, ast.Try) and node.handlers)
    tried = (node for one in tries for statement in one.body for node in tree_walk(statement))
    return any(guarded.get(node) and not original.get(node) for node in tried if isinstance(node, ast.expr))


def _is_test(bodies: Bodies, node: ast.expr, original: Facts) -> bool:
    """Tell whether only the truth of a value is tested, which a tensor of it would have too."""
    if original[node] and not v.only(original[node], "number", "scalar", "array"):
        return False
    parent = bodies.parents.get(node)
    while isinstance(parent, ast.BoolOp) or isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not):
        node, parent = parent, bodies.parents.get(parent)
    return isinstance(parent, (ast.If, ast.While, ast.Assert, ast.IfExp)) and parent.test is node


def rounds_alike(ctx: ModuleContext, function: Function, facts: Facts) -> bool:
    """Tell whether torch rounds every result in single precision as NumPy does, to the last bit."""
    bodies = Bodies(ctx, function, facts)
    single = {node for node, fact in facts.items() if _is_single(fact)}
    while bodies.enter(single):
        pass
    nodes = (node for body in bodies.of for node in nodes_of(body))
    return all(_rounds_alike(bodies, node) for node in nodes if _is_single(facts.get(node)))


def _is_single(fact: v.Fact | None) -> bool:
    return bool((v.dtypes_of(fact) or frozenset()) & {"float32", "complex64"}) if fact else False


def _rounds_alike(bodies: Bodies, node: ast.AST) -> bool:
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ROUNDED) or isinstance(node.op, ast.Pow) and _is_square(node.right)
    if isinstance(node, ast.Call):
        if node in bodies.calls:
            return True
        atom = v.sole(bodies.fact(node.func))
        name = atom.name.rpartition(".")[2] if isinstance(atom, (v.Numpy, v.Method)) else ""
        return name in ROUNDED_FUNCTIONS
    return True


def _is_square(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value in (1, 2)


def _add_unknown(
    bodies: Bodies, function: ast.AST, facts: Facts, differing: set[ast.AST], raising: set[ast.AST]
) -> None:  # fmt: skip
    """Add what is made of differing values and of which nothing is known, through names too."""
    nodes = [node for node in reversed(nodes_of(function)) if isinstance(node, ast.expr) and node not in raising]
    names: set[str] = set()
    for _ in range(MOST_PASSES):
        before = len(differing)
        for node in nodes:
            if node not in differing and _holds_open(facts.get(node, v.BOTTOM)) and _is_made_of(node, differing, names):
                differing.add(node)
                names |= _bound_to(bodies, node)
        if len(differing) == before:
            break


def _is_made_of(node: ast.expr, differing: set[ast.AST], names: set[str]) -> bool:
    if isinstance(node, ast.Name):
        return node.id in names
    return not isinstance(node, ast.Attribute) and not differing.isdisjoint(ast.iter_child_nodes(node))


def _bound_to(bodies: Bodies, node: ast.expr) -> set[str]:
    """The names that an assignment, a loop or a comprehension binds to a value, or to parts of it."""
    parent = bodies.parents.get(node)
    targets = parent.targets if isinstance(parent, ast.Assign) else [getattr(parent, "target", None)]
    below = (one for target in targets if target is not None for one in ast.walk(target))
    return {one.id for one in below if isinstance(one, ast.Name) and one is not node}


def _is_open(fact: v.Fact) -> bool:
    """Tell whether it may be anything, or an array of any dtype."""
    return v.known_to_include(fact, "unknown", "array", "scalar") and v.dtypes_of(fact) is None


def _holds_open(fact: v.Fact) -> bool:
    """Tell whether it may be, or hold, anything: what is nested too deep for the analysis is not told apart."""
    return _is_open(fact) or any(isinstance(one, v.Sequence) and _holds_open(v.elements(one)) for one in fact)


def _raising(function: ast.AST, facts: Facts) -> set[ast.AST]:
    """Operations that Python has none of for lists, such as a difference of two, and all that is made of them."""
    found: set[ast.AST] = set()
    for node in reversed(nodes_of(function)):
        if isinstance(node, ast.expr):
            if _raises(node, facts) or not found.isdisjoint(_evaluated(node)):
                found.add(node)
        elif isinstance(node, ast.Assign) and any(isinstance(one, (ast.Tuple, ast.List)) for one in node.targets):
            if v.only(facts.get(node.value, v.BOTTOM), "number"):
                found.add(node.value)  # a number cannot be unpacked
    body: list[ast.stmt] = getattr(function, "body", [])
    first = next((at for at, one in enumerate(body) if _certainly(one, found)), len(body))
    found.update(node for statement in body[first:] for node in tree_walk(statement))  # is not reached
    return found


def _evaluated(node: ast.expr) -> Iterator[ast.AST]:
    """Yield the parts of an expression that are evaluated each time the expression is."""
    match node:
        case ast.IfExp():
            yield node.test
        case ast.BoolOp():
            yield node.values[0]
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            yield node.generators[0].iter
        case ast.Lambda():
            pass
        case _:
            yield from ast.iter_child_nodes(node)


def _certainly(statement: ast.stmt, raising: set[ast.AST]) -> bool:
    """Tell whether one of these nodes is evaluated whenever the statement is."""
    value = getattr(statement, "value", None)
    return isinstance(statement, (ast.Assign, ast.AnnAssign, ast.Expr, ast.Return)) and value in raising


def _raises(node: ast.expr, facts: Facts) -> bool:
    if isinstance(node, ast.UnaryOp):
        return not isinstance(node.op, ast.Not) and v.only(facts.get(node.operand, v.BOTTOM), "sequence")
    if isinstance(node, ast.Subscript):
        return v.only(facts.get(node.value, v.BOTTOM), "number")
    if not isinstance(node, ast.BinOp) or isinstance(node.op, ast.Add):
        return False
    sides = [facts.get(side, v.BOTTOM) for side in (node.left, node.right)]
    if not any(map(_is_only_list, sides)) or not all(_is_only_list(side) or v.only(side, "number") for side in sides):
        return False
    numbers = [side for side in sides if v.only(side, "number")]
    return not isinstance(node.op, ast.Mult) or not any(_may_count(side) for side in numbers)


def _is_only_list(fact: v.Fact) -> bool:
    """Tell lists and tuples from sets, which have operators of their own: `a | b`, `a - b`."""
    return bool(fact) and all(isinstance(atom, v.Sequence) and atom.type in ("list", "tuple") for atom in fact)


def _may_count(fact: v.Fact) -> bool:
    return any(isinstance(atom, v.Num) and atom.type in ("int", "bool") for atom in fact)


@memoise(1 << 14)
def _outline(fact: v.Fact) -> frozenset[object]:
    """The kinds of what it may be, and the dtypes of what is numeric."""
    out: set[object] = set()
    dtypes: set[str] = set()
    for atom in fact:
        if isinstance(atom, v.Num):
            out.add(("Python's", NUMPYS[atom.type]))
        elif isinstance(atom, (v.Array, v.Scalar)):
            dtypes.update(atom.dtypes or ("any",))
        elif isinstance(atom, v.Sequence):
            inner = atom.items if atom.items is not None else (atom.element,)
            out.add((atom.type, tuple(map(_outline, inner))))
        elif isinstance(atom, v.Iterator):
            out.add(("iterator", _outline(atom.element)))
        elif isinstance(atom, v.DType):
            out.add(("dtype", atom.names))
        elif not isinstance(atom, v.Method):
            out.add(atom.kind)
    return frozenset(out | {("number", frozenset(dtypes))} if dtypes else out)


class Use(NamedTuple):
    """The use of an expression that differs behind a guard, by the node around it."""

    bodies: Bodies
    node: ast.expr
    differs: bool
    """Whether the node around it differs as well."""
    differing: set[ast.AST]
    exact: bool


def _takes_no_notice(bodies: Bodies, node: ast.expr, differing: set[ast.AST], exact: bool) -> bool:
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
    is_exact = isinstance(parent.op, EXACT_OPERATORS) or is_whole_power(parent)
    of_lists = v.only(use.bodies.original.get(parent, v.BOTTOM), "sequence")  # `[x] * 3`
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


def _shows_what_differs(bodies: Bodies, differing: set[ast.AST], original: Facts, guarded: Facts) -> bool:
    """Tell whether all names are handed out, or a list is repeated or compared that is an array behind the guard."""
    if differing and any(map(_shows_names, nodes_of(bodies.of[0]))):
        return True
    lists = [node for node in differing if is_list(original[node]) and not is_list(guarded[node])]
    # `2 * [1, 2]` goes through the list twice
    return any(isinstance(node, ast.BinOp) or _is_compared_whole(bodies, node) for node in lists)


def _shows_names(node: ast.AST) -> bool:
    """Tell whether it hands out all names of the function by what they are: `locals()`."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in LOOKING_AT_LOCALS


def _is_compared_whole(bodies: Bodies, node: ast.AST) -> bool:
    """Tell whether Python compares a list: with another one by all items, with a number as something else."""
    comparison = bodies.parents.get(node)
    if not isinstance(comparison, ast.Compare) or isinstance(comparison.ops[0], (ast.Is, ast.IsNot)):
        return False
    sides = (comparison.left, *comparison.comparators)
    others = [bodies.original.get(side, v.BOTTOM) for side in sides if side is not node]
    if not any(isinstance(op, (ast.Eq, ast.NotEq)) for op in comparison.ops):  # others raise beside numbers
        others = [fact for fact in others if is_list(fact)]
    return not all(v.only(fact, "array", "scalar", "none") for fact in others)


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
            is_value = _is_value(use.bodies.original.get(call, v.BOTTOM))
            return not use.differs and is_value or name.rpartition(".")[2] in carrying
        case v.Builtin(name=name):
            return _in_builtin(use, call, name, carrying)
    return False


def _in_builtin(use: Use, call: ast.Call, name: str, carrying: frozenset[str]) -> bool:
    if name == "isinstance":
        return _admits_both(use.bodies, call)
    if name == "map":
        called = v.sole(use.bodies.fact(call.args[0]))
        return isinstance(called, v.Numpy) and called.name.rpartition(".")[2] in carrying
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
    ast.AugAssign: lambda use, parent: use.node is parent.value and (
        parent.target not in use.differing or use.exact and _stays_whole(use.bodies, parent)
    ),
}
"""Whether a node around a value that differs takes no notice of that."""
