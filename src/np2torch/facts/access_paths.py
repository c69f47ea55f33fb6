"""Access paths: the expressions that share memory with a given one, as far as the text tells."""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterator
from typing import NamedTuple

from np2torch.facts import values as v
from np2torch.facts.domain import DOMAIN
from np2torch.facts.guard_calls import is_guard
from np2torch.facts.interpreter.definitions import ClassDefinition, FunctionDefinition
from np2torch.names.tree import dotted_name

VIEW_METHODS = frozenset("reshape ravel transpose swapaxes view squeeze diagonal flatten astype conj conjugate".split())
VIEW_ATTRIBUTES = frozenset("T mT real imag flat flags".split())
VIEW_FUNCTIONS = frozenset(
    "reshape ravel transpose swapaxes moveaxis squeeze expand_dims atleast_1d atleast_2d atleast_3d asarray asanyarray "
    "ascontiguousarray broadcast_to diag diagonal split array_split hsplit vsplit dsplit real imag rollaxis "
    "permute_dims matrix_transpose sliding_window_view as_strided flip fliplr flipud rot90 positive "
    "real_if_close trim_zeros float64 float32 int64 complex128 nditer".split()
)
"""Functions whose result shares memory with their first argument, in NumPy or in torch."""
KEEPING = frozenset("list tuple sorted reversed max min iter next".split())
"""Python's functions whose result holds elements of their argument."""
WRITING_METHODS = frozenset(
    "sort fill put partition resize itemset setfield setflags byteswap __setitem__ __iadd__ __isub__ __imul__ "
    "__itruediv__ __ifloordiv__ __imod__ __ipow__ __iand__ __ior__ __ixor__ __ilshift__ __irshift__".split()
)
ALLOWING = (".setflags(write=True)", ".setflags(write=1)", ".setflags(True)", ".setflags(1)")
"""Calls of such a method that change nothing: what can be written already stays as it is."""
WRITING_FUNCTIONS = frozenset(
    "copyto fill_diagonal put putmask place put_along_axis shuffle at".split()
)
Blocks = tuple[tuple[ast.AST, str], ...]
"""The suites a node stands in, outermost first."""
TAKING_ITEMS = ("extend", "extendleft")
STORING = ("append", "insert", "add", "appendleft", "setdefault", *TAKING_ITEMS)
"""Methods of Python's containers that keep their last argument, or its items."""
Classes = frozenset[ClassDefinition] | None
"""The classes that objects may be of; None where that is not known."""
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.Module


def path_of(node: ast.expr | None) -> Iterator[ast.expr]:
    """Yield an expression, then each expression whose memory it shares, up to the source."""
    while node is not None:
        yield node
        node = _source(node)


def _source(node: ast.expr) -> ast.expr | None:
    if isinstance(node, (ast.Subscript, ast.Starred)):
        return node.value
    if isinstance(node, ast.Attribute):
        return node.value if node.attr in VIEW_ATTRIBUTES else None
    if isinstance(node, ast.UnaryOp):  # `+x` is x itself in torch
        return node.operand if isinstance(node.op, ast.UAdd) else None
    if not isinstance(node, ast.Call):
        return None
    function, first = node.func, node.args[0] if node.args else None
    if len(node.args) == 2 and getattr(function, "attr", getattr(function, "id", "")) == "cast":  # `cast(type, x)` is x
        return node.args[1]
    if isinstance(function, ast.Name):
        return first if function.id in VIEW_FUNCTIONS | KEEPING else None
    if not isinstance(function, ast.Attribute):
        return None
    if is_guard(node):
        return first if len(node.args) == 1 else None
    if _is_numpy(function.value):
        return first if function.attr in VIEW_FUNCTIONS else None
    return function.value if function.attr in VIEW_METHODS else None


