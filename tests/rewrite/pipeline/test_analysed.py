"""What a project is known to do, where the analysis itself goes wrong."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import torch

from np2torch.facts.interpreter import operators
from np2torch.names import parsing
from np2torch.rewrite.convert import convert_project
from np2torch.rewrite.pipeline import analysed
from np2torch.rules import site
from np2torch.source.model import Settings, SourceFile
from support.conversions import convert_files

CALLING = """
import numpy as np
from other import halved

print(halved(2 ** 3))
"""
CALLED = """
import numpy as np

def halved(x):
    return np.sqrt(x) / 2

print(halved(np.ones(3)))
"""
RETURNED = "return torch.sqrt(x) / 2"


def test_a_defect_of_the_analysis_leaves_its_file_and_is_said(monkeypatch: pytest.MonkeyPatch):
    """What the file calls is not known by its other callers alone."""
    files = {"calling.py": CALLING, "other.py": CALLED}
    alone = convert_files({"other.py": CALLED})["other.py"]
    assert RETURNED in alone.after

    def fail(*_: object) -> None:
        raise ValueError("a defect")

    monkeypatch.setattr(operators, "_folded", fail)
    found = convert_files(files)
    (problem,) = found["calling.py"].problems
    assert problem.code == "NPT906" and "ValueError in test_analysed.py" in problem.message
    assert not found["calling.py"].is_changed
    assert not found["other.py"].problems and RETURNED not in found["other.py"].after


def test_each_file_is_parsed_and_represented_once_for_a_run(monkeypatch: pytest.MonkeyPatch):
    """Runs after a guard was chosen share the trees; what runs in NumPy is asked with the contexts of the files."""
    counted: Counter[str] = Counter()

    def count(module: ModuleType, name: str) -> None:
        function = getattr(module, name)

        def counting(*arguments: Any) -> Any:
            counted[name] += 1
            return function(*arguments)

        monkeypatch.setattr(module, name, counting)

    for module, name in ((parsing, "parse_source"), (analysed, "represent"), (analysed, "interpret")):
        count(module, name)
    text = "import numpy as np\n\n\ndef halved(x):\n    return np.exp(x) / 2\n"
    (found,) = convert_project([SourceFile(Path("module.py"), "module.py", text)], Settings())
    assert "shim." in found.after
    assert counted == {"interpret": 2, "parse_source": 1, "represent": 4}


def test_the_texts_of_a_project_are_searched_once_for_warnings(monkeypatch: pytest.MonkeyPatch):
    searched: list[str] = []

    class Listening:
        def search(self, text: str) -> None:
            searched.append(text)

    monkeypatch.setattr(site, "LISTENING", Listening())
    text = "import numpy as np\n\nx = np.ones((3, 3))\nprint(np.nanmean(x), np.nanmean(x, axis=0), np.nanstd(x))\n"
    convert_files({"one.py": text, "other.py": text.replace("3", "4")})
    assert len(searched) == 2


HELPER = """
def centuries(date):
    return (date - 2451545.0) / 36525.0


def _tripled(x):
    return x * 3


def unasked(x):
    return x / 7


def ratio(a, b):
    return 0 if b == 0 else a / b


def ratios(values):
    return [value / 7 for value in values]
"""
ABOUT_NUMPY = """
import numpy as np
from helper import _tripled, centuries, ratio, ratios

print(centuries(np.arange(3.0)), _tripled(np.arange(3)), ratio(np.arange(3.0).sum(), 3), ratios(np.arange(3.0)))
"""


@pytest.mark.parametrize("value", [[2451545, 16_777_217], 2451545, [2451545.5], [True, False]])
def test_functions_of_modules_without_numpy_are_right_for_others_too(value: Any):
    """The project passes float64; callers nobody sees pass integers, of which torch calculates in single precision."""
    files = {"helper.py": HELPER, "program.py": ABOUT_NUMPY}
    sources = [SourceFile(Path(path), path, text) for path, text in files.items()]
    text, _ = (converted.after for converted in convert_project(sources, Settings()))
    old: dict[str, Any] = {}
    new: dict[str, Any] = {}
    exec(HELPER, old)
    exec(text, new)
    is_array = isinstance(value, list)
    expected = old["centuries"](np.array(value) if is_array else value)
    found = new["centuries"](torch.as_tensor(np.array(value)) if is_array else value)
    if is_array:
        assert found.dtype == torch.float64
    np.testing.assert_array_equal(found, expected)
    assert "return x / 7" in text
    for name, others in (("ratio", (3,)), ("ratios", ())) if is_array else ():
        found = new[name](torch.as_tensor(np.array(value)), *others)
        assert all(part.dtype == torch.float64 for part in found)
        np.testing.assert_array_equal(found, old[name](np.array(value), *others))
