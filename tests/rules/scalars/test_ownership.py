"""Elements that are kept, and arrays without axes that others hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
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


@pytest.mark.parametrize("made_by", ["copy()", "astype(np.float64)"])
def test_so_is_what_is_made_of_such_an_array(made_by: str) -> None:
    """Of an array without axes `copy` and its like give an array, which a mapping then holds."""
    text = f"import numpy as np\n\n\ndef start(signals, x):\n    signals['step'] = x.{made_by}\n"
    found = []
    for side, x in (("before", np.array(0.0)), ("after", shim.array_0d(torch.tensor(0.0, dtype=torch.float64)))):
        signals: dict[str, Any] = {}
        for source, call in ((text, ("start", signals, x)), (TEXT, ("make_step", signals, "step"))):
            (done,) = convert_project([SourceFile(Path("steps.py"), "steps.py", source)], Settings())
            names: dict[str, Any] = {}
            exec(getattr(done, side), names)
            run = names[call[0]](*call[1:])
        run()
        run()
        found.append(float(signals["step"]))
    assert found == [2, 2]


class Own(shim.ndarray):
    """A class of arrays."""


def test_such_an_array_that_is_kept_is_not_copied() -> None:
    """A view is an element of a larger array; what is no view is what a mapping holds."""
    for x in (shim.array_0d(torch.tensor(1.0)), Own((), torch.float64), torch.tensor(1.0)):
        assert shim.element(x) is x
    row = torch.ones(3)
    for x in (row[0], row.detach()[1], next(iter(row))):
        assert shim.element(x) is not x
    with torch.inference_mode():  # which knows of no views
        row = torch.ones(3)
        kept = shim.element(row[0])
        row[0] = 5
    assert kept == 1


def test_the_function_that_a_pool_calls_is_no_array() -> None:
    """A partial has no items; the arrays that it is called with are handed on one by one."""
    text = (
        "from functools import partial\nimport numpy as np\n\n\ndef run(pool, arrays):\n"
        "    job = partial(np.sum, axis=0)\n    return pool.imap(job, arrays)\n"
    )
    (done,) = convert_project([SourceFile(Path("pools.py"), "pools.py", text)], Settings())
    assert "return pool.imap(job, map(shim.element, arrays))" in done.after
