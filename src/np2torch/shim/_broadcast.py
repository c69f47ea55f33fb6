"""The common shape of several: `torch.broadcast_shapes` loads half a second of modules when it is first called."""

from __future__ import annotations

from collections.abc import Sequence

import torch


def common_shape(*shapes: Sequence[int]) -> torch.Size:
    """The shape that all of them broadcast to.

    Raises
    ------
    ValueError
        Where there is none.
    """
    rank = max([0, *map(len, shapes)])
    found = [1] * rank
    for shape in shapes:
        for at in range(-len(shape), 0):
            if shape[at] != 1 and shape[at] != found[at]:
                if found[at] != 1:
                    said = " ".join(str(tuple(one)) for one in shapes)
                    raise ValueError(f"shape mismatch: objects cannot be broadcast to a single shape {said}")
                found[at] = shape[at]
    return torch.Size(found)
