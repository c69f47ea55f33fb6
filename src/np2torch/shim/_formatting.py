"""Tensors and numbers as the text NumPy would print, and the options of printing."""

from __future__ import annotations

import contextlib
import math
import operator
import struct
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any

import torch

from np2torch.shim._core import asarray
from np2torch.shim._layout import movable
from np2torch.shim._promotion import BOOL, Tensor, kind, real_dtype
from np2torch.shim._subclass_propagation import Derived

DEFAULTS: dict[str, Any] = {
    "edgeitems": 3, "threshold": 1000, "floatmode": "maxprec", "precision": 8, "suppress": False, "linewidth": 75,
    "nanstr": "nan", "infstr": "inf", "sign": "-", "formatter": None, "legacy": False, "override_repr": None,
}  # fmt: skip
_OPTIONS: ContextVar[dict[str, Any]] = ContextVar("printoptions", default=DEFAULTS)


def get_printoptions() -> dict[str, Any]:
    """The options in force, under NumPy's names."""
    return dict(_OPTIONS.get())


def set_printoptions(
    precision: int | None = None,
    threshold: int | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    suppress: bool | None = None,
    nanstr: str | None = None,
    infstr: str | None = None,
    formatter: Any = None,
    sign: str | None = None,
    floatmode: str | None = None,
    *,
    legacy: Any = None,
    override_repr: Any = None,
) -> None:
    """Options for the text of arrays here, and as far as torch knows them for `print(tensor)`."""
    given = {
        "precision": precision,
        "threshold": threshold,
        "edgeitems": edgeitems,
        "linewidth": linewidth,
        "suppress": suppress,
        "nanstr": nanstr,
        "infstr": infstr,
        "sign": sign,
        "floatmode": floatmode,
        "legacy": legacy,
    }
    if floatmode not in (None, "fixed", "unique", "maxprec", "maxprec_equal"):
        raise ValueError("floatmode option must be one of 'fixed', 'unique', 'maxprec' or 'maxprec_equal'")
    if sign not in (None, "-", "+", " "):
        raise ValueError("sign option must be one of ' ', '+', or '-'")
    passed = {name: value for name, value in given.items() if value is not None}
    _OPTIONS.set({**_OPTIONS.get(), **passed, "formatter": formatter, "override_repr": override_repr})
    torch.set_printoptions(  # type: ignore[no-untyped-call]
        precision=precision,
        threshold=threshold,
        edgeitems=edgeitems,
        linewidth=linewidth,
        sci_mode=False if suppress else None,
    )


@contextlib.contextmanager
def printoptions(*args: Any, **kwargs: Any) -> Iterator[dict[str, Any]]:
    """`set_printoptions` for the time of a `with` block."""
    old, torch_old = get_printoptions(), torch._tensor_str.get_printoptions()
    try:
        set_printoptions(*args, **kwargs)
        yield get_printoptions()
    finally:
        _OPTIONS.set(old)
        torch.set_printoptions(**torch_old)  # type: ignore[no-untyped-call]


# ---------------------------------------------------------------------------------------------- one number
LARGE = {torch.float16: 1e3, torch.float32: 1e6}  # from where on fixed point would show digits that mean nothing
_PACKED = {torch.float16: "<e", torch.float32: "<f"}


def _shortest(x: float, dtype: torch.dtype) -> str:
    """The fewest digits that give this number back in its dtype, in scientific notation."""
    packed = _PACKED.get(dtype)
    if packed is None:
        mantissa, _, exponent = f"{x!r}".partition("e")
        if exponent:
            return f"{mantissa}e{exponent}"
        digits = len(repr(abs(x)).replace(".", "").strip("0")) or 1
        return f"{x:.{max(digits - 1, 0)}e}"
    for digits in range(9):
        text = f"{x:.{digits}e}"
        with contextlib.suppress(OverflowError):
            if struct.unpack(packed, struct.pack(packed, float(text)))[0] == x:
                return text
    return f"{x:.9e}"


def _signed(text: str, sign: str) -> str:
    return text if text.startswith("-") or sign == "-" else sign + text


