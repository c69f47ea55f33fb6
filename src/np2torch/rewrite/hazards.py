"""Slow code: every torch call takes microseconds, and a NumPy call a tenth of that.

An element-wise loop over tensors is 8 to 55 times slower than over ndarrays. It stays as it is, and is listed with what
to do instead.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator

from np2torch.facts import values as v
from np2torch.names.tree import children, reads_any
from np2torch.names.tree import walk as tree_walk
from np2torch.rewrite.plan import Plan, position
from np2torch.rules.site import ModuleContext, source_of
from np2torch.source.model import Remark

LOOPS = (ast.For, ast.AsyncFor, ast.While)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)
BODIES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
PASSED_ON = ("enumerate", "zip", "reversed", "sorted")
"""Builtins that hand on the elements of what they are given."""
FILLED = {"zeros", "ones", "empty", "full"}
COPYING = {"array", "asarray"}
"""Functions that make arrays of a shape, and of what is listed."""
TINY = 16
"""Elements up to which the call costs more than the work."""
ALTERNATIVES = {
    "NPT601": "work on whole tensors, on a list made with .tolist() before the loop, or leave the function on NumPy",
    "NPT602": "make it before the loop, stack what the loop handles into one tensor, or use Python numbers",
    "NPT603": "take .tolist() of the whole tensor before the loop, or stay with tensors until after it",
    "NPT604": "write into a tensor made before the loop, or work on whole tensors",
}


def hazards_in(ctx: ModuleContext, plan: Plan) -> list[Remark]:
    """The hazards of a planned module, one for each code, line and source."""
    items = {node for node, edit in plan.edits.items() if any(".item()" in text for text in edit.texts)}
    items |= {node for node, wraps in plan.wraps.items() if any(".item()" in wrap.after for wrap in wraps)}
    items -= ctx.taken_out  # the loop works on numbers then
    found: dict[tuple[int, str, str], Remark] = {}
    on_numpy = {node for loop in ctx.on_numpy for node in tree_walk(loop)}
    on_numpy |= {node for node, edit in plan.edits.items() if isinstance(node, ast.Call) and edit.text.isidentifier()}
    for loop, inside in _loops(ctx.module.tree):
        for node, code, what in _in_loop(ctx, loop, inside, items):
            if ctx.wants(node, code) and node not in ctx.left_nodes and node not in on_numpy:
                remark = Remark(*position(ctx, node), code, f"{what}: {ALTERNATIVES[code]}")
                found.setdefault((remark.line, code, what), remark)
    return sorted(found.values())


def _loops(tree: ast.AST) -> Iterator[tuple[ast.AST, list[ast.AST]]]:
    """Each loop with what it runs again and again, but for what inner loops and functions run."""
    for node in tree_walk(tree):
        if isinstance(node, (*LOOPS, *COMPREHENSIONS)):
            again: list[ast.AST] = []
            stack = [child for child in children(node) if child is not getattr(node, "iter", None)]
            if isinstance(node, COMPREHENSIONS):
                stack = [child for child in children(node) if not isinstance(child, ast.comprehension)]
            while stack:
                one = stack.pop()
                again.append(one)
                if not isinstance(one, (*LOOPS, *COMPREHENSIONS, *BODIES)):
                    stack += children(one)
            yield node, again


def _in_loop(
    ctx: ModuleContext, loop: ast.AST, inside: list[ast.AST], items: set[ast.AST]
) -> Iterator[tuple[ast.AST, str, str]]:
    sources: list[ast.expr] = [loop.iter] if isinstance(loop, (ast.For, ast.AsyncFor)) else []
    sources += [g.iter for g in getattr(loop, "generators", ())]
    for source in sources:
        for array in _passed_on(source):
            if v.only(ctx.fact(array), "array") and v.rank_of(ctx.fact(array)) == 1 and array not in ctx.read_at_once:
                yield loop, "NPT601", f"`{source_of(array)}` is gone through element by element"
    names = _bound(ctx, loop)
    elements = [one for one in inside if isinstance(one, ast.Subscript) and _is_element(ctx, one, names)]
    if elements:
        first = min(elements, key=lambda element: (element.lineno, element.col_offset))
        yield loop, "NPT601", f"`{source_of(first)}` is one element at a time"
    for one in inside:
        if isinstance(one, ast.Call):
            yield from _call(ctx, one)
        if one in items:
            yield one, "NPT603", f"`{source_of(one)}` becomes a Python number each time"
    if isinstance(loop, ast.ListComp) and _is_scalar(ctx.fact(loop.elt)):
        yield loop, "NPT604", f"a list of 0-D tensors, `{source_of(loop.elt)}`"


def _call(ctx: ModuleContext, node: ast.Call) -> Iterator[tuple[ast.AST, str, str]]:
    if _is_tiny(ctx, node):
        yield node, "NPT602", f"`{source_of(node)}` makes a tiny tensor each time"
    if isinstance(node.func, ast.Attribute) and not node.keywords:
        owner = ctx.fact(node.func.value)
        if node.func.attr == "item" and v.only(owner, "array", "scalar"):
            yield node, "NPT603", f"`{source_of(node)}` becomes a Python number each time"
        if node.func.attr == "append" and len(node.args) == 1 and v.only(owner, "sequence"):
            if _is_scalar(ctx.fact(node.args[0])):
                yield node, "NPT604", f"a list of 0-D tensors, `{source_of(node)}`"


def _passed_on(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in PASSED_ON:
        return [one for argument in node.args for one in _passed_on(argument)]
    return [node]


def _bound(ctx: ModuleContext, loop: ast.AST) -> set[str]:
    """The names that a loop, and the loops around it, count with."""
    names: set[str] = set()
    current: ast.AST | None = loop
    while current is not None and not isinstance(current, BODIES):
        targets = [current.target] if isinstance(current, (ast.For, ast.AsyncFor)) else []
        targets += [generator.target for generator in getattr(current, "generators", ())]
        if isinstance(current, ast.While):
            targets += [s.target for s in tree_walk(current) if isinstance(s, ast.AugAssign)]
        names |= {one.id for target in targets for one in tree_walk(target) if isinstance(one, ast.Name)}
        current = ctx.parents.get(current)
    return names


def _is_element(ctx: ModuleContext, node: ast.Subscript, names: set[str]) -> bool:
    owner = ctx.fact(node.value)
    if not v.only(owner, "array") or not reads_any(node.slice, names):
        return False
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    return v.rank_of(owner) == len(parts) and all(v.only(ctx.fact(part), "number", "scalar") for part in parts)


def _is_scalar(fact: v.Fact) -> bool:
    return bool(fact) and all(isinstance(atom, v.Scalar) and not atom.python for atom in fact)


def _count(node: ast.expr) -> int | None:
    """Count the elements that are written there; None where that is open."""
    if isinstance(node, ast.Starred):
        return None
    if not isinstance(node, (ast.List, ast.Tuple)):
        return 1
    counts = [_count(one) for one in node.elts]
    return None if None in counts else sum(one or 0 for one in counts)


def _is_tiny(ctx: ModuleContext, node: ast.Call) -> bool:
    """`np.array([x, y])`, `np.zeros(3)`: few elements, and that is written there."""
    names = {atom.name.removeprefix("numpy.") for atom in ctx.fact(node.func) if isinstance(atom, v.Numpy)}
    if not node.args or not names:
        return False
    first = node.args[0]
    if names <= FILLED:
        sides = [v.constant(ctx.fact(one)) for one in getattr(first, "elts", [first])]
        return all(isinstance(side, int) for side in sides) and math.prod(map(int, sides)) <= TINY
    if names <= COPYING and isinstance(first, (ast.List, ast.Tuple)):
        return (_count(first) or TINY + 1) <= TINY
    return False
