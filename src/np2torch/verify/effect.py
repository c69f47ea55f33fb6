"""Calls for which the numbers in arrays make no difference: no bug in what is computed of these shows in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from np2torch.verify.calls import Call, Observation
from np2torch.verify.drawn_values import Inputs, copy_of
from np2torch.verify.judge import Values, leaves, numbers_in
from np2torch.verify.target import Target

Key = TypeVar("Key")


def with_other_numbers(inputs: Inputs) -> Inputs | None:
    """The same with other numbers in each array; None where there is no number in any."""
    values = list(map(_with_others, inputs.values))
    is_changed = any(one is not other for one, other in zip(values, inputs.values, strict=True))
    return inputs._replace(values=tuple(map(copy_of, values))) if is_changed else None


def _with_others(value: Any) -> Any:
    if not isinstance(value, np.ndarray) or value.dtype.kind not in "iufc" or not value.size:
        return value
    with np.errstate(all="ignore"):
        return (2 * value + 1).astype(value.dtype)


def without_effect(
    answered: Mapping[Key, Inputs], target: Target, run: Callable[[list[Call]], list[Observation]]
) -> set[Key]:  # fmt: skip
    """Find the calls whose result stays what it is with other numbers in all arrays, or that have none.

    Parameters
    ----------
    answered
        Calls that have a result.
    """
    changed = {key: with_other_numbers(one) for key, one in answered.items()}
    both = {
        key: (own, other)
        for key, one in changed.items()
        if one is not None
        and (own := target.call(answered[key])) is not None
        and (other := target.call(one)) is not None
    }
    seen = iter(run([call for pair in both.values() for call in pair]))
    told = zip(both.items(), seen, seen, strict=True)
    alike = {key for (key, calls), one, other in told if _have_same_numbers(calls, one, other)}
    return alike | {key for key, one in changed.items() if one is None}


def _have_same_numbers(calls: tuple[Call, Call], one: Observation, other: Observation) -> bool:
    """Tell whether two calls give the same numbers, but for those that they were given, and some of these."""
    if one.values is None or other.values is None:
        return False
    own, others = (
        {path: leaf.values for path, leaf in leaves(values) if path.startswith("[")}
        for values in (one.values, other.values)
    )
    if not own or own.keys() != others.keys():
        return False
    passed, others_passed = ([leaf.values for leaf in numbers_in(call.packed)] for call in calls)
    return all(
        _are_same(own[path], others[path]) or _is_among(own[path], passed) and _is_among(others[path], others_passed)
        for path in own
    )


def _is_among(one: Values, given: Sequence[Values]) -> bool:
    """Tell whether a result is what the call was given, with nothing computed."""
    return any(_are_same(one, other) for other in given)


def _are_same(one: Values, other: Values) -> bool:
    has_nan = one.dtype.kind in "fc" and other.dtype.kind in "fc"
    return one.dtype == other.dtype and np.array_equal(one, other, equal_nan=has_nan)
