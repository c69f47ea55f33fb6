"""The coverage of NumPy's API as text: pages of the documentation, and what `np2torch apis` prints."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

from np2torch.report.coverage import AREAS, MEANING, Entry, counts, coverage
from np2torch.report.pages import cell

FORMAT_VERSION = 1
COLUMNS = ("names", *MEANING, "torch._numpy")
MOST_ROWS = 12
"""Rows of a submodule that stays on NumPy as a whole; a larger one gets one row."""
TABLE_HEAD = "| NumPy | outcome | torch, for the required arguments | code | to know |\n|---|---|---|---|---|\n"


# ------------------------------------------------------------------------------------------------------- pages
def coverage_pages() -> dict[str, str]:
    """The pages of coverage by path."""
    pages = {
        "api/index.md": "# API coverage\n\nEvery public name of NumPy, the members of its classes and the spellings of "
        "its dtypes, old ones that are gone today included, and what becomes of it. The pages are made from the rules "
        "when this site is built; `np2torch apis NAME` prints a row of them.\n\n"
        + "".join(f"* **{outcome}** {meaning}.\n" for outcome, meaning in MEANING.items())
        + "\nThe last column counts the names that `torch._numpy`, torch's own NumPy, has at all.\n\n"
        + counts_table(lambda area, title: f"[{title}]({area}.md)")
    }
    for area, title in AREAS.items():
        entries = coverage()[area]
        found = counts(entries)
        summary = ", ".join(f"{found[outcome]} {outcome}" for outcome in MEANING if found[outcome])
        rows = "".join(map(row, fold_submodules(entries)))
        pages[f"api/{area}.md"] = f"# {title}\n\n{summary}.\n\n{TABLE_HEAD}{rows}"
    return pages


def row(entry: Entry) -> str:
    """One row of a coverage page."""
    also = f" (also {', '.join(f'`{a}`' for a in entry.aliases)})" if entry.aliases else ""
    left = f" To the shim with {', '.join(f'`{name}=`' for name in entry.refused)}." if entry.refused else ""
    spelled = f"`{cell(entry.spelling)}`" if entry.spelling else ""
    code = f"[{entry.code}](../codes/{entry.code}.md)" if entry.code else ""
    return f"| `{entry.name}`{also} | {entry.outcome} | {spelled} | {code} | {cell(entry.doc)}{left} |\n"


def fold_submodules(entries: Sequence[Entry]) -> list[Entry]:
    """Submodules that stay on NumPy as a whole, in one row each."""
    groups: dict[tuple[str, str], list[Entry]] = defaultdict(list)
    for entry in entries:
        groups[entry.name.rpartition(".")[0], entry.doc if entry.outcome == "todo" else ""].append(entry)
    out: list[Entry] = []
    for (prefix, doc), group in groups.items():
        if prefix and doc and len(group) > MOST_ROWS:
            out.append(group[0]._replace(name=f"{prefix}.*", aliases=(), doc=f"{len(group)} names. {doc}"))
        else:
            out += group
    return sorted(out)


# ------------------------------------------------------------------------------------------------------ tables
def counts_rows() -> Iterator[tuple[str, str, Counter[str]]]:
    """List area, title and counts, and the sum of all at the end."""
    total: Counter[str] = Counter()
    for area, title in AREAS.items():
        found = counts(coverage()[area])
        total += found
        yield area, title, found
    yield "", "all", total


def counts_table(shown: Callable[[str, str], str] = lambda area, title: title) -> str:
    """Names per outcome and area, beside those that `torch._numpy` has, as a Markdown table."""
    head = f"| area | {' | '.join(COLUMNS)} |\n|---|{'---:|' * len(COLUMNS)}\n"
    lines = []
    for area, title, found in counts_rows():
        name = shown(area, title) if area else title
        lines.append(f"| {name} | {' | '.join(str(found[column]) for column in COLUMNS)} |\n")
    return head + "".join(lines)


def text_lines(names: Sequence[str]) -> Iterator[str]:
    """Give what `np2torch apis` prints: the counts, or what becomes of the names asked for."""
    if not names:
        width = max(map(len, AREAS.values()))
        yield f"{'area':{width}}  " + "  ".join(f"{column:>{max(len(column), 6)}}" for column in COLUMNS)
        for _, title, found in counts_rows():
            yield f"{title:{width}}  " + "  ".join(f"{found[c]:>{max(len(c), 6)}}" for c in COLUMNS)
        return
    for entry in asked_for(names):
        yield f"{entry.name}: {entry.outcome}{f' ({entry.code})' if entry.code else ''}"
        if entry.aliases:
            yield f"  also   {', '.join(entry.aliases)}"
        if entry.spelling:
            yield f"  torch  {entry.spelling}"
        if entry.refused:
            yield f"  shim   with {', '.join(f'{name}=' for name in entry.refused)}"
        if entry.doc:
            yield f"  note   {' '.join(entry.doc.split())}"


def asked_for(names: Sequence[str]) -> list[Entry]:
    """Find the entries of names (`np.linalg.norm`, `ndarray.sum`) and areas; else of last parts and submodules.

    An area may be named by its title in the counts.
    """
    found: dict[Entry, None] = {}
    every = [(area, entry) for area, entries in coverage().items() for entry in entries]
    for short in map(short_name, names):
        area_of = {title.lower(): area for area, title in AREAS.items()}.get(short.lower(), short)
        exact = [entry for area, entry in every if area == area_of or short in entry.names]
        within = [e for _, e in every if any(short in (n.rpartition(".")[0], n.rpartition(".")[2]) for n in e.names)]
        found.update(dict.fromkeys(exact or within))
    return list(found)


def known_names() -> list[str]:
    """All that `asked_for` finds by its whole name."""
    return [*AREAS, *(name for entries in coverage().values() for entry in entries for name in entry.names)]


def short_name(name: str) -> str:
    """A name without what people put before it: `np.`, `numpy.`, a dot."""
    return name.removeprefix("numpy.").removeprefix("np.").removeprefix(".").removesuffix("()")


def markdown(names: Sequence[str]) -> str:
    """Format the counts, or the rows of the names asked for, as Markdown."""
    return TABLE_HEAD + "".join(map(row, asked_for(names))) if names else counts_table()


def as_json(names: Sequence[str]) -> str:
    """Counts and entries as a JSON document."""
    areas = {area: {column: found[column] for column in COLUMNS} for area, _, found in counts_rows()}
    entries: Iterable[Entry] = asked_for(names) if names else (e for found in coverage().values() for e in found)
    document = {
        "version": FORMAT_VERSION,
        "all": areas.pop(""),
        "areas": areas,
        "entries": [entry._asdict() for entry in entries],
    }
    return json.dumps(document, indent=2, ensure_ascii=False)
