"""Operators: on Python numbers, on containers, and on arrays by the law of their ufunc."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from np2torch.facts import models, ndarray_subclasses, results
from np2torch.facts import values as v
from np2torch.facts.arguments import arguments_of
from np2torch.facts.complex_tracking import top_beside_complex
from np2torch.facts.domain import DOMAIN
from np2torch.facts.interpreter import subclass_results
from np2torch.facts.interpreter.iteration import is_filled, iterate
from np2torch.facts.interpreter.stable_order import in_order
from np2torch.facts.libraries import holds_nothing

if TYPE_CHECKING:
    from np2torch.facts.interpreter.protocols import Frame

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
    ast.Pow: lambda a, b: a**b if abs(b) <= 64 and abs(a) <= 64 else None,
}  # fmt: skip
_KEEP_SIGN = (ast.Add, ast.Mult, ast.Div, ast.FloorDiv, ast.Pow, ast.Mod)
"""Operators that make no negative number of two that are not."""
ARRAYS = ("array", "scalar")
OPEN = ("unknown", "instance", "opaque", "builtin")
"""The kinds of operand that may decide on any result."""
OF_SETS = (ast.BitOr, ast.BitAnd, ast.BitXor, ast.Sub)
"""Operators of sets."""
PLAIN = frozenset({"array", "scalar", "number", "text", "none", "unknown"})
"""The kinds of operand for which the result of an operator depends on nothing else."""
INERT = ("text", "sequence", "mapping", "none", "opaque")


REFUSED = {
    "text": ("number", *ARRAYS), "mapping": ("number", *ARRAYS), "function": ("number", *ARRAYS),
    "sequence": ("number",),
}  # fmt: skip
"""Kinds of operands, and of those beside which Python, NumPy and torch raise a TypeError alike."""
REFUSING = (
    ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.Lt, ast.LtE, ast.Gt, ast.GtE,
)  # fmt: skip
"""The operators that do."""
SPECIAL: dict[type, tuple[str, str]] = {
    **{op: (f"__{name}__", f"__r{name}__") for op, name in {
        ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv", ast.Mod: "mod",
        ast.Pow: "pow", ast.MatMult: "matmul", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor",
        ast.LShift: "lshift", ast.RShift: "rshift",
    }.items()},
    ast.USub: ("__neg__", ""), ast.UAdd: ("__pos__", ""), ast.Invert: ("__invert__", ""),
    ast.Eq: ("__eq__", "__eq__"), ast.NotEq: ("__ne__", "__ne__"), ast.Lt: ("__lt__", "__gt__"),
    ast.LtE: ("__le__", "__ge__"), ast.Gt: ("__gt__", "__lt__"), ast.GtE: ("__ge__", "__le__"),
}  # fmt: skip
"""The methods Python calls for an operator: of the left operand, of the right one."""


def special(frame: Frame, owner: v.Fact, name: str, *facts: v.Fact) -> v.Fact | None:
    """Give the result of the special method `name` of instances of the project's classes; None if one may lack it."""
    parts = []
    for atom in in_order(owner):
        method = atom.definition.find(name) if isinstance(atom, v.Instance) else None
        if method is None:
            return None
        parts.append(frame.engine.apply(frame, method, method.bind(arguments_of(*facts), v.one(atom))))
    return v.join(*parts) if parts else None


def accepted_operands(op: type, left: v.Fact, right: v.Fact) -> tuple[v.Fact, v.Fact]:
    """The operands without the alternatives for which the operator raises a TypeError, whatever the other one is."""
    if op not in REFUSING or not (v.known_to_include(left, *REFUSED) or v.known_to_include(right, *REFUSED)):
        return left, right
    if DOMAIN.supposed and _has_none(op, left, right):
        return v.BOTTOM, v.BOTTOM
    formats = op is ast.Mod and v.known_to_include(left, "text")
    kept_left = left if formats else v.keep(left, lambda atom: not _refused(op, atom, right))
    kept_right = v.keep(right, lambda atom: not _refused(op, atom, left))
    return kept_left or left, kept_right or right


