"""Packages with a copy of the shim run without np2torch, and as with it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from np2torch import shim
from np2torch.source.shim_folder import shim_folder
from np2torch.vendor.closure import Closure
from np2torch.vendor.shim_modules import read_shim
from np2torch.vendor.writing import Source, write_copy
from np2torch_cli import cli

ALONE = """
import sys
sys.path.insert(0, {path!r})
sys.modules["np2torch"] = None  # importing it is an error
"""
USING = '''"""Uses the shim."""
from np2torch import shim
from np2torch.shim.random import seed
import torch


def one():
    """Compute.

    >>> from np2torch import shim
    >>> shim.cumsum([1, 2])
    tensor([1, 3])
    """
    x = shim.linspace(0.0, 1.0, 5)
    seed(3)
    return [
        shim.sum([x, x], axis=0).tolist(), shim.linalg.norm(x).item(), shim.random.rand(3).tolist(),
        shim.operator.add(x, 1).tolist(), shim.interp([0.5], x, x * 2).tolist(), shim.median([3, 1, 2]).item(),
        shim.random.default_rng(1).normal(size=2).tolist(), [found.tolist() for found in shim.histogram(x, bins=2)],
        shim.invoke(x, "cumsum").tolist(), shim.add.reduce(x).item(), shim.promote(x, x.float())[1].dtype.itemsize,
    ]
'''


def vendor(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["vendor", *map(str, arguments)])


def package(folder: Path, name: str, text: str = USING) -> Path:
    made = folder / name
    made.mkdir(parents=True)
    (folder / "pyproject.toml").touch()
    (made / "__init__.py").write_text("")
    (made / "using.py").write_text(text)
    return made


def run_alone(folder: Path, program: str) -> str:
    head = ALONE.format(path=str(folder))
    done = subprocess.run([sys.executable, "-c", head + program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_package_computes_the_same_without_np2torch(tmp_path: Path):
    expected: dict[str, object] = {}
    exec(USING + "result = one()", expected)
    for name in ("first", "second"):
        assert vendor(package(tmp_path, name)).exit_code == 0
    text = (tmp_path / "first" / "using.py").read_text()
    assert "from first import _np2torch as shim\nfrom first._np2torch.random import seed" in text
    assert ">>> from first import _np2torch as shim" in text
    program = """
import doctest
from first import _np2torch as a, using
from second import _np2torch as b, using as other
print(using.one() == other.one(), using.one())
assert not doctest.testmod(using).failed and doctest.testmod(using).attempted
a.random.seed(5)
drawn = b.random.rand(2).tolist(), a.random.rand(2).tolist()
a.random.seed(5)
assert (a.random.rand(2).tolist(), b.random.rand(2).tolist()) == drawn  # one stream, as NumPy has one
for left_out in ("fft",):
    try:
        getattr(a, left_out, "a default")
    except RuntimeError as error:
        print(error)
