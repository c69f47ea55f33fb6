"""A library module converted as one that others may call, and its functions before and after."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch

from np2torch.rewrite.convert import analyse, convert_project
from np2torch.source.model import Converted, Settings, SourceFile

HEAD = "import numpy as np\n\n\n"


def convert(text: str, other: str = "", **settings: Any) -> Converted:
    """A library module, with another module of its project."""
    files = [SourceFile(Path("lib.py"), "lib.py", HEAD + text)]
    files += [SourceFile(Path("use.py"), "use.py", HEAD + "from lib import *\n\n" + other)] * bool(other)
    return next(iter(convert_project(files, Settings(**settings))))


def both(text: str, name: str, other: str = "") -> tuple[Any, Any, str]:
    """A function before and after, and the new text."""
    done = convert(text, other)
    assert not done.problems
    old: dict[str, Any] = {}
    new: dict[str, Any] = {}
    exec(HEAD + text, old)
    exec(done.after, new)
    return old[name], new[name], done.after


HALF = "def half(u, d):\n    return 0.5 * u + d\n"


def reasons(text: str, other: str = "") -> dict[str, str]:
    """Why each function of a library module has the guard that it has, or none."""
    files = [SourceFile(Path("lib.py"), "lib.py", HEAD + text)]
    files += [SourceFile(Path("use.py"), "use.py", HEAD + "from lib import *\n\n" + other)] * bool(other)
    work = analyse(files, Settings())
    names = {one.place: one.name for info in work.analysed.run.trees.infos.values() for one in info.functions}
    return {names[place]: reason for place, reason in work.analysed.reasons.items()}


def tensors(value: Any) -> Any:
    """Arrays and NumPy scalars as tensors, all else as it is."""
    return torch.from_numpy(np.array(value)) if isinstance(value, (np.ndarray, np.generic)) else value


def outcome(function: Any, arguments: list[Any]) -> Any:
    """What a call gives and does to its arguments, as arrays; None where it raises."""
    with np.errstate(all="ignore"):
        try:
            given = function(*arguments)
        except Exception:
            return None
    parts = given if isinstance(given, tuple) else (given,)
    return [plain(one) for one in (*parts, *arguments)]


def plain(value: Any) -> tuple[str, Any]:
    if isinstance(value, torch.Tensor):
        value = value.detach().resolve_conj().resolve_neg().numpy()
    if isinstance(value, (np.ndarray, np.generic)):
        return f"{value.dtype}{value.shape}", np.array(value)
    return type(value).__name__, value


def is_equal(one: Any, other: Any) -> bool:
    """Equal in type, dtype, shape and value."""
    loose = 2e-6 if "32" in one[0] or "64(" in one[0] and "complex64" in one[0] else 1e-12
    if one[0] != other[0]:
        return False
    is_same = one[0] in ("function", "str", "NoneType")
    return is_same or bool(np.allclose(one[1], other[1], rtol=loose, atol=0, equal_nan=True))
