"""The attributes of Python's own types: reading `x.reshape` of one of them raises an AttributeError."""

from __future__ import annotations

from types import FunctionType, NoneType

from np2torch.facts import values as v

NUMBERS: dict[str, type] = {"bool": bool, "int": int, "float": float, "complex": complex}
CONTAINERS: dict[str, type] = {"list": list, "tuple": tuple, "set": set}

OF_NUMBERS = {
    "is_integer": v.BOOL, "hex": v.TEXT, "bit_count": v.SIZE, "bit_length": v.SIZE,
    "as_integer_ratio": v.tuple_of(v.INT, v.SIZE),
}  # fmt: skip
"""Methods of Python's numbers that neither arrays nor tensors have, NumPy scalars mostly do, and what they give."""


def having(fact: v.Fact, name: str) -> v.Fact:
    """The alternatives that may have an attribute of an array, where there are any."""
    if len(fact) < 2:
        return fact
    left = v.keep(fact, lambda atom: (type_ := _type(atom)) is None or hasattr(type_, name))
    return left or fact


def lacks(fact: v.Fact, name: str) -> bool:
    """Tell whether each alternative is of one of Python's own types, and none of them has an attribute."""
    types = list(map(_type, fact))
    return bool(types) and not any(type_ is None or hasattr(type_, name) for type_ in types)


def _type(atom: v.Atom) -> type | None:
    if isinstance(atom, v.Num):
        return NUMBERS[atom.type]
    if isinstance(atom, v.Sequence):
        return CONTAINERS.get(atom.type)
    return OF_KINDS.get(atom.kind)


OF_KINDS: dict[str, type] = {"none": NoneType, "text": str, "mapping": dict, "function": FunctionType}
