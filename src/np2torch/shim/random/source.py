"""The primitives that distributions draw: uniforms, normals and exponentials, in the legacy and the modern way."""

from __future__ import annotations

import math
from typing import Any, Protocol

import torch

from np2torch.shim.random import ziggurat
from np2torch.shim.random._libm import Tensor, each, floats
from np2torch.shim.random.bit_generator import BitGenerator

_FEW = 200  # up to here Python floats beat rounds of tensors


class Source(Protocol):
    """Draws one at a time (Python floats) and in bulk (flat tensors)."""

    bits: BitGenerator
    legacy: bool

    def normal(self) -> float:
        """A standard normal."""

    def exponential(self) -> float:
        """A standard exponential."""

    def normals(self, n: int) -> Tensor:
        """n standard normals."""

    def exponentials(self, n: int) -> Tensor:
        """n standard exponentials."""


class ModernSource:
    """The primitives of `Generator`: ziggurats."""

    legacy = False

    def __init__(self, bits: BitGenerator) -> None:
        self.bits = bits

    def normal(self) -> float:
        """A standard normal."""
        return ziggurat.normal().one(self.bits)

    def exponential(self) -> float:
        """A standard exponential."""
        return ziggurat.exponential().one(self.bits)

    def normals(self, n: int) -> Tensor:
        """n standard normals."""
        return ziggurat.normal().many(self.bits, n)

    def exponentials(self, n: int) -> Tensor:
        """n standard exponentials."""
        return ziggurat.exponential().many(self.bits, n)


def _polar(r2: float) -> float:
    return math.sqrt(-2.0 * math.log(r2) / r2)


class LegacySource:
    """The primitives of `RandomState`: Marsaglia's polar method, which makes normals in pairs, and inversion."""

    legacy = True

    def __init__(self, bits: BitGenerator) -> None:
        self.bits = bits
        self.spare: float | None = None  # the second normal of a pair

    def __getattr__(self, name: str) -> Any:
        """The spare one that is away with the state of the words comes back with it."""
        if name == "spare" and "bits" in vars(self):
            self.bits.recall()
        return object.__getattribute__(self, name)

    def __getstate__(self) -> dict[str, Any]:
        """Give the attributes for a copy."""
        self.bits.recall()
        return dict(vars(self))

    def normal(self) -> float:
        """A standard normal."""
        if self.spare is not None:
            value, self.spare = self.spare, None
            return value
        double = self.bits.next_double
        while True:
            x1 = 2.0 * double() - 1.0
            x2 = 2.0 * double() - 1.0
            r2 = x1 * x1 + x2 * x2
            if 0.0 < r2 < 1.0:
                scale = _polar(r2)
                self.spare = scale * x1
                return scale * x2

    def exponential(self) -> float:
        """A standard exponential."""
        return -math.log(1.0 - self.bits.next_double())

    def normals(self, n: int) -> Tensor:
        """n standard normals.

        As many pairs of uniforms as pairs of normals are missing can be taken at once: none can be too many.
        """
        if n <= _FEW:
            return floats(self.normal() for _ in range(n))
        parts = []
        if self.spare is not None:
            parts.append(floats([self.normal()]))
            n -= 1
        missing = (n + 1) // 2
        while missing:
            x = self.bits.doubles(2 * missing).mul_(2.0).sub_(1.0).reshape(-1, 2)
            r2 = x[:, 0] * x[:, 0] + x[:, 1] * x[:, 1]
            inside = (r2 < 1.0) & (r2 != 0.0)
            x, r2 = x[inside], r2[inside]
            parts.append((each(_polar, r2)[:, None] * x).flip(1).reshape(-1))
            missing -= r2.numel()
        found = torch.cat(parts)
        if n % 2:
            self.spare = float(found[-1])
            found = found[:-1]
        return found

    def exponentials(self, n: int) -> Tensor:
        """n standard exponentials."""
        return each(math.log, 1.0 - self.bits.doubles(n)).neg_()


