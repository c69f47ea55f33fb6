"""What a call of a ufunc says of its loop (`dtype=`, `signature=`), and how the call itself is described."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from typing import Any

import torch

from np2torch.shim._promotion import as_dtype


def asked_dtypes(signature: Any, nin: int, nout: int) -> list[torch.dtype | None]:
    """The dtypes that `signature=` names for each operand and result; None where it leaves one open.

    Raises
    ------
    TypeError
        For what is no signature, or one of a single dtype.
    ValueError
        For a text or a tuple that does not fit the function.
    """
    total = nin + nout
    if isinstance(signature, bytes):
        signature = signature.decode("ascii")
    if isinstance(signature, str):
        takes, arrow, gives = signature.partition("->")
        if len(signature) == 1:
            raise TypeError("a signature names a dtype for each operand and result; for one alone there is `dtype`")
        if not arrow or len(takes) != nin or len(gives) != nout:
            raise ValueError(f"a type-string for this ufunc has {nin} dtypes before its -> and {nout} after it")
        signature = tuple(takes + gives)
    elif not isinstance(signature, tuple):
        raise TypeError("the signature object to ufunc must be a string or a tuple.")
    if len(signature) == 1 != total:
        raise TypeError("a signature names a dtype for each operand and result; for one alone there is `dtype`")
    if len(signature) != total:
        raise ValueError(f"a signature must be a tuple of {total} dtypes for this ufunc")
    return [None if item is None else as_dtype(item) for item in signature]


def by_name(name: str) -> Any:
    """The ufunc of that name."""
    return getattr(importlib.import_module(__package__), name)


def call_signature(nin: int, nout: int) -> inspect.Signature:
    """The parameters of a ufunc, as `inspect.signature` shows those of NumPy's."""
    kinds = inspect.Parameter
    names = ("x",) if nin == 1 else tuple(f"x{at + 1}" for at in range(nin))
    given = [kinds(name, kinds.POSITIONAL_ONLY) for name in names]
    out = kinds("out", kinds.POSITIONAL_OR_KEYWORD, default=None if nout == 1 else (None,) * nout)
    settings = {
        "where": True, "casting": "same_kind", "order": "K", "dtype": None, "subok": True, "signature": None,
    }  # fmt: skip
    rest = [kinds(name, kinds.KEYWORD_ONLY, default=default) for name, default in settings.items()]
    return inspect.Signature([*given, out, *rest])


def own_method(name: str, x: Any) -> Callable[[], Any] | None:
    """The method of a function's name of an object that is no number: what NumPy calls for `np.exp(x)`."""
    known = isinstance(x, (torch.Tensor, list, tuple, str, bytes)) or hasattr(x, "__array__")
    found = None if known else getattr(x, name, None)
    return found if callable(found) else None
