"""`float = "default"`: a program says once that float64 is torch's default, and its text need not say so each time.

Then integers beside Python floats, quotients and functions of integers, `torch.zeros(n)` and `torch.tensor([0.5])` mean
in torch what they mean in NumPy. It changes the process: so it is for programs, which no other file imports.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping

from np2torch.facts import values as v
from np2torch.names.tree import walk as tree_walk
from np2torch.rewrite.plan import Plan
from np2torch.rules.rule_arguments import PLACEHOLDER
from np2torch.rules.site import HOLE, Edit, ModuleContext, Wrap
from np2torch.source.model import Remark

REFUSED, CHANGED = "NPT531", "NPT532"
START = "torch.set_default_dtype(torch.float64)"
FLOAT64 = "torch.float64"
CAST = f".to({FLOAT64})"
ALWAYS = frozenset(
    "zeros ones empty eye linspace logspace rand randn bartlett_window blackman_window hamming_window hann_window "
    "kaiser_window".split()
)
"""Functions of torch that give the default dtype where none is said."""
BY_VALUE = {"tensor": (0,), "as_tensor": (0,), "full": (1,), "arange": (0, 1, 2)}
"""Those that give it to Python floats, and which of their arguments these are."""
OF_INTEGERS = frozenset(
    "exp exp2 expm1 log log2 log10 log1p sqrt sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh "
    "asin acos atan asinh acosh atanh deg2rad rad2deg true_divide divide arctan2 atan2".split()
)
"""Functions of torch that take integers to the default dtype."""
Meaning = Callable[[str], ast.AST | None]
"""The node that a placeholder in a text stands for."""


def why_not(ctx: ModuleContext, importers: Mapping[str, str], has_torch: bool) -> str:
    """Give the reason for which a module is not to set the process's default dtype; empty for a program.

    Parameters
    ----------
    importers
        By module, one that imports it.
    has_torch
        Whether there is code that uses torch already, which may count on float32.
    """
    tree = ctx.module.tree
    if ctx.module.name in importers:
        return f"{importers[ctx.module.name]} imports it"
    if ctx.module.is_package or not any(map(_is_work, tree.body)):
        return "it is no program: it does nothing by itself"
    if has_torch:
        return "there is code that uses torch already, and may count on float32"
    return ""


def _is_work(statement: ast.stmt) -> bool:
    """Tell whether a statement of the module does more than define something."""
    is_call = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
    guarded = isinstance(statement, ast.If) and any(
        isinstance(one, ast.Name) and one.id == "__name__" for one in tree_walk(statement.test)
    )
    return is_call or guarded or isinstance(statement, (ast.For, ast.While, ast.With))


def apply(ctx: ModuleContext, plan: Plan) -> Iterator[Remark]:
    """Leave out what the default says, and say where the program starts that it is float64."""
    shorter = 0
    for edit in plan.edits.values():
        if edit.outcome != "todo":
            shorter += _edit(ctx, edit)
    for node, wraps in list(plan.wraps.items()):
        for wrap in list(wraps):
            if wrap.after == CAST and not wrap.before and _is_taken_to_float(ctx, node):
                wraps.remove(wrap)
                shorter += 1
            else:
                shorter += _wrap(ctx, node, wrap)
        if not wraps:
            del plan.wraps[node]
    if shorter:
        plan.begin_with(START)
        yield Remark(1, 1, CHANGED, f"float64 is the default: {shorter} dtypes and casts are not written")


# ----------------------------------------------------------------------------------------------- casts of operands
def _is_taken_to_float(ctx: ModuleContext, node: ast.AST) -> bool:
    """Tell whether torch casts an operand of integers to the default dtype by itself."""
    parent = ctx.parents.get(node)
    if not isinstance(parent, ast.BinOp) or not _is_integral(ctx, node):
        return False
    other = ctx.fact(parent.right if parent.left is node else parent.left)
    is_float = v.only(other, "number") and all(isinstance(a, v.Num) and a.type == "float" for a in other)
    if isinstance(parent.op, ast.Div):
        return is_float or v.only(other, "number") and _is_real(other) or _has_integers(other)
    return is_float and isinstance(parent.op, (ast.Add, ast.Sub, ast.Mult)) and v.dtypes_of(ctx.fact(node)) == INT64


INT64 = frozenset({"int64"})


def _is_real(fact: v.Fact) -> bool:
    return all(isinstance(atom, v.Num) and atom.type in ("int", "float") for atom in fact)


def _is_integral(ctx: ModuleContext, node: ast.AST) -> bool:
    """Tell whether it is certainly an int64 tensor with axes; a 0-D one would be weak beside others."""
    return isinstance(node, ast.expr) and _has_integers(ctx.fact(node))


def _has_integers(fact: v.Fact) -> bool:
    return v.only(fact, "array", "scalar") and v.dtypes_of(fact) == INT64


# ------------------------------------------------------------------------------------------------ texts
def _edit(ctx: ModuleContext, edit: Edit) -> int:
    def meaning(name: str) -> ast.AST | None:
        return edit.pieces[int(name[len(PLACEHOLDER) : -1])] if name.startswith(PLACEHOLDER) else None

    if edit.function:
        if not edit.function.startswith("torch.") or any(keyword == "**" for keyword, _ in edit.arguments):
            return 0
        written = ", ".join(f"{keyword}={text}" if keyword else text for keyword, text in edit.arguments)
        return _take_over(edit, shorten_text(f"{edit.function}({written})", ctx, meaning))
    before = edit.text
    edit.write(shorten_text(before, ctx, meaning))
    return before.count(FLOAT64) - edit.text.count(FLOAT64)


def _take_over(edit: Edit, text: str) -> int:
    """Give a call that keeps its layout the arguments of another text of it."""
    call = ast.parse(text, mode="eval").body
    assert isinstance(call, ast.Call)
    data = text.encode()
    parts: list[tuple[str | None, ast.expr]] = [(None, one) for one in call.args]
    parts += [(keyword.arg, keyword.value) for keyword in call.keywords]
    before = sum(one.count(FLOAT64) for _, one in edit.arguments)
    edit.write_call(edit.function, [(name, data[one.col_offset : one.end_col_offset].decode()) for name, one in parts])
    return before - sum(one.count(FLOAT64) for _, one in edit.arguments)


def _wrap(ctx: ModuleContext, node: ast.AST, wrap: Wrap) -> int:
    before = _count(wrap)
    if before:
        wrap.respell(lambda whole: shorten_text(whole, ctx, lambda name: node if name == HOLE else None))
    return before - _count(wrap)


def _count(wrap: Wrap) -> int:
    return wrap.before.count(FLOAT64) + wrap.after.count(FLOAT64)


def shorten_text(text: str, ctx: ModuleContext, meaning: Meaning) -> str:
    """A text without the float64 that is the default."""
    if FLOAT64 not in text:
        return text
    try:
        tree = ast.parse(text)
    except SyntaxError:  # a part of a call
        return text
    cuts: list[tuple[int, int]] = []
    for node in ast.walk(tree):
        name = _torchs(node)
        if not isinstance(node, ast.Call) or name is None:
            continue
        if _gives_float(node, name, ctx, meaning):
            cuts += _dtype_of(node)
        elif name in OF_INTEGERS:
            casts = [one for one in map(_cast, node.args) if one is not None]
            cuts += [(start, end) for start, end, owner in casts if _casts_integers(owner, ctx, meaning)]
    data = text.encode()
    for start, end in sorted(cuts, reverse=True):
        data = data[:start] + data[end:]
    return data.decode()


def _torchs(node: ast.AST) -> str | None:
    """The name of the function of torch's that is called."""
    function = node.func if isinstance(node, ast.Call) else None
    is_torchs = isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name)
    return function.attr if is_torchs and function.value.id == "torch" else None  # type: ignore[union-attr]


