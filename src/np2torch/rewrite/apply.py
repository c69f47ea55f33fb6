"""Carries a plan out on the concrete tree: templates parsed, pieces set in, layout of kept calls untouched."""

from __future__ import annotations

import ast
import dataclasses
import functools
from collections.abc import Callable, Collection, Container, Sequence
from functools import partial
from typing import Any

import libcst as cst

from np2torch.rewrite.align import Alignment
from np2torch.rewrite.import_lines import replace_imports, rewrite_imports
from np2torch.rewrite.imports import Imports
from np2torch.rewrite.layout import fit_lines
from np2torch.rewrite.parentheses import ATOMS, add_parentheses, bare, fit, needs_parentheses, without_spare
from np2torch.rewrite.plan import Plan
from np2torch.rewrite.shaping import comments_in, shape_statement
from np2torch.rules.rule_arguments import PLACEHOLDER
from np2torch.rules.site import Edit, ModuleContext, Wrap
from np2torch.rules.syntax.printing import REPRESENTATION as REPRESENTATION_OF_SHIM

REPRESENTATION = REPRESENTATION_OF_SHIM.partition(".")[2]
LAYOUT = (
    "whitespace", "lpar", "rpar", "leading", "lines", "comma", "operator", "equal", "semicolon", "dot", "header",
    "footer", "keyword",
)  # fmt: skip
"""Beginnings of the names of fields that hold no expression or statement."""


@functools.cache
def _expression(text: str) -> cst.BaseExpression:
    return cst.parse_expression(text)


@functools.cache
def _statement(text: str) -> cst.BaseSmallStatement:
    line = cst.parse_statement(text)
    assert isinstance(line, cst.SimpleStatementLine)
    return line.body[0]


@functools.cache
def _field_names(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(kind) if not field.name.startswith(LAYOUT))


def _mapped(node: Any, child: Callable[[Any], Any], item: Callable[[Any], Any]) -> Any:
    """The node with its single children and the items of its lists replaced; the same object where nothing changes."""
    changes: dict[str, Any] = {}
    kind: type[cst.CSTNode] = type(node)
    for name in _field_names(kind):
        value = getattr(node, name)
        if isinstance(value, cst.CSTNode):
            new = child(value)
            if new is not value:
                changes[name] = new
        elif isinstance(value, (list, tuple)) and value:
            items = [item(one) if isinstance(one, cst.CSTNode) else one for one in value]
            if any(a is not b for a, b in zip(items, value, strict=True)):
                changes[name] = items
    return node.with_changes(**changes) if changes else node


