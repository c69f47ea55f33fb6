"""Functions of the old tree and their counterparts in the new one, found in the text: nothing is imported here."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

from np2torch.verify.calls import SETTING
from np2torch.verify.children import Place

TESTS = ("test_*.py", "*_test.py", "conftest.py", "setup.py")
NOT_CODE = frozenset(
    ("tests", "test", "site-packages", "node_modules", "build", "dist", ".git", ".venv", "venv", "__pycache__")
)
SPECIAL = ("__call__", "__getitem__", "__len__", "__add__", "__sub__", "__mul__", "__matmul__", "__eq__", "__iter__")
STATIC = ("staticmethod", "classmethod")


class Parameter(NamedTuple):
    """One parameter as it stands in the text."""

    name: str
    kind: str
    """"positional" for one that may be passed by position, "keyword", "*" or "**"."""
    default: str | None
    annotation: str


class Function(NamedTuple):
    """A function or a method of a module.

    Attributes
    ----------
    owner
        The class, empty for a function.
    constructor
        The parameters of the class, where the method is called on an object of it.
    """

    name: str
    owner: str
    line: int
    last_line: int
    parameters: tuple[Parameter, ...]
    constructor: tuple[Parameter, ...] | None = None
    why_not: str = ""
    """Why it cannot be called from outside."""


class Pair(NamedTuple):
    """A module on both sides, its functions, and those that only one side has."""

    old: Place
    new: Place
    relative: str
    functions: tuple[Function, ...]
    missing: tuple[str, ...]


def is_test(path: Path) -> bool:
    """Tell whether a file is one of tests, by its name and folders."""
    return any(fnmatch(path.name, pattern) for pattern in TESTS) or bool(NOT_CODE & set(path.parts[:-1]))


def place_of(path: Path) -> Place:
    """Give the folder and the name by which a file is imported: below the first folder that is no package."""
    path = Path(os.path.abspath(path))
    parts = [path.stem] if path.stem != "__init__" else []
    root = path.parent
    while (root / "__init__.py").is_file():
        parts.insert(0, root.name)
        root = root.parent
    return Place(root, ".".join(parts), None if root != path.parent else path)


def pairs(old: Path, new: Path) -> Iterator[Pair]:
    """The modules of two files, or of two folders by the same relative paths."""
    if old.is_file():
        yield _pair(old, new, old.name)
        return
    for path in sorted(old.rglob("*.py")):
        relative = path.relative_to(old)
        if is_test(relative):
            continue
        yield _pair(path, new / relative, str(relative))


def _pair(old: Path, new: Path, relative: str) -> Pair:
    before = functions(old)
    after = {_dotted(one) for one in functions(new)} if new.is_file() else set()
    known = tuple(one for one in before if _dotted(one) in after)
    missing = tuple(_dotted(one) for one in before if _dotted(one) not in after)
    return Pair(place_of(old), place_of(new), relative, known, missing)


def _dotted(function: Function) -> str:
    return f"{function.owner}.{function.name}" if function.owner else function.name


def functions(path: Path) -> list[Function]:
    """The functions and methods of a file in order; none where it cannot be parsed."""
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError, OSError):
        return []
    found: dict[str, Function] = {}
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    for function in _of_body(tree.body, None, classes):
        found[_dotted(function)] = function  # the last definition is the one that counts
    return list(found.values())


def _of_body(
    body: Sequence[ast.stmt], owner: ast.ClassDef | None, classes: Mapping[str, ast.ClassDef]
) -> Iterator[Function]:
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if owner is None:
                yield _function(node)
            elif not node.name.startswith("__") or node.name in SPECIAL:
                yield _method(node, owner, classes)
        elif isinstance(node, ast.ClassDef) and owner is None:
            yield from _of_body(node.body, node, classes)
        elif isinstance(node, (ast.If, ast.Try)):
            yield from _of_body([*node.body, *node.orelse], owner, classes)


def _function(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Function:
    return Function(node.name, "", _first_line(node), node.end_lineno or node.lineno, _parameters(node.args))


def _method(
    node: ast.FunctionDef | ast.AsyncFunctionDef, owner: ast.ClassDef, classes: Mapping[str, ast.ClassDef]
) -> Function:
    decorators = [ast.unparse(one).rpartition(".")[2] for one in node.decorator_list]
    static = next((one for one in decorators if one in STATIC), "")
    parameters = _parameters(node.args)
    parameters = parameters if static == "staticmethod" else parameters[1:]
    if "property" in decorators or "cached_property" in decorators:
        parameters = ()
    line, last = _first_line(node), node.end_lineno or node.lineno
    if static:
        return Function(node.name, owner.name, line, last, parameters)
    name = node.name + SETTING * ("setter" in decorators)
    why = "a deleter" if "deleter" in decorators else ""
    return Function(name, owner.name, line, last, parameters, _constructor(owner, classes), why)


def makers(node: ast.ClassDef) -> Iterator[Function]:
    """The calls that may make an object of a class: of the class itself, and of its methods that need no object."""
    yield Function(node.name, "", node.lineno, node.end_lineno or node.lineno, _constructor(node, {}))
    for one in _of_body(node.body, node, {}):
        if one.constructor is None:
            yield one._replace(name=_dotted(one), owner="")


def _first_line(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return min([node.lineno, *(one.lineno for one in node.decorator_list)])


def _constructor(owner: ast.ClassDef, classes: Mapping[str, ast.ClassDef]) -> tuple[Parameter, ...]:
    """The parameters of a class: of its `__init__` or `__new__`, the fields of a dataclass, or what its bases take."""
    own = {node.name: node for node in owner.body if isinstance(node, ast.FunctionDef)}
    if (maker := own.get("__init__") or own.get("__new__")) is not None:
        return _parameters(maker.args)[1:]
    if any("dataclass" in ast.unparse(one) for one in owner.decorator_list):
        fields = [node for node in owner.body if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)]
        return tuple(
            Parameter(
                ast.unparse(one.target),
                "positional",
                ast.unparse(one.value) if one.value else None,
                ast.unparse(one.annotation),
            )
            for one in fields
        )
    others = {name: node for name, node in classes.items() if node is not owner}
    bases = [others[name] for base in owner.bases if (name := ast.unparse(base)) in others]
    return next((found for base in bases if (found := _constructor(base, others))), ())


def _parameters(args: ast.arguments) -> tuple[Parameter, ...]:
    plain = [*args.posonlyargs, *args.args]
    defaults: list[ast.expr | None] = [None] * (len(plain) - len(args.defaults)) + list(args.defaults)
    found = [_parameter(one, "positional", default) for one, default in zip(plain, defaults, strict=True)]
    if args.vararg is not None:
        found.append(_parameter(args.vararg, "*", None))
    for one, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        found.append(_parameter(one, "keyword", default))
    if args.kwarg is not None:
        found.append(_parameter(args.kwarg, "**", None))
    return tuple(found)


def _parameter(node: ast.arg, kind: str, default: ast.expr | None) -> Parameter:
    annotation = ast.unparse(node.annotation) if node.annotation is not None else ""
    return Parameter(node.arg, kind, None if default is None else ast.unparse(default), annotation)
