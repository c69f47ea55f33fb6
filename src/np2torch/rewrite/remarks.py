"""Remarks on a module beside its sites: assumptions made, statements that are wrong or cannot be read."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from np2torch.facts import notation
from np2torch.facts import values as v
from np2torch.rules.site import ModuleContext, source_of
from np2torch.source.model import Remark


def remarks_on(ctx: ModuleContext) -> Iterator[Remark]:
    """The remarks on a module that has been planned, by line."""
    of_facts = [*_contradictions(ctx), *_assumptions(ctx), *_traced(ctx)]
    yield from sorted([*ctx.module.remarks, *of_facts, *_shared(ctx), *_sizes(ctx)])


SHARING = frozenset({
    *(f"multiprocessing.{name}" for name in (
        "JoinableQueue Manager Pipe Pool Process Queue SimpleQueue get_context pool.Pool"
    ).split()),
    "concurrent.futures.ProcessPoolExecutor", "concurrent.futures.process.ProcessPoolExecutor",
})  # fmt: skip
"""What hands values to other processes by a pickle, in which torch puts no copy of a tensor but its memory."""


def _shared(ctx: ModuleContext) -> Iterator[Remark]:
    for node in ctx.module.nodes if ctx.mentions_numpy else ():
        if isinstance(node, ast.Call) and isinstance(atom := v.sole(ctx.fact(node.func)), v.Opaque):
            if atom.origin in SHARING:
                message = f"`{source_of(node)}`: a tensor that is sent shares its memory with the other process"
                yield Remark(node.lineno, node.col_offset + 1, "NPT580", f"{message}; a clone does not")


def _sizes(ctx: ModuleContext) -> Iterator[Remark]:
    for node in ctx.module.nodes if ctx.mentions_numpy else ():
        if isinstance(node, ast.Call) and v.sole(ctx.fact(node.func)) == v.Opaque("sys.getsizeof"):
            if any(v.known_to_include(ctx.fact(argument), "array") for argument in node.args):
                message = f"`{source_of(node)}`: the elements of a tensor are not counted"
                yield Remark(node.lineno, node.col_offset + 1, "NPT581", f"{message}; `nbytes` counts them alone")


def _contradictions(ctx: ModuleContext) -> Iterator[Remark]:
    said = [*ctx.module.stated.values(), *(e for f in ctx.module.functions for e in f.evidence.values())]
    for evidence in said:
        if against := evidence.contradictions():
            source = evidence.sources[0]
            message = f"`{source.text}`: the code shows {notation.show_fact(v.widen(against))}, which counts"
            yield Remark(source.line, 1, "NPT503", message)


def _assumptions(ctx: ModuleContext) -> Iterator[Remark]:
    for node in ctx.assumed:
        place = getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1
        yield Remark(*place, "NPT502", f"`{source_of(node)}`: the dtype is not known; float64 is assumed")


def _traced(ctx: ModuleContext) -> Iterator[Remark]:
    for node, read in ctx.rests.items():
        place = getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1
        facts = {f"`{source_of(part)}` is {notation.show_fact(v.widen(ctx.engine.facts[part]))}" for part in read}
        yield Remark(*place, "NPT505", f"`{source_of(node)}` rests on the trace: {'; '.join(sorted(facts)[:3])}")
