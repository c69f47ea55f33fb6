"""Short ways of functions for Python's numbers, and lists, beside tensors: the same as the long ones, and as NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from np2torch import shim

ARRAYS = {
    "vector": np.array([0.5, -1.0, 2.0]), "scalar": np.float64(0.5), "none": np.array([]), "matrix": np.eye(2),
    "nan": np.array([np.nan, -0.0, np.inf]), "single": np.array([0.5, 3.0], np.float32), "whole": np.array([3, -4]),
    "small": np.array([3, 4], np.int8), "bools": np.array([True, False]), "complex": np.array([1j, 2.0]),
}  # fmt: skip
NUMBERS = [0, 1, -3, 0.5, 0.0, -0.0, float("nan"), float("inf"), 2**40, 2**60, True, 1j]


def same(found: Any, expected: Any, signs: bool = True) -> None:
    """Values, dtypes and shapes are the same, and signs of zero."""
    found = found.numpy() if isinstance(found, torch.Tensor) else np.asarray(found)
    assert found.dtype == np.asarray(expected).dtype
    assert found.shape == np.shape(expected)
    assert np.array_equal(found, expected, equal_nan=found.dtype.kind in "fc")
    if found.dtype.kind == "f" and signs:
        assert np.array_equal(np.signbit(found), np.signbit(expected))


def outcome(function: Any, *args: Any, **kwargs: Any) -> Any:
    try:
        with np.errstate(all="ignore"):
            return function(*args, **kwargs)
    except (TypeError, ValueError, OverflowError) as error:
        return type(error)


def compare(name: str, *args: Any, **kwargs: Any) -> None:
    """A function does on both sides the same, or raises the same error."""
    space, own = np, shim
    expected = outcome(getattr(space, name), *args, **kwargs)
    given = [shim.from_numpy(x.copy()) if isinstance(x, (np.ndarray, np.generic)) else x for x in args]
    found = outcome(getattr(own, name), *given, **kwargs)
    if isinstance(expected, type) or isinstance(found, type):
        assert found is expected
    else:
        same(found, expected, signs=name not in ("clip", "arange"))  # of 0.0 and -0.0 the limit is either


@pytest.mark.parametrize("array", ARRAYS)
@pytest.mark.parametrize("number", NUMBERS)
def test_where_beside_numbers(array: str, number: Any):
    x = ARRAYS[array]
    for condition in (x != 1, np.bool_(True), np.array([[True], [False]])):
        compare("where", condition, x, number)
        compare("where", condition, number, x)
        compare("where", condition, number, 2)
        compare("where", condition, 0.5, number)


@pytest.mark.parametrize("array", ["vector", "scalar", "none", "matrix", "nan", "single", "whole", "small"])
@pytest.mark.parametrize("number", NUMBERS[:-2])
def test_clip_at_one_end(array: str, number: Any):
    compare("clip", ARRAYS[array], number, None)
    compare("clip", ARRAYS[array], None, number)


@pytest.mark.parametrize("items", [[1.0, 2.5], [3, 4], [3, 0.5], [], [True, 2], [[1.0], [0.5]], [2**60, 1], [1j, 2]])
@pytest.mark.parametrize("name", ["sum", "prod", "max", "min"])
def test_reductions_of_lists(name: str, items: list[Any]):
    compare(name, items)
    if items:
        compare(name, items, axis=0, keepdims=True)
        same(getattr(shim, name)([torch.tensor(one) for one in np.ravel(items)]), getattr(np, name)(np.ravel(items)))


@pytest.mark.parametrize("array", ARRAYS)
@pytest.mark.parametrize("dtype", [float, int, bool, np.float64, np.float32, np.int64, complex, None])
def test_sums_in_a_dtype_that_is_named(array: str, dtype: Any):
    x = ARRAYS[array]
    if np.result_type(x).kind in "fc" and dtype in (int, bool, np.int64) or array == "complex" and dtype is not complex:
        return
    named = dtype if dtype in (float, int, bool, complex, None) else getattr(torch, dtype.__name__)
    same(shim.sum(shim.from_numpy(x), dtype=named), np.sum(x, dtype=dtype))


@pytest.mark.parametrize("array", ["vector", "scalar", "none", "matrix", "nan", "single", "whole"])
@pytest.mark.parametrize("equal_nan", [False, True])
def test_closeness_to_numbers_lists_and_ndarrays(array: str, equal_nan: bool):
    x = ARRAYS[array]
    tensor = shim.from_numpy(x)
    others = [*NUMBERS[:-1], x.tolist(), x.copy(), x.astype(np.float32), (0.5, 0.5), [0.5], [[0.5]], np.float64(0.5)]
    for other in others:
        for rtol in (1e-5, 0.9, 0):
            expected = outcome(np.allclose, x, other, rtol=rtol, equal_nan=equal_nan)
            assert outcome(shim.allclose, tensor, other, rtol=rtol, equal_nan=equal_nan) == expected
            if isinstance(other, (int, float)) and not isinstance(expected, type):
                how: dict[str, Any] = {"rtol": rtol, "equal_nan": equal_nan}
                same(shim.isclose(tensor, other, **how), np.isclose(x, other, **how))
    many = np.linspace(0.1, 0.2, 40)
    assert shim.allclose(shim.from_numpy(many), 0.15, atol=0.1) is np.allclose(many, 0.15, atol=0.1) is True


def test_a_gradient_flows_through_a_choice():
    x = torch.tensor([0.5, -1.0], dtype=torch.float64, requires_grad=True)
    shim.where(x > 0, x, 0.0).sum().backward()
    assert x.grad is not None and x.grad.tolist() == [1.0, 0.0]


@pytest.mark.parametrize(
    "bounds",
    [(0, 1, 0.1), (0.5, 3), (2.5,), (1, 0, -0.25), (0, 0, 0.5), (-0.0, 1.0), (0, 2**54, 2**52 + 0.5), (1.0, 2, 3)],
)
def test_ranges_of_floats(bounds: tuple[Any, ...]):
    compare("arange", *bounds)
    same(shim.arange(*bounds, dtype=float), np.arange(*bounds, dtype=float), signs=False)


def test_lists_of_arrays():
    x, y = ARRAYS["vector"], ARRAYS["vector"] * 2
    others = [[ARRAYS["matrix"]] * 3, [ARRAYS["none"]] * 2, [ARRAYS["bools"]]]
    for items in ([x, y], [x, ARRAYS["single"]], [x, x.tolist()], *others):
        given = [shim.from_numpy(one) if isinstance(one, np.ndarray) else one for one in items]
        expected = outcome(np.array, items)
        found = outcome(shim.array, given)
        if isinstance(expected, type):
            assert found is expected
        else:
            same(found, expected)
    tensor = torch.ones(3, dtype=torch.float64)
    made = shim.array([tensor, tensor])
    made[0, 0] = 7.0
    assert tensor[0] == 1.0


@pytest.mark.parametrize("number", [0.5, 3, True, 1j, -0.0, 2**60])
@pytest.mark.parametrize("name", ["float64", "float32", "int64", "bool_", "complex128", "int8"])
def test_scalars_of_numbers(name: str, number: Any):
    compare(name, number)


def test_equality_of_dtypes_and_text():
    assert shim.operator.eq(torch.float64, torch.float64) is True
    assert shim.operator.ne(torch.float64, torch.int64) is True
    assert shim.operator.eq("a", "a") is True and shim.operator.ne("a", "a") is False
    assert shim.operator.eq(torch.float64, "f8") is True


@pytest.mark.parametrize("numbers", [True, (False, True), (None, True), None])
def test_guards_of_tensors_beside_numbers(numbers: Any):
    x = torch.ones(2, dtype=torch.float64)
    found = shim.tensors(x, 0.5, kinds="fi", numbers=numbers)
    assert found[0] is x
    left = numbers is True or isinstance(numbers, tuple)
    assert found[1] == 0.5 and (type(found[1]) is float) is left
    for bad in (torch.ones(2, dtype=torch.complex128), torch.ones(2, dtype=torch.bool)):
        with pytest.raises(TypeError, match=r"shim\.tensors"):
            shim.tensors(bad, 0.5, kinds="fi", numbers=numbers)
    with pytest.raises(TypeError, match="double precision"):
        shim.tensors(x.float(), 0.5, kinds="fi", numbers=numbers, single=False)
    assert shim.floating(0.5).dtype is torch.float64 and shim.floating(3).dtype is torch.float64
