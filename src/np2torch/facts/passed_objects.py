"""Questions of evidence: what callers may pass that is an object, or NumPy's own."""

from __future__ import annotations

from np2torch.facts import counts, function_uses, generator_uses, object_uses
from np2torch.facts import values as v
from np2torch.facts.evidence import Evidence

BESIDE = ("none", "text", "iterator", "mapping", "function", "method", "builtin", "class", "module")
"""Kinds that nobody calculates with: beside "anything", where facts were joined, they say nothing of an argument."""
ARRAYLIKE = frozenset("__getitem__ __iter__ __len__ __array__ __getattr__ __add__ __sub__ __mul__ __matmul__".split())
"""Methods of objects that are used as arrays or numbers are."""


def calculable(fact: v.Fact) -> v.Fact:
    """Leave out, beside what nobody knows, the alternatives that cannot be calculated with."""
    if not v.known_to_include(fact, "unknown"):
        return fact
    return v.keep(fact, lambda atom: atom.kind not in BESIDE and not _is_plain_object(atom))


def _is_plain_object(atom: v.Atom) -> bool:
    """Tell an object of the project whose class has nothing of arrays and numbers, or a list with objects in it."""
    if isinstance(atom, v.Sequence):
        return v.known_to_include(v.elements(atom), "instance", "text", "none", "function")
    if not isinstance(atom, v.Instance) or atom.definition.opaque:
        return False
    return all(ARRAYLIKE.isdisjoint(class_.methods) for class_ in atom.definition.lineage())


def is_object(said: Evidence) -> bool:
    """Tell whether its use says that it is no array and no number, which is all that it says."""
    return said.says(object_uses.WORDS)


def may_draw_arrays(said: Evidence) -> bool:
    """Tell whether random numbers are drawn from it, and callers may pass a generator of NumPy's."""
    return said.says(*generator_uses.SAID) and any(isinstance(atom, (v.Top, v.Module)) for atom in said.found)


def may_be_numpys_function(said: Evidence) -> bool:
    """Tell whether it is called as NumPy's functions are, and callers may pass one of these."""
    return said.says(function_uses.WORDS) and v.known_to_include(said.found, "unknown")


def may_be_no_number(said: Evidence) -> bool:
    """Tell whether it is stated to be a whole number and calculated with, and callers may pass a 0-D tensor."""
    return said.says(counts.STATED) and _is_taken_for_whole(said)


def may_be_no_count(said: Evidence) -> bool:
    """Tell whether it is taken for a whole number, and callers may pass what is none: a 0-D tensor, or for a range a
    number with a point.
    """
    says = said.says(counts.OF_RANGE, counts.CALCULATED) and not said.says(counts.WORDS)
    return says and _is_taken_for_whole(said)


def _is_taken_for_whole(said: Evidence) -> bool:
    """Tell whether callers nobody sees pass it, and those that were seen pass whole numbers."""
    unseen = v.known_to_include(said.found, "unknown") and said.fact == v.INT
    return unseen and all(isinstance(atom, v.Top) or _is_whole(atom) for atom in said.found)


def _is_whole(atom: v.Atom) -> bool:
    return isinstance(atom, v.Num) and atom.type == "int"
