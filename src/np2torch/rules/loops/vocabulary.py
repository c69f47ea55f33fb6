"""The syntax of loops that can run in NumPy: statements, expressions, functions that only compute."""

from __future__ import annotations

import ast

STATEMENTS = (
    ast.For, ast.While, ast.If, ast.Assign, ast.AugAssign, ast.Expr, ast.Break, ast.Continue, ast.Pass, ast.Return,
    ast.Raise, ast.Assert,
)  # fmt: skip
REFUSED = (ast.Lambda, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)
"""Expressions that bind a name or run other code at a time of its own."""
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

BUILTINS = frozenset(
    "abs all any bin bool chr complex divmod enumerate float format int isinstance len list max min ord pow print "
    "range repr reversed round slice sorted str sum tuple zip".split()
)
"""Functions of Python that call nothing of the project."""
MODULES = ("math", "cmath")
"""Modules of Python whose functions take NumPy's scalars for numbers."""
ITERATING = frozenset("enumerate reversed zip".split())
"""Functions of Python that go through what they are given."""

IMPURE = frozenset(
    "apply_along_axis apply_over_axes asmatrix bmat errstate frombuffer fromfile fromfunction fromiter frompyfunc "
    "fromregex genfromtxt get_printoptions geterr geterrcall getbufsize load loadtxt mat matrix memmap nditer ndindex "
    "ndenumerate piecewise printoptions save savetxt savez savez_compressed set_printoptions setbufsize seterr "
    "seterrcall shares_memory vectorize".split()
)
"""Functions of NumPy that call others, keep something, or read and write files."""
PARTS = frozenset({"linalg", "fft"})
"""Modules of NumPy that only compute."""

DRAWING = frozenset(
    "beta binomial chisquare choice dirichlet exponential gamma geometric gumbel hypergeometric integers laplace "
    "logistic lognormal multinomial multivariate_normal negative_binomial normal pareto permutation poisson power rand "
    "randint randn random random_sample rayleigh standard_cauchy standard_exponential standard_gamma standard_normal "
    "standard_t triangular uniform vonmises wald weibull".split()
)
"""Functions that draw random numbers, and do nothing else."""

RESHAPING = frozenset({"resize", "setflags", "tofile", "dump", "byteswap", "newbyteorder", "setfield"})
"""Methods that make another array of one, or write it to a file."""
OF_LISTS = frozenset("append extend insert remove index count".split())
"""Methods of lists that are given values."""
TAKING_NOTHING = frozenset("pop sort reverse clear copy".split())
"""Methods of lists that are given none."""
ADDING = frozenset("append extend insert appendleft extendleft".split())
"""Methods of lists and queues that give nothing back."""
OF_QUEUES = OF_LISTS | TAKING_NOTHING | frozenset("popleft appendleft extendleft rotate".split())
"""Methods of lists and queues that give the list itself to nobody."""
HEAPS = frozenset(f"heapq.{name}" for name in "heapify heappop heappush heappushpop heapreplace".split())
"""Functions that keep a list in order."""
DESCRIBING = frozenset("shape size ndim dtype nbytes itemsize".split())
"""Attributes that say something of an array as a whole."""


FLATTENING = frozenset({"ravel", "flatten"})
"""Methods of arrays alone, after which a loop goes through all elements."""
SEARCHING = frozenset({"numpy.searchsorted", "numpy.digitize"})
"""Functions that look a value up in an array, as a loop over its elements would."""
MAKING = frozenset({"numpy.array", "numpy.asarray"})
"""Functions that make an array of the numbers that are written out."""
PRODUCTS = frozenset({"numpy.dot", "numpy.inner", "numpy.vdot", "numpy.matmul"})
"""Functions that multiply vectors and matrices."""


REVERSING = frozenset({"flip", "fliplr", "flipud", "rot90"})
"""Functions whose views have negative steps, which no tensor has."""
OF_ARRAYS = frozenset(
    "all any argmax argmin argsort astype clip conj conjugate copy cumprod cumsum diagonal dot flatten item max mean "
    "min nonzero prod ravel repeat reshape round squeeze std sum swapaxes take tolist trace transpose var".split()
)
"""Methods of arrays that only compute."""


OF_TEXT = frozenset("lower upper strip lstrip rstrip split startswith endswith replace title".split())
"""Methods of texts that arrays have not."""


OF_TABLES = frozenset("get items keys values".split())
"""Methods of dicts that change nothing."""


def is_pure(name: str) -> bool:
    """Tell whether a NumPy function, given by its full name, only computes."""
    first, _, rest = name.removeprefix("numpy.").partition(".")
    return first not in IMPURE and (not rest or first in PARTS or rest in ("reduce", "accumulate", "outer", "at"))
