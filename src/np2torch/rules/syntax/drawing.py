"""`np.random.rand(3)` where people want torch's random numbers, not NumPy's stream."""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.rules.pieces import Template
from np2torch.rules.site import Context, Edit, on, source_of, spelled
from np2torch.rules.syntax.names import is_numpy_reference

FLAT = {"rand": "torch.rand", "randn": "torch.randn"}
"""Functions that take the shape in separate arguments."""
SIZED = {
    "random": "torch.rand", "random_sample": "torch.rand", "ranf": "torch.rand", "sample": "torch.rand",
    "standard_normal": "torch.randn",
}  # fmt: skip
"""Functions of nothing but a size."""
FILLED = {
    "uniform": ("uniform_", {"low": "0.0", "high": "1.0"}), "normal": ("normal_", {"loc": "0.0", "scale": "1.0"}),
}  # fmt: skip
"""Laws that torch fills a tensor with: the method, and the parameters with their defaults."""
DTYPE = "dtype=torch.float64"
WHY = "torch's own random numbers"


@on(ast.Call)
def torchs_random(ctx: Context, node: ast.Call) -> Edit | None:
    """A draw, or a seed, of the functions of `np.random`; what torch has no law for keeps NumPy's stream."""
    if not ctx.torchs_random or (name := is_numpy_reference(ctx, node.func)) is None:
        return None
    short = name.removeprefix("numpy.random.")
    if not name.startswith("numpy.random.") or any(keyword.arg is None for keyword in node.keywords):
        return None
    template = Template()
    if short == "seed":
        inside = ", ".join(template.mark(one) for one in [*node.args, *(k.value for k in node.keywords)])
        return spelled(node, "shim", "NPT508", "seeds torch and the shim", template, f"shim.manual_seed({inside})")
    text = _flat(short, node, template) or _drawn(ctx, short, node, template)
    return Edit(node, "native", "NPT508", source_of(node), WHY, text=text, pieces=template.nodes) if text else None


def _flat(short: str, node: ast.Call, template: Template) -> str:
    if short not in FLAT or node.keywords:
        return ""
    if not node.args:
        return f"{FLAT[short]}((), {DTYPE}).item()"
    sizes = [f"*{template.mark(a.value)}" if isinstance(a, ast.Starred) else template.mark(a) for a in node.args]
    return f"{FLAT[short]}({', '.join(sizes)}, {DTYPE})"


def _drawn(ctx: Context, short: str, node: ast.Call, template: Template) -> str:
    law, defaults = FILLED.get(short, ("", {}))
    names = [*defaults, "size"] if short in SIZED or law else ["low", "high", "size"] if short == "randint" else []
    if short == "permutation" and len(node.args) == 1 and v.only(ctx.fact(node.args[0]), "number"):
        return f"torch.randperm({template.mark(node.args[0])})"
    if len(node.args) > len(names) or any(isinstance(argument, ast.Starred) for argument in node.args):
        return ""
    given = dict(zip(names, node.args, strict=False)) | {str(k.arg): k.value for k in node.keywords}
    if given.keys() - set(names):
        return ""
    numbers = {name: one for name, one in given.items() if name != "size"}
    if not all(v.only(ctx.fact(one), "number") for one in numbers.values()):
        return ""
    size, many = _size(ctx, given.get("size"), template)
    if not size:
        return ""
    value = {name: template.mark(one) for name, one in numbers.items()}
    if short == "randint":
        limits = [value[name] for name in ("low", "high") if name in value]
        text = f"torch.randint({', '.join(limits)}, {size})" if limits else ""
    elif law:
        parameters = ", ".join(value.get(name, default) for name, default in defaults.items())
        text = f"torch.empty({size}, {DTYPE}).{law}({parameters})"
    else:
        text = f"{SIZED[short]}({size}, {DTYPE})"
    return text if many or not text else f"{text}.item()"


def _size(ctx: Context, node: ast.expr | None, template: Template) -> tuple[str, bool]:
    """A size as a tuple, and whether it asks for an array; no text where that is not known."""
    fact = ctx.fact(node)
    if node is None or v.only(fact, "none"):
        return "()", False
    if v.only(fact, "number"):
        return f"({template.mark(node)},)", True
    return (template.mark(node), True) if v.only(fact, "sequence") else ("", True)
