"""Texts that are large or deep: literals with very many constants, trees nested deeply."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from np2torch.names.parsing import MOST_NESTED, TooDeepError, parse_source
from np2torch.rewrite.convert import convert_project
from np2torch.source import literals
from np2torch.source.literals import TooLargeError, summarise_literals
from np2torch.source.model import Converted, Settings, SourceFile

N = 700
NUMBERS = [str(number) for number in range(N)]
MANY = ", ".join(NUMBERS)
USE = "\n\n\ndef f():\n    return A / 2, np.sum(A)\n"
ROWS = "".join(f"    [{number}, -{number}.5],  # row\n" for number in range(N))


def among(odd: str) -> str:
    """Numbers with something else late among them."""
    return f"[{MANY}, {odd}, {MANY}]"


TEXTS = {
    "one line": f"A = np.array([{MANY}]){USE}",
    "rows": f"A = np.array([\n{ROWS}]){USE}",
    "more on the last line": f"A = np.array([\n{ROWS}    ]); B = np.cumsum(A){USE}",
    "CR LF": f"A = np.array([\n{ROWS}]){USE}".replace("\n", "\r\n"),
    "a float late": f"A = np.array({among('2.5')}){USE}",
    "a negative number late": f"A = np.array({among('-2')}){USE}\nB = 2 ** A\n",
    "a complex number late": f"A = np.array({among('1+2j')}){USE}\nB = abs(A)\n",
    "an integer that no int64 holds": f"A = np.array({among(str(10**20))}){USE}",
    "None late": f"A = {among('None')}\n\n\ndef f():\n    return [np.ones(3) * a for a in A]\n",
    "a word late": f"A = {among(repr('float32'))}\n\n\ndef f():\n    return [np.ones(3, a) for a in A]\n",
    "wide": f"A = np.array([\n{'    [' + MANY + '],'}\n    [{MANY}],\n]){USE}",
    "ragged": f"A = [{', '.join('[' + '1, ' * (n % 7) + '2]' for n in range(N))}]\nB = np.array(A[0])\n",
    "a tuple": f"A = ({MANY})\n\n\ndef f():\n    return np.array(A), A[3] + np.ones(2)\n",
    "a set": f"A = {{{MANY}}}\n\n\ndef f(k):\n    return np.ones(3) if k in A else [k]\n",
    "is it in": f"def f(k={N - 1}):\n    return np.ones(3) / 2 if k in ({MANY}) else [k]\n\n\nB = np.sum(f({N - 1}))\n",
    "names among them": f"A = np.array([{MANY}, np.nan, {MANY}]){USE}",
    "words": f"A = [{', '.join(map(repr, NUMBERS))}]\n\n\ndef f():\n    return np.array(A), np.zeros(len(A))\n",
    "exports": f"__all__ = [{', '.join(repr('f' + n) for n in NUMBERS)}]\n\n\ndef f3(x=np.ones(2)):\n    pass\n",
    "arguments": f"def f(*a):\n    return np.array(a)\n\n\nB = f({MANY})\n",
}


@pytest.fixture
def low(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounds that small texts reach."""
    monkeypatch.setattr(literals, "MOST_CONSTANTS", 300)
    monkeypatch.setattr(literals, "SHORTEST_RUN", 150)


