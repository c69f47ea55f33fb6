"""Facts from docstrings in numpydoc's, Google's and Sphinx's style: parameters, attributes and returns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from np2torch.facts import notation
from np2torch.facts import values as v
from np2torch.facts.annotations import ARRAY_LIKE, INTEGER, Names, of_text

NUMPYDOC = {
    "Parameters": "parameters", "Other Parameters": "parameters", "Attributes": "attributes", "Returns": "returns",
}  # fmt: skip
GOOGLE = {
    "Args": "parameters", "Arguments": "parameters", "Parameters": "parameters", "Keyword Args": "parameters",
    "Keyword Arguments": "parameters", "Kwargs": "parameters", "Params": "parameters", "Attributes": "attributes",
    "Returns": "returns", "Return": "returns",
    **dict.fromkeys("Raises Yields Warns Note Notes Example Examples Reference References Todo".split(), ""),
}  # fmt: skip
"""Headings, and what stands below them."""
_HEADING = re.compile(r"([A-Z][a-z]+(?: [A-Z][a-z]+)*):")
_FIELDS = {
    "parameters": ("param", "parameter", "arg", "argument", "key", "keyword", "kwparam", "type"),
    "attributes": ("ivar", "var", "cvar", "vartype"),
    "returns": ("rtype",),
}
"""Sphinx's fields, `:param int n: how many`, by what they speak of; the last of each tells the type alone."""
_FIELD = re.compile(
    r"\s*:(?P<field>[a-z]+)(?:\s+(?P<type>[^:]*?))??(?:\s*(?P<name>\*{0,2}\w+))?\s*:(?:\s+(?P<text>.*))?$"
)
_ROLE = re.compile(r":(?:\w+:)*\w+:`[~!]?([^`<]*)(?:<[^`]*>)?`")
"""A reference in Sphinx's markup, `:py:class:`numpy.ndarray``."""
_ENTRY = re.compile(r"(?P<names>\*{0,2}\w+(?:\s*,\s*\*{0,2}\w+)*)\s*:\s*(?P<type>\S.*)")
_TYPED = re.compile(r"(?P<names>\*{0,2}\w+)\s*\((?P<type>(?:[^()]|\([^()]*\))*)\)\s*:")
_RETURNED = re.compile(r"(?P<type>(?:[^():\[\]]|\([^()]*\)|\[[^:]*?\])+):(?:\s|$)")

_SHAPE = re.compile(r"[(\[]\s*((?:[\w.+\-*/ ]*,)+[\w.+\-*/ ]*)\s*[)\]]")
_SIZE = re.compile(r"(?:[A-Za-z_]\w*|\d+)(?:\s*[-+*/]\s*\w+)*")
_BY = re.compile(r"\b(?:[A-Za-z]|\d+)(?:\s*[x×]\s*(?:[A-Za-z]|\d+))+\b")
_DIMENSIONS = re.compile(r"\b(?:(\d)\s*-?\s*d(?:im(?:ension(?:al|s)?)?)?|(one|two|three|four)-dimensional)\b", re.I)
_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4}
_NO_SIZES = frozenset("optional default float int bool str ndarray array list tuple none true false".split())
_DTYPE = re.compile(r"\b((?:u?int|float)(?:8|16|32|64)|complex(?:64|128))\b")
_FAMILIES = (
    (re.compile(r"\b(?:floats?|floating|doubles?)\b"), "floating"),
    (re.compile(r"\b(?:ints?|integers?)\b"), "integer"),
    (re.compile(r"\b(?:bools?|booleans?)\b"), "bool"),
    (re.compile(r"\bcomplex\b"), "complexfloating"),
)  # fmt: skip
_QUALIFIER = (
    r"(?:an?|the|dense|input|numpy|np\.|numeric|real|floating|float\d*|int\d*|integer|uint\d+|bool(?:ean)?"
    r"|complex\d*|(?:[a-z]|\d+)(?:\s*[x×]\s*(?:[a-z]|\d+))+|[1-9]\s*-?\s*d(?:im(?:ensional)?)?|(?:one|two|three)-dimensional|\([^)]*\)|\[[^\]]*\])"
)
_LIKE = re.compile(rf"(?:{_QUALIFIER}[\s,-]*)*array[-_ ]?like\b")
_ARRAY = re.compile(rf"(?:{_QUALIFIER}[\s,-]*)*(?:nd)?arrays?\b(?![-_ ]?like)")
_STAYS = re.compile(r"\b(?:str|strings?|objects?|structured|masked|datetime\w*|record|sparse|timedelta\w*|bytes)\b")
_CONTAINER = re.compile(r"(list|tuple)s?\s+of\s+(.*)")
_LISTED = re.compile(r"(?P<items>.*\barrays?)\s+(?P<kind>list|tuple)s?\b")
_NUMPY_ARRAY = re.compile(r"\b(?:numpy|np)(?:\.|\s+)(?:nd)?array\b")
_FLOAT = re.compile(r"\b(?:floats?|floating|doubles?|real|scalar|number(?! of))\b")
"""A type that takes numbers that are no integers."""
_PLAIN = re.compile(
    r"(?:an?\s+)?(?:(?:positive|negative|non-?negative|odd|even|small|python)\s+)*"
    r"(?P<word>int|integer|float|double|scalar|number|bool|boolean|str|string)"
    r"(?:\s*[(,]\s*(?:optional|default|positive|negative|non-?negative|odd|even|[<>=≥≤])[^\[\]]*)?"
)
"""One value of Python's, whatever is said of its sign, its bounds and its default."""
NUMBER = v.join(v.INT, v.FLOAT, v.scalar())
"""The meaning of "float", "scalar" and "number" in a docstring: Python's, or a NumPy scalar of any dtype."""
_PLAIN_FACTS = {
    "int": INTEGER, "integer": INTEGER, "bool": v.BOOL, "boolean": v.BOOL, "str": v.TEXT, "string": v.TEXT,
}  # fmt: skip
_DESCRIBED = re.compile(
    r"(?:an?\s+|the\s+)?(\([\w\s,.+*/-]*\)|(?:[a-z]|\d+)(?:\s*[x×]\s*(?:[a-z]|\d+))+)\s+(?:\w+\s+)?(?:(?:nd)?array|matrix)\b",
    re.I,
)
"""A description that begins with the shape: "(N, 3) array of points", "3x3 rotation matrix"."""
_VECTOR = re.compile(r"\b1\b")
"""A size of 1 in a shape such as "(N, 1)", which is said of vectors as well."""
MOST_LINES = 400


