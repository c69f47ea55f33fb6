"""The test whether a guard leaves what a function does as it is, for what a caller may pass that the guard changes.

A guard makes float64 of integers, arrays of lists. The body is run on what is passed, as NumPy has it, and on what the
guard makes of it. Where an expression differs, each use of it must take no notice: an operation that promotes to the
same dtype either way, or one that is as exact on float64 as on integers and whose own uses take no notice.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from np2torch.facts import values as v
from np2torch.facts.domain import memoise
from np2torch.facts.guards import NUMPYS
from np2torch.names.tree import called_name, children
from np2torch.names.tree import walk as tree_walk
from np2torch.rewrite.guards.arithmetic import is_list
from np2torch.rewrite.guards.indifferent_uses import MOVING, SHORT, takes_no_notice
from np2torch.rewrite.guards.own_calls import Bodies, Function
from np2torch.rewrite.guards.python_errors import PythonErrors, tried_in
from np2torch.rewrite.guards.worlds import Facts, nodes_of
from np2torch.rules.scalars.bodies import LOOKING_AT_LOCALS
from np2torch.rules.site import ModuleContext
from np2torch.rules.syntax.coercions import coercing

ROUNDED = (ast.Add, ast.Sub, ast.Mult, ast.Div)
ROUNDED_FUNCTIONS = MOVING | frozenset(
    "abs absolute fabs negative positive add subtract multiply divide true_divide square sqrt sign isnan isfinite "
    "isinf full full_like zeros_like ones_like copy diff floor ceil trunc rint".split()
)
"""Operators and functions whose results IEEE 754 says to the last bit."""
DOUBLES = frozenset({"float64", "complex128"})
"""Dtypes that hold all digits of Python's numbers."""
MOST_PASSES = 4


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
    differing -= _coerced(bodies, differing)
    if any(not guarded.get(node) for node in differing) or _is_caught(bodies, original, guarded):
        return False  # another branch is taken
    if _shows_what_differs(bodies, differing, original, guarded):
        return False
    names = {node.id for node in differing if isinstance(node, ast.Name)}
    unseen = (n for n in nodes_of(function) if isinstance(n, ast.Name) and n.id in names and n not in original)
    if any(ctx.function(node) is not function for node in unseen):  # in a function that others call
        return False
    return all(takes_no_notice(bodies, node, differing, exact) for node in differing if isinstance(node, ast.expr))


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
    errors = PythonErrors(bodies.of[0], original)
    raising = errors.within(bodies.of[0])
    while True:
        differing = _differing(bodies, original, guarded, raising)
        if not (entered := bodies.enter(differing)):
            return {node for node in differing if bodies.parents.get(node) not in raising}
        raising.update(*map(errors.within, entered))


def _differing(bodies: Bodies, original: Facts, guarded: Facts, raising: set[ast.AST]) -> set[ast.AST]:
    """Collect the expressions that differ in the bodies entered so far."""
    nodes = (node for body in bodies.of for node in nodes_of(body) if isinstance(node, ast.expr))
    reached = (node for node in nodes if original.get(node) and node not in raising)
    pairs = ((node, original[node], guarded.get(node, v.BOTTOM)) for node in reached)
    found: set[ast.AST] = {
        node for node, fact, behind in pairs if fact is not behind and _outline(fact) != _outline(behind)
    }
    found -= {node for node in found if isinstance(node, ast.Compare) and _is_test(bodies, node, original)}
    found |= {node for node in bodies.given if _is_open(original.get(node, v.BOTTOM)) and node not in raising}
    for body in bodies.of:
        _add_unknown(bodies, body, original, found, raising)
    return found


def _coerced(bodies: Bodies, differing: set[ast.AST]) -> set[ast.AST]:
    """Collect what stands in an `if` that makes an array of what is none: the guard has made one of it."""
    parents = (bodies.parents.get(node) for node in differing)
    tests = (one for one in parents if isinstance(one, ast.Call) and called_name(one) == "isinstance")
    found = (coercing(bodies.fact, bodies.parents, call) for call in tests)
    return {node for one in found if one is not None for node in tree_walk(one) if node is not one}


def _is_caught(bodies: Bodies, original: Facts, guarded: Facts) -> bool:
    """Tell whether something in a `try` raises an error for what is passed, and none behind the guard."""
    tried = (node for body in bodies.of for node in tried_in(body) if isinstance(node, ast.expr))
    return any(guarded.get(node) and not original.get(node) for node in tried)


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
    return _all_round_alike(_where_single(ctx, function, facts))


def shows_rounding(ctx: ModuleContext, function: Function, facts: Facts) -> bool:
    """Tell whether results in double precision show last bits of single precision, which torch rounds in another way.

    Parameters
    ----------
    facts
        Those of its body where arrays of unknown dtype are float32.
    """
    bodies = _where_single(ctx, function, facts)
    return any(_is_widening(node, facts) for node in _nodes_in(bodies)) and not _all_round_alike(bodies)


def _where_single(ctx: ModuleContext, function: Function, facts: Facts) -> Bodies:
    """Enter the functions that are passed something in single precision."""
    bodies = Bodies(ctx, function, facts)
    single = {node for node, fact in facts.items() if _is_single(fact)}
    while bodies.enter(single):
        pass
    return bodies


def _all_round_alike(bodies: Bodies) -> bool:
    return all(_rounds_alike(bodies, node) for node in _nodes_in(bodies) if _is_single(bodies.original.get(node)))


def _nodes_in(bodies: Bodies) -> Iterator[ast.AST]:
    return (node for body in bodies.of for node in nodes_of(body))


def _is_widening(node: ast.AST, facts: Facts) -> bool:
    """Tell whether an operation, a call or a store makes double precision of single precision."""
    if isinstance(node, ast.AugAssign):
        return _is_double(facts, _stored_in(node.target)) and _is_single(facts.get(node.value))
    if isinstance(node, ast.Assign):
        targets = (_stored_in(one) for one in node.targets if isinstance(one, ast.Subscript))
        return _is_single(facts.get(node.value)) and any(_is_double(facts, one) for one in targets)
    operands = (one for child in children(node) for one in (child, *children(child)))
    return _is_double(facts, node) and any(_is_single(facts.get(one)) for one in operands)


def _stored_in(target: ast.expr) -> ast.expr:
    return target.value if isinstance(target, ast.Subscript) else target


def _is_double(facts: Facts, node: ast.AST) -> bool:
    fact = facts.get(node, v.BOTTOM)
    dtypes = v.dtypes_of(fact) if v.only(fact, "array", "scalar") else None
    return bool(dtypes) and DOUBLES.issuperset(dtypes or ())


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
    if not differing:
        return
    nodes = [node for node in reversed(nodes_of(function)) if isinstance(node, ast.expr) and node not in raising]
    names: set[str] = set()
    for _ in range(MOST_PASSES):
        before = len(differing)
        for node in nodes:
            if node in differing or not _is_made_of(node, differing, names):
                continue
            if _holds_open(facts.get(node, v.BOTTOM)):
                differing.add(node)
                names |= _bound_to(bodies, node)
        if len(differing) == before:
            break


def _is_made_of(node: ast.expr, differing: set[ast.AST], names: set[str]) -> bool:
    if isinstance(node, ast.Name):
        return node.id in names
    return not isinstance(node, ast.Attribute) and not differing.isdisjoint(children(node))


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
