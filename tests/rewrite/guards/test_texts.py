"""Questions of guards about the text of a function."""

from __future__ import annotations

import ast

from np2torch.rewrite.guards.texts import catches_division, first_of, stored_values

TEXT = '''def f(self, x):
    """Say what it does."""
    self.x, y = x, 1
    self.rate = x * 2
    try:
        return x / y
    except (ValueError, ZeroDivisionError):
        return x
'''
(FUNCTION,) = ast.parse(TEXT).body
assert isinstance(FUNCTION, ast.FunctionDef)


def test_the_body_begins_below_the_docstring() -> None:
    assert first_of(FUNCTION) is FUNCTION.body[1] and first_of(FUNCTION, 2) is FUNCTION.body[2]
    (only,) = ast.parse('def f():\n    """Nothing."""\n').body
    assert isinstance(only, ast.FunctionDef) and first_of(only) is None


def test_the_body_begins_below_its_imports() -> None:
    (function,) = ast.parse("def f(x):\n    from numpy.linalg import norm\n    import os\n    return norm(x)\n").body
    assert isinstance(function, ast.FunctionDef) and first_of(function) is function.body[2]


def test_what_attributes_are_made_of() -> None:
    assert [ast.unparse(value) for value in stored_values(FUNCTION)] == ["x", "x * 2"]


def test_errors_of_divisions_are_waited_for() -> None:
    assert catches_division(FUNCTION) and not catches_division(FUNCTION.body[1])
