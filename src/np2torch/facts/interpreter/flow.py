"""The order in which the statements of a body are run: blocks, alternatives, loops, and what leaves them early."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from np2torch.facts import values as v
from np2torch.facts.complex_tracking import to_top
from np2torch.facts.interpreter.environment import Env, merge
from np2torch.facts.interpreter.loop_carried import Loop
from np2torch.facts.interpreter.raising_calls import UNREACHED
from np2torch.names.tree import children

if TYPE_CHECKING:
    from np2torch.facts.interpreter.protocols import Frame

MOST_PASSES = 4
LOOPS = (ast.For, ast.AsyncFor, ast.While)
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def block(frame: Frame, body: Iterable[ast.stmt]) -> None:
    """Run statements until one ends the flow; the rest is still looked at, so that nothing is left unseen."""
    frame.resume()
    rest = iter(body)
    for statement in rest:
        frame.run(statement)
        if not frame.alive:
            look_at_unreached(frame, lambda: _rest(frame, rest), frame.left_a_with)
            frame.stop()
            return


def _rest(frame: Frame, statements: Iterable[ast.stmt]) -> None:
    for statement in statements:
        frame.resume()
        frame.run(statement)


def look_at_unreached(frame: Frame, look: Callable[[], object], perhaps: bool = False) -> None:
    """Look at what never runs with the facts of this context: it counts where no other context runs it.

    What it returns, assigns and leaves behind is forgotten. Calls that are expected to raise have others beside them.

    Parameters
    ----------
    perhaps
        It may run after all, and is to count.
    """
    frame.act()
    if frame.context.failing and frame.context.failing != UNREACHED:
        return
    if frame.function is None or perhaps:
        look()
    else:
        frame.look_aside(look)


def branches(frame: Frame, *paths: Callable[[], None]) -> None:
    """Run alternatives from the same state and join the states of those that go on."""
    start = frame.env
    ends: list[Env] = []
    for path in paths:
        frame.enter(dict(start))
        frame.resume()
        path()
        if frame.alive:
            ends.append(frame.env)
    frame.resume(bool(ends))
    frame.enter(merge(ends) if ends else dict(start))


def leave(frame: Frame) -> None:
    """`break` or `continue`: the loop takes over the state it is left in."""
    frame.leaving.append(frame.env)
    frame.stop()


def loop(frame: Frame, node: Loop, body: Callable[[], None]) -> None:
    """Run a loop body until what it reads is stable: widened from the second pass, given up from the last."""
    reads = frame.engine.carried_names(node, frame.function)
    gone: set[str] = set()
    for number in itertools.count():
        before = frame.env
        left = frame.run_pass(body)
        after = merge([before, *left, *([frame.env] if frame.alive else [])])
        frame.resume()
        if number >= 1:
            after = {name: fact if before.get(name) is fact else v.widen(fact) for name, fact in after.items()}
        frame.enter(after)
        unstable = {name for name in reads if name not in gone and after.get(name) != before.get(name)}
        if not unstable:
            break
        if number == MOST_PASSES - 1:
            after.update({name: v.generalize(after.get(name, v.TOP)) for name in unstable})
        elif number >= MOST_PASSES:
            gone |= unstable
            after.update({name: to_top(after.get(name, v.TOP)) for name in gone})


def otherwise(frame: Frame, node: Loop) -> None:
    """The `else` of a loop, which a `break` passes over."""
    if node.orelse and _breaks(node.body):
        branches(frame, lambda: block(frame, node.orelse), lambda: None)
    else:
        block(frame, node.orelse)


def _breaks(body: Iterable[ast.AST]) -> bool:
    """Tell whether these statements may leave the loop they stand in."""
    for one in body:
        if isinstance(one, ast.Break):
            return True
        inner = one.orelse if isinstance(one, LOOPS) else children(one)
        if not isinstance(one, (ast.expr, *DEFINITIONS)) and _breaks(inner):
            return True
    return False


def each(frame: Frame, items: Iterable[v.Fact], body: Callable[[v.Fact], None]) -> None:
    """Each pass of a loop by itself."""
    ends: list[Env] = []
    for item in items:
        before = frame.env
        left = frame.run_pass(lambda item=item: body(item))  # type: ignore[misc]
        ends += left
        if left or not frame.alive:
            frame.enter(merge([before, *left, *([frame.env] if frame.alive else [])]))
        frame.resume()
    frame.enter(merge([frame.env, *ends]))


def run_stoppable(frame: Frame, run: Callable[[], None]) -> Env:
    """Run something: the state that is left where an error may stop it anywhere."""
    start = dict(frame.env)
    outside = frame.bound
    bound = frame.bound_by(run)
    state = dict(merge([start, frame.env]))
    for name, fact in bound.items():
        if name in state:
            state[name] = v.join(state[name], fact)
        if outside is not None:
            outside[name] = v.join(outside.get(name, v.BOTTOM), fact)
    return state
