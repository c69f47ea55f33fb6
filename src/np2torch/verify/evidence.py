"""The evidence as a page for a pull request, as JSON, and as JUnit's XML."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple
from xml.etree import ElementTree

from np2torch.verify.check import Result
from np2torch.verify.judge import Distance
from np2torch.verify.rows import Row

SIGNS = {"equal": "equal", "different": "**differs**", "not exercised": "not exercised"}
MOST_WORDS = 120


class Entry(NamedTuple):
    """One line of evidence: of calls, or of a program, its tests or its listed inputs."""

    module: str
    path: str
    row: Row
    result: Result | None = None
    script: str = ""

    @property
    def verdict(self) -> str:
        """The verdict in a word."""
        if self.result is not None:
            return self.result.verdict
        return "equal" if self.row.difference is None else "different" if self.row.exercised else "not exercised"


def entry(module: str, path: str, result: Result, script: str = "") -> Entry:
    """The entry of a function."""
    first = next(iter(result.failures), None)
    equal = result.verdict == "equal"
    row = Row(
        result.name, inputs_by_kind(result.counts), first.old if first else "", first.new if first else "",
        None if equal else result.why if result.verdict == "different" else f"nothing compared: {result.why}",
        exercised=result.verdict != "not exercised",
    )  # fmt: skip
    return Entry(module, path, row, result, script)


def inputs_by_kind(counts: Counter[str]) -> str:
    """`generated 240 (12 both raise), replayed 3`."""
    plain = [name for name in counts if ":" not in name]
    plain += [name.partition(":")[0] for name in counts if ":" in name]
    parts = []
    for origin in dict.fromkeys(plain):
        others = [(name.partition(": ")[2], count) for name, count in counts.items() if name.startswith(f"{origin}:")]
        said = ", ".join(f"{count} {what}" for what, count in others)
        parts.append(f"{origin} {counts[origin]}" + (f" ({said})" if said else ""))
    return ", ".join(parts)


def summary(entries: Sequence[Entry]) -> str:
    """One line that says how much was compared, and what came of it."""
    counts = Counter(one.verdict for one in entries)
    total = sum(counts.values())
    exercised = counts["equal"] + counts["different"]
    share = f" ({100 * exercised / total:.0f} %)" if total else ""
    return (
        f"{exercised} of {total}{share} exercised: {counts['equal']} equal, {counts['different']} different; "
        f"{counts['not exercised']} not exercised."
    )


def markdown(entries: Sequence[Entry], old: str, new: str) -> str:
    """A page for the pull request."""
    lines = [f"## np2torch verify: `{old}` against `{new}`", "", summary(entries), ""]
    shown = [one for one in entries if one.verdict != "not exercised"]
    if shown:
        lines += _table(shown)
    if different := [one for one in entries if one.verdict == "different"]:
        lines += ["", "### Differences", ""]
        lines += [line for one in different for line in _difference(one)]
    if missing := [one for one in entries if one.verdict == "not exercised"]:
        lines += ["", f"<details><summary>Not exercised: {len(missing)}</summary>", ""]
        lines += [
            f"* `{_name(one)}`: {_cell(str(one.row.difference).removeprefix('nothing compared: '))}" for one in missing
        ]
        lines += ["", "</details>"]
    lines += _rested_on([one.result for one in entries if one.result is not None])
    return "\n".join(lines) + "\n"


def _rested_on(results: Sequence[Result]) -> Iterator[str]:
    """Documented differences, and the budgets that floats agree within."""
    if known := sorted({text for one in results for text in one.known}):
        yield from ("", f"Differences that are documented and not counted: {'; '.join(known)}.")
    if budgets := sorted({budget for one in results for budget in one.budgets}):
        yield from ("", f"Floats agree within these budgets: {', '.join(budgets)}.")


def _table(shown: Sequence[Entry]) -> list[str]:
    """The table of what was exercised, with a column for each probe."""
    asked = list(dict.fromkeys(kind for one in shown if one.result is not None for kind in one.result.probes))
    heads = ["function", "inputs", "largest ulp", "relative", "verdict", *asked, "rests on", "time old → new"]
    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    return lines + [_line(one, asked) for one in shown]


def _line(one: Entry, asked: Sequence[str]) -> str:
    result = one.result
    distance = result.distance if result is not None else Distance()
    rests = ", ".join(f"`{code}`" for code in result.rests_on[:6]) if result is not None else ""
    more = f" and {len(result.rests_on) - 6} more" if result is not None and len(result.rests_on) > 6 else ""
    verdict = SIGNS[one.verdict] + (f": {_cell(one.row.difference)}" if one.row.difference else "")
    said = [_said(result, kind) for kind in asked]
    cells = (
        f"`{_name(one)}`", _cell(one.row.inputs), f"{distance.ulp:.3g}", f"{distance.relative:.1e}",
        verdict, *said, rests + more, _times(result),
    )  # fmt: skip
    return f"| {' | '.join(cells)} |"


def _said(result: Result | None, kind: str) -> str:
    """The answer of a probe for a function, as a cell."""
    said = result.probes.get(kind) if result is not None else None
    return "" if said is None else _cell(f"{said.word}: {said.why}".rstrip(": "))


def _times(result: Result | None) -> str:
    if result is None or not result.old_seconds or not result.new_seconds:
        return ""
    return f"{1000 * result.old_seconds:.3g} → {1000 * result.new_seconds:.3g} ms"


def _difference(one: Entry) -> Iterator[str]:
    yield f"* `{_name(one)}`: {_cell(str(one.row.difference))}"
    for failure in one.result.failures[:1] if one.result is not None else ():
        yield f"  * old: {_cell(failure.old)}; new: {_cell(failure.new)}"
        if failure.call.note:
            yield f"  * inputs: {_cell(failure.call.note)}"
    if one.script:
        yield f"  * run `python {one.script}`"


def _name(one: Entry) -> str:
    return f"{one.module}.{one.row.name}" if one.module else one.row.name


def _cell(text: str) -> str:
    plain = " ".join(text.split()).replace("|", "\\|")
    return plain if len(plain) <= MOST_WORDS else plain[: MOST_WORDS - 1] + "…"


def as_json(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """Everything, one object for each entry."""
    return [_object(one) for one in entries]


def _object(one: Entry) -> dict[str, Any]:
    found: dict[str, Any] = {**one.row._asdict(), "verdict": one.verdict}
    if one.result is None:
        return found
    result = one.result
    return found | {
        "module": one.module, "path": one.path, "line": result.line, "counts": dict(result.counts),
        "ulp": result.distance.ulp, "relative": result.distance.relative, "budgets": list(result.budgets),
        "rests_on": list(result.rests_on), "old_seconds": result.old_seconds, "new_seconds": result.new_seconds,
        "known": list(result.known), "script": one.script,
        "probes": {kind: list(said) for kind, said in result.probes.items()},
        "failures": [
            {"text": each.verdict.text, "old": each.old, "new": each.new, "note": each.call.note}
            for each in result.failures
        ],
    }  # fmt: skip


def junit(entries: Sequence[Entry]) -> str:
    """The XML that CI systems read: a test for each entry."""
    counts = Counter(one.verdict for one in entries)
    suite = ElementTree.Element("testsuite", {
        "name": "np2torch verify", "tests": str(len(entries)), "failures": str(counts["different"]),
        "skipped": str(counts["not exercised"]), "errors": "0",
    })  # fmt: skip
    for one in entries:
        case = ElementTree.SubElement(suite, "testcase", {"classname": one.module or one.path, "name": one.row.name})
        if one.verdict == "different":
            ElementTree.SubElement(case, "failure", {"message": _plain(str(one.row.difference))})
        elif one.verdict == "not exercised":
            ElementTree.SubElement(case, "skipped", {"message": _plain(str(one.row.difference))})
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(suite, encoding="unicode") + "\n"


def _plain(text: str) -> str:
    """Text without what XML cannot hold."""
    return "".join(letter for letter in text if letter in "\t\n\r" or " " <= letter < "\ud800" or letter > "\udfff")
