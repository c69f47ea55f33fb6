"""Which names may share memory inside a function, and what is written through them.

Flow-insensitive union of names bound to views of one another, with one refinement: a write counts for a read only
where it may happen after it (further down, or around the same loop). Calls of project functions that write a parameter
count as writes of the argument.
"""

from __future__ import annotations

import ast
import itertools
import sys
from collections.abc import Iterator, Mapping

from np2torch.facts import values as v
from np2torch.facts.interpreter.definitions import FunctionDefinition
from np2torch.facts.interpreter.engine import Engine
from np2torch.facts.interpreter.nditers import is_nditer
from np2torch.facts.sharing import (
    NUMPY_NAMES,
    STORING,
    WRITING_METHODS,
    Blocks,
    FunctionNode,
    branches,
    iterated,
    origin_of,
    pairs,
    passed_for,
    path_of,
    root_of,
    suite,
    writes_first,
)  # fmt: skip
from np2torch.names.tree import children
from np2torch.names.tree import walk as tree_walk

ANY_TIME = ast.Pass(lineno=sys.maxsize)
"""Where a function defined inside another writes: whenever it is called."""
LOOPS = (ast.For, ast.AsyncFor, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Aliases:
    """Sharing and writes in one function body (or module top level).

    Attributes
    ----------
    writes
        What is written: the name, the place, the loops around it.
    iterated
        Names bound to the items of something, by a loop or a comprehension.
    """

    def __init__(self, engine: Engine, node: FunctionNode, project: ProjectAliases) -> None:
        self.engine = engine
        self.node = node
        self.parent: dict[str, str] = {}
        self.writes: list[tuple[str, ast.AST, tuple[ast.AST, ...]]] = []
        self.loops: dict[ast.AST, tuple[ast.AST, ...]] = {}
        self.iterated: set[str] = set()
        self._dotted: set[str] = set()
        self._returned: list[tuple[str, ast.expr]] = []
        self._bindings: list[tuple[str, ast.expr]] = []
        self._blocks: dict[ast.AST, Blocks] = {}
        self._project = project
        for one, other in project.same_arguments(node):
            self.union(one, other)
        body = node.body if isinstance(node.body, list) else [node.body]
        for statement in body:
            self._visit(statement, (), ())
        if isinstance(node, ast.Lambda):
            self._return(node.body)

    def find(self, name: str) -> str:
        """The representative of a name's group."""
        while name in self.parent:
            name = self.parent[name]
        return name

    def union(self, a: str | None, b: str | None) -> None:
        """Two names may share memory."""
        if a is not None and b is not None and (x := self.find(a)) != (y := self.find(b)):
            self.parent[x] = y
            self._dotted.update(name for name in (a, b) if _is_part(name))

    def share(self, name: str, other: str) -> bool:
        """May two names share memory: are they of one group, or is one a part of an object in the other's?"""
        one, two = self.find(name), self.find(other)
        if one == two or not self._dotted and not _is_part(name) and not _is_part(other):
            return one == two
        return two in self._wholes(name, one) or one in self._wholes(other, two)

    def _wholes(self, name: str, group: str) -> set[str]:
        """The groups of the objects that something of this group is an attribute of."""
        parts = {part for part in self._dotted if self.find(part) == group}
        return {self.find(part.partition(".")[0]) for part in (parts | {name} if _is_part(name) else parts)}

    def written(self, root: str | None, at: ast.AST) -> bool:
        """May the memory of `root` be written after the expression `at` was evaluated?"""
        if root is None:
            return False
        loops = self.loops.get(at, ())
        for name, node, around in self.writes:
            if node is at or not self.share(name, root):
                continue
            if getattr(node, "lineno", 0) >= getattr(at, "lineno", 0) or any(loop in loops for loop in around):
                return True
        return "." in root and root.startswith("self.") and self._project.attribute_written(self.node, root[5:])

    def written_before(self, root: str, at: ast.AST) -> bool:
        """May the memory of `root` have been written by the time the expression `at` is evaluated?"""
        loops, line = self.loops.get(at, ()), getattr(at, "lineno", 0)
        return any(
            (node is ANY_TIME or getattr(node, "lineno", 0) < line or any(loop in loops for loop in around))
            for name, node, around in self.writes
            if self.share(name, root)
        )

    def roots(self, node: ast.expr | None) -> list[str]:
        """The names whose memory an expression may share, also by way of functions that give back what they take."""
        if (root := root_of(node)) is not None:
            return [root]
        origin = origin_of(node)
        if not isinstance(origin, ast.Call):
            return []
        callees = self.engine.callees.get(origin, ())
        passed = [one for callee in callees for one in passed_for(origin, callee, self._project.gives(callee))]
        return [root for one in passed for root in self.roots(one)]

    def written_later(self, node: ast.expr) -> bool:
        """May the memory that an expression shares be written after it was evaluated?"""
        return any(self.written(root, node) for root in self.roots(node))

    def written_inside(self, node: ast.expr, loop: ast.AST) -> bool:
        """May the memory that an expression shares be written in this loop?"""
        written = {name for name, _, around in self.writes if loop in around}
        return any(self.share(name, root) for name in written for root in self.roots(node))

    def returned(self, root: str | None) -> bool:
        """May the memory of `root` be handed to the caller?"""
        return root is not None and self.find(root) in {self.find(given) for given, _ in self._returned}

    def gives(self, parameter: str) -> bool:
        """May what the caller gets share with this parameter, or with what it holds, as `self.x` with `self`?"""
        given = {self.find(root): root for root, part in self._returned if not self._is_copied(root, part)}
        parts = {name for name in (*self.parent, *given.values()) if name.partition(".")[0] == parameter}
        return any(self.find(name) in given for name in (parameter, *parts))

    def _is_copied(self, root: str, part: ast.expr) -> bool:
        """Is it an element that is cloned where it is returned, because a method writes the array?"""
        element = v.only(self.engine.facts.get(part, v.UNKNOWN), "scalar") and root.startswith("self.")
        return element and self._project.attribute_written(self.node, root[5:])

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

    def written_outside(self) -> set[str]:
        """Names written here that are bound further out."""
        own = {name.id for name in self._blocks if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)}
        own |= {arg.arg for arg in tree_walk(self.node) if isinstance(arg, ast.arg)}
        return {name for name, _, _ in self.writes if name.partition(".")[0] not in own}

    # ------------------------------------------------------------------------------------------ collecting
    def _visit(self, node: ast.AST, loops: tuple[ast.AST, ...], blocks: Blocks) -> None:
        self.loops[node] = loops
        self._blocks[node] = blocks
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            self.writes += [(name, ANY_TIME, loops) for name in self._project.of(node).written_outside()]
            return
        if isinstance(node, ast.ClassDef):
            return
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self._bind(target, node.value, loops)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            self._bind(node.target, node.value, loops)
        elif isinstance(node, ast.AugAssign):
            fact = self.engine.facts.get(node.target, v.UNKNOWN)
            if isinstance(node.target, ast.Subscript) or v.known_to_include(fact, "array", "unknown"):
                self._write(node.target, node, loops)  # scalars get a new value
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            self._bind(node.optional_vars, node.context_expr, loops)
        elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
            self._iterate(node)
        elif isinstance(node, ast.Call):
            self._call(node, loops)
        elif isinstance(node, (ast.Return, ast.Yield)):
            self._return(node.value)
        inner = (*loops, node) if isinstance(node, LOOPS) else loops
        for child in children(node):
            below = blocks
            if isinstance(child, ast.stmt) and isinstance(node, ast.stmt):
                below = (*blocks, (node, suite(node, child)))
            elif isinstance(child, (ast.ExceptHandler, ast.match_case)):
                below = (*blocks, (child, "body"))
            self._visit(child, inner, below)

    def _return(self, value: ast.expr | None) -> None:
        parts = value.elts if isinstance(value, (ast.Tuple, ast.List)) else [value]
        self._returned += [(root, part) for part in parts if part is not None for root in self.roots(part)]

    def _bind(self, target: ast.expr, value: ast.expr, loops: tuple[ast.AST, ...]) -> None:
        if isinstance(target, (ast.Tuple, ast.List)):
            if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts):
                for one, other in zip(target.elts, value.elts, strict=True):
                    self._bind(one, other, loops)
            else:
                for one in target.elts:
                    self._bind(one, value, loops)
        elif isinstance(target, ast.Subscript):
            self._write(target, target, loops)
        else:
            if (name := root_of(target)) is not None:
                self._bindings.append((name, value))
            fact = self.engine.facts.get(value, v.UNKNOWN)
            if v.may(fact, "array", "scalar") or v.known_to_include(fact, "sequence") or any(map(is_nditer, fact)):
                for source in [value, *branches(value), *self._held(value)]:
                    for root in self.roots(source):
                        self.union(root_of(target), root)
            for one in self._made_of(value) if isinstance(value, ast.Call) else ():
                self.union(root_of(target), root_of(one))

    def _made_of(self, value: ast.Call) -> Iterator[ast.expr]:
        """The arrays that an object made here keeps: it shares with them."""
        for callee in self.engine.callees.get(value, ()):
            if callee.name == "__init__":
                for one in passed_for(value, callee, self._project.keeps(callee) - {0}):
                    if v.may(self.engine.facts.get(one, v.UNKNOWN), "array"):
                        yield one

    def _iterate(self, node: ast.For | ast.AsyncFor | ast.comprehension) -> None:
        names = [one.id for one in tree_walk(node.target) if isinstance(one, ast.Name)]
        self.iterated.update(names)
        sources = [held for one in iterated(node.iter) for held in (one, *self._held(one)) if not _is_flat(held)]
        for root in (root for source in sources for root in self.roots(source)):
            for name in names:
                self.union(name, root)

    def _write(self, target: ast.expr | None, at: ast.AST, loops: tuple[ast.AST, ...]) -> None:
        for root in self.roots(target):
            if _is_part(root):
                self._dotted.add(root)
            self.writes.append((root, at, loops))

    def _held(self, node: ast.expr) -> Iterator[ast.expr]:
        """The arrays in a list or tuple as it is written, and the elements, which share in torch."""
        if isinstance(node, ast.Call) and node.args and any(map(is_nditer, self.engine.facts.get(node, v.UNKNOWN))):
            node = node.args[0]
        if isinstance(node, (ast.List, ast.Tuple)):
            for one in node.elts:
                yield from self._held(one)
                if v.known_to_include(self.engine.facts.get(one, v.UNKNOWN), "array", "scalar"):
                    yield one

    def _call(self, node: ast.Call, loops: tuple[ast.AST, ...]) -> None:
        function = node.func
        for keyword in node.keywords:
            if keyword.arg == "out":
                self._write(keyword.value, node, loops)
        if isinstance(function, ast.Attribute):
            if function.attr in WRITING_METHODS:
                self._write(function.value, node, loops)
            if writes_first(node):
                self._write(node.args[0], node, loops)
        for callee in self.engine.callees.get(node, ()):
            for argument in passed_for(node, callee, self._project.writes(callee)):
                self._write(argument, node, loops)


