"""The functions of a file that have run: one that was never called was never compared."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any


class CalledFunctions:
    """The qualified names of the functions of one file that ran while it was watched."""

    def __init__(self, path: Path) -> None:
        self.names: set[str] = set()
        self._path = os.path.abspath(path)

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Note what runs meanwhile; a profiler that was there before comes back afterwards."""
        before = sys.getprofile()
        sys.setprofile(self._note)
        try:
            yield
        finally:
            sys.setprofile(before)

    def _note(self, frame: FrameType, event: str, argument: Any) -> None:
        if event == "call" and frame.f_code.co_filename == self._path:
            self.names.add(frame.f_code.co_qualname)
