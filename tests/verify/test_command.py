"""Commands and the project's own tests run on both trees."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from np2torch.verify.command import command_rows, file_difference, run
from np2torch.verify.suite import pair_results, read_report
from np2torch_cli import cli

OLD = "import numpy as np\n\n\ndef f(x):\n    return x.std()\n"
NEW = "import torch\n\n\ndef f(x):\n    return x.std(correction=0)\n"
MAIN = "import sys\n{}\nfrom m import f\nx = {}\nprint(x, f(x))\nopen('out.txt', 'w').write('1.5 a')\n{}\n"
PYTHON = sys.executable


@pytest.fixture
def trees(tmp_path, monkeypatch) -> tuple[Path, Path]:
    """A module with a program on either side."""
    for side, text, made, saved in (
        ("old", OLD, "np.arange(3.0)", "np.save('x.npy', x)"),
        ("new", NEW, "torch.arange(3.0, dtype=torch.float64)", "import numpy as np; np.save('x.npy', x.numpy())"),
    ):
        folder = tmp_path / side
        folder.mkdir()
        (folder / "m.py").write_text(text)
        library = "import numpy as np" if side == "old" else "import torch"
        (folder / "main.py").write_text(MAIN.format(library, made, saved))
        test = (
            f"{library}\nfrom m import f\n\n\ndef test_f():\n    assert f({made}) > 0.5\n\n\ndef test_g():\n    pass\n"
        )
        (folder / "test_m.py").write_text(test)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "old", tmp_path / "new"


def verify(*options: str) -> tuple[Result, dict[str, dict]]:
    done = CliRunner().invoke(cli, ["verify", "old", "new", "--no-generate", "--output-format", "json", *options])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done, {row["name"]: row for row in json.loads(done.stdout)} if done.stdout else {}


def test_a_command_is_run_on_both_trees(trees):
    words = ("--", PYTHON, "main.py")
    done, rows = verify(*words)
    assert {name: row["verdict"] for name, row in rows.items()} == dict.fromkeys(
        (f"$ {PYTHON} main.py", "out.txt", "x.npy"), "equal"
    )
    assert done.exit_code == 0 and not (trees[0] / "x.npy").exists()
    (trees[1] / "m.py").write_text(NEW.replace("correction=0", ""))
    done, rows = verify(*words)
    assert done.exit_code == 1 and "became" in rows[f"$ {PYTHON} main.py"]["difference"]


@pytest.mark.parametrize(
    ("change", "name", "said"),
    [
        ("x = x + 1", "x.npy", "value"),
        ("x = x.to(torch.float32)", "x.npy", "dtype float64 became float32"),
        ("open('more', 'w').close()", "more", "new side only"),
        ("sys.exit(3)", "$", "exit 0 became exit 3"),
        ("while True: print('a' * 1_000_000)", "$", "prints without an end"),
        pytest.param("while True: pass", "$", "does not come to an end", marks=pytest.mark.long),
    ],
)
def test_what_a_command_does_is_compared(trees, change, name, said):
    path = trees[1] / "main.py"
    path.write_text(path.read_text().replace("import numpy", f"{change}\nimport numpy"))
    rows = command_rows([PYTHON, "main.py"], *trees, 15.0)
    found = next(row for row in rows if row.name.startswith(name))
    assert said in str(found.difference) and found.exercised


def test_what_differs_each_time_is_not_compared(trees):
    for tree in trees:
        (tree / "main.py").write_text("import time\nprint(time.time_ns())\n")
    (row,) = command_rows([PYTHON, "main.py"], *trees, 20.0)
    assert not row.exercised and "another result each time" in str(row.difference)
    for tree in trees:
        (tree / "main.py").write_text("")
    (row,) = command_rows([PYTHON, "main.py"], *trees, 20.0)
    assert not row.exercised


def test_tests_are_paired_by_id(trees):
    words = ("--tests", "--", PYTHON, "-m", "pytest", "-q")
    done, rows = verify(*words)
    assert done.exit_code == 0 and {name: row["verdict"] for name, row in rows.items()} == {"test_m": "equal"}
    assert rows["test_m"]["inputs"] == "2 tests"
    (trees[1] / "m.py").write_text(NEW.replace("x.std", "0 * x.std"))
    done, rows = verify(*words)
    assert done.exit_code == 1 and "fails" in rows["test_m::test_f"]["difference"]
    assert rows["test_m"]["inputs"] == "1 tests" and rows["test_m"]["verdict"] == "equal"
    done, rows = verify("--tests", "--", PYTHON, "main.py")
    assert done.exit_code == 1 and "no results of tests" in next(iter(rows.values()))["difference"]
    assert CliRunner().invoke(cli, ["verify", "old", "new", "--tests"]).exit_code == 2


def test_a_test_that_is_gone_or_skipped_is_no_agreement():
    report = '<r><testcase classname="a" name="t{}"/><testcase classname="a" name="u">{}</testcase></r>'
    old = read_report(report.format("", ""))
    gone = list(pair_results(old, read_report(report.format("x", ""))))
    assert [(row.name, row.difference) for row in gone if row.exercised and row.difference] == [
        ("a::t", "is not run on the new side")
    ]
    skipped = list(pair_results(old, read_report(report.format("", '<skipped message="why"/>'))))
    assert [row.difference for row in skipped if row.difference] == ["is skipped on the new side"]
    failed = list(pair_results(read_report(report.format("", '<failure message="m"/>')), old))
    assert [row.exercised for row in failed] == [True, False]


def test_files_are_compared_by_what_they_hold(tmp_path):
    np.savez(tmp_path / "a.npz", x=np.arange(3.0))
    np.savez(tmp_path / "b.npz", x=np.array([0.0, 1.0, 2.0 + 1e-15]))
    np.savez(tmp_path / "c.npz", x=np.arange(3))
    a, b, c = ((tmp_path / f"{name}.npz").read_bytes() for name in "abc")
    assert file_difference("a.npz", a, b) is None and "dtype" in str(file_difference("a.npz", a, c))
    assert file_difference("a.txt", b"1.0 2", b"1.0000000000000001 2") is None
    assert file_difference("a.txt", b"1.0 2", b"1.1 2") and file_difference("a.bin", b"\xff", b"\xfe") == "other bytes"


def test_what_a_command_leaves_running_ends_with_it(tmp_path):
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "p.py").write_text(
        "import subprocess, sys\nprint(subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']).pid)\n"
    )
    done = run([PYTHON, "p.py"], tree, 20.0)
    state = Path(f"/proc/{done.printed.strip()}/stat")
    end = time.monotonic() + 20.0
    while state.exists() and " Z " not in state.read_text() and time.monotonic() < end:
        time.sleep(0.05)
    assert not state.exists() or " Z " in state.read_text()
