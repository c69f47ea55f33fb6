"""Which names may share memory inside a function, and what is written through them.

Flow-insensitive union of names bound to views of one another, with one refinement: a write counts for a read only
where it may happen after it (further down, or around the same loop). Calls of project functions that write a parameter
count as writes of the argument.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Mapping

from np2torch.facts import values as v
from np2torch.facts.interpreter.definitions import FunctionDefinition
from np2torch.facts.interpreter.engine import Engine
from np2torch.names.tree import children
from np2torch.names.tree import walk as tree_walk

VIEW_METHODS = frozenset("reshape ravel transpose swapaxes view squeeze diagonal flatten astype conj conjugate".split())
VIEW_ATTRIBUTES = frozenset("T mT real imag flat".split())
VIEW_FUNCTIONS = frozenset(
    "reshape ravel transpose swapaxes moveaxis squeeze expand_dims atleast_1d atleast_2d atleast_3d asarray asanyarray "
    "ascontiguousarray broadcast_to diag diagonal split array_split hsplit vsplit dsplit real imag rollaxis "
    "permute_dims matrix_transpose sliding_window_view as_strided flip fliplr flipud rot90 positive "
    "float64 float32 int64 complex128".split()
)
"""Functions whose result shares memory with their first argument, in NumPy or in torch."""
KEEPING = frozenset("list tuple sorted reversed max min iter".split())
"""Python's functions whose result holds elements of their argument."""
NUMPY_NAMES = {"np", "numpy"}
"""The names the project's modules import NumPy by: `np.reshape(a, s)` has another source than `b.reshape(s)`."""
WRITING_METHODS = frozenset("sort fill put partition resize itemset setfield byteswap".split())
WRITING_FUNCTIONS = frozenset(
    "copyto fill_diagonal put putmask place put_along_axis shuffle at".split()
)
Blocks = tuple[tuple[ast.AST, str], ...]
"""The suites a node stands in, outermost first."""
STORING = ("append", "insert", "add", "appendleft")
"""Methods of Python's containers that keep their last argument."""
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.Module


def path_of(node: ast.expr | None) -> Iterator[ast.expr]:
    """An expression, then what it shares memory with, one step nearer to the source at a time."""
    while node is not None:
        yield node
        node = _source(node)


def _source(node: ast.expr) -> ast.expr | None:
    if isinstance(node, (ast.Subscript, ast.Starred)):
        return node.value
    if isinstance(node, ast.Attribute):
        return node.value if node.attr in VIEW_ATTRIBUTES else None
    if isinstance(node, ast.UnaryOp):  # `+x` is x itself in torch
        return node.operand if isinstance(node.op, ast.UAdd) else None
    if not isinstance(node, ast.Call):
        return None
    function, first = node.func, node.args[0] if node.args else None
    if isinstance(function, ast.Name):
        return first if function.id in VIEW_FUNCTIONS | KEEPING else None
    if not isinstance(function, ast.Attribute):
        return None
    if _is_numpy(function.value):
        return first if function.attr in VIEW_FUNCTIONS else None
    return function.value if function.attr in VIEW_METHODS else None


