"""What a project requires before and after: torch in, NumPy out where nothing needs it, all else as it was."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from np2torch.rewrite.requirements import lines, toml
from np2torch.rewrite.requirements.names import Needs
from np2torch_cli import cli

ALL, SHIM, OUT = Needs(True, False, True), Needs(True, True, True), Needs(True, False, False)
PYPROJECT = """\
# our project
[build-system]
requires = ["hatchling", "numpy>=2"]  # to build

[project]
name = "x"
dependencies = [
    "click>=8",     # the command line
    "numpy>=1.26",  # arrays
    "scipy",
]

[project.optional-dependencies]
plots = ["matplotlib"]
fast = ["NumPy[extra]==2.* ; python_version>='3.10'", "numba"]

[tool.poetry.dependencies]
numpy = "^2"  # poetry's
"""


def test_torch_is_put_beside_numpy():
    after = toml.rewritten(PYPROJECT, ALL)
    project = tomllib.loads(after)["project"]
    assert project["dependencies"] == ["click>=8", "numpy>=1.26", "torch>=2.6", "scipy"]
    assert project["optional-dependencies"]["fast"][1] == "torch>=2.6"
    assert project["optional-dependencies"]["plots"] == ["matplotlib"]
    assert tomllib.loads(after)["tool"]["poetry"]["dependencies"] == {"numpy": "^2", "torch": ">=2.6"}
    for comment in ("# our project", "# to build", "# the command line", "# arrays", "# poetry's"):
        assert comment in after
    assert toml.rewritten(after, ALL) == after
    assert '    "torch>=2.6",\n    "scipy",\n]' in after


def test_numpy_goes():
    after = tomllib.loads(toml.rewritten(PYPROJECT, OUT))
    assert after["project"]["dependencies"] == ["click>=8", "torch>=2.6", "scipy"]
    assert after["build-system"]["requires"] == ["hatchling", "numpy>=2"]
    assert after["tool"]["poetry"]["dependencies"] == {"torch": ">=2.6"}


def test_the_shim_is_required_where_it_is_called():
    after = tomllib.loads(toml.rewritten(PYPROJECT, SHIM))
    assert after["project"]["dependencies"][1:4] == ["numpy>=1.26", "torch>=2.6", "np2torch[runtime]"]
    assert after["tool"]["poetry"]["dependencies"]["np2torch"] == {"version": "*", "extras": ["runtime"]}


@pytest.mark.parametrize(
    "text",
    ["numpy = [", "[project]\nname = 'numpy'\n", '[project]\ndependencies = ["numpydoc", "torch"]\n', "x = 1\n"],
)
@pytest.mark.parametrize("needs", [ALL, OUT])
def test_what_is_no_requirement_stays(text, needs):
    assert toml.rewritten(text, needs) == text


CASES = [
    (lines.in_requirements, "a\nnumpy>=1.2  # why\nb\n", "a\nnumpy>=1.2  # why\ntorch>=2.6\nb\n", "a\ntorch>=2.6\nb\n"),
    (lines.in_requirements, "numpy", "numpy\ntorch>=2.6", "torch>=2.6"),
    (lines.in_requirements, "NumPy\r\nTorch\r\n", "NumPy\r\nTorch\r\n", "Torch\r\n"),
    (lines.in_requirements, "numpy==2 --hash=sha256:0\n", "numpy==2 --hash=sha256:0\n", "numpy==2 --hash=sha256:0\n"),
    (lines.in_requirements, "# numpy\nnumpydoc\n-r numpy.txt\n", "# numpy\nnumpydoc\n-r numpy.txt\n", None),
    (
        lines.in_setup_cfg,
        "[options]\ninstall_requires =\n    a\n    # numpy\n    numpy>=1\n\n[flake8]\nx =\n    numpy\n",
        "[options]\ninstall_requires =\n    a\n    # numpy\n    numpy>=1\n    torch>=2.6\n\n[flake8]\nx =\n    numpy\n",
        "[options]\ninstall_requires =\n    a\n    # numpy\n    torch>=2.6\n\n[flake8]\nx =\n    numpy\n",
    ),
    (
        lines.in_setup_cfg, "[options]\ninstall_requires = numpy\n", "[options]\ninstall_requires = numpy\n",
        "[options]\ninstall_requires = torch>=2.6\n",
    ),
    (
        lines.in_environment, "dependencies:\n  - python=3.11\n  - conda-forge::numpy=1.26\n  - pip:\n    - x\n",
        "dependencies:\n  - python=3.11\n  - conda-forge::numpy=1.26\n  - pytorch>=2.6\n  - pip:\n    - x\n",
        "dependencies:\n  - python=3.11\n  - pytorch>=2.6\n  - pip:\n    - x\n",
    ),
    (
        lines.in_environment, "dependencies:\n- pip:\n  - numpy\n- y\n",
        "dependencies:\n- pip:\n  - numpy\n  - torch>=2.6\n- y\n", "dependencies:\n- pip:\n  - torch>=2.6\n- y\n",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("rewrite", "text", "with_both", "without"), CASES)
def test_lines(rewrite, text, with_both, without):
    assert rewrite(text, ALL) == with_both
    assert rewrite(text, OUT) == (with_both if without is None else without)
    assert rewrite(rewrite(text, OUT), OUT) == rewrite(text, OUT)


# ------------------------------------------------------------------------------------------------------- convert
@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "m.py").write_text("import numpy as np\n\nx = np.zeros(3)\n")
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"\ndependencies = ["numpy"]\n')
    (tmp_path / "requirements-dev.txt").write_text("numpy\npytest\n")
    return tmp_path


def convert(*arguments: str) -> str:
    done = CliRunner().invoke(cli, ["convert", *arguments])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.output


def dependencies() -> list[str]:
    return tomllib.loads(Path("pyproject.toml").read_text())["project"]["dependencies"]


def test_they_are_part_of_the_diff_and_of_what_is_written(folder):
    assert '-dependencies = ["numpy"]\n+dependencies = ["torch>=2.6"]' in convert("src")
    assert dependencies() == ["numpy"]
    assert "3 files changed" in convert("--write", "src")
    assert dependencies() == ["torch>=2.6"] and Path("requirements-dev.txt").read_text() == "torch>=2.6\npytest\n"
    assert "0 files changed" in convert("--write", "src")
    assert not Path(".np2torch/journal.json").exists()


@pytest.mark.parametrize(
    "needing",
    [
        {"tests/test_m.py": "import numpy as np\n"},
        {"src/fast.pyx": "cimport numpy\n"},
        {"src/t.py": "import numpy as np\n\nx = np.dtype([('a', int)])\n"},
        {"src/s.py": "import numpy as np\n\n\ndef f(x):\n    return np.median(0.5 * x)\n"},
    ],
)
def test_numpy_stays_where_something_needs_it(folder, needing):
    for name, text in needing.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    convert("--write", "src")
    assert dependencies()[:2] == ["numpy", "torch>=2.6"]


def test_a_setting_turns_it_off(folder):
    before = Path("pyproject.toml").read_text()
    convert("--write", "src", "--no-requirements")
    assert Path("pyproject.toml").read_text() == before
    Path("pyproject.toml").write_text(f"{before}\n[tool.np2torch]\nrequirements = false\n")
    Path("src/m.py").write_text("import numpy as np\n\nx = np.ones(3)\n")
    convert("--write", "src")
    assert dependencies() == ["numpy"]


def test_parts_of_a_project_leave_them(folder):
    convert("--write", "src/m.py")
    assert dependencies() == ["numpy"]


def test_patches_begin_with_torch_and_end_without_numpy(folder):
    convert("src", "--split-by", "dir", "--output-dir", "patches")
    texts = [Path("patches", name).read_text() for name in Path("patches/series").read_text().split()]
    assert '+dependencies = ["numpy", "torch>=2.6"]' in texts[0] and "src/m.py" not in texts[0]
    assert '+dependencies = ["torch>=2.6"]' in texts[-1] and len(texts) == 3
