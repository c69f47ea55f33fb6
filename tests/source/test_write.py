"""People's files: edits made meanwhile, runs stopped and run again, what is no ordinary file, damaged records."""

from __future__ import annotations

import inspect
import json
import os
import signal
import stat
import subprocess
import sys
import textwrap
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from trials import JOURNAL, Trials, tree

from np2torch.source import write
from np2torch.source.discover import load_project
from np2torch.source.lock import file_lock
from np2torch.source.model import Settings
from np2torch.source.read import read_file
from np2torch.source.write import PREFIX, sweep, write_file
from np2torch_cli import cli

TEXT = "import numpy as np\n\nx = np.zeros(3)\n"


@pytest.fixture
def lay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project in the working folder, beside a folder that does not belong to it."""
    project = tmp_path / "project"
    (project / "sub").mkdir(parents=True)
    (tmp_path / "other").mkdir()
    for name in ("a.py", "sub/b.py", "../other/far.py"):
        (project / name).write_text(TEXT)
    (project / "pyproject.toml").write_text("[tool.np2torch]\n")
    monkeypatch.chdir(project)
    return project


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(cli, arguments)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def convert(*arguments: str) -> Result:
    return run("convert", "--write", "--quiet", *arguments)


def is_converted(path: str | Path) -> bool:
    return "torch.zeros" in Path(path).read_text()


# ------------------------------------------------------------------------------------------------ trials
DRAWS = [0, *(pytest.param(number, marks=pytest.mark.long) for number in range(1, 6))]
"""The numbers of trials; CI has time for one."""


@pytest.fixture(scope="module")
def trials() -> Trials:
    return Trials(files=12, seed=1)


@pytest.mark.parametrize("number", DRAWS[:4])
def test_no_edit_is_lost(trials: Trials, number: int) -> None:
    assert trials.edited(number).islower()


@pytest.mark.parametrize("number", DRAWS)
def test_a_second_run_ends_what_a_killed_one_began(trials: Trials, number: int) -> None:
    end = signal.SIGINT if number == 5 else signal.SIGKILL
    assert trials.killed(number, end).startswith("equal")


def test_two_runs_at_once_give_what_one_gives(trials: Trials) -> None:
    assert trials.paired(0).startswith("equal")


@pytest.mark.parametrize("stops", [(0, 20, 27), pytest.param((1, 2, 5, 26, 29), marks=pytest.mark.long)])
def test_a_run_killed_at_each_step_of_writing_is_ended_by_the_next(
    trials: Trials, monkeypatch: pytest.MonkeyPatch, stops: tuple[int, ...]
) -> None:
    """Stop before and after each replacement: of the journal, of every file, of the record."""

    class Stopped(BaseException):
        pass

    replace = os.replace
    for stop in stops:
        with trials.project() as root:
            monkeypatch.chdir(root)
            count = 0

            def counted(old: str, new: str, at: int = stop) -> None:
                nonlocal count
                if count == at:
                    raise Stopped
                count += 1
                replace(old, new)
                if count == at:
                    raise Stopped
                count += 1

            monkeypatch.setattr(os, "replace", counted)
            with suppress(Stopped):
                CliRunner().invoke(cli, ["convert", "--write", "pkg"])
            monkeypatch.setattr(os, "replace", replace)
            assert tree(root) != trials.undisturbed, stop  # the journal is still there in the end
            assert convert("pkg").exit_code == 0
            assert tree(root) == trials.undisturbed, stop


def test_ctrl_c_says_how_far_it_came(lay: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("np2torch_cli.convert.write_file", interrupted)
    result = run("convert", "--write", ".")
    assert result.exit_code == 130
    assert result.stderr == "np2torch: stopped: 0 of 2 files were written; the same command again does the rest\n"
    monkeypatch.setattr("np2torch.rewrite.convert.convert_project", interrupted)
    result = run("check", "--no-cache", ".")
    assert (result.exit_code, result.stderr) == (130, "np2torch: stopped\n")


WAITS = """
import sys
from pathlib import Path
from np2torch.source.discover import load_project
from np2torch.source.lock import file_lock

with file_lock(Path(sys.argv[1]), lambda: print("waits", flush=True)):
    print("has it")
