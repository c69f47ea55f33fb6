"""Examples of the table as functions of one module, converted with the types of their arguments known."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from drawing import Case, Drawn
from hypothesis import HealthCheck, Phase, given, seed, settings
from running import cases, compare, function_source, numpy_outcome, outcome
from table import Row

from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Settings, SourceFile

SIZES = "i, j, k, l, m, n".split(", ")


class Converted(NamedTuple):
    """An example, the text it became, and the function to call."""

    row: Row
    case: Case
    text: str
    function: Callable[..., Any]

    def is_native(self) -> bool:
        """Is there neither the shim nor NumPy in it?"""
        return "shim." not in self.text and "np." not in self.text


def types(case: Case) -> str:
    """The pragma that says what the arguments are."""
    said = (f"{name}: {x.base.dtype}[{', '.join(SIZES[: x.base.ndim])}]" for name, x in case.arrays.items())
    return "; ".join(said)


def sample(row: Row, count: int, start: int) -> list[Case]:
    """Examples of one row."""
    found: list[Case] = []

    @seed(start)
    @settings(max_examples=count, database=None, deadline=None, suppress_health_check=list(HealthCheck),
              phases=[Phase.generate])  # fmt: skip
    @given(cases(row.template))
    def collect(case: Case) -> None:
        found.append(case)

    collect()
    return [case for case in found if all(isinstance(x, Drawn) for x in case.arrays.values())]


def converted(examples: list[tuple[Row, Case]]) -> Iterator[Converted]:
    """The examples after one conversion of all of them."""
    parts = ["import operator\n\nimport numpy as np\n"]
    for at, (_, case) in enumerate(examples):
        parts.append(function_source(case, f"case{at}", f"  # np2torch: {types(case)}" if case.arrays else ""))
    (after,) = convert_project([SourceFile(Path("cases.py"), "cases.py", "\n\n".join(parts))], Settings())
    space: dict[str, Any] = {}
    exec(compile(after.after, "cases.py", "exec"), space)
    lines = after.after.splitlines()
    texts = {
        node.name: "\n".join(lines[node.lineno : node.end_lineno])
        for node in ast.parse(after.after).body
        if isinstance(node, ast.FunctionDef)
    }
    for at, (row, case) in enumerate(examples):
        yield Converted(row, case, texts[f"case{at}"], space[f"case{at}"])


def disagreement(one: Converted) -> str | None:
    """How the converted function differs from NumPy; native torch raises errors of its own classes."""
    args = [x.tensor() for x in one.case.arrays.values()]
    new = (args, *outcome(one.function, args))
    return compare(one.case, numpy_outcome(one.case), new, max(one.row.slack, 4), strict=False)
