"""Boundaries: tensors into libraries that want ndarrays, ndarrays back into tensors."""

from __future__ import annotations

import ast

from np2torch.facts import models, results
from np2torch.facts import values as v
from np2torch.facts.libraries import (
    ARRAYS,
    HISTOGRAMS,
    INSPECTING,
    LABELS,
    LIBRARIES,
    METHODS,
    SIZES,
    STYLES,
    TAKING,
    WRITTEN,
    computes,
    gives_data,
    library,
)
from np2torch.facts.ndarray_subclasses import is_one
from np2torch.names.resolve import SCALAR_CLASSES
from np2torch.rules.handlers import Phase, on
from np2torch.rules.rule_arguments import Template
from np2torch.rules.site import Edit, ModuleContext, Outcome, call_arguments, source_of
from np2torch.rules.syntax.dtypes import is_scalar_class
from np2torch.rules.syntax.runtime_dispatch import shim_invoke
from np2torch.rules.syntax.structured_dtypes import has_numpys_fields, names_numpy_only

OURS = (v.Function, v.Class, v.Numpy)
"""The callables that are called with tensors."""
STREAMS = ("numpy.random.Generator()", "numpy.random.RandomState()")
PLOTTING = ("matplotlib", "seaborn", "pylab", "mpl_toolkits", "plotly")
ARRAY = "__array__"


def holds_tensor(fact: v.Fact, depth: int = 0) -> bool:
    """Tell whether it may be or hold an array that is now a tensor."""
    for atom in fact:
        if isinstance(atom, v.Array) or isinstance(atom, v.Scalar) and not atom.python or is_one(atom):
            return True
        if isinstance(atom, v.Sequence) and depth < 3 and holds_tensor(v.elements(atom), depth + 1):
            return True
    return False


def may_hold_any(ctx: ModuleContext, fact: v.Fact) -> bool:
    """Tell whether it may be anything, or a container with anything in it: tensors, or functions that want them."""
    inside = contents(ctx, fact)
    return v.known_to_include(inside, "function", "unknown") or v.known_to_include(fact, "unknown")


MOST_NESTED = 3
"""How deep containers are looked into."""


def contents(ctx: ModuleContext, fact: v.Fact) -> v.Fact:
    """The alternatives of everything in its lists, tuples, dicts and iterators, at any depth."""
    found, level = v.BOTTOM, fact
    for _ in range(MOST_NESTED):
        level = v.BOTTOM.union(*_inside(ctx, level)) - found
        found |= level
    return found


def _inside(ctx: ModuleContext, fact: v.Fact) -> list[v.Fact]:
    """Give what a container holds right in it."""
    held = [v.elements(atom) for atom in fact if isinstance(atom, v.Sequence)]
    held += [atom.element for atom in fact if isinstance(atom, v.Iterator) and not atom.is_range]
    return held + [ctx.engine.heap.get(atom.site, v.BOTTOM) for atom in fact if isinstance(atom, v.Mapping)]


