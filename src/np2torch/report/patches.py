"""Patches: a conversion cut into pieces that people can review one after the other.

What is mechanical stands apart from what takes judgement: calls of the shim, guards, TODOs. Each piece applies with
`git apply`, and after each in their order all modules can be imported.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from np2torch import __version__
from np2torch.names.import_time import needs, units
from np2torch.report.diff import unified_diff
from np2torch.report.tally import Finding, guard_line
from np2torch.report.verification import Entry, of_files, table
from np2torch.rewrite.guards.standing import STANDING
from np2torch.source.model import OUTCOMES, Converted, Guard, SourceFile
from np2torch.source.paths import common_folder, display_path
from np2torch.source.read import encode

KINDS = ("dir", "module", "outcome")
"""The ways to split patches."""
JUDGED = ("todo", "guards", "shim")
"""The outcomes that need a person's judgement, the hardest first."""
WORST_FIRST = (*JUDGED, "boundary", "cast", "native")
SERIES = "series"
"""The file that lists the patches in order, as quilt reads it."""
Key = tuple[bool, str]
_UNSAFE = re.compile(r"[^A-Za-z0-9]+")


class Change(NamedTuple):
    """A file, its conversion, and the diff in the bytes of the file."""

    file: SourceFile
    converted: Converted
    diff: bytes

    @property
    def lines(self) -> int:
        """Count the lines that a patch adds and removes."""
        return sum(line[:1] in (b"+", b"-") and line[:4] not in (b"--- ", b"+++ ") for line in self.diff.splitlines())

    @property
    def new_guards(self) -> list[Guard]:
        """The guards that stand in the new text alone."""
        return [guard for guard in self.converted.guards if guard.reason != STANDING]

    @property
    def kinds(self) -> Counter[str]:
        """The sites by outcome, and the guards that it adds."""
        found: Counter[str] = Counter(site.outcome for site in self.converted.sites)
        found["guards"] = len(self.new_guards)
        return found


class Patch(NamedTuple):
    """A patch: its place in the order is that in the list; `title` says what it holds."""

    title: str
    changes: Sequence[Change]


def changes(results: Sequence[tuple[SourceFile, Converted]], folder: Path) -> dict[Path, Change]:
    """Give the changes of a conversion, with paths from the folder in which they will be applied."""
    found = {}
    for file, converted in results:
        if converted.is_changed:
            found[file.path] = Change(file, converted, git_diff(file, converted, folder))
    return found


def split(files: Sequence[SourceFile], changed: Mapping[Path, Change], by: str, most_lines: int) -> list[Patch]:
    """Cut a conversion into patches, mechanical ones apart from those with judgement; what is imported comes first.

    So no file that is converted calls one that is not, as far as the project's modules do not import one another.

    Parameters
    ----------
    files
        All files of the project.
    by
        One of `KINDS`.
    most_lines
        The most lines that a patch adds and removes, unless what has to change together has more.
    """
    several = units(files, {path: change.converted.after for path, change in changed.items()})
    ordered = _in_order(several, needs(files, changed), lambda unit: _key(unit, changed, by))
    return [
        Patch(f"{name}, {'with judgement' if is_judged else 'mechanical'}", packed)
        for (is_judged, name), members in ordered
        for packed in _packed([[changed[path] for path in unit] for unit in members], most_lines)
    ]


def _key(unit: Sequence[Path], changed: Mapping[Path, Change], by: str) -> tuple[bool, str]:
    """Tell what goes into one patch: whether it takes judgement, and the group that it is split by."""
    members = [changed[path] for path in unit]
    worst = _worst(members)
    return worst in JUDGED, _group(members, by, worst)


def _in_order(
    several: Sequence[Sequence[Path]], imports: Mapping[Path, set[Path]], key: Callable[[Sequence[Path]], Key]
) -> Iterator[tuple[Key, list[Sequence[Path]]]]:
    """Order units so that each comes after those that it imports, with few changes from one key to another.

    Of a circle the one that comes first in the given order goes first.
    """
    place = {path: at for at, unit in enumerate(several) for path in unit}
    waits = [{place[one] for path in unit for one in imports[path] if place.get(one, at) < at}
             for at, unit in enumerate(several)]  # fmt: skip
    keys, left = [key(unit) for unit in several], set(range(len(several)))
    while left:
        ready = [at for at in sorted(left) if not waits[at] & left]
        chosen = min((keys[at] for at in ready), key=lambda one: (one[0], [keys[at] for at in ready].index(one)))
        taken: list[Sequence[Path]] = []
        while ready := [at for at in sorted(left) if keys[at] == chosen and not waits[at] & left]:
            taken += (several[at] for at in ready)
            left -= set(ready)
        yield chosen, taken