class Rewriter:
    """Rebuilds the concrete nodes a plan touches; every other node stays the same object.

    Parameters
    ----------
    dirty
        What the plan touches, and all above it.
    vain
        Statements of which nothing is left.
    shape
        Breaks the lines of a statement that have become too long.
    """

    def __init__(
        self,
        alignment: Alignment,
        edits: dict[ast.AST, Edit],
        wraps: dict[ast.AST, list[Wrap]],
        notes: dict[ast.stmt, list[str]],
        dirty: Container[ast.AST],
        vain: Collection[ast.stmt] = (),
        shape: Callable[[ast.stmt, Any, Any], Any] = lambda statement, old, new: new,
    ) -> None:
        self._shape, self._statements = shape, {id(line): statement for statement, line in alignment.lines.items()}
        self._nodes = alignment.nodes
        whole = ((known, node) for known, node in alignment.nodes.items() if isinstance(known, (ast.expr, ast.stmt)))
        self._clean = {id(node) for known, node in whole if known not in dirty}
        self._dirty = {id(line) for line in alignment.lines.values()}
        self.vain = {id(line) for s in vain if s in alignment.lines and _can_go(line := alignment.lines[s])}
        self._local: dict[int, ast.stmt] = {}
        self._edits: dict[int, Edit] = {}
        self._wraps: dict[int, list[Wrap]] = {}
        self._decorators: dict[int, Edit] = {}
        for node, edit in edits.items():
            if edit.decorates and node in alignment.nodes:
                self._decorators[id(alignment.nodes[node])] = edit
            if edit.replaces and node in alignment.nodes:
                self._edits[id(alignment.nodes[node])] = edit
        for node, wrapped in wraps.items():
            if node in alignment.nodes:
                self._wraps[id(alignment.nodes[node])] = wrapped
        self.added: dict[int, tuple[list[str], list[str]]] = {}
        self._seen: list[Any] = []  # so that no other node gets their ids
        self.notes = {id(alignment.lines[line]): texts for line, texts in notes.items() if line in alignment.lines}

    def local_imports(self, local: dict[int, ast.stmt], imports: Imports) -> None:
        """Rewrite imports inside functions and blocks where they stand."""
        self._local, self._imports = local, imports

    def rewrite(self, node: Any) -> Any:
        """The node after the plan; the same object where nothing changes."""
        if id(node) in self._clean:
            return node
        if isinstance(node, (cst.IndentedBlock, cst.SimpleStatementSuite)) and self._local:
            return without(self._with_added(self._block(node)), self.vain)
        if id(node) in self.vain:
            return node  # the block leaves it out
        if isinstance(node, (cst.SimpleStatementLine, cst.BaseCompoundStatement)) and id(node) not in self._dirty:
            return node
        new = self._edited(node)
        if isinstance(node, cst.Try) and _is_emptied(node, new):
            self.vain.add(id(node.body))
            return node
        if isinstance(node, cst.IndentedBlock):
            new = without(self._with_added(new), self.vain)
        for wrap in sorted(self._wraps.get(id(node), ()), key=_depth):
            new = put_around(new, wrap)
        if (decorating := self._decorators.get(id(node))) is not None:
            new = _decorated(new, decorating)
        if new is not node and (statement := self._statements.get(id(node))) is not None:
            new = self._shape(statement, node, new)
        notes = self.notes.get(id(node))
        new = with_notes(new, notes) if notes else new
        if new is not node and _key(node) in self.added:
            self.added[_key(new)] = self.added[_key(node)]
            self._seen.append(new)
        return new

    def _edited(self, node: Any) -> Any:
        """Carry out the edit of a node, or those below it."""
        edit = self._edits.get(id(node))
        if edit is not None:
            return self._from_template(node, edit) if edit.text else self._call(node, edit)
        new = _mapped(node, lambda child: fit(node, child, self.rewrite(child)), self.rewrite)
        if new is node:
            return node
        if isinstance(node, cst.FormattedString):
            return add_explanations(node, requote_strings(new))
        return self._converted(node, new) if isinstance(node, cst.FormattedStringExpression) else new

    def _converted(self, node: cst.FormattedStringExpression, new: Any) -> Any:
        """Leave out the `!r` of an f-string that a wrap stands for, and the `=` that the new text would change."""
        represents = any(wrap.before.endswith(REPRESENTATION) for wrap in self._wraps.get(id(node.expression), ()))
        conversion = node.conversion or ("r" if node.equal is not None and node.format_spec is None else None)
        return new.with_changes(conversion=None if represents and conversion == "r" else conversion, equal=None)

    def _with_added(self, block: Any) -> Any:
        return block.with_changes(body=with_added(block.body, self.added)) if self.added else block

    def _block(self, node: Any) -> Any:
        """A block, its NumPy imports replaced by what the new text needs."""
        if isinstance(node, cst.SimpleStatementSuite):
            kept, after = self._replaced(node.body)
            return node.with_changes(body=[*kept, *map(_statement, after)] or [cst.Pass()])
        lines: list[Any] = []
        for line in node.body:
            if not any(id(small) in self._local for small in _smalls(line)):
                lines.append(self.rewrite(line))
                continue
            kept, after = self._replaced(line.body)
            new = [cst.parse_statement(text) for text in after]
            if kept:
                lines.append(line.with_changes(body=kept))
            elif new:
                new[0] = new[0].with_changes(
                    leading_lines=line.leading_lines, trailing_whitespace=line.trailing_whitespace
                )
            lines += new
        if not lines:
            lines = [cst.parse_statement("pass")]
        if all(a is b for a, b in zip(lines, node.body, strict=False)) and len(lines) == len(node.body):
            return node
        return node.with_changes(body=lines)

    def _replaced(self, smalls: Sequence[Any]) -> tuple[list[Any], list[str]]:
        pairs = ((self._local.get(id(small)), small) for small in smalls)
        return replace_imports(
            [(one, self.rewrite(small) if one is None else small) for one, small in pairs], self._imports
        )

    def _from_template(self, node: Any, edit: Edit) -> Any:
        if isinstance(node, cst.BaseSmallStatement):
            new: Any = self._fill(_statement(edit.text), edit)
            return new.with_changes(semicolon=node.semicolon)
        new = self._fill(_expression(edit.text), edit)
        if node.lpar and not new.lpar:
            return new.with_changes(lpar=node.lpar, rpar=node.rpar)
        return new

    def _fill(self, template: Any, edit: Edit, parent: Any = None) -> Any:
        if isinstance(template, cst.Name) and template.value.startswith(PLACEHOLDER):
            original = self._original(edit, template.value)
            piece = without_spare(_value(original), _value(self.rewrite(original)))
            return add_parentheses(piece) if needs_parentheses(piece, parent) else bare(piece, parent)

        def fill(node: Any) -> Any:
            return self._fill(node, edit, template)

        return _mapped(template, fill, fill)

    def _original(self, edit: Edit, placeholder: str) -> Any:
        """Find the concrete node that a placeholder stands for."""
        return self._nodes[edit.pieces[int(placeholder[len(PLACEHOLDER) : -1])]]

    def _call(self, node: cst.Call, edit: Edit) -> Any:
        """A call with another function; where the arguments stand in the old order their layout is kept."""
        if edit.function.startswith(PLACEHOLDER) and edit.function.partition(".")[2]:
            head, _, method = edit.function.partition(".")
            receiver_text = edit.function.rsplit(".", 1)[0]
            receiver = self._fill(_expression(receiver_text), edit)
            if needs_parentheses(receiver, cst.Attribute):
                receiver = add_parentheses(receiver)
            method = edit.function.rsplit(".", 1)[1]
            if isinstance(node.func, cst.Attribute) and receiver_text == head:
                function: Any = node.func.with_changes(value=receiver, attr=cst.Name(method))
            else:
                function = cst.Attribute(receiver, cst.Name(method))
        else:
            function = self._fill(_expression(edit.function), edit)
        by_value = {id(argument.value): argument for argument in node.args}
        arguments: list[cst.Arg] = []
        kept: list[cst.Arg] = []
        for keyword, text in edit.arguments:
            source: cst.Arg | None = None
            value: Any
            if text.startswith(PLACEHOLDER) and text.endswith("_") and text.count("_") == PLACEHOLDER.count("_") + 1:
                plain = _value(self._original(edit, text))
                source = by_value.get(id(plain))
                value = without_spare(plain, self.rewrite(plain))
            else:
                value = self._fill(_expression(text), edit)
            star = "**" if keyword == "**" else source.star if source is not None else ""
            named = cst.Name(keyword) if keyword and keyword != "**" else None
            if source is not None:
                made = source.with_changes(value=value, keyword=named, equal=_equal(named, source), star=star)
                kept.append(source)
            else:
                made = cst.Arg(value, keyword=named, equal=_equal(named, None), star=star)
            arguments.append(made)
        return node.with_changes(func=function, args=_spaced(arguments, node.args, kept))


