"""Arrays whose elements a loop or comprehension takes one by one, read at once as Python's numbers: `x.tolist()`.

NumPy reads each element when its turn comes, so that nothing may write the array meanwhile.
"""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.rules.scalars.bodies import Body, Item
from np2torch.rules.scalars.lifetimes import is_quiet_within
from np2torch.rules.scalars.numbers import KINDS, Alternative, Alternatives
from np2torch.rules.site import ModuleContext

COUNT = frozenset({Alternative("int", False)})
USING_UP = frozenset("any all sum min max list tuple set frozenset dict sorted join".split())
"""Python's functions that go to the end of what they are given, or leave the rest to nobody; a method of text."""
TESTING = frozenset({"any", "all"})
"""Those that only ask of each item whether it is true."""
GRIDS = frozenset({v.Numpy("numpy.arange"), v.Numpy("numpy.linspace")})
"""Functions that make floats of numbers alone."""


def kinds_of(ctx: ModuleContext, item: Item) -> Alternatives | None:
    """Give what kinds of number the items are; None where they are no elements of a tensor, one by one or by rows."""
    if item.source is None:
        return COUNT
    fact = ctx.fact_in_numpy(item.source)
    dtypes = v.dtypes_of(fact) if v.only(fact, "array") else None
    if not dtypes or not dtypes <= KINDS.keys() or v.rank_of(fact) != (2 if item.row else 1) or not v.is_tensor(fact):
        return None
    return frozenset(Alternative(KINDS[dtype], True) for dtype in dtypes)


def may_be_listed(ctx: ModuleContext, item: Item) -> bool:
    """Tell whether the elements may all be read before the first of them is used."""
    source, around = item.source, item.around
    if source is None:
        return True
    if isinstance(around, ast.GeneratorExp) and not is_used_up(ctx, around):
        return False
    return ctx.aliases(source).is_fresh_array(source) or is_quiet_within(ctx, source, around)


def is_used_up(ctx: ModuleContext, node: ast.expr, functions: frozenset[str] = USING_UP) -> bool:
    """Tell whether a function of Python's goes through an iterator at once: `any(e > 0 for e in x)`."""
    parent = ctx.parents.get(node)
    if not isinstance(parent, ast.Call) or parent.args != [node] or parent.keywords:
        return False
    if isinstance(parent.func, ast.Attribute) and parent.func.attr in functions:
        return parent.func.attr == "join" and v.only(ctx.fact(parent.func.value), "text")
    atom = v.sole(ctx.fact(parent.func))
    return isinstance(atom, v.Builtin) and atom.name in functions


def is_of_numbers(ctx: ModuleContext, item: Item, body: Body) -> bool:
    """Tell whether the elements are computed from Python's numbers alone, through which no gradient flows."""
    made = item.source
    if isinstance(made, ast.Name):
        bound = body.bindings.get(body.key(made), [])
        if len(bound) != 1 or not is_quiet_within(ctx, made, ctx.function(made)):
            return False
        (made,) = bound  # type: ignore[assignment]
    if not isinstance(made, ast.Call) or v.sole(ctx.fact_in_numpy(made.func)) not in GRIDS:
        return False
    given = [*made.args, *(one.value for one in made.keywords if one.arg != "dtype")]
    return all(v.only(ctx.fact_in_numpy(one), "number") for one in given)
