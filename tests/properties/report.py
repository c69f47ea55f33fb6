"""`make properties EXAMPLES=200 [NAMES="sum linalg.* --how native"]`: many examples per function, and how often they differed.

Prints a line per function: examples run, differences that are documented, differences left; then the shortest example
of each kind that is left. Exits with 1 if any is.
"""

from __future__ import annotations

import argparse
import fnmatch
import itertools
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import torch
from converted import converted, disagreement, sample
from drawing import Case
from hypothesis import HealthCheck, Phase, given, seed, settings
from known import known
from running import cases, compare, numpy_outcome, shim_outcome
from table import Row, rows
from transforms import TRANSFORMS, unlisted


def differences(row: Row, count: int, start: int) -> tuple[int, list[tuple[str, Case]]]:
    """How many examples ran, and those that differed."""
    ran, found = itertools.count(), []

    @seed(start)
    @settings(
        max_examples=count, database=None, deadline=None, suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )  # fmt: skip
    @given(cases(row.template))
    def run(case: Case) -> None:
        next(ran)
        line = compare(case, numpy_outcome(case), shim_outcome(case), row.slack)
        if line:
            found.append((line, case))

    run()
    return next(ran), found


def native_differences(row: Row, count: int, start: int) -> tuple[int, list[tuple[str, Case]]]:
    """The same for what converts to native torch."""
    ran, found = 0, []
    for one in converted([(row, case) for case in sample(row, count, start)]):
        if one.is_native():
            ran += 1
            if line := disagreement(one):
                found.append((line, one.case))
    return ran, found


def transformed(check: Callable[[Row, int], str | None]) -> Callable[..., tuple[int, list[tuple[str, str]]]]:
    """The same for one example, whatever the count, under a transform of torch's."""

    def run(row: Row, count: int, start: int) -> tuple[int, list[tuple[str, str]]]:
        said = check(row, start)
        return 1, [(said, said)] if said else []

    return run


RUNS: dict[str, Callable[..., Any]] = {
    "shim": differences,
    "native": native_differences,
    **{name: transformed(check) for name, (check, _) in TRANSFORMS.items()},
}


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("examples", type=int, nargs="?", default=200)
    parser.add_argument("names", nargs="*", default=["*"])
    parser.add_argument("--how", choices=list(RUNS), default="shim", help="what is run; by default the shim as it is")
    parser.add_argument("--seed", type=int, default=0)
    wanted = parser.parse_args()
    torch.set_num_threads(1)
    total: Counter[str] = Counter()
    wrong: list[str] = []
    chosen = [row for row in rows() if any(fnmatch.fnmatch(row.name, name) for name in wanted.names)]
    chosen = unlisted(chosen, TRANSFORMS[wanted.how][1]) if wanted.how in TRANSFORMS else chosen
    print(f"{'function':42} examples  documented  left")
    for name, group in itertools.groupby(sorted(chosen), key=lambda row: row.name):
        ran, told, left = 0, 0, {}
        for at, row in enumerate(group):
            more, found = RUNS[wanted.how](row, wanted.examples, wanted.seed + at)
            ran += more
            for line, case in sorted(found, key=lambda one: len(str(one[1]))):
                if known(name, line, wanted.how == "native"):
                    told += 1
                else:
                    left.setdefault(line[:24], []).append((line, case))
        count = sum(map(len, left.values()))
        total.update(functions=1, examples=ran, documented=told, left=count)
        print(f"{name:42} {ran:8}  {told:10}  {count:4}", flush=True)
        wrong += [f"{name}: {shown[0][0]}\n    {shown[0][1]}" for shown in left.values()]
    print("\n".join(["", *wrong, ""]) if wrong else "")
    print(", ".join(f"{count} {what}" for what, count in total.items()))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
