"""Each function of one array with each dtype stated, and powers of two: converted, run on both sides, compared."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch

from np2torch.verify.compare import difference
from support.conversions import convert_text
from support.guards import both

DTYPES = "bool int8 uint8 int16 int32 int64 float16 float32 float64 complex64 complex128".split()
ELEMENTWISE = (
    "absolute negative positive sign sqrt square exp expm1 exp2 log log2 log10 log1p sin cos tan arcsin arccos arctan "
    "sinh cosh tanh arcsinh arccosh arctanh floor ceil trunc rint fix round isnan isinf isfinite signbit conj real "
    "imag angle logical_not invert reciprocal rad2deg deg2rad cbrt i0 spacing zeros_like ones_like isreal iscomplex "
    "nan_to_num"
).split()
REDUCTIONS = (
    "sum prod mean std var min max ptp argmin argmax any all count_nonzero nansum nanmean nanmax nanmin nanprod "
    "average cumsum"
).split()
SHAPES = "diff unique nonzero flatnonzero flip ravel copy squeeze transpose diag tril trace fliplr rot90 sort".split()
POWERS = ("np.power(x, y)", "x ** y")
TOLERANCES = {"float16": 4e-3, "float32": 1e-5, "complex64": 1e-5, "complex128": 1e-11}


def _expressions() -> Iterator[str]:
    for name in [*ELEMENTWISE, *REDUCTIONS, *SHAPES]:
        yield f"np.{name}(x)"
    for name in REDUCTIONS:
        yield f"np.{name}(x, axis=0)"


def _arrays(dtype: str, seed: int = 0) -> list[Any]:
    """Vectors and matrices with ties, zeros and negative numbers, of one element and of none."""
    vectors = [[], [1.0], [0.0, 3, 1, 3, 2, 0], [2.0, -3, 0, 5, -3, 1, 1]]
    matrices = [[[2.0]], [[0.0, 3, 1], [3, 2, 0]], [[2.0, -3], [0, 5]]]
    found = [np.roll(np.array(x), seed) for x in [*vectors, *matrices]]
    found = [np.abs(x) if dtype.startswith("u") else x for x in found]
    return [(x + 1j * x[::-1] if dtype.startswith("complex") else x).astype(dtype) for x in found]


def _module(functions: list[tuple[str, str]]) -> str:
    """One function for each expression, with the types of its parameters."""
    lines = ["import numpy as np"]
    for at, (types, text) in enumerate(functions):
        names = ", ".join(one.partition(":")[0] for one in types.split("; "))
        lines += [f"def f{at}({names}):  # np2torch: {types}", f"    return {text}"]
    return "\n".join([*lines, ""])


def _outcome(function: Any, *arguments: Any) -> Any:
    try:
        return function(*arguments)
    except Exception as error:
        return error


def _compare(functions: list[tuple[str, str]], arguments: Any) -> list[str]:
    """Say where the converted functions give something else than the functions of NumPy."""
    old: dict[str, Any] = {}
    new: dict[str, Any] = {}
    text = _module(functions)
    exec(text, old)
    exec(convert_text(text), new)
    said = []
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for at, (types, expression) in enumerate(functions):
            for given in arguments(types):
                a = _outcome(old[f"f{at}"], *(x.copy() for x in given))
                b = _outcome(new[f"f{at}"], *(torch.from_numpy(x.copy()) for x in given))
                if isinstance(a, Exception) or isinstance(b, Exception):
                    how = None if isinstance(a, Exception) and isinstance(b, Exception) else f"{a!r} became {b!r}"
                else:
                    loosest = max((TOLERANCES.get(one, 0.0) for one in types.replace("[", " ").split()), default=0.0)
                    how = difference(a, b, rtol=loosest or None, atol=loosest / 10)
                if how is not None:
                    said.append(f"{expression} of {types}, {[x.tolist() for x in given]}: {how}")
                    break
    return said


@pytest.mark.parametrize("dtype", DTYPES)
def test_functions_of_one_array(dtype: str) -> None:
    functions = [(f"x: {dtype}[{sizes}]", text) for text in _expressions() for sizes in ("n", "n, m")]
    arrays = _arrays(dtype)
    said = _compare(functions, lambda types: [(x,) for x in arrays if x.ndim == 1 + ("m" in types.partition("[")[2])])
    assert said == []


@pytest.mark.parametrize("dtype", DTYPES)
def test_powers(dtype: str) -> None:
    functions = [(f"x: {dtype}[n]; y: {other}[n]", text) for other in DTYPES for text in POWERS]
    bases = [x for x in _arrays(dtype) if x.ndim == 1]

    def arguments(types: str) -> list[tuple[Any, Any]]:
        exponents = _arrays(types.rpartition(" ")[2].partition("[")[0], seed=2)
        return list(zip(bases, [x for x in exponents if x.ndim == 1], strict=True))

    assert _compare(functions, arguments) == []


def test_places_of_what_was_compared() -> None:
    """torch has no argmin of bools, whatever the dtype of the parameter is taken for."""
    text = "def first(x, c):\n    m = np.arange(len(x)) < c * x\n    return np.argmin(m)\n"
    old, new, _ = both(text, "first")
    x = np.array([1.0, 2.0, 3.0, 0.5])
    assert difference(old(x, 2.0), new(torch.from_numpy(x), 2.0)) is None
