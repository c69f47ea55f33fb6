"""Calls of NumPy's functions."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from np2torch.facts import results
from np2torch.facts import values as v
from np2torch.facts.arguments import Argument, Arguments, bind
from np2torch.facts.domain import DOMAIN
from np2torch.facts.dtypes import NARROW
from np2torch.names import resolve
from np2torch.names.tree import named_parameters
from np2torch.names.tree import walk as tree_walk
from np2torch.rules.api import FOREIGN_NAMES, STAYS, made_of_text
from np2torch.rules.core import FUNCTIONS, METHODS_OF_UFUNCS, Rule, run_body
from np2torch.rules.rule_arguments import CallSite, Decline, RuleArgument, Spelling, Style, Template, UnsupportedError
from np2torch.rules.scalars.limits import LIMITS, limits_dtype
from np2torch.rules.scalars.representation import serves_as_number
from np2torch.rules.sharing import sharing_shows
from np2torch.rules.site import Edit, ModuleContext, Outcome, shim_call
from np2torch.rules.syntax.dtypes import may_be_dtype
from np2torch.rules.syntax.foreign import boundary_arguments

WHY = {
    "datetime64": ("NPT303", "datetime64 has no torch counterpart; kept on NumPy."),
    "timedelta64": ("NPT303", "timedelta64 has no torch counterpart; kept on NumPy."),
}
UNITTESTS = {
    "testing.TestCase": "unittest.TestCase", "testing.SkipTest": "unittest.SkipTest",
    "testing.assert_raises": "unittest.TestCase().assertRaises",
    "testing.assert_raises_regex": "unittest.TestCase().assertRaisesRegex",
}  # fmt: skip
"""The members of `numpy.testing` that come from unittest, called in the same way."""
UFUNC_METHODS = ("at", "reduce", "outer", "accumulate", "reduceat")
SCALARS = {
    "float64": {"bool", "int", "float"}, "float32": {"int", "float"}, "int64": {"int"}, "int32": {"int"},
    "complex128": {"bool", "int", "float", "complex"},
}  # fmt: skip
"""Scalar classes that a 0-D tensor stands for, and the Python numbers it holds exactly as NumPy does."""


def arguments_of(ctx: ModuleContext, node: ast.Call) -> Arguments:
    """The call's arguments with their facts."""
    starred = any(isinstance(one, ast.Starred) for one in node.args) or any(one.arg is None for one in node.keywords)
    positional = [Argument(one, ctx.fact(one)) for one in node.args]
    named = {one.arg: Argument(one.value, ctx.fact(one.value)) for one in node.keywords if one.arg is not None}
    return Arguments(positional, named, starred)


def numpy_name(fact: v.Fact) -> str | None:
    """Find the NumPy function that an expression is for sure."""
    if len(fact) == 1:
        atom = next(iter(fact))
        if isinstance(atom, v.Numpy):
            return atom.name
    return None


def edit_from(node: ast.AST, emit: Spelling, template: Template, found: Rule, source: str) -> Edit:
    """The edit of a rule's answer."""
    outcome: Outcome = "cast" if emit.cast else "native"
    code = "NPT201" if emit.cast else found.code
    return Edit(
        node, outcome, code, source, emit.message or found.doc.split("\n")[0], text=emit.text, pieces=template.nodes,
        function=emit.function,
        arguments=[(k, str(a) if isinstance(a, RuleArgument) else a) for k, a in emit.arguments],
    )  # fmt: skip


