"""Lists of 0-D tensors and Python numbers as one tensor, the short ways."""

from __future__ import annotations

import sys
from typing import Any

import torch

from np2torch.shim._integers import wide_dtype
from np2torch.shim._promotion import BOOL, COMPLEX128, FLOAT64, INT64, Tensor
from np2torch.shim._transforms import in_transform

RAGGED = "setting an array element with a sequence. The requested array has an inhomogeneous shape"
EXACT = 2**53
"""Integers below it are float64 as they stand."""

OF_PYTHON = {FLOAT64: "f8", INT64: "i8", COMPLEX128: "c16", BOOL: "?"}
"""NumPy's names for the dtypes of Python's numbers."""


PYTHONS = {FLOAT64: float, INT64: int}
"""The classes of Python that name a dtype."""


def read_by_numpy(x: Any, dtype: torch.dtype, device: torch.device | None = None) -> Tensor | None:
    """The tensor of Python numbers in nested sequences, read by NumPy where it can, which takes a third of the time.

    None where torch is to read it: where NumPy refuses, or something is to notice that a tensor is made.
    """
    numpy, name = sys.modules.get("numpy"), OF_PYTHON.get(dtype)
    if name is None or numpy is None or device is not None and device.type != "cpu":
        return None
    if torch._C._len_torch_function_stack() or in_transform():  # so does a default device
        return None
    try:
        return torch.from_numpy(numpy.array(x, name))
    except Exception:
        return None


def of_numbers(x: Any, dtype: torch.dtype, device: torch.device | None) -> Tensor:
    """The tensor of Python numbers in nested sequences, cast as NumPy does; ValueError for ragged ones."""
    if (found := read_by_numpy(x, dtype, device)) is not None:
        return found
    try:
        return torch.tensor(x, dtype=dtype, device=device)
    except TypeError as error:  # float into int dtype and the like: NumPy truncates
        if "sequence" in str(error):  # numbers beside lists
            raise ValueError(RAGGED) from None
        return torch.tensor(x, device=device).to(dtype)
    except (ValueError, RuntimeError, OverflowError) as error:
        if "verflow" in str(error) and dtype is INT64 and (wide := wide_dtype(x)) is not None:
            return torch.tensor(x, dtype=wide, device=device)
        raise ValueError(RAGGED) from None


def of_numbers_alone(x: Any) -> Any:
    """The tensor of a float, or of a list that `of_doubles` reads; anything else as it is."""
    if type(x) is float:
        found = read_by_numpy(x, FLOAT64)
        return torch.tensor(x, dtype=FLOAT64) if found is None else found
    found = of_doubles(x) if type(x) is list else None
    return x if found is None else found


def has_it(x: Any, dtype: Any) -> bool:
    """Tell whether a tensor has the dtype, which NumPy computes sums and the like of it in in any case."""
    if type(x) is not Tensor:
        return False
    own = PYTHONS.get(x.dtype)
    return own is not None and (dtype is x.dtype or dtype is own)


def of_arrays(x: list[Any]) -> Tensor | None:
    """The tensor of a list of tensors with axes, of one dtype, shape and device; None for anything else."""
    first = x[0] if x else None
    if type(first) is not Tensor or not first.ndim:
        return None
    dtype, shape, place = first.dtype, first.shape, first.device
    for one in x:
        if type(one) is not Tensor or one.dtype is not dtype or one.shape != shape or one.device != place:
            return None
    return torch.stack(x)


def of_doubles(x: list[Any]) -> Tensor | None:
    """The tensor of a list, or of a list of lists, of floats and 0-D float64 tensors; None for anything else."""
    nested = bool(x) and type(x[0]) is list
    if nested and any(type(row) is not list or len(row) != len(x[0]) for row in x):
        return None
    leaves = [leaf for row in x for leaf in row] if nested else x
    types = set(map(type, leaves))
    if types == {float}:
        found = read_by_numpy(x, FLOAT64)
        return torch.tensor(x, dtype=FLOAT64) if found is None else found
    if types and types <= {float, int}:
        return read_by_numpy(x, FLOAT64 if float in types else INT64)
    if Tensor not in types or not types <= {Tensor, float, int}:
        return None
    found = _of_scalars(leaves)
    return found if found is None or not nested else found.view(len(x), len(x[0]))


def _of_scalars(leaves: list[Any]) -> Tensor | None:
    numbers = None if in_transform() else _values(leaves)
    if numbers is not None:
        found = read_by_numpy(numbers, FLOAT64)
        return torch.tensor(numbers, dtype=FLOAT64, device="cpu") if found is None else found
    if any(type(leaf) is not Tensor for leaf in leaves):
        return None
    place = leaves[0].device
    alike = all(not one.ndim and one.dtype is FLOAT64 and one.device == place for one in leaves)
    return torch.stack(leaves) if alike else None


def _values(leaves: list[Any]) -> list[Any] | None:
    """The numbers of 0-D float64 tensors, and Python's; None where one is on another device, has a gradient or axes."""
    found = []
    for leaf in leaves:
        if type(leaf) is Tensor:
            if leaf.ndim or leaf.dtype is not FLOAT64 or leaf.requires_grad or not leaf.is_cpu:
                return None
            leaf = leaf.item()
        elif type(leaf) is int and not -EXACT < leaf < EXACT:
            return None
        found.append(leaf)
    return found


def stacked(level: list[Any], dtype: torch.dtype | None, device: torch.device | None) -> Tensor | None:
    """One stack of 0-D tensors of one dtype where nothing is cast or moved; None of anything else."""
    if set(map(type, level)) != {Tensor}:
        return None
    found = level[0].dtype
    place = level[0].device
    if any(x.ndim or x.dtype is not found or x.device != place for x in level) or dtype not in (None, found):
        return None
    return torch.stack(level) if device in (None, place) else None