"""


def test_the_second_run_says_that_it_waits(tmp_path: Path) -> None:
    said: list[str] = []
    with file_lock(tmp_path, lambda: said.append("first")):
        other = subprocess.Popen([sys.executable, "-c", WAITS, str(tmp_path)], stdout=subprocess.PIPE, text=True)
        assert other.stdout is not None
        assert other.stdout.readline() == "waits\n" and other.poll() is None
    assert other.communicate()[0] == "has it\n" and not said


def test_what_a_killed_run_left_is_swept(tmp_path: Path) -> None:
    (tmp_path / f"{PREFIX}abc_1.tmp").touch()
    (tmp_path / f"{PREFIX}abc_1.old").touch()
    (tmp_path / f"{PREFIX}notes.txt").touch()
    sweep([tmp_path, tmp_path / "gone"])
    assert os.listdir(tmp_path) == [f"{PREFIX}notes.txt"]


# ------------------------------------------------------------------------------------------------ changed meanwhile
def gone(path: Path) -> None:
    path.unlink()


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def edited(path: Path) -> None:
    path.write_text("mine\n")


@pytest.mark.parametrize("change", [gone, folder, pipe, edited])
def test_what_has_changed_since_it_was_read_is_left(lay: Path, monkeypatch: pytest.MonkeyPatch, change) -> None:
    written = write._written_beside

    def late(path: Path, data: bytes) -> str:
        if path.name == "a.py":
            change(path)
        return written(path, data)

    monkeypatch.setattr(write, "_written_beside", late)
    result = convert(".")
    assert result.exit_code == 2 and "a.py: NPT907 not written: it " in result.stderr
    assert len(result.stderr.splitlines()) == 1 and is_converted("sub/b.py")
    assert not Path("a.py").is_file() or Path("a.py").read_text() == "mine\n"
    record = json.loads((lay / ".np2torch" / "converted.json").read_text())
    assert list(record["files"]) == ["sub/b.py"]
    assert sorted(os.listdir(lay / ".np2torch")) == [".gitignore", "converted.json"]


def test_an_edit_between_comparison_and_replacement_comes_back(lay: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As an editor does that has the file open: it truncates it, and writes on after it has been replaced."""
    replace, streams = os.replace, []

    def raced(old: str, new: Path) -> None:
        if Path(new).name == "a.py" and not streams:
            streams.append(Path("a.py").open("w"))  # noqa: SIM115
            streams[0].write("mine\n")
            streams[0].flush()
        replace(old, new)

    monkeypatch.setattr(os, "replace", raced)
    result = convert(".")
    streams[0].write("more\n")
    streams[0].close()
    assert result.exit_code == 2 and "a.py: NPT907" in result.stderr
    assert Path("a.py").read_text() == "mine\nmore\n" and is_converted("sub/b.py")
    assert sorted(os.listdir()) == [".np2torch", "a.py", "pyproject.toml", "sub"]


def test_what_is_counted_as_changed_was_written(lay: Path) -> None:
    Path("a.py").chmod(0o444)
    result = run("convert", "--write", ".")
    assert "a.py: NPT908 not written: it is read-only" in result.stderr
    assert "1 file changed, 1 unchanged" in result.stderr


def test_a_mode_set_meanwhile_stays(tmp_path: Path) -> None:
    path = tmp_path / "x.py"
    path.write_text(TEXT)
    file = read_file(path)
    path.chmod(0o700)
    os.setxattr(path, "user.note", b"kept") if hasattr(os, "setxattr") else None
    assert write_file(file, "x = 2\n") is None
    assert stat.S_IMODE(path.stat().st_mode) == 0o700
    assert not hasattr(os, "getxattr") or os.getxattr(path, "user.note") == b"kept"


