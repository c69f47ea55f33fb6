"""`np.meshgrid`: torch takes vectors of one dtype, and its grids are views."""

from __future__ import annotations

from np2torch.facts import values as v
from np2torch.facts.arguments import BoundArguments
from np2torch.facts.results import arraylike, make
from np2torch.rules.core import Area, rule
from np2torch.rules.rule_arguments import (
    ArrayLike,
    Decline,
    Refused,
    RuleArgument,
    Spelling,
    Value,
    function,
    text,
    use,
)

AREA = Area("shape", takes_text=True)


def _mesh(bound: BoundArguments) -> v.Fact:
    items = []
    for argument in bound.rest:
        part = arraylike(argument.fact, weak=False)
        items.append(make(part[0] if part else None, frozenset([len(bound.rest)]), decays=False))
    return v.tuple_of(*items) if items else v.TOP


@rule("meshgrid", returns=_mesh, code="NPT135")
def meshgrid(*xi: ArrayLike, copy: Refused = True, sparse: Value = False, indexing: Value = "xy") -> Spelling:
    """`torch.meshgrid` takes one dtype. NumPy's grids are copies, torch's views: the shim copies what is written."""
    order = indexing.constant
    is_written = not copy.given and any(x.asked.sharing_shows() for x in xi)
    use(copy)
    if sparse.constant is True and len(xi) == 2 and all(x.rank == 1 for x in xi):
        if order not in ("xy", "ij") or is_written:
            raise Decline("indexing unknown, or a grid or its vector is written")
        return text(f"({_across([f'{x}' for x in xi], order)})")
    if sparse.given and sparse.constant is not False:
        raise Decline("sparse")
    if is_written:
        raise Decline("a grid or its vector is written")
    if order not in ("xy", "ij") or order == "xy" and len(xi) < 2:
        raise Decline("indexing unknown")
    return _dense(xi, order)


def _dense(xi: tuple[RuleArgument, ...], order: str) -> Spelling:
    """Spell grids that are written out."""
    if xi and all(x.rank in (1, None) and x.dtype is not None and x.dtype == xi[0].dtype for x in xi):
        return function("torch.meshgrid", *xi, indexing=f'"{order}"')
    if len(xi) != 2 or not all(v.only(x.fact, "array") for x in xi):
        raise Decline("not vectors of one dtype")
    return text(f"torch.broadcast_tensors({_across([f'{x}' if x.rank == 1 else f'{x}.ravel()' for x in xi], order)})")


def _across(vectors: list[str], order: str) -> str:
    """Spell two vectors, one of them down and one across, in the order of the grids."""
    rows, columns = vectors if order == "ij" else vectors[::-1]
    down, across = f"{rows}[:, None]", f"{columns}[None, :]"
    return f"{down}, {across}" if order == "ij" else f"{across}, {down}"
