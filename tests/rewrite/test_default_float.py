# ruff: noqa: E501 (tables of source texts)
"""`float = "default"`: programs set the default dtype once and say less; they still print what they printed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Converted, Settings, SourceFile
from support.paths import ROOT

EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
SHOW = '''
def show(*values):
    for value in values:
        print(str(value.dtype).replace("torch.", ""), tuple(value.shape), [f"{float(one):.14g}" for one in value.ravel()])
'''
PROGRAM = f'''\
"""A program."""
import numpy as np

LIMITS = np.array([0.5, 1])
{SHOW}

def main():
    n, f = np.arange(1, 5), np.ones(4, dtype=np.float32)
    small, flags = np.array([1, 2, 200], dtype=np.uint8), np.array([True, False])
    show(np.zeros(3), np.ones((2, 2)), np.eye(2), np.linspace(0, 1, 3), np.full(2, 1), np.full(2, 1.5))
    show(np.array([1, 2]), np.array([1, 2.5]), np.array([[1.0], [2]]), np.array(3), np.array(2.5), LIMITS)
    show(np.arange(3), np.arange(3.0), np.arange(0, 1, 0.25), np.zeros(2, dtype=int), np.zeros(2, np.float32))
    show(n / 2, n / n, n * 0.5, 1.5 - n, n + 2.5, n ** 0.5, 2.0 ** n, n // 2, n / 2.5, 1 / n, n / f, n * f, n / small[:1])
    show(np.sqrt(n), np.exp(n), np.sin(small), np.mean(n), np.std(n), n.mean(), np.log(n), np.arctan2(n, 2), np.hypot(n, n))
    show(f * 2, f * 2.5, f / 2, np.sqrt(f), f / n, small / 2, small * 0.5, np.sqrt(small), flags / 2, flags * 0.5)
    show(np.where(n > 2, 1.0, 0.0), np.where(n > 2, n, 0.5), np.concatenate([n, [0.5]]), np.sum(n) / 2, n[0] / 3, n[1] * 0.5)
    show(np.asarray([1.0, 2.0]), np.asarray([1, 2], dtype=float), np.float64(2) * n, np.true_divide(n, 4), np.divide(n, n))
    n = n / 7
    n += 1
    show(n, np.maximum(n, 1.0), np.clip(n, 0.5, 1.0), np.array([1, 2, 3])[:, None] / np.array([1, 2]))


if __name__ == "__main__":
    main()
'''


def convert(files: dict[str, str], **settings: str) -> dict[str, Converted]:
    sources = [SourceFile(Path("/nowhere") / name, name, text) for name, text in files.items()]
    done = convert_project(sources, Settings(**{"float": "default", **settings}))  # type: ignore[arg-type]
    return {converted.path.name: converted for converted in done}


def printed(text: str, folder: Path) -> str:
    path = folder / "program.py"
    path.write_text(text)
    done = subprocess.run([sys.executable, "-W", "ignore", str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_program_prints_what_it_printed_and_says_less(tmp_path):
    done, plain = convert({"p.py": PROGRAM})["p.py"], convert({"p.py": PROGRAM}, float="numpy")["p.py"]
    assert done.after.count("torch.set_default_dtype(torch.float64)\n") == 1
    assert done.after.count("float64") < plain.after.count("float64") / 2
    assert printed(done.after, tmp_path) == printed(PROGRAM, tmp_path)
    again = convert({"p.py": done.after})["p.py"]
    assert again.after == done.after


def test_what_is_no_float_keeps_its_dtype():
    text = convert({"p.py": PROGRAM})["p.py"].after
    assert "torch.tensor([1, 2.5])" in text
    assert "torch.full((2,), 1.5)" in text
    assert "torch.as_tensor([1, 2], dtype=torch.float64)" in text or "torch.tensor([1, 2], dtype=torch.float64)" in text
    assert "n / 2," in text


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_print_the_same(path, tmp_path):
    text = path.read_text()
    done = convert({path.name: text})[path.name]
    assert [remark.code for remark in done.remarks].count("NPT532") == 1
    assert printed(done.after, tmp_path) == printed(text, tmp_path)


LIBRARY = "import numpy as np\n\n\ndef zeros(n):\n    return np.zeros(n)\n"


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"p.py": LIBRARY}, "no program"),
        ({"p.py": LIBRARY + "\n\nprint(zeros(2))\n", "q.py": "import p\n\np.zeros(3)\n"}, "q imports it"),
        ({"p.py": LIBRARY + "\n\nprint(zeros(2))\n", "q.py": "import torch\n\nx = torch.ones(3)\n"}, "uses torch already"),
    ],
    ids=["library", "imported", "torch"],
)
def test_elsewhere_it_is_refused(files, why):
    done, plain = convert(files)["p.py"], convert(files, float="numpy")["p.py"]
    assert done.after == plain.after
    assert [remark.message for remark in done.remarks if remark.code == "NPT531" and why in remark.message]


def test_what_a_program_imports_is_right_whatever_the_default():
    files = {"lib.py": LIBRARY, "p.py": "import lib\nimport numpy as np\n\nprint(lib.zeros(2) + np.zeros(2))\n"}
    done = convert(files)
    assert "torch.zeros(n, dtype=torch.float64)" in done["lib.py"].after
    assert "import torch\n\ntorch.set_default_dtype(torch.float64)\nprint(" in done["p.py"].after.replace("\n\nprint", "\nprint")
