"""Statements of types, to be written into the source or the settings for later runs."""

from __future__ import annotations

import ast
import dataclasses
import io
import tokenize
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from np2torch.facts import notation
from np2torch.facts import values as v
from np2torch.facts.evidence import ANNOTATION, RETURN, STUB, Evidence, covers, fill_unknown
from np2torch.facts.interpreter.definitions import FunctionDefinition, ModuleInfo
from np2torch.names.qualified_names import qualified_functions
from np2torch.names.tree import named_parameters
from np2torch.rewrite.convert import Work, analyse, interpreting
from np2torch.source.line_length import line_length
from np2torch.source.model import Converted, Remark, Settings, Site, SourceFile

CONTRADICTED = "NPT530"
STATED = ("pragma", "setting", STUB, ANNOTATION, "type comment")
"""Kinds of evidence that people state; it is never changed."""
TABLE = "[tool.np2torch.types]"


class Statement(NamedTuple):
    """A type to state of a parameter or a result, by the function and by its name in the settings."""

    function: ast.FunctionDef | ast.AsyncFunctionDef
    name: str
    type: str
    setting: str


class FileAnnotations(NamedTuple):
    """The types to state in a file, and remarks on statements there that they contradict."""

    file: SourceFile
    statements: tuple[Statement, ...]
    remarks: tuple[Remark, ...]

    def with_comments(self) -> Converted:
        """The file with its statements as comments in the heads of the functions."""
        text = write_statements(self.file, self.statements)
        sites = [Site(one.function.lineno, 1, "native", "", one.name, one.type) for one in self.statements]
        return Converted(self.file.path, self.file.text, text, tuple(sites), remarks=self.remarks)


def find_annotations(files: Sequence[SourceFile], settings: Settings) -> Iterator[FileAnnotations]:
    """Give the types that can be stated in each file of a project and are not stated yet."""
    with interpreting():
        work = analyse(files, dataclasses.replace(settings, closed=("*",), nested={}))  # what is seen, and no more
    by_module: dict[ModuleInfo, list[FunctionDefinition]] = {}
    for definition in work.engine.functions.values():
        by_module.setdefault(definition.module, []).append(definition)
    for file in files:
        info = work.infos.get(file.path)
        if info is None or info.around is not None:
            yield FileAnnotations(file, (), ())
            continue
        yield _of_module(file, info, work, by_module.get(info, []))


def _of_module(
    file: SourceFile, info: ModuleInfo, work: Work, functions: Iterable[FunctionDefinition]
) -> FileAnnotations:
    names: dict[ast.AST, str] = dict(qualified_functions(info.tree, f"{info.name}."))
    statements: list[Statement] = []
    remarks: list[Remark] = []
    for definition in sorted(functions, key=lambda one: one.place):
        node = definition.node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) or node in info.skipped or node not in names:
            continue
        for name, facts in _facts(definition):
            evidence, fact = definition.evidence.get(name), _plain(v.join(v.BOTTOM, *facts))
            if against := v.join(v.BOTTOM, *(_contradicted(evidence, one) for one in facts)):
                passed = notation.statement(_plain(against)) or notation.show_fact(against)
                message = f"{name} of `{node.name}` is stated otherwise: {passed} was passed"
                remarks.append(Remark(node.lineno, 1, CONTRADICTED, message))
            elif (type_ := notation.statement(fact)) is not None and _is_news(evidence, fact):
                statements.append(Statement(node, name, type_, f"{names[node]}.{name}"))
    return FileAnnotations(file, tuple(statements), (*info.remarks, *remarks))


def _facts(definition: FunctionDefinition) -> Iterator[tuple[str, list[v.Fact]]]:
    """Give the facts of parameters that each caller and traces show, and those of the result that traces show."""
    contexts = [context for context in definition.active.values() if not context.failing]
    traced = {name: one for name, one in definition.evidence.items() if one.trace_fact}
    own = {parameter.arg for parameter in named_parameters(definition.node)}
    for index, name in enumerate(definition.named_parameters):
        if name in own and not (index == 0 and definition.owner is not None and not definition.is_static):
            shown = [v.widen(context.parameters[index]) for context in contexts]
            known = [fact for fact in shown if fact and not v.known_to_include(fact, "unknown")]
            yield name, [traced[name].trace_fact, *known] if name in traced else known
    if RETURN in traced and not v.only(traced[RETURN].trace_fact, "none"):
        yield RETURN, [traced[RETURN].trace_fact]


def _plain(fact: v.Fact) -> v.Fact:
    """A fact without the signs of its numbers, which are no part of a type."""
    return frozenset(v.Num(atom.type) if isinstance(atom, v.Num) and atom.type != "bool" else atom for atom in fact)


