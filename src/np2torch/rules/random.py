"""Random numbers: seeded streams are observable, so they keep NumPy's exact stream in the shim."""

from __future__ import annotations

from np2torch.facts import values as v
from np2torch.facts.arguments import Arguments
from np2torch.facts.results import shape_rank

FLOATS = frozenset(
    "rand randn random uniform normal standard_normal exponential standard_exponential gamma standard_gamma beta "
    "laplace logistic lognormal rayleigh weibull power pareto gumbel triangular vonmises wald chisquare standard_t "
    "standard_cauchy f".split()
)
INTEGERS = frozenset(
    "randint integers poisson binomial geometric negative_binomial hypergeometric zipf random_integers".split()
)
POSITION = {
    "rand": 0, "randn": 0, "random": 0, "standard_normal": 0, "standard_exponential": 0, "standard_cauchy": 0,
    "uniform": 2, "normal": 2, "randint": 2, "integers": 2, "exponential": 1, "poisson": 1, "binomial": 2,
}  # fmt: skip
"""Where `size` stands among positional arguments."""


def result(name: str, arguments: Arguments) -> v.Fact:
    """What a drawing function or method returns."""
    if name in ("seed", "shuffle", "set_state"):
        return v.NONE
    if name in ("rand", "randn"):
        if arguments.starred:
            return v.array("float64")
        rank = len(arguments.positional)
        return v.array("float64", rank) if rank else v.FLOAT
    if name in FLOATS or name in INTEGERS:
        return _drawn(name, arguments)
    if name in ("permutation", "permuted"):
        fact = arguments.positional[0].fact if arguments.positional else v.UNKNOWN
        return v.array("int64", 1) if v.only(fact, "number") else fact if v.only(fact, "array") else v.ARRAY
    if name == "choice":
        fact = arguments.positional[0].fact if arguments.positional else v.UNKNOWN
        size = arguments.keywords.get("size") or (arguments.positional[1] if len(arguments.positional) > 1 else None)
        dtypes = v.dtypes_of(fact) if v.only(fact, "array") else None
        if v.only(fact, "number"):
            dtypes = frozenset(["int64"])
        if size is None:
            return v.UNKNOWN
        if v.known_to_include(fact, "sequence") and not v.only(fact, "array"):
            return v.UNKNOWN
        return v.one(v.Array(dtypes, shape_rank(size.fact)))
    if name in ("multivariate_normal", "dirichlet"):
        return v.array("float64")
    if name == "multinomial":
        return v.array("int64")
    return v.UNKNOWN


def _drawn(name: str, arguments: Arguments) -> v.Fact:
    dtype = "float64" if name in FLOATS else "int64"
    size = arguments.keywords.get("size")
    if "dtype" in arguments.keywords or arguments.starred:
        return v.UNKNOWN if size is None else v.one(v.Array(None, shape_rank(size.fact)))
    position = POSITION.get(name)
    if size is None and position is not None and len(arguments.positional) > position:
        size = arguments.positional[position]
    if size is not None and not v.may(size.fact, "none"):
        ranks = shape_rank(size.fact)
        return v.one(v.Array(frozenset([dtype]), ranks))
    if size is None and all(v.only(f, "number") for f in arguments.facts()):
        if name in INTEGERS:
            return v.scalar("int64") if name == "integers" else v.INT
        return v.FLOAT
    return v.UNKNOWN
