"""`np.r_[...]` of numbers or of one range: a tensor written out, or `torch.arange`."""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.facts.interpreter.subscripts import index_parts
from np2torch.rules.creation import exact, ordered
from np2torch.rules.pieces import Template
from np2torch.rules.site import Context, Edit, on, spelled


@on(ast.Subscript)
def row(ctx: Context, node: ast.Subscript) -> Edit | None:
    """`np.r_[1.2, 9.4]`, `np.r_[0:10:0.5]`; what else it joins is left to the shim."""
    atom = v.sole(ctx.fact(node.value))
    if not isinstance(atom, v.Numpy) or atom.name != "numpy.r_" or node.lineno != node.end_lineno:
        return None
    parts = index_parts(node.slice)
    first = parts[0] if parts else None
    if isinstance(first, ast.Slice):
        return _range(ctx, node, first) if len(parts) == 1 else None
    types = {_number_type(ctx, part) for part in parts}
    if not parts or not types <= {"int", "float"}:
        return None
    template = Template()
    numbers = ", ".join(template.mark(part) for part in parts)
    dtype = ", dtype=torch.float64" if "float" in types else ""
    return spelled(node, "native", "NPT120", "numbers in a row", template, f"torch.tensor([{numbers}]{dtype})")


def _range(ctx: Context, node: ast.Subscript, part: ast.Slice) -> Edit | None:
    bounds = [bound for bound in (part.lower, part.upper, part.step) if bound is not None]
    values = [v.constant(ctx.fact(bound)) for bound in bounds]
    types = {_number_type(ctx, bound) for bound in bounds}
    if part.upper is None or not types <= {"int", "float"}:
        return None
    points = values if part.lower is not None else [0, *values]
    if not ordered(points) or "float" in types and not exact(points[0], *points[2:]):
        return None
    template = Template()
    texts = [template.mark(bound) for bound in bounds]
    if part.lower is None and part.step is not None:
        texts = ["0", *texts]
    dtype = ", dtype=torch.float64" if "float" in types else ""
    return spelled(node, "native", "NPT121", "a range", template, f"torch.arange({', '.join(texts)}{dtype})")


def _number_type(ctx: Context, node: ast.expr) -> str:
    """The type of a Python number; nothing for what is none, or one of several."""
    types = {atom.type if isinstance(atom, v.Num) else "" for atom in ctx.fact(node)}
    return types.pop() if len(types) == 1 else ""
