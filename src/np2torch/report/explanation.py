"""An explanation of a line, for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from click import style

from np2torch.facts import notation
from np2torch.facts import values as v
from np2torch.report.summary import contract_entry
from np2torch.rewrite.explain import Decision, Explanation, Expression
from np2torch.source.model import Contract
from np2torch.source.paths import display_path

FORMAT_VERSION = 1


def text_lines(found: Explanation) -> Iterator[str]:
    """Give what `np2torch explain FILE:LINE` prints."""
    yield style(f"{found.path}:{found.line}: {found.text.strip()}", bold=True)
    for expression in found.expressions:
        yield ""
        yield style(f"  {expression.source}", fg="cyan")
        yield f"    is    {notation.show_fact(expression.fact)}{_open(expression.fact)}"
        for index, origin in enumerate(expression.origins):
            place = f" {origin.place}" if origin.place else ""
            says = f" → {origin.fact}" if origin.fact else ""
            yield f"    {'from' if index == 0 else '    '}  {origin.kind}{place}: {origin.text}{says}"
    if found.decisions:
        yield ""
    for decision in found.decisions:
        yield from _decision_lines(decision)
    yield from (style(f"  {remark.code} {remark.message}", fg="yellow") for remark in found.remarks)
    if not (found.expressions or found.decisions):
        yield "  Nothing on this line is evaluated."
    if found.contract is not None:
        yield ""
        yield from _contract_lines(found.contract, found.line)


def _decision_lines(decision: Decision) -> Iterator[str]:
    site = decision.site
    colour = {"todo": "yellow", "shim": "yellow"}.get(site.outcome, "green")
    yield f"  {style(site.outcome, fg=colour)}  {site.code} {site.source}: {site.message}"
    if decision.remedies:
        yield f"    native if {'all of ' if len(decision.remedies) > 1 else ''}this were known:"
        for remedy in decision.remedies:
            place = f" ({remedy.place})" if remedy.place else ""
            yield f"      {remedy.operand} is {remedy.type}; {remedy.how}{place}"
    elif site.outcome in ("shim", "todo"):
        yield "    no statement of types alone would make it native"


def _contract_lines(contract: Contract, line: int) -> Iterator[str]:
    """The contract of a function at its `def`, and on other lines of it in brief."""
    head = style(f"  {contract.function}", fg="cyan")
    yield f"{head} is {contract.audience}: {contract.because}"
    if line == contract.line:
        for parameter in contract.parameters:
            yield f"    {parameter.parameter} accepts {parameter.accepts}"
            for index, origin in enumerate(parameter.origins):
                place = f" {origin.place}" if origin.place else ""
                says = f" → {origin.fact}" if origin.fact else ""
                yield f"      {'from' if index == 0 else '    '}  {origin.kind}{place}: {origin.text}{says}"
    yield f"    guard: {contract.guard}" if contract.guard else "    no guard"
    yield f"      {contract.reason}"
    if line != contract.line:
        yield f"    what its parameters accept: np2torch explain {display_path(contract.path)}:{contract.line}"


def _open(fact: v.Fact) -> str:
    """Give what is not known of an array, in words."""
    arrays = [atom for atom in fact if isinstance(atom, v.Array)]
    missing = ["dtype"] * any(atom.dtypes is None for atom in arrays)
    missing += ["rank"] * any(atom.ranks is None for atom in arrays)
    return f" ({' and '.join(missing)} not known)" if missing else ""


def as_json(found: Explanation) -> str:
    """The explanation as a JSON document."""
    decisions = [
        {**decision.site._asdict(), "remedies": [remedy._asdict() for remedy in decision.remedies]}
        for decision in found.decisions
    ]
    document = {
        "version": FORMAT_VERSION,
        "path": found.path,
        "line": found.line,
        "text": found.text,
        "expressions": [_expression(expression) for expression in found.expressions],
        "sites": decisions,
        "remarks": [remark._asdict() for remark in found.remarks],
        "contract": None if found.contract is None else contract_entry(found.contract),
    }
    return json.dumps(document, indent=2, ensure_ascii=False)


def _expression(expression: Expression) -> dict[str, Any]:
    fact = expression.fact
    return {
        "line": expression.line,
        "column": expression.column,
        "source": expression.source,
        "is": notation.show_fact(fact),
        "kinds": sorted(v.kinds(fact)),
        "dtypes": sorted(v.dtypes_of(fact) or ()) or None,
        "ranks": sorted(v.ranks_of(fact) or ()) or None,
        "origins": [origin._asdict() for origin in expression.origins],
    }
