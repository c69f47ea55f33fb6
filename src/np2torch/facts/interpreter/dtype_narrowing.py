"""Narrowing by a test of a dtype: of an array, and of the value that the array was made of (`a = np.asarray(x)`)."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from np2torch.facts import results
from np2torch.facts import values as v
from np2torch.facts.domain import DOMAIN
from np2torch.facts.interpreter.reflection import path_of
from np2torch.facts.tables import DTYPES
from np2torch.names.tree import Nodes, called_name, named_parameters

if TYPE_CHECKING:
    from np2torch.facts.interpreter.environment import FunctionNode
    from np2torch.facts.interpreter.protocols import Frame

MAKERS = frozenset({"array", "asarray", "asanyarray", "ascontiguousarray", "copy"})
"""Functions that give an array of the very elements of what they are given, where they are given nothing else."""
GROWING = frozenset("append extend insert pop remove clear __setitem__ __delitem__".split())
KINDS = {
    "generic": "biufc", "number": "iufc", "integer": "iu", "signedinteger": "i", "unsignedinteger": "u",
    "inexact": "fc", "floating": "f", "complexfloating": "c", "bool": "b", "bool_": "b",
}  # fmt: skip
"""The kinds of dtypes that NumPy's abstract classes stand for."""
NO_TORCH_KINDS = frozenset("OSUVaMm")
OF_PYTHON = {"bool": "bool", "int": "int64", "float": "float64", "complex": "complex128"}


class DtypeTest(NamedTuple):
    """A test: of which array, what it says of each dtype (None: not certain), and of text and objects."""

    owner: ast.expr
    of: Callable[[str], bool | None]
    others: bool | None


def copies(node: FunctionNode, nodes: Nodes) -> dict[str, ast.Name]:
    """Names of a body that are bound once, to an array of a parameter that is never bound again nor changed."""
    stored: dict[str, int] = {}
    changed: set[str] = set()
    made: dict[str, ast.Name] = {}
    for name in nodes.of(ast.Name):
        if not isinstance(name.ctx, ast.Load):
            stored[name.id] = stored.get(name.id, 0) + 1
    for one in nodes.of(ast.Subscript):
        if not isinstance(one.ctx, ast.Load) and isinstance(one.value, ast.Name):
            changed.add(one.value.id)
    for asked in nodes.of(ast.Attribute):
        if asked.attr in GROWING and isinstance(asked.value, ast.Name):
            changed.add(asked.value.id)
    for bound in nodes.of(ast.Assign):
        if len(bound.targets) == 1 and isinstance(bound.targets[0], ast.Name):
            source = _made_of(bound.value)
            if isinstance(source, ast.Name):
                made[bound.targets[0].id] = source
    parameters = {one.arg for one in named_parameters(node)}
    own = parameters - stored.keys() - changed
    once = {name for name in made if stored[name] == 1 and name not in parameters}
    return {name: source for name, source in made.items() if name in once and source.id in own}


def _made_of(node: ast.expr) -> ast.expr | None:
    """Give what `np.asarray(x)` makes an array of."""
    if not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords:
        return None
    name = called_name(node)
    return node.args[0] if name in MAKERS and not isinstance(node.args[0], ast.Starred) else None


def narrow_dtypes(frame: Frame, test: ast.Compare | ast.Call, truth: bool) -> bool:
    """Use what a test says of dtypes: `a.dtype == float`, `a.dtype.kind in "iu"`, `np.issubdtype(a.dtype, int)`.

    Returns
    -------
    bool
        Whether the test may come out like that.
    """
    asked = _compared(frame, test) if isinstance(test, ast.Compare) else _called(frame, test)
    if asked is None:
        return True
    source, may_be = _source(frame, asked.owner), True
    if source is not None and (path := path_of(frame, source)) is not None:
        may_be = _keep(frame, path, source, lambda fact: _left(fact, asked, truth))
    if (path := path_of(frame, asked.owner)) is not None:
        may_be = _keep(frame, path, asked.owner, lambda fact: _of_these(fact, asked, truth)) and may_be
    return may_be


def _keep(frame: Frame, path: str, node: ast.expr, narrowed: Callable[[v.Fact], v.Fact]) -> bool:
    """Narrow a name or path; tell whether anything is left of it."""
    if path.split(".", 1)[0] not in frame.env:  # others may bind it, outside
        return True
    fact = frame.env.get(path) or frame.facts.get(node, v.BOTTOM)
    left = narrowed(fact)
    if fact and not left:
        return False
    if left != fact:
        frame.know(path, left)
    return True


