"""Elements that are kept, and arrays without axes that others hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch

from np2torch import shim
from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Settings, SourceFile

TEXT = """import numpy as np


def make_step(signals, key):
    step = signals[key]

    def run():
        step[...] += 1

    return run
"""


def test_an_array_without_axes_is_written_where_it_is() -> None:
    """What a mapping holds is no scalar where it is marked as an array: it is not copied where it is read."""
    (done,) = convert_project([SourceFile(Path("steps.py"), "steps.py", TEXT)], Settings())
    held: list[Any] = [{"step": np.array(0.0)}, {"step": shim.array_0d(torch.tensor(0.0, dtype=torch.float64))}]
    for text, signals in zip((TEXT, done.after), held, strict=True):
        names: dict[str, Any] = {}
        exec(text, names)
        run = names["make_step"](signals, "step")
        run()
        run()
    assert float(held[0]["step"]) == float(held[1]["step"]) == 2


def test_such_an_array_that_is_kept_is_not_copied() -> None:
    for x in (shim.array_0d(torch.tensor(1.0)), shim.ndarray((), torch.float64)):
        assert shim.element(x) is x
    x = torch.tensor(1.0)
    assert shim.element(x) is not x
