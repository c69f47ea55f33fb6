"""Questions for the class of a value: `isinstance`, `issubclass`, `type(x) is`, class patterns of `match`.

A NumPy scalar is a 0-D tensor in torch, of the class of arrays. Where a value may be a scalar the shim answers.
"""

from __future__ import annotations

import ast
import re

from np2torch.facts import values as v
from np2torch.names.tree import called_name, is_repeatable
from np2torch.names.tree import walk as tree_walk
from np2torch.rules.handlers import Phase, on
from np2torch.rules.rule_arguments import Template
from np2torch.rules.scalars.destinations import destination
from np2torch.rules.scalars.lifetimes import uses_of
from np2torch.rules.scalars.reads import ALWAYS_ARRAYS, MAKING, OF_SHAPES
from np2torch.rules.site import Edit, ModuleContext, source_of, text_edit
from np2torch.rules.syntax.annotations import alternatives
from np2torch.rules.syntax.coercions import coercing
from np2torch.rules.syntax.dtypes import asked_for_class, is_scalar_class
from np2torch.rules.syntax.hashing import by_value
from np2torch.rules.syntax.runtime_dispatch import by_shim

ABSTRACT = frozenset("Number Real Integral Complex Rational".split())
"""Classes of the module `numbers`."""
NUMERIC = frozenset("float complex Iterable Sized Container Collection".split()) | ABSTRACT
"""Types that a NumPy scalar and a 0-D tensor answer to otherwise; neither is an int or a bool."""
PYTHONS = (v.Builtin("float"), v.Builtin("complex"))
PLAIN = (v.Numpy("numpy.ndarray"), v.Numpy("numpy.dtype"))
TAKING_TYPES = ("numpy.issubdtype", "numpy.dtype", "numpy.can_cast", "numpy.promote_types", "numpy.result_type")
"""Functions of NumPy that take the class of a scalar for its dtype."""
SCALAR = "a 0-D tensor stands for a number"
READABLE = frozenset("ndim shape T real imag".split())
"""Attributes that a tensor and an array have alike."""


