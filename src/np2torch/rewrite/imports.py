"""Imports after conversion: NumPy's go where nothing uses them any more, torch's come in their place."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable
from typing import Any

import libcst as cst

from np2torch.names.modules import numpys_module
from np2torch.names.optional import fallbacks
from np2torch.names.tree import dotted
from np2torch.names.tree import walk as tree_walk
from np2torch.rewrite.plan import Plan
from np2torch.rules.site import Context

STANDARD = {"math": "import math", "unittest": "import unittest"}
"""Modules of the standard library, which stand apart."""
LINES = {"torch": "import torch", "shim": "from np2torch import shim", **STANDARD}


EVALUATING = frozenset({"eval", "exec"})
"""Functions that run text, which may speak of anything that is imported."""


class Imports:
    """Decides, for each import statement, which of its names stay, and where the new ones go."""

    def __init__(self, ctx: Context, plan: Plan, exported: set[str], shim_import: str = LINES["shim"]) -> None:
        self.lines = {**LINES, "shim": shim_import}
        self.ctx = ctx
        self.plan = plan
        self.kept = plan.loaded | exported
        self.placed_in_block = False
        self.for_checkers: list[str] = []
        self.statements: dict[ast.stmt, list[ast.alias]] = {}
        self.moved: dict[ast.stmt, list[ast.alias]] = {}
        self.own: dict[ast.AST, bool] = {}
        self.scopes: dict[ast.AST, ast.AST] = {}
        nodes = tree_walk(ctx.module.tree)
        left = {one for handler in fallbacks(nodes) for one in tree_walk(handler)}
        if any(isinstance(node, ast.Call) and getattr(node.func, "id", "") in EVALUATING for node in nodes):
            return  # any name may be read there: of `eval(repr(x))` it is `array`
        for node in nodes:
            if isinstance(node, (ast.Import, ast.ImportFrom)) and node not in left and node not in ctx.module.skipped:
                moved = [a for a in node.names if self._moves(node, a)]
                gone = [a for a in node.names if a in moved or self._goes(node, a)]
                if gone:
                    self.statements[node] = gone
                if moved:
                    self.moved[node] = moved

    def _moves(self, node: ast.Import | ast.ImportFrom, alias: ast.alias) -> bool:
        """Is it a function of NumPy's that only others use, from here? They get the shim's."""
        module = numpys_module(node) if isinstance(node, ast.ImportFrom) else None
        if module is None or self.lines["shim"] != LINES["shim"]:  # a policy is no module to import from
            return False
        name, here = f"{module}.{alias.name}".removeprefix("numpy."), alias.asname or alias.name
        return name in self.ctx.shim and here in self.kept and here not in self.plan.loaded

    def _goes(self, node: ast.Import | ast.ImportFrom, alias: ast.alias) -> bool:
        if isinstance(node, ast.ImportFrom):
            name = alias.asname or alias.name
            if numpys_module(node) is None:
                return name in self.ctx.numpy_names and name not in self.kept and name != "*"
            if name == "*":
                return not any(n in self.ctx.numpy_names for n in self.kept)
            return name not in self.kept
        if alias.name.split(".")[0] != "numpy":
            return False
        return (alias.asname or "numpy") not in self.kept

    def moved_line(self, node: ast.stmt) -> list[str]:
        """The import line for the names of a statement that come from the shim from now on."""
        moved = self.moved.get(node)
        if not moved or not isinstance(node, ast.ImportFrom):
            return []
        module = ".".join(["np2torch.shim", *(node.module or "").split(".")[1:]])
        names = ", ".join(f"{a.name} as {a.asname}" if a.asname else a.name for a in moved)
        return [f"from {module} import {names}"]

    # ------------------------------------------------------------------------------------------- applying
    def changed(self) -> bool:
        """Is there anything to do?"""
        return bool(self.statements) or bool(self.missing(self.ctx.module.tree))

    def missing(self, scope: ast.AST) -> list[str]:
        """Modules the new text of a scope needs and the file does not import yet."""
        needs: set[str] = set()
        for place, names in self.plan.needs.items():
            if self._scope_of(place) is scope:
                needs |= names
        return [n for n in (*STANDARD, "torch", "shim") if n in needs and not _imports(self.ctx.module.tree, n)]

    def _scope_of(self, place: ast.AST) -> ast.AST:
        """A function with its own NumPy import keeps its own imports; all else belongs to the module."""
        if place not in self.scopes:
            own = (one for one in self._around(place) if self._has_own(one))
            self.scopes[place] = next(own, self.ctx.module.tree)
        return self.scopes[place]

    def _around(self, place: ast.AST) -> Iterable[ast.AST]:
        """What a place lies in, from the inside out."""
        current: ast.AST | None = place
        while current is not None:
            yield current
            current = self.ctx.parents.get(current)

    def _has_own(self, function: ast.AST) -> bool:
        """Does a function import NumPy itself, ahead of all that needs something, not in one of its branches?"""
        if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return False
        if function not in self.own:
            imports = [one for one in self.statements if self.ctx.function(one) is function]
            chains = [set(self._around(place)) for place in self.plan.needs] if imports else []
            below = [chain for chain in chains if function in chain]
            self.own[function] = bool(imports) and all(any(self._runs_before(i, p) for i in imports) for p in below)
        return self.own[function]

    def _runs_before(self, statement: ast.stmt, place: set[ast.AST]) -> bool:
        """Has the import run by then, by the blocks around it? What follows a `try` or `with` comes after its body."""
        current: ast.AST = statement
        while not isinstance(parent := self.ctx.parents[current], ast.Module):
            blocks: list[list[Any]] = [part for _, part in ast.iter_fields(parent) if isinstance(part, list)]
            block = next(one for one in blocks if current in one)
            later = block[block.index(current) + 1 :] + (parent.orelse if isinstance(parent, ast.Try) else [])
            if not place.isdisjoint(later):
                return True
            if not isinstance(parent, (ast.Try, ast.With)):
                return False
            current = parent
        return False

    def lines_for(self, scope: ast.AST) -> list[str]:
        """New import lines for a scope, those of the standard library apart for a module."""
        return [self.lines[n] for n in self.missing(scope) if n not in self.for_checkers]

    def lines_at(self, statement: ast.stmt) -> list[str]:
        """New import lines in place of an import inside a function or block."""
        function = self.ctx.function(statement)
        if isinstance(function, ast.Module):  # under `if` or `try` at module level: the module's own needs go there
            if any(self.ctx.parents.get(s) is function for s in self.statements):
                return []
            if self._is_for_checkers(statement):
                return self._lines_for_checkers(function)
            here = (s for s in self.statements if self.ctx.function(s) is function and not self._is_for_checkers(s))
            if next(here) is statement:
                self.placed_in_block = True
                return self.lines_for(function)
            return []
        return self.lines_for(function)

    def _is_for_checkers(self, statement: ast.stmt) -> bool:
        """Does it stand under `if TYPE_CHECKING:`, where no program comes along?"""
        current: ast.AST | None = statement
        while (parent := self.ctx.parents.get(current) if current is not None else None) is not None:
            if isinstance(parent, ast.If) and current in parent.body:
                if (dotted(parent.test) or "").rpartition(".")[2] == "TYPE_CHECKING":
                    return True
            current = parent
        return False

    def _lines_for_checkers(self, module: ast.AST) -> list[str]:
        """What only annotations need; all else is imported where the program sees it."""
        names = [n for n in self.missing(module) if n not in self.plan.running and n not in self.for_checkers]
        self.for_checkers += names
        return [self.lines[n] for n in names]

    def reduced(self, node: ast.stmt, small: Any) -> Any | None:
        """The import statement without the names that go; None when none is left."""
        gone = self.statements[node]
        assert isinstance(node, (ast.Import, ast.ImportFrom))
        left = [index for index, alias in enumerate(node.names) if alias not in gone]
        if not left:
            return None
        names = [small.names[index] for index in left]
        comma = small.names[-1].comma if getattr(small, "rpar", None) else cst.MaybeSentinel.DEFAULT
        names[-1] = names[-1].with_changes(comma=comma)
        return small.with_changes(names=names)


def _imports(tree: ast.Module, name: str) -> bool:
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)) and any((a.asname or a.name) == name for a in node.names):
            return True
    return False


def rewrite_imports(body: list[Any], tree: ast.Module, imports: Imports, new_body: list[Any]) -> list[Any]:
    """The module body with its imports seen to.

    Parameters
    ----------
    body, new_body
        Statement lines before and after rewriting, one for one.
    """
    flat = _flat(tree.body, body)
    added = [] if imports.placed_in_block else imports.lines_for(tree)
    out: list[Any] = []
    pending: list[Any] = []  # comments above an import that went: the next line takes them
    placed = not added
    for old, new in zip(body, new_body, strict=True):
        statements = [s for s, line in flat if line is old]
        going = [s for s in statements if s in imports.statements]
        if not going or not isinstance(new, cst.SimpleStatementLine):
            out.append(new.with_changes(leading_lines=[*pending, *new.leading_lines]) if pending else new)
            pending = []
            if not placed and any(_is_numpy(s) for s in statements):  # NumPy stays: torch comes beside it
                placed = True
                out += [_line(text) for text in added if text not in STANDARD.values()]
            continue
        smalls = []
        for statement, small in zip(statements, new.body, strict=True):
            if statement in imports.statements:
                reduced = imports.reduced(statement, small)
                if reduced is not None:
                    smalls.append(reduced)
            else:
                smalls.append(small)
        fresh = [] if placed else [_line(text) for text in added if text not in STANDARD.values()]
        fresh += [_line(text) for statement in going for text in imports.moved_line(statement)]
        placed = True
        if smalls:
            smalls[-1] = smalls[-1].with_changes(semicolon=cst.MaybeSentinel.DEFAULT)
            out.append(new.with_changes(body=smalls))
            out += fresh
        elif fresh:
            fresh[0] = fresh[0].with_changes(
                leading_lines=new.leading_lines, trailing_whitespace=new.trailing_whitespace
            )
            out += fresh
        else:
            pending += [line for line in new.leading_lines if line.comment is not None]
    if not placed:
        out = _insert(out, [_line(text) for text in added if text not in STANDARD.values()])
    for name, text in reversed(STANDARD.items()):
        if text in added:
            out = _insert_standard(out, name)
    return out


def _is_numpy(node: ast.stmt) -> bool:
    return isinstance(node, ast.Import) and any(a.name.split(".")[0] == "numpy" for a in node.names)


def _flat(abstract: list[ast.stmt], body: Iterable[Any]) -> list[tuple[ast.stmt, Any]]:
    out = []
    statements = iter(abstract)
    for line in body:
        for _ in line.body if isinstance(line, cst.SimpleStatementLine) else (line,):
            out.append((next(statements), line))
    return out


def _line(text: str) -> cst.SimpleStatementLine:
    found = cst.parse_statement(text)
    assert isinstance(found, cst.SimpleStatementLine)
    return found


def _preamble(body: list[Any]) -> int:
    """How many lines a docstring and `from __future__` imports take."""
    index = 0
    for line in body:
        small = line.body[0] if isinstance(line, cst.SimpleStatementLine) and line.body else None
        value = small.value if isinstance(small, cst.Expr) and index == 0 else None
        is_doc = isinstance(value, (cst.SimpleString, cst.ConcatenatedString))
        is_future = isinstance(small, cst.ImportFrom) and _module_name(small) == "__future__"
        if not (is_doc or is_future):
            break
        index += 1
    return index


def _insert(body: list[Any], lines: list[Any]) -> list[Any]:
    index = _preamble(body)
    last = index
    for number, line in enumerate(body[index:], index):
        small = line.body[0] if isinstance(line, cst.SimpleStatementLine) and line.body else None
        if isinstance(small, (cst.Import, cst.ImportFrom)):
            last = number + 1
        else:
            break
    if last == index and index:
        lines = [lines[0].with_changes(leading_lines=[cst.EmptyLine()]), *lines[1:]]
    if last < len(body) and last == index and not index and hasattr(body[last], "leading_lines"):
        head = body[last].leading_lines
        lines = [lines[0].with_changes(leading_lines=head), *lines[1:]]
        body = [*body[:last], body[last].with_changes(leading_lines=[]), *body[last + 1 :]]
    return [*body[:last], *lines, *body[last:]]


def _insert_standard(body: list[Any], added: str) -> list[Any]:
    """`import math` or its like among the standard library's imports, or a group of its own above the others."""
    start = _preamble(body)
    first: int | None = None
    for number, line in enumerate(body[start:], start):
        small = line.body[0] if isinstance(line, cst.SimpleStatementLine) and line.body else None
        if not isinstance(small, (cst.Import, cst.ImportFrom)):
            break
        if first is None:
            first = number
        name = _module_name(small)
        if name.split(".")[0] in sys.stdlib_module_names and isinstance(small, cst.Import) and name > added:
            made = _line(STANDARD[added]).with_changes(leading_lines=line.leading_lines)
            return [*body[:number], made, line.with_changes(leading_lines=[]), *body[number + 1 :]]
        if name.split(".")[0] not in sys.stdlib_module_names:
            if number > first:
                return [*body[:number], _line(STANDARD[added]), *body[number:]]
            made = _line(STANDARD[added]).with_changes(leading_lines=line.leading_lines)
            apart = line.with_changes(leading_lines=[cst.EmptyLine(indent=False)])
            return [*body[:number], made, apart, *body[number + 1 :]]
    return _insert(body, [_line(STANDARD[added])])


def _module_name(small: Any) -> str:
    node = small.names[0].name if isinstance(small, cst.Import) else small.module
    return cst.Module([]).code_for_node(node) if node is not None else "."
