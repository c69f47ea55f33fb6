"""The contract of each function: what its parameters accept and why, who calls it, its guard or why it has none."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

from np2torch.facts import notation
from np2torch.facts import values as v
from np2torch.facts.checks import INDICES, OF_INDICES
from np2torch.facts.guard_calls import guard_lines
from np2torch.facts.guards import ANY_DTYPE, GuardLine
from np2torch.facts.interpreter.definitions import FunctionDefinition
from np2torch.facts.interpreter.environment import Place
from np2torch.names.audience import why_closed, why_public
from np2torch.rewrite.guards.placing import qualified_name
from np2torch.rewrite.guards.standing import STANDING
from np2torch.rewrite.guards.worlds import found_of
from np2torch.rewrite.provenance import Origins
from np2torch.rules.site import ModuleContext
from np2torch.source.ignore import is_closed
from np2torch.source.model import AcceptedTypes, Contract, Settings

FAMILIES = {"f": "floating", "i": "signedinteger", "u": "unsignedinteger", "b": "bool", "c": "complexfloating"}
"""The names in types for NumPy's letters for kinds of dtypes."""
IN_DOUBLE_ONLY = {"floating": "float64", "complexfloating": "complex128"}
"""What is left of a family where single precision is refused."""


def contracts_of(
    ctx: ModuleContext, origins: Origins, settings: Settings, reasons: Mapping[Place, str]
) -> Iterator[Contract]:  # fmt: skip
    """The contracts of the functions of a module, in its order.

    Parameters
    ----------
    reasons
        For open functions, why they have the guard they have, or none.
    """
    for function in sorted(ctx.module.functions, key=lambda one: one.place):
        if not isinstance(function.node, ast.Lambda):
            yield _contract(ctx, function, function.node, origins, settings, reasons)


def _contract(
    ctx: ModuleContext, function: FunctionDefinition, node: ast.FunctionDef | ast.AsyncFunctionDef, origins: Origins,
    settings: Settings, reasons: Mapping[Place, str],
) -> Contract:  # fmt: skip
    path = Path(ctx.module.path)
    is_open = node in ctx.engine.open
    owner = function.owner.node if function.owner is not None else None
    is_nested = not isinstance(ctx.function(node), ast.Module)
    because = (
        why_public(node, owner, ctx.module.tree)
        if is_open
        else why_closed(node, ctx.module.name, ctx.module.tree, is_nested, is_closed(path, settings))
    )
    guard, reason = _guard(function, node, is_open, settings, reasons)
    parameters = tuple(_accepted(ctx, function, origins))
    audience = "public" if is_open else "closed"
    return Contract(path, node.lineno, qualified_name(function), audience, because, parameters, guard, reason)


def _accepted(ctx: ModuleContext, function: FunctionDefinition, origins: Origins) -> Iterator[AcceptedTypes]:
    found = found_of(function)
    is_method = function.owner is not None and not function.is_static
    for name in function.parameters[is_method:]:
        guarded = function.guard is not None and name in function.guard.parameters
        accepts = spell_types(function.guard, name) if guarded and function.guard is not None else _shown(found[name])
        yield AcceptedTypes(name, accepts, tuple(origins.of_parameter(function, name, ctx.module))[1:])


def _shown(fact: v.Fact) -> str:
    return " | ".join("anything" if part == "unknown" else part for part in notation.show_fact(fact).split(" | "))


def _guard(
    function: FunctionDefinition, node: ast.FunctionDef | ast.AsyncFunctionDef, is_open: bool, settings: Settings,
    reasons: Mapping[Place, str],
) -> tuple[str, str]:  # fmt: skip
    """The guard of a function, empty where it has none, and the reason."""
    if function.guard is not None:
        return function.guard.texts("shim"), f"{function.guard.reason}; {reasons.get(function.place, '')}".rstrip("; ")
    if standing := [ast.unparse(one) for one in guard_lines(node)]:
        return "; ".join(standing), STANDING
    if not is_open and function.place not in reasons:
        return "", "all its calls are in the files given"
    if settings.unknown != "guard":
        return "", f'the setting `unknown = "{settings.unknown}"`'
    return "", reasons.get(function.place, "the function is converted already, or handles objects that answer NumPy")


def _accepted_dtypes(guard: GuardLine, is_kept: bool) -> list[str]:
    """List the dtypes, or families of these, that a guard accepts of arrays."""
    if guard.form in ANY_DTYPE:
        wide = ["int64", "int32"] if "u" not in guard.kinds else [FAMILIES["i"]]
        return [name for kind in guard.kinds for name in (wide if kind == "i" else [FAMILIES[kind]])]
    dtypes = ["floating"] + ["complexfloating"] * (guard.form == "inexact")
    if not is_kept:
        dtypes += ["int64"] if "exact=True" in guard.options else ["integer", "bool"]
    return dtypes


def spell_types(guard: GuardLine, name: str) -> str:
    """Spell the types that a guard accepts for a parameter: arrays by their dtypes, numbers, lists."""
    if (stated := dict(guard.stated).get(name)) is not None:
        if stated in OF_INDICES:
            return "int64[...] | int32[...] | bool[...]" + " | int | lists of these" * (stated != INDICES)
        return "float | int | float64[]" if v.ranks_of(stated) == frozenset({0}) else "float | int | float64[...]"
    is_kept, ranks = name in guard.kept, dict(guard.ranks).get(name)
    dtypes = _accepted_dtypes(guard, is_kept)
    if "single=False" in guard.options:
        dtypes = [IN_DOUBLE_ONLY.get(dtype, dtype) for dtype in dtypes]
    sizes = ["..."] if ranks is None else [", ".join("nmklpqrstuvw"[:rank]) for rank in sorted(ranks)]
    parts = [f"{dtype}[{size}]" for dtype in dtypes for size in sizes]
    if not guard.refuses_numbers(name) and (ranks is None or 0 in ranks):
        parts += ["float", "int"] + ["complex"] * (guard.form != "floating" and "c" in guard.kinds)
    if not is_kept and not guard.refuses_lists(name):
        parts.append("lists of these")
    if "none=True" in guard.options:
        parts.append("None")
    return " | ".join(parts)
