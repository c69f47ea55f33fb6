"""`np2torch explain`: facts of a line, where they come from, and what would make a site native."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path

import pytest
from click import unstyle
from click.testing import CliRunner

from np2torch.report.explanation import as_json, text_lines
from np2torch.rewrite.convert import convert_project
from np2torch.rewrite.explain import Explanation, explain_line
from np2torch.rules.codes import CODES
from np2torch.source.model import Settings, SourceFile
from np2torch_cli import cli

MODULE = '''
import numpy as np
from data import load

SCALE = load("scale")


def area(points: np.ndarray, weights, sizes=None):
    """Area.

    Parameters
    ----------
    weights : ndarray of shape (n,)
    """
    total = points % points
    again = weights.sum() / SCALE
    return np.interp(points, points, points), total, again, sizes


class Model:
    def __init__(self, x):
        self.x = x  # np2torch: self.x: float64[n]

    def run(self):
        return self.x / 3, load(1).std(), np.ma.masked_invalid(self.x)


area(load(1), np.arange(3))
'''
FILES = {"m.py": MODULE, "data.py": "import numpy as np\n\n\ndef load(name):\n    return decode(name)\n"}


LIBRARY = '''
import numpy as np

__all__ = ["scaled", "Model"]


def scaled(x, d=1.5):
    return 0.5 * x + d


def _halved(values, count: int):
    def inner(t):
        return t / count

    return inner(np.exp(values))


class Model:
    def run(self, x: np.ndarray) -> np.ndarray:
        return _halved(x, 2)
'''


def explain(
    line: str, files: dict[str, str] | None = None, closed: tuple[str, ...] = ("*",)
) -> Explanation:
    """The explanation of the only line of m.py with that text in it."""
    files = files or FILES
    sources = [SourceFile(Path(path), path, text) for path, text in files.items()]
    (number,) = [n for n, text in enumerate(files["m.py"].splitlines(), 1) if line in text]
    found = explain_line(sources, Settings(closed=closed), Path("m.py"), number)
    assert isinstance(found, Explanation)
    return found


def origins(found: Explanation, source: str) -> list[tuple[str, str, str]]:
    """Kind, place and fact of the origins of an expression."""
    (expression,) = [e for e in found.expressions if e.source == source]
    return [(origin.kind, origin.place, origin.fact) for origin in expression.origins]


def test_a_parameter_comes_from_calls_annotations_docstrings_and_use():
    assert origins(explain("total = points"), "points") == [
        ("parameter", "m.py:8", ""), ("call", "m.py:28", "unknown"), ("annotation", "m.py:8", "array[...]"),
    ]  # fmt: skip
    assert origins(explain("again = weights"), "weights") == [
        ("parameter", "m.py:8", ""), ("call", "m.py:28", "int64[n]"), ("docstring", "m.py:13", "array[n]"),
    ]  # fmt: skip
    line = explain("return np.interp")
    assert origins(line, "sizes")[1:] == [
        ("call", "m.py:28", "the default, or not seen"), ("default", "m.py:8", "None"),
    ]  # fmt: skip
    assert origins(line, "total") == [("assignment", "m.py:15", "")]


def test_globals_attributes_and_results():
    assert origins(explain("again = weights"), "SCALE") == [("assignment", "m.py:5", "")]
    line = explain("return self.x")
    assert origins(line, "self.x") == [("attribute", "m.py:22", ""), ("pragma", "m.py:22", "float64[n]")]
    assert origins(line, "load(1)") == [("result", "data.py:4", "")]


def remedies(found: Explanation, code: str) -> list[tuple[str, str, str]]:
    """Operand, type and place of what would make the site of a code native."""
    (decision,) = [d for d in found.decisions if d.site.code == code]
    return [(remedy.operand, remedy.type, remedy.place) for remedy in decision.remedies]


def test_what_would_make_a_site_native():
    assert remedies(explain("total = points"), "NPT152") == [("points", "float64[...]", "m.py:8")]
    line = explain("return self.x")
    assert remedies(line, "NPT151")[0][:2] == ("load(1)", "array[...]")
    assert remedies(line, "NPT304") == []
    assert remedies(explain("return np.interp"), "NPT150") == []


TRIED = [
    "def f(x: np.ndarray):\n    return x % x  # here\n",
    "def f(x, y):\n    return x.std(axis=y)  # here\n",
    "def f(a, b):\n    return np.maximum(a, b)  # here\n",
    "def f(x):\n    return np.concatenate([x, np.zeros(3)])  # here\n",
    "class A:\n    def __init__(self, x):\n        self.x = x\n    def g(self):\n        return self.x / 2  # here\n",
    "def g(p):\n    return decode(p)\n\ndef f(p):\n    return np.sort(g(p))  # here\n",
]  # fmt: skip


@pytest.mark.parametrize("text", TRIED)
def test_doing_what_is_proposed_makes_the_site_native(text):
    """The statement proposed, put where it is proposed, takes the shim from the line."""
    text = "import numpy as np\n" + text
    found = explain("# here", {"m.py": text})
    (decision,) = [d for d in found.decisions if d.site.outcome == "shim"]
    assert decision.remedies
    lines = text.splitlines()
    for remedy in decision.remedies:
        assert remedy.place
        number = int(remedy.place.rpartition(":")[2]) - 1
        pragma = remedy.how.split("`")[-2].removeprefix("# np2torch: ")
        lines[number] += f"; {pragma}" if "np2torch:" in lines[number] else f"  # np2torch: {pragma}"
    (done,) = convert_project([SourceFile(Path("m.py"), "m.py", "\n".join(lines) + "\n")], Settings(closed=("*",)))
    assert not done.remarks
    assert [s for s in done.sites if s.line == found.line and s.outcome == "shim"] == []


def test_lines_with_nothing_to_explain():
    found = explain("Area.")
    assert (found.expressions, found.decisions) == ((), ())
    assert "Nothing on this line" in "\n".join(text_lines(found))


def test_json_says_the_same():
    found = explain("total = points")
    document = json.loads(as_json(found))
    assert (document["path"], document["line"]) == ("m.py", 15)
    (points,) = [e for e in document["expressions"] if e["source"] == "points"]
    assert (points["is"], points["kinds"], points["dtypes"], points["ranks"]) == ("array[...]", ["array"], None, None)
    assert document["sites"][0]["remedies"][0]["type"] == "float64[...]"


# --------------------------------------------------------------------------------------------- the command line
@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run np2torch in a folder with the module in it."""
    monkeypatch.chdir(tmp_path)
    for path, text in FILES.items():
        (tmp_path / path).write_text(textwrap.dedent(text))
    return lambda *arguments: CliRunner().invoke(cli, arguments)


