"""What a call would be observed to do."""

from __future__ import annotations

from np2torch.verify.calls import Observed
from np2torch.verify.encode import pack


def seen(*values: object, printed: str = "") -> Observed:
    """What is observed of a function that gives these values."""
    return Observed(values=pack([list(values), [], []]), printed=printed)
