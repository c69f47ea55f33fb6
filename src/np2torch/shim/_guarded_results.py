"""Guards for special arguments: None and objects stay what they are, functions get guarded results."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any

import torch

from np2torch.shim._guard_tests import Arrays, is_among
from np2torch.shim._promotion import Tensor
from np2torch.shim._transforms import in_transform
from np2torch.shim.callables import function

Guard = Callable[..., Any]
OF_OTHERS = {"numbers": None, "lists": True, "copy": True, "ndim": None}
"""What the options that may have an item for each argument say of a tensor beside these."""


def around_functions(guard: Guard, arrays: Arrays, results: Any, **options: Any) -> Any:
    """The guard of the other arguments, where some are functions: they become functions whose results it sees to.

    A result is looked at beside the other arguments, and beside the first tensor that one of the functions gave. A
    function of NumPy's is the shim's.
    """
    functions = results if isinstance(results, tuple) else (results,)
    are_functions = [is_among(x, functions) and callable(x) for x in arrays]
    given = around_some(guard, arrays, are_functions, True, **options)
    others = [at for at, is_function in enumerate(are_functions) if not is_function]
    beside = [given[at] for at in others]
    options["ndim"] = options["ndim"] if isinstance(options["ndim"], tuple) else (options["ndim"],) * len(arrays)
    is_compiling = torch.compiler.is_compiling()
    found = tuple(
        GuardedFunction(guard, x if is_compiling else function(x), beside, _of_some(options, [at, *others]))
        if is_function
        else x
        for at, (x, is_function) in enumerate(zip(given, are_functions, strict=True))
    )
    return found if len(found) > 1 else found[0]


def around_some(guard: Guard, arrays: Arrays, apart: list[bool], gives_tuple: bool, **options: Any) -> Any:
    """The arguments behind a guard, but for those that are taken apart: they stay what they are."""
    taken = [at for at, is_apart in enumerate(apart) if not is_apart]
    found: list[Any] = list(arrays)
    if taken:
        given = guard(*(arrays[at] for at in taken), **_of_some(options, taken))
        for at, x in zip(taken, given if isinstance(given, tuple) else (given,), strict=True):
            found[at] = x
    return tuple(found) if len(arrays) > 1 or gives_tuple else found[0]


def _of_some(options: dict[str, Any], places: list[int]) -> dict[str, Any]:
    """The options for the arguments at these places."""
    return {
        name: tuple(option[at] for at in places) if isinstance(option, tuple) else option
        for name, option in options.items()
    }


class GuardedFunction:
    """A function whose results a guard has seen to."""

    __np2torch_guarded__ = True

    def __init__(self, guard: Guard, function: Callable[..., Any], beside: list[Any], options: dict[str, Any]) -> None:
        update_wrapper(self, function)
        self._guard, self._function, self._beside, self._options = guard, function, beside, options
        self._taken: set[tuple[torch.dtype, int]] = set()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function and guard its result."""
        result = self._function(*args, **kwargs)
        if type(result) is Tensor and (result.dtype, result.ndim) in self._taken:
            return result
        beside = self._beside
        try:
            given = self._guard(result, *beside, **self._of_each())
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

    def _of_each(self) -> dict[str, Any]:
        """Give the options with an item for each tensor that is beside by now: the functions of a guard share these."""
        count = 1 + len(self._beside)
        return {
            name: (*option, *[OF_OTHERS[name]] * (count - len(option))) if isinstance(option, tuple) else option
            for name, option in self._options.items()
        }
