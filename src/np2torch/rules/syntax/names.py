"""NumPy names that are not called: constants, dtypes, functions as values."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable

from np2torch.facts import results
from np2torch.facts import values as v
from np2torch.facts.bindings import single_bindings
from np2torch.facts.libraries import LIBRARIES, library
from np2torch.facts.python_types import having
from np2torch.names import resolve
from np2torch.names.tree import walk
from np2torch.rules.api import FOREIGN_NAMES, STAYS
from np2torch.rules.handlers import Phase, on
from np2torch.rules.methods import ASKED_FOR, METHOD_NAMES, TENSORS_ONLY
from np2torch.rules.rule_arguments import COMPLEX, Template
from np2torch.rules.site import Edit, ModuleContext, placeholder
from np2torch.rules.syntax.calls import UNITTESTS, shim_name, stays
from np2torch.rules.syntax.dtypes import NAMING
from np2torch.rules.syntax.mapped_functions import torch_function
from np2torch.rules.syntax.runtime_dispatch import PYTHON_NAMES, shim_attribute
from np2torch.rules.syntax.structured_dtypes import is_field_type
from np2torch.source.scan import imported_modules

MATH = {"pi": "math.pi", "e": "math.e", "inf": "math.inf", "nan": "math.nan", "NINF": "-math.inf"}
SPELLED = {
    "newaxis": "None", "True_": "True", "False_": "False", "PZERO": "0.0", "NZERO": "-0.0",
    "euler_gamma": "0.5772156649015329", "ndarray": "torch.Tensor", "linalg.LinAlgError": "torch.linalg.LinAlgError",
    "exceptions.AxisError": "IndexError", "ufunc": "shim.ufunc", **UNITTESTS,
}  # fmt: skip
UNBOUND = frozenset(
    "arange array asanyarray asarray ascontiguousarray asfortranarray empty from_dlpack frombuffer fromfile fromiter "
    "fromstring promote_types zeros".split()
)
"""Functions written in C, which are no methods of the classes whose attributes they are."""
SHARED = frozenset("nin nout nargs identity signature __name__ __qualname__".split())
"""The attributes that functions of the shim share with NumPy's."""


def is_numpy_reference(ctx: ModuleContext, node: ast.expr) -> str | None:
    """The dotted NumPy name an expression spells, by its text and the facts of its root."""
    if isinstance(node, ast.Name):
        if not isinstance(node.ctx, ast.Load):
            return None
        fact = ctx.engine.facts.get(node)
        if fact is None:
            return None
        return _single(ctx, fact, node)
    if isinstance(node, ast.Attribute):
        inner = ctx.engine.facts.get(node.value)
        if inner is not None and len(inner) == 1:
            atom = next(iter(inner))
            if isinstance(atom, v.Module) and (atom.name == "numpy" or atom.name.startswith("numpy.")):
                return f"{atom.name}.{node.attr}"
            if isinstance(atom, v.Numpy) and "()" not in atom.name:
                return f"{atom.name}.{node.attr}"
    return None


def _single(ctx: ModuleContext, fact: v.Fact, node: ast.Name) -> str | None:
    """Find the name that it was imported as, unless it is bound to something else here, as a local `e` or `sum` is."""
    imported = ctx.numpy_names.get(node.id)
    atom = v.sole(fact)
    if imported is None or atom is None:
        return None
    if isinstance(atom, v.Numpy):
        return imported if resolve.canonical(atom.name) == resolve.canonical(imported) else None
    meant = ctx.engine.api.name(imported)
    return imported if fact == meant or _is_nan(fact) and _is_nan(meant) else None


def _is_nan(fact: v.Fact) -> bool:
    value = v.constant(fact)
    return isinstance(value, float) and math.isnan(value)


