"""Sums, products, extremes and running sums: what goes from one pass to the next and is known all the same."""

from __future__ import annotations

import ast
from typing import NamedTuple

from np2torch.names.tree import walk as tree_walk
from np2torch.rules.loops.flow import is_bound_before
from np2torch.rules.vectorize.expressions import Expressions
from np2torch.rules.vectorize.linear import to_node
from np2torch.rules.vectorize.nest import Axis, Temporary
from np2torch.rules.vectorize.shapes import Shapes
from np2torch.rules.vectorize.values import (
    MOST_BITS,
    RANKS,
    Value,
    VectorizeRefusal,
    align,
    literal,
    mixed_kind,
    transpose,
    union,
)

NEUTRAL = {"sum": 0, "prod": 1}
OPERATORS = {"+": ast.Add, "-": ast.Sub, "*": ast.Mult}


class Update(NamedTuple):
    """A statement that goes on with a number of the pass before: `s += e`, `s = max(s, e)`, `if e > s: s = e`."""

    name: str
    way: str
    value: ast.expr


def update_of(statement: ast.stmt) -> Update | None:
    """Read a statement that sums, multiplies or keeps an extreme; None for others."""
    if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
        way = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}.get(type(statement.op))
        return Update(statement.target.id, way, statement.value) if way is not None else None
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name):
        return _assigned_update(statement.targets[0].id, statement.value)
    if isinstance(statement, ast.If) and not statement.orelse and len(statement.body) == 1:
        return _kept_extreme(statement.test, statement.body[0])
    return None


def _assigned_update(name: str, value: ast.expr) -> Update | None:
    """Read `s = s + e`, `s = e + s` and `s = max(s, e)`."""
    if isinstance(value, ast.BinOp) and _is(value.left, name):
        way = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}.get(type(value.op))
        return Update(name, way, value.right) if way is not None else None
    if isinstance(value, ast.BinOp) and _is(value.right, name) and isinstance(value.op, (ast.Add, ast.Mult)):
        return Update(name, "+" if isinstance(value.op, ast.Add) else "*", value.left)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in ("max", "min"):
        if len(value.args) == 2 and _is(value.args[0], name) and not value.keywords:
            return Update(name, value.func.id, value.args[1])
    return None


def _kept_extreme(test: ast.expr, statement: ast.stmt) -> Update | None:
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1 or not isinstance(test, ast.Compare):
        return None
    target, value = statement.targets[0], statement.value
    if not isinstance(target, ast.Name) or len(test.ops) != 1:
        return None
    left, right, op = test.left, test.comparators[0], test.ops[0]
    is_less = isinstance(op, (ast.Lt, ast.LtE))
    if not is_less and not isinstance(op, (ast.Gt, ast.GtE)):
        return None
    if _is(left, target.id) and ast.dump(right) == ast.dump(value):
        return Update(target.id, "max" if is_less else "min", value)
    if _is(right, target.id) and ast.dump(left) == ast.dump(value):
        return Update(target.id, "min" if is_less else "max", value)
    return None