def _dtype_of(call: ast.Call) -> Iterator[tuple[int, int]]:
    """Give the columns of `, dtype=torch.float64` in a call."""
    ends = [one.end_col_offset or 0 for one in call.args]
    for keyword in call.keywords:
        if keyword.arg == "dtype" and ast.unparse(keyword.value) == FLOAT64 and ends:
            yield ends[-1], keyword.value.end_col_offset or 0
        ends.append(keyword.value.end_col_offset or 0)


def _gives_float(call: ast.Call, name: str, ctx: ModuleContext, meaning: Meaning) -> bool:
    """Tell whether a call gives float64 without a `dtype=` that says so."""
    if name in ALWAYS:
        return True
    values = [call.args[at] for at in BY_VALUE.get(name, ()) if at < len(call.args)]
    return any(_is_float(one, ctx, meaning) for one in values)


def _is_float(node: ast.expr, ctx: ModuleContext, meaning: Meaning) -> bool:
    """Tell whether it is certainly a Python float, or a list of Python numbers with a float among them."""
    found = meaning(node.id) if isinstance(node, ast.Name) else None
    if isinstance(found, (ast.List, ast.Tuple)):
        leaves = list(_leaves(found))
        facts = [ctx.fact(one) for one in leaves]
        real = all(v.only(fact, "number") and _is_real(fact) for fact in facts)
        return real and any(_is_python_float(fact) for fact in facts)
    if isinstance(found, ast.expr):
        return _is_python_float(ctx.fact(found))
    return isinstance(node, ast.Constant) and isinstance(node.value, float)


def _leaves(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, (ast.List, ast.Tuple)):
        for one in node.elts:
            yield from _leaves(one)
    else:
        yield node


def _is_python_float(fact: v.Fact) -> bool:
    return v.only(fact, "number") and all(isinstance(atom, v.Num) and atom.type == "float" for atom in fact)


def _cast(node: ast.expr) -> tuple[int, int, str] | None:
    """Give the columns of `.to(torch.float64)` behind a name, and that name."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "to":
        owner = node.func.value
        if isinstance(owner, ast.Name) and [ast.unparse(one) for one in node.args] == [FLOAT64] and not node.keywords:
            return owner.end_col_offset or 0, node.end_col_offset or 0, owner.id
    return None


def _casts_integers(name: str, ctx: ModuleContext, meaning: Meaning) -> bool:
    found = meaning(name)
    return found is not None and _is_integral(ctx, found)
