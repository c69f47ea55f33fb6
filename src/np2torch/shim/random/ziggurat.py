"""Ziggurat sampling of normals and exponentials, 256 layers of equal area, one word for 99 draws in 100.

The tables are derived here to the last bit of NumPy's. Layer i reaches to x[i], where x[255] = R closes the ziggurat
(x[1] * (f(0) - f(x[1])) = V, found offline to 45 digits) and f(x[i]) = f(x[i+1]) + V / x[i+1]. Then, for a magnitude
of b bits, width w[i] = x[i] / 2**b, height f[i] = f(x[i]), and a magnitude below k[i] = 2**b * x[i-1] / x[i] lies under
the curve. NumPy's tables were made with some error: the units in the last place it is off by are listed.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, localcontext
from itertools import pairwise

import torch

from np2torch.shim.random._libm import CPU, Tensor, floats, single
from np2torch.shim.random.bit_generator import MASK32, MASK64, BitGenerator

_NORMAL_WIDTH_ERRORS = [int(error) for error in """
    -9 -60 -18 -16 -14 -15 -16 -13 -13 -7 -7 -6 -5 -5 -5 -5 -5 -6 -5 -6 -7 -7 -6 -7 -7 -6 -6 -5 -6 -6 -7 -5 -6
    -6 -6 -6 -6 -7 -5 -5 -4 -3 -4 -5 -3 -4 -4 -4 -4 -4 -4 -5 -2 -3 -3 -4 -4 -3 -4 -4 -3 -3 -2 -2 -3 -3 -4 -3 -4
    -3 -3 -3 -2 -2 -1 -2 -2 -3 -3 -3 -2 -2 -3 -3 -3 -2 -2 -2 -2 -1 -2 -1 -1 -1 -1 -1 -2 -1 -1 -1 -1 -1 -2 -1 -1
    -2 -2 -2 -2 -2 -2 -2 -2 -2 -1 -1 -1 -1 -1 -1 -1 -1 0 0 -1 -1 -1 -2 -1 -1 -1 -1 -2 -2 -2 -1 -1 -2 -2 -2 -3 -3
    -4 -3 -3 -3 -2 -2 -1 -2 -1 -1 -1 -1 -1 -1 0 0 1 0 0 -1 0 0 0 0 0 0 0 0 0 1 2 2 3 3 3 2 2 1 0 0 0 0 0 0 0 0 0
    0 0 0 0 0 0 -1 -1 -1 -1 -1 -2 -1 -2 -2 -2 -2 -2 -2 -1 -1 -1 -1 0 0 -1 -1 0 0 0 0 -1 0 0 0 0 0 0 0 0 0 0 -1 0
    -1 -1 -1 -1 -1 -1 -1 0 0 1 0 1 1 1 1 1 1 0 0 1 1 1 0
