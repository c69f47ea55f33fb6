"""Lists and queues that a function makes for itself: stacks, heaps, what is still to be visited.

Nobody else holds such a list, so that a loop in NumPy may take a copy of it, with NumPy's scalars for tensors.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Sequence
from functools import lru_cache

from np2torch.facts import values as v
from np2torch.names.tree import places_of_names
from np2torch.names.tree import walk as tree_walk
from np2torch.rules.loops import vocabulary as words
from np2torch.rules.loops.flow import Loop, is_bound_before, is_repeated, is_tried, parameters, target_pairs
from np2torch.rules.loops.sources import MIXED, is_held
from np2torch.rules.site import ModuleContext

MAKING = ("list", "collections.deque")
"""What makes a list that nobody else has, beside the displays."""
ASKING = ("len", "bool")
"""Functions that see of a list only how long it is."""

READING = frozenset("sorted min max sum any all enumerate zip reversed list tuple".split())
"""Functions that read the items of a list, and keep nothing of the list itself."""


@lru_cache(maxsize=256)
def _of_others(scope: ast.AST) -> frozenset[str]:
    """The names that a function says are of a scope around it."""
    said = (node.names for node in tree_walk(scope) if isinstance(node, (ast.Global, ast.Nonlocal)))
    return frozenset().union(*said)


class Containers:
    """The lists that a loop may take for its own.

    Attributes
    ----------
    read_after
        Those that the loop reads, and that are anybody's after it.
    inner
        Those that only the loop knows.
    """

    def __init__(self, ctx: ModuleContext, loop: Loop, occurrences: list[ast.AST]) -> None:
        self.ctx, self.loop = ctx, loop
        self.inside = set(occurrences)
        self.read_after: set[str] = set()
        self.inner: set[str] = set()
        self._known: dict[str, bool] = {}

    def is_own(self, node: ast.AST) -> bool:
        """Tell whether it is the name of a list that the function around has made, and that nobody else has."""
        if not isinstance(node, ast.Name):
            return False
        if node.id not in self._known:
            self._known[node.id] = self._is_private(node.id)
        return self._known[node.id]

    def _is_private(self, name: str) -> bool:
        ctx = self.ctx
        scope = ctx.function(self.loop)
        if isinstance(scope, ast.Module) or name in parameters(scope):
            return False
        if name in _of_others(scope):
            return False
        named = places_of_names(scope).get(name, ())
        if any(ctx.function(one) is not scope for one in named):
            return False
        if self.inside.issuperset(named) and any(isinstance(one.ctx, ast.Store) for one in named):
            self.inner.add(name)
        elif not is_bound_before(ctx, self.loop, name):
            return False
        others = [one for one in named if not self._is_harmless(one)]
        if others and self._is_read(named) and all(map(self._comes_after, others)):
            self.read_after.add(name)
            return True
        return not others

    def _is_harmless(self, node: ast.Name) -> bool:
        """Tell whether a place makes a list, or uses it and gives it to nobody."""
        return self._is_making(node) if isinstance(node.ctx, ast.Store) else self._is_use(node)

    def _is_read(self, named: Sequence[ast.Name]) -> bool:
        """Tell whether the loop changes a list and reads it; where it only adds items, they come back one by one."""
        parents = [self.ctx.parents.get(one) for one in named if one in self.inside]
        added = [self.ctx.parents.get(one) for one in parents if isinstance(one, ast.Attribute)]
        if not added or any(is_held(self.ctx, one) for call in added if call is not None for one in tree_walk(call)):
            return False
        return any(isinstance(one, ast.Subscript) and isinstance(one.ctx, ast.Load) for one in parents)

    def _comes_after(self, node: ast.Name) -> bool:
        """Tell whether a place reads a list, and only after the loop has come to its end."""
        after = (node.lineno, node.col_offset) > (self.loop.end_lineno or 0, self.loop.end_col_offset or 0)
        if not after or not isinstance(node.ctx, ast.Load) or is_repeated(self.ctx, self.loop):
            return False
        is_list = all(isinstance(atom, v.Sequence) and atom.type == "list" for atom in self.fact(node))
        return is_list and not is_tried(self.ctx, self.loop)

    def _is_making(self, target: ast.Name) -> bool:
        """Tell whether a name is bound to a new list of arrays and numbers there, or is a list that gets more items."""
        statement = self.ctx.parents.get(target)
        if isinstance(statement, ast.AugAssign):
            return isinstance(statement.op, ast.Add) and target in self.inside
        pairs = list(target_pairs(self.ctx.statement(target)))
        value = next((value for one, value in pairs if one is target), None)
        if isinstance(statement, ast.AnnAssign):
            value = statement.value
        is_unpacked = any(isinstance(one, ast.Starred) for pair in pairs for one in pair)
        if value is None or is_unpacked or target in self.inside and target.id not in self.inner:
            return False
        is_new = (
            isinstance(value, (ast.List, ast.ListComp)) or isinstance(value, ast.Call) and makes(self.fact(value.func))
        )
        return is_new and self._is_simple(value, target.id in self.inner)

    def _is_simple(self, value: ast.expr, is_inner: bool) -> bool:
        """Tell whether a list has nothing but arrays, numbers and tuples of them in it, each as it is in NumPy."""
        fact = self.fact(value)
        if not v.only(fact, "sequence"):
            return False
        if is_inner:
            return all(v.only(v.elements(atom), *MIXED) for atom in fact if isinstance(atom, v.Sequence))
        if any(is_held(self.ctx, one) for one in tree_walk(value)):
            return False
        return all(_holds(v.elements(atom)) for atom in fact if isinstance(atom, v.Sequence))

    def _is_use(self, node: ast.Name) -> bool:
        """Tell whether a use of a list gives it to nobody; outside of the loop, whether it asks how long it is."""
        parent = self.ctx.parents.get(node)
        if isinstance(parent, ast.Call) and node in parent.args:
            return self._is_argument(parent, node)
        if isinstance(parent, (ast.If, ast.While, ast.BoolOp, ast.UnaryOp, ast.IfExp)):
            return not isinstance(parent, (ast.IfExp, ast.BoolOp)) or self._is_asked(parent, node)
        if not isinstance(parent, (ast.Attribute, ast.Subscript)) or parent.value is not node:
            is_gone_through = isinstance(parent, ast.For) and parent.iter is node
            return node in self.inside and (
                is_gone_through or isinstance(parent, ast.Compare) and node in parent.comparators
            )
        if isinstance(parent, ast.Subscript):
            return node in self.inside
        call = self.ctx.parents.get(parent)
        is_called = isinstance(call, ast.Call) and call.func is parent
        return is_called and parent.attr in words.OF_QUEUES and (node in self.inside or self._only_adds(parent, call))

    def _is_argument(self, call: ast.Call, node: ast.Name) -> bool:
        """Tell whether a function keeps nothing of a list that it is given."""
        fact, inside = self.fact(call.func), node in self.inside
        if isinstance(call.func, ast.Name) and v.only(fact, "builtin"):
            if call.func.id in ASKING or inside and call.func.id in READING:
                return True
        return inside and node is call.args[0] and is_heaps(fact)

    def _is_asked(self, parent: ast.expr, node: ast.expr) -> bool:
        """Tell whether `a and b`, or `a if b else c`, looks at the truth of a list alone."""
        if isinstance(parent, ast.IfExp):
            return parent.test is node
        around = self.ctx.parents.get(parent)
        return isinstance(around, (ast.If, ast.While)) and around.test is parent

    def _only_adds(self, method: ast.Attribute, call: ast.AST | None) -> bool:
        """Tell whether a method called outside of the loop only adds items that are in NumPy what they are here."""
        statement = self.ctx.parents.get(call) if call is not None else None
        if method.attr not in ("append", "appendleft") or not isinstance(statement, ast.Expr):
            return False
        arguments = call.args if isinstance(call, ast.Call) else []
        return all(_holds(self.fact(one)) for one in arguments) and not any(
            is_held(self.ctx, part) for one in arguments for part in tree_walk(one)
        )

    def fact(self, node: ast.AST) -> v.Fact:
        """Give the fact of an expression in NumPy, whatever represents it after the conversion."""
        return self.ctx.fact_in_numpy(node)


def makes(fact: v.Fact) -> bool:
    """Tell whether it is a function that makes a list or a queue."""
    return _is_builtin(fact, MAKING)


def is_heaps(fact: v.Fact) -> bool:
    """Tell whether it is a function that keeps a list in order."""
    return _is_builtin(fact, words.HEAPS)


def _is_builtin(fact: v.Fact, names: Container[str]) -> bool:
    return v.only(fact, "builtin") and all(isinstance(atom, v.Builtin) and atom.name in names for atom in fact)


def _holds(fact: v.Fact, depth: int = 0) -> bool:
    """Tell whether it is an array or a number, or a tuple of these: a copy of the list holds the same then."""
    for atom in fact:
        if isinstance(atom, v.Sequence):
            if depth > 2 or atom.type != "tuple" or not _holds(v.elements(atom), depth + 1):
                return False
        elif atom.kind not in MIXED or isinstance(atom, v.Scalar) and atom.python:
            return False
    return True
