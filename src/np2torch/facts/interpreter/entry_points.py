"""Entry points of a project: tests, scripts, and functions that nothing in the project calls."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from np2torch.facts import values as v
from np2torch.facts.interpreter.contexts import CallContext
from np2torch.facts.interpreter.fixtures import Fixtures
from np2torch.facts.interpreter.frame import Frame
from np2torch.facts.interpreter.iteration import item, iterate
from np2torch.facts.interpreter.stable_order import in_order
from np2torch.facts.ndarray_subclasses import WRAP

if TYPE_CHECKING:
    from np2torch.facts.evidence import Case
    from np2torch.facts.interpreter.definitions import ClassDefinition, FunctionDefinition, ModuleInfo
    from np2torch.facts.interpreter.protocols import Rounds

_WORD = re.compile(r"\w+")
_DEFINED = re.compile(r"\bdef +(\w+)")
MOST_CLOSURES = 6
MOST_SELVES = 8


def roots(modules: Sequence[ModuleInfo]) -> Counter[str]:
    """Count each word but for names of `def`s; 0 for a function that nothing refers to."""
    words: Counter[str] = Counter()
    for module in modules:
        words.update(_WORD.findall(module.text))
        words.subtract(_DEFINED.findall(module.text))
    return words


def is_root(function: FunctionDefinition, words: Counter[str]) -> bool:
    """Tell whether nothing in the project refers to it, and Python does not call it (as `__init__`)."""
    name = function.name
    return bool(function.module.text) and not words[name] and not name.startswith("__") and not function.is_fixture


def run_entries(engine: Rounds, modules: Sequence[ModuleInfo], only: Counter[str] | None) -> None:
    """Run what nothing in the project calls: public functions, methods, tests; of these `only` the roots."""

    def is_wanted(function: FunctionDefinition) -> bool:
        if only is not None:
            return is_root(function, only)
        engine.note_escapes()
        if function.escaped or function.name in engine.called_outside or function.name == WRAP:
            return True
        return not (function.called or _is_left_out(function))

    fixtures = Fixtures(engine, modules)
    for module in modules:
        _run_entries(engine, module, is_wanted, fixtures)
    if only is None:  # what was called once, by a call that is no longer made, is still to be looked at
        for module in modules:
            _run_entries(engine, module, lambda function: not (function.active or _is_left_out(function)), fixtures)
        for module in modules:
            for class_ in list(module.classes):
                for function in class_.methods.values():
                    _run_on_heirs(engine, function, class_)


def _is_left_out(function: FunctionDefinition) -> bool:
    """Tell whether its module is only read for what others call, and it is no test that classes elsewhere inherit."""
    owner = function.owner
    return function.module.is_helper and (owner is None or not _is_inherited_test(function, owner))


def _is_inherited_test(function: FunctionDefinition, class_: ClassDefinition) -> bool:
    return function.name.startswith("test") and bool(_inheriting(function, class_))


def _run_entries(
    engine: Rounds, module: ModuleInfo, wanted: Callable[[FunctionDefinition], bool], fixtures: Fixtures
) -> None:
    for class_ in list(module.classes):
        for method in _own_methods(class_):
            if wanted(method):
                for classes in _running(method, class_):
                    with engine.isolate_errors(module):
                        _run_entry(engine, method, classes[0], fixtures, classes)
    for function in list(module.functions):
        if function.owner is None and wanted(function):
            with engine.isolate_errors(module):
                _run_entry(engine, function, None, fixtures)


def _own_methods(class_: ClassDefinition) -> list[FunctionDefinition]:
    """The methods of a class, its constructor first, with those that set a property."""
    names = sorted(class_.methods, key=lambda name: name != "__init__")
    return list(dict.fromkeys([*(class_.methods[name] for name in names), *class_.setters.values()]))


def _running(function: FunctionDefinition, class_: ClassDefinition) -> list[list[ClassDefinition]]:
    """The classes on whose instances a method may run, a few at a time: its own, and those that inherit it.

    A test runs on each of them alone, since each has fixtures of its own.
    """
    heirs = _inheriting(function, class_)
    if not _is_inherited_test(function, class_):
        return _few([class_, *heirs])
    return [[one] for one in heirs] if _only_heirs_run(class_, heirs) else [[one] for one in (class_, *heirs)]


def _only_heirs_run(class_: ClassDefinition, heirs: list[ClassDefinition]) -> bool:
    """Are tests collected by the name of their class, `Test...`, and this one's is another?"""
    names = [one.node.name.startswith("Test") for one in (class_, *heirs)]
    return not names[0] and all(names[1:]) and not any("TestCase" in ast.unparse(base) for base in class_.node.bases)


def _few(classes: list[ClassDefinition]) -> list[list[ClassDefinition]]:
    return [classes[at : at + MOST_SELVES] for at in range(0, len(classes), MOST_SELVES)]


