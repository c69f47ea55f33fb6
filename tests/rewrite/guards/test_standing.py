"""Guards that stand in the text: what they say, that they are counted, and that a second run changes nothing."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from np2torch.facts import access_paths, bindings
from np2torch.facts import guards as guards_in_text
from np2torch.report.formats import lines
from np2torch.report.summary import as_json, summary_lines
from np2torch.report.tally import Tally
from np2torch.report.verdict import judge_check
from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Converted, Guard, Settings, SourceFile
from np2torch_cli import cli

HEAD = "import numpy as np\nfrom np2torch import shim\n\n\n"
BODIES = {
    "floating": (
        "def f(x, y):\n    x = shim.floating(x)\n    return np.exp(x)\n",
        "return torch.exp(x)",
    ),
    "several": (
        "def f(x, y):\n    x, y = shim.inexact(x, y)\n    return np.exp(x), np.sin(y)\n",
        "return torch.exp(x), torch.sin(y)",
    ),
    "tensor": ("def f(x, y):\n    x = shim.tensor(x)\n    return np.moveaxis(x, 0, -1)\n", "torch.moveaxis(x, 0, -1)"),
    "contract": (
        "@shim.contract(x='float64[n, k]', y='floating')\ndef f(x, y):\n    return np.sum(x, axis=0), np.exp(y)\n",
        "return torch.sum(x, dim=0), torch.exp(y)",
    ),
    "alternatives": (
        "@shim.contract(x='float32[n] | None')\ndef f(x):\n    return 0 if x is None else np.sin(x)\n",
        "return 0 if x is None else torch.sin(x)",
    ),
    "method": (
        "class A:\n    def f(self, x):\n        x = shim.floating(x)\n        return np.exp(x)\n",
        "return torch.exp(x)",
    ),
    "without": ("def f(x, y):\n    return np.exp(x)\n", "return shim.exp(x)"),
    "another function of the shim": ("def f(x, y):\n    x = shim.sort(x)\n    return np.exp(x)\n", "shim.exp(x)"),
}


def convert(text: str, **settings: object) -> Converted:
    (done,) = convert_project([SourceFile(Path("a.py"), "a.py", text)], Settings(**{"unknown": "shim", **settings}))  # type: ignore[arg-type]
    return done


@pytest.mark.parametrize("name", BODIES)
def test_they_are_facts(name: str) -> None:
    body, expected = BODIES[name]
    done = convert(HEAD + body)
    assert expected in done.after
    assert convert(done.after).after == done.after
    assert len(done.guards) == ("shim." in body and "sort" not in body)


def test_by_whatever_name_the_shim_goes() -> None:
    text = "import numpy as np\nfrom np2torch import shim as np_shim\n\n\ndef f(x):\n    x = np_shim.floating(x)\n"
    done = convert(text + "    return np.exp(x)\n")
    assert "torch.exp(x)" in done.after and [guard.function for guard in done.guards] == ["f"]


def test_a_guard_shares_memory_with_its_argument() -> None:
    def shared(statement: str) -> list[tuple[str, str | None]]:
        node = ast.parse(statement).body[0]
        assert isinstance(node, ast.Assign)
        return [
            (ast.unparse(one), access_paths.root_of(value))
            for one, value in bindings.pairs(node.targets[0], node.value)
        ]

    assert shared("b = shim.floating(a[0])") == [("b", "a")]
    assert shared("b, c = shim.inexact(a[0], d)") == [("b", "a"), ("c", "d")]
    assert shared("b, c = np_shim.promote(a.T, 2)") == [("b", "a"), ("c", None)]
    assert shared("b, c = other.promote(a, d)") == [("b", None), ("c", None)]


def test_names_and_places() -> None:
    text = HEAD + (
        "class A:\n    @shim.contract(x='floating')\n    def f(self, x):\n        def g(y):\n"
        "            y = shim.tensor(\n                y)\n            return np.exp(y)\n        return g(x)\n"
    )
    found = convert(text).guards
    assert [(g.line, g.function, g.text) for g in found] == [
        (6, "A.f", "@shim.contract(x='floating')"),
        (9, "A.f.g", "y = shim.tensor( y)"),
    ]


def test_files_without_numpy_have_guards_too() -> None:
    done = convert("from np2torch import shim\n\n\ndef f(x):\n    x = shim.floating(x)\n    return x.exp()\n")
    assert [guard.text for guard in done.guards] == ["x = shim.floating(x)"] and not done.is_changed


# ------------------------------------------------------------------------------------------------- accounting
def tallied(count: int) -> Tally:
    tally = Tally(total=1)
    path = Path("a.py")
    found = tuple(Guard(path, n + 1, f"f{n}", "x = shim.floating(x)", "lists are accepted") for n in range(count))
    tally.add(Converted(path, "import numpy", "import torch", guards=found))
    return tally


def test_they_are_listed_and_counted() -> None:
    tally = tallied(7)
    summary = "\n".join(summary_lines(tally))
    assert "guards at the entry of functions (NPT540): 7 places" in summary and "... and 2 more" in summary
    assert "a.py:1:1: NPT540 f0: x = shim.floating(x): lists are accepted" in summary
    check = judge_check(tally, Settings(), Path())
    assert sum("NPT540" in line for line in lines(check, "text")) == 7
    assert sum(line.startswith("::notice file=a.py,line=") for line in lines(check, "github")) == 7
    document = json.loads(as_json(tally))
    assert document["summary"]["guards"] == 7
    assert document["files"][0]["guards"][6] == {
        "code": "NPT540", "path": "a.py", "line": 7, "function": "f6", "text": "x = shim.floating(x)",
        "reason": "lists are accepted",
    }  # fmt: skip
    assert "guards" not in json.loads(as_json(tallied(0)))["files"][0]


def test_how_many_are_allowed() -> None:
    for allowed in (None, 3):
        assert judge_check(tallied(3), Settings(max_guards=allowed), Path()).over == ()
    over = judge_check(tallied(3), Settings(max_guards=2), Path()).over
    assert over == ("Found 3 guards; --max-guards allows 2.",)


@pytest.mark.parametrize(("allowed", "code"), [((), 0), (("--max-guards", "1"), 0), (("--max-guards", "0"), 1)])
def test_check_fails_on_too_many(tmp_path: Path, allowed: tuple[str, ...], code: int) -> None:
    path = tmp_path / "a.py"
    path.write_text("from np2torch import shim\n\n\ndef f(x):\n    x = shim.floating(x)\n    return x.exp()\n")
    done = CliRunner().invoke(cli, ["check", *allowed, str(path)])
    assert done.exit_code == code, done.output
    assert ("--max-guards allows 0" in done.output) == bool(code)


def test_the_settings_of_guards_are_options(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("import numpy as np\nprint(np.ones(3))\n")
    assert CliRunner().invoke(cli, ["convert", "--unknown", "shim", str(path)]).exit_code == 1
    assert CliRunner().invoke(cli, ["convert", "--unknown", "guess", str(path)]).exit_code == 2


def test_the_analysis_knows_the_guards_of_the_shim() -> None:
    from np2torch import shim

    assert all(callable(getattr(shim, name)) for name in (*guards_in_text.GUARDS, guards_in_text.CONTRACT))
