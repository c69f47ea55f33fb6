"""Short ways that take values out of tensors stay clear of whoever computes with more than values."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch.autograd import forward_ad

from np2torch import shim

A = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64)
B = torch.tensor([0.3, 0.1, 5.0], dtype=torch.float64)
OTHERS = torch.tensor([[0.0, 1.0], [2.0, 0.0]], dtype=torch.float64)
M = torch.tensor([[2.0, 1.0], [0.5, 3.0]], dtype=torch.float64)

Function = Callable[[torch.Tensor], torch.Tensor]
FUNCTIONS: dict[str, tuple[Function, Function, torch.Tensor]] = {
    "cross": (lambda x: shim.cross(x, B), lambda x: torch.linalg.cross(x, B), A),
    "sqrt": (lambda x: shim.sqrt(x[0]), lambda x: torch.sqrt(x[0]), A),
    "cbrt": (shim.cbrt, lambda x: x ** (1 / 3), A),
    "array": (lambda x: shim.array([[x[0], 1.0], [2, x[1]]]), lambda x: x[:2].diag() + OTHERS, A),
    "sort": (shim.sort, lambda x: torch.sort(x)[0], A),
    "inv": (shim.linalg.inv, torch.linalg.inv, M),
    "det": (shim.linalg.det, torch.linalg.det, M),
    "solve": (lambda x: shim.linalg.solve(x, A[:2]), lambda x: torch.linalg.solve(x, A[:2]), M),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_forward_mode_keeps_its_tangents(name: str) -> None:
    function, reference, x = FUNCTIONS[name]
    direction = torch.ones_like(x)
    with forward_ad.dual_level():
        found = forward_ad.unpack_dual(function(forward_ad.make_dual(x, direction)))  # type: ignore[no-untyped-call]
    _, wanted = torch.func.jvp(reference, (x,), (direction,))
    assert found.tangent is not None
    torch.testing.assert_close(found.tangent, wanted, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_transforms_of_functions_see_the_operations(name: str) -> None:
    function, reference, x = FUNCTIONS[name]
    torch.testing.assert_close(torch.func.jacrev(function)(x), torch.func.jacrev(reference)(x), rtol=1e-6, atol=1e-9)
    many = torch.stack([x, 2 * x])
    torch.testing.assert_close(torch.func.vmap(function)(many), torch.func.vmap(reference)(many), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_graph_is_made_where_one_is_wanted(name: str) -> None:
    function, _, x = FUNCTIONS[name]
    assert function(x.clone().requires_grad_()).requires_grad
    assert not function(x).requires_grad


def test_what_is_written_in_transforms() -> None:
    def changed(x: torch.Tensor) -> torch.Tensor:
        y = x * 0
        shim.operator.setitem(y, slice(0, 2), x[1:])
        shim.operator.iadd(y, x)
        shim.operator.imul(y, 3.0)
        return y

    many = torch.arange(6.0, dtype=torch.float64).reshape(2, 3)
    torch.testing.assert_close(torch.func.vmap(changed)(many), torch.stack([changed(row) for row in many]))
    found = torch.func.grad(lambda x: changed(x).sum())(many[0])
    assert found.tolist() == [3.0, 6.0, 6.0]
