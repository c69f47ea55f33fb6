"""The evidence at each site of a file: what is known of its operands, and why, as `explain` says it of one line."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from np2torch.facts import notation
from np2torch.facts import values as v
from np2torch.names.tree import walk as tree_walk
from np2torch.rewrite.convert import Work
from np2torch.rewrite.explain import NO_VALUES, SKIPPED, operands
from np2torch.rules.site import source_of
from np2torch.source.model import Origin, Site, SourceFile

MOST_OPERANDS = 4
MOST_ORIGINS = 2


class KnownExpression(NamedTuple):
    """An expression, what it is, and where that comes from."""

    source: str
    type: str
    origins: tuple[Origin, ...]


def evidence(
    work: Work, file: SourceFile, sites: Iterable[Site]
) -> Mapping[tuple[int, int, str], tuple[KnownExpression, ...]]:
    """Give what is known at each site of a file, by line, column and source."""
    info = work.infos.get(file.path)
    if info is None:
        return {}
    work.analysed.run.domain.activate()
    ctx, origins = work.context(file, info), work.origins
    nodes: dict[tuple[int, int], list[ast.expr]] = {}
    for node in tree_walk(info.tree):
        if isinstance(node, ast.expr):
            nodes.setdefault((node.lineno, node.col_offset + 1), []).append(node)
    found = {}
    for site in sites:
        at = _node(site, nodes.get((site.line, site.column), []))
        known: dict[str, KnownExpression] = {}
        for one in () if at is None else (at, *operands(at)):
            fact = ctx.engine.facts.get(one, v.BOTTOM)
            if fact and not isinstance(one, NO_VALUES) and not v.only(fact, *SKIPPED) and len(known) < MOST_OPERANDS:
                why = tuple(origins.of(ctx, one))[:MOST_ORIGINS]
                known.setdefault(source_of(one), KnownExpression(source_of(one), notation.show_fact(fact), why))
        found[site.line, site.column, site.source] = tuple(known.values())
    return found


def _node(site: Site, nodes: list[ast.expr]) -> ast.expr | None:
    """Find the expression of a site among those that begin in its place: the smallest that it may be."""
    calls = [node for node in nodes if isinstance(node, ast.Call) and _is_of(site, node)]
    exact = [node for node in nodes if source_of(node) == site.source]
    rest = [node for node in nodes if not isinstance(node, (ast.Name, ast.Attribute, ast.Constant))]
    return min(calls or exact or rest or nodes, key=lambda node: (node.end_lineno, node.end_col_offset), default=None)


def _is_of(site: Site, node: ast.Call) -> bool:
    name = site.source.removesuffix("()")
    return source_of(node.func) == name or name.startswith(".") and source_of(node.func).endswith(name)
