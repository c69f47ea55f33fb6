"""Shapes that functions ask of parameters by what they do with them: `x[:, 2]`, `for a, b in x`, `len(x) != 3`."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

MODULES = frozenset(("np", "numpy", "torch", "shim"))
LETTERS = "nmkl"
"""Sizes that are not said, in the order of the axes; arrays of three axes begin with `k`, as in documentation."""
MOST_SIZE, MOST_AXES, MOST_SHAPES = 12, 3, 4
COERCIONS = frozenset((
    "array", "asarray", "asanyarray", "ascontiguousarray", "asfarray", "atleast_1d", "astype", "copy", "squeeze",
    "float64",
))  # fmt: skip
"""Functions and methods that give an array of the shape of what they are given."""
BEYOND = (ast.Gt, ast.LtE)
"""Comparisons that part one size from the next larger one."""
Named = tuple[str, tuple[str, ...]]
"""A name, and the sizes that something asks of it."""


def shapes_by_use(tree: ast.AST) -> dict[str, list[str]]:
    """List the shapes that uses ask for, by the parameter; `self._x` is one where it is stored there."""
    stands_for = dict(_stored(tree))
    least: dict[tuple[str, int], list[int]] = {}
    found: dict[str, dict[str, None]] = {}
    for node in ast.walk(tree):
        for path, sizes in _asked(node):
            found.setdefault(_resolved(path, stands_for), {})[_spelled(sizes)] = None
        for path, sizes_at_least in _indexed(node):
            known = least.setdefault((_resolved(path, stands_for), len(sizes_at_least)), [0] * len(sizes_at_least))
            known[:] = map(max, known, sizes_at_least)
    for (name, rank), known in least.items():
        letters = _letters(rank)
        sizes = tuple(str(size) if size > 1 else letter for size, letter in zip(known, letters, strict=True))
        found.setdefault(name, {})[_spelled(sizes)] = None
    return {name: list(shapes)[:MOST_SHAPES] for name, shapes in found.items()}


def _letters(rank: int) -> tuple[str, ...]:
    return tuple(LETTERS[:rank]) if rank < MOST_AXES else ("k", "n", "m")


def _spelled(sizes: Iterable[str]) -> str:
    return ",".join(sizes)


def _resolved(path: str, stands_for: Mapping[str, str]) -> str:
    """Follow a name to the parameter whose array it holds."""
    for _ in range(len(stands_for)):
        path = stands_for.get(path, path)
    return path


def _stored(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Names and attributes that are assigned what another name holds, or an array made of it."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            source = _path(_uncoerced(node.value))
            yield from ((path, source) for path in map(_path, targets) if path and source and path != source)


def _uncoerced(node: ast.expr) -> ast.expr:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=name), args=[first, *_]) if owner in MODULES:
            return _uncoerced(first) if name in COERCIONS else node
        case ast.Call(func=ast.Attribute(value=owner, attr=name)) if name in COERCIONS:
            return _uncoerced(owner)
    return node


def _path(node: ast.expr) -> str:
    """Spell a name, or an attribute of `self`; empty for all else."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            return f"self.{name}"
    return ""