def _refused(op: type, atom: v.Atom, other: v.Fact) -> bool:
    if not v.only(other, *REFUSED.get(atom.kind, ())):
        return False
    return op is not ast.Mult or atom.kind not in ("text", "sequence") or not any(map(may_count, other))


def _has_none(op: type, left: v.Fact, right: v.Fact) -> bool:
    """Tell whether Python has no such operator for lists and tuples, beside one another or beside a number."""
    sides = [left, right]
    of_lists = [side for side in sides if side and all(getattr(atom, "type", "") in ("list", "tuple") for atom in side)]
    numbers = [side for side in sides if v.only(side, "number")]
    if not of_lists or len(of_lists) + len(numbers) < len(sides) or op not in REFUSING[:7]:
        return False
    if op is ast.Mult:
        return not any(map(may_count, v.join(v.BOTTOM, *numbers)))
    return op is not ast.Add or bool(numbers)


def may_count(atom: v.Atom) -> bool:
    """Tell whether it may say how often text or a list is repeated."""
    if isinstance(atom, v.Num):
        return atom.type in ("int", "bool")
    return not isinstance(atom, (v.Array, v.Scalar)) or atom.dtypes is None or any(d[0] in "biu" for d in atom.dtypes)


def of_subarrays(frame: Frame, op: type, left: v.Fact, right: v.Fact) -> v.Fact:
    """The result where an operand is an object of a class that derives from ndarray: what the class or ndarray says.

    The operator of the left one answers first, the reflected one of the right one where that is of a class below.
    """
    ours, theirs = ndarray_subclasses.objects(left), ndarray_subclasses.objects(right)
    forward, reflected = SPECIAL[op]
    parts: list[v.Fact] = []
    for atom in in_order(ours):
        made = special(frame, v.one(atom), forward, right)
        parts.append(made or elementwise(frame, atom, op, subclass_results.data(frame, atom), right))
    others = v.join(left - theirs, ours)
    for atom in in_order(theirs):
        if others and reflected:
            made = special(frame, v.one(atom), reflected, others)
            parts += [made] if made is not None else []
        if left - ours:
            parts.append(elementwise(frame, atom, op, left - ours, subclass_results.data(frame, atom)))
    if any(v.known_to_include(rest, "unknown", "instance") for rest in (left - ours, right - theirs)):
        parts.append(v.TOP)
    if left - ours and right - theirs:
        parts.append(operate(frame, op, left - ours, right - theirs))
    return v.join(v.BOTTOM, *parts)


def elementwise(frame: Frame, atom: v.Atom, op: type, left: v.Fact, right: v.Fact) -> v.Fact:
    """Give what ndarray's own operator gives, as an object of the class."""
    return subclass_results.of_ufunc_result(
        frame, atom,
        operate(frame, op, subclass_results.as_arrays(frame, left), subclass_results.as_arrays(frame, right)),
    )


def operate(frame: Frame, op: type, left: v.Fact, right: v.Fact) -> v.Fact:
    """The result of a binary operator: the same few operands meet again and again."""
    known = frame.engine.operated
    result = known.get((op, left, right))
    if result is None:
        result = _operated(frame, op, left, right)
        if v.kinds(left) | v.kinds(right) <= PLAIN:
            known[op, left, right] = result
    return result


def _operated(frame: Frame, op: type, left: v.Fact, right: v.Fact) -> v.Fact:
    for first in (_of_objects_of_classes, _of_instances):
        if (found := first(frame, op, left, right)) is not None:
            return found
    left, right = accepted_operands(op, v.without(left, "none"), v.without(right, "none"))  # None as an operand raises
    if not left or not right:
        return v.BOTTOM
    return next(found for law in LAWS if (found := law(frame, op, left, right)) is not None)


def includes(left: v.Fact, right: v.Fact, *kinds: str) -> bool:
    """Tell whether an operand may be of one of these kinds."""
    return v.known_to_include(left, *kinds) or v.known_to_include(right, *kinds)


def _of_objects_of_classes(frame: Frame, op: type, left: v.Fact, right: v.Fact) -> v.Fact | None:
    """An instance of a subclass of ndarray among the operands."""
    if ndarray_subclasses.objects(left) or ndarray_subclasses.objects(right):
        return of_subarrays(frame, op, left, right)
    return None