def _is_numpy(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id in DOMAIN.numpy_names  # of which `b.reshape(s)` is none


def origin_of(node: ast.expr | None) -> ast.expr | None:
    """The innermost expression that one shares memory with."""
    last = node
    for step in path_of(node):
        last = step
    return last


def root_of(node: ast.expr | None) -> str | None:
    """The name, or the attribute as `self.x`, whose memory an expression may share; None for a fresh value.

    An attribute of what has no name, as of a call's result, is `.x`.
    """
    last = origin_of(node)
    if isinstance(last, ast.Name):
        return last.id
    return f"{dotted_name(last.value) or ''}.{last.attr}" if isinstance(last, ast.Attribute) else None


def writes_first(node: ast.Call) -> bool:
    """Tell whether it is a function of NumPy's that writes its first argument."""
    function = node.func
    return isinstance(function, ast.Attribute) and function.attr in WRITING_FUNCTIONS and bool(node.args)


def passed_for(node: ast.Call, callee: FunctionDefinition, places: Collection[int]) -> list[ast.expr]:
    """Give what a call passes for these parameters of a function or method: arguments, and the receiver for the first.

    What stands behind a star may be passed for each of the parameters from there on, two stars' for any.
    """
    function, all_names, vararg = node.func, callee.parameters, callee.node.args.vararg
    is_bound = callee.owner is not None and not callee.is_static
    is_bound = is_bound and (isinstance(function, ast.Attribute) or callee.name == "__init__")
    star = next((i for i, one in enumerate(node.args) if isinstance(one, ast.Starred)), len(node.args))
    found = [function.value] if is_bound and 0 in places and isinstance(function, ast.Attribute) else []
    rest = len(callee.positional) - is_bound
    for place in places:
        index = place - is_bound
        if vararg is not None and all_names[place] == vararg.arg:
            found += node.args[min(star, rest) :]
        elif 0 <= index < rest:
            found += node.args[star:] if index >= star else [node.args[index]]
    return found + _keywords_for(node, callee, {all_names[place] for place in places})


def _keywords_for(node: ast.Call, callee: FunctionDefinition, names: Collection[str]) -> list[ast.expr]:
    """Give what a call passes by name for these parameters, two stars' included."""
    kwarg = callee.node.args.kwarg
    spread = kwarg is not None and kwarg.arg in names
    return [
        keyword.value for keyword in node.keywords
        if keyword.arg is None or keyword.arg in names or spread and keyword.arg not in callee.named_parameters
    ]  # fmt: skip


BINDING = (ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.withitem, ast.Match)
"""Nodes that bind targets to values."""
ACTING = frozenset(
    {*BINDING, ast.AugAssign, ast.For, ast.AsyncFor, ast.comprehension, ast.Call, ast.Return, ast.Yield}
)
"""Nodes that bind, write or give something back; most others are names and constants."""
LOOPS = (ast.For, ast.AsyncFor, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
INNER = frozenset({ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef})
"""Nodes with bodies of their own."""
ANY_TIME = ast.Pass(lineno=sys.maxsize)
"""The place of writes by a function that is defined inside another: whenever it is called."""


class Write(NamedTuple):
    """A place where something is written.

    Attributes
    ----------
    name
        By which name or attribute.
    loops
        The loops around it.
    """

    name: str
    node: ast.AST
    loops: tuple[ast.AST, ...]


def suite(node: ast.AST, child: ast.stmt) -> str:
    return next((name for name in ("orelse", "finalbody") if child in getattr(node, name, ())), "body")


def branches(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.IfExp):
        yield node.body
        yield node.orelse
    elif isinstance(node, ast.BoolOp):
        yield from node.values


def held_parts(node: ast.expr) -> list[ast.expr]:
    """List the parts of a container that is written out: the items of a display, a comprehension, a sum of these."""
    match node:
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return parts
        case ast.Dict(values=parts):
            return parts
        case ast.ListComp(elt=part) | ast.GeneratorExp(elt=part) | ast.DictComp(value=part):
            return [part]
        case ast.BinOp(op=ast.Add() | ast.BitOr(), left=left, right=right):
            return [*held_parts(left), *held_parts(right)]
        case ast.BinOp(op=ast.Mult(), left=left, right=right):
            return held_parts(left) or held_parts(right)
        case ast.Starred(value=part):
            return held_parts(part)
    return []


LAZY = ("zip", "enumerate", "iter", "filter")
"""Functions that take an item when its turn comes."""
GOING_THROUGH = (*LAZY, "reversed", "list", "tuple", "sorted")
"""Functions whose result yields the items of their arguments."""


def iterated_expressions(node: ast.expr, functions: Collection[str] = GOING_THROUGH) -> list[ast.expr]:
    """Give the expressions that a loop iterates over, looking into `zip` and its like, and into choices."""
    if isinstance(node, (ast.IfExp, ast.BoolOp)):
        return [one for branch in branches(node) for one in iterated_expressions(branch, functions)]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in functions:
        given = node.args[1:] if node.func.id == "filter" else node.args  # its first one is the function
        return [one for argument in given for one in iterated_expressions(argument, functions)]
    return [node]


def is_numpys(fact: v.Fact) -> bool:
    """Tell whether it is a name of NumPy's API, which shares with nobody: `r_[...]`."""
    return bool(fact) and all(isinstance(atom, v.Numpy) and "()" not in atom.name for atom in fact)


def is_part(name: str) -> bool:
    """Tell whether it is an attribute of an object other than `self`, whose attributes are told apart."""
    return "." in name and not (name.startswith("self.") and name.count(".") == 1)


def objects_around(name: str) -> Iterator[str]:
    """The objects that an attribute is a part of, but for `self`: of `self.a.b.c`, `self.a.b` and `self.a`."""
    while "." in name:
        name = name.rpartition(".")[0]
        if name and name != "self":
            yield name


def may_be_related(some: Classes, others: Classes) -> bool:
    """Tell whether objects of these classes may be the same."""
    if some is None or others is None:
        return True
    return any(a in b.lineage() or b in a.lineage() for a in some for b in others)
