"""The length of lines in a project: what its formatter or linter is told, or what its files show."""

from __future__ import annotations

import configparser
import functools
import os
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

DEFAULT = 88
"""The default of black and ruff."""
WIDEST = 120
"""The longest line of a file that counts as meant."""
UNLIMITED = 1_000_000
"""The length for `max_line_length = off` in an .editorconfig."""


def line_length(path: Path, text: str) -> int:
    """Find how long a line of a file may be: as stated nearest above it, or else as its own lines show."""
    absolute = Path(os.path.abspath(path))
    for folder in absolute.parents:
        if (stated := _stated(folder) or _in_editorconfig(folder, path.name)) is not None:
            return stated
    return max([DEFAULT, *(len(line) for line in text.splitlines() if len(line) <= WIDEST)])


def forget() -> None:
    """Forget what the files of projects have said; they may have changed."""
    _stated.cache_clear()
    _in_editorconfig.cache_clear()


@functools.cache
def _stated(folder: Path) -> int | None:
    """Give what the files of formatters and linters in a folder say."""
    for name, read in FILES.items():
        with suppress(OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, configparser.Error):
            for value in read((folder / name).read_text("utf-8")):
                if (length := _number(value)) is not None:
                    return length
    return None


def _number(value: object) -> int | None:
    if value == "off":
        return UNLIMITED
    with suppress(ValueError):
        length = int(str(value))
        return length if length > 0 else None
    return None


def _of_tables(*paths: str) -> Callable[[str], Iterator[Any]]:
    """Read keys of a TOML file, each by its dotted path."""

    def read(text: str) -> Iterator[Any]:
        document = tomllib.loads(text)
        for path in paths:
            value: Any = document
            for key in path.split("."):
                value = value.get(key) if isinstance(value, Mapping) else None
            yield value

    return read


def _of_sections(*paths: str) -> Callable[[str], Iterator[Any]]:
    """Read keys of an INI file, each as `section.key`."""

    def read(text: str) -> Iterator[Any]:
        document = configparser.RawConfigParser(strict=False)
        document.read_string(text)
        for section, _, key in (path.rpartition(".") for path in paths):
            yield document.get(section, key, fallback=None)

    return read


_LINTERS = _of_sections("flake8.max-line-length", "flake8.max_line_length", "pycodestyle.max_line_length")
_RUFF = _of_tables("line-length", "lint.pycodestyle.max-line-length")
FILES: dict[str, Callable[[str], Iterator[Any]]] = {
    ".ruff.toml": _RUFF,
    "ruff.toml": _RUFF,
    "pyproject.toml": _of_tables(
        "tool.black.line-length", "tool.ruff.line-length", "tool.flake8.max-line-length", "tool.yapf.column_limit",
        "tool.autopep8.max_line_length", "tool.pycodestyle.max_line_length",
    ),
    "setup.cfg": _LINTERS,
    "tox.ini": _LINTERS,
    ".flake8": _LINTERS,
}  # fmt: skip
"""The files that state line lengths, and how each is read; formatters before linters."""
EDITORCONFIG = ".editorconfig"
STATED_IN = (*FILES, EDITORCONFIG)
"""The names of all files that are asked for line lengths."""


@functools.cache
def _in_editorconfig(folder: Path, name: str) -> int | None:
    """Give what the .editorconfig of a folder says of files of a name; the last section that matches decides."""
    document = configparser.RawConfigParser(strict=False)
    try:
        document.read_string("[top]\n" + (folder / EDITORCONFIG).read_text("utf-8"))
    except (OSError, UnicodeDecodeError, configparser.Error):
        return None
    length = None
    for section in document.sections():
        if any(fnmatch(name, one.rpartition("/")[2]) for one in _alternatives(section)):
            length = _number(document.get(section, "max_line_length", fallback=None)) or length
    return length


def _alternatives(pattern: str) -> list[str]:
    """The patterns that one with braces stands for: `*.{py,pyi}`."""
    before, opened, rest = pattern.partition("{")
    inside, closed, after = rest.partition("}")
    return [before + one.strip() + after for one in inside.split(",")] if opened and closed else [pattern]
