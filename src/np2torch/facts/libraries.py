"""The results of functions of libraries that compute on ndarrays."""

from __future__ import annotations

import sys
from collections.abc import Collection

from np2torch.facts import models
from np2torch.facts import values as v
from np2torch.facts.arguments import Arguments
from np2torch.facts.objects import COMPUTING

LIBRARIES = {
    "scipy": "array", "sklearn": "array", "skimage": "array", "cv2": "array", "pandas": "object", "matplotlib": "none",
    "PIL": "object", "statsmodels": "object", "xarray": "object", "networkx": "object",
    "seaborn": "none", "numba": "object", "sympy": "object", "pylab": "none", "mpl_toolkits": "none", "plotly": "none",
    "matplotlib.mlab": "array", **models.PACKAGES,
}  # fmt: skip
"""Libraries that compute on ndarrays, or modules of others that do, and what their functions mostly give back."""
SAME = frozenset(
    "gaussian_filter gaussian_filter1d median_filter uniform_filter uniform_filter1d sobel laplace convolve1d "
    "correlate1d minimum_filter maximum_filter gaussian_laplace zoom rotate shift".split()
)
"""Functions whose result has the dtype and rank of their first argument."""
ARRAYS = frozenset(
    "convolve correlate map_coordinates binary_dilation binary_erosion distance_transform_edt fftconvolve lfilter "
    "filtfilt sosfilt sosfiltfilt savgol_filter resample decimate hilbert detrend medfilt get_window expm logm sqrtm "
    "inv pinv solve solve_triangular toeplitz hankel circulant block_diag cdist pdist squareform fft ifft "
    "rfft irfft dct idct".split()
) | SAME
"""Functions that give back one array."""
WITH_MORE = {
    "lfilter": ("zi", 4), "sosfilt": ("zi", 3), "resample": ("t", 2), "logm": ("disp", 1),
    "sqrtm": ("disp", 1), "pinv": ("return_rank", 2), "distance_transform_edt": ("return_indices", 2),
}  # fmt: skip
"""Those of them that give back a tuple with another argument: its name, and how many positional ones come before it."""
OBJECTS = frozenset(
    "interp1d interp2d pchip make_interp_spline make_lsq_spline make_smoothing_spline splu spilu factorized "
    "aslinearoperator gaussian_kde rv_histogram ode complex_ode lti dlti default_rng".split()
)
"""Functions that give back an object, not an array."""
LAWS = frozenset(
    "alpha anglit arcsine argus bernoulli beta betabinom betanbinom betaprime binom boltzmann bradford burr burr12 "
    "cauchy chi chi2 cosine crystalball dgamma dirichlet dirichlet_multinomial dlaplace dpareto_lognorm dweibull "
    "erlang expon exponnorm exponpow exponweib f fatiguelife fisk foldcauchy foldnorm gamma gausshyper genexpon "
    "genextreme gengamma genhalflogistic genhyperbolic geninvgauss genlogistic gennorm genpareto geom gibrat "
    "gompertz gumbel_l gumbel_r halfcauchy halfgennorm halflogistic halfnorm hypergeom hypsecant invgamma invgauss "
    "invweibull invwishart irwinhall jf_skew_t johnsonsb johnsonsu kappa3 kappa4 ksone kstwo kstwobign landau "
    "laplace laplace_asymmetric levy levy_l levy_stable loggamma logistic loglaplace lognorm logser loguniform "
    "lomax matrix_normal matrix_t maxwell mielke moyal multinomial multivariate_hypergeom multivariate_normal "
    "multivariate_t nakagami nbinom ncf nchypergeom_fisher nchypergeom_wallenius nct ncx2 nhypergeom norm "
    "normal_inverse_gamma norminvgauss ortho_group pareto pearson3 planck poisson poisson_binom powerlaw "
    "powerlognorm powernorm randint random_correlation random_table rayleigh rdist recipinvgauss reciprocal "
    "rel_breitwigner rice semicircular skellam skewcauchy skewnorm special_ortho_group studentized_range t "
    "trapezoid triang truncexpon truncnorm truncpareto truncweibull_min tukeylambda uniform uniform_direction "
    "unitary_group vonmises vonmises_fisher vonmises_line wald weibull_max weibull_min wishart wrapcauchy yulesimon "
    "zipf zipfian".split()
)
"""The distributions of `scipy.stats`, which give one with its parameters when they are called."""

