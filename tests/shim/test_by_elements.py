"""`shim.by_elements`: one code, on NumPy where that loses nothing, and on tensors where it would."""

from __future__ import annotations

import math
import types
from typing import Any

import numpy as np
import pytest
import torch
from torch.autograd import forward_ad

from np2torch import shim

PROGRAM = '''
import math

import numpy as np


def product(q, r):
    w, x, y, z = q
    a, b, c, d = r
    return np.array([w * a - x * b - y * c - z * d, w * b + x * a + y * d - z * c,
                     w * c - x * d + y * a + z * b, w * d + x * c - y * b + z * a])


def norm(q):
    return np.sqrt(np.dot(q, q))


def unit(q, dtype=np.float64):
    n = norm(q)
    if n == 0:
        return np.zeros(4, dtype)
    return product(q, np.array([1.0, 0, 0, 0])) / n


def polar(q):
    return math.atan2(q[1], q[0]), [q[0] / q[1], q[:2]]


def filled(q, *more, scale=1.0):
    q[0] = q[1] * scale + len(more)
    return q


def kinds(*values):
    return [type(value).__name__ for value in values]


def backwards(q):
    return np.asarray(q)[::-1]
'''


def side(decorate: bool) -> types.ModuleType:
    module = types.ModuleType("quaternions")
    exec(PROGRAM, module.__dict__)
    if decorate:
        for name, value in list(vars(module).items()):
            if isinstance(value, types.FunctionType):
                setattr(module, name, shim.by_elements(value))
    return module


NUMPY, TORCH = side(False), side(True)
Q, R = np.array([0.5, -1.0, 2.0, 0.25]), np.array([1.0, 2.0, 3.0, -4.0])


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "int8", "uint8", "complex128", "bool"])
def test_dtypes_are_numpys(dtype: str):
    q, r = (np.asarray(one).astype(dtype) for one in (Q, R))
    if dtype == "bool":
        with pytest.raises(TypeError):
            TORCH.product(torch.from_numpy(q), torch.from_numpy(r))
        return
    with np.errstate(over="ignore"):
        found, wanted = TORCH.product(torch.from_numpy(q), torch.from_numpy(r)), NUMPY.product(q, r)
    assert torch.equal(found, torch.from_numpy(wanted)) and found.dtype is torch.from_numpy(wanted).dtype


def test_what_goes_in_and_comes_out():
    given = [torch.tensor([1.0]), torch.tensor(1.0), 1.0, [torch.tensor(1)], shim.array_0d(torch.tensor(1.0))]
    assert TORCH.kinds(*given) == ["ndarray", "float32", "float", "list", "ndarray"]
    q = torch.from_numpy(Q.copy())
    angle, (ratio, head) = TORCH.polar(q)
    assert type(angle) is float and ratio.ndim == 0 and ratio.dtype is torch.float64
    head[0] = 7.0  # a view, as in NumPy
    assert q[0] == 7.0
    assert torch.equal(TORCH.product([1, 0, 0, 0], q.tolist()), q)
    assert torch.equal(TORCH.product([torch.tensor(1.0), 0, 0, 0], q), q)


def test_the_memory_is_shared_and_the_tensor_is_the_same():
    q = torch.from_numpy(Q.copy())
    assert TORCH.filled(q, 1, 2, scale=2.0) is q and q[0] == 0.0
    assert TORCH.filled(scale=1.0, q=q) is q and q[0] == -1.0


def test_such_functions_call_each_other_in_numpy():
    assert torch.equal(TORCH.unit(torch.from_numpy(Q)), torch.from_numpy(NUMPY.unit(Q)))
    assert TORCH.unit(torch.zeros(4), torch.float32).dtype is torch.float32
    assert TORCH.unit(torch.zeros(4)).dtype is torch.float64


