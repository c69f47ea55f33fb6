"""Statements that come to nothing: `x = np.asarray(x)` of a tensor, which stays itself. They are left out."""

from __future__ import annotations

import ast
from collections.abc import Container, MutableMapping
from dataclasses import replace
from typing import Protocol, TypeGuard

from np2torch.facts import values as v
from np2torch.names.tree import walk as tree_walk
from np2torch.rules.site import Edit, ModuleContext, placeholder
from np2torch.rules.syntax.coercions import coerced_by

AN_ARRAY = "It is an array already."


class Changes(Protocol):
    """The changes to a module, as far as they are decided."""

    @property
    def edits(self) -> MutableMapping[ast.AST, Edit]:
        """By the nodes that they replace."""

    @property
    def wraps(self) -> Container[ast.AST]:
        """The nodes with something around them."""

    @property
    def notes(self) -> Container[ast.stmt]:
        """The statements with a note above them."""


def vain_statements(ctx: ModuleContext, plan: Changes) -> set[ast.stmt]:
    """Collect the assignments that come to `x = x`, and the tests whether there is an array to be made of an array."""
    coercions = _vain_coercions(ctx, plan)
    for choice, asked in coercions.items():
        edits = {node: edit for node in tree_walk(choice) if (edit := plan.edits.get(node)) is not None}
        plan.edits.update({node: _as_it_is(edit) for node, edit in edits.items()})
        if isinstance(choice, ast.IfExp) and edits:  # the name by itself, also where the line cannot be left out
            edit = _as_it_is(next(iter(edits.values())))
            plan.edits[choice] = replace(edit, node=choice, text=placeholder(0), pieces=[asked])
    return _vain_assignments(ctx, plan) | {one for one in coercions if isinstance(one, ast.If)}


def _vain_coercions(ctx: ModuleContext, plan: Changes) -> dict[ast.If | ast.IfExp, ast.expr]:
    """Collect what makes an array of what is none, of an array: `if not isinstance(x, np.ndarray): x = np.array(x)`."""
    lines = {line for node in plan.edits if (line := ctx.statement(node)) is not None}
    lines |= {above for line in lines if isinstance(above := ctx.parents.get(line), ast.If)}
    lines = {line for line in lines if line not in plan.notes and not _is_elif(ctx, line)}
    found = (coerced_by(ctx.fact, ctx.parents, line) for line in lines)
    return {one[0]: one[1] for one in found if one is not None and v.only(ctx.fact(one[1]), "array")}


def _is_elif(ctx: ModuleContext, statement: ast.stmt) -> bool:
    above = ctx.parents.get(statement)
    return isinstance(above, ast.If) and above.orelse == [statement]


def _as_it_is(edit: Edit) -> Edit:
    """The edit of what is left out: an array stays one."""
    return replace(edit, outcome="native", message=AN_ARRAY, text="", pieces=[], function="", arguments=[])


def _vain_assignments(ctx: ModuleContext, plan: Changes) -> set[ast.stmt]:
    """Collect what comes to `x = x`, as `x = np.asarray(x)` does, and binds no name that was not bound there."""
    found: set[ast.stmt] = set()
    for statement in {ctx.statement(node) for node, edit in plan.edits.items() if edit.text == placeholder(0)}:
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1 or statement in plan.notes:
            continue
        bound = _names_in(statement.targets[0])
        block = ctx.parents.get(statement)
        outer = block if isinstance(block, (ast.ClassDef, ast.Module)) else None
        if bound and bound == _comes_to(ctx, plan, statement.value):
            if outer is None or all(_is_bound_above(outer, statement, name) for name in bound):
                found.add(statement)
    return found


def _names_in(target: ast.expr) -> list[str]:
    """The names that a target consists of; none where it is more than a name or names side by side."""
    parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
    return [one.id for one in parts if isinstance(one, ast.Name)] if all(isinstance(o, ast.Name) for o in parts) else []


def _comes_to(ctx: ModuleContext, plan: Changes, value: ast.expr) -> list[str]:
    """The names that a value comes to as it is written anew, `x, y` of `list(map(np.asarray, (x, y)))`; none else."""
    if value in plan.wraps:
        return []
    if (edit := plan.edits.get(value)) is not None:
        piece = edit.pieces[0] if edit.text == placeholder(0) else None
        return _comes_to(ctx, plan, piece) if isinstance(piece, ast.expr) else []
    match value:
        case ast.Name():
            return [value.id]
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            each = [_comes_to(ctx, plan, part) for part in parts if isinstance(part, (ast.Name, ast.Call))]
            return [name for (name,) in each] if len(each) == len(parts) and all(len(one) == 1 for one in each) else []
        case ast.Call(args=[inner], keywords=[]) if ctx.fact(value.func) in HOLDING_ALL:
            return _comes_to(ctx, plan, inner) if not isinstance(inner, ast.Name) else []
        case ast.ListComp(generators=[ast.comprehension(target=ast.Name(id=name), ifs=[], iter=inner)]):
            is_each = _comes_to(ctx, plan, value.elt) == [name] and not isinstance(inner, ast.Name)
            return _comes_to(ctx, plan, inner) if is_each else []
    return []


HOLDING_ALL = (v.one(v.Builtin("list")), v.one(v.Builtin("tuple")))
"""The functions that make a list or tuple of all that they iterate over."""


def _is_bound_above(block: ast.ClassDef | ast.Module, statement: ast.stmt, name: str) -> bool:
    """Tell whether an earlier statement of the same block binds a name."""
    above = block.body[: block.body.index(statement)]
    targets = (target for one in above if isinstance(one, ast.Assign) for target in one.targets)
    defined = (one.name for one in above if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)))
    bound = {target.id for target in targets if isinstance(target, ast.Name)} | set(defined)
    deleted = {one.id for node in above for one in ast.walk(node) if _is_deleted(one)}
    return name in bound - deleted


def _is_deleted(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del)