def test_a_line_on_the_command_line(run):
    result = run("explain", "m.py:15")
    assert result.exit_code == 0
    assert result.stdout.startswith("m.py:15: total = points % points\n")
    assert "annotation m.py:8: np.ndarray → array[...]" in result.stdout
    assert "points is float64[...]; annotate parameter points of area: `# np2torch: points: float64[...]` (m.py:8)" in (
        result.stdout
    )
    assert json.loads(run("explain", "--output-format", "json", "m.py:15:4").stdout)["line"] == 15


def test_a_code_on_the_command_line(run):
    result = run("explain", "NPT204")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"# NPT204: {CODES['NPT204'].title}\n")
    assert "torch.div(" in result.stdout


@pytest.mark.parametrize("target", ["NPT999", "m.py", "none.py:3", "m.py:99", "m.py:0"])
def test_what_cannot_be_explained(run, target):
    result = run("explain", target)
    assert result.exit_code == 2
    assert result.stderr.strip().count("\n") <= 3 and "Error: " in result.stderr


def test_the_contract_of_a_public_function():
    found = explain("def scaled", {"m.py": LIBRARY, "use.py": "from m import scaled\n\nscaled([1, 2])\n"}, closed=())
    contract = found.contract
    assert contract is not None
    assert (contract.function, contract.audience, contract.because) == ("scaled", "public", "`__all__` lists scaled")
    assert contract.guard == "x, d = shim.inexact(x, d, numbers=True)"
    assert "it leaves 0" in contract.reason
    x, d = contract.parameters
    assert (x.parameter, d.parameter) == ("x", "d")
    assert "floating[...]" in x.accepts.split(" | ")
    assert ("call", "use.py:3", "scaled([1, 2])") in [origin[:3] for origin in x.origins]
    assert ("default", "m.py:7", "d", "float 1.5") in [tuple(origin) for origin in d.origins]
    text = unstyle("\n".join(text_lines(found)))
    assert "scaled is public: `__all__` lists scaled" in text
    assert "guard: x, d = shim.inexact(x, d, numbers=True)" in text
    assert json.loads(as_json(found))["contract"]["parameters"][0]["parameter"] == "x"


def test_the_contract_on_a_line_of_the_body():
    found = explain("0.5 * x", {"m.py": LIBRARY}, closed=())
    assert found.contract is not None and found.contract.function == "scaled"
    text = "\n".join(text_lines(found))
    assert "np2torch explain m.py:7" in text
    assert "accepts" not in text


@pytest.mark.parametrize(
    ("line", "function", "because", "reason"),
    [
        ("def inner", "inner", "it is defined in another function", "all its calls are in the files given"),
        ("return t / count", "inner", "it is defined in another function", "all its calls are in the files given"),
    ],
)
def test_the_contract_of_a_closed_function(line, function, because, reason):
    contract = explain(line, {"m.py": LIBRARY}, closed=()).contract
    assert contract is not None
    assert (contract.function, contract.audience, contract.because) == (function, "closed", because)
    assert (contract.guard, contract.reason) == ("", reason)


def test_the_contract_of_a_private_function_that_nobody_calls():
    contract = explain("def _halved", {"m.py": LIBRARY}, closed=()).contract
    assert contract is not None
    assert (contract.audience, contract.because) == ("closed", "its name has a leading underscore")
    assert contract.guard == "values = shim.inexact(values, exact=True)" and "it leaves 0" in contract.reason


def test_the_contract_of_a_method_leaves_its_instance_out():
    contract = explain("def run", {"m.py": LIBRARY}, closed=()).contract
    assert contract is not None
    assert (contract.function, contract.because) == ("Model.run", "a method, and `__all__` lists Model")
    assert [parameter.parameter for parameter in contract.parameters] == ["x"]
    assert contract.parameters[0].accepts == "array[...]"


def test_the_settings_close_a_file():
    contract = explain("def scaled", {"m.py": LIBRARY}).contract
    assert contract is not None
    assert (contract.audience, contract.because) == ("closed", "the setting `closed` names the file")
