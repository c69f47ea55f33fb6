"""What people say of types beside the code: `# np2torch: x: float64[n, 3]`, `# type:` comments, settings."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from np2torch.facts import spelled
from np2torch.facts import values as v
from np2torch.facts.annotations import Names, of_text
from np2torch.facts.evidence import RETURN, Evidence, Source, attribute_stores
from np2torch.facts.interpreter.definitions import ModuleInfo
from np2torch.names.tree import children, dotted, named_parameters
from np2torch.names.tree import walk as tree_walk
from np2torch.source.lexical import parts
from np2torch.source.model import Remark

COMMENT = re.compile(r"#\s*(?:np2torch\s*:|type\s*:(?!\s*ignore\b))")
_PRAGMA = re.compile(r"#\s*np2torch:\s*(?P<body>[A-Za-z_][\w.]*\s*:.*)")
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
    if COMMENT.search(info.text) is None:
        return
    places = _Places(info.tree)
    for line, alone, comment in _comments(info.text):
        if (match := _PRAGMA.match(comment)) is not None:
            for part in _split(match["body"], ";,"):
                name, _, spelling = part.partition(":")
                _state(info, places.find(line, alone, name.strip()), name.strip(), spelling.strip(), "pragma", line)
        elif (match := _TYPE.match(comment)) is not None:
            for node, fact in _type_comment(places, line, alone, match["body"].strip(), info.type_names):
                _put(info, node, Source("type comment", line, comment, fact))


def _state(info: ModuleInfo, nodes: Sequence[ast.AST], name: str, spelling: str, kind: str, line: int) -> None:
    try:
        fact = spelled.fact(spelling)
    except spelled.SpellingError as error:
        info.remarks.append(Remark(line, 1, UNREAD, f"{name}: {error}"))
        return
    if not nodes:
        where = "on this line or the one below" if kind == "pragma" else f"in {info.name}"
        info.remarks.append(Remark(line, 1, UNREAD, f"{name}: nothing of that name is bound {where}"))
    for node in nodes:
        here = line if kind == "pragma" else getattr(node, "lineno", 1)
        _put(info, node, Source(kind, here, f"{name}: {spelling}", fact))


def _put(info: ModuleInfo, node: ast.AST, source: Source) -> None:
    before = info.stated[node].sources if node in info.stated else ()
    info.stated[node] = Evidence((*before, source))


# ---------------------------------------------------------------------------------------------------- comments
def _comments(text: str) -> Iterator[tuple[int, bool, str]]:
    """Line, whether it stands alone there, and text of each comment that says something to us."""
    line, at = 1, 0
    for part in parts(text):
        if part.is_comment and COMMENT.match(text, part.start):
            line, at = line + text.count("\n", at, part.start), part.start
            alone = not text[text.rfind("\n", 0, at) + 1 : at].strip()
            yield line, alone, text[at : part.end]


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


class _Places:
    """The statements of a module by their lines."""

    def __init__(self, tree: ast.Module) -> None:
        statements = [node for node in tree_walk(tree) if isinstance(node, ast.stmt)]
        self.headers = sorted(((*_header(node), node) for node in statements), key=lambda entry: entry[:2])

    def over(self, line: int) -> list[ast.stmt]:
        """The statements whose heads reach over a line."""
        return [node for first, last, node in self.headers if first <= line <= last]

    def below(self, line: int) -> list[ast.stmt]:
        """The statements on the first line with one below a line."""
        following = next((first for first, _, _ in self.headers if first > line), 0)
        return [node for first, _, node in self.headers if first == following]

    def find(self, line: int, alone: bool, name: str) -> list[ast.AST]:
        """The nodes that bind a name where a comment speaks of it: on its line, of a comment alone also below."""
        for statement in self.over(line) + (self.below(line) if alone else []):
            found = list(_bound(statement, name))
            if found:
                return found
        return []


def _header(node: ast.stmt) -> tuple[int, int]:
    """First and last line of a statement without its body."""
    first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
    body = getattr(node, "body", None)
    if not body:
        return first, node.end_lineno or node.lineno
    return first, max(node.lineno, _header(body[0])[0] - 1)


def _bound(statement: ast.stmt, name: str) -> Iterator[ast.AST]:
    """The nodes of a statement's head that bind a name: parameters, targets; of a result the function."""
    if isinstance(statement, Definition):
        yield from _parameter(statement, name)
    elif isinstance(statement, ast.ClassDef):
        yield from (target for target in attribute_stores(statement) if target.attr == name.removeprefix("self."))
    else:
        yield from (node for node in _head(statement) if _stores(node, name))


def _head(statement: ast.stmt) -> list[ast.AST]:
    """A statement's nodes without those of the statements in it."""
    return [node for child in children(statement) if not isinstance(child, ast.stmt) for node in tree_walk(child)]


def _stores(node: ast.AST, name: str) -> bool:
    return isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Store) and dotted(node) == name


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
            yield from (part for part in _head(node) if isinstance(part, ast.Name) and _stores(part, first))


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
def _type_comment(places: _Places, line: int, alone: bool, text: str, names: Names) -> Iterator[tuple[ast.AST, v.Fact]]:
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
