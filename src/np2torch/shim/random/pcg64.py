"""PCG64: a linear congruential generator of 128 bits, its state permuted into 64.

Bulk draws jump ahead: the i-th state is A**i * s + (A**i - 1) / (A - 1) * c modulo 2**128, so a table of the powers
turns one state into a block of states at once. A 128-bit number is a pair of int64 tensors, high and low.
"""

from __future__ import annotations

import functools
from typing import Any

import torch

from np2torch.shim.random._libm import CPU, Tensor, floats
from np2torch.shim.random.bit_generator import MASK32, MASK64, BitGenerator, signed64

_MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645
_MASK = (1 << 128) - 1
_BLOCK, _ROWS = 1024, 64  # a row of states per base, few enough rows for the second-level cache
_SMALL = 48  # below this Python integers beat tensors
_SIGN = -(1 << 63)


def multiply_high(a: Tensor, b: Tensor) -> Tensor:
    """The high 64 bits of the unsigned products of 64-bit words."""
    a0, a1, b0, b1 = a & MASK32, a >> 32 & MASK32, b & MASK32, b >> 32 & MASK32
    cross, other = a0 * b1, a1 * b0
    middle = (a0 * b0 >> 32 & MASK32) + (cross & MASK32) + (other & MASK32)
    return a1 * b1 + (cross >> 32 & MASK32) + (other >> 32 & MASK32) + (middle >> 32)


def _limbs(values: list[int]) -> tuple[Tensor, Tensor]:
    high = torch.tensor([signed64(v >> 64) for v in values], dtype=torch.int64, device=CPU)
    return high, torch.tensor([signed64(v & MASK64) for v in values], dtype=torch.int64, device=CPU)


