"""Lists of floats and 0-D tensors become one tensor by short ways, with NumPy's values, dtypes and errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from np2torch import shim
from np2torch.verify.compare import difference

X = torch.tensor([0.5, -0.0, 3.0], dtype=torch.float64)
LISTS: dict[str, Any] = {
    "floats": [1.0, 2.0], "rows": [[1.0, 2.0], [3.0, 4.0]], "mixed": [[1.0, X[0]], [2, 3]], "scalars": [X[0], X[1]],
    "with bools": [[1, 2], [X[0], True]], "large": [2**60, X[0]], "empty row": [[]], "empty": [],
    "singles": [X[0].float(), 2.0], "rows of tensors": [X, [1.0, 2.0, 3.0]],
    "integers": [[1, 2], [3, 4]], "numbers": [1, 2.5], "wide": [2**63, 1], "wide beside floats": [2**63, 0.5],
    "rounded": [2**53 + 1, 0.5], "numbers with bools": [1, True, 0.5], "complex": [1j, 2],
}  # fmt: skip


def on_numpy(item: Any) -> Any:
    if isinstance(item, list):
        return [on_numpy(one) for one in item]
    return item.numpy()[()] if isinstance(item, torch.Tensor) else item


@pytest.mark.parametrize("name", LISTS)
def test_values_and_dtypes_are_numpys(name: str):
    for function in ("array", "asarray"):
        found = getattr(shim, function)(LISTS[name])
        assert difference(getattr(np, function)(on_numpy(LISTS[name])), found) is None


@pytest.mark.parametrize("ragged", [[[1.0, 2.0], [3.0]], [[1.0], 2.0]])
def test_ragged_lists_are_refused(ragged: list[Any]):
    with pytest.raises(ValueError, match="inhomogeneous"):
        shim.array(ragged)


def test_what_is_made_shares_nothing():
    made = shim.array([X[0], X[1]])
    made[0] = 7.0
    assert X[0] == 0.5


@pytest.mark.parametrize("equal_nan", [False, True])
@pytest.mark.parametrize("tolerances", [(1e-5, 1e-8), (0.0, 0.0), (1.0, np.inf), (np.nan, 0.0), (-1.0, 0), (1e10, 0.0)])
def test_closeness_of_few_and_many_is_numpys(tolerances: tuple[float, float], equal_nan: bool):
    values = [0.0, -0.0, 1.0, 1 + 1e-6, np.nan, np.inf, -np.inf, 1e308, -1e308]
    with np.errstate(all="ignore"):
        for x in values:
            for y in values:
                for shape in [(), (3,), (2, 2), (20,)]:
                    one, other = np.full(shape, x), np.full(shape, y)
                    given = torch.from_numpy(one), torch.from_numpy(other)
                    wanted = np.isclose(one, other, *tolerances, equal_nan)
                    assert np.array_equal(shim.isclose(*given, *tolerances, equal_nan).numpy(), wanted), (x, y, shape)
                    assert shim.allclose(*given, *tolerances, equal_nan) is bool(wanted.all()), (x, y, shape)
                    beside = shim.isclose(given[0], y, *tolerances, equal_nan)  # a number as the other operand
                    assert np.array_equal(beside.numpy(), wanted) and beside.dtype is torch.bool, (x, y, shape)
