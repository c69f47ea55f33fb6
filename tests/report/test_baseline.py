"""The ratchet of `check`: baselines, budgets, files that are done, and the settings that are about them."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner, Result

from np2torch.report.standing import Standing, standing_in
from np2torch.source.setting_keys import KEYS, schema
from np2torch.source.setting_kinds import SettingsError
from np2torch.source.settings import load_settings
from np2torch_cli import cli
from support.paths import ROOT

LIB = """\
import numpy as np


class Mesh:
    def spread(self, n):
        x = np.ones((n, 3))
        return np.std(x, axis=0), np.std(x, axis=0)
"""
DONE = "import torch\n\nx = torch.ones(3, dtype=torch.float64)\n"


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    (tmp_path / "lib.py").write_text(LIB)
    (tmp_path / "other.py").write_text("import numpy as np\n\nzeros = np.zeros(3)\n")
    return tmp_path


def check(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["check", *arguments])


def made(*arguments: str) -> dict:
    """Make a baseline and give what it holds."""
    assert check(".", "--baseline", "base.json", "--update-baseline", *arguments).exit_code in (0, 1)
    return json.loads(Path("base.json").read_text())["files"]


def test_what_is_there_is_allowed(folder):
    entries = made()
    assert [tuple(one.values()) for one in entries["lib.py"]] == [
        ("NPT111", "Mesh.spread", "np.std(x, axis=0)", 2), ("NPT120", "Mesh.spread", "np.ones((n, 3))", 1),
    ]  # fmt: skip
    done = check(".", "--baseline", "base.json")
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr == "No new convertible NumPy. The baseline allows 4 more.\n"


@pytest.mark.parametrize(
    "text",
    [
        "# a line\n\n" + LIB,
        LIB.replace("class Mesh", "def other():\n    return 1\n\n\nclass Mesh"),
        LIB.replace("np.ones((n, 3))", "np.ones(\n            (n,  3)\n        )"),
        LIB.replace("return", "y = 1\n        return"),
    ],
)
def test_moved_lines_change_nothing(folder, text):
    made()
    (folder / "lib.py").write_text(text)
    assert check(".", "--baseline", "base.json").exit_code == 0


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("return", "y = np.ones((n, 3))\n        return", "lib.py:7:13: NPT120"),  # one more of what is allowed
        ("axis=0)\n", "axis=0), np.sum(x)\n", "np.sum"),
        ("spread", "extent", "lib.py:6:13: NPT120"),  # in another function
        ("(n, 3)", "(n, 4)", "lib.py:6:13: NPT120"),
    ],
)
def test_what_is_new_fails(folder, old, new, said):
    made()
    (folder / "lib.py").write_text(LIB.replace(old, new))
    done = check(".", "--baseline", "base.json")
    assert done.exit_code == 1 and said in done.stdout
    assert "new convertible use" in done.stderr


def test_a_baseline_only_shrinks(folder):
    made()
    text = LIB.replace("axis=0), np.std(x, axis=0)", "axis=0)").replace("return", "y = np.zeros(n)\n        return")
    (folder / "lib.py").write_text(text)
    (folder / "other.py").write_text(DONE)
    assert "2 findings of base.json are gone" in check(".", "--baseline", "base.json").stderr
    entries = made()
    assert list(entries) == ["lib.py"] and [one["count"] for one in entries["lib.py"]] == [1, 1]
    assert check(".", "--baseline", "base.json").exit_code == 1  # np.zeros is new
    assert [one["source"] for one in made("--force")["lib.py"]][-1] == "np.zeros(n)"
    assert check(".", "--baseline", "base.json").exit_code == 0


def test_files_that_were_not_looked_at_keep_their_entries(folder):
    before = made()
    (folder / "lib.py").write_text(LIB.replace("axis=0), np.std(x, axis=0)", "axis=0)"))
    check("lib.py", "--baseline", "base.json", "--update-baseline")
    after = json.loads(Path("base.json").read_text())["files"]
    assert after["other.py"] == before["other.py"] and after["lib.py"] != before["lib.py"]
    (folder / "other.py").unlink()
    (folder / "lib.py").write_text("import numpy\ndef f(:\n")
    check(".", "--baseline", "base.json", "--update-baseline")
    assert json.loads(Path("base.json").read_text())["files"] == {"lib.py": after["lib.py"]}


@pytest.mark.parametrize("text", ["", "[]", '{"version": 2}', '{"version": 1, "files": {"a": [{}]}}', "{" * 9999])
def test_a_file_that_is_no_baseline(folder, text):
    Path("base.json").write_text(text)
    done = check(".", "--baseline", "base.json")
    assert done.exit_code == 2 and done.stderr.splitlines()[-1].startswith("Error: base.json: not a baseline")
    assert Path("base.json").read_text() == text


def test_a_baseline_that_is_not_there(folder):
    done = check(".", "--baseline", "none.json")
    assert done.exit_code == 2 and "--update-baseline makes one" in done.stderr
    assert check(".", "--update-baseline").exit_code == 2
    assert check(".", "--force").exit_code == 2


def test_the_baseline_of_the_settings(folder):
    Path("pyproject.toml").write_text('[tool.np2torch]\nbaseline = "base.json"\nmigrated = ["/other.py"]\n')
    entries = made()
    assert list(entries) == ["lib.py"]  # nothing is allowed in files that are done
    done = check(".")
    assert done.exit_code == 1
    assert done.stdout.startswith("other.py:3:9: NPT120") and done.stdout.endswith("(in a migrated file)\n")


def test_codes_are_ignored_by_file(folder):
    Path("pyproject.toml").write_text('[tool.np2torch.per-file-ignores]\n"oth*" = ["NPT120", "NPT4"]\n')
    errors = [line for line in check(".", "--output-format", "github").stdout.splitlines() if "::error" in line]
    assert len(errors) == 3 and all("file=lib.py" in line for line in errors)
    Path("pyproject.toml").write_text('[tool.np2torch.per-file-ignores]\n"oth*" = ["NPT777"]\n')
    assert "no code that begins with NPT777" in check(".").stderr


SHIM = "from np2torch import shim\n\n\ndef f(x):\n    x = shim.floating(x)\n    return shim.sort(x)  # no numpy\n"
TODO = "import numpy as np\n\nx = np.dtype([('a', int)])\n"


@pytest.mark.parametrize(
    ("option", "text", "number"), [("--max-shim", SHIM, 1), ("--max-guards", SHIM, 1), ("--max-todo", TODO, 1)]
)
def test_budgets(folder, option, text, number):
    (folder / "lib.py").write_text(text)
    (folder / "other.py").write_text("")
    assert check("lib.py", option, str(number), "--ignore", "NPT1,NPT2").exit_code == 0
    done = check("lib.py", option, str(number - 1), "--ignore", "NPT1,NPT2")
    assert done.exit_code == 1 and f"{option} allows {number - 1}" in done.stderr
    key = option.removeprefix("--")
    Path("pyproject.toml").write_text(f"[tool.np2torch]\n{key} = {number - 1}\nignore = ['NPT1', 'NPT2']\n")
    assert check("lib.py").exit_code == 1
    assert check("lib.py", option, str(number)).exit_code == 0


def test_a_todo_counts_once_before_and_after_its_note(folder):
    (folder / "lib.py").write_text(TODO)
    done = CliRunner().invoke(cli, ["convert", "--write", "lib.py"])
    assert "TODO(np2torch)" in (folder / "lib.py").read_text(), done.output
    assert check("lib.py", "--max-todo", "1").exit_code == 0
    assert check("lib.py", "--max-todo", "0").exit_code == 1


def test_what_stands_in_a_text():
    assert standing_in(SHIM) == Standing(1, 0)
    assert standing_in("import shim\nshim.sort(x)  # TODO(np2torch): NPT302 x\n") == Standing(0, 1)
    assert standing_in("from np2torch.shim.policies import cuda as shim\nshim.a(b.shim.c)  # shim.d()\n").shim == 1


# ------------------------------------------------------------------------------------------------------ settings
def test_a_table_extends_another(tmp_path):
    (tmp_path / "base.toml").write_text('[tool.np2torch]\njobs = 2\nignore = ["NPT6"]\nextend = "top.toml"\n')
    (tmp_path / "top.toml").write_text('[tool.np2torch]\njobs = 9\nrandom = "torch"\n')
    inner = tmp_path / "a"
    inner.mkdir()
    (inner / "pyproject.toml").write_text('[tool.np2torch]\nextend = "../base.toml"\nignore = ["NPT3"]\n')
    found = load_settings([inner])
    assert (found.jobs, found.random, found.ignore, found.root) == (2, "torch", ("NPT3",), inner)
    assert found.origins["random"] == inner / "../top.toml" or found.origins["random"].name == "top.toml"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('extend = "none.toml"', "No such file"),
        ('extend = "pyproject.toml"', "is extended already"),
        ('extend = "empty.toml"', "has no table"),
        ('required-version = ">=99"', "np2torch >=99 is required, and this is "),
        ('required-version = "new"', "'new' is no version"),
        ('per-file-ignores = {"a.py" = ["E501"]}', "per-file-ignores: 'E501' is no code"),
        ("max-shim = -1", "max-shim: must be a whole number"),
        ("baseline = 3", "baseline: must be the path of a file"),
    ],
)
def test_mistakes_are_named(tmp_path, body, message):
    (tmp_path / "pyproject.toml").write_text(f"[tool.np2torch]\n{body}\n")
    (tmp_path / "empty.toml").write_text("")
    with pytest.raises(SettingsError) as caught:
        load_settings([tmp_path])
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_config_says_what_is_in_force_and_why(folder):
    Path("pyproject.toml").write_text('[tool.np2torch]\njobs = 2\nignore = ["NPT6"]\n')
    (folder / "a").mkdir()
    (folder / "a" / "pyproject.toml").write_text('[tool.np2torch]\njobs = 7\nignore = ["NPT3"]\n')
    (folder / "a" / "m.py").touch()
    shown = json.loads(CliRunner().invoke(cli, ["config", "--output-format", "json"]).stdout)
    assert shown["jobs"] == {"value": 2, "from": "pyproject.toml"}
    assert shown["float"] == {"value": "numpy", "from": "default"}
    lines = CliRunner().invoke(cli, ["config", "a/m.py"]).stdout
    assert 'ignore            = ["NPT3"]  # a/pyproject.toml\n' in lines
    reaching = [name for name, key in KEYS.items() if key.reach != "table"]
    assert [line.partition(" ")[0] for line in lines.splitlines()] == reaching


def test_the_schema_published_is_that_of_the_settings():
    """`np2torch config --schema > docs/schemas/settings.json` writes it."""
    published = json.loads((ROOT / "docs" / "schemas" / "settings.json").read_text("utf-8"))
    assert published == schema() == json.loads(CliRunner().invoke(cli, ["config", "--schema"]).stdout)
    jsonschema.Draft7Validator.check_schema(published)


VALUES = [
    ("jobs", 0), ("jobs", -1), ("jobs", True), ("exclude", ["a"]), ("exclude", "a"), ("select", ["NPT1, npt302"]),
    ("select", ["E1"]), ("select", ["NPT1,,"]), ("ignore", ["NPT1234"]), ("device", "cuda:1"), ("device", "gpu"),
    ("device", "cuda:x"), ("float", "float32"), ("float", "half"), ("keep", ["a.b:C.d"]), ("keep", [":x"]),
    ("types", {"a.b": "float64[n]"}), ("types", {"a": 3}), ("per-file-ignores", {"*.py": ["NPT6"]}),
    ("per-file-ignores", {"*.py": "NPT6"}), ("max-todo", 3), ("max-todo", "3"), ("baseline", ""), ("indirect", 1),
    ("colour", 1), ("migrated", ["a/**"]), ("extend", 4), ("required-version", 1),
]  # fmt: skip


@pytest.mark.parametrize(("key", "value"), VALUES)
def test_the_schema_accepts_what_the_reader_accepts(key, value):
    try:
        KEYS[key].kind.read(value)
        accepts = True
    except (SettingsError, KeyError):
        accepts = False
    assert jsonschema.Draft7Validator(schema()).is_valid({key: value}) == accepts
