"""Runs a program with every expression recorded: `python recorder.py OUT FOLDER... -- (SCRIPT | -m MODULE) ARGS`.

The modules below the folders are compiled from their own syntax trees with a call around each expression. What a value
is (kind, dtype, rank; of Python numbers the range; of tuples and lists the length) is noted per expression, which is
known by its number in `ast.walk`: both sides parse the same text, and positions inside f-strings cannot be relied on.
"""

from __future__ import annotations

import ast
import atexit
import builtins
import collections
import importlib.abc
import importlib.machinery
import json
import os
import runpy
import sys
import types
from collections.abc import Sequence
from typing import Any

import numpy

from np2torch.names.operator_calls import as_operators

NDARRAY = numpy.ndarray
NAME = "__np2torch_record__"  # ends in underscores: a class body does not mangle it
UNTOUCHED = (ast.Constant, ast.Starred, ast.Slice, ast.JoinedStr, ast.FormattedValue)

seen: set[tuple[Any, ...]] = set()
ranges: dict[tuple[Any, ...], tuple[Any, Any]] = {}
places: list[tuple[str, int]] = []
"""The file and the number in it of each recorded expression."""


class Wrap(ast.NodeTransformer):
    """Puts the recorder around every expression that is read."""

    def __init__(self, path: str, tree: ast.AST) -> None:
        self.path = path
        self.numbers = {node: number for number, node in enumerate(ast.walk(tree))}

    def visit(self, node: ast.AST) -> Any:
        """Wrap one node; annotations, patterns and what is called are left alone."""
        if isinstance(node, (ast.pattern, ast.arguments)) or not isinstance(node, ast.AST):
            return self._defaults(node) if isinstance(node, ast.arguments) else node
        if isinstance(node, ast.AnnAssign):
            node.target = self._inside(node.target)
            node.value = self.visit(node.value) if node.value is not None else None
            return node
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            node.args = self._defaults(node.args)
            node.body = [self.visit(statement) for statement in node.body]
            return node
        if isinstance(node, ast.Call):
            node.func = self._inside(node.func)
            node.args = [self.visit(argument) for argument in node.args]
            node.keywords = [self.generic_visit(keyword) for keyword in node.keywords]
            return self._wrapped(node)
        changed = self.generic_visit(node)
        if isinstance(node, UNTOUCHED) or not isinstance(node, ast.expr):
            return changed
        if isinstance(node, ast.Tuple) and any(isinstance(item, ast.Slice) for item in node.elts):
            return changed  # `1:, 0` is an expression only between brackets
        if isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)):
            return changed
        return self._wrapped(node)

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        """Constants are what they are."""
        return node

    def _defaults(self, node: ast.arguments) -> ast.arguments:
        node.defaults = [self.visit(default) for default in node.defaults]
        node.kw_defaults = [default and self.visit(default) for default in node.kw_defaults]
        return node

    def _inside(self, node: Any) -> Any:
        """Record what is below a node, not the node itself."""
        if isinstance(node, (ast.Attribute, ast.Subscript, ast.Name, ast.Starred)):
            return self.generic_visit(node)
        return self.visit(node)

    def _wrapped(self, node: Any) -> ast.expr:
        places.append((self.path, self.numbers[node]))
        arguments: list[ast.expr] = [ast.Constant(len(places) - 1), node]
        call = ast.Call(ast.Name(NAME, ast.Load()), arguments, [])
        for made in (call, call.func, arguments[0]):
            ast.copy_location(made, node)
        return call


def instrumented(source: str | bytes, path: str) -> types.CodeType:
    """The code of a module with the recorder around its expressions."""
    text = source if isinstance(source, str) else source.decode("utf-8", "replace")
    tree = as_operators(ast.parse(source), text)
    changed = Wrap(path, tree).visit(tree)
    return compile(changed, path, "exec", dont_inherit=True)


