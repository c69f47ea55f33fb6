"""Narrowing: what a condition tells of the names it tests."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from np2torch.facts import results
from np2torch.facts import values as v
from np2torch.facts.interpreter import annotated_classes
from np2torch.facts.interpreter.context_selectors import chooser
from np2torch.facts.interpreter.dtype_narrowing import narrow_dtypes
from np2torch.facts.interpreter.environment import merge
from np2torch.facts.interpreter.reflection import fact_of, path_of
from np2torch.facts.libraries import holds_data
from np2torch.facts.python_types import having
from np2torch.names.tree import dotted_name

if TYPE_CHECKING:
    from np2torch.facts.interpreter.definitions import ClassDefinition
    from np2torch.facts.interpreter.protocols import Frame

MOST_RANK = 64
FEW_RANKS = 4
COMPARED: dict[type, Callable[[int, frozenset[int]], bool]] = {
    ast.Eq: lambda rank, said: rank in said, ast.NotEq: lambda rank, said: rank not in said,
    ast.In: lambda rank, said: rank in said, ast.NotIn: lambda rank, said: rank not in said,
    ast.Lt: lambda rank, said: rank < max(said), ast.LtE: lambda rank, said: rank <= max(said),
    ast.Gt: lambda rank, said: rank > min(said), ast.GtE: lambda rank, said: rank >= min(said),
}  # fmt: skip
"""Tests whether a rank fits on the left of the operator with one of these ranks on its right."""
OPPOSITE: dict[type, type] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Lt: ast.GtE, ast.LtE: ast.Gt,
    ast.Gt: ast.LtE, ast.GtE: ast.Lt,
}  # fmt: skip
MIRRORED: dict[type, type] = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}
WITHOUT_SHAPE = ("number", "text", "sequence", "mapping", "none", "function", "iterator")
"""The kinds of value that have none of an array's own attributes."""
TEXT_OR_OBJECT = v.join(v.TEXT, v.OPAQUE)
OF_EQUALS = ("text", "instance", "foreign", "opaque")
"""The kinds of value that may equal a text."""


def is_known(fact: v.Fact) -> bool:
    """Tell whether every alternative is known, so that a test that leaves none is never passed."""
    return bool(fact) and not any(isinstance(atom, (v.Top, v.Opaque)) for atom in fact)


def narrow(frame: Frame, test: ast.expr, truth: bool) -> bool:
    """Use what a condition says of names (`is None`, `isinstance`, `x.ndim == 2`, `not`, `and`).

    Returns
    -------
    bool
        Whether the condition may come out like that at all.
    """
    narrowing = NARROWINGS.get(type(test))
    return narrowing is None or narrowing(frame, test, truth)


def _narrow_not(frame: Frame, test: ast.UnaryOp, truth: bool) -> bool:
    return not isinstance(test.op, ast.Not) or narrow(frame, test.operand, not truth)


def _narrow_bool(frame: Frame, test: ast.BoolOp, truth: bool) -> bool:
    if isinstance(test.op, ast.And) != truth:
        return _narrow_to_either(frame, test.values, truth)
    answers = [narrow(frame, value, truth) for value in test.values]  # all of them say something
    return all(answers)


def _narrow_compared(frame: Frame, test: ast.Compare, truth: bool) -> bool:
    if len(test.ops) != 1:
        return True
    if isinstance(test.ops[0], (ast.Is, ast.IsNot)):
        return _narrow_none(frame, test, truth)
    op = type(test.ops[0])
    _narrow_to_text(frame, test.left, op if truth else OPPOSITE[op], test.comparators[0])
    _narrow_rank(frame, test.left, op if truth else OPPOSITE[op], test.comparators[0])
    if op in (ast.Eq, ast.NotEq) or op in MIRRORED:
        op = MIRRORED.get(op, op)
        _narrow_rank(frame, test.comparators[0], op if truth else OPPOSITE[op], test.left)
    may_be = chooser(test.left) not in frame.env or _narrow_flag(frame, test, truth)
    return narrow_dtypes(frame, test, truth) and may_be


def _narrow_called(frame: Frame, test: ast.Call, truth: bool) -> bool:
    is_instance_test = isinstance(test.func, ast.Name) and test.func.id == "isinstance"
    may_be = True
    if is_instance_test and len(test.args) == 2 and (key := path_of(frame, test.args[0])):
        may_be = _narrow_isinstance(frame, key, test.args[0], test.args[1], truth)
    may_be = _narrow_flag(frame, test, truth) and may_be
    return (is_instance_test or narrow_dtypes(frame, test, truth)) and may_be


def _narrow_name(frame: Frame, test: ast.Name, truth: bool) -> bool:
    return test.id not in frame.env or _narrow_flag(frame, test, truth)