class _Floats:
    """One format for all numbers of an array: fixed point, or scientific where the range is wide."""

    def __init__(
        self, values: list[float], dtype: torch.dtype, options: dict[str, Any], sign: str | None = None
    ) -> None:
        self.dtype, self.options = dtype, options
        self.sign: str = options["sign"] if sign is None else sign
        self.unique = options["floatmode"] != "fixed"
        self.precision: int | None = None if options["floatmode"] == "unique" else options["precision"]
        finite = [x for x in values if math.isfinite(x)]
        self.scientific = self._is_wide([abs(x) for x in finite if x])
        # which zeros at the end go: all of them, unless the columns are to have one length
        self.trim = options["floatmode"] not in ("fixed", "maxprec_equal")
        parts = [self._parts(x) for x in finite]
        self.left = max((len(whole) for whole, _, _ in parts), default=0)
        self.right = max((len(fraction) for _, fraction, _ in parts), default=0)
        self.exponent = max((len(power) for _, _, power in parts), default=0)
        width = self.right + 1 + self.exponent
        if len(finite) < len(values):
            negative = self.sign != "-" or any(x == -math.inf for x in values)
            specials = len(options["nanstr"]), len(options["infstr"]) + negative  # room for both, whichever it holds
            self.left = max(self.left, *(length - (width if finite else 1) for length in specials))
        self.width = self.left + (width if finite else 1)

    def _is_wide(self, sizes: list[float]) -> bool:
        """Tell whether numbers of these sizes are written with exponents."""
        if not sizes:
            return False
        if max(sizes) >= LARGE.get(self.dtype, 1e8):
            return True
        return not self.options["suppress"] and (min(sizes) < 1e-4 or max(sizes) / min(sizes) > 1000)

    def _parts(self, x: float) -> tuple[str, str, str]:
        """Digits before the point, behind it, and the exponent."""
        if self.scientific:
            text = _shortest(x, self.dtype) if self.unique else f"{x:.{self.precision}e}"
            mantissa, _, power = text.partition("e")
            if self.precision is not None and len(mantissa.partition(".")[2]) > self.precision:
                mantissa, _, power = f"{x:.{self.precision}e}".partition("e")
            whole, _, fraction = mantissa.partition(".")
            fraction = fraction.rstrip("0") if self.unique else fraction
            return _signed(whole, self.sign), fraction, f"e{power[0]}{power[1:].lstrip('0').rjust(2, '0')}"
        if self.unique:
            digits, _, power = _shortest(x, self.dtype).partition("e")
            places = max(len(digits.partition(".")[2]) - int(power), 0)
            if self.precision is not None:
                places = min(places, self.precision)
            text = f"{x:.{places}f}"
        else:
            text = f"{x:.{self.precision}f}"
        whole, _, fraction = text.partition(".")
        return _signed(whole, self.sign), fraction.rstrip("0") if self.unique else fraction, ""

    def __call__(self, x: float) -> str:
        if not math.isfinite(x):
            lead = "-" if x < 0 else "+" if self.sign == "+" else ""
            name: str = self.options["nanstr" if math.isnan(x) else "infstr"]
            return (lead + name).rjust(self.width)
        whole, fraction, power = self._parts(x)
        if self.scientific:
            mantissa, _, _ = f"{x:.{self.right}e}".partition("e")
            whole, _, fraction = _signed(mantissa, self.sign).partition(".")
            return f"{whole.rjust(self.left)}.{fraction}{power[:2]}{power[2:].rjust(self.exponent - 2, '0')}"
        if self.trim:
            return f"{whole.rjust(self.left)}.{fraction.ljust(self.right)}"
        whole, _, fraction = _signed(f"{x:.{self.right}f}", self.sign).partition(".")
        return f"{whole.rjust(self.left)}.{fraction}"


def _formatter(shown: Tensor, options: dict[str, Any]) -> Callable[[Any], str]:
    """The function that turns an element, as a Python number, into text."""
    dtype, values = shown.dtype, shown.detach().reshape(-1).tolist()
    custom = options["formatter"] or {}
    names = ("bool", "int", "float", "complexfloat")[kind(dtype)]
    for name in (names, {1: "int_kind", 2: "float_kind", 3: "complex_kind"}.get(kind(dtype), "bool"), "all"):
        if custom.get(name) is not None:
            return custom[name]  # type: ignore[no-any-return]
    if dtype is BOOL:
        return lambda x: str(x).rjust(5 if shown.ndim else 0)
    if kind(dtype) == 1:
        sign = "" if options["sign"] == "-" else options["sign"]
        width = max((len(f"{x:{sign}d}") for x in values), default=0)
        return lambda x: f"{x:{sign}d}".rjust(width)
    if kind(dtype) == 2:
        return _Floats(values, dtype, options)
    real = _Floats([x.real for x in values], real_dtype(dtype), options)
    imaginary = _Floats([x.imag for x in values], real_dtype(dtype), options, sign="+")

    def both(x: complex) -> str:
        text = imaginary(x.imag)
        length = len(text.rstrip())
        return f"{real(x.real)}{text[:length]}j{text[length:]}"

    return both


# ----------------------------------------------------------------------------------------------- the array
def _corners(x: Tensor, edge: int) -> Tensor:
    for axis in range(x.ndim):
        if x.shape[axis] > 2 * edge:
            x = torch.cat([x.narrow(axis, 0, edge), x.narrow(axis, x.shape[axis] - edge, edge)], axis)
    return x


def _laid_out(
    x: Tensor, word: Callable[[Any], str], options: dict[str, Any], separator: str, indent: str, dots: bool
) -> str:
    edge = options["edgeitems"]

    def items(length: int) -> list[int | None]:
        if dots and length > 2 * edge:
            return [*range(edge), None, *range(length - edge, length)]
        return list(range(length))

    def lines(part: Tensor, indent: str, width: int) -> str:
        if part.ndim == 0:
            return word(part.item())
        chosen = items(part.shape[0])
        if part.ndim > 1:
            blocks = ["..." if at is None else lines(part[at], indent + " ", width - 1) for at in chosen]
            return "[" + (separator.rstrip() + "\n" * (part.ndim - 1) + indent).join(blocks) + "]"
        room, done, line = width - max(len(separator.rstrip()), 1), "", indent
        for at in chosen:
            text = "..." if at is None else word(part[at].item())
            if len(line) + len(text) > room and len(line) > len(indent):
                done, line = done + line.rstrip() + "\n", indent
            line += text + (separator if at != chosen[-1] else "")
        return "[" + (done + line)[len(indent) :] + "]"

    return lines(x, indent, options["linewidth"])


