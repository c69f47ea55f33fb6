"""Which torch code stands for which NumPy code, and what operands put the two to the test.

A pair is one or more forms (the same call with and without an axis, say); a recipe must hold for all of them.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Pair:
    """One NumPy function and its torch spelling.

    Parameters
    ----------
    forms
        (NumPy expression, torch expression) in `a`, `b`; a torch expression that names `dt` takes a dtype argument.
    shape
        Operands: `vector` (47 edge values and ties), `rows` (odd and even 2-D), `short` (1-D), `square` (matrices,
        well-conditioned).
    left, right
        What the operands stand for: `any`, `divisor` (zeros apart), `base` and `exponent`, `shift` (non-negative),
        `near` (in every other trial the values of the other operand, give or take one), `calm` (no huge integers).
    exact
        Whether each element must agree relatively; otherwise the tolerance scales with the largest element.
    specials
        Whether NaN and infinities belong to the test.
    """

    forms: tuple[tuple[str, str], ...]
    arity: int
    shape: str = "vector"
    left: str = "any"
    right: str = "any"
    exact: bool = True
    specials: bool = True


OPERATORS = {
    "add": "+", "subtract": "-", "multiply": "*", "true_divide": "/", "floor_divide": "//", "remainder": "%",
    "power": "**", "matmul": "@", "bitwise_and": "&", "bitwise_or": "|", "bitwise_xor": "^", "left_shift": "<<",
    "right_shift": ">>", "less": "<", "less_equal": "<=", "greater": ">", "greater_equal": ">=", "equal": "==",
    "not_equal": "!=",
}  # fmt: skip
PREFIXES = {"negative": "-a", "positive": "+a", "invert": "~a", "absolute": "abs(a)"}
ORDERINGS = {name: OPERATORS[name] for name in ("less", "less_equal", "greater", "greater_equal")}
# Operators and functions whose second operand must not be drawn at random: what it stands for.
RIGHT = {
    "true_divide": "divisor", "floor_divide": "divisor", "remainder": "divisor", "fmod": "divisor",
    "left_shift": "shift", "right_shift": "shift", "ldexp": "shift", "isclose": "near",
    "power": "exponent", "float_power": "exponent",
}  # fmt: skip
RIGHT |= dict.fromkeys((*ORDERINGS, "equal", "not_equal"), "near")
LEFT = {"power": "base", "float_power": "base"}

# NumPy ufuncs of one operand -> torch function; other names are the same on both sides.
UNARY = {
    name: name for name in """
    arccos arccosh arcsin arcsinh arctan arctanh acos acosh asin asinh atan atanh ceil cos cosh deg2rad exp exp2 expm1
    floor isfinite isinf isnan log log10 log1p log2 logical_not rad2deg reciprocal sign signbit sin sinh sqrt square
    tan tanh trunc bitwise_not frexp
    real imag angle round nan_to_num isreal isposinf isneginf fix sinc i0 argwhere
    """.split()
} | {
    "conjugate": "conj", "conj": "conj", "fabs": "abs", "rint": "round", "degrees": "rad2deg", "radians": "deg2rad",
    "around": "round", "abs": "abs",
}  # fmt: skip
# torch.lcm is not here: on the edges of int64 it kills the process (SIGFPE).
BINARY = {
    name: name for name in """
    maximum minimum fmax fmin arctan2 atan2 hypot logaddexp logaddexp2 copysign fmod nextafter heaviside float_power
    gcd ldexp logical_and logical_or logical_xor isclose
    """.split()
}

ROWS = {
    name: ((f"np.{name}(a)", f"torch.{torch}(a)"), (f"np.{name}(a, axis=0)", f"torch.{torch}(a, dim=0)"))
    for name, torch in {
        "max": "amax", "min": "amin", "amax": "amax", "amin": "amin", "argmax": "argmax", "argmin": "argmin",
        "any": "any", "all": "all", "count_nonzero": "count_nonzero",
    }.items()
} | {
    name: (
        (f"np.{name}(a)", f"torch.{name}(a, dtype=dt)"),
        (f"np.{name}(a, axis=0)", f"torch.{name}(a, dim=0, dtype=dt)"),
    )
    for name in ("sum", "mean", "nansum", "nanmean")
} | {
    "prod": (("np.prod(a)", "torch.prod(a, dtype=dt)"), ("np.prod(a, axis=0)", "torch.prod(a, dim=0, dtype=dt)")),
    "cumsum": (("np.cumsum(a, axis=0)", "torch.cumsum(a, dim=0, dtype=dt)"),),
    "cumprod": (("np.cumprod(a, axis=0)", "torch.cumprod(a, dim=0, dtype=dt)"),),
    "std": (
        ("np.std(a)", "torch.std(a, correction=0)"),
        ("np.std(a, axis=0)", "torch.std(a, dim=0, correction=0)"),
    ),
    "var": (
        ("np.var(a)", "torch.var(a, correction=0)"),
        ("np.var(a, axis=0)", "torch.var(a, dim=0, correction=0)"),
    ),
    "median": (("np.median(a, axis=0)", "torch.quantile(a, 0.5, dim=0)"),),
    "ptp": (("np.ptp(a, axis=0)", "torch.amax(a, dim=0) - torch.amin(a, dim=0)"),),
    "diff": (("np.diff(a)", "torch.diff(a)"),),
    "trace": (("np.trace(a)", "torch.trace(a)"),),
    "gradient": (("np.gradient(a[0])", "torch.gradient(a[0])[0]"),),
}  # fmt: skip
# Ties decide here: 47 values, many of them equal.
SORTING = {
    "sort": (("np.sort(a)", "torch.sort(a).values"),),
    "argsort": (("np.argsort(a, kind='stable')", "torch.argsort(a, stable=True)"),),
    "unique": (("np.unique(a)", "torch.unique(a)"),),
}
SHORT = {
    "dot": "dot", "outer": "outer", "inner": "inner", "kron": "kron", "vdot": "vdot", "linalg.outer": "outer",
}  # fmt: skip
SQUARE = "inv pinv det slogdet norm cond matrix_rank eigvalsh svdvals cholesky".split()
FFT = "fft ifft rfft irfft hfft ihfft fft2 ifft2 rfft2 irfft2 fftn ifftn rfftn irfftn".split()


def _pairs() -> dict[str, Pair]:
    found = {}
    for name, sign in OPERATORS.items():
        code = f"a {sign} b"
        shape = "square" if name == "matmul" else "vector"
        roles = LEFT.get(name, "any"), RIGHT.get(name, "any")
        forms = [code]
        if name in ORDERINGS:  # they need the same casts, and rounding up betrays itself in one, down in another
            forms += [f"a {other} b" for other in ORDERINGS.values() if other != sign]
        both = tuple((form, form) for form in forms)
        found[f"{name}/2"] = Pair(both, 2, shape, *roles, shape == "vector", shape == "vector")
    for name, code in PREFIXES.items():
        found[f"{name}/1"] = Pair(((code, code),), 1)
    for name, torch in UNARY.items():
        found[f"{name}/1"] = Pair(((f"np.{name}(a)", f"torch.{torch}(a)"),), 1)
    for name, torch in BINARY.items():
        forms = ((f"np.{name}(a, b)", f"torch.{torch}(a, b)"),)
        found[f"{name}/2"] = Pair(forms, 2, "vector", LEFT.get(name, "any"), RIGHT.get(name, "any"))
    for name, rows in ROWS.items():
        # Where everything is large and close together a variance is nothing but rounding.
        found[f"{name}/1"] = Pair(rows, 1, "rows", "calm" if name in ("std", "var") else "any", exact=False)
    for name, sorting in SORTING.items():
        found[f"{name}/1"] = Pair(sorting, 1)
    for name, torch in SHORT.items():
        short = ((f"np.{name}(a, b)", f"torch.{torch}(a, b)"),)
        found[f"{name}/2"] = Pair(short, 2, "short", exact=False, specials=False)
    square = {f"linalg.{name}": f"linalg.{name}(a)" for name in SQUARE}
    square |= {f"fft.{name}": f"fft.{name}(a)" for name in FFT} | {"linalg.matrix_power": "linalg.matrix_power(a, 3)"}
    for name, call in square.items():
        found[f"{name}/1"] = Pair(((f"np.{call}", f"torch.{call}"),), 1, "square", exact=False, specials=False)
    for name, call in {
        # Signs and phases of vectors are free: compare what is not, and all dtypes.
        "linalg.eigh": "tuple(map(abs, {}.linalg.eigh(a)))",
        "linalg.svd": "tuple(map(abs, {}.linalg.svd(a)))",
        "linalg.qr": "tuple(map(abs, {}.linalg.qr(a)))",
    }.items():
        vectors = ((call.format("np"), call.format("torch")),)
        found[f"{name}/1"] = Pair(vectors, 1, "square", exact=False, specials=False)
    solve = (("np.linalg.solve(a, b)", "torch.linalg.solve(a, b)"),)
    found["linalg.solve/2"] = Pair(solve, 2, "square", exact=False, specials=False)
    einsum = (("np.einsum('ij,jk->ik', a, b)", "torch.einsum('ij,jk->ik', a, b)"),)
    found["einsum/2"] = Pair(einsum, 2, "square", exact=False, specials=False)
    tensordot = (("np.tensordot(a, b, 1)", "torch.tensordot(a, b, 1)"),)
    found["tensordot/2"] = Pair(tensordot, 2, "square", exact=False, specials=False)
    where = (("np.where(np.arange(47) % 2 == 0, a, b)", "torch.where(torch.arange(47) % 2 == 0, a, b)"),)
    found["where/2"] = Pair(where, 2)
    found["concatenate/2"] = Pair((("np.concatenate([a, b])", "torch.cat([a, b])"),), 2)
    found["stack/2"] = Pair((("np.stack([a, b])", "torch.stack([a, b])"),), 2)
    clip = (("np.clip(a, b, b)", "torch.clamp(a, b, b)"), ("np.clip(a, b, None)", "torch.clamp(a, b)"))
    found["clip/2"] = Pair(clip, 2)
    searchsorted = (("np.searchsorted(np.sort(a), b)", "torch.searchsorted(torch.sort(a).values, b)"),)
    found["searchsorted/2"] = Pair(searchsorted, 2, right="near")
    found["bincount/1"] = Pair((("np.bincount(abs(a) % 5)", "torch.bincount(abs(a) % 5)"),), 1, specials=False)
    return dict(sorted(found.items()))


PAIRS = _pairs()
# `a += b`: what NumPy does to the left array in place.
INPLACE = {
    name: f"i{dunder}" for name, dunder in {
        "add": "add", "subtract": "sub", "multiply": "mul", "true_divide": "truediv", "floor_divide": "floordiv",
        "remainder": "mod", "power": "pow", "matmul": "matmul", "bitwise_and": "and", "bitwise_or": "or",
        "bitwise_xor": "xor", "left_shift": "lshift", "right_shift": "rshift",
    }.items()
}  # fmt: skip
