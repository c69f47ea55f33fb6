"""Evidence from people and from use: statements for the analyser, annotations, docstrings, how a name is used.

Evidence fills in what is unknown, the whole value, its dtype or its rank. It never replaces what was found.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from np2torch.facts import (
    counts,
    docstrings,
    dtype_uses,
    function_uses,
    generator_uses,
    masks,
    object_uses,
    text_uses,
)
from np2torch.facts import values as v
from np2torch.facts.annotations import INTEGER, NUMBER, Names, of_annotation
from np2torch.facts.docstrings import NUMBER as DOCUMENTED
from np2torch.facts.kept_parameters import asked_names
from np2torch.facts.lookalikes import NO_LOOKALIKES, Lookalikes
from np2torch.names.resolve import members
from np2torch.names.tree import Nodes, called_name, dotted_name, is_of_self, named_parameters
from np2torch.names.tree import walk as tree_walk

RETURN = "return"
"""The name evidence of a function's result goes by; no parameter can have it."""
STUB, ANNOTATION, DOCSTRING = "stub", "annotation", "docstring"
"""The kinds of source that a stub file, an annotation and a docstring are."""
TRACE = "trace"
"""The kind of source that a recorded run is: weaker than what people write in the code, stronger than docstrings."""
ARRAY_ATTRIBUTES = frozenset(
    "shape ndim dtype astype reshape ravel flatten argmax argmin argsort cumsum nonzero strides itemsize swapaxes "
    "squeeze transpose T mT flat tobytes searchsorted cumprod".split()
)
OLD_MEMBERS = frozenset({"itemset", "newbyteorder", "ptp", "tostring"})
"""Methods that arrays had before NumPy 2."""
MAKERS = frozenset("array asarray asanyarray ascontiguousarray asfarray atleast_1d atleast_2d atleast_3d".split())
"""Functions that make arrays of what is none."""
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
OF_TEXT = frozenset("__getattr__ __getattribute__ __setattr__ __delattr__ __format__".split())
"""Methods that Python gives text: the name of an attribute, a format. A module has the first too."""
MAYBE_DTYPE = v.join(v.TOP, v.one(v.DType()))
"""A dtype or a scalar class, or what else names one."""
PATH = v.join(v.TEXT, v.OPAQUE)
"""A path: text, or an object of `pathlib`."""
TESTS = ("isinstance", "hasattr", "callable", "issubclass", "type")


@dataclass(frozen=True, slots=True)
class Source:
    """The source of a piece of evidence: its kind, its line, and its words."""

    kind: str
    line: int
    text: str
    fact: v.Fact
    floats: bool = False
    """Whether it only says that a float is accepted."""
    decides: bool = True
    """Whether it states all the possible values; what a trace saw of a library does not, nor that it is an object."""


