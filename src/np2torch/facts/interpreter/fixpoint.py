"""The whole-project run: modules in import order, functions by call context, rounds until nothing changes.

A round runs every module and every entry. What a body read is kept with what it found (`contexts.py`), so that a
round only runs again what would come out differently.
"""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from np2torch.facts import compiled_functions, evidence, ndarray_subclasses
from np2torch.facts import values as v
from np2torch.facts.arguments import Api, Arguments
from np2torch.facts.domain import DOMAIN
from np2torch.facts.guards import behind
from np2torch.facts.interpreter import (
    annotated_classes,
    binding,
    expected_errors,
    flow,
    guarded_names,
    postconditions,
    protocols,
    raising_calls,
    subclass_results,
    unreached_code,
)
from np2torch.facts.interpreter.budget import FULL, Budget, BudgetSpentError, TrialBudget
from np2torch.facts.interpreter.context_selectors import varied_constants
from np2torch.facts.interpreter.contexts import CallContext, Widest, either_way, is_numeric, is_open, shared_key, widest
from np2torch.facts.interpreter.definitions import ClassDefinition, FunctionDefinition, ModuleInfo
from np2torch.facts.interpreter.dependencies import VALUES
from np2torch.facts.interpreter.descriptions import define
from np2torch.facts.interpreter.effects import Store
from np2torch.facts.interpreter.entry_points import roots, run_entries
from np2torch.facts.interpreter.environment import FunctionNode
from np2torch.facts.interpreter.expected_errors import RaisingContext
from np2torch.facts.interpreter.frame import Frame
from np2torch.facts.interpreter.heap import Heap
from np2torch.facts.interpreter.loop_carried import Loop, carried_names
from np2torch.facts.interpreter.memoization import EvaluationCache
from np2torch.facts.interpreter.outside import Outside
from np2torch.facts.lookalikes import Lookalikes, lookalikes

ROOT_ROUNDS, MOST_ROUNDS = 3, 12
WIDE_ROUND = 6
"""From this round on, what still changes may be anything."""
MANY_RUNS = 5_000
MOST_RUNS_EACH = 3
FEW_RUNS = 500
"""After so many runs for each function, and these, what still changes may be anything too."""
MOST_DEPTH, MOST_RECURSIONS = 24, 3


