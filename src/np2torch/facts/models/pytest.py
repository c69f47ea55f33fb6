"""The objects of `pytest.approx`: what is compared with them is not compared by NumPy."""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.facts.arguments import Arguments
from np2torch.facts.models.protocol import LibraryModel

APPROXIMATE = "pytest.approx"
OBJECT = v.Opaque(f"{APPROXIMATE}()")


class Pytest(LibraryModel):
    """Approximate values, which answer for all elements at once."""

    def call(self, origin: str, arguments: Arguments) -> v.Fact | None:
        """Make an approximate value."""
        return v.one(OBJECT) if origin == APPROXIMATE else None

    def operator(self, op: type, left: v.Fact, right: v.Fact) -> v.Fact | None:
        """Compare with an approximate value: a bool, of Python or of NumPy."""
        if issubclass(op, ast.cmpop) and OBJECT in (v.sole(left), v.sole(right)):
            return v.join(v.BOOL, v.scalar("bool"))
        return None
