"""Random numbers: seeded streams are observable, so they keep NumPy's exact stream in the shim."""

from __future__ import annotations

from collections.abc import Callable

from np2torch.facts import results
from np2torch.facts import values as v
from np2torch.facts.arguments import Argument, Arguments
from np2torch.facts.domain import names
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
    **dict.fromkeys("random standard_normal standard_exponential standard_cauchy".split(), 0),
    **dict.fromkeys((
        "exponential chisquare geometric pareto poisson power rayleigh standard_gamma standard_t weibull zipf"
    ).split(), 1),
    **dict.fromkeys((
        "uniform normal beta binomial f gamma gumbel integers laplace logistic lognormal negative_binomial randint "
        "random_integers vonmises wald"
    ).split(), 2),
    **dict.fromkeys("hypergeometric triangular".split(), 3),
}  # fmt: skip
"""The position of `size` among positional arguments."""


def result(name: str, arguments: Arguments) -> v.Fact:
    """Give what a drawing function or method returns."""
    model = MODELS.get(name)
    return v.TOP if model is None else model(name, arguments)


def _nothing(name: str, arguments: Arguments) -> v.Fact:
    """`seed(...)`, `shuffle(x)`."""
    return v.NONE


def _of_sizes(name: str, arguments: Arguments) -> v.Fact:
    """`rand(2, 3)`."""
    if arguments.starred:
        ranks = results.ranks_of_sizes(arguments)
        return v.array("float64", ranks) if ranks is None or 0 not in ranks else v.TOP
    rank = len(arguments.positional)
    return v.array("float64", rank) if rank else v.FLOAT


def _permuted(name: str, arguments: Arguments) -> v.Fact:
    """`permutation(n)`, `permuted(x)`."""
    fact = _first(arguments)
    if v.only(fact, "number"):
        return v.array("int64", 1)
    if v.known_to_include(fact, "foreign"):
        return v.TOP
    return v.one(v.Array(*(results.arraylike(fact, weak=False) or (None, None))))


def _first(arguments: Arguments) -> v.Fact:
    """The fact of the first argument."""
    return arguments.positional[0].fact if arguments.positional else v.TOP


def _size(arguments: Arguments, position: int) -> Argument | None:
    """The argument `size`, by its name or at its place."""
    size = arguments.keywords.get("size")
    return arguments.positional[position] if size is None and len(arguments.positional) > position else size


def _rows(name: str, arguments: Arguments) -> v.Fact:
    """`multivariate_normal(mean, cov, size)`: so many vectors."""
    size = _size(arguments, SIZE_OF_ROWS[name])
    ranks = frozenset([0]) if size is None or size.is_none else shape_rank(size.fact)
    known = None if ranks is None or arguments.starred else frozenset(rank + 1 for rank in ranks)
    return v.one(v.Array(names("int64" if name == "multinomial" else "float64"), known))


SIZE_OF_ROWS = {"multivariate_normal": 2, "dirichlet": 1, "multinomial": 2}
"""The position of `size` in functions that draw vectors."""


def _chosen(name: str, arguments: Arguments) -> v.Fact:
    """`choice(a, size)`: items of `a`, or of so many numbers."""
    fact = _first(arguments)
    size = arguments.keywords.get("size") or (arguments.positional[1] if len(arguments.positional) > 1 else None)
    part = (frozenset(["int64"]), frozenset([1])) if v.only(fact, "number") else results.arraylike(fact, weak=False)
    if arguments.starred or part is None or v.known_to_include(fact, "text", "foreign", "opaque"):
        return v.TOP
    dtypes, ranks = part
    items = None if ranks is None else frozenset(rank - 1 for rank in ranks if rank > 0)
    if size is None or size.is_none:
        if v.only(fact, "number"):
            return v.INT
        return results.make(dtypes, items) if items else v.TOP
    more = None if v.may(size.fact, "none") else shape_rank(size.fact)
    known = None if more is None or not items else frozenset(a + b for a in items for b in more)
    return v.one(v.Array(dtypes, known))


def _drawn(name: str, arguments: Arguments) -> v.Fact:
    """`normal(mean, deviation, size)`: an array of that shape, or else of the shape of the parameters."""
    position = POSITION[name]
    size = _size(arguments, position)
    shape = size.fact if size is not None and not v.may(size.fact, "none") else None
    if {"dtype", "out"} & arguments.keywords.keys() or len(arguments.positional) > position + 1 or arguments.starred:
        return v.one(v.Array(None, shape_rank(shape))) if shape is not None and not arguments.starred else v.TOP
    if shape is not None:
        return v.one(v.Array(frozenset([_dtype(name)]), shape_rank(shape)))
    return _broadcast(name, arguments) if size is None else v.TOP


def _broadcast(name: str, arguments: Arguments) -> v.Fact:
    """The result of a draw without a size: a number, or an array of the shape that the parameters have together."""
    if all(v.only(f, "number") for f in arguments.facts()):
        return _number(name)
    parts = [results.arraylike(f) for f in arguments.facts()]
    ranks = None if None in parts else results.broadcast(part[1] for part in parts if part is not None)
    if ranks is None:
        return v.TOP
    arrays = v.array(_dtype(name), ranks - {0}) if ranks - {0} else v.BOTTOM
    return v.join(arrays, _number(name)) if 0 in ranks else arrays


def _dtype(name: str) -> str:
    """The dtype of what is drawn."""
    return "float64" if name in FLOATS else "int64"


def _number(name: str) -> v.Fact:
    """Give the result of a single draw."""
    if name in INTEGERS:
        return v.scalar("int64") if name == "integers" else v.INT
    return v.FLOAT


MODELS: dict[str, Callable[[str, Arguments], v.Fact]] = {
    **dict.fromkeys(("seed", "shuffle", "set_state"), _nothing),
    **dict.fromkeys(FLOATS | INTEGERS, _drawn),
    **dict.fromkeys(("rand", "randn"), _of_sizes),
    **dict.fromkeys(("permutation", "permuted"), _permuted),
    **dict.fromkeys(SIZE_OF_ROWS, _rows),
    "choice": _chosen,
}
"""What functions and methods give, by their names."""