def _text(x: Tensor, options: dict[str, Any], separator: str, prefix: str) -> str:
    if x.numel() == 0:
        return "[]"
    dots = x.numel() > options["threshold"]
    shown = _corners(movable(x.detach()), options["edgeitems"]).view(x.dtype) if dots else x.detach()
    return _laid_out(
        x.detach(),
        _formatter(shown.resolve_conj().resolve_neg(), options),
        options,
        separator,
        " " + " " * len(prefix),
        dots,
    )


def _options(**changes: Any) -> dict[str, Any]:
    return {**_OPTIONS.get(), **{name: value for name, value in changes.items() if value is not None}}


def array2string(
    a: Any,
    max_line_width: int | None = None,
    precision: int | None = None,
    suppress_small: bool | None = None,
    separator: str = " ",
    prefix: str = "",
    *,
    formatter: Any = None,
    threshold: int | None = None,
    edgeitems: int | None = None,
    sign: str | None = None,
    floatmode: str | None = None,
    suffix: str = "",
    legacy: Any = None,
) -> str:
    """The text of an array as NumPy prints it."""
    options = _options(
        linewidth=max_line_width,
        precision=precision,
        suppress=suppress_small,
        formatter=formatter,
        threshold=threshold,
        edgeitems=edgeitems,
        sign=sign,
        floatmode=floatmode,
    )
    options["linewidth"] -= len(suffix)
    return _text(asarray(a), options, separator, prefix)


def array_str(
    a: Any, max_line_width: int | None = None, precision: int | None = None, suppress_small: bool | None = None
) -> str:
    """`str(array)`; for no axes the text of the number."""
    x = asarray(a)
    if x.ndim == 0:
        return _scalar(x)
    return _text(x, _options(linewidth=max_line_width, precision=precision, suppress=suppress_small), " ", "")


def _scalar(x: Tensor) -> str:
    value = x.item()
    if x.dtype not in _PACKED or not math.isfinite(value):
        return str(value)
    return repr(float(_shortest(value, x.dtype)))


def array_repr(
    arr: Any, max_line_width: int | None = None, precision: int | None = None, suppress_small: bool | None = None
) -> str:
    """`repr(array)`: the dtype is named unless it is the default one of its kind, so is a class of its own."""
    x = asarray(arr)
    name = type(arr).__name__ if isinstance(arr, Derived) else "array"
    options = _options(linewidth=max_line_width, precision=precision, suppress=suppress_small)
    body = _text(x, {**options, "linewidth": options["linewidth"] - len(")")}, ", ", f"{name}(")
    named = x.numel() == 0 or x.dtype not in (torch.int64, torch.float64, torch.complex128, BOOL)
    extras = [f"shape={tuple(x.shape)}"] * ((x.numel() == 0 and x.shape != (0,)) or x.numel() > options["threshold"])
    extras += [f"dtype={str(x.dtype)[6:]}"] * named
    text = f"{name}({body}"
    if not extras:
        return text + ")"
    tail = ", ".join(extras) + ")"
    last = len(text) - (text.rfind("\n") + 1)
    indent = " " * (len(name) + 1)
    return f"{text},\n{indent}{tail}" if last + len(tail) + 2 > options["linewidth"] else f"{text}, {tail}"


def binary_repr(num: Any, width: int | None = None) -> str:
    """Write a whole number in base 2; a negative one with a width as its two's complement."""
    number = operator.index(num)
    if number < 0 and width is not None:
        bits = (-number - 1).bit_length() + 1
        digits = f"{number + (1 << bits):b}"
        _require_width(width, len(digits))
        return digits.rjust(width, "1")
    if number == 0:
        return "0" * (width or 1)
    digits = f"{number:b}"
    if number > 0:
        _require_width(width, len(digits))
    return digits.zfill(width or 0)


def _require_width(width: int | None, binwidth: int) -> None:
    if width is not None and width < binwidth:
        raise ValueError(f"Insufficient bit {width=} provided for {binwidth=}")


DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def base_repr(number: Any, base: int = 2, padding: int = 0) -> str:
    """Write a whole number in a base, after so many zeros."""
    if not 2 <= base <= len(DIGITS):
        few = "greater than 36" if base > len(DIGITS) else "less than 2"
        raise ValueError(f"Bases {few} not handled in base_repr.")
    rest, digits = abs(int(number)), ""
    while rest:
        rest, digit = divmod(rest, base)
        digits = DIGITS[digit] + digits
    return "-" * bool(number < 0) + (f"{'0' * padding}{digits}" or "0")
