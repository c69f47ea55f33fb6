"""Decides which loops run in NumPy, on views of the memory of the tensors that they read and write element by element.

The text of such a loop stays what it was: dtypes, overflow, division and errors in it are NumPy's own. What is handed
over is listed: a view of each array by a name of its own, and the names that the loop binds, which go in and come back
on lines beside it. A loop of which this cannot be said stays on tensors.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from np2torch.facts import values as v
from np2torch.facts.interpreter.definitions import ClassDefinition
from np2torch.names.tree import children, dotted
from np2torch.names.tree import walk as tree_walk
from np2torch.rules.loops import vocabulary as words
from np2torch.rules.loops.flow import Loop, blocks_above, is_bound_before, reads_first, stores
from np2torch.rules.loops.sources import are_scalars, is_held, is_items, is_mixed, is_plain
from np2torch.rules.site import BODIES, Context, source_of

CODE = "NPT575"
VIEW, ANY, STRONG = "view", "any", "strong"
"""How a value goes in: by `.numpy()`, as run time tells, as the NumPy scalar that a Python number stands for."""
BACK, NUMBER = "back", "number"
"""How it comes back: as a tensor, as a Python number."""


class Refused(Exception):
    """The loop cannot run in NumPy, and why."""


@dataclass
class Region:
    """A loop that runs in NumPy.

    Attributes
    ----------
    views
        The names and attributes that the loop reads and never binds: how they go in, and what their views are called.
    renamed
        The expressions in the loop that read a view.
    going, coming
        The names that the loop binds: how they go in before it, and come back after it.
    crossing
        Expressions in the loop whose values leave it, and how.
    """

    loop: Loop
    views: dict[str, tuple[str, str]] = field(default_factory=dict)
    renamed: dict[ast.expr, str] = field(default_factory=dict)
    going: dict[str, str] = field(default_factory=dict)
    coming: dict[str, str] = field(default_factory=dict)
    crossing: dict[ast.expr, str] = field(default_factory=dict)


def regions_in(ctx: Context) -> list[Region]:
    """The loops of a module that are to run in NumPy, outermost first where both could."""
    if ctx.converted_already() or not ctx.mentions_numpy or ctx.module.around is not None or not ctx.selects(CODE):
        return []
    found: list[Region] = []
    taken = {node.id for node in ctx.module.nodes if isinstance(node, ast.Name)}
    taken |= {node.arg for node in ctx.module.nodes if isinstance(node, ast.arg)}
    stack: list[ast.AST] = [ctx.module.tree]
    while stack:
        node = stack.pop()
        if isinstance(node, (ast.For, ast.While)) and ctx.wants(node, CODE) and ctx.is_wanted(node):
            region = _tried(ctx, node, taken)
            if region is not None:
                found.append(region)
                continue
        if not isinstance(node, ast.expr):
            stack += reversed(children(node))
    return found


def _tried(ctx: Context, loop: Loop, taken: set[str]) -> Region | None:
    try:
        return Reader(ctx, loop, taken).region()
    except Refused:
        return None


class Reader:
    """Reads a loop, and refuses it where something in it needs tensors."""

    def __init__(self, ctx: Context, loop: Loop, taken: set[str]) -> None:
        self.ctx, self.loop, self.taken = ctx, loop, taken
        self.nodes = tree_walk(loop)
        self.inside = set(self.nodes)
        self.bound = stores([loop])
        self.made: Region = Region(loop)
        self.occurrences: dict[str, list[ast.expr]] = {}
        self.appended: dict[str, list[ast.expr]] = {}
        comprehensions = [one for one in self.nodes if isinstance(one, words.COMPREHENSIONS)]
        self.own = stores(g.target for one in comprehensions for g in one.generators)
        self.assigned = self.bound - self.own
        if self.own & stores(s for s in self.nodes if isinstance(s, (ast.Assign, ast.For, ast.AugAssign))):
            self.own = set()  # also names of the loop: all of them are handed over
            self.assigned = self.bound

    def fact(self, node: ast.AST) -> v.Fact:
        """What an expression is in NumPy, whatever holds it after the conversion."""
        return self.ctx.engine.facts.get(node) or v.UNKNOWN

    def region(self) -> Region:
        """The region of the loop.

        Raises
        ------
        Refused
            Where it has to stay on tensors.
        """
        if not self._may_gain() or self._is_in_class():
            raise Refused("no element is read or written by the variables of the loop")
        for node in self.nodes:
            self._permit(node)
        self._read(self.loop)
        self._look_at_views()
        if not self._goes_by_elements():
            raise Refused("whole arrays are computed in it")
        for name in sorted(self.assigned):
            self._hand_over(name)
        ways = [*(way for way, _ in self.made.views.values()), *self.made.going.values()]
        if not {VIEW, ANY} & set(ways):
            raise Refused("no array goes in")
        return self.made

    # ---------------------------------------------------------------------------------------------- what stands in it
    def _is_in_class(self) -> bool:
        current = self.ctx.parents.get(self.loop)
        while current is not None and not isinstance(current, (*BODIES, ast.ClassDef)):
            current = self.ctx.parents.get(current)
        return isinstance(current, ast.ClassDef)

    def _may_gain(self) -> bool:
        return any(isinstance(one, (ast.Subscript, ast.For)) for one in self.nodes)

    def _permit(self, node: ast.AST) -> None:
        """Refuse statements and expressions that do more than compute."""
        if isinstance(node, ast.stmt) and not isinstance(node, words.STATEMENTS):
            raise Refused(f"`{source_of(node).splitlines()[0]}`")
        if isinstance(node, words.REFUSED) or node in self.ctx.left or node in self.ctx.module.unwanted:
            raise Refused(f"`{source_of(node)}`")
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            raise Refused(f"`{source_of(node)}` is bound")
        if isinstance(node, (ast.Name, ast.Subscript)) and isinstance(node.ctx, ast.Del):
            raise Refused(f"`{source_of(node)}` is deleted")

    def _read(self, node: ast.AST) -> None:
        """See to all that is read in a node, and to what its values go to."""
        if isinstance(node, (ast.Name, ast.Attribute)) and dotted(node) is not None:
            self._path(node)
            return
        if isinstance(node, ast.Call):
            self._call(node)
        elif isinstance(node, ast.Return):
            self._cross(node.value)
        elif isinstance(node, (ast.Assign, ast.AugAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                self._store(target, node.value)
        elif isinstance(node, ast.For):
            self._store(node.target, None)
            self._iterate(node.iter)
        elif isinstance(node, ast.comprehension):
            self._iterate(node.iter)
        for child in children(node):
            self._read(child)

    def _iterate(self, node: ast.expr) -> None:
        """Refuse to go through what may call the project."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in words.ITERATING:
            for argument in node.args:
                self._iterate(argument)
        elif not v.only(self.fact(node), "array", "sequence", "iterator", "text", "unknown") and not self._is_inner(node):
            raise Refused(f"`{source_of(node)}` is gone through")

    def _is_inner(self, node: ast.expr) -> bool:
        """Is it a value that was made in the loop?"""
        while isinstance(node, (ast.Subscript, ast.Attribute)):
            node = node.value
        return isinstance(node, ast.Name) and node.id in self.bound

    def _store(self, target: ast.expr, value: ast.expr | None) -> None:
        """Refuse to store in what is no array of NumPy, unless the value is Python's own or is brought back."""
        if isinstance(target, (ast.Tuple, ast.List)):
            values = value.elts if isinstance(value, (ast.Tuple, ast.List)) else []
            pairs = zip(target.elts, values, strict=False) if len(values) == len(target.elts) else []
            given = dict(pairs)
            for one in target.elts:
                self._store(one, given.get(one))
        elif isinstance(target, ast.Starred):
            self._store(target.value, None)
        elif isinstance(target, ast.Subscript) and not v.only(self.fact(target.value), "array"):
            statement = self.ctx.statement(target)
            if isinstance(statement, ast.AugAssign) or value is None or not v.only(self.fact(target.value), "sequence"):
                raise Refused(f"`{source_of(target)}` is stored in")
            self._keep(target.value)
            self._cross(value)

    def _keep(self, container: ast.expr) -> None:
        """Refuse to change a list that goes over as another one."""
        path = dotted(container)
        if not self._is_inner(container) and not is_plain(self.fact(container)):
            if path is None or not isinstance(self.ctx.parents.get(container), ast.Attribute):
                raise Refused(f"`{source_of(container)}` is changed")
            self.appended.setdefault(path, []).append(container)

    def _keep_whole(self, container: ast.expr) -> None:
        """Refuse to read a list that may hold tensors."""
        if not self._is_inner(container) and not is_plain(self.fact(container)):
            raise Refused(f"`{source_of(container)}` is read and changed")

    def _cross(self, value: ast.expr | None) -> None:
        """Bring a value back where it leaves the loop."""
        if isinstance(value, (ast.Tuple, ast.List)):
            for item in value.elts:
                self._cross(item)
            return
        if value is None or is_plain(fact := self.fact(value)):
            return
        if is_held(self.ctx, value):
            self.made.crossing[value] = NUMBER
        elif is_mixed(fact):
            self.made.crossing[value] = BACK
        else:
            raise Refused(f"`{source_of(value)}` leaves the loop")

    def _call(self, node: ast.Call) -> None:
        """Refuse functions that may call the project, or keep what they are given."""
        function = node.func
        fact = self.fact(function)
        if v.only(fact, "numpy", "dtype") or isinstance(function, ast.Attribute) and self._is_numpys(function):
            return  # the name itself is looked at where it is read
        if isinstance(function, ast.Name) and v.only(fact, "builtin") and function.id in words.BUILTINS:
            return
        if isinstance(function, ast.Name) and function.id.endswith(("Error", "Exception")) and function.id not in self.bound:
            return
        if isinstance(function, ast.Attribute):
            if v.only(fact, "builtin") and dotted(function.value) in words.MODULES:
                return
            owner = self.fact(function.value)
            if v.only(owner, "array", "scalar", "number") and function.attr not in words.RESHAPING:
                return
            if v.only(owner, "text"):
                return
            if v.only(owner, "sequence") and function.attr in words.OF_LISTS | words.TAKING_NOTHING:
                if function.attr not in ("append", "extend", "insert"):
                    self._keep_whole(function.value)
                self._keep(function.value)
                for argument in node.args:
                    self._cross(argument)
                return
        raise Refused(f"`{source_of(node)}` is called")

    def _is_numpys(self, node: ast.expr) -> bool:
        while isinstance(node, ast.Attribute):
            node = node.value
        return isinstance(node, ast.Name) and node.id not in self.bound and v.only(self.fact(node), "module")

    # ------------------------------------------------------------------------------------------------ what it reads
    def _path(self, node: ast.expr) -> None:
        """See to a name, or to an attribute by its whole path."""
        parts: list[ast.expr] = [node]
        while isinstance(parts[0], ast.Attribute):
            parts.insert(0, parts[0].value)
        root = parts[0]
        assert isinstance(root, ast.Name)
        if root.id in self.bound or not isinstance(root.ctx, ast.Load):
            return
        if v.only(self.fact(root), "module"):
            self._of_module(parts)
            return
        for part in parts:
            fact = self.fact(part)
            if v.only(fact, "numpy"):
                self._of_numpy(part)
                return
            if v.only(fact, "dtype") and self._is_imported(root):
                return
            if is_plain(fact) and not is_held(self.ctx, part):
                return
            if part in self.appended.get(ast.unparse(part), ()):
                return
            if is_mixed(fact) or is_items(fact):
                self.occurrences.setdefault(ast.unparse(part), []).append(part)
                return
            if not v.only(fact, "instance") or part is node or not self._is_data(fact, parts[parts.index(part) + 1]):
                break
        is_error = isinstance(root, ast.Name) and root.id.endswith(("Error", "Exception")) and len(parts) == 1
        if not is_error or root.id in self.bound:
            raise Refused(f"`{source_of(node)}` is read")

    def _is_imported(self, root: ast.Name) -> bool:
        return root.id in self.ctx.numpy_names or v.only(self.fact(root), "builtin")

    def _is_data(self, fact: v.Fact, attribute: ast.expr) -> bool:
        """Is an attribute of these instances read without code of the project being run?"""
        assert isinstance(attribute, ast.Attribute)
        classes: list[ClassDefinition] = [atom.definition for atom in fact if isinstance(atom, v.Instance)]
        runs = any(one.getter(attribute.attr) or one.find("__getattr__") or one.find("__getattribute__") for one in classes)
        return not runs and not any(one.is_array or one.opaque_base for one in classes)

    def _of_module(self, parts: list[ast.expr]) -> None:
        """See to what is read of a module: of NumPy what computes, of Python's own numbers and functions."""
        names = {atom.name for atom in self.fact(parts[0]) if isinstance(atom, v.Module)}
        if len(parts) > 1 and names <= set(words.MODULES):
            return
        if len(parts) > 1 and all(name.split(".")[0] == "numpy" for name in names):
            self._of_numpy(parts[-1])
            return
        raise Refused(f"`{source_of(parts[-1])}` is read")

    def _of_numpy(self, node: ast.expr) -> None:
        """Refuse what NumPy does more than compute."""
        fact = self.fact(node)
        named = {atom.name for atom in fact if isinstance(atom, v.Numpy)}
        is_value = v.only(fact, "dtype", "number", "none", "scalar")
        if not (named and v.only(fact, "numpy") and all(map(words.is_pure, named)) or is_value):
            raise Refused(f"`{source_of(node)}` is read")

    def _look_at_views(self) -> None:
        """Say of each name and attribute that the loop reads how it goes in."""
        if not self.appended.keys().isdisjoint(self.occurrences):
            raise Refused("a list is read and changed")
        for path, nodes in self.occurrences.items():
            fact = v.join(*map(self.fact, nodes))
            root = path.partition(".")[0]
            is_local = root in self.ctx.module.env or is_bound_before(self.ctx, self.loop, root)
            scope = self.ctx.function(self.loop)
            if not isinstance(scope, ast.Module) and root not in self._locals(scope):
                is_local = True  # of a scope around it, or of the module
            if not is_local or "." in path and not any(map(self._always_runs, nodes)):
                raise Refused(f"`{path}` may not be bound before the loop")
            if any(is_held(self.ctx, one) for one in nodes):
                if not are_scalars(fact):
                    raise Refused(f"`{path}` is a Python number for one of NumPy's, or for one of Python's")
                way = STRONG
            else:
                way = VIEW if self._is_array(fact, nodes) else ANY
            name = self._view_name(path)
            self.made.views[path] = way, name
            self.made.renamed.update(dict.fromkeys(nodes, name))

    def _is_array(self, fact: v.Fact, nodes: Iterable[ast.expr]) -> bool:
        """Is it an array, and no number that a guard lets through?"""
        return v.only(fact, "array") and (0 not in (v.ranks_of(fact) or {0}) or any(map(self._has_axes, nodes)))

    def _has_axes(self, node: ast.expr) -> bool:
        """Is it used as only an array with axes can be?"""
        parent = self.ctx.parents.get(node)
        if isinstance(parent, ast.Attribute) and parent.attr in words.DESCRIBING or self._is_gone_through(node):
            return True
        if isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name) and parent.func.id == "len":
            return True
        return isinstance(parent, ast.Subscript) and parent.value is node

    def _locals(self, scope: ast.AST) -> set[str]:
        return stores(child for child in children(scope))

    def _always_runs(self, node: ast.AST) -> bool:
        """Is an expression evaluated in each pass of the loops around it?"""
        current: ast.AST | None = node
        while current is not None and current is not self.loop:
            if isinstance(current, (ast.If, ast.IfExp, ast.BoolOp)):
                return False
            current = self.ctx.parents.get(current)
        return True

    def _view_name(self, path: str) -> str:
        name = f"{path.replace('.', '_').lstrip('_')}_np"
        while name in self.taken:
            name += "_"
        return name

    # ------------------------------------------------------------------------------------------ what it is worth
    def _goes_by_elements(self) -> bool:
        """Does the loop read or write by its variables, and compute with whole arrays only in loops within it?"""
        if not self._has_elements(self.loop):
            return False
        return all(self._is_deep(node) for node in self._whole())

    def _has_elements(self, loop: Loop) -> bool:
        bound = stores([loop])
        if isinstance(loop, ast.For) and any(v.only(self.fact(one), "array") for one in _gone_through(loop.iter)):
            return True
        return any(self._is_element(one, bound) for one in tree_walk(loop))

    def _is_element(self, node: ast.AST, bound: set[str]) -> bool:
        """Is it a part of an array, by a variable of the loop?"""
        if not isinstance(node, ast.Subscript) or not v.may(self.fact(node.value), "array"):
            return False
        if v.known_to_include(self.fact(node.value), "text", "sequence"):
            return False
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if any(v.known_to_include(self.fact(part), "array", "sequence") for part in parts):
            return False
        return any(isinstance(one, ast.Name) and one.id in bound for one in tree_walk(node.slice))

    def _whole(self) -> Iterator[ast.expr]:
        """The places where arrays are used as wholes, but for what was cut from them by the variables of the loop."""
        rows = self._rows()
        for node in self.nodes:
            is_name = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) or node in self.made.renamed
            if not is_name or not isinstance(node, ast.expr) or not v.only(self.fact(node), "array"):
                continue
            if isinstance(node, ast.Name) and node.id in rows:
                continue
            if not self._has_axes(node) and not self._may_be_number(node):
                yield node

    def _may_be_number(self, node: ast.expr) -> bool:
        """Does a guard let Python's numbers through for a parameter?"""
        definition = self.ctx.engine.functions.get(self.ctx.function(self.loop))
        guard = definition.guard if definition is not None else None
        if guard is None or not isinstance(node, ast.Name) or "numbers=True" not in guard.options:
            return False
        is_spared = node.id in (guard.numbers or guard.names)
        return is_spared and not any(map(self._has_axes, self.occurrences.get(node.id, ())))

    def _is_gone_through(self, node: ast.AST) -> bool:
        parent = self.ctx.parents.get(node)
        while isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name) and parent.func.id in words.ITERATING:
            node, parent = parent, self.ctx.parents.get(parent)
        return isinstance(parent, ast.For) and parent.iter is node

    def _rows(self) -> set[str]:
        """The names that hold nothing but what was cut from arrays by the variables of the loop."""
        values: dict[str, list[ast.expr]] = {}
        for node in self.nodes:
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                values.setdefault(node.targets[0].id, []).append(node.value)
            elif isinstance(node, ast.Assign):
                for name in stores(node.targets):
                    values.setdefault(name, []).append(node.value)
            elif isinstance(node, ast.For):
                values.update({name: [] for name in stores([node.target])})
        bound = self.bound

        def is_cut(value: ast.expr) -> bool:
            return any(self._is_element(one, bound) for one in tree_walk(value))

        return {name for name, given in values.items() if all(map(is_cut, given))}

    def _is_deep(self, node: ast.AST) -> bool:
        """Does it stand in a loop within the loop, which goes by elements too?"""
        current = self.ctx.parents.get(node)
        while current is not None and current is not self.loop:
            if isinstance(current, (ast.For, ast.While)):
                return self._has_elements(current)
            current = self.ctx.parents.get(current)
        return False

    # --------------------------------------------------------------------------------------- what it binds
    def _hand_over(self, name: str) -> None:
        """Say of a name that the loop binds how it goes in and comes back."""
        ctx, scope = self.ctx, self.ctx.function(self.loop)
        named = [one for one in tree_walk(scope) if isinstance(one, ast.Name) and one.id == name]
        within = [one for one in named if one in self.inside]
        outside = [one for one in named if one not in self.inside]
        facts = [self.fact(one) for one in within if isinstance(one.ctx, ast.Load)]
        facts += [self.fact(one) for one in outside if isinstance(one.ctx, ast.Load)]
        facts += [self.fact(one) for one in within if isinstance(one.ctx, ast.Store) and one in ctx.engine.facts]
        if any(isinstance(one, (ast.Global, ast.Nonlocal)) and name in one.names for one in tree_walk(scope)):
            raise Refused(f"`{name}` is bound for others")
        if not facts or all(map(is_plain, facts)) and not any(is_held(ctx, one) for one in named):
            return
        fresh = self._fresh(name)
        carried = fresh is None and self._is_repeated()
        enters = reads_first(self.loop, name) and (fresh is not None or carried or self._may_be_bound(name, outside))
        is_read = isinstance(scope, ast.Module) or any(isinstance(one.ctx, ast.Load) for one in outside)
        if not enters and not is_read:
            return
        fact = v.join(*facts)
        if not is_mixed(fact):
            raise Refused(f"`{name}` is no array and no number")
        if not is_bound_before(ctx, self.loop, name) or self._is_tried():
            raise Refused(f"`{name}` may not be bound before the loop")
        is_number = any(is_held(ctx, one) for one in named)
        if enters:
            self.made.going[name] = self._way_in(name, fact if fresh is None else fresh, is_number)
        if is_read or carried:
            self.made.coming[name] = NUMBER if is_number else BACK

    def _may_be_bound(self, name: str, outside: list[ast.Name]) -> bool:
        return any(isinstance(one.ctx, ast.Store) for one in outside) or is_bound_before(self.ctx, self.loop, name)

    def _fresh(self, name: str) -> v.Fact | None:
        """What was bound to a name right before the loop, in the same block, where that is all it can be."""
        for statement in reversed(next(iter(blocks_above(self.ctx, self.loop)), ())):
            if isinstance(statement, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in statement.targets):
                return self.fact(statement.value)
            if name in stores([statement]):
                return None
        return None

    def _way_in(self, name: str, fact: v.Fact, is_number: bool) -> str:
        if is_plain(fact):
            return ""
        if not is_number:
            within = [one for one in self.nodes if isinstance(one, ast.Name) and one.id == name]
            return VIEW if self._is_array(fact, within) else ANY
        if are_scalars(fact):
            return STRONG
        raise Refused(f"`{name}` is a Python number for one of NumPy's, or for one of Python's")

    def _is_repeated(self) -> bool:
        """Does the loop stand in another one?"""
        current = self.ctx.parents.get(self.loop)
        while current is not None and not isinstance(current, BODIES):
            if isinstance(current, (ast.For, ast.While, ast.AsyncFor)):
                return True
            current = self.ctx.parents.get(current)
        return False

    def _is_tried(self) -> bool:
        """May an error in the loop be caught where its names are read?"""
        current = self.ctx.parents.get(self.loop)
        while current is not None and not isinstance(current, BODIES):
            if isinstance(current, (ast.Try, ast.With)):
                return True
            current = self.ctx.parents.get(current)
        return False


def _gone_through(node: ast.expr) -> list[ast.expr]:
    """What a loop goes through, in `zip` and `enumerate` too."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in words.ITERATING:
        return [one for argument in node.args for one in _gone_through(argument)]
    return [node]
