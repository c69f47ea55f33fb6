"""The names in all code that a function may run: in its own body, and in what it calls or reads, as of the text.

Budgets rest on these names: signs of vectors where `svd` may be called, the precision of float32 where that is named.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from np2torch.verify.hints import PRODUCT, Body, hints, node_of
from np2torch.verify.pairs import place_of

Definitions = dict[str, list[ast.AST]]
METHOD = "searchsorted"
"""The search that arrays have as a method."""
UP_TO_SIGNS = frozenset(("svd", "eig", "eigh", "eigvecs", "qr", "eigsh", "svds", "schur", "null_space", "orth"))
"""Decompositions whose vectors are what they are up to a sign."""
LINEAR = UP_TO_SIGNS | frozenset((
    "inv", "pinv", "solve", "lstsq", "det", "slogdet", "cholesky", "eigvals", "eigvalsh", "matrix_rank", "matrix_power",
    "cond", "expm", "logm", "sqrtm", "pinvh", "lu",
))  # fmt: skip
"""Linear algebra, where each library spreads NaN and infinities in its own way."""
FFT = frozenset(f"{inverse}{real}fft{axes}" for inverse in ("", "i") for real in ("", "r") for axes in ("", "2", "n"))
PRODUCTS = FFT | {PRODUCT, "dot", "matmul", "einsum", "inner", "tensordot", "vdot", "multi_dot", "cross", "hfft"}
"""Sums in an order of each library, so that what is equal, or on a bound, may be so on one side only."""
SUMS = PRODUCTS | {"sum", "mean", "average", "norm", "cross", "std", "var", "cumsum"}
"""What adds up, so that an error that is raised for its result may hang on a last bit."""
ARGSORT = frozenset(("argsort",))
EXTREMES = frozenset(("maximum", "minimum", "fmax", "fmin", "clip", "cumsum", "nancumsum", "cumulative_sum"))
"""What gives one of two zeros, of which the sign is up to their order, to their place, or to where a sum begins."""
UNWRITTEN = frozenset(("empty", "empty_like"))
"""What gives memory that holds anything."""
ERRSTATE = frozenset(("errstate", "seterr"))
"""What lets NumPy raise for results that are not finite."""
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class Reach:
    """The definitions of a module, and of those of its package that it imports."""

    def __init__(self, path: Path) -> None:
        self.definitions: Definitions = {}
        self.originals: dict[str, set[str]] = {}
        """The names that others stand for, which are imported under another one, or out of a module."""
        self._bodies: dict[ast.AST, Body] = {}
        self.tree = ast.Module([], [])
        for file, tree in _modules(path):
            if file == path.resolve():
                self.tree = tree
            for name, node in _defined(tree):
                self.definitions.setdefault(name, []).append(node)
            for node in ast.walk(tree):
                for one in node.names if isinstance(node, ast.ImportFrom) else ():
                    self.originals.setdefault(one.asname or one.name, set()).add(one.name)

    def class_named(self, name: str) -> ast.ClassDef | None:
        """A class that the module defines, or imports from its package."""
        return next((one for one in self.definitions.get(name, ()) if isinstance(one, ast.ClassDef)), None)

    def names(self, dotted: str) -> frozenset[str]:
        """The names that a function or class of the module comes to: attributes, what is imported, and `%`."""
        found: set[str] = set()
        for node in self._reached(dotted):
            found |= self._own(node).names
            for name in _identifiers(node):
                found |= self.originals.get(name, set())
        return frozenset(found)

    def floats(self, dotted: str) -> tuple[float, ...]:
        """The floats in the code that a function or class of the module comes to, its own first."""
        return tuple(dict.fromkeys(one for node in self._reached(dotted) for one in self._own(node).offsets))

    def _reached(self, dotted: str) -> Iterator[ast.AST]:
        """Give the definitions that a function or class of the module comes to, itself first."""
        start = node_of(self.tree, dotted)
        waiting: list[ast.AST] = [start] if start is not None else []
        seen: set[ast.AST] = set(waiting)
        while waiting:
            node = waiting.pop()
            yield node
            for name in _identifiers(node):
                for one in (name, *sorted(self.originals.get(name, ()))):
                    new = [definition for definition in self.definitions.get(one, ()) if definition not in seen]
                    seen.update(new)
                    waiting += new

    def _own(self, node: ast.AST) -> Body:
        if node not in self._bodies:
            self._bodies[node] = hints(node)
        return self._bodies[node]


def _identifiers(node: ast.AST, local: frozenset[str] = frozenset()) -> Iterator[str]:
    """Collect the names and attributes that are read, except for the variables of functions."""
    if isinstance(node, FUNCTIONS):
        local |= {one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg)}
        stored = [one for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]
        shared = [name for one in ast.walk(node) if isinstance(one, ast.Global) for name in one.names]
        local |= {one.id for one in stored} - set(shared)
    if isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, ast.Name) and node.id not in local:
        yield node.id
    for child in ast.iter_child_nodes(node):
        yield from _identifiers(child, local)


def _defined(tree: ast.Module) -> Iterator[tuple[str, ast.AST]]:
    """Functions, classes, methods and what is assigned outside of functions, by name."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, node
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                yield from ((name, node) for name in _identifiers(target))
        elif isinstance(node, ast.stmt | ast.Module | ast.ExceptHandler):
            if isinstance(node, ast.ClassDef):
                yield node.name, node
            waiting += ast.iter_child_nodes(node)


def _modules(path: Path) -> Iterator[tuple[Path, ast.Module]]:
    """A module and those of its package that it imports, and these in turn."""
    seen: set[Path] = set()
    waiting = [path.resolve()]
    while waiting:
        file = waiting.pop()
        if file in seen or not file.is_file():
            continue
        seen.add(file)
        try:
            tree = ast.parse(file.read_bytes())
        except (SyntaxError, ValueError):
            continue
        yield file, tree
        waiting += _imported(tree, file)


def _imported(tree: ast.Module, file: Path) -> Iterator[Path]:
    root = place_of(file).root
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            base = file.parents[node.level - 1] if node.level else root
            folder = base.joinpath(*node.module.split(".")) if node.module else base
            yield from _files(folder)
            for name in node.names:
                yield from _files(folder / name.name) if name.name != "*" else ()
        elif isinstance(node, ast.Import):
            for name in node.names:
                yield from _files(root.joinpath(*name.name.split(".")))


def _files(module: Path) -> tuple[Path, Path]:
    return module.with_name(f"{module.name}.py"), module / "__init__.py"
