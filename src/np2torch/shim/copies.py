"""Elements and single numbers, copied or refused where NumPy does."""

from __future__ import annotations

from typing import Any

from torch import Tensor

__all__ = ["element", "only_scalar"]


def element(x: Any) -> Any:
    """What `a[i]` is in NumPy: a copy of a single element, a view of anything larger.

    A single element of a tensor is a live view; where the tensor is written later the saved element would change too.
    """
    return x.clone() if isinstance(x, Tensor) and x.ndim == 0 else x


def only_scalar(x: Any) -> Any:
    """The argument of `float`, `int` or a `math` function, refused where it is an array with dimensions.

    Raises
    ------
    TypeError
        For a tensor that is not 0-D, as NumPy 2.4 does; torch converts those of one element.
    """
    if isinstance(x, Tensor) and x.ndim:
        raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
    return x
