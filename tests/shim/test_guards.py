"""`shim.tensor`, `tensors`, `floating`, `inexact`, `promote`: NumPy's dtypes, or an error that says what to write."""

from __future__ import annotations

import itertools
import pickle
import subprocess
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from np2torch import shim
from np2torch.shim.policies import float32 as shim_float32

X = torch.tensor([0.5, -1.25, 3.0])
D = X.to(torch.float64)
NAMES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()

numbers = st.one_of(
    st.booleans(), st.integers(-100, 100), st.floats(-4, 4, width=16), st.complex_numbers(max_magnitude=4)
)
shapes = st.sampled_from([(), (2,), (3, 1)])
arrays = st.builds(lambda name, shape: np.ones(shape, name), st.sampled_from(NAMES), shapes)
lists = st.lists(st.one_of(st.integers(-5, 5), st.floats(-4, 4, width=16)), min_size=2, max_size=2)


def as_torch(x: Any) -> Any:
    return torch.from_numpy(x.copy()) if isinstance(x, np.ndarray) else x


def as_numpy(x: Any) -> Any:
    return np.asarray(x) if isinstance(x, list) else x


def name_of(x: torch.Tensor) -> str:
    return str(x.dtype)[6:]


# ----------------------------------------------------------------------------------------------- properties
@settings(max_examples=300, deadline=None)
@given(st.lists(st.one_of(numbers, arrays, lists), min_size=1, max_size=3))
def test_promote_gives_numpys_common_dtype(given_: list[Any]) -> None:
    try:
        expected = np.result_type(*map(as_numpy, given_))
        np.array([x for x in given_ if isinstance(x, (int, float, complex))] or [0]).astype(expected)
        for x in given_:
            if isinstance(x, int):
                np.asarray(x, expected)
    except OverflowError:
        with pytest.raises(OverflowError):
            shim.promote(*map(as_torch, given_))
        return
    found = shim.promote(*map(as_torch, given_))
    found = found if len(given_) > 1 else (found,)
    assert [name_of(x) for x in found] == [str(expected)] * len(given_)
    for old, new in zip(given_, found, strict=True):
        assert np.array_equal(np.asarray(old).astype(expected), new.numpy())