def converted(text: str) -> Converted:
    (done,) = convert_project([SourceFile(Path("m.py"), "m.py", text)], Settings(closed=("*",)))
    assert not done.problems and done.before == text
    return done


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_comes_out_as_if_nothing_had_been_cut(low: None, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "import numpy as np\n\n" + TEXTS[name]
    assert (summarise_literals(text) is None) == (name in ("exports", "arguments"))
    after = converted(text)
    assert after.is_changed and all("\f" not in site.source for site in after.sites)
    monkeypatch.setattr(literals, "MOST_CONSTANTS", 10**9)
    whole = converted(text)
    assert after.after == whole.after
    assert [(s.line, s.column, s.outcome) for s in after.sites] == [(s.line, s.column, s.outcome) for s in whole.sites]


def test_a_dict_has_keys_that_nobody_knows(low: None) -> None:
    text = "import numpy as np\n\nD = {" + ", ".join(f"'k{n}': {n}.5" for n in NUMBERS) + "}\nx = np.sqrt(D['k650'])\n"
    after = converted(text).after
    assert text.split("\n")[2] in after and "shim.sqrt" in after


@pytest.mark.parametrize("name", TEXTS)
def test_lines_and_columns_around_a_cut_stay(low: None, name: str) -> None:
    text = "import numpy as np\n\n" + TEXTS[name]
    if (summary := summarise_literals(text)) is not None:
        assert summary.restore(summary.text) == text and summary.restore(summary.compact(summary.text)) == text
        last, same = (ast.parse(one).body[-1] for one in (text, summary.text))
        assert ast.dump(last, include_attributes=True) == ast.dump(same, include_attributes=True) or "in (" in text
        assert summary.restore(summary.text * 2) is None and summary.restore("") is None


def test_what_stays_too_large_is_said(low: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(literals, "MOST_LEFT", 500)
    text = f"import numpy as np\nA = [{'1, np.nan, ' * 600}]\n"
    with pytest.raises(TooLargeError, match="600 constants"):
        summarise_literals(text)
    (done,) = convert_project([SourceFile(Path("m.py"), "m.py", text)], Settings(closed=("*",)))
    assert [(one.code, one.line) for one in done.problems] == [("NPT905", 2)] and not done.is_changed


def test_memory_stays_small(tmp_path: Path) -> None:
    """100,000 rows, in a process that may use half a GB."""
    path = tmp_path / "big.py"
    rows = "".join(f"    [{n}.5, {n}.25, -{n}.0],\n" for n in range(100_000))
    path.write_text(f"import numpy as np\n\nDATA = np.array([\n{rows}])\nx = DATA / 2\n")
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29)); "
        "from np2torch_cli import cli; cli(['convert', '-q', '--write', sys.argv[1]])"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    text = path.read_text()
    assert text.startswith("import torch\n") and text.count("\n") == 100_005 and rows in text


# ------------------------------------------------------------------------------------------------ depth
DEEP = {
    "brackets": "x = " + "(" * 3000 + "1" + ")" * 3000,
    "lists": "x = " + "[" * 30_000 + "]" * 30_000,
    "signs": "x = " + "-" * 30_000 + "1",
    "sums": "x = 1" + " + 1" * 30_000,
    "and": "x = 1" + " and 2" * 30_000,
    "calls": "x = np.ones(3)" + ".copy()" * 30_000,
    "attributes": "x = np" + ".a" * 30_000,
    "elif": "x = 1\nif x == 0:\n    pass\n" + "elif x == 1:\n    pass\n" * 30_000,
    "conditions": "x = " + "1 if x else " * 30_000 + "2",
    "lambdas": "x = " + "lambda: " * 30_000 + "2",
}


@pytest.mark.parametrize("name", DEEP)
def test_what_is_nested_too_deeply_is_one_problem(name: str) -> None:
    files = [("deep.py", f"import numpy as np\n{DEEP[name]}\n"), ("a.py", "import numpy as np\nx = np.ones(3)\n")]
    deep, other = convert_project([SourceFile(Path(path), path, text) for path, text in files], Settings(closed=("*",)))
    assert [one.code for one in deep.problems] == ["NPT905"] and not deep.is_changed
    assert "torch.ones" in other.after and not other.problems


@pytest.mark.parametrize("name", ["and", "lists", "brackets", "sums"])
def test_a_syntax_error_beside_deep_nesting_is_no_crash(name: str) -> None:
    file = SourceFile(Path("a.py"), "a.py", f"import numpy as np\nx = = 1\n{DEEP[name]}\n")
    (done,) = convert_project([file], Settings(closed=("*",)))
    assert [one.code for one in done.problems] in (["NPT903"], ["NPT905"])


def test_the_bound_of_depth() -> None:
    parse_source("x = 1" + " + 1" * (MOST_NESTED - 10))
    with pytest.raises(TooDeepError):
        parse_source("x = 1" + " + 1" * MOST_NESTED)
    with pytest.raises(TooDeepError):
        parse_source("x = 1" + " or 1" * MOST_NESTED)
