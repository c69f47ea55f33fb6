"""Python's own functions on arrays and NumPy scalars."""

from __future__ import annotations

import ast
from collections.abc import Callable

from np2torch.facts import values as v
from np2torch.facts.python_types import OF_NUMBERS
from np2torch.facts.results import tables_name
from np2torch.names.tree import is_repeatable
from np2torch.rules.methods import ALSO_TENSORS, ASKED_FOR, ATTRIBUTES, DTYPE_ATTRIBUTES, METHOD_NAMES
from np2torch.rules.pieces import Template
from np2torch.rules.scalars.reads import library_name
from np2torch.rules.site import Context, Edit, on, source_of, spelled
from np2torch.rules.syntax.annotations import alternatives
from np2torch.rules.syntax.dtypes import is_scalar_class
from np2torch.rules.syntax.foreign import holds_tensor, may_hold_any
from np2torch.rules.syntax.hashing import by_value, is_scalar, is_vector, items_hashed, pairs_hashed
from np2torch.rules.syntax.printing import holds_scalars, print_array, print_scalar, why_by_shim
from np2torch.rules.syntax.subscripts import has_dimensions, only_index

NUMERIC = frozenset("float complex Number Real Integral Complex Rational Iterable Sized Container Collection".split())
"""Types that a NumPy scalar and a 0-D tensor answer to otherwise; neither is an int or a bool."""
DIFFERENT = (METHOD_NAMES | ATTRIBUTES) - ALSO_TENSORS | ASKED_FOR | DTYPE_ATTRIBUTES | OF_NUMBERS.keys()
OF_ITERABLES = ("math.fsum", "math.prod", "math.sumprod", "math.dist")
"""Functions of `math` that go through what they are given."""
OF_CONTAINERS = frozenset("__len__ __iter__ __contains__ __setitem__ __delitem__ __reversed__".split())
"""Methods that a 0-D tensor has and a NumPy scalar has not."""
NUMBER_MODULES = frozenset("datetime time struct decimal fractions calendar".split())
"""Modules of the standard library that take numbers and refuse tensors."""


@on(ast.Call)
def builtin_call(ctx: Context, node: ast.Call) -> Edit | None:
    """print, str, round, isinstance, json and their like."""
    fact = ctx.fact(node.func)
    atom = next(iter(fact)) if len(fact) == 1 else None
    if not isinstance(atom, v.Builtin) or "." in atom.name:
        _library_call(ctx, node, library_name(fact))
    if not isinstance(atom, v.Builtin):
        return None
    of_numbers = atom.name.startswith("math.") and atom.name not in OF_ITERABLES
    handler = BUILTINS.get("math" if of_numbers else atom.name)
    return handler(ctx, node) if handler is not None and node.args else None


def _library_call(ctx: Context, node: ast.Call, origin: str) -> None:
    writes_row = isinstance(node.func, ast.Attribute) and node.func.attr == "writerow"
    if writes_row:
        for argument in node.args:
            if is_vector(ctx.fact(argument)):
                ctx.wrap(argument, "", ".tolist()", "native", "NPT105", "wants Python numbers")
    if origin.startswith("cmath."):
        _number(ctx, node)
    if origin.split(".")[0] in NUMBER_MODULES:
        for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
            if is_scalar(ctx.fact(argument)):
                by_value(ctx, argument, "wants a Python number")
    if origin in ("json.dumps", "json.dump"):
        for argument in node.args:
            if is_scalar(ctx.fact(argument)) and v.dtypes_of(ctx.fact(argument)) == frozenset(["float64"]):
                by_value(ctx, argument, "JSON wants a Python number")


def _print(ctx: Context, node: ast.Call) -> None:
    for argument in node.args:
        if not v.only(ctx.fact(argument), "dtype"):
            print_scalar(ctx, argument)


def _str(ctx: Context, node: ast.Call) -> Edit | None:
    first = node.args[0]
    if v.only(ctx.fact(first), "dtype"):
        template = Template()
        text = f'shim.attribute({template.mark(first)}, "name")'
        return spelled(node, "shim", "NPT105", "NumPy's name of the dtype, without torch's", template, text)
    if len(node.args) == 1 and not isinstance(first, ast.Starred) and (by := why_by_shim(ctx, first)):
        return _by_shim(node, "text", by)
    for argument in node.args:
        print_scalar(ctx, argument)
        if v.only(ctx.fact(argument), "array"):
            print_array(ctx, argument)
    return None


