"""Two distributions from one repository, which share no file: np2torch, and np2torch-shim for where its code runs."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WHERE = """
import sys
sys.path[:0] = {paths!r}
sys.meta_path[:] = [one for one in sys.meta_path if "Editable" not in type(one).__name__]
sys.path[:] = [one for one in sys.path if one not in {own!r}]
import np2torch
from np2torch import shim
print(getattr(np2torch, "__version__", None), shim.__file__, shim.cumsum([1, 2]).tolist(), "libcst" in sys.modules)
"""


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Build both and unpack them, by name."""
    folder = tmp_path_factory.mktemp("wheels")
    found = {}
    for name, project in (("np2torch", ROOT), ("np2torch_shim", ROOT / "shim")):
        command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
        subprocess.run(command, cwd=project, check=True, capture_output=True)
        wheel = next(folder.glob(f"{name}-*.whl"))
        zipfile.ZipFile(wheel).extractall(folder / name)
        found[name] = folder / name
    return found


def files_of(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_they_share_no_file(wheels: dict[str, Path]):
    both = files_of(wheels["np2torch"]) & files_of(wheels["np2torch_shim"])
    assert both == set()
    assert "np2torch/shim/py.typed" in files_of(wheels["np2torch_shim"])
    assert not any(name.startswith("np2torch/shim/") for name in files_of(wheels["np2torch"]))


def test_torch_is_all_that_the_shim_needs(wheels: dict[str, Path]):
    metadata = next(wheels["np2torch_shim"].glob("*.dist-info/METADATA")).read_text()
    needs = [line for line in metadata.splitlines() if line.startswith("Requires-Dist")]
    assert needs == ["Requires-Dist: torch>=2.6"]
    assert sum(path.stat().st_size for path in wheels["np2torch_shim"].rglob("*.py")) < 2_000_000


@pytest.mark.parametrize(
    ("installed", "version", "place"),
    [
        (["np2torch"], "0.1.0", "np2torch/np2torch/bundled/shim/__init__.py"),
        (["np2torch_shim"], None, "np2torch_shim/np2torch/shim/__init__.py"),
        pytest.param(["both"], "0.1.0", "both/np2torch/shim/__init__.py", marks=pytest.mark.long),
    ],
)
def test_each_is_enough(wheels: dict[str, Path], tmp_path: Path, installed: list[str], version: str | None, place: str):
    both = tmp_path / "both"
    for folder in wheels.values() if installed == ["both"] else ():
        for path in folder.rglob("*"):
            if path.is_file():
                (both / path.relative_to(folder)).parent.mkdir(parents=True, exist_ok=True)
                (both / path.relative_to(folder)).write_bytes(path.read_bytes())
    paths = [str(both if name == "both" else wheels[name]) for name in installed]
    program = WHERE.format(paths=paths, own=[str(ROOT / "src"), str(ROOT / "cli"), ""])
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    printed = done.stdout.split()
    assert printed[0] == str(version) and printed[1].endswith(place) and printed[2:] == ["[1,", "3]", "False"]
