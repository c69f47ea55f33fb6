"""Comments and strings are found where the library's tokenizer finds them."""

from __future__ import annotations

import io
import sys
import tokenize
from pathlib import Path

import pytest

import np2torch
from np2torch.source.lexical import Part, parts

pytestmark = pytest.mark.skipif(sys.version_info >= (3, 12), reason="later tokenizers take f-strings apart")
TRICKY = r'''#!/usr/bin/python
"""Title with 'quotes' and "more" and \""" and a # sign."""
x = r"\d" + rb'\'' + f"{x!r:>{n}}" + "" + '' + """""" + \
    "goes on"
y = [  # opened
    "in a bracket",
    'a\
b',
]; z = "behind a semicolon"
def f():  # comment
    "docstring"
    return {"a": 'b"c'}, u"d"
name3"""not Python, and closed"""
'''


def told(text: str) -> list[Part]:
    """What the library says."""
    starts = [0]
    for line in io.StringIO(text):
        starts.append(starts[-1] + len(line))
    out, begins = [], True
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in (tokenize.STRING, tokenize.COMMENT):
            (row, column), (last, end) = token.start, token.end
            is_comment = token.type == tokenize.COMMENT
            out.append(Part(starts[row - 1] + column, starts[last - 1] + end, is_comment, begins))
        if token.type not in (tokenize.COMMENT, tokenize.NL):
            begins = token.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
    return out


def same(text: str) -> bool:
    """Do both say the same of strings, and of where comments stand?"""
    found, known = list(parts(text)), told(text)
    begin = [[one.begins for one in some if not one.is_comment] for some in (found, known)]
    return [one[:3] for one in found] == [one[:3] for one in known] and begin[0] == begin[1]


def test_tricky_ones():
    assert same(TRICKY)
    assert [one.begins for one in parts("if x:\n    'a'\n(\n'b')\nc\\\n'd'\n'e'\n")] == [True, False, False, True]


@pytest.mark.parametrize("path", sorted(Path(np2torch.__file__).parent.rglob("*.py")), ids=lambda path: path.name)
def test_our_own_sources(path):
    assert same(path.read_text("utf-8"))


@pytest.mark.parametrize("text", ["'open\nx = 'closed'", '"""never closed', "((('", "x = ]] 'a'"])
def test_what_is_no_python_does_no_harm(text):
    assert all(0 <= one.start < one.end <= len(text) for one in parts(text))
