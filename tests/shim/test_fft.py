"""Fourier transforms against NumPy."""

from __future__ import annotations

import itertools
import warnings
from typing import Any

import numpy as np
import pytest
import torch

from np2torch.shim import fft
from np2torch.verify.compare import difference

rng = np.random.default_rng(1)
DTYPES = ["f8", "f4", "i8", "u1", "?", "c16", "c8", "f2"]


def make(shape: tuple[int, ...], dtype: str = "f8") -> Any:
    x = rng.normal(size=shape) * 4
    return (x + 1j * rng.normal(size=shape) if dtype[0] == "c" else np.abs(x)).astype(dtype)


def run(function: Any, *args: Any, **kwargs: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(*args, **kwargs)
        except Exception as error:
            return type(error)


def compare(name: str, x: Any, *args: Any, **kwargs: Any) -> str | None:
    old = run(getattr(np.fft, name), x, *args, **kwargs)
    new = run(getattr(fft, name), torch.tensor(x) if isinstance(x, np.ndarray) else x, *args, **kwargs)
    if isinstance(old, type) or isinstance(new, type):
        both = isinstance(old, type) and isinstance(new, type)
        same = both and (issubclass(new, old) or all(issubclass(e, (ValueError, IndexError)) for e in (old, new)))
        return None if same else f"{name}{args}{kwargs} of {x!r}: {old!r} became {new!r}"
    small = old.dtype.itemsize // (2 if old.dtype.kind == "c" else 1) < 8
    tolerance = 1e-2 if getattr(x, "dtype", None) == "f2" else 1e-4 if small else 1e-11
    found = difference(old, new, rtol=tolerance, atol=tolerance)
    return f"{name}{args}{kwargs} of {x.dtype}{x.shape}: {found}" if found else None


def none(found: list[str | None]) -> None:
    wrong = [line for line in found if line]
    assert not wrong, f"{len(wrong)}: " + "\n".join(wrong[:15])


@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"])
def test_one_axis(name: str) -> None:
    cases = itertools.product(
        [(4,), (5,), (1,), (3, 4), (0,)], [None, 3, 8, 0], [-1, 0, 1], [None, "ortho", "forward", "bad"]
    )
    none([compare(name, make(shape), n, axis, norm) for shape, n, axis, norm in cases])
    none([compare(name, make((6,), dtype)) for dtype in DTYPES] + [compare(name, make((6, 8))[::2, ::2], axis=0)])
    none([run(lambda: compare(name, np.array([1, 2, 3])))])


@pytest.mark.parametrize("name", ["fftn", "ifftn", "rfftn", "irfftn", "fft2", "ifft2", "rfft2", "irfft2"])
def test_many_axes(name: str) -> None:
    sizes: list[Any] = [None, (4, 4), (2, -1), (3,)]
    axes: list[Any] = [None, (0, 1), (1, 0), (-1,), (0, 0), (5,)]
    cases = itertools.product([(3, 4), (2, 3, 4)], sizes, axes, [None, "ortho"])
    none([compare(name, make(shape), s, chosen, norm) for shape, s, chosen, norm in cases])
    none([compare(name, make((3, 4), dtype)) for dtype in DTYPES])
    none([compare(name, make((3, 4)), axes=(0,)), compare(name, make((2, 3, 4), "c16"), axes=(2, 0))])


def test_shifts_and_frequencies() -> None:
    for name in ("fftshift", "ifftshift"):
        none(
            [
                compare(name, make(shape, dtype), axes)
                for shape in [(5,), (4, 3), (0,)]
                for dtype in ("f8", "i8")
                for axes in (None, 0, -1, (0,))
            ]
        )
    for n, d in itertools.product((1, 4, 5, 10, 7), (1.0, 0.1, 2, 1 / 3)):
        for name in ("fftfreq", "rfftfreq"):
            assert difference(getattr(np.fft, name)(n, d), getattr(fft, name)(n, d), rtol=0) is None
    assert run(fft.fftfreq, 2.5) is ValueError and fft.fftfreq(torch.tensor(4)).dtype is torch.float64


def test_lists_out_and_gradients() -> None:
    assert difference(np.fft.fft([1, 2, 3]), fft.fft([1, 2, 3])) is None
    out = torch.zeros(3, dtype=torch.complex128)
    assert fft.fft([1, 2, 3], out=out) is out and out[0] == 6
    x = torch.ones(4, requires_grad=True)
    fft.irfft(fft.rfft(x)).sum().backward()
    assert x.grad is not None
