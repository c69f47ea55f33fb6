"""The place of the shim: in `np2torch`, or in a package that has a copy of its own (`np2torch vendor`)."""

from __future__ import annotations

import importlib.resources
import sys
import types
from collections.abc import Callable
from importlib.machinery import ExtensionFileLoader
from typing import Any, TypeVar

T = TypeVar("T")
SHIM = __name__.rpartition(".")[0]
"""The name of the package that this module is part of."""
COPY = "_np2torch"
"""The name of copies."""


def is_shim(module: object) -> bool:
    """Tell whether a module of this name is a part of the shim, or of any copy of it."""
    if not isinstance(module, str) or "np2torch" not in module:
        return False
    parts = module.split(".")
    return parts[:2] == ["np2torch", "shim"] or COPY in parts


def module_of(thing: object) -> str:
    """The module that a class or a function says it is from; empty where that is no text, as of a class of proxies."""
    name = getattr(thing, "__module__", None)
    return name if isinstance(name, str) else ""


def package_of(thing: object) -> str:
    """The package that a class or a function says it is from, `numpy` of `numpy.random`; empty where it says none."""
    return module_of(thing).partition(".")[0]


def of_process(name: str, make: Callable[[], T]) -> T:
    """Give what all copies of the shim in a process have in common: made by the first of them that asks."""
    place = sys.modules.setdefault("_np2torch_process", types.ModuleType("_np2torch_process"))
    known = vars(place)
    found: T = known[name] if name in known else known.setdefault(name, make())
    return found


def read_data(name: str) -> str:
    """Read a file that lies beside the modules of the shim; a copy has its text in the place of the call."""
    return importlib.resources.files(SHIM).joinpath(name).read_text(encoding="utf-8")


def is_compiled(name: str) -> bool:
    """Tell whether a module is an extension, whose functions know no tensors unless they were written for them."""
    spec = getattr(sys.modules.get(name), "__spec__", None)
    return isinstance(getattr(spec, "loader", None), ExtensionFileLoader)


def names_in(root: str) -> list[dict[str, Any]]:
    """The names of each module of a package that is imported."""
    parts = (one for name, one in list(sys.modules.items()) if f"{name}.".startswith(f"{root}."))
    return [getattr(one, "__dict__", {}) for one in parts]
