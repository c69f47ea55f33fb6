"""A file's text on its way to a tree: large literals cut, and what is wrong with it said."""

from __future__ import annotations

import ast
import dataclasses
import os
import traceback
from collections.abc import Mapping
from pathlib import Path, PurePath

import libcst as cst

from np2torch.facts.interpreter.definitions import ModuleInfo
from np2torch.names.parsing import TooDeepError, parse_once
from np2torch.source.literals import TooLargeError, summarise_literals
from np2torch.source.model import Converted, Problem, Remark, SourceFile
from np2torch.source.read import read_file

CUT = "NPT511"
STUB = ".pyi"


def cut(file: SourceFile) -> SourceFile | Problem:
    """The file with its large literals summarised; a problem where they stay too large."""
    if file.summary is not None:
        return file
    try:
        summary = summarise_literals(file.text)
    except TooLargeError as error:
        return Problem(file.path, error.line, 1, "NPT905", str(error))
    return file if summary is None else dataclasses.replace(file, text=summary.text, summary=summary)


def whole(file: SourceFile, converted: Converted) -> Converted:
    """A conversion of a file whose literals were cut, with all that was in them."""
    summary = file.summary
    if summary is None:
        return converted
    before = summary.restore(file.text)
    after = summary.restore(converted.after) if converted.is_changed else before
    assert before is not None
    if after is None:
        message = "a large literal would have to be rewritten item by item; the file is left as it was"
        return Converted(file.path, before, before, (), (Problem(file.path, 1, 1, "NPT905", message),))
    sites = tuple(site._replace(source=summary.show_piece(site.source)) for site in converted.sites)
    first = min(line for line, _ in summary.places)
    message = f"large literals were analysed by their first items and by their kinds: {len(summary.places)}"
    remarks = (*converted.remarks, Remark(first, 1, CUT, message)) if converted.sites else converted.remarks
    return converted._replace(before=before, after=after, sites=sites, remarks=remarks)


def defect(path: Path, error: Exception) -> Problem:
    """Give the problem of a file in which the analysis, or the rewriting, failed for a defect of ours."""
    if isinstance(error, RecursionError):
        return Problem(path, 1, 1, "NPT905", f"too deeply nested: {error}")
    where = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{PurePath(where.filename).name}:{where.lineno}"
    return Problem(path, 1, 1, "NPT906", f"internal: {type(error).__name__} in {place}; the file is left as it was")


def parse(
    file: SourceFile, name: str, is_helper: bool = False, read: dict[str, ast.Module] | None = None
) -> ModuleInfo | Problem:
    """The module of a file; its tree is among those that were `read` before, or will be."""
    try:
        tree = parse_once(str(file.path), file.text, {} if read is None else read)
    except SyntaxError as error:
        return _syntax_problem(file, error)
    except TooDeepError as error:
        return Problem(file.path, 1, 1, "NPT905", f"{error}; split the expression or the ladder that is so deep")
    except ValueError as error:
        return Problem(file.path, 1, 1, "NPT903", f"cannot be parsed: {error}")
    cut = file.summary.places if file.summary is not None else frozenset()
    is_package = PurePath(file.path).name == "__init__.py"
    return ModuleInfo(name, str(file.path), tree, is_package, is_helper, file.text, cut=cut)


def stub(path: Path, known: Mapping[str, str]) -> ModuleInfo | Problem | None:
    """The stub of a module, `MODULE.pyi` beside it; None where there is none.

    Parameters
    ----------
    known
        The texts of stubs before they were converted, by resolved path.
    """
    beside = path.with_suffix(STUB)
    file = read_file(beside) if beside.is_file() else None
    if not isinstance(file, SourceFile):
        return file
    return parse(dataclasses.replace(file, text=known.get(os.path.realpath(beside), file.text)), beside.stem)


def _syntax_problem(file: SourceFile, error: SyntaxError) -> Problem:
    line, column = error.lineno or 1, error.offset or 1
    if _is_newer(file.text):
        return Problem(file.path, line, column, "NPT904", f"syntax newer than the running Python's: {error.msg}")
    return Problem(file.path, line, column, "NPT903", f"syntax error: {error.msg}")


def _is_newer(text: str) -> bool:
    """Tell whether libcst parses a text, in a separate process: its parser overflows the stack on deep nesting."""
    if not hasattr(os, "fork"):
        return False
    child = os.fork()
    if not child:
        code = 1
        try:
            cst.parse_module(text)
            code = 0
        finally:
            os._exit(code)
    return os.waitpid(child, 0)[1] == 0
