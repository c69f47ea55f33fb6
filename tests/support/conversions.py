"""Texts converted, alone or with other files of their project."""

from __future__ import annotations

import textwrap
from pathlib import Path

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