@dataclass(eq=False, slots=True)
class Evidence:
    """The statements about one name, strongest source first.

    Attributes
    ----------
    fact
        What the sources say together: each fills in what those before it leave open.
    found
        What the analysis found by itself wherever the evidence was asked for.
    """

    sources: tuple[Source, ...]
    fact: v.Fact = v.BOTTOM
    found: v.Fact = v.BOTTOM
    _passed: dict[tuple[v.Fact, bool], v.Fact] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        for source in self.sources:
            if source.fact and source.decides:
                self.fact = fill_unknown(self.fact, source.fact) if self.fact else source.fact

    @property
    def trace_fact(self) -> v.Fact:
        """Give what traces saw."""
        return v.join(v.BOTTOM, *(source.fact for source in self.sources if source.kind == TRACE))

    @property
    def states_number(self) -> bool:
        """Tell whether an annotation or the documentation says that it is a number."""
        first = self.sources[0] if self.sources else None
        return first is not None and first.kind in (ANNOTATION, DOCSTRING) and first.fact in (NUMBER, DOCUMENTED)

    def says(self, *words: str) -> bool:
        """Tell whether one of its sources has some of these words."""
        return any(source.text in words for source in self.sources)

    def settle(self, fact: v.Fact) -> v.Fact:
        """A fact with what is unknown in it filled in."""
        self.found = v.join(self.found, fact)
        return fill_unknown(fact, self.fact) if self.fact else fact

    def passed_fact(self, fact: v.Fact, is_open: bool = False) -> v.Fact:
        """Give the fact of what is passed; for a parameter stated to be a float, unseen callers pass more than ints.

        To an open function unseen callers pass arrays too: nobody checks the hint.
        """
        known = self._passed.get((fact, is_open))
        if known is None:
            integers = any(isinstance(atom, v.Num) and atom.type == "int" for atom in fact)
            floats = any(isinstance(atom, v.Num) and atom.type == "float" for atom in self.fact)
            floats = floats or any(source.floats for source in self.sources)
            settled = self.settle(fact)
            known = v.join(settled, v.one(v.Num("float"))) if integers and floats else settled
            unseen = is_open and v.known_to_include(fact, "unknown")
            if unseen and self.states_number:
                known = v.join(known, v.ARRAY)
            self._passed[fact, is_open] = known
        return known

    def contradictions(self) -> v.Fact:
        """The alternatives found that a statement of the user's rules out."""
        said = next((s.fact for s in self.sources if s.kind in ("pragma", "setting")), None)
        return v.BOTTOM if said is None else v.keep(self.found, lambda atom: not covers(said, atom))


def covers(said: v.Fact, atom: v.Atom) -> bool:
    """Tell whether a value that was found may be one of those stated."""
    if isinstance(atom, (v.Top, v.Nothing)) or v.known_to_include(said, "unknown"):
        return True
    for other in said:
        if isinstance(atom, v.Array) and isinstance(other, v.Array):
            dtypes = atom.dtypes is None or other.dtypes is None or atom.dtypes <= other.dtypes
            return dtypes and (atom.ranks is None or other.ranks is None or atom.ranks <= other.ranks)
        if isinstance(atom, v.Scalar) and isinstance(other, v.Scalar):
            return atom.dtypes is None or other.dtypes is None or atom.dtypes <= other.dtypes
        if isinstance(atom, v.Num) and isinstance(other, v.Num):
            if atom.type == other.type or (atom.type, other.type) == ("int", "float"):
                return True
        elif atom.kind == other.kind:
            return True
    return False


def fill_unknown(fact: v.Fact, said: v.Fact) -> v.Fact:
    """A fact with its unknown parts taken from what is said: the alternative "anything", a dtype, a rank."""
    for atom in fact:
        if said and _is_open(atom):
            break
    else:
        return fact
    unknown = any(isinstance(atom, v.Top) for atom in fact)
    stated = {atom.kind: atom for atom in said}
    parts = [v.one(_filled(atom, stated.get(atom.kind))) for atom in fact if not isinstance(atom, v.Top)]
    return v.join(*parts, said) if unknown else v.join(*parts) if parts else fact


def _is_open(atom: v.Atom) -> bool:
    """Tell whether it has something unknown that can be filled in."""
    if isinstance(atom, v.Array):
        return atom.dtypes is None or atom.ranks is None
    return isinstance(atom, v.Top) or isinstance(atom, v.Scalar) and atom.dtypes is None


def _filled(atom: v.Atom, said: v.Atom | None) -> v.Atom:
    if isinstance(atom, v.Array) and isinstance(said, v.Array):
        dtypes = said.dtypes if atom.dtypes is None else atom.dtypes
        return v.Array(dtypes, said.ranks if atom.ranks is None else atom.ranks)
    if isinstance(atom, v.Scalar) and isinstance(said, v.Scalar) and atom.dtypes is None:
        return v.Scalar(said.dtypes, atom.python)
    return atom


# --------------------------------------------------------------------------------------- functions and classes
Stated = Mapping[ast.AST, Evidence]
"""The evidence from pragmas, settings and type comments, by the node it is about."""


