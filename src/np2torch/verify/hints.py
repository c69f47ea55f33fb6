"""Hints about parameters in the text of a function: comparisons, calls, subscripts and counts."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from np2torch.verify.calls import SETTING
from np2torch.verify.shape_hints import shapes_by_use

LINE = re.compile(r"\W*(?:param\s+)?`*(\w+)`*\W*(\w*)")
SIZE = r"(?:[1-9]|[A-Za-z]|n_\w+)"
SHAPE = re.compile(rf"\(\s*({SIZE}\s*,(?:\s*{SIZE}(?:\s*,\s*{SIZE})?)?)\s*\)")
ROWS = re.compile(rf"\(\s*\.\.\.\s*,\s*({SIZE}(?:\s*,\s*{SIZE})?)\s*\)")
"""The last sizes of arrays with any number of axes before them: `(..., 3)`."""
BEFORE = ("", "n,", "k,n,")
RANK = re.compile(r"\b([123])[- ]?[dD][- ](?:numpy[. ])?(?:nd)?(?:array|matrix|sequence)")
"""A number of axes in documentation: `x : 2d array`; a 3D point is something else."""
AXES = {"1": "n", "2": "n,m", "3": "k,n,m"}
MOST_SHAPES = 3
MOST_SIZE = 12
REMAINDER, PRODUCT, SINGLE = "%", "@", "float32"
OPERATORS: dict[type[ast.operator], str] = {ast.Mod: REMAINDER, ast.MatMult: PRODUCT}
ARRAY_ATTRIBUTES = frozenset(("shape", "ndim", "dtype", "size", "T", "astype", "reshape", "ravel", "flatten", "copy"))
DRAWING = frozenset((
    "random", "uniform", "normal", "standard_normal", "rand", "randn", "randint", "integers", "random_sample", "choice",
    "permutation", "shuffle", "exponential", "multivariate_normal", "poisson", "binomial", "beta", "gamma",
))  # fmt: skip
"""Methods of generators of random numbers."""
TEXT = frozenset((
    "lower", "upper", "title", "capitalize", "startswith", "endswith", "split", "rsplit", "splitlines", "strip",
    "lstrip", "rstrip", "find", "rfind", "replace", "isdigit", "isalpha", "isnumeric", "zfill", "encode",
))  # fmt: skip
"""Methods that text has, and no array or container."""
OF_TEXT = re.compile(r"\W*(?:param\s+)?`*(\w+)`*\s*:\s*(?:str|string)\b")
"""A line of documentation that says a parameter is text."""
LABELS = "labels"
LABELLING = frozenset(("unique", "bincount", "Counter", "set", "value_counts"))
"""Functions of labels: of few values, each for many items."""
PARAMETER = re.compile(r"\W*(?:param\s+)?`*(\w+)`*\s*(?:\([^)]*\))?\s*:")
"""A line of documentation that begins what is said of a parameter."""
QUOTED = re.compile(r"(?<![\w'\"`])['\"`]{1,2}([A-Za-z][\w-]*)['\"`]{1,2}(?![\w'\"`])")
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
DECORATED = {"setter": SETTING, "deleter": "~"}
"""Decorators of functions beside a property, and what their names end in."""
COUNTED = frozenset(("range", "zeros", "ones", "eye", "empty", "arange", "linspace", "full"))


class Hints(NamedTuple):
    """The hints about one parameter from its use.

    Attributes
    ----------
    words
        Strings it is compared with.
    numbers
        Integers it is compared with.
    uses
        "called", "indexed", "array", "counted", "iterated", "computed", "text", "drawn from", "labels",
        "asked str" and its like, of types that `isinstance` names.
    shapes
        Shapes that its documentation and messages of errors name beside it: `N,3`.
    used
        Shapes that it is used as if it had.
    """

    words: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    uses: frozenset[str] = frozenset()
    shapes: tuple[str, ...] = ()
    used: tuple[str, ...] = ()


class Body(NamedTuple):
    """The hints about a function from its text."""

    parameters: dict[str, Hints]
    sizes: tuple[int, ...]
    """Small integers in it: sizes that it may ask for."""
    names: frozenset[str]
    """Attributes that are read, as of modules, what is imported of them, and `%` and `@` where they are operators."""
    offsets: tuple[float, ...] = ()
    """Floats in it, which may be added to a bound."""
    words: tuple[str, ...] = ()
    """Strings that something in it is compared with."""
    floats: tuple[float, ...] = ()
    """Floats in it and in all code that it comes to."""
    passes: tuple[tuple[str, str, int], ...] = ()
    """Names that it passes on as they are, each with the function that takes it, and its place there."""


def hints(tree: ast.AST) -> Body:
    """Read a function, or a class with it."""
    words: dict[str, list[str]] = {}
    numbers: dict[str, list[int]] = {}
    valued: dict[str, dict[str, list[Any]]] = {"word": words, "number": numbers, "documented": {}}
    uses: dict[str, set[str]] = {}
    shapes: dict[str, list[str]] = {}
    sizes: list[int] = []
    offsets: list[float] = []
    names: set[str] = set()
    compared: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and type(node.value) is int and 0 < node.value <= MOST_SIZE:
            sizes.append(node.value)
        if isinstance(node, ast.Constant) and type(node.value) is float and node.value:
            offsets.append(node.value)
        compared += _compared(node)
        for name, shape in _shapes(node):
            shapes.setdefault(name, []).append(shape)
        if isinstance(node, ast.Attribute):
            names.add(node.attr)
        elif isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in OPERATORS:
            names.add(OPERATORS[type(node.op)])
        elif isinstance(node, ast.ImportFrom):
            names.update(one.name for one in node.names)
        elif isinstance(node, ast.Constant) and node.value in (SINGLE, "f4"):
            names.add(SINGLE)
        for name, use, value in _uses(node):
            if use in valued:
                valued[use].setdefault(name, []).append(value)
            else:
                uses.setdefault(name, set()).add(use)
    compared += itertools.chain.from_iterable(words.values())
    _add_documented(words, valued["documented"], uses)
    for name in _labels(tree):
        uses.setdefault(name, set()).add(LABELS)
    used = shapes_by_use(tree)
    known = words.keys() | numbers.keys() | uses.keys() | shapes.keys() | used.keys()
    parameters = {
        name: Hints(
            tuple(dict.fromkeys(words.get(name, ()))), tuple(dict.fromkeys(numbers.get(name, ()))),
            frozenset(uses.get(name, ())), tuple(dict.fromkeys(shapes.get(name, ())))[:MOST_SHAPES],
            tuple(used.get(name, ())),
        )
        for name in known
    }  # fmt: skip
    return Body(
        parameters, tuple(dict.fromkeys(sizes)), frozenset(names), tuple(dict.fromkeys(offsets)),
        tuple(dict.fromkeys(compared)), passes=tuple(dict.fromkeys(_passes(tree))),
    )  # fmt: skip


def _add_documented(words: dict[str, list[str]], documented: dict[str, list[str]], uses: dict[str, set[str]]) -> None:
    """Add what documentation names of parameters that it says are text, or that text is asked of."""
    for name in documented.keys() & {name for name, found in uses.items() if "text" in found}:
        words.setdefault(name, []).extend(documented[name])


def _passes(tree: ast.AST) -> Iterator[tuple[str, str, int]]:
    """Names that are arguments of functions by position."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            named = [(place, one.id) for place, one in enumerate(node.args) if isinstance(one, ast.Name)]
            yield from ((name, node.func.id, place) for place, name in named)


