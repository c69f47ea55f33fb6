"""Stub files: `MODULE.pyi` with the types of what a module defines, for type checkers and for later runs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from np2torch.facts.evidence import RETURN, attribute_stores
from np2torch.facts.notation import FAMILIES, PYTHON
from np2torch.names.qualified_names import FUNCTIONS, Function, qualified_functions
from np2torch.rewrite.annotate import Statement, write_statements
from np2torch.rewrite.layout import EMPTY_BODY, fit_lines
from np2torch.source.line_length import line_length
from np2torch.source.model import SourceFile
from np2torch.source.read import read_file

ABSTRACT = {"integer": "integer", "floating": "floating", "inexact": "inexact", "number": "number"}
"""Families of dtypes that NumPy has a class for; of others the dtype is left open."""
HEAD = "from typing import Any\n\nimport numpy as np\nfrom numpy.typing import NDArray\n"
REST = "def __getattr__(name: str) -> Any: ..."
"""The line of a stub that says the module has more names."""
STEP = "    "
IMPORTS = (ast.Import, ast.ImportFrom)


def make_stub(file: SourceFile, statements: Iterable[Statement], stub: SourceFile | None) -> tuple[SourceFile, str]:
    """The stub of a module, and its text with the statements in it: one that exists gets comments and no more.

    Functions that are defined in others have no place in a stub, nor have those of which there are two.
    """
    tree = ast.parse(file.text)
    names = {(node.lineno, node.col_offset): name for node, name in qualified_functions(tree)}
    said: dict[str, list[Statement]] = {}
    for one in statements:
        if (name := names.get((one.function.lineno, one.function.col_offset))) is not None:
            said.setdefault(name, []).append(one)
    if stub is None:
        path = file.path.with_suffix(".pyi")
        known = {name: {one.name: one.type for one in ones} for name, ones in said.items()}
        text = stub_text(tree, known, line_length(file.path, file.text))
        target = SourceFile(path, f"{file.display}i", text)
        before = SourceFile(path, f"{file.display}i", "")
    else:
        before = target = stub
    functions = {name: node for node, name in qualified_functions(ast.parse(target.text))}
    placed = (one._replace(function=functions[name]) for name in said if name in functions for one in said[name])
    return before, write_statements(target, placed)


def stub_of(file: SourceFile) -> SourceFile | None:
    """The stub beside a module; None where there is none that can be read."""
    path = file.path.with_suffix(".pyi")
    found = read_file(path) if path.is_file() else None
    return found if isinstance(found, SourceFile) else None


def stub_text(tree: ast.Module, known: Mapping[str, Mapping[str, str]], limit: int) -> str:
    """A stub of a module.

    Parameters
    ----------
    known
        By the dotted name of a function in the module, the types of its parameters and of its result.
    limit
        The most characters of a line.
    """
    imports = [ast.unparse(node) for node in tree.body if isinstance(node, IMPORTS)]
    body = "\n\n".join("\n".join(lines) for lines in _definitions(tree.body, "", known, limit))
    lines = [line for line in imports if line not in HEAD and not line.startswith("from __future__")]
    return "\n".join([HEAD + "".join(f"{line}\n" for line in lines), body, "", REST, ""]).replace("\n\n\n\n", "\n\n")


def _definitions(
    body: Iterable[ast.stmt], prefix: str, known: Mapping[str, Mapping[str, str]], limit: int
) -> Iterator[Sequence[str]]:  # fmt: skip
    for node in body:
        if isinstance(node, FUNCTIONS):
            yield _function(node, known.get(prefix + node.name, {}), limit)
        elif isinstance(node, ast.ClassDef):
            yield [*_decorators(node), *_class(node, prefix, known, limit)]


def _class(
    node: ast.ClassDef, prefix: str, known: Mapping[str, Mapping[str, str]], limit: int
) -> Iterator[str]:  # fmt: skip
    bases = ", ".join(map(ast.unparse, (*node.bases, *node.keywords)))
    yield f"class {node.name}({bases}):" if bases else f"class {node.name}:"
    stated = dict(_annotated(node))
    names = dict.fromkeys(target.attr for target in attribute_stores(node))
    methods = {one.name for one in node.body if isinstance(one, (*FUNCTIONS, ast.ClassDef))}
    attributes = [f"{name}: {type_}" for name, type_ in stated.items()]
    attributes += [f"{name}: Any" for name in names if name not in stated and name not in methods]
    yield from (STEP + line for line in attributes)
    inner = list(_definitions(node.body, f"{prefix}{node.name}.", known, limit - len(STEP)))
    yield from (STEP + line for lines in inner for line in lines)
    if not attributes and not inner:
        yield f"{STEP}..."


def _annotated(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for one in node.body:
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
            yield one.target.id, ast.unparse(one.annotation)


def _decorators(node: Function | ast.ClassDef) -> list[str]:
    return [f"@{ast.unparse(one)}" for one in node.decorator_list]


def _function(node: Function, types: Mapping[str, str], limit: int) -> list[str]:
    """The head of a function, with what is known where nobody states a type."""
    result = ast.unparse(node.returns) if node.returns is not None else annotation(types.get(RETURN, ""))
    word = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    parameters = ", ".join(_parameters(node.args, types))
    head = f"{word} {node.name}({parameters}){f' -> {result}' if result else ''}{EMPTY_BODY}"
    lines = fit_lines("", head, limit).removesuffix(EMPTY_BODY).splitlines()
    return [*_decorators(node), *lines[:-1], f"{lines[-1]}: ..."]


def _parameters(arguments: ast.arguments, types: Mapping[str, str]) -> Iterator[str]:
    plain = [*arguments.posonlyargs, *arguments.args]
    required = len(plain) - len(arguments.defaults)
    for index, one in enumerate(plain):
        yield _parameter(one, types, index >= required)
        if index + 1 == len(arguments.posonlyargs):
            yield "/"
    if arguments.vararg is not None or arguments.kwonlyargs:
        yield f"*{_parameter(arguments.vararg, {}) if arguments.vararg is not None else ''}"
    for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield _parameter(one, types, default is not None)
    if arguments.kwarg is not None:
        yield f"**{_parameter(arguments.kwarg, {})}"


def _parameter(node: ast.arg, types: Mapping[str, str], has_default: bool = False) -> str:
    type_ = ast.unparse(node.annotation) if node.annotation is not None else annotation(types.get(node.arg, ""))
    if not type_:
        return f"{node.arg}=..." if has_default else node.arg
    return f"{node.arg}: {type_} = ..." if has_default else f"{node.arg}: {type_}"


def annotation(statement: str) -> str:
    """The annotation that comes nearest to a type as pragmas spell it; nothing for nothing."""
    parts = dict.fromkeys(_alternative(part.strip()) for part in statement.split("|") if part.strip())
    return " | ".join(sorted(parts, key=lambda part: part == "None"))


def _alternative(part: str) -> str:
    name, bracket, _ = part.partition("[")
    if not bracket:
        return name if name in PYTHON else f"np.{_dtype(name)}"
    dtype = "" if name in FAMILIES and name not in ABSTRACT else _dtype(name)
    return f"NDArray[np.{dtype}]" if dtype and name not in ("array", "ndarray", "generic") else "NDArray[Any]"


def _dtype(name: str) -> str:
    return "bool_" if re.fullmatch(r"bool_?", name) else name
