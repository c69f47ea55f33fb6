"""Tensors that refuse to be written, beside read-only arrays."""

from __future__ import annotations

import copy
import io
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from np2torch import shim
from np2torch.shim._read_only import ReadOnly
from np2torch.shim.interop import from_numpy, numpy_view, to_numpy
from np2torch.shim.methods import attribute, invoke

MADE: list[Callable[[Any], Any]] = [
    lambda x: x[1:], lambda x: x[:, 1], lambda x: x[..., 0], lambda x: x.T, lambda x: x.reshape(3, 2),
    lambda x: x[None], lambda x: x + 1, lambda x: x * x, lambda x: -x, lambda x: x[[0, 1]], lambda x: x[x > 1],
    lambda x: abs(x), lambda x: x == 1, lambda x: x.sum(), lambda x: x[0, 0], lambda x: x[0, 0, ...],
    lambda x: x @ x.T, lambda x: next(iter(x)), lambda x: x.real, lambda x: x.diagonal(),
]  # fmt: skip
"""What is made of an array, alike on both sides."""


def freeze(x: Any) -> Any:
    x.setflags(write=False) if isinstance(x, np.ndarray) else invoke(x, "setflags", write=False)
    return x


def frozen() -> torch.Tensor:
    return freeze(torch.arange(6.0, dtype=torch.float64).reshape(2, 3).clone())


def writeable(x: Any) -> bool:
    if isinstance(x, torch.Tensor) and not x.ndim and not isinstance(x, ReadOnly) or isinstance(x, np.generic):
        return False
    return bool((x.flags if isinstance(x, np.ndarray) else attribute(x, "flags")).writeable)


@pytest.mark.parametrize("make", MADE, ids=range(len(MADE)))
def test_views_are_read_only_and_results_are_not(make: Callable[[Any], Any]) -> None:
    x = freeze(np.arange(6.0).reshape(2, 3).copy())
    y = frozen()
    assert writeable(make(x)) == writeable(make(y))
    assert np.asarray(make(x)).tolist() == make(y).tolist()


WRITES: list[Callable[[torch.Tensor], Any]] = [
    lambda x: x.add_(1), lambda x: x[1:].zero_(), lambda x: torch.add(x, 1, out=x), lambda x: x.T.mul_(2),
    lambda x: torch.reshape(x, (3, 2)).fill_(1), lambda x: torch.transpose(x, 0, 1).zero_(), lambda x: torch.relu_(x),
    lambda x: x.__setitem__(0, 1.0), lambda x: x.__iadd__(1), lambda x: x.view(6).copy_(torch.ones(6)),
    lambda x: x.detach().zero_(), lambda x: x.data.zero_(), lambda x: torch.split(x, 1)[0].zero_(),
    lambda x: torch.nn.functional.relu(x, inplace=True), lambda x: torch.aminmax(x, dim=0, out=(x[0], x[1])),
    lambda x: numpy_view(x).fill(1), lambda x: np.asarray(x).fill(1), lambda x: to_numpy([x])[0].fill(1),
    lambda x: shim.add(x, 1, out=x), lambda x: shim.copyto(x, 1.0), lambda x: shim.put(x, [0], [1.0]),
    lambda x: shim.fill_diagonal(x, 1.0), lambda x: shim.add.at(x, (0, 0), 1.0), lambda x: shim.cumsum(x, 0, out=x),
    lambda x: shim.place(x, x > 1, [1.0]), lambda x: shim.putmask(x, x > 1, [1.0]),
    lambda x: invoke(x, "sort"), lambda x: invoke(x, "fill", 1.0), lambda x: invoke(x, "partition", 1),
    lambda x: shim.random.default_rng(1).shuffle(x), lambda x: shim.operator.setitem(x, (0, 1), 7.0),
    lambda x: shim.set_attribute(x, "flat", 1.0), lambda x: shim.operator.setitem(shim.attribute(x, "flat"), 0, 1.0),
    lambda x: shim.operator.iadd(x, x), lambda x: shim.put_along_axis(x, torch.tensor([[0], [0]]), 1.0, 1),
    lambda x: shim.clip(x, 0, 1, out=x),
]  # fmt: skip


@pytest.mark.parametrize("write", WRITES, ids=range(len(WRITES)))
def test_all_that_writes_is_refused_before_it_wrote(write: Callable[[torch.Tensor], Any]) -> None:
    x = frozen()
    with pytest.raises(ValueError, match="read-only"):
        write(x)
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]]


def test_iteration_with_nditer() -> None:
    """An operand that is to be written has to be writeable, and the elements of one that is only read are as well."""

    def program(x: Any, module: Any) -> list[str]:
        log = []
        for flags in (["readwrite"], [["readonly"]], None, [["writeonly"]]):
            try:
                for item in module.nditer(x, op_flags=flags) if flags else module.nditer(x):
                    item[...] = 2 * item
            except ValueError as error:
                log.append(str(error))
        return [*log, str(x.tolist())]

    assert program(freeze(np.arange(4)), np) == program(freeze(torch.arange(4)), shim)


def test_writing_others_from_it_goes_on() -> None:
    x, y = frozen(), torch.zeros(2, 3, dtype=torch.float64)
    y.copy_(x)
    y += x
    torch.add(x, x, out=y)
    y[0] = x[1]
    assert type(y) is torch.Tensor
    assert y.tolist() == [[3, 4, 5], [6, 8, 10]]


