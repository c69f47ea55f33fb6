"""What an expression may be, by kind of node."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from np2torch.facts import results
from np2torch.facts import values as v
from np2torch.facts.interpreter import attributes, calls, subscripts

if TYPE_CHECKING:
    from np2torch.facts.interpreter.frame import Frame

OPERATORS: dict[type, str] = {
    ast.Add: "add", ast.Sub: "subtract", ast.Mult: "multiply", ast.Div: "true_divide", ast.FloorDiv: "floor_divide",
    ast.Mod: "remainder", ast.Pow: "power", ast.MatMult: "matmul", ast.BitAnd: "bitwise_and", ast.BitOr: "bitwise_or",
    ast.BitXor: "bitwise_xor", ast.LShift: "left_shift", ast.RShift: "right_shift", ast.USub: "negative",
    ast.UAdd: "positive", ast.Invert: "invert", ast.Eq: "equal", ast.NotEq: "not_equal", ast.Lt: "less",
    ast.LtE: "less_equal", ast.Gt: "greater", ast.GtE: "greater_equal",
}  # fmt: skip
"""NumPy's name of each Python operator."""

_FOLD: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: lambda a, b: a + b, ast.Sub: lambda a, b: a - b, ast.Mult: lambda a, b: a * b, ast.Div: lambda a, b: a / b,
    ast.FloorDiv: lambda a, b: a // b, ast.Mod: lambda a, b: a % b,
}  # fmt: skip
ARRAYS = ("array", "scalar")


def constant_fact(value: object) -> v.Fact:
    """The fact of a literal."""
    if isinstance(value, (bool, int, float, complex)):
        return v.number(value)
    if isinstance(value, str):
        return v.one(v.Text(value if len(value) <= 80 else None))
    return v.NONE if value is None else v.TEXT if isinstance(value, bytes) else v.OPAQUE


def iterate(frame: Frame, fact: v.Fact) -> v.Fact:
    """What iterating over a value yields."""
    parts: list[v.Fact] = []
    for atom in fact:
        if isinstance(atom, v.Array):
            if atom.ranks is None:
                parts.append(v.one(v.Array(atom.dtypes)))
            else:
                ranks = frozenset(r - 1 for r in atom.ranks if r > 0)
                parts.append(results.make(atom.dtypes, ranks) if ranks else v.UNKNOWN)
        elif isinstance(atom, v.Sequence):
            inside = v.elements(atom)
            found = v.join(inside, frame.engine.heap.get(atom.site, v.BOTTOM)) if atom.site else inside
            parts.append(found if found or not frame.engine.settled else v.UNKNOWN)
        elif isinstance(atom, v.Mapping):
            keys = frame.engine.keys.get(atom.site, {})
            parts.append(v.widen(v.join(v.BOTTOM, *(constant_fact(k) for k in keys))) if keys else v.OPAQUE)
        elif isinstance(atom, v.Iterator):
            parts.append(atom.element)
        elif isinstance(atom, v.Text):
            parts.append(v.TEXT)
        elif isinstance(atom, (v.Foreign, v.Opaque)):
            parts.append(v.one(atom))
        else:
            parts.append(v.UNKNOWN)
    return v.join(*parts) if parts else v.BOTTOM


def operate(frame: Frame, op: type, left: v.Fact, right: v.Fact) -> v.Fact:
    """The result of a binary operator."""
    if not left or not right:
        return v.BOTTOM
    if v.only(left, "number") and v.only(right, "number"):
        return _python_number(op, left, right)
    if v.known_to_include(left, "foreign") or v.known_to_include(right, "foreign"):
        return v.FOREIGN
    arrays = v.known_to_include(left, *ARRAYS) or v.known_to_include(right, *ARRAYS)
    if not arrays:
        return _python_other(frame, op, left, right)
    if op is ast.Mult and (v.only(left, "sequence") or v.only(right, "sequence")) and not (
        v.known_to_include(left, "array") or v.known_to_include(right, "array")
    ):
        return left if v.only(left, "sequence") else right
    if op is ast.MatMult:
        return frame.engine.api.call("numpy.matmul", calls.arguments_of(left, right))
    unknown = [v.known_to_include(side, "unknown", "instance", "opaque") for side in (left, right)]
    if any(unknown) and not (v.known_to_include(left, "array") or v.known_to_include(right, "array")):
        return v.UNKNOWN
    dims = v.known_to_include(left, "array") or v.known_to_include(right, "array")
    result = results.ufunc(OPERATORS[op], [left, right])
    if any(unknown) and dims:
        dtypes = v.dtypes_of(v.keep(result, lambda a: a.kind in ARRAYS)) if result != v.UNKNOWN else None
        known = v.join(*(v.keep(side, lambda a: a.kind == "array") for side in (left, right)))
        ranks = v.ranks_of(known)
        return v.one(v.Array(dtypes, None if ranks is None else None))
    return result