def _of_instances(frame: Frame, op: type, left: v.Fact, right: v.Fact) -> v.Fact | None:
    """The special methods of the project's classes: those of the left operand first."""
    for reflected, (one, other) in enumerate(((left, right), (right, left))):
        instances = v.keep(one, lambda atom: atom.kind == "instance")
        if instances and (made := special(frame, instances, SPECIAL[op][reflected], other)) is not None:
            rest = one - instances
            if not rest:
                return made
            return v.join(made, operate(frame, op, other, rest) if reflected else operate(frame, op, rest, other))
    return None


def _of_library_objects(frame: Frame, op: type, left: v.Fact, right: v.Fact) -> v.Fact | None:
    """Objects with operators of their own."""
    return models.operator(op, left, right)


def _of_numbers(frame: Frame, op: type, left: v.Fact, right: v.Fact) -> v.Fact | None:
    """Compute the number that Python makes of two of its numbers."""
    if not (v.known_to_include(left, "number") and v.known_to_include(right, "number")):
        return None
    numbers = [v.keep(side, lambda atom: atom.kind == "number") for side in (left, right)]
    parts = [_python_number(op, *numbers)]
    for a, b in ((left, right - numbers[1]), (left - numbers[0], numbers[1])):
        if a and b:
            parts.append(operate(frame, op, a, b))
    return v.join(*parts)


def _of_foreign(frame: Frame, op: type, left: v.Fact, right: v.Fact) -> v.Fact | None:
    """Keep what stays on NumPy there, after an operation too."""
    if not includes(left, right, "foreign"):
        return None
    a, b = v.without(left, "foreign"), v.without(right, "foreign")
    stays = results.foreign_of(left, right)
    return v.join(stays, operate(frame, op, a, b)) if a and b else stays


def _of_python(frame: Frame, op: type, left: v.Fact, right: v.Fact) -> v.Fact | None:
    """No array at all, or the format of a text."""
    if op is ast.Mod and v.only(left, "text"):
        return v.TEXT
    if includes(left, right, *ARRAYS):
        return None
    made = _python_other(frame, op, left, right)
    return top_beside_complex(left | right) if v.is_anything(made) else made


def _of_text(frame: Frame, op: type, left: v.Fact, right: v.Fact) -> v.Fact | None:
    """A text answers for itself."""
    if not includes(left, right, "text"):
        return None
    a, b = v.without(left, "text"), v.without(right, "text")
    texts = v.TEXT if op in (ast.Mult, ast.Mod, ast.Add) else v.BOTTOM
    return v.join(texts, operate(frame, op, a, b) if a and b else v.BOTTOM)


def _of_sequences(frame: Frame, op: type, left: v.Fact, right: v.Fact) -> v.Fact | None:
    """A list that is repeated."""
    only = v.only(left, "sequence") or v.only(right, "sequence")
    if op is ast.Mult and only and not includes(left, right, "array"):
        return _python_other(frame, op, left, right)
    return None


def _of_matrices(frame: Frame, op: type, left: v.Fact, right: v.Fact) -> v.Fact | None:
    """The operator of `numpy.matmul`."""
    return frame.engine.api.call("numpy.matmul", arguments_of(left, right)) if op is ast.MatMult else None


def _of_unknown(frame: Frame, op: type, left: v.Fact, right: v.Fact) -> v.Fact | None:
    """A scalar beside what nobody knows, or an operand that may be both."""
    if includes(left, right, *OPEN) and not includes(left, right, "array"):
        return top_beside_complex(left | right)
    for one, other in ((left, right), (right, left)):
        numbers = v.keep(one, lambda atom: atom.kind == "number")
        if numbers and numbers != one and v.known_to_include(other, *OPEN):  # beside a number it may be anything
            rest = one - numbers
            pairs = ((numbers, other), (rest, other)) if one is left else ((other, numbers), (other, rest))
            return v.join(*(operate(frame, op, *pair) for pair in pairs))
    known = beside_unknown(left, right)
    return v.join(v.TOP, operate(frame, op, *known)) if known is not None else None


