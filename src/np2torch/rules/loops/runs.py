"""Decides which statements in a row run in NumPy, without any loop: those that read and write elements.

The state of a filter is an example: `x[0] += k[0] * y + dt * x[1]`, and what makes Python's numbers of elements:
`math.atan2(m[0, 1], m[0, 0])`. A function that writes into what it has made itself alone, or computes with elements in
torch, is to be differentiated, and compiled as a whole: it stays.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any

from np2torch.facts import values as v
from np2torch.names.tree import blocks, dotted_name
from np2torch.names.tree import walk as tree_walk
from np2torch.rules.loops import vocabulary as words
from np2torch.rules.loops.elements import Elements
from np2torch.rules.loops.flow import stores
from np2torch.rules.loops.names import Names
from np2torch.rules.loops.region import CODE, LoopRefusal, Region
from np2torch.rules.loops.regions import Reader, may_have_regions, names_in
from np2torch.rules.loops.sources import is_plain
from np2torch.rules.site import ModuleContext

NEWLINE = re.compile(r"\r\n|\r|\n")
"""The ends of lines, as Python counts them."""
FEWEST = 5
"""Fewer elements are no gain: what is handed over takes as long."""
LEAVING = (ast.For, ast.While, ast.Break, ast.Continue)
"""Loops, which are decided by themselves, and what leaves one before the names come back."""
NUMBERS = frozenset({"float", "int"})
"""What makes a Python number of an element, beside the functions of `math`."""
BLOCKS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.If, ast.For, ast.While)


def runs_in(ctx: ModuleContext, computing: Mapping[ast.AST, Any]) -> list[tuple[Region, Sequence[ast.stmt]]]:
    """The statements of a module that are to run in NumPy, in what order they stand, but for loops.

    Parameters
    ----------
    computing
        The functions of the module that may run in NumPy, and be called there.
    """
    if not may_have_regions(ctx):
        return []
    found: list[tuple[Region, Sequence[ast.stmt]]] = []
    taken = names_in(ctx)
    done = set(ctx.on_numpy)
    for node in ctx.module.nodes:
        if isinstance(node, BLOCKS):
            for block in blocks(node):
                if not isinstance(ctx.function(block[0]), ast.Module) and not _is_within(ctx, block[0], done):
                    for one in _tried(ctx, block, taken, computing):
                        found.append(one)
                        done.update(one[1])
    return found


def _is_within(ctx: ModuleContext, node: ast.AST, done: Set[ast.AST]) -> bool:
    current: ast.AST | None = node
    while current is not None and current not in done:
        current = ctx.parents.get(current)
    return current is not None


def _elements_in(ctx: ModuleContext, statement: ast.stmt) -> int:
    """Count at a glance the parts of what may be an array that a statement handles."""
    found = 0
    for node in tree_walk(statement):
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice):
            if v.may(ctx.fact_in_numpy(node.value), "array"):
                found += 1 + isinstance(ctx.parents.get(node), ast.AugAssign)
    return found


def _tried(
    ctx: ModuleContext, block: Sequence[ast.stmt], taken: set[str], computing: Mapping[ast.AST, Any]
) -> Iterator[tuple[Region, Sequence[ast.stmt]]]:
    """The statements of a block that run in NumPy together, each time as many as do."""
    elements = {one: _elements_in(ctx, one) for one in block}
    if sum(elements.values()) < FEWEST:
        return
    stretch: list[ast.stmt] = []
    lines = NEWLINE.split(ctx.module.text)
    for statement in [*block, None]:
        if statement is not None and ctx.wants(statement, CODE) and ctx.is_wanted(statement):
            if _stands_alone(statement, lines) and _may_stand(ctx, statement, taken, computing):
                stretch.append(statement)
                continue
        if sum(map(elements.__getitem__, stretch)) >= FEWEST:
            made = _fitted(ctx, stretch, taken, computing)
            if made is not None:
                yield made
        stretch = []


def _stands_alone(statement: ast.stmt, lines: Sequence[str]) -> bool:
    """Tell whether nothing else stands on the lines of a statement: what is handed over has lines of its own."""
    first = lines[statement.lineno - 1].encode()[: statement.col_offset]
    last = lines[(statement.end_lineno or statement.lineno) - 1].encode()[statement.end_col_offset :].strip()
    return not first.strip() and (not last or last.startswith(b"#"))


def _may_stand(ctx: ModuleContext, statement: ast.stmt, taken: set[str], computing: Mapping[ast.AST, Any]) -> bool:
    """Tell whether a statement may run in NumPy, beside others."""
    if not isinstance(statement, words.STATEMENTS) or isinstance(statement, LEAVING):
        return False
    try:
        Run(ctx, [statement], taken, computing).look_through()
    except LoopRefusal:
        return False
    return True


def _fitted(
    ctx: ModuleContext, stretch: Sequence[ast.stmt], taken: set[str], computing: Mapping[ast.AST, Any]
) -> tuple[Region, Sequence[ast.stmt]] | None:
    """The region of these statements, from the first to the last that handles elements of what is bound before."""
    parts = Parts(ctx, stretch, (), ())
    at = [at for at, one in enumerate(stretch) if any(map(parts.is_one, tree_walk(one)))]
    stretch = stretch[at[0] : at[-1] + 1] if at else []
    while len(stretch) > 1 or stretch and not isinstance(stretch[0], ast.If):  # whose arms are looked at by themselves
        try:
            made = Run(ctx, stretch, taken, computing).region()
        except LoopRefusal:
            return None
        last = max(at for at, one in enumerate(stretch) if any(node in made.renamed for node in tree_walk(one)))
        if last + 1 == len(stretch):
            return made, stretch
        stretch = stretch[: last + 1]
    return None


class Run(Reader):
    """Reads statements in a row, and refuses them where something in them needs tensors."""

    def __init__(
        self, ctx: ModuleContext, statements: Sequence[ast.stmt], taken: set[str], computing: Mapping[ast.AST, Any]
    ) -> None:
        super().__init__(ctx, statements[0], taken, statements, computing)
        self.statements = statements

    def look_through(self) -> None:
        """See to all that stands in them.

        Raises
        ------
        Refused
            Where they have to stay on tensors.
        """
        for node in self.nodes:
            self._permit(node)
        for statement in self.statements:
            self._read(statement)
        if self.appended or self.made.stream is not None or self.made.own:
            raise LoopRefusal("it changes a list, or draws random numbers")

    def region(self) -> Region:
        """The region of the statements.

        Raises
        ------
        Refused
            Where they have to stay on tensors.
        """
        if self._is_in_class():
            raise LoopRefusal("it stands in a class")
        self._read_through(self.statements)
        parts = Parts(self.ctx, self.statements, self.made.renamed, self.apart)
        targets = list(parts.targets())
        gives_more = bool(targets) or not all(map(self._is_numbered, parts.read()))
        if gives_more and all(self._is_new(one.value) for one in targets):
            raise LoopRefusal("it stores nothing in arrays of others, and gives more than numbers")
        if (whole := next(parts.wholes(), None)) is not None:
            raise LoopRefusal(f"`{ast.unparse(whole)}` is computed with as a whole")
        made = self._with_names(Names(self.ctx, self.loop, self.made, self.statements))
        if not targets and (made.coming or made.crossing):
            raise LoopRefusal("it gives more than numbers")
        handed = len(made.views) + sum(map(bool, made.going.values())) + len(made.coming) + len(made.crossing)
        if not made.views or parts.number() < max(FEWEST, handed + 1):
            raise LoopRefusal("it reads and writes few elements")
        made.end_with(self.statements[-1])
        return made

    def _is_numbered(self, element: ast.expr) -> bool:
        """Tell whether only Python's numbers come of an element: no gradient flows through `math.sqrt`."""
        node, around = element, self.ctx.parents.get(element)
        while isinstance(around, (ast.BinOp, ast.UnaryOp)):
            node, around = around, self.ctx.parents.get(around)
        if not isinstance(around, ast.Call) or node not in around.args:
            return False
        function = around.func
        if isinstance(function, ast.Attribute):
            return v.only(self.fact(function), "builtin") and dotted_name(function.value) in words.MODULES
        return isinstance(function, ast.Name) and function.id in NUMBERS and v.only(self.fact(function), "builtin")

    def _is_new(self, array: ast.expr) -> bool:
        """Tell whether the function has made an array itself, as far as is seen."""
        if not isinstance(array, ast.Name):
            return False
        aliases = self.ctx.aliases(array)
        return aliases.is_always_own(array.id) or aliases.is_own_by_then(array.id, array)

    def _permit(self, node: ast.AST) -> None:
        if isinstance(node, LEAVING):
            raise LoopRefusal("a loop, or the end of one")
        if isinstance(node, ast.Return) and any(map(self._is_handed_out, tree_walk(node))):
            raise LoopRefusal("what is given back has to be the very tensor")
        super()._permit(node)

    def _is_handed_out(self, node: ast.AST) -> bool:
        """Tell whether an array itself is given back, not what is computed with it."""
        if not isinstance(node, (ast.Name, ast.Attribute)) or is_plain(self.fact(node)):
            return False
        around = self.ctx.parents.get(node)
        return isinstance(around, (ast.Return, ast.Tuple, ast.List, ast.IfExp, ast.BoolOp, ast.Dict, ast.Starred))

    def _always_runs(self, node: ast.AST) -> bool:
        """Tell whether an expression is evaluated whenever the statements run."""
        current: ast.AST | None = node
        while current is not None and current not in self.statements:
            if isinstance(current, (ast.If, ast.IfExp, ast.BoolOp)):
                return False
            current = self.ctx.parents.get(current)
        return not isinstance(current, ast.If) or node in tree_walk(current.test)


