"""The whole numbers and the lengths of arrays that the text before a loop tells, as linear forms.

A name counts where all its bindings that the loop may see have certainly run before it: the last one says what it is.
"""

from __future__ import annotations

import ast
import re
from functools import cached_property
from typing import NamedTuple

from np2torch.facts import values as v
from np2torch.names.tree import children
from np2torch.names.tree import walk as tree_walk
from np2torch.rules.loops.flow import blocks_above, parameters, stores
from np2torch.rules.site import BODIES, ModuleContext
from np2torch.rules.vectorize.linear import ZERO, Linear

MAKERS = ("zeros", "ones", "empty", "full")
ALIKE = ("zeros_like", "ones_like", "empty_like", "full_like", "copy")
MOST_STEPS = 12
LENGTH = re.compile(r"\w+\.shape\[\d+\]|len\(\w+\)")
"""The symbols of lengths."""


class Definition(NamedTuple):
    """The statement that bound a name last, the value, and which item of it; a parameter has neither."""

    statement: ast.stmt | None
    value: ast.expr | None = None
    item: int | None = None

    @property
    def line(self) -> int:
        """Give its line; 0 for a parameter."""
        return self.statement.lineno if self.statement is not None else 0


class Shapes:
    """The whole numbers and lengths that are known at a loop."""

    def __init__(self, ctx: ModuleContext, loop: ast.For, bound: frozenset[str] | None = None) -> None:
        """Look at a loop; `bound` are the names that it binds, or those of them that are not asked for."""
        self.ctx, self.loop = ctx, loop
        self.scope = ctx.function(loop)
        self.above = [one for block in blocks_above(ctx, loop) for one in block]
        self.around = self._loops_around()
        self.bound = stores([loop]) if bound is None else bound
        self._known: dict[str, Definition | None] = {}

    def _loops_around(self) -> list[ast.For | ast.While]:
        found: list[ast.For | ast.While] = []
        current = self.ctx.parents.get(self.loop)
        while current is not None and not isinstance(current, BODIES):
            if isinstance(current, (ast.For, ast.While)):
                found.append(current)
            current = self.ctx.parents.get(current)
        return found

    @cached_property
    def is_plain(self) -> bool:
        """Tell whether no array's shape is set in this function, and no name of it bound elsewhere."""
        for node in tree_walk(self.scope):
            if isinstance(node, (ast.Global, ast.Nonlocal)):
                return False
            if isinstance(node, ast.Attribute) and (
                node.attr in ("resize", "setflags")
                or node.attr in ("shape", "strides")
                and isinstance(node.ctx, ast.Store)
            ):
                return False
        return True

    def definition(self, name: str) -> Definition | None:
        """Give the binding of a name that the loop sees; None where it may be another."""
        if name not in self._known:
            self._known[name] = self._find(name)
        return self._known[name]

    def _find(self, name: str) -> Definition | None:
        if name in self.bound or isinstance(self.scope, ast.Module) or not self.is_plain:
            return None
        bindings = self._bindings(name)
        certain: dict[ast.AST, Definition] = {}
        for statement in self.above:
            for target, found in _targets(statement):
                certain[target] = found
        if any(self._may_run_before(one) for one in bindings if one not in certain):
            return None
        last = max((certain[one] for one in bindings if one in certain), key=lambda one: one.line, default=None)
        if last is not None:
            return last
        return Definition(None) if name in parameters(self.scope) else None

    def _bindings(self, name: str) -> list[ast.AST]:
        """Give what binds a name in this function."""
        found: list[ast.AST] = []
        for node in tree_walk(self.scope):
            if isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load):
                found.append(node)
            elif isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node is not self.scope and node.name == name:
                found.append(node)
        return found

    def _may_run_before(self, node: ast.AST) -> bool:
        """Tell whether a node may run before the loop does: above it, or in an earlier pass of a loop around."""
        return getattr(node, "lineno", 0) < self.loop.lineno or any(node in tree_walk(one) for one in self.around)

    def is_fresh(self, name: str) -> bool:
        """Tell whether an array was made right here and has no other name yet that could reach it."""
        found = self.definition(name)
        if found is None or not isinstance(found.value, ast.Call) or found.item is not None:
            return False
        called = self._numpy_function(found.value)
        is_copy = isinstance(found.value.func, ast.Attribute) and found.value.func.attr == "copy" and not called
        is_copy = is_copy and v.only(self.ctx.fact_in_numpy(found.value.func.value), "array")  # type: ignore[attr-defined]
        if called not in (*MAKERS, *ALIKE) and not is_copy:
            return False
        for node in tree_walk(self.scope):
            if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
                is_late = node.lineno > (self.loop.end_lineno or 0)
                after = is_late and not any(node in tree_walk(one) for one in self.around)
                if not (after or self._is_inside(node) or self._gives_no_name(node)):
                    return False
        return True

    def is_zero(self, name: str) -> bool:
        """Tell whether an array was made of zeros here, and only this loop stores to its elements, in one statement."""
        found = self.definition(name)
        if found is None or not isinstance(found.value, ast.Call) or not self.is_fresh(name):
            return False
        if self.around and found.statement not in tree_walk(self.around[0]):
            return False
        stored = [
            one for one in tree_walk(self.scope)
            if isinstance(one, ast.Subscript) and not isinstance(one.ctx, ast.Load)
            and isinstance(one.value, ast.Name) and one.value.id == name
        ]  # fmt: skip
        return self._numpy_function(found.value) in ("zeros", "zeros_like") and len(stored) == 1

    def _gives_no_name(self, node: ast.Name) -> bool:
        """Tell whether a use of an array leaves nothing behind that is of the same memory."""
        parent = self.ctx.parents.get(node)
        if isinstance(parent, ast.Subscript):
            return parent.value is node and self._takes_no_view(parent)
        if isinstance(parent, ast.Attribute):
            return parent.attr in ("shape", "size", "ndim", "dtype", "copy")
        if isinstance(parent, ast.Call):
            is_len = isinstance(parent.func, ast.Name) and parent.func.id == "len"
            return is_len or self._numpy_function(parent) in ALIKE
        return isinstance(parent, (ast.BinOp, ast.Compare))

    def _is_inside(self, node: ast.AST) -> bool:
        return self.loop.lineno <= getattr(node, "lineno", 0) <= (self.loop.end_lineno or 0)

    def _takes_no_view(self, node: ast.Subscript) -> bool:
        """Tell whether a subscript stores, or takes an element, or is read for arithmetic at once."""
        if not isinstance(node.ctx, ast.Load):
            return True
        parent = self.ctx.parents.get(node)
        return v.only(self.ctx.fact_in_numpy(node), "scalar") or isinstance(parent, (ast.BinOp, ast.Compare))

    def _numpy_function(self, node: ast.Call) -> str:
        atom = v.sole(self.ctx.fact_in_numpy(node.func))
        return atom.name.removeprefix("numpy.") if isinstance(atom, v.Numpy) else ""

    # ------------------------------------------------------------------------------------------------------ lengths
    def length(self, name: str, axis: int, until: int | None = None, steps: int = MOST_STEPS) -> Linear:
        """Give the length of an axis of the array that a name is bound to."""
        own = Linear(((f"{name}.shape[{axis}]" if axis else f"len({name})", 1),))
        found = self.definition(name)
        if steps == 0 or found is None or found.item is not None or not isinstance(found.value, ast.Call):
            return own
        call, line = found.value, found.line
        called = self._numpy_function(call)
        if called in MAKERS and call.args:
            return self._made_length(call.args[0], axis, line, steps) or own
        source: ast.expr | None = None
        if called in ALIKE and call.args and not any(one.arg == "shape" for one in call.keywords):
            source = call.args[0]
        elif not called and isinstance(call.func, ast.Attribute) and call.func.attr in ("copy", "astype"):
            source = call.func.value
        if isinstance(source, ast.Name) and v.only(self.ctx.fact_in_numpy(source), "array"):
            return self._earlier(source.id, axis, line, steps) or own
        return own

    def _made_length(self, shape: ast.expr, axis: int, line: int, steps: int) -> Linear | None:
        """Give the length of an axis of an array that is made of this shape."""
        if isinstance(shape, (ast.Tuple, ast.List)) and axis < len(shape.elts):
            return self.whole(shape.elts[axis], line, steps - 1)
        if isinstance(shape, ast.Attribute) and shape.attr == "shape" and isinstance(shape.value, ast.Name):
            return self._earlier(shape.value.id, axis, line, steps)
        if axis == 0 and v.only(self.ctx.fact_in_numpy(shape), "number"):
            return self.whole(shape, line, steps - 1)
        return None

    def _earlier(self, name: str, axis: int, line: int, steps: int) -> Linear | None:
        """Give a length where the name was bound by then to what the loop sees."""
        found = self.definition(name)
        return self.length(name, axis, line, steps - 1) if found is not None and found.line < line else None

    # ------------------------------------------------------------------------------------------------ whole numbers
    def whole(self, node: ast.expr, line: int, steps: int = MOST_STEPS) -> Linear | None:
        """Give the form of an expression that stands on a line; None where it has none, or another in the loop."""
        if isinstance(node, ast.Constant) and type(node.value) is int:
            return Linear(constant=node.value)
        if isinstance(node, ast.Name):
            return self._name(node.id, line, steps)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            inner = self.whole(node.operand, line, steps)
            return inner.times(-1) if inner is not None else None
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult)):
            left, right = self.whole(node.left, line, steps), self.whole(node.right, line, steps)
            if left is None or right is None:
                return None
            if isinstance(node.op, ast.Mult):
                if left.is_constant:
                    left, right = right, left
                return left.times(right.constant) if right.is_constant else None
            return left.plus(right, 1 if isinstance(node.op, ast.Add) else -1)
        return self.length_of(node, line, steps)

    def length_of(self, node: ast.expr, line: int, steps: int = MOST_STEPS) -> Linear | None:
        """Give the form of `len(x)` and `x.shape[k]`."""
        array, axis = self.measured_array(node)
        if array is None or steps == 0 or not self._is_array(node, array):
            return None
        found = self.definition(array)
        return self.length(array, axis, line, steps - 1) if found is not None and found.line < line else None

    def measured_array(self, node: ast.expr) -> tuple[str | None, int]:
        """Give the array and the axis of which an expression is the length."""
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "len"
            and len(node.args) == 1
        ):
            if isinstance(node.args[0], ast.Name):
                return node.args[0].id, 0
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
            axis = node.slice.value if isinstance(node.slice, ast.Constant) else None
            if isinstance(node.value.value, ast.Name) and type(axis) is int and axis >= 0:
                return node.value.value.id, axis
        return None, 0

    def _is_array(self, node: ast.AST, name: str) -> bool:
        """Tell whether a name in an expression is certainly an array, whose length nothing changes."""
        named = [one for one in ast.walk(node) if isinstance(one, ast.Name) and one.id == name]
        return bool(named) and all(v.only(self.ctx.fact_in_numpy(one), "array") for one in named)

    def _name(self, name: str, line: int, steps: int) -> Linear | None:
        own = Linear(((name, 1),))
        found = self.definition(name)
        if found is None or found.line >= line and found.statement is not None:
            return own if line >= self.loop.lineno and name not in self.bound else None
        if steps == 0 or found.value is None:
            return own
        if found.item is None:
            return self.whole(found.value, found.line, steps - 1) or own
        if (
            isinstance(found.value, ast.Attribute)
            and found.value.attr == "shape"
            and isinstance(found.value.value, ast.Name)
        ):
            if not self._is_array(found.value.value, found.value.value.id):
                return own
            return self._earlier(found.value.value.id, found.item, found.line, steps) or own
        return own

    # -------------------------------------------------------------------------------------------------------- proofs
    def is_nonnegative(self, form: Linear, steps: int = 6) -> bool:
        """Tell whether a form without variables of the loop is certainly no negative number."""
        for symbol, factor in form.terms:
            if isinstance(symbol, int):
                return False
            if LENGTH.fullmatch(symbol):
                if factor > 0:
                    continue
                return False
            limits = self.limits(symbol)
            if limits is None or steps == 0:
                return False
            bound = limits[0] if factor > 0 else limits[1]
            return bound is not None and self.is_nonnegative(form.put_in(symbol, bound), steps - 1)
        return form.constant >= 0

    def limits(self, name: str) -> tuple[Linear | None, Linear | None] | None:
        """Give the least and the greatest value of the variable of a loop around this one."""
        for around in self.around:
            if isinstance(around, ast.For) and isinstance(around.target, ast.Name) and around.target.id == name:
                call = around.iter
                if not isinstance(call, ast.Call) or not self._is_plain_range(around, call):
                    return None
                low = ZERO if len(call.args) == 1 else self.whole(call.args[0], around.lineno)
                high = self.whole(call.args[-1], around.lineno)
                return low, high.shift(-1) if high is not None else None
        return None

    def _is_plain_range(self, around: ast.For, call: ast.Call) -> bool:
        """Tell whether a loop goes by ones through a range, and binds neither its variable nor what the range reads."""
        if not isinstance(call.func, ast.Name) or call.func.id != "range" or call.keywords or len(call.args) > 2:
            return False
        names = [one.id for one in tree_walk(around) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]
        read = {one.id for argument in call.args for one in tree_walk(argument) if isinstance(one, ast.Name)}
        is_alone = isinstance(around.target, ast.Name) and names.count(around.target.id) == 1
        return is_alone and read.isdisjoint(stores([around])) and v.only(self.ctx.fact_in_numpy(call.func), "builtin")


