"""Quaternions of `pyquaternion`: what they are made by, and what their attributes, items and operators give."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import ClassVar

from np2torch.facts import values as v
from np2torch.facts.arguments import Arguments
from np2torch.facts.models.protocol import LibraryModel

CLASS = "pyquaternion.Quaternion"
QUATERNION = v.Opaque(f"{CLASS}()")
QUATERNIONS = v.one(QUATERNION)
MAKING = frozenset("exp exp_map log log_map random slerp sym_exp_map sym_log_map derivative".split())
"""Methods that give another quaternion."""
PARTS = frozenset("conjugate inverse normalised unit".split())
"""Attributes that are quaternions."""
VECTOR = v.array("float64", 1)
MATRIX = v.array("float64", 2)
ELEMENT = v.scalar("float64")
ATTRIBUTES = {
    **dict.fromkeys(PARTS, QUATERNIONS),
    **dict.fromkeys(("axis", "elements", "imaginary", "polar_unit_vector", "vector"), VECTOR),
    **dict.fromkeys(("rotation_matrix", "transformation_matrix"), MATRIX),
    **dict.fromkeys(("real", "scalar", "w", "x", "y", "z"), ELEMENT),
    **dict.fromkeys(("angle", "degrees", "magnitude", "norm", "polar_angle", "radians"), v.FLOAT),
    "polar_decomposition": v.tuple_of(VECTOR, v.FLOAT),
    "yaw_pitch_roll": v.tuple_of(v.FLOAT, v.FLOAT, v.FLOAT),
}
RESULTS = {
    **dict.fromkeys(MAKING, QUATERNIONS),
    **dict.fromkeys(("absolute_distance", "distance", "sym_distance"), v.FLOAT),
    "integrate": v.NONE,
    "is_unit": v.scalar("bool"),
}
"""What methods give, and functions of the class."""
WITH_NUMBERS = (ast.Add, ast.Sub, ast.Mult, ast.Div)


def _rotated(arguments: Arguments) -> v.Fact:
    """Give a rotated vector in the form in which it was passed."""
    passed = arguments.keywords.get("vector") or next(iter(arguments.positional), None)
    if passed is None or arguments.starred:
        return v.TOP
    if passed.fact == QUATERNIONS:
        return QUATERNIONS
    if v.only(passed.fact, "array"):
        return VECTOR
    kinds = {atom.type for atom in passed.fact if isinstance(atom, v.Sequence)}
    if kinds == {"tuple"} and v.only(passed.fact, "sequence"):
        return v.tuple_of(ELEMENT, ELEMENT, ELEMENT)
    return v.TOP


class PyQuaternion(LibraryModel):
    """Quaternions."""

    packages: ClassVar = {"pyquaternion": "array"}

    def call(self, origin: str, arguments: Arguments) -> v.Fact | None:
        """Make a quaternion, or compute with one."""
        if origin == CLASS:
            return QUATERNIONS
        owner, _, name = origin.rpartition(".")
        if owner not in (CLASS, QUATERNION.origin):
            return None
        return _rotated(arguments) if name == "rotate" else RESULTS.get(name, v.TOP)

    def attribute(self, owner: v.Opaque, name: str) -> v.Fact | None:
        """Give a property of a quaternion."""
        return ATTRIBUTES.get(name) if owner == QUATERNION else None

    def item(self, owner: v.Opaque, entries: Sequence[v.Fact]) -> v.Fact | None:
        """Give one of the four elements."""
        if owner != QUATERNION:
            return None
        return ELEMENT if len(entries) == 1 and v.only(entries[0], "number") else v.TOP

    def iterate(self, owner: v.Opaque) -> v.Fact | None:
        """Give anything: what a loop takes out crosses no border, and stays a NumPy scalar."""
        return v.TOP if owner == QUATERNION else None

    def operator(self, op: type, left: v.Fact, right: v.Fact) -> v.Fact | None:
        """Compute with another quaternion or a number; an array on the left makes an array of quaternions."""
        if QUATERNIONS not in (left, right):
            return None
        number = all(one == QUATERNIONS or v.only(one, "number") for one in (left, right))
        if number and op in WITH_NUMBERS:
            return QUATERNIONS
        if left == right and op in (ast.MatMult, ast.Eq, ast.NotEq):
            return ELEMENT if op is ast.MatMult else v.BOOL
        return QUATERNIONS if op is ast.Pow and left == QUATERNIONS and number else v.TOP

    def unary(self, op: type, fact: v.Fact) -> v.Fact | None:
        """Turn the sign."""
        return fact if fact == QUATERNIONS and op is ast.USub else None

    def stays(self, fact: v.Fact) -> bool:
        """Tell whether this is a quaternion for certain."""
        return fact == QUATERNIONS
