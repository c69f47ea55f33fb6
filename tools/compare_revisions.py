"""`make compare A=REV B=REV`: convert the same projects with two revisions and compare every byte that comes out.

    python tools/compare_revisions.py A B [PATH...] [--packages FOLDER] [--only WORD] [--no-closed] [--keep FOLDER]

A and B are revisions of git, or folders that hold a checkout. What is converted: the NumPy sides of the fixtures,
each a project of its own and each also with `closed = ["*"]`, as a program is; every sdist or folder
in FOLDER; every PATH (a file, a folder, or the name of an installed package: `scipy.signal`). Files and the report
(`--output-format json`) are compared. Prints counts and the first differences; exits with 1 if there is any, and with 2
where a revision does not run. The CLI is all that is used of a revision, so that names inside may change.

With `--keep FOLDER` the conversions of a commit stay there under the names of the projects, and are not made again: a
run that was cut off goes on where it was.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import re
import shutil
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
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
REPORT = "report.json"
CLOSED = '[tool.np2torch]\nclosed = ["*"]\n'
MOST_SHOWN = 5
MOST_LINES = 20

WORKER = """
import json, os, sys
import np2torch_cli
from np2torch_cli import cli
try:
    import np2torch.rewrite.convert
except ImportError:
    import np2torch.pipeline
try:  # tables are read once, before the forks
    os.makedirs("warm", exist_ok=True)
    open("warm/a.py", "w").write("import numpy as np\\nprint(np.zeros(3) + 1)\\n")
    cli(["convert", "warm", "--output-dir", "warm/out", "-j", "1", "-q"])
except SystemExit:
    pass
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
    if os.waitstatus_to_exitcode(status) not in (0, 1, 2):
        sys.exit(f"{name}: the conversion broke off")
    with open(target + ".seconds", "w") as seconds:
        seconds.write(str(used.ru_utime + used.ru_stime))
"""
"""Runs with one revision on its path: each project in a fork, which nothing that ran before disturbs."""


class Job(NamedTuple):
    """A conversion: what is converted, the folder for what comes out, and the file of settings, if any."""

    name: str
    source: Path
    target: str
    config: str


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


def convert(tree: Path, jobs: Sequence[Job], out: Path) -> dict[str, float]:
    """Convert every project with one revision, but for those which `out` has; gives the CPU seconds each took."""
    listing = out / "jobs.json"
    missing = [job for job in jobs if not (out / f"{job.target}.seconds").exists()]
    for job in missing:
        shutil.rmtree(out / job.target, ignore_errors=True)
    listing.write_text(json.dumps([(job.name, str(job.source), str(out / job.target), job.config) for job in missing]))
    path = os.pathsep.join(str(tree / part) for part in ("src", "cli"))
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-W", "ignore", "-c", WORKER, str(listing)]
    if missing and subprocess.run(command, env=environment, cwd=out, check=False).returncode:
        sys.exit(2)
    return {job.name: float((out / f"{job.target}.seconds").read_text()) for job in jobs}


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


def selected_jobs(options: argparse.Namespace, place: Path) -> list[Job]:
    """List the conversions that the options ask for."""
    config, unpacked = place / "pyproject.toml", place / "unpacked"
    config.write_text(CLOSED)
    unpacked.mkdir(exist_ok=True)
    jobs = []
    for name, source, program in projects(options.paths, options.packages, unpacked):
        forms = [(name, ""), (f"{name} (closed)", str(config))] if program and not options.no_closed else [(name, "")]
        jobs += [
            Job(label, source, re.sub(r"[^\w.-]+", "_", label).strip("_"), settings)
            for label, settings in forms
            if options.only in label
        ]
    return jobs


def output_folder(revision: str, keep: Path | None, place: Path) -> Path:
    """Give the folder for what a revision converts; only that of a commit outlasts the run."""
    folder = place
    if keep is not None and not Path(revision).is_dir():
        ask = ["git", "-C", str(ROOT), "rev-parse", "--verify", f"{revision}^{{commit}}"]
        commit = subprocess.run(ask, capture_output=True, text=True, check=False).stdout.strip()
        folder = keep.resolve() / commit if commit else place
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def main() -> int:
    """Run the comparison."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("a")
    parser.add_argument("b")
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--packages", type=Path, help="a folder of sdists or of projects")
    parser.add_argument("--only", default="", help="only conversions with this in their name")
    parser.add_argument("--no-closed", action="store_true", help="do not convert fixtures as closed programs as well")
    parser.add_argument("--keep", type=Path, help="a folder where the conversions of commits stay for later runs")
    parser.add_argument("-n", type=int, default=2, help="how many revisions at a time (2)")
    options = parser.parse_args()
    with ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        if options.keep is not None:
            options.keep.mkdir(parents=True, exist_ok=True)
        jobs = selected_jobs(options, options.keep.resolve() if options.keep is not None else place)
        trees = [checkout(revision, stack) for revision in (options.a, options.b)]
        sides = zip("ab", (options.a, options.b), strict=True)
        folders = [output_folder(revision, options.keep, place / side) for side, revision in sides]
        begin = time.perf_counter()
        with ThreadPoolExecutor(options.n) as pool:
            times = list(pool.map(lambda pair: convert(pair[0], jobs, pair[1]), zip(trees, folders, strict=True)))
        shown = files = 0
        differing = []
        for job in jobs:
            files += sum(1 for path in (folders[0] / job.target).rglob("*.py"))
            found = list(differences(folders[0] / job.target, folders[1] / job.target))
            differing += [job.name] if found else []
            for file, lines in found[: MOST_SHOWN - shown]:
                print(f"{job.name}: {file}\n{lines}\n")
                shown += 1
    a, b = (sum(one.values(), 1e-9) for one in times)
    took = time.perf_counter() - begin
    print(f"{len(jobs)} conversions, {files} files, {len(differing)} differ; {took:.0f} s; B took {b / a:.3f} of A")
    for name in differing:
        print(f"  differs: {name}")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
