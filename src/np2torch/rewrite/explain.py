"""Explanation of a line: its facts and their sources, its decisions, and the facts that native torch would need."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

from np2torch.facts import notation
from np2torch.facts import values as v
from np2torch.facts.evidence import RETURN, fill_unknown
from np2torch.names.tree import children
from np2torch.names.tree import walk as tree_walk
from np2torch.rewrite.contracts import contracts_of
from np2torch.rewrite.convert import Work, analyse
from np2torch.rewrite.plan import decide, make_plan, position
from np2torch.rewrite.provenance import Origins
from np2torch.rules.site import Edit, ModuleContext, source_of
from np2torch.source.model import Contract, Origin, Problem, Remark, Settings, Site, SourceFile

SKIPPED = ("module", "numpy", "builtin", "function", "class", "dtype", "method")
"""Kinds of names, not of values: nothing is to be said of them on their own."""
NO_VALUES = (ast.Constant, ast.Slice, ast.Starred, ast.FormattedValue)
LADDER = (
    "array[...]", "float64[...]", "array[n]", "array[n, m]", "float64[n]", "float64[n, m]", "float", "int",
    "float64", "str",
)  # fmt: skip
"""The types that are tried for an operand, those that state least first."""
MOST_OPEN = 3


class Expression(NamedTuple):
    """An expression with its fact and the origins of the fact."""

    line: int
    column: int
    source: str
    fact: v.Fact
    origins: tuple[Origin, ...]


class Remedy(NamedTuple):
    """A type to state of an operand, and where and how to state it."""

    operand: str
    type: str
    place: str
    how: str


class Decision(NamedTuple):
    """The decision on a site; each of `remedies` lists what has to hold together for native torch."""

    site: Site
    remedies: tuple[Remedy, ...]


class Explanation(NamedTuple):
    """All that is to be said of a line; the contract is that of the function it is in, if it is in one."""

    path: str
    line: int
    text: str
    expressions: tuple[Expression, ...]
    decisions: tuple[Decision, ...]
    remarks: tuple[Remark, ...]
    contract: Contract | None = None


def explain_line(
    files: Sequence[SourceFile], settings: Settings, path: Path, line: int
) -> Explanation | Problem | None:
    """Explain a line of one of the files; a problem where its file has one, None where no file has the path."""
    found = next((file for file in files if file.path.resolve() == path.resolve()), None)
    if found is None:
        return None
    work = analyse(files, settings)
    if found.path in work.problems:
        return work.problems[found.path]
    lines = found.text.splitlines()
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    info = work.infos.get(found.path)
    if info is None:
        return Explanation(found.display, line, text, (), (), ())
    ctx = work.context(found, info)
    decisions = tuple(_decisions(ctx, work.origins, line))
    nodes_here = [n for n in tree_walk(info.tree) if isinstance(n, ast.expr) and getattr(n, "lineno", 0) == line]
    nodes_here.sort(key=lambda n: (n.col_offset, -(n.end_col_offset or 0)))
    expressions = tuple(_expressions(ctx, work.origins, nodes_here))
    said = tuple(remark for remark in info.remarks if remark.line == line)
    if any(getattr(node, "lineno", 0) == line for node in info.skipped):
        said += (Remark(line, 1, "NPT514", "a pragma leaves this on NumPy as it is"),)
    return Explanation(found.display, line, text, expressions, decisions, said, _contract(work, ctx, settings, line))


def _decisions(ctx: ModuleContext, origins: Origins, line: int) -> Iterator[Decision]:
    """Give the sites of a line; of those that are decided at run time or not at all, what would help."""
    plan = make_plan(ctx)
    decided = {
        (edit.code, edit.source, *position(ctx, node)): node
        for node, edit in plan.edits.items() if edit.outcome in ("shim", "todo")
    }  # fmt: skip
    for site in plan.sites:
        if site.line == line:
            node = decided.get((site.code, site.source, site.line, site.column))
            yield Decision(site, () if node is None else tuple(remedies(ctx, origins, node)))


def _contract(work: Work, ctx: ModuleContext, settings: Settings, line: int) -> Contract | None:
    """Give the contract of the innermost function that a line is in."""
    around = [one for one in ctx.module.functions if _first_line(one.node) <= line <= (one.node.end_lineno or 0)]
    inner = max(around, key=lambda one: one.place, default=None)
    if inner is None:
        return None
    contracts = contracts_of(ctx, work.origins, settings, work.reasons)
    return next((one for one in contracts if one.line == inner.node.lineno), None)


def _first_line(node: ast.AST) -> int:
    return min(getattr(one, "lineno", 1) for one in (node, *getattr(node, "decorator_list", ())))


def _expressions(ctx: ModuleContext, origins: Origins, nodes: Sequence[ast.expr]) -> Iterator[Expression]:
    seen = set()
    for node in nodes:
        fact = ctx.engine.facts.get(node, v.BOTTOM)
        if isinstance(node, NO_VALUES) or fact and v.only(fact, *SKIPPED):
            continue
        if isinstance(getattr(node, "ctx", None), ast.Store) and not fact:
            continue
        source = source_of(node)
        if (source, fact) not in seen:
            seen.add((source, fact))
            yield Expression(node.lineno, node.col_offset + 1, source, fact, tuple(origins.of(ctx, node)))


# ---------------------------------------------------------------------------------------------------- remedies
def remedies(ctx: ModuleContext, origins: Origins, node: ast.AST) -> Iterator[Remedy]:
    """Find, by trying, the types to state of a site's operands so that it becomes native torch."""
    open_ones: dict[str, list[ast.expr]] = {}
    for operand in operands(node):
        if _is_open(ctx.fact(operand)):
            open_ones.setdefault(ast.unparse(operand), []).append(operand)
    groups = list(open_ones.values())[:MOST_OPEN]
    steps = ["", *LADDER]
    for choice in sorted(product(steps, repeat=len(groups)), key=lambda c: sum(map(steps.index, c))):
        said = [(group, text) for group, text in zip(groups, choice, strict=True) if text]
        stated = {one: fill_unknown(ctx.fact(one), notation.fact(text)) for group, text in said for one in group}
        if stated and all(fact != ctx.fact(one) for one, fact in stated.items()) and _is_native(ctx, node, stated):
            for group, text in said:
                yield _remedy(ctx, origins, group[0], text)
            return


