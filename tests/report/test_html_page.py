"""The page of a report in a browser: filters, search, keys, large files, dark and light."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from np2torch.report.html_page import render
from support.report_pages import CHROMIUM, migration, opened

pytest.importorskip("playwright", reason="playwright is not installed: the page is not looked at")
pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="no Chromium: apt-get install chromium")
VERIFIED = ({"name": "total", "verdict": "different", "difference": "dtype", "path": "pkg/module_001.py", "line": 10},)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of 20 files with 5,000 lines each, and 10,000 sites."""
    found = tmp_path_factory.mktemp("page") / "report.html"
    found.write_text(render(migration(20, 5000, verified=VERIFIED)), "utf-8")
    return found


@pytest.fixture
def page(path: Path) -> Iterator[Any]:
    with opened(path) as found:
        yield found


def count(page: Any) -> int:
    return int(page.inner_text("#count").replace(",", ""))


def counted(page: Any, number: str) -> None:
    """Wait until so many sites are shown."""
    page.locator("#count").get_by_text(number, exact=True).wait_for(state="attached")


def test_a_large_project_opens_quickly(path: Path):
    with opened(path) as page:
        started = time.perf_counter()
        page.goto(path.as_uri())
        page.wait_for_selector("#overview .card")
        assert time.perf_counter() - started < 3
        assert page.inner_text("#overview .card >> nth=0").split("\n")[0] == "10 / 20"
        assert page.locator("#rows .row").count() < 100


def test_filters_and_search(page: Any):
    assert count(page) == 10_000
    page.click("[data-outcome=todo]")
    assert count(page) == 8_000
    page.click("[data-outcome=todo]")
    page.select_option("#rule", "NPT102")
    assert 3_000 < count(page) < 3_500 and page.is_visible("#sites")
    page.select_option("#rule", "")
    page.fill("#search", "said of 4990 module_013")
    counted(page, "1")
    assert page.locator("#files button").count() == 1
    page.click("#site-list .row")
    assert page.inner_text("#file-name") == "pkg/module_013.py" and page.inner_text("#at") == "1 / 1"
    assert page.is_visible("#rows [data-line='4990'].here")
    page.fill("#filter", "module_01")
    assert page.locator("#files button").count() == 1
    page.fill("#search", "")
    counted(page, "10,000")
    assert page.locator("#files button").count() == 10


def test_a_file_of_5000_lines(page: Any):
    page.click("[data-file='1']")
    assert page.inner_text("#at") == "1 / 500"
    assert page.locator("#rows .row").count() < 120
    page.evaluate("document.getElementById('rows').scrollTop = 4000 * 20")
    page.wait_for_selector("#rows [data-line='4010']")
    assert page.inner_text("#rows [data-line='4010'] .minus") == "total_4010 = np.sum(value_4009)"
    assert page.inner_text("#rows [data-line='4010'] .plus") == "total_4010 = torch.sum(value_4009)"
    page.click("#rows [data-line='4010']")
    details = page.inner_text("#details")
    assert "value_4009 is float64[n]" in details
    assert "because of call use.py:4: half(np.ones(3)) → float64[n]" in details


def test_guards_and_what_was_verified_stand_at_their_lines(page: Any):
    page.click("[data-file='1']")
    details = page.inner_text("#details")
    assert "x = shim.floating(x)" in details and "Verified: different" in details


def test_keys(page: Any):
    page.keyboard.press("s")
    assert page.is_visible("#site-list")
    page.keyboard.press("1")
    assert count(page) == 8_000
    page.keyboard.press("1")
    page.keyboard.press("j")
    assert page.inner_text("#file-name") == "pkg/module_000.py"
    page.keyboard.press("j")
    assert page.inner_text("#at") == "2 / 500"
    page.keyboard.press("k")
    page.keyboard.press("n")
    assert page.inner_text("#file-name") == "pkg/module_001.py"
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "search"
    page.keyboard.type("no such thing")
    counted(page, "0")
    page.keyboard.press("Escape")
    counted(page, "10,000")
    page.keyboard.press("?")
    assert page.is_visible("#help")
    page.keyboard.press("Escape")


def luminance(colour: str) -> float:
    parts = [int(part) / 255 for part in colour.strip("rgb()").split(",")]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(page: Any, scheme: str):
    """WCAG AA: 4.5 to 1 for texts, on each ground that they stand on."""
    page.emulate_media(color_scheme=scheme)
    themed = page.locator(f"html[data-theme={scheme}]")
    themed.wait_for(state="attached")  # the browser tells of a change of scheme when it comes to it
    colours: dict[str, str] = page.evaluate(
        """(names) => Object.fromEntries(names.split(" ").map((name) => {
                const probe = document.createElement("p");
                probe.style.color = `var(--${name})`;
                document.body.append(probe);
                const found = getComputedStyle(probe).color;
                probe.remove();
                return [name, found];
            }))""",
        "text dim native cast shim boundary todo accent k f d b s m panel page soft minus plus",
    )
    grounds = {"page": "text dim accent", "soft": "text dim", "minus": "text k f d b s m", "plus": "text k f d b s m"}
    grounds["panel"] = "text dim native cast shim boundary todo accent k f d b s m"
    for ground, names in grounds.items():
        for name in names.split():
            first, second = sorted(luminance(colours[one.strip()]) for one in (ground, name))
            assert (second + 0.05) / (first + 0.05) >= 4.5, (scheme, ground, name)
    page.keyboard.press("t")
    themed.wait_for(state="detached")
