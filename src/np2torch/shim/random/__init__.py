"""`numpy.random` on torch tensors: NumPy's exact streams, legacy (`seed`, `randn`, ...) and modern (`default_rng`).

The same seed gives the same numbers, bit for bit, whatever calls are mixed. Draws are CPU tensors, or Python numbers
where NumPy returns them. Two exceptions, where NumPy itself depends on other libraries: `multivariate_normal` (the last
bits and the signs of a decomposition), and float32 draws that need the C library's logf, log1pf or powf (the last
places: far tails of normals and exponentials, gammas of shape below 1).
"""

from np2torch.shim.random.bit_generator import BitGenerator
from np2torch.shim.random.generator import Generator, default_rng
from np2torch.shim.random.legacy import RandomState
from np2torch.shim.random.mt19937 import MT19937
from np2torch.shim.random.pcg64 import PCG64
from np2torch.shim.random.seed_sequence import SeedSequence
from np2torch.shim.random.shared import STREAM as _rand

beta = _rand.beta
binomial = _rand.binomial
bytes = _rand.bytes
chisquare = _rand.chisquare
choice = _rand.choice
dirichlet = _rand.dirichlet
exponential = _rand.exponential
f = _rand.f
gamma = _rand.gamma
geometric = _rand.geometric
get_state = _rand.get_state
gumbel = _rand.gumbel
hypergeometric = _rand.hypergeometric
laplace = _rand.laplace
logistic = _rand.logistic
lognormal = _rand.lognormal
logseries = _rand.logseries
multinomial = _rand.multinomial
multivariate_normal = _rand.multivariate_normal
negative_binomial = _rand.negative_binomial
noncentral_chisquare = _rand.noncentral_chisquare
noncentral_f = _rand.noncentral_f
normal = _rand.normal
pareto = _rand.pareto
permutation = _rand.permutation
poisson = _rand.poisson
power = _rand.power
rand = _rand.rand
randint = _rand.randint
randn = _rand.randn
random = _rand.random
random_integers = _rand.random_integers
random_sample = _rand.random_sample
rayleigh = _rand.rayleigh
seed = _rand.seed
set_state = _rand.set_state
shuffle = _rand.shuffle
standard_cauchy = _rand.standard_cauchy
standard_exponential = _rand.standard_exponential
standard_gamma = _rand.standard_gamma
standard_normal = _rand.standard_normal
standard_t = _rand.standard_t
triangular = _rand.triangular
uniform = _rand.uniform
vonmises = _rand.vonmises
wald = _rand.wald
weibull = _rand.weibull
zipf = _rand.zipf
ranf = _rand.random_sample
sample = _rand.random_sample

__all__ = [
    "MT19937",
    "PCG64",
    "BitGenerator",
    "Generator",
    "RandomState",
    "SeedSequence",
    "beta",
    "binomial",
    "bytes",
    "chisquare",
    "choice",
    "default_rng",
    "dirichlet",
    "exponential",
    "f",
    "gamma",
    "geometric",
    "get_state",
    "gumbel",
    "hypergeometric",
    "laplace",
    "logistic",
    "lognormal",
    "logseries",
    "multinomial",
    "multivariate_normal",
    "negative_binomial",
    "noncentral_chisquare",
    "noncentral_f",
    "normal",
    "pareto",
    "permutation",
    "poisson",
    "power",
    "rand",
    "randint",
    "randn",
    "random",
    "random_integers",
    "random_sample",
    "ranf",
    "rayleigh",
    "sample",
    "seed",
    "set_state",
    "shuffle",
    "standard_cauchy",
    "standard_exponential",
    "standard_gamma",
    "standard_normal",
    "standard_t",
    "triangular",
    "uniform",
    "vonmises",
    "wald",
    "weibull",
    "zipf",
]