def _is_numpy(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id in NUMPY_NAMES


def root_of(node: ast.expr | None) -> str | None:
    """The name or `self.attribute` whose memory an expression may share; None for a fresh value."""
    last = node
    for step in path_of(node):
        last = step
    if isinstance(last, ast.Name):
        return last.id
    if isinstance(last, ast.Attribute) and isinstance(last.value, ast.Name):
        return f"{last.value.id}.{last.attr}"
    return None


def writes_first(node: ast.Call) -> bool:
    """Is it a function of NumPy's that writes its first argument?"""
    function = node.func
    return isinstance(function, ast.Attribute) and function.attr in WRITING_FUNCTIONS and bool(node.args)


class Aliases:
    """Sharing and writes in one function body (or module top level)."""

    def __init__(self, engine: Engine, node: FunctionNode, project: ProjectAliases) -> None:
        self.engine = engine
        self.node = node
        self.parent: dict[str, str] = {}
        self.writes: list[tuple[str, ast.AST, tuple[ast.AST, ...]]] = []
        self.loops: dict[ast.AST, tuple[ast.AST, ...]] = {}
        self._returned: list[str] = []
        self._bindings: list[tuple[str, ast.expr]] = []
        self._blocks: dict[ast.AST, Blocks] = {}
        self._project = project
        for one, other in project.same_arguments(node):
            self.union(one, other)
        body = node.body if isinstance(node.body, list) else [node.body]
        for statement in body:
            self._visit(statement, (), ())

    def find(self, name: str) -> str:
        """The representative of a name's group."""
        while name in self.parent:
            name = self.parent[name]
        return name

    def union(self, a: str | None, b: str | None) -> None:
        """Two names may share memory."""
        if a is not None and b is not None and (x := self.find(a)) != (y := self.find(b)):
            self.parent[x] = y

    def written(self, root: str | None, at: ast.AST) -> bool:
        """May the memory of `root` be written after the expression `at` was evaluated?"""
        if root is None:
            return False
        group = self.find(root)
        loops = self.loops.get(at, ())
        for name, node, around in self.writes:
            if self.find(name) != group or node is at:
                continue
            if getattr(node, "lineno", 0) >= getattr(at, "lineno", 0) or any(loop in loops for loop in around):
                return True
        return "." in root and root.startswith("self.") and self._project.attribute_written(self.node, root[5:])

    def returned(self, root: str | None) -> bool:
        """May the memory of `root` be handed to the caller?"""
        return root is not None and self.find(root) in map(self.find, self._returned)

    def value_written(self, at: ast.expr) -> bool:
        """Is the value of `at` itself written, in place or by way of the names it and its views are bound to?

        Unlike `written` this looks in one direction: what the value was made from is not the value.
        """
        names = {name for name, value in self._bindings if at in path_of(value)}
        while more := {name for name, value in self._bindings if root_of(value) in names} - names:
            names |= more
        for name, node, around in self.writes:
            if isinstance(node, ast.Subscript) and at in path_of(node):
                return True
            later = getattr(node, "lineno", 0) >= at.lineno or any(loop in self.loops.get(at, ()) for loop in around)
            if name in names and later and node is not at and not self._replaced(name, at, node):
                return True
        return False

    def _replaced(self, name: str, start: ast.expr, end: ast.AST) -> bool:
        """Does the name surely get another value between two places, as in `x = np.broadcast_to(...); x = x.copy()`?"""
        for other, value in self._bindings:
            if other == name and start.lineno < value.lineno < getattr(end, "lineno", 0) and root_of(value) is None:
                blocks = self._blocks[value]
                if self._blocks[end][: len(blocks)] == blocks and value not in self.engine.callees:
                    return True
        return False

    def written_names(self) -> set[str]:
        """Every name whose group is written."""
        groups = {self.find(name) for name, _, _ in self.writes}
        names = set(self.parent) | {name for name, _, _ in self.writes}
        return {name for name in names if self.find(name) in groups}

    # ------------------------------------------------------------------------------------------ collecting
    def _visit(self, node: ast.AST, loops: tuple[ast.AST, ...], blocks: Blocks) -> None:
        self.loops[node] = loops
        self._blocks[node] = blocks
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            return
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self._bind(target, node.value, loops)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            self._bind(node.target, node.value, loops)
        elif isinstance(node, ast.AugAssign):
            root = root_of(node.target)
            fact = self.engine.facts.get(node.target, v.UNKNOWN)
            in_place = isinstance(node.target, ast.Subscript) or v.known_to_include(fact, "array", "scalar")
            if root is not None and in_place:
                self.writes.append((root, node, loops))
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            sources = [held for one in _iterated(node.iter) for held in (one, *self._held(one))]
            for source in sources:
                for name in tree_walk(node.target):
                    if isinstance(name, ast.Name):
                        self.union(name.id, root_of(source))
        elif isinstance(node, ast.Call):
            self._call(node, loops)
        elif isinstance(node, ast.Return):
            parts = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
            self._returned += [root for part in parts if (root := root_of(part))]
        inner = (*loops, node) if isinstance(node, (ast.For, ast.AsyncFor, ast.While)) else loops
        for child in children(node):
            below = blocks
            if isinstance(child, ast.stmt) and isinstance(node, ast.stmt):
                below = (*blocks, (node, _suite(node, child)))
            elif isinstance(child, (ast.ExceptHandler, ast.match_case)):
                below = (*blocks, (child, "body"))
            self._visit(child, inner, below)

    def _bind(self, target: ast.expr, value: ast.expr, loops: tuple[ast.AST, ...]) -> None:
        if isinstance(target, (ast.Tuple, ast.List)):
            if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts):
                for one, other in zip(target.elts, value.elts, strict=True):
                    self._bind(one, other, loops)
            else:
                for one in target.elts:
                    self._bind(one, value, loops)
        elif isinstance(target, ast.Subscript):
            root = root_of(target)
            if root is not None:
                self.writes.append((root, target, loops))
        else:
            if (name := root_of(target)) is not None:
                self._bindings.append((name, value))
            fact = self.engine.facts.get(value, v.UNKNOWN)
            if v.may(fact, "array", "scalar") or v.known_to_include(fact, "sequence"):
                for source in [value, *_branches(value), *self._held(value)]:
                    self.union(root_of(target), root_of(source))

    def _held(self, node: ast.expr) -> Iterator[ast.expr]:
        """The arrays in a list or tuple as it is written: views go on sharing there, elements are copies."""
        if isinstance(node, (ast.List, ast.Tuple)):
            for one in node.elts:
                yield from self._held(one)
                if v.known_to_include(self.engine.facts.get(one, v.UNKNOWN), "array"):
                    yield one

    def _call(self, node: ast.Call, loops: tuple[ast.AST, ...]) -> None:
        function = node.func
        for keyword in node.keywords:
            if keyword.arg == "out" and (root := root_of(keyword.value)):
                self.writes.append((root, node, loops))
        if isinstance(function, ast.Attribute):
            if function.attr in WRITING_METHODS and (root := root_of(function.value)):
                self.writes.append((root, node, loops))
            if writes_first(node) and (root := root_of(node.args[0])):
                self.writes.append((root, node, loops))
        for callee in self.engine.callees.get(node, ()):
            for argument in passed_for(node, callee, self._project.writes(callee)):
                if root := root_of(argument):
                    self.writes.append((root, node, loops))