def _holds_dtype(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether a value is or holds a dtype, as in `[("id", c_int)]`, that is not written out as NumPy's."""
    fact = ctx.fact(node)
    if is_scalar_class(fact):
        return True
    atoms = fact | contents(ctx, fact)
    if not any(isinstance(atom, v.DType) or isinstance(atom, v.Numpy) and _is_class(atom) for atom in atoms):
        return False
    return not names_numpy_only(ctx, node) and not has_numpys_fields(ctx, node)


def _is_class(atom: v.Numpy) -> bool:
    return atom.name.removeprefix("numpy.") in SCALAR_CLASSES


def to_numpy(ctx: ModuleContext, node: ast.expr) -> None:
    """Make an argument a NumPy array where it stands."""
    if isinstance(node, ast.Starred):
        node = node.value
    if isinstance(node, ast.Call) and _runs_on_arrays(ctx, node) and _is_handed_on(ctx, node):
        return
    fact = ctx.fact(node)
    if v.only(fact, "array") and _is_part_of_object(ctx, node):
        return  # as it is where it goes back to a library
    if v.only(fact, "array") and not _is_guessed(ctx, node) and not _may_be_made_of_objects(ctx, node):
        ctx.wrap(node, "", ".numpy()", "boundary", "NPT401", "a tensor goes to a library of ndarrays")
    elif holds_tensor(fact | contents(ctx, fact)) or may_hold_any(ctx, fact):
        ctx.wrap(node, "shim.to_numpy(", ")", "boundary", "NPT401", "may be a tensor")
    elif any(isinstance(atom, v.Numpy) and atom.name in STREAMS for atom in fact):
        if isinstance(node, ast.Call) and _is_handed_on(ctx, node):
            return  # one of NumPy's own, made for the call
        ctx.wrap(node, "shim.to_numpy(", ")", "boundary", "NPT401", "a stream of the shim's")
    elif _holds_dtype(ctx, node):
        ctx.wrap(node, "shim.to_numpy(", ")", "boundary", "NPT401", "a dtype of torch's")
    elif any(isinstance(a, v.Function) for a in fact):
        ctx.wrap(node, "shim.callback(", ")", "boundary", "NPT402", "called by a library with ndarrays")


def _is_part_of_object(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether it is an attribute or an item of an object of a library that computes on ndarrays."""
    owner = ctx.fact(node.value) if isinstance(node, (ast.Attribute, ast.Subscript)) else v.BOTTOM
    return bool(owner) and all(map(computes, owner)) and goes_back(ctx, node)


def _may_be_made_of_objects(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether a function makes it of a list of what may be objects, as symbols: that array stays on NumPy."""
    lists = map(ctx.fact, node.args) if isinstance(node, ast.Call) else ()
    return any(v.known_to_include(contents(ctx, fact), "unknown", "opaque") for fact in lists)


def _is_guessed(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether an array is only guessed, from `A.shape` and its like, which the library's own objects may have too.

    What a method gives of what nobody knows is an ndarray where that is one: `u.reshape(-1)` of what SciPy gave.
    """
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return ctx.is_open(node.func.value) or _is_guessed(ctx, node.func.value)
    said = ctx.evidence_of(node)
    return said is not None and ctx.is_only_said(node) and all(source.kind == "use" for source in said.sources)


def _runs_on_arrays(ctx: ModuleContext, node: ast.Call) -> bool:
    found = library(ctx.fact(node.func))
    return found is not None and found not in PLOTTING


def _is_handed_on(ctx: ModuleContext, node: ast.Call) -> bool:
    """Tell whether the result of a library call is passed straight to a library, as in `solve(M, smooth(b))`."""
    parent = ctx.parents.get(node)
    parent = ctx.parents.get(parent) if isinstance(parent, ast.keyword) else parent
    return isinstance(parent, ast.Call) and parent.func is not node and _runs_on_arrays(ctx, parent)


def is_called(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether it is what a call calls."""
    parent = ctx.parents.get(node)
    return isinstance(parent, ast.Call) and parent.func is node


def boundary_arguments(ctx: ModuleContext, node: ast.Call) -> None:
    """Every argument of a call that stays with ndarrays."""
    for argument in node.args:
        to_numpy(ctx, argument)
    for keyword in node.keywords:
        to_numpy(ctx, keyword.value)


@on(Phase.BOUNDARY, ast.Call)
def foreign_call(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """A call into SciPy, pandas, matplotlib and their like."""
    found = library(ctx.fact(node.func))
    if found is None and _may_draw_histogram(ctx, node):
        for value in _bounds(node):
            to_numpy(ctx, value)
    if found is None or ctx.converted_already() or _is_openly_called(ctx, node):
        return None
    if found in PLOTTING:  # matplotlib takes tensors; only those with gradients or on devices would need more
        for value in (*_inspected(node), *_written(ctx, node)):
            to_numpy(ctx, value)
        if _gives_data(ctx, node) and not _stays_ndarray(ctx, node, ""):
            ctx.wrap(node, *TO_TENSORS)
        return None
    if any(isinstance(atom, OURS) for atom in ctx.fact(node.func)):
        ctx.wrap(node.func, "shim.across(", ")", "boundary", "NPT402", "a function of a library, or of the project")
        return None
    source = ast.unparse(node.func) if len(ast.unparse(node.func)) < 50 else found
    before = len(ctx.wraps)
    boundary_arguments(ctx, node)
    if (draw := _draw(ctx, node)) is not None:
        ctx.wrap(node, *TO_TENSORS)
        return draw
    if _stays_ndarray(ctx, node, source.split(".")[-1]) or _gives_no_array(ctx, ctx.fact(node)):
        return Edit(node, "boundary", "NPT401", source, "runs on ndarrays") if len(ctx.wraps) > before else None
    if _gives_arrays(ctx, node, found) and not isinstance(ctx.parents.get(node), ast.With):
        ctx.wrap(node, *TO_TENSORS)
    return None


TO_TENSORS: tuple[str, str, Outcome, str, str] = (
    "shim.from_numpy(", ")", "boundary", "NPT403", "an ndarray may come back",
)  # fmt: skip
"""What stands around a call of a library."""


def _stays_ndarray(ctx: ModuleContext, node: ast.Call, name: str) -> bool:
    """Tell whether what a library gives is dropped, handed on to one, or read as an object of its own.

    `minimize(f, x).x` is read of what comes back, `spsolve(a, b).reshape(n, m)` of the tensor.
    """
    parent = ctx.parents.get(node)
    if isinstance(parent, ast.Expr) or _is_handed_on(ctx, node):
        return True
    is_method = isinstance(parent, ast.Attribute) and not ctx.engine.api.has(parent.attr) and is_called(ctx, parent)
    return is_method and name not in ARRAYS and not v.only(ctx.fact(node), "array", "scalar")


def _gives_no_array(ctx: ModuleContext, made: v.Fact) -> bool:
    """Tell whether a library gives numbers or what stays on NumPy, and nothing that may be a tensor."""
    is_open = holds_tensor(made | contents(ctx, made)) or may_hold_any(ctx, made)
    return not is_open and v.only(made, "number", "sequence", "foreign", "text", "iterator", "none")


def _gives_arrays(ctx: ModuleContext, node: ast.Call, found: str) -> bool:
    """Tell whether a library gives arrays, and not objects that compute on them."""
    made = v.without(ctx.fact(node), "none")
    if made and all(map(computes, made)):
        return False
    return _gives_data(ctx, node) or LIBRARIES[found] != "object"


def _gives_data(ctx: ModuleContext, node: ast.Call) -> bool:
    """Tell whether it calls a method of an object of a library that gives back an array: `frame.to_numpy()`."""
    return any(isinstance(atom, v.Opaque) and gives_data(atom.origin) for atom in ctx.fact(node.func))


def _inspected(node: ast.Call) -> list[ast.expr]:
    """The arguments whose class a plotting library looks at."""
    name = ast.unparse(node.func).split(".")[-1]
    is_whole = name in INSPECTING or name[:1].isupper()  # classes compute on what they are given
    positional = node.args if is_whole else []
    named = [keyword.value for keyword in node.keywords if keyword.arg in STYLES or is_whole]
    return positional + named + (_bounds(node) if name in HISTOGRAMS and not is_whole else [])


def _bounds(node: ast.Call) -> list[ast.expr]:
    return [keyword.value for keyword in node.keywords if keyword.arg == "range"]


def _may_draw_histogram(ctx: ModuleContext, node: ast.Call) -> bool:
    """Tell whether it is `axes.hist(x, range=bounds)` of what may be matplotlib's."""
    function = node.func
    if not isinstance(function, ast.Attribute) or function.attr not in HISTOGRAMS or node in ctx.engine.callees:
        return False
    return ctx.is_open(function.value) and "matplotlib" in ctx.module.text


def _written(ctx: ModuleContext, node: ast.Call) -> list[ast.expr]:
    """Give the arrays that a plotting library writes as text, which a tensor spells in another way."""
    at, name = WRITTEN.get(ast.unparse(node.func).split(".")[-1], (len(node.args), ""))
    found = node.args[at : at + 1] + [one.value for one in node.keywords if one.arg in (*LABELS, name)]
    return [one for one in found if holds_tensor(ctx.fact(one) | contents(ctx, ctx.fact(one)))]


def _is_openly_called(ctx: ModuleContext, node: ast.Call) -> bool:
    """Tell whether it is a method that the project's objects may have as well, of something that may be anything."""
    function = node.func
    if not isinstance(function, ast.Attribute) or function.attr not in TAKING:
        return False
    return v.known_to_include(ctx.fact(function.value), "unknown")


def _draw(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """`law.rvs(size=3)` where the project seeds NumPy's global stream, which is the shim's now: it draws from that."""
    function, given = node.func, {keyword.arg for keyword in node.keywords}
    if not isinstance(function, ast.Attribute) or function.attr != "rvs" or given & {"random_state", None}:
        return None
    texts = [module.text for module in ctx.engine.modules.values()]
    own = any(".random_state = " in text or "seed=" in text for text in texts)  # a stream of its own
    if own or ctx.torchs_random or not any("random.seed(" in text for text in texts):
        return None
    template = Template()
    arguments = [*call_arguments(node, template), ("random_state", "shim.to_numpy(shim.random._rand)")]
    return Edit(
        node, "boundary", "NPT401", source_of(function), "draws from the shim's stream", pieces=template.nodes,
        function=f"{template.mark(function.value)}.rvs", arguments=arguments,
    )  # fmt: skip


@on(Phase.BOUNDARY, ast.Attribute)
def foreign_attribute(ctx: ModuleContext, node: ast.Attribute) -> Edit | None:
    """`tree.data` of an object of SciPy's: an ndarray, which a tensor of one element would index as a number does."""
    if not isinstance(node.ctx, ast.Load) or node.attr in SIZES or ctx.converted_already():
        return None
    gives = any(isinstance(a, v.Opaque) and gives_data(f"{a.origin}.{node.attr}") for a in ctx.fact(node.value))
    whole = _read_on(ctx, node) if gives else node
    parent = ctx.parents.get(whole)
    if isinstance(parent, (ast.Attribute, ast.Expr)) or is_called(ctx, whole) or models.stays(ctx.fact(node)):
        return None
    if (gives or any(map(computes, ctx.fact(node.value)))) and not goes_back(ctx, whole):
        ctx.wrap(whole, "shim.from_numpy(", ")", "boundary", "NPT403", "may be an ndarray")
    return None


def _read_on(ctx: ModuleContext, node: ast.expr) -> ast.expr:
    """The whole of what is read of an ndarray in one go: `path.vertices.T.copy()`."""
    while isinstance(parent := ctx.parents.get(node), ast.Attribute) and parent.attr not in SIZES:
        node = parent
        if is_called(ctx, node):
            call = ctx.parents[node]
            assert isinstance(call, ast.Call)
            node = call
    return node


def goes_back(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether it is given to a library as it is, perhaps in a tuple."""
    parent = ctx.parents.get(node)
    while isinstance(parent, (ast.Tuple, ast.List, ast.keyword)):
        parent = ctx.parents.get(parent)
    return isinstance(parent, ast.Call) and _runs_on_arrays(ctx, parent)


@on(Phase.BOUNDARY, ast.Call)
def foreign_method(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """`(r * turn).as_quat()` of what is unknown, and for all its methods say an object of a library."""
    function = node.func
    if not isinstance(function, ast.Attribute) or ctx.converted_already() or not ctx.mentions_numpy:
        return None
    if library(ctx.fact(function)) is not None and _is_handed_on(ctx, node):
        return None
    words = [word for word, methods in METHODS.items() if function.attr in methods]
    if words and v.known_to_include(ctx.fact(function.value), "unknown"):
        if not any(words[0] in module.text for module in ctx.engine.modules.values()):
            return None
        if function.attr in TAKING:
            return shim_invoke(node, function.attr, source_of(function))
        ctx.wrap(node, "shim.from_numpy(", ")", "boundary", "NPT403", "an ndarray may come back")
    return None


@on(Phase.KEPT, ast.BinOp)
def foreign_operand(ctx: ModuleContext, node: ast.BinOp) -> Edit | None:
    """An array that stays on NumPy meets a tensor: the tensor goes over."""
    _carry_over(ctx, node.left, node.right)
    return None


@on(Phase.KEPT, ast.Compare)
def foreign_compared(ctx: ModuleContext, node: ast.Compare) -> Edit | None:
    """`kept < x`, as of operators."""
    if len(node.ops) == 1 and not isinstance(node.ops[0], (ast.Is, ast.IsNot, ast.In, ast.NotIn)):
        _carry_over(ctx, node.left, node.comparators[0])
    return None


def _carry_over(ctx: ModuleContext, left: ast.expr, right: ast.expr) -> None:
    """Make an array of NumPy's of the operand beside one that stays on NumPy."""
    for one, other in ((left, right), (right, left)):
        fact = ctx.fact(other)
        if not results.stays(ctx.fact(one)):
            continue
        if v.only(fact, "array"):
            ctx.wrap(other, "", ".numpy()", "boundary", "NPT401", "meets an array that stays on NumPy")
        elif v.known_to_include(fact, "unknown", "array", "scalar"):
            ctx.wrap(other, "shim.to_numpy(", ")", "boundary", "NPT401", "may meet an array that stays on NumPy")


# ----------------------------------------------------------------------------------------- what NumPy asks objects for
@on(Phase.BOUNDARY, ast.Return)
def array_of_object(ctx: ModuleContext, node: ast.Return) -> Edit | None:
    """Give NumPy, and what calls it, an ndarray: `__array__` is its question what array an object is."""
    function = ctx.function(node)
    is_asked = isinstance(function, ast.FunctionDef) and function.name == ARRAY
    if is_asked and node.value is not None and isinstance(ctx.parents.get(function), ast.ClassDef):
        to_numpy(ctx, node.value)
    return None


@on(Phase.BOUNDARY, ast.Call)
def object_asked(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """`x.__array__(copy=None)`: an ndarray also where `x` is a tensor, whose own method takes no such keyword."""
    function = node.func
    if isinstance(function, ast.Attribute) and function.attr == ARRAY:
        if ctx.mentions_numpy and not ctx.converted_already():
            ctx.wrap(node, "shim.from_numpy(", ")", "boundary", "NPT401", "an ndarray by its meaning")
            if node.keywords and not _is_asked_of_base(function.value):
                to_numpy(ctx, function.value)
                for dtype in (one.value for one in node.keywords if one.arg == "dtype"):
                    ctx.wrap(dtype, "shim.to_numpy(", ")", "boundary", "NPT401", "a dtype of NumPy's")
    return None


def _is_asked_of_base(node: ast.expr) -> bool:
    """Tell whether it is `super()`."""
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") == "super"
