"""`make numpy-tests`: NumPy's own test files, as they are, converted by np2torch, and on `torch._numpy`.

    python tools/numpy_tests.py [NAME ...] [--sides np2torch ...] [--out build/numpy-tests]

A NAME is `linalg`, or `lib/shape_base` where two files have it; by default the files of `FILES`. Each side runs in a
process of its own, with a time limit per test and per file. Only tests that pass on NumPy count; tests are paired by
name, and those whose parameters print otherwise by their position.

A test fails loudly (an error was raised where NumPy raises none, or another one), by the words of an error or a
warning, or by a comparison: a value, a dtype, a shape, a flag differs, or nothing was raised. That may be in a function
with a note, so that who converts it is told. What fails on our side is listed in OUT/NAME/failures.txt, and of that
first what failed by comparison without a note: those are to be looked at one by one.

Where a file cannot be collected, because a parameter of some test cannot be made, it is run again with these guarded
(`guard.py`): the tests they are for fail, the others run.

Tests that concern dtypes torch lacks (objects, text, records, dates, long doubles, swapped bytes) are counted apart.
They are known by their parameters, by their text (`plugin.LACKING`), or because the shim refused such a dtype.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

from numpy_suite.guard import guarded
from numpy_suite.sides import SIDES, numpy_folder, text_of

TOOLS = Path(__file__).resolve().parent
ATTEMPTS = 5
"""How often a process that died or hung is started again; the test it was at is left out."""
FILES = (
    "_core/numeric _core/indexing _core/shape_base lib/shape_base _core/function_base lib/function_base "
    "lib/twodim_base lib/arraysetops lib/nanfunctions linalg/linalg fft/pocketfft _core/einsum lib/histograms "
    "lib/arraypad lib/index_tricks _core/ufunc"
).split()
REFUSED = re.compile(
    r"(?:no counterpart of dtype|no torch dtype holds|convert np.ndarray of type|KeyError:)\W*(?:numpy\.|class )*\W*"
    r"(?:numpy\.)?\W*(?:object|str|bytes|NoneType|Decimal|Fraction|[OgGSUVMm][\d'\[]|c?longdouble|float128|complex256"
    r"|void|datetime|timedelta|StringDType|rational|[<>]|\[)"
)
"""The shim's answer to a dtype torch lacks."""
HOW = ("1 value", "2 told", "3 loud", "4 words")
"""How a test fails, what is to be looked at first: by a comparison, by one in a function that has a note of ours, by an
error, by the words of one or a warning."""
WORDS = re.compile("(?:does|did) not match|o warning|Got warn|NOT WARN")

Results = dict[str, dict[str, Any]]


def run(side: str, path: Path, folder: Path, limit: int) -> Results:
    """One side of one file in processes of its own: started again, behind the test it died in, until all were begun."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    text: str | None = text_of(side, path)
    assert text is not None
    (folder / path.name).write_text(text, "utf-8")
    (folder / "pytest.ini").write_text("[pytest]\nfilterwarnings = ignore\n")
    environment = {
        **os.environ,
        "NUMPY_SUITE_SIDE": side,
        "OMP_NUM_THREADS": "1",
        "NPY_AVAILABLE_MEM": "2 GB",  # NumPy's tests that need more skip themselves
        "PYTHONPATH": os.pathsep.join([str(TOOLS.parent / "src"), str(TOOLS)]),
    }
    without = ("-p", "no:cacheprovider", "-p", "no:xdist")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "numpy_suite.plugin", *without, path.name]
    for _ in range(ATTEMPTS):
        with (folder / "log.txt").open("a") as log:
            try:
                done = subprocess.run(
                    command, cwd=folder, env=environment, stdout=log, stderr=log, timeout=limit, check=False
                )
            except subprocess.TimeoutExpired:
                continue
        if done.returncode == 2 and text is not None:  # the file cannot be collected
            (folder / path.name).write_text(guarded(text), "utf-8")
            text = None
            command.append("--continue-on-collection-errors")
        elif done.returncode >= 0:  # a negative one is the signal that killed it
            break
    return read(folder)


def read(folder: Path) -> Results:
    """What a run noted: per test its outcome, its error, whether it is about dtypes torch lacks."""
    found: Results = {}
    noted = folder / "result.jsonl"
    for line in noted.read_text().splitlines() if noted.exists() else ():
        entry = json.loads(line)
        name = entry.get("collected") or entry.get("begin") or entry.get("id")
        found.setdefault(name, {"outcome": "missing", "error": ""}).update(entry)
    return found


def how(found: dict[str, Any]) -> str:
    """How a test failed. What had to raise and did not counts as a comparison: it may have given any value."""
    if not found["error"].startswith(("AssertionError", "Failed")):
        return HOW[2]
    return HOW[3] if WORDS.search(found["error"]) else HOW[found.get("told", False)]


def paired(numpy: Results, other: Results) -> Results:
    """The results of the other side under NumPy's names: the same, or the one at the same place of as many."""

    def groups(results: Results) -> dict[str, list[str]]:
        found = defaultdict(list)
        for name in results:
            found[name.partition("[")[0]].append(name)
        return found

    theirs, missing = groups(other), {"outcome": "missing", "error": "not collected"}
    pairs: Results = {}
    for test, names in groups(numpy).items():
        same = theirs[test] if len(theirs[test]) == len(names) else names
        for name, at in zip(names, same, strict=True):
            pairs[name] = other.get(name) or other.get(at) or missing
    return pairs


