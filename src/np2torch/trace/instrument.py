"""Instrumentation of modules for the recorder, for a Python without `sys.monitoring`.

A profile function is called for every function there is, NumPy's included, and makes programs three times slower;
a call that stands in the functions of the project only costs next to nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import CodeType
from typing import Any

CALLED, RETURNED = "__np2torch_called__", "__np2torch_returned__"  # underscores at the end: classes do not mangle them
COMPILED = ("jit", "vectorize", "cuda", "numba", "stencil")
"""Words in decorators of compilers, which would not take a call of ours."""


class Instrument(ast.NodeTransformer):
    """Puts a call of the recorder at the beginning of each function and around what it returns."""

    def __init__(self, path: str, register: Callable[[str, str, tuple[str, ...]], int]) -> None:
        self.path = path
        self.register = register
        self.scope = ""
        self.saved: list[str] = []
        self.numbers: list[int | None] = []

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """Name what stands in a class with the class."""
        scope, self.scope = self.scope, f"{self.scope}{node.name}."
        self.generic_visit(node)
        self.scope = scope
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        """Record the parameters first, then what is returned."""
        number, names = self._enter(node, node.name)
        self.numbers.append(None if number is None or _yields(node) else number)
        self.generic_visit(node)
        self._leave()
        if number is not None and names:
            documented = bool(node.body) and isinstance(node.body[0], ast.Expr) and ast.get_docstring(node) is not None
            place = node.body[0]
            call = ast.copy_location(ast.Expr(_call(CALLED, number, [ast.Name(n, ast.Load()) for n in names])), place)
            node.body.insert(int(documented), call)
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        """A lambda records its parameters in an `or`, since recording gives back None."""
        number, names = self._enter(node, "<lambda>")
        self.numbers.append(None)
        self.generic_visit(node)
        self._leave()
        if number is not None and not _yields(node):
            body: ast.expr = node.body
            if names:
                called = _call(CALLED, number, [ast.Name(n, ast.Load()) for n in names])
                body = ast.BoolOp(ast.Or(), [called, body])
            node.body = ast.copy_location(_call(RETURNED, number, [body]), node.body)
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        """Record the result of a function that is no generator."""
        self.generic_visit(node)
        number = self.numbers[-1] if self.numbers else None
        if number is not None and node.value is not None:
            node.value = ast.copy_location(_call(RETURNED, number, [node.value]), node.value)
        return node

    def _enter(self, node: Any, name: str) -> tuple[int | None, list[str]]:
        decorators = getattr(node, "decorator_list", [])
        line = min([node.lineno, *(d.lineno for d in decorators)])
        names = [a.arg for a in node.args.posonlyargs + node.args.args + node.args.kwonlyargs]
        names = names[1:] if names[:1] in (["self"], ["cls"]) else names
        qualified = self.scope + name
        self.saved.append(self.scope)
        self.scope = f"{qualified}.<locals>."
        if any(word in ast.unparse(decorator) for decorator in decorators for word in COMPILED):
            return None, names
        return self.register(self.path, f"{qualified}:{line}", tuple(names)), names

    def _leave(self) -> None:
        self.scope = self.saved.pop()
        self.numbers.pop()


def _call(name: str, number: int, arguments: list[Any]) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), [ast.Constant(number), *arguments], [])


def _yields(node: ast.AST) -> bool:
    """Tell whether it is a generator or a coroutine, functions inside it left out."""
    if isinstance(node, ast.AsyncFunctionDef):
        return True
    stack = list(ast.iter_child_nodes(node))
    while stack:
        child = stack.pop()
        if isinstance(child, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            stack += ast.iter_child_nodes(child)
    return False


def instrument_source(source: bytes, path: str, register: Callable[[str, str, tuple[str, ...]], int]) -> CodeType:
    """The code of a module, its functions recorded; docstrings, lines and names are as they were."""
    tree = Instrument(path, register).visit(ast.parse(source))
    return compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)
