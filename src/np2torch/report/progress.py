"""A progress bar for those who wait: on standard error, on a terminal, and only after a moment."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

PATIENCE = 0.3
"""With what it takes to start and to import, there is something on the screen within a second."""


class Bar:
    """Call it with (done, total); use it as a context manager, so that the bar goes away at the end.

    It appears by itself once the patience is over, and only moves to and fro until it is first called.

    Parameters
    ----------
    enabled
        Whether to show anything; by default, whether standard error is a terminal.
    patience
        Seconds to wait before the bar appears.
    """

    def __init__(self, label: str, enabled: bool | None = None, patience: float = PATIENCE) -> None:
        self._label = label
        self._enabled = sys.stderr.isatty() if enabled is None else enabled
        self._patience = patience
        self._state: tuple[int, int | None] = (0, None)
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._timer: threading.Timer | None = None
        self._lock = threading.Lock()
        self._wait()

    def _wait(self) -> None:
        """Let the bar appear when the patience is over, whatever the main thread does meanwhile."""
        if self._enabled:
            self._timer = threading.Timer(self._patience, self._show)
            self._timer.daemon = True
            self._timer.start()

    def __call__(self, done: int, total: int) -> None:
        """Show how far the work is."""
        with self._lock:
            self._state = done, total
            if self._bar is not None and self._task is not None:
                self._bar.update(self._task, completed=done, total=total)
                return
        if self._enabled and self._timer is None:
            self._wait()

    def _show(self) -> None:
        from rich.console import Console  # rich takes longer to import than most runs last
        from rich.progress import Progress

        with self._lock:
            if self._timer is None:  # cleared meanwhile
                return
            bar = Progress(console=Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False)
            self._task = bar.add_task(self._label, total=self._state[1], completed=self._state[0])
            bar.start()
            self._bar = bar

    def clear(self) -> None:
        """Take the bar away, so that something can be printed; the next call brings it back."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            bar, self._bar = self._bar, None
        if bar is not None:
            bar.stop()

    @contextmanager
    def unless_done(self) -> Iterator[None]:
        """Take the bar away where what it was made for ends in an error."""
        try:
            yield
        except BaseException:
            self.clear()
            raise

    def __enter__(self) -> Bar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()