def _repr(ctx: Context, node: ast.Call) -> Edit | None:
    fact = ctx.fact(node.args[0])
    if getattr(node.args[0], "attr", "") == "shape":
        print_scalar(ctx, node.args[0])
    if v.only(fact, "array", "scalar", "dtype") or holds_scalars(fact):
        return _by_shim(node, "representation", "written as NumPy writes it")
    return None


def _number(ctx: Context, node: ast.Call) -> None:
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            continue
        fact = ctx.fact(argument)
        asked = v.known_to_include(fact, "array", "unknown") and v.rank_of(fact) != 0
        asked = asked and ctx.is_tried(node, "TypeError")
        if (has_dimensions(fact) or asked) and not ctx.converted_already():
            ctx.wrap(argument, "shim.only_scalar(", ")", "shim", "NPT105", "NumPy refuses arrays that are not 0-D")


def _integers(ctx: Context, node: ast.Call) -> None:
    """`range(a)`, `chr(a)`: of integers of NumPy's alone."""
    for argument in node.args if not ctx.converted_already() else ():
        if not isinstance(argument, ast.Starred):
            only_index(ctx, argument)


def _bool(ctx: Context, node: ast.Call) -> Edit | None:
    fact = ctx.fact(node.args[0])
    if v.only(fact, "array") and v.rank_of(fact):
        return _by_shim(node, "truth", "NumPy raises ValueError for arrays of several elements")
    return None


def _hash(ctx: Context, node: ast.Call) -> Edit | None:
    for argument in node.args:
        if is_scalar(ctx.fact(argument)):
            by_value(ctx, argument)
        elif holds_tensor(ctx.fact(argument)) or not ctx.converted_already() and may_hold_any(ctx, ctx.fact(argument)):
            return _by_shim(node, "hash", "hashed by value")
    return None


def _memoryview(ctx: Context, node: ast.Call) -> None:
    if len(node.args) == 1 and not v.only(ctx.fact(node.args[0]), "array") and ctx.is_open(node.args[0]):
        ctx.wrap(node.args[0], "shim.to_numpy(", ")", "boundary", "NPT401", "a tensor has no buffer, its ndarray has")
    elif len(node.args) == 1 and v.only(ctx.fact(node.args[0]), "array"):
        ctx.wrap(node.args[0], "", ".numpy()", "boundary", "NPT401", "a tensor has no buffer, its ndarray has")


def _map(ctx: Context, node: ast.Call) -> Edit | None:
    if len(node.args) != 2 or ctx.fact(node.args[0]) != v.one(v.Builtin("str")):
        return None
    items = ctx.fact(node.args[1])
    if is_vector(items):
        ctx.wrap(node.args[1], "", ".tolist()", "native", "NPT105", "printed as numbers")
    elif holds_tensor(items) or ctx.is_open(node.args[1]):
        template = Template()
        text = f"map(shim.text, {template.mark(node.args[1])})"
        return spelled(node, "shim", "NPT105", "NumPy scalars are printed by their value", template, text)
    return None


def _divmod(ctx: Context, node: ast.Call) -> Edit | None:
    facts = [ctx.fact(argument) for argument in node.args]
    if any(map(v.is_tensor, facts)):
        return _by_shim(node, "divmod", "tensors have no divmod")
    if any(v.known_to_include(fact, "array", "scalar") for fact in facts) or any(map(ctx.is_open, node.args)):
        return _by_shim(node, "operator.divmod", "tensors have no divmod")
    return None


def _by_shim(node: ast.Call, name: str, why: str) -> Edit:
    template = Template()
    written = [template.mark(argument) for argument in node.args]
    for one in node.keywords:
        written.append((f"{one.arg}=" if one.arg else "**") + template.mark(one.value))
    arguments = ", ".join(written)
    return spelled(node, "shim", "NPT152", why, template, f"shim.{name}({arguments})")


TAKING_TYPES = ("numpy.issubdtype", "numpy.dtype", "numpy.can_cast", "numpy.promote_types", "numpy.result_type")
"""Functions of NumPy that take the class of a scalar for its dtype."""


