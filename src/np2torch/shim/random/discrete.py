"""The discrete distributions, Poisson aside."""

from __future__ import annotations

import math

from np2torch.shim.random import bounded
from np2torch.shim.random._libm import exp, expm1, log, power
from np2torch.shim.random.continuous import gamma
from np2torch.shim.random.law import (
    ABOVE_1,
    NON_NEGATIVE,
    POSITIVE_NOT_NAN,
    PROBABILITY,
    PROBABILITY_NOT_0,
    PROBABILITY_NOT_1,
    law,
)
from np2torch.shim.random.poisson import log_gamma, poisson
from np2torch.shim.random.source import Source

_LARGEST = 2**63 - 1


@law(n=NON_NEGATIVE, p=PROBABILITY)
def binomial(source: Source, n: float, p: float) -> int:
    """The binomial: inversion while the mean is at most 30, else rejection (Kachitvichyanukul and Schmeiser's BTPE)."""
    n = int(n)
    if not source.legacy and (n == 0 or p == 0.0):  # the legacy streams spend a uniform even here
        return 0
    rare = p if p <= 0.5 else 1.0 - p
    found = _binomial_inversion(source, n, rare) if rare * n <= 30.0 else _btpe(source, n, rare)
    return found if p <= 0.5 else n - found


def _binomial_inversion(source: Source, n: int, p: float) -> int:
    q = 1.0 - p
    start = exp(n * math.log(q)) if source.legacy else exp(n * math.log1p(-p))
    mean = n * p
    bound = int(min(float(n), mean + 10.0 * math.sqrt(mean * q + 1)))
    x, px, u = 0, start, source.bits.next_double()
    while u > px:
        x += 1
        if x > bound:
            x, px, u = 0, start, source.bits.next_double()
        else:
            u -= px
            px = ((n - x + 1) * p * px) / (x * q)
    return x


def _btpe(source: Source, n: int, r: float) -> int:
    double = source.bits.next_double
    q = 1.0 - r
    fm = n * r + r
    m = math.floor(fm)
    p1 = math.floor(2.195 * math.sqrt(n * r * q) - 4.6 * q) + 0.5
    xm = m + 0.5
    xl, xr = xm - p1, xm + p1
    c = 0.134 + 20.5 / (15.3 + m)
    a = (fm - xl) / (fm - xl * r)
    left = a * (1.0 + a / 2.0)
    a = (xr - fm) / (xr * q)
    right = a * (1.0 + a / 2.0)
    p2 = p1 * (1.0 + 2.0 * c)
    p3 = p2 + c / left
    p4 = p3 + c / right
    nrq = n * r * q
    while True:
        u = double() * p4
        v = double()
        if u <= p1:  # the triangle
            return math.floor(xm - p1 * v + u)
        if u <= p2:  # the parallelogram
            x = xl + (u - p1) / c
            v = v * c + 1.0 - abs(m - x + 0.5) / p1
            if v > 1.0:
                continue
            y = math.floor(x)
        elif v == 0.0:
            continue
        elif u <= p3:  # the left tail
            y = math.floor(xl + math.log(v) / left)
            if y < 0:
                continue
            v = v * (u - p2) * left
        else:
            y = math.floor(xr - math.log(v) / right)
            if y > n:
                continue
            v = v * (u - p3) * right
        if _btpe_accepts(n, r, q, m, xm, nrq, y, v):
            return y


def _btpe_accepts(n: int, r: float, q: float, m: int, xm: float, nrq: float, y: int, v: float) -> bool:
    k = abs(y - m)
    if not (k > 20 and k < nrq / 2.0 - 1):
        s = r / q
        a = s * (n + 1)
        ratio = 1.0
        for i in range(m + 1, y + 1):
            ratio *= a / i - s
        for i in range(y + 1, m + 1):
            ratio /= a / i - s
        return v <= ratio
    rho = (k / nrq) * ((k * (k / 3.0 + 0.625) + 0.16666666666666666) / nrq + 0.5)
    t = -k * k / (2 * nrq)
    log_v = log(v)
    if log_v < t - rho:
        return True
    if log_v > t + rho:
        return False
    x1, f1, z, w = y + 1, m + 1, n + 1 - m, n - y + 1
    bound = xm * math.log(f1 / x1) + (n - m + 0.5) * math.log(z / w) + (y - m) * math.log(w * r / (x1 * q))
    for term in (f1, z, x1, w):
        bound += _stirling(float(term))
    return log_v <= bound


def _stirling(x: float) -> float:
    x2 = x * x
    return (13680.0 - (462.0 - (132.0 - (99.0 - 140.0 / x2) / x2) / x2) / x2) / x / 166320.0


@law(p=PROBABILITY_NOT_0)
def geometric(source: Source, p: float) -> int:
    """The number of trials to the first success."""
    if p >= 0.333333333333333333333333:
        count, total, term = 1, p, p
        u = source.bits.next_double()
        while u > total:
            term *= 1.0 - p
            total += term
            count += 1
        return count
    if source.legacy:
        return math.ceil(math.log1p(-source.bits.next_double()) / math.log1p(-p))
    found = -source.exponential() / math.log1p(-p)
    return _LARGEST if found >= 9.223372036854776e18 else math.ceil(found)