""".split()]  # fmt: skip

_NORMAL_R, _EXPONENTIAL_R = 3.6541528853610087963519472518, 7.6971174701310497140446280481
_NORMAL_INVERSE_R = 0.27366123732975827203338247596

_NARROW = 2**23 - 1  # the magnitudes of float32 draws
_FEW = 100  # up to here Python numbers beat tensors


@dataclass(frozen=True)
class _Curve:
    end: Decimal
    area: Decimal
    height: Callable[[Decimal], Decimal]
    inverse: Callable[[Decimal], Decimal]


_NORMAL = _Curve(
    Decimal("3.65415288536100877164542972039951576297"),
    Decimal("0.00492867323397465534736177540234"),
    lambda x: (-x * x / 2).exp(),
    lambda y: (-2 * y.ln()).sqrt(),
)
_EXPONENTIAL = _Curve(
    Decimal("7.69711747013104971404462804801521549911396864"),
    Decimal("0.00394965982258155721997757195681486109191281237"),
    lambda x: (-x).exp(),
    lambda y: -y.ln(),
)


def _layers(curve: _Curve) -> tuple[list[Decimal], list[Decimal]]:
    """Compute ends and heights of layers; in place 0 the width of a rectangle as large as the base with its tail."""
    x, height = [curve.end], [curve.height(curve.end)]
    for _ in range(254):
        height.append(height[-1] + curve.area / x[-1])
        x.append(curve.inverse(height[-1]))
    return [curve.area / height[0], *reversed(x)], [Decimal(1), *reversed(height)]


def _normal64() -> tuple[list[float], list[float], list[int]]:
    x, _ = _layers(_NORMAL)
    nearest = [float(end) for end in x]
    x64 = [end + error * math.ulp(end) for end, error in zip(nearest, _NORMAL_WIDTH_ERRORS, strict=True)]
    heights = [1.0, *(math.exp(-0.5 * end * end) for end in x64[1:])]
    heights[38] = float.fromhex("0x1.5ad29acc85c89p-1")  # off by one
    limits = [int(x64[255] / x64[0] * 2**52), 0, *(round(a / b * 2**52) for a, b in pairwise(x64[1:]))]
    return [end * 2.0**-52 for end in x64], heights, limits


def _exponential64() -> tuple[list[float], list[float], list[int]]:
    x, heights = _layers(_EXPONENTIAL)
    limits = [x[255] / x[0], Decimal(0), *(a / b for a, b in pairwise(x[1:]))]
    return [float(end) * 2.0**-53 for end in x], [float(y) for y in heights], [2 * int(k * 2**52) for k in limits]


def _float32(curve: _Curve) -> tuple[list[float], list[float], list[int]]:
    x, heights = _layers(curve)
    limits = [x[255] / x[0], Decimal(0), *(a / b for a, b in pairwise(x[1:]))]
    widths, tops = [single(float(end) * 2.0**-23) for end in x], [single(float(y)) for y in heights]
    if curve is _EXPONENTIAL:  # four entries that were printed with too few digits
        widths[226] = float.fromhex("0x1.d87948p-22")
        tops[128], tops[154], tops[171] = map(float.fromhex, ("0x1.816524p-3", "0x1.0f3f80p-3", "0x1.9f04dcp-4"))
    return widths, tops, [round(k * 2**23) for k in limits]


@dataclass(frozen=True)
class Ziggurat:
    """One of NumPy's four: where a word keeps layer and magnitude, the tables, and what to do outside the layers."""

    layer_shift: int
    magnitude_shift: int
    magnitude_mask: int
    widths: list[float]  # twice, the second time negative, where a sign follows the layer's eight bits
    heights: list[float]
    limits: list[int]
    dtype: torch.dtype
    outside: Callable[[Ziggurat, int, int, float, Callable[[], float]], float | None]

    @functools.cached_property
    def layer_mask(self) -> int:
        """Eight bits, or nine with a sign."""
        return len(self.widths) - 1

    @functools.cached_property
    def _tables(self) -> tuple[Tensor, Tensor]:
        widths = torch.tensor(self.widths, dtype=self.dtype, device=CPU)
        return widths, torch.tensor(self.limits, dtype=torch.int64, device=CPU)

    def one(self, bits: BitGenerator) -> float:
        """The next draw."""
        return self._few(bits, 1)[0]

    def _few(self, bits: BitGenerator, n: int) -> list[float]:
        """The next n draws, one by one."""
        wide = self.dtype is torch.float64
        uniform, draw = _uniform(bits, wide), bits.next64 if wide else bits.next32
        found: list[float] = []
        while len(found) < n:
            value = self._resolve(draw(), uniform)
            if value is not None:
                found.append(value)
        return found

    def _resolve(self, word: int, uniform: Callable[[], float]) -> float | None:
        layer = word >> self.layer_shift & self.layer_mask
        magnitude = word >> self.magnitude_shift & self.magnitude_mask
        x = magnitude * self.widths[layer]
        if self.magnitude_mask == _NARROW:
            x = single(x)
        if magnitude < self.limits[layer]:
            return x
        return self.outside(self, layer & 255, magnitude, x, uniform)

    def many(self, bits: BitGenerator, n: int) -> Tensor:
        """The next n draws.

        Every draw takes a word at least, so as many words as draws are missing can be taken at once. The few that fall
        outside their layer are settled one by one, with uniforms from the words that follow them.
        """
        if n <= _FEW:
            return floats(self._few(bits, n), self.dtype)
        widths, limits = self._tables
        wide = self.dtype is torch.float64
        parts = [torch.empty(0, dtype=self.dtype, device=CPU)]
        while n:
            words = bits.words64(n) if wide else bits.words32(n)
            layer = words >> self.layer_shift & self.layer_mask
            magnitude = words >> self.magnitude_shift & self.magnitude_mask
            x = magnitude.to(self.dtype).mul_(widths[layer])
            outside = (magnitude >= limits[layer]).nonzero().reshape(-1).tolist()
            if outside:
                x = x[self._settle(bits, words, x, outside)]
            parts.append(x)
            n -= x.numel()
        return torch.cat(parts[1:] or parts)

    def _settle(self, bits: BitGenerator, words: Tensor, x: Tensor, outside: list[int]) -> Tensor:
        """Settle the draws outside their layers in place; the mask of the words that became draws."""
        wide = self.dtype is torch.float64
        n, used = words.numel(), 0
        dropped: list[int] = []
        settled: dict[int, float] = {}
        later = _uniform(bits, wide)

        def uniform() -> float:
            nonlocal used
            if used >= n:
                return later()
            dropped.append(used)
            word, used = int(words[used]), used + 1
            return bits.double_of(word & MASK64) if wide else (word >> 8) * 2.0**-24

        for at in outside:
            if at < used:  # it already served as a uniform
                continue
            used = at + 1
            value = self._resolve(int(words[at]) & (MASK64 if wide else MASK32), uniform)
            if value is None:
                dropped.append(at)
            else:
                settled[at] = value
        if settled:
            x[list(settled)] = torch.tensor(list(settled.values()), dtype=self.dtype, device=CPU)
        keep = torch.ones(n, dtype=torch.bool, device=CPU)
        keep[dropped] = False
        return keep


