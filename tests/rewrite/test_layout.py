# ruff: noqa: E501 (tables of source texts)
"""Long lines are broken as black breaks them; the length is the project's own."""

from __future__ import annotations

import ast
import textwrap

import pytest

from np2torch.rewrite.convert import convert_project
from np2torch.rewrite.layout import fit_lines
from np2torch.source.line_length import line_length
from np2torch.source.model import Settings, SourceFile
from support.fixture_pairs import FIXTURES

STATEMENTS = [
    (path, node)
    for path in sorted(FIXTURES.rglob("*_torch.py"))
    for node in ast.walk(ast.parse(path.read_text("utf-8")))
    if isinstance(node, (ast.Assign, ast.Return, ast.Expr, ast.AugAssign)) and len(ast.unparse(node)) > 60
]


def test_every_statement_of_the_fixtures_can_be_broken():
    broken = too_long = 0
    for path, node in STATEMENTS:
        text = ast.unparse(node)
        if "\n" in text or "'" * 3 in text:
            continue
        done = fit_lines("x", text, 60)
        assert ast.dump(ast.parse(done)) == ast.dump(ast.parse(text)), path
        assert fit_lines("x", done, 60) == done
        broken += done != text
        too_long += sum(len(line) > 60 and ("(" in line[:-1] and ", " in line) for line in done.splitlines())
    assert broken > 1000
    assert too_long < broken / 20  # lambdas, strings


@pytest.mark.parametrize(
    ("line", "lines"),
    [
        ("x = aaaaaaaaaaaaaaa(bbbbbbbbbbbbbbbbbbb, ccccccccc)", "x = aaaaaaaaaaaaaaa(\n    bbbbbbbbbbbbbbbbbbb, ccccccccc\n)"),
        ("x = aaaaaaaaaaaaaaaaaaaa + bbbbbbbbbbbbbbbbbbbbbb - c", "x = (\n    aaaaaaaaaaaaaaaaaaaa\n    + bbbbbbbbbbbbbbbbbbbbbb\n    - c\n)"),
        ("return aaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbb(c)", "return (\n    aaaaaaaaaaaaaaaaaaaaa,\n    bbbbbbbbbbbbbbbbbbbb(c),\n)"),
        ("x[aaaaaaaaaaaaaaaaaaaaa] = bbbbbbbbbbbbbbbbbbbbbbb(c)", "x[aaaaaaaaaaaaaaaaaaaaa] = bbbbbbbbbbbbbbbbbbbbbbb(\n    c\n)"),
        ("f(aaaaaaaaaaa=1, bbbbbbbbbbbbb=-2, cccccccccccc=x not in y)", "f(\n    aaaaaaaaaaa=1,\n    bbbbbbbbbbbbb=-2,\n    cccccccccccc=x not in y,\n)"),
        ("x = [aaaaaaaaaaaaaaaa for b, c in dddddddddd if eeeee if f]", "x = [\n    aaaaaaaaaaaaaaaa\n    for b, c in dddddddddd\n    if eeeee\n    if f\n]"),
        ("f(*aaaaaaaaaaaaaaaaaaaa, **bbbbbbbbbbbbbbbbbbbbbbbbbb)", "f(\n    *aaaaaaaaaaaaaaaaaaaa,\n    **bbbbbbbbbbbbbbbbbbbbbbbbbb,\n)"),
        ("raise E('aaaaaaaaaaaaaaaaaaaaa' 'bbbbbbbbbbbbbbbbbb', ccccc)", "raise E(\n    'aaaaaaaaaaaaaaaaaaaaa'\n    'bbbbbbbbbbbbbbbbbb',\n    ccccc,\n)"),
        ("x = ('aaaaaaaaaaaaaaaaaaaaa' 'bbbbbbbbbbbbbb').format(c)", "x = (\n    'aaaaaaaaaaaaaaaaaaaaa'\n    'bbbbbbbbbbbbbb'\n).format(c)"),
        ("g(aaaaaaaaaaaaaaaaaaaa for bbbbbbbbbbbb in cccccccccc)", "g(\n    aaaaaaaaaaaaaaaaaaaa\n    for bbbbbbbbbbbb in cccccccccc\n)"),
    ],
)  # fmt: skip
def test_how_a_line_is_broken(line: str, lines: str):
    assert fit_lines("x", line, 40) == lines


