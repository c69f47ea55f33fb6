"""The whole-project run: modules in import order, functions by call context, rounds until nothing changes."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

from np2torch.facts import evidence
from np2torch.facts import values as v
from np2torch.facts.arguments import Api, Arguments
from np2torch.facts.interpreter.definitions import ClassDefinition, FunctionDefinition, FunctionNode, ModuleInfo
from np2torch.facts.interpreter.frame import Frame
from np2torch.names.tree import walk as tree_walk

MOST_ROUNDS = 3
MOST_CONTEXTS = 6
MOST_RUNS = 24
MOST_DEPTH = 24


class Engine:
    """Runs every module of a project and records a fact for each expression.

    Attributes
    ----------
    facts
        Fact of each expression node, joined over every context it was evaluated in.
    callees
        Functions of the project each call may reach.
    heap
        Elements of lists and values of dicts, by the place that made them.
    """

    def __init__(self, api: Api) -> None:
        self.api = api
        self.facts: dict[ast.AST, v.Fact] = {}
        self.callees: dict[ast.Call, set[FunctionDefinition]] = defaultdict(set)
        self.modules: dict[str, ModuleInfo] = {}
        self.functions: dict[ast.AST, FunctionDefinition] = {}
        self.classes: dict[ast.AST, ClassDefinition] = {}
        self.heap: dict[int, v.Fact] = {}
        self.keys: dict[int, dict[object, v.Fact]] = {}
        self.changed = False
        self.settled = False
        self.stack: list[FunctionDefinition] = []
        self.failures: dict[str, Exception] = {}

    # ------------------------------------------------------------------------------------------- running
    def run(self, modules: list[ModuleInfo]) -> None:
        """Interpret the modules until the heap and the attributes are stable."""
        for module in modules:
            self.modules.setdefault(module.name, module)
        for round_ in range(MOST_ROUNDS):
            self.changed = False
            self.settled = round_ > 0
            self.facts = {}
            for function in self.functions.values():
                function.contexts.clear()
                function.general = None
                function.runs = 0
            for module in modules:
                module.env = {}
                module.running = False
            for module in modules:
                self.run_module(module)
            for module in modules:
                self.run_entries(module)
            if not self.changed and round_:
                break

    def run_module(self, module: ModuleInfo) -> None:
        """Run a module's top level, once a round."""
        if module.running:
            return
        module.running = True
        frame = Frame(self, module, None)
        frame.env = module.env
        frame.env["__name__"] = v.TEXT
        frame.env["__file__"] = v.TEXT
        with self.isolated(module):
            frame.block(module.tree.body)
        module.env.update(frame.env)

    @contextmanager
    def isolated(self, module: ModuleInfo) -> Iterator[None]:
        """Keep a defect of the analysis in one module from stopping the others: what it missed is unknown."""
        depth = len(self.stack)
        try:
            yield
        except Exception as error:
            del self.stack[depth:]
            self.failures[module.path] = error

    def run_entries(self, module: ModuleInfo) -> None:
        """Run what nothing in the project calls: public functions, methods, tests."""
        for class_ in list(module.classes):
            for name in sorted(class_.methods, key=lambda n: n != "__init__"):
                function = class_.methods[name]
                if not function.called or function.escaped:
                    self.run_entry(function, class_)
        for function in list(module.functions):
            if function.owner is None and (not function.called or function.escaped):
                self.run_entry(function, None)

    def run_entry(self, function: FunctionDefinition, class_: ClassDefinition | None) -> None:
        """Run a function on what is known of its parameters without a caller."""
        facts: dict[str, v.Fact] = {}
        parameters = [p.arg for p in function.parameters() + function.node.args.kwonlyargs]
        cases = function.cases
        for index, name in enumerate(parameters):
            if index == 0 and class_ is not None and not function.is_static:
                is_class = "classmethod" in function.decorators
                facts[name] = v.one(v.Class(class_) if is_class else self.instance(class_))
            elif name in cases:
                frame = Frame(self, function.module, None)
                frame.env = dict(function.module.env)
                facts[name] = v.widen(v.join(v.BOTTOM, *(frame.eval(node) for node in cases[name]))) or v.UNKNOWN
            elif (fixture := self.fixture(name, function.module)) is not None:
                facts[name] = fixture
            else:
                facts[name] = v.UNKNOWN
        with self.isolated(function.module):
            self.apply(function, facts, entry=True)

    def fixture(self, name: str, module: ModuleInfo) -> v.Fact | None:
        """The result of the pytest fixture of that name that the module sees."""
        for candidate in (module, *(m for m in self.modules.values() if m.name.endswith("conftest"))):
            for function in candidate.functions:
                if function.name == name and function.is_fixture:
                    return self.apply(function, {}, entry=True)
        return None

    def instance(self, class_: ClassDefinition) -> v.Instance | v.Foreign:
        """An instance, or what stays on NumPy for a subclass of ndarray."""
        return v.Foreign("ndarray subclass") if class_.stays_numpy() else v.Instance(class_)

    # ---------------------------------------------------------------------------------------- functions
    def function(self, node: FunctionNode, module: ModuleInfo, closure: Frame | None) -> FunctionDefinition:
        """The definition of a `def` or lambda, the same one each time it is met."""
        found = self.functions.get(node)
        if found is None:
            found = self.functions[node] = FunctionDefinition(node, module)
            module.functions.append(found)
            found.decorators = tuple(ast.unparse(d) for d in getattr(node, "decorator_list", ()))
            found.evidence = evidence.of_function(node)
            found.recurses = names_itself(node)
            found.cases = evidence.parametrized(node)
        found.closure = closure
        return found

    def apply(self, function: FunctionDefinition, facts: dict[str, v.Fact], entry: bool = False) -> v.Fact:
        """The result of a call with these parameter facts, from the context's summary or by running the body."""
        if not entry:
            function.called = True
        names = [a.arg for a in function.parameters() + function.node.args.kwonlyargs]
        seeds = {name: self.parameter(function, name, facts.get(name)) for name in names}
        for extra in (function.node.args.vararg, function.node.args.kwarg):
            if extra is not None:
                seeds[extra.arg] = facts.get(extra.arg, v.UNKNOWN)
        key = tuple(v.widen(fact) for fact in seeds.values()) if len(function.contexts) else tuple(seeds.values())
        if key not in function.contexts and (len(function.contexts) >= MOST_CONTEXTS or function in self.stack):
            past = function.general or key
            key = tuple(v.widen(v.join(a, b)) for a, b in zip(past, key, strict=True))
            function.general = key
        if function.runs >= MOST_RUNS:  # too many ways to call it: from here on its parameters may be anything
            key = (v.UNKNOWN,) * len(key)
        seeds = dict(zip(seeds, key, strict=True))
        if key in function.running:
            return function.contexts.get(key, v.BOTTOM)  # what the recursion adds is seen on the next pass
        if len(self.stack) > MOST_DEPTH:
            function.escaped = True  # not followed here, so it is run on its own with unknown parameters
            return v.UNKNOWN
        if key in function.contexts:
            return function.contexts[key]
        function.runs += 1
        function.running.add(key)
        self.stack.append(function)
        try:
            for _ in range(3):
                before = function.contexts.get(key, v.BOTTOM)
                after = v.join(before, self.run_body(function, seeds))
                function.contexts[key] = after
                if after == before or not function.recurses:
                    break
        finally:
            self.stack.pop()
            function.running.discard(key)
        return function.contexts[key]

    def parameter(self, function: FunctionDefinition, name: str, fact: v.Fact | None) -> v.Fact:
        """What a parameter may be: what is passed, else its default; evidence replaces what is unknown."""
        if fact is None:
            fact = function.defaults.get(name, v.UNKNOWN)
        elif not fact and self.settled:  # a call with a value we never saw made: it may be anything
            fact = v.UNKNOWN
        elif fact == v.UNKNOWN and name in function.defaults:
            fact = v.join(v.UNKNOWN, v.widen(function.defaults[name]))
        known = (function.evidence or {}).get(name)
        if known is not None and any(isinstance(atom, v.Anything) for atom in fact):
            fact = v.join(v.keep(fact, lambda atom: not isinstance(atom, v.Anything)), known)
        return fact

    def run_body(self, function: FunctionDefinition, seeds: dict[str, v.Fact]) -> v.Fact:
        """Run a function body once."""
        frame = Frame(self, function.module, function.closure, function)
        frame.env = dict(seeds)
        if isinstance(function.node, ast.Lambda):
            return frame.eval(function.node.body)
        if function.is_compiled:
            return v.FOREIGN
        frame.block(function.node.body)
        result = v.join(frame.returned, v.NONE) if frame.alive else frame.returned
        if frame.yielded is not None:
            if any("contextmanager" in d for d in function.decorators) or function.is_fixture:
                return frame.yielded
            return v.one(v.Iterator(frame.yielded))
        return result

    def construct(self, class_: ClassDefinition, arguments: Arguments) -> v.Fact:
        """Make an instance, running `__init__`."""
        made = self.instance(class_)
        init = class_.find("__init__")
        if init is not None and isinstance(made, v.Instance):
            self.apply(init, init.bind(arguments, v.one(made)))
        elif isinstance(made, v.Instance):
            for name, argument in zip(class_.fields(), arguments.positional, strict=False):
                self.set_attribute(class_, name, argument.fact)
            for name, argument in arguments.keywords.items():
                self.set_attribute(class_, name, argument.fact)
        return v.one(made)

    # --------------------------------------------------------------------------------------------- heap
    def set_attribute(self, class_: ClassDefinition, name: str, fact: v.Fact) -> None:
        """An instance attribute may also be this."""
        old = class_.attributes.get(name, v.BOTTOM)
        new = v.join(old, v.widen(fact))
        if new != old:
            class_.attributes[name] = new
            self.changed = True

    def add_element(self, site: int, fact: v.Fact, key: object = None) -> None:
        """A list or dict made at `site` may also hold this."""
        old = self.heap.get(site, v.BOTTOM)
        new = v.join(old, v.widen(fact))
        if new != old:
            self.heap[site] = new
            self.changed = True
        if key is not None:
            keys = self.keys.setdefault(site, {})
            merged = v.join(keys.get(key, v.BOTTOM), v.widen(fact))
            if merged != keys.get(key):
                keys[key] = merged
                self.changed = True

    def add_mappings(self, site: int, fact: v.Fact) -> None:
        """A dict made at `site` takes in what these mappings hold; of anything else the contents are not known."""
        for atom in fact:
            self.add_element(site, self.heap.get(atom.site, v.BOTTOM) if isinstance(atom, v.Mapping) else v.UNKNOWN)

    def set_global(self, module: ModuleInfo, name: str, fact: v.Fact) -> None:
        """A module global may also be this."""
        old = module.env.get(name, v.BOTTOM)
        new = v.join(old, fact)
        if new != old:
            module.env[name] = new
            self.changed = True


def names_itself(function: FunctionNode) -> bool:
    """Does its own name occur in its body?"""
    name = getattr(function, "name", "")
    return any(getattr(node, "id", None) == name or getattr(node, "attr", None) == name for node in tree_walk(function))
