"""The description of a code."""

from __future__ import annotations

from typing import NamedTuple


class Code(NamedTuple):
    """The description of a code; the example is a module without `import numpy as np`, empty if there is none."""

    title: str
    text: str
    example: str = ""
