"""The stage before the others, with `vectorize`: loops of NumPy code become whole-array NumPy code.

All that follows reads the new text. What it says of lines is told of the text as people have it (`told`).
"""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Sequence
from typing import NamedTuple

from np2torch.rewrite.deep import nesting_deeply
from np2torch.rewrite.pipeline.analysed import analyse_project
from np2torch.rewrite.pipeline.parsed import parse_project
from np2torch.rules.vectorize.loops import StayingLoop, VectorizedLoop, vectorized_in
from np2torch.source.line_length import line_length
from np2torch.source.model import Converted, Remark, Settings, SourceFile

OVERLAPPING = re.compile(r"\b(as_strided|sliding_window_view|broadcast_arrays|strides\s*=)")
"""Text that makes arrays of which several elements are one place in memory, and may be stored to."""
DONE, STAYS = "NPT605", "NPT606"


class Stretch(NamedTuple):
    """Lines of the old text, from 1, and how many take their place."""

    first: int
    last: int
    new: int


@dataclasses.dataclass(frozen=True, eq=False)
class Rewritten:
    """A file whose loops have become whole-array code: the old one, where both differ, and what is to be said."""

    before: SourceFile
    stretches: tuple[Stretch, ...]
    remarks: tuple[Remark, ...]

    def line(self, line: int) -> int:
        """Give the old line of a new one; for new code that of its loop."""
        shift = 0
        for stretch in self.stretches:
            first = stretch.first + shift
            if line < first:
                break
            if line < first + stretch.new:
                return stretch.first
            shift += stretch.new - (stretch.last - stretch.first + 1)
        return line - shift


def vectorize(
    files: Sequence[SourceFile], settings: Settings, trace: bool = True
) -> tuple[list[SourceFile], dict[int, Rewritten]]:
    """Give the files with their loops as whole-array code, and by number those of which there is something to say.

    Nothing is taken for granted here that a guard would see to, since the guards are chosen for the new text.
    """
    plain = dataclasses.replace(settings, vectorize=False, unknown="shim")
    analysed = analyse_project(parse_project(files, plain), trace)
    run, changed, found = analysed.run, list(files), dict[int, Rewritten]()
    may_overlap = any(OVERLAPPING.search(file.text) for file in files)
    for number, file in enumerate(run.parsed.files):
        info = run.trees.infos.get(file.path)
        if info is None or file.summary is not None or file.notebook is not None or not file.mentions_numpy:
            continue
        with nesting_deeply():
            ctx = run.context(file, info, run.keeping.reached)
            decided = [] if ctx.converted_already() else vectorized_in(ctx, may_overlap)
        if decided:
            changed[number], found[number] = _rewritten(files[number], decided)
    return changed, found


def tell(converted: Converted, rewritten: Rewritten) -> Converted:
    """Tell a conversion in terms of the text before its loops were rewritten."""
    line = rewritten.line
    return converted._replace(
        before=rewritten.before.text,
        after=rewritten.before.text if not converted.is_changed and converted.problems else converted.after,
        sites=tuple(one._replace(line=line(one.line)) for one in converted.sites),
        problems=tuple(one._replace(line=line(one.line) if one.line else 0) for one in converted.problems),
        remarks=tuple(sorted([*(one._replace(line=line(one.line)) for one in converted.remarks), *rewritten.remarks])),
        guards=tuple(one._replace(line=line(one.line)) for one in converted.guards),
        contracts=tuple(one._replace(line=line(one.line)) for one in converted.contracts),
    )


def _rewritten(file: SourceFile, decided: Sequence[VectorizedLoop | StayingLoop]) -> tuple[SourceFile, Rewritten]:
    lines = file.text.split("\n")
    ending = "\r" if lines[0].endswith("\r") else ""
    limit = line_length(file.path, file.text) or 88
    stretches: list[Stretch] = []
    remarks: list[Remark] = []
    for one in sorted(decided, key=lambda one: one.loop.lineno, reverse=True):
        loop = one.loop
        if isinstance(one, VectorizedLoop) and (why := _why_not(lines, loop)) is not None:
            one = StayingLoop(loop, why)
        if isinstance(one, StayingLoop):
            remarks.append(Remark(loop.lineno, loop.col_offset + 1, STAYS, f"the loop stays: {one.reason}"))
            continue
        first, last = loop.lineno, loop.end_lineno or loop.lineno
        new = _text(one, lines[first - 1 : last], limit)
        stretches.append(Stretch(first, last, len(new)))
        lines[first - 1 : last] = [line + ending if not line.endswith("\r") else line for line in new]
        how = (
            "where its arrays and numbers are what the lines above it say, else as before"
            if one.conditions
            else "always"
        )
        said = "; ".join(["no pass needs what another one stores, or only its sums: all run at once", *one.notes])
        remarks.append(Remark(loop.lineno, loop.col_offset + 1, DONE, f"{said}, {how}; last bits of sums may differ"))
    text = "\n".join(lines)
    try:
        ast.parse(text)
    except SyntaxError:
        return file, Rewritten(file, (), ())
    return dataclasses.replace(file, text=text), Rewritten(file, tuple(reversed(stretches)), tuple(reversed(remarks)))


def _why_not(lines: list[str], loop: ast.For) -> str | None:
    """Say why the lines of a loop cannot be moved."""
    for node in ast.walk(loop):
        if isinstance(node, (ast.Constant, ast.JoinedStr)) and node.lineno != node.end_lineno:
            return "a text within it goes over several lines"
    before = lines[loop.lineno - 1][: loop.col_offset]
    last = lines[(loop.end_lineno or 0) - 1].encode()[loop.end_col_offset or 0 :].decode().strip()
    return "it shares its lines with others" if before.strip() or last and not last.startswith("#") else None


def _text(made: VectorizedLoop, old: list[str], limit: int) -> list[str]:
    """Write the new lines: alone, or before the old ones where conditions decide at run time."""
    indent = old[0][: len(old[0]) - len(old[0].lstrip())]
    unit = "\t" if "\t" in indent else "    "
    new = [line for one in made.statements for line in ast.unparse(ast.fix_missing_locations(one)).split("\n")]
    if not made.conditions:
        comments = [f"{indent}{line.strip()}" for line in old if line.strip().startswith("#")]
        return [*comments, *(indent + line for line in new)]
    head = f"{indent}if {' and '.join(made.conditions)}:"
    heads = [head]
    if len(head) > limit:
        first, *rest = made.conditions
        heads = [
            f"{indent}if (",
            f"{indent}{unit}{first}",
            *(f"{indent}{unit}and {one}" for one in rest),
            f"{indent}):",
        ]
    kept = [unit + line if line.strip() else line for line in old]
    return [*heads, *(indent + unit + line for line in new), f"{indent}else:", *kept]
