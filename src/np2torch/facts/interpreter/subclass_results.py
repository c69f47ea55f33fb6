"""Objects of classes of the project that derive from ndarray: what of them is an object of the class again.

What arrays the objects of a class are (dtypes, ranks) is joined over all of them, as their attributes are. Only what
makes objects adds dtypes; a result of another dtype (a comparison, `astype`) may be anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from np2torch.facts import ndarray_subclasses, results
from np2torch.facts import values as v
from np2torch.facts.arguments import Arguments

if TYPE_CHECKING:
    from np2torch.facts.interpreter.protocols import Frame

DATA = "<data>"
"""The attribute that holds it; no name of a program's."""
ATTRIBUTES = frozenset({"T", "mT", "real", "imag"})
"""Attributes that are objects of the class."""
KEEPING = frozenset(
    "copy astype reshape ravel flatten transpose swapaxes squeeze repeat cumsum cumprod argsort compress diagonal clip "
    "conj conjugate byteswap sum prod max min mean std var any all ptp".split()
)
"""Methods whose results are of the class of the object, whatever their rank is."""
SAME_ELEMENTS = frozenset("copy astype reshape ravel flatten transpose swapaxes squeeze repeat".split())
"""Of these those that do not ask the class for its result."""
PLAIN_METHODS = frozenset("tolist item tobytes nonzero searchsorted fill sort put partition".split())
"""Methods that give what they give for any array."""


def data(frame: Frame, atom: v.Atom) -> v.Fact:
    """The array that an object is."""
    assert isinstance(atom, v.Instance)
    held = v.keep(frame.attribute(atom.definition, DATA), lambda one: one.kind == "array")
    return held or v.ARRAY


def as_arrays(frame: Frame, fact: v.Fact) -> v.Fact:
    """Take objects of subclasses for the arrays that they are."""
    found = ndarray_subclasses.objects(fact)
    return v.join(fact - found, *(data(frame, atom) for atom in found)) if found else fact


def make_instance(frame: Frame, atom: v.Instance, array: v.Fact) -> v.Fact:
    """A new object over such an array."""
    frame.engine.set_attribute(atom.definition, DATA, _arrays(array) or v.ARRAY, frame)
    return v.one(atom)


def rewrap(frame: Frame, atom: v.Atom, found: v.Fact, scalars: bool = False) -> v.Fact:
    """Wrap an ndarray result in the subclass; scalars stay what they are."""
    assert isinstance(atom, v.Instance)
    kept = v.keep(found, lambda one: scalars and one.kind == "scalar")
    arrays = _arrays(found - kept)
    if scalars and v.ranks_of(found) is None:  # of unknown rank it may be a scalar
        kept = v.join(kept, v.one(v.Scalar(v.dtypes_of(found))))
    if not v.only(found, "array", "scalar"):
        return v.TOP
    if not arrays:
        return kept
    held = v.dtypes_of(data(frame, atom))
    dtypes = v.dtypes_of(arrays)
    if held is not None and (dtypes is None or not dtypes <= held):
        return v.TOP
    frame.engine.set_attribute(atom.definition, DATA, arrays, frame)
    return v.join(kept, v.one(atom))


def of_ufunc_result(frame: Frame, atom: v.Atom, found: v.Fact) -> v.Fact:
    """The result of a ufunc: an object of the class, or what the class makes of it."""
    return v.TOP if ndarray_subclasses.wraps_results(atom) else rewrap(frame, atom, found)


def _arrays(fact: v.Fact) -> v.Fact:
    """The arrays, and those without dimensions that stand where a plain array would give a scalar."""
    if v.known_to_include(fact, "unknown"):
        return v.ARRAY
    parts = [v.one(v.Array(atom.dtypes, frozenset([0]))) for atom in fact if isinstance(atom, v.Scalar)]
    return v.join(v.keep(fact, lambda atom: atom.kind == "array"), *parts)


# ---------------------------------------------------------------------------------------------- how they come about
def construct_instance(frame: Frame, atom: v.Instance, arguments: Arguments) -> v.Fact:
    """`ndarray.__new__`, of the arguments after the class."""
    facts = dict(zip(("shape", "dtype"), arguments.facts(), strict=False))
    facts |= {name: argument.fact for name, argument in arguments.keywords.items()}
    if arguments.starred or "shape" not in facts:
        return make_instance(frame, atom, v.ARRAY)
    dtypes = results.dtype_names(facts["dtype"]) if "dtype" in facts else frozenset(["float64"])
    return make_instance(frame, atom, v.one(v.Array(dtypes, results.shape_rank(facts["shape"]))))


