"""The setting `keep`: functions, methods, classes, names and modules stay on NumPy, and the results are equal."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Converted, Settings, SourceFile
from np2torch.source.settings import SettingsError, load_settings

FILES = {
    "shapes/__init__.py": "",
    "shapes/table.py": """
import numpy as np

LEVELS = np.array([1.0, 2.0, 4.0])
NAMES = {"level": LEVELS}
KINDS = {"half": np.float32, "whole": np.dtype("f8")}
PAIR = (np.int16, np.float32)
if len(LEVELS) > 2:
    HIGH = LEVELS * 2


class Scale:
    FACTOR = np.array(3.0) * np.ones(3)
    KIND = np.float64


def filled(n, name):
    kind = KINDS.get(name, np.int8)
    return np.full(n, 3, PAIR[0]) + np.ones(n, kind) if name in KINDS else np.zeros(n, KINDS["half"])


def level(i):
    return LEVELS[i]
""",
    "shapes/mesh.py": '''
import numpy as np

from shapes import table
from shapes.table import LEVELS, Scale, filled, level as height


def lifted(x, offset=np.ones(3)):
    """Above."""
    return np.add(x, offset) * LEVELS + table.HIGH + Scale.FACTOR


def typed(n):
    return np.zeros(n, Scale.KIND) + np.ones(n, table.PAIR[1]) * np.array(LEVELS[:n], table.KINDS["half"])


def lift_all(xs):
    for i, x in enumerate(xs):
        xs[i] = lifted(x) + height(i)
    return xs


class Base:
    def __init__(self, points):
        self.points = np.asarray(points, dtype=float)
        self.log = []

    def moved(self, by):
        self.points += by
        self.log.append(self.points * 1)
        return self

    @property
    def centre(self):
        return np.mean(self.points)


class Mesh(Base):
    def grow(self, by):
        self.log.append(np.ones(3))
        self.points = lifted(self.points) * by
        return self.moved(by)

    @staticmethod
    def of(n):
        return Mesh(np.arange(n))

    def total(self):
        return sum(float(np.sum(one)) for one in self.log) + float(self.centre)


def note(mesh, points):
    mesh.log.append(np.asarray(points))


def walk(mesh):
    for one in mesh.log:
        yield one + 1
''',
    "main.py": """
import numpy as np

from shapes.mesh import Mesh, filled, lift_all, note, typed, walk

points = np.array([1.0, 2.0, 3.0])
mesh = Mesh(points).grow(2).moved(np.ones(3))
mesh.grow(1)
note(mesh, points)
print(mesh.total(), float(mesh.centre), points.tolist(), len(mesh.log))
print(typed(2).tolist(), [filled(2, name).tolist() for name in ("half", "whole", "none")])
print([one.tolist() for one in walk(mesh)], mesh.points.tolist())
print([one.tolist() for one in lift_all([points, points * 2])], Mesh.of(3).moved(1).points.tolist())
""",
}
KEPT = [
    ["shapes.mesh:lifted"], ["shapes.mesh:lift_all", "shapes.mesh:walk"], ["shapes.mesh:Base.moved"],
    ["shapes.mesh:Base.centre", "shapes.mesh:Mesh.total"], ["shapes.mesh:Mesh.grow", "shapes.mesh:Mesh.of"],
    ["shapes.mesh:Base"], ["shapes.mesh:Mesh"], ["shapes.mesh:Base", "shapes.mesh:Mesh"], ["shapes.mesh"],
    ["shapes.table:LEVELS"], ["shapes.table:<module>"], ["shapes.table:HIGH", "shapes.mesh:lifted"],
    ["shapes.mesh:typed"], ["shapes.table:filled"], ["shapes.table:KINDS", "shapes.mesh:typed"],
    ["shapes.table:level", "shapes.mesh:Mesh"], ["shapes.table", "shapes.mesh:lifted"], ["shapes.mesh", "shapes.table"],
]  # fmt: skip
"""What is left on NumPy of the program, a set each."""


def converted(keep: list[str], files: dict[str, str] = FILES, public_api: str = "tensor") -> list[Converted]:
    sources = [SourceFile(Path(name), name, text) for name, text in files.items()]
    return list(convert_project(sources, Settings(keep=tuple(keep), public_api=public_api)))


def printed(folder: Path, texts: dict[str, str]) -> str:
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    done = subprocess.run([sys.executable, "main.py"], cwd=folder, capture_output=True, text=True, env={
        "PYTHONPATH": ":".join([str(folder), *(path for path in sys.path if path)]), "OMP_NUM_THREADS": "1",
    })  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> str:
    return printed(tmp_path_factory.mktemp("numpy"), FILES)


ON_NUMPY = """
assert isinstance(mesh.points, np.ndarray) and isinstance(mesh.centre, np.generic)
assert all(isinstance(one, np.ndarray) for one in (*walk(mesh), *lift_all([points]), *mesh.log))
"""


@pytest.fixture(scope="module", params=["tensor", pytest.param("ndarray", marks=pytest.mark.long)])
def runs(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What the program prints for each set, all of them in one process; its caller may stay on NumPy."""
    folder = tmp_path_factory.mktemp("kept")
    for number, keep in enumerate(KEPT):
        printed_files = {f"{number}/{one.path}": one.after for one in converted(keep, FILES, request.param)}
        if request.param == "ndarray":
            printed_files[f"{number}/main.py"] = FILES["main.py"] + ON_NUMPY
        for name, text in printed_files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    driver = f"""
import contextlib, io, runpy, sys, traceback
first = list(sys.path)
for number in range({len(KEPT)}):
    for name in [name for name in sys.modules if name.split(".")[0] == "shapes"]:
        del sys.modules[name]
    sys.path[:] = [f"{folder}/{{number}}", *first]
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            runpy.run_path(f"{folder}/{{number}}/main.py", run_name="__main__")
        except Exception:
            traceback.print_exc(file=out)
    print(out.getvalue(), end="<end>")
"""
    return printed(folder, {"main.py": driver}).split("<end>")[:-1]


