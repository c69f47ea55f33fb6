"""Transfer functions of expressions, by kind of node."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from np2torch.facts import models, ndarray_subclasses, results
from np2torch.facts import values as v
from np2torch.facts.interpreter import attributes, calls, context_selectors, flow, subclass_results, subscripts
from np2torch.facts.interpreter.builtins import BUILTINS, OLD_BUILTINS
from np2torch.facts.interpreter.iteration import each_of, is_filled, is_settled, iterate, literal
from np2torch.facts.interpreter.iteration import items as items_of
from np2torch.facts.interpreter.narrowing import is_none, narrow
from np2torch.facts.interpreter.operators import (
    ARRAYS,
    OPERATORS,
    SPECIAL,
    accepted_operands,
    beside_unknown,
    includes,
    operate,
    special,
    stays_python,
)
from np2torch.facts.interpreter.stable_order import in_order

if TYPE_CHECKING:
    from np2torch.facts.interpreter.protocols import Frame

# --------------------------------------------------------------------------------------------------- nodes
def _constant(frame: Frame, node: ast.Constant) -> v.Fact:
    return literal(node.value)


def _name(frame: Frame, node: ast.Name) -> v.Fact:
    fact = frame.lookup(node.id)
    if fact is not None:
        return fact
    if node.id in BUILTINS:
        return v.one(v.Builtin(node.id))
    is_missing = node.id in OLD_BUILTINS and "import *" not in frame.module.text
    return v.BOTTOM if is_missing else v.TOP


def _binary(frame: Frame, node: ast.BinOp) -> v.Fact:
    result = operate(frame, type(node.op), frame.eval(node.left), frame.eval(node.right))
    if not any(isinstance(a, v.Sequence) and a.type == "list" for a in result):
        return result
    grown = frame.element(id(node)) or None  # `[0.5] * n` is a list of its own, which may be written into
    out: list[v.Atom] = []
    for atom in result:
        if isinstance(atom, v.Sequence) and atom.type == "list":
            if grown is not None:
                atom = v.Sequence("list", None, v.join(grown, v.elements(atom)), id(node), v.has_items(atom))
            else:
                atom = v.Sequence("list", atom.items, atom.element, id(node), atom.filled, atom.lengths)
        out.append(atom)
    return frozenset(out)


def _unary(frame: Frame, node: ast.UnaryOp) -> v.Fact:
    fact = frame.eval(node.operand)
    if isinstance(node.op, ast.Not):
        value = v.constant(fact)
        return v.number(not value) if isinstance(value, bool) else v.BOOL
    numbers = v.keep(fact, lambda atom: atom.kind == "number")
    if not numbers:
        return _unary_of_others(frame, node, fact)
    rest = fact - numbers
    return v.join(_unary_of_numbers(node, numbers), _unary_of_others(frame, node, rest) if rest else v.BOTTOM)


def _unary_of_numbers(node: ast.UnaryOp, fact: v.Fact) -> v.Fact:
    value = v.constant(fact)
    if isinstance(value, (int, float, complex)) and not isinstance(value, bool) and isinstance(node.op, ast.USub):
        return v.number(-value)
    kinds = {"int" if a.type == "bool" else a.type for a in fact if isinstance(a, v.Num)}
    return v.join(*(v.one(v.Num(kind)) for kind in kinds))


def _unary_of_others(frame: Frame, node: ast.UnaryOp, fact: v.Fact) -> v.Fact:
    instances = v.keep(fact, lambda atom: atom.kind == "instance")
    if not instances:
        return _unary_of_plain(node, fact)
    made = special(frame, instances, SPECIAL[type(node.op)][0])
    if made is None and ndarray_subclasses.objects(instances) == instances:
        name = OPERATORS[type(node.op)]
        arrays = [(atom, results.ufunc(name, [subclass_results.data(frame, atom)])) for atom in in_order(instances)]
        made = v.join(*(subclass_results.of_ufunc_result(frame, atom, array) for atom, array in arrays))
    rest = fact - instances
    made = v.TOP if made is None else made
    return v.join(made, _unary_of_plain(node, rest)) if rest else made


def _unary_of_plain(node: ast.UnaryOp, fact: v.Fact) -> v.Fact:
    if v.known_to_include(fact, *ARRAYS) and not v.known_to_include(fact, "unknown"):
        made = results.ufunc(OPERATORS[type(node.op)], [fact])
        return v.one(v.Scalar(v.dtypes_of(made), True)) if stays_python(fact) else made
    if (known := models.unary(type(node.op), fact)) is not None:
        return known
    return fact if not fact or v.known_to_include(fact, "foreign", "unknown") else v.TOP


def _compare(frame: Frame, node: ast.Compare) -> v.Fact:
    facts = [frame.eval(node.left), frame.eval(node.comparators[0])]
    if len(node.comparators) > 1:  # perhaps not evaluated
        saved = dict(frame.env)
        facts += [frame.eval(comparator) for comparator in node.comparators[1:]]
        frame.join(saved)
    op = type(node.ops[-1])
    left, right = facts[-2], facts[-1]
    if op in (ast.Is, ast.IsNot) and len(facts) == 2 and right == v.NONE:
        answer = is_none(left)
        return v.BOOL if answer is None else v.number(answer == (op is ast.Is))
    if len(facts) == 2 and (said := context_selectors.answer(node.ops[0], left, node.comparators[0])) is not None:
        return v.number(said)
    if op in (ast.Is, ast.IsNot, ast.In, ast.NotIn):
        return v.BOOL
    made = special(frame, left, SPECIAL[op][0], right)
    if made is not None:
        return made
    if ndarray_subclasses.objects(left) or ndarray_subclasses.objects(right):
        return v.TOP
    left, right = accepted_operands(op, left, right)
    numbers = [v.keep(side, lambda atom: atom.kind == "number") for side in (left, right)]
    if all(numbers) and numbers != [left, right]:  # of Python numbers the answer is Python's, whatever else there is
        rest = [(a, b) for a, b in ((left - numbers[0], right), (numbers[0], right - numbers[1])) if a and b]
        return v.join(v.BOOL, *(_compared(frame, op, a, b) for a, b in rest))
    return _compared(frame, op, left, right)


def _compared(frame: Frame, op: type, left: v.Fact, right: v.Fact) -> v.Fact:
    """The answer of a comparison, where not both sides are Python numbers."""
    if (made := models.operator(op, left, right)) is not None:
        return made
    if v.only(left, "foreign") or v.only(right, "foreign"):
        return results.foreign_of(left, right)
    if op in (ast.Eq, ast.NotEq) and includes(left, right, "none"):
        return _with_none(frame, op, left, right)
    if includes(left, right, "array"):
        if includes(left, right, "none", "text"):
            return v.TOP
        if (others := beside_unknown(left, right)) is not None:
            return v.join(v.TOP, _compared(frame, op, *others))
        part = results.ufunc(OPERATORS[op], [left, right])
        ranks = None if v.is_anything(part) else v.ranks_of(part)
        return results.make(frozenset(["bool"]), ranks)
    if includes(left, right, "scalar"):
        return _with_scalar(left, right)
    if includes(left, right, "foreign"):
        a, b = v.without(left, "foreign"), v.without(right, "foreign")
        return v.join(results.foreign_of(left, right), _compared(frame, op, a, b) if a and b else v.BOTTOM)
    if includes(left, right, "unknown", "instance"):
        return v.TOP
    if op not in (ast.Eq, ast.NotEq) and (_holds_scalars(left) or _holds_scalars(right)):
        return v.join(v.BOOL, v.scalar("bool"))  # what the first items that differ answer
    return v.BOOL


def _with_scalar(left: v.Fact, right: v.Fact) -> v.Fact:
    """The answer of a comparison with a NumPy scalar, where no array is there."""
    if v.known_to_include(left | right, "opaque"):
        return v.join(v.BOOL, v.scalar("bool"))  # the foreign object may answer: `x == pytest.approx(1)`
    if v.known_to_include(left | right, "unknown"):
        return v.TOP
    lists = any(atom.type != "set" for atom in left | right if isinstance(atom, v.Sequence))
    masks = v.array("bool") if lists else v.BOTTOM  # NumPy makes an array of a list beside a scalar
    return v.join(masks, v.scalar("bool"))


COMPARED = frozenset({"none", "array", "scalar", "number", "text", "sequence"})
"""The kinds of value whose comparison with None is known."""


def _with_none(frame: Frame, op: type, left: v.Fact, right: v.Fact) -> v.Fact:
    """None equals nothing, which an array says of each of its elements."""
    arrays = (right if v.known_to_include(left, "none") else v.BOTTOM) | (
        left if v.known_to_include(right, "none") else v.BOTTOM
    )
    masks = [v.one(v.Array(frozenset(["bool"]), atom.ranks)) for atom in arrays if isinstance(atom, v.Array)]
    sides = v.without(left, "none"), v.without(right, "none")
    rest = _compared(frame, op, *sides) if all(sides) else v.BOTTOM
    open_ = v.kinds(left | right) - COMPARED
    return v.join(v.BOOL, v.scalar("bool"), rest, *masks, v.TOP if open_ else v.BOTTOM)


def _holds_scalars(fact: v.Fact) -> bool:
    return any(isinstance(atom, v.Sequence) and v.known_to_include(v.elements(atom), "scalar") for atom in fact)


def _boolean(frame: Frame, node: ast.BoolOp) -> v.Fact:
    facts: list[v.Fact] = []
    saved = dict(frame.env)
    is_decided = False
    for value in node.values:
        if is_decided:
            flow.look_at_unreached(frame, partial(frame.eval, value))
            continue
        facts.append(frame.eval(value))
        is_decided = not narrow(frame, value, isinstance(node.op, ast.And))
    frame.enter(saved)
    if isinstance(node.op, ast.Or):  # `x or default`: None is never the left answer
        facts = [v.keep(f, lambda a: a.kind != "none") for f in facts[:-1]] + facts[-1:]
    return v.join(*facts)


def _conditional(frame: Frame, node: ast.IfExp) -> v.Fact:
    frame.eval(node.test)
    saved = frame.env
    parts: list[v.Fact] = []
    for branch, truth in ((node.body, True), (node.orelse, False)):
        frame.enter(dict(saved))
        if narrow(frame, node.test, truth):
            parts.append(frame.eval(branch))
        else:
            flow.look_at_unreached(frame, partial(frame.eval, branch))
    frame.enter(saved)
    return v.join(*parts)


def _sequence(frame: Frame, node: ast.Tuple | ast.List) -> v.Fact:
    facts = [frame.eval(element) for element in node.elts]
    kind = "tuple" if isinstance(node, ast.Tuple) else "list"
    for fact in facts:
        frame.escape(fact)
    if any(isinstance(e, ast.Starred) for e in node.elts):
        parts = [
            iterate(frame, frame.facts.get(e.value, v.TOP)) if isinstance(e, ast.Starred) else fact
            for e, fact in zip(node.elts, facts, strict=True)
        ]
        whole = v.join(*parts) if all(parts) else v.BOTTOM  # one of them is still to come
        filled = any(not isinstance(element, ast.Starred) for element in node.elts)
        return v.one(v.Sequence(kind, None, whole, id(node) if kind == "list" else 0, filled))
    if len(facts) > 64:
        return v.one(v.Sequence(kind, None, v.widen(v.join(*facts)), id(node) if kind == "list" else 0, True))
    if kind == "list":
        grown = frame.element(id(node)) or None
        if grown is not None:
            return v.one(v.Sequence("list", None, v.join(grown, *facts), id(node), bool(facts)))
        return v.one(v.Sequence("list", tuple(facts), site=id(node)))
    return v.one(v.Sequence("tuple", tuple(facts)))


def _set(frame: Frame, node: ast.Set) -> v.Fact:
    element = v.widen(v.join(*(frame.eval(element) for element in node.elts)))
    return v.one(v.Sequence("set", None, element, site=id(node)))


def _dict(frame: Frame, node: ast.Dict) -> v.Fact:
    for key, value in zip(node.keys, node.values, strict=True):
        fact = frame.eval(value)
        frame.escape(fact)
        if key is None:
            frame.add_mappings(id(node), fact)
        else:
            frame.engine.add_element(id(node), fact, v.constant(frame.eval(key)))
    return v.one(v.Mapping(id(node)))


def _comprehension(
    frame: Frame, generators: list[ast.comprehension], make: Callable[[], v.Fact]
) -> tuple[v.Fact, bool]:
    """Run a comprehension; tell whether it certainly gives something."""
    saved, has_bound = dict(frame.env), frame.has_bound
    filled = True
    for generator in generators:
        iterated = frame.eval(generator.iter)
        filled = filled and not generator.ifs and is_filled(iterated)
        frame.assign(generator.target, v.widen(iterate(frame, iterated)))
        for condition in generator.ifs:
            frame.eval(condition)
            narrow(frame, condition, True)
    fact = make()
    frame.leave_scope(saved, has_bound)
    return fact, filled


def _list_comprehension(frame: Frame, node: ast.ListComp) -> v.Fact:
    grown = frame.element(id(node))
    if (each := _each(frame, node.generators, node.elt)) is not None and not grown:
        return v.one(v.Sequence("list", each, site=id(node)))
    element, filled = _comprehension(frame, node.generators, lambda: frame.eval(node.elt))
    length = None if grown else _length(frame, node.generators)
    element = v.join(element, grown)
    if length is not None and results.operand(element) == element and not v.known_to_include(element, "foreign"):
        return v.one(v.Sequence("list", (v.widen(element),) * length, site=id(node)))
    return v.one(v.Sequence("list", None, v.widen(element), id(node), filled))


MOST_COUNTED = 8
"""Longer lists are of any length."""


def _length(frame: Frame, generators: list[ast.comprehension]) -> int | None:
    """Give the length of what is iterated over; None where it is not known, or large."""
    only = generators[0]
    if len(generators) > 1 or only.ifs:
        return None
    counts = set()
    for atom in frame.facts.get(only.iter, v.TOP):
        items = items_of(frame, atom)
        grows = isinstance(atom, v.Sequence) and not is_settled(frame, atom)
        counts.add(None if items is None or grows else len(items))
    length = v.sole(counts)
    return length if length is not None and length <= MOST_COUNTED else None


def _each(frame: Frame, generators: list[ast.comprehension], element: ast.expr) -> tuple[v.Fact, ...] | None:
    """Evaluate a comprehension for each of a few items that differ; None for any other."""
    only = generators[0]
    if len(generators) > 1 or only.ifs:
        return None
    items = each_of(frame, frame.eval(only.iter))
    if items is None:
        return None
    saved, has_bound = dict(frame.env), frame.has_bound
    found = []
    for item in items:
        frame.assign(only.target, item)
        found.append(v.widen(frame.eval(element)))
    frame.leave_scope(saved, has_bound)
    return tuple(found)


def _set_comprehension(frame: Frame, node: ast.SetComp) -> v.Fact:
    element, filled = _comprehension(frame, node.generators, lambda: frame.eval(node.elt))
    return v.one(v.Sequence("set", None, v.widen(element), id(node), filled))


def _generator(frame: Frame, node: ast.GeneratorExp) -> v.Fact:
    if (each := _each(frame, node.generators, node.elt)) is not None:
        return v.one(v.Iterator(v.join(*each), True, items=each))
    element, filled = _comprehension(frame, node.generators, lambda: frame.eval(node.elt))
    return v.one(v.Iterator(v.widen(element), filled))


def _dict_comprehension(frame: Frame, node: ast.DictComp) -> v.Fact:
    def both() -> v.Fact:
        frame.eval(node.key)
        return frame.eval(node.value)

    frame.engine.add_element(id(node), _comprehension(frame, node.generators, both)[0])
    return v.one(v.Mapping(id(node)))


def _lambda(frame: Frame, node: ast.Lambda) -> v.Fact:
    definition = frame.define(node)
    return v.one(v.Function(definition, None, definition.closure))


def _formatted(frame: Frame, node: ast.JoinedStr) -> v.Fact:
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            frame.eval(part.value)
            if part.format_spec is not None:
                frame.eval(part.format_spec)
    return v.TEXT


def _starred(frame: Frame, node: ast.Starred) -> v.Fact:
    return frame.eval(node.value)


def _walrus(frame: Frame, node: ast.NamedExpr) -> v.Fact:
    fact = frame.eval(node.value)
    frame.assign(node.target, fact)
    return fact


def _await(frame: Frame, node: ast.Await) -> v.Fact:
    return frame.eval(node.value)


def _yield(frame: Frame, node: ast.Yield | ast.YieldFrom) -> v.Fact:
    frame.act()
    fact = frame.eval(node.value) if node.value is not None else v.NONE
    if isinstance(node, ast.YieldFrom):
        fact = iterate(frame, fact)
    frame.yield_(fact)
    return v.TOP


def _slice(frame: Frame, node: ast.Slice) -> v.Fact:
    for part in (node.lower, node.upper, node.step):
        if part is not None:
            frame.eval(part)
    return v.one(v.Opaque("slice"))


EVALUATE: dict[type, Callable[[Frame, Any], v.Fact]] = {
    ast.Constant: _constant, ast.Name: _name, ast.BinOp: _binary, ast.UnaryOp: _unary, ast.Compare: _compare,
    ast.BoolOp: _boolean, ast.IfExp: _conditional, ast.Tuple: _sequence, ast.List: _sequence, ast.Set: _set,
    ast.Dict: _dict, ast.ListComp: _list_comprehension, ast.GeneratorExp: _generator, ast.SetComp: _set_comprehension,
    ast.DictComp: _dict_comprehension, ast.Lambda: _lambda, ast.JoinedStr: _formatted, ast.Starred: _starred,
    ast.NamedExpr: _walrus, ast.Await: _await, ast.Yield: _yield, ast.YieldFrom: _yield, ast.Slice: _slice,
    ast.Attribute: attributes.read_value, ast.Call: calls.call, ast.Subscript: subscripts.read,
    ast.FormattedValue: lambda frame, node: frame.eval(node.value),
}  # fmt: skip