def _contradicted(evidence: Evidence | None, fact: v.Fact) -> v.Fact:
    """The alternatives of a fact that what people state rules out."""
    said = next((s.fact for s in evidence.sources if s.kind in STATED and s.fact), None) if evidence else None
    return v.BOTTOM if said is None else v.keep(fact, lambda atom: not covers(said, atom))


def _is_news(evidence: Evidence | None, fact: v.Fact) -> bool:
    """Tell whether a fact says more than people state: the whole value, or the dtype or the rank of an array."""
    said = [source for source in evidence.sources if source.kind in STATED and source.fact] if evidence else []
    if any(source.kind in ("pragma", "setting") for source in said) or not fact:
        return False
    stated = Evidence(tuple(said)).fact
    open_arrays = v.keep(stated, lambda atom: isinstance(atom, v.Array))
    return not stated or bool(open_arrays) and fill_unknown(open_arrays, fact) != open_arrays


# ------------------------------------------------------------------------------------------------- as comments
def write_statements(file: SourceFile, statements: Iterable[Statement]) -> str:
    """The text of a file with the statements in the heads of their functions, no code changed."""
    lines = file.text.splitlines(keepends=True)
    by_function: dict[ast.AST, list[Statement]] = {}
    for one in statements:
        by_function.setdefault(one.function, []).append(one)
    limit = line_length(file.path, file.text)
    for node, said in sorted(by_function.items(), key=lambda item: -item[1][0].function.lineno):
        assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        _put(lines, node, [f"{one.name}: {one.type}" for one in said], limit, file.newline)
    text = "".join(lines)
    with suppress(SyntaxError):
        if ast.dump(ast.parse(text)) == ast.dump(ast.parse(file.text)):
            return text
    return file.text


def _put(
    lines: list[str], node: ast.FunctionDef | ast.AsyncFunctionDef, said: Sequence[str], limit: int, newline: str
) -> None:
    """Put a comment behind the head of a function where it fits there, else on lines of its own.

    They stand below the head, or above it where the body begins on its last line.
    """
    end = _end_of_head("".join(lines[node.lineno - 1 :])) + node.lineno - 1
    line = lines[end].rstrip("\r\n")
    comment = f"# np2torch: {'; '.join(said)}"
    if len(line) + 2 + len(comment) <= limit and "#" not in line:
        lines[end] = f"{line}  {comment}{newline}"
        return
    is_one_line = node.body[0].lineno - 1 == end
    at, indent = (node.lineno - 1, node.col_offset) if is_one_line else (end + 1, node.body[0].col_offset)
    lines[at:at] = [f"{' ' * indent}{one}{newline}" for one in _packed(said, limit - indent)]


def _packed(said: Sequence[str], limit: int) -> list[str]:
    """Comments of several lines, as much on each as fits."""
    lines = [f"# np2torch: {said[0]}"]
    for one in said[1:]:
        longer = f"{lines[-1]}; {one}"
        if len(longer) <= limit:
            lines[-1] = longer
        else:
            lines.append(f"# np2torch: {one}")
    return lines


def _end_of_head(text: str) -> int:
    """The line of the colon that ends the head of a definition, counted from its first one."""
    depth = 0
    with suppress(tokenize.TokenError, IndentationError):
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            depth += (token.string in ("(", "[", "{")) - (token.string in (")", "]", "}"))
            if token.string == ":" and token.type == tokenize.OP and depth == 0:
                return token.start[0] - 1
    return 0


# ------------------------------------------------------------------------------------------------- as settings
def in_settings(text: str, statements: Iterable[Statement]) -> str:
    """The text of a pyproject.toml with the statements in its table of types; as it was where that cannot be."""
    wanted: Mapping[str, str] = {one.setting: one.type for one in statements}
    entries = [f'"{name}" = "{type_}"\n' for name, type_ in wanted.items()]
    if not entries:
        return text
    lines = text.splitlines(keepends=True)
    at = next((number for number, line in enumerate(lines) if line.strip() == TABLE), None)
    if at is None:
        head = [] if not text else ["\n"] if text.endswith("\n") else ["\n\n"]
        new = "".join([*lines, *head, f"{TABLE}\n", *entries])
    else:
        new = "".join([*lines[: at + 1], *entries, *lines[at + 1 :]])
    try:
        types = tomllib.loads(new)["tool"]["np2torch"]["types"]
    except (tomllib.TOMLDecodeError, KeyError, TypeError):
        return text
    return new if all(types.get(name) == type_ for name, type_ in wanted.items()) else text
