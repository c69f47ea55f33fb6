"""The kinds of value that a parameter accepts, read from the contract of the analysis: `float64[n, m] | None`."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from np2torch.verify.encode import MadeObject
from np2torch.verify.standard import BY_NAME

FAMILIES = {
    "floating": ("float64", "float32", "float16"), "integer": ("int64", "int32", "int8", "uint8"),
    "signedinteger": ("int64", "int32", "int8"), "unsignedinteger": ("uint8", "uint16"),
    "complexfloating": ("complex128", "complex64"), "array": (), "ndarray": (), "generic": (),
}  # fmt: skip
FAMILIES["inexact"] = FAMILIES["floating"] + FAMILIES["complexfloating"]
FAMILIES["real"] = FAMILIES["floating"] + FAMILIES["integer"]
FAMILIES["number"] = FAMILIES["integer"] + FAMILIES["inexact"]
PYTHON = {"int": int, "float": float, "bool": bool, "complex": complex, "str": str}
ARRAY = re.compile(r"(?P<names>\w+(?: or \w+)*)\[(?P<sizes>[^\[\]]*)\]")
PLAIN = re.compile(r"(?P<name>int|float|bool|complex|str)(?: (?P<value>.+))?")
GENERATORS = ("RandomState", "Generator")
SEQUENCE = re.compile(r"(?P<name>list|tuple|set) of (?P<items>.+)", re.DOTALL)


class Kind(NamedTuple):
    """One alternative of what is accepted.

    Attributes
    ----------
    name
        "array", "scalar", "int", "float", "bool", "complex", "str", "none", "list", "tuple", "set", "lists" (of what
        the other alternatives say), "callable", "standard" (dates and the like), "generator" (of random
        numbers), "anything", or "other" for what cannot
        be made here.
    dtypes
        Of arrays and scalars; empty for any.
    sizes
        Names or numbers, one for each axis; None for any number of axes.
    items
        What the places of a sequence accept, or the one that all accept.
    value
        The only value.
    """

    name: str
    dtypes: tuple[str, ...] = ()
    sizes: tuple[str, ...] | None = None
    items: tuple[tuple[Kind, ...], ...] = ()
    is_fixed: bool = False
    value: Any = None
    is_nonnegative: bool = False

    @property
    def wanted_class(self) -> str:
        """The class of the project that a value has to be an object of; empty for all else."""
        text = str(self.value) if self.name == "other" else ""
        return text.removeprefix(INSTANCE) if text.startswith(INSTANCE) else ""


ANYTHING = Kind("anything")
LISTS = frozenset(("list", "tuple", "lists"))
INSTANCE = "instance "
"""How a contract begins that asks for an object of a class of the project."""


def kinds(text: str) -> tuple[Kind, ...]:
    """The alternatives of a contract."""
    return tuple(_kind(part) for part in _split(text, " | "))


def kinds_of_annotation(text: str) -> tuple[Kind, ...]:
    """The alternatives of an annotation that names types of Python's; anything for every other one."""
    names = [one.strip() for one in text.split("|")]
    return kinds(text) if all(one in (*PYTHON, "None") for one in names) else (ANYTHING,)


def _split(text: str, separator: str) -> Iterator[str]:
    """The parts of a text, not split within brackets and quotes."""
    depth, begin, quote, index = 0, 0, "", 0
    while index < len(text):
        letter = text[index]
        if quote:
            index += letter == "\\"
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
        elif not depth and text.startswith(separator, index):
            yield text[begin:index].strip()
            begin = index + len(separator)
            index = begin - 1
        index += 1
    yield text[begin:].strip()


def _kind(text: str) -> Kind:
    if text in ("anything", "unknown", ""):
        return ANYTHING
    if text == "None":
        return Kind("none")
    if text == "lists of these":
        return Kind("lists")
    if text.endswith("(NumPy scalar)"):
        return Kind("scalar", _dtypes(text.removesuffix("(NumPy scalar)")))
    if (match := ARRAY.fullmatch(text)) is not None:
        sizes = match["sizes"].strip()
        axes = None if sizes == "..." else tuple(part.strip() for part in sizes.split(",") if part.strip())
        return Kind("array", _dtypes(match["names"]), axes)
    if (match := SEQUENCE.fullmatch(text)) is not None:
        return _sequence(match["name"], match["items"])
    if (match := PLAIN.fullmatch(text)) is not None:
        return _plain(match["name"], match["value"])
    if text.startswith("numpy.random.") and text.removesuffix("()").endswith(GENERATORS):
        return Kind("generator", value=text.removesuffix("()").rpartition(".")[2])
    if text.startswith(("function", "method", "numpy.", "lambda", "builtin")):
        return Kind("callable")
    if text.removesuffix("()").rpartition(".")[2] in BY_NAME:
        return Kind("standard", value=text.removesuffix("()").rpartition(".")[2])
    names = _dtypes(text)
    return Kind("scalar", names) if names else Kind("other", value=text)


