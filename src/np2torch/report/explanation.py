"""An explanation of a line, for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from click import style

from np2torch.facts import spelled
from np2torch.facts import values as v
from np2torch.rewrite.explain import Decision, Explanation, Expression

FORMAT_VERSION = 1


def text_lines(found: Explanation) -> Iterator[str]:
    """What `np2torch explain FILE:LINE` prints."""
    yield style(f"{found.path}:{found.line}: {found.text.strip()}", bold=True)
    for expression in found.expressions:
        yield ""
        yield style(f"  {expression.source}", fg="cyan")
        yield f"    is    {spelled.shown(expression.fact)}{_open(expression.fact)}"
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


def _open(fact: v.Fact) -> str:
    """What is not known of an array, in words."""
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
    }
    return json.dumps(document, indent=2, ensure_ascii=False)


def _expression(expression: Expression) -> dict[str, Any]:
    fact = expression.fact
    return {
        "line": expression.line,
        "column": expression.column,
        "source": expression.source,
        "is": spelled.shown(fact),
        "kinds": sorted(v.kinds(fact)),
        "dtypes": sorted(v.dtypes_of(fact) or ()) or None,
        "ranks": sorted(v.ranks_of(fact) or ()) or None,
        "origins": [origin._asdict() for origin in expression.origins],
    }
