"""NumPy's casting rules between torch dtypes: `can_cast`, and the check before a result goes into `out`."""

from __future__ import annotations

import torch

from np2torch.shim._broadcast import common_shape
from np2torch.shim._promotion import UNSIGNED, Tensor, kind, promote2
from np2torch.shim._read_only import is_frozen

CASTINGS = ("no", "equiv", "safe", "same_kind", "unsafe")


def check_casting(casting: str) -> None:
    """Refuse a word that is no casting rule (ValueError)."""
    if casting not in CASTINGS:
        raise ValueError(f"casting must be one of {', '.join(map(repr, CASTINGS))} (got {casting!r})")


def castable(source: torch.dtype, target: torch.dtype, casting: str = "safe") -> bool:
    """Tell whether `source` may be cast to `target`; 'same_kind' never makes signed integers unsigned."""
    check_casting(casting)
    if source is target or casting == "unsafe":
        return True
    if casting in ("no", "equiv"):
        return False
    if promote2(source, target) is target:
        return True
    if casting == "safe" or kind(source) > kind(target):
        return False
    return not (kind(source) == kind(target) == 1 and target in UNSIGNED and source not in UNSIGNED)


def store(out: Tensor, result: Tensor, casting: str, name: str) -> Tensor:
    """Copy `result` into `out` if its shape broadcasts to that of `out` and the cast is allowed; gives `out`.

    Raises
    ------
    ValueError
        When the shapes do not fit, or `out` is read-only.
    TypeError
        When the cast is not allowed (NumPy's UFuncTypeError).
    """
    if is_frozen(out):
        raise ValueError("output array is read-only")
    if result.dtype is out.dtype and result.shape == out.shape:
        return out.copy_(result)
    if not castable(result.dtype, out.dtype, casting):
        raise TypeError(
            f"Cannot cast ufunc '{name}' output from {str(result.dtype)[6:]} to {str(out.dtype)[6:]} "
            f"with casting rule '{casting}'"
        )
    try:
        fits = common_shape(out.shape, result.shape) == out.shape
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(
            f"non-broadcastable output operand with shape {tuple(out.shape)} doesn't match the broadcast shape "
            f"{tuple(result.shape)}"
        )
    return out.copy_(result)
