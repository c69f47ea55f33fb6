"""What a call would be observed to do."""

from __future__ import annotations

from np2torch.verify.calls import Observation
from np2torch.verify.encode import pack


def seen(*values: object, printed: str = "") -> Observation:
    """What is observed of a function that gives these values."""
    return Observation(values=pack([list(values), [], []]), printed=printed)
