"""Calls: who may be called, and with what."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from np2torch.facts import ndarray_subclasses, results
from np2torch.facts import values as v
from np2torch.facts.arguments import Argument, Arguments, arguments_of
from np2torch.facts.guards import behind, result_of
from np2torch.facts.interpreter import postconditions, subclass_results
from np2torch.facts.interpreter.border import cross_out, crossing, stays_numpy
from np2torch.facts.interpreter.builtins import BUILTINS
from np2torch.facts.interpreter.imports import lazily_imported, module_fact
from np2torch.facts.interpreter.iteration import is_settled, iterate
from np2torch.facts.interpreter.methods import call_method, of_anything
from np2torch.facts.interpreter.raising_calls import EXPECTING
from np2torch.facts.interpreter.stable_order import in_order
from np2torch.facts.libraries import gives_back
from np2torch.names import resolve
from np2torch.names.tree import called_name

if TYPE_CHECKING:
    from np2torch.facts.interpreter.protocols import Frame


def call(frame: Frame, node: ast.Call) -> v.Fact:
    """The fact of a call."""
    function = frame.callee(node.func)
    arguments = _called_for_us(frame, node, function, _arguments(frame, node))
    before = frame.begin_call(node, v.only(function, "function", "class"))
    parts = [call_atom(frame, node, atom, arguments) for atom in in_order(function)]
    frame.end_call(before)
    only = v.sole(function)
    served = frame.called
    if isinstance(only, v.Function) and served is not None and served.function is not None:
        if served.function is only.definition and not any(served.function.altered):
            postconditions.learn(frame, node, served.function, only.bound is not None, served)
    return _guarded(frame, node, v.join(*parts)) if parts else v.BOTTOM


def _arguments(frame: Frame, node: ast.Call) -> Arguments:
    """Evaluate the arguments of a call."""
    positional, start, counts = _positional(frame, node)
    keywords, spread = _keywords(frame, node)
    if start is None and not spread and spread is not None:
        return Arguments(positional, keywords, counts=counts)
    if spread is None or start is not None and spread:
        return Arguments(positional, keywords, True, counts=counts)
    rest = None if start is None else (start, v.join(v.BOTTOM, *(one.fact for one in positional[start:])))
    return Arguments(positional, keywords, True, spread or None, rest, counts)


def _positional(frame: Frame, node: ast.Call) -> tuple[list[Argument], int | None, v.Ranks]:
    """Evaluate the positional arguments; what stands behind a star one by one, where that is known.

    Returns
    -------
    tuple
        The arguments, from which on nobody knows how many are passed, and how many there may be then.
    """
    found: list[Argument] = []
    start: int | None = None
    stars: list[v.Ranks] = []
    for argument in node.args:
        fact = frame.eval(argument)
        if isinstance(argument, ast.Starred):
            items = _spread_out(frame, fact)
            if items is None:
                items = (iterate(frame, fact),)
                stars.append(v.lengths_of(fact))
                start = len(found) if start is None else start
            found += arguments_of(*items).positional
        else:
            found.append(Argument(argument, fact))
    counts = None if start is None else results.add_counts([frozenset([len(found) - len(stars)]), *stars])
    return found, start, counts


def _keywords(frame: Frame, node: ast.Call) -> tuple[dict[str, Argument], dict[str, v.Fact] | None]:
    """Evaluate the keywords; with them what `**mapping` may pass, None where that is not known."""
    found: dict[str, Argument] = {}
    spread: dict[str, v.Fact] | None = {}
    for keyword in node.keywords:
        fact = frame.eval(keyword.value)
        if keyword.arg is not None:
            found[keyword.arg] = Argument(keyword.value, fact)
            continue
        items = _closed(frame, fact)
        spread = None if items is None or spread is None else {**spread, **items}
    return found, spread


def _guarded(frame: Frame, node: ast.Call, result: v.Fact) -> v.Fact:
    """The result of a call of a parameter, as the guard of the function leaves it."""
    guard = frame.function.guard if frame.function is not None else None
    if guard is None or not result or not isinstance(node.func, ast.Name):
        return result
    name = result_of(node.func.id)
    return behind(guard, name, result) if name in guard.names else result


def _spread_out(frame: Frame, fact: v.Fact) -> tuple[v.Fact, ...] | None:
    """Give what each of the positional arguments behind a star may be, where all alternatives hold as many."""
    rows = []
    for atom in fact:
        if not isinstance(atom, (v.Sequence, v.Iterator)) or atom.items is None:
            return None
        if isinstance(atom, v.Sequence) and not is_settled(frame, atom):
            return None
        rows.append(atom.items)
    if len({len(row) for row in rows}) != 1:
        return None
    return tuple(v.join(*column) for column in zip(*rows, strict=True))


def _made(frame: Frame, arguments: Arguments) -> v.Fact:
    """`ndarray.__new__(cls, ...)`."""
    rest = Arguments(arguments.positional[1:], arguments.keywords, arguments.starred)
    parts: list[v.Fact] = []
    for atom in in_order(arguments.positional[0].fact):
        made = frame.engine.instance(atom.definition) if isinstance(atom, v.Class) else v.Foreign()
        parts.append(
            subclass_results.construct_instance(frame, made, rest) if isinstance(made, v.Instance) else v.one(made)
        )
    return v.join(v.BOTTOM, *parts)


def _closed(frame: Frame, fact: v.Fact) -> dict[str, v.Fact] | None:
    """Give what a dict holds by its keys, where these are all known."""
    atom = v.sole(fact)
    if not (isinstance(atom, v.Mapping) and atom.closed):
        return None
    keys = frame.keys(atom.site)
    found = {key: fact for key, fact in keys.items() if isinstance(key, str)}
    return found if len(found) == len(keys) else None


MOST_NESTED = 2
IMPORTING = ("importlib.import_module", "pytest.importorskip")
"""Functions that give the module whose name they are passed."""
CALLS_FOR_US = {
    **EXPECTING, "warns": 1, "assertWarns": 1, "assert_warns": 1, "assertWarnsRegex": 2, "deprecated_call": 0,
    "assert_no_warnings": 0,
}
"""Functions of test libraries that call another one for us: at which position it stands, its arguments after it."""


def _called_for_us(frame: Frame, node: ast.Call, function: v.Fact, arguments: Arguments) -> Arguments:
    name = called_name(node)
    position = CALLS_FOR_US.get(name)
    if position is None or len(arguments.positional) <= position or v.known_to_include(function, "function"):
        return arguments
    rest = Arguments(arguments.positional[position + 1 :], arguments.keywords, arguments.starred, arguments.spread)
    with frame.expecting(frame.failing or name in EXPECTING):
        for atom in in_order(arguments.positional[position].fact):
            call_atom(frame, node, atom, rest)
    return Arguments(arguments.positional[:position])


def _by_name(frame: Frame, node: ast.Call, atom: v.Numpy, result: v.Fact) -> v.Fact:
    """Let a result stay on NumPy if the function is called by name; one in a variable may be the shim's."""
    function = node.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    direct = resolve.canonical(atom.name).endswith(f".{name}") or atom.name.endswith(f".{name}")
    return result if direct or not results.stays(result) else v.join(result, v.TOP)