def _remedy(ctx: ModuleContext, origins: Origins, operand: ast.expr, text: str) -> Remedy:
    root = origins.root(ctx, operand)
    if root is None:
        how = f"give it a name and state its type there: `# np2torch: NAME: {text}`"
        return Remedy(source_of(operand), text, "", how)
    what = f"annotate {root.what}" if root.name == RETURN or root.what.startswith("parameter") else f"at {root.what}"
    return Remedy(source_of(operand), text, root.place, f"{what}: `# np2torch: {root.name}: {text}`")


def operands(node: ast.AST) -> list[ast.expr]:
    """Give the expressions whose facts decide on a node."""
    if isinstance(node, ast.Call):
        parts = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        parts += [*node.args, *(keyword.value for keyword in node.keywords)]
        return [one for part in parts for one in (part.elts if isinstance(part, (ast.List, ast.Tuple)) else [part])]
    return [child for child in children(node) if isinstance(child, ast.expr)]


def _is_open(fact: v.Fact) -> bool:
    """Tell whether something in it is unknown and can be stated."""
    return any(
        isinstance(atom, v.Top)
        or isinstance(atom, v.Array) and (atom.dtypes is None or atom.ranks is None)
        or isinstance(atom, v.Scalar) and atom.dtypes is None
        for atom in fact
    )


def _is_native(ctx: ModuleContext, node: ast.AST, stated: dict[ast.expr, v.Fact]) -> bool:
    """Tell whether the site would be native torch with these facts; the facts are put back afterwards."""
    facts: dict[ast.AST, v.Fact] = dict(stated.items())
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.value in stated:
            facts[node.func] = v.one(v.Method(node.func.attr, stated[node.func.value]))
        for part in node.args:
            if isinstance(part, (ast.List, ast.Tuple)):
                kind = "list" if isinstance(part, ast.List) else "tuple"
                facts[part] = v.one(v.Sequence(kind, tuple(stated.get(one, ctx.fact(one)) for one in part.elts)))
    before = {one: ctx.engine.facts.get(one, v.BOTTOM) for one in facts}
    ctx.engine.facts.update(facts)
    try:
        with ctx.tentative_wraps() as tried:
            edit: Edit | None = decide(ctx, node)
        outcomes = {wrap.outcome for made in tried.values() for wrap in made}
    finally:
        ctx.engine.facts.update(before)
    if edit is None:
        return "boundary" not in outcomes and all(v.dtypes_of(fact) is not None for fact in stated.values())
    return edit.outcome in ("native", "cast") and "boundary" not in outcomes