NARROWINGS: dict[type, Callable[[Frame, Any, bool], bool]] = {
    ast.UnaryOp: _narrow_not, ast.BoolOp: _narrow_bool, ast.Compare: _narrow_compared, ast.Call: _narrow_called,
    ast.Name: _narrow_name,
}  # fmt: skip
"""How each kind of test narrows the names in it, and whether it may come out like that."""


def _narrow_to_either(frame: Frame, tests: Sequence[ast.expr], truth: bool) -> bool:
    """Narrow by tests of which one is true, or false: join what each leaves where those before it are otherwise."""
    start, ends = frame.env, []
    for number, test in enumerate(tests):
        frame.enter(dict(start))
        parts = [narrow(frame, before, not truth) for before in tests[:number]]
        if all([*parts, narrow(frame, test, truth)]):
            ends.append(frame.env)
    joined = merge(ends) if ends else start
    frame.enter({k: fact for k, fact in joined.items() if k in start or all(k in e for e in ends)} if ends else start)
    return bool(ends)


def _narrow_flag(frame: Frame, test: ast.expr, truth: bool) -> bool:
    """Tell whether a flag, or a function asked of what it is given, may have this answer."""
    return frame.function is None or frame.takes(test, truth, v.constant(frame.facts.get(test, v.TOP)))


def _narrow_none(frame: Frame, test: ast.Compare, truth: bool) -> bool:
    right = test.comparators[0]
    key = path_of(frame, test.left)
    if key and isinstance(right, ast.Constant) and right.value is None:
        is_none = isinstance(test.ops[0], ast.Is) == truth
        fact = fact_of(frame, test.left)
        kept = v.keep(fact, lambda atom: (atom.kind == "none") == is_none or atom.kind == "unknown" and not is_none)
        frame.know(key, v.NONE if is_none else kept or fact)
        return bool(kept) or is_none == (fact == v.NONE) or not is_known(fact)
    return True


def _narrow_to_text(frame: Frame, side: ast.expr, op: type, other: ast.expr) -> None:
    """Take what equals a text for one, or for an object that says so itself: no array, number or container does."""
    if op is ast.Eq:
        texts = [other]
    elif op is ast.In and isinstance(other, (ast.Tuple, ast.List, ast.Set)):
        texts = other.elts
    else:
        return
    are_texts = all(isinstance(one, ast.Constant) and isinstance(one.value, str) for one in texts)
    key = path_of(frame, side) if are_texts else None
    if key and v.known_to_include(fact := fact_of(frame, side), "unknown"):
        frame.know(key, v.join(TEXT_OR_OBJECT, v.keep(fact, lambda atom: atom.kind in OF_EQUALS)))


# ----------------------------------------------------------------------------------------------------- ranks
def has_shape(frame: Frame, node: ast.expr, least: int = 0) -> None:
    """Narrow a value of which only arrays have an attribute: it is no list, and has a least rank."""
    _keep_ranks(frame, node, lambda rank: rank >= least)


def having_attribute(frame: Frame, node: ast.expr, owner: v.Fact, name: str) -> v.Fact:
    """Narrow a value of which an attribute of arrays was read."""
    left, key = having(owner, name), path_of(frame, node)
    if left != owner and key is not None and key.split(".", 1)[0] in frame.env:
        frame.know(key, left)
    return left


def _narrow_rank(frame: Frame, side: ast.expr, op: type, other: ast.expr) -> None:
    """`side op other` holds, where the one is the rank or shape of a name, the other a constant or a shape."""
    if not isinstance(side, (ast.Attribute, ast.Call)):
        return
    is_shape = isinstance(side, ast.Attribute) and side.attr == "shape"
    owner = side.value if isinstance(side, ast.Attribute) and is_shape else _ranked(side)
    if owner is None:
        return
    fact = frame.facts.get(other, v.TOP)
    if is_shape:
        if op is not ast.Eq or not v.only(fact, "sequence"):  # shapes that differ may be as long
            return
        if isinstance(other, ast.Attribute) and other.attr == "shape":
            lengths = v.ranks_of(frame.facts.get(other.value, v.TOP))
        else:
            lengths = _lengths(fact)
    elif op in (ast.In, ast.NotIn):
        items = v.items_of(fact)
        lengths = None if items is None else _constants(items)
    else:
        lengths = _constants([fact])
    if lengths:
        said, test = lengths, COMPARED[op]
        _keep_ranks(frame, owner, lambda rank: test(rank, said))


def _ranked(node: ast.expr) -> ast.expr | None:
    """Give what `x.ndim` and `len(x.shape)` are the rank of."""
    if isinstance(node, ast.Attribute) and node.attr == "ndim":
        return node.value
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len" and node.args:
        inside = node.args[0]
        return inside.value if isinstance(inside, ast.Attribute) and inside.attr == "shape" else None
    return None


