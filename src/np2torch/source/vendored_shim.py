"""A copy of the shim in a package: its name, and imports of it, which say what those of the shim say."""

from __future__ import annotations

import ast
import re

COPY = "_np2torch"
"""The name of a copy of the shim in its package."""
SHIM = "np2torch.shim"
IMPORTED = re.compile(
    rf"^[ \t\f]*(?:from[ \t]+(?:[\w.]*\.)?{COPY}\b|from[ \t]+[\w.]+[ \t]+import[ \t]+\(?{COPY}\b"
    rf"|import[ \t]+[\w.]+\.{COPY}\b)",
    re.MULTILINE,
)
"""An import of a copy, or of something in it."""


_COPIED = re.compile(rf"\bfrom ([\w.]+) import {COPY} as (\w+)\b|\b(from|import) ([\w.]+)\.{COPY}\b")


def with_copy(text: str, package: str) -> str:
    """Give a text with imports of a package's copy for those of the shim, in examples too."""
    text = re.sub(r"\bfrom np2torch import shim\b(?! as)", f"from {package} import {COPY} as shim", text)
    text = re.sub(r"\bfrom np2torch import shim as\b", f"from {package} import {COPY} as", text)
    text = re.sub(r"\bfrom np2torch\.shim\b(?=[\w.]* import\b)", f"from {package}.{COPY}", text)
    return re.sub(r"\bimport np2torch\.shim\b(?=[\w.]* as\b)", f"import {package}.{COPY}", text)


def without_copy(text: str) -> tuple[str, str]:
    """Give a text with imports of the shim for those of a copy, and the name of the package that has it, if any."""
    found = _COPIED.search(text)
    if found is None:
        return text, ""
    return _COPIED.sub(_original, text), found[1] or found[4]


def _original(match: re.Match[str]) -> str:
    if match[1] is None:
        return f"{match[3]} {SHIM}"
    return "from np2torch import shim" + (f" as {match[2]}" if match[2] != "shim" else "")


def as_shim(tree: ast.Module, text: str) -> ast.Module:
    """Let imports of a copy in a tree be those of the shim that they stand for; the places of nodes stay."""
    if IMPORTED.search(text):
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                _from_shim(node)
            elif isinstance(node, ast.Import):
                for one in node.names:
                    one.name = _name(one.name)
    return tree


def _from_shim(node: ast.ImportFrom) -> None:
    module = node.module or ""
    if COPY in module.split("."):
        node.module, node.level = _name(module), 0
    elif [one.name for one in node.names] == [COPY]:
        node.names[0].asname = node.names[0].asname or COPY
        node.module, node.level, node.names[0].name = "np2torch", 0, "shim"


def _name(module: str) -> str:
    """Give the name of the module in the shim."""
    parts = module.split(".")
    return ".".join((SHIM, *parts[parts.index(COPY) + 1 :])) if COPY in parts else module
