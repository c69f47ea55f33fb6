"""Patches of a conversion: each applies after the ones before it, all modules can be imported then, nothing is lost."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from np2torch.names.import_time import units
from np2torch.source.model import SourceFile
from np2torch_cli import cli
from support.paths import ROOT

FILES = {
    "pkg/__init__.py": "",
    "pkg/consts.py": "import numpy as np\n\nTABLE = np.linspace(0.0, 1.0, 5)\n",
    "pkg/use.py": "import numpy as np\nfrom pkg.consts import TABLE\n\nDOUBLE = TABLE.astype(np.float32) * 2\n",
    "pkg/later.py": "import numpy as np\nfrom pkg import consts\n\n\ndef f():\n    return np.exp(consts.TABLE)\n",
    "pkg/hub.py": "import numpy as np\n\n\ndef double(x: float):\n    return np.multiply(x, 2.0)\n",
    "pkg/from_hub.py": "from pkg.hub import double, np\n\n\ndef g():\n    return np.ones(3) + double(1.0)\n",
    "sub/a b.py": "# coding: latin-1\nimport numpy as np\n\nx = np.zeros(3)  # é",
    "sub/dos.py": "import numpy as np\r\n\r\ny = np.zeros(3)\r\n",
    "sub/judged.py": (
        "import numpy as np\n\n\ndef half(x):\n    return np.median(0.5 * x)\n\n\nd = np.dtype([('a', int)])\n"
    ),
    "sub/plain.py": "z = 1\n",
    "pkg/tests.py": (
        "import numpy as np\nfrom pkg import from_hub, later, use\n\n\ndef test_values():\n"
        "    np.testing.assert_allclose(use.DOUBLE, np.linspace(0.0, 2.0, 5))\n"
        "    np.testing.assert_allclose(later.f(), np.exp(np.linspace(0.0, 1.0, 5)))\n\n\n"
        "def test_sum():\n    assert from_hub.g().sum() == 9.0\n"
    ),
}
APPLY = """
import importlib, os, subprocess, sys
import numpy, torch
import np2torch.shim
sys.path.insert(0, os.getcwd())
sys.dont_write_bytecode = True
git = ["git", "-c", "user.name=Ann", "-c", "user.email=ann@example.org"]
subprocess.run([*git, "add", "-A", ":!patches"], check=True)
subprocess.run([*git, "commit", "-qm", "Before"], check=True)
names = open("patches/series").read().split()
for name in names:  # each alone
    subprocess.run(["git", "apply", "--check", f"patches/{name}"], check=True)
for name in names:  # and one after the other, tests green
    subprocess.run(["git", "apply", "--index", f"patches/{name}"], check=True)
    subprocess.run([*git, "commit", "-qm", name], check=True)
    child = os.fork()
    if not child:
        for module in sys.argv[1:]:
            found = vars(importlib.import_module(module))
            for name in found if module in os.environ["TESTS"].split() else ():
                name.startswith("test_") and found[name]()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0, name
