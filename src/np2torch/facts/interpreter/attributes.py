"""Reading an attribute: of modules, of NumPy, of arrays, of instances."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from np2torch.facts import models, results
from np2torch.facts import values as v
from np2torch.facts.arguments import arguments_of
from np2torch.facts.domain import DOMAIN
from np2torch.facts.dtypes import NARROW
from np2torch.facts.interpreter import imports, nditers, subclass_results
from np2torch.facts.interpreter.border import cross_out
from np2torch.facts.interpreter.narrowing import has_shape, having_attribute
from np2torch.facts.interpreter.stable_order import in_order
from np2torch.facts.libraries import SIZES, holds_data, holds_nothing
from np2torch.names.tree import dotted_name

if TYPE_CHECKING:
    from np2torch.facts.interpreter.definitions import ClassDefinition, FunctionDefinition
    from np2torch.facts.interpreter.protocols import Frame

ARRAYS_ONLY = frozenset({"shape", "ndim", "dtype", "strides", "itemsize", "nbytes"})
"""Attributes that neither Python's numbers nor its containers have."""
SET = frozenset({"shape", "dtype", "strides", "flat", "real", "imag", "data"})
"""Attributes of an array that can be set."""
OF_ARRAYS = ("__new__", "__array_finalize__", "__array_wrap__", "__getitem__", "__setitem__", "__init__")
"""Special methods of ndarray that a class calls by way of its base."""
NAMING = {
    "__name__": v.TEXT, "__qualname__": v.TEXT, "__module__": v.join(v.TEXT, v.NONE), "__doc__": v.join(v.TEXT, v.NONE),
}  # fmt: skip
"""What says how a class or a function is named."""
NAMED = frozenset({"class", "function", "builtin", "foreign", "opaque", "unknown"})
"""The kinds of values of which these are text, if they are there."""
ALWAYS = {"ndim": v.SIZE, "size": v.SIZE, "itemsize": v.SIZE, "nbytes": v.SIZE}
"""Attributes whose kind is known whatever the array."""


def read(frame: Frame, node: ast.Attribute) -> v.Fact:
    """The fact of `value.attr`."""
    owner = frame.eval(node.value)
    if node.attr in ARRAYS_ONLY and len(owner) > 1:
        has_shape(frame, node.value)
    if frame.has_paths and (key := dotted_name(node)) is not None and key in frame.env:
        return frame.env[key]
    if len(owner) > 1 and frame.engine.api.has(node.attr):
        owner = having_attribute(frame, node.value, owner, node.attr)
    parts = [of_atom(frame, atom, node.attr) for atom in in_order(owner)]
    return v.join(*parts) if parts else v.BOTTOM


def read_value(frame: Frame, node: ast.Attribute) -> v.Fact:
    """The fact of `value.attr` where it is not called: an attribute of anything may be anything.

    So may a method whose decorator changes what it gives: it may make a property of it.
    """
    fact = read(frame, node)
    if any(isinstance(atom, v.Function) and atom.bound and atom.definition.altered.result for atom in fact):
        fact = v.join(v.TOP, fact)
    if not v.known_to_include(fact, "method", "opaque"):
        return fact
    if any(isinstance(atom, v.Method) and v.known_to_include(atom.owner, "unknown") for atom in fact):
        return v.join(v.TOP, *(v.one(atom) for atom in fact if not isinstance(atom, v.Method)))
    objects = [atom for atom in fact if isinstance(atom, v.Opaque) and "()" in atom.origin]
    if models.stays(fact):
        return fact
    if any(not holds_nothing(atom) or holds_data(atom.origin) for atom in objects):
        return SIZES[node.attr] if len(objects) == len(fact) and node.attr in SIZES else v.join(v.TOP, fact)
    return fact


def of_atom(frame: Frame, atom: v.Atom, name: str) -> v.Fact:
    """Give the attribute of one alternative."""
    if name in NAMING and atom.kind in NAMED:
        return NAMING[name]
    reader = READERS.get(type(atom))
    return reader(frame, atom, name) if reader is not None else v.OPAQUE


def _method(frame: Frame, atom: v.Atom, name: str) -> v.Fact:
    return v.one(v.Method(name, v.one(atom)))


def _of_numeric(frame: Frame, atom: v.Array | v.Scalar, name: str) -> v.Fact:
    found = frame.engine.api.attribute(name, v.one(atom))
    if found is None and name in SHOWN_MEMORY:
        return v.OPAQUE
    return found if found is not None else _method(frame, atom, name)