def test_tensors_from_code_on_numpy_are_taken():
    """A class that stays on NumPy may hand over what a border has made a tensor: it met NumPy's code as one."""
    names: dict[str, Any] = {"unit": TORCH.unit}
    exec("def hand_over(*args, **kwargs):\n    return unit(*args, **kwargs)", names)
    hand_over = shim.on_numpy(names["hand_over"]).__wrapped__
    assert torch.equal(hand_over(torch.from_numpy(Q)), torch.from_numpy(NUMPY.unit(Q)))
    assert torch.equal(hand_over(q=torch.from_numpy(Q)), torch.from_numpy(NUMPY.unit(Q)))
    assert isinstance(hand_over(Q), np.ndarray)


def test_division_by_zero_is_numpys():
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = TORCH.polar(torch.tensor([1.0, 0.0]))[1][0]
    assert math.isinf(ratio) and ratio.dtype is torch.float32


@pytest.mark.parametrize("name", ["product", "unit"])
def test_gradients_go_through(name: str):
    function = getattr(TORCH, name)
    given = [torch.from_numpy(one.copy()).requires_grad_() for one in ((Q, R) if name == "product" else (Q,))]
    assert torch.autograd.gradcheck(function, given, check_forward_ad=True)
    assert torch.allclose(function(*given).detach(), function(*(one.detach() for one in given)), rtol=1e-15)
    plain = [one.detach() for one in given]
    slopes = torch.func.jacfwd(function)(*plain), torch.func.jacrev(function)(*plain)
    assert torch.allclose(*slopes) and slopes[0].any()


@pytest.mark.filterwarnings("ignore")
def test_the_compiler_breaks_its_graph_and_loses_nothing():
    def loss(q: Any) -> Any:
        return (TORCH.unit(q) * 2).sum()

    given = torch.from_numpy(Q.copy()).requires_grad_()
    compiled = torch.compile(loss, backend="eager")
    wanted, found = (torch.autograd.grad(one(given), given)[0] for one in (loss, compiled))
    assert torch.equal(wanted, found) and wanted.any()
    torch._dynamo.reset()
    with pytest.raises(torch._dynamo.exc.Unsupported):  # type: ignore[attr-defined]
        torch.compile(loss, backend="eager", fullgraph=True)(given)


def test_a_store_is_refused_where_a_gradient_is_needed():
    with pytest.raises(RuntimeError, match="filled stores elements"):
        TORCH.filled(torch.ones(4, requires_grad=True))


def test_no_tangent_is_lost_in_a_view():
    x = torch.ones(3, dtype=torch.float64)
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(x, x)
        for function in (shim.numpy_view, shim.as_numpy, lambda one: shim.as_numpy([one])):
            with pytest.raises(RuntimeError, match="tangent"):
                function(dual)
            function(x)


def test_lists_that_may_change():
    given = [1.0, 2.0, 3.0]
    assert TORCH.filled(given, scale=torch.tensor(2.0)) is given
    assert type(given[0]) is torch.Tensor and given == [4.0, 2.0, 3.0]
    nested = [[1.0], 2.0]
    TORCH.filled(nested, scale=torch.tensor([1.0, 2.0]))
    assert torch.equal(nested[0], torch.tensor([2.0, 4.0]))  # type: ignore[arg-type]
    before = [torch.tensor(1.0), torch.tensor(2.0)]
    with pytest.raises(TypeError, match="may change a list with tensors"):
        TORCH.filled(before)
    assert [one.item() for one in before] == [1.0, 2.0]


def test_a_function_that_is_passed_to_a_loop():
    assert shim.as_numpy(TORCH.product) is TORCH.product.__wrapped__
    weight = torch.ones(2, dtype=torch.float64)

    def on_tensors(x: Any) -> Any:
        assert isinstance(x, torch.Tensor)
        return x * weight

    function = shim.as_numpy(on_tensors)
    assert isinstance(function(np.ones(2)), np.ndarray)
    weight.requires_grad_()
    with pytest.raises(RuntimeError, match="requires grad"):
        function(np.ones(2))


def test_what_torch_cannot_share_is_copied():
    assert TORCH.backwards(torch.tensor([1, 2])).tolist() == [2, 1]


def test_it_is_told_by_name():
    function: Any = TORCH.product
    assert function.__name__ == "product" and function.__wrapped__ is not function
    assert isinstance(function.__wrapped__(Q, R), np.ndarray)
