"""`numpy.testing` on tensors: as strict as NumPy's assertions, and as telling when they fail.

A 0-D tensor stands for a NumPy scalar, a `torch.Size` for a tuple, a torch dtype for its name.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Sequence
from inspect import isfunction
from typing import Any, TypeAlias
from unittest import SkipTest, TestCase

import torch

from np2torch.shim import _core, _promotion
from np2torch.shim._promotion import Number, Tensor
from np2torch.shim._quick_tests import are_close, are_equal, are_near
from np2torch.shim._testing_tools import (
    HAS_REFCOUNT,
    IS_PYPY,
    KnownFailureException,
    assert_no_warnings,
    assert_raises,
    assert_raises_regex,
    assert_warns,
    break_cycles,
    in_double,
    on_cpu,
    suppress_warnings,
    tempdir,
    temppath,
)

__all__ = [
    "HAS_REFCOUNT", "IS_PYPY", "KnownFailureException", "SkipTest", "TestCase", "assert_", "assert_allclose",
    "assert_almost_equal", "assert_approx_equal", "assert_array_almost_equal", "assert_array_almost_equal_nulp",
    "assert_array_compare", "assert_array_equal", "assert_array_less", "assert_array_max_ulp", "assert_equal",
    "assert_no_warnings", "assert_raises", "assert_raises_regex", "assert_string_equal", "assert_warns",
    "break_cycles", "build_err_msg", "print_assert_equal", "suppress_warnings", "tempdir", "temppath",
]  # fmt: skip

Predicate: TypeAlias = Callable[[Any, Any], Any]
NAMES = ("ACTUAL", "DESIRED")
NUMBERS = (bool, int, float, complex)
WORST = 5  # mismatching elements spelled out in a message


# ---------------------------------------------------------------------------------------------- messages
def build_err_msg(
    arrays: Sequence[Any],
    err_msg: str,
    header: str = "Items are not equal:",
    verbose: bool = True,
    names: Sequence[str] = NAMES,
    precision: int = 8,
) -> str:
    """The text of a failed assertion: header, the caller's message, and the values when `verbose`."""
    err_msg = str(err_msg)
    one_line = err_msg and "\n" not in err_msg and len(err_msg) < 79 - len(header)
    lines = ["\n" + header] if not one_line else [f"\n{header} {err_msg}"]
    if err_msg and not one_line:
        lines.append(err_msg)
    if verbose:
        lines += [f" {name}: {_show(value, precision)}" for name, value in zip(names, arrays, strict=False)]
    return "\n".join(lines)


def _show(value: Any, precision: int) -> str:
    value = _scalar(value)
    if isinstance(value, Tensor):
        with torch._tensor_str.printoptions(precision=precision):
            text = repr(value.detach())
    else:
        text = repr(value)
    lines = text.splitlines()
    return "\n".join([*lines[:3], "..."]) if len(lines) > 10 else text


def _scalar(x: Any) -> Any:
    """Give a 0-D tensor as a Python value, as NumPy has scalars there; everything else as it is."""
    return x.item() if isinstance(x, Tensor) and x.ndim == 0 else x


def _fail(
    x: Any, y: Any, err_msg: str, verbose: bool, header: str, names: Sequence[str] = NAMES, precision: int = 8
) -> None:
    __tracebackhide__ = True
    raise AssertionError(build_err_msg([x, y], err_msg, header, verbose, names, precision))


# ------------------------------------------------------------------------------------------ array against array
def _array(x: Any, is_exact: bool = True) -> Tensor:
    with on_cpu():
        found = _core.asarray(x if is_exact else in_double(x)).detach().cpu().resolve_conj().resolve_neg()
    return found.to(torch.float32) if found.dtype is torch.bfloat16 else found


