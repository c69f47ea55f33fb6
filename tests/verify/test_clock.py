"""A process that waits for a processor is not slow: neither its calls nor the limit on them count that time."""

from __future__ import annotations

import os
import time
from types import SimpleNamespace

import pytest

from np2torch.verify import clock
from np2torch.verify.frames import LateError, receive, send


def test_the_time_of_waiting_is_left_out(monkeypatch):
    assert clock.waiting_time() >= 0.0 and clock.waiting_time("no process") == 0.0
    started = clock.now()
    monkeypatch.setattr(clock, "waiting_time", lambda process="self": 1e6)
    assert clock.now() < started - 4.0


def test_a_clock_stands_still_for_a_part_of_the_limit_alone(monkeypatch):
    waits = iter([1.0, 1.25, 100.0])
    monkeypatch.setattr(clock, "waiting_time", lambda process: next(waits))
    read = clock.clock_of(1, 0.5)
    assert time.monotonic() - read() == pytest.approx(0.25, abs=0.05)
    assert time.monotonic() - read() == pytest.approx(clock.MOST * 0.5, abs=0.05)


def test_each_function_has_its_turn_and_what_one_leaves_is_for_those_that_follow(monkeypatch):
    now = iter([100.0, 100.0, 106.0, 106.0, 999.0])
    monkeypatch.setattr(clock.time, "monotonic", lambda: next(now))
    shares = clock.Shares(24.0, 4)
    assert shares.take() == pytest.approx(6.0 / clock.WHOLE)
    assert shares.take() == pytest.approx(6.0 / clock.WHOLE)
    assert shares.take() == pytest.approx(9.0 / clock.WHOLE)
    assert shares.take() == 0.0
    monkeypatch.undo()
    assert clock.Shares(float("inf"), 3).take() == 1.0


def test_an_answer_is_late_by_that_clock():
    reader, writer = os.pipe()
    times = iter([0.0, 0.0, 0.01, 0.01, 0.03])
    with pytest.raises(LateError):
        receive(reader, 0.02, lambda: next(times))
    assert next(times, None) is None
    send(writer, {"a": 1})
    assert receive(reader, 0.02, lambda: 7.0) == {"a": 1}


def test_an_allowance_is_spent_by_this_process_and_by_others(monkeypatch):
    monkeypatch.setattr(time, "process_time", lambda: 5.0)
    other = SimpleNamespace(spent=7.0)
    allowance = clock.Allowance(2.0, (other,))
    other.spent = 8.0
    assert allowance.remaining == 1.0
    monkeypatch.setattr(time, "process_time", lambda: 6.5)
    assert not allowance.remaining