def _affine(high: Tensor, low: Tensor, by: tuple[Tensor, Tensor], plus: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
    """(high, low) * by + plus modulo 2**128."""
    new_low = low * by[1] + plus[1]
    carry = (new_low ^ _SIGN) < (plus[1] ^ _SIGN)
    return multiply_high(low, by[1]) + high * by[1] + low * by[0] + plus[0] + carry, new_low


def _permuted(high: Tensor, low: Tensor) -> Tensor:
    """XSL-RR: the folded state rotated by its own top six bits."""
    x, by = high ^ low, high >> 58 & 63
    return (x >> by & ~(-2 << (63 - by))) | x << (64 - by & 63)


@functools.cache
def _powers(n: int = _BLOCK) -> tuple[list[int], list[int]]:
    """The multipliers and the increment's factors of 1 to n steps."""
    multiplier, factor = [_MULTIPLIER], [1]
    for _ in range(n - 1):
        multiplier.append(multiplier[-1] * _MULTIPLIER & _MASK)
        factor.append((factor[-1] * _MULTIPLIER + 1) & _MASK)
    return multiplier, factor


@functools.cache
def _power_limbs() -> tuple[tuple[Tensor, Tensor], tuple[Tensor, Tensor]]:
    multiplier, factor = _powers()
    return _limbs(multiplier), _limbs(factor)


def _jump(state: int, increment: int, steps: int) -> int:
    """The state `steps` later, by squaring."""
    multiplier, plus, by, add = _MULTIPLIER, increment, 1, 0
    steps &= _MASK
    while steps:
        if steps & 1:
            by, add = by * multiplier & _MASK, (add * multiplier + plus) & _MASK
        plus = (multiplier + 1) * plus & _MASK
        multiplier = multiplier * multiplier & _MASK
        steps >>= 1
    return (by * state + add) & _MASK


class PCG64(BitGenerator):
    """`numpy.random.PCG64`."""

    HELD = ("_state", "_increment", "_half", "_last_half")

    def __init__(self, seed: Any = None) -> None:
        super().__init__(seed)
        a, b, c, d = self.seed_seq.words64(4)
        self._increment = ((c << 64 | d) << 1 | 1) & _MASK
        self._state = ((self._increment + (a << 64 | b)) * _MULTIPLIER + self._increment) & _MASK
        self._half: int | None = None  # the unused high half of a word drawn for 32 bits
        self._last_half = 0

    @property
    def state(self) -> dict[str, Any]:
        """State, increment and the buffered half word."""
        return {
            "bit_generator": "PCG64",
            "state": {"state": self._state, "inc": self._increment},
            "has_uint32": int(self._half is not None),
            "uinteger": self._last_half,
        }

    @state.setter
    def state(self, value: dict[str, Any]) -> None:
        self.recall()
        inner = self._check(value)["state"]
        self._state, self._increment = int(inner["state"]), int(inner["inc"])
        self._last_half = int(value["uinteger"])
        self._half = self._last_half if value["has_uint32"] else None

    def _few(self, n: int) -> list[int]:
        state, increment, words = self._state, self._increment, []
        for _ in range(n):
            state = (state * _MULTIPLIER + increment) & _MASK
            x, by = (state >> 64 ^ state) & MASK64, state >> 122
            words.append((x >> by | x << 64 - by) & MASK64)
        self._state = state
        return words

    def doubles(self, n: int) -> Tensor:
        """The next n doubles in [0, 1)."""
        return floats(map(self.double_of, self._few(n))) if n <= _SMALL else super().doubles(n)

    def next64(self) -> int:
        """The next 64-bit word."""
        self._state = state = (self._state * _MULTIPLIER + self._increment) & _MASK
        x, by = (state >> 64 ^ state) & MASK64, state >> 122
        return (x >> by | x << 64 - by) & MASK64

    def next32(self) -> int:
        """The next 32-bit word: a 64-bit word serves twice, low half first."""
        if self._half is not None:
            half, self._half = self._half, None
            return half
        word = self.next64()
        self._half = self._last_half = word >> 32
        return word & MASK32

    def words64(self, n: int) -> Tensor:
        """The next n 64-bit words."""
        if n <= _SMALL:
            return torch.tensor([signed64(word) for word in self._few(n)], dtype=torch.int64, device=CPU)
        by, factors = _power_limbs()
        increment = _limbs([self._increment])
        plus = _affine(*factors, increment, _limbs([0]))
        if n <= _BLOCK:
            by, plus = (by[0][:n], by[1][:n]), (plus[0][:n], plus[1][:n])
        parts = []
        for start in range(0, n, _BLOCK * _ROWS):
            high, low = _limbs(self._bases(min(n - start, _BLOCK * _ROWS)))
            states = _affine(high[:, None], low[:, None], by, plus)
            parts.append(_permuted(*states).reshape(-1)[: n - start])
        return torch.cat(parts) if len(parts) > 1 else parts[0]

    def _bases(self, n: int) -> list[int]:
        """The states every _BLOCK steps for n draws; moves the generator on by n."""
        multiplier, factor = _powers()
        by, plus = multiplier[-1], factor[-1] * self._increment
        bases = [self._state]
        for _ in range((n - 1) // _BLOCK):
            bases.append((bases[-1] * by + plus) & _MASK)
        rest = (n - 1) % _BLOCK
        self._state = (bases[-1] * multiplier[rest] + factor[rest] * self._increment) & _MASK
        return bases

    def words32(self, n: int) -> Tensor:
        """The next n 32-bit words."""
        if n <= _SMALL:
            return torch.tensor([self.next32() for _ in range(n)], dtype=torch.int64, device=CPU)
        first = [] if self._half is None else [torch.tensor([self.next32()], dtype=torch.int64, device=CPU)]
        rest = n - len(first)
        words = self.words64((rest + 1) // 2)
        halves = torch.stack([words & MASK32, words >> 32 & MASK32], 1).reshape(-1)
        self._last_half = int(halves[-1])
        if rest % 2:
            self._half = self._last_half
        return torch.cat([*first, halves[:rest]])

    def advance(self, delta: int) -> PCG64:
        """Move on by `delta` words; drops a buffered half."""
        self._state = _jump(self._state, self._increment, delta)
        self._half, self._last_half = None, 0
        return self

    def jumped(self, jumps: int = 1) -> PCG64:
        """A new generator, far along this one's stream."""
        other = PCG64.__new__(PCG64)
        other.seed_seq, other._increment = self.seed_seq, self._increment
        other._state = _jump(self._state, self._increment, 0x9E3779B97F4A7C15F39CC0605CEDC835 * jumps)
        other._half, other._last_half = None, 0
        return other
