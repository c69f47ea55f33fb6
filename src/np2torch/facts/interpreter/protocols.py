"""The parts of a run and of the interpreter that others see, transfer functions among them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Set
from contextlib import AbstractContextManager
from typing import Protocol

from np2torch.facts import values as v
from np2torch.facts.arguments import Api, Arguments
from np2torch.facts.interpreter.definitions import CallContext, ClassDefinition, Failing, FunctionDefinition, ModuleInfo
from np2torch.facts.interpreter.environment import Cell, Env, FunctionNode
from np2torch.facts.interpreter.loop_carried import Loop
from np2torch.facts.lookalikes import Lookalikes


class Cells(Protocol):
    """The part of it that bodies can read outside of themselves (`dependencies.py`)."""

    heap: dict[int, v.Fact]
    keys: dict[int, dict[object, v.Fact]]
    methods: dict[str, list[ClassDefinition]]
    heirs: dict[ClassDefinition, list[ClassDefinition]]
    taken: set[tuple[ast.expr, bool]]
    number: int
    tried: bool
    settled: bool

    def run_module(self, module: ModuleInfo) -> None:
        """Run a module's top level, once a round."""


class Interpreter(Cells, Protocol):
    """The part of the interpreter that transfer functions see; its attributes are said there (`fixpoint.py`)."""

    modules: dict[str, ModuleInfo]
    classes: dict[ast.AST, ClassDefinition]
    callees: dict[ast.Call, set[FunctionDefinition]]
    operated: dict[tuple[type, v.Fact, v.Fact], v.Fact]
    called_outside: set[str]
    changed: bool
    lookalikes: Lookalikes
    kept_arrays: frozenset[str]

    @property
    def api(self) -> Api:
        """NumPy's functions and methods, and what they give."""

    @property
    def open(self) -> Set[ast.AST]:
        """Functions that callers outside the project may call with anything."""

    @property
    def unread(self) -> Set[str]:
        """Modules of the project that are not looked into."""

    @property
    def extensions(self) -> Set[str]:
        """Modules of the project that no Python text is of."""

    def instance(self, class_: ClassDefinition) -> v.Instance | v.Foreign:
        """An instance, or what stays on NumPy for a subclass of ndarray."""

    def carried_names(self, loop: Loop, function: FunctionDefinition | None) -> frozenset[str]:
        """Give what a pass through a loop may read of the pass before."""

    def apply(
        self, frame: Frame | None, function: FunctionDefinition, facts: dict[str, v.Fact],
        outer: CallContext | None = None, entry: bool = False,
    ) -> v.Fact:  # fmt: skip
        """The result of a call with these parameter facts."""

    def construct(self, frame: Frame, class_: ClassDefinition, arguments: Arguments) -> v.Fact:
        """Make an instance, running `__init__`."""

    def set_attribute(self, class_: ClassDefinition, name: str, fact: v.Fact, frame: Frame) -> None:
        """Join a fact into an attribute of all instances of a class."""

    def note_key(self, site: int, key: v.Fact) -> None:
        """Note that a dict is read or written under this key."""

    def add_element(self, site: int, fact: v.Fact, key: object = None) -> None:
        """Join a fact into the elements of a list or dict by its allocation site."""

    def note_change(self) -> None:
        """Note that others may read something else than before."""

    def set_global(self, module: ModuleInfo, name: str, fact: v.Fact) -> None:
        """Join a fact into a global that a function assigns."""


class Memory(Protocol):
    """The facts that expressions gave before."""

    def cached_fact(self, frame: Frame, node: ast.expr) -> v.Fact:
        """Give the fact of an expression, found before or now."""


class Rounds(Interpreter, Protocol):
    """The part that those see who run bodies, round after round."""

    functions: dict[ast.AST, FunctionDefinition]
    setters: dict[ast.expr, set[FunctionDefinition]]
    same: dict[v.Fact, v.Fact]
    choosing: frozenset[str]
    wide: bool
    stack: list[CallContext]

    @property
    def memory(self) -> Memory:
        """The facts that expressions gave before."""

    @property
    def public(self) -> Set[ast.AST]:
        """Functions that callers outside the project may call with ndarrays."""

    def isolate_errors(self, module: ModuleInfo) -> AbstractContextManager[None]:
        """Keep a defect of the analysis in one module from stopping the others."""

    def function(self, node: FunctionNode, module: ModuleInfo, closure: CallContext | None) -> FunctionDefinition:
        """The definition of a `def` or lambda, the same one each time it is met."""

    def parameter(self, function: FunctionDefinition, name: str, fact: v.Fact | None) -> v.Fact:
        """Give what a parameter may be: what is passed, else its default; evidence replaces what is unknown."""

    def holds(self, context: CallContext) -> bool:
        """Tell whether running it again would find what it found."""

    def execute(self, context: CallContext) -> None:
        """Run the body of a context."""

    def note_escapes(self) -> None:
        """Mark the functions that joins gave up: they may be called with anything."""


