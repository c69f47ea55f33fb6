"""The scalars that are held as Python numbers: `x[i].item()`, `math.sqrt(2)`.

This stage runs before all other decisions: for each scalar of a body it decides whether it becomes a Python number, and
the other rules rely on that. A name is a number if all that is bound to it can be one, and all its uses give the same
result. The names are found by elimination: those that cannot be numbers are removed until no more have to be removed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from itertools import pairwise

from np2torch.facts import values as v
from np2torch.facts.access_paths import root_of
from np2torch.facts.interpreter.operators import stays_python
from np2torch.names.tree import walk as tree_walk
from np2torch.rules.elementwise import MATH
from np2torch.rules.handlers import Phase, on
from np2torch.rules.rule_arguments import Template
from np2torch.rules.scalars.bodies import Body, Bound, Item, body_of
from np2torch.rules.scalars.intervals import BIT, Intervals
from np2torch.rules.scalars.items import is_of_numbers, kinds_of, may_be_listed
from np2torch.rules.scalars.limits import limits_dtype
from np2torch.rules.scalars.numbers import (
    CHOICES,
    Alternatives,
    Operand,
    agrees,
    alternatives,
    number_of,
    promotes_alike,
)  # fmt: skip
from np2torch.rules.scalars.uses import Use, use_of
from np2torch.rules.site import Edit, ModuleContext, text_edit

CODE = "NPT525"
WHY = "held as a Python number: all that is done with it comes out the same"
LOOPS = (ast.For, ast.AsyncFor, ast.While)
Marks = dict[ast.AST, bool]
"""Expressions that become Python numbers, and whether by being taken out of a tensor."""


def represent(ctx: ModuleContext, keeps_gradients: bool) -> None:
    """Decide for a module, and tell the context.

    Parameters
    ----------
    keeps_gradients
        Leave all floats tensors through which a gradient may flow.
    """
    if ctx.converted_already() or not ctx.mentions_numpy or not ctx.selects(CODE):
        return
    scopes = [one for one in tree_walk(ctx.module.tree) if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))]
    for scope in (ctx.module.tree, *scopes):
        scalars = Scalars(ctx, body_of(ctx, scope), keeps_gradients)
        marks = scalars.decide_marks()
        ctx.read_at_once.update(scalars.arrays_gone_through())
        ctx.taken_out.update(node for node, taken in marks.items() if taken)
        ctx.numbers.update((node, number_of(ctx.fact_in_numpy(node))) for node in marks)


class Scalars:
    """The scalars of a body, and the names among them that are taken for numbers so far."""

    def __init__(self, ctx: ModuleContext, body: Body, keeps_gradients: bool) -> None:
        self.ctx, self.body, self.keeps_gradients = ctx, body, keeps_gradients
        self.kinds = {node: self._kinds(node) for node in body.nodes}
        self.named: dict[str, Alternatives] = {}
        self.names = {name for name in body.bindings if self._may_be_number(name) and self._gains(name)}
        self.free: set[str] = set()
        self.intervals = Intervals(ctx, body)
        self.recurrent = {
            root for node in body.nodes
            if isinstance(node, ast.Subscript) and self.is_scalar(node) and isinstance(node.ctx, ast.Load)
            and self._is_repeated(node) and (root := root_of(node.value)) is not None
        }  # fmt: skip

    def _kinds(self, node: ast.expr) -> Alternatives | None:
        fact = self.ctx.fact_in_numpy(node)
        return frozenset() if v.only(fact, "none") else alternatives(fact)

    def is_scalar(self, node: ast.AST) -> bool:
        """Tell whether it is a NumPy scalar, or a number that may be one."""
        kinds = self.kinds.get(node) if isinstance(node, ast.expr) else None
        return kinds is not None and any(one.is_scalar for one in kinds)

    def _is_tensor(self, node: ast.expr) -> bool:
        """Tell whether it is certainly held as a 0-D tensor where nothing else is decided."""
        fact = self.ctx.fact_in_numpy(node)
        return v.only(fact, "scalar") and v.is_tensor(fact)

    def _is_repeated(self, node: ast.AST) -> bool:
        """Tell whether it stands in a loop."""
        current = self.ctx.parents.get(node)
        while current is not None and not isinstance(current, (ast.FunctionDef, ast.Lambda, ast.ClassDef)):
            if isinstance(current, (*LOOPS, ast.comprehension)):
                return True
            current = self.ctx.parents.get(current)
        return False

    def _may_be_number(self, name: str) -> bool:
        """Tell whether only numbers are bound to a name, some of them NumPy scalars."""
        values = [self._bound_kinds(one) for one in self.body.bindings[name]]
        loads = [self._kinds(one) for one in self.body.loads.get(name, ())]
        if None in values or None in loads or not loads:
            return False
        self.named[name] = frozenset(one for kinds in (*values, *loads) for one in kinds or ())
        return any(self.is_scalar(one) and not self._is_python(one) for one in self.body.loads[name])

    def _gains(self, name: str) -> bool:
        """Tell whether a name is used several times or in a loop, or bound to an element, which would need a copy."""
        loads, bindings = self.body.loads[name], self.body.bindings[name]
        elements = any(isinstance(one, (ast.Subscript, Item)) for one in bindings)
        return elements or len(loads) > 1 or any(self._is_repeated(one) for one in (*loads, *bindings))  # type: ignore[arg-type]

    def _is_python(self, node: ast.expr) -> bool:
        """Tell whether it is a Python number already, as `math.sqrt(2)` is."""
        fact = self.ctx.fact_in_numpy(node)
        return all(not isinstance(atom, v.Scalar) or atom.python for atom in fact)

    def _bound_kinds(self, bound: Bound) -> Alternatives | None:
        if isinstance(bound, Item):
            return kinds_of(self.ctx, bound)
        return frozenset() if isinstance(bound, ast.AugAssign) else self._kinds(bound)

    def arrays_gone_through(self) -> list[ast.expr]:
        """The arrays that are gone through as lists of Python's numbers, once it is decided which names are numbers."""
        items = [one for name in self.names for one in self.body.bindings[name] if isinstance(one, Item)]
        return [one.source for one in items if one.source is not None]

    # ------------------------------------------------------------------------------------------------- deciding
    def decide_marks(self) -> Marks:
        """The expressions that become numbers."""
        roots = [node for node in self.body.nodes if self.is_scalar(node) and not self._is_operand(node)]
        roots = [node for node in roots if isinstance(getattr(node, "ctx", ast.Load()), ast.Load)]
        while True:
            self._measure()
            marks: Marks = {}
            refused: set[str] = set()
            for node in roots:
                found = self._root(node)
                if isinstance(found, set):
                    refused |= found
                else:
                    marks |= found
            refused |= {name for name in self.names for one in self.body.bindings[name] if not self._binds(one)}
            if not refused & self.names:
                break
            self.names -= refused
        for name in self.names:
            marks.update(dict.fromkeys((*self.body.targets[name], *self.body.loads[name]), False))
        return {node: taken for node, taken in marks.items() if node in self.ctx.engine.facts}

    def _measure(self) -> None:
        """Find which of the names hold no gradient."""
        self.free = set(self.names)
        while held := {n for n in self.free if not all(map(self._holds_none, self.body.bindings[n]))}:
            self.free -= held

    def _holds_none(self, bound: Bound) -> bool:
        if isinstance(bound, Item):
            held = {one.type for one in kinds_of(self.ctx, bound) or ()} - {"int", "bool"}
            return not held or is_of_numbers(self.ctx, bound, self.body)
        if isinstance(bound, ast.AugAssign):
            return self.is_free(bound.value) and bound.target.id in self.free  # type: ignore[union-attr]
        return self.is_free(bound)

    def is_free(self, node: ast.expr) -> bool:
        """Tell whether no gradient can flow through it: integers, bools, and values of Python numbers alone."""
        kinds = self._kinds(node) or frozenset()
        if not any(one.is_scalar and one.type in ("float", "complex") for one in kinds):
            return True
        if isinstance(node, ast.Name):
            return self.body.key(node) in self.free
        return is_constant(self.ctx, node) or bool(parts := operands(self.ctx, node)) and all(map(self.is_free, parts))

    def _is_operand(self, node: ast.expr) -> bool:
        """Tell whether it is part of a scalar that is computed of it."""
        parent = self.ctx.parents.get(node)
        return isinstance(parent, ast.expr) and self.is_scalar(parent) and node in operands(self.ctx, parent)

    def _binds(self, bound: Bound) -> bool:
        """Tell whether a binding gives a name a number."""
        if isinstance(bound, Item):
            source = bound.source
            if source is None:
                return True
            read = {name for name in bound.row if name in self.body.loads or name not in self.body.bindings}
            return read <= self.names and self._is_wanted(source) and may_be_listed(self.ctx, bound)
        if not isinstance(bound, ast.AugAssign):
            return not self.is_scalar(bound) or self.number(bound) is not None
        assert isinstance(bound.target, ast.Name)
        name = bound.target.id
        own = Operand(self.named[name], self.intervals.found.get(name, BIT))
        return self.number(bound.value) is not None and agrees(type(bound.op), own, self._operand(bound.value))

    def _root(self, node: ast.expr) -> Marks | set[str]:
        """Give what becomes of a scalar and its parts; names that cannot be numbers because of it."""
        used = {self.body.key(one) for one in self._leaves(node) if isinstance(one, ast.Name)} & self.names
        use = use_of(self.ctx, node, self.kinds[node] or frozenset())
        as_tensor = self.tensor(node)
        if use.kind == "bound":
            if (settled := self._bound_to(node, use)) is not None:
                return settled
            use = Use("any", takes_number=False)
        carries = self._carries(use) and not self.is_free(node)
        if carries and (holding := used - self.free):
            return holding
        if use.takes_number and not carries and (used or self._is_worth(node, use)):
            found = self.number(node)
            if found is not None and (as_tensor is None or _takes_elements(node, found)):
                return found
        if as_tensor is None:
            return used
        return as_tensor if use.takes_number or not self._is_named(node, used) else used

    def _bound_to(self, node: ast.expr, use: Use) -> Marks | set[str] | None:
        """Give what becomes of a scalar that is bound to names that may be numbers; None where none of them may."""
        wanted = {target.id for target in use.targets if isinstance(target, ast.Name)}
        found = self.number(node) if wanted <= self.names else None
        return found if found is not None else wanted & self.names or None

    def _carries(self, use: Use) -> bool:
        """Tell whether a gradient may flow on through this use; torch has none for arrays read and written by turns."""
        if use.kind == "stored":
            target = use.targets[0]
            recurrent = isinstance(target, ast.Subscript) and root_of(target.value) in self.recurrent
            return self.keeps_gradients or not recurrent
        return use.kind != "looked at"

    def _is_worth(self, node: ast.expr, use: Use) -> bool:
        """Tell whether it is a constant, or computed from elements in a loop; otherwise a tensor does as well."""
        if is_constant(self.ctx, node):
            return True
        computed = operands(self.ctx, node) and any(isinstance(one, ast.Subscript) for one in self._leaves(node))
        return bool(computed) and self._is_repeated(node)

    def _leaves(self, node: ast.expr) -> Iterable[ast.expr]:
        """The scalars that one is computed of."""
        parts = operands(self.ctx, node) if self.is_scalar(node) else ()
        if not parts:
            yield node
        for part in parts:
            yield from self._leaves(part)

    # ---------------------------------------------------------------------------------------------- two ways to be
    def number(self, node: ast.expr) -> Marks | None:
        """Spell an expression as a Python number, computed or taken out of a tensor; None where it cannot be one."""
        if self._is_named(node, self.names):
            return {node: False}
        if not self.is_scalar(node) or self._is_python(node):
            return {} if self._kinds(node) is not None else None
        if is_constant(self.ctx, node):
            return {node: False} if self.ctx.wants(node, CODE) else None
        parts = operands(self.ctx, node)
        if parts and self._agrees(node, parts):
            found = [self.number(part) for part in parts]
            if all(one is not None for one in found):
                return _merged({node: False}, *(one for one in found if one is not None))
        taken = self._is_tensor(node) and not isinstance(node, ast.Name) and self._is_wanted(node)
        inside = self.tensor(node) if taken else None
        return None if inside is None else _merged(inside, {node: True})

    def tensor(self, node: ast.expr) -> Marks | None:
        """Spell an expression beside a tensor; None where numbers would be all there is."""
        if self._is_named(node, self.names):
            return {node: False}
        if not self.is_scalar(node):
            return {}
        parts = operands(self.ctx, node)
        if not parts or is_constant(self.ctx, node):
            return {}
        found = [self.tensor(part) for part in parts]
        if any(one is None for one in found) or isinstance(node, ast.Call):
            return None if any(found) or any(one is None for one in found) else {}
        plain = [part for part in parts if self._is_named(part, self.names)]
        if plain and not self._beside(node, parts, plain):
            return None
        return _merged(*(one for one in found if one is not None))

    def _is_named(self, node: ast.expr, names: set[str]) -> bool:
        return isinstance(node, ast.Name) and self.body.key(node) in names

    def _beside(self, node: ast.expr, parts: list[ast.expr], plain: list[ast.expr]) -> bool:
        """Tell whether a Python number beside a tensor operand gives the same as NumPy's scalar does."""
        if isinstance(node, (ast.BoolOp, ast.IfExp)):
            return False
        tensors = [part for part in parts if part not in plain and self._is_tensor(part)]
        op = node.op if isinstance(node, ast.BinOp) else node.ops[0] if isinstance(node, ast.Compare) else None
        if len(parts) != 2 or len(tensors) != 1 or op is None:
            return False
        fact = self.ctx.engine.facts.get(tensors[0]) or v.TOP
        return promotes_alike(type(op), self._kinds(plain[0]) or frozenset(), fact, plain[0] is parts[0])

    def _is_wanted(self, node: ast.expr) -> bool:
        ctx = self.ctx
        return ctx.wants(node, CODE) and ctx.is_wanted(node) and node not in ctx.module.skipped

    # ----------------------------------------------------------------------------------------------- agreement
    def _agrees(self, node: ast.expr, parts: list[ast.expr]) -> bool:
        """Tell whether an operation on Python numbers is the same as on NumPy's scalars."""
        sides = [self._operand(part) for part in parts]
        if isinstance(node, (ast.BoolOp, ast.IfExp)):
            return True
        if isinstance(node, ast.BinOp):
            return agrees(type(node.op), *sides)
        if isinstance(node, ast.Compare):
            return all(agrees(type(op), *pair) for op, pair in zip(node.ops, pairwise(sides), strict=True))
        if len(parts) > 1:  # `max(x, y)` compares
            return all(agrees(ast.Lt, one, other) for one in sides for other in sides)
        types = {one.type for one in sides[0].kinds if one.is_scalar}  # `-x`, `abs(x)`
        return types <= {"float"} or types <= {"float", "int"} and sides[0].interval.negative.is_int64

    def _operand(self, node: ast.expr) -> Operand:
        fact = self.ctx.fact_in_numpy(node)
        return Operand(self._kinds(node) or frozenset(), self.intervals.of(node) or BIT, v.constant(fact))


