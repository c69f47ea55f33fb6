"""Evidence about parameters that comes from people and from use: annotations, docstrings, how a name is used."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from np2torch.facts import results
from np2torch.facts import values as v

ARRAY_ATTRIBUTES = frozenset(
    "shape ndim dtype astype reshape ravel flatten argmax argmin argsort cumsum nonzero strides itemsize swapaxes "
    "squeeze transpose T mT flat tobytes searchsorted cumprod".split()
)
TESTS = ("isinstance", "hasattr", "callable", "issubclass", "type")

_ARRAY_NAMES = frozenset(
    "np.ndarray numpy.ndarray ndarray npt.NDArray NDArray numpy.typing.NDArray np.typing.NDArray".split()
)
_NUMPYDOC = re.compile(r"^\s*(?P<names>[\w, ]+?)\s*:\s*(?P<type>.+)$")
_GOOGLE = re.compile(r"^\s*(?P<names>\w+)\s*\((?P<type>[^)]*)\)\s*:")
_DIMENSIONS = re.compile(r"\b(\d)\s*-?\s*[dD]\b")
_SHAPE = re.compile(r"(?:shape\s*(?:=|of|:)?\s*|\b)\(([\w\s,+\-*/.]*,[\w\s,+\-*/.]*)\)")


def of_annotation(node: ast.expr | None) -> v.Fact | None:
    """The fact an annotation states; None when it says nothing we use."""
    if node is None:
        return None
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            node = ast.parse(node.value, mode="eval").body
        except SyntaxError:
            return None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        sides = [of_annotation(node.left), of_annotation(node.right)]
        return v.join(*(s for s in sides if s)) if all(sides) else None
    text = ast.unparse(node)
    if text.split("[")[0] in _ARRAY_NAMES:
        dtypes = None
        if isinstance(node, ast.Subscript):
            inner = ast.unparse(node.slice)
            found = [results.tables_name(name) for name in re.findall(r"(?:np|numpy)\.(\w+)", inner)]
            named = [name for name in found if name]
            dtypes = frozenset(named) if len(named) == 1 else None
        return v.one(v.Array(dtypes))
    if isinstance(node, ast.Subscript) and text.split("[")[0] in ("Optional", "typing.Optional"):
        inner_fact = of_annotation(node.slice)
        return v.join(inner_fact, v.NONE) if inner_fact else None
    return {"str": v.TEXT, "None": v.NONE, "bool": v.BOOL, "torch.Tensor": v.OPAQUE, "Tensor": v.OPAQUE}.get(text)


def of_docstring(text: str) -> dict[str, v.Fact]:
    """Array parameters a numpydoc or Google docstring names, with rank where it says one."""
    found: dict[str, v.Fact] = {}
    inside = False
    lines = text.expandtabs().splitlines()
    for number, line in enumerate(lines):
        head = line.strip()
        underlined = number + 1 < len(lines) and set(lines[number + 1].strip()) == {"-"}
        if underlined or head in ("Args:", "Arguments:", "Parameters:"):
            inside = head.rstrip(":") in ("Parameters", "Other Parameters", "Args", "Arguments")
            continue
        if head in ("Returns:", "Raises:", "Yields:", "Example:", "Examples:"):
            inside = False
        match = (_NUMPYDOC.match(line) or _GOOGLE.match(line)) if inside else None
        if match is None:
            continue
        fact = _of_phrase(match["type"])
        if fact is not None:
            for name in match["names"].split(","):
                found[name.strip()] = fact
    return found


def _of_phrase(phrase: str) -> v.Fact | None:
    words = phrase.lower()
    if "ndarray" not in words and "numpy.array" not in words and "np.array" not in words:
        return None
    if any(other in words for other in ("float or", "scalar", " list", "array_like", "array-like", "int or")):
        return None
    if match := _DIMENSIONS.search(phrase):
        return v.array(None, int(match[1]))
    if match := _SHAPE.search(phrase):
        parts = [part for part in match[1].split(",") if part.strip()]
        if "..." not in match[1]:
            return v.array(None, len(parts))
    return v.ARRAY


def of_use(nodes: Sequence[ast.AST]) -> dict[str, v.Fact]:
    """Names used as only arrays are used: `.shape`, `@`, tuple subscripts. Names whose type is tested are left out."""
    ranks: dict[str, int] = {}
    tested: set[str] = set()
    rebound: dict[str, int] = {}
    for child in nodes:
        if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
            rebound[child.id] = min(child.lineno, rebound.get(child.id, child.lineno))
    for child in nodes:
        if isinstance(child, (ast.Attribute, ast.BinOp, ast.Subscript)):
            sides = (child.left, child.right) if isinstance(child, ast.BinOp) else (child.value,)
            if any(isinstance(n, ast.Name) and child.lineno >= rebound.get(n.id, child.lineno + 1) for n in sides):
                continue  # what a name is after it was bound again says nothing of the parameter
        if isinstance(child, ast.Attribute) and isinstance(child.value, ast.Name):
            if child.attr in ARRAY_ATTRIBUTES:
                ranks.setdefault(child.value.id, 0)
        elif isinstance(child, ast.BinOp) and isinstance(child.op, ast.MatMult):
            for side in (child.left, child.right):
                if isinstance(side, ast.Name):
                    ranks.setdefault(side.id, 0)
        elif isinstance(child, ast.Subscript) and isinstance(child.value, ast.Name):
            if isinstance(child.slice, ast.Tuple) and any(isinstance(e, ast.Slice) for e in child.slice.elts):
                ranks.setdefault(child.value.id, 0)
        elif isinstance(child, ast.Call) and isinstance(child.func, ast.Name) and child.func.id in TESTS:
            tested.update(a.id for a in child.args if isinstance(a, ast.Name))
    return {name: v.ARRAY for name in ranks if name not in tested}


def of_function(node: ast.AST, nodes: Sequence[ast.AST]) -> dict[str, v.Fact]:
    """All the evidence about a function's parameters, strongest last so that it wins; `nodes` are all below `node`."""
    found = dict(of_use(nodes))
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        doc = ast.get_docstring(node, clean=False)
        if doc:
            found.update(of_docstring(doc))
        for argument in node.args.posonlyargs + node.args.args + node.args.kwonlyargs:
            stated = of_annotation(argument.annotation)
            if stated is not None:
                found[argument.arg] = stated
    return found


def parametrized(node: ast.AST) -> dict[str, list[ast.expr]]:
    """Parameter values of `pytest.mark.parametrize` decorators."""
    found: dict[str, list[ast.expr]] = {}
    for decorator in getattr(node, "decorator_list", ()):
        if not (isinstance(decorator, ast.Call) and ast.unparse(decorator.func).endswith("mark.parametrize")):
            continue
        if len(decorator.args) < 2 or not isinstance(decorator.args[1], (ast.List, ast.Tuple)):
            continue
        names = _parameter_names(decorator.args[0])
        for row in decorator.args[1].elts:
            if isinstance(row, ast.Call) and ast.unparse(row.func).endswith("param"):
                cells: list[ast.expr] = list(row.args)
            elif len(names) == 1:
                cells = [row]
            else:
                cells = list(row.elts) if isinstance(row, (ast.Tuple, ast.List)) else []
            for name, cell in zip(names, cells, strict=False):
                found.setdefault(name, []).append(cell)
    return found


def _parameter_names(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [name.strip() for name in node.value.split(",") if name.strip()]
    if isinstance(node, (ast.Tuple, ast.List)):
        return [e.value for e in node.elts if isinstance(e, ast.Constant) and isinstance(e.value, str)]
    return []
