"""shim.testing must pass and fail exactly where numpy.testing does."""

from __future__ import annotations

import itertools
import warnings
from typing import Any

import numpy as np
import pytest
import torch

from np2torch.shim import testing

nan, inf = np.nan, np.inf
VALUES: list[Any] = [
    1.0, 2, 0.0, -0.0, nan, inf, -inf, True, None, "a", "b", 1 + 1j, complex(1, nan), 1.00000001, 1.0001,
    np.float64(1), np.float32(0.1), 0.1, np.float32(1) + np.float32(1e-7), np.int64(2), np.bool_(True), np.complex64(1),
    np.uint8(2), np.array(3.5)[()], [1.0, 2.0], (1.0, 2.0), [1, 2], [1.0, nan], [], [[1.0, 2.0]], {"a": 1.0},
    {"a": nan}, {"b": [1, 2]}, {"b": np.array([1, 2])}, [None, "a"], [np.array([1, 2]), 3],
    np.array([1.0, 2.0]), np.array([1, 2]), np.array([1.0, nan]), np.array([nan, 1.0]), np.array([inf, 1.0]),
    np.array([-inf, 1.0]), np.array([[1.0, 2.0]]), np.array([1.0]), np.array([]), np.array([], dtype=int),
    np.zeros((0, 3)), np.array([1.0, 2.0], dtype="f4"), np.array([1.0, 2.00001]), np.array([1.0, 2.0 + 1e-9]),
    np.array([1 + 1j, nan]),
    np.array([True, False]), np.array([1, 0], dtype="u1"), np.array([2, 2], dtype="u1"), np.array([1, 1]),
    np.array([2**63 + 1, 1], dtype="u8"), np.array([-1, 1]), np.array([0.0, -0.0]), np.array([0, 0]),
    np.array([2.0, 1.0], dtype="f2"), np.arange(6.0).reshape(2, 3), np.arange(6.0).reshape(2, 3)[:, ::-1],
]  # fmt: skip
FUNCTIONS: list[tuple[str, dict[str, Any]]] = [
    ("assert_equal", {}),
    ("assert_array_equal", {}),
    ("assert_array_equal", {"strict": True}),
    ("assert_allclose", {}),
    ("assert_allclose", {"rtol": 0, "atol": 1e-3}),
    ("assert_allclose", {"equal_nan": False}),
    ("assert_almost_equal", {}),
    ("assert_almost_equal", {"decimal": 3}),
    ("assert_array_almost_equal", {}),
    ("assert_array_almost_equal", {"decimal": 3}),
    ("assert_array_less", {}),
    ("assert_array_max_ulp", {"maxulp": 4}),
]


def to_torch(x: Any) -> Any:
    if isinstance(x, (np.ndarray, np.generic)):
        return torch.tensor(x.tolist(), dtype=getattr(torch, x.dtype.name)).reshape(x.shape)
    if isinstance(x, (list, tuple)):
        return type(x)(to_torch(item) for item in x)
    return {k: to_torch(v) for k, v in x.items()} if isinstance(x, dict) else x


