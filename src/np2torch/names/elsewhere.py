"""Uses of a module's names in the other modules of a project, and in strings."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from np2torch.names.in_strings import InStrings, in_strings
from np2torch.names.modules import absolute_name, numpys_module
from np2torch.names.scopes import bound_names
from np2torch.names.tree import statements, walk


@dataclass
class Elsewhere:
    """Places outside a module that use its names.

    Attributes
    ----------
    used
        Names that are read from it: imported, listed in `__all__`, read as attributes, mentioned in strings.
    taken
        Names that mean something else to readers of the module, so that it cannot use them for a module it imports.
    bound, spoken
        Names that code in its strings binds, and those that strings mention.
    attributes
        Names of NumPy's imports that are attributes anywhere in the project, as those of a class body may be.
    """

    used: set[str] = field(default_factory=set)
    taken: set[str] = field(default_factory=set)
    bound: set[str] = field(default_factory=set)
    spoken: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)


Owners = Callable[[ast.expr], Iterable[str]]
"""The modules of the project that an expression may be."""


def elsewhere(
    infos: Mapping[Any, Any], also: Mapping[str, str], owners: Owners, wanted: Collection[str],
    examples: Mapping[Any, Iterable[ast.AST]],
) -> dict[str, Elsewhere]:  # fmt: skip
    """Give what is made of each module's names.

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
    own_numpys = {info.name: numpys[info.name] - _bound_otherwise(info.nodes) for info in infos.values()}
    words = set(wanted).union(*numpys.values())
    spoken = words | set(dir(builtins))
    strings: dict[str, InStrings] = {}
    attributes: set[str] = set()
    for path, info in infos.items():
        strings[info.name] = in_strings(info.nodes, spoken, set(examples.get(path, ())))
        for target, names in _imported(info, also):
            out.setdefault(target, Elsewhere()).used.update(names)
            if "*" in names:
                starring.setdefault(target, set()).add(info.name)
        out[info.name].used |= _listed(info.tree.body)
        read = [node for node in info.nodes if isinstance(node, ast.Attribute) and node.attr in words]
        attributes.update(node.attr for node in read)
        for owner, name in ((owner, node.attr) for node in read for owner in owners(node.value)):
            out.setdefault(owner, Elsewhere()).used.add(name)
    _add_strings(out, strings, words)
    inner: dict[str, set[str]] = {}
    for info in infos.values():
        inner.setdefault(info.name.rpartition(".")[0], set()).add(info.name.rpartition(".")[2])
    named = {info.name: _names(info.nodes, wanted) for info in infos.values()}
    for info in infos.values():
        found = out[info.name]
        found.attributes = attributes
        found.taken |= (found.used - named[info.name] - strings[info.name].read) | inner.get(info.name, set())
        for reader in _readers(info.name, starring):
            found.taken |= named[reader]
            found.used |= named[reader] - own_numpys[reader]
            out[reader].taken |= named[info.name] | found.taken
    return out


def _imported(info: Any, also: Mapping[str, str]) -> Iterator[tuple[str, list[str]]]:
    """Give the modules that a module imports names from, and the names."""
    for node in statements(info.tree):
        if isinstance(node, ast.ImportFrom):
            target = absolute_name(info.name, info.is_package, node)
            yield also.get(target, target), [alias.name for alias in node.names]


def _add_strings(out: dict[str, Elsewhere], strings: Mapping[str, InStrings], words: Set[str]) -> None:
    """Add what strings make of the names of each module: those in its own, and those in any that look names up."""
    looked_up = words & {name for one in strings.values() for name in one.looked_up}
    members = {member for one in strings.values() for member in one.members}
    for module, own in strings.items():
        found, last = out[module], module.rpartition(".")[2]
        found.bound = own.bound
        found.spoken = own.read | looked_up | {name for owner, name in members if owner == last}
        found.used |= found.spoken
        found.taken |= own.bound | looked_up


def _of_numpy(nodes: Iterable[ast.AST]) -> set[str]:
    """The names that imports bind to NumPy's."""
    return {name for alias in _numpys_aliases(nodes) for name in bound_names(alias)}


def _bound_otherwise(nodes: Sequence[ast.AST]) -> set[str]:
    """The names that are bound by something else than an import of NumPy."""
    numpys = set(_numpys_aliases(nodes))
    return {name for node in nodes if node not in numpys for name in bound_names(node)}


def _numpys_aliases(nodes: Iterable[ast.AST]) -> Iterator[ast.alias]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias for alias in node.names if alias.name.split(".")[0] == "numpy")
        elif isinstance(node, ast.ImportFrom) and numpys_module(node) is not None:
            yield from node.names


def _listed(nodes: Iterable[ast.stmt]) -> set[str]:
    """The names that statements put into `__all__`."""
    found: set[str] = set()
    for node in nodes:
        inside = walk(node) if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr)) else []
        if any(isinstance(one, ast.Name) and one.id == "__all__" for one in inside):
            found |= {one.value for one in inside if isinstance(one, ast.Constant) and isinstance(one.value, str)}
    return found


def _names(nodes: Sequence[ast.AST], wanted: Container[str]) -> set[str]:
    """All names that a module binds or reads, but for the modules `wanted` that it imports itself."""
    imports = (node for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom)))
    ours = {alias for node in imports for alias in node.names if alias.name in wanted and alias.asname is None}
    bound = {name for node in nodes if node not in ours for name in bound_names(node)}
    read = {node.id for node in nodes if isinstance(node, ast.Name)}
    return bound | read - {alias.name for alias in ours}


def _readers(module: str, starring: Mapping[str, set[str]]) -> Iterable[str]:
    """The modules that have all its names by `import *`, directly or by way of others."""
    found = list(starring.get(module, ()))
    for one in found:  # grows while it is read
        found += [name for name in starring.get(one, ()) if name not in found and name != module]
    return found
