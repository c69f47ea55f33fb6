"""Bytes to text as Python itself reads them (PEP 263), and back: every newline kept, every error located."""

from __future__ import annotations

import dataclasses
import errno
import io
import os
import re
import stat
import tokenize
from pathlib import Path, PurePath

from np2torch.source.document import SUFFIXES as DOCUMENTS
from np2torch.source.document import read_document
from np2torch.source.model import Problem, SourceFile
from np2torch.source.notebook import SUFFIX as NOTEBOOK
from np2torch.source.notebook import NotebookError, read_notebook, remember
from np2torch.source.paths import display_path
from np2torch.source.scan import is_generated

BOM = b"\xef\xbb\xbf"
NOT_REGULAR = "not a regular file"
_NEWLINE = re.compile(r"\r\n|\n|\r")


def read_file(path: Path, even_generated: bool = True) -> SourceFile | Problem | None:
    """Read and decode one file, or say why not (NPT901, NPT902); None for a generated one that is not wanted."""
    try:
        data, mode = read_bytes(path)
    except (OSError, ValueError) as error:
        return Problem(path, 0, 0, "NPT902", f"cannot read: {getattr(error, 'strerror', None) or error}")
    if not even_generated and is_generated(data):
        return None
    return decode(data, path, mode=mode)


def read_bytes(path: Path) -> tuple[bytes, int]:
    """The bytes and the mode of a regular file; OSError for all else, without waiting for a pipe's other end."""
    with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)), "rb") as stream:
        status = os.fstat(stream.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, NOT_REGULAR)
        return stream.read(), stat.S_IMODE(status.st_mode)


def decode(data: bytes, path: Path, display: str | None = None, mode: int = 0o644) -> SourceFile | Problem:
    """Decode the bytes of a Python file by its byte order mark or coding line, UTF-8 without either."""
    bom = data.startswith(BOM)
    try:
        encoding = tokenize.detect_encoding(io.BytesIO(data).readline)[0].removesuffix("-sig")
    except SyntaxError as error:  # an unknown coding, one that contradicts the mark, or a first line that is not UTF-8
        return _undecodable(path, data) or Problem(path, 1, 1, "NPT901", f"cannot decode: {error.msg}")
    body = data[len(BOM) :] if bom else data
    try:
        text = body.decode(encoding)
        faithful = encoding == "utf-8" or text.encode(encoding) == body
    except UnicodeDecodeError as error:
        return _bad_byte(path, error)
    except (LookupError, UnicodeError, TypeError) as error:  # a codec that is no text encoding, such as rot13 or hex
        return Problem(path, 1, 1, "NPT901", f"cannot decode: {error}")
    if not faithful:
        return Problem(path, 1, 1, "NPT901", f"cannot decode: {encoding} would not write the same bytes back")
    newline = _NEWLINE.search(text)
    shown = display if display is not None else display_path(path)
    suffix = PurePath(shown).suffix if path.suffix not in (NOTEBOOK, *DOCUMENTS) else path.suffix
    if suffix in (NOTEBOOK, *DOCUMENTS):
        return _of_cells(text, suffix, SourceFile(path, shown, "", encoding, bom, "\n", mode))
    return SourceFile(path, shown, text, encoding, bom, newline[0] if newline else "\n", mode)


def _of_cells(text: str, suffix: str, file: SourceFile) -> SourceFile | Problem:
    try:
        notebook = read_notebook(text) if suffix == NOTEBOOK else read_document(text, suffix)
    except NotebookError as error:
        return Problem(file.path, 0, 0, "NPT910", f"not read: {error}")
    if notebook is None:  # of another language: nothing in it is Python
        return file
    remember(file.display, notebook)
    return dataclasses.replace(file, text=notebook.text, notebook=notebook)


def encode(text: str, file: SourceFile) -> bytes:
    """The bytes of a new text for a file; UnicodeEncodeError where its encoding cannot hold the text."""
    text = text if file.notebook is None else file.notebook.with_text(text)
    return (BOM if file.bom else b"") + text.encode(file.encoding)


def _undecodable(path: Path, data: bytes) -> Problem | None:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _bad_byte(path, error)
    return None


def _bad_byte(path: Path, error: UnicodeDecodeError) -> Problem:
    data, offset = error.object, error.start
    line, column = data.count(b"\n", 0, offset) + 1, offset - data.rfind(b"\n", 0, offset)
    return Problem(path, line, column, "NPT901", f"cannot decode: byte 0x{data[offset]:02x} is not {error.encoding}")