def _inheriting(function: FunctionDefinition, class_: ClassDefinition) -> list[ClassDefinition]:
    heirs = (heir for heir in class_.heirs if heir.is_tensor() or not heir.is_ndarray())
    return [heir for heir in heirs if function in (heir.find(function.name), heir.setter(function.name))]


def _run_on_heirs(engine: Rounds, function: FunctionDefinition, class_: ClassDefinition) -> None:
    """Run a method that is called on the instances it is not called on, as it is called on the others."""
    heirs = [] if function.is_static or not function.called else _inheriting(function, class_)
    keys = [key for _, key, mode in function.active if heirs and mode is False and key]
    seen = v.join(v.BOTTOM, *(key[0] for key in keys))
    if not keys or v.known_to_include(seen, "unknown"):
        return
    made = v.Class if function.takes_class else engine.instance
    left = [heir for heir in heirs if made(heir) not in seen]
    joined = [v.join(*facts) for facts in zip(*keys, strict=True)]
    for few in _few(left):
        facts = dict(zip(function.inputs, [frozenset(map(made, few)), *joined[1:]], strict=True))
        with engine.isolate_errors(function.module):
            engine.apply(None, function, facts, function.closure, entry=True)


def _run_entry(
    engine: Rounds,
    function: FunctionDefinition,
    class_: ClassDefinition | None,
    fixtures: Fixtures,
    classes: Sequence[ClassDefinition] = (),
) -> None:
    """Run a function on what is known of its parameters without a caller."""
    facts: dict[str, v.Fact] = {}
    for index, name in enumerate(function.named_parameters):
        if index == 0 and class_ is not None and not function.is_static:
            facts[name] = frozenset(v.Class(one) if function.takes_class else engine.instance(one) for one in classes)
        elif class_ is not None and class_.is_ndarray() and (passed := _by_numpy(engine, function, class_, index)):
            facts[name] = passed
        elif name in function.cases:
            facts[name] = _of_cases(engine, function, class_, name)
        else:
            given = fixtures.fixture_fact(function, class_, name)
            facts[name] = _from_outside(engine, function, name) if given is None else given
    outers: list[CallContext | None] = [outer for outer in function.closures if outer.is_active]
    for outer in outers[:MOST_CLOSURES] or [None]:
        if function.guard is not None:
            _enter(engine, function, facts, outer)
        else:
            engine.apply(None, function, facts, outer, entry=True)


def _by_numpy(engine: Rounds, function: FunctionDefinition, class_: ClassDefinition, index: int) -> v.Fact:
    """Give what NumPy passes to a method of a subclass of ndarray that it calls itself; nothing for others."""
    if function.name == "__array_finalize__" and index == 1:
        return v.join(v.NONE, v.ARRAY, v.one(engine.instance(class_)))
    if function.name == WRAP and index in (1, 3):
        return v.BOOL if index == 3 else v.join(v.ARRAY, v.one(engine.instance(class_)))
    return v.BOTTOM


def _of_cases(engine: Rounds, function: FunctionDefinition, class_: ClassDefinition | None, name: str) -> v.Fact:
    """The values of a parameter that the decorators of a test list, which may speak of attributes of its class."""
    frame = Frame(engine, CallContext(function.module, None, None, ()))
    own = class_.attributes if class_ is not None else {}
    frame.enter(dict(function.module.env) | {name: own[name] for name in sorted(own)}, has_paths=True)
    return v.widen(v.join(v.BOTTOM, *(_value(frame, case) for case in function.cases[name]))) or v.TOP


def _enter(
    engine: Rounds, function: FunctionDefinition, facts: dict[str, v.Fact], outer: CallContext | None
) -> None:
    """Run a function in each of the worlds behind its guard, as callers that nobody sees may call it."""
    for world in function.guard.worlds if function.guard is not None else ():
        passed = {name: engine.parameter(function, name, fact) for name, fact in facts.items()} | world
        key = tuple(passed.get(name, v.TOP) for name in function.inputs)
        ident = (outer or function.closure, key, False)
        found = function.active.get(ident) or function.known.get(ident)
        if found is None:
            found = function.known[ident] = CallContext(function.module, function, ident[0], key)
        function.active[ident] = found
        if found.checked != engine.number and not engine.holds(found):
            engine.execute(found)


def _from_outside(engine: Rounds, function: FunctionDefinition, name: str) -> v.Fact:
    """Give what an unseen caller may pass: to a public function also the arrays of the project that stay ndarrays."""
    said = function.evidence.get(name)
    if function.node not in engine.public or said is not None and said.fact and not v.may(said.fact, "array"):
        return v.TOP
    kept = (class_ for class_ in engine.classes.values() if class_.is_array)
    return v.join(v.TOP, *(v.one(engine.instance(class_)) for class_ in kept))


def _value(frame: Frame, case: Case) -> v.Fact:
    """Evaluate the values of a parametrized test, in one case or in all that an expression holds."""
    fact = frame.eval(case.node)
    if not case.rows:
        return fact
    fact = iterate(frame, fact)
    return fact if case.column is None else v.join(v.BOTTOM, *(item(frame, a, case.column) for a in in_order(fact)))
