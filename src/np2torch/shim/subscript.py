"""`x[index]` and `x[index] = value` with NumPy's rules on tensors.

Where torch differs: negative steps, uint8 and list indices, integers among index arrays, values that are lists or
of another dtype or overlap the destination, elements (copies in NumPy, views in torch). One plan serves reading and
writing: a view by basic indexing, the axes of it to flip, and the index arrays with the axes of it they select from.
"""

from __future__ import annotations

import operator
from contextlib import suppress
from typing import Any, NamedTuple

import torch

from np2torch.shim import _core, _promotion
from np2torch.shim._broadcast import common_shape
from np2torch.shim._errors import wrong
from np2torch.shim._layout import element, may_overlap, may_share
from np2torch.shim._promotion import Tensor
from np2torch.shim._read_only import is_frozen
from np2torch.shim._type_resolution import is_weak_beside
from np2torch.shim.interop import from_numpy, is_foreign, to_numpy

__all__ = ["getitem", "setitem"]

WRONG_INDEX = (
    "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) "
    "and integer or boolean arrays are valid indices"
)


MOST_DIMENSIONS = 64
"""NumPy's own bound, which torch has not."""


class _Plan(NamedTuple):
    view: Tensor
    flips: list[int]  # axes of the view to read backwards
    arrays: list[tuple[int, Tensor]]  # index arrays with the axis of the view each selects from
    before: int  # axes of the view that stay in front of what the arrays select
    element: bool  # integers only: NumPy has a scalar here, not a view


# -------------------------------------------------------------------------------------------- reading an index
def _entry(item: Any, device: torch.device | None = None) -> Any:
    """One index as None, Ellipsis, a slice of ints, an int, or a tensor (int64 array or mask)."""
    if item is None or item is Ellipsis or type(item) is int:
        return item
    if isinstance(item, slice):
        return slice(*(None if end is None else _bound(end) for end in (item.start, item.stop, item.step)))
    if isinstance(item, (float, complex, str, bytes)):
        raise IndexError(WRONG_INDEX)
    try:
        found = _core.asarray(item, None, device)
    except TypeError:
        raise IndexError(WRONG_INDEX) from None
    if found.dtype is torch.bool:
        return found
    if _promotion.kind(found.dtype) != 1:
        if found.numel() or isinstance(item, Tensor):
            raise IndexError("arrays used as indices must be of integer (or boolean) type")
        found = found.to(torch.int64)  # an empty list
    return found.to(torch.int64) if found.ndim else int(found)


def _bound(end: Any) -> int:
    """A bound of a slice: arrays are none, though torch would take those of one element."""
    if isinstance(end, Tensor) and (end.ndim or _promotion.kind(end.dtype) != 1):
        raise TypeError("only integer scalar arrays can be converted to a scalar index")
    return operator.index(end)


def _used(item: Any) -> int:
    """Count the axes that an index consumes."""
    if item is None or item is Ellipsis:
        return 0
    return item.ndim if isinstance(item, Tensor) and item.dtype is torch.bool else 1


def _full(entries: list[Any], ndim: int) -> list[Any]:
    """Write the ellipsis out as slices; it goes to the end when there is none."""
    dots = [i for i, item in enumerate(entries) if item is Ellipsis]
    if len(dots) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    used = sum(_used(item) for item in entries)
    if used > ndim:
        raise IndexError(f"too many indices for array: array is {ndim}-dimensional, but {used} were indexed")
    at = dots[0] if dots else len(entries)
    return entries[:at] + [slice(None)] * (ndim - used) + entries[at + 1 :]


def _separated(entries: list[Any]) -> bool:
    """Tell whether slices, None or an ellipsis (even an empty one) stand between the advanced indices."""
    advanced = [i for i, item in enumerate(entries) if isinstance(item, (int, Tensor))]
    return advanced[-1] - advanced[0] >= len(advanced)


def _mask(mask: Tensor, shape: tuple[int, ...], axis: int) -> list[Tensor]:
    for i, size in enumerate(mask.shape):
        if size != shape[axis + i]:
            raise IndexError(
                f"boolean index did not match indexed array along axis {axis + i}; size of axis is {shape[axis + i]} "
                f"but size of corresponding boolean axis is {size}"
            )
    return list(torch.nonzero(mask, as_tuple=True))


def _element(position: int, size: int, axis: int) -> int:
    if not -size <= position < size:
        raise IndexError(f"index {position} is out of bounds for axis {axis} with size {size}")
    return position % size


