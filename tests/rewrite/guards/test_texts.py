"""Questions of guards about the text of a function."""

from __future__ import annotations

import ast

from np2torch.rewrite.guards.texts import body_of, catches_division, stored_values

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
    assert body_of(FUNCTION) is FUNCTION.body[1]
    (only,) = ast.parse('def f():\n    """Nothing."""\n').body
    assert isinstance(only, ast.FunctionDef) and body_of(only) is None


def test_what_attributes_are_made_of() -> None:
    assert [ast.unparse(value) for value in stored_values(FUNCTION)] == ["x * 2"]


def test_errors_of_divisions_are_waited_for() -> None:
    assert catches_division(FUNCTION) and not catches_division(FUNCTION.body[1])
