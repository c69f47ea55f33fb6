"""One number as text, digit by digit: `format_float_positional` and `format_float_scientific`.

The digits are those of Steele and White's free-format algorithm ("Dragon4"), which NumPy uses, on Python's integers.
"""

from __future__ import annotations

import math
import operator
from typing import Any, NamedTuple

import torch

from np2torch.shim._core import asarray
from np2torch.shim._promotion import Tensor, kind

TRIMS = ("k", ".", "0", "-")
LONGEST_EXPONENT = 5
"""NumPy writes no more digits of an exponent, however many are asked for."""


class _Parts(NamedTuple):
    """A finite float as integers: `mantissa * 2**exponent`, and the distances to its neighbours."""

    mantissa: int
    exponent: int
    is_lowest: bool
    """Whether it is a power of 2, whose neighbour below is nearer than the one above."""


class _Cut(NamedTuple):
    """Limits of the number of digits, of the fraction or of all; None for no limit."""

    most: int | None
    least: int | None
    is_fraction: bool

    def place(self, count: int | None, first: int) -> int | None:
        """The exponent of the last of so many digits."""
        if count is None:
            return None
        return -count if self.is_fraction else first + 1 - count


def _parts(x: float, dtype: torch.dtype) -> _Parts:
    info = torch.finfo(dtype)
    bits = round(-math.log2(info.eps))
    mantissa, power = math.frexp(abs(x))
    exponent = max(power - 1, round(math.log2(info.tiny))) - bits
    whole = int(math.ldexp(mantissa, power - exponent))
    return _Parts(whole, exponent, whole == 1 << bits and abs(x) != info.tiny)


class _Ratio(NamedTuple):
    """A number as `value / scale`, below 10, with half the distances to its neighbours, times `10**power`."""

    value: int
    scale: int
    below: int
    above: int
    power: int


def _ratio(parts: _Parts, cut: _Cut) -> _Ratio:
    double = 2 if parts.is_lowest else 1
    value = 2 * double * parts.mantissa << max(parts.exponent, 0)
    scale = 2 * double << max(-parts.exponent, 0)
    power = _power(value, scale)
    if cut.is_fraction and cut.most is not None:
        power = max(power, -cut.most)  # nothing is left of it but what is rounded
    up, down = 10 ** max(-power, 0), 10 ** max(power, 0)
    margin = up << max(parts.exponent, 0)
    return _Ratio(value * up, scale * down, margin, double * margin, power)


def _generate(parts: _Parts, unique: bool, cut: _Cut) -> tuple[str, int]:
    """The digits of a number, and the exponent of the first of them."""
    if parts.mantissa == 0:
        return "0", 0
    value, scale, below, above, first = _ratio(parts, cut)
    last = cut.place(cut.most, first)
    enough = cut.place(cut.least, first)  # only from here on it is asked whether these digits will do
    even = parts.mantissa % 2 == 0
    power, number, length, low, high = first, 0, 0, False, False
    while True:
        digit, value = divmod(value, scale)
        number, length = 10 * number + digit, length + 1
        if unique and (enough is None or power <= enough):
            low, high = value < below + even, value + above > scale - even
        if low or high or power == last or not unique and value == 0:
            break
        value, below, above, power = 10 * value, 10 * below, 10 * above, power - 1
    down = low if low != high else 2 * value + number % 2 <= scale
    text = str(number + (not down)).rjust(length, "0")
    if len(text) > length:  # 9.99 -> 10.0
        return "1", first + 1
    return (text if down else text.rstrip("0") or "0"), first


def _power(value: int, scale: int) -> int:
    """The exponent of the first digit of a fraction."""
    power = len(str(value)) - len(str(scale))
    return power if value * 10 ** max(-power, 0) >= scale * 10 ** max(power, 0) else power - 1


def _number(x: Any) -> tuple[float, torch.dtype]:
    """The number to write, and the dtype in which its digits tell it from its neighbours."""
    x = asarray(x) if hasattr(x, "dtype") else x
    if not isinstance(x, Tensor):
        return _real(x), torch.float64
    if x.ndim:
        raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
    value = x.item()
    number = value.real if isinstance(value, complex) else float(value)
    return number, x.dtype if kind(x.dtype) == 2 else torch.float64


def _real(x: Any) -> float:
    if isinstance(x, (str, bytes)):
        raise TypeError(f"must be real number, not {type(x).__name__}")
    return float(x)


