"""Examples in docstrings: each session is a module of its own to the analysis, and is rewritten where it stands."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from np2torch.facts import values as v
from np2torch.facts.interpreter.definitions import ModuleInfo
from np2torch.facts.interpreter.raising_calls import expected_to_raise
from np2torch.names.elsewhere import Elsewhere
from np2torch.names.optional import imports_numpy
from np2torch.names.parsing import parse_once
from np2torch.names.scopes import bound_names
from np2torch.names.tree import children
from np2torch.names.tree import walk as tree_walk
from np2torch.rewrite.apply import render
from np2torch.rewrite.doctest_output import NotKnown, shape_shown, tensor_repr, tensor_str
from np2torch.rewrite.imports import Imports
from np2torch.rewrite.plan import Plan
from np2torch.rewrite.policies import NARROW
from np2torch.rewrite.spelling import Spelling
from np2torch.rules.site import Edit, ModuleContext
from np2torch.source.examples import Session, sessions
from np2torch.source.model import Remark, Settings, Site

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_WORD = re.compile(r"[^\W\d]\w*")
EVERYWHERE = frozenset({*dir(builtins), "__name__", "__file__", "__doc__"})
"""Names that every module has."""
PROMPT = ">>> "
NOT_KNOWN = "NPT311 The output that is expected is NumPy's; what torch prints could not be told."


@dataclass(frozen=True)
class Doctest:
    """A session, and what the analysis knows it as; nothing where it cannot be parsed."""

    session: Session
    info: ModuleInfo | None


@dataclass
class Rewritten:
    """The result of rewriting the examples of a module.

    Attributes
    ----------
    literals
        The new docstrings.
    sites, remarks
        As of a module, placed in the file.
    names
        Names of the module around that the new text reads.
    needs
        Modules that it needs and does not import itself.
    """

    literals: dict[ast.Constant, str] = field(default_factory=dict)
    sites: list[Site] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    needs: set[str] = field(default_factory=set)

    def enter(self, plan: Plan, tree: ast.Module) -> None:
        """Add all this to the plan of the module, once that is made."""
        for node, text in self.literals.items():
            plan.edits[node] = Edit(node, "native", "", "docstring", text=text)
        plan.add_sites(self.sites)
        plan.loaded.update(self.names)
        if self.needs:
            plan.needs.setdefault(tree, set()).update(self.needs)
            plan.running.update(self.needs)


def read(module: ModuleInfo, given: Sequence[str], trees: dict[str, ast.Module]) -> Iterator[Doctest]:
    """The sessions in the docstrings of a module, as modules that see its names, and these `given` for NumPy.

    Their trees are among those that were read before, or will be.
    """
    around: set[str] = set()
    for session in sessions(module.tree, module.text):
        around = around or {*_bound(_outer(module.tree.body)), *EVERYWHERE, *given}
        tree: ast.Module | None
        path = f"{module.path}:{session.node.lineno}"
        try:
            tree = parse_once(path, session.text, trees)
        except (SyntaxError, ValueError):
            tree = None
        if tree is None or any(session.example_at(one.lineno) != session.example_at(_end(one)) for one in tree.body):
            yield Doctest(session, None)  # or a statement goes on behind another `>>>`
            continue
        info = ModuleInfo(module.name, path, tree, module.is_package, module.is_helper, session.text)
        own = _package_read(module, tree, around)
        imported = [*(ast.alias("numpy", one) for one in given), *map(ast.alias, own)]
        info.stand_within(module, *_sorted(session, tree, around | own, imported))
        yield Doctest(session, info)


def _end(statement: ast.stmt) -> int:
    return statement.end_lineno or statement.lineno


def _package_read(module: ModuleInfo, tree: ast.Module, around: set[str]) -> set[str]:
    """The name of the package that a module is in, where a session reads it and imports it nowhere."""
    name = module.name.partition(".")[0]
    read = {one.id for one in tree_walk(tree) if isinstance(one, ast.Name)}
    return {name} & read - around - _bound(_outer(tree.body))


def _sorted(
    session: Session, tree: ast.Module, bound: set[str], imported: list[ast.alias]
) -> tuple[list[ast.stmt], list[ast.stmt]]:
    """The statements that are examples of use, and those that read a name which is bound nowhere ("data")."""
    run: list[ast.stmt] = []
    aside: list[ast.stmt] = []
    if imported:
        run.append(ast.Import(imported, lineno=1, col_offset=0))
    for statement in tree.body:
        nodes = tree_walk(statement)
        read = {one.id for one in nodes if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}
        if "*" not in bound and not read <= bound | _bound(nodes):
            aside.append(statement)
        elif session.examples[session.example_at(statement.lineno)].fails:
            run.append(expected_to_raise(statement))
        else:
            bound |= _bound(_outer([statement]))
            run.append(statement)
    return run, aside


def _bound(nodes: Iterable[ast.AST]) -> set[str]:
    """The names that these nodes bind; a star where that cannot be told."""
    found = (one for one in nodes if not isinstance(getattr(one, "ctx", None), ast.Del))
    return {name for node in found for name in bound_names(node)}


def _outer(nodes: Sequence[ast.AST]) -> list[ast.AST]:
    """List the nodes below these, without those in functions and classes."""
    found = list(nodes)
    for node in found:  # grows while it is read
        found += [] if isinstance(node, _SCOPES) else children(node)
    return found


class SessionPlan(NamedTuple):
    """A session and what is to be done in it; nothing where it stays as it is, or cannot be parsed."""

    session: Session
    ctx: ModuleContext | None = None
    plan: Plan | None = None
    remarks: Sequence[Remark] = ()


def plan_doctest(
    doctest: Doctest,
    plan_of: Callable[[ModuleInfo], tuple[ModuleContext, Plan, list[Remark]]],
    skipped: Container[ast.AST] = (),
) -> SessionPlan:
    """Plan a session as a module, unless its docstring is among the nodes that stay as they are."""
    info = None if doctest.session.node in skipped else doctest.info
    return SessionPlan(doctest.session, *(plan_of(info) if info is not None else ()))


def rewrite(sessions: Iterable[SessionPlan], settings: Settings, spelling: Spelling, limit: int) -> Rewritten:
    """Rewrite the sessions of a module.

    Parameters
    ----------
    spelling
        What the modules that the new text needs are called in the file.
    limit
        How long a line of the file may become.
    """
    done = Rewritten()
    for one in sessions:
        if not _rewrite(one, settings, spelling, limit, done):
            done.names.update(_WORD.findall(one.session.text))
    return done


def _rewrite(one: SessionPlan, settings: Settings, spelling: Spelling, limit: int, done: Rewritten) -> bool:
    session, ctx, plan, remarks = one
    if ctx is None or plan is None:
        return False
    tree = ctx.module.tree
    wants = _wants(session, ctx, plan, settings)
    bound = {(a.asname or a.name).partition(".")[0] for node in _imports(tree) for a in node.names}
    needs: set[str] = set()
    if not any(map(imports_numpy, _imports(tree))):  # it is the module's that is used
        needs = {name for names in plan.needs.values() for name in names}
        needs = {name for name in needs if spelling.names[name] not in bound}
        plan.needs.clear()
    imports = Imports(ctx, plan, Elsewhere(), spelling)
    if plan.touches() or wants or imports.has_changes():
        changes = plan.touches() or imports.has_changes()
        limit -= session.node.col_offset + len(PROMPT)
        text = render(session.text, ctx, plan, imports, limit) if changes else session.text
        literal = session.literal(text, wants)
        if literal is None:
            return False
        done.literals[session.node] = literal
    done.names |= plan.loaded - bound
    done.needs |= needs
    for site in plan.sites:
        line, column = session.place(site.line, site.column)
        done.sites.append(site._replace(line=line, column=column))
    for remark in remarks:
        line, column = session.place(remark.line, remark.column)
        done.remarks.append(remark._replace(line=line, column=column))
    return True


def _imports(tree: ast.Module) -> Iterator[ast.Import | ast.ImportFrom]:
    return (node for node in tree_walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom)))


def _wants(session: Session, ctx: ModuleContext, plan: Plan, settings: Settings) -> dict[int, str]:
    """Give the expected outputs that change, by the number of the example."""
    wants: dict[int, str] = {}
    code, _, message = NOT_KNOWN.partition(" ")
    if not ctx.selects(code):  # nor may what it shows be converted
        return wants
    for statement in ctx.module.tree.body:
        number = session.example_at(statement.lineno)
        example = session.examples[number]
        if not isinstance(statement, ast.Expr) or not example.want or example.fails:
            continue
        if statement in ctx.module.skipped or not ctx.wants(statement, code):
            continue
        try:
            if settings.device != "default" and _speaks_of_arrays(example.want):
                raise NotKnown  # torch names the device
            want = _want(example.want, statement.value, ctx, plan, settings)
        except NotKnown:
            if "+SKIP" in example.source:
                continue
            plan.notes.setdefault(statement, []).append(NOT_KNOWN)
            plan.sites.append(Site(statement.lineno, 1, "todo", code, example.want.split("\n")[0], message))
        else:
            if want != example.want:
                wants[number] = want
    return wants


def _speaks_of_arrays(want: str) -> bool:
    return "array(" in want or want.startswith("[")


def _want(want: str, node: ast.expr, ctx: ModuleContext, plan: Plan, settings: Settings) -> str:
    dtype = partial(_under, settings)
    edit = plan.edits.get(node)
    if edit is not None and edit.outcome == "todo":  # it stays on NumPy
        return want
    if _is_shape(node, ctx):
        return shape_shown(want)
    want = _with_shapes(want, node, ctx)
    if not isinstance(node, ast.Call) or getattr(node.func, "id", "") != "print":
        return tensor_repr(want, ctx.fact(node), dtype)
    arrays = [one for one in node.args if v.only(ctx.fact(one), "array") and one not in plan.wraps]
    if not arrays or not _speaks_of_arrays(want):
        return want
    if len(node.args) > 1:
        raise NotKnown
    return tensor_str(want, ctx.fact(arrays[0]), dtype)


def _is_shape(node: ast.expr, ctx: ModuleContext) -> bool:
    """Tell whether it is the shape of a tensor, or a slice of it."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        return _is_shape(node.value, ctx)
    if not isinstance(node, ast.Attribute) or node.attr != "shape":
        return False
    fact = ctx.fact(node.value)
    return v.may(fact, "array") or any(isinstance(one, v.Instance) and one.definition.is_tensor() for one in fact)


def _with_shapes(want: str, node: ast.expr, ctx: ModuleContext) -> str:
    """Give the text of a tuple or list that is written out, `x.shape, x.ndim`, with shapes as torch shows them."""
    if not isinstance(node, (ast.Tuple, ast.List)) or not any(_is_shape(one, ctx) for one in node.elts):
        return want
    try:
        shown = ast.parse(want.strip(), mode="eval").body
    except SyntaxError:
        return want
    if not isinstance(shown, (ast.Tuple, ast.List)) or len(shown.elts) != len(node.elts) or not want.isascii():
        return want
    for one, part in reversed(list(zip(node.elts, shown.elts, strict=True))):
        if _is_shape(one, ctx) and part.end_lineno == 1:
            begin, end = part.col_offset, part.end_col_offset
            want = want[:begin] + shape_shown(want[begin:end]) + want[end:]
    return want


def _under(settings: Settings, dtype: str) -> str:
    return NARROW.get(f"torch.{dtype}", dtype).removeprefix("torch.") if settings.float == "float32" else dtype
