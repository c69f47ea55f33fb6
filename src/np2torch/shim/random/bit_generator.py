"""The interface of all bit generators: words and doubles, one at a time as Python numbers or in bulk as tensors."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Any, Self

import torch

from np2torch.shim._core import as_shape
from np2torch.shim.random._libm import CPU, Tensor
from np2torch.shim.random.seed_sequence import SeedSequence

MASK32 = 0xFFFFFFFF
MASK64 = 0xFFFFFFFFFFFFFFFF
_TO_UNIT = 2.0**-53


def signed64(word: int) -> int:
    """The int64 with the bits of an unsigned 64-bit word."""
    return word - (1 << 64) if word >> 63 else word


class BitGenerator(ABC):
    """A stream of random words; `numpy.random.BitGenerator`.

    Tensors of words are int64: 32-bit words as they are, 64-bit words by their bits.

    Attributes
    ----------
    HELD
        The attributes that are the state. They are away while NumPy's generator has it (see `twins`).
    lent
        What has the state, where it is away.
    asked
        How many draws of single numbers there were.
    """

    HELD: tuple[str, ...] = ()
    lent: Any = None
    last: Any
    asked = 0

    def __init__(self, seed: Any = None) -> None:
        self.seed_seq = seed if isinstance(seed, SeedSequence) else SeedSequence(seed)

    def __getattr__(self, name: str) -> Any:
        """Take the state back from NumPy's generator before an attribute of it is read."""
        lent = self.lent
        if lent is not None:
            lent.back()
        return object.__getattribute__(self, name)

    def __getstate__(self) -> dict[str, Any]:
        """Give the attributes for a copy, which is a stream of its own."""
        self.recall()
        return {name: value for name, value in vars(self).items() if name not in ("last", "asked")}

    def recall(self) -> None:
        """Have the state here."""
        if self.lent is not None:
            self.lent.back()

    @property
    @abstractmethod
    def state(self) -> dict[str, Any]:
        """The state as NumPy's dictionary; assign to it to restore one."""

    @state.setter
    @abstractmethod
    def state(self, value: dict[str, Any]) -> None: ...

    @abstractmethod
    def next32(self) -> int:
        """The next 32-bit word."""

    @abstractmethod
    def next64(self) -> int:
        """The next 64-bit word."""

    def next_double(self) -> float:
        """The next double in [0, 1)."""
        return self.double_of(self.next64())

    def double_of(self, word: int) -> float:
        """The double that `next_double` makes of this 64-bit word."""
        return (word >> 11) * _TO_UNIT

    @abstractmethod
    def words32(self, n: int) -> Tensor:
        """The next n 32-bit words."""

    @abstractmethod
    def words64(self, n: int) -> Tensor:
        """The next n 64-bit words."""

    def doubles(self, n: int) -> Tensor:
        """The next n doubles in [0, 1)."""
        return ((self.words64(n) >> 11) & (2**53 - 1)).to(torch.float64).mul_(_TO_UNIT)

    def singles(self, n: int) -> Tensor:
        """The next n float32 in [0, 1)."""
        return (self.words32(n) >> 8).to(torch.float32).mul_(2.0**-24)

    def random_raw(self, size: Any = None, output: bool = True) -> Any:
        """The generator's own words, uint64."""
        shape = () if size is None else as_shape(size)
        words = self._raw(math.prod(shape))
        if not output:
            return None
        return int(words) & MASK64 if size is None else words.view(torch.uint64).reshape(shape)

    def _raw(self, n: int) -> Tensor:
        return self.words64(n)

    def spawn(self, n_children: int) -> list[Self]:
        """Independent generators from children of the seed sequence."""
        return [type(self)(seed) for seed in self.seed_seq.spawn(n_children)]

    def _check(self, value: dict[str, Any]) -> dict[str, Any]:
        name = type(self).__name__
        if not isinstance(value, dict):
            raise TypeError("state must be a dict")
        if value.get("bit_generator", "") != name:
            raise ValueError(f"state must be for a {name} PRNG")
        return value


def words_of(data: bytes) -> Tensor:
    """Little-endian 64-bit words as an int64 tensor."""
    if not data:
        return torch.empty(0, dtype=torch.int64, device=CPU)
    return torch.frombuffer(bytearray(data), dtype=torch.int64)
