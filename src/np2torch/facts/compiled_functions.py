"""Functions that numba compiles: it knows no tensors, so they stay on NumPy, and calls of them are a border."""

from __future__ import annotations

import ast
from typing import Protocol

from np2torch.facts import values as v
from np2torch.names.tree import dotted_name
from np2torch.names.tree import walk as tree_walk

COMPILER = "numba"
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Module(Protocol):
    """The part of a module that is read and noted."""

    text: str
    tree: ast.Module
    skipped: set[ast.AST]
    compiled: set[ast.AST]


def leave(info: Module) -> None:
    """Leave the functions of a module that numba compiles as they are."""
    if COMPILER not in info.text:
        return
    names = _names(info.tree)
    for node in tree_walk(info.tree):
        if isinstance(node, FUNCTIONS) and node not in info.skipped:
            if any(_root(decorator) in names for decorator in node.decorator_list):
                info.compiled.add(node)
                info.skipped.update(tree_walk(node))


def _names(tree: ast.Module) -> set[str]:
    """Give what a module calls numba, its modules and its functions."""
    found: set[str] = set()
    for node in tree_walk(tree):
        if isinstance(node, ast.Import):
            ours = [alias for alias in node.names if alias.name.split(".")[0] == COMPILER]
            found.update(alias.asname or COMPILER for alias in ours)
        elif isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").split(".")[0] == COMPILER:
            found.update(alias.asname or alias.name for alias in node.names)
    return found


def _root(decorator: ast.expr) -> str:
    path = dotted_name(decorator.func if isinstance(decorator, ast.Call) else decorator) or ""
    return path.split(".")[0]


def given_back(fact: v.Fact) -> v.Fact:
    """Give what a compiled function gives back: Python's numbers where NumPy has scalars."""
    return v.join(v.BOTTOM, *(_unboxed(atom) for atom in fact))


def _unboxed(atom: v.Atom) -> v.Fact:
    if isinstance(atom, v.Scalar):
        kinds = {v.NUMBERS.get(name[0]) for name in atom.dtypes or v.NUMBERS}
        return frozenset(v.Num(kind) for kind in kinds if kind is not None)
    if isinstance(atom, v.Sequence):
        items = atom.items
        return v.one(atom.of(given_back(atom.element)) if items is None else atom.holding(*map(given_back, items)))
    return v.one(atom)
