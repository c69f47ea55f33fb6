"""Python's own functions on arrays and NumPy scalars."""

from __future__ import annotations

import ast
from collections.abc import Callable

from np2torch.facts import values as v
from np2torch.facts.domain import DOMAIN
from np2torch.facts.python_types import OF_NUMBERS
from np2torch.facts.results import tables_name
from np2torch.rules.handlers import Phase, on
from np2torch.rules.methods import ALSO_TENSORS, ASKED_FOR, ATTRIBUTES, DTYPE_ATTRIBUTES, METHOD_NAMES
from np2torch.rules.rule_arguments import Template
from np2torch.rules.scalars.items import is_used_up
from np2torch.rules.scalars.reads import library_name
from np2torch.rules.site import Edit, ModuleContext, text_edit
from np2torch.rules.syntax.dtypes import asked_for_class
from np2torch.rules.syntax.foreign import contents, holds_tensor, may_hold_any
from np2torch.rules.syntax.hashing import by_value, is_scalar, is_vector, items_hashed, pairs_hashed
from np2torch.rules.syntax.kind_tests import isinstance_call, issubclass_call, type_call
from np2torch.rules.syntax.printing import (
    asks_anything,
    holds_open,
    may_be_scalar,
    print_array,
    print_scalar,
    why_by_shim,
)  # fmt: skip
from np2torch.rules.syntax.runtime_dispatch import by_shim
from np2torch.rules.syntax.subscripts import has_dimensions, only_index

DIFFERENT = (METHOD_NAMES | ATTRIBUTES) - ALSO_TENSORS | ASKED_FOR | DTYPE_ATTRIBUTES | OF_NUMBERS.keys()
ALIKE = frozenset("T mT real imag dtype ndim shape device item itemsize nbytes tolist".split())
GIVING_OTHER = ((METHOD_NAMES | ATTRIBUTES) & ALSO_TENSORS) - ALIKE
"""Attributes of both kinds that are not alike: `x.size`."""
OF_ITERABLES = ("math.fsum", "math.prod", "math.sumprod", "math.dist")
"""Functions of `math` that go through what they are given."""
OF_CONTAINERS = frozenset(
    "__len__ __iter__ __contains__ __setitem__ __delitem__ __reversed__ __index__ __complex__ __copy__ __divmod__ "
    "__rdivmod__ __array_interface__ __iadd__ __isub__ __imul__ __itruediv__ __ifloordiv__ __imod__ __ipow__ "
    "__imatmul__ __iand__ __ior__ __ixor__ __ilshift__ __irshift__ __matmul__ __rmatmul__".split()
)
"""Special methods that 0-D tensors have and NumPy scalars have not, or the other way round."""
UNLIKE_TENSORS = frozenset("__reversed__ __complex__ __copy__ __divmod__ __rdivmod__ __array_interface__".split())
"""Those of these that arrays with axes have and tensors have not, or the other way round."""
COERCIONS = tuple(v.one(v.Numpy(f"numpy.{name}")) for name in ("asarray", "asanyarray"))
"""Functions that give arrays back as they are."""
WHOLE = {"numpy.floor": "math.floor", "numpy.ceil": "math.ceil", "numpy.trunc": "int", "numpy.fix": "int"}
"""Functions that give whole numbers, and those that give them as Python's ints."""
READ_EXACTLY = frozenset("float64 float32 float16 int32 int16 int8 uint16 uint8 bool".split())
OF_REAL = (v.one(v.Builtin("int")), v.one(v.Builtin("float")))
READ_AT_ONCE = frozenset("float64 int64 bool".split())
"""Dtypes whose scalars these make the same of as of Python's numbers."""
NUMBER_MODULES = frozenset("datetime time struct decimal fractions calendar".split())
"""Modules of the standard library that take numbers and refuse tensors."""


@on(Phase.PYTHON, ast.Call)
def builtin_call(ctx: ModuleContext, node: ast.Call) -> Edit | None:
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