def operands(ctx: ModuleContext, node: ast.AST) -> list[ast.expr]:
    """The operands of which Python computes a number, or among which it chooses one."""
    match node:
        case ast.BinOp():
            return [node.left, node.right]
        case ast.UnaryOp(op=ast.USub() | ast.UAdd()):
            return [node.operand]
        case ast.Compare():
            values = any(isinstance(op, (ast.In, ast.NotIn, ast.Is, ast.IsNot)) for op in node.ops)
            return [] if values else [node.left, *node.comparators]
        case ast.BoolOp():
            return node.values
        case ast.IfExp():
            return [node.body, node.orelse]
        case ast.Call(func=ast.Name()) if node.args and not node.keywords:
            atom = v.sole(ctx.fact(node.func))
            name = atom.name if isinstance(atom, v.Builtin) else ""
            chosen = name in CHOICES and (len(node.args) > 1) == (name != "abs")
            return node.args if chosen and not any(isinstance(one, ast.Starred) for one in node.args) else []
    return []


def is_constant(ctx: ModuleContext, node: ast.AST) -> bool:
    """Tell a function of a number that is written out, which `math` computes as NumPy does, and the limit of a dtype.

    `np.sqrt(2)`, `np.finfo(float).eps`.
    """
    if limits_dtype(ctx, node) == "float64":
        return True
    if not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords or not math_function(ctx, node):
        return False
    value = v.constant(ctx.fact(node.args[0]))
    if not isinstance(value, (int, float)) or isinstance(value, bool) or abs(value) > 500:
        return False
    name = math_function(ctx, node)
    return value > 0 if name.startswith("log") else value >= 0 if name == "sqrt" else True


