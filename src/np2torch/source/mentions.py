"""Which dtypes a project speaks of: bool, int64 and float64 always may occur, any other one only if it is named."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Sequence

ALWAYS = frozenset({"bool", "int64", "float64"})


def _word(name: str) -> str:
    """NumPy's name that is also a plain word: as an attribute, a string, or imported."""
    return rf"\.\s*{name}\b|['\"]{name}['\"]|\bimport\b[^\n]*\b{name}\b|\bnumpy import \*[\s\S]*\b{name}\b"


CODE = {
    "float32": rf"float32|{_word('single')}|['\"<]f4\b|imread", "float16": rf"float16|{_word('half')}|['\"<]f2\b",
    "complex128": (
        r"complex|\d[jJ]\b|\bfft|\beig\b|eigvals|\broots\b|emath|scimath|sqrtm|csingle|['\"]c\d|\bhilbert\b|\bcmath\b"
    ),
    "complex64": r"complex64|csingle|emath|scimath", "uint8": r"uint8|ubyte|['\"<|]u1\b|imread|packbits",
    "int32": r"int32|\bintc\b|['\"<]i4\b", "int8": r"\bint8|['\"<|]i1\b", "int16": r"\bint16|['\"<]i2\b",
    "uint16": r"uint16|['\"<]u2\b", "uint32": r"uint32|['\"<]u4\b", "uint64": r"uint64|['\"<]u8\b",
}  # fmt: skip
"""What in a project's code says that arrays of a dtype may occur."""
_CODE = {dtype: re.compile(pattern) for dtype, pattern in CODE.items()}
_PROSE = {dtype: re.compile(rf"\b{dtype}\b") for dtype in CODE} | {
    "complex128": re.compile(
        r"\bcomplex(?:128|64|[- ]valued|\s+(?:or|and|n?d?array|arrays?|numbers?|floats?|ndarrays?|scalars?|values?"
        r"|matri\w+|vectors?|signals?|data|dtype)\b|\s*[,)\]|`'\":]|\s*$)",
        re.MULTILINE,
    )
}
"""What says so in comments and docstrings, where "the more complex half" is said too."""


def dtypes_in(texts: Sequence[str]) -> frozenset[str]:
    """The dtypes an array of unknown dtype may have in a project of these texts."""
    found = set(ALWAYS)
    for text in texts:
        named = [dtype for dtype, pattern in _CODE.items() if dtype not in found and pattern.search(text)]
        if named:
            code, prose = _parted(text)
            found.update(d for d in named if _CODE[d].search(code) or _PROSE[d].search(prose))
    return frozenset(found)


def _parted(text: str) -> tuple[str, str]:
    """The code, token by token, and its comments and docstrings; a text that is no Python is all code."""
    code: list[str] = []
    prose: list[str] = []
    begins = True  # a statement does, so that a string would be a docstring
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT or begins and token.type == tokenize.STRING:
                prose.append(token.string)
            else:
                code.append(token.string)
            if token.type not in (tokenize.COMMENT, tokenize.NL):
                begins = token.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING)
    except (tokenize.TokenError, SyntaxError):
        return text, ""
    return " ".join(code), "\n".join(prose)
