"""The loop that a ufunc call asks for (`dtype=`, `signature=`), and the signature of the call itself."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from typing import Any

import torch

from np2torch.shim._promotion import BOOL, as_dtype
from np2torch.shim._type_resolution import first_loop


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


def asked_loop(ufunc: Any, dtype: Any, signature: Any, sig: Any = None) -> torch.dtype | None:
    """The loop that a signature names: one dtype for all operands, and what comes of it for the results."""
    if sum(given is not None for given in (dtype, signature, sig)) > 1:
        raise TypeError("cannot specify more than one of 'sig', 'signature' and 'dtype'")
    if signature is None and sig is None:
        named = [*[None] * ufunc.nin, *[as_dtype(dtype)] * ufunc.nout]
    else:
        named = asked_dtypes(signature if sig is None else sig, ufunc.nin, ufunc.nout)
    takes, gives = {*named[: ufunc.nin]} - {None}, named[ufunc.nin :]
    truths = all(ufunc.returns[0](loop) is BOOL for loop in ufunc.loops)
    loop = takes.pop() if takes else None if truths else gives[0]
    ends = (BOOL,) if truths else tuple(of(loop) for of in ufunc.returns) if loop else (None,) * ufunc.nout
    fits = all(one in (None, end) for one, end in zip(gives, ends, strict=True))
    if takes or not fits or loop is not None and first_loop(ufunc.loops, loop) is not loop:
        raise TypeError(f"No loop matching the specified signature and casting was found for ufunc {ufunc.__name__}")
    return loop
