"""Python's own functions on arrays and NumPy scalars."""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.rules.pieces import Template
from np2torch.rules.site import Context, Edit, on, source_of
from np2torch.rules.syntax.foreign import holds_tensor

NUMERIC = frozenset("int float complex bool Number Real Integral Complex Rational".split())


HASHING = frozenset({"collections.Counter", "statistics.mean", "statistics.median", "statistics.stdev", "statistics.pstdev"})


def is_scalar(fact: v.Fact) -> bool:
    """Is it a NumPy scalar held as a 0-D tensor?"""
    return v.only(fact, "scalar") and v.is_tensor(fact)


def _builtin(ctx: Context, node: ast.Call) -> str | None:
    fact = ctx.fact(node.func)
    atom = next(iter(fact)) if len(fact) == 1 else None
    return atom.name if isinstance(atom, v.Builtin) else None


@on(ast.Call)
def builtin_call(ctx: Context, node: ast.Call) -> Edit | None:
    """print, str, round, isinstance, json and their like."""
    name = _builtin(ctx, node)
    if name is None:
        origin = next((a.origin for a in ctx.fact(node.func) if isinstance(a, v.Opaque)), "")
        if origin in HASHING or origin.endswith(".writerow()") or origin.endswith("writerow"):
            for argument in node.args:
                if v.only(ctx.fact(argument), "array") and v.rank_of(ctx.fact(argument)) == 1:
                    ctx.wrap(argument, "", ".tolist()", "native", "NPT105", "wants Python numbers")
        if origin in ("json.dumps", "json.dump"):
            for argument in node.args:
                if is_scalar(ctx.fact(argument)) and v.dtypes_of(ctx.fact(argument)) == {"float64"}:
                    ctx.wrap(argument, "", ".item()", "native", "NPT105", "JSON wants a Python number")
        return None
    if name in ("print", "str", "repr"):
        for argument in node.args:
            _text(ctx, argument)
            if name != "print" and v.only(ctx.fact(argument), "array"):
                ctx.wrap(argument, "shim.array_str(", ")", "shim", "NPT105", "printed as NumPy prints arrays")
        return None
    if name in ("int", "float", "complex", "hash") or name.startswith("math."):
        for argument in node.args:
            rank = v.rank_of(ctx.fact(argument))
            if name == "hash" and is_scalar(ctx.fact(argument)):
                ctx.wrap(argument, "", ".item()", "native", "NPT105", "hashed by value")
            elif v.only(ctx.fact(argument), "array") and rank is not None and rank > 0 and name != "hash":
                ctx.wrap(argument, "shim.only_scalar(", ")", "shim", "NPT105", "NumPy refuses arrays that are not 0-D")
        return None
    if name == "map" and len(node.args) == 2 and v.only(ctx.fact(node.args[1]), "array") and v.rank_of(ctx.fact(node.args[1])) == 1:
        if ctx.fact(node.args[0]) == v.one(v.Builtin("str")):
            ctx.wrap(node.args[1], "", ".tolist()", "native", "NPT105", "printed as numbers")
        return None
    if name == "divmod" and any(v.known_to_include(ctx.fact(a), "array", "scalar") for a in node.args):
        template = Template()
        arguments = ", ".join(template.mark(a) for a in node.args)
        return Edit(node, "shim", "NPT152", source_of(node), "tensors have no divmod", text=f"shim.divmod({arguments})", pieces=template.nodes)
    if name == "type" and len(node.args) == 1 and v.known_to_include(ctx.fact(node.args[0]), "array", "scalar"):
        return Edit(node, "todo", "NPT306", "type()", "the type of an array is torch.Tensor now", note="NPT306 `type` of an array answers torch.Tensor, of a NumPy scalar too.")
    if name == "isinstance" and len(node.args) == 2:
        return _isinstance(ctx, node)
    if name == "round" and node.args and v.known_to_include(ctx.fact(node.args[0]), "scalar", "array", "unknown"):
        if is_scalar(ctx.fact(node.args[0])):
            ctx.wrap(node.args[0], "", ".item()", "native", "NPT105", "tensors do not round")
        else:
            template = Template()
            arguments = ", ".join(template.mark(a) for a in node.args)
            return Edit(node, "shim", "NPT152", source_of(node), "rounds a number or an array", text=f"shim.builtin_round({arguments})", pieces=template.nodes)
    if name in ("list", "sorted") and len(node.args) == 1 and v.only(ctx.fact(node.args[0]), "array"):
        if v.rank_of(ctx.fact(node.args[0])) == 1 and ctx.written_later(node.args[0]):
            ctx.clone(node.args[0], "the elements are views and the array is written later")
    if name in ("set", "frozenset") and len(node.args) == 1 and v.only(ctx.fact(node.args[0]), "array") and v.rank_of(ctx.fact(node.args[0])) == 1:
        ctx.wrap(node.args[0], "", ".tolist()", "native", "NPT105", "hashed by value")
    if name == "copy.copy" and node.args and v.only(ctx.fact(node.args[0]), "array"):
        return Edit(node, "native", "NPT122", source_of(node), "a copy of the data", text="NP2TORCH_PIECE_0_.clone()", pieces=[node.args[0]])
    return None


