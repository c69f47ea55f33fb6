"""Accounting, diffs and findings."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path

import pytest
from click import unstyle

from np2torch.report.diff import paint_diff, unified_diff
from np2torch.report.formats import lines
from np2torch.report.formats.github import step_summary
from np2torch.report.progress import Bar
from np2torch.report.summary import as_json, statistics_lines, summary_lines
from np2torch.report.tally import Tally
from np2torch.report.verdict import judge_check, verdict_line
from np2torch.rewrite.convert import convert_project
from np2torch.source.model import OUTCOMES, Converted, Problem, Remark, Settings, Site, SourceFile

SITES = (
    Site(2, 5, "native", "NPT101", "np.exp", "torch.exp"),
    Site(3, 1, "cast", "NPT201", "/", "counts cast to float64"),
    Site(4, 9, "shim", "NPT150", "np.interp", "shim.interp"),
    Site(5, 2, "boundary", "NPT401", "scipy.ndimage.zoom", "ndarray expected"),
    Site(6, 3, "todo", "NPT302", "np.dtype", "structured dtype, 100 % NumPy"),
)


@pytest.fixture
def tally(tmp_path, monkeypatch) -> Tally:
    monkeypatch.chdir(tmp_path)
    tally = Tally([Problem(Path("bad.py"), 3, 7, "NPT903", "syntax error: invalid syntax")], total=6)
    tally.add(Converted(tmp_path / "a.py", "import numpy\n", "import torch\n", SITES))
    tally.add(Converted(tmp_path / "b.py", "import numpy\n", "import numpy\n", SITES[-1:] * 2))
    tally.add(Converted(tmp_path / "c.py", "x = 1\n", "x = 1\n"))
    return tally


def text(lines) -> str:
    return unstyle("\n".join(lines))


def test_every_file_and_site_is_counted_once(tally):
    assert (tally.changed_count, tally.unchanged_count, tally.skipped_count) == (1, 1, 4)
    assert tally.counts() == dict(zip(OUTCOMES, (1, 1, 1, 1, 3), strict=True))
    assert list(tally.counts()) == list(OUTCOMES)
    assert tally.native_share == pytest.approx(2 / 7)


def test_only_what_a_conversion_would_take_away_is_convertible(tally):
    """TODOs are not, nor is anything in a file that the conversion leaves alone."""
    tally.add(Converted(Path("done.py"), "from numpy import x", "from numpy import x", SITES[3:4]))
    assert [f.site.code for f in tally.convertible()] == ["NPT101", "NPT201", "NPT150", "NPT401"]


def test_summary(tally):
    lines = text(summary_lines(tally, todos=2)).splitlines()
    assert lines == [
        "3 TODOs left to you:",
        "  a.py:6:3: NPT302 np.dtype: structured dtype, 100 % NumPy",
        "  b.py:6:3: NPT302 np.dtype: structured dtype, 100 % NumPy",
        "  ... and 1 more",
        "bad.py:3:7: NPT903 syntax error: invalid syntax",
        "np2torch: 1 file changed, 1 unchanged, 4 skipped (no NumPy)",
        "7 sites: native 1  cast 1  shim 1  boundary 1  todo 3",
        "native+cast 28.6%, shim 1, TODO 3",
    ]


def test_an_empty_run_says_so_in_one_line():
    assert text(summary_lines(Tally())) == "np2torch: 0 files changed, 0 unchanged, 0 skipped (no NumPy)"


def test_json_holds_everything(tally):
    document = json.loads(as_json(tally, {"a.py": "--- a.py\n"}))
    assert document["version"] == 1
    assert document["summary"]["files"] == {"changed": 1, "unchanged": 1, "skipped": 4}
    assert document["summary"]["outcomes"] == {"native": 1, "cast": 1, "shim": 1, "boundary": 1, "todo": 3}
    assert document["summary"]["codes"]["NPT302"] == 3
    assert [f["path"] for f in document["files"]] == ["a.py", "b.py"]
    assert document["files"][0]["diff"] == "--- a.py\n" and "diff" not in document["files"][1]
    assert document["files"][0]["sites"][0] == SITES[0]._asdict()
    assert document["problems"] == [
        {"path": "bad.py", "line": 3, "column": 7, "code": "NPT903", "message": "syntax error: invalid syntax"}
    ]


def test_json_has_the_contract_of_every_function():
    text = "import numpy as np\n\n\ndef half(x):\n    return 0.5 * x\n\n\ndef _own(y):\n    return np.exp(half(y))\n"
    tally = Tally()
    for converted in convert_project([SourceFile(Path("m.py"), "m.py", text)], Settings()):
        tally.add(converted)
    half, own = json.loads(as_json(tally))["files"][0]["contracts"]
    assert [(one["function"], one["audience"]) for one in (half, own)] == [("half", "public"), ("_own", "closed")]
    assert half["guard"] == tally.guards()[0].text and own["guard"] == ""
    assert half["parameters"][0]["parameter"] == "x"
    assert half["parameters"][0]["origins"][0]["place"] == "m.py:9"


def judged(tally: Tally):
    return judge_check(tally, Settings(), Path())


def test_check_lines(tally):
    shown = text(lines(judged(tally), "text")).splitlines()
    assert shown[0] == "a.py:2:5: NPT101 np.exp: torch.exp"
    assert shown[-1].startswith("bad.py:3:7: NPT903") and len(shown) == 5
    assert verdict_line(judged(tally)) == "Found 4 convertible uses of NumPy in 1 file."
    assert verdict_line(judged(Tally())) == "No convertible NumPy left."
    assert next(statistics_lines(tally)) == "     3  NPT302"


def test_github_annotations_are_escaped():
    tally = Tally()
    site = Site(2, 5, "native", "NPT101", "np.exp", "50 %\nof, it: all")
    tally.add(Converted(Path("odd,name:1.py"), "import numpy", "", (site,)))
    (line,) = lines(judged(tally), "github")
    assert line == (
        "::error file=odd%2Cname%3A1.py,line=2,col=5,title=NPT101::"
        "odd,name:1.py:2:5: NPT101 np.exp: 50 %25%0Aof, it: all"
    )
    assert "| NPT101 | 1 |" in step_summary(judged(tally))


# ------------------------------------------------------------------------------------------------ diffs
CASES = {
    "plain": ("a\nb\nc\n", "a\nB\nc\n"),
    "no newline at the end": ("a\nb", "a\nc"),
    "newline added": ("a\nb", "a\nb\n"),
    "crlf": ("a\r\nb\r\nc\r\n", "a\r\nB\r\nc\r\n"),
    "form feed and U+2028": ("a\n\x0c\nb = '\u2028'\n", "a\n\x0c\nc = '\u2028'\n"),
    "emptied": ("a\n", ""),
    "filled": ("", "a\n"),
}


@pytest.mark.parametrize("case", CASES)
def test_patch_makes_the_new_file_of_the_old(case, tmp_path):
    before, after = CASES[case]
    path = tmp_path / "x.py"
    path.write_bytes(before.encode())
    diff = unified_diff(before, after, "x.py")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    command = ["git", "apply", "-p0", "--whitespace=nowarn", "--unidiff-zero", "-"]
    subprocess.run(command, input=diff.encode(), cwd=tmp_path, check=True)
    assert path.read_bytes() == after.encode()


def test_no_change_no_diff():
    assert unified_diff("a\n", "a\n", "x.py") == "" == paint_diff("")


def test_painting_adds_colours_and_takes_carriage_returns():
    diff = paint_diff(unified_diff("a\r\nb\r\n", "a\r\nB\r\n", "x.py"))
    assert "\r" not in diff and "\x1b[31m-b" in diff and "\x1b[32m+B" in diff
    assert unstyle(diff) == "--- x.py\n+++ x.py\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n"


# ------------------------------------------------------------------------------------------------ the bar
def test_the_bar_waits_and_stays_off_pipes(capsys, monkeypatch):
    with Bar("Converting") as bar:
        bar(1, 2)  # standard error is no terminal here
    with Bar("Converting", enabled=True) as bar:
        bar(1, 2)  # nobody has waited yet
    assert capsys.readouterr() == ("", "")
    monkeypatch.setenv("FORCE_COLOR", "1")  # rich draws on a terminal only
    monkeypatch.setenv("TERM", "xterm")
    with Bar("Converting", enabled=True, patience=0) as bar:
        captured = _seen(capsys)  # by itself: the analysis takes long before it can say how far it is
        bar(1, 2)
        bar.clear()
        bar(2, 2)
    assert captured.out == "" and "Converting" in captured.err


def _seen(capsys):
    """What is printed once there is something."""
    for _ in range(200):
        if (captured := capsys.readouterr()).err:
            return captured
        time.sleep(0.05)
    raise AssertionError("no bar in ten seconds")


def test_remarks_are_shown_and_assumptions_counted(tally, tmp_path):
    said = (Remark(2, 5, "NPT502", "`x`: assumed"), Remark(3, 1, "NPT503", "`y`: contradicted"))
    tally.add(Converted(tmp_path / "d.py", "import numpy\n", "import torch\n", SITES[:1], (), said))
    shown = text(summary_lines(tally))
    assert "d.py:2:5: NPT502 `x`: assumed\n" in shown and "d.py:3:1: NPT503" in shown
    assert shown.endswith(", float64 assumed 1")
    document = json.loads(as_json(tally))
    assert document["summary"]["assumed"] == 1
    assert document["files"][-1]["remarks"][1]["code"] == "NPT503"
