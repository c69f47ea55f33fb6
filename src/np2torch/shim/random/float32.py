"""The single-precision standards of `Generator`: every operation rounded to float32, as in C."""

from __future__ import annotations

import math

from np2torch.shim.random import ziggurat
from np2torch.shim.random._libm import FLOAT32, Tensor, each, log, power, single
from np2torch.shim.random.bit_generator import BitGenerator
from np2torch.shim.random.law import NON_NEGATIVE, law
from np2torch.shim.random.source import Source


def _uniform(bits: BitGenerator) -> float:
    return (bits.next32() >> 8) * 2.0**-24


@law()
def random(source: Source) -> float:
    """Uniform on [0, 1)."""
    return _uniform(source.bits)


@random.bulk
def _(source: Source, n: int) -> Tensor:
    return source.bits.singles(n)


@law()
def standard_normal(source: Source) -> float:
    """The normal of mean 0 and deviation 1."""
    return ziggurat.normal(FLOAT32).one(source.bits)


@standard_normal.bulk
def _(source: Source, n: int) -> Tensor:
    return ziggurat.normal(FLOAT32).many(source.bits, n)


@law()
def standard_exponential(source: Source) -> float:
    """The exponential of mean 1."""
    return ziggurat.exponential(FLOAT32).one(source.bits)


@standard_exponential.bulk
def _(source: Source, n: int) -> Tensor:
    return ziggurat.exponential(FLOAT32).many(source.bits, n)


@law()
def inverse_exponential(source: Source) -> float:
    """The exponential of mean 1 by inversion."""
    return single(-math.log1p(-_uniform(source.bits)))


@inverse_exponential.bulk
def _(source: Source, n: int) -> Tensor:
    return each(math.log1p, -source.bits.singles(n).double()).neg_().to(FLOAT32)


@law(shape=NON_NEGATIVE)
def standard_gamma(source: Source, shape: float) -> float:
    """The gamma of scale 1."""
    bits, r = source.bits, single
    shape = r(shape)
    exponential, normal = ziggurat.exponential(FLOAT32), ziggurat.normal(FLOAT32)
    if shape == 1.0:
        return exponential.one(bits)
    if shape == 0.0:
        return 0.0
    if shape < 1.0:
        inverse = r(1.0 / shape)
        while True:
            u = _uniform(bits)
            v = exponential.one(bits)
            if u <= r(1.0 - shape):
                x = r(power(u, inverse))
                if x <= v:
                    return x
            else:
                y = r(-log(r(r(1.0 - u) / shape)))
                x = r(power(r(r(1.0 - shape) + r(shape * y)), inverse))
                if x <= r(v + y):
                    return x
    b = r(shape - r(1.0 / 3.0))
    c = r(1.0 / r(math.sqrt(r(9.0 * b))))
    while True:
        x = normal.one(bits)
        v = r(1.0 + r(c * x))
        while v <= 0.0:
            x = normal.one(bits)
            v = r(1.0 + r(c * x))
        v = r(r(v * v) * v)
        u = _uniform(bits)
        x2 = r(x * x)
        if u < r(1.0 - r(r(r(0.0331) * x2) * x2)):
            return r(b * v)
        if r(log(u)) < r(r(r(0.5 * x) * x) + r(b * r(r(1.0 - v) + r(log(v))))):
            return r(b * v)
