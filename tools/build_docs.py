"""The pages of the documentation that say what the program does, made from the program when mkdocs builds the site.

A mkdocs hook (`hooks:` in mkdocs.yml); nothing is written into the repository. Coverage comes from the rules and from
converting each public name of NumPy, pages of codes from `rules/codes.py` and from converting its examples.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))

from np2torch.facts import values as v  # noqa: E402
from np2torch.facts.arguments import Argument, Arguments, bind  # noqa: E402
from np2torch.names import resolve  # noqa: E402
from np2torch.report.pages import cell, code_page, code_tables, convert  # noqa: E402
from np2torch.rules import syntax as syntax  # noqa: E402
from np2torch.rules.codes import CODES, SERIES  # noqa: E402
from np2torch.rules.core import FUNCTIONS, METHODS, Rule, run_body  # noqa: E402
from np2torch.rules.methods import ATTRIBUTES, METHOD_NAMES  # noqa: E402
from np2torch.rules.pieces import PLACEHOLDER, Asked, Decline, Style, Template, Unsupported  # noqa: E402

PAGES = {
    "creation": "Creation", "elementwise": "Elementwise", "reductions": "Reductions", "shape": "Shape",
    "indexing": "Indexing and selection", "sorting": "Sorting and searching", "sets": "Sets",
    "statistics": "Statistics", "histograms": "Histograms", "calculus": "Differences and integrals",
    "linalg": "Linear algebra",
    "fft": "Fourier transforms", "random": "Random numbers", "polynomial": "Polynomials", "testing": "Testing",
    "dtypes": "dtypes and scalar classes", "others": "Constants and others",
    "ndarray": "Methods and attributes of arrays",
}  # fmt: skip
"""The areas: those of the rules, NumPy's submodules, and what is left."""
MEANING = {
    "native": "has a torch spelling, used wherever the arguments are known well enough; the shim is called elsewhere",
    "shim": "is decided at run time by the shim's function of the same name",
    "todo": "stays on NumPy, with a note",
}
MOST_ROWS = 12  # of a submodule that stays on NumPy as a whole; larger ones get one row


class Entry(NamedTuple):
    """One row of a coverage page."""

    name: str
    aliases: tuple[str, ...]
    outcome: str
    spelling: str
    code: str
    refused: tuple[str, ...]
    doc: str


# ------------------------------------------------------------------------------------------- a rule's spelling
ARRAYS = [
    *(v.array(dtype, rank) for dtype in ("float64", "int64") for rank in (2, 1)),
    v.array("bool", 1), v.array("complex128", 1), v.array("float64", 3),
]  # fmt: skip


def candidates(sample: v.Fact) -> Iterator[tuple[str, v.Fact]]:
    """What may be passed for a parameter that is no array: text and fact; no text stands for its name."""
    yield "", v.SIZE
    yield "", v.FLOAT
    yield "[a, b]", v.one(v.Sequence("list", (sample, sample)))
    yield "", v.tuple_of(v.SIZE, v.SIZE)
    yield "", v.one(v.DType(frozenset(["float64"])))
    yield "0.5", v.number(0.5)
    yield "", sample


def spelling(found: Rule, style: Style) -> str:
    """What a rule writes for the arguments it must have, or else all it may have; empty where it declines any."""
    for everything, sample in product((False, True), ARRAYS):
        for text, value in candidates(sample):
            arguments = Arguments()
            for p in found.signature:
                wanted = p.required or p.annotation == "Operand" or everything and p.annotation == "Value"
                if p.variadic or not wanted:
                    continue
                node: ast.expr = ast.Name(p.name, ast.Load())
                fact = value
                if p.annotation in ("ArrayLike", "Operand"):
                    fact = sample
                elif p.annotation == "ShapeLike":
                    fact = v.tuple_of(v.SIZE, v.SIZE)
                elif text:
                    node = ast.parse(text, mode="eval").body
                arguments.keywords[p.name] = Argument(node, fact)
            bound = bind(found.signature, arguments)
            template = Template(Asked(style))
            try:
                emit = run_body(found, bound, template) if bound is not None else None
            except (Decline, Unsupported):
                continue
            if emit is not None:
                given = ", ".join(f"{key}={value}" if key else str(value) for key, value in emit.arguments)
                new = emit.text or f"{emit.function}({given})"
                pieces = [ast.unparse(node) for node in template.nodes]
                return re.sub(PLACEHOLDER + r"(\d+)_", lambda m, pieces=pieces: pieces[int(m[1])], new)
    return ""