@law(n=POSITIVE_NOT_NAN, p=PROBABILITY_NOT_0)
def negative_binomial(source: Source, n: float, p: float) -> int:
    """A Poisson whose mean is a gamma."""
    return int(poisson.one(source, gamma.one(source, n, (1 - p) / p)))


@law(p=PROBABILITY_NOT_1)
def logseries(source: Source, p: float) -> int:
    """The logarithmic series."""
    double = source.bits.next_double
    r = math.log1p(-p)
    while True:
        v = double()
        if v >= p:
            return 1
        x = r * double()
        q = 1.0 - exp(x) if source.legacy else -expm1(x)
        if v <= q * q:
            found = math.floor(1 + log(v) / log(q)) if v > 0.0 else 0
            if found >= 1:
                return found
            continue
        return 1 if v >= q else 2


@law(a=ABOVE_1)
def zipf(source: Source, a: float) -> int:
    """The zeta distribution."""
    double = source.bits.next_double
    if a >= 1025 and not source.legacy:
        return 1
    less = a - 1.0
    b = power(2.0, less)
    least = 0.0 if source.legacy else power(float(_LARGEST), -less)
    while True:
        u = double()
        u = u * least + (1 - u)
        v = double()
        x = power(u, -1.0 / less)
        if not 1.0 <= x <= _LARGEST:
            continue
        x = float(math.floor(x))
        t = power(1.0 + 1.0 / x, less)
        if v * x * (t - 1.0) / (b - 1.0) <= t / b:
            return int(x)


@law(ngood=NON_NEGATIVE, nbad=NON_NEGATIVE, nsample=NON_NEGATIVE)
def hypergeometric(source: Source, ngood: float, nbad: float, nsample: float) -> int:
    """Good ones in a sample without replacement: counted one by one in small samples, else ratio of uniforms (HRUA)."""
    good, bad, sample = int(ngood), int(nbad), int(nsample)
    if source.legacy:
        if sample > 10:
            return _hrua(source, good, bad, sample)
        return _legacy_count(source, good, bad, sample) if sample > 0 else 0
    if 10 <= sample <= good + bad - 10:
        return _hrua(source, good, bad, sample)
    return _count(source, good, bad, sample)


def _enough(ngood: float, nbad: float, nsample: float) -> None:
    if ngood + nbad < nsample:
        raise ValueError("ngood + nbad < nsample")


hypergeometric.whole = (_enough,)


def _legacy_count(source: Source, good: int, bad: int, sample: int) -> int:
    rest, fewer = bad + good - sample, min(bad, good)
    y, k = float(fewer), sample
    while y > 0.0:
        u = source.bits.next_double()
        y -= math.floor(u + y / (rest + k))
        k -= 1
        if k == 0:
            break
    found = int(fewer - y)
    return sample - found if good > bad else found


def _count(source: Source, good: int, bad: int, sample: int) -> int:
    total = good + bad
    many = sample > total // 2
    missing = total - sample if many else sample
    left, left_good = total, good
    while missing > 0 and left_good > 0 and left > left_good:
        left -= 1
        if bounded.one(source.bits, left, masked=True) < left_good:
            left_good -= 1
        missing -= 1
    if left == left_good:
        left_good -= missing
    return left_good if many else good - left_good


def _hrua(source: Source, good: int, bad: int, sample: int) -> int:
    double, log_factorial = source.bits.next_double, _log_gamma_of_next if source.legacy else _log_factorial
    fewer, more, total = min(good, bad), max(good, bad), good + bad
    m = min(sample, total - sample)
    p = fewer / total
    q = 1.0 - p if source.legacy else more / total
    a = m * p + 0.5
    drawn = sample if source.legacy else m
    c = math.sqrt((total - m) * drawn * p * q / (total - 1) + 0.5)
    h = 1.7155277699214135 * c + 0.8989161620588988
    mode = math.floor((m + 1) * (fewer + 1) / (total + 2))

    def weight(k: int) -> float:
        return log_factorial(k) + log_factorial(fewer - k) + log_factorial(m - k) + log_factorial(more - m + k)

    top = weight(mode)
    bound = min(min(m, fewer) + 1.0, math.floor(a + 16 * c))
    while True:
        u = double()
        v = double()
        if u == 0.0:
            continue
        x = a + h * (v - 0.5) / u
        if x < 0.0 or x >= bound:
            continue
        k = math.floor(x)
        t = top - weight(k)
        if u * (4.0 - u) - 3.0 <= t:
            break
        if u * (u - t) >= 1:
            continue
        if 2.0 * log(u) <= t:
            break
    if good > bad:
        k = m - k
    return good - k if m < sample else k


def _log_gamma_of_next(k: int) -> float:
    return log_gamma(k + 1.0)


def _log_factorial(k: int) -> float:
    if k < 126:
        return math.log(math.factorial(k))
    return (k + 0.5) * math.log(k) - k + (0.9189385332046728 + (1.0 / k) * (1 / 12.0 - 1 / (360.0 * k * k)))