def _source(frame: Frame, node: ast.expr) -> ast.expr | None:
    """Find the expression of which an array was made."""
    if isinstance(node, ast.Call) and (inside := _made_of(node)) is not None:
        return inside if v.only(frame.facts.get(node.func, v.TOP), "numpy") else None
    if isinstance(node, ast.Name) and frame.function is not None:
        return frame.function.copies.get(node.id)
    return None


# --------------------------------------------------------------------------------------------------- the tests
def _compared(frame: Frame, test: ast.Compare) -> DtypeTest | None:
    """`a.dtype == float`, `a.dtype in (int, float)`, `a.dtype.kind in "iu"`, `a.dtype.name != "float64"`."""
    op, left, right = test.ops[0], test.left, test.comparators[0]
    if not isinstance(op, (ast.Eq, ast.NotEq, ast.In, ast.NotIn)):
        return None
    if isinstance(op, (ast.Eq, ast.NotEq)) and not _is_of_dtype(left):
        left, right = right, left
    if not _is_of_dtype(left):
        return None
    assert isinstance(left, ast.Attribute)
    said = _words(frame, right, op) if left.attr in ("kind", "name") else None
    if left.attr == "dtype":
        found = _asked_dtype(frame, left.value, right, op)
    elif said is None or not isinstance(left.value, ast.Attribute):
        return None
    elif left.attr == "kind":
        found = DtypeTest(
            left.value.value, lambda dtype: _kind(dtype) in said, None if NO_TORCH_KINDS & said else False
        )
    else:
        found = DtypeTest(left.value.value, lambda dtype: dtype in said, False if said <= frozenset(DTYPES) else None)
    return _opposite(found) if found is not None and isinstance(op, (ast.NotEq, ast.NotIn)) else found


def _is_of_dtype(node: ast.expr) -> bool:
    """Tell whether it is `a.dtype`, `a.dtype.kind` or `a.dtype.name`."""
    if not isinstance(node, ast.Attribute):
        return False
    if node.attr in ("kind", "name"):
        return isinstance(node.value, ast.Attribute) and node.value.attr == "dtype"
    return node.attr == "dtype"


def _words(frame: Frame, node: ast.expr, op: ast.cmpop) -> frozenset[str] | None:
    """The words or letters that a side of a comparison lists."""
    fact = frame.facts.get(node, v.TOP)
    items = v.items_of(fact)
    found = [v.constant(item) for item in items] if items is not None else [v.constant(fact)]
    if not all(isinstance(word, str) for word in found):
        return None
    is_letters = items is None and isinstance(op, (ast.In, ast.NotIn))
    return frozenset(found[0]) if is_letters else frozenset(found)


def _asked_dtype(frame: Frame, owner: ast.expr, right: ast.expr, op: ast.cmpop) -> DtypeTest | None:
    fact = frame.facts.get(right, v.TOP)
    items = v.items_of(fact) if isinstance(op, (ast.In, ast.NotIn)) else (fact,)
    if items is None:
        return None
    certain: set[str] = set()
    possible: set[str] = set()
    others: bool | None = False
    for item in items:
        names = results.dtype_names(item)
        if names is None:
            if results.no_torch_dtype(item) is None:
                return None
            others = None
            continue
        possible |= names
        certain |= names if len(names) == 1 else set()
    return DtypeTest(owner, lambda dtype: True if dtype in certain else None if dtype in possible else False, others)


def _opposite(asked: DtypeTest) -> DtypeTest:
    def of(dtype: str) -> bool | None:
        answer = asked.of(dtype)
        return answer if answer is None else not answer

    return DtypeTest(asked.owner, of, asked.others if asked.others is None else not asked.others)


