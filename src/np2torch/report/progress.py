"""A progress bar for those who wait: on standard error, on a terminal, and only after a second."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

PATIENCE = 1.0


class Bar:
    """Call it with (done, total); use it as a context manager, so that the bar goes away at the end.

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
        self._since = time.monotonic() + patience
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __call__(self, done: int, total: int) -> None:
        """Show how far the work is."""
        if not self._enabled or (self._bar is None and time.monotonic() < self._since):
            return
        if self._bar is None or self._task is None:
            self._start()
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=done, total=total)

    def _start(self) -> None:
        from rich.console import Console  # rich takes longer to import than most runs last
        from rich.progress import Progress

        self._bar = Progress(console=Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False)
        self._task = self._bar.add_task(self._label, total=None)
        self._bar.start()

    def clear(self) -> None:
        """Take the bar away, so that something can be printed; the next call brings it back."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def __enter__(self) -> Bar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()
