"""Types that people state beside the code: `# np2torch: x: float64[n, 3]`, `# type:` comments, settings."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from np2torch.facts import guard_calls, notation
from np2torch.facts import values as v
from np2torch.facts.annotations import Names, of_text
from np2torch.facts.evidence import RETURN, Evidence, Source, attribute_stores
from np2torch.facts.interpreter.definitions import ModuleInfo
from np2torch.facts.places import Places, head
from np2torch.names.tree import children, dotted_name, named_parameters
from np2torch.source.model import Remark
from np2torch.source.pragmas import comments, pragmas

_TYPE = re.compile(r"#\s*type:\s*(?!ignore\b)(?P<body>[^#]+)")
_SIGNATURE = re.compile(r"\((?P<arguments>.*)\)\s*->\s*(?P<result>.+)")
UNREAD = "NPT504"
Definition = ast.FunctionDef | ast.AsyncFunctionDef


def read(info: ModuleInfo, types: Mapping[str, str]) -> None:
    """Put what comments and settings say about a module into `info.stated`, what cannot be read into `info.remarks`.

    Parameters
    ----------
    types
        Spelled types by dotted name within the module: `function.parameter`, `function.return`, `Class.attribute`,
        `Class.method.parameter`, `GLOBAL`, `function.local`.
    """
    for name, spelling in types.items():
        nodes = list(_named(info.tree, name.split(".")))
        _state(info, nodes, name, spelling, "setting", 1)
    for function in info.nodes:
        if isinstance(function, Definition) and function.decorator_list:
            for name, spelling, line in guard_calls.contracts(function):
                _state(info, list(_parameter(function, name)), name, spelling, "contract", line)
    places: Places | None = None
    for line, alone, comment in comments(info.text):
        places = places or Places(info.tree)
        for pragma in pragmas(comment):
            for part in _split(pragma.body, ";,") if pragma.word == "" else ():
                name, _, spelling = part.partition(":")
                name = name.strip()
                _state(info, _find(places, line, alone, name), name, spelling.strip(), "pragma", line)
        if (match := _TYPE.match(comment)) is not None:
            for node, fact in _type_comment(places, line, alone, match["body"].strip(), info.type_names):
                _put(info, node, Source("type comment", line, comment, fact))


def _state(info: ModuleInfo, nodes: Sequence[ast.AST], name: str, spelling: str, kind: str, line: int) -> None:
    try:
        fact = notation.fact(spelling)
    except notation.SpellingError as error:
        info.remarks.append(Remark(line, 1, UNREAD, f"{name}: {error}"))
        return
    if not nodes:
        where = "on this line or the one below" if kind == "pragma" else f"in {info.name}"
        info.remarks.append(Remark(line, 1, UNREAD, f"{name}: nothing of that name is bound {where}"))
    for node in nodes:
        here = line if kind != "setting" else getattr(node, "lineno", 1)
        _put(info, node, Source(kind, here, f"{name}: {spelling}", fact))


def _put(info: ModuleInfo, node: ast.AST, source: Source) -> None:
    before = info.stated[node].sources if node in info.stated else ()
    info.stated[node] = Evidence((*before, source))


# ---------------------------------------------------------------------------------------------------- comments
def _split(text: str, separators: str) -> Iterator[str]:
    """The parts of a text between separators outside of brackets."""
    depth, start = 0, 0
    for position, character in enumerate(text):
        depth += (character in "[(") - (character in "])")
        if character in separators and depth == 0:
            yield text[start:position]
            start = position + 1
    if text[start:].strip():
        yield text[start:]


def _find(places: Places, line: int, alone: bool, name: str) -> list[ast.AST]:
    """The nodes that bind a name where a comment speaks of it: on its line, of a comment alone also below."""
    for statement in places.over(line) + (places.below(line) if alone else []):
        found = list(_bound(statement, name))
        if found:
            return found
    return []


def _bound(statement: ast.stmt, name: str) -> Iterator[ast.AST]:
    """The nodes of a statement's head that bind a name: parameters, targets; of a result the function."""
    if isinstance(statement, Definition):
        yield from _parameter(statement, name)
    elif isinstance(statement, ast.ClassDef):
        yield from (target for target in attribute_stores(statement) if target.attr == name.removeprefix("self."))
    else:
        yield from (node for node in head(statement) if _stores(node, name))


def _stores(node: ast.AST, name: str) -> bool:
    return isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Store) and dotted_name(node) == name


def _parameter(function: Definition, name: str) -> Iterator[ast.AST]:
    if name == RETURN:
        yield function
    yield from (argument for argument in named_parameters(function) if argument.arg == name)


# ---------------------------------------------------------------------------------------------------- settings
def _named(scope: ast.Module | ast.ClassDef | Definition, path: Sequence[str]) -> Iterator[ast.AST]:
    """The nodes that bind what a dotted name means in a module, class or function."""
    first, *rest = path
    if rest:
        for node in _inside(scope):
            if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == first:
                yield from _named(node, rest)
        return
    if isinstance(scope, Definition):
        yield from _parameter(scope, first)
    if isinstance(scope, ast.ClassDef):
        yield from (target for target in attribute_stores(scope) if target.attr == first)
    for node in _inside(scope):
        if isinstance(node, ast.stmt) and not isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from (part for part in head(node) if isinstance(part, ast.Name) and _stores(part, first))


def _inside(scope: ast.AST) -> Iterator[ast.AST]:
    """The statements of a scope, those of inner scopes left out."""
    for child in children(scope):
        yield child
        if not isinstance(child, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            yield from _inside(child)


def shared_out(types: Iterable[tuple[str, str]], modules: Iterable[str]) -> dict[str, dict[str, str]]:
    """The settings for each module, by names within it; those of modules that are not there are left out."""
    known = set(modules)
    out: dict[str, dict[str, str]] = {}
    for name, spelling in types:
        parts = name.split(".")
        cuts = [cut for cut in range(len(parts) - 1, 0, -1) if ".".join(parts[:cut]) in known]
        if cuts:
            out.setdefault(".".join(parts[: cuts[0]]), {})[".".join(parts[cuts[0] :])] = spelling
    return out


# ----------------------------------------------------------------------------------------------- type comments
def _type_comment(places: Places, line: int, alone: bool, text: str, names: Names) -> Iterator[tuple[ast.AST, v.Fact]]:
    """The nodes a `# type:` comment speaks of, and what it says of each."""
    signature = _SIGNATURE.fullmatch(text)
    for statement in places.over(line):
        if isinstance(statement, Definition):
            arguments = named_parameters(statement)
            if signature is None:
                arguments = [argument for argument in arguments if argument.lineno == line][-1:]
                stated = [text]
            else:
                stated = list(_split(signature["arguments"], ","))
                arguments = arguments[len(arguments) - len(stated) :]  # `self` has none
                if (result := of_text(signature["result"], names)) is not None:
                    yield statement, result
            for argument, said in zip(arguments, stated, strict=False):
                if (fact := of_text(said, names)) is not None:
                    yield argument, fact
        elif isinstance(statement, (ast.Assign, ast.For, ast.With)) and not alone:
            fact = of_text(text, names)
            for node in getattr(statement, "targets", None) or [getattr(statement, "target", None)]:
                if fact is not None and isinstance(node, (ast.Name, ast.Attribute)):
                    yield node, fact
