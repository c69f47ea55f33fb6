"""Every public name of NumPy and what becomes of it, found by asking the rules and by converting each name."""

from __future__ import annotations

import ast
import functools
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from importlib import resources
from typing import Any, NamedTuple

from np2torch.facts.results import tables_name
from np2torch.names import resolve
from np2torch.report.pages import convert
from np2torch.report.spelling import spelling
from np2torch.rewrite.convert import shim_names
from np2torch.rules import syntax as syntax
from np2torch.rules.core import FUNCTIONS, METHODS, Rule
from np2torch.rules.methods import ATTRIBUTES, METHOD_NAMES
from np2torch.rules.unsupported_names import kept_group

AREAS = {
    "creation": "Creation", "elementwise": "Elementwise", "ufunc": "Methods of ufuncs", "reductions": "Reductions",
    "shape": "Shape", "indexing": "Indexing and selection", "sorting": "Sorting and searching", "sets": "Sets",
    "statistics": "Statistics", "histograms": "Histograms", "calculus": "Differences and integrals",
    "linalg": "Linear algebra", "fft": "Fourier transforms", "random": "Random numbers",
    "polynomial": "Polynomials", "testing": "Testing", "dtypes": "dtypes and scalar classes", "io": "Files",
    "ndarray": "Methods and attributes of arrays", "others": "Constants and others", "ma": "Masked arrays",
    "text": "Strings", "records": "Records", "dates": "Dates",
}  # fmt: skip
"""The areas: those of the rules, NumPy's submodules, what stays on NumPy, and what is left."""
PARTS = {"editing": "shape"}
"""Areas of the rules that are part of another here."""
HOMES = {
    "char": "text", "strings": "text", "rec": "records", "emath": "elementwise", "lib.recfunctions": "records",
    "lib.format": "io", "lib.npyio": "io", "lib.stride_tricks": "shape", "exceptions": "others", "finfo": "dtypes",
    "iinfo": "dtypes", "dtype": "dtypes", "poly1d": "polynomial", "generic": "ndarray", "nditer": "indexing",
    "flatiter": "indexing", "broadcast": "shape", "memmap": "io", "recarray": "records", "record": "records",
    "busdaycalendar": "dates", "matrix": "linalg", "matlib": "creation",
}  # fmt: skip
"""Areas of submodules and classes that are not called as they are."""
KINDS = {
    "text": "str_ bytes_ string_ character chararray compare_chararrays flexible",
    "records": "void record recarray recfromcsv recfromtxt",
    "dates": "datetime64 timedelta64 datetime_data datetime_as_string busday_count busday_offset busdaycalendar "
    "is_busday isnat",
    "io": "memmap fromfile fromregex",
}
"""Areas of names at the top that stay."""
MEANING = {
    "native": "has a torch spelling, used wherever the arguments are known well enough; the shim is called elsewhere",
    "cast": "has one too, with a cast or clone spelled out",
    "shim": "is decided at run time by the shim's function of the same name",
    "boundary": "stays NumPy's work, behind a boundary that shares memory",
    "todo": "stays on NumPy, with a note; the reason and what to do instead stand beside it",
}


class Entry(NamedTuple):
    """One thing of NumPy's API under all of its names, and what becomes of it."""

    name: str
    aliases: tuple[str, ...]
    outcome: str
    spelling: str
    code: str
    refused: tuple[str, ...]
    doc: str
    in_torch: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All of its names."""
        return (self.name, *self.aliases)


@functools.cache
def coverage() -> dict[str, tuple[Entry, ...]]:
    """Every area with its entries, in order."""
    rows: dict[str, list[Entry]] = {area: [] for area in AREAS}
    for area, entries in _functions().items():
        rows[area] += entries
    for entry in [*_array_members("ndarray"), *_array_members("generic"), *_class_members(), *_dtype_spellings()]:
        rows[_area(entry.name)].append(entry)
    return {area: tuple(sorted(_told(entry) for entry in entries)) for area, entries in rows.items()}


def counts(entries: Iterable[Entry]) -> Counter[str]:
    """Names per outcome, with `names` for all of them and `torch._numpy` for those it has."""
    total: Counter[str] = Counter()
    for entry in entries:
        total[entry.outcome] += len(entry.names)
        total["names"] += len(entry.names)
        total["torch._numpy"] += len(entry.in_torch)
    return total


def missing() -> list[str]:
    """Names that stay on NumPy without a reason written down."""
    every = (entry for entries in coverage().values() for entry in entries)
    return [entry.name for entry in every if entry.outcome == "todo" and kept_group(entry.name) is None]


def _told(entry: Entry) -> Entry:
    """An entry with the reason why it stays, and with what torch's own NumPy has of it."""
    has = resolve.in_torch_numpy()
    entry = entry._replace(in_torch=tuple(name for name in entry.names if name in has))
    group = kept_group(entry.name) if entry.outcome == "todo" else None
    return entry if group is None else entry._replace(doc=f"{group.reason} Instead: {group.instead}")


