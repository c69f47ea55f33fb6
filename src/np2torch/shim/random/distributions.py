"""The distributions that `RandomState` and `Generator` offer under the same signature.

They return a tensor of shape `size`; without a size of the parameters' broadcast shape, or a Python number.
"""

from __future__ import annotations

from typing import Any

from np2torch.shim._core import asarray
from np2torch.shim.random import continuous, discrete, multivariate, poisson
from np2torch.shim.random._libm import CPU, Tensor
from np2torch.shim.random.bit_generator import BitGenerator
from np2torch.shim.random.source import Source


class Distributions:
    """Draws from a source of uniforms, normals and exponentials."""

    _bit_generator: BitGenerator
    _source: Source

    def __np2torch_lent__(self) -> Any:
        """Give NumPy's generator over the same stream, for a library to draw from."""
        from np2torch.shim.random.lent import lent

        return lent(self)

    def beta(self, a: Any, b: Any, size: Any = None) -> Any:
        """Draw from the beta distribution."""
        return continuous.beta.draw(self._source, size, a, b)

    def binomial(self, n: Any, p: Any, size: Any = None) -> Any:
        """Draw the number of successes in n trials."""
        return discrete.binomial.draw(self._source, size, n, p)

    def chisquare(self, df: Any, size: Any = None) -> Any:
        """Draw from the chi-square distribution."""
        return continuous.chisquare.draw(self._source, size, df)

    def exponential(self, scale: Any = 1.0, size: Any = None) -> Any:
        """Draw from the exponential distribution."""
        return continuous.exponential.draw(self._source, size, scale)

    def f(self, dfnum: Any, dfden: Any, size: Any = None) -> Any:
        """Draw from Fisher's F distribution."""
        return continuous.f.draw(self._source, size, dfnum, dfden)

    def gamma(self, shape: Any, scale: Any = 1.0, size: Any = None) -> Any:
        """Draw from the gamma distribution."""
        return continuous.gamma.draw(self._source, size, shape, scale)

    def geometric(self, p: Any, size: Any = None) -> Any:
        """Draw the number of trials up to the first success."""
        return discrete.geometric.draw(self._source, size, p)

    def gumbel(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Draw from the Gumbel distribution."""
        return continuous.gumbel.draw(self._source, size, loc, scale)

    def hypergeometric(self, ngood: Any, nbad: Any, nsample: Any, size: Any = None) -> Any:
        """Draw the number of good items in a sample without replacement."""
        return discrete.hypergeometric.draw(self._source, size, ngood, nbad, nsample)

    def laplace(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Draw from the Laplace (double exponential) distribution."""
        return continuous.laplace.draw(self._source, size, loc, scale)

    def logistic(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Draw from the logistic distribution."""
        return continuous.logistic.draw(self._source, size, loc, scale)

    def lognormal(self, mean: Any = 0.0, sigma: Any = 1.0, size: Any = None) -> Any:
        """Draw exponentials of normal numbers."""
        return continuous.lognormal.draw(self._source, size, mean, sigma)

    def logseries(self, p: Any, size: Any = None) -> Any:
        """Draw from the logarithmic series distribution."""
        return discrete.logseries.draw(self._source, size, p)

    def negative_binomial(self, n: Any, p: Any, size: Any = None) -> Any:
        """Draw the number of failures before n successes."""
        return discrete.negative_binomial.draw(self._source, size, n, p)

    def noncentral_chisquare(self, df: Any, nonc: Any, size: Any = None) -> Any:
        """Draw from the noncentral chi-square distribution."""
        return continuous.noncentral_chisquare.draw(self._source, size, df, nonc)

    def noncentral_f(self, dfnum: Any, dfden: Any, nonc: Any, size: Any = None) -> Any:
        """Draw from the noncentral F distribution."""
        return continuous.noncentral_f.draw(self._source, size, dfnum, dfden, nonc)

    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Draw from the normal distribution."""
        return continuous.normal.draw(self._source, size, loc, scale)

    def pareto(self, a: Any, size: Any = None) -> Any:
        """Draw from the Lomax (Pareto II) distribution."""
        return continuous.pareto.draw(self._source, size, a)

    def poisson(self, lam: Any = 1.0, size: Any = None) -> Any:
        """Draw from the Poisson distribution."""
        return poisson.poisson.draw(self._source, size, lam)

    def power(self, a: Any, size: Any = None) -> Any:
        """Draw from the power distribution on [0, 1]."""
        return continuous.power_law.draw(self._source, size, a)

    def rayleigh(self, scale: Any = 1.0, size: Any = None) -> Any:
        """Draw from the Rayleigh distribution."""
        return continuous.rayleigh.draw(self._source, size, scale)

    def standard_cauchy(self, size: Any = None) -> Any:
        """Draw from the Cauchy distribution."""
        return continuous.standard_cauchy.draw(self._source, size)

    def standard_t(self, df: Any, size: Any = None) -> Any:
        """Draw from Student's t distribution."""
        return continuous.standard_t.draw(self._source, size, df)

    def triangular(self, left: Any, mode: Any, right: Any, size: Any = None) -> Any:
        """Draw from the triangular distribution."""
        return continuous.triangular.draw(self._source, size, left, mode, right)

    def vonmises(self, mu: Any, kappa: Any, size: Any = None) -> Any:
        """Draw from the von Mises distribution on the circle."""
        return continuous.vonmises.draw(self._source, size, mu, kappa)

    def wald(self, mean: Any, scale: Any, size: Any = None) -> Any:
        """Draw from the inverse Gaussian distribution."""
        return continuous.wald.draw(self._source, size, mean, scale)

    def weibull(self, a: Any, size: Any = None) -> Any:
        """Draw from the Weibull distribution."""
        return continuous.weibull.draw(self._source, size, a)

    def zipf(self, a: Any, size: Any = None) -> Any:
        """Draw from the zeta distribution."""
        return discrete.zipf.draw(self._source, size, a)

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        """Draw uniform numbers on [low, high)."""
        if type(low) in (int, float) and type(high) in (int, float):
            span: Any = float(high) - float(low)
            finite = abs(span) < float("inf")
        else:
            low, high = (asarray(x).to(CPU).double() for x in (low, high))
            span = high - low
            finite = bool(span.isfinite().all())
        legacy = self._source.legacy
        if not finite:
            raise OverflowError("Range exceeds valid bounds" if legacy else "high - low range exceeds valid bounds")
        if not legacy and bool(span < 0 if isinstance(span, float) else (span < 0).any()):
            raise ValueError("high - low < 0")
        return continuous.uniform.draw(self._source, size, low, span)

    def multinomial(self, n: Any, pvals: Any, size: Any = None) -> Tensor:
        """Draw the counts of n trials over categories."""
        return multivariate.multinomial(self._source, n, pvals, size)

    def dirichlet(self, alpha: Any, size: Any = None) -> Tensor:
        """Points of a simplex."""
        return multivariate.dirichlet(self._source, alpha, size)