# ---------------------------------------------------------------------------------------------------- coverage
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


def shim_homes() -> dict[str, str]:
    """The area of each flat name of the shim: the name of its file."""
    homes = {}
    for path in (ROOT / "src" / "np2torch" / "shim").glob("[a-z]*.py"):
        if path.stem in PAGES:
            for node in ast.parse(path.read_text("utf-8")).body:
                if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
                    homes.update(dict.fromkeys(ast.literal_eval(node.value), path.stem))
    return homes


def area(name: str, homes: dict[str, str]) -> str:
    """The page of a name: its submodule's, its rule's, that of the shim's file it is in."""
    short = name.removeprefix("numpy.")
    if "." in short:
        return short.split(".")[0] if short.split(".")[0] in PAGES else "others"
    if name in FUNCTIONS and FUNCTIONS[name].area in PAGES:
        return FUNCTIONS[name].area
    return "dtypes" if short in resolve.SCALAR_CLASSES | resolve.ABSTRACT_CLASSES else homes.get(short, "others")


def functions() -> dict[str, list[Entry]]:
    """The rows of NumPy's public names, by area."""
    spelled: dict[str, set[str]] = defaultdict(set)
    for name, kind in resolve.public().items():
        if kind != "module":
            spelled[resolve.canonical(name)].add(name)
    decided = bare([name for names in spelled.values() for name in sorted(names)], "{}")
    homes = shim_homes()
    rows: dict[str, list[Entry]] = defaultdict(list)
    for canonical, names in spelled.items():
        shown = canonical if canonical in names else min(names)
        rule = FUNCTIONS.get(canonical)
        text = spelling(rule, "function") if rule is not None and rule.body is not None else ""
        outcome, found, code = ("native", text, "") if text else decided.get(shown, ("todo", "", ""))
        refused = tuple(p.name for p in rule.signature if p.annotation == "Refused") if rule and text else ()
        rows[area(canonical, homes)].append(
            Entry(
                shown.removeprefix("numpy."), tuple(sorted(n.removeprefix("numpy.") for n in names - {shown})), outcome,
                found, rule.code if rule and text else code, refused, rule.doc if rule else "",
            )
        )  # fmt: skip
    return {page: folded(sorted(entries)) for page, entries in rows.items()}


def folded(entries: list[Entry]) -> list[Entry]:
    """Submodules that stay on NumPy as a whole, in one row each."""
    groups: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        groups[entry.name.rpartition(".")[0]].append(entry)
    out = []
    for prefix, group in groups.items():
        if prefix and len(group) > MOST_ROWS and {e.outcome for e in group} == {"todo"}:
            out.append(Entry(f"{prefix}.*", (), "todo", "", group[0].code, (), f"{len(group)} names"))
        else:
            out += group
    return sorted(out)


ARGUMENTS = {"reshape": "(3, 2)", "transpose": "(1, 0)"}
"""Methods decided where their arguments are seen: a call of each."""
LEFT = {"data": "Left as it stands: a memoryview in NumPy, a tensor in torch."}
"""Attributes that nothing decides, though they differ."""