def _library_call(ctx: ModuleContext, node: ast.Call, origin: str) -> None:
    writes_row = isinstance(node.func, ast.Attribute) and node.func.attr == "writerow"
    if writes_row:
        for argument in node.args:
            if is_vector(ctx.fact(argument)):
                ctx.wrap(argument, "", ".tolist()", "native", "NPT105", "wants Python numbers")
    if origin.startswith("cmath."):
        _number(ctx, node)
    if origin.split(".")[0] in NUMBER_MODULES and "unpack" not in origin:
        for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
            if is_scalar(ctx.fact(argument)):
                by_value(ctx, argument, "wants a Python number")
            elif not isinstance(argument, ast.Starred) and (ctx.is_open(argument) or may_be_scalar(ctx.fact(argument))):
                ctx.wrap(argument, "shim.key(", ")", "shim", "NPT105", "wants a Python number")
    if origin in ("json.dumps", "json.dump"):
        for argument in node.args:
            if is_scalar(ctx.fact(argument)) and v.dtypes_of(ctx.fact(argument)) == frozenset(["float64"]):
                by_value(ctx, argument, "JSON wants a Python number")
            elif _may_hold_double(ctx, argument):
                ctx.wrap(argument, "shim.pythons(", ")", "shim", "NPT105", "a double is a Python float to JSON")


