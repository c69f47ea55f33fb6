"""The interpreter run on a text, with the facts of what it shows by `show(...)`."""

from __future__ import annotations

import ast
import textwrap

from np2torch.facts import values as v
from np2torch.facts.interpreter import Interpreter
from np2torch.facts.interpreter.definitions import ModuleInfo
from np2torch.rules.api import RuleBook

F64 = frozenset(["float64"])


def run(text: str, **others: str) -> tuple[Interpreter, ast.Module]:
    """The interpreter after a module (and further ones it may import)."""
    texts = {name: textwrap.dedent(one) for name, one in {"m": text, **others}.items()}
    modules = [ModuleInfo(name, f"{name}.py", ast.parse(one), text=one) for name, one in texts.items()]
    engine = Interpreter(RuleBook())
    engine.run(modules)
    return engine, modules[0].tree


def shown(text: str, **others: str) -> list[v.Fact]:
    """Facts of the arguments of `show(...)` calls, in order."""
    engine, tree = run("import numpy as np\n" + textwrap.dedent(text), **others)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    calls = [node for node in calls if isinstance(node.func, ast.Name) and node.func.id == "show"]
    calls.sort(key=lambda n: (n.lineno, n.col_offset))
    return [engine.facts.get(a, v.BOTTOM) for call in calls for a in call.args]


def one(text: str, **others: str) -> v.Fact:
    """The fact of the only argument shown."""
    (fact,) = shown(text, **others)
    return fact
