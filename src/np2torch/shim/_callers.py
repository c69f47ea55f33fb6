"""Boundary on the caller's side: converted code with tensors, or code that stays on NumPy."""

from __future__ import annotations

import enum
import functools
import sys
import types

from np2torch.shim._location import is_shim, of_process

CONVERTED: set[str] = of_process("converted", set)
"""Modules with something public in them: their code is on tensors, and calls from it are not looked at."""
TAKING = frozenset("scipy sklearn skimage numpy cv2 pandas statsmodels networkx sympy xarray h5py".split())
"""Packages whose functions compute on ndarrays."""
LIBRARIES = frozenset({"scipy", "sklearn", "skimage"})
"""Those of them whose objects take arrays and give arrays."""
CALLED_BACK = "__np2torch_called_back__"
"""Marks a class of the project that stays on NumPy and derives from one of such a library."""
ON_NUMPY: dict[int, types.CodeType] = of_process("code_on_numpy", dict)
"""The code that stays on NumPy beside converted code, by its id: to hash code is to hash all that is in it."""


class Side(enum.Enum):
    """The side of a caller."""

    TENSORS = enum.auto()
    NUMPY = enum.auto()
    """In code of the project that stays on NumPy."""
    LIBRARY = enum.auto()
    """In a package that computes on ndarrays."""
    OUTSIDE = enum.auto()


def leave_on_numpy(code: types.CodeType) -> None:
    """Remember that a function, with all that is defined in it, runs on ndarrays."""
    ON_NUMPY[id(code)] = code
    for part in code.co_consts:
        if isinstance(part, types.CodeType):
            leave_on_numpy(part)


def runs_on_numpy(function: object) -> bool:
    """Tell whether a function, or the function of a bound method, is part of the code that stays on NumPy."""
    return id(getattr(function, "__code__", None)) in ON_NUMPY


@functools.lru_cache(1024)
def _hands_on(module: str, number: int) -> bool:
    """Tell a module that speaks of no library of arrays, in a package of which that many modules are converted.

    What its functions are given, and what they give, is of the side of those who call them.
    """
    package, dot, _ = module.partition(".")
    names = getattr(sys.modules.get(module), "__dict__", {})
    if not dot or not any(one.partition(".")[0] == package for one in CONVERTED):
        return False
    made_by = {str(getattr(one, "__module__", "")).partition(".")[0] for one in list(names.values())}
    modules = {one.__name__.partition(".")[0] for one in list(names.values()) if isinstance(one, types.ModuleType)}
    speaks = (made_by | modules) & (TAKING | {"torch"})
    return not speaks and not any(isinstance(one, types.ModuleType) and is_shim(one.__name__) for one in names.values())


def caller(depth: int) -> tuple[Side, dict[str, object]]:
    """The side of the frame that many calls up, and the names of its module.

    Frames of the standard library hand on what others call, and are passed over; so are those of modules beside
    converted ones that mention no arrays.
    """
    try:
        frame: types.FrameType | None = sys._getframe(depth)
    except ValueError:  # the interpreter itself calls: of a weak reference, when it ends
        return Side.OUTSIDE, {}
    while frame is not None:
        if id(frame.f_code) in ON_NUMPY:
            return Side.NUMPY, {}
        module = frame.f_globals.get("__name__") or ""
        if module in CONVERTED:
            return Side.TENSORS, frame.f_globals
        package = module.partition(".")[0]
        if package not in sys.stdlib_module_names or module == "__main__":
            if is_shim(module):
                return Side.TENSORS, frame.f_globals
            if _hands_on(module, len(CONVERTED)) and frame.f_back is not None:
                frame = frame.f_back
                continue
            return Side.LIBRARY if package in TAKING else Side.OUTSIDE, frame.f_globals
        frame = frame.f_back
    return Side.OUTSIDE, {}
