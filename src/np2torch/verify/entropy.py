"""Entropy of generators without a seed: the same on both sides, where calls could not be compared otherwise."""

from __future__ import annotations

import importlib
import random
import secrets
from typing import Any


def fix_entropy() -> None:
    """Give all generators that NumPy and the shim make without a seed the same one, as long as this process lives.

    A sequence of seeds would not do: NumPy may ask for more of them than the shim.
    """
    numpys: Any = importlib.import_module("numpy.random.bit_generator")
    numpys.randbits = _same_bits
    secrets.randbits = _same_bits


def _same_bits(k: int) -> int:
    return random.Random(k).getrandbits(k)
