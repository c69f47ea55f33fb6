"""What people leave on NumPy stays as it is, and the program around it still gives what it gave."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from np2torch.source.pragmas import comments, pragmas
from np2torch_cli import cli
from support.paths import ROOT

HEAD = "import numpy as np\n\n\n"
ENVIRONMENT = {"PYTHONPATH": ":".join(str(ROOT / part) for part in ("src", "cli"))}


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run np2torch in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def invoke(*arguments: str):
        result = CliRunner().invoke(cli, arguments)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result

    return invoke


@pytest.fixture
def converted(run, tmp_path):
    """Convert texts with some options; both sides print the same, and a second conversion changes nothing."""

    def convert(text: str, *options: str, runs: bool = True) -> tuple[str, str]:
        (tmp_path / "m.py").write_text(text)
        done = run("convert", "--output-dir", "out", "m.py", *options)
        assert done.exit_code == 0, done.stderr
        new = (tmp_path / "out" / "m.py").read_text()
        if runs:
            printed = [_printed(path) for path in (tmp_path / "m.py", tmp_path / "out" / "m.py")]
            assert printed[0] == printed[1]
            again = run("convert", "out/m.py", *options)
            assert again.stdout == ""
        return new, done.stderr

    return convert


def _printed(path: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", path.name], cwd=path.parent, capture_output=True, text=True, env=ENVIRONMENT
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


SHOW = "\n\nif __name__ == '__main__':\n    print([round(float(one), 9) for one in f(np.array([1.0, 2.0, 4.0]))])\n"


# --------------------------------------------------------------------------------------------------- reading
@pytest.mark.parametrize(
    ("comment", "found"),
    [
        ("# np2torch: skip", [("skip", ())]),
        ("#np2torch:skip", [("skip", ())]),
        ("# np2torch: skip[NPT120, npt3]", [("skip", ("NPT120", "NPT3"))]),
        ("# np2torch: skip (the plot wants it)", [("skip", ())]),
        ("# type: ignore  # np2torch: off", [("off", ())]),
        ("# np2torch: x: float64[n]  # np2torch: skip", [("", ()), ("skip", ())]),
        ("# np2torch: skip-file", [("skip-file", ())]),
        ("# np2torch: on[NPT1]", [(None, ())]),
        ("# np2torch: skip this", [(None, ())]),
        ("# np2torch: skpi", [(None, ())]),
        ("# np2torch:", [(None, ())]),
        ("# np2torch skip", [(None, ())]),
        ("# np2torch is a tool, and np2torch: skip is prose", []),
        ("# TODO(np2torch): NPT303 stays", []),
        ("# see `# np2torch: skip`", []),
        ("# noqa", []),
    ],
)
def test_pragmas_are_read(comment, found):
    assert [(one.word, one.codes) for one in pragmas(comment)] == found


def test_strings_are_no_comments():
    text = "a = '# np2torch: skip'\nb = 1  # np2torch: skip\n# np2torch: off\n"
    assert [(one.line, one.alone) for one in comments(text)] == [(2, False), (3, True)]


# --------------------------------------------------------------------------------------------------- leaving
@pytest.mark.parametrize(
    "text",
    [
        "import numpy as np\nx = np.ones(3)  # np2torch: skip\n",
        "import numpy as np\n# np2torch: skip\nx = np.ones(\n    3,\n)\n",
        "import numpy as np\nx = np.ones(\n    3,\n    # np2torch: skip\n)\n",
        "import numpy as np\na = np.ones(3); b = np.exp(a)  # np2torch: skip\n",
        HEAD + "def f(n):  # np2torch: skip\n    '''\n    >>> np.ones(2)\n    array([1., 1.])\n    '''\n    return np.ones(n)\n",
        HEAD + "# np2torch: skip\n@print\ndef f(n):\n    return np.ones(n)\n",
        HEAD + "@print  # np2torch: skip\ndef f(n):\n    return np.ones(n)\n",
        HEAD + "class C:  # np2torch: skip\n    x = np.ones(3)\n\n    def f(self):\n        return self.x + np.pi\n",
        "# np2torch: off\nimport numpy as np\n\nx = np.ones(3)\n\n\ndef f(n):\n    return np.ones(n)\n",
        "import numpy as np\n# np2torch: off\nx = np.ones(3)\n# np2torch: on\ny = 1\n",
        "'''Doc.'''\n# np2torch: skip-file\nimport numpy as np\nx = np.exp(np.ones(3))\n",
        "import numpy as np\nfor i in np.arange(3):  # np2torch: skip\n    print('i')\n",
        "import numpy as np\nx = np.ones(3)  # np2torch: skip[NPT120]\n",
        HEAD + "def f():\n    '''\n    >>> np.ones(2)  # np2torch: skip\n    array([1., 1.])\n    '''\n",
    ],
)  # fmt: skip
def test_what_is_left_stays_as_it_is(run, tmp_path, text):
    (tmp_path / "m.py").write_text(text)
    done = run("convert", "--write", "m.py")
    assert done.exit_code == 0 and (tmp_path / "m.py").read_text() == text
    checked = run("check", "m.py")
    assert checked.exit_code == 0 and "NPT513" not in checked.stdout


def test_the_rest_is_converted(run, tmp_path):
    """The same texts without the pragmas do change, or the test above could not fail."""
    (tmp_path / "m.py").write_text("import numpy as np\nx = np.ones(3)\nfor i in np.arange(3):\n    print(i)\n")
    assert run("check", "m.py").exit_code == 1


def test_an_example_that_is_skipped_stays_beside_others(converted):
    text = HEAD + (
        "def f():\n    '''\n    >>> np.ones(2)  # np2torch: skip\n    array([1., 1.])\n"
        "    >>> np.zeros(2)\n    array([0., 0.])\n    '''\n"
    )
    new, _ = converted(text, runs=False)
    assert ">>> np.ones(2)  # np2torch: skip\n    array([1., 1.])\n" in new
    assert ">>> torch.zeros(2, dtype=torch.float64)\n    tensor([0., 0.], dtype=torch.float64)" in new


# ------------------------------------------------------------------------------------------------- the border
@pytest.mark.parametrize(
    ("body", "stays"),
    [
        ("a = x * 2\n    b = np.percentile(a, 30) + a  # np2torch: skip\n    return np.exp(b)", "np.percentile(a, 30) + a"),
        ("a = x + 1\n    # np2torch: off\n    a = a[::-1]\n    a += a.std()\n    # np2torch: on\n    return np.exp(a)", "a.std()"),
        ("return x.std() + np.ones(2)  # np2torch: skip", "x.std() + np.ones(2)"),
        ("y = np.zeros(3)\n    for i in range(3):\n        y[i] = np.log1p(x[i])  # np2torch: skip\n    return y * 2", "np.log1p(x[i])"),
        ("(a, b), c = np.modf(x), x.std()  # np2torch: skip\n    return np.exp(a) + b + c", "np.modf(x), x.std()"),
        ("a = x if x.ndim else np.ones(3)\n    b = [v.std() for v in (a, a)]  # np2torch: skip\n    return np.exp(a) + b[0]", "v.std()"),
        ("a = np.zeros(3)\n    for row in np.outer([1.0, 2.0], [3, 4, 5]):  # np2torch: skip\n        a = np.exp(row) + a\n    return a + x", "np.outer([1.0, 2.0], [3, 4, 5]):"),
    ],
)  # fmt: skip
def test_names_are_handed_over(converted, body, stays):
    new, _ = converted(f"{HEAD}def f(x):\n    {body}\n{SHOW}")
    assert stays in new and "torch" in new


def test_definitions_are_a_border_where_they_are_used(converted):
    text = HEAD + (
        "def g(x, w=1):  # np2torch: skip\n    return x.std(axis=0) * np.ones(3) * w\n\n\n"
        "class Grid:  # np2torch: skip\n    def __init__(self, x):\n        self.x = np.sort(x)\n\n"
        "    def spread(self, y):\n        return self.x.std() + y.std()\n\n\n"
        "def h(x):\n    return x.std()  # np2torch: skip\n\n\n"
        "def f(x):\n    grid = Grid(x)\n    grid.x = np.exp(x)\n"
        "    return np.array([grid.spread(x), h(x), grid.x.sum()]) + np.exp(g(x, w=x))\n"
    )
    new, _ = converted(text + SHOW)
    assert "return x.std(axis=0) * np.ones(3) * w\n" in new and "return self.x.std() + y.std()\n" in new


def test_names_that_new_text_would_use_are_handed_over_under_others(converted):
    text = HEAD + (
        "def f(x, torch=2):\n    shim, max = x * 2, np.exp(x)\n"
        "    b = np.percentile(max, 30) + shim  # np2torch: skip\n    return np.sin(b) + torch + max\n"
    )
    new, _ = converted(text + SHOW)
    assert "    max = np_shim.to_numpy(max)\n    shim = np_shim.to_numpy(shim)\n" in new


def test_lines_that_hand_over_stand_beside_imports_that_go(converted):
    text = (
        "import numpy as np\n\ny = np.arange(3.0)\n# one\nfrom numpy import cos\n# two\n\nx = y.std() + y  # np2torch: skip\n"
        "print([round(float(one), 9) for one in np.sin(x) + cos(y)])\n"
    )
    new, _ = converted(text)
    assert "y = shim.to_numpy(y)\n" in new and "y = shim.from_numpy(y)\nx = shim.from_numpy(x)\n" in new


def test_globals_and_attributes_are_handed_over(converted):
    text = HEAD + (
        "TABLE = np.arange(3.0)  # np2torch: skip\n\n\n"
        "class Own:\n    def __init__(self):\n        self.y = np.ones(3)  # np2torch: skip\n\n"
        "    def both(self, x):\n        return np.exp(self.y) + x + TABLE\n\n\n"
        "def f(x):\n    return Own().both(np.sin(x))\n"
    )
    new, _ = converted(text + SHOW)
    assert "TABLE = np.arange(3.0)  # np2torch: skip\nTABLE = shim.from_numpy(TABLE)\n" in new


def test_what_cannot_be_handed_over_is_said(converted):
    text = HEAD + (
        "def f(x):\n    table = {'a': np.exp(x)}\n    table['b'] = table['a'] * np.ones(3)  # np2torch: skip\n"
        "    return np.sin(table['a'])\n"
    )
    new, said = converted(text, runs=False)
    assert "table['b'] = table['a'] * np.ones(3)  # np2torch: skip\n" in new
    assert "m.py:6:18: NPT514 table['a'] * np.ones(3): an ndarray comes out" in said


# ------------------------------------------------------------------------------------------------------ codes
@pytest.mark.parametrize(
    ("options", "stays"),
    [
        (("--ignore", "NPT120"), "np.ones(3)"),
        (("--ignore", "NPT111"), ".std(axis=0)"),
        (("--ignore", "NPT1"), "np.ones(3)"),
        (("--ignore", "NPT1,NPT2"), "np.ones(3)"),
        (("--select", "NPT120,NPT4"), "np.exp("),
        (("--select", "npt101", "--select", "NPT4"), "np.ones(3)"),
        (("--ignore", "NPT15"), "np.convolve(y"),
    ],
)
def test_codes_that_are_not_wanted_leave_numpy(converted, options, stays):
    text = HEAD + "def f(x):\n    y = np.exp(np.ones(3)) + x\n    z = np.convolve(y, x, 'same')\n    return y + y.std(axis=0) + z\n"
    new, _ = converted(text + SHOW, *options)
    assert stays in new and "shim.ones" not in new


def test_codes_of_one_line(converted):
    text = HEAD + "def f(x):\n    a = np.ones(3)  # np2torch: skip[NPT120]\n    b = np.ones(3)\n    return a + b + np.exp(x)\n"
    new, _ = converted(text + SHOW)
    assert "np.ones(3))  # np2torch: skip[NPT120]\n    b = torch.ones(3" in new


def test_a_file_of_which_nothing_is_wanted_stays(run, tmp_path):
    text = HEAD + "def f():\n    return np.ones(3) + np.ones(3)\n"
    (tmp_path / "m.py").write_text(text)
    done = run("convert", "--ignore", "NPT120", "m.py")
    assert (done.exit_code, done.stdout) == (0, "") and "NPT514 np.ones(3)" in done.stderr
    assert "No convertible NumPy left." in run("check", "--ignore", "NPT120", "m.py").stderr


# ----------------------------------------------------------------------------------------- what means nothing
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = np.ones(3)  # np2torch: skpi\n", "m.py:4:1: NPT513 `skpi`: no pragma and no type; did you mean 'skip'?"),
        ("x = np.ones(3)  # np2torch skip\n", "NPT513 `skip`: write `# np2torch: skip`"),
        ("x = np.ones(3)  # np2torch: off\n", "`off` stands on a line of its own"),
        ("# np2torch: on\nx = np.ones(3)\n", "nothing is off here"),
        ("# np2torch: off\nx = np.ones(3)\n# np2torch: off\n", "it is off since line 4"),
        ("x = np.ones(3)  # np2torch: skip[E501]\n", "'E501' is no code or beginning of one"),
        ("x = np.ones(3)\n# np2torch: skip\n", "no statement stands here"),
        ("if x:\n    pass\nelse:  # np2torch: skip\n    x = np.ones(3)\n", "no statement stands here"),
    ],
)
def test_pragmas_without_meaning_are_reported(run, tmp_path, text, message):
    (tmp_path / "m.py").write_text(HEAD + text)
    assert message in run("check", "m.py").stdout
    assert message in run("convert", "m.py").stderr
    assert "::warning file=m.py" in run("check", "--output-format", "github", "m.py").stdout
