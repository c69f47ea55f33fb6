"""The results of SciPy's functions, with arrays as tensors again."""

from __future__ import annotations

from collections.abc import Callable

from np2torch.facts import values as v
from np2torch.facts.arguments import Argument, Arguments
from np2torch.facts.results import arraylike, broadcast, make, shape_rank

DOUBLES = frozenset("float64 int64 int32 uint32 pyfloat pyint".split())
"""Operands of which SciPy's functions compute float64, where all are among these."""
SPECIAL = frozenset(
    "gamma gammaln gammasgn gammainc gammaincc gammaincinv digamma psi beta betaln betainc erf erfc erfcx erfinv "
    "erfcinv j0 j1 jn jv jve y0 y1 yn yv yve kv kn kve k0 k1 k0e k1e iv ive i0 i0e i1 i1e ellipk ellipe ellipkm1 "
    "ellipkinc ellipeinc expit logit log_expit xlogy xlog1py entr rel_entr kl_div ndtr ndtri log_ndtr binom "
    "hyp0f1 hyp1f1 hyp2f1 exprel cosm1 struve dawsn owens_t expi exp1 spence sindg cosdg tandg eval_legendre "
    "eval_chebyt eval_chebyu eval_hermite eval_hermitenorm eval_laguerre lpmv boxcox inv_boxcox chdtr fdtr "
    "stdtr".split()
)
"""Ufuncs of `scipy.special`."""
ZEROS = frozenset("jn_zeros jnp_zeros yn_zeros ynp_zeros".split())
OF_VECTORS = ("multi", "matrix", "dirichlet", "wishart", "invwishart", "vonmises_fisher", "normal_inverse")
"""How distributions of vectors and matrices begin: their densities have fewer dimensions than what they are given."""
DENSITIES = frozenset("pdf cdf sf logpdf logcdf logsf ppf isf".split())
"""Methods of continuous distributions, elementwise in all they are given."""
CONTINUOUS = frozenset(
    "norm uniform expon gamma beta lognorm t chi2 f weibull_min pareto cauchy laplace logistic rayleigh triang "
    "truncnorm invgamma gumbel_r gumbel_l halfnorm genextreme genpareto".split()
)
MATRICES = frozenset("inv pinv".split())
ROOTS = frozenset("brentq brenth bisect ridder".split())
PLAIN = "full_output complex_func weight"
"""Arguments with which these functions give something else."""

Part = tuple[v.Names, v.Ranks] | None
"""The dtypes and numbers of axes of an argument; None for what is no array."""


def _is_double(part: Part) -> bool:
    """Tell whether SciPy computes float64 of it."""
    return part is not None and part[0] is not None and part[0] <= DOUBLES


Returns = Callable[[Arguments], v.Fact]


def _elementwise(arguments: Arguments) -> v.Fact:
    parts = [arraylike(fact) for fact in arguments.facts()]
    if arguments.starred or not parts or "out" in arguments.keywords or None in parts:
        return v.TOP
    known = [part for part in parts if part is not None]
    doubles = all(map(_is_double, known))
    return make(frozenset(["float64"]) if doubles else None, broadcast(part[1] for part in known))


def _density(arguments: Arguments) -> v.Fact:
    keywords = [argument.fact for argument in arguments.keywords.values()]
    parts = [arraylike(fact) for fact in [*arguments.facts(), *keywords]]
    if arguments.starred or not parts or None in parts:
        return v.TOP
    return make(frozenset(["float64"]), broadcast(part[1] for part in parts if part is not None))


def _matrix(arguments: Arguments) -> v.Fact:
    part = arraylike(arguments.positional[0].fact, weak=False) if arguments.positional else None
    return v.array("float64" if _is_double(part) else None, part[1] if part is not None else None)


def _plainly(fact: v.Fact) -> Returns:
    """Give the fact, unless the call asks for more."""

    def returns(arguments: Arguments) -> v.Fact:
        asks = any(name in arguments.keywords for name in PLAIN.split())
        return v.TOP if asks or arguments.starred or len(arguments.positional) > MOST_PLAIN else fact

    return returns


MOST_PLAIN = 4
"""Further positional arguments may ask for more."""
NO_ARGUMENT = Argument(None, v.TOP, given=False)


