"""The pages for developers: their values are true, what they name exists, and none is long."""

from __future__ import annotations

import ast
import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

from np2torch.source.model import Converted
from support.paths import ROOT

PACKAGE = ROOT / "src" / "np2torch"
PAGES = [*sorted((ROOT / "docs" / "developers").glob("*.md")), ROOT / "docs" / "architecture.md"]
MOST_WORDS = 700
MOST_WORDS_OF_MAP = 1200
PATH = re.compile(
    r"`((?:facts|rules|rewrite|report|verify|trace|migrate|shim|names|source|tests|tools|fixtures|cli)/[\w./]*)`"
)
NAME_IN_PATH = re.compile(r"`([A-Za-z_]\w*)`(?:,| \(|\s+in\s|\s+of\s)\s*`?([\w/]+\.py)`")
ASKS_A_MODEL = re.compile(r"^from np2torch\.facts\.models\.(\w+) import", re.M)
DOTTED = re.compile(r"`(np2torch(?:\.\w+)+)`")


def test_the_tour_shows_true_values():
    text = (ROOT / "docs" / "developers" / "tour.md").read_text("utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.S)
    names: dict[str, object] = {}
    exec(blocks[0], names)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks[1:]), names, "tour", "tour.md", 0)
    report: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(test, out=report.append)
    assert result.attempted > 10 and not result.failed, "".join(report)


def defined(path: Path) -> set[str]:
    """Give the names that a module or a class of it defines or imports."""
    body = ast.parse(path.read_text("utf-8")).body
    body = [*body, *(node for one in body if isinstance(one, ast.ClassDef) for node in one.body)]
    found: set[str] = set()
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            found |= {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    return found


def located(path: str) -> Path | None:
    """Give the file or folder that a page means by a path: of the project, or of the package."""
    return next((base / path for base in (ROOT, PACKAGE) if (base / path).exists()), None)


def dangling(text: str) -> list[str]:
    """List what a page names in backticks and is not there: paths, `Name` beside its path, dotted names."""
    missing = [path for path in PATH.findall(text) if located(path) is None]
    for name, path in NAME_IN_PATH.findall(text):
        place = located(path)
        if place is not None and place.suffix == ".py" and name not in defined(place):
            missing.append(f"{name} ({path})")
    for dotted in DOTTED.findall(text):
        try:
            pkgutil.resolve_name(dotted)
        except (ImportError, AttributeError):
            missing.append(dotted)
    return missing


def test_what_is_not_there_is_seen():
    text = "`facts/nothing.py`, `facts/values.py`, `joined` (`facts/values.py`), `join` in `facts/values.py`, "
    text += "`np2torch.facts.nothing`, `np2torch.facts.values.join`"
    assert dangling(text) == ["facts/nothing.py", "joined (facts/values.py)", "np2torch.facts.nothing"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_pages_are_short_and_name_what_is_there(page):
    text = page.read_text("utf-8")
    assert len(text.split()) <= (MOST_WORDS if page.parent.name == "developers" else MOST_WORDS_OF_MAP)
    assert dangling(text) == []


def test_the_index_leads_to_each_page():
    linked = set(re.findall(r"\]\((\w+\.md)\)", (ROOT / "docs" / "developers" / "index.md").read_text("utf-8")))
    assert linked == {page.name for page in PAGES if page.parent.name == "developers"} - {"index.md"}


def test_contributing_names_what_is_there():
    assert dangling((ROOT / "CONTRIBUTING.md").read_text("utf-8")) == []


def test_nobody_asks_a_model_but_their_folder():
    """A library with objects of its own touches one folder; the handler of Hypothesis takes a name from its model."""
    asking = {path: ASKS_A_MODEL.findall(path.read_text("utf-8")) for path in PACKAGE.rglob("*.py")}
    outside = {path.stem: found for path, found in asking.items() if found and path.parent.name != "models"}
    assert outside == {"hypothesis_strategies": ["hypothesis"]}


def test_the_chart_names_the_stages_of_the_pipeline():
    """The stages stand in the chart as they stand in the code: frozen classes, one to a module, and what comes out."""
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    chart = next(line for line in text.splitlines() if "──▶" in line)
    stages = [name.strip() for name in chart.split("──▶")[1:]]
    assert stages[-1] == Converted.__name__
    for name in stages[:-1]:
        stage = getattr(importlib.import_module(f"np2torch.rewrite.pipeline.{name.lower()}"), name)
        assert stage.__dataclass_params__.frozen
    folder = PACKAGE / "rewrite" / "pipeline"
    assert {path.stem for path in folder.glob("*.py")} == {"__init__", *(name.lower() for name in stages[:-1])}
