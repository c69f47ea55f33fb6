"""Types: `NDArray[np.float64]` is a tensor now, and so is `np.float64` where it is written as a type."""

from __future__ import annotations

import ast
import re

from np2torch.facts import values as v
from np2torch.names import resolve
from np2torch.rules.handlers import Phase, on
from np2torch.rules.rule_arguments import Template
from np2torch.rules.site import Edit, ModuleContext, source_of, text_edit
from np2torch.rules.syntax.annotated_values import TENSORS, numpy_name

TYPES = {
    "NDArray": "torch.Tensor", "ArrayLike": "shim.typing.ArrayLike", "DTypeLike": "shim.typing.DTypeLike",
}  # fmt: skip
"""The types of `numpy.typing` and their replacements."""
GENERIC = frozenset("list tuple dict set frozenset type".split())
"""Python's classes that take types in brackets."""
OF_TYPES = ("typing.", "typing_extensions.", "collections.abc.")
"""The modules of names that take types, in brackets or as arguments (`TypeVar`)."""
CLASSES_OF_SCALARS = frozenset(resolve.SCALAR_CLASSES | resolve.ABSTRACT_CLASSES)
SCALAR = "a NumPy scalar is a 0-D tensor"
TESTED = "NPT306 scalars of NumPy's are 0-D tensors, and isinstance with these types answers otherwise for tensors."


@on(Phase.PYTHON, ast.Subscript)
def generic_array(ctx: ModuleContext, node: ast.Subscript) -> Edit | None:
    """`NDArray[...]`, `np.ndarray[...]`, `np.dtype[...]`."""
    name = numpy_name(ctx, node.value)
    if name in TENSORS:
        return Edit(node, "native", "NPT106", ast.unparse(node.value), "a tensor", text="torch.Tensor")
    if _is_scalar_class(ctx, node.value) and is_type(ctx, node):
        return Edit(node, "native", "NPT106", ast.unparse(node.value), SCALAR, text="torch.Tensor")
    if name == "numpy.dtype":
        return Edit(node, "native", "NPT106", ast.unparse(node.value), "the dtypes' type", text="torch.dtype")
    return None


@on(Phase.PYTHON, ast.Attribute, ast.Name)
def typing_name(ctx: ModuleContext, node: ast.Attribute | ast.Name) -> Edit | None:
    """`npt.ArrayLike`, `npt.DTypeLike`, bare `NDArray`."""
    name = numpy_name(ctx, node)
    if name.startswith("numpy.typing."):
        text = TYPES.get(name.rsplit(".", 1)[-1])
        if text is not None:
            return Edit(node, "native", "NPT106", ast.unparse(node), "the tensor's type", text=text)
    return None


@on(Phase.PYTHON, ast.Attribute, ast.Name)
def scalar_type(ctx: ModuleContext, node: ast.Attribute | ast.Name) -> Edit | None:
    """`x: np.float64 | None`: a dtype is no type, which Python says where the line is run; `dtype: np.dtype | None`."""
    name = numpy_name(ctx, node)
    made = name == "numpy.dtype"
    if not name or not (made or _is_scalar_class(ctx, node)) or not is_type(ctx, node):
        return None
    if made:
        return Edit(node, "native", "NPT106", ast.unparse(node), "the dtypes' type", text="torch.dtype")
    return Edit(node, "native", "NPT106", ast.unparse(node), SCALAR, text="torch.Tensor")


@on(Phase.PYTHON, ast.BinOp, ast.Subscript)
def union(ctx: ModuleContext, node: ast.BinOp | ast.Subscript) -> Edit | None:
    """`np.ndarray | np.float64`, `Union[np.float32, np.float64]`: tensors are named once."""
    if ctx.converted_already():
        return None
    if isinstance(node, ast.BinOp):
        members = alternatives(node)
    else:
        named = ast.unparse(node.value).rpartition(".")[2]
        members = node.slice.elts if named == "Union" and isinstance(node.slice, ast.Tuple) else []
    tensors = [one for one in members if _is_tensor_type(ctx, one)]
    if not tensors or isinstance(ctx.parents.get(node), (ast.BinOp, ast.Call)):
        return None
    if _is_tested(ctx, node) and any(_is_scalar_class(ctx, one) for one in tensors):
        return Edit(node, "todo", "NPT306", source_of(node), "tested with isinstance", note=TESTED)
    if len(tensors) < 2:
        return None
    template = Template()
    texts = ["torch.Tensor" if one is tensors[0] else template.mark(one) for one in members if one not in tensors[1:]]
    if len(texts) == 1 or isinstance(node, ast.BinOp):
        text = " | ".join(texts)
    else:
        text = f"{template.mark(node.value)}[{', '.join(texts)}]"
    return text_edit(node, "native", "NPT106", "scalars are tensors too", template, text)


def alternatives(node: ast.expr) -> list[ast.expr]:
    """The types in `a | b | c`; one that is written alone."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return [*alternatives(node.left), *alternatives(node.right)]
    return [node]


def is_type(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether a class is used as a type: in an annotation, a union, brackets of a generic type, a `TypeVar`."""
    parent = ctx.parents.get(node)
    if isinstance(parent, (ast.arg, ast.AnnAssign)):
        return node is parent.annotation
    if isinstance(parent, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return node is parent.returns
    if isinstance(parent, ast.BinOp):  # of a union, which are not what isinstance asks for
        return isinstance(parent.op, ast.BitOr) and (not _is_asked(ctx, parent) or is_type(ctx, parent))
    if isinstance(parent, (ast.Tuple, ast.List)):
        return is_type(ctx, parent)
    if isinstance(parent, ast.Subscript) and node is parent.slice:
        return _takes_types(ctx, parent.value) or is_type(ctx, parent)
    if isinstance(parent, ast.keyword):
        call = ctx.parents.get(parent)
        return isinstance(call, ast.Call) and _takes_types(ctx, call.func)
    return isinstance(parent, ast.Call) and node in parent.args and _takes_types(ctx, parent.func)


def _is_asked(ctx: ModuleContext, node: ast.expr) -> bool:
    while isinstance(parent := ctx.parents.get(node), ast.BinOp):
        node = parent
    return isinstance(parent, ast.Call)


def _takes_types(ctx: ModuleContext, node: ast.expr) -> bool:
    fact = ctx.fact(node)
    atom = next(iter(fact)) if len(fact) == 1 else None
    if isinstance(atom, v.Builtin):
        return atom.name in GENERIC and isinstance(ctx.parents.get(node), ast.Subscript)
    return isinstance(atom, v.Opaque) and atom.origin.startswith(OF_TYPES)


def _is_scalar_class(ctx: ModuleContext, node: ast.expr) -> bool:
    if not (name := numpy_name(ctx, node)):
        return False
    short = resolve.canonical(name).removeprefix("numpy.")
    return short in CLASSES_OF_SCALARS and short in ctx.shim


def _is_tensor_type(ctx: ModuleContext, node: ast.expr) -> bool:
    whole = node.value if isinstance(node, ast.Subscript) else node
    return numpy_name(ctx, whole) in TENSORS or _is_scalar_class(ctx, whole)


def _is_tested(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether `isinstance` anywhere in the project asks for a name that is bound to these types."""
    parent = ctx.parents.get(node)
    targets = parent.targets if isinstance(parent, ast.Assign) else [getattr(parent, "target", None)]
    names = [target.id for target in targets if isinstance(target, ast.Name)]
    texts = [module.text for module in ctx.engine.modules.values()] if names else []
    return any(re.search(rf"isinstance\([^\n]*\b{name}\b", text) for name in names for text in texts)
