"""Alias analysis: names that may share memory inside a function, and the writes through them.

Flow-insensitive union of names bound to views of one another, with one refinement: a write counts for a read only
where it may happen after it (further down, or around the same loop). Calls of the project's functions count as writes
of what those write (`facts/mod_ref_summaries.py`). An attribute is a name, as `self.x`; others may write it at any
time.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from np2torch.facts import values as v
from np2torch.facts.access_paths import (
    ACTING,
    ALLOWING,
    ANY_TIME,
    BINDING,
    INNER,
    LOOPS,
    STORING,
    WRITING_METHODS,
    Blocks,
    Classes,
    FunctionNode,
    Write,
    branches,
    held_parts,
    is_numpys,
    is_part,
    iterated_expressions,
    may_be_related,
    objects_around,
    origin_of,
    passed_for,
    path_of,
    root_of,
    suite,
)  # fmt: skip
from np2torch.facts.bindings import bindings
from np2torch.facts.interpreter.fixpoint import Interpreter
from np2torch.facts.interpreter.nditers import is_nditer
from np2torch.facts.interpreter.operators import is_set
from np2torch.facts.outputs import makes_new, written_arguments
from np2torch.names.tree import children, dotted_name
from np2torch.names.tree import walk as tree_walk

if TYPE_CHECKING:
    from np2torch.facts.mod_ref_summaries import ProjectAliases

NAMES_AND_VALUES = frozenset({ast.Name, ast.Constant})
FRESH = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.Constant, ast.List, ast.Tuple, ast.ListComp, ast.Dict, ast.Set)
"""Expressions whose value is made there."""
SHARING = ("array", "scalar", "sequence", "mapping", "instance")
"""Kinds of what may hold memory that others hold too."""
HOLDING = ("array", "sequence", "mapping", "instance")
"""Those of which a part may be written by a subscript or an attribute."""


class Aliases:
    """Alias analysis of one function body (or module top level): shared memory and writes.

    Attributes
    ----------
    writes
        What is written, where.
    owners
        The classes of the objects that attributes, as `self.x`, belong to.
    iterated
        Names bound to the items of something, by a loop or a comprehension.
    """

    def __init__(self, engine: Interpreter, node: FunctionNode, project: ProjectAliases) -> None:
        self.engine = engine
        self.node = node
        self.parent: dict[str, str] = {}
        self.writes: list[Write] = []
        self.owners: dict[str, Classes] = {}
        self.loops: dict[ast.AST, tuple[ast.AST, ...]] = {}
        self.iterated: set[str] = set()
        self._dotted: set[str] = set()
        self._inner: dict[ast.AST, set[str]] = {}
        self._returned: list[tuple[str, ast.expr]] = []
        self._bindings: list[tuple[str, ast.expr]] = []
        self._blocks: dict[ast.AST, Blocks] = {}
        self._project = project
        self._own = project.own_names(node)
        for one, other in project.same_arguments(node):
            self.union(one, other)
        body = node.body if isinstance(node.body, list) else [node.body]
        for statement in body:
            self._visit(statement, (), ())
        if isinstance(node, ast.Lambda):
            self._return(node.body)
        self._by_call: dict[ast.AST, list[str]] = {}
        for name, at, _ in self.writes:
            self._by_call.setdefault(at, []).append(name)

    @property
    def nodes(self) -> Iterable[ast.AST]:
        """The nodes of the body, those of functions defined in it left out."""
        return self._blocks

    def find(self, name: str) -> str:
        """The representative of a name's group."""
        while name in self.parent:
            name = self.parent[name]
        return name

    def union(self, a: str | None, b: str | None) -> None:
        """Join the alias groups of two names, which may share memory."""
        if a is not None and b is not None and (x := self.find(a)) != (y := self.find(b)):
            self.parent[x] = y
            self._dotted.update(name for name in (a, b) if is_part(name))

    def names_of(self, groups: Iterable[str]) -> set[str]:
        """The names in groups, which their representatives stand for."""
        found = set(groups)
        return found | {name for name in self.parent if self.find(name) in found}

    def share(self, name: str, other: str) -> bool:
        """Tell whether two names may share memory: they are of one group, or one is a part of the other's object."""
        one, two = self.find(name), self.find(other)
        if one == two or not self._dotted and not is_part(name) and not is_part(other):
            return one == two
        return two in self._wholes(name, one) or one in self._wholes(other, two)

    def _wholes(self, name: str, group: str) -> set[str]:
        """The groups of the objects that something of this group is an attribute of."""
        parts = {part for part in self._dotted if self.find(part) == group}
        return {self.find(whole) for part in {*parts, name} if is_part(part) for whole in objects_around(part)}

    # ------------------------------------------------------------------------------------------ what lasts
    def is_global(self, name: str) -> bool:
        """Tell whether it is a name of the module, or of another, that this function did not bind."""
        return "." not in name and name not in self._own

    def lasting(self, root: str) -> list[str]:
        """Attributes and names of modules that share with a name: others reach what they hold."""
        group = self.find(root)
        found = [name for name in self.owners if self.find(name) == group]
        found += [name for name in self.names_of([group]) if self.is_global(name)]
        return found

    def written_by_others(self, root: str) -> bool:
        """Tell whether the memory of `root` may be written from outside of this body, or by its next run."""
        if any(self._is_written(name) for name in self.lasting(root)):
            return True
        group = self.find(root)
        defaults = {self.find(name) for name in self._project.array_defaults(self.node)}
        return group in defaults and any(self.find(name) == group for name, _, _ in self.writes)

    def _is_written(self, name: str) -> bool:
        if self.is_global(name):
            return self._project.writes_global(self.node, name)
        but = None if name.startswith("self.") else self.node
        return self._project.writes_attribute(name.rpartition(".")[2], self.owners.get(name), but)

    # ------------------------------------------------------------------------------------------ questions
    def may_be_written(self, root: str | None, at: ast.AST) -> bool:
        """Tell whether the memory of `root` may be written after the expression `at` was evaluated."""
        if root is None:
            return False
        loops = self.loops.get(at, ())
        for name, node, around in self.writes:
            if node is at or not self.share(name, root):
                continue
            if getattr(node, "lineno", 0) >= getattr(at, "lineno", 0) or any(loop in loops for loop in around):
                return True
        return self.written_by_others(root)

    def written_before(self, root: str, at: ast.AST) -> bool:
        """Tell whether the memory of `root` may have been written by the time the expression `at` is evaluated."""
        loops, line = self.loops.get(at, ()), getattr(at, "lineno", 0)
        return any(
            (node is ANY_TIME or getattr(node, "lineno", 0) < line or any(loop in loops for loop in around))
            for name, node, around in self.writes
            if self.share(name, root)
        )

    def names_written(self, call: ast.Call) -> set[str]:
        """Give what a call writes, functions defined here included."""
        written = set(self._by_call.get(call, ()))
        for callee in self.engine.callees.get(call, ()):
            written |= self._inner.get(callee.node, set())
        return written

    def written_by(self, written: Collection[str], node: ast.expr) -> bool:
        """Tell whether writes through these names may change memory that an expression shares."""
        roots = self.roots(node) if written else []
        return any(
            (self.share(name, root) or self._are_one(name, root)) and not name.startswith(f"{root}.")
            for name in written
            for root in roots
        )

    def _are_one(self, name: str, other: str) -> bool:
        """Tell whether two attributes may be the same, by different names of one object."""
        mine, theirs = ([n for n in self.lasting(one) if "." in n] for one in (name, other))
        return any(
            a.rpartition(".")[2] == b.rpartition(".")[2] and may_be_related(self.owners[a], self.owners[b])
            for a in mine
            for b in theirs
        )

    def roots(self, node: ast.expr | None) -> list[str]:
        """The names whose memory an expression may share, also by way of functions that give back what they take."""
        origin = origin_of(node)
        if isinstance(origin, ast.Attribute):
            return self._roots_of_attribute(origin)
        if isinstance(origin, ast.Name):
            return [] if is_numpys(self.engine.facts.get(origin, v.TOP)) else [origin.id]
        if not isinstance(origin, ast.Call):
            return [root for one in branches(origin) for root in self.roots(one)] if origin is not None else []
        found = []
        for callee in self.engine.callees.get(origin, ()):
            gives = self._project.gives(callee)
            for place, parts in gives.parameters.items():
                for one in passed_for(origin, callee, [place]):
                    found += [self._part(root, part, classes) for part, classes in parts for root in self.roots(one)]
            found += [self._lasting_part(name, classes) for name, classes in gives.lasting]
        return [*found, *(root for one in self._made_of(origin) for root in self.roots(one))]

    def _lasting_part(self, name: str, classes: Classes) -> str:
        """Give what a function does to an attribute of whatever object, or to an array of a module."""
        return self._noted(name, classes) if "." in name else self._project.name_here(name, self.node)

    def _roots_of_attribute(self, node: ast.Attribute) -> list[str]:
        fact = self.engine.facts.get(node.value, v.BOTTOM)
        if v.only(fact, "module"):
            return [self._project.name_here(key, self.node) for key in self._project.keys_in(fact, node.attr)]
        classes, name = self._project.classes_of(fact, node.value, self.node), root_of(node) or ""
        found = [self._noted(name, classes)]
        for getter in {one for class_ in classes or () if (one := class_.getter(node.attr)) is not None}:
            for part, held in self._project.gives(getter).parameters.get(0, ()):
                found += [self._noted(f"{name.rpartition('.')[0]}{part}", held)] if part else []
        return found

    def _part(self, root: str, part: str, classes: Classes) -> str:
        """A part of what a name holds: `.x` of `self` is `self.x`."""
        return self._noted(root + part, classes) if part else root

    def _noted(self, root: str, classes: Classes) -> str:
        """Keep of what classes the object is that an attribute belongs to."""
        if "." in root:
            before = self.owners.get(root, frozenset())
            self.owners[root] = None if before is None or classes is None else before | classes
        return root

    def may_be_returned(self, root: str | None) -> bool:
        """Tell whether the memory of `root` may be returned to the caller."""
        return root is not None and self.find(root) in {self.find(given) for given, _ in self._returned}

    def returned_names(self) -> set[str]:
        """The names whose memory the caller may get: the whole or a view; elements that are read there own theirs."""
        return self.names_of(self.find(root) for root, part in self._returned if not self._is_element(part))

    def _is_element(self, part: ast.expr) -> bool:
        return isinstance(part, ast.Subscript) and v.only(self.engine.facts.get(part, v.TOP), "scalar")

    def value_written(self, at: ast.expr) -> bool:
        """Tell whether the value of `at` itself is written, in place or through names bound to it or its views.

        Unlike `may_be_written` this looks in one direction: writing what the value was made from does not count.
        """
        names = {name for name, value in self._bindings if at in path_of(value)}
        while more := {name for name, value in self._bindings if root_of(value) in names} - names:
            names |= more
        for name, node, around in self.writes:
            if isinstance(node, ast.Subscript) and at in path_of(node):
                return True
            later = getattr(node, "lineno", 0) >= at.lineno or any(loop in self.loops.get(at, ()) for loop in around)
            if name in names and later and node is not at and not self.is_own_by_then(name, node, at.lineno):
                return True
        return False

    def written_names(self) -> set[str]:
        """Every name whose group is written, but for parameters that have got another value by then."""
        return self.names_of(self.find(name) for name, node, _ in self.writes if not self.is_own_by_then(name, node))

    def is_own_by_then(self, name: str, at: ast.AST, since: int = 0) -> bool:
        """Tell whether a name surely has a value of its own at some place, got after a line (`a = np.copy(a)`)."""
        return at is not ANY_TIME and any(
            other == name
            and self._is_fresh(value)
            and since < value.lineno < getattr(at, "lineno", 0)
            and self._blocks[at][: len(self._blocks[value])] == self._blocks[value]
            for other, value in self._bindings
        )

    def is_always_own(self, name: str) -> bool:
        """Tell whether everything that a name is bound to is made there."""
        values = self.values_of(name)
        return bool(values) and name not in self.iterated and all(map(self._is_fresh, values))

    def values_of(self, name: str) -> list[ast.expr]:
        """Give what a name is bound to; empty for a parameter, since nobody knows what that is bound to."""
        if any(isinstance(arg, ast.arg) and arg.arg == name for arg in tree_walk(self.node)):
            return []
        return [value for other, value in self._bindings if other == name]

    def is_fresh_array(self, value: ast.expr) -> bool:
        """Tell whether it is an array that is made where it stands."""
        return self._is_fresh(value) and v.only(self.engine.facts.get(value, v.TOP), "array")

    def _is_fresh(self, value: ast.expr) -> bool:
        """Tell whether a value is certainly new: a result of an operator or of NumPy, not a part of another object."""
        if isinstance(value, ast.Call):
            fact = self.engine.facts.get(value.func, v.TOP)
            return root_of(value) is None and (v.only(fact, "numpy", "method") or makes_new(fact))
        return isinstance(value, FRESH) and not isinstance(getattr(value, "op", None), ast.UAdd)

    def is_written_after_calls(self, name: str) -> bool:
        """Tell whether a module writes its array of that name after a call, whose function may have kept an element."""
        called = [call.lineno for call in self._blocks if isinstance(call, ast.Call) and call in self.engine.callees]
        first = min(called, default=sys.maxsize)
        group = self.find(name)
        return any(self.find(one) == group and getattr(at, "lineno", 0) > first for one, at, _ in self.writes)

    def written_outside(self) -> set[str]:
        """Names written here that are bound further out."""
        own = {name.id for name in self._blocks if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)}
        own |= {arg.arg for arg in tree_walk(self.node) if isinstance(arg, ast.arg)}
        return {name for name, _, _ in self.writes if name.partition(".")[0] not in own}

    # ------------------------------------------------------------------------------------------ collecting
    def _visit(self, node: ast.AST, loops: tuple[ast.AST, ...], blocks: Blocks) -> None:
        self.loops[node], self._blocks[node] = loops, blocks
        kind = node.__class__
        if kind in INNER:
            self._look_into(node, loops)
            return
        if kind in ACTING:  # most nodes are names and constants
            self._act(node, loops)
        inner = (*loops, node) if kind in LOOPS else loops
        is_statement = isinstance(node, ast.stmt)
        for child in children(node):
            if child.__class__ in NAMES_AND_VALUES:
                self.loops[child], self._blocks[child] = inner, blocks
            elif is_statement and isinstance(child, ast.stmt):
                self._visit(child, inner, (*blocks, (node, suite(node, child))))
            elif isinstance(child, (ast.ExceptHandler, ast.match_case)):
                self._visit(child, inner, (*blocks, (child, "body")))
            else:
                self._visit(child, inner, blocks)

    def _look_into(self, node: ast.AST, loops: tuple[ast.AST, ...]) -> None:
        if not isinstance(node, ast.ClassDef):
            inside = self._project.of(node)  # type: ignore[arg-type]
            self._inner[node] = inside.written_outside()
            for name in self._inner[node]:
                self._noted(name, inside.owners.get(name))
                self.writes.append(Write(name, ANY_TIME, loops))

    def _act(self, node: ast.AST, loops: tuple[ast.AST, ...]) -> None:
        if isinstance(node, BINDING):
            for target, value in bindings(node):
                self._bind(target, value, loops)
        elif isinstance(node, ast.AugAssign):
            fact = self.engine.facts.get(node.target, v.TOP)
            if isinstance(node.target, ast.Subscript) or v.known_to_include(fact, "array", "unknown", "instance"):
                self._write(node.target, node, loops)  # scalars get a new value
        elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
            self._iterate(node)
        elif isinstance(node, ast.Call):
            self._call(node, loops)
        elif isinstance(node, (ast.Return, ast.Yield)):
            self._return(node.value)

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
            self._store(target.value, value)
        elif isinstance(target, ast.Attribute) and target.attr == "writeable":  # of `x.flags`
            self._write(target.value, target, loops)
        else:
            if (name := root_of(target)) is not None:
                self._bindings.append((name, value))
            self.roots(target)
            fact = self.engine.facts.get(value, v.TOP)
            if v.may(fact, *SHARING) or any(map(is_nditer, fact)):
                self._share_with(target, value)

    def _store(self, owner: ast.expr, value: ast.expr) -> None:
        """Note that a container gets an array: by a subscript or a method; an array copies what it gets."""
        fact = self.engine.facts.get(owner, v.TOP)  # a set holds no arrays
        held = self.engine.facts.get(value, v.TOP)
        if v.may(held, *HOLDING) and not v.only(fact, "array", "scalar", "text") and not is_set(fact):
            self._share_with(owner, value)

    def _share_with(self, target: ast.expr, value: ast.expr) -> None:
        for source in [value, *self._held(value)]:
            for root in self.roots(source):
                self.union(root_of(target), root)

    def _made_of(self, value: ast.Call) -> Iterator[ast.expr]:
        """The arrays that an object made here keeps: it shares with them."""
        for callee in self.engine.callees.get(value, ()):
            if callee.name == "__init__":
                for one in passed_for(value, callee, self._project.retention.of(callee) - {0}):
                    if v.may(self.engine.facts.get(one, v.TOP), *SHARING):
                        yield one

    def _iterate(self, node: ast.For | ast.AsyncFor | ast.comprehension) -> None:
        names = [one.id for one in tree_walk(node.target) if isinstance(one, ast.Name)]
        self.iterated.update(names)
        parts = [held for one in iterated_expressions(node.iter) for held in (one, *self._held(one))]
        sources = [held for held in parts if not _is_flat(held)]
        for root in (root for source in sources for root in self.roots(source)):
            for name in names:
                self.union(name, root)

    def _write(self, target: ast.expr | None, at: ast.AST, loops: tuple[ast.AST, ...]) -> None:
        for root in self.roots(target):
            if is_part(root):
                self._dotted.add(root)
            self.writes.append(Write(root, at, loops))

    def _held(self, node: ast.expr) -> Iterator[ast.expr]:
        """The arrays in a container as it is written, and the elements, which share in torch."""
        if isinstance(node, ast.Call) and node.args and any(map(is_nditer, self.engine.facts.get(node, v.TOP))):
            node = node.args[0]
        for one in held_parts(node):
            yield from self._held(one)
            if v.may(self.engine.facts.get(one, v.TOP), *SHARING):
                yield one

    def _call(self, node: ast.Call, loops: tuple[ast.AST, ...]) -> None:
        function = node.func
        for written in written_arguments(self.engine, node):
            self._write(written, node, loops)
        if isinstance(function, ast.Attribute):
            if function.attr in WRITING_METHODS and not ast.unparse(node).endswith(ALLOWING):
                self._write(function.value, node, loops)
            if function.attr in (*STORING, "update"):
                for one in (*node.args[-1:], *(keyword.value for keyword in node.keywords)):
                    self._store(function.value, one)
        if (dotted_name(function) or "").rpartition(".")[2] == "partial" and node.args:
            self._call_later(node, loops)
        for callee in self.engine.callees.get(node, ()):
            writes = self._project.writes(callee)
            for place, parts in writes.parameters.items():
                for argument in self._opened(passed_for(node, callee, [place])):
                    for part, classes in parts:
                        self._write_part(argument, part, classes, node, loops)
            for name, classes in writes.lasting:
                self.writes.append(Write(self._lasting_part(name, classes), node, loops))

    def _opened(self, arguments: Iterable[ast.expr]) -> Iterator[ast.expr]:
        """Arguments, and what those hold that are written out: `*[a, b]`, `**{"a": a}`."""
        for one in arguments:
            yield one
            inner = one.value if isinstance(one, ast.Starred) else one
            yield from self._held(inner)

    def _call_later(self, node: ast.Call, loops: tuple[ast.AST, ...]) -> None:
        """`functools.partial(put, a)`: what the function writes of its first arguments is written whenever."""
        for atom in self.engine.facts.get(node.args[0], v.BOTTOM):
            if isinstance(atom, v.Function):
                places = self._project.writes(atom.definition).parameters
                for argument in (one for i, one in enumerate(node.args[1:], atom.bound is not None) if i in places):
                    self.writes += [Write(root, ANY_TIME, loops) for root in self.roots(argument)]

    def _write_part(
        self, whole: ast.expr, part: str, classes: Classes, at: ast.AST, loops: tuple[ast.AST, ...]
    ) -> None:
        """Note a write to an attribute of an argument."""
        for root in self.roots(whole) or ([""] if part else []):
            name = self._part(root, part, classes)
            if is_part(name):
                self._dotted.add(name)
            self.writes.append(Write(name, at, loops))


def _is_flat(node: ast.expr) -> bool:
    """Tell whether it is `x.flat`, which gives copies when it is gone through."""
    return isinstance(node, ast.Attribute) and node.attr == "flat"
