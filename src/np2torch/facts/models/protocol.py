"""The protocol of a model of a library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from np2torch.facts import values as v
from np2torch.facts.arguments import Arguments


class LibraryModel:
    """The knowledge about a library and its objects, which are `v.Opaque("library.name()")`.

    A model overrides what it knows. None gives no answer, and the next model is asked.

    Attributes
    ----------
    packages
        Packages that compute on ndarrays, by what most of their functions return: "array", "object" or "none". What is
        passed to them becomes an ndarray, what comes back a tensor.
    """

    packages: ClassVar[Mapping[str, str]] = {}

    def call(self, origin: str, arguments: Arguments) -> v.Fact | None:
        """Give what a function returns, or a method: that of `library.name()` is `library.name().method`."""

    def attribute(self, owner: v.Opaque, name: str) -> v.Fact | None:
        """Give what an attribute of an object is."""

    def item(self, owner: v.Opaque, entries: Sequence[v.Fact]) -> v.Fact | None:
        """Give what an object holds at an index with these entries."""

    def iterate(self, owner: v.Opaque) -> v.Fact | None:
        """Give what a loop over an object takes out of it."""

    def operator(self, op: type, left: v.Fact, right: v.Fact) -> v.Fact | None:
        """Give the result of a binary operator or a comparison where an operand is an object."""

    def unary(self, op: type, fact: v.Fact) -> v.Fact | None:
        """Give the result of `-x` and its like."""

    def stays(self, fact: v.Fact) -> bool:
        """Tell whether this is an object for certain and no ndarray: it crosses no border."""
        return False
