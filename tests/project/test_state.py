"""Where state is: what a process has of its own is listed with a reason; attributes are written by their class."""

from __future__ import annotations

import re

from support.paths import ROOT

PACKAGE = ROOT / "src" / "np2torch"
EMPTY = re.compile(
    r"^(\w+)(?:: [^=\n]+)? = (?:\{\}|\[\]|set\(\)|dict\(\)|(?:\w+\.)?(?:deque|defaultdict|Counter|Weak\w+)\b)", re.M
)
"""A collection that is empty when a module is imported: who fills it?"""
REBOUND = re.compile(r"^\s+global (\w+)", re.M)
WRITES = re.compile(r"^\s+(?!(?:self|cls)\.\w+[ ,])(\w+(?:\.\w+)+)(?:, [\w., ]+)? (?:[|+&-]?=) ", re.M)
"""An attribute of another object than `self` that is written."""

OF_THE_PROCESS = {
    "facts/interpreter/dependencies.py": {"NO_KEYS": "a constant"},
    "migrate/hook/np2torch_probe.py": {
        "CALLED": "what the tests of this process called", "NAMES": "and by which names", "SPEAKS": "whether it tells",
    },
    "rewrite/convert.py": {"_SHARED": "in a forked worker: what it works on"},
    "shim/_subclass_dispatch.py": {"_OPEN": "whether the program has made a subclass of ndarray"},
    "shim/_twins.py": {"_PAIRS": "dtypes and classes that stand for each other, as the program made them"},
    "shim/by_elements.py": {"_Array": "the class is made when NumPy is there"},
    "shim/random/lent.py": {"_LENT": "NumPy's generators over ours, while these live"},
    "source/lock.py": {"_held": "the locks of the process, which a fork must not hold"},
    "source/notebook.py": {"_READ": "the cells of the notebooks read, for all that prints positions"},
}  # fmt: skip
"""What lasts as long as the process, by module, and why; what an analysis finds belongs to its objects."""
WITHIN_THEIR_MODULE = {
    "facts/arguments.py", "facts/domain.py", "facts/interpreter/budget.py", "facts/interpreter/expected_errors.py",
    "facts/interpreter/frame.py",
}  # fmt: skip
"""Modules in `facts/` that make or change an object of a class of their own."""


def test_what_lasts_as_long_as_the_process_is_listed():
    found: dict[str, set[str]] = {}
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text("utf-8")
        if names := {*EMPTY.findall(text), *REBOUND.findall(text)}:
            found[path.relative_to(PACKAGE).as_posix()] = names
    assert found == {path: set(names) for path, names in OF_THE_PROCESS.items()}


def test_facts_are_changed_by_methods():
    """The state of a run, a function or a class changes where it is defined, and nowhere else."""
    paths = [path for path in (PACKAGE / "facts").rglob("*.py") if WRITES.search(path.read_text("utf-8"))]
    assert {path.relative_to(PACKAGE).as_posix() for path in paths} == WITHIN_THEIR_MODULE


def test_writes_are_told():
    text = "    x.a = 1\n    x.b.c |= {2}\n    self.d, self.g = 3, 3\n    self.e.f = 4\n    x.g == 5\n    h = x.i\n"
    assert WRITES.findall(text) == ["x.a", "x.b.c", "self.e.f"]
