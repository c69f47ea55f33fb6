"""Evidence from the method that another overrides: where this has no docstring, its base's is its own."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from np2torch.facts.evidence import DOCSTRING, RETURN, Evidence

if TYPE_CHECKING:
    from np2torch.facts.interpreter.definitions import ClassDefinition, FunctionDefinition


def of_method(owner: ClassDefinition, method: FunctionDefinition) -> dict[str, Evidence]:
    """Give what the docstring of the method says that one without any overrides, as `inspect.getdoc` finds it."""
    node = method.node
    if isinstance(node, ast.Lambda) or ast.get_docstring(node, clean=False) is not None:
        return {}
    overridden = (one.methods[method.name] for one in owner.lineage()[1:] if method.name in one.methods)
    said: dict[str, Evidence] = {}
    for name, known in next((one.evidence for one in overridden), {}).items():
        sources = (one for one in known.sources if one.kind == DOCSTRING)
        found = tuple(replace(one, line=node.lineno) for one in sources)
        if found and (name == RETURN or name in method.parameters):
            said[name] = Evidence(found)
    return said