def _uniform(bits: BitGenerator, wide: bool) -> Callable[[], float]:
    return bits.next_double if wide else lambda: (bits.next32() >> 8) * 2.0**-24


def _normal_outside(z: Ziggurat, layer: int, magnitude: int, x: float, uniform: Callable[[], float]) -> float | None:
    if layer:
        return x if _under(z, layer, uniform(), math.exp(-0.5 * x * x)) else None
    rounded = single if z.dtype is torch.float32 else float
    end, inverse = rounded(_NORMAL_R), rounded(_NORMAL_INVERSE_R)
    while True:
        a = rounded(-inverse * rounded(math.log1p(-uniform())))
        b = rounded(-math.log1p(-uniform()))
        if b + b > rounded(a * a):
            tail = rounded(end + a)
            return -tail if magnitude >> 8 & 1 else tail


def _exponential_outside(
    z: Ziggurat, layer: int, _magnitude: int, x: float, uniform: Callable[[], float]
) -> float | None:
    rounded = single if z.dtype is torch.float32 else float
    if layer:
        return x if _under(z, layer, uniform(), rounded(math.exp(-x))) else None
    return rounded(rounded(_EXPONENTIAL_R) - rounded(math.log1p(-uniform())))


def _under(z: Ziggurat, layer: int, u: float, height: float) -> bool:
    """Tell whether the point at the share u of the layer's height lies below the curve, whose height there is given."""
    top, bottom = z.heights[layer - 1], z.heights[layer]
    if z.dtype is torch.float32:
        return single(single(single(top - bottom) * u) + bottom) < height
    return (top - bottom) * u + bottom < height


@functools.cache
def normal(dtype: torch.dtype = torch.float64) -> Ziggurat:
    """Standard normals."""
    with localcontext(prec=45):
        widths, heights, limits = _normal64() if dtype is torch.float64 else _float32(_NORMAL)
    mask = 2**52 - 1 if dtype is torch.float64 else _NARROW
    return Ziggurat(0, 9, mask, widths + [-w for w in widths], heights, limits * 2, dtype, _normal_outside)


@functools.cache
def exponential(dtype: torch.dtype = torch.float64) -> Ziggurat:
    """Standard exponentials."""
    with localcontext(prec=45):
        widths, heights, limits = _exponential64() if dtype is torch.float64 else _float32(_EXPONENTIAL)
    shifts = (3, 11, 2**53 - 1) if dtype is torch.float64 else (1, 9, _NARROW)
    return Ziggurat(*shifts, widths, heights, limits, dtype, _exponential_outside)