def _python_number(op: type, left: v.Fact, right: v.Fact) -> v.Fact:
    out = []
    for a in left:
        for b in right:
            assert isinstance(a, v.Num) and isinstance(b, v.Num)
            if a.value is not None and b.value is not None and op in _FOLD and not isinstance(a.value, bool):
                try:
                    value = _FOLD[op](a.value, b.value)
                except (ArithmeticError, ValueError, TypeError):
                    value = None
                if value is not None and (not isinstance(value, int) or abs(value) < 2**63):
                    out.append(v.number(value))
                    continue
            rank = max(("bool", "int", "float", "complex").index(x.type) for x in (a, b))
            kind = ("int", "int", "float", "complex")[rank]
            if op is ast.Div and kind == "int":
                kind = "float"
            elif op is ast.Pow and kind == "int" and not b.nonnegative:
                out.append(v.one(v.Num("float", None, a.nonnegative)))
            if op in (ast.BitAnd, ast.BitOr, ast.BitXor) and a.type == b.type == "bool":
                kind = "bool"
            positive = a.nonnegative and b.nonnegative and op in (ast.Add, ast.Mult, ast.Div, ast.FloorDiv, ast.Pow, ast.Mod)
            positive = positive or op is ast.Pow and b.value in (2, 4, 0.5)
            out.append(v.one(v.Num(kind, None, positive or op is ast.Mod and b.nonnegative)))
    return v.join(*out)


def _python_other(frame: Frame, op: type, left: v.Fact, right: v.Fact) -> v.Fact:
    if op is ast.Add and v.only(left, "sequence") and v.only(right, "sequence"):
        a, b = v.items_of(left), v.items_of(right)
        kind = next(iter(left)).type if len(left) == 1 else "list"  # type: ignore[union-attr]
        if a is not None and b is not None and len(a) + len(b) <= 12 and kind == "tuple":
            return v.tuple_of(*a, *b)
        element = v.join(iterate(frame, left), iterate(frame, right))
        return v.one(v.Sequence(kind, None, element))
    if op is ast.Mult and (v.only(left, "sequence") or v.only(right, "sequence")):
        side, times = (left, right) if v.only(left, "sequence") else (right, left)
        items, count = v.items_of(side), v.constant(times)
        if items is not None and isinstance(count, int) and 0 < len(items) * count <= 16:
            return v.one(v.Sequence(next(iter(side)).type, items * count))  # type: ignore[union-attr]
        return v.join(*(v.one(v.Sequence(a.type, None, iterate(frame, v.one(a)))) for a in side if isinstance(a, v.Sequence)))
    if v.only(left, "text") and op in (ast.Add, ast.Mod, ast.Mult) or v.only(right, "text"):
        return v.TEXT
    if v.known_to_include(left, "unknown", "instance") or v.known_to_include(right, "unknown", "instance"):
        return v.UNKNOWN
    return v.OPAQUE


# --------------------------------------------------------------------------------------------------- nodes
def _constant(frame: Frame, node: ast.Constant) -> v.Fact:
    return constant_fact(node.value)


def _name(frame: Frame, node: ast.Name) -> v.Fact:
    fact = frame.lookup(node.id)
    if fact is not None:
        return fact
    return v.one(v.Builtin(node.id)) if node.id in calls.BUILTINS else v.UNKNOWN


