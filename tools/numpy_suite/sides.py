"""The three texts of one test file. NumPy's comes from the installed wheel; none of it is kept in this repository."""

from __future__ import annotations

import ast
import importlib.util
from pathlib import Path

from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Settings, SourceFile

SIDES = ("numpy", "np2torch", "torch._numpy")


def numpy_folder() -> Path:
    """Where NumPy is installed; it is not imported here."""
    spec = importlib.util.find_spec("numpy")
    if spec is None or spec.origin is None:
        raise SystemExit("numpy is not installed")
    return Path(spec.origin).parent


def text_of(side: str, path: Path) -> str:
    """The test file as one of the sides has it."""
    text = path.read_text("utf-8")
    if side == "np2torch":
        (converted,) = convert_project([SourceFile(path, path.name, text)], Settings())
        if converted.problems:
            raise SystemExit(f"{path.name} cannot be converted: {converted.problems}")
        return converted.after
    return swapped(text) if side == "torch._numpy" else text


def swapped(text: str) -> str:
    """`torch._numpy` in the place of `numpy`, import by import, as `stand_in` finds each name."""
    lines = text.splitlines(keepends=True)
    imports = [node for node in ast.walk(ast.parse(text)) if isinstance(node, (ast.Import, ast.ImportFrom))]
    for node in sorted(imports, key=lambda node: node.lineno, reverse=True):
        module = (node.module or "") if isinstance(node, ast.ImportFrom) else node.names[0].name
        if module.partition(".")[0] != "numpy":
            continue
        new = ["from numpy_suite import stand_in as _stand_in"]
        for name in node.names:
            if isinstance(node, ast.ImportFrom):
                new.append(f"{name.asname or name.name} = _stand_in.member({module!r}, {name.name!r})")
            else:
                new.append(f"{name.asname or 'numpy'} = _stand_in.module({name.name if name.asname else 'numpy'!r})")
        indent = lines[node.lineno - 1][: node.col_offset]
        lines[node.lineno - 1 : node.end_lineno] = [f"{indent}{line}\n" for line in new]
    return "".join(lines)
