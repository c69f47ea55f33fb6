"""Calls of NumPy's functions and of array methods."""

from __future__ import annotations

import ast

from np2torch.facts import results
from np2torch.facts import values as v
from np2torch.facts.arguments import Argument, Arguments, bind
from np2torch.names import resolve
from np2torch.names.tree import walk as tree_walk
from np2torch.rules.api import FOREIGN_NAMES, STAYS
from np2torch.rules.core import FUNCTIONS, METHODS, Rule, run_body
from np2torch.rules.pieces import Asked, Style, Decline, Emit, Piece, Template, Unsupported
from np2torch.rules.methods import METHOD_NAMES
from np2torch.rules.site import Context, Edit, on, shim_call, source_of
from np2torch.rules.syntax.foreign import boundary_arguments

WHY = {
    "datetime64": ("NPT303", "datetime64 has no torch counterpart; kept on NumPy."),
    "timedelta64": ("NPT303", "timedelta64 has no torch counterpart; kept on NumPy."),
}
DYNAMIC = frozenset(
    "copy std var sort repeat astype argsort fill flatten nonzero take ptp tobytes partition searchsorted choose compress "
    "prod cumsum cumprod dot transpose min max mean conj argmax argmin any all sum ravel reshape squeeze round clip view "
    "diagonal trace swapaxes tolist item".split()
)
SAME_WITHOUT_ARGUMENTS = frozenset("min max sum any all ravel squeeze round tolist item conj argmax argmin diagonal trace view".split())


def arguments_of(ctx: Context, node: ast.Call) -> Arguments:
    """The call's arguments with their facts."""
    made = Arguments()
    for argument in node.args:
        made.starred |= isinstance(argument, ast.Starred)
        made.positional.append(Argument(argument, ctx.fact(argument)))
    for keyword in node.keywords:
        if keyword.arg is None:
            made.starred = True
        else:
            made.keywords[keyword.arg] = Argument(keyword.value, ctx.fact(keyword.value))
    return made


def numpy_name(fact: v.Fact) -> str | None:
    """The NumPy function an expression is for sure."""
    if len(fact) == 1:
        atom = next(iter(fact))
        if isinstance(atom, v.Numpy):
            return atom.name
    return None


def edit_from(node: ast.AST, emit: Emit, template: Template, found: Rule, source: str) -> Edit:
    """The edit of a rule's answer."""
    outcome = "cast" if emit.cast else "native"
    arguments = [(k, str(a) if isinstance(a, Piece) else a) for k, a in emit.arguments]
    return Edit(
        node, outcome, "NPT201" if emit.cast else found.code, source, emit.message or found.doc.split("\n")[0],  # type: ignore[arg-type]
        text=emit.text, pieces=template.nodes, function=emit.function, arguments=arguments,
    )  # fmt: skip


@on(ast.Call)
def numpy_call(ctx: Context, node: ast.Call) -> Edit | None:
    """`np.f(...)`: the rule's spelling, else the shim, else a note."""
    name = numpy_name(ctx.fact(node.func))
    if name is None:
        return None
    source = ast.unparse(node.func)
    canonical = resolve.canonical(name)
    short = canonical.removeprefix("numpy.")
    arguments = arguments_of(ctx, node)
    if canonical.endswith((".Generator().shuffle", ".RandomState().shuffle")) or "()." in canonical:
        return None  # methods of the shim's generators are called as they were
    if canonical in FOREIGN_NAMES or canonical.startswith(STAYS) or short == "dtype":
        if short == "dtype" and results.stays(ctx.fact(node)) is False:
            return Edit(node, "native", "NPT104", source, "a torch dtype", text=_dtype_text(ctx, node)) if _dtype_text(ctx, node) else shim_call(ctx, node, "dtype", source)
        if short == "dtype":
            return stays(ctx, node, source, "NPT302", f"structured dtype has no torch counterpart; {_made_with(ctx, node)} a NumPy array.")
        return stays(ctx, node, source, *WHY.get(short, ("NPT304", f"{source} has no torch counterpart; kept on NumPy.")))
    if any(results.stays(f) for f in arguments.facts()) and not canonical.startswith("numpy.testing"):
        boundary_arguments(ctx, node)
        return Edit(node, "todo", "NPT305", source, "works on an array that stays on NumPy")
    scalar = _scalar_constructor(ctx, node, short, source)
    if scalar is not None:
        return scalar
    found = FUNCTIONS.get(canonical)
    if found is not None:
        try:
            edit = by_rule(ctx, node, found, arguments, "function", source)
        except Unsupported as problem:
            return stays(ctx, node, source, problem.code, problem.message)
        if edit is not None:
            return edit
    target = shim_name(ctx, name, short)
    if target is None:
        return stays(ctx, node, source, "NPT304", f"{source} has no torch counterpart; kept on NumPy.")
    if results.stays(ctx.fact(node)):
        return stays(ctx, node, source, "NPT301", "the elements have no torch dtype; this array stays on NumPy.")
    return shim_call(ctx, node, target, source)


