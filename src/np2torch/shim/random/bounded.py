"""Integers in a closed range [low, low + span]: masked rejection (legacy) and Lemire's multiplication (modern).

Both reject a word on its own merits, so a bulk draw is the stream of words with the rejected ones left out.
Narrow dtypes cut each 32-bit word into pieces; the pieces left at the end of a call are dropped, as in NumPy.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

import torch

from np2torch.shim.random._libm import CPU, Tensor
from np2torch.shim.random.bit_generator import MASK32, BitGenerator, signed64
from np2torch.shim.random.pcg64 import multiply_high

_SIGN = -(1 << 63)
_FEW = 24  # up to here Python integers beat tensors


def one(bits: BitGenerator, span: int, masked: bool) -> int:
    """A single integer in [0, span], span below 2**64."""
    if span == 0:
        return 0
    draw, width = (bits.next32, 32) if span <= MASK32 else (bits.next64, 64)
    return _pick(draw, width, span, masked)


def _pick(draw: Callable[[], int], width: int, span: int, masked: bool) -> int:
    full = (1 << width) - 1
    if span == full:
        return draw()
    if masked:
        mask = (1 << span.bit_length()) - 1
        while True:
            value = draw() & mask
            if value <= span:
                return value
    count = span + 1
    product = draw() * count
    if product & full < count:
        threshold = (full - span) % count
        while product & full < threshold:
            product = draw() * count
    return product >> width


class Pieces:
    """Words of 8 or 16 bits, or single bits, cut from 32-bit words lowest first."""

    def __init__(self, bits: BitGenerator, width: int) -> None:
        self.bits, self.width, self.left, self.word = bits, width, 0, 0

    def __call__(self) -> int:
        if not self.left:
            self.left, self.word = 32 // self.width, self.bits.next32()
        else:
            self.word >>= self.width
        self.left -= 1
        return self.word & ((1 << self.width) - 1)


def elementwise(bits: BitGenerator, width: int, spans: list[int], masked: bool) -> list[int]:
    """One integer in [0, span] for each span; `width` is the dtype's number of bits, 1 for bool."""
    pieces = Pieces(bits, width)
    found = []
    for span in spans:
        if span == 0:
            found.append(0)
        elif width < 32:
            found.append(_pick(pieces, width, span, masked) if width > 1 else pieces())
        else:
            found.append(one(bits, span, masked))
    return found


def many(bits: BitGenerator, width: int, span: int, n: int, masked: bool) -> Tensor:
    """n integers in [0, span] as int64 (by their bits where span needs 64); `width` as in `elementwise`."""
    if span == 0:
        return torch.zeros(n, dtype=torch.int64, device=CPU)
    if n <= _FEW:
        values = [signed64(value) for value in elementwise(bits, width, [span] * n, masked)]
        return torch.tensor(values, dtype=torch.int64, device=CPU)
    word = width if width < 32 else 32 if span <= MASK32 else 64
    parts = [torch.empty(0, dtype=torch.int64, device=CPU)]
    while n:
        words = _words(bits, word, n)
        if span != (1 << word) - 1:
            words = (_masked if masked else _lemire)(words, word, span)
        parts.append(words[:n])
        n -= parts[-1].numel()
    return torch.cat(parts[1:] or parts)


def _words(bits: BitGenerator, width: int, n: int) -> Tensor:
    if width == 64:
        return bits.words64(n)
    if width == 32:
        return bits.words32(n)
    per = 32 // width
    shifts = torch.arange(0, 32, width, device=CPU)
    return (bits.words32(-(-n // per))[:, None] >> shifts & ((1 << width) - 1)).reshape(-1)


def _masked(words: Tensor, width: int, span: int) -> Tensor:
    words = words & signed64((1 << span.bit_length()) - 1)
    return words[(words ^ _SIGN) <= signed64(span ^ 1 << 63)]


def _lemire(words: Tensor, width: int, span: int) -> Tensor:
    count = span + 1
    threshold = ((1 << width) - 1 - span) % count
    if width == 64:
        factor = torch.tensor(signed64(count), dtype=torch.int64, device=CPU)
        high, low = multiply_high(words, factor), words * factor
        return high[(low ^ _SIGN) >= signed64(threshold ^ 1 << 63)]
    product = words * count
    full = (1 << width) - 1
    return (product >> width & full)[(product & full) >= threshold]


def shuffle_order(bits: BitGenerator, n: int, masked: bool, first: int = 1) -> list[int]:
    """The order of 0 .. n-1 after a Fisher-Yates shuffle down to place `first`."""
    order = list(range(n))
    shuffle_list(bits, order, masked, first)
    return order


def shuffle_list(bits: BitGenerator, items: list[int], masked: bool, first: int = 1) -> None:
    """Fisher-Yates from the end down to place `first`, in place."""
    n = len(items)
    if n > MASK32:
        raise ValueError("too many items to shuffle")
    draw = bits.next32
    if n - first > 64:  # every place takes a word at least: take those at once
        draw = chain(bits.words32(n - first).tolist(), iter(draw, None)).__next__
    for i in range(n - 1, first - 1, -1):
        if masked:
            mask = (1 << i.bit_length()) - 1
            j = draw() & mask
            while j > i:
                j = draw() & mask
        else:
            product = draw() * (i + 1)
            j = product >> 32
            if product & MASK32 <= i:
                j = _redraw(draw, product, i)
        items[i], items[j] = items[j], items[i]


def _redraw(draw: Callable[[], int], product: int, span: int) -> int:
    threshold = (MASK32 - span) % (span + 1)
    while product & MASK32 < threshold:
        product = draw() * (span + 1)
    return product >> 32