def _lengths(fact: v.Fact) -> frozenset[int] | None:
    found = [None if not isinstance(a, v.Sequence) or a.items is None else len(a.items) for a in fact]
    return None if None in found else frozenset(n for n in found if n is not None)


def _constants(facts: Iterable[v.Fact]) -> frozenset[int] | None:
    found = [v.constant(fact) for fact in facts]
    return frozenset(found) if found and all(type(n) is int for n in found) else None


def _keep_ranks(frame: Frame, node: ast.expr, holds: Callable[[int], bool]) -> None:
    """Keep the alternatives with such a rank; where there is none, believe the test."""
    key = path_of(frame, node)
    if key is None:
        return
    fact = frame.env.get(key) or fact_of(frame, node)
    if not v.known_to_include(fact, "array", "scalar"):
        return
    few = list(islice(filter(holds, range(MOST_RANK + 1)), FEW_RANKS + 1))
    finite = frozenset(few) if len(few) <= FEW_RANKS else None
    kept: list[v.Fact] = []
    for atom in fact:
        if isinstance(atom, v.Array):
            ranks = finite if atom.ranks is None else frozenset(filter(holds, atom.ranks))
            if ranks is None or ranks:
                kept.append(v.one(v.Array(atom.dtypes, ranks)))
        elif atom.kind not in WITHOUT_SHAPE and (atom.kind != "scalar" or holds(0)):
            kept.append(v.one(atom))
    if not kept and finite:  # documented otherwise than it is used
        kept.append(results.make(v.dtypes_of(v.keep(fact, lambda a: a.kind in ("array", "scalar"))), finite, False))
    if kept and (left := v.join(*kept)) != fact:
        frame.know(key, left)


def narrow_arrays(
    frame: Frame, node: ast.expr, fact: v.Fact, refused: tuple[str, ...], holds: Callable[[int], bool]
) -> v.Fact:
    """Narrow a value to arrays of these ranks, and to kinds that are not refused."""
    kept: list[v.Fact] = []
    for atom in fact:
        if isinstance(atom, v.Array) and atom.ranks is not None:
            if ranks := frozenset(filter(holds, atom.ranks)):
                kept.append(v.one(v.Array(atom.dtypes, ranks)))
        elif atom.kind not in refused:
            kept.append(v.one(atom))
    left = v.join(v.BOTTOM, *kept)
    key = dotted_name(node)
    if left and left != fact and key is not None and key.split(".", 1)[0] in frame.env:  # others may bind it, outside
        frame.know(key, left)
    return left


# ------------------------------------------------------------------------------------------------ isinstance
STANDS: dict[str, v.Fact] = {
    "ndarray": v.ARRAY, "str": v.TEXT, "int": v.join(v.INT, v.BOOL), "bool": v.BOOL,
    "float": v.join(v.FLOAT, v.scalar("float64")), "complex": v.join(v.one(v.Num("complex")), v.scalar("complex128")),
    "list": v.one(v.Sequence("list", None, v.TOP)), "tuple": v.one(v.Sequence("tuple", None, v.TOP)),
}  # fmt: skip
"""The fact of an unknown value once it is known to be of the type."""
KINDS: dict[str, type] = {"ndarray": v.Array, "str": v.Text, "bytes": v.Text, "dict": v.Mapping}
"""Types that are one kind of alternative."""
SCALARS = {"float": "float64", "complex": "complex128"}
"""Python's types that NumPy's scalars derive from."""
PLAIN_KINDS = ("array", "scalar", "number", "text", "sequence", "mapping", "none")
"""The kinds of value that are instances of no class of the project."""
OPEN_KINDS = ("unknown", "opaque", "foreign", "iterator")
"""The kinds of value that may be of any type that is no class of the project."""
NUMBERS = frozenset("Number Complex Real Rational Integral number integer floating generic".split())
"""Types that Python's and NumPy's numbers may be of, and nothing else."""


def _admits_others(class_: ClassDefinition) -> bool:
    """Tell whether an object that is no instance of a class may pass for one, by a metaclass or an unseen base."""
    return class_.opaque or any(one.node.keywords for one in class_.lineage())


def _is_a(atom: v.Atom, name: str, classes: v.Fact) -> bool | None:
    """Tell whether a value is of this type; None where it may be."""
    class_ = v.sole(classes)
    if isinstance(class_, v.Class):
        return _is_of_class(atom, class_.definition)
    if atom in v.OBJECTS and (name in STANDS or name in NUMBERS):
        return name == "ndarray"
    if atom.kind in OPEN_KINDS:
        return None
    if isinstance(atom, v.Instance) and atom.definition.is_tensor():
        return name == "ndarray"
    if isinstance(atom, v.Instance) and atom.definition.opaque:
        return None
    answer = ANSWERS.get(name)
    return None if answer is None else answer(atom, name)