def _called(frame: Frame, test: ast.Call) -> DtypeTest | None:
    """`np.issubdtype(a.dtype, np.integer)`, `np.iscomplexobj(a)`."""
    atom = v.sole(frame.facts.get(test.func, v.TOP))
    if not isinstance(atom, v.Numpy) or test.keywords:
        return None
    if atom.name == "numpy.iscomplexobj" and len(test.args) == 1:
        return DtypeTest(test.args[0], lambda dtype: _kind(dtype) == "c", None)
    if atom.name == "numpy.isrealobj" and len(test.args) == 1:
        return DtypeTest(test.args[0], lambda dtype: _kind(dtype) != "c", None)
    if atom.name != "numpy.issubdtype" or len(test.args) != 2:
        return None
    array, type_ = test.args
    if not isinstance(array, ast.Attribute) or array.attr != "dtype":
        return None
    class_ = v.sole(frame.facts.get(type_, v.TOP))
    kinds = KINDS.get(class_.name.removeprefix("numpy.")) if isinstance(class_, v.Numpy) else None
    if kinds is not None:
        return DtypeTest(
            array.value, lambda dtype: _kind(dtype) in kinds, None if len(kinds) == len("biufc") else False
        )
    return _asked_dtype(frame, array.value, type_, ast.Eq())


def _kind(dtype: str) -> str:
    return "b" if dtype == "bool" else dtype[0]


# ------------------------------------------------------------------------------------------------ what is left
def _passes(answer: bool | None, truth: bool) -> bool:
    return answer is None or answer == truth


def _of_these(fact: v.Fact, asked: DtypeTest, truth: bool) -> v.Fact:
    """Keep the dtypes of an array that pass the test."""
    kept: list[v.Fact] = []
    for atom in fact:
        if not isinstance(atom, (v.Array, v.Scalar)):
            if atom not in v.OBJECTS or _passes(asked.others, truth):
                kept.append(v.one(atom))
            continue
        every = DOMAIN.dtypes if atom.dtypes is None else atom.dtypes
        left = frozenset(dtype for dtype in every if _passes(asked.of(dtype), truth))
        is_open = atom.dtypes is None and (not left or _passes(asked.others, truth))  # one that was not thought of
        if left == every or is_open:
            kept.append(v.one(atom))
        elif left:
            kept.append(v.one(atom._replace(dtypes=left)))
    return v.join(v.BOTTOM, *kept)


def _left(fact: v.Fact, asked: DtypeTest, truth: bool) -> v.Fact:
    """Keep the alternatives of which an array that passes the test is made."""
    arrays = v.keep(fact, lambda atom: isinstance(atom, (v.Array, v.Scalar)))
    kept = [_of_these(arrays, asked, truth)]
    for atom in fact - arrays:
        if isinstance(atom, (v.Text, v.Nothing, v.Mapping)) or atom in v.OBJECTS:
            passes = _passes(asked.others, truth)
        elif isinstance(atom, v.Num):
            fits = atom.type != "int" or atom.value is None or -(2**63) <= atom.value < 2**63
            passes = not fits or _passes(asked.of(OF_PYTHON[atom.type]), truth)
        elif isinstance(atom, v.Sequence) and atom.type != "set":
            kept.append(_of_list(atom, asked, truth))
            continue
        else:
            passes = True
        if passes:
            kept.append(v.one(atom))
    return v.join(v.BOTTOM, *kept)


def _of_list(atom: v.Sequence, asked: DtypeTest, truth: bool) -> v.Fact:
    """Narrow a list: one text or None in it makes an array of text or objects."""
    if not _passes(asked.others, truth):
        cleaned = _numbers_only(atom)
        if cleaned is None:
            return v.BOTTOM
        atom = cleaned
    made = results.arraylike(v.one(atom), weak=False)
    dtypes = made[0] if made is not None else None
    if dtypes and not any(_passes(asked.of(dtype), truth) for dtype in dtypes) and not _passes(asked.others, truth):
        return v.BOTTOM
    return v.one(atom)


def _numbers_only(atom: v.Sequence) -> v.Sequence | None:
    """A list as far as it holds no text and no None; None where it certainly does."""
    if atom.items is None:
        element = _without_objects(atom.element)
        if element == atom.element:
            return atom
        return atom.of(element) if element else None if atom.has_items else v.Sequence(atom.type, (), site=atom.site)
    items = [_without_objects(item) for item in atom.items]
    if not all(left or not item for left, item in zip(items, atom.items, strict=True)):
        return None
    return atom.holding(*items) if tuple(items) != atom.items else atom


def _without_objects(fact: v.Fact) -> v.Fact:
    kept: set[v.Atom] = set()
    for atom in fact:
        if isinstance(atom, v.Sequence) and atom.type != "set":
            cleaned = _numbers_only(atom)
            if cleaned is not None:
                kept.add(cleaned)
        elif not isinstance(atom, (v.Text, v.Nothing, v.Mapping)):
            kept.add(atom)
    return frozenset(kept)