class Parts(Elements):
    """The parts of arrays that statements handle."""

    def __init__(
        self, ctx: ModuleContext, statements: Sequence[ast.stmt], hoisted: Any, apart: Any
    ) -> None:
        super().__init__(ctx, statements[0], hoisted, apart)  # type: ignore[arg-type]
        self.nodes = [node for one in statements for node in tree_walk(one)]
        self.bound = stores(statements)

    def number(self) -> int:
        """Count the elements that are read and written."""
        return sum(1 + self._is_updated(one) for one in self.nodes if self._is_single(one))

    def is_one(self, node: ast.AST) -> bool:
        """Tell whether it is an element of an array."""
        return self._is_single(node)

    def targets(self) -> Iterator[ast.Subscript]:
        """The elements that are written."""
        for node in self.nodes:
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and self._is_single(node):
                yield node

    def read(self) -> Iterator[ast.Subscript]:
        """The elements that are read."""
        for node in self.nodes:
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and self._may_be_array(node.value):
                yield node

    def wholes(self) -> Iterator[ast.expr]:
        """The places where arrays are computed with as wholes; a name that is bound to one computes nothing."""
        for node in self._whole():
            around = self.ctx.parents.get(node)
            if not isinstance(around, ast.Assign) or not isinstance(around.targets[0], ast.Name):
                yield node

    def _is_updated(self, node: ast.AST) -> bool:
        around = self.ctx.parents.get(node)
        return isinstance(around, ast.AugAssign) and around.target is node


