"""A signal to stop waits until a child is known, and stops the child all the same."""

from __future__ import annotations

import os
import signal
import subprocess

import pytest

from np2torch.migrate.interrupts import held, let_through


def test_a_signal_waits_and_comes():
    done = []
    with pytest.raises(KeyboardInterrupt):
        with held():
            os.kill(os.getpid(), signal.SIGINT)
            done.append("noted")
        done.append("not reached")
    assert done == ["noted"]


def test_a_child_hears_it():
    with held():
        child = subprocess.Popen(["sleep", "60"], preexec_fn=let_through)
    child.send_signal(signal.SIGINT)
    assert child.wait(timeout=20) == -signal.SIGINT