def of_function(
    node: ast.AST, nodes: Nodes, stated: Stated, names: Names, others: Lookalikes = NO_LOOKALIKES
) -> dict[str, Evidence]:
    """All the evidence about a function's parameters and its result; `nodes` are those of `node`.

    What is used as arrays are is one where the project has no masked arrays (`others`).
    """
    sources: dict[str, list[Source]] = {}
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        for argument in named_parameters(node):
            _add(sources, argument.arg, *_ranked(stated, argument, argument.annotation, names))
        _add(sources, RETURN, *_ranked(stated, node, node.returns, names))
        for name, source in (*_documented(node, nodes, names), *_given_by_python(node)):
            _add(sources, name, [source])
    stated_whole = {name for name, said in sources.items() if said[0].fact == INTEGER}
    arrays = of_use(nodes)
    for name, line in arrays.items() if not others.masked else ():
        _add(sources, name, [Source("use", line, "used as only arrays are", v.ARRAY)])
    used = [(name, line, words, v.INT) for name, line, words in counts.said_by(node, nodes, stated_whole)]
    used += [(name, line, "used as only paths are", PATH) for name, line in _paths(nodes).items()]
    for name, line, words, fact in used:
        if name not in arrays:
            _add(sources, name, [Source("use", line, words, fact)])
    objects = object_uses.said_by(node, nodes, others.items)
    for name, line, words, fact in (*generator_uses.said_by(nodes), *function_uses.said_by(nodes), *objects):
        _add(sources, name, [Source("use", line, words, fact or v.OPAQUE, decides=bool(fact))])
    if isinstance(node, FUNCTIONS):
        dtypes = dtype_uses.used_as_dtypes(nodes)
        for argument in named_parameters(node):
            if (line := dtypes.get(argument.arg) or dtype_uses.is_called_dtype(argument.arg) and argument.lineno):
                _add(sources, argument.arg, [Source("use", line, "used as a dtype", MAYBE_DTYPE)])
    return {name: Evidence(tuple(found)) for name, found in sources.items()}


def _documented(
    node: ast.FunctionDef | ast.AsyncFunctionDef, nodes: Nodes, names: Names
) -> Iterator[tuple[str, Source]]:
    """Give what the docstring says of parameters and of the result."""
    text = ast.get_docstring(node, clean=False) or ""
    documented = docstrings.entries(text, "parameters", names)
    made = _made_arrays(nodes) if documented else set()
    several = _only_passed_to_numpy(nodes) | _tested(nodes, ()) if documented else set()
    if not any(v.known_to_include(entry.fact, "array") for entry in documented.values()):
        documented = {name: entry._replace(fact=_alone(entry.fact)) for name, entry in documented.items()}
    for name, entry in documented.items():
        if entry.fact and name in made or name in several and v.known_to_include(entry.fact, "array"):
            entry = entry._replace(fact=v.join(v.TOP, entry.fact))  # "ndarray", and lists are taken too
        yield name, _docstring(node, entry)
    if (result := docstrings.documented_result(text, names)) is not None:
        yield RETURN, _docstring(node, result)


