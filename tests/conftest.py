"""What the tests of the engine share: converting a text, alone or with other files of its project."""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from np2torch.facts.domain import Domain
from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Converted, Settings, SourceFile


def convert_files(files: dict[str, str]) -> dict[str, Converted]:
    """Convert a project given as path -> text, a program: nobody else calls its functions."""
    sources = [SourceFile(Path(path), path, text) for path, text in files.items()]
    done = convert_project(sources, Settings(closed=("*",)))
    return dict(zip(files, done, strict=True))


def convert_text(text: str, **others: str) -> str:
    """The new text of one file; `others` are further modules of its project."""
    files = {"module.py": textwrap.dedent(text), **{f"{n}.py": textwrap.dedent(t) for n, t in others.items()}}
    converted = convert_files(files)["module.py"]
    assert not converted.problems, converted.problems
    return converted.after


@pytest.fixture(autouse=True)
def own_store(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the answers of each test apart."""
    monkeypatch.setenv("NP2TORCH_CACHE_DIR", str(tmp_path_factory.getbasetemp() / f"answers-{next(NUMBERS)}"))


NUMBERS = itertools.count()


@pytest.fixture(autouse=True)
def usual_dtypes() -> None:
    """Start each test from an analysis with the usual dtypes: tests of parts of one begin none themselves."""
    Domain().activate()


@pytest.fixture(scope="session")
def convert() -> Callable[..., str]:
    """`convert(text, other=text)` gives the new text."""
    return convert_text


@pytest.fixture(scope="session")
def project() -> Callable[[dict[str, str]], dict[str, Converted]]:
    """`project({path: text})` gives every file's conversion."""
    return convert_files
