"""Fractions, decimals and symbolic expressions, which NumPy holds as objects (`facts/objects.py`)."""

from __future__ import annotations

from np2torch.facts import objects
from np2torch.facts import values as v
from np2torch.facts.models.protocol import LibraryModel


class ExactNumbers(LibraryModel):
    """Numbers of `fractions`, `decimal` and SymPy."""

    def operator(self, op: type, left: v.Fact, right: v.Fact) -> v.Fact | None:
        """Compute with such a number; what a comparison gives is not known."""
        return objects.operate_on_objects(op, left, right)

    def unary(self, op: type, fact: v.Fact) -> v.Fact | None:
        """Turn the sign."""
        return fact if fact and all(map(objects.is_object, fact)) else None