# --------------------------------------------------------------------------------------------------- functions
def bare(names: Sequence[str], expression: str, setup: str = "import numpy\n") -> dict[str, tuple[str, str, str]]:
    """Outcome, new text and code of an expression with each of the names in it, as a conversion decides."""
    lines = "".join(f"value_{i} = {expression.format(name)}\n" for i, name in enumerate(names))
    done = convert(setup + lines)
    first = setup.count("\n") + 1
    texts = dict(re.findall(r"^value_(\d+) = (.*)$", done.after, re.MULTILINE))
    sites: dict[int, Any] = {}
    for site in done.sites:
        sites.setdefault(site.line - first, site)
    return {
        name: (sites[i].outcome, "" if sites[i].outcome == "todo" else texts[str(i)], sites[i].code)
        for i, name in enumerate(names) if i in sites
    }  # fmt: skip


@functools.cache
def _shim_homes() -> dict[str, str]:
    """The area of each flat name of the shim: the name of its file."""
    homes = {}
    for path in (resources.files("np2torch") / "shim").iterdir():
        area = path.name.removesuffix(".py")
        if path.name.endswith(".py") and area in AREAS:
            for node in ast.parse(path.read_text("utf-8")).body:
                if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
                    homes.update(dict.fromkeys(ast.literal_eval(node.value), area))
    return homes


def _area(name: str) -> str:
    """The area of a name: its submodule's or class's, its rule's, that of the shim's file it is in."""
    short = name.removeprefix("numpy.")
    for head in (".".join(short.split(".")[:2]), short.split(".")[0]):
        if "." in short and HOMES.get(head, head) in AREAS:
            return HOMES.get(head, head)
    home = _shim_homes().get(short, "")
    area = FUNCTIONS[name].area if home != "io" and name in FUNCTIONS else ""
    if (area := PARTS.get(area, area)) in AREAS:
        return area
    named = next((area for area, names in KINDS.items() if short in names.split()), "")
    if short in resolve.SCALAR_CLASSES | resolve.ABSTRACT_CLASSES:
        return "dtypes"
    return named or home or "others"


def _functions() -> dict[str, list[Entry]]:
    """NumPy's public names, by area."""
    spelled: dict[str, set[str]] = defaultdict(set)
    for name, kind in resolve.public().items():
        if kind != "module":
            spelled[resolve.canonical(name)].add(name)
    decided = bare([name for names in spelled.values() for name in sorted(names)], "{}")
    rows: dict[str, list[Entry]] = defaultdict(list)
    for canonical, names in spelled.items():
        shown = canonical if canonical in names else min(names)
        area = _area(canonical)
        entry = _entry(shown, FUNCTIONS.get(canonical), "function", decided.get(shown, ("todo", "", "NPT304")))
        if area == "io" and entry.outcome == "shim":
            entry = entry._replace(outcome="boundary", doc="Read or written by NumPy itself; the memory is shared.")
        aliases = tuple(sorted(name.removeprefix("numpy.") for name in names - {shown}))
        rows[area].append(entry._replace(name=shown.removeprefix("numpy."), aliases=aliases))
    return rows


