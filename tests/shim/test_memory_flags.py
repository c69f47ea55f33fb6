"""Tensors that cannot be written, and what `flags` says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from np2torch.shim import operator
from np2torch.shim.interop import numpy_view, to_numpy
from np2torch.shim.methods import attribute, invoke

CHANGES: list[Callable[[Any], Any]] = [
    lambda x: x.fill(7.0) if isinstance(x, np.ndarray) else invoke(x, "fill", 7.0),
    lambda x: x.sort() if isinstance(x, np.ndarray) else invoke(x, "sort"),
    lambda x: x.put([0], [9.0]) if isinstance(x, np.ndarray) else invoke(x, "put", [0], [9.0]),
    lambda x: operator.setitem(x, 0, 1.0),
    lambda x: operator.setitem(x[1:], slice(None), x[1:] + 1),
    lambda x: operator.setitem(x, [0, 1], 3.0),
    lambda x: operator.iadd(x, 1.0),
    lambda x: operator.setitem(x if isinstance(x, np.ndarray) else numpy_view(x), 0, 1.0),
    lambda x: operator.setitem(x if isinstance(x, np.ndarray) else to_numpy(x), 0, 1.0),
]


def ask(x: Any, name: str) -> Any:
    return getattr(x, name) if isinstance(x, np.ndarray) else attribute(x, name)


def lock(x: Any, flag: bool) -> None:
    x.setflags(write=flag) if isinstance(x, np.ndarray) else invoke(x, "setflags", write=flag)


@pytest.mark.parametrize("change", CHANGES)
def test_read_only(change: Callable[[Any], Any]) -> None:
    """A tensor made read-only refuses writes; another one over the same memory is written as before."""

    def program(x: Any) -> list[Any]:
        view, log = x[1:], [ask(x, "flags").writeable]
        lock(view, False)
        try:
            change(view)
        except ValueError as error:
            log.append("read-only" in str(error))
        x[1] = 5.0
        log += [ask(one, "flags").writeable for one in (x, view, view[1:], view + 1)]
        log += map(float, view + 1)
        ask(view, "flags").writeable = True
        view[0] = 8.0
        ask(x, "flags")["WRITEABLE"] = False
        return [*log, *map(float, x), ask(x, "flags")["W"]]

    assert program(np.arange(4.0)[::-1].copy()) == program(torch.arange(4.0, dtype=torch.float64).flip(0))


def test_flags() -> None:
    x = torch.zeros((2, 3))
    assert attribute(x, "flags") == attribute(x, "flags") != attribute(x.T, "flags")
    with pytest.raises(KeyError):
        attribute(x, "flags")["_of"]
    with pytest.raises(KeyError):
        attribute(x, "flags")["C"] = False
