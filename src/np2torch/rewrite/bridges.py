"""Boundaries around code that is left on NumPy: names are handed over on lines beside it, other values are listed.

    x = shim.to_numpy(x)
    y = np.percentile(x, 3)  # np2torch: skip
    x = shim.from_numpy(x)
    y = shim.from_numpy(y)
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Container, Iterator, Sequence

from np2torch.facts import values as v
from np2torch.facts.interpreter.border import stays_numpy
from np2torch.facts.places import BLOCKS, DEFINITIONS
from np2torch.names.tree import blocks, children, dotted_name
from np2torch.names.tree import walk as tree_walk
from np2torch.rewrite.already_converted import is_ours
from np2torch.rewrite.plan import Handover, Line, Plan, position
from np2torch.rules.site import ModuleContext, source_of
from np2torch.rules.syntax.foreign import holds_tensor
from np2torch.rules.syntax.subclasses import is_object
from np2torch.source.model import Remark, Site

LISTED = "NPT514"
INTO, OUT = "a tensor goes into code that is left on NumPy", "an ndarray comes out of code that is left on NumPy"
PLAIN = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Assert, ast.Return, ast.Raise, ast.Delete)
"""Statements that lines can be put around."""
CARRIED = ("array", "scalar", "number", "none", "text", "unknown")
"""The values of a name that can be handed over: no list or dict, which would become another one."""
LOOPS = (ast.For, ast.AsyncFor, ast.With, ast.AsyncWith)
"""Statements whose body begins once names of their heads are bound."""
SCOPES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


Handed = dict[str, ast.expr]
"""Names that are handed over, each with a node that shows where."""


def may_hold_tensor(fact: v.Fact) -> bool:
    """Tell whether it may be or hold a tensor."""
    return holds_tensor(fact) or v.known_to_include(fact, "unknown")


def build(
    ctx: ModuleContext, plan: Plan, exported: Collection[str], handed: Container[ast.AST] = ()
) -> list[Remark]:  # fmt: skip
    """Put the lines that hand over into the plan; what cannot be handed over comes back as remarks.

    Parameters
    ----------
    handed
        The names that definitions which are left as they are get views for.
    """
    remarks: list[Remark] = []
    if ctx.left_nodes and ctx.module.tree not in ctx.module.skipped:
        bridges = Bridges(ctx, plan, exported, handed)
        for block in _blocks(ctx):
            bridges.see_to(block)
        bridges.look_at_definitions()
        remarks += bridges.remarks
    return list(dict.fromkeys(remarks))


def _blocks(ctx: ModuleContext) -> Iterator[Sequence[ast.stmt]]:
    """The blocks of statements that are not left as they are themselves."""
    for node in ctx.module.nodes:
        if node not in ctx.left_nodes:
            yield from blocks(node)


class Bridges:
    """The lines that hand names over, block by block."""

    def __init__(
        self, ctx: ModuleContext, plan: Plan, exported: Collection[str], handed: Container[ast.AST]
    ) -> None:  # fmt: skip
        self.ctx, self.plan, self.exported, self.handed = ctx, plan, exported, handed
        self.skipped = ctx.left_nodes
        self.remarks: list[Remark] = []
        outside = [node for node in ctx.module.nodes if node not in self.skipped]
        self.bound = {
            (ctx.function(node), name)
            for node in outside
            for name in [getattr(node, "id", None) or getattr(node, "arg", None)]
            if isinstance(node, ast.arg) or isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        reads = [node for node in outside if isinstance(getattr(node, "ctx", None), ast.Load)]
        self.read = [(node.id, node) for node in reads if isinstance(node, ast.Name)]
        self.attributes = {node.attr for node in reads if isinstance(node, ast.Attribute)}

    def see_to(self, block: Sequence[ast.stmt]) -> None:
        """Look at the runs of statements of a block that are left as they are."""
        run: list[ast.stmt] = []
        for statement in block:
            if statement in self.skipped and (isinstance(statement, PLAIN) or self._is_kept(statement)):
                run.append(statement)
                continue
            if run:
                self.hand_over(run, block)
                run = []
            if statement not in self.skipped:
                head = [one for one in children(statement) if one in self.skipped and not isinstance(one, BLOCKS)]
                if head:
                    self.head_of(statement, head)
        if run:
            self.hand_over(run, block)

    def _is_kept(self, statement: ast.stmt) -> bool:
        """Tell whether it is a statement of the module, no definition, that the settings keep on NumPy."""
        return statement in self.ctx.kept and not isinstance(statement, DEFINITIONS)

    def hand_over(self, run: Sequence[ast.stmt], block: Sequence[ast.stmt]) -> None:
        """Put lines around a run of statements."""
        goes: Handed = {}
        comes: Handed = {}
        for statement in run:
            seen = set(comes)
            for node in _names(statement):
                if isinstance(node, ast.Attribute):
                    self._attribute(node, statement, comes)
                elif isinstance(node.ctx, ast.Load) and node.id not in seen:
                    self._goes(node, goes)
                elif isinstance(node.ctx, ast.Store) and not _is_for_checkers(statement):
                    comes.setdefault(node.id, node)
            if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
                if statement.target.id not in seen:
                    self._goes(statement.target, goes)
            elif (value := self._given_away(statement)) is not None:
                self._list_out(value)
        scope = self.ctx.function(run[0])
        back = {
            name: node for name, node in (goes | comes).items()
            if "." in name or any(name in goes or may_hold_tensor(fact) for fact in self._read_as(name, scope))
        }  # fmt: skip
        if not self._can_stand(run, block):
            self._list_all(goes, "to_numpy", INTO, block)
            self._list_all(back, "from_numpy", OUT, block)
            return
        self._add(self.plan.above, run[0], block, goes, "to_numpy", "NPT401", INTO)
        if not isinstance(run[-1], (ast.Return, ast.Raise)):
            self._add(self.plan.below, run[-1], block, back, "from_numpy", "NPT403", OUT)

    def _given_away(self, statement: ast.stmt) -> ast.expr | None:
        """Find the value that a statement returns, yields, or stores in what may be no array."""
        if isinstance(statement, ast.Assign):
            holders = [self.ctx.fact(t.value) for t in statement.targets if isinstance(t, ast.Subscript)]
            return None if all(v.only(fact, "array") for fact in holders) else statement.value
        if not isinstance(statement, (ast.Return, ast.Expr)):
            return None
        if isinstance(statement.value, ast.Yield):
            return statement.value.value
        return statement.value if isinstance(statement, ast.Return) else None

    def _list_all(self, handed: Handed, function: str, why: str, block: Sequence[ast.stmt]) -> None:
        """List names that cannot be handed over, but for those that are already."""
        for name, place in handed.items():
            if not self._is_there(Handover(name, function), block):
                self._list(place, f"{name}: {why}")

    def _goes(self, node: ast.Name, goes: Handed) -> None:
        """Hand a name over, or list it, where it holds a tensor."""
        fact = self.ctx.fact(node)
        is_open = v.known_to_include(fact, "unknown") and node.id not in self.ctx.module.env
        if not holds_tensor(fact) and not is_open:
            return
        parent = self.ctx.parents.get(node)
        is_changed = isinstance(parent, (ast.Attribute, ast.Subscript)) and parent.value is node
        is_own = (self.ctx.function(node), node.id) in self.bound
        if is_own and v.only(fact, *CARRIED) and not (is_open and is_changed):
            goes.setdefault(node.id, node)
        elif holds_tensor(fact) or is_own:
            self._list(node, f"{node.id}: {INTO}" if holds_tensor(fact) else f"{node.id}: perhaps {INTO}")

    def _attribute(self, node: ast.Attribute, statement: ast.stmt, comes: Handed) -> None:
        """Hand over what is stored in an attribute; list what is read of one."""
        name = dotted_name(node)
        if isinstance(node.ctx, ast.Load):
            if holds_tensor(self.ctx.fact(node)) and not self._is_handed(node):
                self._list(node, f"{source_of(node)}: {INTO}")
            return
        stored = self.ctx.fact(getattr(statement, "value", None))
        if isinstance(getattr(statement, "targets", [None])[0], (ast.Tuple, ast.List)):
            stored = v.TOP
        if name is not None and (holds_tensor(stored) or may_hold_tensor(stored) and node.attr in self.attributes):
            comes.setdefault(name, node)

    def _is_handed(self, node: ast.Attribute) -> bool:
        """Tell whether it is an attribute of an array, such as its shape, or of an object that stays on NumPy."""
        return holds_tensor(self.ctx.fact(node.value)) or is_object(self.ctx.fact(node.value))

    def _read_as(self, name: str, scope: ast.AST) -> Iterator[v.Fact]:
        """Give the facts of a name where converted code reads it: in its scope, in one within, or in other modules."""
        if isinstance(scope, ast.Module) and name in self.exported:
            yield self.ctx.module.env.get(name, v.TOP)
        for read, node in self.read:
            current: ast.AST | None = node if read == name else None
            while current is not None and current is not scope:
                current = self.ctx.parents.get(current)
            if current is scope:
                yield self.ctx.fact(node)

    def _can_stand(self, run: Sequence[ast.stmt], block: Sequence[ast.stmt]) -> bool:
        """Tell whether lines can be added around the statements, in a file that is converted for the first time."""
        ctx = self.ctx
        if ctx.module.around is not None or ctx.converted_already() or not set(run) & set(block):
            return False
        around = ctx.parents.get(run[0])
        beside = [one for one in block if one not in run and one.lineno in {part.lineno for part in run}]
        return not beside and not (isinstance(around, ast.stmt) and around.lineno == run[0].lineno)

    def _is_there(self, line: Handover, block: Sequence[ast.stmt]) -> bool:
        """Tell whether an earlier run has put such a line into a block, by whatever name of the shim."""
        for one in block:
            if isinstance(one, ast.Assign) and isinstance(one.value, ast.Call):
                names = [dotted_name(node) for node in (*one.targets, *one.value.args)]
                if names == [line.name, line.name] and is_ours(self.ctx, one.value.func, line.function):
                    return True
        return False

    def _add(
        self, lines: dict[ast.stmt, list[Line]], place: ast.stmt, block: Sequence[ast.stmt], names: Handed,
        function: str, code: str, message: str,
    ) -> None:  # fmt: skip
        for name, node in names.items():
            line = Handover(name, function)
            if self._is_there(line, block) or not self.ctx.selects(code):
                continue
            lines.setdefault(place, []).append(line)
            self.plan.needs.setdefault(place, set()).add("shim")
            self.plan.running.add("shim")
            self.plan.added.append(Site(*position(self.ctx, node), "boundary", code, name, message))

    # --------------------------------------------------------------------------------------- what is only listed
    def head_of(self, statement: ast.stmt, head: Sequence[ast.AST]) -> None:
        """The head of a statement that is left as it is: the names of a loop become tensors where its body begins."""
        scope, body = self.ctx.function(statement), getattr(statement, "body", [])
        bound: Handed = {}
        for node in (name for part in head for name in _names(part)):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                if any(map(may_hold_tensor, self._read_as(node.id, scope))):
                    bound[node.id] = node
            elif holds_tensor(self.ctx.fact(node)):
                self._list(node, f"{source_of(node)}: {INTO if isinstance(node.ctx, ast.Load) else OUT}")
        if isinstance(statement, LOOPS) and self._can_stand(body[:1], body):
            self._add(self.plan.above, body[0], body, bound, "from_numpy", "NPT403", OUT)
        else:
            for name, place in bound.items():
                self._list(place, f"{name}: {OUT}")

    def look_at_definitions(self) -> None:
        """Tensors that definitions which are left as they are read around them, and converted code that they call."""
        skipped = self.ctx.module.skipped
        for definition in self.ctx.module.nodes:
            above = self.ctx.parents.get(definition)
            if not isinstance(definition, DEFINITIONS) or definition not in skipped or above in skipped:
                continue
            below = tree_walk(definition)
            own = {one.arg for one in below if isinstance(one, ast.arg)}
            own |= {one.id for one in below if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
            for node in below:
                if node in self.handed:
                    continue
                if isinstance(node, ast.Name) and node.id not in own and holds_tensor(self.ctx.fact(node)):
                    self._list(node, f"{node.id}: {INTO}")
                elif isinstance(node, ast.Call):
                    callees = self.ctx.engine.callees.get(node) or ()
                    if any(not stays_numpy(callee) for callee in callees):
                        self._list(node, f"{source_of(node)}: converted code is called with ndarrays")

    def _list_out(self, node: ast.expr) -> None:
        definition = self.ctx.engine.functions.get(self.ctx.function(node))
        is_return = isinstance(self.ctx.parents.get(node), ast.Return)
        if is_return and definition is not None and definition.called and not definition.escaped:
            return  # where it is called it becomes a tensor
        if holds_tensor(self.ctx.fact(node)):
            self._list(node, f"{source_of(node)}: {OUT}")

    def _list(self, node: ast.AST, message: str) -> None:
        self.remarks.append(Remark(*position(self.ctx, node), LISTED, message))


def _is_for_checkers(statement: ast.stmt) -> bool:
    """Tell `if TYPE_CHECKING:`, below which nothing is bound when the module runs."""
    name = dotted_name(statement.test) if isinstance(statement, ast.If) else None
    return name is not None and name.rpartition(".")[2] == "TYPE_CHECKING"


def _names(node: ast.AST) -> Iterator[ast.Name | ast.Attribute]:
    """Names, and attributes by their whole path, but for those that comprehensions and lambdas bind themselves."""
    stack: list[tuple[ast.AST, frozenset[str]]] = [(node, frozenset())]
    while stack:
        current, own = stack.pop()
        if isinstance(current, SCOPES):
            below = tree_walk(current)
            own |= {one.arg for one in below if isinstance(one, ast.arg)}
            own |= {one.id for one in below if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
        if isinstance(current, ast.Name) and current.id not in own:
            yield current
        elif isinstance(current, ast.Attribute):
            yield current
        stack += [(child, own) for child in reversed(children(current))]