def _worst(members: Sequence[Change]) -> str:
    kinds = sum((one.kinds for one in members), Counter[str]())
    return next((kind for kind in WORST_FIRST if kinds[kind]), WORST_FIRST[-1])


def _group(members: Sequence[Change], by: str, worst: str) -> str:
    if by == "outcome":
        return worst
    paths = [one.file.path for one in members]
    if by == "module" and len(paths) == 1:
        return display_path(paths[0])
    return display_path(common_folder(paths))


def _packed(several: Sequence[Sequence[Change]], most: int) -> Iterator[list[Change]]:
    """Fill patches up, without tearing apart what has to change together."""
    packed: list[Change] = []
    for members in several:
        if packed and sum(one.lines for one in (*packed, *members)) > most:
            yield packed
            packed = []
        packed = [*packed, *members]
    if packed:
        yield packed


# --------------------------------------------------------------------------------------------------------- text
def file_name(number: int, patch: Patch) -> str:
    """Give the name of a patch's file."""
    return f"{number:04}-{_UNSAFE.sub('-', patch.title).strip('-').lower()[:60]}.patch"


def text(patch: Patch, number: int, total: int, command: str, entries: Sequence[Entry] = ()) -> bytes:
    """Give the whole patch: what it is, the exceptions first, then the diff.

    Parameters
    ----------
    entries
        What verification said of the project's functions; those of the files in the patch are listed.
    """
    kinds = sum((one.kinds for one in patch.changes), Counter[str]())
    lines = sum(one.lines for one in patch.changes)
    head = [f"Subject: [PATCH {number}/{total}] np2torch: {patch.title}", ""]
    head += [f"{len(patch.changes)} files, {lines} lines changed, by np2torch {__version__}:", f"  {command}", ""]
    if exceptions := _exceptions(patch):
        head += ["Read first:", *(f"  {line}" for line in exceptions), ""]
    counted = "  ".join(f"{name} {kinds[name]}" for name in (*OUTCOMES, "guards"))
    head += [f"Uses of NumPy: {counted}", ""]
    chosen = of_files(entries, [one.file.path for one in patch.changes])
    head += [*(table(chosen) if chosen else ()), *([""] if chosen else ()), ""]
    return "\n".join(head).encode("utf-8", "replace") + b"".join(one.diff for one in patch.changes)


def _exceptions(patch: Patch) -> list[str]:
    """Give what a reviewer should look at: TODOs, guards, calls of the shim."""
    said: dict[str, list[str]] = {kind: [] for kind in JUDGED}
    for change in patch.changes:
        path = display_path(change.file.path)
        for site in change.converted.sites:
            if site.outcome in said:
                said[site.outcome].append(str(Finding(path, site)))
        said["guards"] += list(map(guard_line, change.new_guards))
    return [" ".join(f"{kind}: {line}".split()) for kind in JUDGED for line in said[kind]]


def git_diff(file: SourceFile, converted: Converted, folder: Path) -> bytes:
    """Give a diff as `git apply` takes it, in the bytes of the file; their encoding makes no difference then."""
    before, after = (encode(text, file).decode("latin-1") for text in (converted.before, converted.after))
    parent, base = os.path.split(os.path.abspath(file.path))
    name = Path(os.path.relpath(os.path.join(os.path.realpath(parent), base), os.path.realpath(folder))).as_posix()
    old, new = (_quoted(f"{side}/{name}") for side in "ab")
    end = "\t" if " " in name else ""
    body = unified_diff(before, after, "x").split("\n", 2)[2]
    head = f"diff --git {old} {new}\n--- {old}{end}\n+++ {new}{end}\n"
    return head.encode("utf-8", "surrogateescape") + body.encode("latin-1")


def _quoted(name: str) -> str:
    """Write a name as git does: in quotes where it has quotes, backslashes or what cannot be printed."""
    if name.isprintable() and not set('"\\') & set(name):
        return name
    bytes_ = name.encode("utf-8", "surrogateescape")
    return '"' + "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\{b:03o}" for b in bytes_) + '"'


def write(
    folder: Path, patches: Sequence[Patch], command: str, put: Callable[[Path, bytes], None],
    entries: Sequence[Entry] = (),
) -> list[str]:  # fmt: skip
    """Write patches into a folder, in place of those of an earlier run, and give the names of their files."""
    old = folder / SERIES
    for name in old.read_text("utf-8").split() if old.is_file() else ():
        if name.endswith(".patch") and "/" not in name:
            (folder / name).unlink(missing_ok=True)
    names = [file_name(number, patch) for number, patch in enumerate(patches, 1)]
    for number, (name, patch) in enumerate(zip(names, patches, strict=True), 1):
        put(folder / name, text(patch, number, len(patches), command, entries))
    put(old, "".join(f"{name}\n" for name in names).encode())
    return names
