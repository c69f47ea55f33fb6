"""The tests that speak for others that fail alike: they run first."""

from __future__ import annotations

from collections.abc import Mapping

from np2torch.migrate.runner import concerned_tests
from np2torch.migrate.trials import Baseline, Failure

MOST_SPEAKERS = 3
"""Of tests that fail alike so many are run first."""


def speakers(failing: Mapping[str, Failure], baseline: Baseline) -> tuple[list[str], list[str]]:
    """Some failing tests of each kind of error and place, those that take least; and the others."""
    kinds: dict[tuple[str, str], list[str]] = {}
    for name in sorted(failing, key=lambda one: baseline.seconds.get(one, 0.0)):
        error, *_ = failing[name].error.partition(":")
        kinds.setdefault((error, next(iter(failing[name].places), name)), []).append(name)
    chosen = {name for names in kinds.values() for name in names[:MOST_SPEAKERS]}
    return concerned_tests(chosen, baseline.order), [name for name in failing if name not in chosen]
