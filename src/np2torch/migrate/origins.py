"""The variables of a project's modules that a piece of code reads, through imports too."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from np2torch.facts.interpreter.definitions import ModuleInfo
from np2torch.names import keeping
from np2torch.names.modules import absolute_name
from np2torch.names.tree import walk as tree_walk

MOST_IMPORTS = 8
"""So many modules may hand a name on."""


class Origins:
    """Follows names to the modules that bind them."""

    def __init__(self, infos: Iterable[ModuleInfo]) -> None:
        self._infos = {info.name: info for info in infos}
        self._variables = cache(self._variables_of)
        self._imports = cache(self._imports_of)

    def read(self, module: str, nodes: Iterable[ast.AST]) -> Iterator[str]:
        """The entries of the variables that some code of a module reads."""
        for node in (below for one in nodes for below in tree_walk(one)):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                found = self._variable(module, node.id)
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                origin = ".".join(self._imports(module).get(node.value.id, ()))
                found = self._variable(origin, node.attr)
            else:
                continue
            if found is not None:
                yield found

    def _variable(self, module: str, name: str) -> str | None:
        """The entry of the variable that a name means in a module."""
        for _ in range(MOST_IMPORTS):
            if name in self._variables(module):
                return f"{module}:{name}"
            if name not in self._imports(module):
                return None
            module, name = self._imports(module)[name]
        return None

    def _variables_of(self, module: str) -> frozenset[str]:
        if module not in self._infos:
            return frozenset()
        body = self._infos[module].tree.body
        others = (*keeping.DEFINITIONS, ast.Import, ast.ImportFrom)
        bound = (keeping.bound_by(one) for one in body if not isinstance(one, others))
        return frozenset().union(*bound) - {one.name for one in keeping.definitions_in(body)}

    def _imports_of(self, module: str) -> Mapping[str, tuple[str, str]]:
        """Give the origins of the imported names of a module: the module and the name there."""
        found: dict[str, tuple[str, str]] = {}
        info = self._infos.get(module)
        for node in tree_walk(info.tree) if info is not None else ():
            if isinstance(node, ast.ImportFrom) and info is not None:
                origin = absolute_name(info.name, info.is_package, node)
                found.update({alias.asname or alias.name: (origin, alias.name) for alias in node.names})
            elif isinstance(node, ast.Import):
                pairs = (alias.name.rpartition(".") for alias in node.names if alias.asname)
                names = (alias.asname for alias in node.names if alias.asname)
                found.update({name: (above, last) for name, (above, _, last) in zip(names, pairs, strict=True)})
        return found
