"""Programs compared by what they print."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch

import np2torch
from np2torch.verify.sides import Side

NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)(?![\w.])")
DTYPE = re.compile(r"\btorch\.((?:u?int|float|complex)\d+|bool)\b")
RTOL = 1e-12
FAILED, ENDLESS = "(exit ", "(no end after "


@contextlib.contextmanager
def tensors_print_as_arrays() -> Iterator[None]:
    """Let tensors show themselves as the arrays they stand for, so that printed numbers can be compared."""
    shown = torch.Tensor.__repr__
    patched: Any = torch.Tensor
    patched.__repr__ = lambda tensor: repr(_array(tensor))
    patched.__str__ = lambda tensor: str(_array(tensor))
    try:
        yield
    finally:
        patched.__repr__ = shown
        del patched.__str__


def _array(tensor: torch.Tensor) -> Any:
    """The array, or for a 0-D tensor the NumPy scalar."""
    return tensor.detach().resolve_conj().resolve_neg().cpu().numpy()[()]


def printed_by(side: Side, timeout: float) -> str:
    """The standard output of the file run as a program; a failure is added as a last line."""
    command = ["-m", "np2torch.verify.program", side.name if side.in_package else str(side.path)]
    path = [str(side.root), str(Path(np2torch.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, path)), "PYTHONHASHSEED": "0"}
    try:
        done = subprocess.run(
            [sys.executable, *command], capture_output=True, text=True, timeout=timeout, env=environment, check=False
        )
    except subprocess.TimeoutExpired:
        return f"{ENDLESS}{timeout:g} s)"
    failure = done.stderr.strip().splitlines()[-1:] if done.returncode else []
    return "\n".join([done.stdout, *(f"{FAILED}{done.returncode}: {line})" for line in failure)])


def program_difference(old: str, new: str) -> str | None:
    """How the outputs of two programs differ; two that never end agree in nothing."""
    endings = [text.rpartition("\n")[2] for text in (old, new)]
    if any(ending.startswith(ENDLESS) for ending in endings):
        return "neither program comes to an end" if endings[0] == endings[1] else " became ".join(map(repr, endings))
    if endings[1].startswith(FAILED) and not endings[0].startswith(FAILED):
        return f"fails {endings[1]}"
    return text_difference(old, new)


def text_difference(old: str, new: str) -> str | None:
    """The first line that differs; numbers may differ in their last bits, since sums may take another order."""
    a, b = old.splitlines(), new.splitlines()
    for index, (x, y) in enumerate(zip(a, b, strict=False), 1):
        if not _same_line(x, y):
            return f"line {index}: {x!r} became {y!r}"
    return None if len(a) == len(b) else f"{len(a)} lines became {len(b)}"


def _same_line(old: str, new: str) -> bool:
    new = DTYPE.sub(r"\1", new)
    if old == new:
        return True
    if NUMBER.sub("#", old) != NUMBER.sub("#", new):
        return False
    pairs = zip(NUMBER.findall(old), NUMBER.findall(new), strict=True)
    return all(a == b or abs(float(a) - float(b)) <= RTOL * abs(float(a)) for a, b in pairs)
