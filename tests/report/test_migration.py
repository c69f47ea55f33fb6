"""Reports on migrations: what they count, and in which order they name the files."""

from __future__ import annotations

import builtins
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from np2torch.report import html_page
from np2torch.report.html_page import render
from np2torch.report.migration import Migration, migration_order
from np2torch.report.migration_text import markdown
from np2torch.source.model import SourceFile
from np2torch_cli import cli
from support.report_pages import file_report, migration

LIB = "import numpy as np\n\n\ndef half(u):\n    return np.asarray(u) / 2\n\n\nnames = np.array(['a'])\n"
USE = "import numpy as np\nfrom lib import half\n\nx = np.ones(3)\nfor i in range(3):\n    x[i] = half(x)[i]\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "lib.py").write_text(LIB)
    (tmp_path / "a_use.py").write_text(USE)
    return tmp_path


def report(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["report", *map(str, arguments)])


def embedded(page: str) -> dict[str, object]:
    """The document of the whole page."""
    text = page.split('<script type="application/json" id="data">')[1].split("</script>")[0]
    found = json.loads(text)
    assert isinstance(found, dict)
    return found


def test_before_and_after(project: Path):
    before = report(".")
    assert before.exit_code == 0
    assert "0 of 2 files are converted" in before.stdout and "to do" in before.stdout
    assert before.stdout.index("lib.py ") < before.stdout.rindex("a_use.py")  # what is imported comes first
    assert "np.array" in before.stdout and "NPT3" in before.stdout  # strings need hands
    assert (project / "lib.py").read_text() == LIB
    assert CliRunner().invoke(cli, ["convert", "-w", "-q", "--only", "lib.py", "."]).exit_code in (0, 1)
    after = report(".", "--output-format", "markdown")
    assert "## 1 of 2 files are converted" in after.stdout and "| 1 | lib.py | done |" in after.stdout
    count = next(line for line in before.stdout.splitlines() if " native " in line).split()[1]
    assert f"| native | {count} |" in after.stdout  # what was converted is still counted


def test_the_page_says_why(project: Path):
    done = report(".", "--output-format", "html", "-o", "out.html")
    assert done.exit_code == 0, done.output
    page = (project / "out.html").read_text()
    assert "http://" not in page and "https://" not in page
    first = json.loads(page.split('<script type="application/json" id="file-0">')[1].split("</script>")[0])
    types = {known[1] for site in first["known"] for known in site}
    origins = {origin[0] for site in first["known"] for known in site for origin in known[2]}
    assert types and "call" in origins


def test_what_verify_found_is_joined_in(project: Path):
    entry = {"name": "half", "verdict": "different", "difference": "dtype", "path": "lib.py", "line": 4, "module": ""}
    entries = [entry]
    (project / "verify.json").write_text(json.dumps(entries))
    found = report(".", "--verify", "verify.json")
    assert "different" in found.stdout and "half" in found.stdout
    page = report(".", "--verify", "verify.json", "--output-format", "html").stdout
    assert embedded(page)["verified"][0]["file"] == 0  # type: ignore[index]
    (project / "verify.json").write_text("{}")
    wrong = report(".", "--verify", "verify.json")
    assert wrong.exit_code == 2 and "it is not what `np2torch verify" in wrong.output


def test_texts_of_users_are_only_texts():
    one = file_report(0, 20, "</script><img src=x onerror=alert(1)>.py")
    page = render(Migration("<b>title</b>", (one,)))
    assert "<img" not in page and "<b>title" not in page
    assert page.count("</script>") == 3
    assert "\\<img" in markdown(Migration("t", (one,)))


def test_circles_end(tmp_path: Path):
    texts = {"a": "import b\n", "b": "import c\nimport numpy\n", "c": "import a\n", "d": "import a\n", "e": ""}
    files = [SourceFile(tmp_path / f"{name}.py", name, text) for name, text in texts.items()]
    order = migration_order(files)
    assert sorted(order.values()) == [0, 1, 2, 3, 4]
    assert order[tmp_path / "d.py"] > order[tmp_path / "a.py"]


def test_a_missing_extra_is_one_line(project: Path, monkeypatch: pytest.MonkeyPatch):
    real = builtins.__import__

    def without(name: str, *arguments: object) -> object:
        if name == "jinja2":
            raise ModuleNotFoundError("No module named 'jinja2'")
        return real(name, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", without)
    found = report(".", "--output-format", "html")
    assert found.exit_code == 2
    assert "No module named 'jinja2'; install 'np2torch[report]' for HTML reports." in found.output
    assert report(".").exit_code == 0


def test_rows_pair_what_changed():
    rows = list(html_page._rows(migration(1, 12).files[0]))
    assert [isinstance(row, list) for row in rows].count(True) == 1
    assert rows[9][0] != rows[9][1] and "<i class=" in rows[8]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("abcdefg", "abXdefg", ["a", "b", ["c", "X"], "d", "e", "f", "g"]),
        ("abcdefg", "abXYZdefg", ["a", "b", ["c", "X"], [0, "Y"], [0, "Z"], "d", "e", "f", "g"]),
        ("Iabcd", "abcd", [["I", 0], "a", "b", "c", "d"]),
        ("abcd", "abcdE", ["a", "b", "c", "d", [0, "E"]]),
        ("ab", "", [["a", 0], ["b", 0]]),
        ("", "ab", [[0, "a"], [0, "b"]]),
    ],
)
def test_both_sides_meet_again(before: str, after: str, expected: list[object]):
    rows: list[object] = []
    first = start = 0
    for last, end in html_page.meetings(before, after):
        left, right = list(before[first:last]), list(after[start:end])
        rows += [list(pair) for pair in html_page.zip_longest(left, right, fillvalue=0)]
        first, start = last, end
        while first < len(before) and start < len(after) and before[first] == after[start]:
            rows.append(before[first])
            first, start = first + 1, start + 1
    assert rows == expected
