"""Loops that run in NumPy: every fixture with one does the same, and a second conversion changes nothing."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import torch

from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Settings, SourceFile
from support.fixture_pairs import converted, differences, name_of, numpy_files

pytestmark = pytest.mark.filterwarnings("ignore")
CODE = "NPT575"
LOOP = re.compile(r"^\s+(for|while) ", re.MULTILINE)
WITH_LOOPS = [path for path in numpy_files() if LOOP.search(path.read_text("utf-8"))]


@pytest.mark.parametrize("path", [pytest.param(path, id=name_of(path)) for path in WITH_LOOPS])
def test_loops_in_numpy_do_the_same(path: Path):
    done = converted(path, loops="numpy")
    assert not done.problems
    if any(site.code == CODE for site in done.sites):
        assert list(differences(path, done.after)) == []
        assert converted(path, done.after, loops="numpy").after == done.after


ELEMENTWISE = """import numpy as np


def halved(x):
    for i in range(len(x)):
        x[i] = x[i] / 2
    return x


halved(np.ones(3))
"""


def text_of(text: str, **settings: object) -> str:
    source = SourceFile(Path("m.py"), "m.py", text)
    (done,) = convert_project([source], Settings(**{"closed": ("*",), **settings}))  # type: ignore[arg-type]
    assert not done.problems
    return done.after


def test_a_gradient_is_refused_aloud():
    made: dict[str, Any] = {}
    exec(text_of(ELEMENTWISE), made)
    with pytest.raises(RuntimeError, match="requires grad"):
        made["halved"](torch.ones(3, requires_grad=True))


@pytest.mark.parametrize(
    ("settings", "in_numpy"),
    [
        ({}, True), ({"loops": "tensor"}, False), ({"device": "cuda"}, False), ({"float": "float32"}, False),
        ({"scalars": "tensor"}, False), ({"scalars": "tensor", "loops": "numpy"}, True),
        ({"ignore": ("NPT575",)}, False),
    ],
)  # fmt: skip
def test_settings_choose(settings: dict[str, object], in_numpy: bool):
    assert ("numpy_view(x)" in text_of(ELEMENTWISE, **settings)) is in_numpy


def test_a_project_that_differentiates_keeps_tensors():
    assert "numpy_view" not in text_of("import torch\n\nw = torch.zeros(3, requires_grad=True)\n" + ELEMENTWISE)


@pytest.mark.parametrize(
    "line",
    [
        "yield x[i]", "x[i] = helper(x[i], kept)", "np.random.shuffle(x); x[i] = 1", "x.shape = (3, 1)", "del x[i]",
        "self.x = x[i]",
        "x[i] = (lambda v: v)(x[i])", "kept[i] = x", "x = x[1:] if i else helper(x)", "np.save('a.npy', x[i])",
        "x[i] = thing.value", "x[i] = unknown(x[i])",
    ],
)  # fmt: skip
def test_what_may_run_other_code_keeps_tensors(line: str):
    text = f"""import numpy as np


class Thing:
    @property
    def value(self):
        return np.ones(3)


def helper(v, kept=None):
    return kept or v * 2


def f(self, x, kept, thing=Thing()):
    for i in range(len(x)):
        x[i] = x[i] + 1
        {line}


f(Thing(), np.ones(3), {{}})
"""
    assert "numpy_view" not in text_of(text)


@pytest.mark.parametrize("name", ["x_np", "np_x"])
def test_views_have_names_of_their_own(name: str):
    text = ELEMENTWISE.replace("return x", f"{name} = 5\n    return x, {name}")
    assert ("x_np_ = shim.numpy_view(x)" if name == "x_np" else "x_np = shim.numpy_view(x)") in text_of(text)


def test_what_may_be_a_tuple_or_anything_goes_in():
    text = """import numpy as np


def arrival(speed, source):
    t = np.full(speed.shape, 9.0)
    for i in range(t.shape[0]):
        for j in range(t.shape[1]):
            if (i, j) == source:
                t[i, j] = 0.0
            else:
                t[i, j] = t[i, j - 1] + 1.0 / speed[i, j]
    return t


def near_a_corner():
    return arrival(np.ones((3, 3)), (0, 1))
"""
    (done,) = convert_project([SourceFile(Path("m.py"), "m.py", text)], Settings())
    assert "source_np = shim.as_numpy(source)" in done.after and "t_np = shim.numpy_view(t)" in done.after
