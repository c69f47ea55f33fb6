"""A library module converted as one that others may call, and its functions before and after."""

from __future__ import annotations

from pathlib import Path
from typing import Any

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