def _smalls(line: Any) -> Sequence[Any]:
    return line.body if isinstance(line, cst.SimpleStatementLine) else ()


def alone(line: Any) -> bool:
    """Tell whether it is a line with one statement."""
    return isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1


def _can_go(line: Any) -> bool:
    """Tell whether nothing else would go with a line."""
    return alone(line) or isinstance(line, cst.If)


def _is_emptied(old: cst.Try, new: cst.Try) -> bool:
    """Tell whether nothing is left of what it tries, and nothing is done where that fails."""
    blocks = [new.body, *(handler.body for handler in new.handlers)]
    alone = new.orelse is None and new.finalbody is None
    return alone and not _only_passes(old.body) and all(map(_only_passes, blocks))


def _only_passes(block: Any) -> bool:
    """Tell a block that consists of `pass`, and says nothing in comments."""
    smalls = [one for line in block.body for one in (_smalls(line) or [line])]
    silent = all(line.comment is None for part in (block, *block.body) for line in _empty_lines(part))
    return silent and all(isinstance(small, cst.Pass) for small in smalls)


def _empty_lines(part: Any) -> list[cst.EmptyLine]:
    return [*getattr(part, "leading_lines", ()), *getattr(part, "footer", ())]


def without(block: Any, vain: Container[int]) -> Any:
    """A block without these lines, and without compound statements of these bodies.

    Their comments stay, above the next line.
    """
    lines: list[Any] = []
    carried: list[cst.EmptyLine] = []
    for line in block.body:
        if id(line) in vain or id(getattr(line, "body", None)) in vain:
            carried += line.leading_lines
            comments = comments_in(line.with_changes(leading_lines=[])) if isinstance(line, cst.If) else []
            end = getattr(line, "trailing_whitespace", None)
            comments += [end.comment.value] if end and end.comment is not None else []
            carried += [cst.EmptyLine(comment=cst.Comment(one)) for one in comments]
            continue
        if carried:
            says = any(empty.comment is not None for empty in carried)
            line = line.with_changes(leading_lines=[*carried, *line.leading_lines]) if says else line
            carried = []
        lines.append(line)
    if len(lines) == len(block.body):
        return block
    footer = [*(empty for empty in carried if empty.comment is not None), *block.footer]
    return block.with_changes(body=lines or [cst.parse_statement("pass")], footer=footer)


