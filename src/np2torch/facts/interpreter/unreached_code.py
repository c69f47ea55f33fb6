"""Statements that are never run, such as examples that read what nobody binds: looked at with no effect on others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from np2torch.facts.interpreter import flow
from np2torch.facts.interpreter.contexts import CallContext
from np2torch.facts.interpreter.frame import Frame
from np2torch.facts.interpreter.raising_calls import UNREACHED

if TYPE_CHECKING:
    from np2torch.facts.interpreter.definitions import ModuleInfo
    from np2torch.facts.interpreter.protocols import Rounds


def look(engine: Rounds, module: ModuleInfo) -> CallContext:
    """Run them once all else is known, in a context of their own."""
    engine.note_escapes()
    escaped = {function for function in engine.functions.values() if function.escaped}
    context = CallContext(module, None, None, (), UNREACHED)
    frame = Frame(engine, context)
    context.stand_in(frame)
    frame.enter(dict(module.env))
    engine.stack.append(context)
    with engine.isolate_errors(module):
        flow.block(frame, module.aside)
    engine.stack.clear()
    engine.note_escapes()
    for function in engine.functions.values():
        function.escape(function in escaped)
    return context