def _is(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


class Reductions(Expressions):
    """Updates, carried out for all passes at once."""

    def update(self, found: Update) -> None:
        """Update a name of the pass before, which is known to be read by its updates alone."""
        depth = self.sums[found.name]
        if any(_is(one, found.name) for one in tree_walk(found.value) if isinstance(one, ast.expr)):
            raise VectorizeRefusal(f"`{found.name}` goes from one pass to the next")
        over = self.stack[depth:]
        way = "+" if found.way == "-" else found.way
        is_second = (found.name, depth) in self.ways
        if self.ways.setdefault((found.name, depth), way) != way:
            raise VectorizeRefusal(f"`{found.name}` goes from one pass to the next in several ways")
        value = self.evaluate(found.value)
        if is_second and way in OPERATORS and RANKS[value.kind] >= 2:
            raise VectorizeRefusal(f"`{found.name}` is summed up by several statements, in turn")
        previous = self._before(found.name)
        if found.way in ("max", "min"):
            made = self._extreme(found, previous, value, over)
        else:
            made = self._accumulated(found, previous, value, over)
        is_result = found.name not in self.temporaries and not made.dims
        if is_result and self.mask is not None and made.kind != previous.kind and found.way in OPERATORS:
            mask = self.mask.value
            test = self.function("any", mask.node) if mask.dims else mask.node
            self.emit(ast.If(test, [ast.Assign([ast.Name(found.name, ast.Store())], made.node, lineno=0)], []))
            return
        node = (self.bind if is_result else self.bind_array)(found.name, made.node)
        if found.name in self.temporaries or made.dims:
            branches = self.temporaries[found.name].branches if found.name in self.temporaries else ()
            self.temporaries[found.name] = Temporary(made._replace(node=node, form=None, factors=None), branches)

    def _before(self, name: str) -> Value:
        """Give what the name is before the passes."""
        if name in self.temporaries:
            return self.temporaries[name].value
        if not is_bound_before(self.ctx, self.loop, name):
            raise VectorizeRefusal(f"`{name}` may not be bound before the loop")
        found = Shapes(self.ctx, self.loop, bound=frozenset()).definition(name)
        node: ast.expr = ast.Name(name, ast.Load())
        if found is not None and found.value is not None:
            node = found.value if found.item is None else node
        known = literal(found.value) if found is not None and found.value is not None and found.item is None else None
        is_nonnegative = isinstance(known, (int, float)) and known >= 0
        return self.number(node, name)._replace(form=None, is_nonnegative=is_nonnegative, known=known)

    def _accumulated(self, found: Update, previous: Value, value: Value, over: list[int]) -> Value:
        way = "prod" if found.way == "*" else "sum"
        if RANKS[value.kind] > RANKS[previous.kind] and literal(previous.node) is None and previous.dims:
            raise VectorizeRefusal(f"`{found.name}` changes its type on the way")
        product = None
        if self.mask is None and way == "sum" and literal(value.node) is None:
            product = self.contract(value, over)
        if product is None and self.starts(way, previous, value):
            made = self.total_after(previous, value, over, way, is_taken_off=found.way == "-")
        else:
            total = product if product is not None else self.total(value, over, way)
            made = self._joined(found, previous, total)
        return self._kept_type(previous, made, over)

    def starts(self, way: str, previous: Value, value: Value) -> bool:
        """Tell whether what is there before has to be the first term, since it may cancel, or overflow, with others."""
        if RANKS[value.kind] < 2 and way == "sum" or NEUTRAL[way] in (literal(previous.node), previous.known):
            return False
        return not (way == "sum" and value.is_nonnegative and previous.is_nonnegative)

    def _joined(self, found: Update, previous: Value, total: Value) -> Value:
        """Put what is there before and a sum, or a product, together."""
        if total.kind == "int" and not total.dims:
            total = total._replace(node=_as_int(total.node))
        is_signless = RANKS[total.kind] < 2 or total.is_nonnegative  # 0.0 + -0.0 is 0.0
        if literal(previous.node) == 0 and found.way == "+" and is_signless:
            is_kept = previous.kind == total.kind or total.kind in ("f8", "c16", "i8")
            if is_kept and (previous.kind != "float" or RANKS[total.kind] >= 2):
                return total._replace(bits=MOST_BITS - 1)
        return self.operation(OPERATORS[found.way](), previous, total)

    def _kept_type(self, previous: Value, made: Value, over: list[int]) -> Value:
        """See to the type where there is no pass, or none that counts: it is that of what was there before."""
        if previous.kind == made.kind:
            return made
        for one in over:
            self.axes[one].need_some()
        return made._replace(kind=mixed_kind(previous, made)) if self.mask is not None and made.dims else made

    def _worst(self, way: str, value: Value) -> ast.expr:
        """Give what no pass that counts is worse than."""
        if RANKS[value.kind] != 2:
            raise VectorizeRefusal("an extreme of whole numbers is kept in some of the passes")
        worst: ast.expr = ast.Attribute(ast.Name(self.numpy, ast.Load()), "inf", ast.Load())
        return ast.UnaryOp(ast.USub(), worst) if way == "max" else worst

    def _reduced(self, way: str, node: ast.expr, axes: list[int], is_float: bool, is_whole: bool) -> ast.expr:
        """Write the largest or smallest along some axes."""
        axis: ast.expr = ast.Constant(axes[0])
        if len(axes) > 1:
            axis = ast.Constant(None) if is_whole else ast.Tuple([ast.Constant(at) for at in axes], ast.Load())
        name = {"max": ("maximum", "fmax"), "min": ("minimum", "fmin")}[way][is_float]
        return self.function(f"{name}.reduce", node, axis=axis)

    def _check_terms(self, value: Value, way: str, has_missing: bool) -> None:
        """Refuse to add up, or multiply, what may come out as another number."""
        if value.kind in ("b1", "bool"):
            raise VectorizeRefusal("bools are added up")
        if value.kind == "int" and way == "prod":
            raise VectorizeRefusal("whole numbers of Python's are multiplied, which have no bound")
        if has_missing and not (RANKS[value.kind] == 1 and way == "sum"):
            raise VectorizeRefusal("one number is added up, or multiplied, again and again: rounding differs")
        if self.mask is not None and not self.mask.value.dims and not value.dims:
            raise VectorizeRefusal("a sum goes on in some of the passes")
        if value.kind == "int" and value.bits + 31 > MOST_BITS:
            raise VectorizeRefusal("a sum of whole numbers may be too large for int64")

    def total_after(self, first: Value, value: Value, over: list[int], way: str, is_taken_off: bool = False) -> Value:
        """Add up, take off or multiply, after a number that is there before."""
        if RANKS[first.kind] > RANKS[value.kind]:
            raise VectorizeRefusal("whole numbers are multiplied with one that is none")
        if is_taken_off:
            value = value._replace(node=ast.UnaryOp(ast.USub(), value.node), factors=None, is_nonnegative=False)
        return self.total(value, over, way, first)

    def total(self, value: Value, over: list[int], way: str, first: Value | None = None) -> Value:
        """Add up, or multiply, what is there in all passes of some loops."""
        mask = self.mask.value if self.mask is not None else None
        number = literal(value.node)
        dims = union((value, mask)) if mask is not None else value.dims
        missing = [one for one in over if one not in dims]
        self._check_terms(value, way, bool(missing))
        axes = [at for at, one in enumerate(dims) if one in over]
        left = tuple(one for one in dims if one not in over)
        whole = not left
        if number == 1 and type(number) is int and mask is not None and not missing and whole:
            return Value(self.function("sum", mask.node), (), "int", bits=MOST_BITS - 2)
        node = align(value, dims)
        if mask is not None:
            node = self.function("where", align(mask, dims), node, neutral(way, value.kind))
        if axes:
            node = self._along(way, node, (axes, left), value, first)
            if RANKS[value.kind] >= 2 and not value.is_nonnegative:
                for one in over:
                    self.axes[one].need_some()
        bits = value.bits + 31
        made = Value(node, left, value.kind, bits=bits)
        made = made._replace(is_nonnegative=value.is_nonnegative, is_exact=value.is_exact)
        for one in missing:
            made = Value(
                ast.BinOp(made.node, ast.Mult(), self._passes(self.axes[one])), made.dims, made.kind, bits=bits
            )
        return made

    def _along(
        self, way: str, node: ast.expr, axes: tuple[list[int], tuple[int, ...]], value: Value, first: Value | None
    ) -> ast.expr:
        """Add up, or multiply, along some axes: in any order where that makes no difference."""
        if first is None and way == "sum" and (RANKS[value.kind] < 2 or value.is_nonnegative):
            return self._over(way, node, axes[0], not axes[1])
        if not value.is_exact:
            raise VectorizeRefusal("the last bits of what is summed up decide, where it has both signs")
        return self._in_turn(way, node, *axes, first)

    def _over(self, way: str, node: ast.expr, axes: list[int], is_whole: bool) -> ast.expr:
        if is_whole:
            return self.function(way, node)
        axis: ast.expr = (
            ast.Constant(axes[0]) if len(axes) == 1 else ast.Tuple([ast.Constant(at) for at in axes], ast.Load())
        )
        return self.function(way, node, axis=axis)

    def _in_turn(
        self, way: str, node: ast.expr, axes: list[int], left: tuple[int, ...], first: Value | None
    ) -> ast.expr:
        """Add up, or multiply, in the order of the passes, since numbers of both signs may cancel."""
        if first is not None:
            node = _own(node)
        name = {"sum": "cumsum", "prod": "cumprod"}[way]
        last: ast.expr = ast.UnaryOp(ast.USub(), ast.Constant(1))
        if not left:
            if len(axes) > 1:
                node = ast.Call(ast.Attribute(node, "ravel", ast.Load()), [], [])
            if first is not None:
                node = self._begun(way, node, ast.Constant(0), first, left)
            return ast.Subscript(self.function(name, node), last, ast.Load())
        if len(axes) > 1:
            if axes[0] != len(left):
                raise VectorizeRefusal("a sum goes over several loops that are not the innermost ones")
            node = self.bind(self.fresh("terms"), node)
            shape = ast.Subscript(
                ast.Attribute(node, "shape", ast.Load()), ast.Slice(None, ast.Constant(len(left))), ast.Load()
            )
            node = ast.Call(
                ast.Attribute(node, "reshape", ast.Load()),
                [ast.BinOp(shape, ast.Add(), ast.Tuple([last], ast.Load()))],
                [],
            )
            axes = axes[:1]
        items: list[ast.expr] = [ast.Slice() for _ in range(axes[0])]
        if first is not None:
            node = self._begun(way, node, _index([*items, ast.Constant(0)]), first, left)
        index = _index([*items, last])
        return ast.Subscript(self.function(name, node, axis=ast.Constant(axes[0])), index, ast.Load())

    def _begun(self, way: str, node: ast.expr, index: ast.expr, first: Value, left: tuple[int, ...]) -> ast.expr:
        """Put what is there before into the first terms."""
        if not set(first.dims) <= set(left):
            raise VectorizeRefusal("the same numbers are added up, or multiplied, for several elements")
        terms = self.bind(self.fresh("terms"), node)
        op = ast.Mult() if way == "prod" else ast.Add()
        self.emit(ast.AugAssign(ast.Subscript(terms, index, ast.Store()), op, align(first, left)))
        return terms

    def _passes(self, axis: Axis) -> ast.expr:
        """Write how many passes a loop has."""
        self.at_most(axis.low, axis.high)
        if axis.step != 1:
            raise VectorizeRefusal("passes of a loop with a step are counted")
        return to_node(axis.high.plus(axis.low, -1), {})

    def contract(self, value: Value, over: list[int]) -> Value | None:
        """Give a sum of products over one loop as a product of matrices; None where it is none."""
        if value.factors is None or len(over) != 1 or value.kind not in ("f8", "c16"):
            return None
        left, right = value.factors
        (axis,) = over
        if not all(axis in one.dims and isinstance(one.node, ast.Subscript) for one in value.factors):
            return None
        others = [[one for one in side.dims if one != axis] for side in (left, right)]
        if not _are_matrices(left, right, others):
            return None
        if others[0] and others[1] and others[0][0] > others[1][0]:
            left, right, others = right, left, others[::-1]
        first = left.node if left.dims[-1] == axis else transpose(left.node, [1, 0])
        second = right.node if right.dims[0] == axis else transpose(right.node, [1, 0])
        if not others[0] and others[1] and right.dims[0] != axis:
            first, second = right.node, left.node
        return Value(ast.BinOp(first, ast.MatMult(), second), (*others[0], *others[1]), value.kind)

    def _extreme(self, found: Update, previous: Value, value: Value, over: list[int]) -> Value:
        """Keep the largest or smallest: NaN is never taken, as `max(s, e)` does not take it."""
        if value.kind not in ("f8", "float", "int", "i8") or previous.kind not in ("f8", "float", "int", "i8"):
            raise VectorizeRefusal(f"`{found.way}` of other numbers than floats")
        mask = self.mask.value if self.mask is not None else None
        dims = union((value, mask)) if mask is not None else value.dims
        if mask is not None and not dims:
            raise VectorizeRefusal("an extreme is kept in some of the passes")
        left = tuple(one for one in dims if one not in over)
        axes = [at for at, one in enumerate(dims) if one in over]
        for one in over:
            self.axes[one].need_some()
        node = align(value, dims)
        if mask is not None:
            node = self.function("where", align(mask, dims), node, self._worst(found.way, value))
        if axes:
            node = self._reduced(found.way, node, axes, is_float=RANKS[value.kind] == 2, is_whole=not left)
        kind = "int" if value.kind == "int" and not left else value.kind
        if kind == "int":
            node = _as_int(node)
        return self.larger(previous, Value(node, left, kind, bits=value.bits), found.way)


def neutral(way: str, kind: str) -> ast.expr:
    """Write what changes no number, not even -0.0, by being added or multiplied."""
    if way == "sum" and RANKS[kind] == 2:
        return ast.UnaryOp(ast.USub(), ast.Constant(0.0))
    return ast.Constant(NEUTRAL[way])


def _index(items: list[ast.expr]) -> ast.expr:
    return items[0] if len(items) == 1 else ast.Tuple(items, ast.Load())


def _own(node: ast.expr) -> ast.expr:
    """Give an array that nothing else has: arithmetic gives one, a slice or a name has to be copied."""
    is_choice = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "where"
    if isinstance(node, (ast.BinOp, ast.UnaryOp)) or is_choice:
        return node
    return ast.Call(ast.Attribute(node, "copy", ast.Load()), [], [])


def _are_matrices(left: Value, right: Value, others: list[list[int]]) -> bool:
    """Tell whether both sides of a product are of one of NumPy's types, and have one axis of their own at most."""
    if any(len(one) > 1 for one in others) or others[0] and others[0] == others[1]:
        return False
    return left.kind == right.kind and not left.is_python


def _as_int(node: ast.expr) -> ast.expr:
    return ast.Call(ast.Name("int", ast.Load()), [node], [])