def _made_with(ctx: Context, node: ast.Call) -> str:
    """The arrays of the module made with a dtype, so that the note can name them."""
    parent = ctx.parents.get(node)
    names: list[str] = []
    if isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Name):
        dtype = parent.targets[0].id
        for other in tree_walk(ctx.module.tree):
            if isinstance(other, ast.Assign) and isinstance(other.value, ast.Call) and isinstance(other.targets[0], ast.Name):
                arguments = [*other.value.args, *(k.value for k in other.value.keywords)]
                if any(isinstance(a, ast.Name) and a.id == dtype for a in arguments):
                    names.append(f"`{other.targets[0].id}`")
    if not names:
        return "what is made with it stays"
    return ", ".join(names) + (" stays" if len(names) == 1 else " stay")


def shim_name(ctx: Context, name: str, short: str) -> str | None:
    """The shim's name for a NumPy name."""
    if short == "random.default_rng":
        return "default_rng"
    for candidate in (name.removeprefix("numpy."), short):
        root = ".".join(candidate.split(".")[:2])
        if candidate in ctx.shim or root in ctx.shim and candidate.count(".") == 2 or candidate.split(".")[0] in ctx.shim and "." in candidate and candidate.split(".")[1] in ("at", "reduce", "outer", "accumulate", "reduceat"):
            return candidate
    return None


def _dtype_text(ctx: Context, node: ast.Call) -> str:
    names = results.dtype_names(ctx.fact(node.args[0])) if node.args else None
    return f"torch.{next(iter(names))}" if names and len(names) == 1 else ""


def _scalar_constructor(ctx: Context, node: ast.Call, short: str, source: str) -> Edit | None:
    if short not in resolve.SCALAR_CLASSES or len(node.args) != 1 or node.keywords:
        return None
    dtype = results.tables_name(short)
    fact = ctx.fact(node.args[0])
    kinds = {a.type for a in fact if isinstance(a, v.Num)}
    template = Template()
    if v.only(fact, "number") and (dtype == "float64" and kinds <= {"int", "float", "bool"} or dtype == "complex128" or dtype in ("int64", "int32") and kinds == {"int"} or dtype == "float32" and kinds <= {"int", "float"}):
        return Edit(node, "native", "NPT104", source, "a 0-D tensor stands for a NumPy scalar", text=f"torch.tensor({template.mark(node.args[0])}, dtype=torch.{dtype})", pieces=template.nodes)
    return None


def by_rule(ctx: Context, node: ast.Call, found: Rule, arguments: Arguments, style: Style, source: str) -> Edit | None:
    """What the rule says; None where it declines."""
    bound = bind(found.signature, arguments)
    if bound is None:
        return None
    template = Template(Asked(style, lambda: copy_observed(ctx, node)))
    try:
        emit = run_body(found, bound, template)
    except Decline:
        return None
    return edit_from(node, emit, template, found, source)


def copy_observed(ctx: Context, node: ast.Call) -> bool:
    """Could it be seen that the result of this copying call shares memory with its source?"""
    source = node.func.value if isinstance(node.func, ast.Attribute) else node.args[0]
    aliases = ctx.aliases(node)
    parent = ctx.parents.get(node)
    if aliases.written(_root(source), node):
        return True
    if isinstance(parent, ast.Assign):
        from np2torch.facts.aliases import root_of

        return any(aliases.written(root_of(t), node) for t in parent.targets if not isinstance(t, ast.Subscript))
    if isinstance(parent, ast.Return):
        return ctx.project.result_written(ctx.function(node))
    return isinstance(parent, ast.AugAssign) and parent.target is node


def _root(node: ast.expr) -> str | None:
    from np2torch.facts.aliases import root_of

    return root_of(node)


def stays(ctx: Context, node: ast.AST, source: str, code: str, message: str) -> Edit:
    """The site stays on NumPy, with a note; tensors that go in become arrays visibly."""
    if isinstance(node, ast.Call):
        boundary_arguments(ctx, node)
    return Edit(node, "todo", code, source, message, note=f"{code} {message}")