def _indexed(node: ast.AST) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The sizes that subscripts need at least, for each axis that they name: `x[:, 2]`, `x[0][1]`."""
    match node:
        case ast.Subscript(value=ast.Subscript(value=value, slice=first), slice=second):
            parts: list[ast.expr] = [first, second]
            if any(isinstance(one, (ast.Tuple, ast.Slice)) for one in parts):
                return
        case ast.Subscript(value=value, slice=ast.Tuple(elts=parts)):
            pass
        case _:
            return
    if (path := _path(_uncoerced(value))) and len(parts) <= MOST_AXES and not any(map(_adds_axes, parts)):
        yield path, tuple(map(_needed, parts))


def _adds_axes(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=value):
            return value is None or value is ...
        case ast.Attribute(attr="newaxis") | ast.Starred():
            return True
    return False


def _needed(node: ast.expr) -> int:
    """The size that an index needs: one more than a number."""
    number = _number(node)
    return number + 1 if 0 <= number < MOST_SIZE else 0


def _number(node: ast.expr) -> int:
    """Give a whole number that is written out; -1 for all else."""
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else -1


def _asked(node: ast.AST) -> Iterator[Named]:
    match node:
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=value):
            yield from _unpacked(targets, value)
        case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
            yield from _rows(target, value)
        case ast.Subscript(value=value, slice=ast.Tuple(elts=[ast.Constant(value=ellipsis), last])):
            if ellipsis is ... and 0 < _number(last) < MOST_SIZE and (path := _path(value)):
                yield from _last(path, str(_number(last) + 1))
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            yield from _compared(left, right, int(isinstance(op, BEYOND)))
            yield from _compared(right, left, int(isinstance(op, (ast.Lt, ast.GtE))))


def _unpacked(targets: list[ast.expr], value: ast.expr) -> Iterator[Named]:
    """Shapes of what is taken apart: of an array itself, by its columns, or by its shape."""
    count = len(targets)
    if count > MOST_SIZE or any(isinstance(one, ast.Starred) for one in targets):
        return
    match value:
        case ast.Attribute(value=owner, attr="T") if path := _path(owner):
            yield path, ("n", str(count))
        case ast.Attribute(value=owner, attr="shape") if (path := _path(owner)) and count <= MOST_AXES:
            yield path, _letters(count)
        case _:
            if path := _path(_uncoerced(value)):
                yield path, (str(count),)
                yield path, (str(count), "n")


def _rows(target: ast.expr, value: ast.expr) -> Iterator[Named]:
    """Shapes of arrays of which a loop takes apart each row."""
    match target, value:
        case ast.Tuple(elts=[_, ast.Tuple() as inner]), ast.Call(func=ast.Name(id="enumerate"), args=[one, *_]):
            yield from _rows(inner, one)
        case ast.Tuple(elts=targets), _ if path := _path(value):
            if not any(isinstance(one, ast.Starred) for one in targets):
                yield path, ("n", str(len(targets)))


def _compared(side: ast.expr, other: ast.expr, more: int) -> Iterator[Named]:
    """Shapes of the array on one side of a comparison, which names the size of an axis, the axes, or all sizes."""
    number = _number(other) + more
    is_size = 1 < number <= MOST_SIZE
    match side:
        case ast.Subscript(value=ast.Attribute(value=owner, attr="shape"), slice=index) if path := _path(owner):
            if _is_of_shape(other, path):
                yield path, ("n", "n")
            elif is_size:
                yield from _along(path, index, str(number))
        case ast.Attribute(value=owner, attr="shape") if path := _path(owner):
            if isinstance(other, ast.Tuple) and 0 < len(other.elts) <= MOST_AXES:
                yield path, _named(other.elts)
        case (
            ast.Attribute(value=owner, attr="ndim")
            | ast.Call(func=ast.Name(id="len"), args=[ast.Attribute(value=owner, attr="shape")])
        ) if path := _path(owner):
            if 0 < number <= MOST_AXES:
                yield path, _letters(number)
        case ast.Attribute(value=owner, attr="size") | ast.Call(func=ast.Name(id="len"), args=[owner]):
            if is_size and (path := _path(owner)):
                yield path, (str(number),)
                yield path, (str(number), "n")


def _is_of_shape(node: ast.expr, path: str) -> bool:
    match node:
        case ast.Subscript(value=ast.Attribute(value=owner, attr="shape")):
            return _path(owner) == path
    return False


def _along(path: str, index: ast.expr, size: str) -> Iterator[Named]:
    """Shapes that have a size along the axis with an index."""
    match index:
        case ast.Constant(value=0):
            yield path, (size,)
            yield path, (size, "n")
        case ast.Constant(value=int(axis)) if axis < MOST_AXES:
            letters = _letters(axis + 1)
            yield path, (*letters[:axis], size)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1)):
            yield from _last(path, size)


def _last(path: str, size: str) -> Iterator[Named]:
    yield path, (size,)
    yield path, ("n", size)


def _named(nodes: list[ast.expr]) -> tuple[str, ...]:
    """The sizes of a shape that is written out: equal texts are one size."""
    texts = [ast.unparse(one) for one in nodes]
    letters = iter(LETTERS)
    names: dict[str, str] = {}
    for node, text in zip(nodes, texts, strict=True):
        is_number = 0 < _number(node) <= MOST_SIZE
        if text not in names:
            names[text] = text if is_number else next(letters)
    return tuple(names[text] for text in texts)