class Frame(Protocol):
    """One run of one body, as transfer functions see it; its attributes are said in `run_state.py`."""

    context: CallContext
    module: ModuleInfo
    function: FunctionDefinition | None
    facts: dict[ast.AST, v.Fact]
    reads: dict[Cell, object]
    env: Env
    has_paths: bool
    is_whole: bool
    acted: bool
    has_bound: bool
    returned: v.Fact
    yielded: v.Fact | None
    alive: bool
    left_a_with: bool
    leaving: list[Env]
    bound: Env | None
    settled: Env
    globals: set[str]
    nonlocals: set[str]
    called: CallContext | None
    failing: Failing
    expected: ast.Call | None
    site: ast.Call | None

    @property
    def engine(self) -> Interpreter:
        """The interpreter."""

    def eval(self, node: ast.expr) -> v.Fact:
        """The fact of an expression, recorded."""

    def evaluate(self, node: ast.expr) -> v.Fact:
        """Evaluate an expression, whatever was found before."""

    def callee(self, node: ast.expr) -> v.Fact:
        """The fact of what a call calls, recorded."""

    def read(self, atom: v.Atom, name: str) -> v.Fact:
        """The fact of an attribute of one alternative."""

    def call(self, node: ast.Call, atom: v.Atom, arguments: Arguments) -> v.Fact:
        """The fact of calling one alternative of a callee with arguments that are not written at the call."""

    def run(self, statement: ast.stmt) -> None:
        """Run a statement."""

    def assign(self, target: ast.expr, fact: v.Fact) -> None:
        """Bind a target of any shape."""

    def bind(self, name: str, fact: v.Fact) -> None:
        """Assign a name."""

    def know(self, key: str, fact: v.Fact) -> None:
        """Narrow a name, or a path such as `self.x`, from here on."""

    def forget(self, attributes: frozenset[str], passed: tuple[v.Fact, ...] = ()) -> None:
        """Forget what `self.x` was here: a call may have assigned these attributes."""

    def lookup(self, name: str) -> v.Fact | None:
        """Give what a name may be here; None when nothing in the project binds it."""

    def member(self, module: ModuleInfo, name: str) -> v.Fact | None:
        """A global of a module of the project."""

    def attribute(self, class_: ClassDefinition, name: str) -> v.Fact:
        """Give what instances of a class of the project hold under a name."""

    def classes_with(self, method: str) -> list[ClassDefinition]:
        """The project's classes that define a method of that name."""

    def note_heirs(self, classes: Iterable[ClassDefinition | None]) -> None:
        """Note that what follows rests on which classes are made from these."""

    def element(self, site: int) -> v.Fact:
        """Give the joined fact of the items put into the container made at `site`; bottom if there are none."""

    def keys(self, site: int) -> Mapping[object, v.Fact]:
        """Give what was put into the dict made at `site` under constant keys."""

    def shorten(self, fact: v.Fact) -> None:
        """Forget what stands where in lists from which items are taken, for all that hold them."""

    def add_mappings(self, site: int, fact: v.Fact) -> None:
        """Join what mappings hold into the dict of an allocation site."""

    def takes(self, test: ast.expr, truth: bool, answer: object) -> bool:
        """Tell whether the flow may go on here after a test with this answer."""

    def unseen(self) -> v.Fact:
        """Give what a value is that was never seen made: still to come, or in the end anything."""

    def enter(self, env: Env, has_paths: bool = False) -> None:
        """Go on with other facts of the names, and perhaps of paths such as `self.x`."""

    def join(self, env: Env) -> None:
        """Go on with what the names may be here or were there: what ran in between may not have run."""

    def stop(self) -> None:
        """End the flow here."""

    def resume(self, alive: bool = True) -> None:
        """Let the flow go on here."""

    def act(self) -> None:
        """Note an effect, so that the evaluation is repeated each time instead of taken from the cache."""

    def give(self, fact: v.Fact) -> None:
        """Add a fact to those that the call may return."""

    def yield_(self, fact: v.Fact) -> None:
        """Yield this as well."""

    def note_left_with(self) -> None:
        """Note that a `with` was left for good, unless its object holds the error back."""

    def expect_error_of(self, call: ast.Call | None) -> None:
        """Expect this call to raise."""

    def leave_scope(self, env: Env, has_bound: bool) -> None:
        """Forget what a comprehension bound."""

    def run_pass(self, body: Callable[[], None]) -> list[Env]:
        """Run one pass through the body of a loop; give the states in which it was left early."""

    def bound_by(self, run: Callable[[], None]) -> Env:
        """Run something; give all that it binds on the way, joined."""

    def look_aside(self, look: Callable[[], object]) -> None:
        """Look at what never runs: what it returns, binds and leaves behind is forgotten."""

    def record_in(self, facts: dict[ast.AST, v.Fact], reads: dict[Cell, object], as_whole: bool) -> None:
        """Record facts and what is read elsewhere; what is one whole begins without having acted or bound a name."""

    def begin_call(self, node: ast.Call, is_followed: bool) -> Failing:
        """Begin a call; give how the calls around it are expected to end."""

    def end_call(self, before: Failing) -> None:
        """End a call."""

    def note_called(self, context: CallContext) -> None:
        """Note the context that served the call at hand."""

    def expecting(self, mode: Failing) -> AbstractContextManager[None]:
        """Expect calls made meanwhile to raise."""

    def inner(self) -> Frame:
        """The frame of a class body that stands here."""

    def define(self, node: FunctionNode) -> FunctionDefinition:
        """The definition of a function met in this frame, its defaults evaluated here."""

    def let_go(self, arguments: Arguments) -> None:
        """Let arguments escape to unseen code, which may call functions and fill lists with anything."""

    def search(self, module: str) -> None:
        """Let the functions and classes of a module escape that unseen code searches."""

    def escape(self, fact: v.Fact) -> None:
        """Let functions escape that are stored where calls cannot be followed."""
