"""`numpy.polynomial.polyutils`: coefficients brought into one form, and domains mapped to one another."""

from __future__ import annotations

from typing import Any

import torch

from np2torch.shim import operator
from np2torch.shim._core import asarray
from np2torch.shim._promotion import Tensor
from np2torch.shim._series import series

__all__ = ["as_series", "getdomain", "mapdomain", "mapparms", "trimcoef", "trimseq"]


def as_series(alist: Any, trim: bool = True) -> list[Tensor]:
    """Coefficients as floating vectors of one dtype, without zeros at the end."""
    return series(*alist, trim=trim)


def trimseq(seq: Any) -> Any:
    """The sequence without zeros at the end; one element stays."""
    if len(seq) == 0 or seq[-1] != 0:
        return seq
    last = next((i for i in range(len(seq) - 1, 0, -1) if seq[i] != 0), 0)
    return seq[: last + 1]


def trimcoef(c: Any, tol: Any = 0) -> Tensor:
    """The coefficients without those at the end that are no larger than `tol`; one stays, zero if need be."""
    if tol < 0:
        raise ValueError("tol must be non-negative")
    (found,) = series(c)
    large = torch.nonzero(found.abs() > tol).flatten()
    return found[: int(large[-1]) + 1].clone() if len(large) else found[:1] * 0


def getdomain(x: Any) -> Tensor:
    """The smallest interval, in the complex plane the smallest box, that holds the points."""
    (found,) = series(x, trim=False)
    if not found.is_complex():
        return torch.stack([found.min(), found.max()])
    ends = [torch.complex(getattr(found.real, end)(), getattr(found.imag, end)()) for end in ("min", "max")]
    return torch.stack(ends).to(torch.complex128)


def mapparms(old: Any, new: Any) -> tuple[Any, Any]:
    """Offset and scale of the line that maps one domain to the other."""
    length = operator.sub(old[1], old[0])
    offset = operator.truediv(operator.sub(operator.mul(old[1], new[0]), operator.mul(old[0], new[1])), length)
    return offset, operator.truediv(operator.sub(new[1], new[0]), length)


def mapdomain(x: Any, old: Any, new: Any) -> Any:
    """The points under the line that maps one domain to the other."""
    offset, scale = mapparms(old, new)
    return operator.add(offset, operator.mul(scale, x if type(x) in (int, float, complex) else asarray(x)))
