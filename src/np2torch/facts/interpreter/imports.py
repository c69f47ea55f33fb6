"""Imports: what NumPy's, the project's and other modules bind, in every style."""

from __future__ import annotations

import ast
import builtins
import math
import re
from typing import TYPE_CHECKING

from np2torch.facts import values as v
from np2torch.facts.libraries import LIBRARIES, root_of
from np2torch.names import resolve
from np2torch.names.modules import absolute_name, numpys_module

if TYPE_CHECKING:
    from np2torch.facts.arguments import Arguments
    from np2torch.facts.interpreter.definitions import ClassDefinition, ModuleInfo
    from np2torch.facts.interpreter.protocols import Frame

MODELLED = frozenset("math copy itertools functools operator builtins collections random heapq bisect".split())
"""Standard modules whose functions the interpreter knows."""
BUILTINS = frozenset({"builtins", "six.moves"})
"""Modules that hand on Python's builtins."""
CONSTANTS = {f"math.{name}": v.number(getattr(math, name)) for name in ("pi", "e", "tau", "inf", "nan")}


def module_fact(frame: Frame, name: str) -> v.Fact:
    """The fact of a module by its absolute dotted name."""
    if name == "numpy" or name.startswith("numpy."):
        return frame.engine.api.name(name)
    if name in frame.engine.modules:
        return v.one(v.Module(name))
    return v.one(v.Module(name)) if name in MODELLED else v.one(v.Opaque(name))


LAZY = re.compile("lazy|import|module", re.IGNORECASE)
"""The name of a class whose objects stand for modules."""
FORWARDING = ("__getattr__", "__getattribute__")
"""The methods by which such an object asks its module for what it lacks."""


def lazily_imported(frame: Frame, class_: ClassDefinition, arguments: Arguments) -> v.Fact | None:
    """The fact of the module of a library that an object stands for: `linalg = LazyImport("scipy.linalg")`."""
    name = v.constant(arguments.positional[0].fact) if arguments.positional else None
    if not isinstance(name, str) or root_of(name) not in LIBRARIES:
        return None
    stands = LAZY.search(class_.node.name) is not None and any(map(class_.find, FORWARDING))
    return module_fact(frame, name) if stands else None


def submodule(frame: Frame, name: str) -> v.Fact | None:
    """A module of the project that is met as an attribute of its package, or of a folder that is none; None if none."""
    info = frame.engine.modules.get(name)
    if info is None:
        return None
    frame.act()
    frame.engine.run_module(info)
    return v.one(v.Module(name))


def member(frame: Frame, module: str, name: str) -> v.Fact:
    """Give what `from module import name` binds, where the module is none of NumPy's."""
    if f"{module}.{name}" in frame.engine.extensions:
        return v.one(v.Opaque(f"{module}.{name}"))
    info = frame.engine.modules.get(module)
    if info is not None:
        frame.engine.run_module(info)
        found = frame.member(info, name)
        if found is not None:
            return found
        if (inner := submodule(frame, f"{module}.{name}")) is not None:
            return inner
        if "__getattr__" in info.env:  # it may be any function of that name, called with what is not seen here
            if name not in frame.engine.called_outside:
                frame.engine.note_change()
                frame.engine.called_outside.add(name)
            return v.TOP
        return frame.unseen()
    if (inner := submodule(frame, f"{module}.{name}")) is not None:
        return inner
    if f"{module}.{name}" in CONSTANTS:
        return CONSTANTS[f"{module}.{name}"]
    if module in BUILTINS and hasattr(builtins, name):
        return v.one(v.Builtin(name))
    if module in MODELLED:
        return v.one(v.Builtin(f"{module}.{name}"))
    if module in frame.engine.unread or f"{module}.{name}" in frame.engine.unread:
        return v.TOP
    return v.one(v.Opaque(f"{module}.{name}"))


def _everything(frame: Frame, info: ModuleInfo) -> None:
    """`from module import *`: what `__all__` lists, else every name without an underscore."""
    frame.engine.run_module(info)
    if info.star is not None:
        for name in sorted(info.star):
            frame.bind(name, member(frame, info.name, name) or v.TOP)
        return
    for name in [name for name in info.env if not name.startswith("_") and "." not in name]:
        fact = frame.member(info, name) or v.TOP
        is_computed = "__all__" in info.env  # it may leave the name out
        frame.bind(name, v.join(frame.lookup(name) or fact, fact) if is_computed else fact)


def plain(frame: Frame, node: ast.Import) -> None:
    """`import a.b as c`."""
    for alias in node.names:
        root = alias.name.split(".")[0]
        if root == "torch":
            frame.module.note_torch()
        full = alias.name if alias.asname else root
        if alias.name in frame.engine.modules:
            frame.engine.run_module(frame.engine.modules[alias.name])
        frame.bind(alias.asname or root, module_fact(frame, full))


def from_module(frame: Frame, node: ast.ImportFrom) -> None:
    """`from .a import b as c`, `from numpy import *`."""
    module = absolute_name(frame.module.name, frame.module.is_package, node)
    numpys, api = numpys_module(node), frame.engine.api
    if module.split(".")[0] in ("torch", "np2torch"):
        frame.module.note_torch()
    for alias in node.names:
        if alias.name != "*":
            found = api.name(f"{numpys}.{alias.name}") if numpys else member(frame, module, alias.name)
            frame.bind(alias.asname or alias.name, found)
        elif numpys:
            for name in resolve.exported_names(numpys):
                frame.bind(name, api.name(f"{numpys}.{name}"))
        elif (info := frame.engine.modules.get(module)) is not None:
            _everything(frame, info)