def members() -> list[Entry]:
    """The rows of the methods and attributes of arrays."""
    setup = "import numpy\nx = numpy.zeros((2, 3))\n"
    data = bare(sorted(ATTRIBUTES - {"device"}), "x.{}", setup)
    calls = bare([f"{name}{ARGUMENTS.get(name, '()')}" for name in sorted(METHOD_NAMES)], "x.{}", setup)
    by_name = {name.partition("(")[0]: decided for name, decided in calls.items()}
    out = []
    for name in sorted(ATTRIBUTES - {"device"}):
        outcome, text, code = data.get(name, ("native", f"x.{name}", ""))
        out.append(Entry(f".{name}", (), outcome, text, code, (), "" if name in data else LEFT.get(name, "Equal.")))
    for name in sorted(METHOD_NAMES):
        rule = METHODS.get(name)
        text = spelling(rule, "method") if rule is not None and rule.body is not None else ""
        outcome, found, code = by_name.get(name, ("native", f"x.{name}()", ""))
        refused = tuple(p.name for p in rule.signature if p.annotation == "Refused") if rule and text else ()
        if rule is not None and text:
            outcome, found, code = "native", text, rule.code
        out.append(Entry(f".{name}()", (), outcome, found, code, refused, rule.doc if rule else ""))
    return out


# ------------------------------------------------------------------------------------------------------- pages
def counts(entries: Sequence[Entry]) -> Counter[str]:
    """Names per outcome; a folded row counts as all of its names."""
    total: Counter[str] = Counter()
    for entry in entries:
        total[entry.outcome] += int(entry.doc.split()[0]) if entry.name.endswith("*") else 1
    return total


def row(entry: Entry) -> str:
    """One row of a coverage page."""
    also = f" (also {', '.join(f'`{a}`' for a in entry.aliases)})" if entry.aliases else ""
    left = f" To the shim with {', '.join(f'`{name}=`' for name in entry.refused)}." if entry.refused else ""
    spelled = f"`{cell(entry.spelling)}`" if entry.spelling else ""
    code = f"[{entry.code}](../codes/{entry.code}.md)" if entry.code else ""
    return f"| `{entry.name}`{also} | {entry.outcome} | {spelled} | {code} | {cell(entry.doc)}{left} |\n"


def coverage_pages() -> dict[str, str]:
    """The pages of coverage by path."""
    rows = {**functions(), "ndarray": members()}
    pages = {}
    table = "".join(
        f"| [{title}]({page}.md) | " + " | ".join(str(counts(rows[page])[o]) for o in MEANING) + " |\n"
        for page, title in PAGES.items()
    )
    total = sum((counts(entries) for entries in rows.values()), Counter())
    pages["api/index.md"] = (
        "# API coverage\n\nEvery public name of NumPy, old ones that are gone today included, and what becomes of it. "
        "The pages are made from the rules when this site is built.\n\n"
        + "".join(f"* **{outcome}** {meaning}.\n" for outcome, meaning in MEANING.items())
        + f"\n| area | {' | '.join(MEANING)} |\n|---|{'---:|' * len(MEANING)}\n{table}"
        + f"| all | {' | '.join(str(total[o]) for o in MEANING)} |\n"
    )
    for page, title in PAGES.items():
        found = counts(rows[page])
        summary = ", ".join(f"{found[outcome]} {outcome}" for outcome in MEANING)
        head = "| NumPy | outcome | torch, for the required arguments | code | to know |\n|---|---|---|---|---|\n"
        pages[f"api/{page}.md"] = f"# {title}\n\n{summary}.\n\n{head}{''.join(map(row, rows[page]))}"
    return pages


# ----------------------------------------------------------------------------------------------- mkdocs' hooks
def on_config(config: Any) -> Any:
    """Put the generated pages into the navigation, after the pages that speak of them."""
    series = {f"{s}xx": [f"codes/{c}.md" for c in CODES if c.startswith(s)] for s in SERIES}
    codes = [{title: pages} for title, pages in series.items() if pages]
    sections = {"codes.md": codes, "api/index.md": [{title: f"api/{page}.md"} for page, title in PAGES.items()]}
    for item in config["nav"]:
        for title, path in item.items():
            if path in sections:
                item[title] = [path, *sections[path]]
    return config


def on_files(files: Any, config: Any) -> Any:
    """Add the generated pages."""
    from mkdocs.structure.files import File

    pages = coverage_pages() | {f"codes/{code}.md": code_page(code, meaning) for code, meaning in CODES.items()}
    for path, text in pages.items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Fill in the tables of codes."""
    return markdown.replace("<!-- codes -->", code_tables())
