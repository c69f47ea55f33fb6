"""Facts from the stub file of a module (`MODULE.pyi`): annotations of functions, and pragmas at their heads."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from np2torch.facts import pragmas
from np2torch.facts.annotations import of_annotation
from np2torch.facts.evidence import STUB, Evidence, Source
from np2torch.facts.interpreter.definitions import ModuleInfo
from np2torch.names.qualified_names import Function, qualified_functions
from np2torch.names.tree import named_parameters
from np2torch.source.model import Problem, Remark


def read(info: ModuleInfo, stub: ModuleInfo | Problem) -> None:
    """Put what a stub says into `info.stated`, what cannot be read into `info.remarks`."""
    if isinstance(stub, Problem):
        info.remarks.append(Remark(1, 1, pragmas.UNREAD, f"the stub {stub.path.name} is not read: {stub.message}"))
        return
    pragmas.read(stub, {})
    said = (remark._replace(line=1, message=f"in the stub: {remark.message}") for remark in stub.remarks)
    info.remarks.extend(said)
    functions = {name: node for node, name in qualified_functions(stub.tree)}
    for node, name in qualified_functions(info.tree):
        if (other := functions.get(name)) is not None:
            for own, sources in _pairs(stub, node, other):
                before = info.stated[own].sources if own in info.stated else ()
                info.stated[own] = Evidence((*before, *sources))


def _pairs(stub: ModuleInfo, node: Function, other: Function) -> Iterator[tuple[ast.AST, list[Source]]]:
    """The parameters of a function, and the function for its result, with what the stub says of each."""
    theirs = {parameter.arg: parameter for parameter in named_parameters(other)}
    pairs: list[tuple[ast.AST, ast.AST, ast.expr | None]] = [
        (own, theirs[own.arg], theirs[own.arg].annotation) for own in named_parameters(node) if own.arg in theirs
    ]
    for own, said, annotation in [*pairs, (node, other, other.returns)]:
        line = getattr(own, "lineno", node.lineno)
        stated = stub.stated[said].sources if said in stub.stated else ()
        sources = [Source(STUB, line, source.text, source.fact) for source in stated]
        if annotation is not None and (fact := of_annotation(annotation, stub.type_names)) is not None:
            sources.append(Source(STUB, line, ast.unparse(annotation), fact))
        if sources:
            yield own, sources
