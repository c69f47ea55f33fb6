"""Lines beside loops that run in NumPy, which hand values over, and the names of the views inside.

low_np = low.numpy()
for i in range(n):
    low_np[i, 0] = low_np[i, 1] / 2
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping
from typing import NamedTuple

from np2torch.names.tree import walk
from np2torch.rewrite.plan import Line, Plan, position
from np2torch.rules.loops.flow import blocks_above, stores
from np2torch.rules.loops.functions import CODE as FUNCTION
from np2torch.rules.loops.region import ANY, BACK, CODE, ELEMENTS, NUMBER, STREAM, STRONG, VIEW, WITHIN, Region
from np2torch.rules.site import Edit, ModuleContext, Wrap
from np2torch.source.model import Settings, Site

MESSAGE = "the loop goes by elements: it runs in NumPy on this memory"
OF_STATEMENTS = "these statements go by elements: they run in NumPy on this memory"
BROUGHT_BACK = "NPT403"
OF_LAMBDA = FUNCTION, "a loop in NumPy calls it: it runs there too"
FORMS = {
    VIEW: "{shim}.numpy_view({0})", WITHIN: "{0}.__wrapped__", STREAM: "{shim}.numpy_stream({0})",
    ANY: "{shim}.as_numpy({0})", STRONG: "{shim}.as_numpy({0}, strong=True)",
    BACK: "{shim}.from_numpy({0})", NUMBER: "{shim}.as_number({0})", ELEMENTS: "{shim}.by_elements({0})",
}  # fmt: skip
"""How a value is handed over."""


class HandOver(NamedTuple):
    """A statement that hands a value over: `a_np = a.numpy()`."""

    target: str
    value: str
    form: str

    def text(self, shim: str) -> str:
        """The statement, by what the shim is called there."""
        return f"{self.target} = {FORMS[self.form].format(self.value, shim=shim)}"


def policy_of(settings: Settings, keeps_gradients: bool) -> str:
    """Choose what loops run on: tensors if gradients, another device or other floats are wanted, else NumPy."""
    if settings.loops:
        return settings.loops
    is_plain = settings.device == "default" and settings.float != "float32" and not keeps_gradients
    return "numpy" if is_plain else "tensor"


def hand_over(ctx: ModuleContext, plan: Plan) -> None:
    """Put the lines beside the loops, and what leaves them, into the plan."""
    regions = {region.loop: region for region in _regions(ctx)}
    for region in regions.values():
        if isinstance(region.loop, ast.stmt):
            views = [HandOver(name, path, way) for path, (way, name) in sorted(region.views.items())]
            above = [one for one in views if not _is_there(ctx, region.loop, one, regions)]
            above += [HandOver(name, name, way) for name, way in region.going.items() if way]
            below = [HandOver(name, name, way) for name, way in region.coming.items()]
            _add(ctx, plan, plan.above, region.loop, above, region.last)
            _add(ctx, plan, plan.below, region.last or region.loop, below, region.last)
        for node, way in region.crossing.items():
            before, after = FORMS[way].format("\0", shim="shim").split("\0")
            code, why = OF_LAMBDA if way == ELEMENTS else (BROUGHT_BACK, "a value leaves a loop that runs in NumPy")
            wrap = Wrap(node, before, after, "boundary", code, why)
            plan.wraps.setdefault(node, []).append(wrap)


def _is_there(ctx: ModuleContext, loop: ast.stmt, view: HandOver, regions: Mapping[ast.AST, Region]) -> bool:
    """Tell whether a loop before this one has made the same view, and nothing since can have changed what it is of."""
    if view.form != VIEW or not view.value.isidentifier():
        return False
    for statement in reversed(next(iter(blocks_above(ctx, loop)), ())):
        if statement in regions:
            made = regions[statement].views.get(view.value)
            if made is not None or view.value in stores([statement]):
                return made == (VIEW, view.target)
        elif {view.value, view.target} & stores([statement]) or any(map(_may_change, walk(statement))):
            return False
    return False


def _may_change(node: ast.AST) -> bool:
    """Tell what may write into a tensor, give it a gradient or other memory: a call, a store but to a name."""
    is_part = isinstance(node, (ast.Subscript, ast.Attribute)) and not isinstance(node.ctx, ast.Load)
    return is_part or isinstance(node, (ast.Call, ast.AugAssign, ast.Await, ast.Yield, ast.YieldFrom))


def _regions(ctx: ModuleContext) -> Collection[Region]:
    return ctx.on_numpy.values()


def _add(
    ctx: ModuleContext, plan: Plan, lines: dict[ast.stmt, list[Line]], loop: ast.stmt, handed: list[HandOver],
    last: ast.stmt | None,
) -> None:  # fmt: skip
    if not handed:
        return
    lines.setdefault(loop, []).extend(handed)
    if any("{shim}" in FORMS[one.form] for one in handed):
        plan.needs.setdefault(loop, set()).add("shim")
        plan.running.add("shim")
    code = CODE if lines is plan.above else BROUGHT_BACK
    why = MESSAGE if last is None else OF_STATEMENTS
    plan.added.extend(Site(*position(ctx, loop), "boundary", code, one.value, why) for one in handed)


def rename(ctx: ModuleContext, plan: Plan) -> None:
    """Have the loops read the views, once the sites are counted."""
    for region in _regions(ctx):
        for node, name in region.renamed.items():
            plan.edits[node] = Edit(node, "native", CODE, name, text=name)
