"""Facts from annotations: NumPy's own types, jaxtyping's, and the containers and unions of `typing` around them."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from np2torch.facts import notation
from np2torch.facts import values as v
from np2torch.names.tree import dotted_name, walk

ARRAY_LIKE: v.Fact = v.join(v.ARRAY, v.TOP)
"""An array, or what NumPy would make one of."""
NOT_NUMPY = ("jnp", "jax", "cp", "cupy", "torch", "tf", "da")
"""Other libraries' names for modules that have an `ndarray` too."""
INTEGER = v.one(v.Num("int"))
NUMBER = v.join(INTEGER, v.one(v.Num("float")), v.scalar("float64"))
"""The meaning of `float` in an annotation: an `int` is accepted (PEP 484), and NumPy's float64 is one."""
PLAIN = {
    "ndarray": v.ARRAY, "NDArray": v.ARRAY, "ArrayLike": ARRAY_LIKE, "str": v.TEXT, "None": v.NONE, "bool": v.BOOL,
    "Tensor": v.OPAQUE, "int": INTEGER, "float": NUMBER, "complex": v.join(NUMBER, v.one(v.Num("complex"))),
}  # fmt: skip
"""Types that mean something to us without an argument, by their last name."""
STAYS = ("object_", "str_", "bytes_", "void", "datetime64", "timedelta64", "longdouble", "clongdouble")
"""Element types whose arrays stay on NumPy."""
TRANSPARENT = ("Annotated", "Final", "ClassVar", "Required", "NotRequired", "InitVar", "Mapped")
JAXTYPING = {
    "Float": "floating", "Int": "signedinteger", "UInt": "unsignedinteger", "Integer": "integer",
    "Complex": "complexfloating", "Inexact": "inexact", "Real": "real", "Num": "number", "Bool": "bool",
}  # fmt: skip
_SIZED = re.compile(r"(Float|Int|UInt|Complex)(\d+)")
Names = Mapping[str, ast.expr]
"""Names that a module binds to types of its own: `Points = NDArray[np.float64]`."""
MOST_DEPTH = 6


def of_annotation(node: ast.expr | None, names: Names | None = None, depth: int = 0) -> v.Fact | None:
    """The fact an annotation states; None when it says nothing we use."""
    if node is None or depth > MOST_DEPTH:
        return None
    if isinstance(node, ast.Constant):
        if isinstance(node.value, str):
            return of_text(node.value, names, depth + 1)
        return v.NONE if node.value is None else None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _union([node.left, node.right], names, depth)
    if isinstance(node, ast.Subscript):
        return _generic(node, names, depth)
    name = dotted_name(node)
    if name is None:
        return None
    if names and name in names:
        return of_annotation(names[name], names, depth + 1)
    return PLAIN.get(_last(name))


def of_text(text: str, names: Names | None = None, depth: int = 1) -> v.Fact | None:
    """The fact of an annotation in quotes or in a comment."""
    return of_annotation(parse_annotation(text), names, depth)


def parse_annotation(text: str) -> ast.expr | None:
    """The expression that such an annotation is; None where it is none."""
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        return None


def type_names(tree: ast.Module) -> dict[str, ast.expr]:
    """Names a module binds to types at its top level."""
    found: dict[str, ast.expr] = {}
    for node in tree.body:
        value = getattr(node, "value", None)  # of `X = ...`, `X: TypeAlias = ...`, `type X = ...`
        targets = getattr(node, "targets", None) or [getattr(node, "target", None), getattr(node, "name", None)]
        target = targets[0] or targets[-1]
        if isinstance(target, ast.Name) and isinstance(value, (ast.Subscript, ast.Attribute, ast.BinOp)):
            if any(PLAIN.get(_last(dotted_name(part) or "")) for part in _names_in(value)):
                found[target.id] = value
    return found


def _names_in(node: ast.expr) -> list[ast.expr]:
    return [part for part in walk(node) if isinstance(part, (ast.Name, ast.Attribute))]


def _last(name: str) -> str:
    """The last part of a dotted name; nothing where another library means its own arrays by it."""
    root, _, rest = name.partition(".")
    last = name.rpartition(".")[2]
    return "" if rest and root in NOT_NUMPY and last != "Tensor" else last


