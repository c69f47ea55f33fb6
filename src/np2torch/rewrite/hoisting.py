"""Takes tensors of literals out of loops: what is made of numbers of the text is made once.

offset = torch.tensor([1.0, 0.0], dtype=torch.float64)
for k in range(n):
    place = place + offset

Only operands of arithmetic and comparisons between arrays and numbers are taken out: nobody keeps those, writes in
them, or sees who they are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from np2torch.facts import values as v
from np2torch.names.tree import walk as tree_walk
from np2torch.rewrite.plan import Plan
from np2torch.rules.loops.regions import names_in
from np2torch.rules.rule_arguments import PLACEHOLDER
from np2torch.rules.site import BODIES, Edit, ModuleContext
from np2torch.source.model import Settings

MAKING = "torch.tensor"
LITERALS = (ast.List, ast.Tuple, ast.Constant, ast.UnaryOp, ast.USub, ast.Load)
COMPUTED = ("array", "scalar", "number")
"""The kinds of values whose operators keep nothing of their operands."""


class HoistedTensor(NamedTuple):
    """A statement above a loop that makes a tensor for it."""

    name: str
    value: str

    def text(self, shim: str) -> str:
        """The statement."""
        return f"{self.name} = {self.value}"


def hoist(ctx: ModuleContext, plan: Plan, settings: Settings) -> None:
    """Take tensors of literals out of the loops of functions, once the sites are counted."""
    if settings.device != "default":  # what they are made on may depend on what the loop binds
        return
    taken = names_in(ctx)
    made: dict[tuple[ast.stmt, str], str] = {}
    for node, loop, edit in list(_found(ctx, plan)):
        value = _written(ctx, plan, edit)
        if value is None:
            continue
        name = made.get((loop, value))
        if name is None:
            name = made[loop, value] = _fresh(taken)
            plan.above.setdefault(loop, []).append(HoistedTensor(name, value))
        plan.edits[node] = Edit(node, edit.outcome, edit.code, edit.source, text=name)


def _found(ctx: ModuleContext, plan: Plan) -> Iterator[tuple[ast.Call, ast.stmt, Edit]]:
    """Find the calls in loops that make tensors of literals, with the outermost loop around each."""
    for node, edit in plan.edits.items():
        is_native = edit.function == MAKING and edit.outcome == "native"
        if isinstance(node, ast.Call) and is_native and not plan.wraps.get(node):
            loop = _loop_around(ctx, node) if _is_operand(ctx, node) else None
            if loop is not None and loop not in ctx.on_numpy:
                yield node, loop, edit


def _is_operand(ctx: ModuleContext, node: ast.Call) -> bool:
    """Tell whether it is computed with, beside an array or a number."""
    parent = ctx.parents.get(node)
    if isinstance(parent, ast.BinOp):
        operands = [parent.left, parent.right]
    elif isinstance(parent, ast.Compare):
        operands = [parent.left, *parent.comparators]
    else:
        return False
    return all(one is node or v.only(ctx.fact(one), *COMPUTED) for one in operands)


def _loop_around(ctx: ModuleContext, node: ast.AST) -> ast.stmt | None:
    """The outermost loop of a function that runs an expression again and again; None outside of functions."""
    found: ast.stmt | None = None
    current = ctx.parents.get(node)
    inner: ast.AST = node
    while current is not None and not isinstance(current, (*BODIES, ast.ClassDef)):
        if isinstance(current, ast.While) or isinstance(current, ast.For) and inner is not current.iter:
            found = current
        inner, current = current, ctx.parents.get(current)
    return found if isinstance(current, (ast.FunctionDef, ast.AsyncFunctionDef)) else None


def _written(ctx: ModuleContext, plan: Plan, edit: Edit) -> str | None:
    """The text of the call, if there is nothing in it but numbers and a dtype."""
    texts = []
    for one in edit.pieces:
        parts = tree_walk(one)
        if not all(isinstance(part, LITERALS) for part in parts) or any(part in plan.wraps for part in parts):
            return None
        if any(isinstance(part, ast.Constant) and type(part.value) not in (int, float) for part in parts):
            return None
        segment = ast.get_source_segment(ctx.module.text, one) or ""
        texts.append(ast.unparse(one) if "\n" in segment or not segment else segment)
    arguments = [f"{name}={text}" if name else text for name, text in edit.arguments]
    whole = f"{edit.function}({', '.join(arguments)})"
    found = re.sub(rf"{PLACEHOLDER}(\d+)_", lambda match: texts[int(match[1])], whole)
    is_plain = bool(texts) and re.fullmatch(r"torch\.tensor\([-+\[\](), .\deE]+(, dtype=torch\.\w+)?\)", found)
    return found if is_plain else None


def _fresh(taken: set[str]) -> str:
    """A name that nothing in the module has."""
    name, number = "constant", 1
    while name in taken:
        number += 1
        name = f"constant_{number}"
    taken.add(name)
    return name
