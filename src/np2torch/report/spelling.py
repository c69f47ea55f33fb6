"""The torch spelling of a rule, found by calling it with sample arguments."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import product

from np2torch.facts import values as v
from np2torch.facts.arguments import Argument, Arguments, bind
from np2torch.rules.core import Rule, run_body
from np2torch.rules.rule_arguments import PLACEHOLDER, CallSite, Decline, Style, Template, UnsupportedError

ARRAYS = [
    *(v.array(dtype, rank) for dtype in ("float64", "int64") for rank in (2, 1)),
    v.array("bool", 1), v.array("complex128", 1), v.array("float64", 3),
]  # fmt: skip


def candidates(sample: v.Fact) -> Iterator[tuple[str, v.Fact]]:
    """Give what may be passed for a parameter that is no array: text and fact; no text stands for its name."""
    yield "", v.SIZE
    yield "", v.FLOAT
    yield "[a, b]", v.one(v.Sequence("list", (sample, sample)))
    yield "", v.tuple_of(v.SIZE, v.SIZE)
    yield "", v.one(v.DType(frozenset(["float64"])))
    yield "0.5", v.number(0.5)
    yield "", sample


def spelling(found: Rule, style: Style) -> tuple[str, bool]:
    """Give the spelling of a rule for its required arguments, or else for all, and whether it has a cast or clone.

    It is empty if the rule declines all of these.
    """
    for everything, sample in product((False, True), ARRAYS):
        for passed, value in candidates(sample):
            arguments = Arguments()
            for p in found.signature:
                wanted = p.required or p.annotation == "Operand" or everything and p.annotation == "Value"
                if p.variadic or not wanted:
                    continue
                node: ast.expr = ast.Name(p.name, ast.Load())
                fact = value
                if p.takes_array:
                    fact = sample
                elif p.annotation == "ShapeLike":
                    fact = v.tuple_of(v.SIZE, v.SIZE)
                elif passed:
                    node = ast.parse(passed, mode="eval").body
                arguments.keywords[p.name] = Argument(node, fact)
            bound = bind(found.signature, arguments)
            template = Template(CallSite(style))
            try:
                emit = run_body(found, bound, template) if bound is not None else None
            except (Decline, UnsupportedError):
                continue
            if emit is not None:
                given = ", ".join(f"{key}={value}" if key else str(value) for key, value in emit.arguments)
                new = emit.text or f"{emit.function}({given})"
                pieces = [ast.unparse(node) for node in template.nodes]
                for index, piece in enumerate(pieces):
                    new = new.replace(f"{PLACEHOLDER}{index}_", piece)
                return new, emit.cast
    return "", False
