"""What the documentation says is what the program does: codes, examples, and the pages made from the rules."""

from __future__ import annotations

import ast
import contextlib
import doctest
import importlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import build_docs
import click
import man_page
import numpy as np
import pytest
import shim_reference
import torch

from np2torch import shim
from np2torch.names import resolve
from np2torch.report.coverage_pages import coverage_pages
from np2torch.report.pages import code_page
from np2torch.rules.codes import CODES, SERIES
from np2torch.rules.core import FUNCTIONS
from np2torch.source.setting_keys import KEYS
from np2torch.source.settings import load_settings
from np2torch.verify.compare import difference
from np2torch_cli import cli
from support.fixture_pairs import FIXTURES, converted, differences
from support.paths import ROOT

CODE = re.compile(r"NPT\d{3}\b")
HEADER = "import numpy as np\n"


# --------------------------------------------------------------------------------------------------- codes
def spoken_of(path: Path) -> set[str]:
    """The codes in a file's string literals, docstrings left out."""
    tree = ast.parse(path.read_text("utf-8"))
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    literals = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in docs]
    return {code for node in literals if isinstance(node.value, str) for code in CODE.findall(node.value)}


def test_the_table_names_the_codes_of_the_source():
    files = [p for part in ("src", "cli") for p in (ROOT / part).rglob("*.py") if p.name != "codes.py"]
    emitted = set().union(*map(spoken_of, files))
    assert emitted == set(CODES)
    assert list(CODES) == sorted(CODES)
    assert all(code[:4] in SERIES for code in CODES)


@pytest.mark.parametrize("code", [code for code in CODES if CODES[code].example])
def test_an_example_shows_its_code(code, project):
    done = project({"m.py": HEADER + CODES[code].example})["m.py"]
    assert code in {found.code for found in (*done.sites, *done.problems, *done.remarks, *done.guards)}, done


def test_only_what_no_single_file_can_show_has_no_example():
    bare = {code for code in CODES if not CODES[code].example}
    several = (*range(505, 515), 530, 531, 532, 535, 536, 537, 538, 605, 606)
    without = {"NPT100", "NPT135", "NPT143", "NPT405", "NPT501", "NPT502", "NPT576", *(f"NPT{n}" for n in several)}
    assert bare <= without | {code for code in CODES if code.startswith("NPT9")}


# ---------------------------------------------------------------------------------------------------- coverage
@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    """The generated pages of coverage."""
    return coverage_pages()


def test_every_public_name_is_on_one_page(pages):
    rows = [line for path, text in pages.items() for line in text.splitlines() if line.startswith("| `")]
    first = [row.split("|")[1] for row in rows if "(../codes/" in row]
    named = [name for cell in first for name in re.findall(r"`([\w.]+)`", cell)]
    folded = tuple(name for cell in first for name in re.findall(r"`([\w.]+\.)\*`", cell))
    public = {n.removeprefix("numpy.") for n, kind in resolve.public().items() if kind != "module"}
    assert {name for name in public if name not in named and not name.startswith(folded)} == set()
    own = [name for name in named if name in public]
    assert sorted(own) == sorted(set(own))


