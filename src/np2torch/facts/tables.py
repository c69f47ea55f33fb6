"""Lookup of what NumPy returns, and of the cast that makes the torch spelling return the same.

The data file beside this module is written by `tools/build_tables.py`, which runs the real NumPy and the real torch
and records what they do; no promotion rule is coded here. Neither library is imported.

Dtypes are written by NumPy's names (`DTYPES`); a Python number is written `pybool`, `pyint`, `pyfloat` or `pycomplex`
(`WEAK`), because NEP 50 lets it follow the dtype of the other operand. On the torch side 0-D operands are recorded
separately, since torch lets such a tensor follow the other one and NumPy does not.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, TypeAlias

DTYPES: Final = (
    "bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64",
    "float16", "float32", "float64", "complex64", "complex128",
)  # fmt: skip
WEAK: Final = ("pybool", "pyint", "pyfloat", "pycomplex")
CASTINGS: Final = ("no", "equiv", "safe", "same_kind", "unsafe")

Result: TypeAlias = "str | tuple[str, ...]"
Operand: TypeAlias = "str | tuple[str, bool]"

DATA: Final = "tables.json.gz"
FIRST_CODE: Final = 35  # grids hold one character per cell, counted from '#': no quote to escape in the JSON

# The order of these is the order of the cells in the grids; the generator imports them from here.
NUMPY_OPERANDS: Final[tuple[str, ...]] = DTYPES + WEAK
TORCH_OPERANDS: Final[tuple[Operand, ...]] = (
    *((d, False) for d in DTYPES), *((d, True) for d in DTYPES), *WEAK,
)  # fmt: skip

_NUMPY_INDEX: Final = {operand: i for i, operand in enumerate(NUMPY_OPERANDS)}
# A bare dtype name is short for a tensor with dimensions.
_TORCH_INDEX: Final = {operand: i for i, operand in enumerate(TORCH_OPERANDS)} | {d: i for i, d in enumerate(DTYPES)}


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to write a torch call so that it equals NumPy's in dtype, rank and value.

    Parameters
    ----------
    casts
        For each operand the dtype to cast it to first, or None to leave it.
    result_cast
        The dtype to cast the result to, or None.
    dtype_argument
        The value of the call's own `dtype=`, or None to leave it out.
    zero_safe
        Whether torch also answers as NumPy does where a divisor (or the base of a negative power) is zero.
    range_safe
        Whether a Python number that the other operand's dtype cannot hold is still not *silently* different:
        False where NumPy raises or compares exactly while torch wraps. Numbers beyond 64 bits are not considered.
    """

    casts: tuple[str | None, ...]
    result_cast: str | None = None
    dtype_argument: str | None = None
    zero_safe: bool = True
    range_safe: bool = True

    @property
    def as_is(self) -> bool:
        """Tell whether the torch call needs nothing added."""
        return not any(self.casts) and self.result_cast is None and self.dtype_argument is None


@dataclass(frozen=True, slots=True)
class _Tables:
    versions: dict[str, str]
    results: dict[str, str]
    recipes: dict[str, str]
    raises: dict[str, str]
    inplace: dict[str, str]
    can_cast: dict[str, str]
    spellings: dict[str, str]
    result_codes: dict[str, Result | None]
    recipe_codes: dict[str, Recipe | None]


@cache
def _tables() -> _Tables:
    raw = json.loads(gzip.decompress(files(__package__).joinpath(DATA).read_bytes()))
    outcomes = (tuple(r) if isinstance(r, list) else r for r in raw["outcomes"])
    found = (Recipe(tuple(casts), *rest) for casts, *rest in raw["found"])
    return _Tables(
        raw["versions"], raw["results"], raw["recipes"], raw["raises"],
        raw["inplace"], raw["can_cast"], raw["spellings"],
        {chr(i): r for i, r in enumerate((None, *outcomes), FIRST_CODE)},
        {chr(i): r for i, r in enumerate((None, *found), FIRST_CODE)},
    )  # fmt: skip


def versions() -> dict[str, str]:
    """The versions of NumPy and torch that the tables were recorded with."""
    return dict(_tables().versions)


