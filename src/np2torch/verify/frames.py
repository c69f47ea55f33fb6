"""Messages between the verifier and its children: JSON with its length before it."""

from __future__ import annotations

import fcntl
import json
import os
import select
import struct
import time
from collections.abc import Callable
from typing import Any

LENGTH = struct.Struct(">Q")
LARGEST = 1 << 30
FAR = 500
"""The first descriptor that functions are not called with."""


class ClosedError(EOFError):
    """Error of a pipe whose other side is gone."""


class LateError(TimeoutError):
    """Nothing came in time."""


def out_of_reach(descriptor: int) -> int:
    """Move a descriptor to a number that no function is called with: small ones are passed for file names."""
    try:
        found = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, FAR)
    except OSError:
        return descriptor
    os.close(descriptor)
    return found


def send(descriptor: int, message: Any) -> None:
    """Write one message."""
    data = json.dumps(message).encode()
    data = LENGTH.pack(len(data)) + data
    while data:
        data = data[os.write(descriptor, data) :]


def receive(
    descriptor: int, seconds: float | None = None, clock: Callable[[], float] = time.monotonic
) -> Any:  # fmt: skip
    """Read one message.

    Parameters
    ----------
    clock
        Gives the time, which may stand still.

    Raises
    ------
    ClosedError
        Where the other side is gone, or writes what is no message.
    LateError
        Where it does not come within that time.
    """
    end = None if seconds is None else clock() + seconds
    (size,) = LENGTH.unpack(_exactly(descriptor, LENGTH.size, end, clock))
    if size > LARGEST:
        raise ClosedError("no message")
    try:
        return json.loads(_exactly(descriptor, size, end, clock))
    except ValueError:
        raise ClosedError("no message") from None


def _exactly(descriptor: int, size: int, end: float | None, clock: Callable[[], float]) -> bytes:
    parts = bytearray()
    while len(parts) < size:
        if end is not None and not select.select([descriptor], [], [], max(0.0, end - clock()))[0]:
            if clock() < end:
                continue
            raise LateError("nothing came in time")
        try:
            part = os.read(descriptor, min(size - len(parts), 1 << 20))
        except OSError:
            part = b""
        if not part:
            raise ClosedError("the process is gone")
        parts += part
    return bytes(parts)
