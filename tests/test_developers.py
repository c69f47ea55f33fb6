"""The pages for developers: their values are true, what they name exists, and none is long."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted((ROOT / "docs" / "developers").glob("*.md"))
MOST_WORDS = 700


def test_the_tour_shows_true_values():
    text = (ROOT / "docs" / "developers" / "tour.md").read_text("utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.S)
    names: dict[str, object] = {}
    exec(blocks[0], names)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks[1:]), names, "tour", "tour.md", 0)
    report: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(test, out=report.append)
    assert result.attempted > 10 and not result.failed, "".join(report)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_pages_are_short_and_name_what_is_there(page):
    text = page.read_text("utf-8")
    assert len(text.split()) <= MOST_WORDS
    paths = re.findall(r"`((?:facts|rules|rewrite|shim|names|source|tests)/[\w/]*(?:\.py)?)`", text)
    missing = [path for path in paths if not any((root / path).exists() for root in (ROOT, ROOT / "src" / "np2torch"))]
    assert not missing
