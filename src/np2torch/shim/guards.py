"""Guards: one line at the entry of a function, after which its body is plain torch.

A guard normalises parameters once, or raises a TypeError that says which argument is in the way and what to write.

====================== ======================================================================================
guard                  what it gives
====================== ======================================================================================
`tensor`, `tensors`    `numpy.asarray`: a tensor of each argument, with NumPy's dtype
`floating`             real floating tensors: integers and bools become float64
`inexact`              the same, complex tensors too
`promote`              tensors of NumPy's common dtype
====================== ======================================================================================

A tensor that needs no change comes back as the same object, so gradients, devices and sharing stay. One argument gives
one tensor, several give a tuple. `floating` and `inexact` are NumPy's abstract scalar classes as well
(`shim.issubdtype(x.dtype, shim.floating)`), which is why they are classes here; calling them makes no instances.

All guards take these options. A tuple says it of `numbers`, `lists`, `copy`, `ndim` for each argument:
`numbers=(None, True)`.

numbers
    True leaves Python numbers as they are, and text: for bodies of operators alone, which make numbers of numbers.
    False refuses them; by default (None) they become tensors of no axes.
weak
    True gives Python numbers the precision of the tensors beside them, as in NumPy's operators. False makes them
    float64, as `numpy.asarray` does.
lists
    False refuses lists and tuples: the body writes into them, or does with them what Python does with lists.
copy
    False refuses integers, Python's too, where these would become float64: what the body gives back depends on the
    dtype, or it writes into what it is given.
ndim
    The numbers of axes that are taken: `2`, `{1, 2}`.
single
    False refuses float16, float32 and complex64, and int32 where integers stay what they are: the body computes in
    double precision.
none
    True leaves None what it is: the body asks for it.

Objects with arithmetic of their own, such as a `Fraction`, stay what they are: they compute as they do on NumPy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from np2torch.shim._core import asarray, device_of, left_to_us
from np2torch.shim._errors import NoCounterpart
from np2torch.shim._guard_precisions import cast_whole, is_promoted_alike, join_precisions
from np2torch.shim._guard_tests import (
    KINDS,
    Arrays,
    Flags,
    Numbers,
    are_as_wanted,
    are_beside_numbers,
    are_of_one_dtype,
    as_tensors,
    cast_alone,
    have_axes,
    is_among_kinds,
    is_left,
    is_left_text,
    is_number,
    is_object,
    left_out,
    of_argument,
    python_number,
)  # fmt: skip
from np2torch.shim._guarded_results import around_functions, around_some
from np2torch.shim._kinds import number
from np2torch.shim._promotion import COMPLEX64, COMPLEX128, FLOAT16, FLOAT32, FLOAT64, Number, Tensor, result_dtype
from np2torch.shim._refusals import cast, not_copied, shown

__all__ = ["floating", "inexact", "promote", "tensor", "tensors"]

REAL: dict[torch.dtype, torch.dtype] = {d: d for d in (FLOAT64, FLOAT32, FLOAT16, torch.bfloat16)}
"""The precision of each floating dtype, named by the real dtype that has it."""
REAL_OR_COMPLEX: dict[torch.dtype, torch.dtype] = {**REAL, COMPLEX64: FLOAT32, COMPLEX128: FLOAT64}
DOUBLE = {FLOAT64: FLOAT64, COMPLEX128: FLOAT64}
REAL_DOUBLE = {FLOAT64: FLOAT64}
ZEROS: dict[str, Number] = {"b": False, "i": 0, "u": 0, "f": 0.0, "c": 0j}
WORDS = {"b": "bools", "i": "integers of 32 and 64 bits", "u": "narrow and unsigned integers", "f": "floating dtypes"}
WORDS["c"] = "complex dtypes"
ALL = "biufc"
OWN_ARITHMETIC = frozenset({
    torch.bool, torch.int8, torch.int16, torch.int32, torch.uint8, torch.uint16, torch.uint32, torch.uint64,
})  # fmt: skip
"""dtypes in which NumPy computes otherwise than in float64: they wrap around, and `+` of bools is a logical or."""
Ndim = int | set[int] | frozenset[int] | None


def tensor(
    x: Any, *, kinds: str = ALL, numbers: Numbers = None, lists: Flags = True, copy: Flags = True, ndim: Ndim = None,
    single: bool = True, none: bool = False,
) -> Any:  # fmt: skip
    """`numpy.asarray(x)`: a tensor stays as it is, anything else becomes one of NumPy's dtype.

    Parameters
    ----------
    kinds
        The kinds of dtypes that are taken, by NumPy's letters: b, i (of 32 bits or more without u), u, f, c.
    numbers, lists, copy, ndim, single
        As the module says.

    Raises
    ------
    TypeError
        For what no tensor holds: None, text, objects; for what the parameters refuse.
    """
    if type(x) is not Tensor:
        if none and x is None or is_object(x) or is_left_text(x, numbers, 0):
            return x
        _refuse((x,), "tensor", numbers, lists)
        if is_left(x, numbers, 0):
            _check_python_kind(x, (x,), 0, "tensor", kinds)
            return x
        x = _array(x, (x,), 0, "tensor", None)
    if kinds is not ALL:
        _check_kind(x.dtype, (x,), 0, "tensor", kinds)
    if not single:
        _check_double(x, (x,), 0, "tensor")
    if ndim is not None:
        _check_ndim((x,), (x,), ndim, "tensor")
    return x


def tensors(
    *arrays: Any, kinds: str = ALL, numbers: Numbers = None, weak: bool = True, lists: Flags = True,
    copy: Flags = True, ndim: Ndim | tuple[Ndim, ...] = None,
    single: bool = True, none: bool = False,
) -> Arrays:  # fmt: skip
    """`tensor` of each argument; numbers and lists go to the device of the tensors beside them.

    Parameters
    ----------
    kinds
        The kinds of dtypes that are taken, by NumPy's letters: b, i (of 32 bits or more without u), u, f, c.
    numbers, weak, lists, copy, ndim, single
        As the module says.

    Raises
    ------
    TypeError
        For a tensor of no axes beside one of a lesser dtype: torch promotes by the number of axes, too. For a list of
        numbers beside such a tensor, where they are weak. For what no tensor holds: None, text, objects; for what the
        parameters refuse.
    """
    found: Sequence[Any] = arrays
    if not are_of_one_dtype(arrays) and not are_beside_numbers(arrays, numbers):
        if any(out := left_out(arrays, none, numbers)):
            given: Arrays = around_some(
                tensors, arrays, out, True, ndim=ndim, kinds=kinds, numbers=numbers, weak=weak, lists=lists, copy=copy,
                single=single,
            )
            return given
        _refuse(arrays, "tensors", numbers, lists)
        found = _each(arrays, numbers, weak)
        if weak:
            _check_items(arrays, found)
    if kinds is not ALL:
        for at, x in enumerate(found):
            if isinstance(x, Tensor):
                _check_kind(x.dtype, arrays, at, "tensors", kinds)
            else:
                _check_python_kind(x, arrays, at, "tensors", kinds)
    for at, x in enumerate(() if single else found):
        _check_double(x, arrays, at, "tensors")
    if ndim is not None:
        _check_ndim(arrays, found, ndim, "tensors")
    return tuple(found)


def promote(
    x: Any, /, *others: Any, kinds: str = ALL, numbers: Numbers = None, weak: bool = True, lists: Flags = True,
    copy: Flags = True, mixed: bool = True,
    ndim: Ndim | tuple[Ndim, ...] = None, single: bool = True, none: bool = False,
) -> Any:  # fmt: skip
    """Tensors of the one dtype that NumPy computes in for all of them; Python numbers are weak (NEP 50).

    Parameters
    ----------
    kinds
        The kinds of common dtypes that are taken, by NumPy's letters: b, i (of 32 bits or more without u), u, f, c.
    mixed
        False refuses several dtypes, but for int64 beside float64: the body computes before they meet.
    numbers, weak, lists, copy, ndim, single
        As the module says.

    Raises
    ------
    OverflowError
        For a Python integer that does not fit the integer dtype it would have to take.
    TypeError
        For what no tensor holds: None, text, objects; for what the parameters refuse.
    """
    arrays = (x, *others)
    if are_of_one_dtype(arrays) and (kinds is ALL or is_among_kinds(x.dtype, kinds)) and (single or _is_double(x)):
        if ndim is None or have_axes(arrays, ndim):
            return arrays if others else x
    made = as_tensors(arrays, lists, numbers is None)
    if made is not None and are_of_one_dtype(made):
        is_taken = (kinds is ALL or is_among_kinds(made[0].dtype, kinds)) and (single or _is_double(made[0]))
        if is_taken and (ndim is None or have_axes(made, ndim)):
            return made if others else made[0]
    if any(out := left_out(arrays, none, numbers)):
        return around_some(
            promote, arrays, out, False, ndim=ndim, kinds=kinds, numbers=numbers, weak=weak, lists=lists, copy=copy,
            mixed=mixed, single=single,
        )  # fmt: skip
    return _promoted(arrays, ndim, kinds, numbers, weak, lists, copy, mixed, single)


def _promoted(
    arrays: Arrays, ndim: Any, kinds: str, numbers: Numbers, weak: bool, lists: Flags, copy: Flags, mixed: bool,
    single: bool,
) -> Any:  # fmt: skip
    """Cast arguments to the dtype that NumPy computes in for all of them, after what the options refuse."""
    _refuse(arrays, "promote", numbers, lists)
    found = _strong(arrays, "promote", weak, numbers)
    if all(is_number(one) for one in found):
        found = [one if is_left(one, numbers, at) else asarray(one) for at, one in enumerate(found)]
    for at, one in enumerate(found):
        if is_left(one, numbers, at):
            _check_python_kind(one, arrays, at, "promote", kinds)
    if any(isinstance(one, Tensor) for one in found):
        target = result_dtype(*(one if isinstance(one, Tensor) else python_number(one) for one in found))
        if kinds is not ALL:
            _check_kind(target, arrays, 0, "promote", kinds)
        device = device_of(*found)
        for at, one in enumerate(found):
            if not single:
                _check_double(one, arrays, at, "promote")
            if isinstance(one, Tensor):
                _check_cast(one.dtype, target, arrays, at, copy, mixed)
                found[at] = one.to(target)
            elif not is_left(one, numbers, at):
                found[at] = torch.tensor(one, dtype=target, device=device)
    if ndim is not None:
        _check_ndim(arrays, found, ndim, "promote")
    return tuple(found) if len(arrays) > 1 else found[0]


class inexact(number):
    """Real or complex tensors; integers and bools become float64.

    Tensors of several precisions stay as they are where torch promotes them as NumPy does: where all have axes, or
    those that have none are of the lesser precision.

    Parameters
    ----------
    *arrays
        Tensors, numbers, lists, nested lists with tensors in them, ndarrays. Beside others a Python number takes their
        precision. Real and complex arguments are not cast to each other.
    exact
        Refuse bools and all integers but int64: NumPy computes with them in their own dtype, where they wrap around.
    mixed
        True makes several precisions the widest of them, where the body does nothing with them before they meet. False
        refuses several dtypes, real ones beside complex ones too.
    single
        False refuses float16, float32 and complex64: the body computes with arrays of its own in double precision.
    only
        "double" leaves Python numbers and tensors of double precision as they are, and refuses all else.
    results
        The arguments, one or a tuple, that are functions: what they give is guarded beside the other arguments. What
        options say of such an argument is meant of its results.
    numbers, weak, lists, copy, ndim
        As the module says.

    Raises
    ------
    TypeError
        For a tensor of no axes beside one of a lesser precision (float32; integers count as float64): torch goes by the
        number of axes, and computing early in the wider precision gives other last digits. For None, text and objects.
        It names the argument and what to write.
    """

    default = FLOAT64
    """The dtype that integers are cast to."""
    precisions = REAL_OR_COMPLEX
    doubles = DOUBLE

    def __new__(
        cls, x: Any, /, *others: Any, exact: bool = False, numbers: Numbers = None, weak: bool = True,
        lists: Flags = True, copy: Flags = True, mixed: bool | None = None,
        ndim: Ndim | tuple[Ndim, ...] = None, single: bool = True, none: bool = False, results: Any = (),
        only: str = "",
    ) -> Any:  # fmt: skip
        """The tensor of one argument, the tuple of several."""
        if only:
            exact, lists, copy, single = True, False, False, False
            numbers = True if numbers is None else numbers
        precisions = cls.precisions if single else cls.doubles
        arrays = (x, *others)
        if are_as_wanted(arrays, precisions, numbers, mixed, none):
            if ndim is None or have_axes(arrays, ndim):
                return arrays if others else x
        made = as_tensors(arrays, lists, numbers is None, copy is True)
        if not (others or exact or results) and copy is True:
            made = cast_alone(x, made, cls.default)
        if made is not None and are_as_wanted(made, precisions, numbers, mixed, none):
            if ndim is None or have_axes(made, ndim):
                return made if others else made[0]
        return _cast_all(cls, arrays, ndim, results, none, exact, numbers, weak, lists, copy, mixed, single)


def _cast_all(
    guard: type[inexact], arrays: Arrays, ndim: Any, results: Any, none: bool, exact: bool, numbers: Numbers,
    weak: bool, lists: Flags, copy: Flags, mixed: bool | None, single: bool,
) -> Any:  # fmt: skip
    """Cast arguments to inexact dtypes and numbers to those beside them, after what the options refuse."""
    out = left_out(arrays, none, numbers)
    if results or any(out):
        said: dict[str, Any] = {"ndim": ndim, "exact": exact, "numbers": numbers, "weak": weak, "lists": lists}
        said |= {"copy": copy, "mixed": mixed, "single": single}
        if results:
            return around_functions(guard, arrays, results, none=none, **said)
        return around_some(guard, arrays, out, False, **said)
    precisions = guard.precisions if single else guard.doubles
    _refuse(arrays, guard.__name__, numbers, lists)
    found = _strong(arrays, guard.__name__, weak, numbers)
    for at, one in enumerate(found):
        _check_number(one, arrays, at, guard, exact)
        if not single and not _is_integral(one):
            _check_double(one, arrays, at, guard.__name__)
        is_kept = not of_argument(copy, at)
        if is_kept and isinstance(one, int) and not is_left(one, numbers, at):
            raise TypeError(not_copied(arrays, at, guard.__name__))
        if isinstance(one, Tensor) and one.dtype not in precisions:
            if is_kept:
                raise TypeError(not_copied(arrays, at, guard.__name__))
            found[at] = cast_whole(one, found, arrays, at, guard)
    join_precisions(found, arrays, guard, mixed, numbers)
    if ndim is not None:
        _check_ndim(arrays, found, ndim, guard.__name__)
    return tuple(found) if len(arrays) > 1 else found[0]


class floating(inexact):
    """Real floating tensors; integers and bools become float64. A complex one is a TypeError.

    All else is as `inexact` has it.
    """

    precisions = REAL
    doubles = REAL_DOUBLE


def _each(arrays: Arrays, numbers: Numbers, weak: bool) -> list[Any]:
    """A tensor of each argument, in a dtype of its own."""
    found = _strong(arrays, "tensors", weak, numbers)
    made = [at for at, x in enumerate(found) if isinstance(x, Tensor)]
    other = next((at for at in made if found[at].dtype != found[made[0]].dtype), None)
    if other is not None and not is_promoted_alike(found, made, numbers):
        common = result_dtype(found[made[0]].dtype, found[other].dtype)
        narrow = other if found[made[0]].dtype == common else made[0]
        raise TypeError(
            f"shim.tensors: {shown(arrays, made[0])} and {shown(arrays, other)}, which NumPy promotes in another way "
            f"than torch; pass {cast(arrays, narrow, common)}"
        )
    if any(not isinstance(x, Tensor) and not is_left(x, numbers, at) for at, x in enumerate(found)):
        target = result_dtype(*(x if isinstance(x, Tensor) else python_number(x) for x in found))
        device = device_of(*found)
        for at, x in enumerate(found):
            if not isinstance(x, Tensor) and not is_left(x, numbers, at):
                found[at] = torch.tensor(x, dtype=target, device=device)
    return found


def _strong(arrays: Arrays, guard: str, weak: bool, numbers: Numbers) -> list[Any]:
    """The arguments as tensors, all but the Python numbers among them that are weak or stay."""
    device = device_of(*arrays)
    return [
        x if is_left(x, numbers, at) or weak and is_number(x) else _array(x, arrays, at, guard, device)
        for at, x in enumerate(arrays)
    ]


def _array(x: Any, arrays: Arrays, at: int, guard: str, device: torch.device | None) -> Tensor:
    """A tensor of one of the arguments; what holds several tensors of its own beside them keeps their device."""
    if isinstance(x, Tensor) and guard not in ("tensor", "tensors"):
        return x
    if (made := as_tensors((x,), True, False)) is not None and device in (None, made[0].device):
        return made[0]  # type: ignore[no-any-return]
    try:
        if (found := asarray(left_to_us(x, arrays=False), None, device)) is x or not isinstance(x, Tensor):
            return found
        raise NoCounterpart(f"{type(x).__name__} answers NumPy's functions itself")
    except NoCounterpart as error:
        hint = "" if "answers" not in str(error) else "; pass shim.asarray(...) of it to take its values"
        why = str(error).partition(";")[0]
        raise TypeError(f"shim.{guard}: {shown(arrays, at)}, no array of numbers ({why}){hint}") from None


# -------------------------------------------------------------------------------------------- what is refused
def _refuse(arrays: Arrays, guard: str, numbers: Numbers, lists: Flags) -> None:
    """Raise for what the options of a guard refuse of numbers and lists."""
    for at, x in enumerate(arrays):
        if of_argument(numbers, at) is False and is_number(x):
            raise TypeError(f"shim.{guard}: {shown(arrays, at)}, and an array is expected; pass a tensor")
        if isinstance(x, (list, tuple, range)) and not of_argument(lists, at):
            raise TypeError(
                f"shim.{guard}: {shown(arrays, at)}, which the function writes into or handles as a list; pass a tensor"
            )


def _check_kind(dtype: torch.dtype, arrays: Arrays, at: int, guard: str, kinds: str) -> None:
    """Raise for a dtype of another kind."""
    if not is_among_kinds(dtype, kinds):
        known = ", ".join(WORDS[kind] for kind in kinds)
        raise TypeError(f"shim.{guard}: {shown(arrays, at)}; the function is converted for {known}")


def _check_python_kind(x: Number, arrays: Arrays, at: int, guard: str, kinds: str) -> None:
    """Raise for a bool or a complex number that stays one, where these kinds are not taken."""
    kind = "b" if isinstance(x, bool) else "c" if isinstance(x, complex) else "i"
    if kind != "i" and kind not in kinds:
        known = ", ".join(WORDS[kind] for kind in kinds)
        raise TypeError(f"shim.{guard}: {shown(arrays, at)}; the function is converted for {known}")


def _check_items(arrays: Arrays, found: Sequence[Any]) -> None:
    """Refuse lists of numbers beside tensors in whose dtype NumPy computes with a number, but not with an array."""
    for at, (given, x) in enumerate(zip(arrays, found, strict=True)):
        if not isinstance(given, (list, tuple)) or not isinstance(x, Tensor):
            continue
        for beside, other in enumerate(found):
            if not isinstance(other, Tensor) or isinstance(arrays[beside], (list, tuple)) or is_number(arrays[beside]):
                continue
            if result_dtype(x.dtype, other.dtype) != result_dtype(ZEROS[KINDS[x.dtype]], other.dtype):
                raise TypeError(
                    f"shim.tensors: {shown(arrays, at)} and {shown(arrays, beside)}, whose numbers NumPy computes in "
                    f"{other.dtype}; pass {cast(arrays, beside, result_dtype(x.dtype, other.dtype))}, or a tensor"
                )


def _check_cast(
    dtype: torch.dtype, target: torch.dtype, arrays: Arrays, at: int, copy: Flags, mixed: bool
) -> None:  # fmt: skip
    """Raise for a cast to the common dtype that the options of `promote` refuse."""
    if dtype == target:
        return
    if not of_argument(copy, at):
        raise TypeError(not_copied(arrays, at, "promote"))
    if not mixed and (dtype, target) != (torch.int64, FLOAT64):
        raise TypeError(
            f"shim.promote: {shown(arrays, at)}, and the common dtype is {str(target)[6:]}, in which NumPy "
            f"would compute later than torch; pass {cast(arrays, at, target)}"
        )


def _check_number(x: Any, arrays: Arrays, at: int, cls: type[inexact], exact: bool) -> None:
    """Raise for a kind of number that a guard does not take."""
    guard = cls.__name__
    dtype = x.dtype if isinstance(x, Tensor) else None
    if guard == "floating" and (isinstance(x, complex) if dtype is None else dtype.is_complex):
        raise TypeError(f"shim.floating: {shown(arrays, at)}, and real numbers are expected; pass its real part")
    if exact and (isinstance(x, bool) if dtype is None else dtype in OWN_ARITHMETIC):
        own = "bool" if dtype is None else str(dtype)[6:]
        raise TypeError(
            f"shim.{guard}: {shown(arrays, at)}, and NumPy would compute in {own}; "
            f"pass {cast(arrays, at, FLOAT64)} to compute in float64"
        )
    if dtype is not None and dtype.is_floating_point and dtype not in cls.precisions:
        raise TypeError(f"shim.{guard}: {shown(arrays, at)}, a dtype that NumPy has not")


def _is_integral(x: Any) -> bool:
    """Tell a tensor of integers."""
    return isinstance(x, Tensor) and KINDS[x.dtype] in "iu"


def _is_double(x: Tensor) -> bool:
    """Tell a tensor of double precision, or of whole numbers that are not int32."""
    return x.dtype in DOUBLE or not (x.is_floating_point() or x.is_complex() or x.dtype == torch.int32)


def _check_double(x: Any, arrays: Arrays, at: int, guard: str) -> None:
    """Raise for single precision, and for int32 where integers stay what they are."""
    if isinstance(x, Tensor) and not _is_double(x):
        wide = COMPLEX128 if x.is_complex() else FLOAT64 if x.is_floating_point() else torch.int64
        raise TypeError(
            f"shim.{guard}: {shown(arrays, at)}, and the function computes in double precision; "
            f"pass {cast(arrays, at, wide)}"
        )


def _check_ndim(arrays: Arrays, found: Sequence[Any], ndim: Any, guard: str) -> None:
    """Raise for a number of axes that the function is not converted for."""
    wanted = ndim if isinstance(ndim, tuple) else (ndim,) * len(found)
    for at, (x, axes) in enumerate(zip(found, wanted, strict=True)):
        has = x.ndim if isinstance(x, Tensor) else 0
        if axes is not None and has != axes and not (isinstance(axes, (set, frozenset)) and has in axes):
            known = " or ".join(map(str, sorted(axes) if isinstance(axes, (set, frozenset)) else [axes]))
            word = "axis" if known == "1" else "axes"
            raise TypeError(f"shim.{guard}: {shown(arrays, at)}; the function is converted for {known} {word}")