METHODS = {
    "Rotation": frozenset("as_quat as_matrix as_rotvec as_euler as_mrp apply magnitude".split()),
    "sparse": frozenset({"toarray"}),
    "pandas": frozenset({"to_numpy"}),
    "scipy": frozenset("rvs pdf cdf ppf sf isf pmf logpdf logcdf logpmf logsf".split()),
}  # fmt: skip
"""By a word that a project with such objects has in it, their methods that give arrays whoever they are called on."""
TAKING = METHODS["scipy"]
"""Those of them that take arrays too, which run time must tell from methods of the project."""

ANYTHING = frozenset(
    "pickle.load pickle.loads cloudpickle.load cloudpickle.loads dill.load dill.loads joblib.load "
    "operator.getitem heapq.heappop".split()
)
"""Functions that give back what was put in, arrays too."""

CASTS = ("typing.cast", "typing_extensions.cast")
"""Functions that give back their second argument."""

CALLING_BACK = ("scipy.",)
"""Libraries whose classes call the methods of what derives from them, with ndarrays."""


def calls_back(origin: str) -> bool:
    """Tell whether a class of a library calls the methods of classes that derive from it."""
    return origin.startswith(CALLING_BACK) and not origin.endswith("()")


def makes_object(origin: str) -> bool:
    """Tell whether a function of an array library returns an object: by its name it is a class (`cKDTree`).

    OpenCV writes its functions as others write classes.
    """
    root, name = root_of(origin), origin.rsplit(".", 1)[-1]
    if name.endswith("()"):  # an object, which is called: `BSpline(t, c, k)(x)`
        return False
    named = name in OBJECTS or name in LAWS and origin == f"scipy.stats.{name}"
    return named or root != "cv2" and name != name.lower()


def gives_array(name: str, positional: int, keywords: Collection[str | None]) -> bool:
    """Tell whether a function of that name returns one array for so many positional and these named arguments."""
    keyword, before = WITH_MORE.get(name, ("", positional))
    more = positional > before or name in WITH_MORE and (keyword in keywords or None in keywords)
    return name in ARRAYS and not more


def root_of(origin: str) -> str:
    """Give the library that something comes from, or the module of it that is as one of its own."""
    first, _, rest = origin.partition(".")
    inner = f"{first}.{rest.partition('.')[0]}"
    return inner if inner in LIBRARIES else first.removesuffix("()")


def library(fact: v.Fact) -> str | None:
    """Find the foreign array library that a callee comes from."""
    for atom in fact:
        if isinstance(atom, v.Opaque):
            root = root_of(atom.origin)
            if root in LIBRARIES:
                return root
    return None


def is_third_party(fact: v.Fact) -> bool:
    """Tell whether it is only functions of unknown packages, which were given ndarrays."""
    callable_ = [atom for atom in fact if not isinstance(atom, v.Nothing)]
    return bool(callable_) and all(map(_is_third_partys, callable_))


def may_be_third_party(fact: v.Fact) -> bool:
    """Tell whether it may be a function of a package that nothing is known of."""
    return any(map(_is_third_partys, fact))


def _is_third_partys(atom: v.Atom) -> bool:
    if not isinstance(atom, v.Opaque) or not atom.origin:
        return False
    root = root_of(atom.origin)
    return root not in LIBRARIES and root not in OF_ANYTHING and root not in sys.stdlib_module_names


