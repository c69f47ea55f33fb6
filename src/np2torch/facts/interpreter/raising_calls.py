"""Calls that a test expects to raise: what they pass and set is no example of how a function is used.

Calls that stand where a context never comes (`flow.py`) are told apart alike: they count where nothing else does.

Such a call has contexts of its own, and so have the calls below it. What the object under construction is given there
no other call ever sees. What they find counts in what nothing else runs, and where the error may come from. A call that
passes lists of numbers as it might pass arrays counts as a whole: NumPy may refuse their values anywhere.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from np2torch.facts import values as v
from np2torch.facts.arguments import Arguments
from np2torch.facts.interpreter.definitions import UNREACHED as UNREACHED
from np2torch.facts.interpreter.definitions import CallContext, ClassDefinition, FunctionDefinition
from np2torch.facts.interpreter.definitions import Failing as Failing
from np2torch.names.tree import called_name
from np2torch.names.tree import walk as tree_walk

MOST_UNREACHED = 1
"""How many calls are followed from where no context comes."""
MET = ("array", "scalar", "none", "instance")
"""The kinds of what is passed for arrays, and beside them."""
EXPECTING = {
    "raises": 1, "assertRaises": 1, "assert_raises": 1, "assertRaisesRegex": 2, "assertRaisesRegexp": 2,
    "assert_raises_regex": 2,
}  # fmt: skip
"""Functions that expect an error: at which position a function to call stands."""


def expects_error(node: ast.expr) -> bool:
    """Tell whether it is `pytest.raises(...)` or its like without a function, what a `with` is entered with."""
    if not isinstance(node, ast.Call):
        return False
    position = EXPECTING.get(called_name(node))
    return position is not None and len(node.args) <= position


def expected_to_raise(statement: ast.stmt) -> ast.stmt:
    """A statement under `with raises():`."""
    expecting = ast.Call(ast.Name("raises", ast.Load()), [], [])
    return ast.With([ast.withitem(expecting)], [statement], lineno=statement.lineno, col_offset=0)


def last_call(body: list[ast.stmt]) -> ast.Call | None:
    """Find the call that raises where nothing before did: the outermost of the last statement."""
    last = body[-1]
    if isinstance(last, ast.Assign) and not all(isinstance(target, ast.Name) for target in last.targets):
        return None  # what takes the value may be what raises
    value = last.value if isinstance(last, (ast.Expr, ast.Assign, ast.Return)) else None
    return value if isinstance(value, ast.Call) else None


def collect(
    contexts: list[CallContext], callees: Mapping[Any, Collection[FunctionDefinition]]
) -> dict[ast.AST, v.Fact]:
    """Join what contexts found: of what runs, of calls that fail, and of what is never reached where nothing else is.

    The contexts forget what they found, to spare memory.
    """
    facts: dict[ast.AST, v.Fact] = {}
    counted = CountedFailures(callees, contexts)
    expected = [context for context in contexts if context.failing and context.failing != UNREACHED]
    for context in contexts:
        if not context.failing:
            _add(facts, context.facts.items())
    used = frozenset(facts)
    for context in expected:
        last = counted.until(context)
        found = context.facts.items()
        _add(facts, [item for item in found if item[0] not in used or getattr(item[0], "lineno", 0) <= last])
    used = frozenset(facts)
    for context in contexts:
        for rest in (context.facts, context.unreached) if context.failing == UNREACHED else (context.unreached,):
            _add(facts, (item for item in rest.items() if item[0] not in used))
        context.begin()
        context.stand_in(None)
    return facts


def _add(facts: dict[ast.AST, v.Fact], found: Iterable[tuple[ast.AST, v.Fact]]) -> None:
    for node, fact in found:
        old = facts.get(node)
        facts[node] = fact if old is None or old is fact else v.join(old, fact)


def passes_lists(function: FunctionDefinition, passed: Iterable[v.Fact]) -> bool:
    """Tell whether a call passes lists of numbers, and nothing else that only a check of kinds would refuse.

    That is arrays, None, objects, and what is of the kind of the parameter's default.
    """
    facts = dict(zip(function.inputs, passed, strict=True))
    facts = {name: facts[name] for name in function.named_parameters}
    defaults = {name: v.kinds(function.defaults.get(name, v.BOTTOM)) for name in facts}
    is_fit = all(_is_numbers(fact) or v.kinds(fact) <= {*MET, *defaults[name]} for name, fact in facts.items())
    return is_fit and any(v.known_to_include(fact, "sequence") for fact in facts.values())


def _is_numbers(fact: v.Fact, nested: bool = False) -> bool:
    """Tell whether it is only arrays, and lists of numbers."""
    kinds = {*MET, "number"} if nested else MET
    return all(
        _is_numbers(v.elements(atom), nested=True) if isinstance(atom, v.Sequence) else atom.kind in kinds
        for atom in fact
    )  # fmt: skip


class CountedFailures:
    """The part of failing contexts that matters beside what others find.

    The error comes from a `raise` or an `assert`, if the function or one it calls has any: no statement after the last
    one is reached. Calls further up came back, and count whole.
    """

    def __init__(self, callees: Mapping[Any, Collection[FunctionDefinition]], contexts: Iterable[CallContext]) -> None:
        self._callees = callees
        self._last: dict[FunctionDefinition, tuple[int, ast.expr | None]] = {}
        self._until: dict[CallContext, float] = {}
        for context in contexts:
            if not context.failing:
                for (_, callee), passed in context.failed.items():
                    self._take_in(callee, callee.function is not None and passes_lists(callee.function, passed))

    def until(self, context: CallContext) -> float:
        """The last line for which counts what a context finds."""
        return self._until.get(context, math.inf)

    def _take_in(self, context: CallContext, is_whole: bool) -> None:
        function = context.function
        line, final = self._raising(function) if function is not None else (0, None)
        until = math.inf if is_whole else line
        if until <= self._until.get(context, -1):
            return
        self._until[context] = until
        for site, callee in context.failed:
            if site is None or is_whole or site.lineno <= line:
                self._take_in(callee, is_whole or site is None or site is not final)

    def _raising(self, function: FunctionDefinition) -> tuple[int, ast.expr | None]:
        """The last line of the statements that may raise, and the call whose error it is where that is all they do."""
        found = self._last.get(function)
        if found is None:
            self._last[function] = found = (0, None)  # while it is under way, recursion adds nothing
            body = function.node.body if not isinstance(function.node, ast.Lambda) else [function.node.body]
            for part in body:
                if any(map(self._raises, tree_walk(part))):
                    found = (part.end_lineno or 0, last_call([part]) if isinstance(part, ast.stmt) else None)
            self._last[function] = found
        return found

    def _raises(self, node: ast.AST) -> bool:
        if isinstance(node, (ast.Call, ast.Attribute)):  # setting an attribute may call what a property is made of
            return any(self._raising(callee)[0] for callee in self._callees.get(node, ()))
        return isinstance(node, (ast.Raise, ast.Assert))


def is_far(stack: list[CallContext]) -> bool:
    """Tell whether these are calls so far behind one that is never made that they need not be followed."""
    return len(stack) >= MOST_UNREACHED and stack[-MOST_UNREACHED].failing == UNREACHED


def is_hidden(mode: Failing, class_: ClassDefinition, arguments: Arguments) -> bool:
    """Tell whether an object is made in a failing call, and no other object is passed that may be seen."""
    if not mode or mode is class_ or mode == UNREACHED:
        return False
    inside = (v.elements(atom) for fact in arguments.facts() for atom in fact if isinstance(atom, v.Sequence))
    return not any(v.known_to_include(fact, "instance", "unknown") for fact in (*arguments.facts(), *inside))


def is_own(mode: Failing, class_: ClassDefinition) -> bool:
    """Tell whether an attribute of this class set in a failing call belongs to the object that the call makes."""
    return not isinstance(mode, (bool, str)) and class_ in mode.lineage()