def _type(ctx: Context, node: ast.Call) -> Edit | None:
    if len(node.args) != 1:
        return None
    known = v.known_to_include(ctx.fact(node.args[0]), "array", "scalar")
    parent = ctx.parents.get(node)
    if isinstance(parent, ast.Call) and node in parent.args and (known or ctx.is_open(node.args[0])):
        if any(isinstance(atom, v.Numpy) and atom.name in TAKING_TYPES for atom in ctx.fact(parent.func)):
            return _by_shim(node, "type_or_dtype", "the class of a NumPy scalar is its dtype")
    if not known:
        return None
    note = "NPT306 `type` of an array answers torch.Tensor, of a NumPy scalar too."
    return Edit(node, "todo", "NPT306", "type()", "the type of an array is torch.Tensor now", note=note)


def _round(ctx: Context, node: ast.Call) -> Edit | None:
    """To a whole number by value; to digits NumPy's scalars round otherwise than Python's floats: 2.675 to 2.68."""
    fact = ctx.fact(node.args[0])
    digits = [*node.args[1:], *(keyword.value for keyword in node.keywords if keyword.arg == "ndigits")]
    if is_scalar(fact) and not digits:
        by_value(ctx, node.args[0], "tensors do not round")
    elif is_scalar(fact) and v.only(ctx.fact(digits[0]), "number"):
        if not (v.dtypes_of(fact) or {"int64"}) <= {"float64", "float32"}:
            return _by_shim(node, "builtin_round", "rounds a NumPy scalar")
        template = Template()
        text = f"torch.round({template.mark(node.args[0])}, decimals={template.mark(digits[0])})"
        return spelled(node, "native", "NPT101", "rounds as NumPy's scalars do", template, text)
    elif v.known_to_include(fact, "scalar", "array", "unknown"):
        return _by_shim(node, "builtin_round", "rounds a number or an array")
    return None


def _set(ctx: Context, node: ast.Call) -> None:
    for argument in node.args:
        items_hashed(ctx, argument)


def _dict(ctx: Context, node: ast.Call) -> None:
    pairs_hashed(ctx, node.args[0])


def _copy(ctx: Context, node: ast.Call) -> Edit | None:
    fact = ctx.fact(node.args[0])
    if not v.only(fact, "array"):
        asked = v.known_to_include(fact, "array") or v.known_to_include(fact, "unknown") and not ctx.converted_already()
        return _by_shim(node, "duplicate", "torch's shallow copy of a tensor shares its data") if asked else None
    template = Template()
    text = f"{template.mark(node.args[0])}.clone()"
    return spelled(node, "native", "NPT122", "a copy of the data", template, text)


def _isinstance(ctx: Context, node: ast.Call) -> Edit | None:
    if len(node.args) != 2:
        return None
    fact = ctx.fact(node.args[0])
    types = _types(node.args[1])
    names = {ast.unparse(one).split(".")[-1] for one in types}
    stays = v.known_to_include(fact, "foreign") or "Tensor" in names or _open(ctx, node.args[0]) and ctx.makes_foreign
    mixed = names == {"ndarray"} and is_mixed(fact) and is_repeatable(node.args[0])
    objects = ctx.makes_foreign and any(isinstance(atom, v.Array) and atom.dtypes is None for atom in fact)
    if "ndarray" in names and (objects or (stays or ctx.keeps_arrays()) and not v.only(fact, "array")):
        if mixed and len(types) == 1:
            return _either_array(ctx, node)
        for one in types:
            _both_kinds(ctx, one, node.args[1], "Tensor" in names)
        return None
    if names == {"ndarray"} and v.only(fact, "scalar"):
        if not is_repeatable(node.args[0]):  # evaluated all the same
            by_value(ctx, node.args[0], "a NumPy scalar is no ndarray")
            return None
        return Edit(node, "native", "NPT105", source_of(node), "a NumPy scalar is no ndarray", text="False")
    if mixed:
        template = Template()
        asked, type_ = (template.mark(argument) for argument in node.args)
        text = f"isinstance({asked}, {type_}) and {asked}.ndim > 0"
        return spelled(node, "native", "NPT105", "a NumPy scalar is no ndarray", template, text)
    numeric = names & NUMERIC or any(_stands_for_scalars(ctx.fact(one)) for one in types)
    if not numeric or ctx.converted_already():
        return None
    if isinstance(node.args[1], ast.BinOp) and any(isinstance(a, v.Numpy) for one in types for a in ctx.fact(one)):
        return _of_types(node, "isinstance", "dtypes stand for NumPy's classes")
    if not v.may(fact, "scalar", "array"):
        return None
    arrays = v.only(fact, "array") and v.ranks_of(fact) is not None  # of unknown rank it may be a NumPy scalar
    if arrays or not names - {"str", "list", "tuple", "dict"}:
        return None
    return _of_types(node, "isinstance", "a 0-D tensor stands for a number")


