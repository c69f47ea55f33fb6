"""Guards for special arguments: None stays as it is, functions become functions whose results are guarded."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any

import torch

from np2torch.shim._guard_tests import Arrays, is_among
from np2torch.shim._promotion import Tensor
from np2torch.shim._transforms import in_transform

Guard = Callable[..., Any]


def around_none(guard: Guard, arrays: Arrays, ndim: Any, gives_tuple: bool, **options: Any) -> Any:
    """The guard of the other arguments, where some are None: they stay that."""
    return _around(guard, arrays, [x is None for x in arrays], ndim, gives_tuple, options)


def around_functions(guard: Guard, arrays: Arrays, results: Any, ndim: Any, **options: Any) -> Any:
    """The guard of the other arguments, where some are functions: they become functions whose results it sees to.

    A result is looked at beside the other arguments, and beside the first tensor that one of the functions gave.
    """
    functions = results if isinstance(results, tuple) else (results,)
    are_functions = [is_among(x, functions) and callable(x) for x in arrays]
    given = _around(guard, arrays, are_functions, ndim, True, options)
    beside = [x for x, is_function in zip(given, are_functions, strict=True) if not is_function]
    axes = ndim if isinstance(ndim, tuple) else (ndim,) * len(arrays)
    of_others = [one for one, is_function in zip(axes, are_functions, strict=True) if not is_function]
    found = tuple(
        GuardedFunction(guard, x, beside, (one, *of_others), options) if is_function else x
        for x, one, is_function in zip(given, axes, are_functions, strict=True)
    )
    return found if len(found) > 1 else found[0]


def _around(
    guard: Guard, arrays: Arrays, apart: list[bool], ndim: Any, gives_tuple: bool, options: dict[str, Any]
) -> Any:
    """The arguments behind a guard, but for those that are taken apart: they stay what they are."""
    taken = [at for at, is_apart in enumerate(apart) if not is_apart]
    found: list[Any] = list(arrays)
    if taken:
        axes = tuple(ndim[at] for at in taken) if isinstance(ndim, tuple) else ndim
        given = guard(*(arrays[at] for at in taken), ndim=axes, **options)
        for at, x in zip(taken, given if isinstance(given, tuple) else (given,), strict=True):
            found[at] = x
    return tuple(found) if len(arrays) > 1 or gives_tuple else found[0]


class GuardedFunction:
    """A function whose results a guard has seen to."""

    __np2torch_guarded__ = True

    def __init__(
        self, guard: Guard, function: Callable[..., Any], beside: list[Any], axes: tuple[Any, ...],
        options: dict[str, Any],
    ) -> None:  # fmt: skip
        update_wrapper(self, function)
        self._guard, self._function, self._beside, self._axes, self._options = guard, function, beside, axes, options
        self._taken: set[tuple[torch.dtype, int]] = set()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function and guard its result."""
        result = self._function(*args, **kwargs)
        if type(result) is Tensor and (result.dtype, result.ndim) in self._taken:
            return result
        options = {name: self._of_result(option, result) for name, option in self._options.items()}
        beside = self._beside
        axes = (*self._axes, *[None] * (1 + len(beside) - len(self._axes)))
        try:
            given = self._guard(result, *beside, ndim=axes, **options)
        except TypeError as error:
            name = getattr(self._function, "__name__", "the function")
            raise TypeError(f"{error} (argument 1 is what {name} gave)") from None
        found = given[0] if beside else given
        if not isinstance(found, Tensor):
            return found
        if not any(isinstance(x, Tensor) for x in beside):
            beside.append(found.new_empty(0))
        elif found is result and not in_transform():  # so are all of that dtype and that many axes
            self._taken.add((found.dtype, found.ndim))
        return found

    def _of_result(self, option: Any, result: Any) -> Any:
        """An option that speaks of the function speaks of its result."""
        if isinstance(option, tuple):
            return tuple(result if one is self._function else one for one in option)
        return result if option is self._function else option
