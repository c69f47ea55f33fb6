"""The worked examples: converted, run on both sides as scripts and case by case, equal."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Converted, Settings, SourceFile
from np2torch_cli import cli
from support.paths import ROOT

EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
SHARE = 0.75
"""What of an example is native at least."""
FAITHFUL = ("maze", "smoke", "network")
"""Examples that do not hang on the last digits."""
NUMBER = re.compile(r"\d+\.\d+")


def converted(path: Path, **settings: str) -> Converted:
    file = SourceFile(path, path.name, path.read_text("utf-8"))
    return next(iter(convert_project([file], Settings(**settings))))  # type: ignore[arg-type]


def printed(path: Path) -> str:
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_worked_examples_of_the_rfc_are_here() -> None:
    assert {path.stem for path in EXAMPLES} == {"clusters", "mandelbrot", "maze", "network", "smoke"}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_becomes_torch(path: Path) -> None:
    done = converted(path)
    native = sum(site.outcome in ("native", "cast") for site in done.sites)
    assert not done.problems and not [site for site in done.sites if site.outcome == "todo"]
    assert native / len(done.sites) >= SHARE and "numpy" not in done.after.replace("NumPy", "").replace("np2torch", "")


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_both_sides_print_the_same(path: Path, tmp_path: Path) -> None:
    new = tmp_path / path.name
    new.write_text(converted(path).after)
    assert printed(new) == printed(path) != ""


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_both_sides_agree_case_by_case(path: Path, tmp_path: Path) -> None:
    new = tmp_path / path.name
    new.write_text(converted(path).after)
    result = CliRunner().invoke(cli, ["verify", "--no-generate", str(path), str(new)])
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("name", FAITHFUL)
def test_with_policies_they_print_as_much(name: str, tmp_path: Path) -> None:
    (path,) = (path for path in EXAMPLES if path.stem == name)
    new = tmp_path / path.name
    new.write_text(converted(path, float="float32", device="cpu").after)
    old, new_text = printed(path), printed(new)
    assert NUMBER.sub("", old) == NUMBER.sub("", new_text)
    numbers = [[float(number) for number in NUMBER.findall(text)] for text in (old, new_text)]
    assert numbers[0] == pytest.approx(numbers[1], rel=1e-5)
