"""A run of all tests shared out to several copies at a time: what takes long on torch takes less so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

LEAST = 10.0
"""Seconds of the tests together, below which one process runs all."""


def share_out(tests: Sequence[str], seconds: Mapping[str, float], width: int) -> list[list[str]]:
    """Share out tests by their files, the longest first, each to the share that takes least; in their order.

    The tests of a file may use what one of them makes, so that they stay together.
    """
    files: dict[str, list[str]] = {}
    for test in tests:
        files.setdefault(test.partition("::")[0], []).append(test)
    took = {file: sum(seconds.get(test, 0.0) for test in some) for file, some in files.items()}
    if sum(took.values()) < LEAST or min(width, len(files)) < 2:
        return [list(tests)]
    loads = [0.0] * min(width, len(files))
    chosen: dict[str, int] = {}
    for file in sorted(files, key=lambda one: -took[one]):
        chosen[file] = least = loads.index(min(loads))
        loads[least] += took[file]
    shares: list[list[str]] = [[] for _ in loads]
    for test in tests:
        shares[chosen[test.partition("::")[0]]].append(test)
    return [share for share in shares if share]


def gain(shares: Sequence[Sequence[str]], seconds: Mapping[str, float]) -> float:
    """Give how many times as long all of it takes in one process."""
    loads = [sum(seconds.get(test, 0.0) for test in share) for share in shares]
    return sum(loads) / max(loads) if max(loads, default=0.0) else 1.0
