"""What is written for an array of a supposed dtype and unknown rank: equal to NumPy's answer, or torch raises."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Iterator

import numpy as np
import pytest
import torch
import worlds

from np2torch import shim
from np2torch.verify.compare import difference

IN_CI, OTHER_DTYPES = ("float32",), ("complex128", "int64", "float64", "complex64", "bool")
SITES = [
    site for site in worlds.sites()
    if not re.search(r"svd|eigh|linalg\.qr|empty|random|np\.fft|polynomial", site)  # free signs, and free contents
]  # fmt: skip
OTHERS = {"n": (2, 3, 1, 0.5), "axis": (None, 0, -1, (0, 1))}
LOOSE = {"float32": 1e-3, "complex64": 1e-3, "float64": 1e-12, "complex128": 1e-12}
COMPLEX = {"complex64", "complex128"}
VECTORS = re.compile(r"cumsum\(x?,? ?axis|cumprod\(x?,? ?axis|argsort|ascontiguousarray")
"""Functions that make a vector of a number, where torch leaves it one: an array of no dimensions has no axis."""
SORTED = re.compile(r"searchsorted|linalg|percentile|quantile")
"""Functions that mean nothing with NaN, or of nothing: of what is not sorted, or by LAPACK."""


def arrays(dtype: str) -> Iterator[tuple[np.ndarray, ...]]:
    """Three arrays each, of up to three dimensions, square and not, empty, not contiguous, with NaN and without."""
    rng = np.random.default_rng(0)
    for shape in ((), (3,), (1,), (0,), (2, 3), (3, 3), (0, 3), (2, 3, 3)):
        for layout in ("C", "reversed", "nan"):
            made = []
            for _ in range(3):
                x = rng.integers(-3, 4, (*shape, 2)) / (2 if dtype[0] in "fc" else 1)
                x = (x * (1 + 0.5j) if dtype in COMPLEX else x).astype(dtype)
                x = x[..., 0] if layout == "C" else np.array(x[..., ::-1][..., 0])
                if layout == "reversed":
                    x = np.array(x.T).T  # the other order of axes
                if layout == "nan" and x.size > 1 and dtype[0] in "f":
                    x.flat[1] = np.nan
                made.append(x)
            if layout == "C" or dtype[0] == "f" or len(shape) > 1:
                yield tuple(made)


def calls(parameters: list[str], dtype: str) -> Iterator[list[object]]:
    """The arguments of a site: arrays for x, y and z, and all that the others may be."""
    rest = [name for name in parameters if name not in worlds.ARRAYS]
    choices: list[dict[str, object]] = [{}]
    for name in rest:
        choices = [{**one, name: value} for one in choices for value in OTHERS.get(name, (abs,))]
    for made in arrays(dtype):
        for choice in choices:
            yield [choice[name] if name in choice else made[worlds.ARRAYS.index(name)] for name in parameters]


def on_torch(value: object) -> object:
    return torch.from_numpy(value.copy(order="K")) if isinstance(value, np.ndarray) else value


def run(function, arguments):
    try:
        return True, function(*arguments)
    except Exception as error:
        return False, error


def compared(expected, found, tolerance: float) -> str | None:
    """What differs; of complex numbers that are infinite or undefined the parts are anybody's guess."""
    if isinstance(expected, (np.ndarray, np.generic)) and expected.dtype.kind == "c" and torch.is_tensor(found):
        finite = np.isfinite(expected)
        if tuple(found.shape) == expected.shape and not finite.all():
            mask = torch.from_numpy(np.asarray(finite))
            if found.isfinite()[~mask].any():
                return f"{expected} became {found}"
            expected, found = expected[finite], found[mask]
    return difference(expected, found, rtol=tolerance, atol=tolerance)


def silent(dtype: str, texts: list[str], old: dict, new: dict) -> Iterator[str]:
    """Each site that answers otherwise than NumPy does."""
    for index, text in enumerate(texts):
        if "shim." in text:
            continue
        before, after = old[f"site_{index}"], new[f"site_{index}"]
        names = list(before.__code__.co_varnames[: before.__code__.co_argcount])
        for arguments in calls(names, dtype):
            given = [a for a in arguments if isinstance(a, np.ndarray)]
            if VECTORS.search(SITES[index]) and any(a.ndim == 0 for a in given):
                continue
            if SORTED.search(SITES[index]) and any(np.isnan(a).any() or not a.size for a in given):
                continue
            if "searchsorted" in SITES[index]:
                arguments = [np.sort(a) if a.ndim else a for a in given]
            mine = [a.copy(order="K") if isinstance(a, np.ndarray) else a for a in arguments]
            ok, expected = run(before, mine)
            done, found = run(after, list(map(on_torch, arguments)))
            if ok and done and (line := compared(expected, found, LOOSE.get(dtype, 1e-12))):
                yield f"{SITES[index]}  ->  {text}  for {arguments}: {line}"
                break


@pytest.mark.parametrize("dtype", [*IN_CI, *(pytest.param(one, marks=pytest.mark.long) for one in OTHER_DTYPES)])
def test_equal_or_loud(dtype):
    texts, module = worlds.converted(SITES, dtype)
    old: dict = {}
    new: dict = {"torch": torch, "shim": shim, "math": math}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        exec(worlds.module_of(SITES, dtype), old)
        exec(module, new)
        found = list(silent(dtype, texts, old, new))
    assert not found, "\n".join(found)
