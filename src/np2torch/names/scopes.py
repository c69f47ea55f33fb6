"""Scopes: which names each binds, and what a name means at a place, looked up as Python does."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator, Mapping, Sequence

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
SCOPES = (ast.Module, ast.ClassDef, *FUNCTIONS, *COMPREHENSIONS)
"""Nodes with names of their own."""


def bound_names(node: ast.AST) -> Sequence[str]:
    """The names that a node itself binds or deletes, what is below it left out."""
    kind = node.__class__
    if kind is ast.Name:  # which most are
        return () if node.ctx.__class__ is ast.Load else (node.id,)  # type: ignore[attr-defined]
    if kind not in BINDING:
        return ()
    match node:
        case ast.arg(arg=name):
            return (name,)
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return (name,)
        case ast.alias(name=name, asname=other):
            return (other or name.partition(".")[0],)
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            return (name,)
        case ast.MatchMapping(rest=str(name)):
            return (name,)
        case ast.MatchAs() | ast.MatchStar() | ast.MatchMapping() | ast.ExceptHandler():
            return ()
    return (node.name,)  # type: ignore[attr-defined]


def is_of_comprehension(parents: Mapping[ast.AST, ast.AST], node: ast.Name) -> bool:
    """Tell whether a name is one of those that a comprehension around it binds for itself."""
    child: ast.AST = node
    while (parent := parents.get(child)) is not None and not isinstance(parent, ast.stmt):
        if isinstance(parent, COMPREHENSIONS):
            outermost = parent.generators[0]
            targets = [one.target for one in parent.generators]
            own = any(isinstance(o, ast.Name) and o.id == node.id for one in targets for o in ast.walk(one))
            if own and not (child is outermost and _is_below(parents, node, outermost.iter)):
                return True
        child = parent
    return False


def _is_below(parents: Mapping[ast.AST, ast.AST], node: ast.AST, top: ast.AST) -> bool:
    current: ast.AST | None = node
    while current is not None and current is not top:
        current = parents.get(current)
    return current is not None


def free_name(name: str, taken: Container[str]) -> str:
    """A name like this one that is not taken."""
    while name in taken:
        name += "_"
    return name


TYPE_PARAMETERS = [getattr(ast, name, ast.arg) for name in ("TypeVar", "ParamSpec", "TypeVarTuple")]
"""Nodes that newer Pythons have: `def f[T](x: T)`."""
BINDING = frozenset({
    ast.arg, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.alias, ast.ExceptHandler, ast.MatchAs,
    ast.MatchStar, ast.MatchMapping, *TYPE_PARAMETERS,
})  # fmt: skip
"""Nodes beside names that bind one."""


class Scopes:
    """The scopes of a module, and the nodes that bind names in each.

    Parameters
    ----------
    parents
        The node around each node.
    """

    def __init__(self, tree: ast.Module, nodes: Sequence[ast.AST], parents: Mapping[ast.AST, ast.AST]) -> None:
        self._tree, self._parents = tree, parents
        self._binding: dict[ast.AST, dict[str, list[ast.AST]]] = {}
        declared = {(self._around(node), name) for node in nodes if isinstance(node, ast.Global) for name in node.names}
        for node in nodes:
            for name in bound_names(node):
                scope = self._scope_of(node)
                scope = tree if (scope, name) in declared else scope
                self._binding.setdefault(scope, {}).setdefault(name, []).append(node)
        self.names = frozenset(name for bound in self._binding.values() for name in bound)
        """All names that are bound anywhere."""

    def binding(self, scope: ast.AST, name: str) -> Sequence[ast.AST]:
        """The nodes that bind a name in a scope."""
        return self._binding.get(scope, {}).get(name, ())

    def meaning(self, place: ast.AST, name: str) -> tuple[ast.AST, Sequence[ast.AST]] | None:
        """The scope in which a name is found from a place, and the nodes that bind it there; None for a builtin.

        The place may be anything inside of a definition, also what is evaluated around it, such as a default.
        """
        for scope in self._visible(place):
            if found := self.binding(scope, name):
                return scope, found
        return None

    def _visible(self, place: ast.AST) -> Iterator[ast.AST]:
        """The scopes that are looked into, from the inside out: the names of a class are not seen in its methods."""
        current: ast.AST | None = place
        in_function = False
        while current is not None:
            if isinstance(current, SCOPES) and not (in_function and isinstance(current, ast.ClassDef)):
                yield current
            in_function = in_function or isinstance(current, FUNCTIONS)
            current = self._parents.get(current)

    def _scope_of(self, node: ast.AST) -> ast.AST:
        """The scope in which a node binds its name."""
        scope = self._around(node)
        if isinstance(self._parents.get(node), ast.NamedExpr):
            while isinstance(scope, COMPREHENSIONS):
                scope = self._around(scope)
        return scope

    def _around(self, node: ast.AST) -> ast.AST:
        current = self._parents.get(node)
        while current is not None and not isinstance(current, SCOPES):
            current = self._parents.get(current)
        return current if current is not None else self._tree
