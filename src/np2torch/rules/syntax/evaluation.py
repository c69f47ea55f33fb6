"""Elements read before a call in the same expression writes their array: NumPy has copied them by then."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from np2torch.names.tree import children
from np2torch.rules.site import Context, Edit, on
from np2torch.rules.syntax.elements import clone_read, element_reads

IN_ORDER = (ast.BinOp, ast.Compare, ast.Call, ast.Tuple, ast.List, ast.Set, ast.Dict)
"""Expressions that evaluate their parts one after the other and use them then."""
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
WHY = "a call in the same expression writes the array; NumPy has copied the element"


@on(ast.Call)
def read_before(ctx: Context, node: ast.Call) -> Edit | None:
    """`a[0] - grown(a)`, `[self.step()[0] for _ in xs]`, `keep(a[0], a)`."""
    aliases = ctx.aliases(node)
    written = aliases.names_written(node)
    for earlier in _evaluated_before(ctx, node) if written else ():
        for read in element_reads(ctx, earlier):
            if aliases.written_by(written, read.node):
                clone_read(ctx, read, WHY)
    return None


def _evaluated_before(ctx: Context, node: ast.Call) -> Iterator[ast.expr]:
    """Its arguments, and what is kept beside it in the expressions around it."""
    if node in ctx.engine.callees:
        yield from node.args
        yield from (keyword.value for keyword in node.keywords)
    inner: ast.AST = node
    branch: ast.AST = node
    while isinstance(outer := ctx.parents.get(branch), (ast.expr, ast.keyword, ast.comprehension)):
        if isinstance(outer, Comprehension) and not _is_first_source(outer, branch, inner):
            yield from (outer.key, outer.value) if isinstance(outer, ast.DictComp) else (outer.elt,)
        elif isinstance(outer, IN_ORDER):
            for part in children(outer):
                if part is branch:
                    break
                if isinstance(part, ast.expr):
                    yield part
        inner, branch = branch, outer
    if isinstance(outer, ast.Assign) and branch is not outer.value:
        yield outer.value  # `a[grown(b)] = b[0]`


def _is_first_source(outer: Comprehension, branch: ast.AST, inner: ast.AST) -> bool:
    """Does a part of a comprehension stand in what it goes through, which is evaluated once?"""
    first = outer.generators[0]
    return branch is first and inner is first.iter
