"""Annotations: `NDArray[np.float64]` is a tensor now."""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.rules.site import Context, Edit, on

TENSORS = ("numpy.typing.NDArray", "numpy.ndarray")
TYPES = {
    "NDArray": "torch.Tensor", "ArrayLike": "shim.typing.ArrayLike", "DTypeLike": "shim.typing.DTypeLike",
}  # fmt: skip
"""What `numpy.typing` calls the types, and what they are now."""


@on(ast.Subscript)
def generic_array(ctx: Context, node: ast.Subscript) -> Edit | None:
    """`NDArray[...]`, `np.ndarray[...]`."""
    fact = ctx.fact(node.value)
    atom = next(iter(fact)) if len(fact) == 1 else None
    if isinstance(atom, v.Numpy) and atom.name in TENSORS:
        return Edit(node, "native", "NPT106", ast.unparse(node.value), "a tensor", text="torch.Tensor")
    return None


@on(ast.Attribute, ast.Name)
def typing_name(ctx: Context, node: ast.Attribute | ast.Name) -> Edit | None:
    """`npt.ArrayLike`, `npt.DTypeLike`, bare `NDArray`."""
    fact = ctx.engine.facts.get(node) or v.UNKNOWN
    atom = next(iter(fact)) if len(fact) == 1 else None
    if isinstance(atom, v.Numpy) and atom.name.startswith("numpy.typing."):
        short = atom.name.rsplit(".", 1)[-1]
        text = TYPES.get(short)
        if text is not None:
            return Edit(node, "native", "NPT106", ast.unparse(node), "the tensor's type", text=text)
    return None
