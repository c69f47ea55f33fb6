"""Dtypes as objects: what stands for a scalar class is called, compared, asked and printed as NumPy's class is."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from np2torch.facts import results
from np2torch.facts import values as v
from np2torch.facts.domain import DOMAIN
from np2torch.facts.dtype_uses import is_called_dtype
from np2torch.facts.dtypes import WORDS, may_name_dtype
from np2torch.facts.libraries import holds_data
from np2torch.names import resolve
from np2torch.names.tree import called_name, dotted_name
from np2torch.rules.handlers import Phase, on
from np2torch.rules.methods import DTYPE_ATTRIBUTES
from np2torch.rules.rule_arguments import Template
from np2torch.rules.site import Edit, ModuleContext, source_of, text_edit
from np2torch.rules.syntax.runtime_dispatch import PYTHON_NAMES, shim_attribute, shim_operator

CALLING = frozenset("map filter defaultdict partial starmap reduce imap imap_unordered submit vectorize".split())
"""Functions and methods that call their first argument."""
CALLED = frozenset({"key", "default_factory"})
"""Keywords for what is called; with `add_argument` also `type`."""


@on(Phase.PYTHON, ast.Call)
def handed_over(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """`map(np.float32, words)`, `field(default_factory=np.float64)`: a scalar class that others call."""
    if v.known_to_include(ctx.fact(node.func), "function", "class"):
        return None
    name = called_name(node)
    called = node.args[:1] if name in CALLING else []
    for keyword in node.keywords:
        if keyword.arg in CALLED or keyword.arg == "type" and name == "add_argument":
            called.append(keyword.value)
        elif keyword.arg == "converters" and isinstance(keyword.value, ast.Dict):
            called += keyword.value.values
    for one in called:
        _as_function(ctx, one)
    return None


def _as_function(ctx: ModuleContext, node: ast.expr) -> None:
    """Give what makes scalars of a dtype, where a class is written out or held."""
    atom = v.sole(ctx.fact(node))
    if _is_written(ctx, node) and isinstance(atom, v.Numpy):
        short = resolve.canonical(atom.name).removeprefix("numpy.")
        if short in resolve.SCALAR_CLASSES and short in ctx.shim:
            why = "called by others, which a dtype is not"
            ctx.edits[node] = Edit(node, "shim", "NPT150", ast.unparse(node), why, text=f"shim.{short}")
    elif may_be_dtype(ctx, node):
        ctx.wrap(node, "shim.scalar_type(", ")", "shim", "NPT152", "a scalar class that is called by others")


def _is_written(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether it is a name of NumPy's, and not of the project's."""
    if isinstance(node, ast.Name):
        return node.id in ctx.numpy_names
    return isinstance(node, ast.Attribute) and v.known_to_include(ctx.fact(node.value), "module")


NAMING = ("__name__", "__qualname__")


@on(Phase.PYTHON, ast.Attribute)
def attribute(ctx: ModuleContext, node: ast.Attribute) -> Edit | None:
    """`x.dtype.kind`, `dtype.__name__`, which torch's dtypes do not have."""
    if node.attr not in DTYPE_ATTRIBUTES and node.attr not in NAMING or not isinstance(node.ctx, ast.Load):
        return None
    owner = ctx.fact(node.value)
    reads_dtype = isinstance(node.value, ast.Attribute) and node.value.attr == "dtype"
    if reads_dtype and v.known_to_include(owner, "dtype", "unknown", "method") or v.known_to_include(owner, "dtype"):
        return shim_attribute(node)
    source = node.value.func if isinstance(node.value, ast.Call) else node.value  # `image.get_data_dtype().type`
    named = ctx.is_open(node.value) and is_called_dtype((dotted_name(source) or "").rpartition(".")[2])
    held = node.attr in NAMING and _holds_class(ctx, node.value) and not _is_written(ctx, node.value)
    compared = node.attr == "type" and ctx.is_open(node.value) and _is_beside_class(ctx, node)
    return shim_attribute(node) if named or held or compared else None