def _argument(arguments: Arguments, index: int) -> Argument:
    """The positional argument at a place."""
    return arguments.positional[index] if index < len(arguments.positional) else NO_ARGUMENT


def _as(index: int, *, dtype: bool = True, least: int = 0, most: int = 9, but: str = "") -> Returns:
    """Build an array of the dimensions of an argument, unless the call asks for more.

    Parameters
    ----------
    dtype
        Whether it has double precision if the argument has, or is of integers.
    least
        How many dimensions it has at least.
    most
        How many positional arguments a call may have; further ones ask for more, as the keywords in `but` do.
    """

    def returns(arguments: Arguments) -> v.Fact:
        asks = any(name in arguments.keywords for name in but.split())
        if asks or arguments.starred or len(arguments.positional) > most:
            return v.TOP
        part = arraylike(_argument(arguments, index).fact, weak=False)
        said = "float64" if dtype and _is_double(part) else None
        ranks = part[1] if part is not None else None
        return v.array(said, ranks and frozenset(max(rank, least) for rank in ranks))

    return returns


def _norm(arguments: Arguments) -> v.Fact:
    """One number of all elements, Python's of a vector, unless the call names axes."""
    if arguments.starred or len(arguments.positional) > 2 or not {"ord", "check_finite"} >= set(arguments.keywords):
        return v.TOP
    part = arraylike(_argument(arguments, 0).fact, weak=False)
    return v.join(v.FLOAT, v.scalar("float64")) if _is_double(part) else v.TOP


def _integral(arguments: Arguments) -> v.Fact:
    """The integral along an axis, of points at known places or one by one."""
    given = [*arguments.positional, *(one for name, one in arguments.keywords.items() if name in ("x", "y"))]
    values = arguments.keywords.get("y", _argument(arguments, 0))
    parts = [arraylike(one.fact, weak=False) for one in (values, *given) if one.fact != v.NONE]
    if arguments.starred or None in parts:
        return v.TOP
    known = [part for part in parts if part is not None]
    doubles = all(map(_is_double, known))
    ranks = known[0][1]
    if not doubles:
        return v.TOP
    if ranks is None or 0 in ranks:
        return v.join(v.array("float64"), v.scalar("float64"))
    return make(frozenset(["float64"]), frozenset(rank - 1 for rank in ranks))


def _extrema(arguments: Arguments) -> v.Fact:
    """The places along each axis."""
    part = arraylike(_argument(arguments, 0).fact)
    places = v.array("int64", 1)
    lengths = part[1] if part is not None else None
    rank = v.sole(lengths or ())
    return v.tuple_of(*[places] * rank) if rank else v.one(v.Sequence("tuple", None, places, filled=True))


def _doubles(*ranks: int, most: int = 9, but: str = "") -> Returns:
    """Build arrays of double precision with these ranks, several in a tuple, unless the call asks for others."""
    arrays = [v.array("float64", rank) for rank in ranks]

    def returns(arguments: Arguments) -> v.Fact:
        asks = any(name in arguments.keywords for name in but.split())
        if asks or arguments.starred or len(arguments.positional) > most:
            return v.TOP
        return arrays[0] if len(arrays) == 1 else v.tuple_of(*arrays)

    return returns


def _solved(arguments: Arguments) -> v.Fact:
    """Give what solves for the second argument."""
    parts = [arraylike(_argument(arguments, index).fact, weak=False) for index in (0, 1)]
    doubles = all(map(_is_double, parts))
    single = parts[0] is not None and parts[0][1] == frozenset([2])  # of several matrices there is one solution each
    return v.array("float64" if doubles else None, parts[1][1] if single and parts[1] is not None else None)


def _put_together(most: int) -> Returns:
    """A matrix of arrays of so many dimensions; of more it makes several."""

    def returns(arguments: Arguments) -> v.Fact:
        parts = [arraylike(fact) for fact in arguments.facts()]
        single = all(part is not None and part[1] is not None and max(part[1]) <= most for part in parts)
        return v.array(None, 2 if single and parts and not arguments.starred else None)

    return returns


def _drawn(arguments: Arguments) -> v.Fact:
    size = arguments.keywords.get("size")
    ranks = None if size is None else shape_rank(size.fact)
    return v.TOP if ranks is None else v.array("float64", ranks)


