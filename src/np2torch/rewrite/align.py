"""Pairing of the abstract tree that the analysis reads with the concrete tree that the rewriting edits.

The facts live on `ast` nodes (small, fast, whole project in memory); the text lives in libcst nodes. Both come from the
same source, so one walk in step pairs them; only statements with something to rewrite are walked.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import libcst as cst

from np2torch.names.tree import walk as tree_walk


class Alignment:
    """`ast` node to libcst node, for the statements walked.

    Parameters
    ----------
    wanted
        Statements with something to rewrite in them; others are passed over.
    """

    def __init__(self, wanted: Callable[[ast.stmt], bool]) -> None:
        self.nodes: dict[ast.AST, cst.CSTNode] = {}
        self.lines: dict[ast.stmt, cst.CSTNode] = {}
        self._wanted = wanted

    # ---------------------------------------------------------------------------------------- statements
    def body(self, abstract: Sequence[ast.stmt], concrete: Any) -> None:
        """Pair a list of statements with a module, block or one-line suite."""
        flat: list[tuple[cst.CSTNode, cst.CSTNode]] = []
        for line in concrete.body:
            if isinstance(line, cst.SimpleStatementLine):
                flat += [(small, line) for small in line.body]
            else:
                flat.append((line, line if not isinstance(concrete, cst.SimpleStatementSuite) else concrete))
        for statement, (node, line) in zip(abstract, flat, strict=True):
            if self._wanted(statement):
                self.lines[statement] = line
                self.statement(statement, node)

    def statement(self, a: ast.stmt, c: Any) -> None:
        """Pair one statement and all below it."""
        self.nodes[a] = c
        handler = STATEMENTS.get(type(a))
        if handler is not None:
            handler(self, a, c)

    # --------------------------------------------------------------------------------------- expressions
    def expression(self, a: ast.expr | None, c: Any) -> None:
        """Pair one expression and all below it."""
        if a is None or c is None:
            return
        self.nodes[a] = c
        handler = EXPRESSIONS.get(type(a))
        if handler is not None:
            handler(self, a, c)

    def each(self, abstract: Iterable[ast.expr], concrete: Iterable[Any]) -> None:
        """Pair expressions one by one."""
        for a, c in zip(abstract, concrete, strict=True):
            self.expression(a, c)

    def parameters(self, a: ast.arguments, c: cst.Parameters) -> None:
        """Pair defaults and annotations of a signature."""
        positional = a.posonlyargs + a.args
        nodes = [*c.posonly_params, *c.params]
        defaults = [None] * (len(positional) - len(a.defaults)) + list(a.defaults)
        for argument, default, node in zip(positional, defaults, nodes, strict=True):
            self._parameter(argument, default, node)
        for argument, kw_default, node in zip(a.kwonlyargs, a.kw_defaults, c.kwonly_params, strict=True):
            self._parameter(argument, kw_default, node)
        if a.vararg is not None and isinstance(c.star_arg, cst.Param):
            self._parameter(a.vararg, None, c.star_arg)
        if a.kwarg is not None and c.star_kwarg is not None:
            self._parameter(a.kwarg, None, c.star_kwarg)

    def _parameter(self, a: ast.arg, default: ast.expr | None, c: cst.Param) -> None:
        self.nodes[a] = c
        self.expression(default, c.default)
        if a.annotation is not None and c.annotation is not None:
            self.expression(a.annotation, c.annotation.annotation)

    def arguments(self, args: Sequence[ast.expr], keywords: Sequence[ast.keyword], nodes: Sequence[cst.Arg]) -> None:
        """Pair the arguments of a call or the bases of a class."""
        rest, named = iter(args), iter(keywords)
        for node in nodes:
            if node.keyword is not None or node.star == "**":
                keyword = next(named)
                self.nodes[keyword] = node
                self.expression(keyword.value, node.value)
            else:
                argument = next(rest)
                if node.star == "*":
                    assert isinstance(argument, ast.Starred)
                    self.nodes[argument] = node
                    self.expression(argument.value, node.value)
                else:
                    self.expression(argument, node.value)


def _function(al: Alignment, a: Any, c: cst.FunctionDef) -> None:
    al.each(a.decorator_list, (d.decorator for d in c.decorators))
    al.parameters(a.args, c.params)
    if a.returns is not None and c.returns is not None:
        al.expression(a.returns, c.returns.annotation)
    al.body(a.body, c.body)


def _class(al: Alignment, a: ast.ClassDef, c: cst.ClassDef) -> None:
    al.each(a.decorator_list, (d.decorator for d in c.decorators))
    al.arguments(a.bases, a.keywords, [*c.bases, *c.keywords])
    al.body(a.body, c.body)


def _assign(al: Alignment, a: ast.Assign, c: cst.Assign) -> None:
    al.each(a.targets, (t.target for t in c.targets))
    al.expression(a.value, c.value)


def _annotated(al: Alignment, a: ast.AnnAssign, c: cst.AnnAssign) -> None:
    al.expression(a.target, c.target)
    al.expression(a.annotation, c.annotation.annotation)
    al.expression(a.value, c.value)


def _augmented(al: Alignment, a: ast.AugAssign, c: cst.AugAssign) -> None:
    al.expression(a.target, c.target)
    al.expression(a.value, c.value)


def _orelse(al: Alignment, a: list[ast.stmt], c: Any) -> None:
    if isinstance(c, cst.If):
        if al._wanted(a[0]):
            al.lines[a[0]] = c
            al.statement(a[0], c)
    elif c is not None:
        al.body(a, c.body)


def _if(al: Alignment, a: ast.If, c: cst.If) -> None:
    al.expression(a.test, c.test)
    al.body(a.body, c.body)
    _orelse(al, a.orelse, c.orelse)


def _for(al: Alignment, a: ast.For, c: cst.For) -> None:
    al.expression(a.target, c.target)
    al.expression(a.iter, c.iter)
    al.body(a.body, c.body)
    _orelse(al, a.orelse, c.orelse)


def _while(al: Alignment, a: ast.While, c: cst.While) -> None:
    al.expression(a.test, c.test)
    al.body(a.body, c.body)
    _orelse(al, a.orelse, c.orelse)


def _with(al: Alignment, a: ast.With, c: cst.With) -> None:
    for item, node in zip(a.items, c.items, strict=True):
        al.expression(item.context_expr, node.item)
        al.expression(item.optional_vars, node.asname.name if node.asname else None)
    al.body(a.body, c.body)


def _try(al: Alignment, a: ast.Try, c: cst.Try) -> None:
    al.body(a.body, c.body)
    for handler, node in zip(a.handlers, c.handlers, strict=True):
        al.expression(handler.type, node.type)
        al.body(handler.body, node.body)
    if c.orelse is not None:
        al.body(a.orelse, c.orelse.body)
    if c.finalbody is not None:
        al.body(a.finalbody, c.finalbody.body)


def _match(al: Alignment, a: ast.Match, c: cst.Match) -> None:
    al.expression(a.subject, c.subject)
    for case, node in zip(a.cases, c.cases, strict=True):
        classes = [one.cls for one in tree_walk(case.pattern) if isinstance(one, ast.MatchClass)]
        classes.sort(key=lambda one: (one.lineno, one.col_offset))
        al.each(classes, _class_patterns(node.pattern))
        al.expression(case.guard, node.guard)
        al.body(case.body, node.body)


def _class_patterns(node: cst.MatchPattern) -> list[cst.BaseExpression]:
    """The classes in a pattern, in the order of the text."""
    found: list[cst.BaseExpression] = []

    class Finder(cst.CSTVisitor):
        def visit_MatchClass(self, node: cst.MatchClass) -> None:
            found.append(node.cls)

    node.visit(Finder())
    return found


def _raise(al: Alignment, a: ast.Raise, c: cst.Raise) -> None:
    al.expression(a.exc, c.exc)
    al.expression(a.cause, c.cause.item if c.cause else None)


def _delete(al: Alignment, a: ast.Delete, c: cst.Del) -> None:
    if len(a.targets) == 1 and not (isinstance(c.target, cst.Tuple) and not isinstance(a.targets[0], ast.Tuple)):
        al.expression(a.targets[0], c.target)
    elif isinstance(c.target, cst.Tuple):
        al.each(a.targets, (e.value for e in c.target.elements))


def _assert(al: Alignment, a: ast.Assert, c: cst.Assert) -> None:
    al.expression(a.test, c.test)
    al.expression(a.msg, c.msg)


STATEMENTS: dict[type, Callable[[Alignment, Any, Any], None]] = {
    ast.FunctionDef: _function, ast.AsyncFunctionDef: _function, ast.ClassDef: _class, ast.Assign: _assign,
    ast.AnnAssign: _annotated, ast.AugAssign: _augmented, ast.If: _if, ast.For: _for, ast.AsyncFor: _for,
    ast.While: _while, ast.With: _with, ast.AsyncWith: _with, ast.Try: _try, ast.TryStar: _try, ast.Match: _match,
    ast.Raise: _raise, ast.Delete: _delete, ast.Assert: _assert,
    ast.Expr: lambda al, a, c: al.expression(a.value, c.value),
    ast.Return: lambda al, a, c: al.expression(a.value, c.value),
}  # fmt: skip


# --------------------------------------------------------------------------------------------- expressions
def _elements(al: Alignment, a: Any, c: Any) -> None:
    for item, node in zip(a.elts, c.elements, strict=True):
        if isinstance(item, ast.Starred):
            al.nodes[item] = node
            al.expression(item.value, node.value)
        else:
            al.expression(item, node.value)


def _dict(al: Alignment, a: ast.Dict, c: cst.Dict) -> None:
    for key, value, node in zip(a.keys, a.values, c.elements, strict=True):
        if key is not None and isinstance(node, cst.DictElement):
            al.expression(key, node.key)
        al.expression(value, node.value)


def _boolean(al: Alignment, a: ast.BoolOp, c: cst.BooleanOperation) -> None:
    operands: list[Any] = []

    def flatten(node: Any) -> None:
        same = isinstance(node, cst.BooleanOperation) and type(node.operator) is type(c.operator)
        if same and (node is c or not node.lpar):
            flatten(node.left)
            operands.append(node.right)
        else:
            operands.append(node)

    flatten(c)
    al.each(a.values, operands)


def _compare(al: Alignment, a: ast.Compare, c: cst.Comparison) -> None:
    al.expression(a.left, c.left)
    al.each(a.comparators, (t.comparator for t in c.comparisons))


def _binary(al: Alignment, a: ast.BinOp, c: cst.BinaryOperation | cst.Call) -> None:
    """Pair an operator, or the call that is one (`names/operator_calls.py`)."""
    if isinstance(c, cst.Call):
        al.each((a.left, a.right), (argument.value for argument in c.args))
    else:
        al.each((a.left, a.right), (c.left, c.right))


def _call(al: Alignment, a: ast.Call, c: cst.Call) -> None:
    al.expression(a.func, c.func)
    al.arguments(a.args, a.keywords, c.args)


def _index(al: Alignment, a: ast.expr, node: Any) -> None:
    if isinstance(node, cst.Slice):
        assert isinstance(a, ast.Slice)
        al.nodes[a] = node
        al.expression(a.lower, node.lower)
        al.expression(a.upper, node.upper)
        al.expression(a.step, node.step)
    elif isinstance(a, ast.Starred) and not isinstance(node.value, cst.StarredElement):
        al.nodes[a] = node
        al.expression(a.value, node.value)
    else:
        al.expression(a, node.value)


def _subscript(al: Alignment, a: ast.Subscript, c: cst.Subscript) -> None:
    al.expression(a.value, c.value)
    entries = [element.slice for element in c.slice]
    whole = isinstance(a.slice, ast.Tuple) and not (
        len(entries) == 1 and isinstance(entries[0], cst.Index) and isinstance(entries[0].value, cst.Tuple)
        and not isinstance(c.slice[0].comma, cst.Comma)
    )  # fmt: skip
    if whole:
        assert isinstance(a.slice, ast.Tuple)
        for item, entry in zip(a.slice.elts, entries, strict=True):
            _index(al, item, entry)
    else:
        _index(al, a.slice, entries[0])


def _comprehension(al: Alignment, a: Any, c: Any) -> None:
    if isinstance(a, ast.DictComp):
        al.expression(a.key, c.key)
        al.expression(a.value, c.value)
    else:
        al.expression(a.elt, c.elt)
    loop = c.for_in
    for generator in a.generators:
        al.expression(generator.target, loop.target)
        al.expression(generator.iter, loop.iter)
        al.each(generator.ifs, (i.test for i in loop.ifs))
        loop = loop.inner_for_in


def _formatted(al: Alignment, a: ast.JoinedStr, c: Any) -> None:
    holes = [v for v in a.values if isinstance(v, ast.FormattedValue)]
    for hole, node in zip(holes, _expressions(c), strict=True):
        al.nodes[hole] = node
        al.expression(hole.value, node.expression)
        if isinstance(hole.format_spec, ast.JoinedStr) and node.format_spec:
            inner = [v for v in hole.format_spec.values if isinstance(v, ast.FormattedValue)]
            nodes = [p for p in node.format_spec if isinstance(p, cst.FormattedStringExpression)]
            for value, part in zip(inner, nodes, strict=True):
                al.nodes[value] = part
                al.expression(value.value, part.expression)


def _expressions(c: Any) -> list[cst.FormattedStringExpression]:
    if isinstance(c, cst.ConcatenatedString):
        return _expressions(c.left) + _expressions(c.right)
    parts = c.parts if isinstance(c, cst.FormattedString) else ()
    return [part for part in parts if isinstance(part, cst.FormattedStringExpression)]


def _lambda(al: Alignment, a: ast.Lambda, c: cst.Lambda) -> None:
    al.parameters(a.args, c.params)
    al.expression(a.body, c.body)


def _yield(al: Alignment, a: Any, c: cst.Yield) -> None:
    al.expression(a.value, c.value.item if isinstance(c.value, cst.From) else c.value)


def _fields(*pairs: tuple[str, str]) -> Callable[[Alignment, Any, Any], None]:
    def pair(al: Alignment, a: Any, c: Any) -> None:
        for mine, theirs in pairs:
            al.expression(getattr(a, mine), getattr(c, theirs))

    return pair


EXPRESSIONS: dict[type, Callable[[Alignment, Any, Any], None]] = {
    ast.Attribute: _fields(("value", "value")), ast.BinOp: _binary,
    ast.UnaryOp: _fields(("operand", "expression")), ast.BoolOp: _boolean, ast.Compare: _compare, ast.Call: _call,
    ast.Subscript: _subscript, ast.IfExp: _fields(("test", "test"), ("body", "body"), ("orelse", "orelse")),
    ast.Tuple: _elements, ast.List: _elements, ast.Set: _elements, ast.Dict: _dict, ast.ListComp: _comprehension,
    ast.SetComp: _comprehension, ast.GeneratorExp: _comprehension, ast.DictComp: _comprehension,
    ast.JoinedStr: _formatted, ast.Lambda: _lambda, ast.Await: _fields(("value", "expression")), ast.Yield: _yield,
    ast.YieldFrom: _yield, ast.NamedExpr: _fields(("target", "target"), ("value", "value")),
    ast.Starred: _fields(("value", "value")),
}  # fmt: skip
