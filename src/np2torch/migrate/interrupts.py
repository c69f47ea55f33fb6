"""Ctrl-C between the start of a child and the note of it would leave a child that nobody ends: it waits as long."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

STOPS = {signal.SIGINT, signal.SIGTERM}


@contextmanager
def held() -> Iterator[None]:
    """Hold signals that stop us back, until what is inside has been done."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def let_through() -> None:
    """Undo that in a child, which has it from us."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)
