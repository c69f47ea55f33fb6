"""One run of one body: its environment, and how the statements and expressions of the body act on it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from np2torch.facts import values as v
from np2torch.facts.arguments import Arguments, arguments_of
from np2torch.facts.dtype_uses import is_called_dtype
from np2torch.facts.interpreter import (
    annotated_classes,
    attributes,
    border,
    calls,
    reflection,
    reforming,
    subclass_results,
)
from np2torch.facts.interpreter.context_selectors import chooser
from np2torch.facts.interpreter.contexts import CallContext
from np2torch.facts.interpreter.definitions import ClassDefinition, FunctionDefinition, ModuleInfo
from np2torch.facts.interpreter.dependencies import value
from np2torch.facts.interpreter.environment import ANY_NAME, FunctionNode, Scope
from np2torch.facts.interpreter.expressions import EVALUATE
from np2torch.facts.interpreter.iteration import ANY_KEY, iterable, iterate
from np2torch.facts.interpreter.iteration import items as items_of
from np2torch.facts.interpreter.operators import special
from np2torch.facts.interpreter.protocols import Rounds
from np2torch.facts.interpreter.raising_calls import UNREACHED
from np2torch.facts.interpreter.run_state import RunState
from np2torch.facts.interpreter.stable_order import in_order
from np2torch.facts.interpreter.statements import STATEMENTS
from np2torch.names.tree import dotted_name

LEAVES = frozenset({ast.Name, ast.Constant})
INERT = frozenset({"array", "scalar", "number", "text", "none", "unknown", "sequence"})
"""The kinds of value that a callee neither changes nor calls, as far as it is followed."""


class Frame(RunState):
    """One run of a module, class or function body, and what its statements and expressions do.

    Attributes
    ----------
    closure
        The run whose variables the body sees.
    function
        The function whose body it is; None for a module or a class.
    """

    def __init__(
        self, engine: Rounds, context: CallContext, around: Frame | None = None, is_class: bool = False
    ) -> None:
        super().__init__(context)
        self.engine = engine
        self.module = context.module
        outer = context.outer.frame if context.outer is not None else None
        enclosing: Scope | None = around
        if around is not None and around.function is None:
            enclosing = around.closure
        self.closure: Scope | None = enclosing or outer
        self.function: FunctionDefinition | None = context.function if not is_class else None

    # --------------------------------------------------------------------------------------------- names
    def lookup(self, name: str) -> v.Fact | None:
        """Give what a name may be here; None when nothing in the project binds it."""
        if name in self.globals:
            return self.member(self.module, name)
        fact = self.env.get(name)
        if fact is not None:
            if self.module.assigned and self.env is self.module.env:
                return self.module.member(name)
            return fact
        frame = self.closure
        while frame is not None:
            fact = frame.env.get(name)
            if frame.context is not self.context:
                self.context.outside[frame.context, name] = fact
            if fact is not None and name not in frame.globals:
                return fact
            frame = frame.closure
        return self.member(self.module, name)

    # ------------------------------------------------------------------------- what lies outside the body
    def member(self, module: ModuleInfo, name: str) -> v.Fact | None:
        """A global of a module of the project."""
        fact = module.member(name)
        self.reads.setdefault(("global", module, name), fact)
        return fact

    def element(self, site: int) -> v.Fact:
        """Give what was put into the container made at `site`; nothing where nothing was."""
        fact = self.engine.heap.get(site)
        self.reads.setdefault(("element", site, None), fact)
        return v.BOTTOM if fact is None else fact

    def shorten(self, fact: v.Fact) -> None:
        """Forget what stands where in lists from which items are taken, for all that hold them."""
        for atom in fact:
            if isinstance(atom, v.Sequence) and atom.site and atom.type == "list":
                self.engine.add_element(atom.site, v.elements(atom))

    def keys(self, site: int) -> Mapping[object, v.Fact]:
        """Give what was put into the dict made at `site` under constant keys."""
        keys = self.engine.keys.get(site, {})
        self.reads.setdefault(("keys", site, None), keys)
        return keys

    def attribute(self, class_: ClassDefinition, name: str) -> v.Fact:
        """Give what instances of a class of the project hold under a name."""
        is_tried = self.failing and self.failing != UNREACHED
        fact = class_.ever(name) if is_tried else class_.attribute(name)
        self.reads.setdefault(("ever" if is_tried else "attribute", class_, name), fact)
        return fact

    def classes_with(self, method: str) -> list[ClassDefinition]:
        """The project's classes that define a method of that name."""
        found = list(self.engine.methods.get(method, ()))
        self.reads.setdefault(("methods", None, method), len(found))
        return found

    def note_heirs(self, classes: Iterable[ClassDefinition | None]) -> None:
        """Note that what follows rests on which classes derive from these."""
        for class_ in classes:
            if class_ is not None:
                self.reads.setdefault(("heirs", class_, None), len(self.engine.heirs.get(class_, ())))

    def takes(self, test: ast.expr, truth: bool, answer: object) -> bool:
        """Tell whether the flow may go on here after a test with this answer.

        Also if the answer depends on what no call passes otherwise, or if no call goes on here in the end: a later
        caller may go this way.
        """
        if not isinstance(answer, bool) or answer == truth:
            if not self.failing:
                self.engine.taken.add((test, truth))
            return True
        name = chooser(test.left if isinstance(test, ast.Compare) else test)
        if name is None:
            return False
        if self.function is not None and name in self.function.named_parameters and name not in self.engine.choosing:
            return True
        open_ = value(self.engine, ("left", test, truth)) is True
        self.reads.setdefault(("left", test, truth), open_)
        return open_

    def add_mappings(self, site: int, fact: v.Fact) -> None:
        """A dict made at `site` takes in what these mappings hold; of anything else the contents are not known."""
        parts = (self.element(atom.site) if isinstance(atom, v.Mapping) else v.TOP for atom in fact)
        self.engine.add_element(site, v.join(v.BOTTOM, *parts), ANY_KEY)
        for atom in fact:
            for key, held in self.keys(atom.site).items() if isinstance(atom, v.Mapping) and atom.site != site else ():
                self.engine.add_element(site, held, key)

    def unseen(self) -> v.Fact:
        """Give what a value is that was never seen made: still to come, or in the end anything."""
        self.reads.setdefault(("settled", None, None), self.engine.settled)
        return v.TOP if self.engine.settled else v.BOTTOM

    def forget(self, attributes: frozenset[str], passed: tuple[v.Fact, ...] = ()) -> None:
        """Forget what `self.x` was here: a call may have assigned these attributes."""
        reforming.after_call(self, passed, attributes)
        if not self.has_paths:
            return
        anything = ANY_NAME in attributes
        for key in [key for key in self.env if "." in key and (anything or key.rsplit(".", 1)[1] in attributes)]:
            del self.env[key]

    def bind(self, name: str, fact: v.Fact) -> None:
        """Assign a name."""
        self.has_bound = True
        if self.bound is not None:
            self.bound[name] = v.join(self.bound.get(name, v.BOTTOM), fact)
        if name in self.globals:
            self.acted = True
            self.engine.set_global(self.module, name, v.widen(fact))
        elif name in self.nonlocals and self.closure is not None:
            self.acted = True
            outer = self.closure
            while outer.closure is not None and name not in outer.env:
                outer = outer.closure
            outer.env[name] = v.join(outer.env.get(name, v.BOTTOM), fact)
            noted = self.context.effects.nonlocals
            noted[outer.context, name] = v.join(noted.get((outer.context, name), v.BOTTOM), fact)
        else:
            self.env[name] = fact
            if self.has_paths and "." not in name:
                prefix = f"{name}."
                for key in [key for key in self.env if key.startswith(prefix)]:
                    del self.env[key]

    def know(self, key: str, fact: v.Fact) -> None:
        """Narrow a name, or a path such as `self.x`, from here on."""
        self.env[key] = fact
        self.has_paths = self.has_paths or "." in key

    def eval(self, node: ast.expr) -> v.Fact:
        """The fact of an expression, recorded."""
        kind = type(node)
        if self.is_whole or kind in LEAVES:
            return self.record(node, EVALUATE[kind](self, node))
        return self.engine.memory.cached_fact(self, node)

    def evaluate(self, node: ast.expr) -> v.Fact:
        """Evaluate an expression, whatever was found before."""
        return self.record(node, EVALUATE[type(node)](self, node))

    def record(self, node: ast.AST, fact: v.Fact) -> v.Fact:
        """Keep the fact of an expression, beside what another pass found."""
        facts = self.facts
        old = facts.get(node)
        if old is None:  # the same few facts again and again: one object for each
            facts[node] = fact = self.engine.same.setdefault(fact, fact)
        elif old is not fact and old != fact:
            facts[node] = v.join(old, fact)
        return fact

    def callee(self, node: ast.expr) -> v.Fact:
        """The fact of what a call calls, recorded."""
        if not isinstance(node, ast.Attribute):
            return self.eval(node)
        return self.record(node, attributes.read(self, node))

    def read(self, atom: v.Atom, name: str) -> v.Fact:
        """The fact of an attribute of one alternative."""
        return attributes.of_atom(self, atom, name)

    def call(self, node: ast.Call, atom: v.Atom, arguments: Arguments) -> v.Fact:
        """The fact of calling one alternative of a callee with arguments that are not written at the call."""
        return calls.call_atom(self, node, atom, arguments)

    def inner(self) -> Frame:
        """The frame of a class body that stands here; its methods see the function around it, not the class."""
        frame = Frame(self.engine, self.context, self, is_class=True)
        frame.facts, frame.failing = self.facts, self.failing
        return frame

    def define(self, node: FunctionNode) -> FunctionDefinition:
        """The definition of a function met in this frame, its defaults evaluated here."""
        self.acted = True
        enclosing = self if self.function is not None else self.closure
        definition = self.engine.function(node, self.module, enclosing.context if enclosing is not None else None)
        arguments = node.args
        positional = arguments.posonlyargs + arguments.args
        for parameter, default in zip(reversed(positional), reversed(arguments.defaults), strict=False):
            definition.defaults[parameter.arg] = self.eval(default)
        for parameter, kw_default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
            if kw_default is not None:
                definition.defaults[parameter.arg] = self.eval(kw_default)
        if not isinstance(node, ast.Lambda):
            every = positional + arguments.kwonlyargs + [a for a in (arguments.vararg, arguments.kwarg) if a]
            for note in [p.annotation for p in every] + [node.returns]:
                if note is not None:
                    self.eval(note)
            annotated_classes.of_function(self, definition)
        return definition

    # ---------------------------------------------------------------------------------------- statements
    def run(self, statement: ast.stmt) -> None:
        """Run a statement."""
        handler = STATEMENTS.get(type(statement))
        if handler is not None:
            handler(self, statement)

    def assign(self, target: ast.expr, fact: v.Fact) -> None:
        """Bind a target of any shape."""
        if self.module.stated and (stated := self.module.stated.get(target)) is not None:
            fact = stated.settle(fact)
        if isinstance(target, ast.Name):
            self.bind(target.id, fact)
            return
        if isinstance(target, (ast.Tuple, ast.List)):
            self.unpack(target.elts, fact)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, fact)
        elif isinstance(target, ast.Attribute):
            self._assign_attribute(target, fact)
        elif isinstance(target, ast.Subscript):
            self._assign_item(target, fact)
        self.escape(fact)

    def _assign_attribute(self, target: ast.Attribute, fact: v.Fact) -> None:
        owner = self.eval(target.value)
        setter = False
        for atom in in_order(owner):
            class_ = atom.definition if isinstance(atom, (v.Instance, v.Foreign)) else None
            if class_ is not None and (method := class_.setter(target.attr)) is not None:
                self.engine.setters[target].add(method)
                self.engine.apply(self, method, method.bind(arguments_of(fact), v.one(atom)))
                setter = True
            elif class_ is not None and attributes.is_described(class_, target.attr):
                setter = True
                if isinstance(atom, v.Instance) and class_.is_tensor():
                    subclass_results.make_instance(self, atom, v.ARRAY)  # of another shape or dtype from here on
            elif class_ is not None and class_.stays_numpy():
                self.engine.set_attribute(class_, target.attr, fact, self)
            elif isinstance(atom, (v.Instance, v.Class)):
                self.engine.set_attribute(atom.definition, target.attr, border.stored_fact(self, fact), self)
        if target.attr in attributes.SET and v.known_to_include(owner, "array", "foreign"):
            setter = True  # what is read afterwards is the array's answer, not what was set
            if target.attr in reforming.PARTS:
                reforming.reform(self, target.value, owner, target.attr, fact)
        self.context.effects.add_set(target.attr)
        if setter:
            self.forget(frozenset([target.attr]))
        elif (key := dotted_name(target)) is not None:
            self.bind(key, fact)
            self.has_paths = True

    def _assign_item(self, target: ast.Subscript, fact: v.Fact) -> None:
        owner = self.eval(target.value)
        index = self.eval(target.slice)
        special(self, v.keep(owner, lambda atom: atom.kind == "instance"), "__setitem__", index, fact)
        if (place := reflection.namespace_of(target.value)) is not None:
            reflection.store(self, place, self.facts.get(place, v.TOP), index, fact)
        for atom in owner:
            if isinstance(atom, v.Sequence) and atom.site:
                stored = iterate(self, fact) if isinstance(target.slice, ast.Slice) else fact
                self.engine.add_element(atom.site, stored)
            elif isinstance(atom, v.Mapping):
                key = v.constant(index)
                self.engine.note_key(atom.site, self._read_as_dtype(target.slice, index))
                self.engine.add_element(atom.site, fact, ANY_KEY if key is None else key)

    @staticmethod
    def _read_as_dtype(node: ast.expr, fact: v.Fact) -> v.Fact:
        """Give the fact of a key, which may be a dtype where it is called one: `x.dtype` of an unknown `x`."""
        name = (dotted_name(node) or "").rpartition(".")[2]
        is_dtype = is_called_dtype(name) and v.known_to_include(fact, "unknown")
        return v.join(fact, v.one(v.DType())) if is_dtype else fact

    def let_go(self, arguments: Arguments) -> None:
        """Let arguments escape to unseen code, which may call functions and fill lists with anything."""
        for fact in arguments.facts():
            for atom in fact:
                if atom.kind in INERT:
                    continue
                if isinstance(atom, v.Function):
                    atom.definition.escape()
                elif isinstance(atom, (v.Class, v.Instance)):
                    for name in ("__init__", "__call__") if isinstance(atom, v.Class) else ("__call__",):
                        if (method := atom.definition.find(name)) is not None:
                            method.escape()
                elif isinstance(atom, v.Method):
                    for owner in atom.owner:
                        if isinstance(owner, (v.Sequence, v.Mapping)) and owner.site:
                            self.engine.add_element(owner.site, v.TOP)
                elif isinstance(atom, v.Module):
                    self.search(atom.name)

    def search(self, module: str) -> None:
        """Let the functions and classes of a module escape that unseen code searches."""
        self.acted = True
        info = self.engine.modules.get(module)
        if info is not None:
            made = (class_.find("__init__") for class_ in info.classes)
            for function in (*(one for one in info.functions if one.owner is None), *made):
                if function is not None:
                    function.escape()

    def escape(self, fact: v.Fact) -> None:
        """Let functions escape that are stored where calls cannot be followed."""
        for atom in fact:
            if isinstance(atom, v.Function):
                atom.definition.escape()

    def unpack(self, targets: list[ast.expr], fact: v.Fact) -> None:
        """Bind several targets to the items of a value."""
        fact = iterable(fact)
        star = next((i for i, t in enumerate(targets) if isinstance(t, ast.Starred)), None)
        for index, target in enumerate(targets):
            if star is not None and index >= star:
                item = iterate(self, fact)
                if index == star:
                    item = v.one(v.Sequence("list", None, item, site=id(target)))
            else:
                parts = []
                for atom in fact:
                    items = items_of(self, atom)
                    if items is not None and (len(items) == len(targets) or star is not None and index < len(items)):
                        parts.append(items[index])
                    else:
                        parts.append(iterate(self, v.one(atom)))
                item = v.join(*parts) if parts else v.BOTTOM
            self.assign(target, item)
