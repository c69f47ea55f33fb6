"""The functions of the shim under torch's own transforms: compiled whole, on another device, differentiated.

Every line of the table is run once in each way, on an example that works and has elements, unless it is listed below.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from converted import sample
from drawing import Case
from running import outcome, shim_function
from table import Row

from np2torch.shim.interop import mapped
from np2torch.verify.compare import difference

DATA_DEPENDENT = {
    "results of a length that the values say": """
        poly1d.c poly1d.coef poly1d.coefficients poly1d.coeffs poly1d.deriv poly1d.integ poly1d.o poly1d.order poly1d.r
        poly1d.roots poly1d.variable polymul polynomial.polynomial.polyadd polynomial.polynomial.polysub
        polynomial.polynomial.polydiv polynomial.polynomial.polymul polynomial.polynomial.polymulx
        polynomial.polynomial.polypow polynomial.polynomial.polytrim polynomial.Polynomial.trim roots trim_zeros
        polynomial.Polynomial.roots polynomial.polynomial.polyroots bincount extract compress ndarray.compress""",
    "a dtype that the values say": """
        emath.sqrt emath.log emath.log2 emath.log10 emath.logn emath.power emath.arccos emath.arcsin emath.arctanh
        linalg.eig linalg.eigvals real_if_close""",
    "Python objects made of the values": """
        array2string array_repr array_str ndarray.tolist ndarray.tobytes operator.not_ frombuffer polyfit
        polynomial.polynomial.polyfit shares_memory may_share_memory ndarray.resize""",
}
VALUES = {
    "torch's nonzero": """
        unique unique_all unique_counts unique_inverse unique_values intersect1d setdiff1d setxor1d union1d where nonzero
        ndarray.nonzero argwhere flatnonzero tril_indices triu_indices tril_indices_from triu_indices_from mask_indices
        delete operator.getitem""",
    "a Python bool or number": """
        allclose array_equal array_equiv operator.contains ndarray.item ndenumerate polynomial.polynomial.polyline
        min_scalar_type""",
}
OWN = ("random.", "testing.")
"""Python all through: streams that are NumPy's bit for bit, and checks that look at values."""
LISTED = {name for names in DATA_DEPENDENT.values() for name in names.split()}
VALUED = LISTED | {name for names in VALUES.values() for name in names.split()}


def unlisted(chosen: list[Row], listed: set[str]) -> list[Row]:
    """The rows of functions that are not listed."""
    return [row for row in chosen if row.name not in listed and not row.name.startswith(OWN)]


def example(row: Row, count: int = 8) -> tuple[Case, list[torch.Tensor], Any] | None:
    """The last of some examples that work and have elements, its arguments afterwards and its result."""
    for case in reversed(sample(row, count, 1)):
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


def traced(row: Row) -> str | None:
    """How the function differs once it is compiled as a whole; None if it does not."""
    found = example(row)
    if found is None:
        return None
    case, old_args, old = found
    torch._dynamo.reset()
    args = [x.tensor() for x in case.arrays.values()]
    new, error = outcome(torch.compile(shim_function(case), backend="eager", fullgraph=True), args)
    if error is not None:
        return f"{case}: {str(error)[:400]}"
    said = difference(plain([old, old_args]), mapped([new, args], lambda x: str(x) if isinstance(x, torch.dtype) else x))
    return f"{case}: {said}" if said else None


def placed(row: Row) -> str | None:
    """Whether tensors on another device, and tensors on a device that is not the default one, stay where they are.

    The meta device stands for it: there are no values, but a tensor that is made elsewhere is an error all the same.
    """
    found = example(row)
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


TRANSFORMS: dict[str, tuple[Callable[[Row], str | None], set[str]]] = {"traced": (traced, LISTED), "placed": (placed, VALUED)}
"""What `report.py --how` takes: the check, and the functions that are left out."""
