"""`np2torch explain`: what is known on a line and why; what a code stands for."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from np2torch.report.progress import Bar
from np2torch.source.discover import load_project
from np2torch.source.folder import project_folder
from np2torch.source.model import Problem
from np2torch.source.settings import SettingsError, with_nested
from np2torch_cli.common import output_format_option, say, settings_for, usage_errors

if TYPE_CHECKING:
    from np2torch.rewrite.explain import Explanation

PLACE = re.compile(r"(?P<path>.+?):(?P<line>\d+)(?::\d+)?")
CODE = re.compile(r"npt\w*", re.IGNORECASE)


@click.command("explain")
@click.argument("target")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path, exists=True))
@output_format_option("text", "json")
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE", help="A pyproject.toml with settings.")
def command(target: str, paths: tuple[Path, ...], output_format: str, config: Path | None) -> None:
    """Explain a line (FILE:LINE), or a code (NPT204).

    For a line: what is known of each expression on it, where each fact comes from, what becomes of each use of NumPy,
    and what would have to be stated to turn a call of the shim or a TODO into native torch. PATHS are the project the
    file is analysed with, by default the folder around it that holds a pyproject.toml or .git, else its own.

    For a code: its page in the documentation.

    Exits with 2 when there is no such file, line or code.
    """
    if CODE.fullmatch(target) and not Path(target).exists():
        if paths:
            raise click.UsageError(f"{target} is a code, whose page takes no PATHS.")
        _code(target.upper(), output_format)
    elif (match := PLACE.fullmatch(target)) is not None:
        with Bar("Analysing"):
            found = _line(Path(match["path"]), int(match["line"]), paths, config)
        _show(found, output_format)
    else:
        digits = re.search(r"\d{3}$", target)
        hint = f": give a line, {target}:1" if Path(target).is_file() else ""
        hint = f"; did you mean NPT{digits[0]}?" if digits is not None and not hint else hint
        raise click.UsageError(f"{target!r} is neither FILE:LINE nor a code such as NPT204{hint}.")


def _code(code: str, output_format: str) -> None:
    import json

    from np2torch.report.pages import code_page
    from np2torch.rules.codes import CODES

    if code not in CODES:
        begin = [known for known in CODES if known.startswith(code)]
        hint = f"; {', '.join(begin)} begin so" if begin else ""
        raise click.UsageError(f"There is no code {code}{hint}.")
    page = code_page(code, CODES[code])
    document = {"version": 1, "code": code, "title": CODES[code].title, "page": page}
    click.echo(json.dumps(document, indent=2, ensure_ascii=False) if output_format == "json" else page, nl=False)


def _line(path: Path, line: int, paths: tuple[Path, ...], config: Path | None) -> Explanation:
    from np2torch.rewrite.explain import explain_line

    if not path.is_file():
        raise click.UsageError(f"There is no file {path}.")
    settings = settings_for((path, *paths), config)
    with usage_errors(SettingsError):
        project = load_project((*(paths or _around(path)), path), dataclasses.replace(settings, jobs=1))
        settings = with_nested(settings, [file.path for file in project.files], {})
    found = explain_line(project.files, settings, path, line)
    problem = found if isinstance(found, Problem) else next((p for p in project.problems if p.path == path), None)
    if found is None or isinstance(found, Problem):
        reason = "it is not in the project" if problem is None else f"{problem.code} {problem.message}"
        raise click.UsageError(f"{path}: {reason}.")
    count = len(next(file for file in project.files if file.path.resolve() == path.resolve()).text.splitlines())
    if not 0 < line <= count:
        raise click.UsageError(f"{path} has {count} lines.")
    return found


def _show(found: Explanation, output_format: str) -> None:
    from np2torch.report.explanation import as_json, text_lines

    if output_format == "json":
        click.echo(as_json(found))
    else:
        say(text_lines(found))


def _around(path: Path) -> list[Path]:
    """The project a file belongs to: the nearest folder above it that looks like one, else the files beside it."""
    folder = path.resolve().parent
    project = project_folder(folder)
    return sorted(folder.glob("*.py")) if project is None else [project]