def numpy_call(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """`np.f(...)`: the rule's spelling, else the shim, else a note."""
    name = numpy_name(ctx.fact(node.func))
    if name is None or _is_handed_in(ctx, node.func):
        return _held_class(ctx, node)  # or the shim's function of that name, or what others pass or store
    source = ast.unparse(node.func)
    canonical = resolve.canonical(name)
    if _is_called_as_it_was(ctx, canonical):
        return None
    short = canonical.removeprefix("numpy.")
    arguments = arguments_of(ctx, node)
    if short == "dtype":
        return _dtype_call(ctx, node, source)
    if short in LIMITS and (limits := _limits(ctx, node, short, source)) is not None:
        return limits
    if canonical in FOREIGN_NAMES or canonical.startswith(STAYS):
        why = WHY.get(short, ("NPT304", f"{source} has no torch counterpart; kept on NumPy."))
        return stays(ctx, node, source, *why)
    if results.made_plain(short, arguments) is not None:
        return shim_call(ctx, node, short, source)
    if any(results.stays(f) for f in arguments.facts()) and not canonical.startswith("numpy.testing"):
        boundary_arguments(ctx, node)
        return Edit(node, "todo", "NPT305", source, "works on an array that stays on NumPy")
    if (scalar := _scalar_constructor(ctx, node, short, source)) is not None:
        return scalar
    found = FUNCTIONS.get(canonical) or METHODS_OF_UFUNCS.get(canonical)
    if found is not None and (edit := _by_entry(ctx, node, found, arguments, source)) is not None:
        return edit
    target = shim_name(ctx, name, short)
    if target is None:
        return stays(ctx, node, source, "NPT304", f"{source} has no torch counterpart; kept on NumPy.")
    if results.stays(ctx.fact(node)):
        return stays(ctx, node, source, "NPT301", "the elements have no torch dtype; this array stays on NumPy.")
    return shim_call(ctx, node, target, source)


def _is_called_as_it_was(ctx: ModuleContext, canonical: str) -> bool:
    """Tell whether it is a method of the shim's generators, one that subclasses of ndarray have, or unittest's."""
    if canonical.startswith("numpy.ndarray.") and ctx.has_subarrays():
        return True
    return "()." in canonical or canonical.removeprefix("numpy.") in UNITTESTS


def _by_entry(ctx: ModuleContext, node: ast.Call, found: Rule, arguments: Arguments, source: str) -> Edit | None:
    """Give the answer of a function's rule, or the note that its result stays on NumPy; None where it declines."""
    if made_of_text(found, arguments):
        return stays(ctx, node, source, "NPT301", "strings have no torch dtype; this stays on NumPy.")
    try:
        return by_rule(ctx, node, found, arguments, "function", source)
    except UnsupportedError as problem:
        return stays(ctx, node, source, problem.code, problem.message)


def _limits(ctx: ModuleContext, node: ast.Call, short: str, source: str) -> Edit | None:
    """`np.finfo(float).eps`: torch's Python float, where no float32 is about that NumPy's scalar would widen.

    Or where that does not show: in a comparison, beside what is a Python number, or given to a function of `math`.
    Elsewhere a tensor is made of it.
    """
    parent = ctx.parents.get(node)
    if not isinstance(parent, ast.Attribute) or not (name := limits_dtype(ctx, parent)):
        return None
    is_number = parent in ctx.numbers or not DOMAIN.dtypes & NARROW or serves_as_number(ctx, parent)
    wide = name == "float64" and is_number
    if short == "finfo" and parent not in ctx.taken_out and parent.attr != "bits" and not wide:
        ctx.wrap(parent, "torch.tensor(", f", dtype=torch.{name})", "cast", "NPT104", "a scalar of this dtype")
    return Edit(node, "native", "NPT104", source, "limits of a dtype", text=f"torch.{short}(torch.{name})")


def _is_handed_in(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether a function is called through a parameter or an attribute of an object, so that it may be another."""
    if isinstance(node, ast.Call):  # `getattr(np, name)`
        return not (len(node.args) > 1 and isinstance(node.args[1], ast.Constant))
    if isinstance(node, ast.Attribute):
        return not v.known_to_include(ctx.fact(node.value), "module", "numpy")
    function = ctx.function(node)
    while isinstance(node, ast.Name) and isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        if node.id in {one.arg for one in named_parameters(function)}:
            return True
        function = ctx.function(function)
    return False


def _dtype_call(ctx: ModuleContext, node: ast.Call, source: str) -> Edit:
    """`np.dtype(...)`: the torch dtype, where it is none of records; what may be either is decided at run time."""
    if v.only(ctx.fact(node), "foreign"):
        lacking = results.no_torch_dtype(ctx.fact(node.args[0])) if node.args else None
        why = f"{lacking or 'structured'} dtype has no torch counterpart; {_made_with(ctx, node)} a NumPy array."
        return stays(ctx, node, source, "NPT302", why)
    names = results.dtype_names(ctx.fact(node.args[0])) if node.args else None
    if names is None or len(names) != 1:
        return shim_call(ctx, node, "dtype", source)
    return Edit(node, "native", "NPT104", source, "a torch dtype", text=f"torch.{next(iter(names))}")


def _made_with(ctx: ModuleContext, node: ast.Call) -> str:
    """The arrays of the module made with a dtype, so that the note can name them."""
    parent = ctx.parents.get(node)
    names: list[str] = []
    if isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Name):
        dtype = parent.targets[0].id
        for other in tree_walk(ctx.module.tree):
            if not isinstance(other, ast.Assign) or not isinstance(other.value, ast.Call):
                continue
            arguments = [*other.value.args, *(k.value for k in other.value.keywords)]
            target = other.targets[0]
            if isinstance(target, ast.Name) and any(isinstance(a, ast.Name) and a.id == dtype for a in arguments):
                names.append(f"`{target.id}`")
    if not names:
        return "what is made with it stays"
    return ", ".join(names) + (" stays" if len(names) == 1 else " stay")


ELSEWHERE = {"random.default_rng": "default_rng", "random.mtrand._rand": "random._rand"}
"""Names that are others in the shim."""


def shim_name(ctx: ModuleContext, name: str, short: str) -> str | None:
    """The shim's name for a NumPy name."""
    if short in ELSEWHERE:
        return ELSEWHERE[short]
    for candidate in (name.removeprefix("numpy."), short):
        parts = candidate.split(".")
        nested = len(parts) == 3 and ".".join(parts[:2]) in ctx.shim
        ufunc_method = len(parts) > 1 and parts[0] in ctx.shim and parts[1] in UFUNC_METHODS
        if candidate in ctx.shim or nested or ufunc_method:
            return candidate
    return None


def _held_class(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """`t(3)` of a scalar class that a name holds, `x.dtype.type(3)`: a dtype now, which is not called."""
    of_type = isinstance(node.func, ast.Attribute) and node.func.attr == "type"
    dtype = node.func.value if isinstance(node.func, ast.Attribute) and of_type else node.func
    fact = ctx.fact(dtype)
    if v.only(fact, "dtype") if of_type else v.only(fact, "numpy") and results.dtype_names(fact) is not None:
        if len(node.args) == 1 and not node.keywords and _all_hold(ctx, results.dtype_names(fact), node.args[0]):
            template = Template()
            text = f"torch.tensor({template.mark(node.args[0])}, dtype={template.mark(dtype)})"
            why = "a 0-D tensor stands for a NumPy scalar"
            return Edit(node, "native", "NPT104", ast.unparse(node.func), why, text=text, pieces=template.nodes)
    if not of_type and may_be_dtype(ctx, node.func):
        ctx.wrap(node.func, "shim.scalar_type(", ")", "shim", "NPT152", "a scalar class that is chosen at run time")
    return None


SMALLEST_LIMIT = 127


def _all_hold(ctx: ModuleContext, dtypes: v.Names, node: ast.expr) -> bool:
    """Tell whether 0-D tensors of all these dtypes hold a Python number as NumPy's scalars do."""
    value, names = v.constant(ctx.fact(node)), DOMAIN.dtypes if dtypes is None else dtypes
    if type(value) in (int, float) and 0 <= value <= SMALLEST_LIMIT:
        return type(value) is int or "float16" not in names  # to which torch rounds twice
    return all(_holds(name, ctx, node) for name in names)


def _scalar_constructor(ctx: ModuleContext, node: ast.Call, short: str, source: str) -> Edit | None:
    """`np.float64(x)` of a Python number: a 0-D tensor."""
    if short not in resolve.SCALAR_CLASSES or len(node.args) != 1 or node.keywords:
        return None
    dtype = results.tables_name(short)
    if dtype is None or not _holds(dtype, ctx, node.args[0]):
        return None
    template = Template()
    text = f"torch.tensor({template.mark(node.args[0])}, dtype=torch.{dtype})"
    why = "a 0-D tensor stands for a NumPy scalar"
    return Edit(node, "native", "NPT104", source, why, text=text, pieces=template.nodes)


def _holds(dtype: str, ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether it is a Python number that a 0-D tensor of the dtype holds as NumPy's scalar does."""
    fact = ctx.fact(node)
    kinds = {a.type for a in fact if isinstance(a, v.Num)}
    return v.only(fact, "number") and kinds <= SCALARS.get(dtype, set())


def by_rule(
    ctx: ModuleContext, node: ast.Call, found: Rule, arguments: Arguments, style: Style, source: str
) -> Edit | None:
    """Give what the rule says; None where it declines."""
    bound = bind(found.signature, arguments)
    if bound is None:
        return None
    if ctx.fact(node) == v.NONE and not isinstance(ctx.parents.get(node), ast.Expr):
        return None  # `b = a.sort()`: torch's methods that write in place return the tensor, NumPy's None
    template = Template(
        CallSite(
            style, lambda: sharing_shows(ctx, node), ctx.dtype_is_said, ctx.has_comments, ctx.heeds_warnings, ctx.fact,
            lambda: _is_first_alone(ctx, node),
        )
    )
    try:
        return edit_from(node, run_body(found, bound, template), template, found, source)
    except Decline:
        return None


def _is_first_alone(ctx: ModuleContext, node: ast.Call) -> bool:
    """Tell whether only the first item of a result is read: `f(x)[0]`, or `a, *_ = f(x)` with `_` never read."""
    match ctx.parents.get(node):
        case ast.Subscript(value=value, slice=index) if value is node:
            return bool(v.constant(ctx.fact(index)) == 0)
        case ast.Assign(targets=[ast.Tuple(elts=[ast.Name(), *others])]) if others:
            return _are_never_read(ctx.function(node), [getattr(one, "value", one) for one in others])
    return False


def _are_never_read(function: ast.AST | None, targets: Sequence[ast.expr]) -> bool:
    """Tell whether targets are names of a function's own that nothing in it reads."""
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    nodes = list(tree_walk(function))
    read = {one.id for one in nodes if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}
    shared = any(isinstance(one, (ast.Global, ast.Nonlocal)) for one in nodes)
    return not shared and all(isinstance(one, ast.Name) and one.id not in read for one in targets)


def stays(ctx: ModuleContext, node: ast.AST, source: str, code: str, message: str) -> Edit:
    """Leave a site on NumPy with a note; tensors that go in become arrays visibly."""
    if isinstance(node, ast.Call):
        boundary_arguments(ctx, node)
    return Edit(node, "todo", code, source, message, note=f"{code} {message}")