def _of_lists(frame: Frame, op: type, left: v.Fact, right: v.Fact) -> v.Fact | None:
    """A list beside a scalar that may repeat it."""
    lists = [*_repeated(frame, left, right), *_repeated(frame, right, left)] if op is ast.Mult else []
    if not lists:
        return None
    plain = [v.keep(side, lambda atom: atom.kind != "sequence") for side in (left, right)]
    without = operate(frame, op, plain[0], plain[1]) if all(plain) else v.BOTTOM
    return v.join(*lists, results.ufunc("multiply", [left, right]), without)


def _of_arrays(frame: Frame, op: type, left: v.Fact, right: v.Fact) -> v.Fact:
    """The ufunc of the operator."""
    result = results.ufunc(OPERATORS[op], [left, right])
    if stays_python(left) and stays_python(right):
        return frozenset(v.Scalar(a.dtypes, True) if isinstance(a, v.Scalar) else a for a in result)
    if any(isinstance(atom, v.Instance) and atom.definition.find("__array__") is None for atom in left | right):
        return v.TOP  # it answers by itself, by a method nobody sees, or NumPy makes an array of objects
    if includes(left, right, *OPEN):
        arrays = v.keep(result, lambda a: a.kind in ARRAYS)
        return v.one(v.Array(None if v.is_anything(result) else v.dtypes_of(arrays)))
    return result


LAWS: tuple[Callable[[Frame, type, v.Fact, v.Fact], v.Fact | None], ...] = (
    _of_library_objects, _of_numbers, _of_foreign, _of_python, _of_text, _of_sequences, _of_matrices, _of_unknown,
    _of_lists, _of_arrays,
)  # fmt: skip
"""The laws for the result of an operator, by its operands: the first that answers decides."""


def _repeated(frame: Frame, side: v.Fact, times: v.Fact) -> list[v.Fact]:
    """The lists that a side is repeated as, where the other may be an integer scalar: an element of an array is one."""
    counts = any(
        (atom.dtypes is None or any(dtype[0] in "iu" for dtype in atom.dtypes))
        and (isinstance(atom, v.Scalar) or atom.ranks is None)
        for atom in times if isinstance(atom, (v.Scalar, v.Array))
    )  # fmt: skip
    sequences = [atom for atom in side if isinstance(atom, v.Sequence)] if counts else []
    return [v.one(v.Sequence(a.type, None, iterate(frame, v.one(a)))) for a in sequences]


def beside_unknown(left: v.Fact, right: v.Fact) -> tuple[v.Fact, v.Fact] | None:
    """The operands without what one of them may be besides arrays, and may make anything of the other; None if none."""
    for one, other, order in ((left, right, 1), (right, left, -1)):
        rest = v.keep(one, lambda atom: atom.kind not in OPEN)
        if rest and rest != one and not v.only(other, "array"):
            return (rest, other) if order == 1 else (other, rest)
    return None


def stays_python(fact: v.Fact) -> bool:
    """Tell whether it is a Python number in the converted program, also where NumPy has a scalar."""
    return bool(fact) and all(isinstance(a, v.Num) or isinstance(a, v.Scalar) and a.python for a in fact)


def is_set(fact: v.Fact) -> bool:
    """Tell whether it is a set of Python's."""
    return bool(fact) and all(isinstance(atom, v.Sequence) and atom.type == "set" for atom in fact)


def _python_number(op: type, left: v.Fact, right: v.Fact) -> v.Fact:
    pairs = [(a, b) for a in left if isinstance(a, v.Num) for b in right if isinstance(b, v.Num)]
    return v.join(*(_folded(op, a, b) or _of_kinds(op, a, b) for a, b in pairs))


def _folded(op: type, a: v.Num, b: v.Num) -> v.Fact | None:
    """Compute with constants."""
    if a.value is None or b.value is None or op not in _FOLD or isinstance(a.value, bool):
        return None
    try:
        value = _FOLD[op](a.value, b.value)
    except (ArithmeticError, ValueError, TypeError):
        return None
    return None if value is None or isinstance(value, int) and abs(value) >= 2**70 else v.number(value)


