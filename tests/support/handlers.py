"""A text before and after its conversion: the new text is as written, and both sides find and print the same."""

from __future__ import annotations

import contextlib
import io
import textwrap
from pathlib import Path
from types import ModuleType
from typing import Any

from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Settings, SourceFile
from np2torch.verify.compare import difference

HEAD = "import numpy as np\n"
IMPORTS = ("", "import torch", "import math", "import operator", "from np2torch import shim", "import numpy as np")


def agree(before: str, after: str, **settings: Any) -> None:
    """Convert a program, expect a text, and compare what the two leave in their names and print.

    Parameters
    ----------
    before
        The program without its `import numpy as np`.
    after
        The new program without its first imports of torch and the shim.
    settings
        What is not to be as for a program that nobody else calls.
    """
    old = HEAD + textwrap.dedent(before).strip() + "\n"
    new = _converted(old, settings)
    assert _body(new) == _body(textwrap.dedent(after))
    (names, printed), (others, printed_too) = _run(old), _run(new)
    assert printed == printed_too
    for name, value in names.items():
        assert difference(value, others.get(name), numpy_left="TODO(np2torch)" in new) is None, name


def _converted(text: str, settings: dict[str, Any]) -> str:
    files = [SourceFile(Path("module.py"), "module.py", text)]
    (done,) = convert_project(files, Settings(**{"closed": ("*",), **settings}))
    assert not done.problems, done.problems
    return done.after


def _body(text: str) -> str:
    """Cut off the imports at the head that the conversion writes."""
    lines = text.strip().splitlines()
    while lines and lines[0] in IMPORTS:
        lines.pop(0)
    return "\n".join(lines)


def _run(text: str) -> tuple[dict[str, Any], str]:
    """Run a program; give its names, but for modules, functions and classes, and what it prints."""
    names: dict[str, Any] = {"__name__": "program"}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(text, "program.py", "exec"), names)
    kept = {name: value for name, value in names.items() if not isinstance(value, (ModuleType, type))}
    return {name: value for name, value in kept.items() if name[0] != "_" and not callable(value)}, printed.getvalue()
