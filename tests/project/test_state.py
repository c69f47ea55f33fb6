"""Where state is: what a process has of its own is listed with a reason; attributes are written by their class."""

from __future__ import annotations

import re

from house_counts import ANALYSER, outside_writes, process_state

from support.house import HOUSE
from support.paths import ROOT

PACKAGE = ROOT / "src" / "np2torch"
WRITES = re.compile(r"^\s+(?!(?:self|cls)\.\w+[ ,])(\w+(?:\.\w+)+)(?:, [\w., ]+)? (?:[|+&-]?=) ", re.M)
"""An attribute of another object than `self` that is written."""

OF_THE_PROCESS = {
    "facts/domain.py": {"DOMAIN": "the analysis that is worked on: `activate` exchanges all that it holds"},
    "migrate/hook/np2torch_probe.py": {
        "NAMES": "by which names the tests of this process are known", "SPEAKS": "whether it tells",
        "TWINS": "the tests on NumPy that those of this process stand for beside themselves",
    },
    "rewrite/convert.py": {"_SHARED": "in a forked worker: what it works on"},
    "rules/core.py": {
        "FUNCTIONS": "the registry, filled on import", "METHODS": "likewise", "METHODS_OF_UFUNCS": "likewise",
    },
    "rules/handlers.py": {"HANDLERS": "the registry, filled on import"},
    "shim/_subclass_dispatch.py": {"_OPEN": "whether the program has made a subclass of ndarray"},
    "shim/_twins.py": {"_PAIRS": "dtypes and classes that stand for each other, as the program made them"},
    "shim/interop.py": {"ON_TENSORS": "the packages found to handle tensors, which they go on to do"},
    "shim/by_elements.py": {"_Array": "the class is made when NumPy is there"},
    "shim/random/lent.py": {"_LENT": "NumPy's generators over ours, while these live"},
    "source/lock.py": {"_held": "the locks of the process, which a fork must not hold"},
    "source/notebook.py": {"_READ": "the cells of the notebooks read, for all that prints positions"},
}  # fmt: skip
"""What lasts as long as the process, by module, and why; what an analysis finds belongs to its objects."""
OF_OTHERS = {"facts.domain": 1, "facts.interpreter.frame": 2, "rewrite.spelling": 1}
"""Attributes that no class of the module has: all that a `Domain` holds, a copy of a frame, a node parsed just now."""
WITHIN_THEIR_MODULE = {
    "facts/arguments.py", "facts/domain.py", "facts/interpreter/budget.py", "facts/interpreter/expected_errors.py",
    "facts/interpreter/frame.py",
}  # fmt: skip
"""Modules in `facts/` that make or change an object of a class of their own."""


def test_what_lasts_as_long_as_the_process_is_listed():
    found = {f"{name.replace('.', '/')}.py": names for name, names in process_state(HOUSE.modules).items()}
    assert found == {path: set(names) for path, names in OF_THE_PROCESS.items()}


def test_the_analyser_writes_attributes_where_their_class_is():
    ours = {name: tree for name, tree in HOUSE.modules.items() if name.partition(".")[0] in ANALYSER}
    assert {name: len(found) for name, tree in ours.items() if (found := outside_writes(tree))} == OF_OTHERS


def test_facts_are_changed_by_methods():
    """The state of a run, a function or a class changes where it is defined, and nowhere else."""
    paths = [path for path in (PACKAGE / "facts").rglob("*.py") if WRITES.search(path.read_text("utf-8"))]
    assert {path.relative_to(PACKAGE).as_posix() for path in paths} == WITHIN_THEIR_MODULE


def test_writes_are_told():
    text = "    x.a = 1\n    x.b.c |= {2}\n    self.d, self.g = 3, 3\n    self.e.f = 4\n    x.g == 5\n    h = x.i\n"
    assert WRITES.findall(text) == ["x.a", "x.b.c", "self.e.f"]
