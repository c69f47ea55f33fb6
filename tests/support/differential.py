"""Run a NumPy function and its shim twin on the same arguments and compare all that can be observed."""

import numpy as np
import torch

from np2torch.shim._numpy_routines import own_bodies
from np2torch.verify.compare import difference

torch.set_num_threads(1)
ERRORS = (OverflowError, ZeroDivisionError, TypeError, ValueError, IndexError, Exception)


def sample(dtype, shape=(2, 3), seed=0):
    """Random values of a dtype: small integers, normal floats."""
    rng = np.random.default_rng(seed)
    kind = np.dtype(dtype).kind
    if kind == "b":
        return rng.random(shape) < 0.5
    if kind in "iu":
        return rng.integers(0 if kind == "u" else -7, 8, shape).astype(dtype)
    x = rng.normal(size=shape) * 1.5
    return (x + 1j * rng.normal(size=shape)).astype(dtype) if kind == "c" else np.asarray(x).astype(dtype)


def to_torch(x):
    """The same arguments with tensors for arrays, NumPy scalars and dtypes."""
    if isinstance(x, (np.ndarray, np.generic)):
        return torch.as_tensor(np.array(x))
    if isinstance(x, (list, tuple)):
        return type(x)(map(to_torch, x))
    if isinstance(x, (type, np.dtype)) and (x is float or x is int or x is bool or x is complex):
        return x
    return x


def outcome(function, args, kwargs):
    """The result, or the class of the exception."""
    try:
        with np.errstate(all="ignore"):
            return function(*args, **kwargs)
    except Exception as error:
        return next(c for c in ERRORS if isinstance(error, c))


def agree(old, new, *args, rtol=None, atol=0.0, **kwargs):
    """Both give the same result or the same class of error, and leave their arguments alike.

    So do NumPy's routines, where the shim uses them, and its own bodies.
    """
    _agree(old, new, *args, rtol=rtol, atol=atol, **kwargs)
    with own_bodies():
        _agree(old, new, *args, rtol=rtol, atol=atol, **kwargs)


def _agree(old, new, *args, rtol, atol, **kwargs):
    mine = [to_torch(x) for x in args], {k: to_torch(v) for k, v in kwargs.items()}
    expected, found = outcome(old, args, kwargs), outcome(new, *mine)
    said = f"{getattr(old, '__name__', old)}{args} {kwargs}"
    if isinstance(expected, type) or isinstance(found, type):
        assert expected is found, f"{said}: {expected} became {found}"
        return
    assert (line := difference(expected, found, rtol=rtol, atol=atol)) is None, f"{said}: {line}"
    for before, after in zip(args, mine[0], strict=True):
        if isinstance(before, np.ndarray):
            assert difference(before, after) is None, f"{said}: the argument was changed"
