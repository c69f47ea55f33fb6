"""`np.random.rand(3)` where people want torch's random numbers, not NumPy's stream."""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.names.scopes import bound_names
from np2torch.rules.handlers import Phase, on
from np2torch.rules.rule_arguments import Template
from np2torch.rules.site import Edit, ModuleContext, source_of, text_edit
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
RANGED = ("randint", "integers")
"""Whole numbers between limits."""
GENERATORS = [v.Numpy(f"numpy.random.{kind}()") for kind in ("Generator", "RandomState")]
MAKERS = ("default_rng", "RandomState")
"""The functions that make a generator from a seed."""
DTYPE = "dtype=torch.float64"
WHY = "torch's own random numbers"


@on(Phase.SPECIAL, ast.Call)
def torchs_random(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """A draw, or a seed, of the functions of `np.random`; what torch has no law for keeps NumPy's stream."""
    if not ctx.torchs_random:
        return None
    if isinstance(node.func, ast.Attribute) and v.only(ctx.fact(node.func.value), "numpy"):
        if isinstance(node.func.value, ast.Name) and v.sole(ctx.fact(node.func.value)) in GENERATORS:
            return _from_generator(ctx, node, node.func.value, node.func.attr)
    if (name := is_numpy_reference(ctx, node.func)) is None:
        return None
    short = name.removeprefix("numpy.random.")
    if not name.startswith("numpy.random.") or any(keyword.arg is None for keyword in node.keywords):
        return None
    template = Template()
    if short in MAKERS:
        return _made(ctx, node, template)
    if short == "seed":
        inside = ", ".join(template.mark(one) for one in [*node.args, *(k.value for k in node.keywords)])
        return text_edit(node, "shim", "NPT508", "seeds torch and the shim", template, f"shim.manual_seed({inside})")
    text = _flat(short, node, template) or _drawn(ctx, short, node, template)
    return Edit(node, "native", "NPT508", source_of(node), WHY, text=text, pieces=template.nodes) if text else None


def _made(ctx: ModuleContext, node: ast.Call, template: Template) -> Edit | None:
    """`default_rng(0)`: a generator of torch's, where all that it is used for can be drawn from one."""
    statement = ctx.parents.get(node)
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    if not isinstance(target, ast.Name) or not _is_torchs(ctx, target.id):
        return None
    text = f"torch.Generator().manual_seed({template.mark(node.args[0])})"
    return Edit(node, "native", "NPT508", source_of(node), WHY, text=text, pieces=template.nodes)


def _from_generator(ctx: ModuleContext, node: ast.Call, owner: ast.Name, short: str) -> Edit | None:
    """`rng.normal(size=3)` of a generator that is torch's."""
    if not _is_torchs(ctx, owner.id):
        return None
    template = Template()
    text = _text(ctx, short, node, template, f", generator={template.mark(owner)}")
    return Edit(node, "native", "NPT508", source_of(node), WHY, text=text, pieces=template.nodes)


def _is_torchs(ctx: ModuleContext, name: str) -> bool:
    """Tell whether a name is only bound to seeded generators, and only read for draws that torch has too."""
    for info in ctx.engine.modules.values():
        for node in info.nodes:
            if info is not ctx.module:
                if getattr(node, "attr", None) == name or isinstance(node, ast.alias) and node.name in (name, "*"):
                    return False
            elif isinstance(node, ast.Name) and node.id == name:
                if not (_is_drawn_from(ctx, node) if isinstance(node.ctx, ast.Load) else _is_seeded(ctx, node)):
                    return False
            elif name in bound_names(node) or isinstance(node, (ast.Global, ast.Nonlocal)) and name in node.names:
                return False
    return True


def _is_seeded(ctx: ModuleContext, target: ast.Name) -> bool:
    """Tell whether it is the one target to which a generator is bound that is made with a number."""
    statement = ctx.parents.get(target)
    if not isinstance(statement, ast.Assign) or len(statement.targets) > 1 or not isinstance(statement.value, ast.Call):
        return False
    call, name = statement.value, is_numpy_reference(ctx, statement.value.func) or ""
    is_maker = name.removeprefix("numpy.random.") in MAKERS
    return is_maker and len(call.args) == 1 and not call.keywords and v.only(ctx.fact(call.args[0]), "number")


def _is_drawn_from(ctx: ModuleContext, name: ast.Name) -> bool:
    """Tell whether a generator is read for a draw that torch has too."""
    method = ctx.parents.get(name)
    call = ctx.parents.get(method) if isinstance(method, ast.Attribute) else None
    if not isinstance(call, ast.Call) or call.func is not method or any(one.arg is None for one in call.keywords):
        return False
    assert isinstance(method, ast.Attribute)
    return bool(_text(ctx, method.attr, call, Template(), ""))


def _text(ctx: ModuleContext, short: str, node: ast.Call, template: Template, generator: str) -> str:
    return _flat(short, node, template, generator) or _drawn(ctx, short, node, template, generator)


def _flat(short: str, node: ast.Call, template: Template, generator: str = "") -> str:
    if short not in FLAT or node.keywords:
        return ""
    if not node.args:
        return f"{FLAT[short]}((){generator}, {DTYPE}).item()"
    sizes = [f"*{template.mark(a.value)}" if isinstance(a, ast.Starred) else template.mark(a) for a in node.args]
    return f"{FLAT[short]}({', '.join(sizes)}{generator}, {DTYPE})"


def _drawn(ctx: ModuleContext, short: str, node: ast.Call, template: Template, generator: str = "") -> str:
    if short == "permutation" and len(node.args) == 1 and v.only(ctx.fact(node.args[0]), "number"):
        return f"torch.randperm({template.mark(node.args[0])}{generator})"
    given = _by_names(short, node)
    if given is None:
        return ""
    numbers = {name: one for name, one in given.items() if name != "size"}
    if not all(v.only(ctx.fact(one), "number") for one in numbers.values()):
        return ""
    size, many = _size(ctx, given.get("size"), template)
    if not size:
        return ""
    text = _filled(short, size, {name: template.mark(one) for name, one in numbers.items()}, generator)
    return text if many or not text else f"{text}.item()"


def _by_names(short: str, node: ast.Call) -> dict[str, ast.expr] | None:
    """The arguments of a function that torch can draw, by their names; None where it has none of these."""
    law, defaults = FILLED.get(short, ("", {}))
    names = [*defaults, "size"] if short in SIZED or law else ["low", "high", "size"] if short in RANGED else []
    if len(node.args) > len(names) or any(isinstance(argument, ast.Starred) for argument in node.args):
        return None
    given = dict(zip(names, node.args, strict=False)) | {str(k.arg): k.value for k in node.keywords}
    return None if given.keys() - set(names) else given


def _filled(short: str, size: str, value: dict[str, str], generator: str) -> str:
    """Spell a tensor of a size that torch draws: whole numbers, a law with its parameters, or a law without."""
    if short in RANGED:
        limits = [value[name] for name in ("low", "high") if name in value]
        return f"torch.randint({', '.join(limits)}, {size}{generator})" if limits else ""
    if short in FILLED:
        law, defaults = FILLED[short]
        parameters = ", ".join(value.get(name, default) for name, default in defaults.items())
        return f"torch.empty({size}, {DTYPE}).{law}({parameters}{generator})"
    return f"{SIZED[short]}({size}{generator}, {DTYPE})"


def _size(ctx: ModuleContext, node: ast.expr | None, template: Template) -> tuple[str, bool]:
    """A size as a tuple, and whether it asks for an array; no text where that is not known."""
    fact = ctx.fact(node)
    if node is None or v.only(fact, "none"):
        return "()", False
    if v.only(fact, "number"):
        return f"({template.mark(node)},)", True
    return (template.mark(node), True) if v.only(fact, "sequence") else ("", True)
