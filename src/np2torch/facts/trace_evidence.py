"""Evidence from a trace about parameters and results: it fills in what is unknown and overrides nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from np2torch.facts import notation, results
from np2torch.facts import values as v
from np2torch.facts.evidence import RETURN, TRACE, Evidence, Source
from np2torch.facts.interpreter.definitions import ModuleInfo
from np2torch.facts.interpreter.environment import FunctionNode
from np2torch.names.tree import children, named_parameters
from np2torch.source.model import Remark
from np2torch.source.traces import FileTrace

STALE = "NPT506"


def read(info: ModuleInfo, traced: FileTrace, text: str, decides: bool = True) -> None:
    """Put what a trace saw in a module into `info.stated`; a trace of another text than this says nothing.

    Parameters
    ----------
    decides
        Whether the trace saw all possible values; of a library, unseen callers pass more.
    """
    if not traced.fits(text):
        info.remarks.append(Remark(1, 1, STALE, "the file has changed since it was traced; its trace is not used"))
        return
    for key, node in _functions(info.tree, ""):
        for name, observations in traced.functions.get(key, {}).items():
            fact = join_observations(observations)
            if v.is_anything(fact):
                continue
            place: ast.AST | None = (
                node if name == RETURN else next((a for a in named_parameters(node) if a.arg == name), None)
            )
            if place is not None:
                before = info.stated[place].sources if place in info.stated else ()
                source = Source(TRACE, node.lineno, f"{name}: {notation.show_fact(fact)}", fact, decides=decides)
                info.stated[place] = Evidence((*before, source))


def _functions(scope: ast.AST, prefix: str) -> Iterator[tuple[str, FunctionNode]]:
    """The functions of a module as a trace names them: qualified name and first line, decorators included."""
    for node in children(scope):
        inner = prefix
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            name = prefix + getattr(node, "name", "<lambda>")
            decorators: list[ast.expr] = getattr(node, "decorator_list", [])
            yield f"{name}:{min([node.lineno, *(d.lineno for d in decorators)])}", node
            inner = f"{name}.<locals>."
        elif isinstance(node, ast.ClassDef):
            inner = f"{prefix}{node.name}."
        yield from _functions(node, inner)


def join_observations(observations: Iterable[Sequence[Any]]) -> v.Fact:
    """The fact that stands for some observations; unknown where one of them is an object we have no fact for."""
    return v.join(v.BOTTOM, *(_one(*observation) for observation in observations))


def _one(kind: str, *detail: Any) -> v.Fact:
    if kind in notation.PYTHON:
        return notation.PYTHON[kind]
    if kind in ("array", "scalar"):
        dtype = results.tables_name(detail[0])
        if dtype is None:
            return v.FOREIGN
        return v.array(dtype, detail[1]) if kind == "array" else v.scalar(dtype)
    if kind == "stays":
        return v.FOREIGN
    if kind == "tuple" and detail:
        return v.tuple_of(*(_one(*item) for item in detail[0]))
    if kind in ("tuple", "list"):
        element = join_observations(detail[0]) if detail and detail[0] else v.TOP
        return v.one(v.Sequence(kind, None, element))
    return v.TOP
