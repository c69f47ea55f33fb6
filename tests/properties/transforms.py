"""The functions of the shim under torch's own transforms: compiled whole, on another device, differentiated.

Every line of the table is run once in each way, on an example that works and has elements, unless it is listed below.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from converted import sample
from drawing import Case, Drawn
from running import outcome, shim_function
from series import of_every_basis
from table import Row

from np2torch.shim.interop import mapped
from np2torch.verify.compare import difference

BACKEND = os.environ.get("NP2TORCH_COMPILE_BACKEND", "eager")
"""What torch.compile hands the graph to: `aot_eager` also takes it apart into functions without side effects."""
DATA_DEPENDENT = {
    "results of a length that the values say": """
        poly1d.c poly1d.coef poly1d.coefficients poly1d.coeffs poly1d.deriv poly1d.integ poly1d.o poly1d.order poly1d.r
        poly1d.roots poly1d.variable polymul polynomial.polynomial.polyadd polynomial.polynomial.polysub
        polynomial.polynomial.polydiv polynomial.polynomial.polymul polynomial.polynomial.polymulx
        polynomial.polynomial.polypow polynomial.polynomial.polytrim polynomial.Polynomial.trim polynomial.polyutils.as_series
        polynomial.polyutils.trimcoef polynomial.polyutils.trimseq roots trim_zeros
        polynomial.Polynomial.roots polynomial.polynomial.polyroots bincount extract compress ndarray.compress polydiv
        polynomial.polynomial.polyint polynomial.polynomial.polycompanion polynomial.Polynomial.integ""",
    "the same of other bases": of_every_basis(
        "@add @sub @mulx @mul @div @pow @trim @companion @roots @fromroots @int @fit @2poly ^"
    ),
    "a dtype that the values say": """
        emath.sqrt emath.log emath.log2 emath.log10 emath.logn emath.power emath.arccos emath.arcsin emath.arctanh
        linalg.eig linalg.eigvals real_if_close""",
    "Python objects made of the values": """
        array2string array_repr array_str ndarray.tolist ndarray.tobytes operator.not_ frombuffer polyfit
        polynomial.polynomial.polyfit shares_memory may_share_memory ndarray.resize
        min_scalar_type""",
}
VALUES = {
    "torch's nonzero": """
        unique unique_all unique_counts unique_inverse unique_values intersect1d setdiff1d setxor1d union1d where nonzero
        ndarray.nonzero argwhere flatnonzero tril_indices triu_indices tril_indices_from triu_indices_from mask_indices
        delete operator.getitem operator.setitem ix_""",
    "a Python bool or number": """
        allclose array_equal array_equiv operator.contains ndarray.item ndenumerate polynomial.polynomial.polyline
        ufunc.at""",
    "the same of other bases": of_every_basis("@line"),
    "constants, made when the shim is imported": of_every_basis("@zero @one @x @domain"),
}
OWN = ("random.", "testing.")
"""Python all through: streams that are NumPy's bit for bit, and checks that look at values."""
LISTED = {name for names in DATA_DEPENDENT.values() for name in names.split()}
CUT = {"ndarray.byteswap"}
VALUED = LISTED | {name for names in VALUES.values() for name in names.split()}


def unlisted(chosen: list[Row], listed: set[str]) -> list[Row]:
    """The rows of functions that are not listed."""
    return [row for row in chosen if row.name not in listed and not row.name.startswith(OWN)]


def example(row: Row, start: int, count: int = 8) -> tuple[Case, list[torch.Tensor], Any] | None:
    """The last of some examples that work and have elements, its arguments afterwards and its result."""
    for case in reversed(sample(row, count, start)):
        args = [x.tensor() for x in case.arrays.values()]
        result, error = outcome(shim_function(case), args)
        if error is None and all(x.numel() for x in args):
            return case, args, result
    return None


def plain(x: Any) -> Any:
    """The same with ndarrays for tensors and names for dtypes."""

    def leaf(x: Any) -> Any:
        return x.detach().cpu().numpy() if isinstance(x, torch.Tensor) else str(x) if isinstance(x, torch.dtype) else x

    return mapped(x, leaf)


def tensors(x: Any) -> list[torch.Tensor]:
    """The tensors in a result."""
    found: list[torch.Tensor] = []
    mapped(x, lambda leaf: found.append(leaf) if isinstance(leaf, torch.Tensor) else None)
    return found