def _targets(statement: ast.stmt) -> list[tuple[ast.AST, Definition]]:
    """Give the names that an assignment binds, each with its value."""
    if isinstance(statement, ast.AnnAssign) and statement.value is not None:
        return [(statement.target, Definition(statement, statement.value))]
    if not isinstance(statement, ast.Assign):
        return []
    found: list[tuple[ast.AST, Definition]] = []
    for target in statement.targets:
        if isinstance(target, ast.Name):
            found.append((target, Definition(statement, statement.value)))
        elif isinstance(target, ast.Tuple):
            value = statement.value
            values = value.elts if isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts) else []
            for at, one in enumerate(target.elts):
                found.append((one, Definition(statement, values[at]) if values else Definition(statement, value, at)))
    return found


def is_read_after(ctx: ModuleContext, loop: ast.For, name: str) -> bool:
    """Tell whether what a loop binds to a name may be read once the loop is over."""
    scope = ctx.function(loop)
    if isinstance(scope, ast.Module):
        return True
    inside = set(tree_walk(loop))
    for node in tree_walk(scope):
        if isinstance(node, (ast.Global, ast.Nonlocal)) and name in node.names:
            return True
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load) and node not in inside:
            if not _is_bound_again(ctx, loop, node):
                return True
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Del):
            return True
    return any(
        isinstance(one, (ast.FunctionDef, ast.Lambda)) and _reads(one, name)
        for one in tree_walk(scope)
        if one is not scope
    )


