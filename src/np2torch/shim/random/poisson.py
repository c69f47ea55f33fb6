"""The Poisson distribution, and the logarithm of the gamma function that NumPy's discrete samplers use."""

from __future__ import annotations

import math

from np2torch.shim.random._libm import log
from np2torch.shim.random.law import NOT_NEGATIVE_NOR_NAN, law
from np2torch.shim.random.source import Source

_STIRLING = (
    8.333333333333333e-02, -2.777777777777778e-03, 7.936507936507937e-04, -5.952380952380952e-04,
    8.417508417508418e-04, -1.917526917526918e-03, 6.410256410256410e-03, -2.955065359477124e-02,
    1.796443723688307e-01, -1.39243221690590e00,
)  # fmt: skip


def log_gamma(x: float) -> float:
    """log(gamma(x)) by Stirling's series, to NumPy's last bit (math.lgamma differs)."""
    if x in (1.0, 2.0):
        return 0.0
    n = int(7 - x) if x < 7.0 else 0
    x0 = x + n
    x2 = (1.0 / x0) * (1.0 / x0)
    series = _STIRLING[9]
    for term in _STIRLING[8::-1]:
        series = series * x2 + term
    found = series / x0 + 0.5 * 1.8378770664093453 + (x0 - 0.5) * log(x0) - x0
    for _ in range(n):
        found -= log(x0 - 1.0)
        x0 -= 1.0
    return found


@law(lam=NOT_NEGATIVE_NOR_NAN)
def poisson(source: Source, lam: float) -> int:
    """The Poisson: products of uniforms below a mean of 10, transformed rejection (Hörmann's PTRS) from there on."""
    double = source.bits.next_double
    if lam == 0:
        return 0
    if lam < 10:
        bound, count, product = math.exp(-lam), 0, double()
        while product > bound:
            count += 1
            product *= double()
        return count
    root, log_lam = math.sqrt(lam), math.log(lam)
    b = 0.931 + 2.53 * root
    a = -0.059 + 0.02483 * b
    log_inverse_alpha = math.log(1.1239 + 1.1328 / (b - 3.4))
    accept = 0.9277 - 3.6224 / (b - 2)
    while True:
        u = double() - 0.5
        v = double()
        us = 0.5 - abs(u)
        k = math.floor((2 * a / us + b) * u + lam + 0.43) if us else -1
        if us >= 0.07 and v <= accept:
            return k
        if k < 0 or (us < 0.013 and v > us):
            continue
        if log(v) + log_inverse_alpha - log(a / (us * us) + b) <= -lam + k * log_lam - log_gamma(k + 1.0):
            return k



def _countable(lam: float) -> None:
    if lam > 9.223372006484771e18:
        raise ValueError("lam value too large")


poisson.whole = (_countable,)