def _limit(x: Any, name: str) -> int | None:
    """A count of digits or columns; None where there is none."""
    if x is None:
        return None
    if x < 0:
        raise ValueError(f"{name} must be >= 0")
    return operator.index(x)


class _Text(NamedTuple):
    """A number and the options that both notations have."""

    value: float
    dtype: torch.dtype
    unique: bool
    most: int | None
    least: int | None
    trim: str
    sign: str

    @property
    def wanted(self) -> int:
        """So many digits are written, with zeros where there are no others."""
        return (self.least if self.unique else self.most) or 0

    def digits(self, more: int, is_fraction: bool) -> tuple[str, int]:
        """The digits, with those before the point counted as so many more, and the exponent of the first."""
        most, least = (None if limit is None else limit + more for limit in (self.most, self.least))
        return _generate(_parts(self.value, self.dtype), self.unique, _Cut(most, least, is_fraction))

    def fraction(self, digits: str, wanted: int) -> str:
        """The point and what is behind it."""
        if self.trim == "k":
            return "." + digits.ljust(wanted, "0")
        digits = digits.rstrip("0")
        if self.trim == "0":
            return "." + (digits or "0")
        return "." * (self.trim == "." or bool(digits)) + digits


def _text(x: Any, precision: Any, unique: Any, trim: Any, sign: Any, least: Any) -> _Text:
    if least and precision and least > precision:
        raise ValueError("min_digits must be less than or equal to precision")
    value, dtype = _number(x)
    if trim not in TRIMS:
        raise TypeError(f"if supplied, trim must be 'k', '.', '0' or '-' found `{trim}`")
    if not unique and precision is None:
        raise TypeError("in non-unique mode `precision` must be supplied")
    mark = "-" if math.copysign(1, value) < 0 else "+" if sign else ""
    return _Text(value, dtype, bool(unique), precision, least, trim, "" if math.isnan(value) else mark)


def format_float_positional(
    x: Any,
    precision: int | None = None,
    unique: bool = True,
    fractional: bool = True,
    trim: str = "k",
    sign: bool = False,
    pad_left: int | None = None,
    pad_right: int | None = None,
    min_digits: int | None = None,
) -> str:
    """A number in decimal notation, by default with the digits that tell it from all others of its dtype."""
    most, least = _limit(precision, "precision"), _limit(min_digits, "min_digits")
    left, right = _limit(pad_left, "pad_left"), _limit(pad_right, "pad_right")
    if not fractional and most == 0:
        raise ValueError("precision must be greater than 0 if fractional=False")
    text = _text(x, most, unique, trim, sign, least)
    if not math.isfinite(text.value):
        return f"{text.sign}{abs(text.value)}"
    digits, first = text.digits(0, bool(fractional))
    digits = digits.rjust(len(digits) - min(first, 0), "0")  # 0.05
    length = max(first, 0) + 1
    whole, behind = digits[:length].ljust(length, "0"), digits[length:]
    end = text.fraction(behind, text.wanted if fractional else text.wanted - length)
    if right is not None:
        end += " " * max(right + 1 - max(len(end), 0), 0)
    return (text.sign + whole).rjust(left or 0) + end


def format_float_scientific(
    x: Any,
    precision: int | None = None,
    unique: bool = True,
    trim: str = "k",
    sign: bool = False,
    pad_left: int | None = None,
    exp_digits: int | None = None,
    min_digits: int | None = None,
) -> str:
    """A number in scientific notation, by default with the digits that tell it from all others of its dtype."""
    most, least = _limit(precision, "precision"), _limit(min_digits, "min_digits")
    left, places = _limit(pad_left, "pad_left"), _limit(exp_digits, "exp_digits")
    text = _text(x, most, unique, trim, sign, least)
    if not math.isfinite(text.value):
        return f"{text.sign}{abs(text.value)}"
    digits, first = text.digits(1, False)
    power = str(abs(first)) if first else ""
    power = power.rjust(min(2 if places is None else places, LONGEST_EXPONENT), "0")
    lead = (text.sign + digits[0]).rjust(left or 0)
    behind = text.fraction(digits[1:], text.wanted)
    if len(digits) > 1 and not behind:  # NumPy leaves the point where zeros were behind it
        behind = "."
    return f"{lead}{behind}e{'-' if first < 0 else '+'}{power}"