def _binary(frame: Frame, node: ast.BinOp) -> v.Fact:
    result = operate(frame, type(node.op), frame.eval(node.left), frame.eval(node.right))
    if not any(isinstance(a, v.Sequence) and a.type == "list" for a in result):
        return result
    grown = frame.engine.heap.get(id(node))  # `[0.5] * n` is a list of its own, which may be written into
    out: list[v.Atom] = []
    for atom in result:
        if isinstance(atom, v.Sequence) and atom.type == "list":
            if grown is not None:
                atom = v.Sequence("list", None, v.join(grown, v.elements(atom)), id(node))
            else:
                atom = v.Sequence("list", atom.items, atom.element, id(node))
        out.append(atom)
    return frozenset(out)


def _unary(frame: Frame, node: ast.UnaryOp) -> v.Fact:
    fact = frame.eval(node.operand)
    if isinstance(node.op, ast.Not):
        return v.BOOL
    if v.only(fact, "number"):
        value = v.constant(fact)
        if isinstance(value, (int, float, complex)) and not isinstance(value, bool) and isinstance(node.op, ast.USub):
            return v.number(-value)
        kinds = {"int" if a.type == "bool" else a.type for a in fact if isinstance(a, v.Num)}
        return v.join(*(v.one(v.Num(kind)) for kind in kinds))
    if v.known_to_include(fact, *ARRAYS) and not v.known_to_include(fact, "unknown"):
        return results.ufunc(OPERATORS[type(node.op)], [fact])
    return fact if v.known_to_include(fact, "foreign", "unknown") else v.UNKNOWN


def _compare(frame: Frame, node: ast.Compare) -> v.Fact:
    facts = [frame.eval(node.left), *(frame.eval(c) for c in node.comparators)]
    op = type(node.ops[-1])
    if op in (ast.Is, ast.IsNot, ast.In, ast.NotIn):
        return v.BOOL
    left, right = facts[-2], facts[-1]
    if v.known_to_include(left, "array") or v.known_to_include(right, "array"):
        if v.known_to_include(left, "none", "text") or v.known_to_include(right, "none", "text"):
            return v.UNKNOWN
        part = results.ufunc(OPERATORS[op], [left, right])
        ranks = v.ranks_of(part) if part != v.UNKNOWN else None
        return results.make(frozenset(["bool"]), ranks)
    if v.known_to_include(left, "scalar") or v.known_to_include(right, "scalar"):
        return v.scalar("bool") if not (v.known_to_include(left, "unknown") or v.known_to_include(right, "unknown")) else v.UNKNOWN
    if any(v.known_to_include(f, "foreign") for f in (left, right)):
        return v.FOREIGN
    if any(v.known_to_include(f, "unknown", "instance") for f in (left, right)):
        return v.UNKNOWN
    return v.BOOL


def _boolean(frame: Frame, node: ast.BoolOp) -> v.Fact:
    facts = []
    saved = dict(frame.env)
    for value in node.values:
        facts.append(frame.eval(value))
        from np2torch.facts.interpreter.frame import narrow

        narrow(frame, value, isinstance(node.op, ast.And))
    frame.env = saved
    if isinstance(node.op, ast.Or):  # `x or default`: None is never the left answer
        facts = [v.keep(f, lambda a: a.kind != "none") for f in facts[:-1]] + facts[-1:]
    return v.join(*facts)


def _conditional(frame: Frame, node: ast.IfExp) -> v.Fact:
    from np2torch.facts.interpreter.frame import narrow

    frame.eval(node.test)
    saved = frame.env
    frame.env = dict(saved)
    narrow(frame, node.test, True)
    body = frame.eval(node.body)
    frame.env = dict(saved)
    narrow(frame, node.test, False)
    other = frame.eval(node.orelse)
    frame.env = saved
    return v.join(body, other)


def _sequence(frame: Frame, node: ast.Tuple | ast.List) -> v.Fact:
    facts = [frame.eval(element) for element in node.elts]
    kind = "tuple" if isinstance(node, ast.Tuple) else "list"
    for fact in facts:
        frame.escape(fact, node)
    if any(isinstance(e, ast.Starred) for e in node.elts):
        parts = [
            iterate(frame, frame.engine.facts.get(e.value, v.UNKNOWN)) if isinstance(e, ast.Starred) else fact
            for e, fact in zip(node.elts, facts, strict=True)
        ]
        return v.one(v.Sequence(kind, None, v.join(*parts), site=id(node) if kind == "list" else 0))
    if len(facts) > 64:
        return v.one(v.Sequence(kind, None, v.widen(v.join(*facts)), site=id(node) if kind == "list" else 0))
    if kind == "list":
        grown = frame.engine.heap.get(id(node))
        if grown is not None:
            return v.one(v.Sequence("list", None, v.join(grown, *facts), site=id(node)))
        return v.one(v.Sequence("list", tuple(facts), site=id(node)))
    return v.one(v.Sequence("tuple", tuple(facts)))


