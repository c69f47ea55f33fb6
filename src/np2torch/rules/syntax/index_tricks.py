"""`np.r_[...]` and `np.c_[...]`: a tensor written out, `torch.arange`, or tensors put together."""

from __future__ import annotations

import ast
from itertools import groupby

from np2torch.facts import values as v
from np2torch.facts.interpreter.subscripts import index_parts
from np2torch.rules.arraylike import WEAKLY_SAFE, in_a_tuple, loosen, of_one_dtype, on_their_lines
from np2torch.rules.handlers import Phase, on
from np2torch.rules.ranges import exact, follow_step, multiples
from np2torch.rules.rule_arguments import Decline, RuleArgument, Template
from np2torch.rules.site import Edit, ModuleContext, text_edit


@on(Phase.NUMPY, ast.Subscript)
def row(ctx: ModuleContext, node: ast.Subscript) -> Edit | None:
    """`np.r_[1.2, 9.4]`, `np.r_[0:10:0.5]`; what else it joins is left to the shim."""
    atom = v.sole(ctx.fact(node.value))
    if not isinstance(atom, v.Numpy) or atom.name != "numpy.r_":
        return None
    parts = index_parts(node.slice)
    first, on_lines = parts[0] if parts else None, node.lineno != node.end_lineno
    if isinstance(first, ast.Slice):
        return _range(ctx, node, first) if len(parts) == 1 and not on_lines else None
    if len(parts) == 1 and isinstance(first, ast.List) and (table := _table(ctx, node, first)) is not None:
        return table
    types = {_number_type(ctx, part) for part in parts}
    if not parts or not types <= {"int", "float"}:
        return _joined(ctx, node, parts) if not on_lines else None
    if ctx.has_comments(node):
        return None
    template = Template()
    numbers = on_their_lines(parts, map(template.mark, parts))
    dtype = ", dtype=torch.float64" if "float" in types else ""
    return text_edit(node, "native", "NPT120", "numbers in a row", template, f"torch.tensor([{numbers}]{dtype})")


def _table(ctx: ModuleContext, node: ast.Subscript, rows: ast.List) -> Edit | None:
    """`np.r_[[[1, 0.5], [0, 2]]]`: a list of numbers, or of rows of them, alone."""
    template = Template()
    piece = loosen(template.of(rows, ctx.fact(rows)))
    if piece.made_by != "torch.tensor" or not piece.rank or piece.dtype is None:
        return None
    return text_edit(node, "native", "NPT120", "numbers in rows", template, str(piece))


def _joined(ctx: ModuleContext, node: ast.Subscript, parts: list[ast.expr]) -> Edit | None:
    """Vectors, lists and numbers one after the other; a number is as weak there as beside an operator."""
    template = Template()
    try:
        rows = [[*run] for _, run in groupby(parts, lambda part: _number_type(ctx, part) or id(part))]
        pieces = [_vector(ctx, template, row) for row in rows]
        if len(pieces) == 1 and pieces[0].dtype is None:
            return None  # what is only said to be an array is often a list, which this takes
        weak = any(v.only(ctx.fact(part), "number") for part in parts)
        if weak and not all(piece.dtypes() <= WEAKLY_SAFE for piece in pieces):
            return None
        text = in_a_tuple(of_one_dtype(pieces))
    except Decline:
        return None
    return text_edit(node, "native", "NPT132", "joined", template, f"torch.cat({text})")


def _vector(ctx: ModuleContext, template: Template, row: list[ast.expr]) -> RuleArgument:
    """Numbers in a row, or a part that has one dimension; a 0-D one is given it.

    Several vectors and a matrix are an error in both libraries.
    """
    piece = loosen(template.of(row[0], ctx.fact(row[0])))
    if piece.made_by in ("torch.tensor", "torch.as_tensor") and piece.rank == 0:
        numbers = ", ".join([piece.raw, *map(template.mark, row[1:])])
        piece.respell(f"[{numbers}]", v.array(piece.dtype, 1), "torch.tensor")
    if not piece.is_tensor or piece.rank not in (0, 1, None):
        raise Decline("no vector for sure")
    if piece.rank == 1:
        return piece
    text = f"torch.atleast_1d({piece})" if piece.rank is None else f"{piece}.reshape(1)"
    return piece.with_text(text, fact=v.array(v.dtypes_of(piece.fact), 1))


