"""Models of libraries: the one seam between the interpreter and what it knows of other packages.

A library with objects of its own is a module of this folder with a `LibraryModel`, listed in `MODELS`. Interpreter and
handlers ask the functions below and no model.
"""

from __future__ import annotations

from collections.abc import Sequence

from np2torch.facts import values as v
from np2torch.facts.arguments import Arguments
from np2torch.facts.models.exact_numbers import ExactNumbers
from np2torch.facts.models.h5py import H5py
from np2torch.facts.models.hypothesis import Hypothesis
from np2torch.facts.models.protocol import LibraryModel
from np2torch.facts.models.pyquaternion import PyQuaternion
from np2torch.facts.models.pytest import Pytest
from np2torch.facts.models.scipy import SciPy
from np2torch.facts.models.shim import Shim
from np2torch.facts.models.sparse import SparseMatrices
from np2torch.facts.models.standard import StandardLibrary

MODELS: tuple[LibraryModel, ...] = (
    Hypothesis(), Shim(), SciPy(), SparseMatrices(), StandardLibrary(), ExactNumbers(), PyQuaternion(),
    H5py(), Pytest(),
)  # fmt: skip
"""All models. An origin is one model's; `SciPy` speaks of sparse matrices first, where both know something."""
PACKAGES = {name: gives for model in MODELS for name, gives in model.packages.items()}
"""Packages of the models that compute on ndarrays, and what their functions mostly give back."""


def call(origin: str, arguments: Arguments) -> v.Fact | None:
    """Ask the models for the result of a call; None where none knows."""
    return next((found for one in MODELS if (found := one.call(origin, arguments)) is not None), None)


def attribute(owner: v.Opaque, name: str) -> v.Fact | None:
    """Ask the models for an attribute of an object of a library."""
    return next((found for one in MODELS if (found := one.attribute(owner, name)) is not None), None)


def item(owner: v.Opaque, entries: Sequence[v.Fact]) -> v.Fact | None:
    """Ask the models for an item of an object of a library."""
    return next((found for one in MODELS if (found := one.item(owner, entries)) is not None), None)


def iterate(owner: v.Opaque) -> v.Fact | None:
    """Ask the models for what iterating over an object of a library yields."""
    return next((found for one in MODELS if (found := one.iterate(owner)) is not None), None)


def operator(op: type, left: v.Fact, right: v.Fact) -> v.Fact | None:
    """Give the result of an operator or a comparison where an operand is an object of a library."""
    if not v.known_to_include(left, "opaque") and not v.known_to_include(right, "opaque"):
        return None
    return next((found for one in MODELS if (found := one.operator(op, left, right)) is not None), None)


def unary(op: type, fact: v.Fact) -> v.Fact | None:
    """Give the result of `-x` and its like of an object of a library."""
    return next((found for one in MODELS if (found := one.unary(op, fact)) is not None), None)


def stays(fact: v.Fact) -> bool:
    """Tell whether this is an object of a library for certain and no ndarray: it crosses no border."""
    return any(one.stays(fact) for one in MODELS)