def _is_flat(node: ast.expr) -> bool:
    """Is it `x.flat`, which gives copies when it is gone through?"""
    return isinstance(node, ast.Attribute) and node.attr == "flat"


def _is_part(name: str) -> bool:
    """Is it an attribute of an object other than `self`, whose attributes are told apart?"""
    return "." in name and not name.startswith("self.")


def _kept(node: ast.AST, facts: Mapping[ast.AST, v.Fact]) -> Iterator[ast.expr]:
    """Expressions a function stores where they outlive it: in containers, attributes, globals."""
    outside = {name for one in tree_walk(node) if isinstance(one, (ast.Global, ast.Nonlocal)) for name in one.names}
    for one in tree_walk(node):
        if isinstance(one, ast.Assign):
            for target, value in (pair for whole in one.targets for pair in pairs(whole, one.value)):
                copied = isinstance(target, ast.Subscript) and v.only(facts.get(target.value, v.UNKNOWN), "array")
                if not copied and (not isinstance(target, ast.Name) or target.id in outside):
                    yield value
        elif isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute):
            if one.func.attr in STORING and one.args:
                yield one.args[-1]


class ProjectAliases:
    """Aliases of every function, made when asked for."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._made: dict[ast.AST, Aliases] = {}
        self._writes: dict[FunctionDefinition, set[int]] = {}
        self._keeps: dict[FunctionDefinition, set[int]] = {}
        self._gives: dict[FunctionDefinition, set[int]] = {}
        self._attributes: dict[ast.AST, set[str]] = {}
        self._calls: dict[FunctionDefinition, list[ast.Call]] | None = None
        imported = {
            name for module in engine.modules.values() for name, fact in module.env.items()
            if any(isinstance(atom, v.Module) and atom.name.split(".")[0] == "numpy" for atom in fact)
        }  # fmt: skip
        NUMPY_NAMES.clear()
        NUMPY_NAMES.update(imported | {"np", "numpy"})
        self._bound: dict[ast.Call, list[str]] = {}
        self._where: dict[ast.Call, FunctionNode] = {}

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
                self._bound[child.value] = roots
            if isinstance(child, ast.Call):
                self._where[child] = function
            inner = child if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)) else function
            self._note_bindings(child, inner)

    def result_written(self, node: ast.AST) -> bool:
        """Does a caller write into what this function returns?"""
        definition = self.engine.functions.get(node)
        if definition is None:
            return False
        for call in self.calls(definition):
            if any(self.of(self._where[call]).written(root, call) for root in self._bound.get(call, ())):
                return True
        return False

    def argument_written(self, node: ast.AST, name: str, seen: frozenset[ast.AST] = frozenset()) -> bool:
        """Does a caller of this function write into what it has passed for a parameter, after the call?"""
        definition = self.engine.functions.get(node)
        if definition is None or node in seen:
            return False
        places = {i for i, parameter in enumerate(definition.positional) if parameter == name}
        for call in self.calls(definition) if places else ():
            if (caller := self._where.get(call)) is None:
                continue
            aliases = self.of(caller)
            for root in (root for one in passed_for(call, definition, places) for root in aliases.roots(one)):
                if aliases.written(root, call) or self.argument_written(caller, root, seen | {node}):
                    return True
        return False

    def same_arguments(self, node: ast.AST) -> list[tuple[str, str]]:
        """Pairs of parameters that some call passes the same memory for."""
        definition = self.engine.functions.get(node)
        if definition is None:
            return []
        names = definition.positional
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
            written |= {name.partition(".")[0] for name in written}  # `self.x` is written: so is what self shares with
            self._writes[function] = {i for i, name in enumerate(function.positional) if name in written}
        return self._writes[function]

    def gives(self, function: FunctionDefinition) -> set[int]:
        """Positions of the parameters whose memory a function may give back: the whole, a view, an element."""
        if function not in self._gives:
            self._gives[function] = set()
            aliases = self.of(function.node)
            given = {name: i for i, name in enumerate(function.positional)}
            self._gives[function] = {i for name, i in given.items() if aliases.gives(name)}
        return self._gives[function]

    def keeps(self, function: FunctionDefinition) -> set[int]:
        """Positions of the parameters a function stores where they outlive it."""
        if function not in self._keeps:
            self._keeps[function] = set()
            kept = _kept(function.node, self.engine.facts)
            parts = [part for value in kept for part in (value, *getattr(value, "elts", ()))]
            aliases = self.of(function.node)
            groups = {aliases.find(part.id) for part in parts if isinstance(part, ast.Name)}
            self._keeps[function] = {i for i, name in enumerate(function.positional) if aliases.find(name) in groups}
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
