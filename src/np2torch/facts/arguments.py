"""Arguments of a call with what is known about each, and their binding to NumPy's parameter names."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from np2torch.facts import values as v


@dataclass(slots=True)
class Argument:
    """One argument: its expression (None for a default or a method's receiver without one), fact and position."""

    node: ast.expr | None
    fact: v.Fact
    given: bool = True
    default: object = None

    @property
    def constant(self) -> object:
        """The Python constant passed or, when not given, the default."""
        return v.constant(self.fact) if self.given else self.default

    @property
    def is_none(self) -> bool:
        """Tell whether it is certainly None."""
        return v.only(self.fact, "none") if self.given else self.default is None


@dataclass(slots=True)
class Arguments:
    """The arguments of one call as written.

    Attributes
    ----------
    starred
        Whether there may be more than is listed.
    spread
        What `**mapping` may pass, where that is all there may be besides.
    rest
        From which position on `*items` passes nobody knows how many, and what each of them may be, where that is all
        there may be besides.
    counts
        How many positional arguments there may be, where that is known.
    """

    positional: list[Argument] = field(default_factory=list)
    keywords: dict[str, Argument] = field(default_factory=dict)
    starred: bool = False
    spread: dict[str, v.Fact] | None = None
    rest: tuple[int, v.Fact] | None = None
    counts: v.Ranks = None

    def facts(self) -> list[v.Fact]:
        """Every argument's fact, positional first."""
        return [a.fact for a in self.positional] + [a.fact for a in self.keywords.values()]


def arguments_of(*facts: v.Fact) -> Arguments:
    """Positional arguments that have no expression of their own."""
    return Arguments([Argument(None, fact) for fact in facts])


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of NumPy's signature: its annotation word and default."""

    name: str
    annotation: str
    default: object
    required: bool
    positional: bool = True
    variadic: bool = False

    @property
    def takes_array(self) -> bool:
        """Tell whether it is annotated as an array-like."""
        return self.annotation in ("ArrayLike", "Operand")


Signature = tuple[Parameter, ...]


class BoundArguments(dict[str, Argument]):
    """Arguments by NumPy's parameter names; parameters not given hold their default."""

    rest: list[Argument]

    def with_fact(self, name: str, fact: v.Fact) -> BoundArguments:
        """The same arguments, one of them with another fact."""
        other = BoundArguments(self)
        other.rest, other[name] = self.rest, Argument(self[name].node, fact)
        return other

    def is_given(self, name: str) -> bool:
        """Tell whether the parameter was passed."""
        return name in self and self[name].given

    def is_passed(self, name: str) -> bool:
        """Tell whether a parameter was passed and is not None, which most NumPy functions take for not passed."""
        return self.is_given(name) and not self[name].is_none


def bind(signature: Signature, arguments: Arguments) -> BoundArguments | None:
    """Bind a call to a signature; None where it does not fit or a star hides what is passed."""
    if arguments.starred:
        return None
    bound = BoundArguments()
    bound.rest = []
    slots = [p for p in signature if p.positional and not p.variadic]
    variadic = any(p.variadic for p in signature)
    if len(arguments.positional) > len(slots):
        if not variadic:
            return None
        bound.rest = arguments.positional[len(slots) :]
    for parameter, argument in zip(slots, arguments.positional, strict=False):
        bound[parameter.name] = argument
    known = {p.name for p in signature}
    for name, argument in arguments.keywords.items():
        if name not in known or name in bound:
            return None
        bound[name] = argument
    for parameter in signature:
        if parameter.name not in bound and not parameter.variadic:
            if parameter.required:
                return None
            bound[parameter.name] = Argument(None, v.NONE, given=False, default=parameter.default)
    return bound


class Api(Protocol):
    """The interface of the rules for the interpreter: the results of NumPy's functions and methods."""

    def call(self, name: str, arguments: Arguments) -> v.Fact:
        """The result of `name(...)`, a dotted NumPy name."""

    def method(self, name: str, owner: v.Fact, arguments: Arguments) -> v.Fact:
        """The result of a method of an array or NumPy scalar."""

    def attribute(self, name: str, owner: v.Fact) -> v.Fact | None:
        """The value of an attribute of an array or NumPy scalar; None for a method."""

    def has(self, name: str) -> bool:
        """Tell whether an array has an attribute or a method of that name."""

    def place_of_out(self, name: str, is_method: bool) -> int | None:
        """Find the place of `out` among the positional arguments; None where it has none."""

    def name(self, name: str) -> v.Fact:
        """Give what a dotted NumPy name is: module, constant, dtype or function."""


Returns = Callable[[BoundArguments], v.Fact]