assert not hasattr(a, "no_such_name")
import numpy as np
print(a.sum(np.array(["a"], object)), a.sum(np.ones(2)))  # what no tensor holds goes to NumPy as ever
"""
    printed = run_alone(tmp_path, program).splitlines()
    assert printed[0] == f"True {expected['result']}"
    assert printed[1] == "fft was left out of this copy of np2torch's shim; np2torch vendor --include fft"
    assert printed[-1] == "a tensor(2., dtype=torch.float64)"


@pytest.mark.long
def test_a_copy_is_checked(tmp_path: Path):
    made = package(tmp_path, "pkg", "from np2torch import shim\n\n\ndef f(x):\n    return shim.sum(x)\n")
    before = vendor("--check", made)
    assert before.exit_code == 1
    assert "using.py: imports np2torch" in before.output and "_np2torch/reductions.py: missing" in before.output
    assert vendor(made).exit_code == 0
    assert vendor("--check", made).exit_code == 0
    (made / "using.py").write_text((made / "using.py").read_text() + "\n\ng = shim.kron\n")
    (made / "_np2torch" / "_axes.py").write_text((made / "_np2torch" / "_axes.py").read_text() + "# changed\n")
    after = vendor("--check", made)
    assert after.exit_code == 1 and "_axes.py: not what np2torch would write" in after.output
    assert vendor("--include", "fft.rfft", made).exit_code == 0
    assert vendor("--check", made).exit_code == 0  # what was asked for once stays
    (made / "using.py").write_text("from pkg import _np2torch as shim\nshim.sum\n")
    assert "not needed any more" in vendor("--check", made).output
    assert "def rfft" in "".join(p.read_text() for p in made.rglob("fft.py")) or (made / "_np2torch/fft.py").is_file()
    assert "MIT License" in (made / "_np2torch" / "__init__.py").read_text()


def test_a_copy_is_not_converted(tmp_path: Path):
    made = package(tmp_path, "pkg", "from np2torch import shim\n\nshim.to_numpy\n")
    assert vendor(made).exit_code == 0
    assert CliRunner().invoke(cli, ["check", "-q", str(made)]).exit_code == 0


NUMPY = '''"""Uses NumPy."""
import numpy as np


def half(x):
    """Halve.

    >>> import numpy as np
    >>> half(np.ones(2))
    array([0.5, 0.5])
    """
    x = np.asarray(x)
    return np.median(x, axis=0) * 0.5, np.interp(0.5, x, x), x / 2


def spread(x):
    return np.std(np.exp(x) * 0.5)
'''


def test_the_copy_is_the_shim_to_later_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A converted project with a copy is converted still, whether its NumPy text is known or not."""
    monkeypatch.chdir(tmp_path)
    made = package(tmp_path, "pkg", NUMPY)
    project = '[project]\nname = "pkg"\ndependencies = [\n    "numpy",\n]\n'
    (tmp_path / "pyproject.toml").write_text(project)
    run = CliRunner().invoke
    assert run(cli, ["convert", "--write", "."]).exit_code == 0
    guards = run(cli, ["check", "."]).output.count("NPT540")
    done = vendor(made)
    assert guards and done.exit_code == 0 and "pyproject.toml: np2torch is not required any more" in done.output
    required = (tmp_path / "pyproject.toml").read_text()
    assert required == project.replace('"numpy",', '"numpy",\n    "torch>=2.6",')
    text = (made / "using.py").read_text()
    assert "from pkg import _np2torch as shim" in text
    for record in (True, False):
        if not record:
            shutil.rmtree(tmp_path / ".np2torch")
        done = run(cli, ["check", "."])
        assert done.exit_code == 0 and done.output.count("NPT540") == guards and "edited" not in done.output
        assert run(cli, ["convert", "--write", "."]).exit_code == 0
        assert (made / "using.py").read_text() == text
    assert run(cli, ["check", "--max-shim", "0", "."]).exit_code == 1
    (made / "using.py").write_text(f"import numpy as np\n{text}\n\ndef new(n):\n    return np.cumsum(np.zeros(n))\n")
    assert run(cli, ["check", "."]).exit_code == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import np2torch.shim\n", "using.py:1: import np2torch.shim: cannot be changed; write"),
        ("from np2torch import shim\n\nshim.no_such\n", "np2torch's shim has no no_such"),
    ],
)
def test_what_cannot_be_is_said(tmp_path: Path, text: str, message: str):
    found = vendor(package(tmp_path, "pkg", text))
    assert found.exit_code == 2
    assert message in found.output


def test_a_package_is_wanted(tmp_path: Path):
    assert "is no package: it has no __init__.py" in vendor(tmp_path).output


def test_each_function_can_be_copied_alone(tmp_path: Path):
    """ruff finds no name that is read and not there."""
    modules = read_shim(shim_folder())
    names = ["arange", "apply_along_axis", "fft.rfft", "linalg.svd", "nanmedian", "ndarray", "on_numpy", "loadtxt"]
    names += ["polynomial.chebyshev", "testing.assert_allclose", "public", "einsum", "lib.stride_tricks", "policies"]
    for name in names:
        closure = Closure(modules)
        closure.add([tuple(name.split("."))])
        for path, text in write_copy(closure, Source(shim_folder(), name.replace(".", "_")), ()).items():
            target = tmp_path / name.replace(".", "_") / "_np2torch" / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
            assert "np2torch.shim" not in text
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "F821,F822,E9", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:]


def test_the_licence_is_that_of_the_repository():
    root = Path(__file__).resolve().parents[2]
    assert (root / "LICENSE").read_text() == (root / "src" / "np2torch" / "shim" / "LICENSE").read_text()
    assert shim.sum([1]).item() == 1