def test_a_page_counts_what_it_lists(pages):
    text = pages["api/reductions.md"]
    native = re.search(r"(\d+) native", text)
    assert native is not None
    rows = [line.split("|")[1] for line in text.splitlines() if "| native |" in line]
    assert int(native[1]) == sum(row.count("`") // 2 for row in rows) > 10
    assert "| `std` | native | `torch.std(a, correction=0)` | [NPT111](../codes/NPT111.md) | Population" in text


def test_the_page_of_codes_is_filled_in():
    page = build_docs.on_page_markdown("before <!-- codes --> after", None)
    assert page.startswith("before ") and page.endswith(" after") and "[NPT204](codes/NPT204.md)" in page


def test_links_between_pages_exist(pages):
    codes = {f"codes/{code}.md": code_page(code, CODES[code]) for code in ("NPT111", "NPT903", "NPT501")}
    known = {*(f"codes/{code}.md" for code in CODES), *pages}
    for path, text in (pages | codes).items():
        for target in re.findall(r"\]\(([\w./]+\.md)\)", text):
            assert target.removeprefix("../") in known or f"api/{target}" in known, (path, target)


# ---------------------------------------------------------------------------------------------------- examples
def blocks(page: str) -> list[str]:
    """The Python blocks of a page."""
    return re.findall(r"```python\n(.*?)```", (ROOT / page).read_text("utf-8"), re.DOTALL)


def printed(program: str) -> str:
    """What a program prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(program, "README", "exec"), {"__name__": "__main__"})
    return out.getvalue()


def test_the_readme_shows_what_is_printed(convert):
    before, after = blocks("README.md")
    assert convert(before) == after
    assert printed(before) == printed(after) != ""


def test_the_example_of_contributing_is_all_it_takes(tmp_path, monkeypatch):
    entry, before, after = blocks("CONTRIBUTING.md")[:3]
    name = "numpy.fft.ifftshift"
    old = FUNCTIONS[name]
    monkeypatch.setitem(FUNCTIONS, name, old)
    exec(compile(entry, "CONTRIBUTING", "exec"), {"__name__": "np2torch.rules.fft"})
    assert FUNCTIONS[name] is not old
    shutil.copy(FIXTURES / ".editorconfig", tmp_path)
    path = tmp_path / "shift_numpy.py"
    path.write_text(before)
    assert converted(path).after == after
    assert list(differences(path, after)) == []


def test_the_pairs_of_a_page_are_conversions(convert):
    page = (ROOT / "docs" / "reading-a-diff.md").read_text("utf-8")
    pairs = re.findall(r'```python title="before"\n(.*?)```\s+```python title="after"\n(.*?)```', page, re.DOTALL)
    assert len(pairs) == page.count('title="after"') > 5
    for before, after in pairs:
        assert convert(before) == after


TUTORIAL = re.compile(r'^```(\w+)(?: title="(.*?)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)


def test_the_tutorial_can_be_followed(tmp_path):
    """Files are written, commands run, and each line that is shown is in what they print."""
    run = {"np2torch": [sys.executable, "-m", "np2torch_cli"], "python": [sys.executable]}
    paths = os.pathsep.join([str(ROOT / "src"), str(ROOT / "cli"), str(tmp_path)])
    environment = {**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "200"}
    for language, title, text in TUTORIAL.findall((ROOT / "docs" / "tutorial.md").read_text("utf-8")):
        if title:
            (tmp_path / title).parent.mkdir(exist_ok=True)
            (tmp_path / title).write_text(text, "utf-8")
        commands = re.findall(r"^\$ (.*)\n((?:[^$].*\n)*)", text, re.MULTILINE) if language == "console" else []
        for command, shown in commands:
            program, *arguments = shlex.split(command)
            done = subprocess.run(
                [*run[program], *arguments], cwd=tmp_path, env=environment, text=True, capture_output=True, check=False
            )  # fmt: skip
            said = done.stdout + done.stderr
            assert [line for line in shown.splitlines() if line not in said] == [], said


CONTRACTS = ROOT / "docs" / "contracts.md"


@pytest.mark.parametrize("at", range(len(re.findall("```pycon", CONTRACTS.read_text("utf-8")))))
def test_the_guards_of_the_page_do_what_it_says(at):
    shown = re.findall(r"```pycon\n(.*?)```", CONTRACTS.read_text("utf-8"), re.DOTALL)
    names = {"torch": torch, "shim": shim, "x": torch.ones(2)}
    examples = doctest.DocTestParser().get_doctest(shown[at], names, f"block {at}", str(CONTRACTS), 0)
    assert examples.examples
    assert doctest.DocTestRunner(verbose=False).run(examples).failed == 0


def test_the_function_of_the_page_is_right_for_whoever_calls_it():
    before, after = re.findall(r'```python title="(?:before|after)"\n(.*?)```', CONTRACTS.read_text("utf-8"), re.DOTALL)
    old, new = {}, {}
    exec(before, old)
    exec(after, new)
    arrays = [np.array([1, 2, 4], dtype=dtype) for dtype in (np.float64, np.float32, np.float16, np.int64)]
    for x in [[1, 2, 4], (1, 2.5), [[0.5, 1.5]], *arrays]:
        given = torch.from_numpy(x.copy()) if isinstance(x, np.ndarray) else x
        assert difference(old["softmax"](x), new["softmax"](given)) is None
    with pytest.raises(TypeError, match="real numbers are expected"):
        new["softmax"](torch.tensor([1j]))


# ----------------------------------------------------------------------------------------- settings and options
@pytest.mark.parametrize("page", ["README.md", "docs/settings.md"])
def test_settings_shown_are_settings(page, tmp_path):
    (shown,) = re.findall(r"```toml\n(.*?)```", (ROOT / page).read_text("utf-8"), re.DOTALL)
    (tmp_path / "pyproject.toml").write_text(shown)
    load_settings([tmp_path])
    table = re.findall(r"^\| `([\w-]+)` \|", (ROOT / "docs" / "settings.md").read_text("utf-8"), re.MULTILINE)
    assert sorted(table) == sorted(KEYS)


def test_options_shown_are_options():
    page = (ROOT / "docs" / "cli.md").read_text("utf-8")
    listed = {
        option for row in re.findall(r"^\| (`-.*?) \|", page, re.MULTILINE) for option in re.findall(r"--[\w-]+", row)
    }
    verbs = [importlib.import_module(f"np2torch_cli.{verb}").command for verb in ("convert", "check", "trace")]
    real = {option for verb in verbs for p in verb.params for option in p.opts if option.startswith("--")}
    assert listed == real


# ------------------------------------------------------------------------------------------------- commands and pages
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])


def commands(text: str) -> list[str]:
    """Commands of np2torch on a page: behind prompts, in steps of CI, in code within a line."""
    blocks = re.findall(r"^ *```(?:console|yaml|bash|text)\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE)
    lines = [line.strip().removeprefix("$ ").removeprefix("- ") for block in blocks for line in block.splitlines()]
    return [one for one in [*lines, *re.findall(r"`(np2torch [^`\n]*)`", text)] if one.startswith("np2torch ")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_have_the_options_that_are_shown(page):
    context = click.Context(cli)
    for line in commands(page.read_text("utf-8")):
        words = shlex.split(re.split(r" [|>#] | -- |\.\.\.|, ", line)[0])[1:]
        if not words or words[0].startswith("-") or words[0].isupper():
            continue
        command = cli.get_command(context, words[0])
        assert command is not None, line
        known = {name for one in command.params for name in (*one.opts, *one.secondary_opts)} | {"-h", "--help"}
        shown = {re.split("[=|]", word)[0] for word in words[1:] if word.startswith("-")} - {"-", "--"}
        assert shown <= known, line


def test_the_reference_has_every_function_of_the_shim():
    pages = shim_reference.pages()
    assert "* `interp(x, xp, fp, left=None, right=None, period=None)`" in pages["shim/calculus.md"]
    assert not any(re.search(r"0x[0-9a-f]{6}|<function|<class", text) for text in pages.values())
    listed = {name for text in pages.values() for name in re.findall(r"^\* `(\w+)", text, re.MULTILINE)}
    names = {name for name in dir(shim) if name[0] != "_" and callable(getattr(shim, name))}
    assert names - listed <= {"AxisError"}, sorted(names - listed)


def test_the_manual_page_says_what_help_says():
    assert man_page.PATH.read_text("utf-8") == man_page.page(), "python tools/man_page.py"