def test_what_was_too_long_before_stays():
    long = "x = aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa(bbbbbbbbbbbbbbbbbbb, ccccccccc)"
    assert fit_lines(long, long.replace("aaaa", "dddd"), 40) == long.replace("aaaa", "dddd")


@pytest.mark.parametrize(
    ("files", "length"),
    [
        ({}, 88),
        ({"pyproject.toml": "[tool.black]\nline-length = 99\n"}, 99),
        ({"pyproject.toml": "[tool.ruff]\nline-length = 77\n"}, 77),
        ({"ruff.toml": "line-length = 66\n", "pyproject.toml": "[tool.black]\nline-length = 99\n"}, 66),
        ({"setup.cfg": "[flake8]\nmax-line-length = 111\n"}, 111),
        ({"tox.ini": "[pycodestyle]\nmax_line_length = 100\n"}, 100),
        ({".editorconfig": "root = true\n[*]\nmax_line_length = 50\n[*.{js,py}]\nmax_line_length = 60\n"}, 60),
        ({".editorconfig": "[*.js]\nmax_line_length = 60\n"}, 88),
        ({"pyproject.toml": "[tool.black\n"}, 88),
        ({"../pyproject.toml": "[tool.black]\nline-length = 99\n"}, 99),
    ],
)  # fmt: skip
def test_the_length_is_the_projects_own(tmp_path, files, length):
    folder = tmp_path / "project"
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text)
    assert line_length(folder / "a.py", "x = 1\n") == length


def test_without_a_statement_the_lines_of_the_file_show_it(tmp_path):
    assert line_length(tmp_path / "a.py", "# " + "x" * 100 + "\n" + "y" * 200) == 102


def convert(text: str) -> str:
    done = next(iter(convert_project([SourceFile(FIXTURES / "layout" / "a.py", "a.py", text)], Settings())))
    assert not done.problems
    return done.after


def test_comments_are_never_lost():
    before = """
        import numpy as np

        def f(a, b):
            x = (a  # one
                 # two
                 + b)  # three
            while (a @  # four
                    b):
                x = a  # five
            return np.asarray(x)
        """
    after = convert(textwrap.dedent(before))
    for word in ("one", "two", "three", "four", "five"):
        assert after.count(f"# {word}\n") == 1


def test_lines_of_which_a_comment_speaks_are_not_broken():
    text = "import numpy as np\nx = np.zeros((2, 3)) + np.ones((2, 3)) + np.zeros((2, 3)) + np.ones(3)  # noqa: E501\n"
    assert len(convert(text).splitlines()) == len(text.splitlines())


def test_only_what_was_rewritten_is_broken():
    long = "y = [" + ", ".join(["1000"] * 30) + "]\n"
    assert long in convert("import numpy as np\n" + long + "x = np.zeros(3)\n")


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        (  # a line that goes on behind a backslash
            "x = aaaaaaaaaaaaaaaaaaaaaaaa \\\n    + bbbbbbbbbbbbbbbbbb",
            "x = f(aaaaaaaaaaaaaaaaaaaaaaaa \\\n    + bbbbbbbbbbbbbbbbbb, ccccccccccc)",
            "x = f(\n    aaaaaaaaaaaaaaaaaaaaaaaa\n    + bbbbbbbbbbbbbbbbbb,\n    ccccccccccc,\n)",
        ),
        (  # one that still fits
            "x = aaaaaaaaaaaaaaaaaaaaaaaa \\\n    + b",
            "x = ccccccccccccccccccccccccc \\\n    + b",
            "x = ccccccccccccccccccccccccc \\\n    + b",
        ),
        (  # brackets that the rewriting tears apart
            "x = f(\n    (a)\n    & (b)\n)",
            "x = f(g((a)\n    & (b), c))",
            "x = f(g((a) & (b), c))",
        ),
        (  # people's own style
            "x = f(a,\n      b)",
            "x = g(f(a,\n      b))",
            "x = g(f(a,\n      b))",
        ),
    ],
)
def test_lines_that_do_not_fit_their_brackets_any_more(old: str, new: str, lines: str):
    assert fit_lines(old, new, 40) == lines
