"""Code that runs only where NumPy is not installed: the fallback of a guarded import."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from np2torch.names.modules import numpys_module

MISSING = frozenset({"ImportError", "ModuleNotFoundError", "Exception"})


def without_numpy(node: ast.Try) -> list[ast.ExceptHandler]:
    """Give what `try: from numpy import sin` / `except ImportError:` does without NumPy; here it is installed."""
    imports = [one for one in node.body if isinstance(one, (ast.Import, ast.ImportFrom))]
    others = [one for one in node.body if one not in imports]
    if not imports or not all(map(imports_numpy, imports)) or not all(isinstance(one, ast.Assign) for one in others):
        return []  # or something else may be missing
    return [handler for handler in node.handlers if MISSING.intersection(_names(handler))]


def fallbacks(nodes: Iterable[ast.AST]) -> list[ast.ExceptHandler]:
    """The fallbacks among these nodes."""
    return [handler for node in nodes if isinstance(node, ast.Try) for handler in without_numpy(node)]


def imports_numpy(node: ast.Import | ast.ImportFrom) -> bool:
    """Tell whether an import names only NumPy or modules of NumPy."""
    if isinstance(node, ast.ImportFrom):
        return numpys_module(node) is not None
    return all(alias.name.split(".")[0] == "numpy" for alias in node.names)


def _names(handler: ast.ExceptHandler) -> list[str]:
    if handler.type is None:
        return ["Exception"]
    listed = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return [one.id for one in listed if isinstance(one, ast.Name)]
