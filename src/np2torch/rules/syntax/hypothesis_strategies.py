"""Hypothesis draws ndarrays: what it draws becomes tensors, and the dtypes it is told stay NumPy's."""

from __future__ import annotations

import ast

from np2torch.facts import results
from np2torch.facts import values as v
from np2torch.facts.models.hypothesis import STRATEGIES
from np2torch.names.tree import walk as tree_walk
from np2torch.rules.handlers import Phase, on
from np2torch.rules.site import Edit, ModuleContext, source_of
from np2torch.rules.syntax.foreign import holds_tensor, to_numpy


def is_strategy(fact: v.Fact) -> bool:
    """Tell whether it is a function of `hypothesis.extra.numpy`."""
    atom = v.sole(fact)
    return isinstance(atom, v.Opaque) and atom.origin.startswith(f"{STRATEGIES}.")


@on(Phase.BOUNDARY, ast.Call)
def strategy(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """`arrays(np.int8, (4, 5))`."""
    if not is_strategy(ctx.fact(node.func)) or ctx.converted_already():
        return None
    for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
        for part in tree_walk(argument):
            if isinstance(part, (ast.Attribute, ast.Name)) and results.dtype_names(ctx.fact(part)):
                ctx.edits[part] = Edit(part, "boundary", "NPT401", source_of(part), "Hypothesis makes ndarrays")
                ctx.keep_name(part)
        if holds_tensor(ctx.fact(argument)):
            to_numpy(ctx, argument)
    parent = ctx.parents.get(node)
    inner = isinstance(parent, (ast.Call, ast.keyword)) and is_strategy(ctx.fact(_called(ctx, parent)))
    if ast.unparse(node.func).endswith("arrays") and not inner:
        ctx.wrap(node, "", ".map(shim.from_numpy)", "boundary", "NPT403", "draws ndarrays")
    return None


def _called(ctx: ModuleContext, node: ast.AST) -> ast.AST | None:
    call = ctx.parents.get(node) if isinstance(node, ast.keyword) else node
    return call.func if isinstance(call, ast.Call) else None