@pytest.mark.parametrize("number", range(len(KEPT)))
def test_a_program_of_which_parts_stay_prints_the_same(expected, runs, number):
    assert runs[number] == expected


@pytest.mark.parametrize("keep", KEPT)
def test_what_is_kept_is_left_as_it_is(keep):
    for before, after in ((one.before, one.after) for one in converted(keep)):
        old = {part.name: part for part in ast.walk(ast.parse(before)) if isinstance(part, ast.FunctionDef)}
        for part in ast.walk(ast.parse(after)):
            if isinstance(part, ast.FunctionDef) and any("on_numpy" in ast.unparse(one) for one in part.decorator_list):
                lines = [ast.unparse(one).replace("shim.to_numpy", "") for one in part.body]
                assert [one.replace("(", "").replace(")", "") for one in lines] == [
                    ast.unparse(one).replace("(", "").replace(")", "") for one in old[part.name].body
                ]


@pytest.mark.parametrize("keep", [KEPT[0], KEPT[2], KEPT[3]])
def test_a_second_run_changes_nothing(keep):
    once = {str(one.path): one.after for one in converted(keep)}
    assert {str(one.path): one.after for one in converted(keep, once)} == once
    assert "@shim.on_numpy" in once["shapes/mesh.py"]


def test_a_name_that_means_nothing_is_reported():
    said = [remark for one in converted(["shapes.mesh:Mesh.nothing"]) for remark in one.remarks]
    assert [(one.code, one.message) for one in said] == [("NPT536", "keep: shapes.mesh has no 'Mesh.nothing'")]


@pytest.mark.parametrize("entry", ["a b", "a.b:", ":f", "a-b:c"])
def test_an_entry_that_is_none_is_an_error(tmp_path, entry):
    (tmp_path / "pyproject.toml").write_text(f'[tool.np2torch]\nkeep = ["{entry}"]\n')
    with pytest.raises(SettingsError, match="must be 'package"):
        load_settings([tmp_path])


EXAMPLES = {
    "pkg/__init__.py": '"""A package.\n\n>>> import numpy as np\n>>> np.ones(2).sum()\nnp.float64(2.0)\n"""\n',
    "pkg/core.py": '''import numpy as np


def f(x):
    """Sum.

    >>> f(np.ones(2))
    np.float64(2.0)
    """
    return np.sum(x)


def g(x):
    """Mean.

    >>> g(np.ones(2))
    np.float64(1.0)
    """
    return np.mean(x)
''',
    "main.py": "import numpy as np\nimport pkg\nfrom pkg.core import f, g\n\nprint(f(np.ones(2)), g(np.ones(3)))\n",
}


