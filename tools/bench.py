"""`make bench`: how fast converting is, as a ratio to what libcst needs to parse and write the same files unchanged.

    python tools/bench.py [FOLDER]      # by default the Python files of the installed scipy

Both are timed in this one process, on the same files, in CPU seconds: a ratio travels between machines, seconds do not.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import time
from pathlib import Path

import libcst

from np2torch.report.tally import Tally
from np2torch.rewrite.convert import convert_project
from np2torch.source.discover import load_project
from np2torch.source.model import Settings


def default_folder() -> Path:
    """Where scipy lies, without importing it."""
    spec = importlib.util.find_spec("scipy")
    if spec is None or spec.origin is None:
        sys.exit("scipy is not installed: name a folder")
    return Path(spec.origin).parent


def start_up(arguments: str) -> float:
    """The best of five wall times of a whole process."""
    times = []
    for _ in range(5):
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-m", "np2torch_cli", *arguments.split()], capture_output=True, check=False)
        times.append(time.perf_counter() - begin)
    return min(times)


def main() -> None:
    """Measure and print."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else default_folder()
    begin = time.process_time()
    project = load_project([folder], Settings(respect_gitignore=False))
    reading = time.process_time() - begin
    lines = sum(file.text.count("\n") for file in project.files)

    begin = time.process_time()
    for file in project.files:
        try:
            libcst.parse_module(file.text).code  # noqa: B018
        except libcst.ParserSyntaxError:
            continue
    round_trip = time.process_time() - begin

    tally = Tally(project.problems, len(project.files))
    begin = time.process_time()
    for converted in convert_project(project.files, Settings()):
        tally.add(converted)
    converting = time.process_time() - begin

    print(f"{folder}: {len(project.files)} files, {lines} lines, {tally.sites} sites, {len(tally.problems)} problems")
    for name, seconds in (("read", reading), ("libcst parse + code", round_trip), ("convert", converting)):
        print(f"  {name:20} {seconds:8.2f} CPU s  {lines / max(seconds, 1e-9) / 1000:8.1f} k lines/s")
    print(f"  ratio convert / libcst {converting / round_trip:.2f}")
    print(f"  np2torch --version     {start_up('--version'):.3f} s wall")
    print(f"  np2torch convert -h    {start_up('convert -h'):.3f} s wall")


if __name__ == "__main__":
    main()
