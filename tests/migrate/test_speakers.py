"""Of the tests that fail alike some run first, those that take least."""

from __future__ import annotations

from np2torch.migrate.speakers import MOST_SPEAKERS, speakers
from np2torch.migrate.trials import Baseline, Failure


def test_some_of_each_kind_of_error_and_place_come_first():
    names = [f"t::test_{number}" for number in range(6)]
    alike, other = Failure("TypeError: no", ["m:f"]), Failure("TypeError: no", ["m:g"])
    failing = {**dict.fromkeys(names[:5], alike), names[5]: other}
    seconds = {name: float(10 - number) for number, name in enumerate(names)}
    first, rest = speakers(failing, Baseline(list(names), seconds=seconds))
    assert first == [*names[5 - MOST_SPEAKERS : 5], names[5]] and rest == names[: 5 - MOST_SPEAKERS]
