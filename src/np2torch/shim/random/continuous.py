"""The continuous distributions."""

from __future__ import annotations

import math

from np2torch.shim.random._libm import Tensor, divide, each, exp, expm1, log, power
from np2torch.shim.random.law import NON_NEGATIVE, POSITIVE, Value, law
from np2torch.shim.random.poisson import poisson
from np2torch.shim.random.source import Source


@law()
def random(source: Source) -> float:
    """Uniform on [0, 1)."""
    return source.bits.next_double()


@random.bulk
def _(source: Source, n: int) -> Tensor:
    return source.bits.doubles(n)


@law()
def uniform(source: Source, low: float, span: float) -> float:
    """Uniform on [low, low + span)."""
    return low + span * source.bits.next_double()


@uniform.bulk
def _(source: Source, n: int, low: Value, span: Value) -> Tensor:
    return source.bits.doubles(n) * span + low


@law()
def standard_normal(source: Source) -> float:
    """The normal of mean 0 and deviation 1."""
    return source.normal()


@standard_normal.bulk
def _(source: Source, n: int) -> Tensor:
    return source.normals(n)


@law(scale=NON_NEGATIVE)
def normal(source: Source, loc: float, scale: float) -> float:
    """The normal."""
    return loc + scale * source.normal()


@normal.bulk
def _(source: Source, n: int, loc: Value, scale: Value) -> Tensor:
    return source.normals(n) * scale + loc


@law(sigma=NON_NEGATIVE)
def lognormal(source: Source, mean: float, sigma: float) -> float:
    """The exponential of a normal."""
    return exp(mean + sigma * source.normal())


@lognormal.bulk
def _(source: Source, n: int, mean: Value, sigma: Value) -> Tensor:
    return each(exp, source.normals(n) * sigma + mean)


@law()
def standard_exponential(source: Source) -> float:
    """The exponential of mean 1."""
    return source.exponential()


@standard_exponential.bulk
def _(source: Source, n: int) -> Tensor:
    return source.exponentials(n)


@law(scale=NON_NEGATIVE)
def exponential(source: Source, scale: float) -> float:
    """The exponential."""
    return scale * source.exponential()


@exponential.bulk
def _(source: Source, n: int, scale: Value) -> Tensor:
    return source.exponentials(n) * scale


@law(shape=NON_NEGATIVE)
def standard_gamma(source: Source, shape: float) -> float:
    """The gamma of scale 1: Marsaglia and Tsang from 1 on, Ahrens and Dieter below."""
    double, square = source.bits.next_double, source.normal
    if shape == 1.0:
        return source.exponential()
    if shape == 0.0:
        return 0.0
    if shape < 1.0:
        while True:
            u = double()
            v = source.exponential()
            if u <= 1.0 - shape:
                x = power(u, 1.0 / shape)
                if x <= v:
                    return x
            else:
                y = -log((1 - u) / shape)
                x = power(1.0 - shape + shape * y, 1.0 / shape)
                if x <= v + y:
                    return x
    b = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9 * b) if b == b else b
    while True:
        x = square()
        v = 1.0 + c * x
        while v <= 0.0:
            x = square()
            v = 1.0 + c * x
        v = v * v * v
        u = double()
        if u < 1.0 - 0.0331 * (x * x) * (x * x):
            return b * v
        if log(u) < 0.5 * x * x + b * (1.0 - v + log(v)):
            return b * v
        if b != b:  # NumPy would look forever
            return b


@law(shape=NON_NEGATIVE, scale=NON_NEGATIVE)
def gamma(source: Source, shape: float, scale: float) -> float:
    """The gamma."""
    return float(scale * standard_gamma.one(source, shape))


_TINY = 3e-103


@law(a=POSITIVE, b=POSITIVE)
def beta(source: Source, a: float, b: float) -> float:
    """The beta: Johnk's method where both parameters are at most 1, else a ratio of gammas."""
    if not (a <= 1.0 and b <= 1.0):
        ga = standard_gamma.one(source, a)
        gb = standard_gamma.one(source, b)
        return float(divide(ga, ga + gb))
    double = source.bits.next_double
    if not source.legacy and a < _TINY and b < _TINY:
        return float((a + b) * double() < a)
    while True:
        u = double()
        v = double()
        x, y = power(u, divide(1.0, a)), power(v, divide(1.0, b))
        if x + y <= 1.0 and (source.legacy or u + v > 0.0):
            if x + y > 0 if source.legacy else x > 0 and y > 0:
                return x / (x + y)
            log_x, log_y = divide(log(u), a), divide(log(v), b)
            top = max(log_x, log_y)
            log_x, log_y = log_x - top, log_y - top
            return exp(log_x - log(exp(log_x) + exp(log_y)))


@law(df=POSITIVE)
def chisquare(source: Source, df: float) -> float:
    """The chi-square."""
    return float(2.0 * standard_gamma.one(source, df / 2.0))


@law(df=POSITIVE, nonc=NON_NEGATIVE)
def noncentral_chisquare(source: Source, df: float, nonc: float) -> float:
    """The noncentral chi-square."""
    if nonc != nonc:
        return nonc
    if nonc == 0:
        return float(chisquare.one(source, df))
    if df > 1:
        x = chisquare.one(source, df - 1)
        y = source.normal() + math.sqrt(nonc)
        return float(x + y * y)
    return float(chisquare.one(source, df + 2 * poisson.one(source, nonc / 2.0)))


@law(dfnum=POSITIVE, dfden=POSITIVE)
def f(source: Source, dfnum: float, dfden: float) -> float:
    """Fisher's F."""
    top = chisquare.one(source, dfnum) * dfden
    return divide(top, chisquare.one(source, dfden) * dfnum)