def _reads(function: ast.AST, name: str) -> bool:
    own = parameters(function) | stores(children(function))
    return name not in own and any(isinstance(one, ast.Name) and one.id == name for one in tree_walk(function))


def _is_bound_again(ctx: ModuleContext, loop: ast.For, read: ast.Name) -> bool:
    """Tell whether a name that is read outside of a loop is certainly bound between the loop and there."""
    current: ast.AST = read
    while (parent := ctx.parents.get(current)) is not None:
        if isinstance(parent, ast.comprehension):
            return False
        if _binds_for(parent, current, read.id, loop) or _is_bound_above(parent, current, read.id, loop):
            return True
        if isinstance(parent, BODIES):
            break
        current = parent
    return _is_over_by_then(ctx, loop, read)


def _binds_for(parent: ast.AST, child: ast.AST, name: str, loop: ast.For) -> bool:
    """Tell whether a loop, or a comprehension, binds a name for what stands in it."""
    if isinstance(parent, ast.For) and child in parent.body:
        return name in stores([parent.target]) and loop not in tree_walk(parent)
    if isinstance(parent, (ast.ListComp, ast.GeneratorExp, ast.SetComp)):
        return name in stores(one.target for one in parent.generators)
    return False


def _is_bound_above(parent: ast.AST, child: ast.AST, name: str, loop: ast.For) -> bool:
    """Tell whether a statement between a loop and a node, in the node's block, certainly binds a name."""
    for _, part in ast.iter_fields(parent):
        if isinstance(part, list) and child in part:
            for one in reversed(part[: part.index(child)]):
                if loop in tree_walk(one):
                    break
                if isinstance(one, ast.Assign) and any(name == n.id for t in one.targets for n in _plain(t)):
                    return True
    return False


def _is_over_by_then(ctx: ModuleContext, loop: ast.For, read: ast.Name) -> bool:
    """Tell whether a name is read above a loop, and no loop around both brings the reading back."""
    if read.lineno < loop.lineno:
        around = ctx.parents.get(loop)
        while around is not None and not isinstance(around, BODIES):
            if isinstance(around, (ast.For, ast.While)) and read in tree_walk(around):
                return False
            around = ctx.parents.get(around)
        return True
    return False


def _plain(target: ast.expr) -> list[ast.Name]:
    parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
    return [one for one in parts if isinstance(one, ast.Name)]
