"""Write `src/np2torch/rules/tensor_names.txt`: every public attribute that tensors have and ndarrays have not.

The analyser reads the list and never imports torch. A test fails when a name is missing.
"""

from __future__ import annotations

import pathlib

PATH = pathlib.Path(__file__).parent.parent / "src/np2torch/rules/tensor_names.txt"


def tensor_names() -> list[str]:
    """The names, those of torch's in-place methods (`add_`) left out: only code for torch asks for them."""
    import numpy as np
    import torch

    return [name for name in dir(torch.Tensor) if name.strip("_") == name and not hasattr(np.ndarray, name)]


def main() -> None:
    """Write the list."""
    head = "# public attributes that tensors have and ndarrays have not, written by tools/list_tensor_names.py\n"
    PATH.write_text(head + "\n".join(sorted(tensor_names())) + "\n")


if __name__ == "__main__":
    main()
