"""`numpy.vectorize`: a Python function of scalars, or of small arrays, over whole arrays."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import torch

from np2torch.shim._core import asarray
from np2torch.shim._errors import NoCounterpart
from np2torch.shim._layout import broadcast_shape
from np2torch.shim._numpy_fallback import called
from np2torch.shim._promotion import Tensor, as_dtype, promote
from np2torch.shim.dtypes import scalar_type
from np2torch.shim.interop import from_numpy, to_numpy

Core = list[tuple[str, ...]]

_ARGUMENT = r"\((?:\w+(?:,\w+)*)?\)"
_SIGNATURE = re.compile(rf"{_ARGUMENT}(?:,{_ARGUMENT})*->{_ARGUMENT}(?:,{_ARGUMENT})*")


def _parsed(signature: str) -> tuple[Core, Core]:
    text = re.sub(r"\s+", "", signature)
    if not _SIGNATURE.fullmatch(text):
        raise ValueError(f"not a valid gufunc signature: {signature}")
    left, right = (
        [tuple(re.findall(r"\w+", argument)) for argument in re.findall(_ARGUMENT, side)] for side in text.split("->")
    )
    return left, right


class vectorize:
    """A function of scalars as a function of arrays, called once per element, and once more to find the dtype.

    The function sees 0-D tensors, which it may change without harm. As in NumPy the dtype of the result is that of the
    first value unless `otypes` says otherwise.
    """

    def __init__(
        self,
        pyfunc: Callable[..., Any] | None = None,
        otypes: str | Iterable[Any] | None = None,
        doc: str | None = None,
        excluded: Iterable[int | str] | None = None,
        cache: bool = False,
        signature: str | None = None,
    ) -> None:
        self.otypes = otypes
        self.excluded, self.cache, self.signature = set(excluded or ()), cache, signature
        self._core = _parsed(signature) if signature is not None else None
        self.doc = doc
        if (pyfunc := scalar_type(pyfunc)) is not None:
            if not callable(pyfunc):
                raise TypeError("When used as a decorator, only accepts keyword arguments.")
            self._adopt(pyfunc)

    @property
    def otypes(self) -> Any:
        """The dtypes of the results, or None; they may be set at any time, in any spelling."""
        return self._otypes

    @otypes.setter
    def otypes(self, otypes: str | Iterable[Any] | None) -> None:
        self._refused: NoCounterpart | None = None
        codes = None if otypes is None else [*otypes]
        try:
            self._otypes = None if codes is None else [as_dtype(code) for code in codes]
        except NoCounterpart as error:
            self._otypes, self._refused = codes, error

    def _on_numpy(self, args: Sequence[Any], kwargs: dict[str, Any], error: NoCounterpart) -> Any:
        """NumPy's own over what no torch dtype holds."""
        said = {"otypes": self.otypes, "excluded": self.excluded, "cache": self.cache, "signature": self.signature}
        over = called(vectorize, error, [self.pyfunc], said)
        return from_numpy(over(*to_numpy(args), **to_numpy(kwargs)))

    def _adopt(self, pyfunc: Callable[..., Any]) -> None:
        self.pyfunc = pyfunc
        functools.update_wrapper(self, pyfunc)
        self.__doc__ = self.doc or pyfunc.__doc__

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The function over all elements of the broadcast arguments."""
        if not hasattr(self, "pyfunc"):  # a decorator with arguments
            self._adopt(args[0])
            return self
        if self._refused is not None:
            return self._on_numpy(args, kwargs, self._refused)
        names = [name for name in kwargs if name not in self.excluded]
        places = [at for at in range(len(args)) if at not in self.excluded]
        try:
            arrays = [asarray(args[at]) for at in places] + [asarray(kwargs[name]) for name in names]
        except NoCounterpart as error:
            return self._on_numpy(args, kwargs, error)

        def call(*values: Tensor) -> Any:
            given, named = list(args), dict(kwargs)
            for at, value in zip(places, values, strict=False):
                given[at] = value
            named.update(zip(names, values[len(places) :], strict=True))
            return self.pyfunc(*given, **named)

        if not arrays:
            return self.pyfunc(*args, **kwargs)
        return self._over_cores(call, arrays) if self._core else self._over_elements(call, arrays)

    def _over_elements(self, call: Callable[..., Any], arrays: list[Tensor]) -> Any:
        shape = broadcast_shape(*(x.shape for x in arrays))
        scalars = list(zip(*(x.expand(shape).clone().reshape(-1) for x in arrays), strict=True))
        if not scalars and self.otypes is None:
            raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
        rows: list[Any] = []
        if self.otypes is None:  # NumPy calls once to look at the result, and keeps that call only with `cache`
            first = call(*(x.clone() for x in scalars[0]))
            rows = [first] if self.cache else []
        rows += [call(*row) for row in scalars[len(rows) :]]
        many = len(self.otypes) > 1 if self.otypes is not None else isinstance(rows[0], tuple)
        width = len(self.otypes) if self.otypes is not None else len(rows[0]) if many else 1
        columns = list(zip(*rows, strict=True)) if many and rows else [rows] * width
        found = tuple(self._column(column, at).reshape(shape) for at, column in enumerate(columns))
        return found if many else found[0]

    def _column(self, values: Any, at: int) -> Tensor:
        tensors = [asarray(value) for value in values]
        dtype = self.otypes[at] if self.otypes is not None else None
        target = dtype or tensors[0].dtype
        return torch.stack([x.to(target) for x in tensors]) if tensors else torch.empty(0, dtype=target)

    def _over_cores(self, call: Callable[..., Any], arrays: list[Tensor]) -> Any:
        assert self._core is not None
        inputs, outputs = self._core
        sizes = _core_sizes(inputs, arrays)
        shape = broadcast_shape(*(x.shape[: x.ndim - len(core)] for x, core in zip(arrays, inputs, strict=True)))
        wide = [x.expand(shape + tuple(x.shape[x.ndim - len(core) :])) for x, core in zip(arrays, inputs, strict=True)]
        rows = []
        for index in itertools.product(*map(range, shape)):
            result = call(*(x[index] for x in wide))
            rows.append([asarray(x) for x in (result if len(outputs) > 1 else (result,))])
            for x, core in zip(rows[-1], outputs, strict=True):
                _match(sizes, core, tuple(x.shape))
        if not rows and (self.otypes is None or any(name not in sizes for core in outputs for name in core)):
            raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
        found = []
        for at, core in enumerate(outputs):
            whole = shape + tuple(sizes[name] for name in core)
            otype = self.otypes[at] if self.otypes is not None else None
            found.append(_stacked([row[at] for row in rows], whole, otype))
        return tuple(found) if len(found) > 1 else found[0]


def _match(sizes: dict[str, int], core: tuple[str, ...], shape: tuple[int, ...]) -> None:
    if len(core) != len(shape):
        raise ValueError(f"inconsistent number of core dimensions: {core} with shape {shape}")
    for name, size in zip(core, shape, strict=True):
        if sizes.setdefault(name, size) != size:
            raise ValueError(f"inconsistent size for core dimension {name!r}: {size} vs {sizes[name]}")


def _core_sizes(inputs: Sequence[tuple[str, ...]], arrays: list[Tensor]) -> dict[str, int]:
    """The lengths of the core dimensions, by name."""
    if len(arrays) != len(inputs):
        raise TypeError(f"wrong number of positional arguments: expected {len(inputs)}, got {len(arrays)}")
    sizes: dict[str, int] = {}
    for x, core in zip(arrays, inputs, strict=True):
        if x.ndim < len(core):
            raise ValueError(
                f"{x.ndim}-dimensional argument does not have enough dimensions for all core dimensions {core}"
            )
        _match(sizes, core, tuple(x.shape[x.ndim - len(core) :]))
    return sizes


def _stacked(column: list[Tensor], shape: tuple[int, ...], otype: torch.dtype | None) -> Tensor:
    """Stack one result of all calls into an array."""
    dtype = otype or promote(*{x.dtype for x in column[:1]})
    return torch.stack([x.to(dtype) for x in column]).reshape(shape) if column else torch.empty(shape, dtype=dtype)
