"""The shim, in files that were converted before."""

from __future__ import annotations

from np2torch.facts import guards
from np2torch.facts import values as v
from np2torch.facts.arguments import Arguments
from np2torch.facts.models.protocol import LibraryModel


class Shim(LibraryModel):
    """The shim's borders and guards."""

    def call(self, origin: str, arguments: Arguments) -> v.Fact | None:
        """Give the fact behind a border or a guard."""
        return v.FOREIGN if origin == "np2torch.shim.to_numpy" else guards.result(origin, arguments)