def math_function(ctx: ModuleContext, node: ast.Call) -> str:
    """The function of `math` that does what NumPy's function does with a number; empty where there is none."""
    atom = v.sole(ctx.fact(node.func))
    return MATH.get(atom.name.removeprefix("numpy."), "") if isinstance(atom, v.Numpy) else ""


FINITE = (ast.Add, ast.Sub, ast.Mult)
"""Operators of which Python's numbers raise no error."""


def serves_as_number(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell whether a NumPy scalar of float64 may be a Python number, alone or in a sum or product of numbers."""
    whole: ast.expr = node
    while isinstance(parent := ctx.parents.get(whole), ast.BinOp) and isinstance(parent.op, FINITE):
        if not all(stays_python(ctx.fact(one)) for one in operands(ctx, parent)):
            break
        whole = parent
    if isinstance(ctx.parents.get(whole), ast.Call) and whole not in ctx.numbers:
        return False
    use = use_of(ctx, whole, alternatives(ctx.fact_in_numpy(whole)) or frozenset())
    return use.takes_number and use.kind != "bound"


def _takes_elements(node: ast.expr, found: Marks) -> bool:
    """Tell whether it is elements of arrays alone that are taken out of tensors, and not the whole of it."""
    return not found.get(node) and all(isinstance(one, ast.Subscript) for one, taken in found.items() if taken)


def _merged(*marks: Marks) -> Marks:
    return {node: taken for one in marks for node, taken in one.items()}


@on(
    Phase.SCALARS,
    ast.Subscript, ast.Call, ast.Name, ast.BinOp, ast.UnaryOp, ast.Attribute, ast.IfExp, ast.Compare,
)  # fmt: skip
def take_out(ctx: ModuleContext, node: ast.expr) -> Edit | None:
    """Write what was decided: `.item()`, `.tolist()`, or a function of `math`."""
    if limits_dtype(ctx, node):
        return None
    if node in ctx.taken_out or node in ctx.read_at_once:
        wrapped = len(ctx.wrapped)
        ctx.wrap(node, "", ".item()" if node in ctx.taken_out else ".tolist()", "native", CODE, WHY)
        del ctx.wrapped[wrapped:]  # it stays, whatever becomes of the expression itself
    elif isinstance(node, ast.Call) and node in ctx.numbers and is_constant(ctx, node):
        template = Template()
        text = f"math.{math_function(ctx, node)}({template.mark(node.args[0])})"
        return text_edit(node, "native", CODE, "a Python number stays one", template, text)
    return None
