"""Running sums and products: `c[i] = c[i - 1] + e`, alone in a loop."""

from __future__ import annotations

import ast

from np2torch.rules.vectorize.axes import Axes
from np2torch.rules.vectorize.linear import ZERO, Linear, to_node
from np2torch.rules.vectorize.nest import Axis
from np2torch.rules.vectorize.values import Value, VectorizeRefusal


class Recurrences(Axes):
    """Recurrences, written as running sums."""

    def recurrence(self, loop: ast.For) -> bool:
        """Write `c[i] = c[i - 1] + e` as a running sum, where the loop is that statement alone."""
        found = running(loop)
        if found is None or self.stack or self._builtin_name(loop.iter) != "range":
            return False
        target, previous, rest, op = found
        if not isinstance(loop.target, ast.Name) or self.mask is not None:
            return False
        self.open(loop)
        number = self.stack[-1]
        axis = self.axes[number]
        here, before = self.indices(target), self.indices(previous)
        array, kind = self.array(target.value, len(here))
        if not _is_same(rest, target) and _reads(rest, array) or kind not in ("f8", "i8"):
            raise VectorizeRefusal(f"a pass reads what another one has written to `{array}`")
        start = self._start(axis, here, before, array)
        value = self.evaluate(rest)
        self.accesses.clear()
        if value.dims != (number,) or value.kind != kind and not (kind == "f8" and value.kind == "float"):
            raise VectorizeRefusal("what is added up is the same in each pass, or of another type")
        self.note(array, here, is_store=True)
        for name in _arrays(rest) - {array}:
            self.accesses.append(self.accesses[0]._replace(array=name, is_store=False))
        axis.need_some()
        place = self.place(array, here)
        self.at_most(ZERO, start)
        first = ast.Subscript(
            ast.Name(array, ast.Load()), ast.Slice(to_node(start, {}), to_node(start.shift(1), {})), ast.Load()
        )
        joined = self.function("concatenate", ast.Tuple([first, value.node], ast.Load()))
        name = "cumsum" if isinstance(op, ast.Add) else "cumprod"
        whole = ast.Subscript(self.function(name, joined), ast.Slice(ast.Constant(1)), ast.Load())
        if not isinstance(place.node.slice, ast.Slice):
            raise VectorizeRefusal("the bounds of a running sum are not known")
        self.emit(ast.Assign([place.node], whole, lineno=0))
        self.stack.pop()
        self.write_variable(axis)
        self.proved["a running sum or product"] = None
        return True

    def _start(self, axis: Axis, here: list[Value], before: list[Value], array: str) -> Linear:
        """Give the place that the first pass reads, where each pass stores to the one behind that which it reads."""
        forms = self.form(here[0]), self.form(before[0])
        if len(here) == 1 and forms[0] is not None and forms[1] is not None:
            is_next = forms[0].plus(forms[1], -1) == Linear(constant=1) and forms[0].factor(axis.number) == 1
            if is_next and (axis.step, axis.direction) == (1, 1):
                return forms[1].put_in(axis.number, axis.low)
        raise VectorizeRefusal(f"a pass reads what another one has written to `{array}`")


def _arrays(node: ast.expr) -> set[str]:
    """Give the names whose elements an expression reads."""
    owners = (one.value for one in ast.walk(node) if isinstance(one, ast.Subscript))
    return {one.id for one in owners if isinstance(one, ast.Name)}


def running(loop: ast.For) -> tuple[ast.Subscript, ast.Subscript, ast.expr, ast.operator] | None:
    """Read `c[i] = c[j] + e` or `c[i] += c[j]`, alone in a loop."""
    if len(loop.body) != 1 or loop.orelse:
        return None
    statement = loop.body[0]
    target: ast.expr
    if isinstance(statement, ast.AugAssign):
        target, op = statement.target, statement.op
        sides = (statement.value, as_read(target))
    elif isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.value, ast.BinOp):
        target, op = statement.targets[0], statement.value.op
        sides = (statement.value.left, statement.value.right)
    else:
        return None
    if not isinstance(target, ast.Subscript) or not isinstance(op, (ast.Add, ast.Mult)):
        return None
    for one, rest in (sides, sides[::-1]):
        if isinstance(one, ast.Subscript) and _is_array(one, target) and not _is_same(one, target):
            return target, one, rest, op
    return None


def _is_array(one: ast.Subscript, other: ast.Subscript) -> bool:
    return ast.dump(one.value) == ast.dump(other.value) and isinstance(one.value, ast.Name)


def _is_same(one: ast.expr, other: ast.expr) -> bool:
    return ast.unparse(one) == ast.unparse(other)


def _reads(node: ast.expr, name: str) -> bool:
    return any(isinstance(one, ast.Name) and one.id == name for one in ast.walk(node))


def as_read(target: ast.expr) -> ast.expr:
    """Give a target as it is read; the facts of its names are kept."""
    if isinstance(target, ast.Name):
        return ast.Name(target.id, ast.Load())
    assert isinstance(target, (ast.Subscript, ast.Attribute))
    return ast.Subscript(target.value, target.slice, ast.Load()) if isinstance(target, ast.Subscript) else target
