"""The mechanism of the universal functions: one class, its calls and its methods.

A ufunc is a torch kernel plus NumPy's loops for it. A call promotes the operands (Python numbers being weak),
takes the first loop that holds the common dtype, casts every operand to it and runs the kernel on tensors of
that one dtype: torch's own promotion, where 0-D tensors are weak, never has a say.

uint16, uint32 and uint64, for which torch has few kernels, run in int64. That is exact but for uint64 values from
2**63 on, which kernels marked `wraps` take, and those that only compare; the others refuse them with a TypeError.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import torch

from np2torch.shim._axes import along, keep, reduced_axes
from np2torch.shim._casting import castable, check_casting, store
from np2torch.shim._core import as_axis, as_operand, asarray, axes_of, beside, destination, device_of, unanswered
from np2torch.shim._errors import NoCounterpart, wrong
from np2torch.shim._index_arguments import index_of, is_negative_zero, mask_of, rounds
from np2torch.shim._layout import apart, checked, movable
from np2torch.shim._mixed_operands import learned, mixed
from np2torch.shim._numpy_fallback import called, hash_of, meant
from np2torch.shim._promotion import (
    FLOAT32,
    FLOAT64,
    INT64,
    PYTHON_DTYPES,
    UNSIGNED,
    Number,
    Tensor,
    as_dtype,
    kind,
    result_dtype,
)  # fmt: skip
from np2torch.shim._signatures import asked_loop, by_name, call_signature, own_method
from np2torch.shim._stacking import has_it, of_numbers_alone
from np2torch.shim._subclass_calls import of_ufunc
from np2torch.shim._subclass_propagation import Derived, holds
from np2torch.shim._type_resolution import (
    WIDE_UNSIGNED,
    Dtypes,
    Operands,
    Resolver,
    as_tensors,
    by_promotion,
    first_loop,
    is_weak_beside,
    same_shape,
)  # fmt: skip
from np2torch.shim._wide_unsigned import ORDERS, from_int64, in_int64

Returns: TypeAlias = Callable[[torch.dtype], torch.dtype]
NO_VALUE: Any = object()
WIDER = {FLOAT32: torch.complex64, FLOAT64: torch.complex128}


class UFunc:
    """A universal function on tensors, with NumPy's keywords and methods.

    Parameters
    ----------
    name, nin, identity
        As NumPy's attributes.
    kernel
        The computation, on tensors that all have the dtype of the loop.
    loops
        The dtypes there are loops for, narrowest first.
    returns
        The result dtype as a function of the loop, by default the loop itself; a tuple for several results.
    resolve
        How operands find their loop.
    fold, scan
        Fast forms of `reduce` and `accumulate` over one axis.
    scatter
        A fast form of `at` on a flat tensor: (tensor, places, values); None where it cannot.
    reorderable
        Whether `reduce` may combine elements in any order; by default if there is an identity.
    widens
        Whether `reduce` and `accumulate` work on small integers in 64 bits.
    wraps
        Whether the kernel is right modulo 2**64 (so that uint64 may run in int64).
    whole
        torch's own reduction over one axis or all, and the dtypes for which it is NumPy's.
    scalars
        Whether the torch function takes a Python number as its second operand.
    numbers
        Where it does not take all, those for which both have the same short cut.
    """

    signature = None

    def __init__(
        self,
        name: str,
        nin: int,
        kernel: Callable[..., Any],
        loops: Dtypes,
        *,
        returns: Returns | tuple[Returns, ...] | None = None,
        resolve: Resolver = by_promotion,
        identity: Number | None = None,
        fold: Callable[[Tensor, int], Tensor] | None = None,
        scan: Callable[[Tensor, int], Tensor] | None = None,
        scatter: Callable[[Tensor, Tensor, Tensor], Tensor | None] | None = None,
        reorderable: bool = False,
        widens: bool = False,
        wraps: bool = False,
        whole: tuple[Callable[..., Tensor], Dtypes] | None = None,
        scalars: bool = False,
        numbers: tuple[float, ...] = (),
    ) -> None:
        self.__name__ = self.__qualname__ = name
        self.__doc__ = f"`numpy.{name}` on tensors, with NumPy's promotion, keywords and methods."
        self.nin, self.kernel, self.loops, self.identity = nin, kernel, loops, identity
        self.returns = returns if isinstance(returns, tuple) else (returns or (lambda dtype: dtype),)
        self.nout = len(self.returns)
        self.nargs = nin + self.nout
        self.resolve, self.fold, self.scan, self.scatter = resolve, fold, scan, scatter
        self.reorderable = reorderable or identity is not None
        self.widens, self.wraps = widens, wraps
        self.whole, self.scalars, self._numbers = whole, scalars, numbers
        self.direct: dict[torch.dtype, Callable[..., Tensor] | None] = {}
        self.mixed: dict[tuple[Any, Any], tuple[torch.dtype, Callable[..., Tensor]] | None] = {}

    def __eq__(self, other: object) -> bool:
        """Compare equal to NumPy's ufunc of the name: code that lists ufuncs meets both."""
        return self is other or type(other).__name__ == "ufunc" and getattr(other, "__name__", "") == self.__name__

    def __hash__(self) -> int:
        return hash_of(self.__name__)

    def __reduce__(self) -> tuple[Callable[[str], Any], tuple[str]]:
        """By its name, as NumPy's: ufuncs are handed to other processes."""
        return by_name, (self.__name__,)

    def __repr__(self) -> str:
        return f"<ufunc '{self.__name__}'>"

    # --------------------------------------------------------------------------------------------- a call
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not kwargs and len(args) == self.nin:
            if (found := self._fast(*args)) is not None:
                return found
        try:
            return self._in_full(*args, **kwargs)
        except TypeError as error:
            if not self.nin <= len(args) <= self.nargs:  # who tells such a call from an error inside asks for frames
                error.__traceback__ = None
            raise  # which adds no frame

    def _in_full(
        self, *args: Any, out: Any = None, where: Any = True, casting: str = "same_kind", order: str = "K",
        dtype: Any = None, subok: bool = True, signature: Any = None, **other: Any,
    ) -> Any:  # fmt: skip
        plain = out is None and where is True and dtype is None and signature is None and not other
        if any(isinstance(x, Derived) for x in args) or isinstance(out, (tuple, Derived)) and holds(out):
            other |= {"out": out, "where": where, "casting": casting, "dtype": dtype, "signature": signature}
            return of_ufunc(self, "__call__", args, other)
        out = self._outputs(args, out)
        check_casting(casting)
        try:
            asked = None if plain else asked_loop(self, dtype, signature, **other)
            device = device_of(*args[: self.nin])
            operands = [as_operand(x, device) for x in args[: self.nin]]
            outs = out if isinstance(out, tuple) else (out,)
            operands = [apart(x) if any(x is o for o in outs) else x for x in operands]  # type: ignore[arg-type]
        except NoCounterpart as error:
            said = meant(out=out, where=where, dtype=dtype, signature=signature, **other)
            return self._of_objects(error, args, out is None and where is True, said)
        results = self._run(self._cast(operands, asked, casting))
        if out is not None or where is not True:
            results = self._store_all(out, results, where, casting)
        return results[0] if self.nout == 1 else results

    def _outputs(self, args: tuple[Any, ...], out: Any) -> Any:
        """Give the arrays for results, by position or by keyword; what is passed beyond that raises."""
        if not self.nin <= len(args) <= self.nargs:
            takes = f"from {self.nin} to {self.nargs} positional arguments but {len(args)} were given"
            raise TypeError(f"{self.__name__}() takes {takes}")
        if any(x is Ellipsis for x in args[self.nin :]):
            raise TypeError("out=... is only allowed as a keyword argument.")
        return None if out is Ellipsis else args[self.nin :] if len(args) > self.nin else out

    def _of_objects(self, error: NoCounterpart, args: tuple[Any, ...], is_plain: bool, said: dict[str, Any]) -> Any:
        """Call an object's own method of the name, or NumPy's ufunc."""
        own = own_method(self.__name__, args[0])
        if self.nin == 1 and is_plain and own is not None:
            return own()
        return called(self, error, args[: self.nin], said)

    def _store_all(self, out: Any, results: Sequence[Tensor], where: Any, casting: str) -> tuple[Tensor, ...]:
        outs = out if isinstance(out, tuple) else (out,)
        outs += (None,) * (self.nout - len(outs))
        return tuple(self._store(o, r, where, casting) for o, r in zip(outs, results, strict=True))

    def __getattr__(self, name: str) -> Any:
        if name == "__signature__":
            return call_signature(self.nin, self.nout)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _fast(self, x: Any, y: Any = None) -> Tensor | None:
        """The result for tensors of one dtype that the kernel takes as they are; None sends the call the long way.

        So does an error: the long way says what NumPy would.
        """
        if type(x) is not Tensor:
            if type(y) is Tensor:
                if not is_weak_beside(x, y.dtype):
                    return mixed(self, x, y) if type(x) in PYTHON_DTYPES else None
                x = y.new_full((), x)
            elif type(x) is float or self.nin == 1 and is_weak_beside(x, INT64):
                x = asarray(x)
            else:
                return None
        dtype = x.dtype
        try:
            kernel = self.direct[dtype]
        except KeyError:
            kernel = learned(self, dtype)
        try:
            if kernel is None:
                return mixed(self, x, y) if self.nin == 2 else None
            if type(y) is Tensor:
                return kernel(x, y) if y.dtype is dtype else mixed(self, x, y)
            if self.nin == 1:
                found = kernel(x)
                return found if found is not x else None
            if is_weak_beside(y, dtype):
                plain = self.scalars or y in self._numbers and dtype.is_floating_point
                return kernel(x, y if plain else x.new_full((), y))
            return mixed(self, x, y)
        except RuntimeError:
            return None

    def _cast(self, operands: Operands, dtype: torch.dtype | None, casting: str) -> list[Tensor]:
        """The operands in the dtype of the loop, which `dtype` may choose."""
        loop: torch.dtype | None
        if dtype is None:
            operands, loop = self.resolve(self.loops, operands)
        else:  # of a complex number the loop whose result has that dtype, as that of `absolute`
            found = [result_dtype(x) for x in operands]
            wide = WIDER.get(dtype) if any(one.is_complex for one in found) else None
            suits = wide in self.loops and self.returns[0](wide) is dtype and all(castable(one, wide) for one in found)
            loop = wide if suits else dtype
        if loop is None:
            raise self._no_loop(operands)
        for i, x in enumerate(operands):
            weak = not isinstance(x, Tensor)
            was = result_dtype(x)
            strict = not weak or casting == "equiv"
            if not (castable(was, loop, casting) if strict else kind(was) <= kind(loop) or casting == "unsafe"):
                names = f"dtype('{str(was)[6:]}') to dtype('{str(loop)[6:]}')"
                raise TypeError(
                    f"Cannot cast ufunc '{self.__name__}' input {i} from {names} with casting rule '{casting}'"
                )
        return as_tensors(operands, [loop] * len(operands))

    def _run(self, tensors: list[Tensor]) -> tuple[Tensor, ...]:
        """The kernel on tensors of one dtype; the results have the dtypes of the loop and alias no operand."""
        loop, orders = tensors[0].dtype, self.__name__ in ORDERS
        same_shape(tensors)
        given = in_int64(tensors, orders)
        if loop is torch.uint64 and not (self.wraps or orders):
            said = f"torch cannot compute {self.__name__} of uint64 values from 2**63 on"
            if any(wrong(x < 0, said) for x in given):
                raise TypeError(said)
        results = self.kernel(*given)
        final = []
        for result, returns in zip(results if isinstance(results, tuple) else (results,), self.returns, strict=True):
            result = from_int64(result, loop, orders).to(returns(loop))
            final.append(result.clone() if any(result is x for x in tensors) else result)
        return tuple(final)

    def _store(self, out: Any, result: Tensor, where: Any, casting: str) -> Tensor:
        if out is None:
            return result if where is True else result.expand(same_shape([result, mask_of(where, result)])).clone()
        out = destination(out)
        if where is not True and castable(result.dtype, out.dtype, casting):
            result = torch.where(mask_of(where, out), result.to(out.dtype), out)
        return store(out, result, casting, self.__name__)

    def _no_loop(self, operands: Operands) -> TypeError:
        types = ", ".join(str(result_dtype(x))[6:] for x in operands)
        return TypeError(f"ufunc '{self.__name__}' did not contain a loop for the input types ({types})")

    # ------------------------------------------------------------------------------------------- methods
    def _combining(self, a: Tensor, dtype: Any, method: str) -> Tensor:
        """`a` in the dtype in which the function combines its own results."""
        if self.nin != 2:
            raise ValueError(f"{method} only supported for binary functions")
        if self.nout != 1:
            raise ValueError(f"{method} only supported for functions returning a single value")
        loop = as_dtype(dtype)
        if loop is None and self.widens and kind(a.dtype) < 2:
            loop = torch.uint64 if a.dtype in UNSIGNED else INT64
        elif loop is None:
            _, loop = self.resolve(self.loops, [a, a])
        if loop is None or not (first_loop(self.loops, loop) is loop is self.returns[0](loop)):
            raise self._no_loop([a, a])
        return a.to(loop)

    def _mask(self, where: Any, a: Tensor, first: Tensor | None) -> Tensor:
        """Give the mask of a reduction the shape of the array."""
        mask = mask_of(where, a).to(a.device)
        if first is None:
            said = "does not have an identity, so to use a where mask one has to specify 'initial'"
            raise ValueError(f"reduction operation '{self.__name__}' {said}")
        if mask.ndim > a.ndim:
            raise ValueError("input operand has more dimensions than allowed by the axis remapping")
        if same_shape([a, mask]) != a.shape:
            raise ValueError(f"non-broadcastable operand with shape {tuple(a.shape)} beside a wider mask")
        return mask.expand(a.shape)

    def reduce(
        self,
        array: Any,
        axis: Any = 0,
        dtype: Any = None,
        out: Any = None,
        keepdims: bool = False,
        initial: Any = NO_VALUE,
        where: Any = True,
    ) -> Tensor:
        """Combine the elements along the axes."""
        array = array if type(array) is Tensor else of_numbers_alone(array)
        plain = (dtype is None or has_it(array, dtype)) and out is None and initial is NO_VALUE and where is True
        if plain and type(array) is Tensor and self.whole is not None and array.dtype in self.whole[1]:
            try:
                if axis is None and not keepdims:
                    return self.whole[0](array)
                if type(axis) is int or type(axis) is tuple and axis and array.ndim:
                    return self.whole[0](array, axis, True) if keepdims else self.whole[0](array, axis)
            except (RuntimeError, IndexError, TypeError):  # the long way says what NumPy would
                pass
        if holds(array) or holds(out):
            return of_ufunc(self, "reduce", (array, axis, dtype, out, keepdims, initial, where), {})
        return self._reduce_in_full(array, axis, dtype, out, keepdims, initial, where)

    def _reduce_in_full(
        self, array: Any, axis: Any, dtype: Any, out: Any, keepdims: bool, initial: Any, where: Any
    ) -> Tensor:
        try:
            a = asarray(unanswered(array))
        except NoCounterpart as error:
            asked = meant(dtype=dtype, out=out, keepdims=keepdims or None, initial=initial, where=where)
            kept: Tensor = called(self, error, (array,), {"axis": axis} | asked, "reduce")
            return kept
        axes = reduced_axes(axis, a.ndim)
        a = self._combining(a, dtype, "reduce")
        if len(axes) > 1 and not self.reorderable:
            said = "is not reorderable, so at most one axis may be specified"
            raise ValueError(f"reduction operation '{self.__name__}' {said}")
        start = self.identity if initial is NO_VALUE else initial
        if type(initial) in PYTHON_DTYPES:
            checked(initial, a.dtype)
        first = None if start is None else asarray(start, None, a.device).to(a)
        mask = None if where is True else self._mask(where, a, first)
        empty = not all(a.shape[at] for at in axes)
        result = self._fold(a, axes, first, mask, first if empty else None)
        result = keep(result, a.shape, axes, keepdims)
        if first is not None and not empty and self.reorderable and (initial is not NO_VALUE or self.fold is None):
            result = self._run([result, first.expand(result.shape)])[0]
        return self._give(out, result)

    def _give(self, out: Any, result: Tensor) -> Tensor:
        if out is None or out is Ellipsis:
            return result
        out = destination(*out if isinstance(out, tuple) else (out,))
        if tuple(out.shape) != result.shape:
            shapes = f"{tuple(out.shape)} does not match that of the reduction, {tuple(result.shape)}"
            raise ValueError(f"output operand with shape {shapes}")
        return self._store(out, result, True, "same_kind")

    def _fold(
        self, a: Tensor, axes: tuple[int, ...], first: Tensor | None, mask: Tensor | None, neutral: Tensor | None = None
    ) -> Tensor:
        """Fold the axes; elements that `mask` leaves out do not take part, `neutral` is what nothing gives."""
        if mask is not None and self.reorderable:
            left_out = first if self.identity is None else asarray(self.identity, a.dtype, a.device)
            a, mask = torch.where(mask, a, left_out), None  # type: ignore[arg-type]
        flat, dim = along(a, axes)
        if not flat.shape[dim]:
            shape = flat.shape[:dim] + flat.shape[dim + 1 :]
            if neutral is None:
                raise ValueError(f"zero-size array to reduction operation {self.__name__} which has no identity")
            return neutral.expand(shape).clone()
        if self.fold is not None and self._native(a.dtype) and not (first is not None and is_negative_zero(first)):
            return self.fold(flat.to(INT64) if a.dtype in WIDE_UNSIGNED else flat, dim).to(a.dtype)
        if self.reorderable:
            return self._tree(flat.movedim(dim, -1))
        steps = list(flat.unbind(dim))
        takes = None if mask is None else along(mask, axes)[0].unbind(dim)
        total = steps.pop(0) if first is None else first.expand(steps[0].shape)
        for i, step in enumerate(steps):
            combined = self._run([total, step])[0]
            total = combined if takes is None else torch.where(takes[i], combined, total)
        return total.clone()

    def _native(self, dtype: torch.dtype) -> bool:
        """Tell whether `fold` and `scan` can run on a dtype: wide unsigned integers only if int64 is right for them."""
        return dtype not in WIDE_UNSIGNED or self.wraps

    def _tree(self, x: Tensor) -> Tensor:
        """Combine the last axis by halves: log2(n) calls of the kernel."""
        while (n := x.shape[-1]) > 1:
            half = n // 2
            y = self._run([x[..., :half], x[..., half : 2 * half]])[0]
            x = torch.cat([y, x[..., -1:]], -1) if n % 2 else y
        return x[..., 0].clone()

    def accumulate(self, array: Any, axis: int = 0, dtype: Any = None, out: Any = None) -> Tensor:
        """The results of `reduce` over every prefix of the axis."""
        if dtype is None and out is None and type(array) is Tensor and type(axis) is int and array.numel():
            if self.scan is not None and self.whole is not None and array.dtype in self.whole[1]:
                if -array.ndim <= axis < array.ndim:
                    return self.scan(array, axis)
        if holds(array) or holds(out):
            return of_ufunc(self, "accumulate", (array, axis, dtype, out), {})
        a = asarray(unanswered(array))
        if a.ndim == 0:
            raise TypeError("cannot accumulate on a scalar")
        (dim,) = axes_of(as_axis(axis), a.ndim)
        a = self._combining(a, dtype, "accumulate")
        if not a.shape[dim]:
            result = a.clone()
        elif self.scan is not None and self._native(a.dtype):
            result = self.scan(a.to(INT64) if a.dtype in WIDE_UNSIGNED else a, dim).to(a.dtype)
        else:
            first, *steps = a.unbind(dim)
            totals = [first]
            for step in steps:
                totals.append(self._run([totals[-1], step])[0])
            result = torch.stack(totals, dim)
        return self._give(out, result)

    def outer(self, A: Any, B: Any, /, **kwargs: Any) -> Any:
        """The function of every pair of an element of `A` and an element of `B`."""
        if self.nin != 2:
            raise ValueError("outer product only supported for binary functions")
        if holds(A) or holds(B):
            return of_ufunc(self, "outer", (A, B), kwargs)
        device = device_of(A, B)
        a, b = as_operand(A, device), as_operand(B, device)
        if isinstance(a, Tensor) and isinstance(b, Tensor):
            a = a.reshape(tuple(a.shape) + (1,) * b.ndim)
        return self(a, b, **kwargs)

    def at(self, a: Tensor, indices: Any, b: Any = NO_VALUE, /) -> None:
        """Apply in place at the indices, once for every time an element is named.

        Repeated elements take turns: the k-th mention of each goes in round k.
        """
        if self.nout != 1:
            raise ValueError("Only single output ufuncs supported at this time")
        a = destination(a)
        operands = [] if b is NO_VALUE else [as_operand(b, a.device)]
        if len(operands) + 1 != self.nin:
            raise ValueError(
                "second operand needed for ufunc" if self.nin == 2 else "second operand provided for unary ufunc"
            )
        places = torch.arange(a.numel(), device=a.device).reshape(a.shape)[index_of(indices, a.device)]
        flat = a.reshape(-1)  # a view where `a` is contiguous; copied back below where it is not
        values = [beside(x, a).broadcast_to(places.shape).reshape(-1) for x in operands]
        _, loop = self.resolve(self.loops, [a, *operands])
        if loop is None:
            raise self._no_loop([a, *operands])
        places = places.reshape(-1)
        fast = self.scatter if loop is a.dtype and a.dtype not in WIDE_UNSIGNED else None
        if fast is None or fast(flat, places, values[0].to(loop)) is None:
            for chosen in rounds(places):
                now = places[chosen]
                found = self._run([flat[now].to(loop), *(x[chosen].to(loop) for x in values)])[0]
                movable(flat)[now] = movable(found.to(a.dtype))
        if not a.is_contiguous():
            a.copy_(flat.reshape(a.shape))

    def reduceat(self, array: Any, indices: Any, axis: int = 0, dtype: Any = None, out: Any = None) -> Tensor:
        """`reduce` over the slices between consecutive indices; a single element where they do not increase."""
        if holds(array) or holds(out):
            return of_ufunc(self, "reduceat", (array, indices, axis, dtype, out), {})
        a = asarray(unanswered(array))
        (dim,) = axes_of(as_axis(axis), a.ndim)
        plain = isinstance(indices, (list, tuple)) and all(type(at) is int for at in indices)
        starts = list(indices) if plain else asarray(indices, None, torch.device("cpu")).to(INT64).tolist()
        size = a.shape[dim]
        for start in starts:
            if not 0 <= start < size:
                raise IndexError(f"index {start} out-of-bounds in {self.__name__}.reduceat [0, {size})")
        a = self._combining(a, dtype, "reduceat")
        ends = [*starts[1:], size] if starts else []
        parts = [
            self._fold(a.narrow(dim, s, max(e - s, 1)), (dim,), None, None) for s, e in zip(starts, ends, strict=True)
        ]
        return self._give(out, torch.stack(parts, dim) if parts else a.narrow(dim, 0, 0).clone())