def _of_kinds(op: type, a: v.Num, b: v.Num) -> v.Fact:
    """Compute with two numbers whose kinds are known."""
    rank = max(("bool", "int", "float", "complex").index(x.type) for x in (a, b))
    kind = ("int", "int", "float", "complex")[rank]
    also = v.BOTTOM
    if op is ast.Div and kind == "int":
        kind = "float"
    elif op is ast.Pow and kind == "int" and not b.nonnegative:
        also = v.one(v.Num("float", None, a.nonnegative))
    if op in (ast.BitAnd, ast.BitOr, ast.BitXor) and a.type == b.type == "bool":
        kind = "bool"
    positive = a.nonnegative and b.nonnegative and op in _KEEP_SIGN
    positive = positive or op is ast.Pow and b.value in (2, 4, 0.5) or op is ast.Mod and b.nonnegative
    return v.join(also, v.one(v.Num(kind, None, positive)))


def _of_mappings(frame: Frame, op: type, left: v.Fact, right: v.Fact) -> v.Fact | None:
    """Give a new one, which holds what they hold."""
    return v.join(left, right) if v.only(left, "mapping") and v.only(right, "mapping") else None


def _added(frame: Frame, op: type, left: v.Fact, right: v.Fact) -> v.Fact | None:
    """Put two sequences together."""
    if op is not ast.Add or not v.only(left, "sequence") or not v.only(right, "sequence"):
        return None
    a, b, first = v.items_of(left), v.items_of(right), v.sole(left)
    kind = first.type if isinstance(first, v.Sequence) else "list"
    if a is not None and b is not None and len(a) + len(b) <= 12 and kind == "tuple":
        return v.tuple_of(*a, *b)
    element = v.join(iterate(frame, left), iterate(frame, right))
    lengths = results.add_counts([v.lengths_of(left), v.lengths_of(right)])
    return v.one(v.Sequence(kind, None, element, 0, is_filled(left) or is_filled(right), lengths))


def _multiplied(frame: Frame, op: type, left: v.Fact, right: v.Fact) -> v.Fact | None:
    """Repeat a sequence."""
    if op is not ast.Mult or not (v.only(left, "sequence") or v.only(right, "sequence")):
        return None
    side, times = (left, right) if v.only(left, "sequence") else (right, left)
    first, count = v.sole(side), v.constant(times)
    if isinstance(first, v.Sequence) and first.items is not None and isinstance(count, int):
        if 0 < len(first.items) * count <= 16:
            return v.one(v.Sequence(first.type, first.items * count))
    often = isinstance(count, int) and count > 0
    sequences = [(a, often and v.has_items(a)) for a in side if isinstance(a, v.Sequence)]
    return v.join(*(v.one(v.Sequence(a.type, None, iterate(frame, v.one(a)), 0, some)) for a, some in sequences))


def _of_words(frame: Frame, op: type, left: v.Fact, right: v.Fact) -> v.Fact | None:
    """Put texts together, repeat or fill them in."""
    return v.TEXT if op in (ast.Add, ast.Mod, ast.Mult) and (v.only(left, "text") or v.only(right, "text")) else None


def _of_sets(frame: Frame, op: type, left: v.Fact, right: v.Fact) -> v.Fact | None:
    """Give a set of what is in either, or in the first."""
    if op not in OF_SETS or not is_set(left) or not is_set(right):
        return None
    taken = iterate(frame, left) if op is ast.Sub else v.join(iterate(frame, left), iterate(frame, right))
    return v.one(v.Sequence("set", None, taken))


def _of_inert(frame: Frame, op: type, left: v.Fact, right: v.Fact) -> v.Fact | None:
    """Give something that holds no array where neither side does."""
    is_inert = v.only(left, *INERT) and v.only(right, *INERT) and all(map(holds_nothing, left | right))
    return v.OPAQUE if is_inert else None


PYTHON_LAWS: tuple[Callable[[Frame, type, v.Fact, v.Fact], v.Fact | None], ...] = (
    _of_mappings, _added, _multiplied, _of_words, _of_sets, _of_inert,
)  # fmt: skip
"""Operators on what is no number and no array: the first that knows."""


def _python_other(frame: Frame, op: type, left: v.Fact, right: v.Fact) -> v.Fact:
    answers = (law(frame, op, left, right) for law in PYTHON_LAWS)
    return next((answer for answer in answers if answer is not None), v.TOP)
