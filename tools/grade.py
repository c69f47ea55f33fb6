"""`make grade`: run a program on NumPy with every expression recorded, and score the analyser against what was seen.

    python tools/grade.py PATH... -- (SCRIPT | -m MODULE) ARGS     # the paths are recorded and analysed together
    python tools/grade.py --package ahrs==0.4.0 ...                # an sdist of PyPI and its own tests
    python tools/grade.py                                          # the examples of this project

For each program: how many expressions were arrays, and of how many of them kind, dtype and rank are known (*sole*: as
one alternative, not as a set that holds the truth), how many of the NumPy scalars are known as such, and how many facts
are wrong, that is, exclude something that was seen. Wrong facts are listed. Exits with 1 when a dtype or rank is wrong.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "src")]

from grading.score import HEAD, MAYBE, Scores, score  # noqa: E402

from np2torch.facts.values import perhaps_unheld  # noqa: E402
from np2torch.rewrite.convert import analyse  # noqa: E402
from np2torch.source.discover import load_project  # noqa: E402
from np2torch.source.folder import find  # noqa: E402
from np2torch.source.model import Settings  # noqa: E402
from np2torch.source.traces import NAME  # noqa: E402

DOWNLOADS = ROOT / "build" / "grade"
DEPENDENCIES = DOWNLOADS / "deps"
"""What packages need beside NumPy and SciPy: `pip install --no-deps --target build/grade/deps ...`, never torch."""
PYTEST = ["-m", "pytest", "-q", "--assert=plain", "-p", "no:cacheprovider", "-o", "addopts=", "-W", "ignore"]
PYTEST += ["--continue-on-collection-errors"]  # sdists may lack what a test reads
BESIDE = {"docs", "doc", "examples", "notebooks", "tools", "build", "benchmarks"}
"""Folders of an sdist that are neither the package nor its tests."""


def recorded(paths: Sequence[Path], command: Sequence[str], folder: Path, python_path: Sequence[Path]) -> dict:
    """Run a program with the files below the paths recorded: observations by real path and number of expression."""
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(map(str, python_path)), MPLBACKEND="Agg")
    with tempfile.TemporaryDirectory() as out:
        recorder = [sys.executable, str(ROOT / "tools/grading/recorder.py"), out, *map(str, paths), "--", *command]
        done = subprocess.run(recorder, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        print("   ", (done.stdout.strip().splitlines() or done.stderr.strip().splitlines() or [""])[-1])
        merged: dict[str, dict[str, list]] = {}
        for file in Path(out).glob("seen-*.json"):
            for path, sites in json.loads(file.read_text("utf-8")).items():
                into = merged.setdefault(os.path.realpath(path), {})
                for number, observed in sites.items():
                    into.setdefault(number, []).extend(observed)
    if not merged:
        sys.exit(f"nothing was recorded:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return merged


def traced(command: Sequence[str], folder: Path, python_path: Sequence[Path]) -> Path | None:
    """The trace of the same program."""
    search = [ROOT / "src", ROOT / "cli", *python_path]
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(map(str, search)), MPLBACKEND="Agg")
    trace = [sys.executable, "-m", "np2torch_cli", "trace", "--fresh", "--root", str(folder), "--", sys.executable]
    subprocess.run([*trace, *command], cwd=folder, env=environment, capture_output=True, check=False)
    return find(folder, NAME)


def grade(
    paths: Sequence[Path], command: Sequence[str], folder: Path, python_path: Sequence[Path] = (), trace: bool = False
) -> Scores:
    """Record a program, analyse the same files, and compare."""
    paths = [path.resolve() for path in paths]
    seen = recorded(paths, command, folder, python_path)
    evidence = traced(command, folder, python_path) if trace else None
    settings = Settings(root=folder, respect_gitignore=False, trace=evidence)
    project = load_project(paths, settings)
    analysis = analyse(project.files, settings)
    for path, failure in analysis.engine.failures.items():
        print(f"    the analysis of {path} failed: {failure!r}")
    trees = {os.path.realpath(path): info.tree for path, info in analysis.infos.items()}
    facts = {node: perhaps_unheld(fact) for node, fact in analysis.engine.facts.items()}  # as rules read them
    scores = score(trees, facts, seen)
    base = os.path.realpath(folder) + os.sep
    scores.wrong = [item._replace(path=item.path.removeprefix(base)) for item in scores.wrong]
    scores.lost = [item._replace(path=item.path.removeprefix(base)) for item in scores.lost]
    return scores


def sdist(specification: str, into: Path) -> Path:
    """The unpacked source distribution of a package, downloaded once."""
    into.mkdir(parents=True, exist_ok=True)
    name = specification.partition("==")[0].replace("-", "_").lower()
    archives = [path for path in into.glob("*.tar.gz") if path.name.replace("-", "_").lower().startswith(name + "_")]
    if not archives:
        pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", str(into)]
        subprocess.run([*pip, specification], check=True)
        return sdist(specification, into)
    folder = into / archives[0].name.removesuffix(".tar.gz")
    if not folder.exists():
        with tarfile.open(archives[0]) as archive:
            archive.extractall(into, filter="data")
    return folder


def grade_package(folder: Path, trace: bool = False) -> Scores:
    """Grade an unpacked package by its own tests, which are analysed with it."""
    tops = [folder / "src"] if (folder / "src").is_dir() else [folder]
    found = [path for top in tops for path in sorted(top.iterdir()) if (path / "__init__.py").exists()]
    found += [path for name in ("tests", "test") if (path := folder / name).is_dir()]
    paths = [path for path in dict.fromkeys(found) if path.name not in BESIDE]
    return grade(paths, [*PYTEST, *map(str, paths)], folder, [*tops, DEPENDENCIES], trace)


def main(arguments: Sequence[str]) -> int:
    """Grade what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--package", nargs="+", default=[], help="sdists of PyPI, or folders of unpacked ones")
    parser.add_argument("--trace", action="store_true", help="trace the program first, and analyse with its trace")
    parser.add_argument("--all", action="store_true", help="list scalars called arrays of unknown rank too")
    parser.add_argument("--lost", action="store_true", help="list where knowledge ends, most frequent first")
    parser.add_argument("--list", type=Path, help="write the wrong facts here as well")
    split = arguments.index("--") if "--" in arguments else len(arguments)
    options, command = parser.parse_args(arguments[:split]), arguments[split + 1 :]
    programs: dict[str, Scores] = {}
    for name in options.package:
        print(name, flush=True)
        folder = Path(name).resolve() if Path(name).is_dir() else sdist(name, DOWNLOADS)
        programs[folder.name] = grade_package(folder, options.trace)
    if command:
        programs[" ".join(command)] = grade(options.paths, command, Path.cwd(), trace=options.trace)
    if not programs:
        for path in sorted((ROOT / "examples").glob("*.py")):
            programs[path.name] = grade([path], [str(path)], ROOT)
    total = Scores()
    lines = []
    for name, scores in programs.items():
        roots = sorted({item for item in scores.wrong if not item.follows and (options.all or item.what != MAYBE)})
        lines += [f"{name}: {item}" for item in roots]
        if rest := len(scores.wrong) - len(roots):
            lines.append(f"{name}: {rest} more, which follow from these or call a scalar an array of unknown rank")
        total.add(scores)
        if options.lost:
            places = Counter((item.what, item.path, item.expression) for item in scores.lost)
            lines += [f"{name}: lost {number:4}  {' '.join(place)}" for place, number in places.most_common(40)]
    print("\n".join(lines))
    print(f"{'':24}{HEAD}")
    for name, scores in [*programs.items(), ("all", total)]:
        print(f"{name[:24]:24}{scores.row()}")
    if options.list:
        options.list.write_text("\n".join(lines) + "\n", "utf-8")
    return int(any(item.what in ("dtype", "rank") for item in total.wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
