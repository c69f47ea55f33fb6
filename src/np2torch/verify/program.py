"""Run a file or module as a program whose tensors print as arrays: `python -m np2torch.verify.program FILE ...`."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import torch

from np2torch.verify.called_functions import CalledFunctions
from np2torch.verify.output import tensors_print_as_arrays


def main(target: str, path: str, report: str, device: str) -> None:
    """Run the target as `__main__`; the names of the functions of the file at `path` that ran go to `report`."""
    if device != "cpu":
        torch.set_default_device(device)
    sys.argv = [target]
    called = CalledFunctions(Path(path))
    try:
        with tensors_print_as_arrays(), called.watching():
            if Path(target).is_file():
                runpy.run_path(target, run_name="__main__")
            else:
                runpy.run_module(target, run_name="__main__", alter_sys=True)
    finally:
        Path(report).write_text("\n".join(sorted(called.names)), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