def _entry(name: str, rule: Rule | None, style: Any, decided: tuple[str, str, str]) -> Entry:
    """The entry of a name: what its rule spells, else what a conversion decides."""
    text, cast = spelling(rule, style) if rule is not None and rule.body is not None else ("", False)
    outcome, found, code = decided
    if rule is None or not text:
        return Entry(name, (), outcome, found, code, (), rule.doc if rule else "")
    refused = tuple(p.name for p in rule.signature if p.annotation == "Refused")
    return Entry(name, (), "cast" if cast else "native", text, rule.code, refused, rule.doc)


# ----------------------------------------------------------------------------------------------------- members
TORCH_DTYPE = ("itemsize",)
"""Attributes of dtypes that torch has too, with the same meaning."""
ARGUMENTS = {"reshape": "(3, 2)", "transpose": "(1, 0)", "to_device": "('cpu')", "view": "('int64')"}
"""Methods decided where their arguments are seen: a call of each."""
LEFT = {
    "data": "Left as it stands: a memoryview in NumPy, a tensor in torch.",
    "device": "Left as it stands: the text `cpu` in NumPy, a torch.device in torch.",
}
"""Attributes that nothing decides, though they differ."""


def _members(owner: str) -> dict[str, str]:
    """The members of a class, with their kinds, those of older releases that the rules know included."""
    every = resolve.members().items()
    known = {name.removeprefix(f"{owner}."): kind for name, kind in every if name.startswith(f"{owner}.")}
    if owner == "ndarray":
        known = dict.fromkeys(METHOD_NAMES, "method") | dict.fromkeys(ATTRIBUTES, "attribute") | known
    return known


def _array_members(owner: str) -> list[Entry]:
    """Methods and attributes of arrays, or of NumPy's scalars."""
    setup = "import numpy\nx = numpy.zeros((2, 3))" + ("[0, 0]\n" if owner == "generic" else "\n")
    known = _members(owner)
    calls = {name: f"x.{name}{ARGUMENTS.get(name, '()') if kind == 'method' else ''}" for name, kind in known.items()}
    decided = bare(list(calls.values()), "{}", setup)
    listed = shim_names()
    out = []
    for name, call in calls.items():
        found = decided.get(call, ("native", call, ""))
        if found[0] == "shim" and not {f"ndarray.{name}", name} & listed:
            found = ("todo", "", "NPT304")  # decided at run time, where the shim has no such method
        entry = _entry(f"{owner}.{name}", METHODS.get(name), "method", found)
        out.append(entry if call in decided else entry._replace(doc=entry.doc or LEFT.get(name, "Equal.")))
    return out


def _class_members() -> list[Entry]:
    """Members of other classes: those the shim's class has, and those that stay."""
    listed = shim_names()
    dtype = {name: f"x.dtype.{name}" for name in _members("dtype") if not name.startswith("'")}
    decided = bare(list(dtype.values()), "{}", "import numpy\nx = numpy.zeros((2, 3))\n")
    out = []
    for name in resolve.members():
        owner, _, member = name.rpartition(".")
        if owner == "dtype" and not member.startswith("'"):
            found = decided.get(dtype[member], ("native", dtype[member], ""))
            if found[0] == "shim" and name not in listed or member not in TORCH_DTYPE and found[0] == "native":
                found = ("todo", "", "NPT304")
            out.append(Entry(name, (), *found, (), ""))
        elif owner not in ("ndarray", "generic", "dtype"):
            there = name in listed or f"numpy.{name}" in FUNCTIONS
            out.append(Entry(name, (), "shim" if there else "todo", "", "NPT150" if there else "NPT304", (), ""))
    return out


def _dtype_spellings() -> list[Entry]:
    """The strings that spell a dtype, one entry for each dtype of torch's; those it does not have on their own."""
    groups: dict[str, list[str]] = defaultdict(list)
    for name, kind in resolve.members().items():
        if kind == "spelling":
            groups[tables_name(name.removeprefix("dtype.").strip("'")) or name].append(name)
    out = []
    for dtype, names in groups.items():
        known = dtype not in names
        decided = ("native", f"torch.{dtype}", "NPT104") if known else ("todo", "", "NPT301")
        out.append(Entry(names[0], tuple(names[1:]), *decided, (), ""))
    return out
