"""Runs in a child process: the inputs a module lists in CASES, and files as programs; rows go to a file as JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import np2torch
from np2torch.verify.rows import Row

SLACK = 60.0


def listed_rows(old: Path, new: Path, timeout: float, device: str = "cpu") -> list[Row]:
    """Compare the two files on the inputs they list, and as programs; all in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "rows.json"
        own = Path(np2torch.__file__).parents[1]
        path = os.pathsep.join(filter(None, [str(own), os.environ.get("PYTHONPATH", "")]))
        command = [sys.executable, "-m", "np2torch.verify.listed_cases", *map(str, (old, new, timeout, report)), device]
        try:
            done = subprocess.run(
                command, env={**os.environ, "PYTHONPATH": path}, check=False, timeout=4 * timeout + SLACK,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return [Row("(module)", "", "", "", f"does not come to an end within {4 * timeout + SLACK:g} s")]
        rows = [Row(*row) for row in json.loads(report.read_text("utf-8"))] if report.is_file() else []
        if done.returncode:
            last = next(reversed(done.stderr.decode("utf-8", "replace").strip().splitlines()), "")
            rows.append(Row("(module)", "", "", "", f"the process ended with {done.returncode}: {last}".rstrip(": ")))
        return rows


def main(old: str, new: str, timeout: str, report: str, device: str) -> None:
    """Write the rows as they come: what a later call does to the process, they stay."""
    from np2torch.verify.run import verify_modules

    rows: list[Row] = []
    for row in verify_modules(Path(old), Path(new), float(timeout), device):
        rows.append(row)
        Path(report).write_text(json.dumps(rows), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