def outcome(function: Any, *args: Any, **kwargs: Any) -> str:
    """Passed, failed, or refused: NumPy refuses non-numbers with several exceptions."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            function(*args, **kwargs)
        except AssertionError:
            return "failed"
        except Exception:
            return "refused"
    return "passed"


def is_numeric(x: Any) -> bool:
    """Leave out what NumPy itself is inconsistent about: strings, None, ragged lists; bool minus bool."""
    if isinstance(x, (str, dict, type(None), bool, np.bool_)):
        return False
    if isinstance(x, list) and any(item is None or isinstance(item, np.ndarray) for item in x):
        return False
    return np.asarray(x).size > 0 and not (isinstance(x, complex) and x.imag)


@pytest.mark.parametrize(("name", "kwargs"), FUNCTIONS)
def test_passes_and_fails_as_numpy(name: str, kwargs: dict[str, Any]) -> None:
    wrong = []
    for (i, x), (j, y) in itertools.product(enumerate(VALUES), enumerate(VALUES)):
        if (i + j) % 3 and i != j or not (name == "assert_equal" or (is_numeric(x) and is_numeric(y))):
            continue
        if name.endswith("ulp") and "bool" in (np.asarray(x).dtype, np.asarray(y).dtype):
            continue  # NumPy refuses bool there
        old = outcome(getattr(np.testing, name), x, y, **kwargs)
        new = outcome(getattr(testing, name), to_torch(x), to_torch(y), **kwargs)
        if old != new and not (old != "passed" and new != "passed"):
            wrong.append(f"{x!r} {y!r}: {old} became {new}")
    assert not wrong, f"{len(wrong)}: " + "\n".join(wrong[:20])


@pytest.mark.parametrize("x", [1.0, 1.23456789, 0.0, nan, inf, -5e-300, 1e10])
@pytest.mark.parametrize("y", [1.0, 1.2345678, 1.23456, 0.0, nan, inf, 1e10 + 1])
def test_approx_equal(x: float, y: float) -> None:
    for digits in (3, 7, 9):
        old = outcome(np.testing.assert_approx_equal, x, y, digits)
        assert outcome(testing.assert_approx_equal, torch.tensor(x, dtype=torch.float64), y, digits) == old


def message(function: Any, *args: Any, **kwargs: Any) -> str:
    with pytest.raises(AssertionError) as caught:
        function(*args, **kwargs)
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "x", "y"),
    [
        ("assert_allclose", [1.0, 2.0], [1.0, 3.0]),
        ("assert_allclose", [1.0, nan], [nan, nan]),
        ("assert_array_equal", [[1, 2], [3, 4]], [[1, 2], [5, 4]]),
        ("assert_array_equal", [1, 2], [1, 2, 3]),
        ("assert_array_less", [1.0, 2.0], [1.0, 2.1]),
        ("assert_equal", [1, 2, 3], [1, 2, 4]),
        ("assert_array_equal", list(range(20)), list(range(1, 21))),
    ],
)
def test_messages_tell_what_numpys_tell(name: str, x: Any, y: Any) -> None:
    old = message(getattr(np.testing, name), np.array(x), np.array(y), err_msg="why")
    new = message(getattr(testing, name), torch.tensor(x), torch.tensor(y), err_msg="why")
    for line in old.splitlines():
        if line.startswith(("Mismatch", "Not equal", "Arrays", "nan", "why", "(shapes", " [")):
            assert line in new.splitlines()
    assert "tensor(" in new


def test_verbose_false_hides_the_values() -> None:
    assert "tensor" not in message(testing.assert_array_equal, torch.ones(2), torch.zeros(2), verbose=False)


def test_sizes_and_dtypes() -> None:
    testing.assert_equal(torch.ones(2, 3).shape, (2, 3))
    testing.assert_equal(torch.float64, "float64")
    testing.assert_equal(torch.float64, float)
    for wrong in ("float32", "no such dtype", None):
        message(testing.assert_equal, torch.float64, wrong)


def test_bound_below_a_leaf_that_requires_grad() -> None:
    testing.assert_allclose(torch.ones(2, requires_grad=True), [1.0, 1.0])


def test_nulp() -> None:
    one = np.array([1.0, -2.0], dtype="f4")
    for steps, nulp in itertools.product((0, 1, 3), (1, 2, 5)):
        other = one.copy()
        for _ in range(steps):
            other = np.nextafter(other, np.float32(10))
        old = outcome(np.testing.assert_array_almost_equal_nulp, one, other, nulp)
        assert outcome(testing.assert_array_almost_equal_nulp, torch.tensor(one), torch.tensor(other), nulp) == old


def test_exceptions_and_warnings() -> None:
    testing.assert_raises(ValueError, int, "x")
    with testing.assert_raises(ZeroDivisionError):
        1 / 0  # noqa: B018
    with testing.assert_raises_regex(ValueError, "invalid literal"):
        int("x")
    message(testing.assert_raises, ValueError, int, "1")
    assert testing.assert_warns(UserWarning, lambda: warnings.warn("x", stacklevel=1) or 5) == 5
    with testing.assert_warns(DeprecationWarning):
        warnings.warn("x", DeprecationWarning, stacklevel=1)
    message(testing.assert_warns, UserWarning, int)
    assert testing.assert_no_warnings(int, "3") == 3
    message(testing.assert_no_warnings, lambda: warnings.warn("x", stacklevel=1))


def test_suppress_warnings() -> None:
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        with testing.suppress_warnings() as watch:
            watch.filter(DeprecationWarning)
            log = watch.record(UserWarning, "keep")
            warnings.warn("gone", DeprecationWarning, stacklevel=1)
            warnings.warn("keep this", UserWarning, stacklevel=1)
            warnings.warn("let through", RuntimeWarning, stacklevel=1)
    assert [str(w.message) for w in log] == ["keep this"] == [str(w.message) for w in watch.log]
    assert [str(w.message) for w in seen] == ["let through"]


def test_strings() -> None:
    testing.assert_string_equal("a\nb", "a\nb")
    assert "+ c" in message(testing.assert_string_equal, "a\nb", "a\nc")
    testing.assert_(True)
    assert message(testing.assert_, False, "why") == "why"


def test_classes_are_compared_as_classes() -> None:
    testing.assert_equal(type(torch.zeros(2)), torch.Tensor)
    for x, y in ((torch.Tensor, int), (torch.Tensor, torch.zeros(2)), (int, 1)):
        with pytest.raises(AssertionError):
            testing.assert_equal(x, y)


@pytest.mark.parametrize("name", ["assert_equal", "assert_almost_equal", "assert_allclose", "assert_array_equal"])
@pytest.mark.parametrize("scalar", [np.float64(2.5), np.float32(0.1), np.int64(3), np.complex128(1 + 2j)], ids=repr)
def test_scalars_that_stay_on_numpy_beside_tensors(name, scalar):
    tensor = torch.tensor(scalar.item(), dtype=getattr(torch, scalar.dtype.name))
    for pair in ((scalar, tensor), (tensor, scalar), (scalar, scalar)):
        getattr(testing, name)(*pair)
    for pair in ((scalar + 1, tensor), (tensor, scalar + 1)):
        with pytest.raises(AssertionError):
            getattr(testing, name)(*pair)


class Near:
    """A class of the project's that answers `==` with a number itself."""

    def __init__(self, value: float, answer: Any) -> None:
        self.value, self.answer = value, answer

    def __eq__(self, other: object) -> Any:
        return self.answer if isinstance(other, float) and other == self.value else []

    __hash__ = None  # type: ignore[assignment]


