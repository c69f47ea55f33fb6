"""The numbers of axes that a guard may ask for, by how a parameter is used."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator, Sequence

from np2torch.facts import values as v
from np2torch.facts.interpreter.subscripts import index_parts
from np2torch.rewrite.guards.texts import uses_of
from np2torch.rules.site import ModuleContext

PRODUCTS = frozenset("dot vdot inner outer matmul cross kron tensordot einsum".split())
"""Functions and methods whose meaning depends on the number of axes."""
TAKEN = {
    frozenset({1}): frozenset("convolve correlate polyfit vander".split()),
    frozenset({1, 2}): frozenset("cov corrcoef".split()),
}
"""Numbers of axes, and the functions of NumPy that take arrays of these alone."""
OF_A_MATRIX = {
    frozenset("solve lstsq".split()): 1,
    frozenset("cholesky inv pinv det slogdet qr svd eigvalsh".split()): 2,
}
"""Functions of NumPy that take a matrix first, and the sites saved at least to refuse stacks of these."""
MOST_AXES = 4
MOST_NAMES = 2
"""So many names in turn are followed to a product."""
Choice = tuple[frozenset[int], int]
"""Numbers of axes, and how many sites they must save."""
SOME = 1, 3
"""The sites they must save: if the uses show the rank, and if they only allow it."""


def choices(
    ctx: ModuleContext,
    function: ast.FunctionDef | ast.AsyncFunctionDef,
    names: Sequence[str],
    numbers: Container[str] = (),
) -> Iterator[tuple[str, list[Choice]]]:
    """For each parameter the numbers of axes that its uses speak of; none where it is stated to be a number."""
    for name in names:
        uses = uses_of(function, name)
        found = [*_of_functions(ctx, uses), *_of_subscripts(ctx, uses)]
        if any(isinstance(ctx.parents.get(use), ast.AugAssign) for use in uses) and not found:
            found.append((frozenset({1, 2}), SOME[0]))
        if name in numbers and not found:
            found.append((frozenset({0}), SOME[0]))
        if found:
            yield name, found


def _of_functions(ctx: ModuleContext, uses: Sequence[ast.expr]) -> Iterator[Choice]:
    """List the numbers of axes that functions and products take."""
    least = max((_least_axes(ctx, use) for use in uses), default=0)
    if (ranks := frozenset({1, 2} - set(range(least)))) and any(_is_factor(ctx, use) for use in uses):
        yield ranks, SOME[0]
    for functions, saving in OF_A_MATRIX.items():
        if any(_is_given_to(ctx, use, functions, 1) for use in uses):
            yield frozenset({2}), saving
    for ranks, functions in TAKEN.items():
        if any(_is_given_to(ctx, use, functions) for use in uses):
            yield ranks, SOME[0]


def _of_subscripts(ctx: ModuleContext, uses: Sequence[ast.expr]) -> Iterator[Choice]:
    """List the number of axes that subscripts name."""
    several = [_indices(ctx, use) for use in uses]
    indices = 0 if None in several else max(filter(None, several), default=0)
    if 1 < indices <= MOST_AXES:
        yield frozenset({indices}), SOME[0]
    elif indices == 1:
        yield frozenset({1}), SOME[1]


def _is_given_to(ctx: ModuleContext, node: ast.expr, names: frozenset[str], first: int | None = None) -> bool:
    """Tell whether it is one of all, or of the `first`, arguments of one of these functions of NumPy."""
    parent = ctx.parents.get(node)
    if not isinstance(parent, ast.Call) or node not in parent.args[:first]:
        return False
    return any(isinstance(atom, v.Numpy) and atom.name.rpartition(".")[2] in names for atom in ctx.fact(parent.func))


def _least_axes(ctx: ModuleContext, node: ast.expr) -> int:
    """Count the axes that it has by the sizes read of it, `x.shape[1]`, and the axes named in its reductions."""
    match ctx.parents.get(node):
        case ast.Attribute(attr="shape") as shape:
            match ctx.parents.get(shape):
                case ast.Subscript(value=value, slice=index) if value is shape:
                    return _axes_up_to(ctx, index)
                case ast.Assign(targets=[ast.Tuple(elts=sizes)]):
                    return len(sizes)
            return 0
        case ast.Attribute() as method:
            call = ctx.parents.get(method)
        case call:
            pass
    if not isinstance(call, ast.Call):
        return 0
    function = v.sole(ctx.fact(call.func))
    axis = next((one.value for one in call.keywords if one.arg == "axis"), None)
    return _axes_up_to(ctx, axis) if axis is not None and isinstance(function, (v.Numpy, v.Method)) else 0


def _axes_up_to(ctx: ModuleContext, axis: ast.expr) -> int:
    """Count the axes of an array that has this one."""
    number = v.constant(ctx.fact(axis))
    return 0 if not isinstance(number, int) else number + 1 if number >= 0 else -number


def _is_factor(ctx: ModuleContext, node: ast.expr, more: int = MOST_NAMES) -> bool:
    """Tell whether it, or what is calculated of it or its attributes, is a factor in a product of matrices.

    Also of what is given another name before, so many times: `centered = x - x.mean(0)`.
    """
    current: ast.AST = node
    while isinstance(parent := ctx.parents.get(current), (ast.Attribute, ast.Call, ast.BinOp)):
        if isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.MatMult):
            return True
        if isinstance(parent, ast.Call):
            function = ctx.fact(parent.func)
            names = {atom.name.rpartition(".")[2] for atom in function if isinstance(atom, (v.Numpy, v.Method))}
            if names & PRODUCTS or isinstance(parent.func, ast.Attribute) and parent.func.attr in PRODUCTS:
                return True
        current = parent
    if not more or not isinstance(parent, ast.Assign) or not isinstance(target := parent.targets[0], ast.Name):
        return False
    uses = (use for use in uses_of(ctx.function(target), target.id) if isinstance(use.ctx, ast.Load))
    return any(_is_factor(ctx, use, more - 1) for use in uses)


def _indices(ctx: ModuleContext, node: ast.expr) -> int | None:
    """Count the axes that successive subscripts name; None where that is not said: `m[rows][0]`."""
    named = 0
    taken: int | None = 0
    current: ast.AST = node
    while isinstance(parent := ctx.parents.get(current), ast.Subscript) and parent.value is current:
        if taken is None:
            return None
        axes, whole = _axes_of(ctx, parent.slice)
        named = max(named, taken + axes)
        taken = taken + axes if whole else None
        current = parent
    return named + 1 if taken and taken == named and _needs_items(parent, current) else named


def _axes_of(ctx: ModuleContext, index: ast.expr) -> tuple[int, bool]:
    """Count the axes that an index names; tell whether it takes one element of each."""
    parts = index_parts(index)
    if len(parts) == 1 and isinstance(parts[0], ast.Slice) and not (parts[0].lower or parts[0].upper or parts[0].step):
        return 0, False  # `x[:]` is all of it, however many axes that has
    if any(isinstance(part, ast.Constant) and part.value is ... for part in parts):
        return 0, False
    named = [part for part in parts if not (isinstance(part, ast.Constant) and part.value is None)]
    return len(named), len(named) == len(parts) and all(v.only(ctx.fact(part), "number", "scalar") for part in parts)


def _needs_items(parent: ast.AST | None, node: ast.AST) -> bool:
    """Tell whether its use shows that it has items: a loop, `len`, unpacking."""
    match parent:
        case ast.For(iter=value) | ast.comprehension(iter=value) | ast.Starred(value=value):
            return value is node
        case ast.Assign():
            return any(isinstance(target, (ast.Tuple, ast.List)) for target in parent.targets)
        case ast.Call():
            return isinstance(parent.func, ast.Name) and parent.func.id == "len"
    return False