PYTHONS = (v.Builtin("float"), v.Builtin("complex"))
PLAIN = (v.Numpy("numpy.ndarray"), v.Numpy("numpy.dtype"))


def _stands_for_scalars(fact: v.Fact) -> bool:
    """Is there a class among these types, or in a tuple of types, that NumPy scalars are of?"""
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


def _either_array(ctx: Context, node: ast.Call) -> Edit:
    """An ndarray that stays one, or a tensor that stands for no NumPy scalar."""
    template = Template()
    asked, type_ = template.mark(node.args[0]), node.args[1]
    ctx.keep_name(type_)
    text = f"isinstance({asked}, {ast.unparse(type_)}) or isinstance({asked}, torch.Tensor) and {asked}.ndim > 0"
    return spelled(node, "boundary", "NPT404", "a NumPy scalar is no ndarray", template, text)


def is_mixed(fact: v.Fact) -> bool:
    """May it be a NumPy scalar, an array of some dimensions, or no array at all, but no 0-D array for certain?"""
    scalars = any(isinstance(atom, v.Scalar) and not atom.python for atom in fact)
    return scalars and 0 not in (v.ranks_of(v.keep(fact, lambda atom: atom.kind == "array")) or ())


def _issubclass(ctx: Context, node: ast.Call) -> Edit | None:
    """`issubclass(x.dtype.type, np.floating)`: what stands for a scalar class of NumPy is no class."""
    if len(node.args) != 2:
        return None
    types = _types(node.args[1])
    numpys = any(isinstance(a, v.Numpy) for t in types for a in ctx.fact(t) if not ast.unparse(t).endswith("ndarray"))
    cls = ctx.fact(node.args[0])
    if is_scalar_class(cls) or any(isinstance(a, v.Numpy) for a in cls) or numpys and _open(ctx, node.args[0]):
        return _of_types(node, "issubclass", "a dtype stands for a class of NumPy scalars")
    return None


def _types(node: ast.expr) -> list[ast.expr]:
    """The types asked for: one, a tuple of them, a union."""
    return node.elts if isinstance(node, ast.Tuple) else alternatives(node)


def _of_types(node: ast.Call, name: str, why: str) -> Edit:
    """The question asked at run time; dtypes, which stand for classes, have no union."""
    if not isinstance(node.args[1], ast.BinOp):
        return _by_shim(node, name, why)
    template = Template()
    types = ", ".join(template.mark(one) for one in _types(node.args[1]))
    return spelled(node, "shim", "NPT152", why, template, f"shim.{name}({template.mark(node.args[0])}, ({types}))")


def _asked(ctx: Context, node: ast.Call) -> tuple[bool, str | None]:
    """Does `hasattr` or `getattr` ask an array for sure, and for which name; or what may be one, about such a name?

    The shim asks an array that stays on NumPy itself: what is the one or the other may be asked there.
    """
    owner, name = ctx.fact(_object(node.args[0])), v.constant(ctx.fact(node.args[1])) if len(node.args) > 1 else None
    known = v.known_to_include(owner, "array", "scalar")
    return known, name if isinstance(name, str) else None


def _hasattr(ctx: Context, node: ast.Call) -> Edit | None:
    known, name = _asked(ctx, node)
    if name in OF_CONTAINERS and name != "__reversed__" and 0 not in (v.ranks_of(ctx.fact(node.args[0])) or {0}):
        return None
    differs = known if name is None else name in DIFFERENT | OF_CONTAINERS
    if not differs or not known and not _may_differ(ctx, _object(node.args[0]), name):
        return None
    return _by_shim(node, "hasattr", "a tensor has other attributes than an ndarray")