def _holds_objects(fact: v.Fact, depth: int = 0) -> bool:
    """Tell whether it holds objects of the project that are no arrays: NumPy calls their methods or holds them."""
    for atom in fact:
        if isinstance(atom, v.Instance):
            class_ = atom.definition
            if not class_.is_ndarray() and not any(map(class_.find, ("__array__", "__call__", "__getitem__"))):
                return True
        elif isinstance(atom, v.Sequence) and depth < MOST_NESTED and _holds_objects(v.elements(atom), depth + 1):
            return True
    return False


def _of_unknown(frame: Frame, node: ast.Call, atom: v.Top, arguments: Arguments) -> v.Fact:
    frame.let_go(arguments)
    found = of_anything(frame, "__call__", arguments)
    return atom.returns or found


def call_atom(frame: Frame, node: ast.Call, atom: v.Atom, arguments: Arguments) -> v.Fact:
    """The fact of calling one alternative of a callee."""
    model = CALLED.get(atom.__class__)
    if model is not None:
        return model(frame, node, atom, arguments)
    frame.let_go(arguments)
    return v.TOP


def _of_function(frame: Frame, node: ast.Call, atom: v.Function, arguments: Arguments) -> v.Fact:
    """Call a function of the project, by a summary of its context."""
    frame.engine.callees[node].add(atom.definition)
    if stays_numpy(frame.function) and not stays_numpy(atom.definition):
        arguments = crossing(arguments)
    receiver = v.one(atom.bound) if atom.bound else None
    result = frame.engine.apply(frame, atom.definition, atom.definition.bind(arguments, receiver), atom.outer)
    return cross_out(frame, result) if stays_numpy(atom.definition) else result