@on(Phase.NUMPY, ast.Attribute, ast.Name)
def numpy_value(ctx: ModuleContext, node: ast.Attribute | ast.Name) -> Edit | None:
    """`np.pi`, `np.float64`, `np.sin` as values."""
    name = is_numpy_reference(ctx, node)
    if name is None:
        return None
    if (edit := _of_subclasses(ctx, node, resolve.canonical(name))) is not None:
        return edit
    if resolve.public().get(name) == "module":
        return _module(ctx, node, name.removeprefix("numpy."))
    if _is_left(ctx, node):
        return None
    source = ast.unparse(node)
    canonical = resolve.canonical(name)
    short = canonical.removeprefix("numpy.")
    if short == "linalg.LinAlgError" and isinstance(ctx.parents.get(node), CATCHING) and uses_array_library(ctx):
        return _either_error(node, source)
    if (counterpart := _counterpart(ctx, node, name, short)) is not None:
        text, why = counterpart
        return Edit(node, "native", "NPT104", source, why, text=text)
    if short in resolve.SCALAR_CLASSES:
        return _scalar_class(ctx, node, short, source)
    if canonical in FOREIGN_NAMES or canonical.startswith(STAYS):
        if isinstance(ctx.parents.get(node), ast.Attribute):
            return Edit(node, "todo", "NPT304", source, "kept on NumPy")
        return stays(ctx, node, source, "NPT304", f"{source} has no torch counterpart; kept on NumPy.")
    if (mapped := torch_function(ctx, node, canonical)) is not None:
        return Edit(node, "native", "NPT104", source, "of tensors it is torch's", text=mapped)
    if (target := shim_name(ctx, name, short)) is not None:
        text = f"staticmethod(shim.{target})" if short in UNBOUND and _in_class(ctx, node) else f"shim.{target}"
        return Edit(node, "shim", "NPT150", source, "decided at run time", text=text)
    if _is_shared(ctx, node):
        return None
    return stays(ctx, node, source, "NPT304", f"{source} has no torch counterpart; kept on NumPy.")


def _counterpart(ctx: ModuleContext, node: ast.expr, name: str, short: str) -> tuple[str, str] | None:
    """Give the spelling of a constant, of a class or of its name, and why; None where there is none."""
    owner, _, last = short.rpartition(".")
    if last in NAMING and owner in resolve.SCALAR_CLASSES and results.tables_name(owner):
        return f'"{results.tables_name(owner)}"', "the name of the class"
    if short == "dtype" and _is_type_asked_for(ctx, node):
        return "torch.dtype", "the class of dtypes"
    if short in MATH:
        return MATH[short], "the same float"
    if short in SPELLED:
        return SPELLED[short], "the same"
    pythons = resolve.PYTHON_CLASSES.get(name.removeprefix("numpy."))
    return None if pythons is None else (pythons, "Python's own")


def _scalar_class(ctx: ModuleContext, node: ast.Attribute | ast.Name, short: str, source: str) -> Edit | None:
    """`np.float64` as a value."""
    if short not in ctx.shim and results.tables_name(short) is None:
        return stays(ctx, node, source, "NPT301", f"{source} has no torch counterpart.")
    if is_field_type(ctx, node):
        return None
    return Edit(node, "native", "NPT104", source, "the torch dtype", text=f"torch.{results.tables_name(short)}")


