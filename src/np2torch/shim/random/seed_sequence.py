"""`SeedSequence`: entropy of any size hashed into well-mixed words, and children that do not collide."""

from __future__ import annotations

import secrets
from typing import Any

import torch

from np2torch.shim._promotion import as_dtype
from np2torch.shim.random._libm import CPU

_MASK = 0xFFFFFFFF


class _Hash:
    """A multiplicative hash whose multiplier moves on with every word."""

    def __init__(self, start: int, step: int) -> None:
        self.constant, self.step = start, step

    def __call__(self, word: int) -> int:
        word ^= self.constant
        self.constant = self.constant * self.step & _MASK
        word = word * self.constant & _MASK
        return word ^ word >> 16


def _mix(x: int, y: int) -> int:
    mixed = (0xCA01F9DD * x - 0x4973F715 * y) & _MASK
    return mixed ^ mixed >> 16


def _words(x: Any) -> list[int]:
    """The 32-bit words, lowest first, of an integer or nested sequences of them."""
    if isinstance(x, torch.Tensor) or hasattr(x, "tolist"):
        if "int" not in str(x.dtype):
            raise TypeError("SeedSequence expects int or sequence of ints for entropy")
        x = x.tolist()
    if isinstance(x, (list, tuple, range)):
        return [word for item in x for word in _words(item)]
    if not isinstance(x, int):
        raise TypeError(f"SeedSequence expects int or sequence of ints for entropy not {x}")
    if x < 0:
        raise ValueError("expected non-negative integer")
    return [x >> shift & _MASK for shift in range(0, max(x.bit_length(), 1), 32)]


class SeedSequence:
    """`numpy.random.SeedSequence`."""

    def __init__(self, entropy: Any = None, *, spawn_key: Any = (), pool_size: int = 4, n_children_spawned: int = 0):
        if pool_size < 4:
            raise ValueError(f"The size of the entropy pool should be at least 4, not {pool_size}")
        self.entropy = secrets.randbits(pool_size * 32) if entropy is None else entropy
        self.spawn_key = tuple(spawn_key)
        self.pool_size = pool_size
        self.n_children_spawned = n_children_spawned
        self._pool = self._mixed(self._entropy_words())

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__}(", f"    entropy={self.entropy!r},"]
        if self.spawn_key:
            lines.append(f"    spawn_key={self.spawn_key!r},")
        if self.pool_size != 4:
            lines.append(f"    pool_size={self.pool_size!r},")
        if self.n_children_spawned:
            lines.append(f"    n_children_spawned={self.n_children_spawned!r},")
        return "\n".join([*lines, ")"])

    @property
    def state(self) -> dict[str, Any]:
        """Give the attributes that the sequence can be rebuilt from."""
        return {name: getattr(self, name) for name in ("entropy", "spawn_key", "pool_size", "n_children_spawned")}

    @property
    def pool(self) -> torch.Tensor:
        """The mixed entropy, uint32."""
        return torch.tensor(self._pool, dtype=torch.uint32, device=CPU)

    def _entropy_words(self) -> list[int]:
        words, key = _words(self.entropy), _words(self.spawn_key)
        if key:  # padding keeps (entropy, key) apart from the longer entropy of the same words
            words += [0] * (self.pool_size - len(words))
        return words + key

    def _mixed(self, words: list[int]) -> list[int]:
        size, hashed = self.pool_size, _Hash(0x43B0D7E5, 0x931E8875)
        pool = [hashed(words[i] if i < len(words) else 0) for i in range(size)]
        for source in range(size):
            for target in range(size):
                if source != target:
                    pool[target] = _mix(pool[target], hashed(pool[source]))
        for word in words[size:]:
            for target in range(size):
                pool[target] = _mix(pool[target], hashed(word))
        return pool

    def words32(self, n: int) -> list[int]:
        """n 32-bit words as Python integers."""
        hashed = _Hash(0x8B51F9DD, 0x58F38DED)
        return [hashed(self._pool[i % self.pool_size]) for i in range(n)]

    def words64(self, n: int) -> list[int]:
        """n 64-bit words as Python integers."""
        words = self.words32(2 * n)
        return [low | high << 32 for low, high in zip(words[::2], words[1::2], strict=True)]

    def generate_state(self, n_words: int, dtype: Any = torch.uint32) -> torch.Tensor:
        """n words of seed material, uint32 or uint64."""
        target = as_dtype(dtype)
        if target not in (torch.uint32, torch.uint64):
            raise ValueError("only support uint32 or uint64")
        words = self.words32(n_words) if target is torch.uint32 else self.words64(n_words)
        return torch.tensor(words, dtype=target, device=CPU)

    def spawn(self, n_children: int) -> list[SeedSequence]:
        """Sequences that differ from this one and from all its other children."""
        first = self.n_children_spawned
        self.n_children_spawned += n_children
        return [
            SeedSequence(self.entropy, spawn_key=(*self.spawn_key, i), pool_size=self.pool_size)
            for i in range(first, first + n_children)
        ]