def _union(members: list[ast.expr], names: Names | None, depth: int) -> v.Fact | None:
    """Alternatives; those we cannot read may be anything, if there is an array among the others."""
    sides = [of_annotation(member, names, depth + 1) for member in members]
    known = [side for side in sides if side is not None]
    if len(known) < len(sides):
        return v.join(v.TOP, *known) if any(v.known_to_include(side, "array") for side in known) else None
    return v.join(*known) if known else None


def _generic(node: ast.Subscript, names: Names | None, depth: int) -> v.Fact | None:
    name = _last(dotted_name(node.value) or "")
    arguments = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if not arguments:  # `tuple[()]` has no items
        return None
    if name in TRANSPARENT:
        return of_annotation(arguments[0], names, depth + 1)
    if name in ("Optional", "Union"):
        none = [ast.Constant(None)] if name == "Optional" else []
        return _union([*arguments, *none], names, depth)
    if name in ("NDArray", "ndarray"):
        element = arguments[-1] if name == "NDArray" or len(arguments) == 2 else None
        if element is not None and any(_last(dotted_name(part) or "") in STAYS for part in _names_in(element)):
            return v.FOREIGN
        ranks = _tuple_rank(arguments[0]) if name == "ndarray" else None
        return v.one(v.Array(None if element is None else _dtypes(element), ranks))
    if name in ("list", "List", "tuple", "Tuple"):
        return _container(name.lower(), arguments, names, depth)
    return _jaxtyping(name, arguments)


def _dtypes(node: ast.expr) -> v.Names:
    """The dtypes of `np.float64`, `np.dtype[np.floating[Any]]`, `np.float32 | np.float64`; None for any."""
    if isinstance(node, ast.Subscript):
        inner = isinstance(node.value, (ast.Name, ast.Attribute)) and _last(dotted_name(node.value) or "") in (
            "dtype", "Union",
        )  # fmt: skip
        return _dtypes(node.slice if inner else node.value)
    parts: list[ast.expr] = []
    if isinstance(node, ast.BinOp):
        parts = [node.left, node.right]
    elif isinstance(node, ast.Tuple):
        parts = node.elts
    if parts:
        found = [_dtypes(part) for part in parts]
        return None if None in found else frozenset().union(*(part for part in found if part))
    name = dotted_name(node)
    return None if name is None else notation.dtypes_of_name(name.rpartition(".")[2])


def _tuple_rank(node: ast.expr) -> v.Ranks:
    """The rank a shape type `tuple[int, int]` states."""
    if not (isinstance(node, ast.Subscript) and _last(dotted_name(node.value) or "") in ("tuple", "Tuple")):
        return None
    sizes = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if any(isinstance(size, ast.Constant) and size.value is ... or isinstance(size, ast.Starred) for size in sizes):
        return None
    return frozenset([len(sizes)])


def _container(kind: str, arguments: list[ast.expr], names: Names | None, depth: int) -> v.Fact | None:
    """A list or tuple with arrays in it."""
    last = arguments[-1]
    endless = kind == "list" or isinstance(last, ast.Constant) and last.value is ...
    items = [of_annotation(a, names, depth + 1) or v.TOP for a in (arguments[:1] if endless else arguments)]
    if not any(v.known_to_include(item, "array", "sequence") for item in items):
        return None
    return v.one(v.Sequence(kind, None, items[0])) if endless else v.tuple_of(*items)


def _jaxtyping(name: str, arguments: list[ast.expr]) -> v.Fact | None:
    """`Float[Array, "n 3"]`: family or dtype, and a shape."""
    if len(arguments) != 2 or not (isinstance(arguments[1], ast.Constant) and isinstance(arguments[1].value, str)):
        return None
    sized = _SIZED.fullmatch(name)
    known = JAXTYPING.get(name, name.lower() if sized else "")
    if not known and name != "Shaped":
        return None
    if _last(dotted_name(arguments[0]) or "") == "Tensor":
        return v.OPAQUE
    sizes = arguments[1].value.split()
    ranks = None if any(size.startswith(("*", "...")) for size in sizes) else frozenset([len(sizes)])
    return v.one(v.Array(notation.dtypes_of_name(known), ranks))
