"""A signal to stop waits until a child is known, and stops the child all the same."""

from __future__ import annotations

import os
import signal
import subprocess
import threading

import pytest

from np2torch.migrate.interrupts import hold_signals


@pytest.mark.parametrize("others", [False, True], ids=["alone", "beside a thread that would take it"])
def test_a_signal_waits_and_comes(others):
    done, over = [], threading.Event()
    if others:
        threading.Thread(target=over.wait, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        with hold_signals():
            os.kill(os.getpid(), signal.SIGINT)
            done.append("noted")
        done.append("not reached")
    over.set()
    assert done == ["noted"]


def test_a_child_hears_it():
    with hold_signals():
        child = subprocess.Popen(["sleep", "60"])
    child.send_signal(signal.SIGINT)
    assert child.wait(timeout=20) == -signal.SIGINT
