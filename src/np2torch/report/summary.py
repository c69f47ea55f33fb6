"""The closing words of a run, for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from click import style

from np2torch import __version__
from np2torch.report.tally import Tally, guard_line, problem_line
from np2torch.source.model import Contract, SourceFile
from np2torch.source.notebook import place_in_cell
from np2torch.source.paths import display_path, printable

SHOWN_TODOS = 20
FORMAT_VERSION = 1
ASSUMED = "NPT502"
TRACED = "NPT505"
EXACT_STREAM, TORCHS_NUMBERS = "NPT533", "NPT508"
HAZARDS = {
    "NPT601": "slow: element by element", "NPT602": "slow: tiny tensors in loops",
    "NPT603": "slow: Python numbers in loops", "NPT604": "slow: lists of 0-D tensors",
    "NPT605": "loops as whole-array code", "NPT606": "loops that stay loops",
}  # fmt: skip
"""The hazards that make code slower, listed by kind."""
POLICIES = {
    "NPT507": "float32 by policy", "NPT508": "torch's random numbers by policy", "NPT509": "device by policy",
    "NPT510": "float64 where there is none",
}  # fmt: skip
"""The changes by policies, listed by policy."""
LEFT = {"NPT514": "on NumPy beside tensors"}
"""The code that people leave on NumPy, listed by kind."""
DOUBTED = ("NPT503", "NPT504", "NPT506", "NPT513")
"""The codes of statements that are not accepted; every verb reports them."""
SHOWN_PLACES = 5


def summary_lines(tally: Tally, verb: str = "changed", todos: int = SHOWN_TODOS) -> Iterator[str]:
    """The closing summary, line by line, with terminal colours that `click.echo` drops where there is no terminal.

    Parameters
    ----------
    verb
        What was done to the files: "changed", or "would change".
    todos
        How many TODOs to list at most.
    """
    yield from todo_lines(tally, todos)
    yield from remark_lines(tally)
    yield from guard_lines(tally)
    yield from problem_lines(tally)
    files = f"{_count(tally.changed_count, 'file')} {verb}, {tally.unchanged_count} unchanged"
    yield style(f"np2torch: {files}, {tally.skipped_count} skipped (no NumPy)", bold=True)
    if tally.sites:
        parts = "  ".join(f"{name} {number}" for name, number in tally.counts().items())
        yield f"{_count(tally.sites, 'site')}: {parts}"
        headline = f"native+cast {tally.native_share:.1%}, shim {tally.outcomes['shim']}, TODO {tally.outcomes['todo']}"
        if assumed := len(tally.remarks(ASSUMED)):
            headline += f", float64 assumed {assumed}"
        if traced := len(tally.remarks(TRACED)):
            headline += f", resting on the trace {traced}"
        if guards := len(tally.guards()):
            headline += f", guards {guards}"
        for title, code in (("random exact", EXACT_STREAM), ("random torch", TORCHS_NUMBERS)):
            if drawn := len(tally.remarks(code)):
                headline += f", {title} {drawn}"
        yield style(headline, fg="yellow" if tally.outcomes["todo"] else "green")


def todo_lines(tally: Tally, limit: int) -> Iterator[str]:
    """The TODOs left to people, the first few of them."""
    todos = tally.findings("todo")
    if todos:
        yield style(f"{_count(len(todos), 'TODO')} left to you:", bold=True)
        yield from (f"  {finding}" for finding in todos[:limit])
        if len(todos) > limit:
            yield f"  ... and {len(todos) - limit} more"


def remark_lines(tally: Tally) -> Iterator[str]:
    """Assumptions made, wrong or unreadable statements of types, what policies change; the trace is only counted."""
    counted = set(tally.remarks(TRACED, EXACT_STREAM, *LEFT, *POLICIES, *HAZARDS))
    yield from (style(line, fg="yellow") for line in tally.remarks() if line not in counted)
    for code, title in (LEFT | POLICIES | HAZARDS).items():
        if lines := tally.remarks(code):
            yield style(f"{title} ({code}): {_count(len(lines), 'place')}", bold=True)
            yield from (f"  {line}" for line in lines[:SHOWN_PLACES])
            if len(lines) > SHOWN_PLACES:
                yield f"  ... and {len(lines) - SHOWN_PLACES} more"


def guard_lines(tally: Tally) -> Iterator[str]:
    """The guards at the entries of functions, the first few of them."""
    if guards := tally.guards():
        yield style(f"guards at the entry of functions ({guards[0].code}): {_count(len(guards), 'place')}", bold=True)
        yield from (f"  {guard_line(guard)}" for guard in guards[:SHOWN_PLACES])
        if len(guards) > SHOWN_PLACES:
            yield f"  ... and {len(guards) - SHOWN_PLACES} more"


def step_lines(edited: Sequence[SourceFile], waiting: Sequence[SourceFile]) -> Iterator[str]:
    """Give what a project that is converted step by step still needs."""
    for file in edited:
        why = "was converted and then edited, so that its NumPy text is not known; steps may come out otherwise"
        yield style(f"{file.display}: {why}", fg="yellow")
    if waiting:
        names = ", ".join(file.display for file in waiting[:SHOWN_PLACES])
        more = f" and {len(waiting) - SHOWN_PLACES} more" if len(waiting) > SHOWN_PLACES else ""
        until = "until they are converted, arrays and tensors meet where files call one another"
        yield f"still on NumPy: {names}{more}; {until}"


def problem_lines(tally: Tally) -> Iterator[str]:
    """Every file that could not be handled, and why."""
    yield from (style(problem_line(problem), fg="red") for problem in tally.problems)


def as_json(tally: Tally, diffs: dict[str, str] | None = None, also: dict[str, Any] | None = None) -> str:
    """The whole accounting as one JSON document; `diffs` by path are put with their files, `also` beside the rest."""
    files = []
    for file in tally.files:
        entry: dict[str, Any] = {"path": file.path, "changed": file.changed}
        entry["sites"] = [place_in_cell(file.path, site._asdict()) for site in file.sites]
        if file.remarks:
            entry["remarks"] = [place_in_cell(file.path, remark._asdict()) for remark in file.remarks]
        if file.guards:
            guards = ({"code": guard.code, **guard._asdict(), "path": file.path} for guard in file.guards)
            entry["guards"] = [place_in_cell(file.path, guard) for guard in guards]
        if file.contracts:
            entry["contracts"] = [contract_entry(contract) for contract in file.contracts]
        if diffs and file.path in diffs:
            entry["diff"] = diffs[file.path]
        files.append(entry)
    document = {
        "version": FORMAT_VERSION,
        "np2torch": __version__,
        "summary": {
            "files": {
                "changed": tally.changed_count,
                "unchanged": tally.unchanged_count,
                "skipped": tally.skipped_count,
            },
            "sites": tally.sites,
            "outcomes": tally.counts(),
            "native_share": round(tally.native_share, 6),
            "codes": dict(sorted(tally.codes.items())),
            "assumed": len(tally.remarks(ASSUMED)),
            "traced": len(tally.remarks(TRACED)),
            "guards": len(tally.guards()),
            "random": {"exact": len(tally.remarks(EXACT_STREAM)), "torch": len(tally.remarks(TORCHS_NUMBERS))},
        },
        "files": files,
        **(also or {}),
        "warnings": tally.warnings,
        "problems": [{**problem._asdict(), "path": printable(problem.path)} for problem in tally.problems],
    }
    return json.dumps(document, indent=2, ensure_ascii=False)


def contract_entry(contract: Contract) -> dict[str, Any]:
    """A contract for a JSON document."""
    parameters = [
        {**parameter._asdict(), "origins": [origin._asdict() for origin in parameter.origins]}
        for parameter in contract.parameters
    ]
    return {**contract._asdict(), "path": display_path(contract.path), "parameters": parameters}


def statistics_lines(tally: Tally) -> Iterator[str]:
    """Sites per code, most frequent first."""
    for code, number in sorted(tally.codes.items(), key=lambda item: (-item[1], item[0])):
        yield f"{number:6}  {code}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
