"""Packages converted and verified, with the calls that their own tests make: how much is exercised, and what differs.

    python tools/verify_corpus.py FOLDER:PACKAGE[:TESTS] ... [--out build/verify] [--no-generate] [--minutes 10]

FOLDER is an unpacked project, PACKAGE what is converted in it, TESTS what pytest runs (all of the folder by itself).
Nothing is written into FOLDER. For each package `evidence.md` and `evidence.json` are left below --out.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from np2torch.source.folder import not_copied

CLI = [sys.executable, "-m", "np2torch_cli"]
COLUMNS = ("package", "functions", "exercised", "equal", "different", "not exercised", "recorded")


class Package(NamedTuple):
    """A project's folder, the package in it, and its tests."""

    folder: Path
    name: str
    tests: str

    @classmethod
    def read(cls, text: str) -> Package:
        """Read FOLDER:PACKAGE[:TESTS]."""
        folder, name, *rest = text.split(":")
        return cls(Path(folder), name, rest[0] if rest else ".")


def verified(package: Package, out: Path, options: Sequence[str]) -> list[dict[str, Any]]:
    """Convert, record and verify one package; gives the rows of the evidence."""
    shutil.rmtree(out, ignore_errors=True)
    old, new = out / "old", out / "new"
    shutil.copytree(package.folder, old, ignore=not_copied)
    shutil.copytree(old, new)
    values = out / "values.zip"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([".", "src", os.environ.get("PYTHONPATH", "")])}
    pytest = [sys.executable, "-m", "pytest", "-q", "--continue-on-collection-errors"]
    pytest.append(package.tests)
    trace = [*CLI, "trace", "--quiet", "--root", ".", "--values", str(values.resolve()), "--", *pytest]
    with (out / "log.txt").open("w") as log:
        kept: dict[str, Any] = {"stdout": log, "stderr": log, "check": False}
        whole = [package.name, *([package.tests] if package.tests != "." else [])]  # its callers
        subprocess.run([*CLI, "convert", "--quiet", "--write", *whole], cwd=new, **kept)
        subprocess.run(trace, cwd=old, env=environment, **kept)
        replay = ["--replay", str(values)] if values.is_file() else []
        command = [*CLI, "verify", str(old / package.name), str(new / package.name), *replay, *options]
        command += ["--markdown", str(out / "evidence.md"), "--output-format", "json"]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=log, check=False)
    (out / "evidence.json").write_bytes(done.stdout)
    return list(json.loads(done.stdout or b"[]"))


def row(name: str, rows: Sequence[dict[str, Any]]) -> tuple[str, ...]:
    """The line of a package in the table."""
    verdicts = Counter(one["verdict"] for one in rows)
    exercised = verdicts["equal"] + verdicts["different"]
    recorded = sum(any(origin.startswith("replayed") for origin in one.get("counts", ())) for one in rows)
    share = f"{100 * exercised / max(1, len(rows)):.0f} %"
    counts = (verdicts["equal"], verdicts["different"], verdicts["not exercised"], recorded)
    return (name, str(len(rows)), share, *map(str, counts))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table, and below it what differs and why functions are not exercised."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="+", type=Package.read)
    parser.add_argument("--out", type=Path, default=Path("build/verify"))
    parser.add_argument("--no-generate", action="store_true")
    parser.add_argument("--seconds", default="2")
    parser.add_argument("--minutes", default="10", help="for each package, shared among its functions")
    options = parser.parse_args(arguments)
    extra = ["--seconds", options.seconds, "--minutes", options.minutes]
    extra += ["--no-generate"] if options.no_generate else []
    lines, said = [COLUMNS], list[str]()
    for package in options.packages:
        rows = verified(package, options.out / Path(package.name).name, extra)
        lines.append(row(Path(package.name).name, rows))
        print(" | ".join(lines[-1]), flush=True)
        said += [f"{one['module']}.{one['name']}: {one['difference']}" for one in rows if one["verdict"] != "equal"]
    print("\n".join(["", *said, "", *(f"| {' | '.join(line)} |" for line in lines)]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
