"""Our streams for code that runs in NumPy: its own generators, at the place where ours are."""

from __future__ import annotations

import sys
from typing import Any

from np2torch.shim.interop import as_numpy
from np2torch.shim.random.shared import STREAM
from np2torch.shim.random.twins import twin

__all__ = ["numpy_stream"]


def numpy_stream(stream: Any = None) -> Any:
    """NumPy's generator at the place where one of ours is, to draw from as long as nobody draws from ours.

    What is drawn is drawn from ours too: it goes on where NumPy's is.

    Parameters
    ----------
    stream
        A generator; by default that of the functions of `random`. What is none of ours is drawn from as it is.
    """
    ours = STREAM if stream is None or stream is sys.modules[__package__ or __name__] else stream
    if not hasattr(ours, "_source"):
        return as_numpy(ours)
    found = twin(ours._source)
    return ours.__np2torch_lent__() if found is None else found
