"""The lines of a module that a call comes to: of two inputs that are answered the one that reaches more says more."""

from __future__ import annotations

import sys
from types import FrameType, TracebackType
from typing import Any

MOST = 20_000
"""Lines after which no more are noted: it takes time."""


class LineWatch:
    """Notes the lines of a file that are run within it."""

    def __init__(self, file: str | None) -> None:
        self.file = file
        self.seen: set[int] = set()
        self._left = MOST
        self._before = sys.gettrace()

    def __enter__(self) -> set[int]:
        if self.file is not None:
            sys.settrace(self._call)
        return self.seen

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.file is not None:
            sys.settrace(self._before)

    def _call(self, frame: FrameType, event: str, argument: Any) -> Any:
        return self._line if frame.f_code.co_filename == self.file and self._left > 0 else None

    def _line(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line":
            self.seen.add(frame.f_lineno)
            self._left -= 1
        if self._left > 0:
            return self._line
        sys.settrace(None)
        return None
