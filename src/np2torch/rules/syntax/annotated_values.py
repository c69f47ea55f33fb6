"""Annotations that say what a value is: an array that stays on NumPy, a number that is a 0-D tensor now."""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.names.tree import walk as tree_walk
from np2torch.rules.handlers import Phase, on
from np2torch.rules.site import Edit, ModuleContext, source_of

TENSORS = ("numpy.typing.NDArray", "numpy.ndarray")
"""Types of arrays."""
UNIONS = frozenset({"Optional", "Union", "Annotated", "Final", "ClassVar"})
"""Generic types that are one of what stands in their brackets."""
TUPLES = frozenset({"tuple", "Tuple"})
HOLDERS = frozenset("list List set Set frozenset Sequence Iterable Collection MutableSequence deque".split())
"""Generic types of which every item is what stands in their brackets."""
DICTS = frozenset({"dict", "Dict", "Mapping", "MutableMapping", "defaultdict", "OrderedDict"})
NUMBERS = ("float", "complex", "int", "bool")
PLAIN_BASES = frozenset({"object", "ABC", "Generic", "Protocol", "NamedTuple", "TypedDict"})
"""Bases of classes whose fields are looked at by nobody while the program runs."""


@on(Phase.KEPT, ast.Attribute, ast.Name, ast.Subscript)
def annotated_array(ctx: ModuleContext, node: ast.Attribute | ast.Name | ast.Subscript) -> Edit | None:
    """`-> np.ndarray` of a function whose array stays on NumPy stays what it is."""
    named = node.value if isinstance(node, ast.Subscript) else node
    if numpy_name(ctx, named) not in TENSORS:
        return None
    fact = v.without(_annotated(ctx, node), "none")
    if not v.known_to_include(fact, "foreign") or any(isinstance(a, v.Foreign) and a.definition for a in fact):
        return None
    if not v.only(fact, "foreign") and not v.known_to_include(fact, "array"):
        return None  # what it is else, nobody knows
    text = ast.unparse(node) + ("" if v.only(fact, "foreign") else " | torch.Tensor")
    for name in tree_walk(node):
        if isinstance(name, ast.Name):
            ctx.keep_name(name)
    return Edit(node, "todo", "NPT305", source_of(node), "an array that stays on NumPy", text=text)


@on(Phase.PYTHON, ast.Name)
def annotated_number(ctx: ModuleContext, node: ast.Name) -> Edit | None:
    """`-> float` of a function that gives a NumPy scalar, which is a 0-D tensor now."""
    if node.id not in NUMBERS or ctx.fact(node) != v.one(v.Builtin(node.id)) or ctx.converted_already():
        return None
    fact = _annotated(ctx, node)
    scalars = v.keep(fact, lambda atom: isinstance(atom, v.Scalar) and not atom.python)
    if not scalars or not v.only(fact, "scalar", "number", "none") or _is_beside_numpys(ctx, node):
        return None
    text = "torch.Tensor" if v.only(v.without(fact, "none"), "scalar") else f"{node.id} | torch.Tensor"
    return Edit(node, "native", "NPT106", node.id, "a NumPy scalar is a 0-D tensor", text=text)


def _is_beside_numpys(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether it is in a union with a type of NumPy's, which says that it may be a tensor."""
    parent = ctx.parents.get(node)
    while isinstance(parent, ast.BinOp):
        node, parent = parent, ctx.parents.get(parent)
    whole = ctx.parents.get(parent) if isinstance(parent, ast.Tuple) else None
    if isinstance(whole, ast.Subscript) and ast.unparse(whole.value).rpartition(".")[2] == "Union":
        node = whole
    return any(numpy_name(ctx, one) for one in tree_walk(node) if isinstance(one, (ast.Name, ast.Attribute)))


def _annotated(ctx: ModuleContext, node: ast.expr) -> v.Fact:
    """Give what the value of a type in an annotation may be; nothing where it is in no annotation."""
    parent = ctx.parents.get(node)
    if isinstance(parent, (ast.arg, ast.AnnAssign, ast.FunctionDef, ast.AsyncFunctionDef)):
        return _subject(ctx, parent, node)
    if isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.BitOr):
        return _annotated(ctx, parent)
    index = None
    if isinstance(parent, ast.Tuple):
        index, node, parent = parent.elts.index(node), parent, ctx.parents.get(parent)
    if not isinstance(parent, ast.Subscript) or node is not parent.slice:
        return v.BOTTOM
    whole, generic = _annotated(ctx, parent), ast.unparse(parent.value).rpartition(".")[2]
    return _part(ctx, whole, generic, index, len(node.elts) if isinstance(node, ast.Tuple) else 1)


def _part(ctx: ModuleContext, whole: v.Fact, generic: str, index: int | None, count: int) -> v.Fact:
    """Give what the type in these brackets, at this place among so many, says of the value."""
    if generic in UNIONS:
        return whole if generic != "Annotated" or not index else v.BOTTOM
    sequences = [atom for atom in whole if isinstance(atom, v.Sequence)]
    if generic in TUPLES and count > 1:
        known = [atom.items for atom in sequences if atom.items is not None and len(atom.items) == count]
        return v.join(v.BOTTOM, *(items[index or 0] for items in known)) if len(known) == len(sequences) else v.BOTTOM
    if generic in TUPLES | HOLDERS:
        return v.join(v.BOTTOM, *map(v.elements, sequences))
    if generic in DICTS and index == 1:
        sites = [atom.site for atom in whole if isinstance(atom, v.Mapping)]
        return v.join(v.BOTTOM, *(ctx.engine.heap.get(site, v.BOTTOM) for site in sites))
    return v.BOTTOM


def _subject(ctx: ModuleContext, place: ast.AST, node: ast.expr) -> v.Fact:
    """Give what the value of an annotation may be, for all that is found."""
    if isinstance(place, ast.arg):
        function = ctx.engine.functions.get(ctx.function(place))
        said = function.evidence.get(place.arg) if function is not None else None
        return said.found if said is not None else v.BOTTOM
    if isinstance(place, ast.AnnAssign):
        class_ = ctx.engine.classes.get(ctx.parents[place])
        if class_ is None or not isinstance(place.target, ast.Name):
            return ctx.fact(place.value) if place.value is not None else v.BOTTOM
        bases = {ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in class_.node.bases}
        return class_.attribute(place.target.id) if bases <= PLAIN_BASES else v.BOTTOM
    assert isinstance(place, (ast.FunctionDef, ast.AsyncFunctionDef))
    if node is not place.returns:
        return v.BOTTOM
    inside = [one for one in tree_walk(place) if ctx.function(one) is place]
    if any(isinstance(one, (ast.Yield, ast.YieldFrom)) for one in inside):
        return v.BOTTOM
    given = [one.value for one in inside if isinstance(one, ast.Return) and one.value is not None]
    return v.join(v.BOTTOM, *map(ctx.fact, given))


def numpy_name(ctx: ModuleContext, node: ast.expr) -> str:
    """The dotted NumPy name that an expression is; empty for others."""
    fact = ctx.engine.facts.get(node) or v.TOP
    atom = next(iter(fact)) if len(fact) == 1 else None
    return atom.name if isinstance(atom, v.Numpy) else ""
