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
        r"complex(?!\b)|\wcomplex|\bcomplex\b(?!\s*\()|\bfft|scimath|sqrtm|csingle|['\"]c\d|\bhilbert\b|\bcmath\b"
    ),
    "complex64": r"complex64|csingle|scimath", "uint8": r"uint8|ubyte|['\"<|]u1\b|imread|packbits",
    "int32": r"int32|\bintc\b|['\"<]i4\b", "int8": r"\bint8|['\"<|]i1\b", "int16": r"\bint16|['\"<]i2\b",
    "uint16": r"uint16|['\"<]u2\b", "uint32": r"uint32|['\"<]u4\b", "uint64": r"uint64|['\"<]u8\b",
}  # fmt: skip
"""What in a project's code says that arrays of a dtype may occur."""
COMPUTING = frozenset({"eig", "eigvals", "roots", "emath", "complex"})
"""Names of what may be complex where all that goes in is real."""
COMPUTED = {"complex128": r"\b(?:eig|eigvals|roots|emath)\b|\bcomplex\s*\(|\d[jJ]\b", "complex64": r"\bemath\b"}
"""What in the code says that a result may have a dtype, which does not mean that other arrays do."""
KINDS = r"n?d?array|arrays?|ndarrays?|matri\w+|vectors?|signals?|data|dtype|or|and"
PROSE = {dtype: rf"\b{dtype}\b" for dtype in CODE} | {
    "complex128": (
        rf"\bcomplex(?:128|64|[- ]valued|\s+(?:{KINDS}|numbers?|floats?|scalars?|values?)\b|\s*[)\]|`'\":])"
        r"|(?:\bor|\bof|[:,|/(\[`'\"])\s*complex\s*(?:,|$)"
    )
}
"""What says so in comments and docstrings, where "the more complex half" is said too."""
TITLE = PROSE | {"complex128": rf"\bcomplex(?:128|64|[- ]valued|\s+(?:{KINDS})\b)"}
"""What says so in the docstring of a module, which tells of theory too: "pairs of complex numbers"."""
_CODE = {dtype: re.compile(pattern) for dtype, pattern in CODE.items()}
_COMPUTED = {dtype: re.compile(pattern) for dtype, pattern in COMPUTED.items()}
_PROSE = {dtype: re.compile(pattern, re.MULTILINE) for dtype, pattern in PROSE.items()}
_TITLE = {dtype: re.compile(pattern) for dtype, pattern in TITLE.items()}
_DEFINED = re.compile(r"\bdef\s+\w+")


def dtypes_in(texts: Sequence[str], computed: bool = True) -> frozenset[str]:
    """The dtypes an array of unknown dtype may have in a project of these texts.

    Parameters
    ----------
    computed
        Count those too that only a result has: of `eig`, of `roots`, of `1j * x`.
    """
    found = set(ALWAYS)
    for text in texts:
        named = [dtype for dtype, pattern in _ANYWHERE.items() if dtype not in found and pattern.search(text)]
        if named:
            code, prose, title = _parted(text)
            parts = [(_CODE, _DEFINED.sub("", code)), (_PROSE, prose), (_TITLE, title)]
            parts += [(_COMPUTED, code)] if computed else []
            found.update(d for d in named if any(d in said and said[d].search(part) for said, part in parts))
    return frozenset(found)


_ANYWHERE = {
    dtype: re.compile("|".join([pattern, PROSE[dtype], COMPUTED.get(dtype, pattern)]), re.MULTILINE)
    for dtype, pattern in CODE.items()
}


def _parted(text: str) -> tuple[str, str, str]:
    """The code, token by token; its comments, docstrings and sentences; the module's docstring.

    A text that is no Python is all code.
    """
    code: list[str] = []
    prose: list[str] = []
    title: list[str] = []
    begins = True  # a statement does, so that a string would be a docstring
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.STRING and begins and not title and not any(map(str.strip, code)):
                title.append(token.string)
            elif token.type == tokenize.COMMENT or token.type == tokenize.STRING and (begins or " " in token.string):
                prose.append(token.string)
            else:
                code.append(token.string)
            if token.type not in (tokenize.COMMENT, tokenize.NL):
                begins = token.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING)
    except (tokenize.TokenError, SyntaxError):
        return text, "", ""
    return " ".join(code), "\n".join(prose), "\n".join(title)