# ------------------------------------------------------------------------------------------------- methods
@on(ast.Call)
def method_call(ctx: Context, node: ast.Call) -> Edit | None:
    """`x.f(...)` on an array, or on what may be one."""
    function = node.func
    if not isinstance(function, ast.Attribute) or function.attr not in METHOD_NAMES:
        return None
    name = function.attr
    owner = ctx.fact(function.value)
    source = f".{name}()"
    if v.known_to_include(owner, "array", "scalar"):
        if not v.is_tensor(owner):
            return _invoke(ctx, node, name, source)
        special = SPECIAL.get(name)
        if special is not None and (edit := special(ctx, node, owner, source)) is not None:
            return edit
        found = METHODS.get(name)
        arguments = arguments_of(ctx, node)
        arguments.positional.insert(0, Argument(function.value, owner))
        if found is not None:
            try:
                edit = by_rule(ctx, node, found, arguments, "method", source)
            except Unsupported as problem:
                ctx.wrap(function.value, "", ".numpy()", "boundary", "NPT401", "a tensor goes to NumPy")
                return Edit(node, "todo", problem.code, source, problem.message, note=f"{problem.code} {problem.message}")
            if edit is not None:
                return edit
            short = found.name.removeprefix("numpy.")
            if found.name.startswith("numpy.") and short in ctx.shim and short == name:
                return shim_call(ctx, node, short, source, first=function.value)
        return _invoke(ctx, node, name, source)
    if name in DYNAMIC and v.known_to_include(owner, "unknown") and not ctx.converted_already():
        if name in SAME_WITHOUT_ARGUMENTS and not node.args and not node.keywords:
            return None
        return _invoke(ctx, node, name, source)
    return None


def _invoke(ctx: Context, node: ast.Call, name: str, source: str) -> Edit:
    function = node.func
    assert isinstance(function, ast.Attribute)
    template = Template()
    arguments: list[tuple[str | None, str]] = [(None, template.mark(function.value)), (None, repr(name).replace("'", '"'))]
    for argument in node.args:
        arguments.append((None, template.mark(argument)))
    for keyword in node.keywords:
        arguments.append((keyword.arg if keyword.arg is not None else "**", template.mark(keyword.value)))
    return Edit(node, "shim", "NPT151", source, "the receiver or its dtype is not known", pieces=template.nodes, function="shim.invoke", arguments=arguments)


def _reshape(ctx: Context, node: ast.Call, owner: v.Fact, source: str) -> Edit | None:
    if node.keywords or not node.args or any(isinstance(a, ast.Starred) for a in node.args):
        return None
    if all(v.only(ctx.fact(a), "number", "scalar") for a in node.args) or len(node.args) == 1 and v.only(ctx.fact(node.args[0]), "sequence"):
        return Edit(node, "native", "NPT130", source, "a view where the layout allows")
    return None


def _transpose(ctx: Context, node: ast.Call, owner: v.Fact, source: str) -> Edit | None:
    assert isinstance(node.func, ast.Attribute)
    template = Template()
    rank = v.rank_of(owner)
    receiver = template.mark(node.func.value)
    if node.keywords or any(isinstance(a, ast.Starred) for a in node.args):
        return None
    if not node.args:
        if rank is None:
            return None
        text = receiver if rank < 2 else f"{receiver}.T" if rank == 2 else f"{receiver}.permute({tuple(reversed(range(rank)))})"
        return Edit(node, "native", "NPT131", source, "the axes reversed", text=text, pieces=template.nodes)
    if len(node.args) == 1 and not v.only(ctx.fact(node.args[0]), "sequence"):
        return None
    axes = ", ".join(template.mark(a) for a in node.args)
    return Edit(node, "native", "NPT131", source, "`permute` takes the axes", text=f"{receiver}.permute({axes})", pieces=template.nodes)


def _item(ctx: Context, node: ast.Call, owner: v.Fact, source: str) -> Edit | None:
    return Edit(node, "native", "NPT160", source, "equal") if not node.args and not node.keywords else None


SPECIAL = {"reshape": _reshape, "transpose": _transpose, "item": _item, "tolist": _item}


@on(ast.Call)
def unsupported_source(ctx: Context, node: ast.Call) -> Edit | None:
    """Kept for order: a call of something that stays on NumPy gets arrays."""
    fact = ctx.fact(node.func)
    if v.known_to_include(fact, "foreign") or any(isinstance(a, v.Class) and a.definition.stays_numpy() for a in fact):
        boundary_arguments(ctx, node)
    return None


__all__ = ["numpy_call", "source_of"]
