"""`make bench-kernels`: how fast converted kernels are, as ratios to the same kernels on NumPy.

    python tools/bench_kernels.py [NAME ...] [--loops numpy] [--functions tensor] [--vectorize] [--folder FOLDER]
        [--json FILE]

Each module of `tools/loops/` is converted with its callers (`case_...`). Both sides run in turn in this one process, on
one thread; the least CPU time of the rounds counts. Results have to be equal, or the case is listed as different.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
import types
from collections.abc import Callable, Iterator
from pathlib import Path

import torch

from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Settings, SourceFile
from np2torch.verify.compare import difference

HERE = Path(__file__).resolve().parent
ROUNDS = 5
SHORTEST = 0.02
"""CPU seconds that a side is repeated for in each round."""


def load(name: str, text: str) -> dict[str, Callable[[], object]]:
    """Run a module; its cases by name."""
    module = types.ModuleType(name)
    sys.modules[name] = module
    exec(compile(text, f"{name}.py", "exec"), module.__dict__)
    return {key[5:]: value for key, value in vars(module).items() if key.startswith("case_")}


def spent(case: Callable[[], object], times: int) -> float:
    """CPU seconds per call."""
    begin = time.process_time()
    for _ in range(times):
        case()
    return (time.process_time() - begin) / times


def ratio(before: Callable[[], object], after: Callable[[], object]) -> tuple[float, float]:
    """Least CPU seconds per call before, and after."""
    times = [max(1, math.ceil(SHORTEST / max(spent(side, 1), 1e-6))) for side in (before, after)]
    rounds = [(spent(before, times[0]), spent(after, times[1])) for _ in range(ROUNDS)]
    return min(one for one, _ in rounds), min(one for _, one in rounds)


def cases(folder: Path, settings: Settings) -> Iterator[tuple[str, Callable[[], object], Callable[[], object]]]:
    """The cases of a folder with both sides."""
    paths = sorted(folder.glob("*.py"))
    files = [SourceFile(path, path.name, path.read_text("utf-8")) for path in paths]
    for converted in convert_project(files, settings):
        stem = converted.path.stem
        before, after = load(f"{stem}_numpy", converted.before), load(f"{stem}_torch", converted.after)
        for name in before:
            yield f"{stem}.{name}", before[name], after[name]


def mean(ratios: list[float]) -> float:
    """The geometric mean."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="parts of the names of cases")
    parser.add_argument("--loops", default=None, help="the policy for element loops")
    called = Settings().functions
    parser.add_argument("--functions", default=called, help="the policy for functions that go by elements")
    parser.add_argument("--folder", type=Path, default=HERE / "loops")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--vectorize", action="store_true", help="make whole-array code of loops")
    options = parser.parse_args()
    torch.set_num_threads(1)
    settings = Settings(loops=options.loops or "", functions=options.functions, vectorize=options.vectorize)
    found: dict[str, float] = {}
    different = 0
    for name, before, after in cases(options.folder, settings):
        if options.names and not any(part in name for part in options.names):
            continue
        try:
            problem = difference(before(), after())
        except Exception as error:  # a side that raises is one more difference
            problem = f"{type(error).__name__}: {error}"
        different += problem is not None
        if problem is not None:
            print(f"{name:32} {problem}", flush=True)
            continue
        first, second = ratio(before, after)
        found[name] = second / first
        print(f"{name:32} {first * 1e3:9.3f} ms {second * 1e3:9.3f} ms {found[name]:7.2f}", flush=True)
    print(f"{len(found)} kernels, {different} different: geomean {mean([*found.values()]):.2f}, ", end="")
    print(f"largest {max(found.values()):.2f}, {sum(one > 4 for one in found.values())} over 4")
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
