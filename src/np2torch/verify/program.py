"""Run a file or module as a program whose tensors print as arrays: `python -m np2torch.verify.program FILE`."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

from np2torch.verify.output import tensors_print_as_arrays


def main(target: str) -> None:
    """Run the target as `__main__`."""
    sys.argv = [target]
    with tensors_print_as_arrays():
        if Path(target).is_file():
            runpy.run_path(target, run_name="__main__")
        else:
            runpy.run_module(target, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(sys.argv[1])