def test_where_the_journal_cannot_be_written_nothing_is(lay: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("np2torch.source.folder.replace_atomically", full)
    result = run("convert", "--write", ".")
    assert result.exit_code == 2 and "0 files changed" in result.stderr
    assert "NPT902 cannot write: No space left on device; no file was changed" in result.stderr
    assert Path("a.py").read_text() == TEXT


# ------------------------------------------------------------------------------------------------ unusual files
def test_links_out_of_the_tree_are_not_written_through(lay: Path) -> None:
    far = lay.parent / "other" / "far.py"
    Path("far.py").symlink_to(far)
    Path("near.py").symlink_to("sub/b.py")
    result = convert("a.py", "far.py", "near.py")
    assert result.exit_code == 2 and f"far.py: NPT908 not written: it is a link to {far}" in result.stderr
    assert far.read_text() == TEXT and is_converted("sub/b.py") and Path("near.py").is_symlink()
    assert convert(".", str(far.parent)).exit_code == 0 and is_converted(far)


def test_a_hard_link_is_broken(lay: Path) -> None:
    os.link("a.py", "../other/same.txt")
    assert convert("a.py").exit_code == 0
    assert is_converted("a.py") and Path("../other/same.txt").read_text() == TEXT


def test_what_is_no_file_is_one_line(lay: Path) -> None:
    Path("self.py").symlink_to("self.py")
    Path(".#lock.py").symlink_to("somebody@somewhere")
    os.mkfifo("pipe.py")
    for arguments in (["."], ["a.py", "sub/b.py", "pipe.py", "self.py"]):
        result = convert(*arguments)
        assert result.exit_code == 2 and is_converted("a.py") and is_converted("sub/b.py")
        assert result.stderr.splitlines() == [
            "pipe.py: NPT902 cannot read: not a regular file",
            "self.py: NPT902 cannot read: Too many levels of symbolic links",
        ]


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="gives up being root")
def test_a_folder_without_permission_is_one_line(lay: Path) -> None:
    Path("closed").mkdir(mode=0)
    for path in (lay, *(one for one in lay.parents if one.stat().st_uid == os.getuid() and one != one.parent)):
        path.chmod(path.stat().st_mode | 0o555)
    code = """
        import os, sys
        from np2torch.source.discover import load_project
        from np2torch.source.settings import load_settings
        from pathlib import Path
        os.setuid(65534)
        project = load_project([Path(".")], load_settings([Path(".")]))
        print([file.display for file in project.files], *project.problems)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False)
    assert done.stdout.startswith("['a.py', 'sub/b.py'] Problem(path=PosixPath('closed')"), done.stderr
    assert "NPT902" in done.stdout and "Permission denied" in done.stdout


def test_names_that_cannot_be_printed_are_escaped(lay: Path) -> None:
    names = [b"bad\xff.py", b"two\nlines.py", b"n" * 250 + b".py"]
    for name in names:
        Path(os.fsdecode(name)).write_text(TEXT)
    Path("bad\udcff2.py").write_text("import numpy\nx = (\n")
    result = convert(".")
    assert result.exit_code == 2 and result.stderr.startswith("bad\\udcff2.py:2:5: NPT903")
    assert all(is_converted(os.fsdecode(name)) for name in names)
    assert convert(".").exit_code == 2 and run("check", "--output-format", "json", ".").exit_code == 2


def test_folders_may_be_nested_deeply(lay: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """More deeply than calls may; the limit is lowered, since pytest clears up by calls as well."""
    deep = Path(*["d"] * 400)
    deep.mkdir(parents=True)
    (deep / "c.py").write_text(TEXT)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + 200)
    try:
        found = [file.path for file in load_project([Path()], Settings()).files]
    finally:
        sys.setrecursionlimit(limit)
    assert found == [Path("a.py"), deep / "c.py", Path("sub/b.py")]


def test_carriage_returns_alone_stay(lay: Path) -> None:
    Path("a.py").write_bytes(TEXT.replace("\n", "\r").encode())
    assert convert("a.py").exit_code == 0
    assert b"torch.zeros" in Path("a.py").read_bytes() and b"\n" not in Path("a.py").read_bytes()


# ------------------------------------------------------------------------------------------------ .np2torch
def test_git_takes_no_copies_of_sources(lay: Path) -> None:
    subprocess.run(["git", "init", "-q"], check=True)
    assert convert(".").exit_code == 0
    subprocess.run(["git", "add", "-A"], check=True)
    listed = subprocess.run(["git", "ls-files"], check=True, capture_output=True, text=True).stdout
    assert listed.split() == ["a.py", "pyproject.toml", "sub/b.py"]


USED = "from sub import b\n\n\ndef go():\n    return b._half([1, 2.5])\n"
HALF = "import numpy as np\n\n\ndef _half(x):\n    return np.asarray(x) / 2\n"


@pytest.mark.parametrize("mark", ["pyproject.toml", ".git"])
@pytest.mark.parametrize("first", [True, False])
def test_a_file_by_itself_comes_out_as_in_a_whole_run(lay: Path, mark: str, first: bool) -> None:
    def write_all() -> None:
        Path("a.py").write_text(USED)
        Path("sub/b.py").write_text(HALF)

    Path("pyproject.toml").unlink()
    write_all()
    assert convert("sub/b.py").exit_code == 0
    alone = Path("sub/b.py").read_text()
    for path in (lay / "sub" / ".np2torch").iterdir():
        path.unlink()
    (lay / "sub" / ".np2torch").rmdir()
    write_all()
    Path(mark).mkdir() if mark == ".git" else Path(mark).write_text("[project]\n")
    assert convert(".").exit_code == 0
    whole = Path("sub/b.py").read_text()
    assert whole != alone
    if first:
        for path in (lay / ".np2torch").iterdir():
            path.unlink()
    write_all()
    result = run("convert", "--write", "sub/b.py")
    assert Path("sub/b.py").read_text() == whole and Path("a.py").read_text() == USED
    assert "1 file changed, 0 unchanged, 0 skipped" in result.stderr and "a.py" not in result.stderr
    assert (lay / ".np2torch").exists() and not (lay / "sub" / ".np2torch").exists()


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


GOOD = {"digest": "0", "parts": None, "text": ""}
SEEN = {"digest": "0", "functions": {"f:1": {"x": [["array", "float64", 1]]}}}
DAMAGED = [
    "", "{", "[]", "null", "7", '"x"', nested(100_000), "<<<<<<< HEAD", "\udcff", '{"version": 1}',
    '{"version": 2, "files": {}}',
    *(json.dumps({"version": 1, "files": files}) for files in (
        [], 3, None, {"a.py": []}, {"a.py": None}, {"a.py": {}}, {"/etc/passwd": GOOD | SEEN},
        {"../../x.py": GOOD | SEEN}, {"a.py": GOOD | SEEN | {"digest": 1}},
    )),
]  # fmt: skip
RECORDS = [
    json.dumps({"version": 1, "files": {"a.py": GOOD | change}})
    for change in ({"text": 1}, {"text": None}, {"parts": "all"}, {"parts": [1]}, {"digest": []})
] + ['{"version": 1, "paths": ["/"], "files": {}}', '{"version": 1, "paths": [{}], "files": {}}']
TRACES = [
    json.dumps({"version": 1, "files": {"a.py": {"digest": "0", "functions": functions}}})
    for functions in (
        [], {"f:1": []}, {"f:1": {"x": {}}}, {"f:1": {"x": [[]]}}, {"f:1": {"x": [["array"]]}}, {"f:1": {"x": [[1]]}},
        {"f:1": {"x": [["array", "float64", "1"]]}}, {"f:1": {"x": [["array", 3, 1]]}}, {"f:1": {"x": ["int"]}},
        {"f:1": {"x": [["array", "float64", 10**9]]}}, {"f:1": {"x": [["tuple", [["array"]]]]}},
    )
]  # fmt: skip


@pytest.mark.parametrize("name", ["converted.json", "journal.json", "trace.json"])
def test_damaged_files_of_ours_are_one_line(lay: Path, name: str) -> None:
    (lay / ".np2torch").mkdir()
    place = lay / ".np2torch" / name
    for text in DAMAGED + (TRACES if name == "trace.json" else RECORDS):
        place.write_bytes(text.encode("utf-8", "surrogateescape"))
        result = run("check", "--quiet", "a.py")
        assert result.exit_code == 2, text[:80]
        assert result.stderr.count("\n") + result.stdout.count("NPT909") == 1, (text[:80], result.output)
        assert f".np2torch/{name}: NPT909 not used: " in result.output and "a.py:3:5" in result.stdout
    result = convert(".")
    assert result.exit_code == 2 and is_converted("a.py")
    assert name != "converted.json" or place.with_name("converted.json.bad").read_text() == text
    assert name == "trace.json" or convert(".").exit_code == 0


def test_links_are_no_records(lay: Path) -> None:
    precious = lay.parent / "other" / "precious.json"
    precious.write_text(json.dumps({"version": 1, "files": {}}))
    (lay / ".np2torch").mkdir()
    (lay / ".np2torch" / "converted.json").symlink_to(precious)
    result = convert("a.py")
    assert result.exit_code == 2 and "NPT909 not used: it is a link" in result.stderr and is_converted("a.py")
    assert json.loads(precious.read_text()) == {"version": 1, "files": {}}


def test_a_folder_of_ours_that_is_a_link_is_not_written_to(lay: Path) -> None:
    (lay / ".np2torch").symlink_to(lay.parent / "other")
    result = convert(".")
    assert result.exit_code == 2 and ".np2torch is a link; no file was changed" in result.stderr
    assert Path("a.py").read_text() == TEXT and os.listdir(lay.parent / "other") == ["far.py"]


def test_a_trace_that_is_damaged_stops_a_new_one_before_it_runs(lay: Path) -> None:
    (lay / ".np2torch").mkdir()
    (lay / ".np2torch" / "trace.json").write_text("[]")
    result = run("trace", "--", sys.executable, "-c", "open('ran', 'w')")
    assert result.exit_code == 2 and "--fresh starts anew" in result.stderr and not Path("ran").exists()


def test_the_journal_is_gone_in_the_end(lay: Path) -> None:
    assert convert(".").exit_code == 0
    assert not (lay / JOURNAL).exists() and (lay / ".np2torch" / "converted.json").exists()
