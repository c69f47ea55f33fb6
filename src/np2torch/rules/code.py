"""What a code stands for."""

from __future__ import annotations

from typing import NamedTuple


class Code(NamedTuple):
    """What a code stands for; the example is a module without its `import numpy as np`, empty where none shows it."""

    title: str
    text: str
    example: str = ""
