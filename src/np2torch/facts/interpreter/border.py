"""The border around what stays on NumPy: subclasses of ndarray, and functions that people want left as they are.

In such a body an array is an ndarray. What goes from there into converted code becomes tensors, and so does what
converted code gets from a method, a property or an attribute of such a class; the objects themselves stay as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from np2torch.facts import values as v
from np2torch.facts.arguments import Argument, Arguments

if TYPE_CHECKING:
    from np2torch.facts.interpreter.definitions import FunctionDefinition
    from np2torch.facts.interpreter.protocols import Frame

NOT_CARRIED = ("iterator", "function", "method")
"""The kinds of value that may give ndarrays later, where there is no boundary."""


def stays_numpy(function: FunctionDefinition | None) -> bool:
    """Tell whether it is a method of a subclass of ndarray that stays on NumPy, or is marked to be left as it is."""
    if function is None:
        return False
    return function.node in function.module.skipped or function.owner is not None and function.owner.stays_numpy()


def crossing(arguments: Arguments) -> Arguments:
    """Arguments on their way from a class that stays on NumPy into converted code: a boundary makes them tensors."""

    def cross(argument: Argument) -> Argument:
        return Argument(argument.node, v.join(v.BOTTOM, *(_carried(atom) for atom in argument.fact)))

    keywords = {name: cross(a) for name, a in arguments.keywords.items()}
    return Arguments([cross(a) for a in arguments.positional], keywords, arguments.starred)


def _carried(atom: v.Atom) -> v.Fact:
    return v.ARRAY if isinstance(atom, v.Foreign) and atom.definition is None else v.one(atom)


def cross_out(frame: Frame, fact: v.Fact) -> v.Fact:
    """Give what comes out of a class that stays on NumPy, to code on either side."""
    if stays_numpy(frame.function) or not any(atom.kind in NOT_CARRIED for atom in fact):
        return fact
    return v.join(v.FOREIGN, v.keep(fact, lambda atom: atom.kind not in NOT_CARRIED))


def stored_fact(frame: Frame, fact: v.Fact) -> v.Fact:
    """Give the fact of a value stored in an object of converted code: a body on NumPy stores no tensors."""
    if not stays_numpy(frame.function) or not v.known_to_include(fact, "array"):
        return fact
    return v.join(v.FOREIGN, v.keep(fact, lambda atom: atom.kind != "array"))
