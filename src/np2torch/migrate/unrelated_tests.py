"""The tests that fail for other reasons than the conversion: with everything on NumPy they fail as well."""

from __future__ import annotations

from collections.abc import Callable

from np2torch.migrate.left_places import LeftPlaces
from np2torch.migrate.runner import concerned_tests
from np2torch.migrate.trials import Failure, Trials


def without_unrelated(
    trials: Trials, left: LeftPlaces, failing: dict[str, Failure], has_run: Callable[[], bool]
) -> dict[str, Failure]:
    """Leave out the tests that fail with everything on NumPy as well, before more is left there for them.

    Those are asked whose functions all stay there already. Where they pass then, they run once more as they have
    failed: those that pass the second time are left out as well.
    """
    order = trials.baseline.order
    asked = concerned_tests(left.all_called(failing), order)
    if not asked or asked == order or not has_run():
        return failing
    everything = [*left.reasons, *left.not_kept(trials.conversion.all_modules())]
    unrelated = trials.failures(everything, asked)
    if waiting := [one for one in asked if one not in unrelated]:
        tests = order[: order.index(waiting[-1]) + 1]
        again = trials.failures(left.reasons, tests, is_all=True)
        unrelated |= {one: failing[one] for one in waiting if one not in again}
    if not unrelated or trials.runner.is_over():
        return failing
    left.leave_out(unrelated)
    return {name: failure for name, failure in failing.items() if name not in unrelated}
