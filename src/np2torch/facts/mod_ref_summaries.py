"""Mod/ref summaries: what the project's functions write, keep and give back, of arguments or of module state.

An attribute, `.x`, is told apart by the classes of the objects that may have it, an array of a module by its name.
A function writes whatever the functions it calls write; for functions that call each other this is repeated until
nothing is added.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import NamedTuple

from np2torch.facts import values as v
from np2torch.facts.access_paths import Classes, FunctionNode, may_be_related, root_of
from np2torch.facts.alias_analysis import Aliases
from np2torch.facts.domain import DOMAIN
from np2torch.facts.interpreter.definitions import FunctionDefinition, ModuleInfo
from np2torch.facts.interpreter.fixpoint import Interpreter
from np2torch.facts.retention import Retention
from np2torch.names.modules import absolute_name
from np2torch.names.tree import children
from np2torch.names.tree import walk as tree_walk

MAKING = ("__init__", "__new__", "__post_init__")
"""Methods that run before anybody reads the object."""
MOST_PASSES = 5
Part = tuple[str, Classes]


class Effect(NamedTuple):
    """The memory that a function writes, or gives back.

    Attributes
    ----------
    parameters
        By position, the parts of what is passed: `""` is the whole, `".x"` its attribute.
    lasting
        Attributes of other objects, and arrays of modules.
    """

    parameters: Mapping[int, frozenset[Part]]
    lasting: frozenset[Part]


NOTHING = Effect({}, frozenset())
Effects = dict[FunctionDefinition, Effect]
Question = ast.AST | tuple[str, FunctionDefinition]
"""What is computed: the aliases of a body, or what a function `writes` or `gives`."""


class ProjectAliases:
    """Aliases of every function."""

    def __init__(self, engine: Interpreter) -> None:
        self.engine = engine
        self.retention = Retention(engine)
        self._made: dict[ast.AST, Aliases] = {}
        self._own: dict[ast.AST, frozenset[str]] = {}
        self._outer: dict[ast.AST, FunctionNode] = {}
        self._writes: Effects = {}
        self._gives: Effects = {}
        self._assumed: tuple[Effects, Effects] = ({}, {})
        self._under_way: list[Question] = []
        self._assuming: set[Question] = set()
        self._attributes: dict[str, list[tuple[ast.AST, Classes]]] = {}
        self._globals: set[str] = set()
        self._modules: dict[ast.AST, ModuleInfo] = {}
        self._imported: dict[str, dict[str, str]] = {}
        self._calls: dict[FunctionDefinition, list[ast.Call]] = {}
        imported = {
            name for module in engine.modules.values() for name, fact in module.env.items()
            if any(isinstance(atom, v.Module) and atom.name.split(".")[0] == "numpy" for atom in fact)
        }  # fmt: skip
        DOMAIN.name_numpy(imported)
        self._bound: dict[ast.Call, list[str]] = {}
        self._where: dict[ast.Call, FunctionNode] = {}
        self._note_calls()
        self._settle()

    def _settle(self) -> None:
        """Compute the summaries of all functions to a fixpoint, then what others may write.

        A pass computes again what rests on something assumed, since all else would come out as it is.
        """
        bodies: list[FunctionNode] = [function.node for function in self.engine.functions.values()]
        bodies += [module.tree for module in self.engine.modules.values()]
        for _ in range(MOST_PASSES):
            again, self._assuming = self._assuming, set()
            self._made = {body: made for body, made in self._made.items() if body not in again}
            self._writes = {one: effect for one, effect in self._writes.items() if ("writes", one) not in again}
            self._gives = {one: effect for one, effect in self._gives.items() if ("gives", one) not in again}
            for body in bodies:
                self.of(body)
            found = (self._writes, self._gives)
            if not self._assuming or found == self._assumed:
                break
            self._assumed = found
        for body in bodies:
            self._note_written(body, self.of(body))

    def _note_written(self, body: ast.AST, aliases: Aliases) -> None:
        """Keep what a body writes of what lasts."""
        function = self.engine.functions.get(body)
        is_making = function is not None and function.owner is not None and function.name in MAKING
        for name in aliases.written_names() if aliases.writes else ():
            if "." in name:
                if not (is_making and name.startswith("self.") and name.count(".") == 1):
                    place = (body, aliases.owners.get(name))
                    self._attributes.setdefault(name.rpartition(".")[2], []).append(place)
            elif aliases.is_global(name) and (function is not None or aliases.is_written_after_calls(name)):
                self._globals.add(self.key(body, name))

    def writes_attribute(self, name: str, classes: Classes, but: ast.AST | None = None) -> bool:
        """Tell whether an attribute of objects of these classes is written in place, elsewhere than in one function."""
        written = self._attributes.get(name, ())
        return any(body is not but and may_be_related(classes, owners) for body, owners in written)

    def writes_global(self, body: ast.AST, name: str) -> bool:
        """Tell whether the module's array of that name is written through a name."""
        return self.key(body, name) in self._globals

    @cached_property
    def imported_modules(self) -> frozenset[str]:
        """The modules of the project that others of it import, whole or names of them."""
        found: set[str] = set()
        for module in self.engine.modules.values():
            for node in module.nodes:
                if isinstance(node, ast.Import):
                    found.update(alias.name for alias in node.names)
                elif isinstance(node, ast.ImportFrom):
                    source = absolute_name(module.name, module.is_package, node)
                    found.add(source)
                    found.update(f"{source}.{alias.name}" for alias in node.names)
        return frozenset(found)

    def key(self, body: ast.AST, name: str) -> str:
        """The array of a module that a name means in some body, as `package/module:NAME`."""
        if ":" in name or (module := self._module(body)) is None:
            return name
        return self._imports(module).get(name) or _key(module.name, name)

    def name_here(self, key: str, body: ast.AST) -> str:
        """The name by which a body knows the array of a module; else the key itself."""
        module = self._module(body)
        if module is None:
            return key
        where, _, name = key.partition(":")
        if where == module.name.replace(".", "/"):
            return name if name not in self.own_names(body) else key
        return next((local for local, other in self._imports(module).items() if other == key), key)

    def keys_in(self, fact: v.Fact, name: str) -> list[str]:
        """Give the keys of the global arrays of that name in modules of the project."""
        modules = [atom.name for atom in fact if isinstance(atom, v.Module) and atom.name in self.engine.modules]
        return [self._imports(self.engine.modules[module]).get(name) or _key(module, name) for module in modules]

    def _module(self, body: ast.AST) -> ModuleInfo | None:
        function = self.engine.functions.get(body)
        if function is not None:
            return function.module
        if not self._modules:
            self._modules = {module.tree: module for module in self.engine.modules.values()}
        return self._modules.get(body)

    def _imports(self, module: ModuleInfo) -> dict[str, str]:
        """The arrays that a module has from others, by the names it gives them."""
        found = self._imported.get(module.name)
        if found is None:
            found = self._imported[module.name] = {}  # which is all that modules see that import each other
            for node in module.nodes:
                if isinstance(node, ast.ImportFrom):
                    source = self.engine.modules.get(absolute_name(module.name, module.is_package, node))
                    if source is None:
                        continue
                    for alias in node.names:
                        for name in source.env if alias.name == "*" else [alias.name]:
                            further = self._imports(source).get(name)
                            found[alias.asname or name] = further or _key(source.name, name)
        return found

    def classes_of(self, fact: v.Fact, node: ast.expr, body: ast.AST) -> Classes:
        """The classes of objects; None where they are not known."""
        found = frozenset(atom.definition for atom in fact if isinstance(atom, (v.Instance, v.Class)))
        if isinstance(node, ast.Name) and not found:
            function = self.engine.functions.get(body)
            if function is not None and function.owner is not None and function.positional[:1] == (node.id,):
                return frozenset([function.owner])
        return None if not fact or v.known_to_include(fact, "unknown") else found

    def array_defaults(self, body: ast.AST) -> list[str]:
        """The parameters whose default is an array, the same in each call."""
        function = self.engine.functions.get(body)
        defaults = function.defaults if function is not None else {}
        return [name for name, fact in defaults.items() if v.known_to_include(fact, "array")]

    def own_names(self, node: ast.AST) -> frozenset[str]:
        """Give the names that a function binds, or a function around it; those of the module are left out."""
        if node not in self._own:
            names: set[str] = set()
            if not isinstance(node, ast.Module):
                lasting: set[str] = set()
                for one in tree_walk(node):
                    if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load):
                        names.add(one.id)
                    elif isinstance(one, ast.arg):
                        names.add(one.arg)
                    elif isinstance(one, ast.Global):
                        lasting.update(one.names)
                names -= lasting
                if node in self._outer:
                    names |= self.own_names(self._outer[node])
            self._own[node] = frozenset(names)
        return self._own[node]

    def calls(self, function: FunctionDefinition) -> list[ast.Call]:
        """Find the calls of a function in the project."""
        return self._calls.get(function, [])

    def body_of(self, call: ast.Call) -> FunctionNode:
        """Find the body that a call stands in."""
        return self._where[call]

    def body_around(self, function: ast.AST) -> FunctionNode | None:
        """Find the body that a function is defined in; None for a module."""
        return self._outer.get(function)

    def _note_calls(self) -> None:
        for call, callees in self.engine.callees.items():
            for callee in callees:
                self._calls.setdefault(callee, []).append(call)
        for module in self.engine.modules.values():
            self._note_bindings(module.tree, module.tree)

    def _note_bindings(self, node: ast.AST, function: FunctionNode) -> None:
        for child in children(node):
            if isinstance(child, ast.Assign) and isinstance(child.value, ast.Call):
                targets = [one for target in child.targets for one in getattr(target, "elts", [target])]
                roots = [root for t in targets if (root := root_of(t)) and not isinstance(t, ast.Subscript)]
                self._bound[child.value] = roots
            if isinstance(child, ast.Call):
                self._where[child] = function
            inner = function
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
                inner, self._outer[child] = child, function
            self._note_bindings(child, inner)

    def result_written(self, node: ast.AST) -> bool:
        """Tell whether a caller writes into what this function returns."""
        definition = self.engine.functions.get(node)
        if definition is None:
            return False
        for call in self.calls(definition):
            if any(self.of(self._where[call]).may_be_written(root, call) for root in self._bound.get(call, ())):
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
            with self._asking(node):
                self._made[node] = Aliases(self.engine, node, self)
        elif node in self._assuming:
            self._assuming.update(self._under_way)
        return self._made[node]

    def writes(self, function: FunctionDefinition) -> Effect:
        """Give the summary of what a function writes."""
        return self._found(("writes", function), self._writes, self._assumed[0], Aliases.written_names)

    def gives(self, function: FunctionDefinition) -> Effect:
        """The memory that a function may give back: of what it is passed, of what lasts; whole or a view."""
        return self._found(("gives", function), self._gives, self._assumed[1], Aliases.returned_names)

    def _found(
        self, question: tuple[str, FunctionDefinition], known: Effects, assumed: Effects,
        names: Callable[[Aliases], set[str]],
    ) -> Effect:  # fmt: skip
        """Give the effect of a function on these names; while it is being computed, what was found before."""
        function = question[1]
        if function not in known:
            if question in self._under_way:
                self._assuming.update(self._under_way)
                return assumed.get(function, NOTHING)
            with self._asking(question):
                aliases = self.of(function.node)
                known[function] = _effect(self, function, aliases, names(aliases))
        elif question in self._assuming:
            self._assuming.update(self._under_way)
        return known[function]

    @contextmanager
    def _asking(self, question: Question) -> Iterator[None]:
        """Note what is being computed: it rests on what is assumed in the meantime."""
        self._under_way.append(question)
        try:
            yield
        finally:
            self._under_way.pop()


def _key(module: str, name: str) -> str:
    return f"{module.replace('.', '/')}:{name}"


def _effect(
    project: ProjectAliases, function: FunctionDefinition, aliases: Aliases, names: Iterable[str]
) -> Effect:
    """These names as the caller sees them."""
    places = {name: i for i, name in enumerate(function.parameters)}
    parameters: dict[int, set[Part]] = {}
    lasting: set[Part] = set()
    for name in names:
        first, _, rest = name.partition(".")
        if first in places:
            part: Part = (f".{rest}", aliases.owners.get(name)) if rest and "." not in rest else ("", None)
            parameters.setdefault(places[first], set()).add(part)
        if "." in rest or rest and first not in places:
            lasting.add((f".{name.rpartition('.')[2]}", aliases.owners.get(name)))
        elif not rest and aliases.is_global(name):
            lasting.add((project.key(function.node, name), None))
    return Effect({place: frozenset(parts) for place, parts in parameters.items()}, frozenset(lasting))
