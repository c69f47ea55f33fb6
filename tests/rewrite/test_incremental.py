"""Projects converted step by step: files, functions, what git says has changed; the tree comes out as at once."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from np2torch_cli import cli

FILES = {
    "pkg/__init__.py": """from .shapes import Box, area
from .stats import summary

__all__ = ["Box", "area", "summary"]
""",
    "pkg/config.py": "import numpy as np\n\nDTYPE = np.float32\nWEIGHTS = np.array([1, 2, 3])\nLIMIT = 2.5\n",
    "pkg/shapes.py": """import numpy as np

from .config import DTYPE, WEIGHTS
from . import tools


def area(points):
    x, y = points[:, 0], points[:, 1]
    return 0.5 * np.abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1)))


class Box:
    def __init__(self, low, high):
        self.low = np.asarray(low, dtype=DTYPE)
        self.high = np.asarray(high, dtype=DTYPE)

    def sides(self):
        return self.high - self.low

    def weighted(self):
        return tools.scaled(self.sides()) * WEIGHTS / 2
""",
    "pkg/stats.py": """from .config import LIMIT, np
from .tools import scaled, spread


def summary(values):
    inside = values[np.abs(values) < LIMIT]
    return inside.mean(), spread(inside), scaled(inside).sum()
""",
    "pkg/tools.py": """import numpy as np


def spread(x):
    return np.std(x) / 2


def scaled(x):
    total = x.sum()
    return x / total if total > 0 else x


def counted(labels):
    return np.bincount(labels, minlength=3) / labels.size
""",
    "pkg/plain.py": "def nothing():\n    return 1\n",
    "tests/test_pkg.py": """import numpy as np
from pkg import Box, area, summary
from pkg.tools import counted


def test_all():
    assert area(np.array([[0.0, 0], [1, 0], [1, 1]])) == 0.5
    np.testing.assert_allclose(Box([0, 0, 0], [1, 1, 1]).weighted(), np.array([1, 2, 3]) / 6)
    assert counted(np.array([0, 1, 1])).tolist() == [1 / 3, 2 / 3, 0]
    assert len(summary(np.linspace(-3, 3, 7))) == 3
""",
}
NUMPY = [name for name in FILES if name not in ("pkg/__init__.py", "pkg/plain.py")]


@pytest.fixture
def lay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project, as the working folder."""
    write(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder: Path) -> None:
    (folder / "pyproject.toml").write_text("[tool.np2torch]\n")
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def convert(*arguments: str) -> Result:
    result = CliRunner().invoke(cli, ["convert", "--write", *arguments])
    assert result.exit_code in (0, 1), result.output + str(result.exception)
    return result


def tree() -> dict[str, str]:
    return {name: Path(name).read_text() for name in FILES}


@pytest.fixture
def at_once(lay: Path) -> dict[str, str]:
    """The tree as it comes out in one go; the project is laid out anew afterwards."""
    convert("pkg", "tests")
    found = tree()
    write(lay)
    assert "np." not in "".join(found[name] for name in NUMPY)
    return found


@pytest.mark.parametrize("seed", range(4))
def test_file_by_file_in_any_order(at_once: dict[str, str], seed: int) -> None:
    order = random.Random(seed).sample(NUMPY, len(NUMPY))
    for number, name in enumerate(order):
        before = tree()
        result = convert("pkg", "tests", "--only", name)
        assert tree() == before | {name: at_once[name]}, order
        waiting = [other for other in order[number + 1 :] if "numpy" in FILES[other]]
        assert all(other in result.stderr for other in waiting) and ("still on NumPy" in result.stderr) == bool(waiting)
    assert tree() == at_once


def test_function_by_function(at_once: dict[str, str]) -> None:
    convert("pkg", "tests", "--only", "pkg/shapes.py::Box.sides", "--only", "pkg/tools.py::spread")
    text = tree()
    assert text["pkg/tools.py"].startswith("import numpy as np\nimport torch\n")
    assert "torch.std" in text["pkg/tools.py"] and "np.bincount" in text["pkg/tools.py"]
    assert text["pkg/stats.py"] == FILES["pkg/stats.py"]
    convert("pkg", "tests", "--only", "pkg/shapes.py::Box")
    text = tree()
    assert "np.abs" in text["pkg/shapes.py"] and "np.asarray" not in text["pkg/shapes.py"]
    convert("pkg", "tests", "--only", "pkg/tools.py::counted")
    text = tree()
    assert "torch.std" in text["pkg/tools.py"] and "np." not in text["pkg/tools.py"]
    convert("pkg", "tests", "--only", "pkg")
    assert tree() == at_once | {"tests/test_pkg.py": FILES["tests/test_pkg.py"]}
    convert("pkg", "tests")
    assert tree() == at_once


