"""Find whoever holds an element of an array that was left as a view, by running converted programs with recorders.

An element that the conversion leaves as a view of the array must be gone once its statement is done, and names that
are bound to such must not be used after the array was written. This converts files in place with a recorder around
each such view and at the end of each statement; running the converted code then writes findings, one a line, to the
file that the environment variable NP2TORCH_POISON names.

    python tests/properties/poison.py package tests
    PYTHONPATH=tests/properties NP2TORCH_POISON=findings.txt python -m pytest tests
"""

from __future__ import annotations

import ast
import atexit
import os
import sys
import weakref
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent


# ------------------------------------------------------------------------------------- while the program runs
class View(NamedTuple):
    """A view that was made: itself, another tensor of its memory, that one's version then, the frame, the place."""

    alive: weakref.ref[Any]
    twin: Any
    version: int
    frame: int
    place: str


PENDING: dict[int, list[View]] = {}
NAMED: dict[int, View] = {}
FOUND: set[str] = set()
COUNTS = {"views": 0, "statements": 0, "uses": 0}


def _report(line: str) -> None:
    FOUND.add(line)


def view(x: Any, place: str, is_named: bool = False) -> Any:
    """Record an element that is a view of an array."""
    import torch

    if isinstance(x, torch.Tensor) and not x.ndim and x._is_view():
        COUNTS["views"] += 1
        made = View(weakref.ref(x), x.detach(), x._version, id(sys._getframe(1)), place)
        if is_named:
            NAMED[id(x)] = made
        else:
            PENDING.setdefault(made.frame, []).append(made)
    return x


def each(xs: Any, place: str) -> Any:
    """Record the elements that a loop goes through."""
    return [view(x, place, True) for x in xs] if hasattr(xs, "_version") and xs.ndim == 1 else xs


def use(x: Any, place: str) -> Any:
    """Check that the memory of a named view was not written since it was bound."""
    COUNTS["uses"] += 1
    made = NAMED.get(id(x))
    if made is not None and made.alive() is x and made.twin._version != made.version:
        _report(f"{place}: used after the array was written, read at {made.place}")
    return x


def done(value: Any, place: str) -> Any:
    """Check at the end of a statement that nobody holds the views that were made for it."""
    COUNTS["statements"] += 1
    for made in PENDING.pop(id(sys._getframe(1)), ()):
        if made.alive() is not None:
            _report(f"{made.place}: still held when the statement at {place} was done")
    return value


@atexit.register
def _write() -> None:
    path = os.environ.get("NP2TORCH_POISON")
    if path and COUNTS["statements"]:
        lines = [*sorted(FOUND), f"# {len(FOUND)} findings, {COUNTS}"]
        with open(path, "a", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")


# ---------------------------------------------------------------------------------------------- conversion
RECORDER = '__import__("poison")'


def instrument(ctx: Any, plan: Any, name: str) -> None:
    """Put recorders around the views that a plan leaves, around the uses of their names, and at ends of statements."""
    from np2torch.facts import values as v
    from np2torch.names.tree import walk
    from np2torch.rules.scalars.destinations import destination
    from np2torch.rules.scalars.lifetimes import uses_of
    from np2torch.rules.scalars.reads import is_element_read
    from np2torch.rules.site import CLONE, Wrap

    def put(node: ast.AST, function: str, more: str = "") -> None:
        place = f"{name}:{node.lineno}"  # type: ignore[attr-defined]
        made = Wrap(node, f"{RECORDER}.{function}(", f', "{place}"{more})', "native", "NPT101", "recorded")
        plan.wraps.setdefault(node, []).append(made)

    ends: set[ast.expr] = set()
    for node in walk(ctx.module.tree):
        if isinstance(node, ast.For) and isinstance(node.target, ast.Name):
            owned = any(wrap.code == CLONE for wrap in plan.wraps.get(node.iter, ()))
            if not owned and v.only(ctx.fact(node.iter), "array") and v.rank_of(ctx.fact(node.iter)) == 1:
                put(node.iter, "each")
                for read in uses_of(ctx, node.target.id, ctx.function(node)) or ():
                    put(read, "use")
        if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load) or node in plan.edits:
            continue
        wraps = plan.wraps.get(node, ())
        if not is_element_read(ctx, node) or any(wrap.code == CLONE or ".item()" in wrap.after for wrap in wraps):
            continue
        statement, where = ctx.statement(node), destination(ctx, node)
        if isinstance(statement, ast.AugAssign) or where.leaves:
            continue
        if where.is_kept and where.names:
            put(node, "view", ", True")
            for one in where.names:
                for read in uses_of(ctx, one.id, ctx.function(node)) or ():
                    put(read, "use")
        elif isinstance(statement, (ast.Assign, ast.Return, ast.Expr, ast.AnnAssign)) and statement.value is not None:
            if statement.value is not node:
                put(node, "view")
                ends.add(statement.value)
    for value in ends:
        put(value, "done")


def main() -> None:
    """Convert files in place, with recorders."""
    from np2torch.rewrite.pipeline import planned
    from np2torch_cli import cli

    plain = planned.make_plan

    def make_plan(ctx: Any, change: Any = None) -> Any:
        def changed(plan: Any) -> None:
            if change is not None:
                change(plan)
            instrument(ctx, plan, ctx.module.name)

        return plain(ctx, changed)

    planned.make_plan = make_plan
    cli(["convert", "--write", "--exit-zero", "--no-cache", *sys.argv[1:]])


if __name__ == "__main__":
    main()