def passed_for(node: ast.Call, callee: FunctionDefinition, positions: set[int]) -> list[ast.expr]:
    """The positional arguments a call passes for these parameters of a function or method."""
    is_bound = callee.owner is not None and isinstance(node.func, ast.Attribute) and not callee.is_static
    places = [index - 1 if is_bound else index for index in positions]
    return [node.args[place] for place in places if 0 <= place < len(node.args)]


def _kept(node: ast.AST, facts: Mapping[ast.AST, v.Fact]) -> Iterator[ast.expr]:
    """Expressions a function stores where they outlive it: in containers, attributes, globals."""
    outside = {name for one in tree_walk(node) if isinstance(one, (ast.Global, ast.Nonlocal)) for name in one.names}
    for one in tree_walk(node):
        if isinstance(one, ast.Assign):
            for target, value in (pair for whole in one.targets for pair in _pairs(whole, one.value)):
                copied = isinstance(target, ast.Subscript) and v.only(facts.get(target.value, v.UNKNOWN), "array")
                if not copied and (not isinstance(target, ast.Name) or target.id in outside):
                    yield value
        elif isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute):
            if one.func.attr in STORING and one.args:
                yield one.args[-1]


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Each single target with what is bound to it, or to it and others."""
    if not isinstance(target, (ast.Tuple, ast.List)):
        yield target, value
        return
    matched = isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts)
    values = value.elts if matched and isinstance(value, (ast.Tuple, ast.List)) else [value] * len(target.elts)
    for one, other in zip(target.elts, values, strict=True):
        yield from _pairs(one.value if isinstance(one, ast.Starred) else one, other)


def _suite(node: ast.AST, child: ast.stmt) -> str:
    return next((name for name in ("orelse", "finalbody") if child in getattr(node, name, ())), "body")


def _branches(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.IfExp):
        yield node.body
        yield node.orelse
    elif isinstance(node, ast.BoolOp):
        yield from node.values


def _iterated(node: ast.expr) -> list[ast.expr]:
    """What a loop goes through, beside the functions that only pair, number or order it."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id in ("zip", "enumerate", "reversed", "list", "tuple", "sorted", "iter"):
            return [one for argument in node.args for one in _iterated(argument)]
    return [node]