def _is_beside_class(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether it is compared with a scalar class of NumPy: `header.kind().type == np.int16`."""
    parent = ctx.parents.get(node)
    if not isinstance(parent, ast.Compare):
        return False
    others = [one for one in (parent.left, *parent.comparators) if one is not node]
    several = (ast.Tuple, ast.List, ast.Set)
    return any(_holds_class(ctx, part) for one in others for part in (one.elts if isinstance(one, several) else [one]))


def _holds_class(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether it is a name of the project's for a scalar class of NumPy."""
    short = {atom.name.removeprefix("numpy.") for atom in ctx.fact(node) if isinstance(atom, v.Numpy)}
    return bool(short & resolve.SCALAR_CLASSES)


def may_be_dtype(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether it is a dtype or a scalar class, or what may be anything and is used or called so."""
    if _holds_class(ctx, node) or v.known_to_include(ctx.fact(node), "dtype"):
        return True
    if not ctx.is_open(node.value if isinstance(node, ast.Attribute) else node):
        return False
    path = dotted_name(node.value if isinstance(node, ast.Subscript) else node) or ""
    return is_called_type(path.rpartition(".")[2]) or dotted_name(node) in ctx.dtypes_of(ctx.function(node))


OF_TYPES = re.compile(
    r"_*(?:(?:scalar|real|float|int|complex|num|number|value|data|elem|element|in|out|input|output|result|target|x|y)_?)?"
    r"(?:d|data|f|c|i)?types?_*"
)


def is_called_type(name: str) -> bool:
    """Tell whether it is what people call a variable that holds the type of numbers, or several such."""
    return OF_TYPES.fullmatch(name) is not None


def identity(ctx: ModuleContext, node: ast.Compare, left: v.Fact, right: v.Fact) -> Edit | None:
    """`x.dtype.type is np.float64`: what makes scalars of a dtype equals the dtype and is not the same object.

    `x.all() is np.True_` asks for the Python bool.
    """
    sides = (node.left, node.comparators[0])
    for one, other in (sides, sides[::-1]):
        named_bool = isinstance(other, ast.Attribute) and other.attr in ("True_", "False_")
        if named_bool and v.only(ctx.fact(one), "scalar") and v.is_tensor(ctx.fact(one)):
            ctx.wrap(one, "", ".item()", "native", "NPT105", "NumPy's bools are Python's here")
    if any(isinstance(side, ast.Attribute) and side.attr == "type" and is_librarys(ctx, side.value) for side in sides):
        return shim_operator(ctx, node, ast.Eq() if isinstance(node.ops[0], ast.Is) else ast.NotEq(), *sides)
    alike = all(isinstance(a, v.Method) for a in left | right) or any(v.only(fact, "none") for fact in (left, right))
    if alike or not _may_be_classes(node, left, right) or ctx.converted_already():
        return None
    template = Template()
    sign = "==" if isinstance(node.ops[0], ast.Is) else "!="
    text = f"{template.mark(node.left)} {sign} {template.mark(node.comparators[0])}"
    return text_edit(node, "native", "NPT104", "a scalar class equals its dtype", template, text)


def _may_be_classes(node: ast.Compare, left: v.Fact, right: v.Fact) -> bool:
    """Tell whether one side is a class of NumPy's scalars, or may be one where the other names one."""
    if is_scalar_class(left) or is_scalar_class(right):
        return True
    if not any(all(isinstance(a, v.Numpy) for a in fact) and results.dtype_names(fact) for fact in (left, right)):
        return False
    asked = any(asked_for_class(one) is not None for one in (node.left, node.comparators[0]))
    return asked or any(v.known_to_include(fact, "unknown") for fact in (left, right))


def asked_for_class(node: ast.AST | None) -> ast.expr | None:
    """The object of which a class is asked: `x` of `type(x)` and `x.__class__`."""
    if isinstance(node, ast.Attribute) and node.attr == "__class__":
        return node.value
    by_type = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "type"
    return node.args[0] if isinstance(node, ast.Call) and by_type and len(node.args) == 1 else None


def is_scalar_class(fact: v.Fact) -> bool:
    """Tell whether it is the `type` of a dtype."""
    return any(isinstance(a, v.Method) and a.name == "type" and v.may(a.owner, "dtype", "unknown") for a in fact)


def compare_dtypes(ctx: ModuleContext, node: ast.Compare) -> Edit | None:
    """`x.dtype == "float64"`: the strings and Python types NumPy compares dtypes with become torch dtypes.

    What may be a string without being known is compared at run time: torch's dtypes equal no string.
    """
    sides = (node.left, *node.comparators)
    if not any(v.only(ctx.fact(side), "dtype") or _owner_of_dtype(side) for side in sides):
        return _compare_perhaps(ctx, node)
    for side in sides:
        for part in side.elts if isinstance(side, (ast.Tuple, ast.List)) else [side]:
            _spell_dtype(ctx, part)
    if len(node.ops) > 1:
        return _chained(ctx, node, sides)
    if isinstance(node.ops[0], (ast.Eq, ast.NotEq)) and not ctx.converted_already():
        sides = (node.left, node.comparators[0])
        if any(_may_be_text(ctx, side) or _may_stay(ctx, side) or is_librarys(ctx, side) for side in sides):
            return shim_operator(ctx, node, node.ops[0], node.left, node.comparators[0])
    asked = is_librarys(ctx, node.left) or _may_stay(ctx, node.left)
    if isinstance(node.ops[0], (ast.In, ast.NotIn)) and asked and not ctx.converted_already():
        return by_contains(node, "a dtype of NumPy's among torch's")
    return None


def _chained(ctx: ModuleContext, node: ast.Compare, sides: Sequence[ast.expr]) -> Edit | None:
    """`a.dtype == b.dtype == np.float64` two by two, where one may be NumPy's; None where one would be asked twice."""
    if ctx.converted_already() or not any(is_librarys(ctx, side) or _may_stay(ctx, side) for side in sides):
        return None
    if not all(isinstance(op, (ast.Eq, ast.NotEq)) for op in node.ops) or not all(map(dotted_name, sides[1:-1])):
        return None
    template = Template()
    pairs = zip(node.ops, sides, sides[1:], strict=False)
    calls = [f"shim.operator.{PYTHON_NAMES[type(op)]}({template.mark(a)}, {template.mark(b)})" for op, a, b in pairs]
    why = "a dtype of NumPy's among torch's"
    return Edit(node, "shim", "NPT152", source_of(node), why, text=f"({' and '.join(calls)})", pieces=template.nodes)


def _spell_dtype(ctx: ModuleContext, node: ast.expr) -> None:
    """Write a string or a Python type that a dtype is compared with as torch's dtype."""
    atom = v.sole(ctx.fact(node))
    names = results.dtype_names(ctx.fact(node)) if isinstance(atom, (v.Text, v.Builtin)) else None
    if names is not None and len(names) == 1:
        text = f"torch.{next(iter(names))}"
        ctx.edits[node] = Edit(node, "native", "NPT104", source_of(node), "the torch dtype", text=text)


def _compare_perhaps(ctx: ModuleContext, node: ast.Compare) -> Edit | None:
    """`dtype == "float32"` where only run time tells whether it is a dtype or the text itself."""
    if len(node.ops) != 1 or ctx.converted_already():
        return None
    second = node.comparators[0]
    listed = second.elts if isinstance(second, (ast.Tuple, ast.List, ast.Set)) else []
    texts = [ctx.fact(side) for side in (node.left, second, *listed) if v.only(ctx.fact(side), "text")]
    if not any(map(_may_name_dtype, texts)):
        return None
    if isinstance(node.ops[0], (ast.Eq, ast.NotEq)):
        return shim_operator(ctx, node, node.ops[0], node.left, second)
    return by_contains(node, "a dtype equals no text in torch") if listed else None


def _may_name_dtype(text: v.Fact) -> bool:
    return any(not isinstance(a, v.Text) or a.value is None or may_name_dtype(a.value) for a in text)


def names_dtypes(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether it is a list of words that are names of dtypes and hardly anything else."""
    items = node.elts if isinstance(node, (ast.Tuple, ast.List, ast.Set)) else []
    words = [v.constant(ctx.fact(item)) for item in items]
    return bool(words) and all(isinstance(word, str) and word in WORDS for word in words)


def is_dtype(ctx: ModuleContext, node: ast.expr) -> bool:
    fact = ctx.fact(node)
    open_ = _owner_of_dtype(node) is not None and v.known_to_include(fact, "unknown", "foreign")
    return v.known_to_include(fact, "dtype") or open_ or is_librarys(ctx, node)


def _owner_of_dtype(node: ast.expr) -> ast.expr | None:
    """Give what the dtype is asked of, `x` of `x.dtype` and `getattr(x, "dtype", None)`; None where it is no dtype."""
    match node:
        case ast.Attribute(value=owner, attr="dtype"):
            return owner
        case ast.Call(func=ast.Name(id="getattr"), args=[owner, ast.Constant(value="dtype"), *_]):
            return owner
    return None


def _may_stay(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether it is the dtype of what may be an array that stays on NumPy, for all that is known."""
    owner = node.value if isinstance(node, ast.Attribute) else _owner_of_dtype(node)
    if owner is None:
        return False
    fact = ctx.fact(owner)
    if v.only(fact, "instance") and v.known_to_include(ctx.fact(node), "unknown"):  # a property gives that of anything
        return True
    if not (DOMAIN.names_unheld or ctx.keeps_arrays() or v.known_to_include(fact, "foreign")):
        return False
    return v.known_to_include(fact, "unknown", "foreign") and not results.stays(fact)


def is_librarys(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether it is NumPy's dtype of an object of a library, or of a part of one, which equals none of torch's."""
    owner: ast.expr = node  # a property of the project's may give it: `signal.dtype`
    if _owner_of_dtype(node) is None or ctx.converted_already():
        return False
    while True:
        if any(isinstance(atom, v.Opaque) and holds_data(atom.origin) for atom in ctx.fact(owner)):
            return True
        part = _owner_of_dtype(owner) or getattr(owner, "value", None)
        if not isinstance(owner, (ast.Attribute, ast.Subscript, ast.Call)) or not isinstance(part, ast.expr):
            return False
        owner = part


def _may_be_text(ctx: ModuleContext, node: ast.expr) -> bool:
    fact = ctx.fact(node)
    open_ = v.known_to_include(fact, "unknown") or v.known_to_include(fact, "text")
    return open_ and node not in ctx.edits and _owner_of_dtype(node) is None


def by_contains(node: ast.Compare, why: str) -> Edit:
    template = Template()
    found = f"shim.operator.contains({template.mark(node.comparators[0])}, {template.mark(node.left)})"
    text = found if isinstance(node.ops[0], ast.In) else f"not {found}"
    return Edit(node, "shim", "NPT152", source_of(node), why, text=text, pieces=template.nodes)