class Interpreter(Heap):
    """Runs every module of a project and records a fact for each expression.

    Attributes
    ----------
    facts
        Fact of each expression node, joined over every context it was evaluated in; filled when the run ends.
    also
        Further names of modules, and the names they go by.
    methods
        Classes that define a method, by its name.
    heirs
        Classes made from a class.
    callees, setters
        Functions of the project each call, or each attribute that is set, may reach.
    loops
        What a pass through each loop may read of the pass before.
    same
        One object for each fact there is.
    budget
        How far calls are told apart.
    memory, operated
        What expressions gave before, and binary operators.
    choosing, taken
        Names that are given several values, and the tests with the answers with which a call goes on.
    public, open, guards, unread, called_outside, extensions
        What is said of callers outside the project (`Outside`).
    supposed
        The nodes of bodies behind them, of which dtypes are supposed.
    entering
        The preparation of a function in a trial before it is called; nothing else otherwise.
    trial_runs, trial_budget, widest
        The contexts of trials, by their functions and passes, and the number of nodes in all bodies that these ran.
        When the run has ended, of each function the contexts that cover all others.
    not_followed
        What was passed to functions that were called too deeply to be looked into.
    number, runs, stack
        The number of the round, how many bodies were run so far, and the contexts that are running.
    tried
        The roots have been run: what calls do is known but for those that nobody makes.
    settled
        From now on, what was never seen may be anything: a value without a fact is not one still to come.
    """

    def __init__(self, api: Api, also: Mapping[str, str] | None = None, outside: Outside = Outside()) -> None:  # noqa: B008
        super().__init__()
        self.api = api
        self.also = also or {}
        self.facts: dict[ast.AST, v.Fact] = {}
        self.callees: dict[ast.Call, set[FunctionDefinition]] = defaultdict(set)
        self.setters: dict[ast.expr, set[FunctionDefinition]] = defaultdict(set)
        self.modules: dict[str, ModuleInfo] = {}
        self.public, self.open, self.guards, self.unread, called, self.extensions = outside
        self.called_outside = set(called)
        self.functions: dict[ast.AST, FunctionDefinition] = {}
        self.classes: dict[ast.AST, ClassDefinition] = {}
        self.methods: dict[str, list[ClassDefinition]] = defaultdict(list)
        self.heirs: dict[ClassDefinition, list[ClassDefinition]] = defaultdict(list)
        self.loops: dict[ast.AST, frozenset[str]] = {}
        self.same: dict[v.Fact, v.Fact] = {}
        self.memory = EvaluationCache()
        self.operated: dict[tuple[type, v.Fact, v.Fact], v.Fact] = {}
        self.choosing: frozenset[str] = frozenset()
        self.taken: set[tuple[ast.expr, bool]] = set()
        self.number = self.runs = 0
        self.budget = Budget()
        self.tried = self.settled = False
        self.lookalikes = Lookalikes()
        self.kept_arrays: frozenset[str] = frozenset()
        self.stack: list[CallContext] = []
        self.results: dict[CallContext, v.Fact] = {}
        self.failures: dict[str, Exception] = {}
        self.not_followed: list[v.Fact] = []
        self.supposed: set[ast.AST] = set()
        self.entering: Callable[[FunctionDefinition | None], None] = lambda function: None
        self.trial_runs: dict[tuple[FunctionDefinition, int], dict[Any, CallContext]] = {}
        self.trial_budget = TrialBudget()
        self.widest: dict[FunctionDefinition, Widest] = {}

    # ------------------------------------------------------------------------------------------- running
    def run(self, modules: list[ModuleInfo]) -> None:
        """Interpret the modules until nothing changes.

        First from the roots, the functions no file names (tests): what the project itself passes is then known.
        """
        for module in modules:
            self.modules.setdefault(module.name if module.around is None else module.path, module)
        self.modules |= {other: self.modules[name] for other, name in self.also.items() if name in self.modules}
        self.budget, trees = Budget(modules), [module.tree for module in modules]
        self.memory = EvaluationCache(self.budget.lines)
        self.kept_arrays = ndarray_subclasses.kept_classes(trees)
        self.lookalikes = lookalikes(trees)
        self.choosing = varied_constants(node for module in modules for node in module.nodes)
        known = roots(modules)
        for _ in range(ROOT_ROUNDS):
            if not self.round(modules, known) or self.runs > MANY_RUNS:
                break
        self.tried, runs = True, self.runs
        for number in range(MOST_ROUNDS):
            self.wide = number >= WIDE_ROUND or self.runs - runs > MOST_RUNS_EACH * len(self.functions) + FEW_RUNS
            self.settled = self.settled or self.wide
            changed = self.round(modules, None)
            if self.settled and not changed:
                break
            self.settled = True
        self.collect(modules)

    def round(self, modules: list[ModuleInfo], only: Counter[str] | None) -> bool:
        """Run everything once; tell whether anything changed that others read."""
        self.number += 1
        self.changed = False
        self.results = {}
        for function in self.functions.values():
            for context in function.known.values():
                if context.ident not in function.active:  # no longer met: what it found is not kept
                    context.drop()
                context.begin_round()
            function.active.clear()
            if self.budget.level(function) is FULL:
                function.general.clear()
        for module in modules:
            self.run_module(module)
        run_entries(self, modules, only)
        expected_errors.run(self)
        return self.changed or any(context.result != before for context, before in self.results.items())

    def collect(self, modules: list[ModuleInfo]) -> None:
        """Join what the contexts in use found; they are not needed any more."""
        contexts = [module.context for module in modules if module.context is not None]
        contexts += [unreached_code.look(self, module) for module in modules if module.aside]
        for function in self.functions.values():
            contexts += function.active.values()
            self.widest[function] = widest(function.active.values()) if function.guard is None else {}
            function.known.clear()
            function.choices.forget()
        self.same, self.operated = {}, {}
        self.memory.forget()
        DOMAIN.forget()
        self.facts = raising_calls.collect(contexts, {**self.callees, **self.setters})
        self.note_escapes()

    @contextmanager
    def trying(self, enter: Callable[[FunctionDefinition | None], None]) -> Iterator[None]:
        """Run something with limits of its own; `enter` is asked before each function."""
        before = self.budget, self.wide, self.entering
        self.budget, self.wide, self.entering = self.budget.anew(self.trial_budget.remainder), False, enter
        try:
            yield
        finally:
            self.trial_budget.spend(self.budget.node_count)
            self.budget, self.wide, self.entering = before

    def note_escapes(self) -> None:
        """Mark the functions that joins gave up: they may be called with anything."""
        for definition in DOMAIN.lost:
            definition.escape()
        DOMAIN.lost.clear()

    def run_module(self, module: ModuleInfo) -> None:
        """Run a module's top level, once a round."""
        context = module.top_level()
        if context.checked == self.number or self.holds(context):
            return
        before = module.begin()
        with self.isolate_errors(module):
            self.execute(context)
        if module.env != before:
            self.changed = True

    @contextmanager
    def isolate_errors(self, module: ModuleInfo) -> Iterator[None]:
        """Keep a defect of the analysis in one module from stopping the others: what it missed is unknown."""
        depth = len(self.stack)
        try:
            yield
        except BudgetSpentError:
            raise
        except Exception as error:
            del self.stack[depth:]
            self.failures[module.path] = error

    def instance(self, class_: ClassDefinition) -> v.Instance | v.Foreign:
        """An instance, or what stays on NumPy for a subclass of ndarray."""
        stays = class_.is_ndarray() and not class_.is_tensor()
        return v.Foreign("ndarray subclass", class_) if stays else v.Instance(class_)

    # ---------------------------------------------------------------------------------------- functions
    def function(self, node: FunctionNode, module: ModuleInfo, closure: CallContext | None) -> FunctionDefinition:
        """The definition of a `def` or lambda, the same one each time it is met."""
        found = self.functions.get(node)
        if found is None:
            found = self.functions[node] = define(node, module, self, self.lookalikes)
            module.functions.append(found)
            found.escape(node in self.public or node in self.open)
            if (guard := self.guards.get(found.place)) is not None:
                found.take_guard(guard)
        found.close_over(closure)
        return found

    def carried_names(self, loop: Loop, function: FunctionDefinition | None) -> frozenset[str]:
        """Give what a pass through a loop may read of the pass before."""
        found = self.loops.get(loop)
        if found is None:
            parts = [loop.test, *loop.body] if isinstance(loop, ast.While) else loop.body
            found = carried_names(parts, [] if isinstance(loop, ast.While) else [loop.target])
            if function is not None:
                found |= function.closed_over
            self.loops[loop] = found
        return found

    def apply(
        self,
        frame: protocols.Frame | None,
        function: FunctionDefinition,
        facts: dict[str, v.Fact],
        outer: CallContext | None = None,
        entry: bool = False,
    ) -> v.Fact:
        """The result of a call with these parameter facts, from the context's summary or by running the body.

        Parameters
        ----------
        frame
            The caller's.
        outer
            The run in which the function was defined, for a nested one.
        """
        mode: raising_calls.Failing = False
        if frame is not None:
            mode = frame.failing
            frame.act()
        if raising_calls.is_far(self.stack):
            return v.TOP
        if not entry and (mode is False or mode == raising_calls.UNREACHED):
            function.note_called()
        if frame is not None:
            for classes in function.classes.values():
                frame.note_heirs(classes)
        if function.altered.given and not entry:
            facts = binding.alter_arguments(function, facts, function.owner is not None and not function.is_static)
        seeds = self._seeds(function, facts)
        seeds |= self.held_by(frame, function, seeds, facts)
        passed, around = tuple(seeds.values()), outer or function.closure
        self.entering(function)
        find = expected_errors.meet if expected_errors.waits(frame, passed, around) else self.context
        context = find(function, passed, around, mode)
        if context is None:
            function.escape()  # not followed here, so it is run on its own with unknown parameters
            self.not_followed += seeds.values()
            return v.TOP
        if frame is not None:
            expected_errors.note_call(frame, context, passed, mode)
            if function.altered.result:
                return v.join(v.TOP, context.result)
        numbers = any(v.known_to_include(seed, "number") for seed in seeds.values())
        return either_way(context.result) if numbers else context.result

    def _seeds(self, function: FunctionDefinition, facts: dict[str, v.Fact]) -> dict[str, v.Fact]:
        """Give the facts that the parameters of a function begin with, those that take what is left included."""
        seeds = {name: self.parameter(function, name, facts.get(name)) for name in function.named_parameters}
        if (vararg := function.node.args.vararg) is not None:
            seeds[vararg.arg] = facts.get(vararg.arg) or v.one(v.Sequence("tuple", None, v.TOP))
        if (kwarg := function.node.args.kwarg) is not None:
            seeds[kwarg.arg] = facts.get(kwarg.arg) or binding.any_keywords(function, kwarg)
        return seeds

    def context(
        self,
        function: FunctionDefinition,
        key: tuple[v.Fact, ...],
        outer: CallContext | None,
        mode: raising_calls.Failing,
    ) -> CallContext | None:
        """The context of a call, up to date; None where calls are nested too deeply."""
        active, (most, growth) = function.active, self.budget.level(function)
        of = function.choices.of
        chosen = of(key)
        alike = (1 for _, passed, as_ in active if as_ is mode and of(passed) == chosen)
        is_first = next(alike, None) is None
        if not any(map(is_numeric, key)):  # without arrays or numbers one context serves all calls
            key = shared_key(function.plain, (mode, chosen, False), key, growth)
        elif not is_first:
            key = function.choices.without_constants(key)
        found = active.get((outer, key, mode))
        if found is None and (function.is_running or not is_first and 1 + sum(alike) >= most):
            key = shared_key(function.general, (mode, chosen, any(map(is_open, key))), key, growth)
            found = active.get((outer, key, mode))
        if found is not None:
            found.note_recursion()
            if not found.running and found.outside and found.is_outdated():
                self.execute(found)
            return found
        if len(self.stack) > MOST_DEPTH:
            return None
        found = function.known.get((outer, key, mode))
        if found is None:
            found = function.known[outer, key, mode] = CallContext(function.module, function, outer, key, mode)
        active[found.ident] = found
        if found.checked != self.number and not self.holds(found):
            self.execute(found)
        return found

    def parameter(self, function: FunctionDefinition, name: str, fact: v.Fact | None) -> v.Fact:
        """Give what a parameter may be: what is passed, else its default; evidence replaces what is unknown."""
        if fact is None:
            fact = function.defaults.get(name, v.TOP)
        elif not fact and self.settled:  # a call with a value we never saw made: it may be anything
            fact = v.TOP
        elif v.is_anything(fact) and name in function.defaults:
            fact = v.join(v.TOP, v.widen(function.defaults[name]))
        known = function.evidence.get(name)
        fact = fact if known is None else known.passed_fact(fact, function.node in self.open)
        classes = function.classes.get(name)
        fact = fact if classes is None else annotated_classes.fill_instances(self, fact, classes)
        guard = function.guard
        return behind(guard, name, fact) if guard is not None and name in guard.parameters else fact

    def held_by(
        self, frame: protocols.Frame | None, function: FunctionDefinition, seeds: dict[str, v.Fact],
        facts: dict[str, v.Fact],
    ) -> dict[str, v.Fact]:  # fmt: skip
        """Give the attributes of the object that a method is called on, as far as its contexts tell them apart."""
        known = seeds | facts if function.held else {}
        return {path: known.get(path) or self.attribute_of(frame, function, path, known) for path in function.held}

    def attribute_of(
        self, frame: protocols.Frame | None, function: FunctionDefinition, path: str, passed: Mapping[str, v.Fact]
    ) -> v.Fact:  # fmt: skip
        """Give the fact of `self.x` in a method: that of the method's guard, where it names the attribute."""
        if function.guard is not None and path in (checked := function.guard.inputs):
            return checked[path]
        owner, _, name = path.partition(".")
        objects = passed.get(owner, v.TOP)
        if not v.only(objects, "instance"):
            return v.TOP
        classes = [atom.definition for atom in objects if isinstance(atom, v.Instance)]
        read = frame.attribute if frame is not None else ClassDefinition.attribute
        return v.join(v.BOTTOM, *(read(one, name) for one in classes)) or v.TOP

    # ----------------------------------------------------------------------------------------- contexts
    def holds(self, context: CallContext) -> bool:
        """Tell whether running it again would find the same; then it and its callees also stand for this round."""
        if context.executed < 0:
            return False
        if context.checked == self.number:
            return True
        context.check(self.number)  # while it is under way, recursion takes it to hold
        for cell, before in context.reads.items():
            kind, owner, name = cell
            now = VALUES[kind](self, owner, name)
            if now is not before and now != before:
                return False
        for (outer, name), before in context.outside.items():
            if outer.executed == self.number and outer.variable(name) != before:
                return False
        for callee, outcome in list(context.calls.items()):
            self.entering(callee.function)
            if callee.checked != self.number and not isinstance(callee, RaisingContext) and not self.holds(callee):
                if len(self.stack) > MOST_DEPTH:
                    return False
                self.execute(callee)
            if callee.outcome != outcome:
                return False
        for callee in context.calls:
            if callee.function is not None:
                callee.function.active[callee.ident] = callee
        for (_, callee), passed in context.failed.items():
            callee.meet(passed)
        context.effects.assign_nonlocals()
        self.repeat(context.effects)
        return True

    def execute(self, context: CallContext) -> None:
        """Run the body of a context; a second run within a round adds to the first."""
        if context.executed != self.number:
            self.results[context] = context.result
        context.start(self.number)
        function = context.function
        self.stack.append(context)
        self.runs += 1
        try:
            if function is not None:
                self.budget.spend(function.enter())
            for _ in range(MOST_RECURSIONS):
                if not context.add_result(self.run_body(context)):  # only its own result is new to it
                    break
        finally:
            if function is not None:
                function.leave()
            self.stack.pop()
            context.stop()
        context.finish(self.wide and context.result != self.results[context])

    def run_body(self, context: CallContext) -> v.Fact:
        """Run the body once."""
        function = context.function
        frame = Frame(self, context)
        if function is None:
            context.stand_in(frame)
            frame.enter(context.module.env)
            frame.env["__name__"] = frame.env["__file__"] = v.TEXT
            flow.block(frame, context.module.body)
            context.module.env.update(frame.env)
            return v.BOTTOM
        frame.enter(dict(zip(function.inputs, context.parameters, strict=True)), bool(function.held))
        context.stand_in(frame)
        if isinstance(function.node, ast.Lambda):
            return frame.eval(function.node.body)
        flow.block(frame, guarded_names.statements(frame, function))
        if frame.alive:
            postconditions.note(frame)
        result = v.join(frame.returned, v.NONE) if frame.alive else frame.returned
        if frame.yielded is not None:
            if any("contextmanager" in d for d in function.decorators) or function.is_fixture:
                return frame.yielded
            return v.one(v.Iterator(frame.yielded))
        classes = function.classes.get("")
        if classes is not None:
            frame.note_heirs(classes)
            result = annotated_classes.fill_instances(self, result, classes)
        return compiled_functions.given_back(result) if function.is_compiled else result

    def note_store(self, store: Store) -> None:
        """Note what the context that is running stores in a trial."""
        if self.stack:
            self.stack[-1].effects.stores[store] = None

    def construct(self, frame: protocols.Frame, class_: ClassDefinition, arguments: Arguments) -> v.Fact:
        """Make an instance, running `__init__`."""
        made = self.instance(class_)
        if raising_calls.is_hidden(frame.failing, class_, arguments):
            with frame.expecting(class_):
                return self.construct(frame, class_, arguments)
        init = class_.find("__init__")
        other = subclass_results.by_new(frame, made, arguments)
        if init is not None:
            self.apply(frame, init, init.bind(arguments, v.one(made)))
        elif isinstance(made, v.Instance) and not class_.is_ndarray() and class_.find("__new__") is None:
            by_place = zip(class_.fields(), arguments.positional, strict=False)
            for name, given in (*by_place, *arguments.keywords.items()):
                self.set_attribute(class_, name, evidence.fill_unknown(given.fact, class_.annotated_fact(name)), frame)
        return v.join(v.one(made), other)
