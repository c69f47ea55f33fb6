"""What transfer functions may ask is there, and nothing else is asked."""

from __future__ import annotations

import ast

import pytest

from np2torch.facts.interpreter import Interpreter, protocols
from np2torch.facts.interpreter.definitions import CallContext, ModuleInfo
from np2torch.facts.interpreter.frame import Frame
from np2torch.rules.api import RuleBook


def _members(protocol: type) -> set[str]:
    return {name for one in protocol.__mro__ for name in (*vars(one), *vars(one).get("__annotations__", ()))
            if name[0] != "_" and one.__module__ == protocols.__name__}  # fmt: skip


@pytest.mark.parametrize("name", ["Cells", "Interpreter", "Rounds"])
def test_the_interpreter_has_the_members_of_its_protocols(name):
    engine = Interpreter(RuleBook())
    assert [member for member in _members(getattr(protocols, name)) if not hasattr(engine, member)] == []


def test_a_frame_has_the_members_of_its_protocol():
    frame = Frame(Interpreter(RuleBook()), CallContext(ModuleInfo("m", "m.py", ast.parse("")), None, None, ()))
    assert [member for member in _members(protocols.Frame) if not hasattr(frame, member)] == []
