"""Temporary."""
import torch
from np2torch.shim.creation import asarray as _asarray
import numpy as _np
def _one(x, lists=True, copy=True, kinds="fiubc", small=True):
    if isinstance(x, (list, tuple)) and not (lists and copy): raise TypeError("list")
    if isinstance(x, torch.Tensor): t = x
    else: t = _asarray(x)
    k = 'f' if t.is_floating_point() else 'c' if t.is_complex() else 'b' if t.dtype == torch.bool else 'u' if t.dtype in (torch.uint8, torch.uint16, torch.uint32, torch.uint64) else 'i'
    if k not in kinds: raise TypeError(f"kind {k}")
    return t, k, isinstance(x, (bool, int, float, complex))

def tensor(x, numbers=None, **o):
    if isinstance(x, (bool, int, float, complex)):
        if numbers is None: return x
        if numbers is False: raise TypeError("number")
    return _one(x, **o)[0]
def promote(*xs, numbers=None, kinds="fiubc", lists=True, copy=True):
    if numbers is False and any(isinstance(x, (bool, int, float, complex)) for x in xs): raise TypeError("number")
    ts = [_one(x, lists, copy, kinds) for x in xs]
    from np2torch.shim.dtypes import result_type
    dt = result_type(*[x if n else t for x, (t, k, n) in zip(xs, ts)])
    return tuple(x if n and numbers is None else t.to(dt) for x, (t, k, n) in zip(xs, ts))
def _several(xs, kinds, small=True, lists=True, copy=True, numbers=None, mixed=False):
    out = []
    for x in xs:
        t, k, number = _one(x, lists, copy, kinds)
        if number and numbers is False: raise TypeError("number")
        if t.dtype == torch.float16: raise TypeError("half")
        if not number and k in "iub":
            if not copy or not small and t.dtype != torch.int64: raise TypeError("integers")
        if k in "iub": t = t.to(torch.float64)
        out.append((t, number))
    single = {t.dtype in (torch.float32, torch.complex64) for t, number in out if not number}
    if len(single) > 1:
        if not mixed: raise TypeError("float32 beside float64")
        out = [(t.to(torch.complex128 if t.is_complex() else torch.float64), n) for t, n in out]
    if single == {True}:
        out = [(t.to(torch.complex64 if t.is_complex() else torch.float32) if number else t, number) for t, number in out]
    out = [x if n and numbers is None else t for x, (t, n) in zip(xs, out)]
    return out[0] if len(out) == 1 else tuple(out)
def floating(*xs, **o): return _several(xs, "fiub", **o)
def inexact(*xs, **o): return _several(xs, "fiubc", **o)
