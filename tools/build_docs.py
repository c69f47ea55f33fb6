"""The pages of the documentation that say what the program does, made from the program when mkdocs builds the site.

A mkdocs hook (`hooks:` in mkdocs.yml); nothing is written into the repository. Coverage is what `np2torch apis` prints,
pages of codes what `np2torch explain NPT204` does; the reference of the shim is made from the shim.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tools")]

import shim_reference  # noqa: E402

from np2torch.report.coverage import AREAS  # noqa: E402
from np2torch.report.coverage_pages import coverage_pages  # noqa: E402
from np2torch.report.pages import code_page, code_tables  # noqa: E402
from np2torch.rules.codes import CODES, SERIES  # noqa: E402


# ----------------------------------------------------------------------------------------------- mkdocs' hooks
def on_config(config: Any) -> Any:
    """Put the generated pages into the navigation, after the pages that speak of them."""
    series = {f"{s}xx": [f"codes/{c}.md" for c in CODES if c.startswith(s)] for s in SERIES}
    codes = [{title: pages} for title, pages in series.items() if pages]
    sections = {"codes.md": codes, "api/index.md": [{title: f"api/{page}.md"} for page, title in AREAS.items()]}
    reference = [path for path in shim_reference.pages() if path != shim_reference.HOME]
    sections[shim_reference.HOME] = [{Path(path).stem: path} for path in reference]
    for item in config["nav"]:
        for title, path in item.items():
            if path in sections:
                item[title] = [path, *sections[path]]
    return config


def on_files(files: Any, config: Any) -> Any:
    """Add the generated pages."""
    from mkdocs.structure.files import File

    made = coverage_pages() | {f"codes/{code}.md": code_page(code, meaning) for code, meaning in CODES.items()}
    made |= shim_reference.pages()
    for path, text in made.items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Fill in the tables of codes."""
    return markdown.replace("<!-- codes -->", code_tables())