@law(dfnum=POSITIVE, dfden=POSITIVE, nonc=NON_NEGATIVE)
def noncentral_f(source: Source, dfnum: float, dfden: float, nonc: float) -> float:
    """The noncentral F."""
    top = noncentral_chisquare.one(source, dfnum, nonc) * dfden
    return divide(top, chisquare.one(source, dfden) * dfnum)


@law(df=POSITIVE)
def standard_t(source: Source, df: float) -> float:
    """Student's t."""
    top = source.normal()
    return divide(math.sqrt(df / 2) * top, math.sqrt(standard_gamma.one(source, df / 2)))


@law()
def standard_cauchy(source: Source) -> float:
    """The Cauchy: a ratio of normals."""
    top = source.normal()
    return divide(top, source.normal())


@law(a=POSITIVE)
def pareto(source: Source, a: float) -> float:
    """The Lomax, or Pareto II."""
    x = source.exponential() / a
    return exp(x) - 1 if source.legacy else expm1(x)


@law(a=NON_NEGATIVE)
def weibull(source: Source, a: float) -> float:
    """The Weibull."""
    return 0.0 if a == 0.0 else power(source.exponential(), 1.0 / a)


@law(a=POSITIVE)
def power_law(source: Source, a: float) -> float:
    """The power distribution."""
    x = source.exponential()
    return power(1 - exp(-x) if source.legacy else -expm1(-x), 1.0 / a)


@law(scale=NON_NEGATIVE)
def laplace(source: Source, loc: float, scale: float) -> float:
    """The double exponential."""
    while True:
        u = source.bits.next_double()
        if u >= 0.5:
            return loc - scale * log(2.0 - u - u)
        if u > 0.0:
            return loc + scale * log(u + u)


@law(scale=NON_NEGATIVE)
def gumbel(source: Source, loc: float, scale: float) -> float:
    """The Gumbel."""
    while True:
        u = 1.0 - source.bits.next_double()
        if u < 1.0:
            return loc - scale * log(-log(u))


@law(scale=NON_NEGATIVE)
def logistic(source: Source, loc: float, scale: float) -> float:
    """The logistic."""
    while True:
        u = source.bits.next_double()
        if u > 0.0:
            return loc + scale * log(u / (1.0 - u))


@law(scale=NON_NEGATIVE)
def rayleigh(source: Source, scale: float) -> float:
    """The Rayleigh."""
    if source.legacy:
        return scale * math.sqrt(-2.0 * math.log1p(-source.bits.next_double()))
    return scale * math.sqrt(2.0 * source.exponential())


@law(mean=POSITIVE, scale=POSITIVE)
def wald(source: Source, mean: float, scale: float) -> float:
    """The inverse Gaussian."""
    y = source.normal()
    y = mean * y * y
    if source.legacy:
        x = mean + mean / (2 * scale) * (y - math.sqrt(4 * scale * y + y * y))
    else:
        x = mean * (1.0 - 2.0 / (1.0 + math.sqrt(1.0 + divide(4.0 * scale, y))))
    u = source.bits.next_double()
    return x if u <= mean / (mean + x) else divide(mean * mean, x)


@law()
def triangular(source: Source, left: float, mode: float, right: float) -> float:
    """The triangular."""
    base, left_base = right - left, mode - left
    u = source.bits.next_double()
    if u <= left_base / base:
        return left + math.sqrt(u * (left_base * base))
    return right - math.sqrt((1.0 - u) * ((right - mode) * base))


def _ordered(left: float, mode: float, right: float) -> None:
    tests = {"left > mode": left > mode, "mode > right": mode > right, "left == right": left == right}
    for message, wrong in tests.items():
        if wrong:
            raise ValueError(message)


triangular.whole = (_ordered,)


@law(kappa=NON_NEGATIVE)
def vonmises(source: Source, mu: float, kappa: float) -> float:
    """The von Mises: Best and Fisher; uniform or (in the modern streams) normal at the extremes of kappa."""
    double = source.bits.next_double
    if kappa != kappa:
        return kappa
    if kappa < 1e-8:
        return math.pi * (2 * double() - 1)
    if kappa < 1e-5:
        s = 1.0 / kappa + kappa
    elif kappa > 1e6 and not source.legacy:
        angle = mu + math.sqrt(1.0 / kappa) * source.normal()
        return angle + 2 * math.pi if angle < -math.pi else angle - 2 * math.pi if angle > math.pi else angle
    else:
        r = 1 + math.sqrt(1 + 4 * kappa * kappa)
        rho = (r - math.sqrt(2 * r)) / (2 * kappa)
        s = (1 + rho * rho) / (2 * rho)
    while True:
        z = math.cos(math.pi * double())
        w = (1 + s * z) / (s + z)
        y = kappa * (s - w)
        v = double()
        if y * (2 - y) - v >= 0 or log(divide(y, v)) + 1 - y >= 0:
            break
    angle = math.acos(w)
    if double() < 0.5:
        angle = -angle
    angle += mu
    wrapped = math.fmod(abs(angle) + math.pi, 2 * math.pi) - math.pi
    return -wrapped if angle < 0 else wrapped




@law()
def inverse_exponential(source: Source) -> float:
    """The exponential of mean 1 by inversion."""
    return -math.log1p(-source.bits.next_double())


@inverse_exponential.bulk
def _(source: Source, n: int) -> Tensor:
    return each(math.log1p, -source.bits.doubles(n)).neg_()