def test_memory_of_others_stays_writeable() -> None:
    """A view made before, and the array that a read-only view shows, are written; the view shows it."""

    def program(x: Any) -> list[Any]:
        early = x[:2]
        view = freeze(x[1:])
        early[1] = 9.0
        x[2] = 8.0
        return [early.tolist(), view.tolist(), [writeable(one) for one in (x, early, view, view[1:])]]

    assert program(np.arange(4.0)) == program(torch.arange(4.0, dtype=torch.float64))


def test_it_becomes_writeable_where_its_base_is() -> None:
    def allow(x: Any) -> str:
        try:
            x.setflags(write=True) if isinstance(x, np.ndarray) else invoke(x, "setflags", write=True)
        except ValueError as error:
            return str(error)
        return "done"

    def program(x: Any) -> list[Any]:
        view = freeze(x[1:])
        inner = freeze(view[1:])
        log = [allow(inner), writeable(inner), allow(view)]
        freeze(x), freeze(view)
        log += [allow(view), allow(x[1:]), allow(x), allow(view), writeable(view)]
        view[0] = 7.0
        return [*log, x.tolist()]

    assert program(np.arange(4.0)) == program(torch.arange(4.0, dtype=torch.float64))


def test_copies_can_be_written() -> None:
    ways: list[Callable[[Any], Any]] = [
        copy.copy, copy.deepcopy, torch.clone, lambda x: pickle.loads(pickle.dumps(x)), lambda x: x.to(torch.float32),
    ]  # fmt: skip
    for way in ways:
        made = way(frozen())
        assert type(made) is torch.Tensor
        made[0] = 1.0
    shared = frozen()
    first, second = copy.deepcopy([shared, shared])
    assert type(first) is torch.Tensor and first.data_ptr() == second.data_ptr()
    file = io.BytesIO()
    torch.save({"x": frozen()}, file)
    file.seek(0)
    assert type(torch.load(file)["x"]) is torch.Tensor


def test_it_crosses_borders_as_read_only() -> None:
    """Both ways over the same memory; what NumPy may not write torch may not either, whatever is asked for."""
    array = freeze(np.arange(3.0))
    x = from_numpy(array)
    assert isinstance(x, ReadOnly) and not to_numpy(x).flags.writeable and np.shares_memory(to_numpy(x), array)
    view = array[1:]
    with pytest.raises(ValueError, match="WRITEABLE"):
        view.flags.writeable = True
    with pytest.raises(ValueError, match="WRITEABLE"):
        invoke(x, "setflags", write=True)
    text = from_numpy(np.frombuffer(b"abc", np.uint8))
    with pytest.raises(ValueError, match="read-only"):
        text[0] = 1
    with pytest.raises(ValueError, match="WRITEABLE"):
        attribute(text, "flags").writeable = True
    base = np.arange(3.0)
    lent = from_numpy(freeze(base[1:]))
    base[1] = 9.0
    assert lent[0] == 9.0
    assert not to_numpy(frozen()).flags.writeable


def test_gradients_transforms_and_classes() -> None:
    x = frozen()
    w = torch.ones(3, dtype=torch.float64, requires_grad=True)
    (w * x).sum().backward()
    assert w.grad is not None and w.grad.tolist() == [3, 5, 7] and type(w.grad) is torch.Tensor
    leaf = freeze(torch.ones(3, requires_grad=True))
    (leaf[1:] * 2).sum().backward()
    assert leaf.grad is not None and leaf.grad.tolist() == [0, 2, 2] and type(leaf.grad) is torch.Tensor
    assert torch.func.vmap(lambda row: row * x)(torch.ones(2, 2, 3)).shape == (2, 2, 3)
    assert torch.func.grad(lambda v: (v * x).sum())(torch.ones(3, dtype=torch.float64)).tolist() == [3, 5, 7]
    assert shim.type(x) is torch.Tensor and shim.isinstance(x, torch.Tensor) and shim.type_name(x) == "ndarray"
    assert repr(x) == repr(frozen().clone()) and shim.text(x) == str(np.arange(6.0).reshape(2, 3))


def test_compiled_code_takes_it() -> None:
    compiled = torch.compile(lambda a, b: (a * b[0]).sum() + b.reshape(3, 2).sum(), fullgraph=True, backend="eager")
    assert compiled(torch.ones(3, dtype=torch.float64), frozen()).item() == 18

    def write(x: torch.Tensor) -> torch.Tensor:
        try:
            x.add_(1)
        except ValueError:
            return x * 2
        return x

    assert torch.compile(write, fullgraph=True, backend="eager")(frozen()).tolist() == [[0, 2, 4], [6, 8, 10]]


class Frame(shim.ndarray):
    """An array of a class of its own."""


def test_objects_of_subclasses() -> None:
    x = torch.arange(4.0).as_subclass(Frame)
    freeze(x)
    for write in (lambda: x.__setitem__(0, 1), lambda: x.__iadd__(1), lambda: x[1:].__setitem__(0, 1), lambda: x.sort(),
                  lambda: x.fill(1)):  # fmt: skip
        with pytest.raises(ValueError, match="read-only"):
            write()
    assert isinstance(x + 1, Frame) and writeable(x + 1) and not writeable(x)
    attribute(x, "flags").writeable = True
    x[0] = 5
    assert x.tolist() == [5, 1, 2, 3]
