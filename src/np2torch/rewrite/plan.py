"""Decides a module: every node is offered to the handlers of its kind, and what they answer is the plan."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterable, Sequence, Set
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from np2torch.facts import values as v
from np2torch.facts.domain import DOMAIN, supposing
from np2torch.facts.interpreter.border import stays_numpy
from np2torch.facts.libraries import library
from np2torch.names.keeping import DECORATOR, is_marked
from np2torch.names.optional import without_numpy
from np2torch.names.tree import children
from np2torch.names.tree import walk as tree_walk
from np2torch.rewrite.already_converted import SettledNodes, is_numpys, is_ours, settle_converted
from np2torch.rewrite.keeping import hand_over_names
from np2torch.rewrite.vain_statements import vain_statements
from np2torch.rules import syntax as syntax
from np2torch.rules.handlers import HANDLERS, Handler
from np2torch.rules.site import Edit, ModuleContext, Wrap, source_of
from np2torch.rules.syntax.structured_dtypes import names_numpy_only
from np2torch.rules.syntax.subclasses import is_method, is_object
from np2torch.source.model import Site

OPERATIONS = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.AugAssign, ast.Call)
"""The nodes that depend on the dtypes of their operands even if they stay as they are."""
SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return, ast.Expr, ast.Raise, ast.Assert, ast.Delete)
"""Statements without a block."""
NO_ARRAYS = ("none", "number", "text")
"""The kinds of value that are the same on both sides of a boundary."""
NEEDS = re.compile(r"\b(torch|shim|math|unittest)\.")


class Line(Protocol):
    """A statement that is put beside another."""

    def text(self, shim: str) -> str:
        """The statement, by what the shim is called there."""


class Handover(NamedTuple):
    """A statement that gives a name, or another, its value on the other side of a border: `x = shim.to_numpy(x)`."""

    name: str
    function: str
    target: str = ""

    def text(self, shim: str) -> str:
        """The statement, by what the shim is called there."""
        return f"{self.target or self.name} = {shim}.{self.function}({self.name})"


@dataclass(slots=True)
class Plan:
    """The changes to a module, and their effects on its names.

    Attributes
    ----------
    running
        The modules that are needed beyond annotations.
    start, start_at
        A statement that a program begins with, and the one above which it goes.
    above, below, added
        Statements to put around a line, and what they are counted as.
    """

    edits: dict[ast.AST, Edit]
    wraps: dict[ast.AST, list[Wrap]]
    notes: dict[ast.stmt, list[str]]
    sites: list[Site]
    vain: set[ast.stmt] = field(default_factory=set)
    loaded: set[str] = field(default_factory=set)
    needs: dict[ast.AST, set[str]] = field(default_factory=dict)
    running: set[str] = field(default_factory=set)
    above: dict[ast.stmt, list[Line]] = field(default_factory=dict)
    below: dict[ast.stmt, list[Line]] = field(default_factory=dict)
    start: str = ""
    start_at: ast.stmt | None = None
    added: list[Site] = field(default_factory=list)

    def add_sites(self, sites: Iterable[Site]) -> None:
        """Add sites, in the order of the text."""
        self.sites = in_order([*self.sites, *sites])

    def begin_with(self, statement: str) -> None:
        """Let the program begin with a statement."""
        self.start = statement

    def touches(self) -> set[ast.AST]:
        """Nodes with an edit that changes them, a decorator, a wrap or a note."""
        changed = {node for node, edit in self.edits.items() if edit.replaces or edit.decorates}
        at_start = set() if self.start_at is None else {self.start_at}
        changed |= self.vain | set(self.wraps)
        return changed | set(self.notes) | set(self.above) | set(self.below) | at_start


def make_plan(ctx: ModuleContext, change: Callable[[Plan], None] | None = None) -> Plan:
    """Visit the module top down; what a replaced node drops is not visited.

    `change` sees the plan before it is counted.
    """
    plan = Plan(ctx.edits, ctx.wraps, {}, [])
    inside = ctx.parts or frozenset()
    around: set[ast.AST] = _around(ctx, inside) if ctx.parts is not None else set()
    done = settle_converted(ctx)
    done.left.update(ctx.on_numpy)
    visited = Visit(ctx, plan, done, around, inside).walk(ctx.module.tree)
    plan.loaded |= ctx.kept_names
    _drop_dead(ctx, plan, visited)
    if change is not None:
        change(plan)
    plan.vain = vain_statements(ctx, plan)
    _collect(ctx, plan)
    if plan.start:
        _place_start(ctx, plan)
    return plan


def plan_of(ctx: ModuleContext, node: ast.AST, decided: Set[ast.AST] = frozenset()) -> Plan:
    """Plan a part of a module by itself, without counting sites and without looking at names.

    Nodes that are `decided` elsewhere are passed over, not those below them.
    """
    plan = Plan(ctx.edits, ctx.wraps, {}, [])
    done = SettledNodes(left=set(ctx.on_numpy), decided=decided)
    _drop_dead(ctx, plan, Visit(ctx, plan, done).walk(node))
    return plan


class Visit:
    """One walk over a module, or a part of it, from the top down: each node is decided before what is below it.

    Attributes
    ----------
    visited
        The nodes that were met.
    """

    def __init__(
        self, ctx: ModuleContext, plan: Plan, done: SettledNodes, around: Collection[ast.AST] = (),
        inside: Collection[ast.AST] = (),
    ) -> None:  # fmt: skip
        self.ctx, self.plan, self.done, self.around, self.inside = ctx, plan, done, around, inside
        self.left = ctx.left_nodes
        self.visited: set[ast.AST] = set()

    def walk(self, root: ast.AST) -> set[ast.AST]:
        """Decide a node and all below it; the nodes that were met."""
        stack = [root]
        while stack:
            node = stack.pop()
            if node not in self.visited and not (node in self.done.decided and isinstance(node, SIMPLE)):
                self.visited.add(node)
                stack.extend(reversed(self._below(node)))
        return self.visited

    def _below(self, node: ast.AST) -> Sequence[ast.AST]:
        """Decide a node; what is to be visited because of it."""
        if node in self.done.left or node in self.left:
            self._leave(node)
            return ()
        if isinstance(node, ast.ClassDef) and _stays_numpy(self.ctx, node):
            _leave(self.plan, self.visited, node)
            _keep_class(self.ctx, self.plan, node)
            return ()
        if node in self.around:
            return self._parts(node)
        edit = self._decide(node)
        return edit.pieces if edit is not None and edit.replaces else self._children(node)

    def _leave(self, node: ast.AST) -> None:
        """Leave a node as it is; what numba compiles is spoken of."""
        _leave(self.plan, self.visited, node)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node in self.ctx.module.compiled:
            message = f"NPT570 `{node.name}` is compiled by numba, which knows no tensors; it stays on NumPy."
            self.ctx.edits[node] = Edit(node, "todo", "NPT570", f"def {node.name}", message.partition(" ")[2])
            self.plan.notes.setdefault(node, []).append(message)

    def _parts(self, node: ast.AST) -> Sequence[ast.AST]:
        """Leave what stands beside the parts to convert, and give what they stand in."""
        wanted = []
        for child in reversed(children(node)):
            if child in self.around or child in self.inside:
                wanted.append(child)
            else:
                _leave(self.plan, self.visited, child)
        return wanted[::-1]

    def _decide(self, node: ast.AST) -> Edit | None:
        """Give the edit of a node, and put its note above the statement, where none with that code is."""
        edit = self.ctx.edits.get(node)
        if edit is None and node not in self.done.decided:
            if node not in self.done.calls_only or is_numpys(self.ctx, node):
                edit = decide(self.ctx, node)
        if edit is not None:
            self.ctx.edits[node] = edit
            if edit.note and (statement := _noted(self.ctx, node)) is not None:
                notes = self.plan.notes.setdefault(statement, [])
                if not any(note.startswith(edit.note[:6]) for note in notes):
                    notes.append(edit.note)
        return edit

    def _children(self, node: ast.AST) -> Sequence[ast.AST]:
        """Give the nodes below a node that do not stay on NumPy."""
        if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Load, ast.Del)):
            self.plan.loaded.add(node.id)
        kept = without_numpy(node) if isinstance(node, ast.Try) else kept_on_numpy(self.ctx, node)
        for part in kept:
            _leave(self.plan, self.visited, part)
        return [child for child in children(node) if child not in kept]


def _around(ctx: ModuleContext, parts: Set[ast.AST]) -> set[ast.AST]:
    """Give the nodes around the parts to convert, up to the module."""
    found: set[ast.AST] = {ctx.module.tree}
    for part in parts:
        current = ctx.parents.get(part)
        while current is not None:
            found.add(current)
            current = ctx.parents.get(current)
    return found - parts


def _leave(plan: Plan, visited: set[ast.AST], node: ast.AST) -> None:
    """Pass over a subtree that stays as it is; the names in it stay in use."""
    below = tree_walk(node)
    visited.update(below)
    plan.loaded |= {one.id for one in below if isinstance(one, ast.Name)}


def _stays_numpy(ctx: ModuleContext, node: ast.ClassDef) -> bool:
    definition = ctx.engine.classes.get(node)
    return definition is not None and definition.stays_numpy()


def _keep_class(ctx: ModuleContext, plan: Plan, node: ast.ClassDef) -> None:
    """A class that stays on NumPy whole; where it calls converted code the boundary is made visible."""
    definition = ctx.engine.classes[node]
    why = "is a subclass of ndarray" if definition.is_ndarray() else "is called by SciPy with ndarrays"
    code, message = "NPT308", f"`{node.name}` {why}; the class stays on NumPy."
    ctx.edits[node] = edit = Edit(node, "todo", code, f"class {node.name}", message)
    if definition.is_called_by_library() and not is_marked(node):  # for callers that know nothing of their object
        edit.decorate(f"shim.{DECORATOR}", "")
    plan.notes.setdefault(node, []).append(f"{code} {message}")
    if not ctx.converted_already():
        hand_over_names(ctx, node)
    for call in tree_walk(node):
        callees = ctx.engine.callees.get(call) if isinstance(call, ast.Call) else None
        if not callees or any(stays_numpy(callee) for callee in callees):
            continue
        around = ctx.parents.get(call)
        if isinstance(around, ast.Call) and is_ours(ctx, around.func, "to_numpy"):
            continue  # by an earlier run
        assert isinstance(call, ast.Call)
        message = "a tensor comes back into a class that stays on NumPy"
        if not v.only(ctx.fact(call), *NO_ARRAYS):
            ctx.wrap(call, "shim.to_numpy(", ")", "boundary", "NPT401", message)
        for argument in [*call.args, *(k.value for k in call.keywords)]:
            made = isinstance(argument, ast.Call) and is_ours(ctx, argument.func, "from_numpy")  # by an earlier run
            plain = isinstance(argument, (ast.Starred, ast.Constant)) or v.only(ctx.fact(argument), *NO_ARRAYS)
            if not made and not plain:
                ctx.wrap(argument, "shim.from_numpy(", ")", "boundary", "NPT403", "an array goes to converted code")


def kept_on_numpy(ctx: ModuleContext, node: ast.AST) -> Sequence[ast.AST]:
    """Parts of a call that stays on NumPy, or goes to a foreign library, which stay as they are: function, dtypes."""
    if not isinstance(node, ast.Call):
        return []
    edit = ctx.edits.get(node)
    stays = edit is not None and edit.outcome == "todo" or node in ctx.refused
    function = ctx.fact(node.func)
    given_ndarrays = v.known_to_include(function, "foreign") or is_method(function) or is_object(function)
    if not stays and not given_ndarrays and not library(function):
        return []
    kept: list[ast.AST] = [argument for argument in node.args if _means_numpy(ctx, argument)]
    kept += [keyword for keyword in node.keywords if _means_numpy(ctx, keyword.value)]
    if stays and not (isinstance(node.func, ast.Attribute) and v.may(ctx.fact(node.func), "method")):
        kept.append(node.func)
    return kept


def _means_numpy(ctx: ModuleContext, argument: ast.expr) -> bool:
    """Tell whether an argument names something of NumPy's (`np.float64`), or is a list of names: fields of records.

    Such a list may be computed: `{"names": names, "formats": [np.int64] * 2}`.
    """
    if isinstance(argument, (ast.List, ast.Tuple, ast.Dict, ast.BinOp)):
        parts = [part for part in ast.iter_child_nodes(argument) if isinstance(part, ast.expr)]
        means = [_means_numpy(ctx, part) for part in parts]
        return any(means) and all(mean or _is_literal(part) for mean, part in zip(means, parts, strict=True))
    if isinstance(argument, ast.Call) and isinstance(argument.func, ast.Attribute):
        argument = argument.func.value if argument.func.attr == "newbyteorder" else argument
    return v.only(ctx.fact(argument), "numpy", "dtype", "builtin") and names_numpy_only(ctx, argument)


def _is_literal(node: ast.expr) -> bool:
    return not any(isinstance(one, ast.Name) for one in tree_walk(node))


def _noted(ctx: ModuleContext, node: ast.AST) -> ast.stmt | None:
    """Find the statement that a note stands above: of `if x: y` the whole."""
    statement = ctx.statement(node)
    while statement is not None:
        parent = ctx.parents.get(statement)
        if not isinstance(parent, ast.stmt) or parent.lineno != statement.lineno:
            break
        statement = parent
    return statement


def decide(ctx: ModuleContext, node: ast.AST) -> Edit | None:
    """Ask the handlers of a node's kind, and give the first answer."""
    handlers = HANDLERS.of(type(node))
    if not handlers:
        return None
    ctx.reading.clear()
    ctx.reading_traced.clear()
    ctx.wrapped.clear()
    is_supposed, is_caught = node in ctx.engine.supposed, node in ctx.caught
    is_as_it_is = (DOMAIN.supposed, DOMAIN.caught) == (is_supposed and not is_caught, is_caught)
    if is_as_it_is or not (is_supposed or is_caught):
        edit = _first_answer(ctx, node, handlers)
    else:
        with supposing(is_supposed, is_caught):
            edit = _first_answer(ctx, node, handlers)
    decided = edit if edit is not None and ctx.wants(node, edit.code) else None
    if edit is not None and decided is None:
        ctx.refused[node] = edit
        if edit.outcome != "todo":
            ctx.unwrap()
    if isinstance(node, OPERATIONS) or decided is not None and decided.replaces:
        ctx.assumed.update(dict.fromkeys(ctx.reading))
        if ctx.reading_traced:
            ctx.rests[node] = list(dict.fromkeys(ctx.reading_traced))
    return decided


