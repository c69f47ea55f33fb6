"""What shares memory keeps it: the source goes, others take memory, and what was made of it still holds the same."""

from __future__ import annotations

import array
import gc
import mmap
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from np2torch import shim
from np2torch.shim._call_boundary import Border
from np2torch.shim.interop import as_number
from np2torch.shim.on_numpy import Visit

VALUES = [float(number) for number in range(600)]


def tensor() -> torch.Tensor:
    return torch.tensor(VALUES, dtype=torch.float64)


def ndarray() -> Any:
    return np.array(VALUES)


WAYS: dict[str, Callable[[], Any]] = {
    "from_numpy": lambda: shim.from_numpy(ndarray()),
    "from_numpy of a view": lambda: shim.from_numpy(np.array([VALUES, VALUES])[1]),
    "from_numpy in a list": lambda: shim.from_numpy([ndarray()])[0],
    "to_numpy": lambda: shim.to_numpy(tensor()),
    "to_numpy of a view": lambda: shim.to_numpy(torch.stack([tensor(), tensor()])[1]),
    "to_numpy of a gradient": lambda: shim.to_numpy(tensor().requires_grad_()),
    "there and back": lambda: shim.from_numpy(shim.to_numpy(tensor())),
    "back and there": lambda: shim.to_numpy(shim.from_numpy(ndarray())),
    "border inward": lambda: Border().inward(ndarray()),
    "border outward": lambda: Border().outward(tensor()),
    "visit outward": lambda: Visit().outward({"x": [tensor()]})["x"][0],
    "visit inward": lambda: Visit().inward(ndarray()),
    "callback": lambda: shim.callback(lambda x: x * 1)(ndarray()),
    "asarray": lambda: shim.asarray(ndarray()),
    "memoryview": lambda: shim.asarray(memoryview(ndarray())),
    "dlpack": lambda: shim.from_dlpack(ndarray()),
    "frombuffer of bytes": lambda: shim.frombuffer(ndarray().tobytes(), dtype=torch.float64),
    "frombuffer of a bytearray": lambda: shim.frombuffer(bytearray(ndarray().tobytes()), dtype=torch.float64),
    "frombuffer of an ndarray": lambda: shim.frombuffer(ndarray(), dtype=torch.float64),
    "frombuffer of a memoryview": lambda: shim.frombuffer(memoryview(ndarray()), dtype=torch.float64),
    "frombuffer of an array": lambda: shim.frombuffer(array.array("d", VALUES), dtype=torch.float64),
    "fromiter": lambda: shim.fromiter(iter(VALUES), dtype=torch.float64),
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_what_was_made_outlives_its_source(way: str) -> None:
    kept = [WAYS[way]() for _ in range(8)]
    gc.collect()
    litter = [np.full(len(VALUES), -1.0) for _ in range(200)] + [torch.full((len(VALUES),), -2.0) for _ in range(200)]
    for one in kept:
        assert [as_number(value) for value in one] == VALUES
    assert len(litter) == 400


def _released(view: memoryview) -> None:
    view.release()


BUFFERS: dict[str, tuple[Callable[[], Any], Callable[[Any], None]]] = {
    "a bytearray that grows": (lambda: bytearray(b"\1" * 64), lambda b: b.extend(b"x" * 100_000)),
    "a bytearray that is emptied": (lambda: bytearray(b"\1" * 64), lambda b: b.clear()),
    "an array that grows": (lambda: array.array("b", [1] * 64), lambda b: b.extend([2] * 100_000)),
    "a file that is closed": (lambda: mmap.mmap(-1, 4096), lambda b: b.close()),
    "a view that is released": (lambda: memoryview(bytearray(b"\1" * 64)), _released),
}


@pytest.mark.parametrize("kind", BUFFERS)
def test_a_buffer_cannot_go_below_what_shares_it(kind: str) -> None:
    """Python refuses to move memory that NumPy has; torch alone lets it go, and reads what is not there any more."""
    outcomes = []
    for read in (np.frombuffer, shim.frombuffer):
        buffer, change = BUFFERS[kind][0](), BUFFERS[kind][1]
        x = read(buffer, dtype="i1")
        values = x.tolist()
        try:
            change(buffer)
            outcomes.append("")
        except BufferError as error:
            outcomes.append(str(error))
        litter = [bytearray(64) for _ in range(1000)]
        assert x.tolist() == values and len(litter) == 1000
    assert outcomes[0] == outcomes[1]