@on(Phase.NUMPY, ast.Subscript)
def column(ctx: ModuleContext, node: ast.Subscript) -> Edit | None:
    """`np.c_[x, y]`: vectors side by side, as the columns of a matrix; matrices beside them as they are."""
    atom = v.sole(ctx.fact(node.value))
    if not isinstance(atom, v.Numpy) or atom.name != "numpy.c_" or node.lineno != node.end_lineno:
        return None
    made = ctx.fact(node.slice) if not isinstance(node.slice, ast.Tuple) else ()
    if any(isinstance(one, v.Sequence) and one.type == "tuple" for one in made):
        return None  # its items are the columns
    template = Template()
    try:
        pieces = of_one_dtype([template.of(part, ctx.fact(part)) for part in index_parts(node.slice)])
    except Decline:
        return None
    if any(piece.rank not in (1, 2) for piece in pieces):
        return None
    text = f"torch.column_stack({in_a_tuple(pieces)})"
    return text_edit(node, "native", "NPT132", "side by side", template, text)


@on(Phase.NUMPY, ast.Subscript)
def grid(ctx: ModuleContext, node: ast.Subscript) -> Edit | None:
    """`np.mgrid[0:h, 0:w]`, `np.ogrid[:h, :w]` between whole numbers: torch's ranges, put together."""
    atom = v.sole(ctx.fact(node.value))
    if not isinstance(atom, v.Numpy) or atom.name not in ("numpy.mgrid", "numpy.ogrid") or ctx.has_comments(node):
        return None
    template = Template()
    ranges = [_whole_range(ctx, template, part) for part in index_parts(node.slice)]
    written = [one for one in ranges if one is not None]
    if len(written) < 2 or len(written) < len(ranges):
        return None
    if atom.name == "numpy.mgrid":
        text = f'torch.stack(torch.meshgrid({", ".join(written)}, indexing="ij"))'
    else:
        places = (["None"] * at + [":"] + ["None"] * (len(written) - at - 1) for at in range(len(written)))
        indices = map(", ".join, places)
        text = f"({', '.join(f'{one}[{index}]' for one, index in zip(written, indices, strict=True))})"
    return text_edit(node, "native", "NPT135", "a grid of whole numbers", template, text)


def _whole_range(ctx: ModuleContext, template: Template, part: ast.expr) -> str | None:
    """`2:n` as a call of `torch.arange`; None for what is no such slice, or has a step."""
    if not isinstance(part, ast.Slice) or part.upper is None or part.step is not None:
        return None
    bounds = [bound for bound in (part.lower, part.upper) if bound is not None]
    if any(_number_type(ctx, bound) != "int" for bound in bounds):
        return None
    points = bounds[1:] if len(bounds) == 2 and v.constant(ctx.fact(bounds[0])) == 0 else bounds
    return f"torch.arange({', '.join(map(template.mark, points))})"


def _range(ctx: ModuleContext, node: ast.Subscript, part: ast.Slice) -> Edit | None:
    bounds = [bound for bound in (part.lower, part.upper, part.step) if bound is not None]
    values = [v.constant(ctx.fact(bound)) for bound in bounds]
    types = {_number_type(ctx, bound) for bound in bounds}
    if part.upper is None or not types <= {"int", "float"}:
        return None
    points = values if part.lower is not None else [0, *values]
    inexact = "float" in types and not exact(points[0], *points[2:])
    template = Template()
    if inexact:
        ends = [template.of(bound, ctx.fact(bound)) for bound in (part.upper, part.step or part.upper)]
        scaled = multiples(points, *ends)
        return text_edit(node, "native", "NPT121", "a range", template, scaled) if scaled else None
    if not follow_step(points):
        return None
    texts = [template.mark(bound) for bound in bounds]
    if part.lower is None and part.step is not None:
        texts = ["0", *texts]
    dtype = ", dtype=torch.float64" if "float" in types else ""
    return text_edit(node, "native", "NPT121", "a range", template, f"torch.arange({', '.join(texts)}{dtype})")


def _number_type(ctx: ModuleContext, node: ast.expr) -> str:
    """The type of a Python number; nothing for what is none, or one of several."""
    types = {atom.type if isinstance(atom, v.Num) else "" for atom in ctx.fact(node)}
    return types.pop() if len(types) == 1 else ""
