"""The formats of `check`, held against schemas."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import jsonschema
import pytest
import xmlschema
from click.testing import CliRunner, Result

from np2torch.report.formats import FORMATS
from np2torch.rules.codes import CODES
from np2torch_cli import cli
from support.paths import ROOT

DATA = ROOT / "tests" / "data"
FILES = {
    "src/a b.py": "import numpy as np\n\n\nclass A:\n    def f(self, n):\n        é = 1; x = np.ones((n, 3))\n"
    "        return np.std(x, axis=0), np.exp(x)\n",
    "src/one.py": "import numpy as np\n\n\ndef zeros(n):\n    return np.zeros((n, 3))",
    "src/bad.py": "import numpy as np\nx = (\n",
    "src/loop.py": "import numpy as np\nx = np.zeros(9)\nfor i in range(9):\n    x[i] = x[i] * 2 + i\n",
    "src/done.py": "import torch\n\nx = 1\n",
    "pyproject.toml": '[tool.np2torch]\nmigrated = ["loop.py"]\nloops = "tensor"\n',
}


@pytest.fixture(scope="module")
def shown(tmp_path_factory) -> dict[str, Result]:
    """Check one project, some findings of which are in a baseline, in every format."""
    folder = tmp_path_factory.mktemp("formats")
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("GITHUB_STEP_SUMMARY", str(folder / "summary.md"))
        CliRunner().invoke(cli, ["check", "src/a b.py", "--baseline", "base.json", "--update-baseline"])
        text = (folder / "src" / "a b.py").read_text("utf-8")
        (folder / "src" / "a b.py").write_text("# moved\n" + text.replace("np.exp(x)", "np.sin(x)"), "utf-8")
        arguments = ["check", "src", "--baseline", "base.json", "--output-format"]
        return {name: CliRunner().invoke(cli, [*arguments, name]) for name in FORMATS}


@pytest.fixture(scope="module")
def findings(shown) -> list[dict]:
    return json.loads(shown["json"].stdout)["findings"]


def test_all_end_alike(shown):
    assert {name: done.exit_code for name, done in shown.items()} == dict.fromkeys(FORMATS, 2), shown["text"].output


def test_json(shown, findings):
    document = json.loads(shown["json"].stdout)
    jsonschema.validate(document, json.loads((ROOT / "docs" / "schemas" / "check-1.json").read_text("utf-8")))
    counts = {status: sum(one["status"] == status for one in findings) for status in ("new", "allowed", "migrated")}
    assert document["check"] == {"verdict": document["check"]["verdict"], **counts, "gone": 1, "over": []}
    assert counts["new"] == 2 and counts["allowed"] == 2 and counts["migrated"] >= 1
    assert len({one["fingerprint"] for one in findings}) == len(findings)


def test_columns_are_characters(findings):
    (ones,) = [one for one in findings if one["source"] == "np.ones" and one["path"] == "src/a b.py"]
    line = FILES["src/a b.py"].splitlines()[5]
    assert (ones["line"], ones["column"]) == (7, line.index("np.ones") + 1)
    assert ones["function"] == "A.f"


def test_jsonl_has_the_same(shown, findings):
    lines = [json.loads(line) for line in shown["jsonl"].stdout.splitlines()]
    assert [line for line in lines if "fingerprint" in line] == findings
    assert {line["level"] for line in lines} >= {"error", "warning"}


def test_github(shown, findings):
    lines = shown["github"].stdout.splitlines()
    failing = [one for one in findings if one["status"] != "allowed"]
    assert sum(line.startswith("::error ") for line in lines) == len(failing) + 1
    assert "::error file=src/a b.py,line=8,col=35,title=NPT101::src/a b.py:8:35: NPT101 np.sin:" in "\n".join(lines)


def test_gitlab(shown):
    issues = json.loads(shown["gitlab"].stdout)
    assert len({one["fingerprint"] for one in issues}) == len(issues)
    for one in issues:
        assert set(one) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert one["severity"] in ("info", "minor", "major", "critical", "blocker")
        assert one["location"]["lines"]["begin"] >= 1 and not one["location"]["path"].startswith(("/", "./"))


def test_junit(shown, findings):
    text = shown["junit"].stdout
    xmlschema.XMLSchema(DATA / "junit.xsd").validate(ElementTree.ElementTree(ElementTree.fromstring(text)))
    suite = ElementTree.fromstring(text)[0]
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("5", "3", "1")
    cases = {case.get("name"): case for case in suite}
    assert len(cases["src/done.py"]) == 0
    assert "np.sin" in (cases["src/a b.py"][0].text or "") and "np.ones" not in (cases["src/a b.py"][0].text or "")


# ---------------------------------------------------------------------------------------------------- SARIF
@pytest.fixture(scope="module")
def sarif(shown) -> dict:
    document = json.loads(shown["sarif"].stdout)
    checker = jsonschema.FormatChecker()
    jsonschema.validate(document, json.loads((DATA / "sarif-2.1.0.json").read_text("utf-8")), format_checker=checker)
    return document["runs"][0]


def test_sarif_has_the_same_findings(sarif, findings):
    results = [one for one in sarif["results"] if "partialFingerprints" in one]
    assert [one["partialFingerprints"]["np2torch/v1"] for one in results] == [one["fingerprint"] for one in findings]
    states = {"allowed": "unchanged", "new": "new", "migrated": "new"}
    assert [one["baselineState"] for one in results] == [states[one["status"]] for one in findings]
    assert {bool(one.get("suppressions")) for one in results if one["baselineState"] == "unchanged"} == {True}


def test_sarif_refers_to_its_rules(sarif):
    rules = sarif["tool"]["driver"]["rules"]
    for one in sarif["results"]:
        assert rules[one["ruleIndex"]]["id"] == one["ruleId"]
    assert all(CODES[rule["id"]].text in rule["help"]["text"] for rule in rules)


def test_sarif_names_files_by_relative_uris(sarif):
    uris = {one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for one in sarif["results"]}
    assert "src/a%20b.py" in uris and not any(uri.startswith(("/", "file:")) for uri in uris)
    (said,) = sarif["invocations"][0]["toolExecutionNotifications"]
    assert said["message"]["text"].startswith("NPT903") and not sarif["invocations"][0]["executionSuccessful"]


def test_a_fix_is_the_conversion_of_the_file(sarif, tmp_path):
    fixes = [one["fixes"][0] for one in sarif["results"] if "fixes" in one]
    (change,) = fixes[0]["artifactChanges"]
    assert len(fixes) == 1 and change["artifactLocation"]["uri"] == "src/one.py"
    lines = FILES["src/one.py"].splitlines(keepends=True)
    for one in reversed(change["replacements"]):
        region = one["deletedRegion"]
        end = region["endLine"] - 1 if region["endColumn"] == 1 else region["endLine"]
        lines[region["startLine"] - 1 : end] = one["insertedContent"]["text"].splitlines(keepends=True)
    (tmp_path / "one.py").write_text(FILES["src/one.py"])
    CliRunner().invoke(cli, ["convert", "--write", str(tmp_path / "one.py")])
    assert "".join(lines) == (tmp_path / "one.py").read_text()
