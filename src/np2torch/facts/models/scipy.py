"""SciPy's functions."""

from __future__ import annotations

from np2torch.facts import scipy_results
from np2torch.facts import values as v
from np2torch.facts.arguments import Arguments
from np2torch.facts.models.protocol import LibraryModel


class SciPy(LibraryModel):
    """The functions of SciPy whose results are known (`facts/scipy_results.py`)."""

    def call(self, origin: str, arguments: Arguments) -> v.Fact | None:
        """Look a function up."""
        return scipy_results.result(origin, arguments) if origin.startswith("scipy.") else None