HOLDERS = frozenset(
    "collections queue types argparse copy pickle json functools itertools operator concurrent multiprocessing "
    "threading contextvars weakref heapq bisect statistics fractions decimal array ctypes struct dataclasses abc "
    "unittest contextlib inspect importlib shelve csv configparser graphlib asyncio random math cmath numbers builtins "
    "enum typing".split()
)
"""Standard modules that compute numbers, or whose objects hold or hand on what the program gives them."""
STANDARD = sys.stdlib_module_names - HOLDERS
OF_ANYTHING = frozenset(
    "torch np2torch pytest _pytest hypothesis attr attrs tqdm joblib toolz cytoolz more_itertools dask pydantic click "
    "cloudpickle dill loguru rich tabulate parameterized deprecated wrapt decorator typing_extensions six future ray "
    "__future__ mpi4py psutil yaml setuptools pkg_resources".split()
)
"""Packages that take what they are given as it is."""
KEEPERS = frozenset({"networkx"})
"""Libraries whose objects hold what the program puts into them, as a graph does its nodes."""
NO_DATA = frozenset("matplotlib seaborn pylab mpl_toolkits plotly numba sympy PIL".split())
"""Libraries whose objects have no attributes that are arrays, but for these."""
DATA = frozenset(
    "vertices codes get_xdata get_ydata get_xydata get_data get_array get_offsets get_verts get_segments get_paths "
    "get_sizes get_width get_height get_position get_bbox inverted transform transform_point get_matrix".split()
)
"""Attributes and methods of theirs that give numbers of the program, or arrays, back."""
GIVING = {"pandas": frozenset({"to_numpy", "values"}), **dict.fromkeys(NO_DATA, DATA)}
"""By library, the attributes and methods of its objects that give back arrays."""
STYLES = frozenset(
    "color colors c facecolor facecolors edgecolor edgecolors ecolor markerfacecolor markeredgecolor mfc mec fc ec "
    "alpha".split()
)
"""Keywords of plotting libraries that are looked at as colours or numbers, which a tensor is not taken for."""
INSPECTING = frozenset(
    "subplot subplots add_subplot subplot2grid streamplot Line3DCollection Poly3DCollection Path3DCollection".split()
) | {f"set_{name}" for name in STYLES}
"""Functions of theirs that ask for the class of what they are given."""
HISTOGRAMS = frozenset({"hist", "hist2d"})
"""Methods of theirs that ask for the dtype of the bounds that `range` gives."""
WRITTEN = {
    **dict.fromkeys(("xticks", "yticks", "set_xticks", "set_yticks", "set_zticks"), (1, "labels")),
    **dict.fromkeys(("set_xticklabels", "set_yticklabels", "set_zticklabels", "legend"), (0, "labels")),
    **dict.fromkeys(("title", "suptitle", "set_title"), (0, "label")), **dict.fromkeys(("text", "figtext"), (2, "s")),
    **dict.fromkeys(("xlabel", "set_xlabel"), (0, "xlabel")), **dict.fromkeys(("ylabel", "set_ylabel"), (0, "ylabel")),
    "annotate": (0, "text"),
}  # fmt: skip
"""Functions of theirs that write what they are given into the picture: which argument, and its name."""
LABELS = ("label", "labels")
"""The names of such arguments of all functions."""
SIZES = {
    "shape": v.one(v.Sequence("tuple", None, v.SIZE)), "ndim": v.SIZE, "size": v.SIZE, "nnz": v.SIZE, "dtype": v.OPAQUE,
}  # fmt: skip
"""The values of these attributes for any object of a library."""


def holds_nothing(atom: v.Atom) -> bool:
    """Tell whether it is certain that no array or number of the program comes out of this object."""
    if not isinstance(atom, v.Opaque):
        return True
    root = root_of(atom.origin)
    if gives_data(atom.origin):
        return False
    return not atom.origin or root in LIBRARIES and not _kept(atom.origin) or root in STANDARD


def gives_data(origin: str) -> bool:
    """Is it an attribute or method of an object of a library that gives back an array, as `frame.values` does?"""
    root, name = root_of(origin), origin.removesuffix("()").rsplit(".", 1)[-1]
    return origin in COMPUTING or "()." in origin and name in GIVING.get(root, ())


def _kept(origin: str) -> bool:
    return "()" in origin and root_of(origin) in KEEPERS


def holds_data(origin: str) -> bool:
    """Tell whether an attribute of this may be an array: it is an object of a library, no module or class of one."""
    root = root_of(origin)
    return "()" in origin and root in LIBRARIES and root not in NO_DATA


def computes(atom: v.Atom) -> bool:
    """Tell whether it is an object of a library that computes on ndarrays, and gives them back."""
    return isinstance(atom, v.Opaque) and holds_data(atom.origin) and LIBRARIES[root_of(atom.origin)] == "array"


def part_of(atom: v.Opaque) -> v.Fact:
    """An item, an attribute or an operand made of a foreign object."""
    return v.one(atom) if holds_nothing(atom) else v.TOP


def gives_back(origin: str, arguments: Arguments) -> v.Fact:
    """The fact of a call of a foreign function, its arrays already back as tensors."""
    if origin in ANYTHING:
        return v.TOP
    if origin in CASTS:
        return arguments.positional[1].fact if len(arguments.positional) == 2 else v.TOP
    if (known := models.call(origin, arguments)) is not None:
        return known
    root, name = root_of(origin), origin.rsplit(".", 1)[-1]
    first = arguments.positional[0].fact if arguments.positional else v.TOP
    if LIBRARIES.get(root) == "array" and not makes_object(origin):
        if name in SAME and v.only(first, "array"):
            return first
        return v.ARRAY if gives_array(name, len(arguments.positional), arguments.keywords) else v.TOP
    if not holds_nothing(v.Opaque(origin)):
        return v.TOP
    return v.one(v.Opaque(f"{origin}()" if origin and not origin.endswith("()") else origin))
