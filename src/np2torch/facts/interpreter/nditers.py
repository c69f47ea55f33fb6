"""The results of `numpy.nditer`: arrays of one element or of several, which can be written through, and no scalars."""

from __future__ import annotations

from np2torch.facts import values as v

MADE = "numpy.nditer():"
"""The name of such an object; behind it stands what it goes through: "one" array, "several", "objects", or nothing."""
ONE = v.one(v.Array(None, frozenset([0, 1])))
_SEVERAL = v.one(v.Sequence("tuple", None, ONE))
_YIELDED = {"one": ONE, "several": _SEVERAL, "": v.join(ONE, _SEVERAL), "objects": v.FOREIGN}
_HELD = {"finished": v.BOOL, "multi_index": v.one(v.Sequence("tuple", None, v.SIZE))}


def is_nditer(atom: v.Atom) -> bool:
    """Tell whether it is what `numpy.nditer(...)` gives."""
    return isinstance(atom, v.Numpy) and atom.name.startswith(MADE)


def make_nditer(op: v.Fact, flags: v.Fact) -> v.Fact:
    """The object for these operands: each item of a list or tuple is one.

    The flag "refs_ok" says that there are objects in them, which stay on NumPy.
    """
    said = (text for atom in flags if isinstance(atom, v.Sequence) for text in v.elements(atom))
    if not v.is_tensor(op) and any(isinstance(text, v.Text) and text.value == "refs_ok" for text in said):
        return v.one(v.Numpy(MADE + "objects"))
    many = "several" if v.only(op, "sequence") else "one" if v.only(op, "array", "number", "scalar") else ""
    return v.one(v.Numpy(MADE + many))


def yielded_values(atom: v.Atom) -> v.Fact:
    """Give what iterating over an `nditer` yields."""
    return _YIELDED[atom.name.removeprefix(MADE)] if isinstance(atom, v.Numpy) else v.BOTTOM


def attribute(atom: v.Atom, name: str) -> v.Fact:
    """Read an attribute of an `nditer`."""
    if name in ("index", "iterindex", "itersize", "ndim", "nop"):
        return v.SIZE
    return yielded_values(atom) if name == "value" else _HELD.get(name, v.TOP)