def _text(ctx: Context, argument: ast.expr) -> None:
    fact = ctx.fact(argument)
    if is_scalar(fact):
        if (v.dtypes_of(fact) or frozenset(["float32"])) & {"float32", "float16", "complex64", "complex128"}:
            ctx.wrap(argument, "shim.text(", ")", "shim", "NPT105", "printed as NumPy prints the dtype")
        else:
            ctx.wrap(argument, "", ".item()", "native", "NPT105", "printed as a number")
    elif isinstance(argument, ast.Attribute) and argument.attr == "shape" and v.known_to_include(ctx.fact(argument.value), "array"):
        ctx.wrap(argument, "tuple(", ")", "native", "NPT105", "printed as a tuple")


def _isinstance(ctx: Context, node: ast.Call) -> Edit | None:
    fact = ctx.fact(node.args[0])
    types = node.args[1].elts if isinstance(node.args[1], ast.Tuple) else [node.args[1]]
    names = {ast.unparse(t).split(".")[-1] for t in types}
    if "ndarray" in names and ctx.keeps_arrays() and not v.only(fact, "array"):
        for one in types:
            if isinstance(next(iter(ctx.fact(one)), None), v.Numpy) and ast.unparse(one).endswith("ndarray"):
                both = f"torch.Tensor, {ast.unparse(one)}"
                ctx.edits[one] = Edit(one, "boundary", "NPT404", ast.unparse(one), "subclasses of ndarray stay in this project", text=both if len(types) > 1 else f"({both})")
                ctx.keep_name(one)
        return None
    if names == {"ndarray"} and v.only(fact, "scalar"):
        return Edit(node, "native", "NPT105", source_of(node), "a NumPy scalar is no ndarray", text="False")
    numeric = names & NUMERIC or any(
        isinstance(a, v.Numpy) for t in types for a in ctx.fact(t) if not ast.unparse(t).endswith("ndarray")
    )
    if not numeric or not v.may(fact, "scalar", "array") or ctx.converted_already():
        return None
    if v.only(fact, "array") or not names - {"str", "list", "tuple", "dict"}:
        return None
    template = Template()
    text = f"shim.isinstance({template.mark(node.args[0])}, {template.mark(node.args[1])})"
    return Edit(node, "shim", "NPT152", source_of(node), "a 0-D tensor stands for a number", text=text, pieces=template.nodes)


@on(ast.Call)
def unittest_assertion(ctx: Context, node: ast.Call) -> Edit | None:
    """`self.assertAlmostEqual(x.mean(), 0)`: it rounds the difference."""
    function = node.func
    if isinstance(function, ast.Attribute) and function.attr in ("assertAlmostEqual", "assertNotAlmostEqual", "assertEqual"):
        for argument in node.args[:2]:
            fact = ctx.fact(argument)
            if is_scalar(fact) and v.dtypes_of(fact) is not None:
                ctx.wrap(argument, "", ".item()", "native", "NPT105", "tensors do not round")
            elif function.attr != "assertEqual" and v.known_to_include(fact, "scalar", "unknown", "array") and v.rank_of(fact) in (None, 0):
                ctx.wrap(argument, "shim.key(", ")", "shim", "NPT105", "tensors do not round")
    return None


@on(ast.Call)
def pytest_approx(ctx: Context, node: ast.Call) -> Edit | None:
    """`pytest.approx(x)` compares NumPy's arrays, not tensors."""
    if _is_approx(ctx, node):
        for argument in node.args[:1]:
            if holds_tensor(ctx.fact(argument)) or v.known_to_include(ctx.fact(argument), "unknown"):
                ctx.wrap(argument, "shim.to_numpy(", ")", "boundary", "NPT401", "pytest compares ndarrays")
    return None