def _labels(tree: ast.AST) -> Iterator[str]:
    """Names whose distinct values are asked for, or that are compared with what a loop goes over."""
    loops = [one.target for one in ast.walk(tree) if isinstance(one, (ast.For, ast.comprehension))]
    turns = {one.id for target in loops for one in ast.walk(target) if isinstance(one, ast.Name)}
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[ast.Name(id=own), *_]):
                yield from [own] * (name in LABELLING)
            case ast.Compare(left=ast.Name(id=own), ops=[ast.Eq()], comparators=[ast.Name(id=other)]):
                yield from [one for one, two in ((own, other), (other, own)) if two in turns and one not in turns]


def _shapes(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Names at the beginning of lines of text, and shapes the lines name: `x : array of shape (N, 3)`, `(..., 3)`."""
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
        return
    for line in node.value.splitlines():
        match = LINE.match(line)
        if match is None:
            continue
        named = [shape[1] for shape in SHAPE.finditer(line)]
        named += [f"{axes}{shape[1]}" for shape in ROWS.finditer(line) for axes in BEFORE]
        named = named or [AXES[rank[1]] for rank in RANK.finditer(line)]
        for shape in named:
            parts = [part.strip() for part in shape.split(",")]
            names = {match[1], f"{match[1]}_{match[2]}".lower()}
            yield from ((name, ",".join(filter(None, parts))) for name in sorted(names))


def _compared(node: ast.AST) -> list[str]:
    """The strings that a comparison names."""
    sides = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
    return [one for side in sides for one in _constants(side) if isinstance(one, str)]


def _uses(node: ast.AST) -> Iterator[tuple[str, str, Any]]:
    match node:
        case ast.Compare(left=left, comparators=comparators):
            operands = [left, *comparators]
            for name in filter(None, map(_name, operands)):
                for value in [one for operand in operands for one in _constants(operand)]:
                    if isinstance(value, str):
                        yield name, "word", value
                    elif type(value) is int:
                        yield name, "number", value
        case ast.Call(func=ast.Name(id=name), args=args):
            yield name, "called", None
            if name in COUNTED:
                yield from ((one, "counted", None) for one in filter(None, map(_name, args)))
            if name == "isinstance" and len(args) == 2:
                yield from ((_name(args[0]), f"asked {kind}", None) for kind in _type_names(args[1]) if _name(args[0]))
        case ast.Call(func=ast.Attribute(value=ast.Name(), attr=attribute), args=args):
            use = "counted" if attribute in COUNTED else "array"
            yield from ((one, use, None) for one in filter(None, map(_name, args[:1])))
        case _:
            yield from _other_uses(node)


def _type_names(node: ast.expr) -> Iterator[str]:
    """Give the names of the types that `isinstance` is asked for."""
    for one in node.elts if isinstance(node, ast.Tuple) else [node]:
        yield one.attr if isinstance(one, ast.Attribute) else _name(one)


def _other_uses(node: ast.AST) -> Iterator[tuple[str, str, Any]]:
    """Yield the uses of names in subscripts, attributes, loops and operators."""
    match node:
        case ast.Constant(value=str(text)):
            found = map(OF_TEXT.match, text.splitlines())
            yield from ((match[1], "text", None) for match in found if match is not None)
            yield from _documented_words(text)
        case ast.Subscript(value=ast.Name(id=name), slice=index):
            yield name, "indexed", None
            if isinstance(index, ast.Name):
                yield index.id, "counted", None
        case ast.Subscript(value=ast.Dict(keys=keys), slice=ast.Name(id=name)):
            yield from _words(name, [one for key in keys if key is not None for one in _constants(key)])
        case ast.Attribute(value=ast.Name(id=name), attr=attribute):
            yield from ((name, use, None) for use in _uses_of(attribute))
        case ast.For(iter=ast.Name(id=name)) | ast.comprehension(iter=ast.Name(id=name)):
            yield name, "iterated", None
        case ast.Match(subject=ast.Name(id=name), cases=cases):
            constants = [one for case in cases for one in ast.walk(case.pattern) if isinstance(one, ast.Constant)]
            yield from _words(name, [one.value for one in constants])
        case _:
            yield from _operands(node)


def _documented_words(text: str) -> Iterator[tuple[str, str, Any]]:
    """Yield the words in quotes that documentation of several lines says a parameter may be: not those of examples."""
    name, depth = "", 0
    for line in text.splitlines() if "\n" in text else ():
        begins = PARAMETER.match(line)
        own = len(line) - len(line.lstrip())
        if not line.strip() or line.lstrip().startswith((">>>", "...", "def ")):
            continue
        if begins is not None and (not name or own <= depth):
            name, depth = begins[1], own
        elif own < depth or own == depth and begins is None and line.lstrip()[:1].isupper():
            name = ""
        yield from ((name, "documented", word) for word in QUOTED.findall(line) if name)


def _words(name: str, values: Iterable[Any]) -> Iterator[tuple[str, str, Any]]:
    """Yield the words that a parameter is compared with."""
    yield from ((name, "word", value) for value in values if isinstance(value, str))


def _uses_of(attribute: str) -> Iterator[str]:
    """Give the uses that reading an attribute shows of its owner."""
    yield "array" if attribute in ARRAY_ATTRIBUTES else "read"
    if attribute in DRAWING:
        yield "drawn from"
    if attribute in TEXT:
        yield "text"


def _operands(node: ast.AST) -> Iterator[tuple[str, str, Any]]:
    match node:
        case ast.BinOp(left=left, right=right):
            yield from ((one, "computed", None) for one in filter(None, map(_name, (left, right))))


def _name(node: ast.expr) -> str:
    """The parameter that an expression is, or asks a method of text; or makes a number of."""
    match node:
        case ast.Name(id=name) | ast.Call(func=ast.Name(id="int" | "float" | "abs"), args=[ast.Name(id=name)]):
            return name
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="lower" | "upper" | "strip")):
            return name
    return ""


def _constants(node: ast.expr) -> list[Any]:
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return [value for one in node.elts for value in _constants(one)]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return [-value for value in _constants(node.operand) if type(value) in (int, float)]
    return [node.value] if isinstance(node, ast.Constant) else []


def node_of(tree: ast.Module, dotted: str) -> ast.AST | None:
    """The definition of a function or class; the name of what sets a property ends in `=`."""
    body: list[ast.stmt] = tree.body
    found: ast.AST | None = None
    for part in dotted.split("."):
        inner = [one for stmt in body for one in _flat(stmt)]
        named = [one for one in inner if isinstance(one, DEFINITIONS) and one.name + _setting(one) == part]
        if not named:
            return None
        found = named[-1]
        body = named[-1].body
    return found


def _setting(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> str:
    """Give what the name of what sets or deletes a property ends in."""
    decorators = [ast.unparse(one).rpartition(".")[2] for one in node.decorator_list]
    return next((DECORATED[one] for one in decorators if one in DECORATED), "")


def reachable_lines(node: ast.AST | None) -> frozenset[int]:
    """The lines of a function where its statements begin, those of functions within it left out, and what raises."""
    body = [one for one in getattr(node, "body", ()) if not _is_text(one)]
    found: set[int] = set()
    waiting: list[ast.AST] = list(body)
    while waiting:
        one = waiting.pop()
        if isinstance(one, (*DEFINITIONS, ast.Raise, ast.Global, ast.Nonlocal)):
            continue
        if isinstance(one, ast.stmt) and not isinstance(one, ast.Try):
            found.add(one.lineno)
        waiting += [child for child in ast.iter_child_nodes(one) if not isinstance(child, ast.expr)]
    return frozenset(found)


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _flat(stmt: ast.stmt) -> Iterator[ast.stmt]:
    yield stmt
    if isinstance(stmt, (ast.If, ast.Try)):
        for inner in [*stmt.body, *stmt.orelse]:
            yield from _flat(inner)
