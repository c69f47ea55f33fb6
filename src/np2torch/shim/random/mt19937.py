"""The Mersenne Twister. Python's own `random.Random` is the same machine, at C speed and with a state one can set."""

from __future__ import annotations

import operator
import random
from typing import Any

import torch

from np2torch.shim._core import asarray
from np2torch.shim.random._libm import CPU, Tensor
from np2torch.shim.random.bit_generator import MASK32, BitGenerator, words_of
from np2torch.shim.random.seed_sequence import SeedSequence
from np2torch.shim.random.words import as_words

_SIZE = 624


def _linear(seed: int) -> list[int]:
    """The key of an integer seed: a linear recurrence."""
    key = [seed & MASK32]
    for i in range(1, _SIZE):
        last = key[-1]
        key.append((1812433253 * (last ^ last >> 30) + i) & MASK32)
    return key


def _by_array(seed: list[int]) -> list[int]:
    """The key of an array of 32-bit seeds."""
    key, i, n = _linear(19650218), 1, len(seed)
    for step in range(max(_SIZE, n)):
        last = key[i - 1]
        key[i] = ((key[i] ^ (last ^ last >> 30) * 1664525) + seed[step % n] + step % n) & MASK32
        i += 1
        if i == _SIZE:
            key[0], i = key[-1], 1
    for _ in range(_SIZE - 1):
        last = key[i - 1]
        key[i] = ((key[i] ^ (last ^ last >> 30) * 1566083941) - i) & MASK32
        i += 1
        if i == _SIZE:
            key[0], i = key[-1], 1
    key[0] = 0x80000000
    return key


class MT19937(BitGenerator):
    """`numpy.random.MT19937`."""

    HELD = ("_twister", "next_double")

    def __init__(self, seed: Any = None) -> None:
        self._begin(seed)
        self._load(_whole(self.seed_seq), _SIZE - 1)

    def _begin(self, seed: Any) -> None:
        super().__init__(seed)
        self._twister = random.Random()
        self.next_double = self._twister.random  # type: ignore[method-assign]

    @classmethod
    def unseeded(cls) -> MT19937:
        """One that `_legacy_seeding` is to follow."""
        made = cls.__new__(cls)
        made._begin(0)
        return made

    def _load(self, key: list[int], position: int) -> None:
        self._twister.setstate((3, (*key, position), None))

    def _legacy_seeding(self, seed: Any) -> None:
        """Seed as `numpy.random.seed` does."""
        if seed is None:
            return self._load(_whole(SeedSequence()), _SIZE)
        try:
            value = operator.index(seed.squeeze() if hasattr(seed, "squeeze") else seed)
        except TypeError:
            return self._load(_by_array(_seed_array(seed)), _SIZE)
        if not 0 <= value <= MASK32:
            raise ValueError("Seed must be between 0 and 2**32 - 1")
        return self._load(_linear(value), _SIZE)

    def words_and_position(self) -> tuple[list[int], int]:
        """The 624 words of the key, and the position in it."""
        *key, position = self._twister.getstate()[1]
        return key, position

    @property
    def state(self) -> dict[str, Any]:
        """The 624 words of the key and the position in it."""
        key, position = self.words_and_position()
        words = torch.tensor(key, dtype=torch.int64, device=CPU).to(torch.int32)  # the same bits
        return {"bit_generator": "MT19937", "state": {"key": as_words(words), "pos": position}}

    @state.setter
    def state(self, value: dict[str, Any]) -> None:
        inner = self._check(value)["state"]
        key = [int(word) for word in inner["key"]]
        if len(key) != _SIZE:
            raise ValueError(f"state must contain {_SIZE} words")
        self._load(key, int(inner["pos"]))

    def next32(self) -> int:
        """The next 32-bit word."""
        return self._twister.getrandbits(32)

    def next64(self) -> int:
        """The next 64-bit word, its high half drawn first."""
        return self._twister.getrandbits(32) << 32 | self._twister.getrandbits(32)

    def double_of(self, word: int) -> float:
        """27 bits of the high half and 26 of the low: six bits in the middle are not used."""
        return (word >> 37 << 26 | (word & MASK32) >> 6) * 2.0**-53

    def _pairs(self, n: int) -> Tensor:
        return words_of(self._twister.randbytes(8 * n))

    def words32(self, n: int) -> Tensor:
        """The next n 32-bit words."""
        words = words_of(self._twister.randbytes(4 * n) + bytes(4 * (n % 2)))
        return torch.stack([words & MASK32, words >> 32 & MASK32], 1).reshape(-1)[:n]

    def words64(self, n: int) -> Tensor:
        """The next n 64-bit words."""
        pairs = self._pairs(n)
        return pairs << 32 | pairs >> 32 & MASK32

    def doubles(self, n: int) -> Tensor:
        """The next n doubles, as `double_of` makes them."""
        pairs = self._pairs(n)
        bits = (pairs & 0xFFFFFFE0) << 21 | pairs >> 38 & 0x3FFFFFF
        return bits.to(torch.float64).mul_(2.0**-53)

    def _raw(self, n: int) -> Tensor:
        return self.words32(n)

    def __getstate__(self) -> dict[str, Any]:
        return {"seed_seq": self.seed_seq, "state": self._twister.getstate()}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.seed_seq, self._twister = saved["seed_seq"], random.Random()
        self.next_double = self._twister.random  # type: ignore[method-assign]
        self._twister.setstate(saved["state"])


def _seed_array(seed: Any) -> list[int]:
    array = asarray(seed)
    if array.numel() == 0:
        raise ValueError("Seed must be non-empty")
    if array.is_floating_point() or array.is_complex():
        raise TypeError("Cannot cast array data to dtype('int64') according to the rule 'safe'")
    if array.ndim != 1:
        raise ValueError("Seed array must be 1-d")
    words = [int(word) for word in array.tolist()]
    if not all(0 <= word <= MASK32 for word in words):
        raise ValueError("Seed must be between 0 and 2**32 - 1")
    return words


def _whole(sequence: Any) -> list[int]:
    """The words of a key that is not spread from a seed."""
    return [0x80000000, *sequence.words32(_SIZE)[1:]]