def _dtypes(text: str) -> tuple[str, ...]:
    found: list[str] = []
    for name in text.strip().split(" or "):
        if name in FAMILIES:
            found += FAMILIES[name]
        else:
            try:
                found.append(np.dtype(name).name)
            except (TypeError, ValueError, SyntaxError):  # what NumPy takes for several formats
                continue
    return tuple(dict.fromkeys(found))


def _sequence(name: str, text: str) -> Kind:
    if text.startswith("(") and text.endswith(")"):
        places = tuple(kinds(part) for part in _split(text[1:-1], ", ") if part)
        return Kind(name, items=places, is_fixed=name == "tuple")
    return Kind(name, items=(kinds(text),))


def _plain(name: str, text: str | None) -> Kind:
    if text is None:
        return Kind(name)
    if text.startswith(">="):
        return Kind(name, is_nonnegative=True)
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return Kind(name)
    return Kind(name, value=value)


def accepts(alternatives: tuple[Kind, ...], value: Any) -> bool:
    """Tell whether a contract names a value; what is open in it accepts everything."""
    return any(kind.name in ACCEPTING and ACCEPTING[kind.name](kind, value) for kind in alternatives)


def _has_dtype(kind: Kind, value: Any) -> bool:
    """Tell whether an array or scalar has one of the dtypes."""
    return not kind.dtypes or value.dtype.name in kind.dtypes


def _is_array(kind: Kind, value: Any) -> bool:
    """Tell whether it is an array of these dtypes and this rank; a scalar of NumPy is one without axes."""
    is_array = isinstance(value, (np.ndarray, np.generic)) and _has_dtype(kind, value)
    return is_array and (kind.sizes is None or value.ndim == len(kind.sizes))


def _is_plain(kind: Kind, value: Any) -> bool:
    """Tell whether it is a number or a text of Python's, of that type, that value or that sign."""
    if type(value) is not PYTHON[kind.name]:
        return False
    number: Any = value
    return not (kind.is_nonnegative and number < 0) and (kind.name != "str" or kind.value in (None, value))


def _is_container(kind: Kind, value: Any) -> bool:
    """Tell whether it is a list, tuple or set whose places accept what is in them."""
    if type(value).__name__ != kind.name or kind.is_fixed and len(value) != len(kind.items):
        return False
    places = kind.items if kind.is_fixed else [tuple(one for place in kind.items for one in place)] * len(value)
    return all(not place or accepts(place, item) for place, item in zip(places, value, strict=False))


ACCEPTING: dict[str, Callable[[Kind, Any], bool]] = {
    "anything": lambda kind, value: not isinstance(value, MadeObject),
    "other": lambda kind, value: isinstance(value, MadeObject) and value.class_name == kind.wanted_class,
    "none": lambda kind, value: value is None,
    "lists": lambda kind, value: isinstance(value, (list, tuple)),
    "callable": lambda kind, value: callable(value),
    "generator": lambda kind, value: type(value).__name__ == kind.value,
    "standard": lambda kind, value: type(value).__qualname__ == str(kind.value),
    "array": _is_array,
    "scalar": lambda kind, value: isinstance(value, np.generic) and _has_dtype(kind, value),
    **dict.fromkeys(PYTHON, _is_plain),
    **dict.fromkeys(("list", "tuple", "set"), _is_container),
}
"""Which values are of a kind."""


def may_be(kind: Kind, shape: str) -> bool:
    """Tell whether an alternative of a contract leaves room for an array with these sizes."""
    axes = shape.count(",") + 1
    return kind.name == "anything" or kind.name == "array" and (kind.sizes is None or len(kind.sizes) == axes)


OF_KIND, ANY_TEXT = 8.0, 1.0
"""The weights of what a contract names, and of any text where words are known that a parameter may be."""


def weights_of_kinds(kinds: tuple[Kind, ...], has_words: bool) -> dict[str, float]:
    """Give recipes for the alternatives of a contract that say what to draw, and how much they promise."""
    found: dict[str, float] = {}
    for number, kind in enumerate(kinds):
        if kind.name not in ("anything", "other"):
            weight = ANY_TEXT if kind.name == "str" and kind.value is None and has_words else OF_KIND
            found[f"kind {number}"] = weight if kind.name != "complex" or len(kinds) == 1 else 0.0
    return found
