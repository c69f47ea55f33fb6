"""No fact may exclude what a program does: every fixture and example is run with each expression recorded."""

from __future__ import annotations

import ast
import builtins
import contextlib
import io
from pathlib import Path

import pytest
from grading import recorder
from grading.score import MAYBE, STAYS, contradictions, score

from np2torch.facts import values as v
from np2torch.facts.interpreter import budget
from np2torch.rewrite.convert import analyse
from np2torch.source.model import Settings, SourceFile
from support import fixture_pairs
from support.paths import ROOT

PROGRAMS = [*fixture_pairs.numpy_files(), *sorted((ROOT / "examples").glob("*.py"))]


def seen_in(path: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> dict[int, list]:
    """What the expressions of a program evaluate to when it is run as a script and its `main` is called."""
    recorder.seen.clear()
    recorder.ranges.clear()
    recorder.places.clear()
    monkeypatch.setattr(builtins, recorder.NAME, recorder.record, raising=False)
    namespace = {"__name__": "__main__", "__file__": str(path)}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(recorder.instrumented(text, str(path)), namespace)
        if "main" in namespace and '"__main__"' not in text:
            namespace["main"]()
        for name in [name for name in namespace if name.startswith("case_")] if "main" not in namespace else ():
            namespace[name]()
    return recorder.observations()[str(path)]


def graded(path: Path, text: str, seen: list):
    """The scores of one program."""
    analysis = analyse([SourceFile(path, path.name, text)], Settings(closed=("*",)))
    info = analysis.infos[path]
    facts = analysis.engine.facts.items()
    decided = {node: v.perhaps_unheld(fact) for node, fact in facts if node not in info.skipped}
    return score({str(path): info.tree}, decided, {str(path): seen})


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_no_fact_is_wrong(path, monkeypatch):
    text = path.read_text("utf-8")
    seen = seen_in(path, text, monkeypatch)
    told_apart = graded(path, text, seen)
    assert sum(told_apart.counts.values()), "the program shows no array"
    monkeypatch.setattr(budget, "FREE", 0)
    monkeypatch.setattr(budget, "EACH_LINE", 0)  # spent from the first run on
    for scores in (told_apart, graded(path, text, seen)):
        assert [str(item) for item in scores.wrong if item.what not in (MAYBE, STAYS) and not item.follows] == []


SUBTLE = """
import numpy as np

class Grid:
    def __init__(self, n):
        self.__cells = np.zeros((n, n), dtype=np.float32)

    def rows(self, *, step=1):
        return [row for row in self.__cells[::step, 1:]]

def first(x: np.ndarray, default=np.ones(2)) -> np.ndarray:
    return (y := x[0])

def lazily(x):
    got = yield x + 1
    assert got is None

match Grid(3).rows():
    case [a, *_]:
        text = f"{a.sum():.2f} {first(a)!r}"
sums = {k: v.sum() for k, v in zip("ab", (np.arange(3), np.arange(2.0)))}
total = sum(x.mean() for x in lazily(np.arange(3)))
"""


def test_the_recorder_sees_every_kind_of_expression_and_changes_no_result(monkeypatch):
    seen = seen_in(Path("subtle.py"), SUBTLE, monkeypatch)
    nodes = list(ast.walk(ast.parse(SUBTLE)))
    found = {ast.unparse(nodes[number]): observed for number, observed in seen.items()}
    assert found["self.__cells[::step, 1:]"] == [["array", "float32", 2]]
    assert found["x[0]"] == [["scalar", "float32", 0]]
    assert found["a.sum()"] == [["scalar", "float32", 0]]
    assert sorted(found["v.sum()"]) == [["scalar", "float64", 0], ["scalar", "int64", 0]]
    assert found["x.mean()"] == [["scalar", "float64", 0]]
    assert found["[row for row in self.__cells[::step, 1:]]"] == [["sequence", "list", 3]]


@pytest.mark.parametrize(
    "fact, seen, what",
    [
        (v.array("float64", 1), ["array", "float64", 1], []),
        (v.array(["float64", "int64"]), ["array", "int64", 3], []),
        (v.array("float64", 1), ["array", "float32", 1], ["dtype"]),
        (v.array("float64", 1), ["array", "float64", 2], ["rank"]),
        (v.array("float64"), ["scalar", "int64", 0], ["dtype", MAYBE]),
        (v.array("float64", 1), ["scalar", "float64", 0], ["kind"]),
        (v.array("float64") | v.scalar("int64"), ["scalar", "int64", 0], []),
        (v.array("float64") | v.scalar("int64"), ["scalar", "bool", 0], ["dtype"]),
        (v.array("float64", 1) | v.scalar("int64"), ["scalar", "float64", 0], ["dtype"]),
        (v.OPAQUE, ["array", "float64", 1], ["kind"]),
        (v.FOREIGN, ["array", "float64", 1], [STAYS]),
        (v.array("float64"), ["array", "str64", 1], ["kind"]),
        (v.TOP | v.array("float64"), ["array", "int64", 1], []),
        (v.number(3), ["number", "int", ["3", "3"]], []),
        (v.number(3), ["number", "int", ["3", "4"]], ["constant"]),
        (v.SIZE, ["number", "int", ["-1", "4"]], ["sign"]),
        (v.INT, ["number", "float", ["1.0", "1.0"]], ["number type"]),
        (v.tuple_of(v.INT, v.INT), ["sequence", "tuple", 3], ["length"]),
        (v.NONE, ["text", "str", None], ["kind"]),
    ],
)
def test_a_fact_that_excludes_what_was_seen_is_wrong(fact, seen, what):
    assert [found[0] for found in contradictions(fact, [seen])] == what
