"""A file named by itself is analysed with the files that it imports or that import it, and with no others."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from np2torch.names.modules import connected_modules, read_together
from np2torch.source.discover import load_project
from np2torch.source.model import Settings
from np2torch_cli import cli

FILES = {
    "pyproject.toml": "[project]\nname = 'p'\n",
    "pkg/__init__.py": "",
    "pkg/scaling.py": "import numpy as np\n\n\ndef scale(x):\n    return np.sqrt(x) * np.pi\n",
    "pkg/main.py": "import numpy as np\nfrom .scaling import scale\n\nprint(scale(np.arange(3.0)))\n",
    "pkg/alone.py": "import numpy as np\n\nx = np.zeros(3)\n",
    "tests/test_scaling.py": "import numpy as np\nfrom pkg.scaling import scale\n\nscale(np.ones(2))\n",
    "extra/other.py": "def broken(:\n",
    "extra/more.py": "import numpy as np\nimport torch\n\nx = getattr(np, 'torch', np.float32)\n",
}


@pytest.fixture
def project(tmp_path, monkeypatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def read_with(*names: str) -> set[str]:
    files = load_project([Path()], Settings()).files
    start = {file.path for file in files if file.path.as_posix() in names}
    return {path.as_posix() for path in connected_modules(files, start)}


def test_what_is_connected(project):
    together = {"pkg/scaling.py", "pkg/main.py", "pkg/__init__.py", "tests/test_scaling.py"}
    assert read_with("pkg/scaling.py") == together
    assert read_with("tests/test_scaling.py") == together
    assert read_with("pkg/alone.py") == {"pkg/alone.py"}
    assert read_with("extra/more.py") == {"extra/more.py"}


def test_nearly_all_is_read_as_all(project):
    files = load_project([Path()], Settings()).files
    path = next(file.path for file in files if file.path.as_posix() == "pkg/main.py")
    assert read_together(files, {path}) == connected_modules(files, {path}) < {file.path for file in files}
    (project / "extra" / "more.py").unlink()
    files = load_project([Path()], Settings()).files
    assert {Path("extra/other.py"), Path("pkg/alone.py")} <= read_together(files, {path})
    assert read_together(files, {Path("pkg/alone.py")}) == {Path("pkg/alone.py")}


def test_one_file_comes_out_as_with_its_callers_and_not_as_others_want_it(project):
    done = CliRunner().invoke(cli, ["convert", "pkg/scaling.py"])
    assert "+    return torch.sqrt(x) * math.pi\n" in done.output  # its callers pass float64
    assert "extra" not in done.output
    done = CliRunner().invoke(cli, ["convert", "pkg/alone.py"])
    assert "+import torch\n" in done.output  # not by another name, whatever is looked up elsewhere