def _plan(x: Tensor, index: Any) -> _Plan:
    entries = [_entry(item, x.device) for item in (index if isinstance(index, tuple) else (index,))]
    fancy = any(isinstance(item, Tensor) for item in entries)
    element = all(type(item) is int for item in entries) and len(entries) == x.ndim
    view, axis, source = x, 0, 0  # the axis of the view and of x that come next
    flips: list[int] = []
    arrays: list[tuple[int, Tensor]] = []
    for item in _full(entries, x.ndim):
        if item is None:
            view = view.unsqueeze(axis)
        elif isinstance(item, slice):
            if item != slice(None):
                view, backwards = _slice(view, axis, item)
                flips += [axis] if backwards else []
            source += 1
        elif isinstance(item, int):
            position = _element(item, x.shape[source], source)
            source += 1
            if not fancy:
                view = view.select(axis, position)
                continue
            arrays.append((axis, torch.tensor([position], device=x.device)))
        elif item.dtype is not torch.bool:
            arrays.append((axis, item.to(x.device)))
            source += 1
        elif item.ndim:
            found = _mask(item.to(x.device), x.shape, source)
            arrays += [(axis + i, where) for i, where in enumerate(found)]
            source += item.ndim
            axis += item.ndim - 1
        else:  # a 0-D mask selects the whole along a new axis, or nothing
            view = view.unsqueeze(axis)
            arrays.append((axis, torch.zeros(int(item), dtype=torch.int64, device=x.device)))
        axis += 1
    if view.ndim > MOST_DIMENSIONS or len(arrays) >= MOST_DIMENSIONS:
        raise IndexError(f"number of dimensions must be within [0, {MOST_DIMENSIONS}], and of index arrays below that")
    before = 0 if not arrays or _separated(entries) else arrays[0][0]
    return _Plan(view, flips, arrays, before, element)


def _slice(view: Tensor, axis: int, item: slice) -> tuple[Tensor, bool]:
    start, stop, step = item.indices(view.shape[axis])
    if step > 0:
        return view.narrow(axis, start, max(stop - start, 0))[(slice(None),) * axis + (slice(None, None, step),)], False
    count = len(range(start, stop, step))
    first = start + (count - 1) * step if count else 0
    forward = view.narrow(axis, first, start - first + 1 if count else 0)
    return forward[(slice(None),) * axis + (slice(None, None, -step),)], True


def _check_bounds(plan: _Plan) -> None:
    """Refuse indices out of bounds where there is nothing to select: torch does not look at them then."""
    if plan.view.numel() or not all(where.numel() for _, where in plan.arrays):
        return
    for axis, where in plan.arrays:
        message = f"an index is out of bounds for axis {axis} with size {plan.view.shape[axis]}"
        if wrong((where < -plan.view.shape[axis]) | (where >= plan.view.shape[axis]), message):
            raise IndexError(message)


def _front(plan: _Plan) -> Tensor:
    """The view with the axes that arrays select from moved to the front, in order."""
    return plan.view.movedim([axis for axis, _ in plan.arrays], list(range(len(plan.arrays))))


# ------------------------------------------------------------------------------------------------- reading
def getitem(x: Any, index: Any) -> Any:
    """`x[index]` as NumPy means it; anything but a tensor is indexed as Python does.

    An element is a copy, basic indexing a view (but a copy where a step is negative), index arrays copy.
    """
    if not isinstance(x, Tensor):
        return from_numpy(x[to_numpy(index, copy=True)]) if is_foreign(x) else x[_foreign(index, x)]
    if (simple := _simple(index, x.ndim)) is not None:
        try:
            found = x[simple]
        except ValueError as error:  # more than 64 bits
            raise IndexError(str(error)) from None
        return found if found.ndim else found.clone()
    if type(index) is Tensor and index.ndim and x.is_cpu:
        if index.dtype is torch.int64 and x.ndim or index.dtype is torch.bool and index.shape == x.shape:
            with suppress(IndexError):  # the long way says what NumPy would
                return x[index]
    plan = _plan(x, index)
    if plan.flips:
        plan = plan._replace(view=_flip(plan))
    return _chosen(plan) if plan.arrays else _viewed(plan, x)


def _viewed(plan: _Plan, x: Tensor) -> Tensor:
    """A view, or the copy of an element; also all of a tensor is an object of its own."""
    if plan.element:
        return plan.view.clone()
    return plan.view if plan.view is not x else x[...]


def _chosen(plan: _Plan) -> Tensor:
    """The elements that index arrays choose, their axes where NumPy puts them."""
    _check_bounds(plan)
    found = _front(plan)[tuple(where for _, where in plan.arrays)]
    chosen = _selected_ndim(plan)
    return found.movedim(list(range(chosen)), list(range(plan.before, plan.before + chosen))) if plan.before else found


