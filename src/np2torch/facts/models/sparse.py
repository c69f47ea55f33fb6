"""SciPy's sparse matrices: what their functions, methods, items and operators give."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from np2torch.facts import values as v
from np2torch.facts.arguments import Arguments
from np2torch.facts.models.protocol import LibraryModel

MADE = re.compile(r"scipy\.sparse\.(?!is)(\w+)\(\)")
"""The origin of a sparse matrix or array: a function of `scipy.sparse` that was called."""
KEPT = frozenset(
    "tocsr tocsc tocoo tolil todok tobsr todia asformat asfptype copy astype transpose conj conjugate multiply power "
    "getrow getcol getH reshape maximum minimum abs arcsin arcsinh arctan arctanh ceil deg2rad expm1 floor log1p "
    "rad2deg rint sign sin sinh sqrt tan tanh trunc".split()
)
"""Methods that give such a matrix."""
PARTS = frozenset("T H mT real imag".split())
"""Attributes that are one."""
INDICES = v.array(("int32", "int64"), 1)


def is_sparse(atom: v.Atom) -> bool:
    """Tell whether this is a sparse matrix or array."""
    return isinstance(atom, v.Opaque) and MADE.fullmatch(atom.origin) is not None


def only_sparse(fact: v.Fact) -> bool:
    """Tell whether this is a sparse matrix or array and nothing else."""
    return bool(fact) and all(map(is_sparse, fact))


def _result(origin: str, arguments: Arguments) -> v.Fact | None:
    """Give what a function of `scipy.sparse` or a method of a sparse matrix returns; None where this says nothing.

    What is dense of a matrix may be an `np.matrix`, of which only run time knows.
    """
    owner, _, name = origin.rpartition(".")
    if owner == "scipy.sparse":
        if name == "find":  # the rows, the columns and the values
            return v.tuple_of(INDICES, INDICES, v.array(None, 1))
        return v.BOOL if name.startswith("is") else v.one(v.Opaque(f"{origin}()"))
    made = MADE.fullmatch(owner)
    if made is None:
        return None
    if name in KEPT:
        return v.one(v.Opaque(owner))
    if name == "diagonal":
        return v.array(None, 1)
    if name == "nonzero":
        return v.tuple_of(INDICES, INDICES)
    plain = not arguments.positional and not arguments.keywords and not arguments.starred
    if name in ("sum", "mean", "max", "min", "trace") and plain:
        return v.scalar(None)
    if name in ("sum", "mean") and _has_axis(arguments):
        return v.FOREIGN if made[1].endswith("_matrix") else None  # an `np.matrix`
    return v.array(None, 2) if name == "todense" and made[1].endswith("_array") else None


def _has_axis(arguments: Arguments) -> bool:
    """Tell whether an axis is passed that is a number."""
    passed = arguments.keywords.get("axis") or next(iter(arguments.positional), None)
    return passed is not None and v.only(passed.fact, "number")


def _item(atom: v.Opaque, parts: Sequence[v.Fact]) -> v.Fact:
    """Give a part of a matrix by the entries of an index: an element by two integers, no matrix by two arrays."""
    if len(parts) > 1 and all(v.only(part, "number", "scalar") for part in parts):
        return v.scalar(None)
    several = [part for part in parts if not v.only(part, "number", "scalar", "opaque")]
    return v.TOP if len(several) > 1 else v.one(atom)


def _operated(op: type, left: v.Fact, right: v.Fact) -> v.Fact | None:
    """Give the result of an operator where an operand is a sparse matrix; None where none is.

    A product with an array is one, but for the `*` of sparse arrays. What is added to an array is an `np.matrix`, or
    an array where the other is a sparse array.
    """
    for one, other in ((left, right), (right, left)):
        if not only_sparse(one):
            continue
        if only_sparse(other):
            return left | right
        if v.only(other, "number", "scalar"):
            return one
        if v.only(other, "array") and (op is ast.MatMult or op is ast.Mult and not _are_arrays(one)):
            return v.ARRAY
        return v.TOP
    return None


def _are_arrays(fact: v.Fact) -> bool:
    """Tell whether they may be sparse arrays, which have the operators of arrays."""
    return any(isinstance(atom, v.Opaque) and not atom.origin.endswith("_matrix()") for atom in fact)


class SparseMatrices(LibraryModel):
    """Sparse matrices and arrays of `scipy.sparse`."""

    def call(self, origin: str, arguments: Arguments) -> v.Fact | None:
        """Give a matrix, or what a method of one returns."""
        return _result(origin, arguments) if origin.startswith("scipy.sparse.") else None

    def attribute(self, owner: v.Opaque, name: str) -> v.Fact | None:
        """Give the attributes that are matrices."""
        return v.one(owner) if name in PARTS and is_sparse(owner) else None

    def item(self, owner: v.Opaque, entries: Sequence[v.Fact]) -> v.Fact | None:
        """Give an element or a part."""
        return _item(owner, entries) if is_sparse(owner) else None

    def operator(self, op: type, left: v.Fact, right: v.Fact) -> v.Fact | None:
        """Compute with a matrix, or compare it."""
        return _operated(op, left, right)

    def unary(self, op: type, fact: v.Fact) -> v.Fact | None:
        """Turn the sign: a matrix again."""
        return fact if only_sparse(fact) else None

    def stays(self, fact: v.Fact) -> bool:
        """Tell whether this is a matrix and nothing else."""
        return only_sparse(fact)
