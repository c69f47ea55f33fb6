"""Two trees verified function by function."""

from __future__ import annotations

import ast
import math
import traceback
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from np2torch.verify.calls import Call
from np2torch.verify.check import Result, Sides, check
from np2torch.verify.children import Child, Limits, ModuleError
from np2torch.verify.clock import Shares
from np2torch.verify.hints import Body, hints, node_of, reachable_lines
from np2torch.verify.judge import Distance
from np2torch.verify.linking import link
from np2torch.verify.pairs import Function, Pair, pairs, place_of
from np2torch.verify.reach import Reach
from np2torch.verify.script import file_name, script
from np2torch.verify.statements import Statement, Statements
from np2torch.verify.target import Target

TODO = b"TODO(np2torch)"
STOPPED = "the run was stopped before"


class Plan(NamedTuple):
    """A plan for the functions of two trees.

    Attributes
    ----------
    recorded
        Calls that were recorded, by module and function.
    only
        Names of functions; empty for all.
    probes
        What else to ask of the new side.
    device
        Where its tensors lie.
    seconds
        The time for all functions, of which each has its share.
    """

    limits: Limits = Limits()
    seed: int = 0
    recorded: Mapping[tuple[str, str], Sequence[Call]] = {}
    is_generating: bool = True
    only: tuple[str, ...] = ()
    probes: tuple[str, ...] = ()
    device: str = "cpu"
    seconds: float = math.inf


class Row(NamedTuple):
    """The result of one function of one module."""

    module: str
    path: Path
    result: Result


def verify_trees(old: Path, new: Path, statements: Statements, plan: Plan) -> Iterator[Row]:
    """Verify each function that both trees have; those that one has not are rows too."""
    found = list(pairs(old, new))
    shares = Shares(plan.seconds, sum(len(_wanted(pair, plan)) for pair in found))
    with Child("old", plan.limits) as before, Child("new", plan.limits, device=plan.device) as after:
        for pair in found:
            for result in _module(pair, Sides(before, after), statements, plan, old, shares):
                yield Row(pair.old.module, _file(old, pair), result)


def rest_of(old: Path, new: Path, plan: Plan, done: Collection[tuple[str, str]]) -> Iterator[Row]:
    """The functions that a stopped run has not come to, as not exercised.

    Parameters
    ----------
    done
        The modules and names of those that it has come to.
    """
    for pair in pairs(old, new):
        for one in pair.functions:
            name = dotted_name(one)
            if (not plan.only or name in plan.only) and (pair.old.module, name) not in done:
                yield Row(pair.old.module, _file(old, pair), unexercised_result(name, STOPPED, one.line))


def _file(old: Path, pair: Pair) -> Path:
    return old if old.is_file() else old / pair.relative


def _wanted(pair: Pair, plan: Plan) -> list[Function]:
    """The functions of a module that are to be verified."""
    return [one for one in pair.functions if not plan.only or dotted_name(one) in plan.only]


def _module(
    pair: Pair, sides: Sides, statements: Statements, plan: Plan, root: Path, shares: Shares
) -> Iterator[Result]:  # fmt: skip
    wanted = _wanted(pair, plan)
    if not plan.only:
        yield from (failure(name, "the new side has no such function") for name in pair.missing)
    if not wanted:
        return
    try:
        sides.old.open(pair.old)
    except ModuleError as error:
        yield from (
            unexercised_result(dotted_name(one), f"the old module cannot be imported: {error}", one.line)
            for one in wanted
        )
        return
    try:
        sides.new.open(pair.new)
    except ModuleError as error:
        yield from (
            failure(dotted_name(one), f"the new module cannot be imported: {error}", one.line) for one in wanted
        )
        return
    path = _file(root, pair)
    sides = sides._replace(numpy_left=TODO in _new_file(pair).read_bytes())
    for target, statement in targets_of(pair.functions, path, statements):
        one = target.function
        if one not in wanted:
            continue
        recorded = plan.recorded.get((pair.old.module, dotted_name(one)), ())
        try:
            sides = sides._replace(share=shares.take())
            result = check(target, sides, plan.seed, recorded, plan.is_generating, plan.probes)
        except ModuleError as error:
            result = failure(dotted_name(one), f"the module cannot be imported again: {error}", one.line)
        except Exception as error:  # a defect of ours must not stop the others
            where = traceback.extract_tb(error.__traceback__)[-1]
            place = f"{Path(where.filename).name}:{where.lineno}"
            result = unexercised_result(dotted_name(one), f"internal: {type(error).__name__} in {place}", one.line)
        yield result._replace(rests_on=statement.rests_on)


def targets_of(functions: Sequence[Function], path: Path, statements: Statements) -> list[tuple[Target, Statement]]:
    """The functions of a file with what is stated of them; methods of one class may be called before each other."""
    tree, reach = ast.parse(path.read_bytes()), Reach(path)
    stated = [statements.of_function(path, one) for one in functions]
    targets = [target_of(one, tree, reach, own) for one, own in zip(functions, stated, strict=True)]
    link(targets)
    return list(zip(targets, stated, strict=True))


def target_of(function: Function, tree: ast.Module, reach: Reach, statement: Statement) -> Target:
    """All that is known of a function before it is called."""
    owner = function.owner or function.name
    node = node_of(tree, owner)
    body = hints(node) if node is not None else Body({}, (), frozenset())
    name = dotted_name(function)
    body = body._replace(names=reach.names(owner), floats=reach.floats(owner))
    found = Target(function, statement.accepts, body, docstring_of(tree, name), reachable_lines(node_of(tree, name)))
    found.class_named = reach.class_named
    found.is_closed, found.unspoken = statement.is_closed, statement.unspoken
    return found


def docstring_of(tree: ast.Module, name: str) -> str:
    """The docstring of a function or method."""
    node = node_of(tree, name)
    return (isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and ast.get_docstring(node)) or ""


def _new_file(pair: Pair) -> Path:
    if pair.new.file is not None:
        return pair.new.file
    base = pair.new.root.joinpath(*pair.new.module.split("."))
    return base / "__init__.py" if base.is_dir() else base.with_suffix(".py")


def dotted_name(function: Function) -> str:
    """The name of a function in its module."""
    return f"{function.owner}.{function.name}" if function.owner else function.name


def write_script(folder: Path, old: Path, new: Path, row: Row) -> str:
    """Write the program that shows a difference; gives its path, empty where there is none to show."""
    first = next(iter(row.result.failures), None)
    if first is None:
        return ""
    text = script(
        row.result.name, place_of(row.path), place_of(new if new.is_file() else new / row.path.relative_to(old)), first
    )
    if text is None:
        return ""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / file_name(row.module, row.result.name)
    path.write_text(text, "utf-8")
    return str(path)


def failure(name: str, why: str, line: int = 0) -> Result:
    """The result of a function that the new side cannot offer."""
    return Result(name, "different", why, Counter(), Distance(), (), (), line=line)


def unexercised_result(name: str, why: str, line: int = 0) -> Result:
    """The result of a function that was not called."""
    return Result(name, "not exercised", why, Counter(), Distance(), (), (), line=line)
