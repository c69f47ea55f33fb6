"""Facts that the text of a function gives by itself: evidence of its parameters, its errors, its tests."""

from __future__ import annotations

import ast

from np2torch.facts import evidence
from np2torch.facts.domain import DOMAIN
from np2torch.facts.evidence import Evidence
from np2torch.facts.interpreter import dtype_narrowing, postconditions
from np2torch.facts.interpreter.context_selectors import ContextSelectors
from np2torch.facts.interpreter.definitions import FunctionDefinition, ModuleInfo
from np2torch.facts.interpreter.environment import FunctionNode, Heap
from np2torch.facts.interpreter.texts import FunctionText
from np2torch.facts.lookalikes import Lookalikes
from np2torch.names.tree import Nodes, computed_once


def define(node: FunctionNode, module: ModuleInfo, heap: Heap, others: Lookalikes) -> FunctionDefinition:
    """Define a function with what its text says."""
    nodes = Nodes(node)
    raises = postconditions.may_raise(nodes)
    return FunctionDefinition(
        node, module, heap,
        decorators=tuple(ast.unparse(d) for d in getattr(node, "decorator_list", ())),
        size=nodes.number,
        evidence=_evidence(node, nodes, module, others),
        steady=postconditions.steady(node, nodes) if raises else frozenset(),
        rebinding=postconditions.rebinding(node, nodes) if raises else {},
        copies=dtype_narrowing.copies(node, nodes),
        choices=ContextSelectors(FunctionText(node).parameters, nodes),
        cases=evidence.parametrized_cases(node),
    )  # fmt: skip


def _evidence(node: FunctionNode, nodes: Nodes, module: ModuleInfo, others: Lookalikes) -> dict[str, Evidence]:
    """Give the evidence about a function; its sources are kept with the node, which other runs of the project read."""

    def find() -> dict[str, Evidence]:
        return evidence.of_function(node, nodes, module.stated, module.type_names, others)

    if module.stated:
        return find()
    rests_on = others, DOMAIN.dtypes, DOMAIN.apart, DOMAIN.assumed
    sources = computed_once(node, rests_on, lambda: {name: one.sources for name, one in find().items()})
    return {name: Evidence(several) for name, several in sources.items()}  # a run notes in it what it finds
