"""Decides which functions compute element by element, and run in NumPy as wholes: `@shim.by_elements`.

Such a function takes what it is given apart, and computes with the elements: `w, x, y, z = q`. In torch each step is a
call of microseconds. Its text stays what it was. It calls nothing of the project but functions of the same kind, keeps
nothing of what it is given, and gives back arrays and numbers.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field

from np2torch.facts import values as v
from np2torch.facts.interpreter.subscripts import index_parts
from np2torch.names.tree import walk as tree_walk
from np2torch.rules.loops import vocabulary as words
from np2torch.rules.loops.flow import parameters, stores
from np2torch.rules.loops.region import ELEMENTS, LoopRefusal, Region
from np2torch.rules.loops.regions import STORED_IN, Reader, names_in
from np2torch.rules.loops.sources import MIXED, is_held, is_plain
from np2torch.rules.site import ModuleContext, source_of

CODE = "NPT576"
DECORATOR = "shim.by_elements"
FEWEST = 3
"""Fewer elements taken apart are no gain: the border costs about as much as three operations of torch."""
TAKEN_APART = ("array", "unknown", "iterator")
"""The kinds of values of which each item gets a name."""
OF_CALL = 2
"""The elements that the call of another such function stands for."""


Function = ast.FunctionDef | ast.Lambda


@dataclass(eq=False)
class Computing:
    """A function that may run in NumPy as a whole.

    Attributes
    ----------
    taken_apart
        How many elements it reads at places that the text names.
    calls
        The functions of the module that it calls, and at how many places.
    region
        How it gets the arrays of the module that it reads, and of the function around.
    has_arrays
        Whether anything in it is known to be an array.
    read
        The names that it reads of the module and of the functions around it.
    passed
        Where loops call it by a parameter that it is passed for.
    """

    node: Function
    taken_apart: int
    region: Region
    calls: Counter[ast.AST] = field(default_factory=Counter)
    has_arrays: bool = False
    read: frozenset[str] = frozenset()
    passed: set[ast.Name] = field(default_factory=set)


def computing_in(ctx: ModuleContext) -> Iterator[Computing]:
    """The functions of a module that only compute, if those that they call do."""
    if ctx.converted_already() or not ctx.mentions_numpy or ctx.module.around is not None or not ctx.selects(CODE):
        return
    taken = names_in(ctx)
    for node in _candidates(ctx):
        try:
            yield Body(ctx, node, taken).read_body()
        except LoopRefusal:
            continue


def closed_functions(found: Iterable[Computing]) -> dict[ast.AST, Computing]:
    """Those that call nobody but each other: the greatest such set."""
    out: dict[ast.AST, Computing] = {one.node: one for one in found}
    while lost := [node for node, one in out.items() if not one.calls.keys() <= out.keys()]:
        for node in lost:
            del out[node]
    return out


def choose_functions(
    found: Mapping[ast.AST, Computing], wanted: Set[ast.AST], taken_apart: bool = True
) -> dict[ast.AST, Computing]:
    """Those of them that loops in NumPy call, or that gain, with all that they call.

    Parameters
    ----------
    taken_apart
        Whether a function gains by the elements that it reads too, and not only if it calls itself.
    """
    out: dict[ast.AST, Computing] = {}
    gains = _gains if taken_apart else _repeats
    while more := [one for node, one in found.items() if node not in out and (node in wanted or gains(one, out))]:
        while more:
            one = more.pop()
            out[one.node] = one
            more += (found[node] for node in one.calls if node not in out)
    return out


def _gains(one: Computing, others: Mapping[ast.AST, Computing]) -> bool:
    """Tell whether a function reads enough elements, calls others that do, or itself."""
    saved = sum(times for node, times in one.calls.items() if node in others)
    return _repeats(one, others) or one.taken_apart + OF_CALL * saved >= FEWEST


def _repeats(one: Computing, others: Mapping[ast.AST, Computing]) -> bool:
    """Tell whether a function of arrays calls itself: that is a loop, and goes on down to single elements."""
    return one.node in one.calls and one.has_arrays


def body_of(node: Function) -> Sequence[ast.AST]:
    """The statements of a function, without its docstring; of a lambda its expression."""
    if isinstance(node, ast.Lambda):
        return [node.body]
    first = node.body[0]
    is_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return node.body[1:] if is_docstring else node.body


def _candidates(ctx: ModuleContext) -> Iterator[Function]:
    """The functions of a module and of functions, and lambdas; no methods."""
    for node in ctx.module.nodes:
        if isinstance(node, ast.Lambda) or isinstance(node, ast.FunctionDef) and not _is_bound_otherwise(ctx, node):
            definition = ctx.engine.functions.get(node)
            if definition is None or definition.guard is not None or not body_of(node):
                continue
            is_free = node not in ctx.public and node not in ctx.reached and node not in ctx.left_nodes
            if is_free and ctx.wants(node, CODE) and ctx.is_wanted(node):
                yield node


def _is_bound_otherwise(ctx: ModuleContext, node: ast.FunctionDef) -> bool:
    return bool(node.decorator_list) or isinstance(ctx.parents.get(node), ast.ClassDef)


class Body(Reader):
    """Reads the body of a function, and refuses it where something in it needs tensors."""

    def __init__(self, ctx: ModuleContext, node: Function, taken: set[str]) -> None:
        super().__init__(ctx, node, taken, body_of(node))
        self.made = Region(body_of(node)[0])
        self.node = node
        self.given = parameters(node)
        self.bound |= self.given
        self.calls: Counter[ast.AST] = Counter()

    def read_body(self) -> Computing:
        """Read it to its end.

        Raises
        ------
        Refused
            Where it has to stay on tensors.
        """
        self._look_at_parameters()
        for node in self.nodes:
            self._permit(node)
            self._go_forward(node)
        if isinstance(self.node, ast.Lambda):
            self._cross(self.node.body)
        for statement in body_of(self.node):
            self._read(statement)
        if self.appended or self.made.stream is not None:
            raise LoopRefusal("it changes a list that it has not made, or draws random numbers")
        self._look_at_views()
        if isinstance(self.node, ast.Lambda):
            if self.made.views:
                raise LoopRefusal("an expression has no place for what goes in")
            self.made.crossing[self.node] = ELEMENTS
        has_arrays = any(v.known_to_include(self.fact(node), "array") for node in self.nodes)
        read = frozenset(one.id for one in self.nodes if isinstance(one, ast.Name)) - self.bound
        return Computing(self.node, self._taken_apart(), self.made, self.calls, has_arrays, read)

    def _look_at_parameters(self) -> None:
        """Refuse defaults that are arrays, and Python numbers that stand for NumPy's."""
        arguments = self.node.args
        for default in (*arguments.defaults, *arguments.kw_defaults):
            fact = self.fact(default) if default is not None else v.NONE
            if not is_plain(fact) and not v.only(fact, "dtype", "numpy"):
                raise LoopRefusal("a default is an array")
        definition = self.ctx.engine.functions[self.node]
        passed = (fact for run in definition.active.values() for fact in run.parameters)
        if any(isinstance(atom, v.Scalar) and atom.python for fact in passed for atom in fact):
            raise LoopRefusal("it is passed Python numbers for NumPy's")

    def _permit(self, node: ast.AST) -> None:
        if not isinstance(node, ast.Try):
            super()._permit(node)

    def _go_forward(self, node: ast.AST) -> None:
        """Refuse slices with a negative step: torch has no such views."""
        if isinstance(node, ast.Slice) and node.step is not None and not _is_forward(node.step):
            raise LoopRefusal("a view with a negative step cannot come back")

    def _cross(self, value: ast.expr | None) -> None:
        """See to what the function gives back: what run time can bring back by itself."""
        if value is None:
            return
        if any(is_held(self.ctx, one) for one in _parts(value)):
            raise LoopRefusal(f"`{source_of(value)}` is a Python number for one of NumPy's")
        if not _may_come_back(self.fact(value)):
            raise LoopRefusal(f"`{source_of(value)}` leaves the function")

    def _store(self, target: ast.expr, value: ast.expr | None) -> None:
        known = v.without(self.fact(target.value), "unknown") if isinstance(target, ast.Subscript) else v.TOP
        if not v.only(known, *STORED_IN) and known:  # of a list that is passed the shim takes care
            super()._store(target, value)

    def _call(self, node: ast.Call) -> None:
        function = node.func
        if (callee := self._callee(function)) is not None:
            self.calls[callee] += 1
            self.seen.add(function)
            return
        if isinstance(function, ast.Attribute) and function.attr in words.OF_TEXT:
            if not self._is_of_project(function.attr):
                return
        super()._call(node)

    def _of_numpy(self, node: ast.expr) -> None:
        names = {atom.name.rpartition(".")[2] for atom in self.fact(node) if isinstance(atom, v.Numpy)}
        if names & words.REVERSING:
            raise LoopRefusal("a view with a negative step cannot come back")
        super()._of_numpy(node)

    def _path(self, node: ast.expr) -> None:
        if not isinstance(node, ast.Name) or not self._is_table(node):
            super()._path(node)

    def _is_table(self, node: ast.Name) -> bool:
        """Tell whether it is a dict of the module, made of literals, in which nothing is stored later."""
        if node.id in self.bound or not v.only(self.fact(node), "mapping"):
            return False
        named = [one for one in self.ctx.module.nodes if isinstance(one, ast.Name) and one.id == node.id]
        stored = [self.ctx.parents.get(one) for one in named if not isinstance(one.ctx, ast.Load)]
        if len(stored) != 1 or not isinstance(stored[0], ast.Assign):
            return False
        if self.ctx.parents.get(stored[0]) is not self.ctx.module.tree:
            return False
        return not any(map(self._changes, named)) and self._is_written_out(stored[0].value)

    def _changes(self, node: ast.Name) -> bool:
        """Tell whether something may be stored there in what a name means."""
        around = self.ctx.parents.get(node)
        if isinstance(around, ast.Subscript):
            return not isinstance(around.ctx, ast.Load)
        is_read = isinstance(around, (ast.Compare, ast.For, ast.comprehension)) or not isinstance(node.ctx, ast.Load)
        return not is_read and not (isinstance(around, ast.Attribute) and around.attr in words.OF_TABLES)

    def _is_written_out(self, value: ast.expr) -> bool:
        inner = stores(one.target for one in tree_walk(value) if isinstance(one, ast.comprehension))
        for one in tree_walk(value):
            if isinstance(one, ast.Name) and one.id not in inner and one.id not in ("dict", "zip"):
                if not self._is_table(one):
                    return False
            elif isinstance(one, ast.Attribute) and one.attr not in words.OF_TABLES:
                return False
        return True

    # ------------------------------------------------------------------------------------------------- what it gains
    def _taken_apart(self) -> int:
        """Count the elements that are read and written at places that the text names, of arrays with a layout."""
        count: Counter[str] = Counter()
        without = set[str]()
        for node in self.nodes:
            if isinstance(node, ast.Subscript) and self._may_be_array(node.value):
                path = ast.unparse(node.value)
                places = [self._is_place(one) for one in index_parts(node.slice)]
                count[path] += all(places) and not self._is_whole(node)
                if any(one is None for one in places):
                    without.add(path)
            elif isinstance(node, ast.Assign) and self._is_taken_apart(node.value):
                targets = [one for one in node.targets if isinstance(one, (ast.Tuple, ast.List))]
                count[""] += sum(not self._is_whole(part) for one in targets for part in one.elts)
        return sum(times for path, times in count.items() if path not in without)

    def _is_taken_apart(self, value: ast.expr) -> bool:
        """Tell whether it may be an array, or goes through one; a shape is none."""
        is_shape = isinstance(value, ast.Attribute) and value.attr in words.DESCRIBING
        if isinstance(value, (ast.Tuple, ast.List)) or is_shape:
            return False
        return v.known_to_include(self.fact(value), *TAKEN_APART)

    def _is_whole(self, part: ast.expr) -> bool:
        """Tell whether a part is known to be an array with axes, as a row of a matrix is, and no slice of a few."""
        if isinstance(part, ast.Subscript) and any(isinstance(one, ast.Slice) for one in index_parts(part.slice)):
            return False
        fact = self.fact(part)
        return v.only(fact, "array") and 0 not in (v.ranks_of(fact) or {0})

    def _is_place(self, node: ast.expr) -> bool | None:
        """Tell whether the text names the place of an element, or of a few; None for what counts from the end."""
        if isinstance(node, ast.Slice):
            bounds = [one for one in (node.lower, node.upper) if one is not None]
            is_from_end = any(isinstance(one, ast.UnaryOp) for one in bounds)
            return None if is_from_end else bool(bounds) and all(map(_is_number, bounds))
        if isinstance(node, ast.UnaryOp):
            return None
        return _is_number(node) or self._is_index(node)

    def _is_index(self, node: ast.expr) -> bool:
        """Tell whether it is a number by a name, outside of loops."""
        if not isinstance(node, ast.Name) or not v.only(self.fact(node), "number"):
            return False
        current: ast.AST | None = node
        while current is not None and current is not self.node:
            if isinstance(current, (ast.For, ast.While, *words.COMPREHENSIONS)):
                return False
            current = self.ctx.parents.get(current)
        return True

    def _may_be_array(self, node: ast.expr) -> bool:
        return v.known_to_include(self.fact(node), "array", "unknown")


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int)


def _is_forward(step: ast.expr) -> bool:
    return isinstance(step, ast.Constant) and (step.value is None or isinstance(step.value, int) and step.value > 0)


def _parts(value: ast.expr) -> Iterator[ast.expr]:
    """A value, and those in a tuple or list."""
    yield value
    if isinstance(value, (ast.Tuple, ast.List)):
        for item in value.elts:
            yield from _parts(item)
    elif isinstance(value, ast.IfExp):
        yield from _parts(value.body)
        yield from _parts(value.orelse)


def _may_come_back(fact: v.Fact, depth: int = 0) -> bool:
    """Tell whether it is made of arrays, numbers, tuples and lists alone."""
    for atom in fact:
        if isinstance(atom, v.Sequence):
            if depth > 2 or atom.type not in ("tuple", "list") or not _may_come_back(v.elements(atom), depth + 1):
                return False
        elif atom.kind not in MIXED:
            return False
    return True
