"""The guards of a module, as they are put into its plan and listed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from np2torch.facts.guards import GuardLine
from np2torch.facts.interpreter.definitions import FunctionDefinition
from np2torch.facts.passed_objects import (
    may_be_no_count,
    may_be_no_number,
    may_be_numpys_function,
    may_draw_arrays,
)
from np2torch.names.tree import begins_below_head
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
class EntryLine:
    """The line behind which what callers pass is what the body takes it for: `rng = shim.generator(rng)`."""

    name: str
    module: str
    function: str

    def text(self, shim: str) -> str:
        """The line, by what the shim is called there."""
        return f"{self.name} = {shim if self.module == 'shim' else self.module}.{self.function}({self.name})"


REASONS = {
    "python_number": "of a 0-D tensor torch calculates in single precision",
    "index": "of a 0-D tensor torch calculates in single precision, and a range may have numbers with a point",
    "generator": "a generator of NumPy's gives ndarrays, and shuffles no tensor",
    "function": "a function of NumPy's gives ndarrays, or is not found in tensors",
}


def _passed(ctx: ModuleContext) -> Iterator[tuple[FunctionDefinition, list[EntryLine]]]:
    """The functions of a module to which callers may pass what the body does not take, but for those that stay."""
    for function in () if ctx.converted_already() else ctx.module.functions:
        said = function.evidence.items()
        lines = [EntryLine(name, "shim", "generator") for name, one in said if may_draw_arrays(one)]
        lines += [EntryLine(name, "shim", "function") for name, one in said if may_be_numpys_function(one)]
        lines += [EntryLine(name, "operator", "index") for name, one in said if may_be_no_count(one)]
        lines += [EntryLine(name, "shim", "python_number") for name, one in said if may_be_no_number(one)]
        if lines and begins_below_head(function.node):
            if function.node not in ctx.left_nodes and ctx.is_wanted(function.node):
                yield function, lines


def choose_guards(ctx: ModuleContext) -> Iterator[Guard]:
    """The guards that the functions of a module get."""
    for function, lines in _passed(ctx):
        where = (Path(ctx.module.path), function.node.lineno, qualified_name(function))
        yield from (Guard(*where, line.text("shim"), REASONS[line.function]) for line in lines)
    for function, line in _guarded(ctx):
        where = (Path(ctx.module.path), function.node.lineno, qualified_name(function))
        yield Guard(*where, line.texts("shim"), line.reason)


def qualified_name(function: FunctionDefinition) -> str:
    """The name of a function, behind that of its class."""
    return f"{function.owner.node.name}.{function.name}" if function.owner is not None else function.name


def put(ctx: ModuleContext, plan: Plan) -> None:
    """Put the guards above the first statements of their functions."""
    passed = ((function, 0, lines, {line.module for line in lines}) for function, lines in _passed(ctx))
    guarded = ((function, line.position, line.lines, {"shim"}) for function, line in _guarded(ctx))
    for function, position, lines, modules in (*passed, *guarded):
        assert not isinstance(function.node, ast.Lambda)
        first = first_of(function.node, position)
        if first is not None:
            plan.above.setdefault(first, []).extend(lines)
            plan.needs.setdefault(first, set()).update(modules)
            plan.running.update(modules)
