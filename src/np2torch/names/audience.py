"""Reasons for which functions are open or closed to callers outside of a project."""

from __future__ import annotations

import ast
import re

from np2torch.names.openness import is_private, is_program
from np2torch.names.public import TESTS, names_in_all

Function = ast.FunctionDef | ast.AsyncFunctionDef


def why_public(function: Function, owner: ast.ClassDef | None, tree: ast.Module) -> str:
    """The reason why callers outside may call a function."""
    name = owner.name if owner is not None else function.name
    if name in names_in_all(tree):
        reason = f"`__all__` lists {name}"
    elif re.match(r"_(?!_)", name) and owner is None:
        reason = "a package hands it on"
    else:
        reason = f"{name} has no leading underscore" if name[0] != "_" else f"classes such as {name} are public"
    return f"a method, and {reason}" if owner is not None else reason


def why_closed(function: Function, module: str, tree: ast.Module, is_nested: bool, is_closed: bool) -> str:
    """The reason why no caller outside calls a function: all its calls are in the files given.

    Parameters
    ----------
    module
        The dotted name of the module.
    is_nested
        Whether it is defined in another function.
    is_closed
        Whether the settings say that no outsider calls the functions of the file.
    """
    if is_closed:
        return "the setting `closed` names the file"
    if is_nested:
        return "it is defined in another function"
    if TESTS.search(module):
        return "the module is a test, or part of the build"
    if is_private(function):
        return "its name has a leading underscore"
    return "the module is run as a program" if is_program(module, tree) else "no public name of the project leads to it"