SHOWN_MEMORY = frozenset({"__array_interface__", "__array_struct__"})
"""Attributes that describe the memory of an array to others."""


def _of_module(frame: Frame, atom: v.Module, name: str) -> v.Fact:
    if atom.name == "numpy" or atom.name.startswith("numpy."):
        return frame.engine.api.name(f"{atom.name}.{name}")
    return imports.member(frame, atom.name, name)


def _of_numpy(frame: Frame, atom: v.Numpy, name: str) -> v.Fact:
    if atom.name.startswith(("numpy.finfo():", "numpy.iinfo():")):
        return _of_limits(atom.name, name)
    if atom.name.startswith("numpy.broadcast():"):
        return _of_broadcast(atom.name, name)
    if nditers.is_nditer(atom):
        return nditers.attribute(atom, name)
    inner = f"{atom.name}.{name}"  # `np.core.numeric.pi` is a constant, what hangs on a call is nothing public
    return v.one(v.Numpy(inner)) if "()" in inner else frame.engine.api.name(inner)


def _of_class(frame: Frame, atom: v.Class, name: str) -> v.Fact:
    definition = atom.definition
    if definition.is_enum and name in definition.attributes:
        return v.one(v.Instance(definition))
    method = definition.find(name)
    if method is not None:
        return v.one(v.Function(method, atom if method.takes_class and not method.is_unbound else None))
    if definition.is_ndarray():
        return _of_ndarray_class(frame, definition, name)
    return frame.attribute(definition, name) or v.TOP


def _of_ndarray_class(frame: Frame, definition: ClassDefinition, name: str) -> v.Fact:
    """Read what a subclass of ndarray has, or inherits from it."""
    kept = name != "__new__" and not definition.is_tensor()
    if not kept and name not in OF_ARRAYS and not frame.engine.api.has(name.strip("_")):
        return frame.attribute(definition, name) or v.TOP
    base = v.Foreign("ndarray subclass") if kept else v.Numpy(f"numpy.ndarray.{name}")
    return cross_out(frame, frame.attribute(definition, name)) or v.one(base)


def _of_number(frame: Frame, atom: v.Num, name: str) -> v.Fact:
    if name in ("real", "imag"):
        return v.one(v.Num("float" if atom.type == "complex" else atom.type))
    return _method(frame, atom, name)


def _of_sequence(frame: Frame, atom: v.Sequence, name: str) -> v.Fact:
    if atom.type == "tuple" and not hasattr(tuple, name):
        return v.TOP  # a named part of what NumPy gives back: `np.linalg.svd(a).S`
    return _method(frame, atom, name)


def _of_foreign(frame: Frame, atom: v.Foreign, name: str) -> v.Fact:
    if atom.definition is not None and (found := _of_subclass(frame, atom, name)):
        return found
    if name == "shape":
        return v.one(v.Sequence("tuple", None, v.SIZE))
    if atom.why == v.PART and not frame.engine.api.has(name) and not _holds_records(atom):
        return v.TOP  # of an element, which is an object then
    return ALWAYS.get(name) or (v.FOREIGN if atom in v.OBJECTS else v.one(atom))  # and what `.item()` gives


def _of_opaque(frame: Frame, atom: v.Opaque, name: str) -> v.Fact:
    if (found := models.attribute(atom, name)) is not None:
        return found
    if (module := imports.submodule(frame, f"{atom.origin}.{name}")) is not None:
        return module
    return v.one(v.Opaque(f"{atom.origin}.{name}" if atom.origin and len(atom.origin) < 60 else atom.origin))


def _of_builtin(frame: Frame, atom: v.Builtin, name: str) -> v.Fact:
    return v.one(v.Builtin(f"{atom.name}.{name}"))


def _of_dtype(frame: Frame, atom: v.DType, name: str) -> v.Fact:
    if name in ("kind", "name", "char", "str"):
        return v.TEXT
    return _method(frame, atom, name) if name in ("type", "newbyteorder") else v.OPAQUE


def _of_none(frame: Frame, atom: v.Nothing, name: str) -> v.Fact:
    return v.BOTTOM  # it would raise: `try: import numpy as np / except ImportError: np = None`


def _of_anything(frame: Frame, atom: v.Top, name: str) -> v.Fact:
    return v.one(v.Sequence("tuple", None, v.SIZE)) if name == "shape" else v.one(v.Method(name, v.TOP))


def _holds_records(atom: v.Foreign) -> bool:
    return atom.definition is not None and atom.definition.holds_records


