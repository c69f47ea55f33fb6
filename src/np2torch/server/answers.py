"""Answers on one file of a project, with the text that an editor has of it."""

from __future__ import annotations

import ast
import dataclasses
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from np2torch.facts import notation
from np2torch.names.modules import connected_modules
from np2torch.rewrite.convert import convert_project
from np2torch.rewrite.explain import Explanation, explain_line
from np2torch.source.discover import load_project
from np2torch.source.folder import project_folder
from np2torch.source.model import Converted, Settings, SourceFile
from np2torch.source.settings import load_settings, with_nested

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class LineMessage(NamedTuple):
    """A message about a line; lines and columns count from 1."""

    line: int
    column: int
    code: str
    message: str
    is_problem: bool


class Answers:
    """A file, its project around it.

    Parameters
    ----------
    text
        What the editor has, saved or not.
    """

    def __init__(self, path: Path, text: str) -> None:
        self.path = Path(os.path.realpath(path))
        folder = project_folder(self.path.parent)
        settings = load_settings([self.path])
        project = load_project([folder or self.path, self.path], dataclasses.replace(settings, jobs=1))
        own = SourceFile(self.path, self.path.name, text)
        files = [file for file in project.files if Path(os.path.realpath(file.path)) != self.path]
        inside = connected_modules([*files, own], {own.path})
        self.files: Sequence[SourceFile] = [*(file for file in files if file.path in inside), own]
        self.settings: Settings = with_nested(settings, [file.path for file in self.files], {})
        self.text = text

    def convert(self, name: str | None = None) -> Converted:
        """Convert the file, or one function or class of it."""
        scope = {self.path: None if name is None else frozenset({name})}
        settings = dataclasses.replace(self.settings, scope=scope)
        return next(one for one in convert_project(self.files, settings) if one.path == self.path)

    def diagnostics(self) -> Iterator[LineMessage]:
        """Say what a conversion would take away or leave, and what is wrong with the file."""
        found = self.convert()
        for problem in found.problems:
            yield LineMessage(problem.line or 1, problem.column or 1, problem.code, problem.message, True)
        for site in found.sites:
            subject = f"{site.source}: " if site.source else ""
            yield LineMessage(site.line, site.column, site.code, f"{site.outcome}: {subject}{site.message}", False)

    def hover(self, line: int, column: int) -> str:
        """Say what is known of the expression at a place, and why; nothing where none is."""
        found = explain_line(self.files, self.settings, self.path, line)
        if not isinstance(found, Explanation):
            return ""
        at = [one for one in found.expressions if one.column <= column <= one.column + len(one.source)]
        lines = []
        for one in sorted(at, key=lambda each: len(each.source))[:2]:
            lines.append(f"`{one.source}` is `{notation.show_fact(one.fact)}`")
            for origin in one.origins[:3]:
                place = f" {origin.place}" if origin.place else ""
                says = f" → `{origin.fact}`" if origin.fact else ""
                lines.append(f"* {origin.kind}{place}: `{origin.text}`{says}")
        for decision in found.decisions:
            site = decision.site
            lines.append(f"**{site.outcome}** {site.code} `{site.source}`: {site.message}")
        return "\n\n".join(lines)

    def function_at(self, line: int) -> str | None:
        """Name the function or method that a line is in, as `--only` takes it."""
        try:
            block: ast.AST = ast.parse(self.text)
        except (SyntaxError, ValueError, RecursionError):
            return None
        name, is_function = "", False
        while True:
            inside = (one for one in ast.iter_child_nodes(block) if isinstance(one, DEFINITIONS))
            found = next((one for one in inside if one.lineno <= line <= (one.end_lineno or 0)), None)
            if found is None or is_function:
                return name if is_function else None
            name, block = f"{name}.{found.name}".lstrip("."), found
            is_function = not isinstance(found, ast.ClassDef)
