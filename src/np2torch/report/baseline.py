"""A baseline: the findings that a check allows, so that only new ones fail while a migration goes on.

Its file is JSON, one entry a line, so that two people who both shrink it have few conflicts. An entry has no line
number: it holds a code, the function around, the text, and how often that occurs.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from np2torch import __version__
from np2torch.report.notices import Key, Notice, key_of, name_in
from np2torch.source.write import replace_atomically

VERSION = 1
Entries = Mapping[str, Counter[Key]]
"""How often findings occur, by the path of their file from the baseline's folder and their key."""


class BaselineError(ValueError):
    """A file that is no baseline; the message is one line."""


def load(path: Path) -> Entries:
    """Read a baseline.

    Raises
    ------
    BaselineError
        Where the file cannot be read, or is none.
    """
    try:
        document = json.loads(path.read_text("utf-8"))
        if document["version"] != VERSION:
            raise BaselineError(f"{path}: not a baseline of version {VERSION}")
        return {str(name): Counter(dict(map(_entry, entries))) for name, entries in document["files"].items()}
    except OSError as error:
        raise BaselineError(f"{path}: {error.strerror}; --update-baseline makes one") from None
    except BaselineError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise BaselineError(f"{path}: not a baseline; `np2torch check --update-baseline` writes them") from None


def _entry(entry: Any) -> tuple[Key, int]:
    key, count = Key(entry["code"], entry["function"], entry["source"]), entry["count"]
    if not all(isinstance(part, str) for part in key) or not isinstance(count, int) or count < 1:
        raise TypeError("no entry")
    return key, count


def save(path: Path, entries: Entries) -> None:
    """Write a baseline, all of it or nothing."""
    files = []
    for name, counts in sorted(entries.items()):
        rows = [json.dumps({**key._asdict(), "count": n}, ensure_ascii=False) for key, n in sorted(counts.items()) if n]
        if rows:
            files.append(f"  {json.dumps(name, ensure_ascii=False)}: [\n   " + ",\n   ".join(rows) + "\n  ]")
    body = "{\n" + ",\n".join(files) + "\n }" if files else "{}"
    text = f'{{\n "version": {VERSION},\n "np2torch": "{__version__}",\n "files": {body}\n}}\n'
    replace_atomically(Path(os.path.realpath(path)), text.encode(), 0o644)


def present(found: Iterable[Notice], folder: Path) -> Entries:
    """Count the findings of a run as a baseline does."""
    counts: dict[str, Counter[Key]] = {}
    for notice in found:
        if notice.site is not None:
            counts.setdefault(name_in(notice.path, folder), Counter())[key_of(notice.site)] += 1
    return counts


def judge_findings(found: Iterable[Notice], entries: Entries, folder: Path, migrated: Iterable[str]) -> list[Notice]:
    """Tell the findings that a baseline allows from new ones; the first occurrences are those that are allowed.

    Parameters
    ----------
    migrated
        The files in which nothing is allowed.
    """
    left = {name: counts.copy() for name, counts in entries.items()}
    strict = set(migrated)
    out = []
    for notice in found:
        if notice.site is not None and notice.path in strict:
            notice = notice._replace(status="migrated")
        elif notice.site is not None:
            counts, key = left.get(name_in(notice.path, folder), Counter()), key_of(notice.site)
            if counts[key] > 0:
                counts[key] -= 1
                notice = notice._replace(status="allowed")
        out.append(notice)
    return out


def update_baseline(entries: Entries, now: Entries, looked_at: Iterable[str], folder: Path, grow: bool) -> Entries:
    """Give the baseline after a run: less where findings have gone, more only where that is wanted.

    Files that the run did not look at keep their entries, unless they are gone.

    Parameters
    ----------
    looked_at
        The files of the run, as they are named in a baseline.
    grow
        Take new findings in as well.
    """
    seen = set(looked_at)
    kept = {name: counts for name, counts in entries.items() if name not in seen and (folder / name).exists()}
    for name in seen:
        counts = now.get(name, Counter())
        kept[name] = counts if grow else counts & entries.get(name, Counter())
    return {name: counts for name, counts in kept.items() if counts}


def size(entries: Entries) -> int:
    """Count the findings in a baseline."""
    return sum(counts.total() for counts in entries.values())
