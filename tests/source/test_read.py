"""Bytes in, the same bytes out; errors with their place."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from np2torch.source.model import Problem, Settings, SourceFile
from np2torch.source.read import decode, encode, read_file
from np2torch.source.scan import imported_modules, mentions_numpy
from np2torch.source.write import write_file


def decoded(data: bytes) -> SourceFile:
    file = decode(data, Path("x.py"))
    assert isinstance(file, SourceFile), file
    return file


def problem(data: bytes) -> Problem:
    found = decode(data, Path("x.py"))
    assert isinstance(found, Problem)
    return found


@pytest.mark.parametrize(
    ("data", "encoding", "bom", "newline"),
    [
        (b"", "utf-8", False, "\n"),
        (b"x = 1\n", "utf-8", False, "\n"),
        ("é = 'ü'\r\ny = 2\r\n".encode(), "utf-8", False, "\r\n"),
        (b"\xef\xbb\xbfx = 1\n", "utf-8", True, "\n"),
        (b"\xef\xbb\xbf# coding: utf-8\r\nx = 1", "utf-8", True, "\r\n"),
        (b"# -*- coding: latin-1 -*-\nname = '\xe9'\n", "iso-8859-1", False, "\n"),
        (b"#!/usr/bin/env python\n# vim: set fileencoding=cp1252 :\nname = '\x80'\n", "cp1252", False, "\n"),
        (b"# coding: euc-jp\nx = '\xb0\xa1'\n", "euc-jp", False, "\n"),
        (b"x = 1\r\ny = 2\nz = 3\r", "utf-8", False, "\r\n"),
        (b"x = 1\ry = 2\r", "utf-8", False, "\r"),
        (b"x = 1\n\x0c\ny = '\xe2\x80\xa8'", "utf-8", False, "\n"),
    ],
)
def test_decoding_keeps_every_byte(data, encoding, bom, newline):
    file = decoded(data)
    assert (file.encoding, file.bom, file.newline) == (encoding, bom, newline)
    assert encode(file.text, file) == data
    assert not file.text.startswith("\ufeff")


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="#\x00"), max_size=60))
def test_any_utf8_text_survives(text):
    data = text.encode()
    file = decode(data, Path("x.py"))
    assert isinstance(file, SourceFile)
    assert encode(file.text, file) == data


@pytest.mark.parametrize(
    ("data", "line", "word"),
    [
        (b"x = 1\nlabel = '\xe9'\n", 2, "0xe9"),
        (b"# one\n# two\n\n\nlabel = '\xff'\n", 5, "0xff"),
        (b"# coding: klingon\n", 1, "klingon"),
        (b"# coding: rot13\nvzcbeg ahzcl\n", 1, "rot13"),
        (b"\xef\xbb\xbf# coding: latin-1\n", 1, "cannot decode"),
        (b"# coding: ascii\nx = '\xe9'\n", 2, "0xe9"),
    ],
)
def test_undecodable_files_are_located(data, line, word):
    found = problem(data)
    assert (found.code, found.line) == ("NPT901", line)
    assert word in found.message
    assert "\n" not in found.message


# ------------------------------------------------------------------------------------------------ scanning
def test_mentions_numpy():
    assert mentions_numpy(b"from numpy import pi") and mentions_numpy("import numpy")
    assert not mentions_numpy("import math")
    assert mentions_numpy("import math\nfrom scipy.special import jv\n") and mentions_numpy(b"    import scipy as sp\n")
    assert not mentions_numpy("# as scipy has it\n") and not mentions_numpy(b"from scipyx import jv\n")
    assert SourceFile(Path("a.py"), "a.py", "import numpy").mentions_numpy


@pytest.mark.parametrize(
    ("source", "modules"),
    [
        ("import a.b as c, d", {"a.b", "d"}),
        ("from a.b import c as d, e", {"a.b", "a.b.c", "a.b.e"}),
        ("from . import x\nfrom .y import z", {".", ".x", ".y", ".y.z"}),
        ("from .. import (a,  # why\n    b,\n)\n", {"..", "..a", "..b"}),
        ("from ..a.b import *", {"..a.b"}),
        ("from.a import b", {".a", ".a.b"}),
        ("if x: import a; import b", {"a", "b"}),
        ("try:\n    import fast\nexcept ImportError:\n    from slow import fast\n", {"fast", "slow", "slow.fast"}),
        ("from a \\\n  import b, \\\r\n  c", {"a", "a.b", "a.c"}),
        ("x = 1  # nothing here", set()),
        ("important = 1\nreimport = 2", set()),
        ("import größe", {"größe"}),
        ('np = pytest.importorskip("numpy")', {"numpy"}),
        ("import importlib\nla = importlib.import_module('numpy.linalg')", {"importlib", "numpy.linalg"}),
    ],
)
def test_imported_modules(source, modules):
    assert imported_modules(source) == modules
    assert imported_modules(source.encode()) == modules


# ------------------------------------------------------------------------------------------------ writing
def on_disk(path: Path, data: bytes) -> SourceFile:
    path.write_bytes(data)
    file = read_file(path)
    assert isinstance(file, SourceFile)
    return file


def test_writing_keeps_mode_encoding_mark_and_newlines(tmp_path):
    path = tmp_path / "x.py"
    on_disk(path, b"\xef\xbb\xbfx = 1\r\n")
    path.chmod(0o755)
    file = read_file(path)
    assert write_file(file, file.text + "y = 'é'\r\n") is None
    assert path.read_bytes() == b"\xef\xbb\xbfx = 1\r\ny = '\xc3\xa9'\r\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o755
    assert os.listdir(tmp_path) == ["x.py"]


def test_nothing_is_written_where_nothing_changed(tmp_path):
    file = on_disk(tmp_path / "x.py", b"x = 1\n")
    before = (tmp_path / "x.py").stat()
    assert write_file(file, file.text) is None
    after = (tmp_path / "x.py").stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "sub").mkdir()
    real, link = tmp_path / "sub" / "real.py", tmp_path / "link.py"
    real.write_text("x = 1\n")
    link.symlink_to(real)
    assert write_file(read_file(link), "x = 2\n") is None
    assert link.is_symlink() and real.read_text() == "x = 2\n"


def test_what_the_encoding_cannot_hold_leaves_the_file_alone(tmp_path):
    data = b"# coding: latin-1\nx = '\xe9'\n"
    file = on_disk(tmp_path / "x.py", data)
    found = write_file(file, file.text + "y = '→'\n")
    assert found is not None and (found.code, found.line) == ("NPT901", 3)
    assert (tmp_path / "x.py").read_bytes() == data


def test_a_failing_write_leaves_no_litter(tmp_path, monkeypatch):
    file = on_disk(tmp_path / "x.py", b"x = 1\n")

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    found = write_file(file, "x = 2\n")
    assert found is not None and found.code == "NPT902" and "No space left" in found.message
    assert os.listdir(tmp_path) == ["x.py"] and (tmp_path / "x.py").read_text() == "x = 1\n"


def test_writing_elsewhere_makes_folders_and_copies_what_did_not_change(tmp_path):
    file = on_disk(tmp_path / "x.py", b"x = 1\n")
    assert write_file(file, file.text, tmp_path / "out" / "deep" / "x.py") is None
    assert (tmp_path / "out" / "deep" / "x.py").read_bytes() == b"x = 1\n"


# ------------------------------------------------------------------------------------------------ selecting
@pytest.mark.parametrize(
    ("select", "ignore", "code", "wanted"),
    [
        ((), (), "NPT101", True),
        (("NPT1",), (), "NPT101", True),
        (("NPT1",), (), "NPT302", False),
        ((), ("NPT3",), "NPT302", False),
        (("NPT302",), ("NPT3",), "NPT302", True),
        (("NPT3",), ("NPT302",), "NPT302", False),
        (("NPT3",), ("NPT3",), "NPT302", False),
    ],
)
def test_the_longest_prefix_decides(select, ignore, code, wanted):
    assert Settings(select=select, ignore=ignore).selects(code) is wanted
