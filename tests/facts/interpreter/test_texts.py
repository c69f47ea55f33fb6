"""What the text of modules, functions and classes says by itself."""

from __future__ import annotations

import ast

from np2torch.facts.interpreter.texts import ClassText, FunctionText, ModuleText


def _first(text: str) -> ast.stmt:
    return ast.parse(text).body[0]


def test_the_parameters_of_a_function():
    text = FunctionText(_first("def f(a, /, b, *rest, c=1, **more):\n    return lambda: a + free\n"))
    assert text.name == "f"
    assert text.positional == ("a", "b")
    assert text.named_parameters == ("a", "b", "c")
    assert text.parameters == ("a", "b", "c", "rest", "more")
    assert {"a", "free"} <= text.closed_over


def test_a_lambda_has_no_name():
    assert FunctionText(ast.parse("lambda x: x", mode="eval").body).name == "<lambda>"


def test_the_fields_of_a_class():
    text = ClassText(_first("class P(NamedTuple):\n    x: int\n    y: float = 0.0\n    z = 1\n"))
    assert text.fields() == ["x", "y"]
    assert text.is_named_tuple and text.is_tuple
    assert not ClassText(_first("class Q(Base): ...")).is_tuple
    assert ClassText(_first("class R(namedtuple('R', 'x')): ...")).is_tuple


def test_the_names_of_a_module():
    tree = ast.parse("__all__ = ['f', 'g']\nFloats = NDArray[float]\n")
    text = ModuleText("m", "m.py", tree)
    assert text.star == {"f", "g"}
    assert text.nodes[0] is tree or tree in text.nodes
