"""The guards of a module, as they are put into its plan and listed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from np2torch.facts.guards import GuardLine
from np2torch.facts.interpreter.definitions import FunctionDefinition
from np2torch.rewrite.guards.texts import first_of
from np2torch.rewrite.plan import Plan
from np2torch.rules.site import ModuleContext
from np2torch.source.model import Guard


def _guarded(ctx: ModuleContext) -> Iterator[tuple[FunctionDefinition, GuardLine]]:
    """The functions of a module that get a guard, but for those that stay as they are."""
    for function in ctx.module.functions:
        if function.guard is not None and function.node not in ctx.left_nodes and ctx.is_wanted(function.node):
            yield function, function.guard


@dataclass(frozen=True, slots=True)
class GeneratorLine:
    """The line behind which a parameter is a generator that draws tensors: `rng = shim.generator(rng)`."""

    name: str

    def text(self, shim: str) -> str:
        """The line, by what the shim is called there."""
        return f"{self.name} = {shim}.generator({self.name})"


OF_NUMPY = "a generator of NumPy's gives ndarrays, and shuffles no tensor"


def _drawing(ctx: ModuleContext) -> Iterator[tuple[FunctionDefinition, list[GeneratorLine]]]:
    """The functions of a module that draw from what callers pass, but for those that stay as they are."""
    for function in () if ctx.converted_already() else ctx.module.functions:
        names = [name for name, said in function.evidence.items() if said.may_draw_arrays]
        if names and function.node not in ctx.left_nodes and ctx.is_wanted(function.node):
            yield function, [GeneratorLine(name) for name in names]


def choose_guards(ctx: ModuleContext) -> Iterator[Guard]:
    """The guards that the functions of a module get."""
    for function, lines in _drawing(ctx):
        text = "; ".join(line.text("shim") for line in lines)
        yield Guard(Path(ctx.module.path), function.node.lineno, qualified_name(function), text, OF_NUMPY)
    for function, line in _guarded(ctx):
        where = (Path(ctx.module.path), function.node.lineno, qualified_name(function))
        yield Guard(*where, line.texts("shim"), line.reason)


def qualified_name(function: FunctionDefinition) -> str:
    """The name of a function, behind that of its class."""
    return f"{function.owner.node.name}.{function.name}" if function.owner is not None else function.name


def put(ctx: ModuleContext, plan: Plan) -> None:
    """Put the guards above the first statements of their functions."""
    drawing = ((function, 0, lines) for function, lines in _drawing(ctx))
    guarded = ((function, line.position, line.lines) for function, line in _guarded(ctx))
    for function, position, lines in (*drawing, *guarded):
        assert not isinstance(function.node, ast.Lambda)
        first = first_of(function.node, position)
        if first is not None:
            plan.above.setdefault(first, []).extend(lines)
            plan.needs.setdefault(first, set()).add("shim")
            plan.running.add("shim")
