"""Show why rules decline: `python tools/declines.py FILE` converts a program and prints each refusal with its reason.

A rule that declines sends its site to the shim, and the report says no more than that. Here are the line, the rule and
the reason; a rule is asked several times where a guard is chosen.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from pathlib import Path

from np2torch.facts.arguments import BoundArguments
from np2torch.rewrite.convert import convert_project
from np2torch.rules.core import Rule, run_body
from np2torch.rules.rule_arguments import Decline, Spelling, Template
from np2torch.rules.syntax import calls
from np2torch.source.model import Settings, SourceFile


def reporting(say: Callable[[str], object]) -> Callable[[Rule, BoundArguments, Template], Spelling]:
    """Make a `run_body` that says why a rule declines."""

    def run(found: Rule, bound: BoundArguments, template: Template) -> Spelling:
        try:
            return run_body(found, bound, template)
        except Decline as reason:
            lines = [argument.node.lineno for argument in bound.values() if isinstance(argument.node, ast.expr)]
            say(f"line {min(lines, default=0)}: {found.name}: {reason}")
            raise

    return run


def main(path: Path) -> None:
    """Convert a file as a closed program."""
    said: dict[str, None] = {}
    setattr(calls, "run_body", reporting(lambda text: said.setdefault(text)))  # noqa: B010
    try:
        source = SourceFile(path, path.name, path.read_text("utf-8"))
        list(convert_project([source], Settings(root=path.parent, closed=("*.py",))))
    finally:
        setattr(calls, "run_body", run_body)  # noqa: B010
    print("\n".join(said) or "no rule declined")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