def _may_hold_double(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether it may be or hold a NumPy scalar, of which JSON takes the doubles."""
    fact = ctx.fact(node)
    mixed = holds_tensor(fact) and not (v.only(fact, "array") and v.rank_of(fact))
    return mixed or holds_tensor(contents(ctx, fact)) or ctx.is_open(node) or holds_open(ctx, node)


def _print(ctx: ModuleContext, node: ast.Call) -> None:
    for argument in node.args:
        if not isinstance(argument, ast.Starred) and (ctx.is_open(argument) or may_be_scalar(ctx.fact(argument))):
            ctx.wrap(argument, "shim.text(", ")", "shim", "NPT105", "printed as NumPy prints it")
        elif not v.only(ctx.fact(argument), "dtype"):
            print_scalar(ctx, argument)


def _str(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    first = node.args[0]
    if v.only(ctx.fact(first), "dtype"):
        template = Template()
        text = f'shim.attribute({template.mark(first)}, "name")'
        return text_edit(node, "shim", "NPT105", "NumPy's name of the dtype, without torch's", template, text)
    if len(node.args) == 1 and not isinstance(first, ast.Starred) and (by := why_by_shim(ctx, first)):
        return by_shim(node, "text", by)
    for argument in node.args:
        print_scalar(ctx, argument)
        if v.only(ctx.fact(argument), "array"):
            print_array(ctx, argument)
    return None


def _repr(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    fact = ctx.fact(node.args[0])
    is_open = asks_anything(ctx, node.args[0])
    shape = getattr(node.args[0], "attr", "") == "shape" and not is_open
    if shape:
        print_scalar(ctx, node.args[0])
    if v.only(fact, "array", "scalar", "dtype") or is_open or not shape and why_by_shim(ctx, node.args[0]):
        return by_shim(node, "representation", "written as NumPy writes it")
    return None


def _int(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """`int(np.floor(x))` of what may be a number is `math.floor(x)`, which takes tensors without axes as well."""
    inner = node.args[0]
    if isinstance(inner, ast.Call) and len(inner.args) == len(node.args) == 1 and not inner.keywords + node.keywords:
        function = v.sole(ctx.fact(inner.func))
        name = WHOLE.get(function.name) if isinstance(function, v.Numpy) else None
        if name and _is_read_exactly(ctx.fact(inner.args[0])):
            template = Template()
            text = f"{name}({template.mark(inner.args[0])})"
            return text_edit(node, "native", "NPT101", "a whole number", template, text)
    _number(ctx, node)
    return None


def _is_read_exactly(fact: v.Fact) -> bool:
    """Tell numbers, and real arrays without axes of which a float has all digits."""
    if not v.only(fact, "number", "array", "scalar") or has_dimensions(fact):
        return False
    arrays = v.keep(fact, lambda atom: atom.kind != "number")
    dtypes = v.dtypes_of(arrays) if arrays else frozenset[str]()
    return dtypes is not None and dtypes <= READ_EXACTLY


def _number(ctx: ModuleContext, node: ast.Call) -> None:
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            continue
        fact = ctx.fact(argument)
        asked = v.known_to_include(fact, "array", "unknown") and v.rank_of(fact) != 0
        asked = asked and ctx.is_tried(node, "TypeError")
        if (has_dimensions(fact) or asked) and not ctx.converted_already():
            ctx.wrap(argument, "shim.only_scalar(", ")", "shim", "NPT105", "NumPy refuses arrays that are not 0-D")
        elif v.sole(ctx.fact(node.func)) == v.Builtin("int") and _may_be_wide(ctx, argument):
            ctx.wrap(argument, "shim.only_scalar(", ")", "shim", "NPT105", "torch reads no wide uint64 by `int`")


def _may_be_wide(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether it may be a uint64 beyond the range of int64."""
    fact = ctx.fact(node)  # of what is not known to be an array, torch's error is as loud
    return v.known_to_include(fact, "array", "scalar") and "uint64" in (v.dtypes_of(fact) or DOMAIN.likely)


def _integers(ctx: ModuleContext, node: ast.Call) -> None:
    """`range(a)`, `chr(a)`: of integers of NumPy's alone."""
    for argument in node.args if not ctx.converted_already() else ():
        if not isinstance(argument, ast.Starred):
            only_index(ctx, argument)


def _bool(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    fact = ctx.fact(node.args[0])
    if v.only(fact, "array") and v.rank_of(fact):
        return by_shim(node, "truth", "NumPy raises ValueError for arrays of several elements")
    return None


def _hash(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    for argument in node.args:
        if is_scalar(ctx.fact(argument)):
            by_value(ctx, argument)
        elif not ctx.converted_already() and _hashes_items(ctx, ctx.fact(argument)):
            return by_shim(node, "hash", "hashed by value")
    return None


def _hashes_items(ctx: ModuleContext, fact: v.Fact) -> bool:
    """Tell whether its hash may be that of tensors: its own, or those that it holds."""
    named = any(isinstance(atom, v.Instance) and atom.definition.is_named_tuple for atom in fact)
    return named or holds_tensor(fact) or may_hold_any(ctx, fact)


def _memoryview(ctx: ModuleContext, node: ast.Call) -> None:
    if len(node.args) == 1 and not v.only(ctx.fact(node.args[0]), "array") and ctx.is_open(node.args[0]):
        ctx.wrap(node.args[0], "shim.to_numpy(", ")", "boundary", "NPT401", "a tensor has no buffer, its ndarray has")
    elif len(node.args) == 1 and v.only(ctx.fact(node.args[0]), "array"):
        ctx.wrap(node.args[0], "", ".numpy()", "boundary", "NPT401", "a tensor has no buffer, its ndarray has")


def _map(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    if len(node.args) == 2 and ctx.fact(node.args[0]) in COERCIONS and _is_unpacked(ctx, node):
        row = v.items_of(ctx.fact(node.args[1]))
        if row and all(map(v.is_tensor, row)) and isinstance(node.args[1], (ast.Tuple, ast.List)):
            template = Template()
            return text_edit(node, "native", "NPT122", "tensors already", template, template.mark(node.args[1]))
    if len(node.args) == 2 and ctx.fact(node.args[0]) in OF_REAL and is_used_up(ctx, node):
        if is_vector(ctx.fact(node.args[1])) and (v.dtypes_of(ctx.fact(node.args[1])) or {""}) <= READ_AT_ONCE:
            ctx.wrap(node.args[1], "", ".tolist()", "native", "NPT105", "wants Python numbers")
    if len(node.args) != 2 or ctx.fact(node.args[0]) != v.one(v.Builtin("str")):
        return None
    items = ctx.fact(node.args[1])
    if is_vector(items):
        ctx.wrap(node.args[1], "", ".tolist()", "native", "NPT105", "printed as numbers")
    elif holds_tensor(items) or ctx.is_open(node.args[1]):
        template = Template()
        text = f"map(shim.text, {template.mark(node.args[1])})"
        return text_edit(node, "shim", "NPT105", "NumPy scalars are printed by their value", template, text)
    return None


def _is_unpacked(ctx: ModuleContext, node: ast.Call) -> bool:
    """Tell whether all that it yields is taken: unpacked, or put into a list."""
    parent = ctx.parents.get(node)
    if isinstance(parent, ast.Assign):
        return all(isinstance(target, (ast.Tuple, ast.List)) for target in parent.targets)
    holders = (v.one(v.Builtin("list")), v.one(v.Builtin("tuple")))
    return isinstance(parent, ast.Call) and ctx.fact(parent.func) in holders


def _divmod(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    facts = [ctx.fact(argument) for argument in node.args]
    if any(map(v.is_tensor, facts)):
        return by_shim(node, "divmod", "tensors have no divmod")
    if any(v.known_to_include(fact, "array", "scalar") for fact in facts) or any(map(ctx.is_open, node.args)):
        return by_shim(node, "operator.divmod", "tensors have no divmod")
    return None


def _round(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """To a whole number by value; to digits NumPy's scalars round otherwise than Python's floats: 2.675 to 2.68."""
    fact = ctx.fact(node.args[0])
    digits = [*node.args[1:], *(keyword.value for keyword in node.keywords if keyword.arg == "ndigits")]
    if is_scalar(fact) and not digits:
        by_value(ctx, node.args[0], "tensors do not round")
    elif is_scalar(fact) and v.only(ctx.fact(digits[0]), "number"):
        if not (v.dtypes_of(fact) or {"int64"}) <= {"float64", "float32"}:
            return by_shim(node, "builtin_round", "rounds a NumPy scalar")
        template = Template()
        text = f"torch.round({template.mark(node.args[0])}, decimals={template.mark(digits[0])})"
        return text_edit(node, "native", "NPT101", "rounds as NumPy's scalars do", template, text)
    elif v.known_to_include(fact, "scalar", "array", "unknown"):
        return by_shim(node, "builtin_round", "rounds a number or an array")
    return None


def _abs(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """Of bools, which torch refuses: NumPy gives them back."""
    fact = ctx.fact(node.args[0])
    is_refused = v.only(fact, "array", "scalar") and "bool" in (v.dtypes_of(fact) or ())
    return by_shim(node, "abs", "torch takes no bools") if is_refused else None


def _set(ctx: ModuleContext, node: ast.Call) -> None:
    for argument in node.args:
        items_hashed(ctx, argument)


def _dict(ctx: ModuleContext, node: ast.Call) -> None:
    """`dict(zip(x, y))`; of a `defaultdict` the factory comes first."""
    if v.sole(ctx.fact(node.func)) == v.Builtin("collections.defaultdict"):
        if len(node.args) == 2:
            pairs_hashed(ctx, node.args[1])
    elif not isinstance(node.args[0], ast.Starred):
        pairs_hashed(ctx, node.args[0])


def _copy(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    fact = ctx.fact(node.args[0])
    if not v.only(fact, "array"):
        asked = v.known_to_include(fact, "array") or v.known_to_include(fact, "unknown") and not ctx.converted_already()
        return by_shim(node, "duplicate", "torch's shallow copy of a tensor shares its data") if asked else None
    template = Template()
    text = f"{template.mark(node.args[0])}.clone()"
    return text_edit(node, "native", "NPT122", "a copy of the data", template, text)


def _asked(ctx: ModuleContext, node: ast.Call) -> tuple[bool, str | None]:
    """Tell whether `hasattr` or `getattr` certainly asks an array, and give the name; None if the name is not constant.

    The shim asks an array that stays on NumPy by NumPy's rules, so it can be asked about owners that may be either.
    """
    owner, name = ctx.fact(_object(node.args[0])), v.constant(ctx.fact(node.args[1])) if len(node.args) > 1 else None
    known = v.known_to_include(owner, "array", "scalar")
    return known, name if isinstance(name, str) else None


def _hasattr(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    known, name = _asked(ctx, node)
    if name in OF_CONTAINERS - UNLIKE_TENSORS and 0 not in (v.ranks_of(ctx.fact(node.args[0])) or {0}):
        return None
    differs = known if name is None else name in DIFFERENT | OF_CONTAINERS
    if not differs or not known and not _may_differ(ctx, _object(node.args[0]), name):
        return None
    return by_shim(node, "hasattr", "a tensor has other attributes than an ndarray")


def _getattr(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    known, name = _asked(ctx, node)
    if (edit := _from_numpy(ctx, node, name)) is not None:
        return edit
    if known and name not in ("shape", "ndim", "dtype"):
        return by_shim(node, "getattr", "a tensor has other attributes than an ndarray")
    if name in DIFFERENT | GIVING_OTHER and _may_differ(ctx, _object(node.args[0]), name):
        return by_shim(node, "getattr", "a tensor has other attributes than an ndarray")
    return None


def _object(node: ast.expr) -> ast.expr:
    """The object that is asked, or of which a class is."""
    return asked_for_class(node) or node


def _from_numpy(ctx: ModuleContext, node: ast.Call, name: str | None) -> Edit | None:
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
        return text_edit(node, "native", "NPT104", "the torch dtype of that name", template, text)
    literal = isinstance(node.args[1], ast.Constant)
    if literal and f"{part}{name}" not in ctx.shim or not any(one.startswith(part) for one in ctx.shim):
        return None
    template = Template()
    rest = ", ".join(template.mark(argument) for argument in node.args[1:])
    place = f"shim.{inner}" if inner else "shim"
    return text_edit(node, "shim", "NPT150", "decided at run time", template, f"getattr({place}, {rest})")


def _may_differ(ctx: ModuleContext, node: ast.expr, name: str | None) -> bool:
    read = node.args[1] if isinstance(node, ast.Call) and len(node.args) > 1 else None
    reads_dtype = getattr(node, "attr", getattr(read, "value", None)) == "dtype"  # `getattr(x, "dtype", None)`
    of_dtype = name in DTYPE_ATTRIBUTES and (reads_dtype or v.known_to_include(ctx.fact(node), "dtype"))
    return of_dtype and not ctx.converted_already() or _open(ctx, node)


def _open(ctx: ModuleContext, node: ast.expr) -> bool:
    return v.known_to_include(ctx.fact(node), "unknown") and not ctx.converted_already()


def _sum(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """`sum(x)`: Python goes through an array element by element, which costs torch microseconds each."""
    fact = ctx.fact(node.args[0])
    if len(node.args) > 1 or node.keywords or not v.only(fact, "array") or ctx.converted_already():
        return None
    if 1 not in (v.ranks_of(fact) or {1}) or not ADDED & (v.dtypes_of(fact) or ADDED):
        return None
    return by_shim(node, "sum_items", "adds the elements up in their order")


ADDED = frozenset({"float64", "int64", "bool"})
"""The dtypes whose elements torch adds up one after the other as Python does."""
BUILTINS: dict[str, Callable[[ModuleContext, ast.Call], Edit | None]] = {
    "print": _print, "str": _str, "repr": _repr, "int": _int, "float": _number, "complex": _number, "math": _number,
    **dict.fromkeys(("range", "slice", "chr", "hex", "oct", "bin"), _integers), "bool": _bool, "hash": _hash,
    **dict.fromkeys(("memoryview", "bytes", "bytearray"), _memoryview), "map": _map, "divmod": _divmod,
    "type": type_call, "isinstance": isinstance_call, "issubclass": issubclass_call, "round": _round,
    "set": _set, "frozenset": _set, "copy.copy": _copy,
    **dict.fromkeys(("dict", "collections.OrderedDict", "collections.defaultdict"), _dict),
    "hasattr": _hasattr, "getattr": _getattr, "sum": _sum, "abs": _abs,
}  # fmt: skip
"""The handlers for calls of Python's functions; "math" stands for all of that module."""