def _common(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    dtype = _promotion.promote(x.dtype, y.dtype)
    return x.to(dtype), y.to(dtype)


def _signed(x: Tensor) -> Tensor:
    """Unsigned integers as int64: torch has few kernels for them. The order of uint64 survives."""
    if x.dtype is torch.uint64:
        return x.view(torch.int64) ^ torch.iinfo(torch.int64).min
    return x.to(torch.int64) if x.dtype in _promotion.UNSIGNED else x


def _equal(x: Tensor, y: Tensor) -> Tensor:
    if torch.uint64 in (x.dtype, y.dtype) and _promotion.kind(x.dtype) == _promotion.kind(y.dtype) == 1:
        if x.dtype is not y.dtype:  # NumPy compares the exact values
            big, other = (x, y.to(torch.int64)) if x.dtype is torch.uint64 else (y, x.to(torch.int64))
            return (big.view(torch.int64) == other) & (other >= 0)
    x, y = _common(x, y)
    return x == y


def _less(x: Tensor, y: Tensor) -> Tensor:
    x, y = _common(x, y)
    if x.is_complex():  # NumPy orders complex numbers by their real part first
        return (x.real < y.real) | ((x.real == y.real) & (x.imag < y.imag))
    return _signed(x) < _signed(y)


def _distance(x: Tensor, y: Tensor) -> Tensor:
    x, y = _common(x, y)
    if x.dtype is torch.bool:
        return (x ^ y).to(torch.int64)
    if x.dtype is torch.uint64:
        x, y = x.to(torch.float64), y.to(torch.float64)
    return torch.abs(_signed(x) - _signed(y))


def _same_positions(
    x: Tensor, y: Tensor, test: Callable[[Tensor], Tensor], what: str, fail: Callable[[str], None]
) -> Tensor:
    """Mark the elements where both sides satisfy `test`; fail if only one of them does somewhere."""
    __tracebackhide__ = True
    a, b = test(x), test(y)
    if bool((a != b).any()):
        fail(f"{what} mismatch:")
    return a & b


def _special(x: Tensor, y: Tensor, equal_nan: bool, equal_inf: bool, fail: Callable[[str], None]) -> Tensor:
    """Mark the elements where NaN or infinities agree: the comparison leaves them out."""
    __tracebackhide__ = True
    done = torch.zeros((), dtype=torch.bool)
    if max(_promotion.kind(x.dtype), _promotion.kind(y.dtype)) < 2:
        return done
    if equal_nan:
        done = _same_positions(x, y, torch.isnan, "nan location", fail)
    if equal_inf:
        infinite = _same_positions(x, y, torch.isinf, "inf location", fail)
        if bool((infinite & ~_equal(x, y)).any()):
            fail("inf values mismatch:")
        done = done | infinite
    return done


def assert_array_compare(
    comparison: Predicate,
    x: Any,
    y: Any,
    err_msg: str = "",
    verbose: bool = True,
    header: str = "",
    precision: int = 6,
    equal_nan: bool = True,
    equal_inf: bool = True,
    *,
    strict: bool = False,
    names: Sequence[str] = NAMES,
) -> None:
    """Raise AssertionError unless `comparison` holds for all elements; scalars broadcast unless `strict`."""
    __tracebackhide__ = True
    try:
        a, b = (_array(one, comparison is _equal) for one in (x, y))
    except TypeError:  # strings, None, objects: no tensor holds them
        return _compare_objects(x, y, err_msg, verbose, header, names)

    def fail(detail: str) -> None:
        __tracebackhide__ = True
        _fail(a, b, f"{err_msg}\n{detail}", verbose, header, names, precision)

    if a.shape != b.shape and (strict or (a.ndim and b.ndim)):
        fail(f"(shapes {tuple(a.shape)}, {tuple(b.shape)} mismatch)")
    if strict and a.dtype is not b.dtype:
        fail(f"(dtypes {str(a.dtype)[6:]}, {str(b.dtype)[6:]} mismatch)")
    with on_cpu():
        done = _special(a, b, equal_nan, equal_inf, fail)
        wrong = ~(torch.as_tensor(comparison(a, b)) | done)
        wrong, left, right = torch.broadcast_tensors(wrong, a, b)  # type: ignore[no-untyped-call]
        if bool(wrong.any()):
            fail(_account(wrong, left, right, int((~done).expand(wrong.shape).sum()), names))


def _account(wrong: Tensor, x: Tensor, y: Tensor, compared: int, names: Sequence[str]) -> str:
    """Say how many elements differ, which, and by how much at most."""
    count, where = int(wrong.sum()), torch.nonzero(wrong)[:WORST].tolist()
    lines = [f"Mismatched elements: {count} / {wrong.numel()} ({100 * count / wrong.numel():.3g}%)"]
    if wrong.ndim:
        lines.append("Mismatch at index:" if count == 1 else f"First {len(where)} mismatches are at indices:"
                     if count > WORST else "Mismatch at indices:")  # fmt: skip
        for at in map(tuple, where):
            lines.append(f" {list(at)}: {x[at].item()} ({names[0]}), {y[at].item()} ({names[1]})")
    error = _distance(x, y)[wrong]
    lines.append(f"Max absolute difference among violations: {error.max().item():.8g}")
    size = torch.abs(y.to(torch.complex128 if y.is_complex() else torch.float64))[wrong]
    relative = (error / size)[size != 0]
    if relative.numel():
        lines.append(f"Max relative difference among violations: {relative.max().item():.8g}")
    elif count:
        lines.append("Max relative difference among violations: inf")
    return "\n".join(lines)


def _compare_objects(x: Any, y: Any, err_msg: str, verbose: bool, header: str, names: Sequence[str]) -> None:
    __tracebackhide__ = True
    a, b = (item.tolist() if hasattr(item, "tolist") and not isinstance(item, type) else item for item in (x, y))
    (shape_a, flat_a), (shape_b, flat_b) = _leaves(a), _leaves(b)
    if shape_a and shape_b and shape_a != shape_b:
        _fail(x, y, f"{err_msg}\n(shapes {shape_a}, {shape_b} mismatch)", verbose, header, names)
    size = max(len(flat_a), len(flat_b)) if flat_a and flat_b else 0
    pairs = zip(flat_a * (size if not shape_a else 1), flat_b * (size if not shape_b else 1), strict=False)
    wrong = [i for i, (p, q) in enumerate(pairs) if not _same_object(p, q)]
    if wrong:
        _fail(x, y, f"{err_msg}\nMismatched elements: {len(wrong)} / {size} ({100 * len(wrong) / size:.3g}%)", verbose,
              header, names)  # fmt: skip


def _same_object(x: Any, y: Any) -> bool:
    """Tell whether two leaves are equal; objects of classes written in Python decide by their own `==`."""
    if any(isfunction(type(one).__eq__) for one in (x, y)) and not isinstance(x, Tensor) and not isinstance(y, Tensor):
        return bool(x == y)
    try:
        assert_equal(x, y)
    except AssertionError:
        return False
    return True


def _leaves(x: Any) -> tuple[tuple[int, ...], list[Any]]:
    if not isinstance(x, (list, tuple)):
        return (), [_scalar(x)]
    parts = [_leaves(item) for item in x]
    inner = parts[0][0] if parts and all(shape == parts[0][0] for shape, _ in parts) else ()
    return (len(x), *inner), [leaf for _, leaves in parts for leaf in leaves]


def assert_array_equal(
    actual: Any, desired: Any, err_msg: str = "", verbose: bool = True, *, strict: bool = False
) -> None:
    """Raise AssertionError unless two arrays are equal in shape and value; NaN equals NaN, scalars broadcast."""
    __tracebackhide__ = True
    if strict or not are_equal(actual, desired):
        assert_array_compare(_equal, actual, desired, err_msg, verbose, "Arrays are not equal", strict=strict)


def assert_allclose(
    actual: Any,
    desired: Any,
    rtol: float = 1e-07,
    atol: float = 0,
    equal_nan: bool = True,
    err_msg: str = "",
    verbose: bool = True,
    *,
    strict: bool = False,
) -> None:
    """Raise AssertionError unless `|actual - desired| <= atol + rtol * |desired|` everywhere.

    Unlike `torch.testing.assert_close`, dtypes may differ, scalars broadcast and the tolerances are NumPy's.
    """
    __tracebackhide__ = True
    rtol, atol = _scalar(rtol), _scalar(atol)
    if not strict and are_close(actual, desired, rtol, atol, equal_nan):
        return

    def close(x: Tensor, y: Tensor) -> Tensor:
        y = y.to(_promotion.mean_dtype(y.dtype))
        bound = atol + rtol * torch.abs(y)
        return (_distance(x, y) <= bound) & torch.isfinite(y) | _equal(x, y)

    header = f"Not equal to tolerance rtol={rtol:g}, atol={atol:g}"
    assert_array_compare(close, actual, desired, err_msg, verbose, header, equal_nan=equal_nan, strict=strict)


def assert_array_almost_equal(
    actual: Any, desired: Any, decimal: int = 6, err_msg: str = "", verbose: bool = True
) -> None:
    """Raise AssertionError unless `|actual - desired| < 1.5 * 10**-decimal` everywhere."""
    __tracebackhide__ = True
    decimal = _scalar(decimal)
    if are_near(actual, desired, 1.5 * 10.0 ** (-decimal)):
        return

    def close(x: Tensor, y: Tensor) -> Tensor:
        return (_distance(x, y) < 1.5 * 10.0 ** (-decimal)) | (_equal(x, y) & ~torch.isfinite(y))

    header = f"Arrays are not almost equal to {decimal} decimals"
    assert_array_compare(close, actual, desired, err_msg, verbose, header, decimal)


def assert_array_less(x: Any, y: Any, err_msg: str = "", verbose: bool = True, *, strict: bool = False) -> None:
    """Raise AssertionError unless `x < y` everywhere; NaN may stand against NaN."""
    __tracebackhide__ = True
    header = "Arrays are not strictly ordered `x < y`"
    assert_array_compare(_less, x, y, err_msg, verbose, header, equal_inf=False, strict=strict, names=("x", "y"))


# ----------------------------------------------------------------------------------------- anything against anything
def _is_array(x: Any) -> bool:
    return getattr(x, "ndim", 0) != 0 and (isinstance(x, Tensor) or hasattr(x, "__array__")) and not isinstance(x, type)


def _is_number(x: Any) -> bool:
    return isinstance(x, NUMBERS) or (isinstance(x, Tensor) and x.ndim == 0)


def _is_scalar(x: Any) -> bool:
    return _is_number(x) or isinstance(x, (str, bytes)) or (hasattr(x, "dtype") and hasattr(x, "item"))


def _parts(x: Any) -> tuple[Any, Any] | None:
    """Real and imaginary part of a complex scalar."""
    if isinstance(x, Tensor):
        return (x.real, x.imag) if x.is_complex() else None
    return (x.real, x.imag) if isinstance(x, complex) else None


def _numbers(x: Tensor | Number, y: Tensor | Number) -> tuple[Any, Any]:
    """Two scalars as NumPy compares them: a Python number takes the dtype of a NumPy scalar."""
    x, y = (v if isinstance(v, Tensor) or type(v) in _promotion.PYTHON_DTYPES else _core.asarray(v) for v in (x, y))
    if not isinstance(x, Tensor) and not isinstance(y, Tensor):
        return x, y
    whole = all(_promotion.kind(v.dtype) < 2 if isinstance(v, Tensor) else isinstance(v, int) for v in (x, y))
    if whole:
        return _scalar(x), _scalar(y)
    dtype = _promotion.result_dtype(x, y)
    return tuple(_core.asarray(v).to(dtype).item() for v in (x, y))  # type: ignore[return-value]


def assert_equal(actual: Any, desired: Any, err_msg: str = "", verbose: bool = True, *, strict: bool = False) -> None:
    """Raise AssertionError unless two objects are equal, containers item by item.

    NaN equals NaN, and scalar zeros must agree in sign, as in NumPy.
    """
    __tracebackhide__ = True
    if isinstance(desired, dict):
        if not isinstance(actual, dict):
            raise AssertionError(repr(type(actual)))
        assert_equal(len(actual), len(desired), err_msg, verbose)
        for key, value in desired.items():
            if key not in actual:
                raise AssertionError(repr(key))
            assert_equal(actual[key], value, f"key={key!r}\n{err_msg}", verbose, strict=strict)
    elif isinstance(desired, (list, tuple)) and isinstance(actual, (list, tuple)):
        assert_equal(len(actual), len(desired), err_msg, verbose)
        for i, (old, new) in enumerate(zip(actual, desired, strict=True)):
            assert_equal(old, new, f"item={i!r}\n{err_msg}", verbose, strict=strict)
    elif _is_array(actual) or _is_array(desired):
        assert_array_equal(actual, desired, err_msg, verbose, strict=strict)
    elif not _same(actual, desired):
        _fail(actual, desired, err_msg, verbose, "Items are not equal:")


def _same(x: Any, y: Any) -> bool:
    if isinstance(x, torch.dtype) or isinstance(y, torch.dtype):
        try:
            return _promotion.as_dtype(x) is _promotion.as_dtype(y) and x is not None and y is not None
        except TypeError:
            return False
    if _is_scalar(x) != _is_scalar(y):
        return False
    if not (_is_number(x) and _is_number(y)):
        return bool(x == y)
    a, b = _parts(x), _parts(y)
    if a or b:
        (re_a, im_a), (re_b, im_b) = a or (x, 0.0), b or (y, 0.0)
        return _same_number(*_numbers(re_a, re_b)) and _same_number(*_numbers(im_a, im_b), signed=bool(a and b))
    return _same_number(*_numbers(x, y))


def _same_number(x: Any, y: Any, signed: bool = True) -> bool:
    if x != x and y != y:
        return True
    if signed and x == 0 and y == 0:
        return math.copysign(1, x) == math.copysign(1, y)
    return bool(x == y)


def assert_almost_equal(actual: Any, desired: Any, decimal: int = 7, err_msg: str = "", verbose: bool = True) -> None:
    """Raise AssertionError unless two numbers or arrays agree within `1.5 * 10**-decimal`."""
    __tracebackhide__ = True
    if any(_is_array(x) or isinstance(x, (list, tuple)) for x in (actual, desired)):
        return assert_array_almost_equal(actual, desired, decimal, err_msg)
    decimal = _scalar(decimal)
    header = f"Arrays are not almost equal to {decimal} decimals"
    a, b = _parts(actual), _parts(desired)
    pairs = zip(a or (actual, 0.0), b or (desired, 0.0), strict=True) if a or b else ((actual, desired),)
    for one, other in pairs:
        x, y = _numbers(one, other) if _is_number(one) and _is_number(other) else (one, other)
        if not _near(x, y, 1.5 * 10.0 ** (-decimal)):
            _fail(actual, desired, err_msg, verbose, header)


def _near(x: Any, y: Any, bound: float) -> bool:
    if all(isinstance(v, NUMBERS) for v in (x, y)) and not (math.isfinite(x) and math.isfinite(y)):
        return bool(x == y or (x != x and y != y))
    return bool(abs(y - x) < bound)


def assert_approx_equal(
    actual: Any, desired: Any, significant: int = 7, err_msg: str = "", verbose: bool = True
) -> None:
    """Raise AssertionError unless two numbers agree to `significant` digits."""
    __tracebackhide__ = True
    x, y = float(actual), float(desired)
    if x == y or (x != x and y != y):
        return
    if math.isfinite(x) and math.isfinite(y):
        scale = 10.0 ** math.floor(math.log10((abs(x) + abs(y)) / 2))
        if abs(y / scale - x / scale) < 10.0 ** (1 - significant):
            return
    _fail(actual, desired, err_msg, verbose, f"Items are not equal to {significant} significant digits:")


def assert_string_equal(actual: str, desired: str) -> None:
    """Raise AssertionError unless two strings are equal; the message shows the lines that differ."""
    __tracebackhide__ = True
    for value in (actual, desired):
        if not isinstance(value, str):
            raise AssertionError(repr(type(value)))
    if actual != desired:
        lines = difflib.Differ().compare(actual.splitlines(True), desired.splitlines(True))
        raise AssertionError("Differences in strings:\n" + "".join(line for line in lines if line[0] in "+-?").rstrip())


def assert_(val: Any, msg: Any = "") -> None:
    """Raise AssertionError unless `val` is true, also under `python -O`."""
    __tracebackhide__ = True
    if not val:
        raise AssertionError(msg() if callable(msg) else msg)


def print_assert_equal(test_string: str, actual: Any, desired: Any) -> None:
    """Raise AssertionError naming the test unless two objects are equal."""
    __tracebackhide__ = True
    try:
        assert_equal(actual, desired)
    except AssertionError:
        text = f"{test_string} failed\nACTUAL:\n{actual!r}\nDESIRED:\n{desired!r}\n"
        raise AssertionError(text) from None


# ------------------------------------------------------------------------------------------- units in the last place
_BITS = {torch.float16: torch.int16, torch.float32: torch.int32, torch.float64: torch.int64}


def _ulps(x: Tensor, y: Tensor) -> Tensor:
    """Count the representable numbers between x and y."""
    if x.shape != y.shape:
        raise ValueError(f"Arrays do not have the same shape: {tuple(x.shape)} - {tuple(y.shape)}")
    x, y = _common(x.to(_promotion.mean_dtype(x.dtype)), y.to(_promotion.mean_dtype(y.dtype)))
    if x.dtype not in _BITS:
        raise TypeError(f"units in the last place are not defined for {str(x.dtype)[6:]}")
    a, b = (t.contiguous().view(_BITS[t.dtype]) for t in (x, y))
    lowest = torch.iinfo(a.dtype).min
    a, b = (torch.where(t < 0, lowest - t, t).to(torch.float64) for t in (a, b))
    off = torch.where(torch.isnan(x) == torch.isnan(y), 0.0, math.nan)
    return torch.where(torch.isnan(x) & torch.isnan(y), 0.0, torch.abs(a - b)) + off


def assert_array_max_ulp(a: Any, b: Any, maxulp: int = 1, dtype: Any = None) -> Tensor:
    """Raise AssertionError when more than `maxulp` representable numbers separate two elements."""
    __tracebackhide__ = True
    found = _ulps(*(_array(x).to(_promotion.as_dtype(dtype) or _array(x).dtype) for x in (a, b)))
    if not bool((found <= maxulp).all()):
        worst = found.max().item()
        raise AssertionError(f"Arrays are not almost equal up to {maxulp:g} ULP (max difference is {worst:g} ULP)")
    return found[None].to(_promotion.mean_dtype(_array(a).dtype))  # NumPy's has an axis more than its arguments


def assert_array_almost_equal_nulp(x: Any, y: Any, nulp: int = 1) -> None:
    """Raise AssertionError unless two arrays agree within `nulp` spacings of the larger magnitude."""
    __tracebackhide__ = True
    a, b = _common(_array(x), _array(y))
    if a.is_complex():
        a, b = torch.view_as_real(a), torch.view_as_real(b)
    dtype = _promotion.floating(a.dtype)
    size = torch.maximum(torch.abs(a), torch.abs(b)).to(dtype)
    spacing = torch.nextafter(size, torch.full_like(size, math.inf)) - size
    if not bool((_distance(a, b) <= nulp * spacing).all()):
        worst = _ulps(a.to(dtype), b.to(dtype)).max().item()
        raise AssertionError(f"Arrays are not equal to {nulp:g} ULP (max is {worst:g})")