class DocstringEntry(NamedTuple):
    """One entry of a docstring: the line counts from 0 at the docstring's first."""

    line: int
    text: str
    fact: v.Fact
    floats: bool = False
    """Whether it says that a float is accepted."""


def entries(text: str, wanted: str, names: Names | None = None) -> dict[str, DocstringEntry]:
    """The array parameters or attributes a docstring names, as far as it says what they are; parameters of floats."""
    found: dict[str, DocstringEntry] = {}
    for number, line, style, below in _section(text, wanted):
        match = (_TYPED.match(line) if style == "google" else None) or _ENTRY.match(line)
        if match is None:
            continue
        loose = style == "google" and match.re is _ENTRY  # `x: the description`, which speaks of arrays by the way
        fact = _described(of_phrase(match["type"], names, loose), below or line[match.end() :].strip())
        if fact is None and wanted == "parameters" and not loose:
            fact = _plain(match["type"])
        floats = wanted == "parameters" and not loose and _FLOAT.search(match["type"].lower()) is not None
        if fact is not None or floats:
            for name in match["names"].split(","):
                found[name.strip().lstrip("*")] = DocstringEntry(number, line, fact or v.BOTTOM, floats)
    return found


def documented_result(text: str, names: Names | None = None) -> DocstringEntry | None:
    """Give what a docstring says of the result: of several entries a tuple."""
    facts: list[v.Fact | None] = []
    first: tuple[int, str] | None = None
    for number, line, style, below in _section(text, "returns"):
        if style == "google":
            match = _RETURNED.match(line)
            if match is None or facts:  # prose without a type, or the second line of it
                continue
            phrase = match["type"]
        else:
            match = _ENTRY.match(line)
            phrase = match["type"] if match is not None else line
        facts.append(_described(of_phrase(phrase, names), below))
        first = first or (number, line)
    if first is None or not any(facts):
        return None
    items = [v.TOP if fact is None else fact for fact in facts]
    return DocstringEntry(*first, items[0] if len(items) == 1 else v.tuple_of(*items))


def _described(fact: v.Fact | None, description: str) -> v.Fact | None:
    """The same with the ranks that the description begins with, where the type says nothing of them."""
    match = _DESCRIBED.match(description) if fact is not None else None
    ranks = _shape(match[1].lower()) if match is not None and not _VECTOR.search(match[1]) else None
    if ranks is None or fact is None:
        return fact
    return frozenset(v.Array(a.dtypes, ranks) if isinstance(a, v.Array) and a.ranks is None else a for a in fact)


def _section(text: str, wanted: str) -> list[tuple[int, str, str, str]]:
    """The entries below the headings of a kind: number, text, style, the first line of the description below it."""
    if not text:
        return []
    lines = text.expandtabs().splitlines()[:MOST_LINES]
    found = _fields(lines, wanted)
    kind, style, indent = "", "", -1
    for number, line in enumerate(lines):
        head = line.strip()
        if not head:
            continue
        below = lines[number + 1].strip() if number + 1 < len(lines) else ""
        here = len(line) - len(line.lstrip())
        if len(below) > 2 and set(below) == {"-"}:
            kind, style, indent = NUMPYDOC.get(head, ""), "numpydoc", -1
        elif (match := _HEADING.fullmatch(head)) is not None and match[1] in GOOGLE:
            kind, style, indent = GOOGLE.get(match[1], ""), "google", -1
        elif set(head) == {"-"} or kind != wanted:
            continue
        else:
            indent = here if indent < 0 else indent
            if here == indent:
                next_one = lines[number + 1] if below else ""
                found.append((number, head, style, below if len(next_one) - len(next_one.lstrip()) > here else ""))
            elif here < indent and style == "google":
                kind = ""
    return found


