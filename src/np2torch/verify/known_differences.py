"""Differences that docs/differences.md or a note in the converted code announces, told by what both sides do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from np2torch.verify.calls import Call, Observation
from np2torch.verify.encode import Encoded, PackedValues
from np2torch.verify.judge import numbers_in, parts
from np2torch.verify.moved_inputs import as_floats, as_scalars
from np2torch.verify.vary import scale

EXACT = ("Decimal", "Fraction")
NEGATIVE_RANGE = "upper bound and lower bound inconsistent with step sign"
AMBIGUOUS = "Boolean value of Tensor with"
NO_TENSORS = "stack expects a non-empty TensorList"
WITHOUT_AXES = "tensor must be 1D or 2D but got 0D"
REMOVED = "was removed in the NumPy"
OF_OBJECTS = "'numpy.ndarray' object has no attribute"


class KnownDifference(NamedTuple):
    """One difference: in words, and the test of a call and what was seen of it on both sides."""

    text: str
    is_met: Callable[[Call, Observation, Observation], bool]


def _is_exact(call: Call, old: Observation, new: Observation) -> bool:
    is_loud = new.raised is not None and old.has_result
    return is_loud and any(one[0] == "standard" and one[1] in EXACT for one in _values(call))


def _is_negative_range(call: Call, old: Observation, new: Observation) -> bool:
    return old.ended == "" and new.raised is not None and NEGATIVE_RANGE in new.raised.message


def _is_ambiguous(call: Call, old: Observation, new: Observation) -> bool:
    return old.raised is not None and new.raised is not None and AMBIGUOUS in new.raised.message


def _is_empty_stack(call: Call, old: Observation, new: Observation) -> bool:
    return old.ended == "" and new.raised is not None and NO_TENSORS in new.raised.message


def _is_product_without_axes(call: Call, old: Observation, new: Observation) -> bool:
    return old.has_result and new.raised is not None and WITHOUT_AXES in new.raised.message


def _is_removed_name(call: Call, old: Observation, new: Observation) -> bool:
    return old.raised is not None and REMOVED in old.raised.message and new.has_result


def _is_array_of_none(call: Call, old: Observation, new: Observation) -> bool:
    is_loud = old.has_result and new.raised is not None and OF_OBJECTS in new.raised.message
    return is_loud and any(one[0] == "none" for one in _values(call))


def _is_complex_list(call: Call, old: Observation, new: Observation) -> bool:
    lists = [one for one in _values(call) if one[0] in ("list", "tuple")]
    is_complex = any(item[0] == "complex" for one in lists for item in one[1])
    return is_complex and old.raised is not None and new.has_result


def _is_division_of_items(call: Call, old: Observation, new: Observation) -> bool:
    """Tell whether only the old side raises for a division by zero, where lists hold numbers: a guard makes tensors."""
    lists = [one for one in _values(call) if one[0] in ("list", "tuple")]
    is_numeric = any(item[0] in ("int", "float") for one in lists for item in one[1])
    is_zero = old.raised is not None and (old.raised.name, old.raised.by) == ("ZeroDivisionError", "outside")
    return is_numeric and is_zero and new.has_result


KNOWN = (
    KnownDifference("no tensor holds Decimal or Fraction", _is_exact),
    KnownDifference("torch.arange of a negative number raises", _is_negative_range),
    KnownDifference("torch.stack of no tensors raises", _is_empty_stack),
    KnownDifference("a product of arrays of which no axes are known refuses numbers", _is_product_without_axes),
    KnownDifference("an array of None is one of objects, which has no methods of tensors", _is_array_of_none),
    KnownDifference("the old side names what NumPy has no more", _is_removed_name),
    KnownDifference("the truth of several elements is a RuntimeError in torch", _is_ambiguous),
    KnownDifference("complex numbers in a list are cast to real ones where NumPy raises", _is_complex_list),
    KnownDifference("numbers of a list that becomes a tensor are divided by zero as arrays are", _is_division_of_items),
)
SCALARS = "an array without axes is a number"
RECIPROCALS = "torch gives NaN where a pivot is subnormal"
TIES = "the order of ties in a sort of which no order is promised"
SUMMED = "what is left of a sum of equal numbers is zero, or not, by its rounding"
WRAPPED = "large integers that a guard makes float64 do not wrap around"
LARGE = 2.0**16
"""Integers beyond it may wrap around in what is computed of them."""
UNRAISED = "torch raises no FloatingPointError, as a note in the code says"


def find_difference(call: Call, old: Observation, new: Observation) -> str:
    """The known difference that a call shows, in words; empty where it shows none."""
    return next((one.text for one in KNOWN if one.is_met(call, old, new)), "")


def stand_ins(packed: PackedValues) -> Iterator[tuple[PackedValues, str, frozenset[str]]]:
    """Yield what the new side takes inputs for, by differences that are known, with their names.

    And the paths of a result that are of the inputs themselves.
    """
    if (scalars := as_scalars(packed)) is not None:
        yield scalars, SCALARS, frozenset()
    whole = [scale(leaf.values) for leaf in numbers_in(packed) if leaf.values.dtype.kind in "iu"]
    if max(whole, default=0.0) > LARGE and (floats := as_floats(packed)) is not None:
        yield floats, WRAPPED, frozenset({"argument"})


def _values(call: Call) -> Iterator[Encoded]:
    """All values of a call, and those within them."""
    waiting = list(call.packed.values)
    while waiting:
        value = waiting.pop()
        yield value
        waiting += [item for _, item in parts(value)]