def _is_type_asked_for(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether it is a type that `isinstance` asks for, or that the type of something is compared with."""
    parent = ctx.parents.get(node)
    while isinstance(parent, (ast.Tuple, ast.BinOp)):
        node, parent = parent, ctx.parents.get(parent)
    if isinstance(parent, ast.Call):
        return node in parent.args[1:] and v.sole(ctx.fact(parent.func)) in ASKING
    return isinstance(parent, ast.Compare)


ASKING = (v.Builtin("isinstance"), v.Builtin("issubclass"))


def _of_subclasses(ctx: ModuleContext, node: ast.Attribute | ast.Name, name: str) -> Edit | None:
    """`np.ndarray` as the base of a class of tensors, and `np.ndarray.__new__`; `super().__new__` is right as it is."""
    if not (name == "numpy.ndarray" or name.startswith("numpy.ndarray.")) or not ctx.has_subarrays():
        return None
    source, parent = ast.unparse(node), ctx.parents.get(node)
    if name == "numpy.ndarray":
        class_ = ctx.engine.classes.get(parent) if isinstance(parent, ast.ClassDef) and node in parent.bases else None
        if class_ is None or not class_.is_tensor():
            return None
        return Edit(node, "shim", "NPT162", source, "a class of tensors, with ndarray's rules", text="shim.ndarray")
    if not isinstance(node, ast.Attribute) or is_numpy_reference(ctx, node.value) is None:
        return Edit(node, "native", "NPT162", source, "of the class of tensors it derives from")
    text = f"shim.ndarray.{node.attr}"
    return Edit(node, "shim", "NPT162", source, "of the class that such classes derive from", text=text)


def _is_shared(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether it is what a function says of itself, and the shim's as well."""
    owner, _, attribute = (is_numpy_reference(ctx, node) or "").rpartition(".")
    return attribute in SHARED and resolve.is_function(owner)


def _is_left(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether an attribute of it stays on NumPy, as in `np.sin.__doc__`."""
    parent = ctx.parents.get(node)
    if not isinstance(parent, ast.Attribute):
        return False
    own, name = (is_numpy_reference(ctx, one) for one in (node, parent))
    if own is None or name is None or resolve.public().get(own) == "module":
        return False
    canonical = resolve.canonical(name)
    known = canonical in resolve.public() or shim_name(ctx, name, canonical.removeprefix("numpy.")) is not None
    return not (known or _is_shared(ctx, parent)) or _is_left(ctx, parent)


def _in_class(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether it is bound to a name in the body of a class."""
    parent = ctx.parents.get(node)
    return isinstance(parent, (ast.Assign, ast.AnnAssign)) and isinstance(ctx.parents.get(parent), ast.ClassDef)


def _module(ctx: ModuleContext, node: ast.Attribute | ast.Name, short: str) -> Edit | None:
    """`draw(np.random)`: a part of NumPy handed on as a value, where the shim has one like it; not to a library."""
    parent = ctx.parents.get(node)
    around = ctx.parents.get(parent) if isinstance(parent, ast.keyword) else parent
    to_library = isinstance(around, ast.Call) and library(ctx.fact(around.func)) is not None
    if isinstance(parent, ast.Attribute) or to_library or not any(name.startswith(f"{short}.") for name in ctx.shim):
        return None
    return Edit(node, "shim", "NPT150", ast.unparse(node), "a part of NumPy as a value", text=f"shim.{short}")


CATCHING = (ast.ExceptHandler, ast.Tuple, ast.Call)


def uses_array_library(ctx: ModuleContext) -> bool:
    """Tell whether the module imports a library that computes on ndarrays, and raises NumPy's errors."""
    roots = {name.split(".")[0] for name in imported_modules(ctx.module.text)}
    return any(LIBRARIES.get(root) == "array" for root in roots)


def _either_error(node: ast.Attribute | ast.Name, source: str) -> Edit:
    """Catch torch's error, and SciPy's, whose class is NumPy's, a ValueError."""
    template = Template()
    other = f"{template.mark(node.value)}.{node.attr}" if isinstance(node, ast.Attribute) else "ValueError"
    text = f"(torch.linalg.LinAlgError, {other})"
    why = "SciPy raises NumPy's class, torch its own"
    return Edit(node, "boundary", "NPT104", source, why, text=text, pieces=template.nodes)


OPERATOR_METHODS = frozenset(f"__{name.strip('_')}__" for name in (*PYTHON_NAMES.values(), "getitem", "setitem"))


@on(Phase.NUMPY, ast.Attribute)
def bound_method(ctx: ModuleContext, node: ast.Attribute) -> Edit | None:
    """`f = x.std`, `x.__getitem__`: methods that are passed on mean what they meant."""
    called = getattr(ctx.parents.get(node), "func", None) is node
    if not isinstance(node.ctx, ast.Load) or not v.is_tensor(having(ctx.fact(node.value), node.attr)):
        return None
    if node.attr in METHOD_NAMES and not called or node.attr in OPERATOR_METHODS:
        return shim_attribute(node)
    return None


@on(Phase.NUMPY, ast.Attribute)
def array_attribute(ctx: ModuleContext, node: ast.Attribute) -> Edit | None:
    """`x.size`, `x.T`, `x.flat` on arrays."""
    if not isinstance(node.ctx, ast.Load):
        return None
    owner = having(ctx.fact(node.value), node.attr)
    if _raises(ctx, node, owner):
        return shim_attribute(node)
    if node.attr not in ATTRIBUTES_OF_ARRAYS:
        return None
    if not v.known_to_include(owner, "array", "scalar"):
        is_meant = node.attr in MEANT_SO and v.known_to_include(owner, "unknown")
        return shim_attribute(node) if is_meant and not ctx.converted_already() else None
    if v.known_to_include(owner, "foreign"):
        differs = node.attr in DIFFERENT and not ctx.converted_already()
        return shim_attribute(node) if differs else None
    if not v.is_tensor(owner):
        return None if node.attr in OF_BOTH else shim_attribute(node)
    return ATTRIBUTES_OF_ARRAYS[node.attr](ctx, node, owner)


def _raises(ctx: ModuleContext, node: ast.Attribute, owner: v.Fact) -> bool:
    """Tell whether NumPy raises an AttributeError, or somebody may catch one, where a tensor has the attribute.

    Where it may be something else as well, that is what is meant.
    """
    if node.attr in TENSORS_ONLY and v.only(owner, "array", "scalar"):
        return True
    is_asked = node.attr in ASKED_FOR or node.attr in TENSORS_ONLY and v.known_to_include(owner, "array", "scalar")
    is_tried = is_asked and not ctx.converted_already() and ctx.is_tried(node, "AttributeError")
    return is_tried and v.known_to_include(owner, "array", "scalar", "unknown")


def _by_shim(ctx: ModuleContext, node: ast.Attribute, owner: v.Fact) -> Edit:
    """Attributes that tensors lack."""
    return shim_attribute(node)


def _same(ctx: ModuleContext, node: ast.Attribute, owner: v.Fact) -> Edit:
    """Attributes that mean the same in torch."""
    return _native(node, "NPT160", "equal")


def _size(ctx: ModuleContext, node: ast.Attribute, owner: v.Fact) -> Edit:
    """`x.size`, a method in torch; what may stay an ndarray, as text does, has its shape alone in common."""
    if v.dtypes_of(owner) is None and _is_made_of_anything(ctx, node.value):
        return _native(node, "NPT160", "of an array of text too", f"math.prod({placeholder(0)}.shape)")
    return _native(node, "NPT160", "`size` is a method in torch", f"{placeholder(0)}.numel()")


def _is_made_of_anything(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell what NumPy makes of something unknown, text as like as not: `x = np.asarray(x)`."""
    if isinstance(node, ast.Name):
        statements = (one for one in walk(ctx.function(node)) if isinstance(one, ast.Assign))
        bound = [value for one in statements for target, value in single_bindings(one) if _is_named(target, node.id)]
        return any(not isinstance(one, ast.Name) and _is_made_of_anything(ctx, one) for one in bound)
    if not isinstance(node, ast.Call) or not node.args or any(one.arg == "dtype" for one in node.keywords):
        return False
    function = v.sole(ctx.fact(node.func))
    is_maker = isinstance(function, v.Numpy) and function.name in ("numpy.asarray", "numpy.array", "numpy.asanyarray")
    return is_maker and len(node.args) == 1 and v.known_to_include(ctx.fact(node.args[0]), "unknown")


def _is_named(target: ast.expr, name: str) -> bool:
    return isinstance(target, ast.Name) and target.id == name


def _transposed(ctx: ModuleContext, node: ast.Attribute, owner: v.Fact) -> Edit:
    """`x.T`, by the rank."""
    rank = v.rank_of(owner)
    if rank is None or rank == 2:
        return _native(node, "NPT131", "equal")
    if rank < 2:
        return _native(node, "NPT131", "the same tensor", placeholder(0))
    text = f"{placeholder(0)}.permute({tuple(reversed(range(rank)))})"
    return _native(node, "NPT131", "torch deprecates .T beyond two dimensions", text)


def _imaginary_part(ctx: ModuleContext, node: ast.Attribute, owner: v.Fact) -> Edit:
    """Spell `x.imag`, which torch has of complex tensors alone."""
    is_complex = (v.dtypes_of(owner) or frozenset(["float64"])) <= COMPLEX
    return _same(ctx, node, owner) if is_complex else shim_attribute(node)


def _buffer(ctx: ModuleContext, node: ast.Attribute, owner: v.Fact) -> Edit:
    """`x.data`; many classes have an attribute of that name, so the array has to be known well."""
    if ctx.converted_already() or v.dtypes_of(owner) is None or v.ranks_of(owner) is None:
        return shim_attribute(node)
    text = f"{placeholder(0)}.numpy().data"
    return Edit(node, "boundary", "NPT401", ".data", "a memoryview", text=text, pieces=[node.value])


def _without_counterpart(ctx: ModuleContext, node: ast.Attribute, owner: v.Fact) -> Edit:
    """`x.base`."""
    note = f"NPT307 `.{node.attr}`: torch has no counterpart that means the same."
    return shim_attribute(node).leave("NPT307", note, "a tensor does not know whose view it is")


ATTRIBUTES_OF_ARRAYS: dict[str, Callable[[ModuleContext, ast.Attribute, v.Fact], Edit]] = {
    **dict.fromkeys(("shape", "ndim", "dtype", "real"), _same),
    **dict.fromkeys(("flags", "flat", "strides", "ctypes", "__array_interface__"), _by_shim),
    "base": _without_counterpart,
    "size": _size, "T": _transposed, "imag": _imaginary_part, "data": _buffer,
}  # fmt: skip
"""What becomes of the attributes of a tensor."""
OF_BOTH = frozenset({"shape", "ndim", "dtype", "T", "real", "data"})
"""Attributes that mean the same of a tensor and of an array."""
DIFFERENT = frozenset({"size", "flat", "strides", "flags", "__array_interface__"})
"""Attributes that arrays have, and that tensors lack or have as methods."""
MEANT_SO = DIFFERENT | {"imag"}
"""Attributes of what may be anything that are meant as those of an array."""


def _native(node: ast.Attribute, code: str, why: str, text: str = "") -> Edit:
    return Edit(node, "native", code, f".{node.attr}", why, text=text, pieces=[node.value] if text else [])