def may_be_scalar(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether it may be a NumPy scalar: is it one, an array of unknown rank, or anything at all."""
    fact = ctx.fact(node)
    if any(isinstance(atom, v.Scalar) and not atom.python for atom in fact) or ctx.is_open(node):
        return True
    said = ctx.evidence_of(node)
    if said is not None and v.known_to_include(said.fact, "array"):
        return False
    return any(isinstance(atom, v.Array) and atom.ranks is None for atom in fact)


def isinstance_call(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """`isinstance(x, np.ndarray)`, `isinstance(x, (int, float))`."""
    if len(node.args) != 2:
        return None
    fact, types = ctx.fact(node.args[0]), _types(node.args[1])
    if any((asked := asked_for_class(one)) is not None and _may_be_tensor(ctx, asked) for one in types):
        return _of_types(node, "isinstance", "dtypes stand for NumPy's classes")
    names = {ast.unparse(one).split(".")[-1] for one in types}
    if "ndarray" in names:
        is_mixed_name = names == {"ndarray"} and is_mixed(fact) and is_repeatable(node.args[0])
        if _arrays_stay(ctx, node.args[0], names) and not v.only(fact, "array"):
            if is_mixed_name:
                return _either_array(ctx, node)
            for one in types:
                _both_kinds(ctx, one, node.args[1], "Tensor" in names)
        elif names == {"ndarray"} and v.only(fact, "scalar"):
            return _no_array(ctx, node)
        elif is_mixed_name:
            return _with_dimensions(node)
        if may_be_scalar(ctx, node.args[0]) and not ctx.converted_already() and not _coerces_tensors(ctx, node):
            return _of_types(node, "isinstance", SCALAR)
    return None if ctx.converted_already() else _of_numbers(ctx, node, types, names)


def _coerces_tensors(ctx: ModuleContext, test: ast.Call) -> bool:
    """Tell a test that makes an array of what is none: a 0-D tensor is one already, unless it is written into."""
    asked = test.args[0]
    is_coercing = isinstance(asked, ast.Name) and coercing(ctx.fact, ctx.parents, test) is not None
    return is_coercing and not ctx.aliases(test).may_be_written(ast.unparse(asked), test)


def _with_dimensions(node: ast.Call) -> Edit:
    """A tensor that stands for no NumPy scalar."""
    template = Template()
    asked, type_ = (template.mark(argument) for argument in node.args)
    text = f"isinstance({asked}, {type_}) and {asked}.ndim > 0"
    return text_edit(node, "native", "NPT105", "a NumPy scalar is no ndarray", template, text)


def _of_numbers(ctx: ModuleContext, node: ast.Call, types: list[ast.expr], names: set[str]) -> Edit | None:
    """`isinstance(x, (int, np.floating))` of what may be a NumPy scalar, for which a 0-D tensor stands."""
    fact = ctx.fact(node.args[0])
    if not _are_numeric(ctx, types, names):
        return None
    if isinstance(node.args[1], ast.BinOp) and any(isinstance(a, v.Numpy) for one in types for a in ctx.fact(one)):
        return _of_types(node, "isinstance", "dtypes stand for NumPy's classes")
    known = v.only(fact, "array") and v.ranks_of(fact) is not None  # of unknown rank it may be a NumPy scalar
    if known or not v.may(fact, "scalar", "array") or not names - {"str", "list", "tuple", "dict"}:
        return None
    return _of_types(node, "isinstance", SCALAR)


def _are_numeric(ctx: ModuleContext, types: list[ast.expr], names: set[str]) -> bool:
    return bool(names & NUMERIC) or any(_stands_for_scalars(ctx.fact(one)) for one in types)


def _no_array(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """The answer for a scalar, which is evaluated all the same."""
    if not is_repeatable(node.args[0]):
        by_value(ctx, node.args[0], "a NumPy scalar is no ndarray")
        return None
    return Edit(node, "native", "NPT105", source_of(node), "a NumPy scalar is no ndarray", text="False")


def _arrays_stay(ctx: ModuleContext, asked: ast.expr, names: set[str]) -> bool:
    """Tell whether it may be an ndarray that stays one, beside tensors."""
    fact = ctx.fact(asked)
    if v.known_to_include(fact, "foreign") or "Tensor" in names or ctx.keeps_arrays():
        return True
    is_open = v.known_to_include(fact, "unknown") and not ctx.converted_already()
    untyped = any(isinstance(atom, v.Array) and atom.dtypes is None for atom in fact)
    return ctx.makes_foreign and (is_open or untyped)


def _stands_for_scalars(fact: v.Fact) -> bool:
    """Tell whether there is a class among these types, or in a tuple of types, that NumPy scalars are of."""
    if is_scalar_class(fact):
        return True
    for atom in fact:
        if isinstance(atom, (v.Numpy, v.DType)) and atom not in PLAIN:
            return True
        if isinstance(atom, v.Sequence):
            inside = v.elements(atom)
            if _stands_for_scalars(inside) or any(one in PYTHONS for one in inside):
                return True
    return False


def _either_array(ctx: ModuleContext, node: ast.Call) -> Edit:
    """An ndarray that stays one, or a tensor that stands for no NumPy scalar."""
    template = Template()
    asked, type_ = template.mark(node.args[0]), node.args[1]
    ctx.keep_name(type_)
    text = f"isinstance({asked}, {ast.unparse(type_)}) or isinstance({asked}, torch.Tensor) and {asked}.ndim > 0"
    return text_edit(node, "boundary", "NPT404", "a NumPy scalar is no ndarray", template, text)


def is_mixed(fact: v.Fact) -> bool:
    """Tell whether it may be a NumPy scalar, an array of some dimensions, or no array at all, but no 0-D array."""
    scalars = any(isinstance(atom, v.Scalar) and not atom.python for atom in fact)
    ranks = [atom.ranks for atom in fact if isinstance(atom, v.Array)]
    return scalars and all(one and 0 not in one for one in ranks) and not v.known_to_include(fact, "unknown")


def _both_kinds(ctx: ModuleContext, node: ast.expr, types: ast.expr, asked: bool) -> None:
    """`np.ndarray` among the types asked for, where ndarrays live on beside tensors."""
    source = ast.unparse(node)
    if v.known_to_include(ctx.fact(node), "numpy") and source.endswith("ndarray"):
        text = f"torch.Tensor | {source}" if isinstance(types, ast.BinOp) else f"torch.Tensor, {source}"
        text = "" if asked else f"({text})" if types is node else text
        why = "what torch cannot hold stays an ndarray"
        ctx.edits[node] = Edit(node, "boundary", "NPT404", source, why, text=text)
        ctx.keep_name(node)


def _types(node: ast.expr) -> list[ast.expr]:
    """The types asked for: one, a tuple of them, a union."""
    return node.elts if isinstance(node, ast.Tuple) else alternatives(node)


def _of_types(node: ast.Call, name: str, why: str) -> Edit:
    """The question asked at run time; dtypes, which stand for classes, have no union."""
    if not isinstance(node.args[1], ast.BinOp):
        return by_shim(node, name, why)
    template = Template()
    types = ", ".join(template.mark(one) for one in _types(node.args[1]))
    return text_edit(node, "shim", "NPT152", why, template, f"shim.{name}({template.mark(node.args[0])}, ({types}))")


def issubclass_call(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """`issubclass(x.dtype.type, np.floating)`: what stands for a scalar class of NumPy is no class."""
    if len(node.args) != 2:
        return None
    types = _types(node.args[1])
    numpys = any(isinstance(a, v.Numpy) for t in types for a in ctx.fact(t) if not ast.unparse(t).endswith("ndarray"))
    cls, asked = ctx.fact(node.args[0]), asked_for_class(node.args[0])
    is_open = v.known_to_include(cls, "unknown") and not ctx.converted_already()
    of_scalar = asked is not None and may_be_scalar(ctx, asked) and not ctx.converted_already()
    if is_scalar_class(cls) or any(isinstance(a, v.Numpy) for a in cls) or numpys and is_open or of_scalar:
        return _of_types(node, "issubclass", "a dtype stands for a class of NumPy scalars")
    return None


@on(Phase.PYTHON, ast.Call)
def array_without_axes(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """`np.array(2.0)`: kept, it is told from a NumPy scalar where somebody may ask, or change it in place."""
    fact, function = ctx.fact(node), v.sole(ctx.fact(node.func))
    if not v.only(fact, "array") or not isinstance(function, (v.Numpy, v.Method)) or ctx.converted_already():
        return None
    ranks, gives_arrays = v.ranks_of(fact), function in ALWAYS_ARRAYS
    source = ctx.fact(node.args[0]) if node.args and gives_arrays and function not in OF_SHAPES else v.BOTTOM
    of_element = v.known_to_include(source, "scalar", "number")
    if v.rank_of(fact) == 0 or of_element and 0 in (ranks or {0}):
        is_told = _is_told_elsewhere(ctx, node, function in MAKING)
    else:
        is_told = gives_arrays and 0 in (ranks or {0}) and _is_told_here(ctx, node)
    if is_told:
        ctx.wrap(node, "shim.array_0d(", ")", "shim", "NPT152", "an array without axes is no NumPy scalar")
    return None


def _is_told_elsewhere(ctx: ModuleContext, node: ast.Call, makes: bool) -> bool:
    """Tell whether other code may tell this 0-D array from a scalar, by its class, its attributes or by changing it."""
    texts = [module.text for module in ctx.engine.modules.values()]
    asked = any("ndarray" in text for text in texts)
    if not asked and not (makes and any(map(CHANGING.search, texts))):
        return False
    where = destination(ctx, node)
    gets_away = where.is_kept and (asked or _may_be_changed_elsewhere(ctx, node, where.names))
    looping = isinstance(where.consumer, (ast.comprehension, ast.ListComp, ast.For))
    return gets_away or looping or asked and isinstance(where.consumer, ast.Call)


def _is_told_here(ctx: ModuleContext, node: ast.Call) -> bool:
    """Tell whether a value that may have no axes has its class tested later in this function, directly or by a name."""
    names = [one.id for one in destination(ctx, node).names]
    uses = [use for name in names for use in uses_of(ctx, name, ctx.function(node)) or () if _is_later(ctx, use, node)]
    return any(_is_asked(ctx, one) for one in (node, *uses))


def _is_later(ctx: ModuleContext, node: ast.expr, other: ast.expr) -> bool:
    """Tell whether a node runs after another, as it stands below it or in the same loop."""
    around: ast.AST | None = node
    while node.lineno < other.lineno and around is not None and not isinstance(around, (ast.For, ast.While)):
        around = ctx.parents.get(around)
    return around is not None


def _is_asked(ctx: ModuleContext, node: ast.expr) -> bool:
    parent = ctx.parents.get(node)
    if asked_for_class(parent) is node:
        return True
    return isinstance(parent, ast.Call) and ast.unparse(parent.func) == "isinstance" and parent.args[0] is node


CHANGING = re.compile(r"hasattr|[-+*/%&|^@]=")
"""Code that tells a 0-D array from a scalar without its class: augmented assignments, tests for attributes."""


def _may_be_changed_elsewhere(ctx: ModuleContext, node: ast.expr, names: tuple[ast.Name, ...]) -> bool:
    """Tell whether the array may be changed by other code: it or one of its names is stored or passed on."""
    uses = [uses_of(ctx, name.id, ctx.function(node)) for name in names]
    return not names or any(one is None or any(destination(ctx, use).is_kept for use in one) for one in uses)


# ------------------------------------------------------------------------------------------------ type(x)
def type_call(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """`type(x) is np.ndarray`, `type(x) in (int, float)`, `TABLE[type(x)]`."""
    return _class_of(ctx, node)


@on(Phase.PYTHON, ast.Attribute)
def class_attribute(ctx: ModuleContext, node: ast.Attribute) -> Edit | None:
    """`x.__class__ is np.ndarray`, `type(x).__name__`."""
    if node.attr == "__class__" and isinstance(node.ctx, ast.Load):
        return _class_of(ctx, node)
    asked = asked_for_class(node.value) if node.attr in ("__name__", "__qualname__") else None
    if asked is None or not _may_be_tensor(ctx, asked) or _is_message(ctx, node):
        return None
    template = Template()
    return text_edit(node, "shim", "NPT152", "as NumPy's classes are called", template,
                   f"shim.type_name({template.mark(asked)})")  # fmt: skip


def _may_be_tensor(ctx: ModuleContext, node: ast.expr) -> bool:
    return not ctx.converted_already() and (v.known_to_include(ctx.fact(node), "array") or may_be_scalar(ctx, node))


def _class_of(ctx: ModuleContext, node: ast.Call | ast.Attribute) -> Edit | None:
    asked = asked_for_class(node)
    if asked is None or not _may_be_tensor(ctx, asked):
        return None
    parent, template = ctx.parents.get(node), Template()
    name = ""
    if isinstance(parent, ast.Call) and node in parent.args:
        if any(isinstance(atom, v.Numpy) and atom.name in TAKING_TYPES for atom in ctx.fact(parent.func)):
            name = "type_or_dtype"
    if name or not _is_text(ctx, node) and not _is_asked_itself(ctx, node, parent):
        text = f"shim.{name or 'type'}({template.mark(asked)})"
        return text_edit(node, "shim", "NPT152", "the class of a NumPy scalar is its dtype", template, text)
    if not v.known_to_include(ctx.fact(asked), "array", "scalar") or isinstance(node, ast.Attribute):
        return None
    note = "NPT306 `type` of an array answers torch.Tensor, of a NumPy scalar too."
    return Edit(node, "todo", "NPT306", "type()", "the type of an array is torch.Tensor now", note=note)


def _is_asked_itself(ctx: ModuleContext, node: ast.expr, parent: ast.AST | None) -> bool:
    """Is it the class that has methods and attributes read: `type(x).solve`, `hasattr(type(x), "solve")`?"""
    if isinstance(parent, ast.Attribute):
        return True
    is_argument = isinstance(parent, ast.Call) and node in parent.args
    return is_argument and getattr(parent.func, "id", "") in ("hasattr", "getattr")  # type: ignore[union-attr]


TEXTS = frozenset("print str repr format ascii".split())
"""Python's functions that show what they are given."""


def _is_text(ctx: ModuleContext, node: ast.AST) -> bool:
    """Tell whether a class is only shown: printed, formatted, part of a message."""
    parent = ctx.parents.get(node)
    while isinstance(parent, (ast.expr, ast.keyword, ast.FormattedValue)):
        if isinstance(parent, (ast.Compare, ast.Subscript)):
            return False
        if isinstance(parent, ast.FormattedValue) or isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Mod):
            return True
        if isinstance(parent, ast.Call) and called_name(parent) in TEXTS:
            return True
        node, parent = parent, ctx.parents.get(parent)
    return isinstance(parent, (ast.Raise, ast.Assert)) and node is not getattr(parent, "test", None)


