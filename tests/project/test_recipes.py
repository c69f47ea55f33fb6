"""The recipes of CONTRIBUTING.md, followed to the letter in a copy of the tree."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from importlib.util import cache_from_source
from pathlib import Path
from typing import NamedTuple

import pytest

from support.paths import ROOT

PAGE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
RECIPES = dict(re.findall(r"^## Recipe: (.*?)\n(.*?)(?=^## )", PAGE, re.M | re.S))
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
SETTINGS = '[tool.ruff]\nline-length = 120\n\n[tool.np2torch]\nclosed = ["*"]\n'
FOR_A_FILE = re.compile(r"# ((?:src|tests|tools)/\S+)\n")


class Copy(NamedTuple):
    """A copy of the tree, and the folder of a project beside it."""

    tree: Path
    project: Path

    def run(self, *command: str) -> str:
        """Run a command of a recipe, and give all that it says."""
        there = [sys.executable, "-m", "np2torch_cli"] if command[0] == "np2torch" else [sys.executable]
        paths = os.pathsep.join(str(self.tree / part) for part in ("src", "cli"))
        done = subprocess.run(
            [*there, *command[1:]], cwd=self.tree if command[1].startswith("tools/") else self.project, text=True,
            capture_output=True, env={**os.environ, "PYTHONPATH": paths}, check=False,
        )  # fmt: skip
        assert done.returncode in ((0, 1) if command[0] == "np2torch" else (0,)), done.stderr
        return done.stdout + done.stderr

    def apply(self, diff: str) -> None:
        """Replace what a diff shows, which stands once in its file."""
        head, _, body = diff.partition("\n")
        path = self.tree / head.removeprefix("--- ")
        lines = body.splitlines()
        old, new = ("\n".join(line[1:] for line in lines if line[0] != sign) for sign in "+-")
        text = path.read_text("utf-8")
        assert text.count(old) == 1, (path, old)
        self.write(path, text.replace(old, new))

    def write(self, path: Path, text: str) -> None:
        """Write a module anew; what was compiled of it before goes, which is told apart by size and second alone."""
        path.write_text(text, "utf-8")
        Path(cache_from_source(str(path))).unlink(missing_ok=True)


def split(recipe: str) -> tuple[list[tuple[str, str]], list[str], str]:
    """Give the steps of a recipe, the text before and after, and what it prints."""
    steps, programs, printed = [], [], ""
    for language, text in BLOCK.findall(recipe):
        if language in ("diff", "console") or FOR_A_FILE.match(text):
            steps.append((language, text))
        elif language == "python":
            programs.append(text)
        else:
            printed = text
    return steps, programs, printed


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_is_all_it_takes(name, tmp_path):
    copy = Copy(tmp_path / "tree", tmp_path / "project")
    for part in ("src", "cli", "tools"):
        shutil.copytree(ROOT / part, copy.tree / part)  # with what is compiled: compiling is most of the time
    steps, (before, after), printed = split(RECIPES[name])
    copy.project.mkdir()
    (copy.project / "pyproject.toml").write_text(SETTINGS)
    program = copy.project / "before.py"
    program.write_text(before)
    copy.run("np2torch", "convert", "--quiet", "--output-dir", "without", "before.py")
    was = (copy.project / "without" / "before.py").read_text("utf-8")
    assert was != after or name == "a diagnostic", "there is nothing to do"
    for language, text in steps:
        if language == "diff":
            copy.apply(text)
        elif language == "console":
            for command, expected in re.findall(r"^\$ (.*)\n((?:[^$].*\n)*)", text, re.M):
                said = copy.run(*shlex.split(command))
                assert [line for line in expected.splitlines() if line not in said] == [], said
        elif (place := FOR_A_FILE.match(text)) is not None:
            path = copy.tree / place[1]
            before_it = path.read_text("utf-8") if path.exists() else ""
            copy.write(path, before_it + ("\n\n" if language == "python" else "") + text[place.end() :])
    copy.run("np2torch", "convert", "--quiet", "--write", "before.py")
    assert program.read_text("utf-8") == after
    if printed:
        assert copy.run("python", "before.py") == printed


def test_the_recipes_are_all_there():
    assert len(RECIPES) == 6
