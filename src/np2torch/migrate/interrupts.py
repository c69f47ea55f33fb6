"""Signals held back between the start of a child and the note of it, so that no child is left that nobody ends."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

STOPS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def hold_signals() -> Iterator[None]:
    """Note signals that stop us, and send them once what is inside has been done.

    Blocking them in this thread would not do: in a program of many threads another thread takes them, and Python
    then raises in the main thread all the same. A child that is started inside has them as it would otherwise, since
    a handler does not outlive ``exec``.
    """
    if threading.current_thread() is not threading.main_thread():  # handlers run in the main thread alone
        yield
        return
    came: list[int] = []
    before = {each: signal.signal(each, lambda number, _: came.append(number)) for each in STOPS}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, signal.SIG_DFL if handler is None else handler)
        for number in came:
            signal.raise_signal(number)
