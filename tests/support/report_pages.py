"""Reports made for tests: migrations of a given size, and the browser that opens them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from np2torch.report.migration import FileReport, Migration, SiteReport
from np2torch.rewrite.site_evidence import KnownExpression
from np2torch.source.model import OUTCOMES, Guard, Origin, Remark, Site, SourceFile

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()


def file_report(number: int, lines: int, name: str = "", every: int = 10) -> FileReport:
    """A file of so many lines, one of `every` with a site; the outcomes take turns."""
    path = Path(name or f"pkg/module_{number:03}.py")
    before, after, sites = [], [], []
    for line in range(1, lines + 1):
        if line % every:
            text = f"value_{line} = compute(value_{line - 1}, 'text', {line})  # a comment"
            before.append(text)
            after.append(text)
            continue
        before.append(f"total_{line} = np.sum(value_{line - 1})")
        after.append(f"total_{line} = torch.sum(value_{line - 1})")
        site = Site(line, 9, OUTCOMES[line // every % 5], f"NPT{101 + line // every % 3}", "np.sum", f"said of {line}")
        origin = Origin("call", "use.py:4", "half(np.ones(3))", "float64[n]")
        sites.append(SiteReport(site, (KnownExpression(f"value_{line - 1}", "float64[n]", (origin,)),)))
    texts = ["\n".join(found) + "\n" for found in (before, after)]
    guard = Guard(path, every, "total", "x = shim.floating(x)", "int64 is divided otherwise")
    remark = Remark(every, 1, "NPT601", "one element at a time")
    file = SourceFile(path, path.as_posix(), texts[0])
    return FileReport(file, texts[0], texts[1], number % 2 == 1, number, tuple(sites), (guard,), (remark,))


def migration(files: int, lines: int, **more: Any) -> Migration:
    """A project of so many files of so many lines."""
    return Migration("project", tuple(file_report(number, lines) for number in range(files)), **more)


@contextmanager
def opened(path: Path, **options: Any) -> Iterator[Any]:
    """A page in Chromium; no network, and no error in its console, is allowed."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        page = browser.new_page(**({"viewport": {"width": 1280, "height": 800}} | options))
        said: list[str] = []
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
        page.on("request", lambda request: said.append(request.url) if not request.url.startswith("file:") else None)
        page.goto(path.as_uri())
        page.wait_for_selector("#overview .card")
        yield page
        browser.close()
        assert said == []