class ProjectAliases:
    """Aliases of every function, made when asked for."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._made: dict[ast.AST, Aliases] = {}
        self._writes: dict[FunctionDefinition, set[int]] = {}
        self._keeps: dict[FunctionDefinition, set[int]] = {}
        self._attributes: dict[ast.AST, set[str]] = {}
        self._calls: dict[FunctionDefinition, list[ast.Call]] | None = None
        imported = {
            name for module in engine.modules.values() for name, fact in module.env.items()
            if any(isinstance(atom, v.Module) and atom.name.split(".")[0] == "numpy" for atom in fact)
        }  # fmt: skip
        NUMPY_NAMES.clear()
        NUMPY_NAMES.update(imported | {"np", "numpy"})
        self._bound: dict[ast.Call, tuple[FunctionNode, list[str]]] = {}

    def calls(self, function: FunctionDefinition) -> list[ast.Call]:
        """The project's calls of a function."""
        if self._calls is None:
            self._calls = {}
            for call, callees in self.engine.callees.items():
                for callee in callees:
                    self._calls.setdefault(callee, []).append(call)
            for module in self.engine.modules.values():
                self._note_bindings(module.tree, module.tree)
        return self._calls.get(function, [])

    def _note_bindings(self, node: ast.AST, function: FunctionNode) -> None:
        for child in children(node):
            if isinstance(child, ast.Assign) and isinstance(child.value, ast.Call):
                targets = [one for target in child.targets for one in getattr(target, "elts", [target])]
                roots = [root for t in targets if (root := root_of(t)) and not isinstance(t, ast.Subscript)]
                self._bound[child.value] = (function, roots)
            inner = child if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)) else function
            self._note_bindings(child, inner)

    def result_written(self, node: ast.AST) -> bool:
        """Does a caller write into what this function returns?"""
        definition = self.engine.functions.get(node)
        if definition is None:
            return False
        for call in self.calls(definition):
            function, roots = self._bound.get(call, (None, []))
            if function is not None and any(self.of(function).written(root, call) for root in roots):
                return True
        return False

    def same_arguments(self, node: ast.AST) -> list[tuple[str, str]]:
        """Pairs of parameters that some call passes the same memory for."""
        definition = self.engine.functions.get(node)
        if definition is None:
            return []
        names = [p.arg for p in definition.parameters()]
        if definition.owner is not None and not definition.is_static:
            names = names[1:]
        found: set[tuple[str, str]] = set()
        for call in self.calls(definition):
            for (one, a), (other, b) in itertools.combinations(zip(names, call.args, strict=False), 2):
                root = root_of(a) if isinstance(a, (ast.Name, ast.Subscript, ast.Attribute)) else None
                if root is not None and root_of(b) == root:
                    found.add((one, other))
        return sorted(found)

    def of(self, node: FunctionNode) -> Aliases:
        """The aliases of a function body."""
        if node not in self._made:
            self._made[node] = Aliases(self.engine, node, self)
        return self._made[node]

    def writes(self, function: FunctionDefinition) -> set[int]:
        """Positions of the parameters a function writes into."""
        if function not in self._writes:
            self._writes[function] = set()  # recursion: nothing yet
            written = self.of(function.node).written_names()
            self._writes[function] = {i for i, p in enumerate(function.parameters()) if p.arg in written}
        return self._writes[function]

    def keeps(self, function: FunctionDefinition) -> set[int]:
        """Positions of the parameters a function stores where they outlive it."""
        if function not in self._keeps:
            kept = _kept(function.node, self.engine.facts)
            parts = [part for value in kept for part in (value, *getattr(value, "elts", ()))]
            aliases = self.of(function.node)
            groups = {aliases.find(part.id) for part in parts if isinstance(part, ast.Name)}
            self._keeps[function] = {i for i, p in enumerate(function.parameters()) if aliases.find(p.arg) in groups}
        return self._keeps[function]

    def attribute_written(self, node: ast.AST, attribute: str) -> bool:
        """Is `self.attribute` written in place by any method of the class `node` belongs to?"""
        definition = self.engine.functions.get(node)
        owner = definition.owner if definition is not None else None
        if owner is None:
            return False
        if owner.node not in self._attributes:
            self._attributes[owner.node] = set()
            found = set()
            for method in owner.methods.values():
                found |= {n[5:] for n in self.of(method.node).written_names() if n.startswith("self.")}
            self._attributes[owner.node] = found
        return attribute in self._attributes[owner.node]