def test_examples_of_what_is_kept_stay_as_they_are():
    after = {str(one.path): one.after for one in converted(["pkg", "pkg.core:f"], EXAMPLES)}
    assert after["pkg/__init__.py"] == EXAMPLES["pkg/__init__.py"]
    assert ">>> f(np.ones(2))" in after["pkg/core.py"] and ">>> g(np.ones(2))" not in after["pkg/core.py"]
    whole = {str(one.path): one.after for one in converted(["pkg.core"], EXAMPLES)}
    assert ">>> g(np.ones(2))" in whole["pkg/core.py"] and "@shim.on_numpy" in whole["pkg/core.py"]


@pytest.mark.parametrize("checking", ["TYPE_CHECKING", "typing.TYPE_CHECKING"])
def test_a_kept_name_that_only_checkers_of_types_see_is_not_handed_over(checking):
    text = f"""from __future__ import annotations

import typing
from typing import TYPE_CHECKING

import numpy as np

if {checking}:
    Row = list[np.ndarray]


def total(rows: Row):
    return sum(np.sum(row) for row in rows)
"""
    sources = [SourceFile(Path("kept.py"), "kept.py", text)]
    done = next(iter(convert_project(sources, Settings(keep=("kept:Row",)))))
    assert not done.problems and "keep" in done.after
    exec(done.after, {"__name__": "kept"})


PROPERTY = {
    "rc.py": '''import numpy as np


class Settings:
    bits = 64

    @property
    def dtype(self):
        return np.dtype(f"float{self.bits}")


rc = Settings()
''',
    "use.py": '''import numpy as np

from rc import rc


def total(n):
    return float(np.ones(n, dtype=rc.dtype).sum())
''',
    "main.py": "from use import total\n\nprint(total(3))\n",
}


def test_a_property_that_kept_code_reads_gives_what_numpy_takes(tmp_path: Path):
    texts = {one.path.name: one.after for one in converted(["use"], PROPERTY)}
    assert "    @property\n    @shim.public\n" in texts["rc.py"] and "np.ones(n, dtype=rc.dtype)" in texts["use.py"]
    (tmp_path / "new").mkdir()
    (tmp_path / "old").mkdir()
    assert printed(tmp_path / "new", texts) == printed(tmp_path / "old", PROPERTY) == "3.0\n"


BETWEEN = {
    "pairs/__init__.py": "",
    "pairs/core.py": """
import numpy as np


class Thing:
    def __init__(self, n):
        self.x = np.ones(n)

    def half(self):
        return self.x / 2


def scaled(n):
    return Thing(n).half() * np.ones(n)


def total(n):
    return np.sum(scaled(n))


between_limits = np.clip
largest = np.maximum
""",
    "pairs/between.py": """
from pairs.core import Thing, scaled


def both(n):
    return Thing(n).half(), scaled(n), Thing(n).x
""",
    "pairs/user.py": """
import numpy as np
from pairs.between import both
from pairs.core import between_limits, largest, total


def used(n):
    a, b, c = both(n)
    assert isinstance(between_limits(a, 0.0, 1.0), np.ndarray) and isinstance(largest(a, np.zeros(n)), np.ndarray)
    assert np.all(np.ones(n) * between_limits(np.ones(n), 0.0, 0.5) == np.ones(n) * largest(np.zeros(n), b))
    assert np.all(a * np.ones(n) == b) and isinstance(c, np.ndarray)
    return (a * b + c).sum() + total(n)
""",
    "main.py": "from pairs.user import used\n\nprint(float(used(3)))\n",
}


KEPT_IN_PAIRS = ["core:scaled", "core:Thing", "core:Thing.half", "between", "user", "core"]


@pytest.mark.parametrize("keep", [f"pairs.{one}" for one in KEPT_IN_PAIRS])
def test_a_module_without_arrays_hands_on_between_both_sides(keep: str, tmp_path: Path) -> None:
    texts = {str(one.path): one.after for one in converted([keep], BETWEEN)}
    assert printed(tmp_path, {**BETWEEN, **texts}) == "5.25\n" == printed(tmp_path / "numpy", BETWEEN)