def _given_by_python(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[tuple[str, Source]]:
    """Give the parameter of a special method that is text."""
    for argument in node.args.args[:2][-1:] if node.name in OF_TEXT else ():
        yield argument.arg, Source("use", node.lineno, "text, by Python's data model", v.TEXT)


def of_class(node: ast.ClassDef, stated: Stated, names: Names) -> tuple[dict[str, Evidence], dict[ast.AST, Evidence]]:
    """Give a class's evidence: of the parameters of `__init__` by name, of attributes by the places that set them."""
    text = ast.get_docstring(node, clean=False) or ""
    documented = docstrings.entries(text, "parameters", names)
    said = {name: [_docstring(node, entry)] for name, entry in documented.items()}
    nodes = Nodes(node)
    functions = function_uses.said_of_attributes(node, nodes)
    for name, line, words, fact in (*generator_uses.said_of_attributes(node, nodes), *functions):
        _add(said, name, [Source("use", line, words, fact or v.OPAQUE, decides=bool(fact))])
    for name, line, words in counts.said_of_attributes(node, nodes):
        _add(said, name, [Source("use", line, words, v.INT)])
    parameters = {name: Evidence(tuple(found)) for name, found in said.items()}
    sources: dict[str, list[Source]] = {}
    for child in node.body:
        if isinstance(child, ast.AnnAssign) and isinstance(child.target, ast.Name):
            _add(sources, child.target.id, _annotated(child.annotation, names))
    for name, entry in docstrings.entries(text, "attributes", names).items():
        _add(sources, name, [_docstring(node, entry)])
    targets = [target for target in attribute_stores(node) if target.attr in sources] if sources else []
    return parameters, {target: Evidence((*_said(stated, target), *sources[target.attr])) for target in targets}


def attribute_stores(node: ast.ClassDef) -> Iterable[ast.Attribute]:
    """The places in a class that set attributes of `self`."""
    for child in tree_walk(node):
        if isinstance(child, ast.Attribute) and isinstance(child.ctx, ast.Store) and is_of_self(child):
            yield child


def merge_evidence(strong: Mapping[str, Evidence], weak: Mapping[str, Evidence]) -> dict[str, Evidence]:
    """Evidence about the same names from two places."""
    both = {name: Evidence(strong[name].sources + weak[name].sources) for name in strong.keys() & weak.keys()}
    return {**weak, **strong, **both}


def _add(sources: dict[str, list[Source]], name: str, *more: Iterable[Source]) -> None:
    for found in more:
        sources.setdefault(name, []).extend(found)
    if not sources[name]:
        del sources[name]


def _alone(fact: v.Fact) -> v.Fact:
    """Take a NumPy scalar of unknown dtype for float64, where there are no arrays whose dtype it may change."""
    return frozenset(v.Scalar(frozenset({"float64"})) if atom == v.Scalar() else atom for atom in fact)


def _made_arrays(nodes: Nodes) -> set[str]:
    """Names that are made arrays of, which is for what is none yet."""
    calls = [node for node in nodes.of(ast.Call) if node.args and isinstance(node.args[0], ast.Name)]
    makers = [(call.args[0], called_name(call)) for call in calls]
    return {name.id for name, maker in makers if isinstance(name, ast.Name) and maker in MAKERS}


def _only_passed_to_numpy(nodes: Nodes) -> set[str]:
    """Names passed to functions of NumPy, which make arrays of lists, and not used as only arrays are."""
    bound = _first_bindings(nodes)
    calls = (node for node in nodes.of(ast.Call) if (dotted_name(node.func) or "").startswith(("np.", "numpy.")))
    passed = [one for call in calls for one in call.args if isinstance(one, ast.Name)]
    passed = [one for one in passed if one.lineno <= bound.get(one.id, one.lineno)]
    operands = [side for node in nodes.of(ast.BinOp) for side in (node.left, node.right)]
    operands += [side for node in nodes.of(ast.Compare) for side in (node.left, *node.comparators)]
    operands += [node.operand for node in nodes.of(ast.UnaryOp)]
    used = {name for name, _ in _of_parameters([*operands, *_used_as_arrays(nodes, ())], bound)}
    return {one.id for one in passed} - used


def _said(stated: Stated, node: ast.AST) -> tuple[Source, ...]:
    return stated[node].sources if node in stated else ()


def _ranked(stated: Stated, node: ast.AST, annotation: ast.expr | None, names: Names) -> list[list[Source]]:
    """Give what is said of a parameter or a result beside the docstring, strongest first."""
    said = _said(stated, node)
    people = [source for source in said if source.kind != TRACE]
    return [people, [*_annotated(annotation, names)], [source for source in said if source.kind == TRACE]]


def _annotated(annotation: ast.expr | None, names: Names) -> tuple[Source, ...]:
    fact = of_annotation(annotation, names)
    if annotation is None or fact is None:
        return ()
    return (Source(ANNOTATION, annotation.lineno, ast.unparse(annotation), fact),)


def _docstring(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, entry: docstrings.DocstringEntry) -> Source:
    return Source(DOCSTRING, node.body[0].lineno + entry.line, entry.text, entry.fact, entry.floats)


# ----------------------------------------------------------------------------------------------- use and tests
def _expects_another_type(handler: ast.ExceptHandler) -> bool:
    """Tell whether it catches the error of a value without the attribute or operator."""
    caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(c is None or getattr(c, "id", "") in ("AttributeError", "TypeError", "Exception") for c in caught)


def of_use(nodes: Nodes) -> dict[str, int]:
    """Names used as only arrays are used: `.shape`, `@`, tuple subscripts; with the line of the first such use.

    Names whose type is tested are left out, those of which something is read or called that no array has (`x.columns`,
    `x.shape(y)`), and uses whose failure is expected: `try: x.dtype` with an `except`.
    """
    guarded = _guarded(nodes)
    bound = _first_bindings(nodes)
    refuted = {name for name, _ in _of_parameters(_used_otherwise(nodes, guarded), bound)}
    refuted |= _tested(nodes, guarded)
    used = _of_parameters(_used_as_arrays(nodes, guarded), bound)
    return _first_lines((name, line) for name, line in used if name not in refuted)


def _paths(nodes: Nodes) -> dict[str, int]:
    """Names used as only paths are; those whose type is tested are left out, and uses that may fail."""
    guarded, tested = _guarded(nodes), _tested(nodes, ())
    uses = (one for one in text_uses.path_uses(nodes) if one not in guarded)
    found = _of_parameters(uses, _first_bindings(nodes))
    return _first_lines((name, line) for name, line in found if name not in tested)


def _guarded(nodes: Nodes) -> set[ast.AST]:
    """Collect the nodes in a `try` whose failure shows that a value is of another type."""
    return {
        part for node in nodes.of(ast.Try) if any(map(_expects_another_type, node.handlers))
        for statement in node.body for part in ast.walk(statement)
    }  # fmt: skip


def _used_as_arrays(nodes: Nodes, guarded: Container[ast.AST]) -> Iterator[ast.expr]:
    """Find names used as arrays: by an attribute of arrays, by `@`, by a tuple of slices, by masks."""
    for node in nodes.of(ast.Attribute):
        if node.attr in ARRAY_ATTRIBUTES and node not in guarded:
            yield node.value
    for operation in nodes.of(ast.BinOp):
        if _multiplies(operation, guarded):
            yield from (operation.left, operation.right)
    for subscript in nodes.of(ast.Subscript):
        if subscript not in guarded and (_is_sliced(subscript.slice) or masks.is_mask(subscript.slice)):
            yield from (subscript.value, *masks.left_sides(subscript.slice))


def _used_otherwise(nodes: Nodes, guarded: Container[ast.AST]) -> Iterator[ast.expr]:
    """Find names of which an attribute is read or called that no array has."""
    for node in nodes.of(ast.Attribute):
        if node.attr not in ARRAY_ATTRIBUTES and is_of_no_array(node.attr) and node not in guarded:
            yield node.value
    for call in nodes.of(ast.Call):
        if isinstance(call.func, ast.Attribute) and _is_data(call.func.attr) and call not in guarded:
            yield call.func.value


def _tested(nodes: Nodes, guarded: Container[ast.AST]) -> set[str]:
    """Names whose type is tested."""
    return {one.id for call in nodes.of(ast.Call) if call not in guarded for one in asked_names(call, TESTS)}


def _first_lines(uses: Iterable[tuple[str, int]]) -> dict[str, int]:
    """The line of the first use of each name."""
    lines: dict[str, int] = {}
    for name, line in uses:
        lines[name] = min(line, lines.get(name, line))
    return lines


def _first_bindings(nodes: Nodes) -> dict[str, int]:
    """The line where each name is first bound."""
    return _first_lines((name.id, name.lineno) for name in nodes.of(ast.Name) if isinstance(name.ctx, ast.Store))


def _multiplies(node: ast.BinOp, guarded: Container[ast.AST]) -> bool:
    return isinstance(node.op, ast.MatMult) and node not in guarded


def _is_sliced(index: ast.expr) -> bool:
    return isinstance(index, ast.Tuple) and any(isinstance(one, ast.Slice) for one in index.elts)


def _of_parameters(nodes: Iterable[ast.expr], bound: dict[str, int]) -> Iterable[tuple[str, int]]:
    """Names and lines; what a name is after it was bound again says nothing of the parameter."""
    for one in nodes:
        if isinstance(one, ast.Name) and one.lineno < bound.get(one.id, one.lineno + 1):
            yield one.id, one.lineno


@cache
def is_of_no_array(attribute: str) -> bool:
    """Tell whether no array has such an attribute; any object may have the special ones."""
    return f"ndarray.{attribute}" not in members() and attribute not in OLD_MEMBERS and not attribute.startswith("__")


def _is_data(attribute: str) -> bool:
    """Tell whether it is an attribute of arrays that cannot be called."""
    return members().get(f"ndarray.{attribute}") == "attribute"


class Case(NamedTuple):
    """The place where a value of a test's parameter is written.

    Attributes
    ----------
    rows
        Whether the expression holds all the cases, and is iterated over.
    column
        The position of the parameter in a case; None where a case is the value.
    """

    node: ast.expr
    rows: bool = False
    column: int | None = None


def parametrized_cases(node: ast.AST) -> dict[str, list[Case]]:
    """Parameter values of `pytest.mark.parametrize` decorators, and what Hypothesis draws for `given`."""
    found: dict[str, list[Case]] = {}
    calls = [one for one in getattr(node, "decorator_list", ()) if isinstance(one, ast.Call)]
    for decorator in calls:
        called = ast.unparse(decorator.func)
        if called.rpartition(".")[2] == "given":
            found |= _drawn(node, decorator)
        given = [*decorator.args, *(k.value for k in decorator.keywords if k.arg == "argvalues")]
        if not called.endswith("mark.parametrize") or len(given) < 2:
            continue
        names, values = _parameter_names(given[0]), given[1]
        for row in values.elts if isinstance(values, (ast.List, ast.Tuple)) else [ast.Starred(values)]:
            for name, cell in zip(names, _cells(row, len(names)), strict=False):
                found.setdefault(name, []).append(cell)
    return found


def _cells(row: ast.expr, count: int) -> list[Case]:
    """The values of so many parameters in one case, or in many where the cases stand behind a star."""
    if isinstance(row, ast.Starred):
        return [Case(row.value, True, None if count == 1 else at) for at in range(count)]
    if isinstance(row, ast.Call) and ast.unparse(row.func).endswith("param"):
        return [Case(argument) for argument in row.args]
    if count == 1:
        return [Case(row)]
    return [Case(element) for element in row.elts] if isinstance(row, (ast.Tuple, ast.List)) else []


def _drawn(node: ast.AST, given: ast.Call) -> dict[str, list[Case]]:
    """The strategies of `given`, by name or for the last parameters."""
    parameters = [a.arg for a in node.args.args] if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) else []
    named = {keyword.arg: keyword.value for keyword in given.keywords if keyword.arg is not None}
    last = parameters[-len(given.args) :] if given.args else []
    return {name: [Case(one, True)] for name, one in (*zip(last, given.args, strict=False), *named.items())}


def _parameter_names(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [name.strip() for name in node.value.split(",") if name.strip()]
    if isinstance(node, (ast.Tuple, ast.List)):
        return [e.value for e in node.elts if isinstance(e, ast.Constant) and isinstance(e.value, str)]
    return []