def traced(row: Row, start: int = 1) -> str | None:
    """How the function differs once it is compiled as a whole; None if it does not."""
    found = example(row, start)
    if found is None:
        return None
    case, old_args, old = found
    torch._dynamo.reset()
    args = [x.tensor() for x in case.arrays.values()]
    new, error = outcome(torch.compile(shim_function(case), backend=BACKEND, fullgraph=True), args)
    if error is not None:
        return f"{case}: {str(error)[:400]}"
    said = difference(plain([old, old_args]), mapped([new, args], lambda x: str(x) if isinstance(x, torch.dtype) else x))
    return f"{case}: {said}" if said else None


def placed(row: Row, start: int = 1) -> str | None:
    """Whether tensors on another device, and tensors on a device that is not the default one, stay where they are.

    The meta device stands for it: there are no values, but a tensor that is made elsewhere is an error all the same.
    """
    found = example(row, start)
    if found is None:
        return None
    case, _, old = found
    own = "np.eye(" in case.source or "np.ones(" in case.source  # makes tensors itself, on the default device
    for where, default in [("meta", "meta" if own else "cpu"), ("cpu", "cpu" if own else "meta")]:
        args = [x.tensor().to(where) for x in case.arrays.values()]
        with torch.device(default):
            new, error = outcome(shim_function(case), args)
        if error is not None:
            return f"{case} on {where}: {error!r}"
        kinds = [[(x.dtype, x.shape) for x in tensors(result)] for result in (old, new)]
        wanted = where if args else default
        if kinds[0] != kinds[1] or any(x.device.type != wanted for x in tensors(new)):
            return f"{case} on {where}: {new}"
    return None


def smooth(case: Case) -> Case:
    """The same with floats in double precision, all different, none at a place where functions have corners."""
    rng = np.random.default_rng(len(case.source))
    arrays = {}
    for name, x in case.arrays.items():
        base = x.base
        if base.dtype.kind in "fc":
            values = np.sort(rng.uniform(0.21, 0.89, base.size))[np.argsort(np.argsort(base.real, axis=None))]
            values = values + 1j * rng.uniform(0.21, 0.89, base.size) if base.dtype.kind == "c" else values
            base = values.reshape(base.shape)
        arrays[name] = Drawn(base, x.layout)
    return Case(case.source, arrays)


def differentiated(row: Row, start: int = 1, step: float = 1e-6) -> str | None:
    """Whether gradients are what small steps say; None where no result has any, and none is seen."""
    for case in map(smooth, reversed(sample(row, 16, start))):
        leaves = [x.tensor() for x in case.arrays.values()]
        moving = [at for at, x in enumerate(leaves) if x.is_floating_point() or x.is_complex()]
        _, error = outcome(shim_function(case), [x.clone() for x in leaves])
        if error is None and moving and all(x.numel() for x in leaves):
            break
    else:
        return None
    generator = torch.Generator().manual_seed(0)
    ways = {at: torch.randn(leaves[at].shape, dtype=leaves[at].dtype, generator=generator) for at in moving}

    def total(args: list[torch.Tensor]) -> torch.Tensor:
        """A number that depends on all of the results, arguments that were written to included."""
        args = [x.clone() for x in args]
        found, _ = outcome(shim_function(case), args)
        parts = [x for x in tensors([found, args]) if x.dtype in (torch.float64, torch.complex128)]
        weights = torch.Generator().manual_seed(1)
        sums = [(torch.randn(x.shape, dtype=torch.float64, generator=weights) * x).sum().real.double() for x in parts]
        return sum(sums, torch.zeros((), dtype=torch.float64))

    wanted = [leaf.detach().requires_grad_(at in moving) for at, leaf in enumerate(leaves)]
    here = total(wanted)
    there, back = (
        total([leaf + sign * step * ways[at] if at in moving else leaf for at, leaf in enumerate(leaves)])
        for sign in (1, -1)
    )
    seen = float(there - back) / (2 * step)
    told = 0.0
    if here.requires_grad:
        try:
            slopes = torch.autograd.grad(here, [wanted[at] for at in moving], allow_unused=True)
        except RuntimeError as error:
            return f"{case}: {error}"
        told = sum(float((g.conj() * ways[at]).sum().real) for g, at in zip(slopes, moving, strict=True) if g is not None)
    if not math.isfinite(seen) or abs(seen - told) <= 1e-4 * (1 + abs(seen)) + 1e-15 / step * abs(float(here)):
        return None
    return f"{case}: the gradient is {told}, by small steps {seen}"


TRANSFORMS: dict[str, tuple[Callable[[Row, int], str | None], set[str]]] = {"traced": (traced, LISTED), "placed": (placed, VALUED), "differentiated": (differentiated, CUT)}
"""What `report.py --how` takes: the check, and the functions that are left out."""
