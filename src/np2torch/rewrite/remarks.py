"""Remarks on a module beside its sites: assumptions made, statements that are wrong or cannot be read."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import chain

from np2torch.facts import notation
from np2torch.facts import values as v
from np2torch.rules.site import ModuleContext, source_of
from np2torch.rules.syntax.foreign import contents, holds_tensor
from np2torch.source.model import Remark


def remarks_on(ctx: ModuleContext) -> Iterator[Remark]:
    """The remarks on a module that has been planned, by line."""
    of_facts = [*_contradictions(ctx), *_assumptions(ctx), *_traced(ctx)]
    yield from sorted([*ctx.module.remarks, *of_facts, *_shared(ctx), *_sizes(ctx), *_pickled(ctx)])


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


PICKLES = ("pickle", "_pickle", "cloudpickle", "dill", "joblib")
PICKLING = frozenset(f"{module}.{name}" for module in PICKLES for name in ("dump", "dumps"))
UNPICKLING = frozenset(name.replace("dump", "load") for name in PICKLING)
"""What writes objects as they are, and reads them."""


def _pickled(ctx: ModuleContext) -> Iterator[Remark]:
    """Speak of pickles: those that are written with tensors, and all that are read where there are arrays."""
    for node in ctx.module.nodes if ctx.mentions_numpy and not ctx.converted_already() else ():
        if not isinstance(node, ast.Call) or not isinstance(atom := v.sole(ctx.fact(node.func)), v.Opaque):
            continue
        message = ""
        if any(_is_pickling(ctx, one) for one in (ctx.parents.get(node), *node.args)):  # `loads(dumps(x))`, a copy
            continue
        if atom.origin in PICKLING and node.args and _holds_array(ctx, ctx.fact(node.args[0])):
            message = "the pickle holds tensors; one of `shim.to_numpy(...)` does not"
        elif atom.origin in UNPICKLING and not _is_taken_over(ctx, node):
            message = "a pickle of before holds ndarrays; `shim.from_numpy(...)` makes tensors of them"
        if message:
            yield Remark(node.lineno, node.col_offset + 1, "NPT582", f"`{source_of(node)}`: {message}")


def _is_pickling(ctx: ModuleContext, node: ast.AST | None) -> bool:
    atom = v.sole(ctx.fact(node.func)) if isinstance(node, ast.Call) else None
    return isinstance(atom, v.Opaque) and atom.origin in PICKLING | UNPICKLING


def _holds_array(ctx: ModuleContext, fact: v.Fact) -> bool:
    """Tell whether it is or holds an array, as an attribute of an object of the project too."""
    inside = fact | contents(ctx, fact)
    held = [atom.definition.attributes.values() for atom in inside if isinstance(atom, v.Instance)]
    return any(holds_tensor(one) or holds_tensor(contents(ctx, one)) for one in (inside, *chain(*held)))


def _is_taken_over(ctx: ModuleContext, node: ast.Call) -> bool:
    """Tell whether what is read becomes tensors or an array where it stands: `np.asarray(pickle.load(file))`."""
    wrapped = any(wrap.before.startswith("shim.from_numpy") for wrap in ctx.wraps.get(node, ()))
    parent = ctx.parents.get(node)
    return wrapped or isinstance(parent, ast.Call) and isinstance(v.sole(ctx.fact(parent.func)), v.Numpy)


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