"""


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(text.encode("latin-1" if "latin" in text else "utf-8"))
    subprocess.run(["git", "init", "-q", "."], check=True)
    return tmp_path


def patches(*arguments: str) -> dict[str, str]:
    done = CliRunner().invoke(cli, ["convert", "pkg", "sub", "--output-dir", "patches", *arguments])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    names = Path("patches/series").read_text().split()
    assert sorted(names) == names == done.stdout.splitlines()
    assert sorted(names) == sorted(path.name for path in Path("patches").glob("*.patch"))
    return {name: Path("patches", name).read_text("latin-1") for name in names}


def files_of(patch: str) -> set[str]:
    return {line.split(" b/")[1] for line in patch.splitlines() if line.startswith("diff --git")}


@pytest.mark.parametrize(("by", "lines", "number"), [("dir", 800, 3), ("module", 1, 8), ("outcome", 4, 5)])
def test_each_applies_and_leaves_the_tree_importable(folder, by, lines, number):
    applied(folder, by, lines, number)


def test_tests_pass_after_each_where_callers_may_stay_on_numpy(folder):
    applied(folder, "module", 1, 8, "--public-api", "ndarray", tests=["pkg.tests"])


def applied(folder: Path, by: str, lines: int, number: int, *options: str, tests: Sequence[str] = ()) -> None:
    """Apply all patches, each alone and one after the other; in the end the tree is as one conversion makes it."""
    shutil.copytree(folder, folder / "whole", ignore=shutil.ignore_patterns(".git"))
    found = patches("--split-by", by, "--max-lines", str(lines), *options)
    assert len(found) >= number - 3 and [files_of(text) for text in found.values()]
    modules = [name[:-3].replace("/", ".") for name in FILES if name.startswith("pkg") and "__" not in name]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "TESTS": " ".join(tests)}
    subprocess.run([sys.executable, "-c", APPLY, *modules], check=True, env=environment)
    CliRunner().invoke(cli, ["convert", "--write", "whole/pkg", "whole/sub", *options])
    for name in FILES:
        assert Path(name).read_bytes() == Path("whole", name).read_bytes(), name


def test_judgement_stands_apart_and_is_said_first(folder):
    found = patches("--split-by", "dir")
    kinds = {name: files_of(text) for name, text in found.items()}
    guarded, left, judged = [name for name in kinds if "judgement" in name]
    assert kinds[guarded] == {"pkg/hub.py"} and kinds[left] == {"pkg/tests.py"}
    assert kinds[judged] == {"sub/judged.py"} and list(kinds)[-1] == judged
    head = found[judged].partition("diff --git")[0]
    assert head.index("todo: sub/judged.py:8:") < head.index("Uses of NumPy: ")
    assert "np2torch 0." in head and "Subject: [PATCH 6/6] np2torch: sub, with judgement" in head
    assert "Read first" not in "".join(text for name, text in found.items() if name not in (guarded, left, judged))


def test_a_patch_says_what_verification_said_of_its_files(folder):
    entries = [
        {"name": "half", "verdict": "different", "module": "judged", "path": "sub/judged.py", "difference": "0, not 1"},
        {"name": "f", "verdict": "equal", "module": "pkg.later", "path": "pkg/later.py", "inputs": "generated 6"},
    ]
    Path("said.json").write_text(json.dumps([entries[1], entries[0]]))
    found = patches("--split-by", "dir", "--verify", "said.json")
    said = {name: text.partition("diff --git")[0].partition("Verified: ")[2] for name, text in found.items()}
    assert [text.split("\n\n")[0].split() for text in said.values() if text] == [
        "1 equal equal pkg.later.f generated 6".split(),
        "1 different different judged.half 0, not 1".split(),
    ]


def test_what_computes_while_it_is_imported_changes_together(folder):
    found = patches("--split-by", "module", "--max-lines", "1")
    together = [files for files in map(files_of, found.values()) if len(files) > 1]
    assert {"pkg/consts.py", "pkg/use.py"} in together
    assert not any("pkg/later.py" in files for files in together)


def test_patches_of_an_earlier_run_are_replaced(folder):
    patches("--split-by", "module", "--max-lines", "1")
    Path("patches/own.patch").write_text("")
    patch_names = set(Path("patches").glob("0*.patch"))
    CliRunner().invoke(cli, ["convert", "pkg", "sub", "--output-dir", "patches", "--split-by", "outcome"])
    assert len(set(Path("patches").glob("0*.patch"))) < len(patch_names) and Path("patches/own.patch").exists()


@pytest.mark.parametrize(
    "arguments", ["--split-by dir", "--max-lines 3", "--split-by dir --write", "--verify said.json"]
)
def test_options_that_mean_nothing(folder, arguments):
    Path("said.json").write_text("[]")
    assert CliRunner().invoke(cli, ["convert", "pkg", *arguments.split()]).exit_code == 2


def grouped(**texts: str) -> list[list[str]]:
    files = [SourceFile(Path(f"{name}.py"), name, text) for name, text in texts.items()]
    after = {file.path: file.text.replace("import numpy as np", "import torch") for file in files}
    return [[path.stem for path in unit] for unit in units(files, after)]


@pytest.mark.parametrize(
    ("use", "together"),
    [
        ("from a import x\ny = x + 1\n", True),
        ("import a\ny = a.x + 1\n", True),
        ("from a import f\n\n\ndef g(n=f(1)):\n    return n\n", True),
        ("from a import f\n\n\n@f\ndef g(n):\n    return n\n", True),
        ("from a import np\n", True),
        ("from a import *\n", True),
        ("import a\n\n\ndef g():\n    return a.np.x\n", True),
        ("from a import x\n\n\ndef g() -> x:\n    return x + 1\n", False),
        ("from a import x\n\n\nclass B(x):\n    pass\n", False),
        ("import a\ny: a.x = 1\n", False),
        ("from a import x as z\n\nf = lambda: z + 1\n", False),
    ],
)
def test_units(use, together):
    found = grouped(b=use, a="import numpy as np\nx = 1\n\n\ndef f(y):\n    return y\n")
    assert (len(found) == 1) == together
    assert [name for unit in found for name in unit] == ["a", "b"]  # what is imported comes first


def test_calls_bind_all_that_they_may_reach():
    found = grouped(
        a="from b import f\ny = f(1)\n", b="import c\n\n\ndef f(x):\n    return c.x\n", c="x = 1\n", d="import a\n"
    )
    assert found == [["c", "b", "a"], ["d"]]
