"""Items of which something is read that no NumPy scalar has."""

from __future__ import annotations

from pathlib import Path

import pytest

from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Settings, SourceFile
from support.handlers import agree


def test_items_with_attributes_of_their_own() -> None:
    agree(
        """
        class Part:
            def __init__(self, name, data):
                self.name, self.data = name, data


        def chosen(parts, name):
            found = []
            for part in parts:
                if part.name == name:
                    found.append(part)
            return [part for part in found if part.name], np.zeros(1)


        kept = [part.name for part in chosen([Part("a", 1), Part("b", 2)], "b")[0]]
        """,
        """
        class Part:
            def __init__(self, name, data):
                self.name, self.data = name, data


        def chosen(parts, name):
            found = []
            for part in parts:
                if part.name == name:
                    found.append(part)
            return [part for part in found if part.name], torch.zeros(1, dtype=torch.float64)


        kept = [part.name for part in chosen([Part("a", 1), Part("b", 2)], "b")[0]]
        """,
    )


@pytest.mark.parametrize("use", ["one.real", "one.name if isinstance(one, str) else one", "one.hex()"])
def test_items_that_may_be_numbers_are_copied(use: str) -> None:
    """What is tested, or has what scalars have too, may be an element."""
    text = f"import numpy as np\n\n\ndef f(x, y):\n    for one in x:\n        y.append(({use}, one, np.pi))\n"
    (result,) = convert_project([SourceFile(Path("program.py"), "program.py", text)], Settings())
    assert "in shim.elements(x):" in result.after