@settings(max_examples=300, deadline=None)
@given(st.lists(st.one_of(numbers, arrays, lists), min_size=2, max_size=3), st.booleans(), st.booleans())
def test_torch_promotes_what_comes_out_as_numpy_promotes_what_goes_in(
    given_: list[Any], real: bool, numbers_stay: bool
) -> None:
    """Whatever a guard lets pass, torch's own operators then compute in NumPy's dtype."""
    guard = shim.floating if real else shim.inexact
    try:
        found = guard(*map(as_torch, given_), exact=True, numbers=numbers_stay)
    except TypeError:
        return
    total, expected = found[0], as_numpy(given_[0])
    for new, old in zip(found[1:], given_[1:], strict=True):
        total, expected = total * new, expected * as_numpy(old)
    if not isinstance(total, torch.Tensor):
        assert type(total) is type(expected) and total == expected
        return
    dtype = np.asarray(expected).dtype
    assert name_of(total) == ("float64" if dtype.kind in "iu" else str(dtype))
    assert np.allclose(np.asarray(expected).astype(complex), total.to(torch.complex128).numpy(), rtol=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_one_tensor_of_each_dtype(name: str) -> None:
    x = torch.ones(2, dtype=getattr(torch, name))
    kind = np.dtype(name).kind
    assert shim.tensor(x) is x
    if kind == "c":
        assert shim.inexact(x) is x
        with pytest.raises(TypeError, match=r"argument \(x\) is a complex\d+ tensor .*real part"):
            shim.floating(x)
    elif kind == "f":
        assert shim.floating(x) is x and shim.inexact(x, exact=True) is x
    else:
        assert shim.floating(x).dtype is shim.inexact(x).dtype is torch.float64
        if name == "int64":
            assert shim.floating(x, exact=True).dtype is torch.float64
        else:
            with pytest.raises(TypeError, match=rf"NumPy would compute in {name}; pass x.to\(torch.float64\)"):
                shim.floating(x, exact=True)


# --------------------------------------------------------------------------------------------------- coercion
@pytest.mark.parametrize(
    "x", [[1, 2], [0.5, 2], (True, False), [[1, 2], [3, 4.5]], 2, 2.5, True, 1j, [1j, 2], [], range(3), 2**63],
    ids=str,
)  # fmt: skip
def test_tensor_is_asarray(x: Any) -> None:
    found, expected = shim.tensor(x), np.asarray(x)
    assert name_of(found) == str(expected.dtype) and np.array_equal(found.numpy(), expected)


def test_lists_of_tensors_and_ndarrays() -> None:
    assert shim.tensor([X, D]).dtype is torch.float64
    array = np.arange(3.0)
    shared = shim.floating(array)
    shared[0] = 7
    assert array[0] == 7
    assert shim.floating(np.float32(2)).dtype is torch.float32
    assert shim.tensors(D, [1, 2])[0] is D


def test_numbers_are_weak() -> None:
    for weak in (2, 2.5, True):
        assert shim.floating(X, weak)[1].dtype is torch.float32
        assert shim.floating(D, weak)[1].dtype is torch.float64
        assert shim.floating(weak, weak)[1].dtype is torch.float64
        assert shim.inexact(X.to(torch.complex64), weak)[1].dtype is torch.float32
    assert shim.inexact(X, 1j)[1].dtype is torch.complex64
    assert shim.floating(X.half(), 2)[1].dtype is torch.float16
    for stay in (None, True):  # torch has a complex dtype of half precision, NumPy has not
        with pytest.raises(TypeError, match=r"argument 2 is a complex beside torch.float16"):
            shim.inexact(X.half(), 1j, numbers=stay)


def test_numbers_may_stay_numbers() -> None:
    for guard in (shim.floating, shim.inexact, shim.promote):
        found = guard(2, 2.5, True, numbers=True)
        assert found == (2, 2.5, True) and [type(x) for x in found] == [int, float, bool]
        assert guard(2.5, numbers=True) == 2.5
        x, n = guard(X, 2, numbers=True)
        assert x is X and n == 2 and type(n) is int
    assert shim.floating([1, 2], 0.5, numbers=True)[0].dtype is torch.float64
    assert shim.promote(torch.tensor([1, 2]), 0.5, numbers=True)[0].dtype is torch.float64
    with pytest.raises(TypeError, match="real numbers are expected"):
        shim.floating(1j, numbers=True)
    with pytest.raises(TypeError, match="NumPy would compute in bool"):
        shim.floating(X, True, exact=True, numbers=True)


OTHERS = [D, [0.5, 1, 2], [1, 2, 3], torch.tensor([1, 2, 3]), np.ones(3)]


@pytest.mark.parametrize("other", OTHERS)
def test_several_precisions_stay_apart_where_all_have_axes(other: Any) -> None:
    first, second = shim.floating(X, other)
    assert first is X and second.dtype == torch.float64
    assert torch.equal(0.3 * first - second, torch.from_numpy(np.float32(0.3) * X.numpy() - second.numpy()))
    first, second = shim.floating(X, other, mixed=True)
    assert first.dtype == second.dtype == torch.float64
    x = X
    with pytest.raises(TypeError, match=r"one precision is expected.*pass x.to\(torch.float64\)"):
        shim.floating(x, other, mixed=False)


@pytest.mark.parametrize("name", ["bool", "int8", "uint8", "int16", "uint16"])
@pytest.mark.parametrize("shape", [(), (3,)])
def test_narrow_integers_beside_single_precision_are_refused(name: str, shape: tuple[int, ...]) -> None:
    narrow, single = torch.ones(shape, dtype=getattr(torch, name)), torch.ones(3)
    assert np.result_type(narrow.numpy(), single.numpy()) == np.float32
    for guard in (shim.floating, shim.inexact):
        for mixed in (True, None):  # the larger of 1.0 and an int8 is float64
            with pytest.raises(TypeError, match=r"in which NumPy would compute; pass narrow.to\(torch.float32"):
                guard(single, narrow, mixed=mixed)
        assert [one.dtype for one in guard(narrow, single.double())] == [torch.float64] * 2
    wide = torch.ones(3, dtype=torch.int32)
    assert [one.dtype for one in shim.inexact(wide, single)] == [torch.float64, torch.float32]


@pytest.mark.parametrize("other", [torch.tensor(1), torch.tensor(0.5, dtype=torch.float64), np.float64(2.5)])
def test_one_precision_where_one_has_no_axes(other: Any) -> None:
    x = X
    with pytest.raises(TypeError, match=r"one precision is expected.*pass x.to\(torch.float64\)"):
        shim.floating(x, other)
    with pytest.raises(TypeError, match=r"one precision is expected.*pass argument 3 as torch.float64"):
        shim.inexact(other, 2, torch.ones(2))
    with pytest.raises(TypeError, match="one precision is expected"):  # a number would be a tensor of no axes
        shim.inexact(D, 2, torch.ones(2))
    assert shim.inexact(D, 2, X, numbers=True)[1] == 2
    assert shim.inexact(D, 2.5, 3, numbers=(None, True, None))[1:] == (2.5, torch.tensor(3.0, dtype=torch.float64))


def test_real_and_complex_are_not_cast_to_each_other() -> None:
    x, z = X, X.to(torch.complex64)
    assert shim.inexact(x, z) == (x, z)
    with pytest.raises(TypeError, match=r"pass z.to\(torch.complex128\)"):
        shim.inexact(z, D, mixed=False)
    with pytest.raises(TypeError, match=r"pass x.to\(torch.float64\)"):
        shim.inexact(x, z.to(torch.complex128), mixed=False)


def test_numbers_are_strong_where_they_are_coerced() -> None:
    assert shim.inexact(D, 2, weak=False)[1].dtype == torch.float64
    with pytest.raises(TypeError, match="one precision is expected"):
        shim.inexact(X, 2, weak=False)
    assert shim.promote(X, 2, weak=False)[0].dtype == torch.float64


def test_what_is_kept_is_the_same_object() -> None:
    x = X
    assert shim.inexact(x, [1], copy=(False, True))[0] is x
    with pytest.raises(TypeError, match=r"argument 1 \(n\) is an int64 tensor.*writes into it"):
        n = torch.arange(3)
        shim.inexact(n, x, copy=(False, True))
    one, half = [1, 2, 3], [0.5, 1.5, 2.5]
    with pytest.raises(TypeError, match="writes into"):
        shim.inexact(x, one, copy=(True, False))
    assert shim.inexact(D, half, copy=(True, False))[1].tolist() == half
    with pytest.raises(TypeError, match="writes into it"):
        shim.promote(x, D, copy=(False, True))


def test_promote_where_the_body_computes_first() -> None:
    n = torch.arange(3)
    assert shim.promote(n, D, mixed=False)[0].dtype == torch.float64
    assert shim.promote(n, [1], mixed=False)[0] is n
    for one, other in ((X, D), (X, n), (n.to(torch.uint8), n), (n.to(torch.int32), D)):
        with pytest.raises(TypeError, match="would compute later than torch"):
            shim.promote(one, other, mixed=False)


def test_number_of_axes() -> None:
    assert shim.tensor(X, ndim={1, 2}) is X
    assert shim.inexact(D, D[None], ndim=(1, 2))[0] is D
    assert shim.tensors(X, 3, ndim=(1, None))[0] is X
    for guard in (shim.tensor, shim.tensors, shim.promote, shim.floating):
        with pytest.raises(TypeError, match=r"of shape \(3,\); the function is converted for 2 axes"):
            guard(X, ndim=2)
    with pytest.raises(TypeError, match="argument 2 is a float; the function is converted for 1 or 2 axes"):
        shim.inexact(D, 0.5, ndim=(None, {1, 2}))


def test_numbers_in_lists_are_weak_beside_lesser_dtypes() -> None:
    """NumPy computes with the items of a list in the dtype beside them: int8 wraps around."""
    for dtype, items in (("int8", [1, 2]), ("uint8", (1,)), ("float32", [0.5]), ("float32", [1]), ("complex64", [2j])):
        x = torch.ones(2, dtype=getattr(torch, dtype))
        for arrays in ((x, items), (items, x)):
            with pytest.raises(TypeError, match=r"computes in|promotes in another way"):
                shim.tensors(*arrays)
        assert shim.tensors(items, torch.ones(2, dtype=torch.complex128), weak=False)[0].dtype.is_signed
    for dtype, items in (("float64", [1, 0.5]), ("int64", [1]), ("int64", [0.5]), ("bool", [True]), ("bool", [3])):
        assert len(shim.tensors(torch.ones(2, dtype=getattr(torch, dtype)), items)) == 2
    assert [x.dtype for x in shim.tensors([1, 2], [0.5])] == [torch.int64, torch.float64]


def test_tensors_that_meet_have_axes_all_or_one_dtype() -> None:
    n, z = torch.arange(3), torch.tensor(0.5, dtype=torch.float64)
    assert [x.dtype for x in shim.tensors(n, D)] == [torch.int64, torch.float64]
    assert [x.dtype for x in shim.tensors(D, X[0])] == [torch.float64, torch.float32]
    with pytest.raises(TypeError, match=r"pass n.to\(torch.float64\)"):  # float32 in torch, float64 in NumPy
        shim.tensors(n, X)
    assert shim.tensors(n, 0.5)[1].dtype == torch.float64
    assert shim.tensors(X, 0.5)[1].dtype == torch.float32
    with pytest.raises(TypeError, match="promotes in another way"):
        shim.tensors(X, z)
    with pytest.raises(TypeError, match="promotes in another way"):
        shim.tensors(X, 0.5, weak=False)
    with pytest.raises(TypeError, match="converted for floating dtypes"):
        shim.tensors(D, n, kinds="f")


@pytest.mark.parametrize("guard", [shim.tensor, shim.tensors, shim.floating, shim.inexact, shim.promote])
@pytest.mark.parametrize(
    "x", [None, "a", b"a", type, np.array(["a"]), np.array([None]), np.ma.array([1.0], mask=[True])], ids=repr
)
def test_what_no_tensor_holds(guard: Any, x: Any) -> None:
    with pytest.raises(TypeError, match=r"shim\.\w+: .*\(x\) is .*no array of numbers"):
        guard(x)


def test_places_and_names_in_messages() -> None:
    def half(u: Any, d: Any) -> Any:
        u, d = shim.floating(u, d, mixed=False)
        return 0.5 * u + d

    with pytest.raises(TypeError, match=r"argument 2 \(d\) is None"):
        half(X, None)
    with pytest.raises(TypeError, match=r"argument 1 is None"):
        shim.floating(None, X)
    with pytest.raises(TypeError, match=r"\(u\) is a list, int64 in NumPy and argument 2 \(d\) is a float32"):
        half([1], X)
    with pytest.raises(TypeError, match="missing"):
        shim.floating()


class Labelled:
    """An array with labels, which answers NumPy's functions itself, as a Series of pandas does."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.array([1.0, 2.0])

    def __array_ufunc__(self, *args: Any, **kwargs: Any) -> Any:
        return self


def test_objects_that_answer_numpy_themselves() -> None:
    """A body may read attributes of their own, `q.units`, or give back what their operators say."""
    metres = np.array([1, 2]).view(type("Metres", (np.ndarray,), {}))
    for x, guard in itertools.product((Labelled(), metres), ("tensor", "tensors", "floating", "inexact", "promote")):
        assert shim.asarray(x).tolist() == [1, 2]
        with pytest.raises(TypeError, match=rf"{type(x).__name__}.*, no array of numbers .* pass shim\.asarray"):
            getattr(shim, guard)(x)


# ------------------------------------------------------------------------------------ what torch does with them
def test_gradients_flow() -> None:
    x = D.clone().requires_grad_()
    y, n = shim.floating(x, 2)
    (y * n).sum().backward()
    assert x.grad is not None and x.grad.tolist() == [2, 2, 2]
    stacked = shim.tensor([x[0], x[1] * 3])
    assert torch.autograd.grad(stacked.sum(), x)[0].tolist() == [1, 3, 0]


def test_numbers_and_lists_go_where_the_tensors_are() -> None:
    x = torch.ones(3, dtype=torch.float64, device="meta")
    for guard in (shim.tensors, shim.floating, shim.inexact, shim.promote):
        assert {one.device.type for one in guard([1.0, 2, 3], x, 2.0)} == {"meta"}


GRAPHS = {
    "floating": lambda a, b: shim.floating(a, b)[0] * b,
    "numbers": lambda a, b: shim.floating(a, 2)[1] * b,
    "list": lambda a, b: shim.inexact([1, 2, 3]) * a,
    "tensors": lambda a, b: shim.tensors(a, [1.0, 2, 3], weak=False)[1] * b,
    "nested": lambda a, b: shim.tensor([a, b]),
    "promote": lambda a, b: shim.promote(a, [1, 2, 3])[0] * b,
    "left": lambda a, b: shim.floating(a, 2, b, numbers=True)[1] * b,
    "none": lambda a, b: shim.floating(a, None, b, none=True)[0] * b,
    "double": lambda a, b: shim.floating(a.double(), 2, single=False)[1] * b,
    "three": lambda a, b: shim.inexact(a, b, 1j)[2] * a,
}


def test_none_stays_where_the_body_asks_for_it() -> None:
    assert shim.floating(None, none=True) is None and shim.tensor(None, none=True) is None
    assert shim.tensors(None, none=True) == (None,) and shim.promote(None, None, none=True) == (None, None)
    x, w, y = shim.inexact(X, None, [1, 2], none=True, ndim=(1, 2, 1))
    assert x is X and w is None and y.dtype == torch.float64
    with pytest.raises(TypeError, match=r"for 1 axis"):
        shim.inexact(X, None, [[1, 2]], none=True, ndim=(1, 2, 1))
    for guard in (shim.tensor, shim.floating, shim.promote):
        with pytest.raises(TypeError, match="None"):
            guard(None)


@pytest.mark.parametrize("dtype", ["float16", "float32", "bfloat16", "complex64"])
def test_single_precision_may_be_refused(dtype: str) -> None:
    x = X.to(getattr(torch, dtype))
    with pytest.raises(TypeError, match=r"double precision; pass x\.to\(torch\.(float64|complex128)\)"):
        shim.inexact(x, single=False)
    with pytest.raises(TypeError):
        shim.floating(D, x, single=False)
    assert shim.floating(D, single=False) is D and shim.floating([1, 2], 3, single=False)[1].dtype == torch.float64
    assert shim.inexact(D, D.to(torch.complex128), single=False)[1].dtype == torch.complex128


@pytest.mark.parametrize("name", GRAPHS)
def test_compiled_whole(name: str) -> None:
    torch._dynamo.reset()
    function = GRAPHS[name]
    found, expected = torch.compile(function, fullgraph=True, backend="eager")(X, X + 1), function(X, X + 1)
    assert found.dtype is expected.dtype and torch.equal(found, expected)


def test_vmap() -> None:
    found = torch.vmap(lambda a: shim.floating(a, 2)[1] * a + shim.tensor([1.0, 2]).to(a.dtype))(torch.ones(4, 2))
    assert torch.equal(found, torch.tensor([[3.0, 4.0]]).expand(4, 2))


def test_subclasses_stay_what_they_are() -> None:
    parameter = torch.nn.Parameter(X)
    assert shim.floating(parameter) is parameter and shim.tensor(parameter) is parameter
    program = """
import torch
from np2torch import shim
class Metres(shim.ndarray):
    pass
x = torch.ones(2).as_subclass(Metres)
print(type(shim.floating(x)).__name__, type(shim.promote(x, x)[0]).__name__)
for guard in (shim.tensor, shim.tensors):
    try:
        print(guard(x))
    except TypeError as error:
        print("shim.asarray" in str(error))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["Metres", "Metres", "True", "True"]


@pytest.mark.parametrize("guard", [shim.tensor, shim.tensors, shim.floating])
@pytest.mark.parametrize("x", [np.ma.masked_less([1.0, 2.0], 1.5), np.ones(2).view(np.recarray)])
def test_subclasses_of_ndarray_are_refused(guard: Any, x: Any) -> None:
    with pytest.raises(TypeError, match="no array of numbers"):
        guard(x)


# ----------------------------------------------------------------------------------------- the abstract classes
def test_they_are_numpys_abstract_classes_too() -> None:
    assert shim.issubdtype(torch.float32, shim.floating) and not shim.issubdtype(torch.complex64, shim.floating)
    assert shim.issubdtype(torch.complex64, shim.inexact) and shim.isinstance(torch.tensor(1.0), shim.floating)
    assert pickle.loads(pickle.dumps(shim.floating)) is shim.floating


def test_other_policies() -> None:
    assert shim_float32.floating([1, 2]).dtype is torch.float32
    assert [x.dtype for x in shim_float32.floating(X, [1, 2, 3], 0.5)] == [torch.float32] * 3
    assert shim_float32.promote(X, [1, 2, 3])[1].dtype is torch.float32
    assert shim_float32.issubdtype(torch.float32, shim_float32.floating)
    assert shim_float32.isinstance(torch.tensor(1.0), shim_float32.inexact)


def test_numbers_of_one_argument_are_refused() -> None:
    assert shim.promote(X, 0.5, numbers=(False, None))[0] is X
    assert shim.floating(X, 2, numbers=(False, None))[1].dtype == X.dtype
    for guard in (shim.tensors, shim.promote, shim.inexact, shim.floating):
        one = 0.25
        with pytest.raises(TypeError, match="an array is expected"):
            guard(one, X, numbers=(False, None))
        with pytest.raises(TypeError, match="an array is expected"):
            guard(one, X, None, numbers=(False, False, None), none=True)


def test_ints_are_refused_where_integers_are() -> None:
    with pytest.raises(TypeError, match="depends on that dtype"):
        shim.inexact(D, 2, copy=(True, False))
    assert shim.inexact(D, 2, copy=(True, False), numbers=True)[1] == 2


@pytest.mark.parametrize("guard", [shim.floating, shim.inexact])
def test_only_doubles_and_numbers_pass(guard: Any) -> None:
    x = torch.tensor([0.5, 1.5], dtype=torch.float64)
    for one in (x, 2, 0.5, torch.tensor(0.5, dtype=torch.float64)):
        assert guard(one, only="double") is one
    assert guard(x, 2, only="double") == (x, 2)
    for other in (x.float(), torch.tensor([1, 2]), torch.tensor([True]), [0.5], True):
        with pytest.raises(TypeError, match=f"shim.{guard.__name__}"):
            guard(other, only="double")
    with pytest.raises(TypeError, match="an array is expected"):
        guard(0.5, only="double", numbers=False)
    with pytest.raises(TypeError, match="axes"):
        guard(x, only="double", ndim=2)
    for one, other in ((0.5, 2.0), (x, 2.0)):
        with pytest.raises(TypeError, match="an array is expected"):
            guard(one, other, only="double", numbers=(True, False))


OPTIONS: list[dict[str, Any]] = [
    {"exact": True}, {"mixed": False, "weak": False}, {"numbers": True}, {"lists": False}, {"copy": False, "ndim": 1},
]  # fmt: skip


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_short_ways_give_what_the_long_one_does(options: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    double = torch.tensor([1.0, 2.0], dtype=torch.float64)
    some = [1.5, 2, 2**70, [1.0, 2.5], [1, 2], double, double[0]]

    def told(*arguments: Any) -> Any:
        try:
            found = shim.inexact(*arguments, **options)
        except (TypeError, ValueError, OverflowError) as error:
            return str(error)
        return [(type(x), getattr(x, "dtype", None), str(x)) for x in found]

    pairs = [(one, other) for one in some for other in some]
    short = [told(*pair) for pair in pairs]
    monkeypatch.setattr("np2torch.shim.guards.as_tensors", lambda *_: None)
    monkeypatch.setattr("np2torch.shim.guards.are_as_wanted", lambda *_: False)
    assert short == [told(*pair) for pair in pairs]


def test_a_number_that_stays_is_told_by_its_place():
    found = shim.inexact(0, 0, 0, numbers=(None, None, True))
    assert [type(one) for one in found] == [torch.Tensor, torch.Tensor, int]


@pytest.mark.parametrize("guard", [shim.tensor, shim.tensors, shim.promote])
def test_double_precision_and_int64_stay_where_the_rest_is_refused(guard):
    for x in (D, torch.tensor([1, 2])):
        made = guard(x, kinds="fi", single=False)
        assert (made[0] if guard is shim.tensors else made) is x
    for x in (D.float(), torch.tensor([1], dtype=torch.int32), torch.tensor([True]), True):
        with pytest.raises(TypeError, match="shim"):
            guard(x, kinds="fi", single=False, numbers=True)


def test_lists_are_taken_of_some_arguments():
    assert shim.inexact([1.0], D, lists=(True, False))[0].tolist() == [1.0]
    with pytest.raises(TypeError, match="argument 2 is a list"):
        shim.inexact(D, [1.0], lists=(True, False))


def test_objects_with_arithmetic_of_their_own_stay_what_they_are() -> None:
    third, ones = Fraction(1, 3), torch.ones(2, dtype=torch.float64)
    assert shim.floating(third) is shim.tensor(third) is third
    for guard in (shim.inexact, shim.promote, shim.tensors):
        x, y = guard(third, ones)
        assert x is third and y is ones
    with pytest.raises(TypeError, match="is None"):
        shim.inexact(third, None)
    with pytest.raises(TypeError, match="object"):
        shim.floating(object())


def test_text_stays_where_numbers_do() -> None:
    """What is only stored may be the name of something, in a test above all; operators refuse it or take it as ever."""
    ones = torch.ones(2, dtype=torch.float64)
    for guard in (shim.tensor, shim.floating, shim.inexact, shim.promote):
        assert guard("rate", numbers=True) == "rate"
        for options in ({}, {"numbers": False}):
            with pytest.raises(TypeError, match="str"):
                guard("rate", **options)
    for guard in (shim.inexact, shim.promote, shim.tensors):
        assert guard("rate", ones, 2.0, numbers=(True, None, True)) == ("rate", ones, 2.0)
        with pytest.raises(TypeError, match="str"):
            guard(ones, "rate", numbers=(True, None))