def _simple(index: Any, ndim: int) -> Any:
    """An index of ints and slices forward, which both libraries read alike; None for anything else.

    Integers that are tensors without axes are read.
    """
    kind = type(index)
    if kind is int:
        return index if ndim else None
    if kind is slice:
        return _forward(index) if ndim else None
    if kind is not tuple:
        index = (index,)
    if not 0 < len(index) <= ndim:
        return None
    changed = None
    for at, item in enumerate(index):
        if type(item) is int:
            continue
        found: Any
        if type(item) is slice:
            found = _forward(item)
        else:
            found = item.item() if type(item) is Tensor and not item.ndim and item.dtype is torch.int64 else None
        if found is None:
            return None
        if found is not item:
            changed = list(index) if changed is None else changed
            changed[at] = found
    return index if changed is None else tuple(changed)


def _forward(item: slice) -> slice | None:
    """A slice with a positive step and bounds that are ints, also where they are tensors; None for any other."""
    start, stop, step = item.start, item.stop, item.step
    if step is not None and (type(step) is not int or step < 1):
        return None
    is_ready = True
    for end in (start, stop):
        if end is not None and type(end) is not int:
            if type(end) is not Tensor or end.ndim or end.dtype is not torch.int64:
                return None
            is_ready = False
    if is_ready:
        return item
    return slice(*(end.item() if type(end) is Tensor else end for end in (start, stop, step)))


def _flip(plan: _Plan) -> Tensor:
    flipped = as_signed(plan.view).flip(plan.flips)
    return flipped if flipped.dtype is plan.view.dtype else flipped.view(plan.view.dtype)


def _selected_ndim(plan: _Plan) -> int:
    return max(where.ndim for _, where in plan.arrays)


def _foreign(index: Any, x: Any) -> Any:
    """An index for a list, a dict or an ndarray: without tensors."""
    if isinstance(index, Tensor):
        return index.item() if index.ndim == 0 else index.numpy(force=True) if hasattr(x, "__array__") else index
    if isinstance(index, slice):
        return slice(*(_foreign(end, x) for end in (index.start, index.stop, index.step)))
    if type(index) is tuple:
        return tuple(_foreign(item, x) for item in index)
    return index


# ------------------------------------------------------------------------------------------------- writing
def setitem(x: Any, index: Any, value: Any) -> None:
    """`x[index] = value` as NumPy means it: the value is cast to the dtype of `x` and may overlap `x`.

    Raises
    ------
    ValueError
        When the value does not broadcast to the selection, when a Python NaN is stored in integers, or when `x` is
        a broadcast view (read-only in NumPy).
    OverflowError
        When a Python integer does not fit the dtype.
    """
    if not isinstance(x, Tensor):
        if is_foreign(x):
            x[to_numpy(index, copy=True)] = to_numpy(value)
        else:
            x[_foreign(index, x)] = value
        return
    if _stored(x, index, value):
        return
    plan = _plan(x, index)
    if is_read_only(x):
        raise ValueError("assignment destination is read-only")
    _check_rank(plan, index, value, x)
    if isinstance(value, (list, tuple)) and not plan.arrays and not plan.flips and _shares_items(value, plan.view):
        for place, item in zip(plan.view, value, strict=True):
            setitem(place, ..., item)  # NumPy does not buffer the items of a list
        return
    if isinstance(value, Tensor) and not value.ndim and not plan.arrays and x.dtype in _promotion.SIGNED:
        _check_finite(value)
    new = element(value, x)
    if new.numel() and may_share(new, x):
        new = new.clone()
    view, new = as_signed(plan.view), as_signed(new)
    if not plan.arrays:
        new = _fit(new, view.shape)
        view.copy_(new.flip(plan.flips) if plan.flips else new)
    else:
        _scatter(plan._replace(view=view), new)


def _stored_one(x: Tensor, index: int, value: Tensor) -> bool:
    """Store a scalar of the same dtype in a vector; False for anything else."""
    if type(x) is not Tensor or x.ndim != 1 or value.dtype is not x.dtype or x.dtype in TWICE:
        return False
    if value.device != x.device or is_read_only(x):
        return False
    try:
        x[index] = value  # one element, which may be the value itself
    except (IndexError, RuntimeError):  # the long way says what NumPy would
        return False
    return True


def _stored(x: Tensor, index: Any, value: Any) -> bool:
    """Store a float or a tensor of the same dtype where integers and plain slices say; False for anything else."""
    if type(index) is int and type(value) is Tensor and not value.ndim and x.ndim == 1:
        return _stored_one(x, index, value)
    if type(x) is not Tensor or (simple := _simple(index, x.ndim)) is None:
        return False
    if not (value.dtype is x.dtype if type(value) is Tensor else is_weak_beside(value, x.dtype)):
        return False
    if x.dtype in TWICE or is_read_only(x):
        return False
    try:
        view = x[simple]
        if type(value) is not Tensor:
            view.fill_(value)
            return True
        new: Any = value
        fits = new.ndim <= view.ndim and new.device == view.device and not may_overlap(new, view)
        return fits and view.copy_(new) is view
    except (IndexError, ValueError, RuntimeError):  # the long way says what NumPy would
        return False


