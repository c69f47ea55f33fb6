"""How functions make arrays of what they are given: `x = np.asarray(x)`, also where it is none (`isinstance`)."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from np2torch.facts import values as v
from np2torch.facts.evidence import MAKERS
from np2torch.names.tree import called_name
from np2torch.names.tree import walk as tree_walk
from np2torch.rules.site import ModuleContext

Facts = Callable[[ast.AST], v.Fact]
Parents = Mapping[ast.AST, ast.AST]
ARRAY_OR_LIST = frozenset({"ndarray", "list", "tuple"})


def is_coercion(ctx: ModuleContext, node: ast.AST | None, name: str) -> bool:
    """Tell a statement `x = np.asarray(x)`, or the call in it."""
    statement = ctx.parents.get(node) if isinstance(node, ast.Call) else node
    return isinstance(statement, ast.stmt) and _coerces(ctx.fact, statement, name)


def _coerces(fact: Facts, statement: ast.stmt, name: str) -> bool:
    """Tell an assignment that binds a name to the array made of it."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=target)], value=value):
            return target == name and _is_array_of(fact, value, name)
    return False


def _is_array_of(fact: Facts, node: ast.expr, name: str) -> bool:
    """Tell a call of NumPy's that makes an array of a name."""
    match node:
        case ast.Call(args=[ast.Name(id=given), *_]):
            made = v.sole(fact(node.func))
            is_maker = isinstance(made, v.Numpy) and made.name.removeprefix("numpy.") in MAKERS
            return given == name and is_maker
    return False


def admits_lists(fact: Facts, call: ast.Call) -> bool:
    """Tell a test of classes that lets lists, tuples and arrays pass: `isinstance(x, (list, tuple, np.ndarray))`."""
    return _asked_classes(fact, call) >= ARRAY_OR_LIST


def _asked_classes(fact: Facts, call: ast.Call) -> set[str]:
    """Give the classes that `isinstance` asks for, by their last names."""
    classes = call.args[1] if len(call.args) == 2 else ast.Tuple([])
    several = classes.elts if isinstance(classes, ast.Tuple) else [classes]
    return {getattr(v.sole(fact(one)), "name", "").rpartition(".")[2] for one in several}


def coerced_by(fact: Facts, parents: Parents, statement: ast.stmt) -> tuple[ast.If | ast.IfExp, ast.Name] | None:
    """Give the `if` that a statement is, or assigns, and the name of which it only makes an array."""
    match statement:
        case ast.If() as choice:
            pass
        case ast.Assign(targets=[ast.Name()], value=ast.IfExp() as choice):
            pass
        case _:
            return None
    call = next((node for node in tree_walk(choice.test) if isinstance(node, ast.Call)), None)
    if call is None or coercing(fact, parents, call) is not choice:
        return None
    asked = call.args[0]
    return (choice, asked) if isinstance(asked, ast.Name) else None


def coercing(fact: Facts, parents: Parents, call: ast.Call) -> ast.If | ast.IfExp | None:
    """Give the `if` around a test whether a name is an array or a list, if it only makes an array of the name.

    Arrays pass `if not isinstance(x, np.ndarray): x = np.array(x)`, and lists come out as arrays, guard or not.
    None where the call says more: `dtype=float` is for lists alone, of which a guard has made arrays.
    """
    if not call.args or not isinstance(call.args[0], ast.Name):
        return None
    name, test = call.args[0].id, _whole_test(parents, call)
    around = parents.get(test)
    if not isinstance(around, (ast.If, ast.IfExp)) or around.test is not test:
        return None
    if not all(_asks_of(fact, one, name) for one in _tests_in(test)):
        return None
    return around if _only_coerces(fact, around, name) else None


def _only_coerces(fact: Facts, choice: ast.If | ast.IfExp, name: str) -> bool:
    """Tell whether one branch makes an array of a name, and the other leaves it."""
    if isinstance(choice, ast.If):
        match choice.body, choice.orelse:
            case [ast.Assign(value=made) as statement], []:
                return _coerces(fact, statement, name) and _says_no_more(made)
        return False
    branches = (choice.body, choice.orelse)
    is_made = any(_is_array_of(fact, one, name) and _says_no_more(one) for one in branches)
    return is_made and any(isinstance(one, ast.Name) and one.id == name for one in branches)


def _says_no_more(made: ast.expr) -> bool:
    return isinstance(made, ast.Call) and len(made.args) == 1 and not made.keywords


def _whole_test(parents: Parents, node: ast.expr) -> ast.expr:
    """Give the whole of a test that `not`, `and` and `or` make of several."""
    parent = parents.get(node)
    while isinstance(parent, ast.BoolOp) or isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not):
        node, parent = parent, parents.get(parent)
    return node


def _tests_in(test: ast.expr) -> list[ast.expr]:
    """List the tests that one is made of."""
    if isinstance(test, ast.BoolOp):
        return [one for value in test.values for one in _tests_in(value)]
    return _tests_in(test.operand) if isinstance(test, ast.UnaryOp) else [test]


def _asks_of(fact: Facts, test: ast.expr, name: str) -> bool:
    """Tell `isinstance` of a name for arrays, lists and tuples alone."""
    match test:
        case ast.Call(args=[ast.Name(id=asked), _]):
            classes = _asked_classes(fact, test)
            return called_name(test) == "isinstance" and asked == name and bool(classes) and classes <= ARRAY_OR_LIST
    return False
