"""Python's standard library."""

from __future__ import annotations

from np2torch.facts import stdlib
from np2torch.facts import values as v
from np2torch.facts.arguments import Arguments
from np2torch.facts.models.protocol import LibraryModel


class StandardLibrary(LibraryModel):
    """The functions of the standard library whose results are known (`facts/stdlib.py`)."""

    def call(self, origin: str, arguments: Arguments) -> v.Fact | None:
        """Look a function up."""
        return stdlib.result(origin)