def _of_numpy(frame: Frame, node: ast.Call, atom: v.Numpy, arguments: Arguments) -> v.Fact:
    """Call a function of NumPy's, by its rule."""
    if atom.name == "numpy.ndarray.__new__" and arguments.positional:
        return _made(frame, arguments)
    frame.let_go(arguments)
    if ndarray_subclasses.among(arguments):
        return subclass_results.of_function(frame, resolve.canonical(atom.name), arguments)
    result = _by_name(frame, node, atom, frame.engine.api.call(atom.name, arguments))
    return v.join(result, v.TOP) if any(map(_holds_objects, arguments.facts())) else result


def _of_class(frame: Frame, node: ast.Call, atom: v.Class, arguments: Arguments) -> v.Fact:
    """Make an object of a class of the project."""
    if (module := lazily_imported(frame, atom.definition, arguments)) is not None:
        return module
    if (init := atom.definition.find("__init__")) is not None:
        frame.engine.callees[node].add(init)
    return frame.engine.construct(frame, atom.definition, arguments)


def _of_instance(frame: Frame, node: ast.Call, atom: v.Instance, arguments: Arguments) -> v.Fact:
    """Call an object of the project, by its `__call__`."""
    method = atom.definition.find("__call__")
    if method is None:
        return v.TOP
    frame.engine.callees[node].add(method)
    return frame.engine.apply(frame, method, method.bind(arguments, v.one(atom)))


def _of_builtin(frame: Frame, node: ast.Call, atom: v.Builtin, arguments: Arguments) -> v.Fact:
    """Call a function of Python's."""
    handler = BUILTINS.get(atom.name)
    if handler is not None:
        return handler(frame, node, arguments)
    frame.let_go(arguments)
    return v.TOP


def _of_foreign(frame: Frame, node: ast.Call, atom: v.Foreign, arguments: Arguments) -> v.Fact:
    """Call what stays on NumPy, which gives the like, but for what Python holds of it."""
    is_listed = isinstance(node.func, ast.Attribute) and node.func.attr == "tolist"
    return v.one(v.Sequence("list", None, v.join(v.TEXT, v.OPAQUE))) if is_listed else v.one(atom)


def _of_opaque(frame: Frame, node: ast.Call, atom: v.Opaque, arguments: Arguments) -> v.Fact:
    """Call a function of a library's."""
    frame.let_go(arguments)
    name = v.constant(arguments.positional[0].fact) if atom.origin in IMPORTING and arguments.positional else None
    return module_fact(frame, name) if isinstance(name, str) else gives_back(atom.origin, arguments)


CALLED: dict[type, Callable[[Frame, ast.Call, Any, Arguments], v.Fact]] = {
    v.Function: _of_function, v.Numpy: _of_numpy, v.Class: _of_class, v.Instance: _of_instance,
    v.Method: call_method, v.Builtin: _of_builtin, v.Foreign: _of_foreign, v.Opaque: _of_opaque, v.Top: _of_unknown,
}  # fmt: skip
"""What calling each kind of alternative gives; of others nobody knows, and what they are passed escapes."""
