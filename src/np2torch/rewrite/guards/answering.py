"""The functions that arrays which answer NumPy themselves may reach: masked arrays, objects that speak its protocols.

No guard takes such an array, so these functions get none.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from np2torch.facts.ndarray_subclasses import speaks_protocols
from np2torch.rewrite.guards.masked_flow import MaskedFlow
from np2torch.rules.site import ModuleContext


def answered_functions(contexts: Sequence[ModuleContext]) -> set[ast.AST]:
    """The functions that work on masked arrays, or may be given some.

    All functions, where a class of the project answers NumPy's functions itself.
    """
    if not contexts:
        return set()
    engine = contexts[0].engine
    arrays = (class_ for class_ in engine.classes.values() if class_.is_array and class_.is_kept)
    if any(speaks_protocols(class_.node) for class_ in arrays):
        return set(engine.functions)
    return MaskedFlow(contexts).functions() if engine.lookalikes.masked else set()