TWICE = frozenset({torch.uint16, torch.uint32, torch.uint64})
"""dtypes that torch stores as the signed ones."""


def _check_finite(value: Tensor) -> None:
    """Refuse NaN and infinity of a scalar as an integer."""
    if not value.is_floating_point():
        return
    if wrong(value.isnan(), message := "cannot convert float NaN to integer"):
        raise ValueError(message)
    if wrong(value.abs() >= 2.0**63, message := "cannot convert float infinity to integer"):
        raise OverflowError(message)


def _shares_items(value: Any, view: Tensor) -> bool:
    """Tell whether the items are stored one by one, and some array among them shares memory with the destination."""
    if view.ndim < 2 or len(value) != len(view):
        return False
    return any(isinstance(one, Tensor) and one.shape == view.shape[1:] and may_share(one, view) for one in value)


def _check_rank(plan: _Plan, index: Any, value: Any, x: Tensor) -> None:
    """Refuse values with more axes than NumPy takes."""
    ndim = value.ndim if isinstance(value, Tensor) else _depth(value)
    if plan.element and ndim:
        whole = _promotion.kind(x.dtype) == 1 and not isinstance(value, Tensor)
        raise (TypeError if x.is_complex() or whole else ValueError)("setting an array element with a sequence.")
    if not plan.arrays and not isinstance(value, Tensor) and ndim > plan.view.ndim:
        raise ValueError("setting an array element with a sequence.")
    mask = isinstance(index, (Tensor, list)) and len(plan.arrays) == x.ndim == getattr(_entry(index), "ndim", -1)
    if mask and _entry(index).dtype is torch.bool and ndim > 1:
        raise TypeError(
            f"boolean array indexing assignment requires a 0 or 1-dimensional input, input has {ndim} dimensions"
        )


def _depth(value: Any) -> int:
    if isinstance(value, (list, tuple, range)):
        return 1 + (_depth(value[0]) if len(value) else 0)
    return int(getattr(value, "ndim", 0))


def as_signed(x: Tensor) -> Tensor:
    """The bits of uint16, uint32 and uint64 as signed integers: torch can neither flip nor scatter the unsigned."""
    signed = {torch.uint16: torch.int16, torch.uint32: torch.int32, torch.uint64: torch.int64}.get(x.dtype)
    return x if signed is None else x.view(signed)


def _scatter(plan: _Plan, new: Tensor) -> None:
    positions = [where.clone() if may_share(where, plan.view) else where for _, where in plan.arrays]
    if not new.ndim:
        _check_bounds(plan)
        with suppress(IndexError, RuntimeError):  # the long way says what NumPy would
            _front(plan).index_put_(tuple(positions), new)
            return
    try:
        chosen = common_shape(*(where.shape for where in positions))
    except ValueError:
        shapes = " ".join(str(tuple(where.shape)) for where in positions)
        raise IndexError(
            f"shape mismatch: indexing arrays could not be broadcast together with shapes {shapes}"
        ) from None
    front = _front(plan)
    kept = list(front.shape[len(positions) :])
    spread = _fit(new, torch.Size([*kept[: plan.before], *chosen, *kept[plan.before :]]))
    axes = list(range(plan.before, plan.before + len(chosen)))
    spread = spread.movedim(axes, list(range(len(chosen))))
    taken = [axis for axis, _ in plan.arrays]
    rest = [axis for axis in range(plan.view.ndim) if axis not in taken]
    spread = spread.flip([len(chosen) + rest.index(axis) for axis in plan.flips]) if plan.flips else spread
    _check_bounds(plan)
    front.index_put_(tuple(positions), spread)


def _fit(new: Tensor, shape: torch.Size) -> Tensor:
    """Broadcast a value to what it is assigned to; extra leading axes of length 1 are dropped."""
    fitted = new
    while fitted.ndim > len(shape) and fitted.shape[0] == 1:
        fitted = fitted[0]
    try:
        return fitted.expand(shape)
    except RuntimeError:
        raise ValueError(
            f"could not broadcast input array from shape {tuple(new.shape)} into shape {tuple(shape)}"
        ) from None


def is_read_only(x: Tensor) -> bool:
    """Tell what NumPy does not write: what was made so, and a view where several elements share a memory location."""
    strides = x.stride()
    if 0 in strides and x.numel() > 0:
        return any(not step and n > 1 for step, n in zip(strides, x.shape, strict=True)) or is_frozen(x)
    return is_frozen(x)