def compare(name: str, path: Path, out: Path, sides: list[str], limit: int) -> tuple[Any, ...]:
    """A row of the table. NumPy's side runs once; a side that was not asked for counts as it last ran."""
    results = {}
    for side in SIDES:
        folder = out / name.replace("/", "_") / side
        stale = side in sides if side != "numpy" else not (folder / "result.jsonl").exists()
        results[side] = run(side, path, folder, limit) if stale else read(folder)
    numpy = {test: found for test, found in results["numpy"].items() if found["outcome"] == "passed"}
    ours, theirs = paired(results["numpy"], results["np2torch"]), paired(results["numpy"], results["torch._numpy"])
    lacking = {test for test in numpy if numpy[test]["lacking"] or REFUSED.search(ours[test]["error"])}
    passed = {test for test in numpy if ours[test]["outcome"] == "passed"}
    failures = sorted((test in lacking, how(ours[test]), test) for test in numpy.keys() - passed)
    with (out / name.replace("/", "_") / "failures.txt").open("w") as listing:
        for dtypes, word, test in failures:
            outcome, error = ours[test]["outcome"], " ".join(ours[test]["error"].split())
            print(f"{word[2:]}{', dtype' * dtypes} | {test} | {outcome} {error}", file=listing)
    rest = numpy.keys() - lacking
    functions = {test.partition("[")[0] for test in numpy}
    whole = functions - {test.partition("[")[0] for test in numpy.keys() - passed}
    ways = [(dtypes, word) for dtypes, word, _ in failures]
    return (
        name, len(numpy), len(passed), sum(theirs[test]["outcome"] == "passed" for test in numpy),
        len(lacking - passed), ways.count((True, HOW[0])), len(rest & passed), len(rest),
        *(ways.count((False, word)) for word in HOW), len(functions), len(whole),
    )  # fmt: skip


def show(rows: list[tuple[Any, ...]]) -> None:
    """The table: tests (every set of parameters counts), then test functions all of whose tests pass.

    `dtypes` fail for dtypes torch lacks, and some of them by comparison; `others` pass of those that concern none.
    """
    head = ("file", "numpy", "np2torch", "torch._numpy", "dtypes", "(value)", "others", "of", "%")
    head = (*head, *(f"({word[2:]})" for word in HOW), "functions", "whole", "%")
    rows = [*rows, ("all", *(sum(row[at] for row in rows) for at in range(1, len(rows[0]))))]
    lines: list[tuple[Any, ...]] = [head]
    for name, passed, ours, theirs, dtypes, seen, good, rest, *hows, functions, whole in rows:
        lines.append((
            name, passed, ours, theirs, dtypes, seen, good, rest, f"{100 * good / max(rest, 1):.1f}",
            *hows, functions, whole, f"{100 * whole / max(functions, 1):.1f}",
        ))  # fmt: skip
    widths = (20, 7, 10, 14, 8, 9, 8, 7, 7, 9, 8, 8, 9, 11, 7, 7)
    for line in lines:
        first, *rest = (str(cell).rjust(width) for cell, width in zip(line, widths, strict=True))
        print(first.strip().ljust(widths[0]), *rest, sep="")


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=FILES)
    parser.add_argument("--sides", nargs="*", choices=SIDES, default=list(SIDES), help="what to run anew")
    parser.add_argument("--out", type=Path, default=TOOLS.parent / "build" / "numpy-tests")
    parser.add_argument("--limit", type=int, default=1500, help="seconds for one side of one file")
    options = parser.parse_args()
    rows = []
    for name in options.names:
        place, _, base = name.rpartition("/")
        found = sorted(numpy_folder().glob(f"{place or '*'}/tests/test_{base}.py"))
        if len(found) != 1:
            parser.error(f"{name}: {len(found)} such files" if found else f"{name}: no such file")
        rows.append(compare(name, found[0], options.out.resolve(), options.sides, options.limit))
    show(rows)


if __name__ == "__main__":
    main()