WINDOWS = "hann hamming blackman bartlett boxcar cosine flattop kaiser gaussian tukey triang blackmanharris nuttall"
FIXED: dict[str, Returns] = {
    "scipy.signal.argrelextrema": _extrema,
    "scipy.signal.argrelmax": _extrema,
    "scipy.signal.argrelmin": _extrema,
    "scipy.signal.find_peaks": lambda arguments: v.tuple_of(v.array("int64", 1), v.TOP),
    "scipy.signal.lfilter": _as(2, dtype=False, most=4, but="zi"),
    "scipy.signal.filtfilt": _as(2, dtype=False),
    "scipy.signal.sosfilt": _as(1, dtype=False, most=3, but="zi"),
    "scipy.signal.sosfiltfilt": _as(1, dtype=False),
    "scipy.signal.savgol_filter": _as(0, dtype=False),
    "scipy.signal.detrend": _as(0, most=3),
    "scipy.signal.hilbert": _as(0, dtype=False),
    "scipy.signal.convolve": _as(0, dtype=False),
    "scipy.signal.fftconvolve": _as(0, dtype=False),
    "scipy.signal.correlate": _as(0, dtype=False),
    "scipy.signal.butter": _doubles(1, 1, most=4, but="output"),
    "scipy.signal.firwin": _doubles(1),
    "scipy.signal.get_window": _doubles(1, but="xp device"),
    **{f"scipy.signal.windows.{name}": _doubles(1, but="xp device") for name in WINDOWS.split()},
    "scipy.fft.fft": _as(0, dtype=False, but="axes"),
    "scipy.fft.ifft": _as(0, dtype=False, but="axes"),
    "scipy.fft.dct": _as(0),
    "scipy.fft.idct": _as(0),
    "scipy.fftpack.fft": _as(0, dtype=False),
    "scipy.fftpack.ifft": _as(0, dtype=False),
    "scipy.fftpack.dct": _as(0),
    "scipy.fftpack.idct": _as(0),
    "scipy.linalg.expm": _as(0, least=2),
    "scipy.linalg.logm": _as(0, dtype=False, least=2, most=1, but="disp"),
    "scipy.linalg.sqrtm": _as(0, dtype=False, least=2, most=1, but="disp"),
    "scipy.linalg.cholesky": _as(0, least=2),
    "scipy.linalg.solve": _solved,
    "scipy.linalg.solve_triangular": _solved,
    "scipy.linalg.toeplitz": _put_together(1),
    "scipy.linalg.hankel": _put_together(1),
    "scipy.linalg.block_diag": _put_together(2),
    "scipy.integrate.odeint": _doubles(2, most=4, but="full_output"),
    "scipy.integrate.cumulative_trapezoid": _as(0),
    "scipy.integrate.simpson": _integral,
    "scipy.integrate.trapezoid": _integral,
    "scipy.linalg.norm": _norm,
    "scipy.optimize.curve_fit": _doubles(1, 2, most=5, but="full_output"),
    "scipy.optimize.fsolve": _doubles(1, most=4, but="full_output"),
    "scipy.special.bernoulli": _doubles(1),
    "scipy.special.softmax": _as(0),
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
    """Give what a call of a function of SciPy gives; None where this says nothing."""
    if origin in FIXED:
        return FIXED[origin](arguments)
    module, _, name = origin.rpartition(".")
    if module.removeprefix("scipy.stats.").startswith(OF_VECTORS):
        return None
    if name in DENSITIES and module.startswith("scipy.stats.") and module.count(".") == 2 and "()" not in module:
        return _density(arguments)
    if name in DENSITIES and module.startswith("scipy.stats.") and module.endswith("()"):
        return v.join(v.array("float64"), v.scalar("float64"))  # of as many dimensions as it was made of and is given
    if name == "rvs" and module.removeprefix("scipy.stats.").removesuffix("()") in CONTINUOUS:
        return _drawn(arguments)
    if name == "toarray" and module.startswith("scipy.sparse.") and module.endswith("()"):
        return v.array(None, 2)
    return v.ARRAY if f"{origin}()" in INTERPOLATORS else None