def _first_answer(ctx: ModuleContext, node: ast.AST, handlers: Iterable[Handler]) -> Edit | None:
    for handler in handlers:
        edit = handler(ctx, node)
        if edit is not None:
            return edit
    return None


def _drop_dead(ctx: ModuleContext, plan: Plan, visited: set[ast.AST]) -> None:
    skipped = ctx.left_nodes
    for node in (skipped - ctx.module.compiled) & set(plan.edits):
        del plan.edits[node]
    for node, wraps in list(plan.wraps.items()):
        if unwanted := [w for w in wraps if node in visited and node not in skipped and not ctx.wants(node, w.code)]:
            ctx.unwanted_wraps[node] = unwanted
        wraps[:] = [w for w in wraps if node in visited and node not in skipped and ctx.wants(node, w.code)]
        if not wraps:
            del plan.wraps[node]


def _collect(ctx: ModuleContext, plan: Plan) -> None:
    for node, edit in plan.edits.items():
        line, column = position(ctx, node)
        plan.sites.append(Site(line, column, edit.outcome, edit.code, edit.source, edit.message, text=_text(node)))
        _need(ctx, plan, node, " ".join(edit.texts))
    for node, wraps in plan.wraps.items():
        line, column = position(ctx, node)
        for wrap in wraps:
            site = Site(line, column, wrap.outcome, wrap.code, source_of(node), wrap.message, text=_text(node))
            plan.sites.append(site)
            _need(ctx, plan, node, wrap.before + wrap.after)
    plan.add_sites(plan.added)


