"""Facts as people spell them for us: `float64[n, 3]`, in settings and pragmas.

    float64[n, 3]     an array of that dtype and rank; `float64[...]` of any rank
    array[n], floating[n], integer[n], inexact[n], number[n]
                      an array of any dtype, or of any of a family
    float64           a NumPy scalar
    int float bool complex str None
                      what Python means by it
    float64[n] | None
                      alternatives
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from np2torch.facts import results
from np2torch.facts import values as v
from np2torch.facts.domain import DOMAIN

FAMILIES = {
    "floating": ("float64", "float32", "float16"),
    "integer": ("int64", "int32", "int16", "int8", "uint8", "uint16", "uint32", "uint64"),
    "signedinteger": ("int64", "int32", "int16", "int8"),
    "unsignedinteger": ("uint8", "uint16", "uint32", "uint64"),
    "complexfloating": ("complex128", "complex64"),
}
FAMILIES["inexact"] = FAMILIES["floating"] + FAMILIES["complexfloating"]
FAMILIES["real"] = FAMILIES["floating"] + FAMILIES["integer"]
FAMILIES["number"] = FAMILIES["integer"] + FAMILIES["inexact"]
ANY = ("array", "ndarray", "generic")
PYTHON = {
    "int": v.INT, "float": v.FLOAT, "bool": v.BOOL, "complex": v.one(v.Num("complex")), "str": v.TEXT, "None": v.NONE,
}  # fmt: skip

_ALTERNATIVE = re.compile(r"(?P<name>[A-Za-z_]\w*)\s*(?P<brackets>\[(?P<sizes>[^\[\]]*)\])?")
_SIZE = re.compile(r"[A-Za-z_]\w*|\d+|[A-Za-z\d_]\w*\s*[-+*/]\s*\w+")


class SpellingError(ValueError):
    """A type that is none; the message is one line."""


def fact(text: str) -> v.Fact:
    """Parse a type such as `float64[n, 3]` into a fact.

    Raises
    ------
    SpellingError
        When it cannot be read: no dtype of torch's by that name, no shape.
    """
    return v.join(*(_alternative(part.strip()) for part in text.split("|")))


def _alternative(text: str) -> v.Fact:
    match = _ALTERNATIVE.fullmatch(text)
    if match is None:
        raise SpellingError(f"{text!r} is no type such as float64[n, 3]")
    name = match["name"]
    if match["brackets"] is None and name in PYTHON:
        return PYTHON[name]
    dtypes = dtypes_of_name(name)
    if dtypes is None and name not in ANY:
        raise SpellingError(f"{name!r} is no dtype that torch has; array[...] leaves the dtype open")
    if match["brackets"] is None:
        if name in ANY:
            raise SpellingError(f"{text!r} says nothing of the shape; write {name}[...] for any")
        return v.one(v.Scalar(dtypes))
    return v.one(v.Array(dtypes, _ranks(match["sizes"])))


def _ranks(sizes: str) -> v.Ranks:
    if sizes.strip() == "...":
        return None
    parts = [size.strip() for size in sizes.split(",")]
    if parts[-1] == "":  # `[n,]`, or `[]` of rank 0
        parts.pop()
    for part in parts:
        if not _SIZE.fullmatch(part):
            raise SpellingError(f"[{sizes}] is no shape such as [n, 3] or [...]")
    return frozenset([len(parts)])


def dtypes_of_name(name: str) -> v.Names:
    """Find the dtypes that the name of a dtype or family may mean; None where it means none, or any."""
    if name in FAMILIES:
        return family(name)
    found = results.tables_name(name)
    return None if found is None else frozenset([found])


def family(name: str) -> frozenset[str]:
    """The dtypes of a family, those of them that occur in this project first of all."""
    members = frozenset(FAMILIES[name])
    return members & DOMAIN.dtypes or members


def statement(said: v.Fact) -> str | None:
    """The spelling that says just this fact; None where there is none."""
    parts = sorted({part for atom in said for part in _stated(atom)}, key=lambda part: (part == "None", part))
    text = " | ".join(parts)
    return text if parts and fact(text) == said else None


def _stated(atom: v.Atom) -> Iterator[str]:
    if isinstance(atom, v.Array):
        for dtype in sorted(atom.dtypes) if atom.dtypes else ["array"]:
            for rank in sorted(atom.ranks) if atom.ranks is not None else [None]:
                yield f"{dtype}[{'...' if rank is None else ', '.join('nmklpqrstuvw'[:rank])}]"
    elif isinstance(atom, v.Scalar):
        yield from sorted(atom.dtypes or ())
    else:
        yield from (name for name, meant in PYTHON.items() if meant == frozenset([atom]))


def show_fact(fact: v.Fact) -> str:
    """A fact in the same spelling; what has none in it, in words."""
    return " | ".join(sorted(_shown(atom) for atom in fact)) if fact else "never evaluated"


def _shown(atom: v.Atom) -> str:
    spell = SHOWN.get(atom.__class__)
    return "unknown" if spell is None else spell(atom)


def _either(names: v.Names, unknown: str) -> str:
    """Several names in words."""
    return " or ".join(sorted(names)) if names else unknown


def _shown_array(atom: v.Array) -> str:
    """An array by its dtypes and ranks."""
    dtype = _either(atom.dtypes, "array")
    if atom.ranks is None:
        return f"{dtype}[...]"
    return " | ".join(f"{dtype}[{', '.join('nmklpqrstuvw'[:rank])}]" for rank in sorted(atom.ranks))


def _shown_number(atom: v.Num) -> str:
    """A Python number by its value, or its sign."""
    if atom.value is not None:
        return f"{atom.type} {atom.value!r}"
    return f"{atom.type} >= 0" if atom.nonnegative and atom.type != "bool" else atom.type


def _shown_sequence(atom: v.Sequence) -> str:
    """A list or tuple by its items, where they are few."""
    if atom.items is not None and len(atom.items) <= 4:
        return f"{atom.type} of ({', '.join(show_fact(item) for item in atom.items)})"
    return f"{atom.type} of {show_fact(v.elements(atom))}"


def _shown_definition(atom: v.Function | v.Class | v.Instance) -> str:
    """A function, a class or an object by its name in the source."""
    return f"{atom.kind} {getattr(atom.definition.node, 'name', '<lambda>')}"


def _shown_name(atom: v.Module | v.Numpy | v.Builtin) -> str:
    """A name of a library by itself."""
    return atom.name


SHOWN: dict[type, Callable[[Any], str]] = {
    v.Array: _shown_array,
    v.Scalar: lambda atom: f"{_either(atom.dtypes, 'unknown dtype')} (NumPy scalar)",
    v.Num: _shown_number,
    v.Text: lambda atom: "str" if atom.value is None else f"str {atom.value!r}",
    v.Sequence: _shown_sequence,
    v.Mapping: lambda atom: "dict",
    v.Iterator: lambda atom: f"iterator of {show_fact(atom.element)}",
    v.DType: lambda atom: f"dtype {_either(atom.names, 'unknown')}",
    **dict.fromkeys((v.Function, v.Class, v.Instance), _shown_definition),
    **dict.fromkeys((v.Module, v.Numpy, v.Builtin), _shown_name),
    v.Method: lambda atom: f"method {atom.name}",
    v.Foreign: lambda atom: f"ndarray that stays on NumPy{f' ({atom.why})' if atom.why else ''}",
    v.Opaque: lambda atom: atom.origin or "object that is no array",
    v.Nothing: lambda atom: "None",
}
"""How each kind of alternative is shown to people."""