def result(name: str, *operands: str) -> Result | None:
    """The dtype NumPy function `name` (without `numpy.`) returns for operands of these dtypes.

    A tuple for a function that returns several arrays; a `WEAK` name where NumPy returns a Python number. None where
    NumPy raises, where the dtype depends on the values (`linalg.eig`, `roots`), and for what the table does not know.
    """
    tables = _tables()
    grid = tables.results.get(f"{name}/{len(operands)}")
    cell = 0
    for operand in operands:
        index = _NUMPY_INDEX.get(operand)
        if index is None:
            return None
        cell = cell * len(_NUMPY_INDEX) + index
    return None if grid is None else tables.result_codes[grid[cell]]


def knows(name: str, arity: int) -> bool:
    """Tell whether `result` knows NumPy function `name` of `arity` operands for at least one choice of dtypes."""
    return f"{name}/{arity}" in _tables().results


@cache
def promote(*dtypes: str) -> str | None:
    """The dtype of `np.result_type`; Python numbers are weak. None for a name that is no dtype of the table."""
    if any(d not in _NUMPY_INDEX for d in dtypes) or not dtypes:
        return None
    strong = [d for d in dtypes if d not in WEAK]
    # NumPy is not a left fold: every dtype meets the highest category first, so int16, uint16, float32 give float32
    # and not float64. The generator checks this order against np.result_type.
    top = max((_category(d) for d in strong), default=0)
    leader = _fold([d for d in strong if _category(d) == top])
    met = [d if leader is None else _pair(leader, d) for d in strong]
    return _fold(met + [d for d in dtypes if d in WEAK])


def _category(dtype: str) -> int:
    return {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}[dtype[0]]


def _pair(left: str, right: str) -> str:
    found = result("result_type", left, right)
    assert isinstance(found, str), (left, right)
    return found


def _fold(dtypes: list[str]) -> str | None:
    if not dtypes:
        return None
    total = _pair(dtypes[0], dtypes[0])
    for dtype in dtypes[1:]:
        total = _pair(total, dtype)
    return total


def can_cast(source: str, target: str, casting: str = "same_kind") -> bool:
    """Tell whether `np.can_cast` allows it; False for names outside the table.

    A Python number, which NumPy refuses here, may be cast where the dtype it takes beside `target` may: that is
    NumPy's own test for `a += 1`.
    """
    row, column = _NUMPY_INDEX.get(source), _NUMPY_INDEX.get(target)
    if row is None or column is None or column >= len(DTYPES):
        return False
    return _tables().can_cast[casting][row * len(DTYPES) + column] == "1"


def recipe(name: str, *operands: Operand) -> Recipe | None:
    """Give what the torch spelling of NumPy function `name` needs to equal NumPy for these operands.

    Parameters
    ----------
    name
        NumPy's name; the operators go by their ufunc (`add` is `a + b`). `spelling` says what torch code was run.
    *operands
        `(dtype, is_0d)` for a tensor, or a `WEAK` name for a Python number. A bare dtype means at least 1-D.

    Returns
    -------
    Recipe or None
        None where no cast makes the two equal, where NumPy raises, and for what the table does not know. Signed zeros,
        the last bits of floats and complex infinities are not held to be equal or different.
    """
    return _lookup(_tables().recipes, f"{name}/{len(operands)}", operands)


def raises(name: str, *operands: Operand) -> bool:
    """Tell whether the torch spelling, without any cast, refuses operands of these dtypes whatever their values are."""
    grid, cell = _tables().raises.get(f"{name}/{len(operands)}"), _cell(operands)
    return grid is not None and cell is not None and grid[cell] == "1"


def inplace(name: str, left: Operand, right: Operand) -> Recipe | None:
    """Give what `left += right` (name `add`) on tensors needs; only the right operand is ever cast.

    None where NumPy refuses (a result that is not `same_kind`), and where no cast makes torch equal.
    """
    return _lookup(_tables().inplace, name, (left, right))


def _lookup(grids: dict[str, str], key: str, operands: tuple[Operand, ...]) -> Recipe | None:
    grid, cell = grids.get(key), _cell(operands)
    return None if grid is None or cell is None else _tables().recipe_codes[grid[cell]]


def _cell(operands: tuple[Operand, ...]) -> int | None:
    """The place of these operands in a grid; None for one the tables do not know."""
    cell = 0
    for operand in operands:
        index = _TORCH_INDEX.get(operand)
        if index is None:
            return None
        cell = cell * len(TORCH_OPERANDS) + index
    return cell


def spelling(name: str, arity: int) -> str | None:
    """The torch code (in `a`, `b`) that `recipe` speaks of, or None where it knows none."""
    return _tables().spellings.get(f"{name}/{arity}")
