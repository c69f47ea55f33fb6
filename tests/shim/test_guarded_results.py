"""Guards of functions that are passed: their results are guarded beside the other arguments."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from np2torch import shim

X = torch.tensor([0.5, -1.25, 3.0])
D = X.to(torch.float64)


def guarded(function: Any, *arrays: Any, **options: Any) -> Any:
    """The function behind a guard, beside these."""
    found = shim.inexact(*arrays, function, results=function, **options)
    return found[-1] if arrays else found


def test_results_of_functions_are_guarded() -> None:
    assert guarded(lambda y: [1, 2, 3], D)(D).dtype == torch.float64
    assert guarded(lambda y: 2, X)(X).dtype == torch.float32
    assert guarded(lambda y: 2, X, numbers=True)(X) == 2
    own = guarded(lambda y: X, X)
    assert own(X) is X and own.__name__ == "<lambda>"
    assert shim.inexact(own, results=own)(X) is X


@pytest.mark.parametrize(
    ("function", "arrays", "options"),
    [
        (lambda y: D, [X], {"mixed": False}),
        (lambda y: torch.tensor(0.5, dtype=torch.float64), [X], {}),
        (lambda y: torch.tensor([1, 2, 3]), [X], {"mixed": False}),
        (lambda y: [1, 2, 3], [D], {"lists": False}),
        (lambda y: None, [D], {}),
        (lambda y: X, [], {"single": False}),
        (lambda y: D.to(torch.uint8), [D], {"exact": True}),
    ],
)
def test_results_that_a_guard_refuses(function: Any, arrays: list[Any], options: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="is what <lambda> gave"):
        guarded(function, *arrays, **options)(X)


def test_options_that_name_a_function_speak_of_its_results() -> None:
    def f(y: Any) -> Any:
        return y

    kept = shim.inexact(f, results=f, copy=False)
    assert kept(D) is D
    with pytest.raises(TypeError, match="depends on that dtype"):
        kept(torch.tensor([1]))
    with pytest.raises(TypeError, match="depends on that dtype"):
        kept(3)
    with pytest.raises(TypeError, match="an array is expected"):
        shim.inexact(f, results=f, numbers=False)(2.5)
    assert shim.inexact(2.0, f, results=f, numbers=(None, True))[1](2.5) == 2.5


def test_all_results_have_the_precision_of_the_first() -> None:
    several = iter([X, D])
    f = guarded(lambda: next(several), 0.5, numbers=True, mixed=False)
    f()
    with pytest.raises(TypeError, match="one precision is expected"):
        f()


def test_guarded_functions_compile() -> None:
    def step(f: Any, y: Any) -> Any:
        y, f = shim.inexact(y, f, exact=True, numbers=True, mixed=False, results=f)
        return y + 0.5 * f(y)

    compiled = torch.compile(step, fullgraph=True, backend="eager")
    assert torch.equal(compiled(torch.exp, D), step(torch.exp, D))


def test_a_loop_in_numpy_is_given_arrays_by_what_is_guarded():
    inner = shim.by_elements(lambda t: t * 2)
    f, _ = shim.inexact(inner, torch.ones(2, dtype=torch.float64), results=inner)
    g, _ = shim.inexact(torch.sin, torch.ones(2, dtype=torch.float64), results=torch.sin)
    assert shim.as_numpy(f) is inner.__wrapped__
    assert isinstance(shim.as_numpy(g)(np.ones(2)), np.ndarray)


def test_functions_of_numpys_are_the_shims() -> None:
    f = guarded(np.sum, D)
    assert torch.equal(f(D), D.sum())