def _text(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split()) if isinstance(node, ast.expr) else ""


def _place_start(ctx: ModuleContext, plan: Plan) -> None:
    """Find the first statement of the module, imports left out, that needs something or comes after all imports."""
    body = ctx.module.tree.body
    imports = [at for at, one in enumerate(body) if isinstance(one, (ast.Import, ast.ImportFrom))]
    after = max(imports, default=-1) + 1
    first = next((at for at, one in enumerate(body) if not plan.needs.keys().isdisjoint(tree_walk(one))), after)
    if min(first, after) < len(body):
        plan.start_at = body[min(first, after)]
        plan.needs.setdefault(plan.start_at, set()).add("torch")
        plan.running.add("torch")


def in_order(sites: Iterable[Site]) -> list[Site]:
    """Sites as they stand in the file."""
    return sorted(sites, key=lambda site: (site.line, site.column, site.code))


def _need(ctx: ModuleContext, plan: Plan, node: ast.AST, text: str) -> None:
    names = set(NEEDS.findall(text))
    if names:
        plan.needs.setdefault(node, set()).update(names)
        if not _in_annotation(ctx, node):
            plan.running |= names


def _in_annotation(ctx: ModuleContext, node: ast.AST) -> bool:
    """Tell whether it is part of an annotation, which need not be evaluated when the program runs."""
    parent = ctx.parents.get(node)
    while isinstance(parent, ast.expr):
        node, parent = parent, ctx.parents.get(parent)
    return node in (getattr(parent, "annotation", None), getattr(parent, "returns", None))


def position(ctx: ModuleContext, node: ast.AST) -> tuple[int, int]:
    """Line and column of a node, counted from 1."""
    current: ast.AST | None = node
    inside = current
    while inside is not None:
        if isinstance(inside, ast.JoinedStr):  # positions inside f-strings are not to be relied on
            current = inside
        inside = ctx.parents.get(inside)
    return getattr(current, "lineno", 1), getattr(current, "col_offset", 0) + 1