def _is_approx(ctx: Context, node: ast.expr) -> bool:
    if not isinstance(node, ast.Call):
        return False
    return any(isinstance(a, v.Opaque) and a.origin == "pytest.approx" for a in ctx.fact(node.func))


@on(ast.Compare)
def compared_with_approx(ctx: Context, node: ast.Compare) -> Edit | None:
    """`x == pytest.approx(...)`."""
    if len(node.ops) == 1:
        for side, other in ((node.left, node.comparators[0]), (node.comparators[0], node.left)):
            if _is_approx(ctx, other) and (holds_tensor(ctx.fact(side)) or v.known_to_include(ctx.fact(side), "unknown")):
                ctx.wrap(side, "shim.to_numpy(", ")", "boundary", "NPT401", "pytest compares ndarrays")
    return None


@on(ast.Subscript)
def mapping_key(ctx: Context, node: ast.Subscript) -> Edit | None:
    """`d[x[0]]`: tensors hash by identity."""
    if v.only(ctx.fact(node.value), "mapping"):
        _key(ctx, node.slice)
    return None


def _key(ctx: Context, node: ast.expr) -> None:
    fact = ctx.fact(node)
    if is_scalar(fact):
        ctx.wrap(node, "", ".item()", "native", "NPT105", "hashed by value")
    elif holds_tensor(fact):
        ctx.wrap(node, "shim.key(", ")", "shim", "NPT105", "hashed by value")


@on(ast.Call)
def mapping_method(ctx: Context, node: ast.Call) -> Edit | None:
    """`d.get(x[0])`."""
    function = node.func
    if isinstance(function, ast.Attribute) and function.attr in ("get", "pop", "setdefault") and node.args:
        if v.only(ctx.fact(function.value), "mapping"):
            _key(ctx, node.args[0])
    return None


@on(ast.Dict)
def mapping_display(ctx: Context, node: ast.Dict) -> Edit | None:
    """`{x[0]: ...}`."""
    for key in node.keys:
        if key is not None and is_scalar(ctx.fact(key)):
            ctx.wrap(key, "", ".item()", "native", "NPT105", "hashed by value")
    return None


@on(ast.DictComp)
def mapping_comprehension(ctx: Context, node: ast.DictComp) -> Edit | None:
    """`{x: ... for x in a}`."""
    if is_scalar(ctx.fact(node.key)):
        ctx.wrap(node.key, "", ".item()", "native", "NPT105", "hashed by value")
    return None


@on(ast.SetComp)
def set_comprehension(ctx: Context, node: ast.SetComp) -> Edit | None:
    """`{x for x in a}`."""
    if is_scalar(ctx.fact(node.elt)):
        ctx.wrap(node.elt, "", ".item()", "native", "NPT105", "hashed by value")
    return None


@on(ast.Set)
def set_display(ctx: Context, node: ast.Set) -> Edit | None:
    """`{x[0], 1}`."""
    for item in node.elts:
        if is_scalar(ctx.fact(item)):
            ctx.wrap(item, "", ".item()", "native", "NPT105", "hashed by value")
    return None


@on(ast.FormattedValue)
def formatted(ctx: Context, node: ast.FormattedValue) -> Edit | None:
    """`f"{x.shape}"`: torch prints its own class."""
    if isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
        _text(ctx, node.value)
    elif v.only(ctx.fact(node.value), "array") and v.rank_of(ctx.fact(node.value)) not in (0, None) and node.format_spec is None:
        ctx.wrap(node.value, "shim.array_str(", ")", "shim", "NPT105", "printed as NumPy prints arrays")
    return None


@on(ast.BinOp)
def percent(ctx: Context, node: ast.BinOp) -> Edit | None:
    """`"%s" % a`."""
    if isinstance(node.op, ast.Mod) and v.only(ctx.fact(node.left), "text"):
        for part in node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]:
            if v.only(ctx.fact(part), "array") and v.rank_of(ctx.fact(part)) not in (0, None):
                ctx.wrap(part, "shim.array_str(", ")", "shim", "NPT105", "printed as NumPy prints arrays")
            elif is_scalar(ctx.fact(part)) and "%s" in str(v.constant(ctx.fact(node.left)) or "%s"):
                _text(ctx, part)
    return None