def _is_of_class(atom: v.Atom, class_: ClassDefinition) -> bool | None:
    """Tell whether a value is of this class of the project; None where it may be."""
    part = isinstance(atom, v.Foreign) and atom.why == v.PART
    if isinstance(atom, (v.Instance, v.Foreign)) and atom.definition and not part:
        return class_ in atom.definition.lineage()
    return False if atom.kind in PLAIN_KINDS and not _admits_others(class_) else None


def _is_number(atom: v.Atom, name: str) -> bool | None:
    """Tell numbers of Python's and NumPy's from all else."""
    return None if isinstance(atom, (v.Num, v.Scalar)) else False


def _is_pythons(atom: v.Atom, name: str) -> bool | None:
    """`isinstance(x, float)`, of which float64 scalars are as well."""
    if isinstance(atom, v.Scalar) and name in SCALARS:
        return None if atom.dtypes is None or len(atom.dtypes) > 1 else SCALARS[name] in atom.dtypes
    return isinstance(atom, v.Num) and (atom.type == name or (atom.type, name) == ("bool", "int"))


def _is_sequence(atom: v.Atom, name: str) -> bool | None:
    """Tell lists, tuples and sets by their type."""
    return isinstance(atom, v.Sequence) and atom.type == name


def _is_of_kind(atom: v.Atom, name: str) -> bool | None:
    """Tell types that are one kind of alternative."""
    return None if name == "bytes" and isinstance(atom, v.Text) else isinstance(atom, KINDS[name])


ANSWERS: dict[str, Callable[[v.Atom, str], bool | None]] = {
    **dict.fromkeys(NUMBERS, _is_number),
    **dict.fromkeys(("bool", "int", "float", "complex"), _is_pythons),
    **dict.fromkeys(("list", "tuple", "set"), _is_sequence),
    **dict.fromkeys(KINDS, _is_of_kind),
}
"""Whether an alternative is of a type, by its name."""


def _types(frame: Frame, types: ast.expr) -> list[tuple[str, v.Fact]]:
    """The types an `isinstance` asks for, by name."""
    wanted = types.elts if isinstance(types, ast.Tuple) else [types]
    return [((dotted_name(t) or ast.unparse(t)).split(".")[-1], frame.facts.get(t, v.TOP)) for t in wanted]


def is_instance(frame: Frame, node: ast.expr, types: ast.expr) -> bool | None:
    """Give what an `isinstance` says; None where that is not certain."""
    fact, named = fact_of(frame, node), _types(frame, types)
    if not is_known(fact):
        return None
    answers = {_one_answer([_is_a(atom, name, classes) for name, classes in named]) for atom in fact}
    return v.sole(answers)


def _one_answer(answers: list[bool | None]) -> bool | None:
    return True if True in answers else None if None in answers else False


def is_none(fact: v.Fact) -> bool | None:
    """Tell whether it is None. None where that is not certain."""
    return fact == v.NONE if is_known(fact) and (len(fact) == 1 or not v.known_to_include(fact, "none")) else None


def _standing(frame: Frame, name: str, classes: v.Fact) -> v.Fact:
    """Give the fact of an unknown value once its type is known."""
    class_ = v.sole(classes)
    if isinstance(class_, v.Class):
        asked = (class_.definition,)
        frame.note_heirs(asked)
        return v.TOP if _admits_others(class_.definition) else annotated_classes.instances(frame.engine, asked)
    if isinstance(class_, v.Opaque) and holds_data(f"{class_.origin}()"):
        return v.one(v.Opaque(f"{class_.origin}()"))  # `pd.Series`, whose `values` are an ndarray
    return STANDS.get(name, v.TOP)


def _narrow_isinstance(frame: Frame, key: str, node: ast.expr, types: ast.expr, truth: bool) -> bool:
    fact = fact_of(frame, node)
    named = _types(frame, types)
    kept: set[v.Atom] = set()
    for atom in fact:
        answers = [_is_a(atom, name, classes) for name, classes in named]
        if any(answer is not False for answer in answers) if truth else not any(answers):
            kept.add(atom)
    left = v.join(frozenset(kept)) if kept else v.BOTTOM
    if truth and v.known_to_include(left, "unknown"):
        parts = [_standing(frame, name, classes) for name, classes in named]
        if v.TOP not in parts:
            left = v.join(v.keep(left, lambda atom: atom.kind != "unknown"), *parts)
    may_be = bool(left) or not is_known(fact)
    if not may_be and truth and all(name in STANDS for name, _ in named):  # should it be taken all the same
        left = v.join(*(STANDS[name] for name, _ in named))
    if left and left != fact:
        frame.know(key, left)
    return may_be