def _set(frame: Frame, node: ast.Set) -> v.Fact:
    element = v.widen(v.join(*(frame.eval(element) for element in node.elts)))
    return v.one(v.Sequence("set", None, element, site=id(node)))


def _dict(frame: Frame, node: ast.Dict) -> v.Fact:
    for key, value in zip(node.keys, node.values, strict=True):
        fact = frame.eval(value)
        frame.escape(fact, node)
        if key is None:
            for atom in fact:
                if isinstance(atom, v.Mapping):
                    frame.engine.add_element(id(node), frame.engine.heap.get(atom.site, v.BOTTOM))
                else:
                    frame.engine.add_element(id(node), v.UNKNOWN)
        else:
            frame.engine.add_element(id(node), fact, v.constant(frame.eval(key)))
    return v.one(v.Mapping(id(node)))


def _comprehension(frame: Frame, generators: list[ast.comprehension], make: Callable[[], v.Fact]) -> v.Fact:
    saved = dict(frame.env)
    for generator in generators:
        frame.assign(generator.target, v.widen(iterate(frame, frame.eval(generator.iter))))
        for condition in generator.ifs:
            frame.eval(condition)
    fact = make()
    frame.env = saved
    return fact


def _list_comprehension(frame: Frame, node: ast.ListComp) -> v.Fact:
    element = _comprehension(frame, node.generators, lambda: frame.eval(node.elt))
    return v.one(v.Sequence("list", None, v.widen(element), site=id(node)))


def _generator(frame: Frame, node: ast.GeneratorExp | ast.SetComp) -> v.Fact:
    return v.one(v.Iterator(v.widen(_comprehension(frame, node.generators, lambda: frame.eval(node.elt)))))


def _dict_comprehension(frame: Frame, node: ast.DictComp) -> v.Fact:
    def both() -> v.Fact:
        frame.eval(node.key)
        return frame.eval(node.value)

    frame.engine.add_element(id(node), _comprehension(frame, node.generators, both))
    return v.one(v.Mapping(id(node)))


def _lambda(frame: Frame, node: ast.Lambda) -> v.Fact:
    from np2torch.facts.interpreter.frame import define_function

    return v.one(v.Function(define_function(frame, node)))


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
    fact = frame.eval(node.value) if node.value is not None else v.NONE
    if isinstance(node, ast.YieldFrom):
        fact = iterate(frame, fact)
    frame.yielded = v.join(frame.yielded or v.BOTTOM, fact)
    return v.UNKNOWN


def _slice(frame: Frame, node: ast.Slice) -> v.Fact:
    for part in (node.lower, node.upper, node.step):
        if part is not None:
            frame.eval(part)
    return v.one(v.Opaque("slice"))


EVALUATE: dict[type, Callable[[Frame, Any], v.Fact]] = {
    ast.Constant: _constant, ast.Name: _name, ast.BinOp: _binary, ast.UnaryOp: _unary, ast.Compare: _compare,
    ast.BoolOp: _boolean, ast.IfExp: _conditional, ast.Tuple: _sequence, ast.List: _sequence, ast.Set: _set,
    ast.Dict: _dict, ast.ListComp: _list_comprehension, ast.GeneratorExp: _generator, ast.SetComp: _generator,
    ast.DictComp: _dict_comprehension, ast.Lambda: _lambda, ast.JoinedStr: _formatted, ast.Starred: _starred,
    ast.NamedExpr: _walrus, ast.Await: _await, ast.Yield: _yield, ast.YieldFrom: _yield, ast.Slice: _slice,
    ast.Attribute: attributes.read, ast.Call: calls.call, ast.Subscript: subscripts.read,
    ast.FormattedValue: lambda frame, node: frame.eval(node.value),
}  # fmt: skip