def _key(line: Any) -> int:
    """Give the identity of a line, which stays the same when comments are added above it."""
    return id(line.body[0] if isinstance(line, cst.SimpleStatementLine) else line)


def with_added(body: Sequence[Any], added: dict[int, tuple[list[str], list[str]]]) -> list[Any]:
    """The lines of a block, with new ones above and below those that are to have some."""
    lines: list[Any] = []
    for line in body:
        above, below = added.get(_key(line), ((), ()))
        lines += [*map(cst.parse_statement, above), line, *map(cst.parse_statement, below)]
    return lines


def requote_strings(node: cst.FormattedString) -> Any:
    """Quote new strings in an f-string otherwise than the f-string is (before Python 3.12 they must be)."""
    outer = node.start[-1]
    if node.start.endswith(outer * 3):
        return node

    def fix(part: Any) -> Any:
        if isinstance(part, cst.SimpleString) and part.value[-1] == outer and part.value.count(outer) == 2:
            inner = "'" if outer == '"' else '"'
            return part.with_changes(value=part.value.replace(outer, inner))
        return _mapped(part, fix, fix)

    return node.with_changes(parts=[fix(part) for part in node.parts])


def add_explanations(old: cst.FormattedString, new: cst.FormattedString) -> cst.FormattedString:
    """An f-string in which `{x = }` still shows the text that was there: it is written out where the value is new."""
    parts: list[cst.BaseFormattedStringContent] = []
    for before, after in zip(old.parts, new.parts, strict=True):
        if after is not before and isinstance(before, cst.FormattedStringExpression) and before.equal is not None:
            plain = before.with_changes(conversion=None, format_spec=None)
            shown = cst.Module([]).code_for_node(plain)[1:-1].replace("{", "{{").replace("}", "}}")
            if len(quote := old.end) == 1:
                shown = shown.replace(quote, "\\" + quote)
            parts.append(cst.FormattedStringText(shown))
        parts.append(after)
    return new.with_changes(parts=parts)


def _value(node: Any) -> Any:
    return node.value if isinstance(node, cst.Arg) else node


def _equal(named: cst.Name | None, source: cst.Arg | None) -> Any:
    if named is None:
        return cst.MaybeSentinel.DEFAULT
    if source is not None and isinstance(source.equal, cst.AssignEqual):
        return source.equal
    return cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))


def _decorated(node: Any, edit: Edit) -> Any:
    """Put decorators above and below those of a definition."""
    above, below = ([cst.Decorator(_expression(text))] if text else [] for text in (edit.decorator, edit.lowest))
    return node.with_changes(decorators=[*above, *node.decorators, *below])


def _spaced(arguments: list[cst.Arg], old: Sequence[cst.Arg], kept: list[cst.Arg]) -> list[cst.Arg]:
    """Commas between arguments as they were where the arguments are the old ones, plain ones elsewhere."""
    same_order = [id(a) for a in old if any(a is k for k in kept)] == [id(k) for k in kept]
    plain = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    between = next((a.comma for a in old if isinstance(a.comma, cst.Comma) and _breaks(a.comma)), plain)
    out = []
    for argument in arguments[:-1]:
        is_own = isinstance(argument.comma, cst.Comma) and same_order and not (old and argument.comma is old[-1].comma)
        comma = argument.comma if is_own else between
        out.append(argument.with_changes(comma=comma, whitespace_after_arg=cst.SimpleWhitespace("")))
    for argument in arguments[-1:]:
        comma = old[-1].comma if old else cst.MaybeSentinel.DEFAULT
        tail = old[-1].whitespace_after_arg if old else cst.SimpleWhitespace("")
        out.append(argument.with_changes(comma=comma, whitespace_after_arg=tail))
    return out


