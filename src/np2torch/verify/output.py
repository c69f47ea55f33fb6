"""Programs compared by what they print."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import torch

import np2torch
from np2torch.verify.printed_text import text_difference
from np2torch.verify.sides import Side

__all__ = ["Program", "program_difference", "run_program", "tensors_print_as_arrays", "text_difference"]

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


class Program(NamedTuple):
    """The output of a program, a failure as the last line, and the functions of its own file that it called."""

    printed: str
    called: frozenset[str] = frozenset()

    @property
    def ending(self) -> str:
        """How it ended, where it did not end well."""
        last = self.printed.rpartition("\n")[2]
        return last if last.startswith((FAILED, ENDLESS)) else ""


def run_program(side: Side, timeout: float) -> Program:
    """Run a file as a program."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "called.txt"
        printed = _printed(side, timeout, report)
        names = report.read_text("utf-8").split("\n") if report.is_file() else []
    return Program(printed, frozenset(names))


def _printed(side: Side, timeout: float, report: Path) -> str:
    target = side.name if side.in_package else str(side.path)
    command = ["-m", "np2torch.verify.program", target, str(side.path), str(report), side.device]
    path = [str(side.root), str(Path(np2torch.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, path)), "PYTHONHASHSEED": "0"}
    try:
        done = subprocess.run(
            [sys.executable, *command], capture_output=True, text=True, timeout=timeout, env=environment, check=False
        )
    except subprocess.TimeoutExpired:
        return f"{ENDLESS}{timeout:g} s)"
    if not done.returncode:
        return done.stdout
    reason = "".join(f": {line}" for line in done.stderr.strip().splitlines()[-1:])
    return f"{done.stdout}\n{FAILED}{done.returncode}{reason})"


def program_difference(old: Program, new: Program) -> str | None:
    """How two programs differ in what they print; two that never end, or both fail, agree in nothing."""
    endings = old.ending, new.ending
    if any(ending.startswith(ENDLESS) for ending in endings):
        return "neither program comes to an end" if endings[0] == endings[1] else " became ".join(map(repr, endings))
    if endings[1] and not endings[0]:
        return f"fails {endings[1]}"
    if endings[1] and endings[1] == endings[0]:
        return text_difference(old.printed, new.printed) or f"neither program comes to its end: {endings[0]}"
    return text_difference(old.printed, new.printed)
