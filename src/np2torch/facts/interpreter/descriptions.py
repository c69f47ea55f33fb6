"""Facts that the text of a function gives by itself: evidence of its parameters, its errors, its tests."""

from __future__ import annotations

import ast

from np2torch.facts import evidence
from np2torch.facts.interpreter import dtype_narrowing, postconditions
from np2torch.facts.interpreter.context_selectors import ContextSelectors
from np2torch.facts.interpreter.definitions import FunctionDefinition
from np2torch.names.tree import Nodes


def describe(found: FunctionDefinition, only_arrays: bool) -> FunctionDefinition:
    """Fill in what the text of a function says.

    Parameters
    ----------
    only_arrays
        Whether the project has nothing else that is used as arrays are.
    """
    node, module = found.node, found.module
    nodes = Nodes(node)
    found.decorators = tuple(ast.unparse(d) for d in getattr(node, "decorator_list", ()))
    found.size = nodes.number
    found.evidence = evidence.of_function(node, nodes, module.stated, module.type_names, only_arrays)
    if postconditions.may_raise(nodes):
        found.steady = postconditions.steady(node, nodes)
        found.rebinding = postconditions.rebinding(node, nodes)
    found.copies = dtype_narrowing.copies(node, nodes)
    found.choices = ContextSelectors(found.parameters, nodes)
    found.cases = evidence.parametrized(node)
    return found
