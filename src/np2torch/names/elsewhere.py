"""What the other modules of a project, and strings in any of them, make of the names of a module."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from np2torch.names.in_strings import InStrings, in_strings
from np2torch.names.modules import absolute_name, numpys_module
from np2torch.names.scopes import bound_names
from np2torch.names.tree import statements, walk


@dataclass
class Elsewhere:
    """What is made elsewhere of the names of a module.

    Attributes
    ----------
    used
        Names that are read from it: imported, listed in `__all__`, read as attributes, spoken of in strings.
    taken
        Names that mean something else to those who read the module, so that it cannot use them for a module it imports.
    bound
        Names that code in its strings binds.
    attributes
        Names of NumPy's imports that are attributes anywhere in the project, as those of a class body may be.
    """

    used: set[str] = field(default_factory=set)
    taken: set[str] = field(default_factory=set)
    bound: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)


Owners = Callable[[ast.expr], Iterable[str]]
"""The modules of the project that an expression may be."""


def elsewhere(
    infos: Mapping[Any, Any], also: Mapping[str, str], owners: Owners, wanted: Iterable[str],
    examples: Mapping[Any, Iterable[ast.AST]],
) -> dict[str, Elsewhere]:  # fmt: skip
    """What is made of each module's names.

    Parameters
    ----------
    also
        Other names under which modules are imported.
    wanted
        Names of modules that new text may need; with the names of NumPy's imports they are looked for in strings.
    examples
        By path, docstrings whose examples are read by other means.
    """
    out: dict[str, Elsewhere] = {info.name: Elsewhere() for info in infos.values()}
    starring: dict[str, set[str]] = {}
    numpys = {info.name: _of_numpy(info.nodes) for info in infos.values()}
    words = set(wanted).union(*numpys.values())
    spoken = words | set(dir(builtins))
    strings: dict[str, InStrings] = {}
    attributes: set[str] = set()
    for path, info in infos.items():
        strings[info.name] = in_strings(info.nodes, spoken, set(examples.get(path, ())))
        for node in statements(info.tree):
            if isinstance(node, ast.ImportFrom):
                target = absolute_name(info.name, info.is_package, node)
                target = also.get(target, target)
                out.setdefault(target, Elsewhere()).used.update(alias.name for alias in node.names)
                if any(alias.name == "*" for alias in node.names):
                    starring.setdefault(target, set()).add(info.name)
        out[info.name].used |= _listed(info.tree.body)
        for node in info.nodes:
            if isinstance(node, ast.Attribute) and node.attr in words:
                attributes.add(node.attr)
                for owner in owners(node.value):
                    out.setdefault(owner, Elsewhere()).used.add(node.attr)
    looked_up = words & {name for one in strings.values() for name in one.looked_up}
    members = {member for one in strings.values() for member in one.members}
    names = {info.name: _names(info.nodes) for info in infos.values()}
    for info in infos.values():
        found, own = out[info.name], strings[info.name]
        found.attributes, found.bound = attributes, own.bound
        last = info.name.rpartition(".")[2]
        found.used |= own.read | looked_up | {name for owner, name in members if owner == last}
        found.taken |= own.bound | looked_up | (found.used - names[info.name] - own.read)
        found.taken |= {one.name.rpartition(".")[2] for one in infos.values() if one.name.startswith(f"{info.name}.")}
        for reader in _readers(info.name, starring):
            found.taken |= names[reader]
            found.used |= names[reader] - numpys[reader]
    return out


def _of_numpy(nodes: Iterable[ast.AST]) -> set[str]:
    """The names that imports bind to NumPy's."""
    imports = [node for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom))]
    plain = (alias for node in imports if isinstance(node, ast.Import) for alias in node.names)
    found = {name for one in plain if one.name.split(".")[0] == "numpy" for name in bound_names(one)}
    named = (one for node in imports if isinstance(node, ast.ImportFrom) and numpys_module(node) for one in node.names)
    return found | {name for one in named for name in bound_names(one)}


def _listed(nodes: Iterable[ast.stmt]) -> set[str]:
    """The names that statements put into `__all__`."""
    found: set[str] = set()
    for node in nodes:
        inside = walk(node) if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr)) else []
        if any(isinstance(one, ast.Name) and one.id == "__all__" for one in inside):
            found |= {one.value for one in inside if isinstance(one, ast.Constant) and isinstance(one.value, str)}
    return found


def _names(nodes: Iterable[ast.AST]) -> set[str]:
    """All names that a module binds or reads."""
    found: set[str] = set()
    for node in nodes:
        found.update(bound_names(node))
        if isinstance(node, ast.Name):
            found.add(node.id)
    return found


def _readers(module: str, starring: Mapping[str, set[str]]) -> Iterable[str]:
    """The modules that have all its names by `import *`, directly or by way of others."""
    found = list(starring.get(module, ()))
    for one in found:  # grows while it is read
        found += [name for name in starring.get(one, ()) if name not in found and name != module]
    return found
