"""`make compare A=REV B=REV`: convert the same projects with two revisions and compare every byte that comes out.

    python tools/compare_revisions.py A B [PATH...] [--packages FOLDER] [--only WORD] [--no-closed]

A and B are revisions of git, or folders that hold a checkout. What is converted: the NumPy sides of the fixtures,
each a project of its own and each also with `closed = ["*"]`, as a program is; every sdist or folder
in FOLDER; every PATH (a file, a folder, or the name of an installed package: `scipy.signal`). Files and the report
(`--output-format json`) are compared. Prints counts and the first differences; exits with 1 if there is any, and with 2
where a revision does not run. The CLI is all that is used of a revision, so that names inside may change.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from difflib import unified_diff
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
REPORT = "report.json"
CLOSED = '[tool.np2torch]\nclosed = ["*"]\n'
MOST_SHOWN = 5
MOST_LINES = 20

WORKER = '''
import json, os, sys
import np2torch_cli
from np2torch_cli import cli
try:
    import np2torch.rewrite.convert
except ImportError:
    import np2torch.pipeline
try:  # tables are read once, before the forks
    os.makedirs("warm")
    open("warm/a.py", "w").write("import numpy as np\\nprint(np.zeros(3) + 1)\\n")
    cli(["convert", "warm", "--output-dir", "warm/out", "-j", "1", "-q"])
except SystemExit:
    pass
times = {}
for name, source, target, config in json.load(open(sys.argv[1])):
    child = os.fork()
    if not child:
        os.makedirs(target)
        report = os.open(os.path.join(target, "report.json"), os.O_WRONLY | os.O_CREAT)
        os.dup2(report, 1)
        code = 3
        try:
            cli(["convert", source, "--output-dir", os.path.join(target, "files"), "-j", "1", "--no-trace",
                 "--output-format", "json", *(["--config", config] if config else [])])
        except SystemExit as done:
            code = int(done.code or 0)
        except BaseException as error:
            sys.stderr.write(f"{name}: {error!r}\\n")
        sys.stdout.flush()
        os._exit(code)
    _, status, used = os.wait4(child, 0)
    times[name] = used.ru_utime + used.ru_stime
    if os.waitstatus_to_exitcode(status) not in (0, 1, 2):
        sys.exit(f"{name}: the conversion broke off")
json.dump(times, open(sys.argv[2], "w"))
'''
"""Runs with one revision on its path: each project in a fork, which nothing that ran before disturbs."""


def checkout(revision: str, stack: ExitStack) -> Path:
    """Give a folder with the files of a revision: a worktree that goes when the run ends, or the folder itself."""
    if Path(revision).is_dir():
        return Path(revision).resolve()
    target = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "tree"
    add = ["git", "-C", str(ROOT), "worktree", "add", "--quiet", "--detach", str(target), revision]
    if subprocess.run(add, check=False).returncode:
        sys.exit(2)
    remove = ["git", "-C", str(ROOT), "worktree", "remove", "--force", str(target)]
    stack.callback(subprocess.run, remove, check=False)
    return target


def installed(name: str) -> Path:
    """Find the folder of an installed package without importing what is not a package around it."""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        sys.exit(f"compare_revisions: {name} is neither a path nor an installed package")
    return Path(spec.origin).parent


def projects(paths: Sequence[str], packages: Path | None, unpacked: Path) -> Iterator[tuple[str, Path, bool]]:
    """List what is converted: a name, a path, and whether it is also converted as a closed program."""
    for file in sorted((ROOT / "fixtures").rglob("*_numpy.py")):
        yield f"fixtures/{file.parent.name}/{file.stem}", file, True
    for entry in sorted(packages.iterdir()) if packages is not None else ():
        if entry.name.endswith(".tar.gz"):
            with tarfile.open(entry) as archive:
                archive.extractall(unpacked, filter="data")
            yield entry.name.removesuffix(".tar.gz"), unpacked / entry.name.removesuffix(".tar.gz"), False
        elif entry.is_dir() and (inner := sorted(entry.glob("*.tar.gz"))):
            yield from projects_of(inner, unpacked)
        elif entry.is_dir():
            yield entry.name, entry, False
    for path in paths:
        yield path, Path(path) if Path(path).exists() else installed(path), False


def projects_of(archives: Sequence[Path], unpacked: Path) -> Iterator[tuple[str, Path, bool]]:
    """Unpack sdists."""
    for entry in archives:
        with tarfile.open(entry) as archive:
            archive.extractall(unpacked, filter="data")
        yield entry.name.removesuffix(".tar.gz"), unpacked / entry.name.removesuffix(".tar.gz"), False


def convert(tree: Path, jobs: Sequence[tuple[str, str, str, str]], out: Path) -> dict[str, float]:
    """Convert every project with one revision; gives the CPU seconds each took."""
    listing, times = out / "jobs.json", out / "times.json"
    listing.write_text(json.dumps([(name, source, str(out / target), config) for name, source, target, config in jobs]))
    path = os.pathsep.join(str(tree / part) for part in ("src", "cli"))
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-W", "ignore", "-c", WORKER, str(listing), str(times)]
    if subprocess.run(command, env=environment, cwd=out, check=False).returncode:
        sys.exit(2)
    found: dict[str, float] = json.loads(times.read_text())
    return found


def contents(folder: Path) -> dict[str, bytes]:
    """Read every file below a folder; paths in the report are those below it."""
    here = os.fsencode(folder.parent)
    return {
        path.relative_to(folder).as_posix(): path.read_bytes().replace(here, b"")
        for path in sorted(folder.rglob("*")) if path.is_file()
    }  # fmt: skip


def differences(one: Path, other: Path) -> Iterator[tuple[str, str]]:
    """Compare two folders: the files that differ, each with the lines that do."""
    before, after = contents(one), contents(other)
    for name in sorted(before.keys() | after.keys()):
        if before.get(name) != after.get(name):
            old, new = (side.get(name, b"").decode("utf-8", "replace").splitlines() for side in (before, after))
            yield name, "\n".join(list(unified_diff(old, new, "A", "B", lineterm="", n=1))[:MOST_LINES])


def main() -> int:
    """Run the comparison."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("a")
    parser.add_argument("b")
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--packages", type=Path, help="a folder of sdists or of projects")
    parser.add_argument("--only", default="", help="only projects whose name has this in it")
    parser.add_argument("--no-closed", action="store_true", help="do not convert fixtures as closed programs as well")
    parser.add_argument("-n", type=int, default=2, help="how many revisions at a time (2)")
    options = parser.parse_args()
    with ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        config = place / "pyproject.toml"
        config.write_text(CLOSED)
        (place / "unpacked").mkdir()
        jobs = []
        for name, source, program in projects(options.paths, options.packages, place / "unpacked"):
            if options.only in name:
                jobs.append((name, str(source), f"{len(jobs)}", ""))
                if program and not options.no_closed:
                    jobs.append((f"{name} (closed)", str(source), f"{len(jobs)}", str(config)))
        trees = [checkout(revision, stack) for revision in (options.a, options.b)]
        folders = [place / "a", place / "b"]
        for folder in folders:
            folder.mkdir()
        begin = time.perf_counter()
        with ThreadPoolExecutor(options.n) as pool:
            times = list(pool.map(lambda pair: convert(pair[0], jobs, pair[1]), zip(trees, folders, strict=True)))
        shown = files = 0
        differing = []
        for name, _, target, _ in jobs:
            files += sum(1 for path in (folders[0] / target).rglob("*.py"))
            found = list(differences(folders[0] / target, folders[1] / target))
            differing += [name] if found else []
            for file, lines in found[: MOST_SHOWN - shown]:
                print(f"{name}: {file}\n{lines}\n")
                shown += 1
    a, b = (sum(one.values(), 1e-9) for one in times)
    took = time.perf_counter() - begin
    print(f"{len(jobs)} conversions, {files} files, {len(differing)} differ; {took:.0f} s; B took {b / a:.3f} of A")
    for name in differing:
        print(f"  differs: {name}")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