def _is_message(ctx: ModuleContext, node: ast.AST) -> bool:
    """Tell whether it is part of the message of an error."""
    while (parent := ctx.parents.get(node)) is not None and not isinstance(node, ast.stmt):
        node, last = parent, node
    return isinstance(node, (ast.Raise, ast.Assert)) and last is not getattr(node, "test", None)


# --------------------------------------------------------------------------------------------- class patterns
@on(Phase.PYTHON, ast.Match)
def class_patterns(ctx: ModuleContext, node: ast.Match) -> Edit | None:
    """`case float():`, `case np.ndarray(ndim=1):`."""
    if ctx.converted_already() or not _may_hold_tensor(ctx, node.subject):
        return None
    for pattern in (one for case in node.cases for one in tree_walk(case.pattern)):
        name = _asked_class(ctx, pattern.cls) if isinstance(pattern, ast.MatchClass) else ""
        if isinstance(pattern, ast.MatchClass) and name:
            source = ast.unparse(pattern.cls)
            if not READABLE.issuperset(pattern.kwd_attrs):
                note = f"NPT528 A tensor has no attribute that `{source}` is asked for here as an ndarray has it."
                return Edit(node, "todo", "NPT528", source, "a class pattern asks for an attribute", note=note)
            text = f"shim.patterns.{name}"
            ctx.edits[pattern.cls] = Edit(pattern.cls, "shim", "NPT152", source, SCALAR, text=text)
    return None


def _may_hold_tensor(ctx: ModuleContext, node: ast.expr) -> bool:
    fact = ctx.fact(node)
    parts = [v.elements(atom) for atom in fact if isinstance(atom, v.Sequence)]
    return ctx.is_open(node) or any(v.may(one, "array", "scalar") for one in (fact, *parts)) or v.only(fact, "mapping")


def _asked_class(ctx: ModuleContext, cls: ast.expr) -> str:
    """Give the name of the class in a pattern if arrays or scalars are instances of it, and an empty text if not."""
    name = ast.unparse(cls).split(".")[-1]
    for atom in ctx.fact(cls):
        if isinstance(atom, (v.Numpy, v.DType)):
            return _names_of(atom, name)
        if atom in PYTHONS:
            return name
    return name if name in ABSTRACT else ""


def _names_of(atom: v.Numpy | v.DType, name: str) -> str:
    if isinstance(atom, v.DType):
        return next(iter(atom.names)) if atom.names is not None and len(atom.names) == 1 else ""
    return atom.name.removeprefix("numpy.")


