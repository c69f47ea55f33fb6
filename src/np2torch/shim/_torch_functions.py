"""Functions of torch's on objects of classes that derive from `shim.ndarray`."""

from __future__ import annotations

from typing import Any

import torch

from np2torch.shim._array_wrap import has_own, of_ufunc_result
from np2torch.shim._subclass_propagation import Derived, kept, objects, of_class, plain, refusal, stripped

ON_OBJECT = frozenset(
    "backward requires_grad_ retain_grad register_hook detach_ set_ share_memory_ is_leaf __set__ __delete__ "
    "_backward_hooks register_post_accumulate_grad_hook _is_view is_shared".split()
)
"""The methods and attributes that concern the object itself and not its numbers."""
ELEMENTWISE = frozenset(
    "abs absolute acos acosh add addcdiv addcmul angle arccos arccosh arcsin arcsinh arctan arctan2 arctanh asin asinh "
    "atan atan2 atanh bitwise_and bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor ceil clamp "
    "clip conj_physical copysign cos cosh deg2rad div divide eq exp exp2 expm1 float_power floor floor_divide "
    "fmax fmin fmod frexp gcd ge greater greater_equal gt heaviside hypot isfinite isinf isnan isneginf isposinf "
    "lcm ldexp le "
    "less less_equal log log10 log1p log2 logaddexp logaddexp2 logical_and logical_not logical_or logical_xor lt "
    "matmul maximum minimum mm mul multiply mv bmm nan_to_num ne neg negative nextafter not_equal positive pow rad2deg "
    "reciprocal remainder rsub sgn sigmoid sign signbit sin sinh sqrt square sub subtract tan tanh true_divide trunc "
    "fix round rsqrt lerp "
    "__add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ __truediv__ __rtruediv__ __floordiv__ __rfloordiv__ __mod__ "
    "__rmod__ __pow__ __rpow__ __matmul__ __rmatmul__ __and__ __rand__ __or__ __ror__ __xor__ __rxor__ __lshift__ "
    "__rlshift__ __rshift__ __rrshift__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __neg__ __pos__ __abs__ __invert__ "
    "__div__ __rdiv__".split()
)
"""The class is that of the first object among the operands."""
OF_FIRST = frozenset(
    "T H mT mH real imag data "
    "contiguous clone detach to type_as double float half bfloat16 int long short char byte bool cpu cuda "
    "conj resolve_conj resolve_neg alias "
    "reshape view view_as reshape_as flatten ravel unflatten squeeze unsqueeze transpose permute t swapaxes swapdims "
    "movedim moveaxis narrow select expand_dims diagonal unbind split chunk tensor_split hsplit vsplit dsplit unfold "
    "__getitem__ take index_select take_along_dim masked_select gather repeat_interleave tile flip fliplr flipud roll "
    "rot90 atleast_1d atleast_2d atleast_3d as_strided "
    "sum prod mean std var max min amax amin aminmax all any cumsum cumprod nansum nanmean median nanmedian logsumexp "
    "sort argsort diff trapezoid trapz cummax cummin "
    "zeros_like ones_like empty_like full_like rand_like randn_like "
    "linalg_inv inv inverse pinv linalg_pinv cholesky linalg_cholesky matrix_power linalg_matrix_power cov_".split()
)
"""The class is that of the first argument."""
VIEWS = frozenset(
    "T H mT mH real imag data contiguous clone detach to type_as double float half bfloat16 int long short char byte "
    "bool cpu cuda conj resolve_conj resolve_neg alias reshape view view_as reshape_as flatten ravel unflatten squeeze "
    "unsqueeze transpose permute t swapaxes swapdims movedim moveaxis narrow select expand_dims diagonal unbind "
    "__getitem__".split()
)
"""Of these those of which a class with an `__array_wrap__` of its own is not asked."""
OF_FIRST_ARRAYS = frozenset("argmax argmin trace".split())
"""The same, but for what is a scalar."""
SEVERAL = {
    "linalg_svd": "(kpk)", "linalg_eigh": "(pk)", "linalg_eig": "(pk)", "linalg_qr": "(kk)",
    "svd": "(kpk)", "qr": "(kk)",
}  # fmt: skip
"""Results that have the class in part."""


def carried_out(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The function on plain tensors, in the class that NumPy would give the result."""
    name = _name(function)
    if name in ON_OBJECT:
        with torch._C.DisableTorchFunctionSubclass():
            return function(*args, **kwargs)
    if function.__name__ == "__get__":
        with torch._C.DisableTorchFunctionSubclass():
            found = function(*args)
        return of_class(found, args[0]) if name in OF_FIRST and isinstance(args[0], Derived) else found
    result = function(*map(stripped, args), **stripped(kwargs))
    for out in objects(kwargs.get("out")):
        return out
    first = args[0] if args else next(iter(kwargs.values()), None)
    if isinstance(first, Derived) and (found := _like_first(name, result, first)) is not None:
        return found
    if name in ELEMENTWISE:
        like = next((x for one in (*args, *kwargs.values()) for x in objects(one)), None)
        return result if like is None else of_ufunc_result(result, like)
    return result


def _like_first(name: str, result: Any, first: Derived) -> Any:
    """The first argument where it is written in place, or a result of its class; None where others decide."""
    if name.endswith("_") and not name.endswith("__") or name in IN_PLACE:
        return first
    if has_own(first) and name in (OF_FIRST | OF_FIRST_ARRAYS | SEVERAL.keys()) - VIEWS:
        raise TypeError(refusal(f"torch.{name}", first, "the class has an `__array_wrap__` of its own"))
    if name in SEVERAL:
        return kept(result, SEVERAL[name], first)
    if name in ELEMENTWISE or name not in OF_FIRST and name not in OF_FIRST_ARRAYS:
        return None
    return kept(result, "m" if name in OF_FIRST_ARRAYS else "k", first)


IN_PLACE = frozenset(f"__i{name}__" for name in
                     "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift div".split())  # fmt: skip


def _name(function: Any) -> str:
    """Give the name of a function; for the getter of an attribute, that of the attribute."""
    name: str = getattr(function, "__name__", "")
    if name in ("__get__",):
        return str(getattr(function.__self__, "__name__", ""))
    return name


__all__ = ["carried_out", "plain"]