def by_new(frame: Frame, atom: v.Instance | v.Foreign, arguments: Arguments) -> v.Fact:
    """Run `__new__` of a class; of one that derives from ndarray, what it may give back that is no object of it."""
    new = atom.definition.find("__new__")
    if new is not None:
        given = frame.engine.apply(frame, new, new.bind(arguments, v.one(v.Class(atom.definition))))
        if isinstance(atom, v.Foreign) or not atom.definition.is_ndarray():
            return v.BOTTOM  # arrays of its body are NumPy's too, and no border is around the call
        return v.keep(given, lambda one: one.kind in ("array", "scalar"))
    if isinstance(atom, v.Instance) and atom.definition.is_ndarray():
        construct_instance(frame, atom, arguments)
    return v.BOTTOM


def view_as_class(frame: Frame, owner: v.Fact, arguments: Arguments) -> v.Fact:
    """`x.view(cls)`, as far as the class is one of these; nothing where it is none."""
    given = arguments.positional[0].fact if arguments.positional else v.BOTTOM
    given = v.join(given, *(a.fact for name, a in arguments.keywords.items() if name == "type"))
    plain = as_arrays(frame, owner)
    classes = [atom for atom in given if isinstance(atom, v.Class) and atom.definition.is_tensor()]
    found = v.join(v.BOTTOM, *(make_instance(frame, v.Instance(atom.definition), plain) for atom in classes))
    if v.known_to_include(given, "unknown") and any(class_.is_array for class_ in frame.engine.classes.values()):
        found = v.join(found, frame.unseen())  # it may be one of these
    arrays = any(isinstance(atom, v.Numpy) and atom.name == "numpy.ndarray" for atom in given)
    return v.join(found, plain) if arrays else found


# ---------------------------------------------------------------------------------------------- what comes of them
def attribute(frame: Frame, atom: v.Instance, name: str) -> v.Fact:
    """Read an attribute of ndarray that the class does not define."""
    api = frame.engine.api
    if name == "__new__":
        return v.one(v.Numpy("numpy.ndarray.__new__"))
    found = api.attribute(name, data(frame, atom))
    if name in ATTRIBUTES and found is not None:
        return rewrap(frame, atom, found)
    if found is not None:
        return v.TOP if name in ("flat", "base", "data") else found
    return v.one(v.Method(name, v.one(atom))) if api.has(name) else v.BOTTOM


def method(frame: Frame, atom: v.Instance, name: str, arguments: Arguments) -> v.Fact:
    """The result of a method of ndarray's."""
    if name == "view":
        if not arguments.positional and not arguments.keywords:
            return v.one(atom)
        return view_as_class(frame, v.one(atom), arguments) or v.TOP
    if "out" in arguments.keywords or name not in KEEPING | PLAIN_METHODS | {"take"}:
        return v.TOP
    if ndarray_subclasses.wraps_results(atom) and name not in SAME_ELEMENTS | PLAIN_METHODS:
        return v.TOP
    plain = ndarray_subclasses.arguments_as_arrays(arguments, lambda one: data(frame, one))
    found = frame.engine.api.method(name, data(frame, atom), plain)
    return found if name in PLAIN_METHODS else rewrap(frame, atom, found, scalars=name == "take")


def of_function(frame: Frame, name: str, arguments: Arguments) -> v.Fact:
    """The result of a function with such objects among the arguments."""
    found = frame.engine.api.call(name, ndarray_subclasses.arguments_as_arrays(arguments, lambda one: data(frame, one)))
    keeps = ndarray_subclasses.keeps(name.removeprefix("numpy."), arguments)
    if keeps is False or not v.known_to_include(found, "array", "scalar", "sequence", "unknown"):
        return found
    if keeps is None or not v.only(found, "array", "scalar"):
        return v.TOP
    objects = v.join(v.BOTTOM, *map(ndarray_subclasses.objects, arguments.facts()))
    given = [fact for fact in arguments.facts() if ndarray_subclasses.objects(fact)]
    plain = any(ndarray_subclasses.objects(fact) != fact for fact in given)
    return v.join(found if plain else v.BOTTOM, *(rewrap(frame, atom, found, scalars=True) for atom in objects),
                  *(v.one(atom) for atom in found if atom.kind == "scalar"))  # fmt: skip