def _getattr(ctx: Context, node: ast.Call) -> Edit | None:
    known, name = _asked(ctx, node)
    if (edit := _from_numpy(ctx, node, name)) is not None:
        return edit
    if known and name not in ("shape", "ndim", "dtype"):
        return _by_shim(node, "getattr", "a tensor has other attributes than an ndarray")
    if name in DIFFERENT and _may_differ(ctx, _object(node.args[0]), name):
        return _by_shim(node, "getattr", "a tensor has other attributes than an ndarray")
    return None


def _object(node: ast.expr) -> ast.expr:
    """The object of which a class is asked: `x` of `type(x)` and `x.__class__`."""
    if isinstance(node, ast.Attribute) and node.attr == "__class__":
        return node.value
    by_type = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "type"
    return node.args[0] if isinstance(node, ast.Call) and by_type and len(node.args) == 1 else node


def _from_numpy(ctx: Context, node: ast.Call, name: str | None) -> Edit | None:
    """`getattr(np, name)`: the shim's function of that name; of names it lacks for certain NumPy's own."""
    atom = v.sole(ctx.fact(node.args[0]))
    if not isinstance(atom, v.Module) or atom.name.split(".")[0] != "numpy" or len(node.args) < 2:
        return None
    inner = atom.name.removeprefix("numpy").removeprefix(".")
    part = f"{inner}." if inner else ""
    classes = [one.name.removeprefix("numpy.") for one in ctx.fact(node) if isinstance(one, v.Numpy)]
    if len(classes) == len(ctx.fact(node)) and all(tables_name(one) == one for one in classes) and len(node.args) == 2:
        template = Template()
        text = f"getattr(torch, {template.mark(node.args[1])})"
        return spelled(node, "native", "NPT104", "the torch dtype of that name", template, text)
    literal = isinstance(node.args[1], ast.Constant)
    if literal and f"{part}{name}" not in ctx.shim or not any(one.startswith(part) for one in ctx.shim):
        return None
    template = Template()
    rest = ", ".join(template.mark(argument) for argument in node.args[1:])
    place = f"shim.{inner}" if inner else "shim"
    return spelled(node, "shim", "NPT150", "decided at run time", template, f"getattr({place}, {rest})")


def _may_differ(ctx: Context, node: ast.expr, name: str | None) -> bool:
    read = node.args[1] if isinstance(node, ast.Call) and len(node.args) > 1 else None
    reads_dtype = getattr(node, "attr", getattr(read, "value", None)) == "dtype"  # `getattr(x, "dtype", None)`
    of_dtype = name in DTYPE_ATTRIBUTES and (reads_dtype or v.known_to_include(ctx.fact(node), "dtype"))
    return of_dtype and not ctx.converted_already() or _open(ctx, node)


def _open(ctx: Context, node: ast.expr) -> bool:
    return v.known_to_include(ctx.fact(node), "unknown") and not ctx.converted_already()


def _both_kinds(ctx: Context, node: ast.expr, types: ast.expr, asked: bool) -> None:
    """`np.ndarray` among the types asked for, where ndarrays live on beside tensors."""
    source = ast.unparse(node)
    if v.known_to_include(ctx.fact(node), "numpy") and source.endswith("ndarray"):
        text = f"torch.Tensor | {source}" if isinstance(types, ast.BinOp) else f"torch.Tensor, {source}"
        text = "" if asked else f"({text})" if types is node else text
        why = "what torch cannot hold stays an ndarray"
        ctx.edits[node] = Edit(node, "boundary", "NPT404", source, why, text=text)
        ctx.keep_name(node)


BUILTINS: dict[str, Callable[[Context, ast.Call], Edit | None]] = {
    "print": _print, "str": _str, "repr": _repr, "int": _number, "float": _number, "complex": _number, "math": _number,
    **dict.fromkeys(("range", "slice", "chr", "hex", "oct", "bin"), _integers), "bool": _bool, "hash": _hash,
    **dict.fromkeys(("memoryview", "bytes", "bytearray"), _memoryview), "map": _map, "divmod": _divmod, "type": _type,
    "isinstance": _isinstance, "issubclass": _issubclass, "round": _round,
    "set": _set, "frozenset": _set, "dict": _dict, "copy.copy": _copy,
    "hasattr": _hasattr, "getattr": _getattr,
}  # fmt: skip
"""What is done about a call of each of Python's functions; "math" stands for all of that module."""
