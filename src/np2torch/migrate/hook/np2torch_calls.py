"""Record of the functions of the project that run: each says so itself, or Python does.

It imports nothing of ours.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import importlib.machinery
import inspect
import os
import sys
import threading
from collections.abc import Iterator
from typing import Any

TOOL = 4
NAME = "__np2torch_note__"
"""The name of a builtin that functions call: Python before 3.12 can only say what runs by stopping at each step."""
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
COMPILERS = ("numba",)
"""Packages that compile the code of functions, which knows no builtins of ours then."""
COMPILED = {"jit", "njit", "vectorize", "guvectorize", "generated_jit", "cfunc", "stencil", "overload"}
"""The names of their decorators, also where a module of the project hands them on."""
HEADS = {"decorator_list", "args", "returns", "bases", "keywords"}
"""The parts of a definition that run outside it."""


class Calls:
    """The functions below a folder that ran; the bodies of modules and classes are no functions.

    Parameters
    ----------
    root
        The folder, with a separator at its end.
    """

    def __init__(self, root: str) -> None:
        self.root = root
        self._seen: dict[tuple[str, str], None] = {}
        self._has_to_restart = False

    def watch(self) -> None:
        """Note from now on which functions run."""
        if hasattr(sys, "monitoring"):
            self._monitor()
        elif any(self._is_below(getattr(one, "__file__", None)) for one in list(sys.modules.values())):
            sys.settrace(self._trace)  # it is too late to change their code
            threading.settrace(self._trace)
        else:
            self._insert()

    def take(self) -> list[tuple[str, str]]:
        """List the functions that ran since the last call."""
        found = list(self._seen)
        self._seen.clear()
        if self._has_to_restart:
            sys.monitoring.restart_events()  # type: ignore[attr-defined]
        return found

    def _is_below(self, path: str | None) -> bool:
        return path is not None and os.path.realpath(path).startswith(self.root)

    def _note(self, code: Any) -> None:
        if code.co_filename.startswith(self.root) and code.co_flags & inspect.CO_OPTIMIZED:
            self._seen[code.co_filename, code.co_qualname] = None

    # ------------------------------------------------------------------------------------ where Python says it
    def _monitor(self) -> None:
        monitoring: Any = sys.monitoring  # type: ignore[attr-defined]
        try:
            monitoring.use_tool_id(TOOL, "np2torch-migrate")
        except ValueError:
            return
        monitoring.register_callback(TOOL, monitoring.events.PY_START, self._start)
        monitoring.set_events(TOOL, monitoring.events.PY_START)
        self._has_to_restart = True

    def _start(self, code: Any, offset: int) -> Any:
        """Note a function that begins, once until the events start again."""
        self._note(code)
        return sys.monitoring.DISABLE  # type: ignore[attr-defined]

    def _trace(self, frame: Any, event: str, argument: Any) -> None:
        self._note(frame.f_code)

    # ---------------------------------------------------------------------------------- where functions say it
    def _insert(self) -> None:
        """Compile modules of the project, and tests as pytest rewrites them, with a note in each function."""
        setattr(builtins, NAME, self._seen.setdefault)
        loader: Any = importlib.machinery.SourceFileLoader
        compiled = loader.source_to_code

        def source_to_code(this: Any, data: Any, path: Any, **options: Any) -> Any:
            if self._is_below(str(path)):
                data = data if isinstance(data, ast.AST) else ast.parse(data)
                add_notes(data, str(path))
            return compiled(this, data, path, **options)

        loader.source_to_code = source_to_code
        rewriting: Any = importlib.import_module("_pytest.assertion.rewrite")
        rewritten = rewriting.rewrite_asserts

        def rewrite_asserts(tree: ast.Module, source: bytes, path: str | None = None, config: Any = None) -> None:
            rewritten(tree, source, path, config)
            if path is not None and self._is_below(path):
                add_notes(tree, path)

        rewriting.rewrite_asserts = rewrite_asserts


def add_notes(tree: ast.AST, path: str) -> None:
    """Let each function of a module note that it begins, by its file and its qualified name; none that is compiled."""
    compiled = compiled_in(tree)
    for node, name in list(functions_in(tree, "")):
        if node in compiled:
            continue
        place = node.body if isinstance(node, ast.Lambda) else node.body[0]
        said: Any = path, name
        key = ast.Constant(said)
        call = ast.Call(ast.Name(NAME, ast.Load()), [key], [])
        if isinstance(node, ast.Lambda):
            node.body = ast.BoolOp(ast.Or(), [call, node.body])  # a note is None
            new: ast.AST = node.body
        else:
            new = ast.Expr(call)
            node.body.insert(ast.get_docstring(node, clean=False) is not None, new)
        for one in (new, call, call.func, key):
            ast.copy_location(one, place)


def compiled_in(tree: ast.AST) -> set[ast.AST]:
    """Give the functions that are compiled by a decorator, with all that is defined in them."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            ours = (alias for alias in node.names if alias.name.partition(".")[0] in COMPILERS)
            names.update(alias.asname or alias.name.partition(".")[0] for alias in ours)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in COMPILERS:
            names.update(alias.asname or alias.name for alias in node.names)

    def compiles(node: ast.expr) -> bool:
        parts = ast.unparse(node.func if isinstance(node, ast.Call) else node).split(".")
        return parts[0] in names or parts[-1] in COMPILED

    functions = (node for node in ast.walk(tree) if isinstance(node, DEFINITIONS))
    compiled = (node for node in functions if any(map(compiles, node.decorator_list)))
    return {one for node in compiled for one in ast.walk(node)}


def functions_in(node: ast.AST, prefix: str) -> Iterator[tuple[Any, str]]:
    """List the functions and lambdas below a node, with their qualified names."""
    inside = prefix
    if isinstance(node, (*DEFINITIONS, ast.ClassDef, ast.Lambda)):
        name = prefix + getattr(node, "name", "<lambda>")
        inside = f"{name}." if isinstance(node, ast.ClassDef) else f"{name}.<locals>."
        if not isinstance(node, ast.ClassDef):
            yield node, name
    for field, value in ast.iter_fields(node):
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, ast.AST):
                yield from functions_in(one, prefix if field in HEADS else inside)
