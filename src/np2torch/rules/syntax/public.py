"""Public functions and classes that go on taking ndarrays: a decorator from the shim."""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.rules.handlers import Phase, on
from np2torch.rules.site import Edit, ModuleContext

DECORATOR = "shim.public"
NO_ARRAYS = ("NamedTuple", "TypedDict", "Protocol", "Enum", "Flag", "Exception", "Error", "Warning")
"""Ends of the names of bases whose subclasses need no border."""


@on(Phase.PYTHON, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
def public_definition(ctx: ModuleContext, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Edit | None:
    """`def f(x)` that callers outside use with ndarrays."""
    if node not in ctx.public and node not in ctx.reached or not needs_border(ctx, node):
        return None
    if not ctx.mentions_numpy and not ctx.reaches_numpy():
        return None
    why = "takes ndarrays or tensors and gives back the kind it was given"
    kind = "class" if isinstance(node, ast.ClassDef) else "def"
    on_top = node in ctx.public or isinstance(node, ast.ClassDef)  # what is only reached may be made a property of
    places = (DECORATOR, "") if on_top else ("", DECORATOR)
    return Edit(node, "boundary", "NPT405", f"{kind} {node.name}", why, decorator=places[0], lowest=places[1])


def _is_shims(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether it is the decorator, under whatever name the file has the shim."""
    origins = [atom.origin for atom in ctx.fact(node) if isinstance(atom, v.Opaque)]
    return any(origin.startswith("np2torch.") and origin.endswith(".public") for origin in origins)


def needs_border(ctx: ModuleContext, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> bool:
    """Tell whether arrays may pass through a definition that has no decorator for them yet."""
    texts = [ast.unparse(decorator) for decorator in node.decorator_list]
    if any(text in (DECORATOR, "public") or text.endswith("overload") for text in texts):
        return False
    if any(_is_shims(ctx, decorator) for decorator in node.decorator_list):
        return False
    if isinstance(node, ast.ClassDef):
        return not any(ast.unparse(base).endswith(NO_ARRAYS) for base in node.bases)
    definition = ctx.engine.functions.get(node)
    return definition is None or not definition.is_compiled
