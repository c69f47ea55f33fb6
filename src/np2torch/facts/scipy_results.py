"""What functions of SciPy give back, once its arrays are tensors again."""

from __future__ import annotations

from collections.abc import Callable

from np2torch.facts import values as v
from np2torch.facts.arguments import Arguments
from np2torch.facts.results import arraylike, broadcast, make

DOUBLES = frozenset("float64 int64 int32 uint32 pyfloat pyint".split())
"""Operands of which SciPy's functions compute float64, where all are among these."""
SPECIAL = frozenset(
    "gamma gammaln gammasgn gammainc gammaincc gammaincinv digamma psi beta betaln betainc erf erfc erfcx erfinv "
    "erfcinv j0 j1 jn jv jve y0 y1 yn yv yve kv kn kve k0 k1 k0e k1e iv ive i0 i0e i1 i1e ellipk ellipe ellipkm1 "
    "ellipkinc ellipeinc expit logit log_expit xlogy xlog1py entr rel_entr kl_div ndtr ndtri log_ndtr binom "
    "hyp0f1 hyp1f1 hyp2f1 exprel cosm1 struve dawsn owens_t".split()
)
"""Ufuncs of `scipy.special`."""
ZEROS = frozenset("jn_zeros jnp_zeros yn_zeros ynp_zeros".split())
DENSITIES = frozenset("pdf cdf sf logpdf logcdf logsf ppf isf".split())
"""Methods of continuous distributions, elementwise in all they are given."""
MATRICES = frozenset("inv pinv".split())
ROOTS = frozenset("brentq brenth bisect ridder".split())
PLAIN = "full_output complex_func weight"
"""Arguments with which these functions give something else."""

Returns = Callable[[Arguments], v.Fact]


def _elementwise(arguments: Arguments) -> v.Fact:
    parts = [arraylike(fact) for fact in arguments.facts()]
    if arguments.starred or not parts or "out" in arguments.keywords or None in parts:
        return v.UNKNOWN
    known = [part for part in parts if part is not None]
    doubles = all(part[0] is not None and part[0] <= DOUBLES for part in known)
    return make(frozenset(["float64"]) if doubles else None, broadcast(part[1] for part in known))


def _density(arguments: Arguments) -> v.Fact:
    keywords = [argument.fact for argument in arguments.keywords.values()]
    parts = [arraylike(fact) for fact in [*arguments.facts(), *keywords]]
    if arguments.starred or not parts or None in parts:
        return v.UNKNOWN
    return make(frozenset(["float64"]), broadcast(part[1] for part in parts if part is not None))


def _matrix(arguments: Arguments) -> v.Fact:
    part = arraylike(arguments.positional[0].fact, weak=False) if arguments.positional else None
    doubles = part is not None and part[0] is not None and part[0] <= DOUBLES
    return v.array("float64" if doubles else None, part[1] if part is not None else None)


def _plainly(fact: v.Fact) -> Returns:
    """The fact, unless the call asks for more."""

    def returns(arguments: Arguments) -> v.Fact:
        asks = any(name in arguments.keywords for name in PLAIN.split())
        return v.UNKNOWN if asks or arguments.starred or len(arguments.positional) > MOST_PLAIN else fact

    return returns


MOST_PLAIN = 4
"""Further positional arguments may ask for more."""
FIXED: dict[str, Returns] = {
    "scipy.integrate.quad": _plainly(v.tuple_of(v.FLOAT, v.FLOAT)),
    "scipy.integrate.dblquad": lambda arguments: v.tuple_of(v.FLOAT, v.FLOAT),
    "scipy.spatial.distance.cdist": lambda arguments: v.array("float64", 2),
    "scipy.spatial.distance.pdist": lambda arguments: v.array("float64", 1),
    **{f"scipy.optimize.{name}": _plainly(v.FLOAT) for name in ROOTS},
    **{f"scipy.special.{name}": lambda arguments: v.array("float64", 1) for name in ZEROS},
    **{f"scipy.special.{name}": _elementwise for name in SPECIAL},
    **{f"scipy.linalg.{name}": _matrix for name in MATRICES},
}
"""By dotted name."""
INTERPOLATORS = tuple(
    f"scipy.interpolate.{name}()()"
    for name in "interp1d UnivariateSpline InterpolatedUnivariateSpline CubicSpline PchipInterpolator "
    "Akima1DInterpolator BSpline RegularGridInterpolator".split()
)
"""Objects that are called with arrays or numbers, and give arrays."""


def result(origin: str, arguments: Arguments) -> v.Fact | None:
    """What a call of a function of SciPy gives; None where this says nothing."""
    if origin in FIXED:
        return FIXED[origin](arguments)
    module, _, name = origin.rpartition(".")
    if name in DENSITIES and module.startswith("scipy.stats.") and module.count(".") == 2 and "()" not in module:
        return _density(arguments)
    if name == "toarray" and module.startswith("scipy.sparse.") and module.endswith("()"):
        return v.array(None, 2)
    return v.ARRAY if f"{origin}()" in INTERPOLATORS else None
