"""The dtypes that a project mentions: bool, int64 and float64 always may occur, any other one only if it is named."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from np2torch.source.lexical import parts

ALWAYS = frozenset({"bool", "int64", "float64"})


def _word(name: str) -> str:
    """NumPy's name that is also a plain word: as an attribute, a string, or imported."""
    return rf"\.\s*{name}\b|['\"]{name}['\"]|\bimport\b[^\n]*\b{name}\b|\bnumpy import \*[\s\S]*\b{name}\b"


CODE = {
    "float32": rf"float32|{_word('single')}|['\"<]f4\b|imread", "float16": rf"float16|{_word('half')}|['\"<]f2\b",
    "complex128": (
        r"complex(?!\b)|\wcomplex|\bcomplex\b(?!\s*\()|\bfft|scimath|sqrtm|csingle|['\"]c[18]|\bhilbert\b|\bcmath\b"
    ),
    "complex64": r"complex64|csingle|scimath", "uint8": r"uint8|ubyte|['\"<|]u1\b|imread|packbits|loadmat",
    "int32": r"int32|\bintc\b|['\"<]i4\b", "int8": r"\bint8|['\"<|]i1\b", "int16": r"\bint16|['\"<]i2\b",
    "uint16": r"uint16|['\"<]u2\b|loadmat", "uint32": r"uint32|['\"<]u4\b", "uint64": r"uint64|['\"<]u8\b",
}  # fmt: skip
"""Signs in a project's code that arrays of a dtype may occur."""
EVERY = ALWAYS | set(CODE)
"""The dtypes of arrays from unseen callers."""
COMPUTING = frozenset({"eig", "eigvals", "roots", "emath", "complex"})
"""Names of what may be complex where all that goes in is real."""
COMPUTED = {"complex128": r"\b(?:eig|eigvals|roots|emath)\b|\bcomplex\s*\(|[0-9][jJ]\b", "complex64": r"\bemath\b"}
"""Signs in the code that a result may have a dtype, which does not mean that other arrays do."""
KINDS = r"n?d?array|arrays?|ndarrays?|matri\w+|vectors?|signals?|data|dtype|or|and"
PROSE = {dtype: rf"\b{dtype}\b" for dtype in CODE} | {
    "complex128": (
        rf"\bcomplex(?:128|64|[- ]valued|\s+(?:{KINDS}|numbers?|floats?|scalars?|values?)\b|\s*[)\]|`'\":])"
        r"|(?:\bor|\bof|[:,|/(\[`'\"])\s*complex\s*(?:,|$)"
    )
}
"""The same signs in comments and docstrings, where "the more complex half" may be said too."""
TITLE = PROSE | {"complex128": rf"\bcomplex(?:128|64|[- ]valued|\s+(?:{KINDS})\b)"}
"""The same signs in the docstring of a module, which may tell of theory too: "pairs of complex numbers"."""
UNHELD = re.compile(
    r"longdouble|longfloat|longcomplex|float128|complex256|newbyteorder|byteswap|['\"]>[iufc]\d"
    r"|(?:dtype|astype|view)\s*[=(]\s*['\"][<>=|]?[gG]['\"]"  # "g" alone is green
)
"""Signs in code of dtypes that torch lacks: longer than its own, or in another order of bytes."""
_CODE = {dtype: re.compile(pattern) for dtype, pattern in CODE.items()}
_COMPUTED = {dtype: re.compile(pattern) for dtype, pattern in COMPUTED.items()}
_PROSE = {dtype: re.compile(pattern, re.MULTILINE) for dtype, pattern in PROSE.items()}
_TITLE = {dtype: re.compile(pattern) for dtype, pattern in TITLE.items()}
_DEFINED = re.compile(r"\bdef\s+\w+")


class Mentions(NamedTuple):
    """The dtypes that an array of unknown dtype may have in a project.

    Attributes
    ----------
    said
        What the project speaks of.
    computed
        These, and those that only a result has: of `eig`, of `roots`, of `1j * x`.
    """

    said: frozenset[str]
    computed: frozenset[str]


def dtypes_in(texts: Iterable[str]) -> Mentions:
    """Give which dtypes a project of these texts speaks of."""
    said, computed = set(ALWAYS), set(ALWAYS)
    for text in texts:
        named = [dtype for dtype in CODE if dtype not in said and _is_named(dtype, text, dtype not in computed)]
        if not named:
            continue
        code, prose, title = _parted(text)
        calls = _DEFINED.sub("", code)
        for dtype in named:
            if _CODE[dtype].search(calls) or _PROSE[dtype].search(prose) or _TITLE[dtype].search(title):
                said.add(dtype)
            elif dtype in _COMPUTED and _COMPUTED[dtype].search(code):
                computed.add(dtype)
    return Mentions(frozenset(said), frozenset(computed | said))


def names_unheld(texts: Iterable[str]) -> bool:
    """Tell whether code names a dtype that torch lacks."""
    return any(UNHELD.search(text) and UNHELD.search(_parted(text)[0]) for text in texts)


HINTS = {
    "float32": ("float32", "single", "f4", "imread"), "float16": ("float16", "half", "f2"),
    "complex128": (
        "complex", "fft", "math", "sqrtm", "single", "'c", '"c', "hilbert", "eig", "roots",
        *(f"{digit}{j}" for digit in range(10) for j in "jJ"),
    ),
    "complex64": ("complex64", "csingle", "scimath", "emath"),
    "uint8": ("uint8", "ubyte", "u1", "imread", "packbits", "loadmat"),
    "int32": ("int32", "intc", "i4"), "int8": ("int8", "i1"), "int16": ("int16", "i2"),
    "uint16": ("uint16", "u2", "loadmat"), "uint32": ("uint32", "u4"), "uint64": ("uint64", "u8"),
}  # fmt: skip
"""The words without which no pattern of a dtype is found in a text: a search for them is much faster."""


@cache
def anywhere(dtype: str, computed: bool = True) -> re.Pattern[str]:
    """Give what speaks of a dtype, in code or in prose, or computes something of it."""
    patterns = [CODE[dtype], PROSE[dtype], *([COMPUTED[dtype]] if computed and dtype in COMPUTED else [])]
    return re.compile("|".join(patterns), re.MULTILINE)


def _is_named(dtype: str, text: str, computed: bool) -> bool:
    if not any(hint in text for hint in HINTS[dtype]):
        return False
    near = text if "import *" in text else _around(HINTS[dtype], text)
    return anywhere(dtype, computed).search(near) is not None


def _around(hints: Iterable[str], text: str) -> str:
    """The lines that hold a hint, and their neighbours: but for `import *`, the patterns look no further."""
    found = []
    for hint in hints:
        at = text.find(hint)
        while at >= 0:
            begin = text.rfind("\n", 0, max(text.rfind("\n", 0, at), 0)) + 1
            end = text.find("\n", text.find("\n", at) + 1 or len(text))
            found.append(text[begin : end if end >= 0 else len(text)])
            at = text.find(hint, end) if end >= 0 else end
    return "\n\n".join(found)


def _parted(text: str) -> tuple[str, str, str]:
    """The code; its comments, docstrings and sentences; the module's docstring."""
    code: list[str] = []
    prose: list[str] = []
    title, end = "", 0
    for part in parts(text):
        before, said = text[end : part.start], text[part.start : part.end]
        if part.is_comment or part.begins or " " in said:
            code.append(before)
            if part.is_comment or title or any(map(str.strip, code)):
                prose.append(said)
            else:
                title = said
        else:
            code += before, said
        end = part.end
    code.append(text[end:])
    return " ".join(code), "\n".join(prose), title