def _fields(lines: Sequence[str], wanted: str) -> list[tuple[int, str, str, str]]:
    """Read the entries of Sphinx fields (`:param x:`), spelled as in numpydoc."""
    found: list[tuple[int, str, str, str]] = []
    *_, of_type = _FIELDS[wanted]
    descriptions: dict[str, str] = {}
    for number, line in enumerate(lines):
        match = _FIELD.match(_ROLE.sub(r"\1", line)) if line.lstrip().startswith(":") else None
        if match is None or match["field"] not in _FIELDS[wanted]:
            continue
        name, type_, text = match["name"] or "", match["type"] or "", match["text"] or ""
        if match["field"] == of_type:
            type_, text = text, descriptions.get(name, "")
        descriptions[name] = text
        if type_:
            found.append((number, f"{name} : {type_}" if name else type_, "sphinx", text))
    return found


def of_phrase(phrase: str, names: Names | None = None, loose: bool = False) -> v.Fact | None:
    """The fact of a type in words; None where it speaks of no array.

    Parameters
    ----------
    loose
        The words describe rather than name a type: only what names NumPy's type outright counts.
    """
    if not loose and re.match(r"[\w.]+\[", phrase) or "NDArray" in phrase:
        stated = of_text(re.split(r",\s*(?:optional|default|shape)\b", phrase)[0].strip("`"), names)
        if stated is not None:
            return stated
    words = _NUMPY_ARRAY.sub("ndarray", phrase.lower().replace("`", ""))
    texts = re.split(r"\s+or\s+|\s*\|\s*|;\s*", words)
    parts = [_part(text, loose) for text in texts]
    known = [part for part in parts if part is not None]
    arrays = [part for part in known if not v.only(part, "none")]
    if not arrays or any(v.only(part, "foreign") for part in arrays):
        return None
    if len(known) == len(parts):
        return v.join(*known)
    if any(part is None and _shape(text) is None for part, text in zip(parts, texts, strict=True)):
        return v.join(v.TOP, *arrays)
    ranks = _shape(words)  # "array of shape (n,) or (n, m)": the second part is a shape and nothing else
    return frozenset(v.Array(a.dtypes, ranks) if isinstance(a, v.Array) else a for a in v.join(*arrays))


def _plain(phrase: str) -> v.Fact | None:
    """The fact of a parameter that takes one number, text or flag; None of all else."""
    parts = [_PLAIN.fullmatch(part.strip(" .:")) for part in re.split(r"\s+or\s+|\s*\|\s*", phrase.lower())]
    found = [_PLAIN_FACTS.get(part["word"], NUMBER) for part in parts if part is not None]
    return v.join(*found) if found and len(found) == len(parts) else None


def _part(words: str, loose: bool) -> v.Fact | None:
    words = words.strip(" .,:")
    if words in ("none", "none, optional"):
        return v.NONE
    if (match := _CONTAINER.match(words)) is not None:
        return _container(match[1], match[2], loose)
    if (match := _LISTED.match(words)) is not None:  # "2D-array list"
        return _container(match["kind"], match["items"], loose)
    if _LIKE.match(words):
        return ARRAY_LIKE
    begins, names_it = _ARRAY.match(words) is not None, "ndarray" in words
    if begins and names_it if loose else begins or names_it:
        if _STAYS.search(words):
            return v.FOREIGN
        return v.one(v.Array(_dtype(words), _shape(words)))
    return None


def _container(kind: str, items: str, loose: bool) -> v.Fact | None:
    inner = _part(items, loose)
    return None if inner is None or not v.only(inner, "array") else v.one(v.Sequence(kind, None, inner))


def _dtype(words: str) -> v.Names:
    exact = frozenset(_DTYPE.findall(words))
    if exact:
        return exact
    found = [notation.dtypes_of_name(name) or frozenset() for pattern, name in _FAMILIES if pattern.search(words)]
    return frozenset().union(*found) or None


def _shape(words: str) -> v.Ranks:
    """The ranks that shapes and dimensions in the words leave open; None for any."""
    ranks: set[int] = set()
    for match in _SHAPE.finditer(words):
        parts = [part.strip() for part in match[1].split(",") if part.strip()]
        if any("..." in part or part == "*" for part in parts):
            return None
        if parts and all(_SIZE.fullmatch(part) and part not in _NO_SIZES for part in parts):
            ranks.add(len(parts))
    if not ranks:
        ranks = {len(re.split("[x×]", match[0])) for match in _BY.finditer(words)}
    if not ranks:
        ranks = {int(m[1]) if m[1] else _NUMBERS[m[2].lower()] for m in _DIMENSIONS.finditer(words)}
    return frozenset(ranks) or None