def test_a_name_may_follow_the_path(lay: Path) -> None:
    convert("pkg/tools.py::counted")
    text = Path("pkg/tools.py").read_text()
    assert "np.std" in text and "np.bincount" not in text


def test_what_was_edited_is_said(at_once: dict[str, str]) -> None:
    convert("pkg", "tests", "--only", "pkg/tools.py")
    Path("pkg/tools.py").write_text(at_once["pkg/tools.py"] + "\n\nEXTRA = 1\n")
    result = convert("pkg", "tests", "--only", "pkg/stats.py")
    assert "pkg/tools.py: was converted and then edited" in result.stderr
    assert "EXTRA" in Path("pkg/tools.py").read_text()


def test_a_second_run_changes_nothing(lay: Path) -> None:
    convert("pkg", "tests")
    assert (lay / ".np2torch" / "converted.json").exists()
    first = tree()
    convert("pkg", "tests")
    assert tree() == first


def test_what_is_known_by_then_goes_into_what_nobody_edited(lay: Path) -> None:
    Path("late.py").write_text("import numpy as np\n\n\ndef f(x: np.ndarray):\n    return x % x\n")
    convert("--unknown", "shim", "late.py")
    assert "shim.operator.mod(x, x)" in Path("late.py").read_text()
    Path("pyproject.toml").write_text('[tool.np2torch.types]\n"late.f.x" = "float64[n]"\n')
    convert("late.py")
    assert "return x % x" in Path("late.py").read_text()


def test_originals_of_files_elsewhere_lie_beside_them(lay: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("other")
    (other / "far.py").write_text("import numpy as np\n\nx = np.zeros(2)\n")
    convert(str(other))
    assert (other / ".np2torch" / "converted.json").exists() and not (lay / ".np2torch").exists()


def test_without_the_originals_a_second_run_changes_nothing_either(lay: Path) -> None:
    convert("pkg", "tests")
    first = tree()
    shutil.rmtree(lay / ".np2torch")
    convert("pkg", "tests")
    assert tree() == first


def test_a_step_without_writing_keeps_nothing(lay: Path) -> None:
    result = CliRunner().invoke(cli, ["convert", "pkg", "--only", "pkg/tools.py"])
    assert "+from np2torch import shim" in result.stdout and "shapes.py" not in result.stdout
    assert tree() == FILES and not (lay / ".np2torch").exists()


def test_only_what_differs_from_a_revision(at_once: dict[str, str]) -> None:
    def git(*arguments: str) -> None:
        identity = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
        subprocess.run(["git", *identity, *arguments], check=True, capture_output=True)

    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "first")
    assert "0 files changed" in convert("pkg", "tests", "--since", "HEAD").stderr
    Path("pkg/tools.py").write_text(FILES["pkg/tools.py"] + "\n\ndef more():\n    return np.zeros(3)\n")
    Path("pkg/new.py").write_text("import numpy as np\n\nx = np.ones(2)\n")
    convert("pkg", "tests", "--since", "HEAD")
    text = tree()
    assert "torch.zeros(3" in text["pkg/tools.py"] and "torch.ones" in Path("pkg/new.py").read_text()
    assert {name for name in FILES if text[name] != FILES[name]} == {"pkg/tools.py"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--only", "pkg/gone.py"], "pkg/gone.py: none of the files that were given"),
        (["--only", "pkg/tools.py::nothing"], "pkg/tools.py::nothing: no function or class of that name"),
        (["--since", "HEAD"], "not a git repository"),
    ],
)
def test_what_is_not_there_is_said(lay: Path, arguments: list[str], said: str) -> None:
    result = CliRunner().invoke(cli, ["convert", "--write", "pkg", *arguments])
    assert result.exit_code == 2 and said in result.stderr and tree() == FILES


def test_modules_are_analysed_with_what_their_stubs_said(tmp_path, monkeypatch):
    """A stub that was named is converted too, and says what it said in later runs."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "lib.py").write_text("import numpy as np\n\n\ndef f(x):\n    return np.exp(x)\n")
    head = "import numpy as np\nfrom numpy.typing import NDArray\n\n"
    (tmp_path / "lib.pyi").write_text(head + "def f(x: NDArray[np.float64]) -> np.ndarray: ...\n")
    run = CliRunner().invoke
    assert run(cli, ["convert", "--write", ".", "lib.pyi"]).exit_code == 0
    stub = (tmp_path / "lib.pyi").read_text()
    assert stub == "import torch\n\ndef f(x: torch.Tensor) -> torch.Tensor: ...\n"
    assert "return torch.exp(x)" in (tmp_path / "lib.py").read_text()
    for paths in ([".", "lib.pyi"], ["."], ["lib.py"]):
        assert run(cli, ["convert", *paths]).stdout == ""
        assert run(cli, ["check", *paths]).exit_code == 0
