"""The expressions of a loop's body, as arrays of what they are in all passes."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from np2torch.facts import values as v
from np2torch.names.tree import COMPARISONS
from np2torch.rules.site import source_of
from np2torch.rules.vectorize.calls import Calls
from np2torch.rules.vectorize.linear import Linear
from np2torch.rules.vectorize.nest import Mask
from np2torch.rules.vectorize.values import (
    BOOLS,
    EXACT_BITS,
    MOST_BITS,
    NUMPYS,
    RANKS,
    Value,
    VectorizeRefusal,
    align,
    constant,
    literal,
    literal_of,
    mixed_kind,
    promoted_kind,
    union,
)

WHOLES = ("i8", "int", "b1", "bool")
CONSTANTS = ("math.pi", "math.e", "math.tau", "math.inf", "numpy.pi", "numpy.e", "numpy.inf")
BITWISE = (ast.BitAnd, ast.BitOr, ast.BitXor)


class Expressions(Calls):
    """The values of expressions in all passes."""

    def evaluate(self, node: ast.expr) -> Value:
        """Give the value of an expression in all passes.

        Raises
        ------
        VectorizeRefusal
            Where it does more than compute, or may not be the same for a whole array.
        """
        known = _EVALUATED.get(type(node))
        if known is None:
            raise VectorizeRefusal(f"`{source_of(node)}`")
        return known(self, node)

    def index(self, node: ast.expr) -> Value:
        """Give the value of a subscript; an array that it looks up in holds whole numbers."""
        return self.read(node, is_index=True) if isinstance(node, ast.Subscript) else self.evaluate(node)

    def _constant(self, node: ast.Constant) -> Value:
        if not isinstance(node.value, (bool, int, float, complex)):
            raise VectorizeRefusal(f"`{source_of(node)}`")
        return constant(node.value)

    def _name(self, node: ast.Name) -> Value:
        name = node.id
        for number in reversed(self.stack):
            if self.axes[number].name == name:
                axis = self.axes[number]
                is_nonnegative = self.shapes.is_nonnegative(axis.low)
                return Value(
                    ast.Name(axis.array, ast.Load()),
                    (number,),
                    "int",
                    Linear(((number, 1),)),
                    is_nonnegative=is_nonnegative,
                )
        if name in self.sums:
            raise VectorizeRefusal(f"`{name}` goes from one pass to the next")
        if name in self.temporaries:
            found = self.temporaries[name]
            held = self.mask.branches if self.mask is not None else ()
            if found.branches != held[: len(found.branches)]:
                raise VectorizeRefusal(f"`{name}` is not bound in each pass that reads it")
            return found.value
        if name in self.bound:
            raise VectorizeRefusal(f"`{name}` is read before the loop binds it")
        return self.small(self.number(node, name), name)

    def _attribute(self, node: ast.Attribute) -> Value:
        if isinstance(node.value, ast.Name) and node.attr in ("size",) and node.value.id not in self.bound:
            if v.only(self.ctx.fact_in_numpy(node.value), "array"):
                return Value(node, (), "int")
        fact = self.ctx.fact_in_numpy(node)
        is_module = isinstance(node.value, ast.Name) and v.only(self.ctx.fact_in_numpy(node.value), "module")
        if is_module and v.only(fact, "number") and all(isinstance(a, v.Num) and a.type == "float" for a in fact):
            return Value(node, (), "float", is_nonnegative=node.attr in ("pi", "e", "tau", "inf"))
        raise VectorizeRefusal(f"`{source_of(node)}` is read")

    def _subscript(self, node: ast.Subscript) -> Value:
        array, _ = self.shapes.measured_array(node)
        if array is not None:
            return self.length(node, array)
        return self.read(node)

    # ----------------------------------------------------------------------------------------------------- operators
    def _unary(self, node: ast.UnaryOp) -> Value:
        operand = self.evaluate(node.operand)
        if isinstance(node.op, ast.Not):
            return self.negate(self.truth(operand))
        if isinstance(node.op, ast.USub) and operand.kind not in BOOLS:
            number = literal(operand.node)
            if isinstance(number, (int, float, complex)):
                return constant(-number)
            form = operand.form.times(-1) if operand.form is not None else None
            return operand._replace(
                node=ast.UnaryOp(ast.USub(), operand.node), form=form, factors=None, is_nonnegative=False
            )
        if isinstance(node.op, ast.UAdd) and operand.kind not in BOOLS:
            return operand
        raise VectorizeRefusal(f"`{source_of(node)}`")

    def _binary(self, node: ast.BinOp) -> Value:
        return self.operation(node.op, self.evaluate(node.left), self.evaluate(node.right))

    def operation(self, op: ast.operator, left: Value, right: Value) -> Value:
        """Put an arithmetic operator between two values."""
        made = self._operated(op, left, right)
        is_plain = RANKS[made.kind] < 3 or isinstance(op, (ast.Add, ast.Sub))
        is_plain = is_plain and (not isinstance(op, ast.Pow) or literal(right.node) == 2)
        return made._replace(is_exact=made.is_exact and is_plain and left.is_exact and right.is_exact)

    def _operated(self, op: ast.operator, left: Value, right: Value) -> Value:
        dims = union((left, right))
        node = ast.BinOp(align(left, dims), op, align(right, dims))
        if isinstance(op, BITWISE):
            return self._bitwise(left, right, node)
        kind = promoted_kind(left, right)
        numbers = literal(left.node), literal(right.node)
        if isinstance(op, (ast.Add, ast.Sub, ast.Mult)):
            if all(isinstance(one, int) for one in numbers):
                value = literal_of(op, *numbers)  # type: ignore[arg-type]
                return constant(value)
            return self._sum_or_product(op, left, right, Value(node, dims, kind))
        if isinstance(op, ast.Div):
            return self._quotient(
                left, right, Value(node, dims, NUMPYS[2] if kind == "i8" else "float" if kind == "int" else kind)
            )
        if isinstance(op, (ast.FloorDiv, ast.Mod)) and "complex" not in kind and kind != "c16":
            return self._quotient(left, right, Value(node, dims, kind, bits=max(left.bits, right.bits)))
        if isinstance(op, ast.Pow):
            return self._power(left, right, Value(node, dims, kind))
        if (
            isinstance(op, (ast.RShift, ast.LShift))
            and kind == "int"
            and isinstance(numbers[1], int)
            and 0 <= numbers[1] < 32
        ):
            bits = left.bits + (numbers[1] if isinstance(op, ast.LShift) else 0)
            return self.check_size(Value(node, dims, kind, bits=bits))
        raise VectorizeRefusal(f"`{ast.unparse(node)}`")

    def _bitwise(self, left: Value, right: Value, node: ast.BinOp) -> Value:
        if left.kind not in WHOLES or right.kind not in WHOLES or (left.kind in BOOLS) != (right.kind in BOOLS):
            raise VectorizeRefusal("bits of numbers of different types")
        is_python = left.is_python and right.is_python
        kind = promoted_kind(left, right) if left.kind not in BOOLS else "bool" if is_python else "b1"
        return Value(node, union((left, right)), kind, bits=max(left.bits, right.bits))

    def check_size(self, value: Value) -> Value:
        """Refuse one of Python's whole numbers that int64 may not hold."""
        if value.kind == "int" and value.dims and value.bits > MOST_BITS:
            raise VectorizeRefusal("a whole number may be too large for int64")
        return value

    def _sum_or_product(self, op: ast.operator, left: Value, right: Value, made: Value) -> Value:
        is_product = isinstance(op, ast.Mult)
        form = None
        if left.form is not None and right.form is not None and made.kind == "int":
            if not is_product:
                form = left.form.plus(right.form, 1 if isinstance(op, ast.Add) else -1)
            elif right.form.is_constant:
                form = left.form.times(right.form.constant)
            elif left.form.is_constant:
                form = right.form.times(left.form.constant)
        bits = left.bits + right.bits if is_product else max(left.bits, right.bits) + 1
        is_square = (
            is_product
            and left.dims == right.dims
            and ast.dump(left.node) == ast.dump(right.node)
            and made.kind in ("f8", "float", "int")
        )
        both = left.is_nonnegative and right.is_nonnegative and not isinstance(op, ast.Sub) and made.kind != "i8"
        factors = (left, right) if is_product else None
        return self.check_size(made._replace(form=form, bits=bits, factors=factors, is_nonnegative=both or is_square))

    def _quotient(self, left: Value, right: Value, made: Value) -> Value:
        """Divide: where both are Python's, a zero is an error."""
        number = literal(right.node)
        if left.is_python and right.is_python and not number:
            if max(left.bits, right.bits) > EXACT_BITS and {left.kind, right.kind} == {"int"}:
                raise VectorizeRefusal("a whole number may be too large to be divided as a float")
            if not self._is_positive(right):
                self._forbid_zero(right, made)
        both = left.is_nonnegative and right.is_nonnegative
        return self.check_size(made._replace(is_nonnegative=both))

    def _is_positive(self, value: Value) -> bool:
        range_ = self.hull(value.form) if value.form is not None else None
        return range_ is not None and self.shapes.is_nonnegative(range_[0].shift(-1))

    def _forbid_zero(self, value: Value, made: Value) -> None:
        if not value.dims and value.form is not None and self.may_be_at_most(Linear(constant=1), value.form):
            self.at_most(Linear(constant=1), value.form)
            return
        if not value.dims and self.is_outer(Linear(((ast.unparse(value.node), 1),))):
            self.conditions.bounds[f"{ast.unparse(value.node)} != 0"] = None
            return
        if not made.dims and self.mask is not None:
            raise VectorizeRefusal("a number that may be zero divides in a branch")
        if value.dims:
            test = Value(ast.Compare(value.node, [ast.Eq()], [ast.Constant(0)]), value.dims, "b1")
            self.raise_where(test, "ZeroDivisionError", "division by zero")
        else:
            self.need_passes()

    def _power(self, left: Value, right: Value, made: Value) -> Value:
        exponent = literal(right.node)
        if made.kind in ("f8", "c16") and left.kind not in BOOLS and right.kind not in BOOLS:
            is_even = isinstance(exponent, int) and exponent % 2 == 0 and made.kind == "f8"
            return made._replace(is_nonnegative=is_even or left.is_nonnegative)
        if made.kind == "i8" and type(exponent) is int and exponent >= 0:
            return made
        if made.kind == "int" and type(exponent) is int and 0 <= exponent <= 3:
            return self.check_size(made._replace(bits=left.bits * max(exponent, 1), is_nonnegative=exponent % 2 == 0))
        if not made.dims and self.mask is None:
            self.need_passes()
            return made
        if made.kind == "float" and type(exponent) is int and 1 <= exponent <= 4:
            large = ast.Compare(self.function("abs", left.node), [ast.Gt()], [ast.Constant(1e77)])
            self.raise_where(Value(large, left.dims, "b1"), "OverflowError", "(34, 'Numerical result out of range')")
            return made._replace(is_nonnegative=exponent % 2 == 0)
        raise VectorizeRefusal(f"`{ast.unparse(made.node)}` of Python's numbers")

    # ------------------------------------------------------------------------------------------------------- choices
    def _compare(self, node: ast.Compare) -> Value:
        left, result = self.evaluate(node.left), None
        for op, comparator in zip(node.ops, node.comparators, strict=True):
            if isinstance(op, (ast.In, ast.NotIn)) and isinstance(comparator, (ast.Tuple, ast.List)):
                one = self._contained(left, comparator)
                right, one = left, self.negate(one) if isinstance(op, ast.NotIn) else one
            elif isinstance(op, COMPARISONS):
                right = self.evaluate(comparator)
                one = self._comparison(op, left, right)
            else:
                raise VectorizeRefusal(f"`{source_of(node)}`")
            result = one if result is None else self._both(ast.And(), result, one)
            left = right
        assert result is not None
        return result

    def _comparison(self, op: ast.cmpop, left: Value, right: Value) -> Value:
        dims = union((left, right))
        kind = "bool" if left.is_python and right.is_python else "b1"
        if ("complex" in left.kind + right.kind or "c16" in (left.kind, right.kind)) and not isinstance(
            op, (ast.Eq, ast.NotEq)
        ):
            raise VectorizeRefusal("complex numbers are compared")
        numbers = literal(left.node), literal(right.node)
        if all(isinstance(one, (int, float)) for one in numbers):
            return constant(bool(eval(ast.unparse(ast.Compare(left.node, [op], [right.node])), {"__builtins__": {}})))
        return Value(ast.Compare(align(left, dims), [op], [align(right, dims)]), dims, kind)

    def _contained(self, left: Value, items: ast.Tuple | ast.List) -> Value:
        found = [self._comparison(ast.Eq(), left, self.evaluate(one)) for one in items.elts]
        if not found:
            raise VectorizeRefusal("an empty tuple is searched")
        result = found[0]
        for one in found[1:]:
            result = self._both(ast.Or(), result, one)
        return result

    def truth(self, value: Value) -> Value:
        """Give the truth of a value."""
        number = literal(value.node)
        if isinstance(number, (bool, int, float)):
            return constant(bool(number))
        if value.kind in BOOLS:
            return value
        test = ast.Compare(value.node, [ast.NotEq()], [ast.Constant(0)])
        return Value(test, value.dims, "bool" if value.is_python else "b1")

    def negate(self, value: Value) -> Value:
        """Give the opposite of a truth."""
        if isinstance(value.node, ast.Constant):
            return constant(not value.node.value)
        if not value.dims:
            return value._replace(node=ast.UnaryOp(ast.Not(), value.node), kind="bool")
        return value._replace(node=ast.UnaryOp(ast.Invert(), value.node), kind="b1")

    def _both(self, op: ast.boolop, left: Value, right: Value) -> Value:
        """Put `and` or `or` between two truths."""
        for one, other in ((left, right), (right, left)):
            if isinstance(one.node, ast.Constant):
                decides = bool(one.node.value) == isinstance(op, ast.Or)
                return one if decides else other
        if not left.dims and not right.dims:
            return Value(ast.BoolOp(op, [left.node, right.node]), (), "bool")
        return self.combine(ast.BitAnd() if isinstance(op, ast.And) else ast.BitOr(), left, right)

    def test(self, node: ast.expr) -> Value:
        """Give the truth of a condition; its later parts are evaluated where its earlier ones let them."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self.negate(self.test(node.operand))
        if not isinstance(node, ast.BoolOp):
            return self.truth(self.evaluate(node))
        result, outer = self.test(node.values[0]), self.mask
        for one in node.values[1:]:
            if isinstance(result.node, ast.Constant) and bool(result.node.value) == isinstance(node.op, ast.Or):
                break
            if not isinstance(result.node, ast.Constant):
                self.enter(result if isinstance(node.op, ast.And) else self.negate(result))
            result = self._both(node.op, result, self.test(one))
            self.mask = outer
        return result

    def _boolean(self, node: ast.BoolOp) -> Value:
        parts = [self.evaluate(one).kind for one in node.values[:1]]
        if parts[0] not in BOOLS:
            raise VectorizeRefusal(f"`{source_of(node)}`")
        return self.test(node)

    def enter(self, condition: Value, branch: int | None = None, side: bool = True) -> None:
        """Go on with the passes for which a condition holds."""
        self.branch_count += branch is None
        key = (self.branch_count if branch is None else branch, side)
        outer = self.mask
        whole = condition if outer is None else self._both(ast.And(), outer.value, condition)
        self.mask = Mask((*(outer.branches if outer is not None else ()), key), whole)

    def _choice(self, node: ast.IfExp) -> Value:
        test, outer = self.test(node.test), self.mask
        if isinstance(test.node, ast.Constant):
            return self.evaluate(node.body if test.node.value else node.orelse)
        self.enter(test)
        left = self.evaluate(node.body)
        self.mask = outer
        self.enter(self.negate(test))
        right = self.evaluate(node.orelse)
        self.mask = outer
        return self.choose(test, left, right)

    def choose(self, test: Value, left: Value, right: Value) -> Value:
        """Give one value where a test holds, and another where it does not."""
        if ast.dump(left.node) == ast.dump(right.node):
            return left
        kinds = {left.kind, right.kind}
        ranks = {RANKS[kind] for kind in kinds}
        plain = [one for one in (left, right) if literal(one.node) is None]
        if len(ranks) > 1 and (0 in ranks or len(plain) == 2 and 1 in ranks):
            raise VectorizeRefusal("the branches give numbers of different types")
        kind = mixed_kind(left, right)
        dims = union((test, left, right))
        bits = max(left.bits, right.bits)
        sign = left.is_nonnegative and right.is_nonnegative
        is_exact = left.is_exact and right.is_exact
        if not dims:
            choice = ast.IfExp(test.node, left.node, right.node)
            return Value(choice, (), kind, bits=bits, is_nonnegative=sign, is_exact=is_exact)
        node = self.function("where", *(align(one, dims) for one in (test, left, right)))
        return Value(node, dims, kind, bits=bits, is_nonnegative=sign, is_exact=is_exact)

    def larger(self, left: Value, right: Value, name: str) -> Value:
        """Give `max` or `min` of two values as Python has them: the first one, unless the second one is beyond it."""
        if {left.kind, right.kind} & {"c16", "complex", *BOOLS}:
            raise VectorizeRefusal(f"`{name}` of other numbers than these")
        op = ast.Gt() if name == "max" else ast.Lt()
        test = self._comparison(op, right, left)
        if isinstance(test.node, ast.Constant):
            return right if test.node.value else left
        made = self.choose(test, right, left)
        if not made.dims:
            return made._replace(node=ast.Call(ast.Name(name, ast.Load()), [left.node, right.node], []))
        return made


_EVALUATED: dict[type, Callable[[Expressions, Any], Value]] = {
    ast.Constant: Expressions._constant, ast.Name: Expressions._name, ast.Attribute: Expressions._attribute,
    ast.Subscript: Expressions._subscript, ast.UnaryOp: Expressions._unary, ast.BinOp: Expressions._binary,
    ast.Compare: Expressions._compare, ast.BoolOp: Expressions._boolean, ast.IfExp: Expressions._choice,
    ast.Call: Expressions.call,
}  # fmt: skip
