"""Files: what one side writes the other reads, numbers as tensors, everything else as NumPy has it."""

from __future__ import annotations

import io as streams
from pathlib import Path

import numpy as np
import pytest
import torch

from np2torch.shim import io
from np2torch.verify.compare import difference

TEXT = "# head\n1,2,3\n4,5,6\n"


@pytest.mark.parametrize(
    "options",
    [{}, {"dtype": int}, {"dtype": "f4"}, {"usecols": (0, 2)}, {"unpack": True}, {"ndmin": 2}, {"skiprows": 2}],
)
def test_text_is_read(options: dict[str, object]) -> None:
    old = np.loadtxt(streams.StringIO(TEXT), delimiter=",", **options)
    assert difference(old, io.loadtxt(streams.StringIO(TEXT), delimiter=",", **options)) is None


def test_torch_dtypes_are_understood() -> None:
    assert io.loadtxt(streams.StringIO(TEXT), dtype=torch.int32, delimiter=",").dtype is torch.int32
    assert io.loadtxt(streams.StringIO(TEXT), torch.float32, delimiter=",").dtype is torch.float32


def test_missing_values_and_strings() -> None:
    text = "1,,3\n4,x,6\n"
    old = np.genfromtxt(streams.StringIO(text), delimiter=",")
    assert difference(old, io.genfromtxt(streams.StringIO(text), delimiter=",")) is None
    assert isinstance(io.genfromtxt(streams.StringIO(text), delimiter=",", dtype=str), np.ndarray)


def test_text_is_written(tmp_path: Path) -> None:
    x = torch.arange(6.0, dtype=torch.float64, requires_grad=True).reshape(2, 3)
    io.savetxt(tmp_path / "x.txt", x, fmt="%.3f", header="h")
    np.savetxt(tmp_path / "y.txt", x.detach().numpy(), fmt="%.3f", header="h")
    assert (tmp_path / "x.txt").read_text() == (tmp_path / "y.txt").read_text()


@pytest.mark.parametrize("dtype", [torch.float64, torch.float16, torch.bool, torch.uint16, torch.complex64])
def test_round_trip(tmp_path: Path, dtype: torch.dtype) -> None:
    x = torch.arange(6).reshape(2, 3).to(dtype).T
    io.save(tmp_path / "x.npy", x)
    assert difference(np.load(tmp_path / "x.npy"), x) is None
    assert difference(np.load(tmp_path / "x.npy"), io.load(tmp_path / "x.npy")) is None


@pytest.mark.parametrize("write", [io.savez, io.savez_compressed])
def test_archives(tmp_path: Path, write: object) -> None:
    write(tmp_path / "x.npz", torch.arange(3), b=torch.ones(2))  # type: ignore[operator]
    with io.load(tmp_path / "x.npz") as archive:
        assert archive.files == ["b", "arr_0"] or archive.files == ["arr_0", "b"]
        assert archive["arr_0"].tolist() == [0, 1, 2]
        assert archive["b"].dtype is torch.float32
        assert len(archive) == 2 and "b" in archive


def test_reading_shares_the_memory_of_the_file_map(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.arange(3.0))
    mapped = io.load(tmp_path / "x.npy", mmap_mode="r+")
    mapped[0] = 9
    assert np.load(tmp_path / "x.npy")[0] == 9
