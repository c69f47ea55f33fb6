"""The bodies of `try` in which an error of torch's would end."""

from __future__ import annotations

import ast

import pytest

from np2torch.rules.caught_errors import caught_nodes


@pytest.mark.parametrize(
    ("text", "is_caught"),
    [
        ("try:\n    f\nexcept Exception:\n    g", True),
        ("try:\n    f\nexcept:\n    g", True),
        ("try:\n    f\nexcept (KeyError, ValueError):\n    g", True),
        ("try:\n    f\nexcept ImportError:\n    g", False),
        ("try:\n    f\nexcept Exception:\n    g\n    raise", False),
        ("try:\n    f\nfinally:\n    g", False),
        ("with contextlib.suppress(TypeError):\n    f", True),
        ("with suppress(KeyError):\n    f", False),
        ("with open(name):\n    f", False),
    ],
)
def test_only_what_goes_on_after_an_error_of_torchs_catches_it(text, is_caught):
    names = {node.id for node in caught_nodes(ast.walk(ast.parse(text))) if isinstance(node, ast.Name)}
    assert names == ({"f"} if is_caught else set())