def _breaks(comma: cst.Comma) -> bool:
    return isinstance(comma.whitespace_after, cst.ParenthesizedWhitespace)


_DEPTHS = {"NPT403": 0, "NPT202": 1, "NPT201": 2}


def _depth(wrap: Wrap) -> int:
    """Inner wraps first: an array comes back before it is copied, cast, and handed on."""
    return _DEPTHS.get(wrap.code, 3)


def put_around(node: Any, wrap: Wrap) -> Any:
    """Put text around an expression."""
    if isinstance(node, cst.Arg):
        return node.with_changes(value=put_around(node.value, wrap))
    placeholder = f"{PLACEHOLDER}0_"
    shell = _expression(f"{wrap.before}{placeholder}{wrap.after}")
    if wrap.before:
        call = shell
        assert isinstance(call, cst.Call)
        argument = cst.Arg(cst.Name("x"))
        inner = add_parentheses(node) if needs_parentheses(node, argument) else bare(node, argument)
        is_place = [isinstance(arg.value, cst.Name) and arg.value.value == placeholder for arg in call.args]
        args = [arg.with_changes(value=inner) if is_it else arg for arg, is_it in zip(call.args, is_place, strict=True)]
        return call.with_changes(args=args)
    inner = node if isinstance(node, ATOMS) or getattr(node, "lpar", None) else add_parentheses(node)
    if isinstance(inner, (cst.Integer, cst.Float)):
        inner = add_parentheses(inner)
    return _replace_receiver(shell, inner)


def _replace_receiver(shell: Any, inner: Any) -> Any:
    if isinstance(shell, cst.Name):
        return inner
    if isinstance(shell, cst.Call):
        return shell.with_changes(func=_replace_receiver(shell.func, inner))
    return shell.with_changes(value=_replace_receiver(shell.value, inner))


# --------------------------------------------------------------------------------------------------- notes
TODO = "# TODO(np2torch): "


def with_notes(line: Any, notes: list[str]) -> Any:
    """Comments above a statement, each once however often the file is converted."""
    if not hasattr(line, "leading_lines"):
        return line
    present = {ll.comment.value for ll in line.leading_lines if ll.comment is not None}
    fresh = [TODO + note for note in notes if not any(TODO + note[:6] in comment for comment in present)]
    made = [cst.EmptyLine(comment=cst.Comment(text)) for text in fresh]
    return line.with_changes(leading_lines=[*line.leading_lines, *made])


def render(text: str, ctx: ModuleContext, plan: Plan, imports: Imports, limit: int) -> str:
    """The module's new text; `limit` is how long a line may become."""
    module = cst.parse_module(text)
    dirty: set[ast.AST] = set()
    for start in [*plan.touches(), *imports.statements]:
        current: ast.AST | None = start
        while current is not None and current not in dirty:
            dirty.add(current)
            current = ctx.parents.get(current)
    alignment = Alignment(lambda statement: statement in dirty)
    alignment.body(ctx.module.tree.body, module)
    rewriter = Rewriter(
        alignment, plan.edits, plan.wraps, plan.notes, dirty, plan.vain, partial(shape_statement, module, limit)
    )
    shim, respelt = imports.spelling.names.get("shim", "shim"), imports.spelling.with_standard_names
    for statement in {*plan.above, *plan.below} & set(alignment.lines):
        width = limit - statement.col_offset
        above, below = (
            [fit_lines("", respelt(one.text(shim)), width, module.default_indent) for one in lines.get(statement, ())]
            for lines in (plan.above, plan.below)
        )
        rewriter.added[_key(alignment.lines[statement])] = above, below
    if plan.start_at is not None:
        begin = plan.start.replace("torch.", f"{imports.spelling.names['torch']}.")
        above, below = rewriter.added.get(key := _key(alignment.lines[plan.start_at]), ([], []))
        rewriter.added[key] = [f"\n{begin}", *above], below
    inner = [s for s in imports.statements if s in alignment.nodes and not isinstance(ctx.parents.get(s), ast.Module)]
    rewriter.local_imports({id(alignment.nodes[s]): s for s in inner}, imports)
    new_body = [rewriter.rewrite(line) for line in module.body]
    new_body = rewrite_imports(list(module.body), ctx.module.tree, imports, new_body)
    new: cst.Module = without(module.with_changes(body=with_added(new_body, rewriter.added)), rewriter.vain)
    return new.code