def record(place: int, value: Any) -> Any:
    """Note what a value is and hand it on."""
    kind = type(value)
    key: tuple[Any, ...]
    if kind is NDARRAY:
        key = (place, value.dtype, value.ndim)
    elif kind is int or kind is float or kind is bool:
        key = (place, kind)
        low, high = ranges.setdefault(key, (value, value))
        if value < low or value > high:
            ranges[key] = (min(low, value), max(high, value))
    elif kind is tuple or kind is list:
        key = (place, kind, len(value))
    else:
        key = (place, kind)
    seen.add(key)
    return value


def described(key: tuple[Any, ...]) -> list[Any]:
    """An observation as JSON: kind, dtype or type name, rank or length."""
    kind = key[1]
    if not isinstance(kind, type):
        return ["array", kind.name if kind.names is None and kind.isnative else str(kind), key[2]]
    if issubclass(kind, numpy.ndarray):
        return ["subclass", kind.__name__, None]
    if issubclass(kind, numpy.generic):
        return ["scalar", numpy.dtype(kind).name, 0]
    if kind in (int, float, bool):
        low, high = ranges[key]
        return ["number", kind.__name__, [repr(low), repr(high)]]
    if kind in (tuple, list):
        return ["sequence", kind.__name__, key[2]]
    base = next((name for base, name in BASES.items() if issubclass(kind, base)), "object")
    return [base, kind.__name__, None]


BASES: dict[type, str] = {
    complex: "number", str: "text", bytes: "text", tuple: "sequence", list: "sequence", set: "set",
    frozenset: "set", dict: "mapping", type(None): "none", types.ModuleType: "module", type: "type", int: "object",
    collections.deque: "sequence",
}  # fmt: skip


def observations() -> dict[str, dict[int, list[Any]]]:
    """What was seen so far: by file and number of the expression."""
    found: dict[str, dict[int, list[Any]]] = {}
    for key in list(seen):
        path, number = places[key[0]]
        found.setdefault(path, {}).setdefault(number, []).append(described(key))
    return found


def save(folder: str) -> None:
    """Write what this process saw."""
    with open(os.path.join(folder, f"seen-{os.getpid()}.json"), "w", encoding="utf-8") as stream:
        json.dump(observations(), stream)


class Loader(importlib.machinery.SourceFileLoader):
    """Compiles with the recorder, past any cached bytecode."""

    def get_code(self, fullname: str) -> types.CodeType:
        """The instrumented code of a module."""
        path = self.get_filename(fullname)
        return instrumented(self.get_data(path), path)


class Finder(importlib.abc.MetaPathFinder):
    """Takes over the modules whose files lie below some folders."""

    def __init__(self, folders: Sequence[str]) -> None:
        self.folders = tuple(os.path.realpath(folder) for folder in folders)

    def covers(self, path: str) -> bool:
        """Is the file one of those to record?"""
        real = os.path.realpath(path)
        return any(real == folder or real.startswith(folder + os.sep) for folder in self.folders)

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        """The ordinary spec, with our loader where the file is covered."""
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is None or type(spec.loader) is not importlib.machinery.SourceFileLoader or spec.origin is None:
            return None
        if not self.covers(spec.origin):
            return None
        spec.loader = Loader(fullname, spec.origin)
        return spec


def run(arguments: list[str], finder: Finder) -> None:
    """Run a script or `-m MODULE` as Python would."""
    if arguments[0] == "-m":
        sys.argv = arguments[1:]
        sys.path[0] = os.getcwd()
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
        return
    sys.argv = arguments
    sys.path[0] = os.path.dirname(os.path.abspath(arguments[0]))
    path = os.path.abspath(arguments[0])
    with open(path, "rb") as stream:
        source = stream.read()
    main = types.ModuleType("__main__")
    main.__file__ = path
    sys.modules["__main__"] = main
    code = instrumented(source, path) if finder.covers(path) else compile(source, path, "exec")
    exec(code, main.__dict__)


def main() -> None:
    """Install the hook, run the program, write what was seen even if it ends by an exception."""
    split = sys.argv.index("--")
    out, *folders = sys.argv[1:split]
    sys.dont_write_bytecode = True
    setattr(builtins, NAME, record)
    finder = Finder(folders)
    sys.meta_path.insert(0, finder)
    atexit.register(save, out)
    run(sys.argv[split + 1 :], finder)


if __name__ == "__main__":
    main()
