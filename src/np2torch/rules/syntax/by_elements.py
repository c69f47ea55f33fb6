"""Functions that compute element by element: a decorator from the shim, over a text that stays what it was."""

from __future__ import annotations

import ast

from np2torch.rules.handlers import Phase, on
from np2torch.rules.loops.functions import CODE, DECORATOR
from np2torch.rules.site import Edit, ModuleContext


@on(Phase.KEPT, ast.FunctionDef)
def computing_function(ctx: ModuleContext, node: ast.FunctionDef) -> Edit | None:
    """`def product(q, r)` that takes `q` and `r` apart."""
    if node not in ctx.by_elements:
        return None
    why = "it computes element by element: it runs in NumPy on the memory of the tensors"
    return Edit(node, "boundary", CODE, f"def {node.name}", why, lowest=DECORATOR)
