"""Cache of earlier runs, which saves parsing a project of which nothing has changed.

The answer for a file may depend on every file of the project, so that the key holds the contents of all that an
analysis reads, the settings, and the versions of np2torch, libcst and Python. Under it the answers are kept file by
file: a run that was asked for a few files and one that was asked for all serve each other.
"""

from __future__ import annotations

import dataclasses
import hashlib
import importlib.util
import json
import os
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import np2torch
from np2torch.source import line_length
from np2torch.source.extensions import compiled_beside
from np2torch.source.model import Converted, Settings, SourceFile
from np2torch.source.plain import plain, restore
from np2torch.source.store import Store

ENGINE = ("source", "names", "facts", "rules", "rewrite")
"""The packages that have a part in a conversion."""
STUB = ".pyi"
UNREAD = (
    "jobs", "origins", "baseline", "migrated", "max_shim", "max_guards", "max_todo", "requirements", "nested", "scope",
    "trace",
)  # fmt: skip
"""Settings that make no difference to a conversion, and those that are looked at apart."""
FICKLE = ("NPT906",)
"""Problems that may be gone in the next run, so that nothing is kept of a run that met them."""

Progress = Callable[[int, int], None]


def converted_or_recalled(
    files: Sequence[SourceFile], settings: Settings, store: Store | None, progress: Progress | None = None
) -> Iterator[Converted]:
    """Convert a project, or give the answers that were kept.

    Files outside of the scope come back as they are.
    """
    if store is None or any(names is not None for names in (settings.scope or {}).values()):
        yield from _convert(files, settings, progress)
        return
    line_length.forget()
    key = key_of(files, settings)
    wanted = [file for file in files if settings.scope is None or file.path in settings.scope]
    known = _recalled(store.read(key), wanted)
    if known is not None:
        for file in files:
            yield known.get(file.path) or Converted(file.path, file.text, file.text)
        return
    done: list[Converted] = []
    for converted in _convert(files, settings, progress):
        done.append(converted)
        yield converted
    in_scope = {file.path for file in wanted}
    rows = {_name(one.path): _stored(one) for one in done if one.path in in_scope}
    if not any(problem.code in FICKLE for one in done for problem in one.problems):
        store.write(key, rows)


def _convert(files: Sequence[SourceFile], settings: Settings, progress: Progress | None) -> Iterator[Converted]:
    from np2torch.rewrite.convert import convert_project  # heavy: only where something is converted

    yield from convert_project(files, settings, progress)


# ------------------------------------------------------------------------------------------------------- the rows
def _stored(converted: Converted) -> bytes:
    after = converted.after if converted.is_changed else None
    row = [after, plain(converted[converted._fields.index("sites") :])]
    return zlib.compress(json.dumps(row, ensure_ascii=False).encode("utf-8", "surrogatepass"), 1)


def _name(path: Path) -> str:
    """Give a path as text that can be kept, whatever its bytes are."""
    return json.dumps(str(path))


def _recalled(rows: dict[str, bytes], wanted: Sequence[SourceFile]) -> dict[Path, Converted] | None:
    """Give the answers for all that is wanted; None where one is missing or cannot be read."""
    if any(_name(file.path) not in rows for file in wanted):
        return None
    with suppress(ValueError, TypeError, zlib.error):
        return {file.path: _restored(file, rows[_name(file.path)]) for file in wanted}
    return None


def _restored(file: SourceFile, row: bytes) -> Converted:
    after, rest = json.loads(zlib.decompress(row).decode("utf-8", "surrogatepass"))
    return restore(Converted, [str(file.path), file.text, file.text if after is None else after, *rest])


# -------------------------------------------------------------------------------------------------------- the key
def key_of(files: Sequence[SourceFile], settings: Settings) -> str:
    """Give a digest of all that an answer depends on."""
    parts: list[Any] = [engine(), sys.version, os.getcwd(), _settings(settings)]
    parts += [[folder.as_posix(), _settings(one)] for folder, one in sorted(settings.nested.items())]
    paths = [file.path for file in files]
    parts += [[str(file.path), file.display, file.newline, _text(file.text)] for file in files]
    parts += [[str(path), _contents(path)] for path in side_files(paths)]
    parts += sorted([str(folder), names] for folder, names in compiled_beside(paths).items() if names)
    if settings.trace is not None:
        parts += [str(settings.trace.resolve()), _contents(settings.trace), [os.path.realpath(path) for path in paths]]
    return hashlib.sha256(json.dumps(parts, default=str).encode("utf-8", "surrogatepass")).hexdigest()


def side_files(paths: Iterable[Path]) -> Iterator[Path]:
    """Give the files that a conversion reads beside the modules: their stubs, and where line lengths are stated."""
    folders: dict[Path, None] = {}
    for path in paths:
        if path.suffix != STUB:
            yield path.with_suffix(STUB)
        folders |= dict.fromkeys(Path(os.path.abspath(path)).parents)
    yield from (folder / name for folder in folders for name in line_length.STATED_IN)


@cache
def engine() -> str:
    """Give a digest of the code that converts."""
    found = hashlib.sha256(_libcst())
    root = os.path.dirname(os.path.abspath(np2torch.__file__))
    found.update(np2torch.__version__.encode())
    for package in ENGINE:
        for folder, inner, names in os.walk(os.path.join(root, package)):
            inner[:] = sorted(name for name in inner if name != "__pycache__")
            for name in sorted(names):
                found.update(f"\0{name}\0".encode())
                with open(os.path.join(folder, name), "rb") as stream:
                    found.update(stream.read())
    return found.hexdigest()


def _libcst() -> bytes:
    """Give what tells versions of libcst apart; it is not imported for that, and `importlib.metadata` is slow."""
    spec = importlib.util.find_spec("libcst")
    version = _bytes(Path(spec.origin).with_name("_version.py")) if spec is not None and spec.origin else None
    if version is not None:
        return version
    from importlib.metadata import version as version_of

    return version_of("libcst").encode()


def _bytes(path: Path) -> bytes | None:
    try:
        with open(path, "rb") as stream:
            return stream.read()
    except OSError:
        return None


def _settings(settings: Settings) -> list[Any]:
    """Give what counts of settings; their folder only where they hold patterns, which are relative to it."""
    unread = UNREAD if settings.closed or settings.per_file_ignores else (*UNREAD, "root")
    names = (one.name for one in dataclasses.fields(settings) if one.name not in unread)
    return [[name, getattr(settings, name)] for name in names]


def _text(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _contents(path: Path) -> str | None:
    data = _bytes(path)
    return None if data is None else hashlib.sha256(data).hexdigest()