@pytest.mark.parametrize("answer", [True, False, [False], []])
@pytest.mark.parametrize("name", ["assert_equal", "assert_array_equal"])
def test_objects_answer_themselves(name: str, answer: Any) -> None:
    """NumPy puts an object into an array, and takes what its `==` says for true or false."""
    for x, y in [(np.ones(2), Near(1.0, answer)), (np.ones(2), [Near(1.0, answer)] * 2), (1.0, Near(1.0, answer))]:
        verdicts = []
        for module, one in ((np.testing, x), (testing, torch.as_tensor(x) if isinstance(x, np.ndarray) else x)):
            try:
                getattr(module, name)(one, y)
            except AssertionError:
                verdicts.append(False)
            else:
                verdicts.append(True)
        assert verdicts[0] == verdicts[1], (x, y)


@pytest.mark.parametrize("name", ["assert_array_equal", "assert_allclose", "assert_array_almost_equal", "assert_equal"])
def test_what_is_compared_may_lie_elsewhere_than_new_tensors(name: str) -> None:
    x = torch.tensor([0.5, 2.0, nan], dtype=torch.float32)
    with torch.device("meta"):  # as with `torch.set_default_device("cuda")`
        getattr(testing, name)(x, [0.5, 2.0, nan])
        with pytest.raises(AssertionError, match="Mismatched elements: 1 / 3"):
            getattr(testing, name)(x, [0.5, 3.0, nan])


def test_long_doubles_are_compared_within_tolerances():
    x = np.array([1e-20, 1 + 1e-7, np.nan], np.longdouble)
    for side in (np.testing, testing):
        side.assert_array_almost_equal(x, [0, 1, np.nan])
        side.assert_allclose(x, [0, 1, np.nan], atol=1e-6)
        with pytest.raises(AssertionError):
            side.assert_array_equal(x, [0, 1, np.nan])
        with pytest.raises(AssertionError):
            side.assert_array_equal(x[1:2], [np.nextafter(x[1], 2)])
