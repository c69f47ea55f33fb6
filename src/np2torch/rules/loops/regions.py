"""Decides which loops run in NumPy, on views of the memory of the tensors that they read and write element by element.

The text of such a loop stays what it was: dtypes, overflow, division and errors in it are NumPy's own. What is handed
over is listed: a view of each array by a name of its own, and the names that the loop binds, which go in and come back
on lines beside it. A loop of which this cannot be said stays on tensors.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from np2torch.facts import values as v
from np2torch.facts.interpreter.definitions import ClassDefinition
from np2torch.names.scopes import free_name
from np2torch.names.tree import children, dotted_name
from np2torch.names.tree import walk as tree_walk
from np2torch.rules.loops import vocabulary as words
from np2torch.rules.loops.callees import NONE, Callees
from np2torch.rules.loops.containers import Containers, is_heaps, makes
from np2torch.rules.loops.elements import Elements, has_axes
from np2torch.rules.loops.flow import Loop, is_bound_before, stores
from np2torch.rules.loops.names import Names
from np2torch.rules.loops.region import ANY, BACK, CODE, NUMBER, STREAM, STRONG, VIEW, WITHIN, LoopRefusal, Region
from np2torch.rules.loops.sources import (
    MIXED,
    MODERN,
    are_scalars,
    goes_in,
    is_array,
    is_held,
    is_mixed,
    is_plain,
    is_stream,
)
from np2torch.rules.site import BODIES, ModuleContext, source_of

GONE_THROUGH = ("array", "sequence", "iterator", "text", "unknown")
"""The kinds of value that a loop iterates over without a call of the project."""
STORED_IN = ("array", "scalar", "number", "none")
"""The kinds of value with elements to store, and those in which NumPy and Python refuse to store."""


def may_have_regions(ctx: ModuleContext) -> bool:
    """Tell a module that is looked through for what runs in NumPy: one that speaks of it, and is not converted yet."""
    is_new = not ctx.converted_already() and ctx.mentions_numpy and ctx.module.around is None
    return is_new and ctx.selects(CODE)


def regions_in(ctx: ModuleContext, computing: Mapping[ast.AST, Any] = NONE) -> list[Region]:
    """The loops of a module that are to run in NumPy, outermost first where both could.

    Parameters
    ----------
    computing
        The functions of the module that may run in NumPy, and be called there.
    """
    if not may_have_regions(ctx):
        return []
    found: list[Region] = []
    taken = names_in(ctx)
    stack: list[ast.AST] = [ctx.module.tree]
    while stack:
        node = stack.pop()
        if isinstance(node, (ast.For, ast.While)) and ctx.wants(node, CODE) and ctx.is_wanted(node):
            region = _tried(ctx, node, taken, computing)
            if region is not None:
                found.append(region)
                continue
        if not isinstance(node, ast.expr):
            stack += reversed(children(node))
    return found


def names_in(ctx: ModuleContext) -> set[str]:
    """All names in a module: a view needs another one."""
    taken = {node.id for node in ctx.module.nodes if isinstance(node, ast.Name)}
    return taken | {node.arg for node in ctx.module.nodes if isinstance(node, ast.arg)}


def _tried(ctx: ModuleContext, loop: Loop, taken: set[str], computing: Mapping[ast.AST, Any]) -> Region | None:
    try:
        return Reader(ctx, loop, taken, computing=computing).region()
    except LoopRefusal:
        return None


def _is_flattening(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Attribute) and node.func.attr in words.FLATTENING and not node.args


class Reader(Callees):
    """Reads a loop, and refuses it where something in it needs tensors."""

    def __init__(
        self, ctx: ModuleContext, loop: Any, taken: set[str], statements: Sequence[ast.AST] = (),
        computing: Mapping[ast.AST, Any] = NONE,
    ) -> None:  # fmt: skip
        read = statements or [loop]
        super().__init__(ctx, loop, stores(read), computing)
        self.taken = taken
        self.nodes = [node for one in read for node in tree_walk(one)]
        self.inside = set(self.nodes)
        self.occurrences: dict[str, list[ast.expr]] = {}
        self.appended: dict[str, list[ast.expr]] = {}
        self.streams: list[ast.expr] = []
        self.containers = Containers(ctx, loop, self.nodes)
        comprehensions = [one for one in self.nodes if isinstance(one, words.COMPREHENSIONS)]
        loops = [one.iter for one in self.nodes if isinstance(one, ast.For)]
        self.flattened = {one.func for one in loops if isinstance(one, ast.Call) and _is_flattening(one)}
        self.own = stores(g.target for one in comprehensions for g in one.generators)
        self.assigned = self.bound - self.own
        if self.own & stores(s for s in self.nodes if isinstance(s, (ast.Assign, ast.For, ast.AugAssign))):
            self.own = set()  # also names of the loop: all of them are handed over
            self.assigned = self.bound

    def region(self) -> Region:
        """The region of the loop.

        Raises
        ------
        Refused
            Where it has to stay on tensors.
        """
        if not self._may_gain() or self._is_in_class():
            raise LoopRefusal("no element is read or written by the variables of the loop")
        self._read_through([self.loop])
        passed = {one for names in self.passed.values() for one in names}
        calls = [(self.ctx.parents[one], one in passed) for one in self.seen]
        own = {one: is_passed for one, is_passed in calls if isinstance(one, ast.Call)}
        if (why := Elements(self.ctx, self.loop, self.made.renamed, self.apart, own).why_not()) is not None:
            raise LoopRefusal(why)
        return self._with_names(Names(self.ctx, self.loop, self.made))

    def _read_through(self, statements: Sequence[ast.AST]) -> None:
        """See to all that stands in these statements, and how it goes in."""
        for node in self.nodes:
            self._permit(node)
        for statement in statements:
            self._read(statement)
        self._look_at_views()
        self._look_at_functions()
        self._look_at_stream()

    def _with_names(self, names: Names) -> Region:
        """The region, with the names that it binds."""
        for name in sorted(self.assigned - self.made.own):
            names.hand_over(name)
        self.made.going.update(dict.fromkeys(sorted(self.made.own), ANY))
        self.made.coming.update(dict.fromkeys(sorted(self.made.own & self.containers.read_after), BACK))
        ways = [*(way for way, _ in self.made.views.values()), *self.made.going.values()]
        if not {VIEW, ANY, WITHIN, STREAM} & set(ways):
            raise LoopRefusal("no array goes in")
        return self.made

    # ---------------------------------------------------------------------------------------------- what stands in it
    def _is_in_class(self) -> bool:
        current = self.ctx.parents.get(self.loop)
        while current is not None and not isinstance(current, (*BODIES, ast.ClassDef)):
            current = self.ctx.parents.get(current)
        return isinstance(current, ast.ClassDef)

    def _may_gain(self) -> bool:
        gaining = (isinstance(one, (ast.Subscript, ast.For)) or self._draws(one) for one in self.nodes)
        return any(gaining) or bool(self.computing)

    def _draws(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Attribute) and node.attr in words.DRAWING

    def _permit(self, node: ast.AST) -> None:
        """Refuse statements and expressions that do more than compute."""
        if isinstance(node, ast.stmt) and not isinstance(node, words.STATEMENTS):
            raise LoopRefusal(f"`{source_of(node).splitlines()[0]}`")
        if isinstance(node, words.REFUSED) or node in self.ctx.left_nodes or node in self.ctx.module.unwanted:
            raise LoopRefusal(f"`{source_of(node)}`")
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            raise LoopRefusal(f"`{source_of(node)}` is bound")
        if isinstance(node, (ast.Name, ast.Subscript)) and isinstance(node.ctx, ast.Del):
            raise LoopRefusal(f"`{source_of(node)}` is deleted")

    def _read(self, node: ast.AST) -> None:
        """See to all that is read in a node, and to what its values go to."""
        if isinstance(node, (ast.Name, ast.Attribute)) and dotted_name(node) is not None:
            if node not in self.seen:
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
        elif not v.only(self.fact(node), *GONE_THROUGH) and not self._is_inner(node):
            raise LoopRefusal(f"`{source_of(node)}` is gone through")

    def _is_inner(self, node: ast.expr) -> bool:
        """Tell whether it is a value that the loop binds, or a part of one."""
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
        elif isinstance(target, ast.Subscript) and self._is_own(target.value):
            return
        elif isinstance(target, ast.Subscript) and not v.only(self.fact(target.value), *STORED_IN):
            statement = self.ctx.statement(target)
            if value is not None and is_plain(self.fact(target.value)) and is_plain(self.fact(value)):
                return
            if isinstance(statement, ast.AugAssign) or value is None or not v.only(self.fact(target.value), "sequence"):
                raise LoopRefusal(f"`{source_of(target)}` is stored in")
            self._keep(target.value)
            self._cross(value)

    def _is_own(self, node: ast.expr) -> bool:
        """Tell whether it is a list that the function has made for itself, and note it: the loop takes a copy."""
        if is_plain(self.fact(node)) or not self.containers.is_own(node):
            return False
        assert isinstance(node, ast.Name)
        if node.id not in self.containers.inner:
            self.made.own.add(node.id)
        return True

    def _keep(self, container: ast.expr) -> None:
        """Refuse to change a list that goes over as another one."""
        path = dotted_name(container)
        if not self._is_inner(container) and not is_plain(self.fact(container)):
            if path is None or not isinstance(self.ctx.parents.get(container), ast.Attribute):
                raise LoopRefusal(f"`{source_of(container)}` is changed")
            self.appended.setdefault(path, []).append(container)

    def _keep_whole(self, container: ast.expr) -> None:
        """Refuse to read a container from outside the loop unless its items are plain numbers."""
        if not self._is_inner(container) and not is_plain(self.fact(container)):
            raise LoopRefusal(f"`{source_of(container)}` is read and changed")

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
            raise LoopRefusal(f"`{source_of(value)}` leaves the loop")

    def _call(self, node: ast.Call) -> None:
        """Refuse functions that may call the project, or keep what they are given."""
        function = node.func
        fact = self.fact(function)
        if is_heaps(fact) and node.args and (self._is_own(node.args[0]) or self._is_inner(node.args[0])):
            self.seen.add(function)
            return
        if v.only(fact, "numpy", "dtype") or isinstance(function, ast.Attribute) and self._is_numpys(function):
            return  # the name itself is looked at where it is read
        if isinstance(function, ast.Name) and v.only(fact, "builtin") and function.id in words.BUILTINS or makes(fact):
            return
        if isinstance(function, ast.Name) and (self._is_error(function) or self._is_computing(function)):
            return
        if isinstance(function, ast.Attribute) and self._is_harmless(function, node.args):
            return
        raise LoopRefusal(f"`{source_of(node)}` is called")

    def _is_harmless(self, method: ast.Attribute, arguments: list[ast.expr]) -> bool:
        """Tell whether a method only computes, or changes a list that may be changed; that is seen to."""
        if v.only(self.fact(method), "builtin") and dotted_name(method.value) in words.MODULES:
            return True
        owner = self.fact(method.value)
        if self._is_draw(method):
            return True
        if method in self.flattened and v.only(owner, "array", "unknown"):
            return True
        if v.only(owner, "array", "scalar", "number") and method.attr not in words.RESHAPING:
            return True
        if v.only(owner, "text") or v.known_to_include(owner, "unknown") and self._is_arrays_own(method):
            return True
        if method.attr not in words.OF_QUEUES:
            return False
        if not self._is_own(method.value):
            if not v.only(owner, "sequence"):
                return False
            self._change_list(method, arguments)
        return True

    def _is_arrays_own(self, function: ast.Attribute) -> bool:
        """Tell whether it is a method that arrays have, and no class of the project."""
        if function.attr not in words.OF_ARRAYS or not v.only(self.fact(function.value), *MIXED):
            return False
        return not self._is_of_project(function.attr)

    def _is_draw(self, method: ast.expr) -> bool:
        """Tell whether a generator draws, or what others pass for one, which is no object of the project."""
        if not isinstance(method, ast.Attribute) or method.attr not in words.DRAWING:
            return False
        return is_stream(v.without(self.fact(method.value), "unknown")) and not self._is_of_project(method.attr)

    def _is_of_project(self, name: str) -> bool:
        return any(one.find(name) for one in self.ctx.engine.classes.values())

    def _change_list(self, method: ast.Attribute, arguments: list[ast.expr]) -> None:
        """See to a method of a list, and to what it is given."""
        if method.attr not in words.ADDING:
            self._keep_whole(method.value)
        self._keep(method.value)
        for argument in arguments:
            self._cross(argument)

    def _is_error(self, node: ast.Name) -> bool:
        return node.id.endswith(("Error", "Exception")) and node.id not in self.bound

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
        for at, part in enumerate(parts):
            fact = self.fact(part)
            if self._is_seen_to(part, fact, root, parts[at + 1 :]):
                return
            if not v.only(fact, "instance") or part is node or not self._is_data(fact, parts[at + 1]):
                break
        if len(parts) > 1 or not self._is_error(root):
            raise LoopRefusal(f"`{source_of(node)}` is read")

    def _is_seen_to(self, part: ast.expr, fact: v.Fact, root: ast.Name, rest: list[ast.expr]) -> bool:
        """Tell whether a part of a path is the same in NumPy, or goes in; that is noted."""
        if is_stream(fact) or rest and self._is_draw(rest[0]):
            self._stream(ast.unparse(part), part, rest)
            return True
        if v.only(fact, "numpy"):
            self._of_numpy(part)
            if part is not root or not self._is_imported(root):  # a name for the shim's function, once converted
                self.occurrences.setdefault(ast.unparse(part), []).append(part)
            return True
        if v.only(fact, "dtype") and self._is_imported(root) or is_plain(fact) and not is_held(self.ctx, part):
            return True
        if part in self.appended.get(ast.unparse(part), ()) or self._is_own(part):
            return True
        if goes_in(fact):
            self.occurrences.setdefault(ast.unparse(part), []).append(part)
            return True
        return False

    def _is_imported(self, root: ast.Name) -> bool:
        is_hidden = root.id in self.ctx.project.own_names(self.ctx.function(root))
        return root.id in self.ctx.numpy_names and not is_hidden or v.only(self.fact(root), "builtin")

    def _is_data(self, fact: v.Fact, attribute: ast.expr) -> bool:
        """Tell whether reading an attribute of these instances runs no code of the project."""
        assert isinstance(attribute, ast.Attribute)
        classes: list[ClassDefinition] = [atom.definition for atom in fact if isinstance(atom, v.Instance)]
        hooks = ("__getattr__", "__getattribute__")
        runs = any(one.getter(attribute.attr) or any(map(one.find, hooks)) for one in classes)
        return not runs and not any(one.is_array or one.opaque_base for one in classes)

    def _of_module(self, parts: list[ast.expr]) -> None:
        """See to what is read of a module: of NumPy what computes, of Python's own numbers and functions."""
        names = {atom.name for atom in self.fact(parts[0]) if isinstance(atom, v.Module)}
        if len(parts) > 1 and names <= set(words.MODULES):
            return
        if len(parts) > 1 and all(name.split(".")[0] == "numpy" for name in names):
            if v.only(self.fact(parts[-2]), "module") and self._is_drawn(parts[-1]):
                self._stream("", parts[-2], parts[-1:])
            else:
                self._of_numpy(parts[-1])
            return
        raise LoopRefusal(f"`{source_of(parts[-1])}` is read")

    def _is_drawn(self, node: ast.expr) -> bool:
        """Tell whether it is a function that draws from the stream of `numpy.random` itself."""
        names = {atom.name for atom in self.fact(node) if isinstance(atom, v.Numpy)}
        return bool(names) and names <= {f"numpy.random.{one}" for one in words.DRAWING}

    def _stream(self, path: str, node: ast.expr, method: Sequence[ast.expr]) -> None:
        """Note whose numbers the loop draws; from one stream alone, since another may have the same state."""
        name = method[0].attr if method and isinstance(method[0], ast.Attribute) else ""
        if (
            len(method) != 1
            or name not in words.DRAWING
            or self.ctx.torchs_random
            or self.made.stream not in (None, path)
        ):
            raise LoopRefusal(f"`{source_of(node)}` is read")
        self.made.draw_from(path)
        self.streams.append(node)

    def _of_numpy(self, node: ast.expr) -> None:
        """Refuse what NumPy does more than compute."""
        fact = self.fact(node)
        named = {atom.name for atom in fact if isinstance(atom, v.Numpy)}
        is_value = v.only(fact, "dtype", "number", "none", "scalar")
        if not (named and v.only(fact, "numpy") and all(map(words.is_pure, named)) or is_value):
            raise LoopRefusal(f"`{source_of(node)}` is read")

    def _look_at_views(self) -> None:
        """Say of each name and attribute that the loop reads how it goes in."""
        if not self.appended.keys().isdisjoint(self.occurrences):
            raise LoopRefusal("a list is read and changed")
        for path, nodes in self.occurrences.items():
            fact = v.join(*map(self.fact, nodes))
            root = path.partition(".")[0]
            is_local = root in self.ctx.module.env or is_bound_before(self.ctx, self.loop, root)
            scope = self.ctx.function(self.loop)
            if not isinstance(scope, ast.Module) and root not in self._locals(scope):
                is_local = True  # of a scope around it, or of the module
            if not is_local or path.count(".") > 1 and not any(map(self._always_runs, nodes)):
                raise LoopRefusal(f"`{path}` may not be bound before the loop")
            if any(is_held(self.ctx, one) for one in nodes):
                if not are_scalars(fact):
                    raise LoopRefusal(f"`{path}` is a Python number for one of NumPy's, or for one of Python's")
                way = STRONG
            else:
                way = VIEW if is_array(fact, any(has_axes(self.ctx, one) for one in nodes)) else ANY
            name = self._view_name(path)
            if "." in path and not any(map(self._always_runs, nodes)):
                owner, _, attribute = path.partition(".")
                path, way = f'getattr({owner}, "{attribute}", None)', ANY if way == VIEW else way
            self.made.views[path] = way, name
            self.made.renamed.update(dict.fromkeys(nodes, name))

    def _look_at_stream(self) -> None:
        """Have the loop draw from NumPy's generator; what it is passed may draw from ours."""
        path = self.made.stream
        if path is None:
            return
        root = path.partition(".")[0]
        if path and root not in self.ctx.module.env and not is_bound_before(self.ctx, self.loop, root):
            raise LoopRefusal(f"`{path}` may not be bound before the loop")
        if self.passed and not (path and all(is_stream(self.fact(one), MODERN) for one in self.streams)):
            raise LoopRefusal("what is passed may draw from the same stream")
        name = self._view_name(path or "random")
        self.made.views[path] = ANY if self.passed else STREAM, name
        self.made.renamed.update(dict.fromkeys(self.streams, name))

    def _look_at_functions(self) -> None:
        """Have the functions that the loop calls compute in NumPy."""
        for way, found in ((WITHIN, self.called), (ANY, self.passed)):
            for path, nodes in found.items():
                name = self._view_name(path)
                self.made.views[path] = way, name
                self.made.renamed.update(dict.fromkeys(nodes, name))

    def _locals(self, scope: ast.AST) -> set[str]:
        return stores(child for child in children(scope))

    def _always_runs(self, node: ast.AST) -> bool:
        """Tell whether an expression is evaluated in each pass of the loops around it."""
        current: ast.AST | None = node
        while current is not None and current is not self.loop:
            if isinstance(current, (ast.If, ast.IfExp, ast.BoolOp)):
                return False
            current = self.ctx.parents.get(current)
        return True

    def _view_name(self, path: str) -> str:
        return free_name(f"{path.replace('.', '_').lstrip('_')}_np", self.taken)