def _of_subclass(frame: Frame, atom: v.Foreign, name: str) -> v.Fact:
    """Give what an instance of a subclass of ndarray has beyond one; nothing where it has nothing."""
    if (getter := atom.definition.getter(name)) is not None:
        return cross_out(frame, frame.engine.apply(frame, getter, getter.bind(arguments_of(), v.one(atom))))
    method = atom.definition.find(name)
    if method is None:
        return cross_out(frame, read_descriptor(frame, atom, frame.attribute(atom.definition, name)))
    return v.one(v.Function(method, None if method.is_unbound else atom))


def read_descriptor(frame: Frame, owner: v.Instance | v.Foreign, held: v.Fact) -> v.Fact:
    """Give what is read where a class attribute may be a descriptor: what its `__get__` gives."""
    found = [(atom, one) for atom in in_order(held) if (one := _special(atom, "__get__")) is not None]
    if not found:
        return held
    parts = [v.keep(held, lambda atom: _special(atom, "__get__") is None)]
    for atom, method in found:
        arguments = arguments_of(v.one(owner), v.TOP)
        parts.append(frame.engine.apply(frame, method, method.bind(arguments, v.one(atom))) or v.TOP)
    return v.join(*parts)


def is_described(class_: ClassDefinition, name: str) -> bool:
    """Tell whether an attribute is set by a descriptor, of the project or of NumPy (as an array's shape is)."""
    if class_.is_ndarray() and name in SET:
        return True
    return any(_special(atom, "__set__") is not None for atom in class_.attribute(name))


def _special(atom: v.Atom, name: str) -> FunctionDefinition | None:
    return atom.definition.find(name) if isinstance(atom, v.Instance) else None


def _of_broadcast(made: str, name: str) -> v.Fact:
    """An attribute of `numpy.broadcast(...)`, whose possible ranks stand behind the colon."""
    if name == "shape":
        ranks = made.split(":")[1]
        return results.shape_of_ranks(frozenset(map(int, ranks.split(","))) if ranks else None)
    return v.SIZE if name in ("nd", "ndim", "size", "numiter", "index") else v.TOP


def _of_limits(limits: str, name: str) -> v.Fact:
    """An attribute of `numpy.finfo(dtype)` or `numpy.iinfo(dtype)`."""
    if name in ("bits", "nmant", "nexp", "precision", "iexp", "machep", "negep", "maxexp", "minexp"):
        return v.INT
    if name in ("dtype", "kind", "key"):
        return v.OPAQUE
    if "iinfo" in limits:
        return v.INT
    dtype = limits.split(":")[1]
    return v.scalar(dtype or None, python=dtype == "float64" and not DOMAIN.dtypes & NARROW)


def _of_instance(frame: Frame, atom: v.Instance, name: str) -> v.Fact:
    class_ = atom.definition
    if (getter := class_.getter(name)) is not None:
        return frame.engine.apply(frame, getter, dict.fromkeys(getter.positional[:1], v.one(atom)))
    method = class_.find(name)
    if method is not None:
        return v.one(v.Function(method, None if method.is_unbound else atom))
    if name in ("__getattribute__", "__setattr__"):
        return v.one(v.Method(name, v.one(atom)))
    if name == "__class__":
        return v.join(v.one(v.Class(class_)), frame.attribute(class_, name))
    if name == "__dict__":
        return v.TOP
    if class_.is_enum and name in ("name", "value"):
        return v.TEXT if name == "name" else v.TOP
    held = read_descriptor(frame, atom, frame.attribute(class_, name))
    if not held and class_.is_tensor() and (found := subclass_results.attribute(frame, atom, name)):
        return found
    return held or class_.annotated_fact(name) or (v.TOP if class_.opaque else frame.unseen())


READERS: dict[type, Callable[[Frame, Any, str], v.Fact]] = {
    **dict.fromkeys((v.Array, v.Scalar), _of_numeric), v.Module: _of_module, v.Numpy: _of_numpy,
    v.Instance: _of_instance, v.Class: _of_class, v.Num: _of_number, v.Sequence: _of_sequence,
    **dict.fromkeys((v.Mapping, v.Text, v.Iterator), _method), v.Foreign: _of_foreign, v.Opaque: _of_opaque,
    v.Builtin: _of_builtin, v.DType: _of_dtype, v.Nothing: _of_none, v.Top: _of_anything,
}  # fmt: skip
"""How the attributes of each class of abstract values are read; those of functions and methods are objects."""
