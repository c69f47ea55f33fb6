"""Calls in the body of a loop: lengths, builtins, functions of `math` and of NumPy."""

from __future__ import annotations

import ast
from abc import abstractmethod

from np2torch.facts import values as v
from np2torch.names.tree import dotted_name
from np2torch.rules.site import source_of
from np2torch.rules.vectorize import functions
from np2torch.rules.vectorize.places import Places
from np2torch.rules.vectorize.values import (
    BOOLS,
    EXACT_BITS,
    NUMPYS,
    RANKS,
    Value,
    VectorizeRefusal,
    align,
    constant,
    union,
)


class Calls(Places):
    """The values of calls in all passes."""

    @abstractmethod
    def larger(self, left: Value, right: Value, name: str) -> Value:
        """Give `max` or `min` of two values."""

    def length(self, node: ast.expr, array: str) -> Value:
        """Give the length of an array, which nothing in the loop changes."""
        owner = next(one for one in ast.walk(node) if isinstance(one, ast.Name) and one.id == array)
        if array in self.bound or not v.only(self.ctx.fact_in_numpy(owner), "array"):
            if array in self.bound or not v.may(self.ctx.fact_in_numpy(owner), "array"):
                raise VectorizeRefusal(f"the length of `{array}` is read in the loop")
            self.conditions.kinds[f"isinstance({array}, {self.numpy}.ndarray)"] = None
        return Value(node, (), "int", self.shapes.length_of(node, self.loop.lineno), is_nonnegative=True)

    def call(self, node: ast.Call) -> Value:
        array, _ = self.shapes.measured_array(node)
        fact = self.ctx.fact_in_numpy(node.func)
        if node.keywords or any(isinstance(one, ast.Starred) for one in node.args):
            raise VectorizeRefusal(f"`{source_of(node)}` is called")
        if v.only(fact, "builtin") and isinstance(node.func, ast.Name):
            if array is not None and node.func.id == "len":
                return self.length(node, array)
            return self._builtin(node.func.id, [self.evaluate(one) for one in node.args], node)
        path = dotted_name(node.func)
        if v.only(fact, "builtin") and path is not None and path.startswith("math."):
            return self._of_math(path[5:], [self.evaluate(one) for one in node.args], node)
        atom = v.sole(fact)
        if isinstance(atom, v.Numpy):
            return self._of_numpy(atom.name.removeprefix("numpy."), [self.evaluate(one) for one in node.args], node)
        raise VectorizeRefusal(f"`{source_of(node)}` is called")

    def _builtin(self, name: str, arguments: list[Value], node: ast.Call) -> Value:
        one = arguments[0] if arguments else None
        if name == "abs" and one is not None and one.kind not in BOOLS:
            kind = {"c16": "f8", "complex": "float"}.get(one.kind, one.kind)
            called = (
                self.function("abs", one.node) if one.dims else ast.Call(ast.Name("abs", ast.Load()), [one.node], [])
            )
            return Value(called, one.dims, kind, bits=one.bits, is_nonnegative=True)
        if name in ("max", "min") and len(arguments) > 1:
            result = arguments[0]
            for other in arguments[1:]:
                result = self.larger(result, other, name)
            return result
        if name == "float" and one is not None and one.kind in ("f8", "float"):
            return one._replace(kind="float", factors=None)
        if name == "float" and one is not None and one.kind in ("i8", "int") and one.bits <= EXACT_BITS:
            return Value(
                ast.BinOp(one.node, ast.Mult(), ast.Constant(1.0)), one.dims, "float", is_nonnegative=one.is_nonnegative
            )
        if name == "int" and one is not None and one.kind == "int":
            return one
        raise VectorizeRefusal(f"`{source_of(node)}` is called")

    def _of_math(self, name: str, arguments: list[Value], node: ast.Call) -> Value:
        known = functions.MATH.get(name)
        if known is None or len(arguments) != 1 + (name in functions.MATH_OF_TWO):
            raise VectorizeRefusal(f"`{source_of(node)}` is called")
        if any(
            one.kind not in ("f8", "i8", "float", "int") or one.kind == "int" and one.bits > EXACT_BITS
            for one in arguments
        ):
            raise VectorizeRefusal(f"`{source_of(node)}` of other numbers than floats")
        dims = union(arguments)
        if not dims:
            if self.mask is not None and known.fails is not None:
                raise VectorizeRefusal(f"`{source_of(node)}` may raise in a branch")
            self.need_passes()
            call = ast.Call(node.func, [one.node for one in arguments], [])
            return Value(
                call,
                (),
                "bool" if name in functions.MATH_TESTS else "float",
                is_nonnegative=name in functions.NONNEGATIVE,
            )
        if known.fails is not None and not (known.nonnegative and arguments[0].is_nonnegative):
            arguments = [self._checked(known, arguments[0])]
        made = self.function(known.numpy, *(align(one, dims) for one in arguments))
        kind = "bool" if name in functions.MATH_TESTS else "float"
        is_exact = known.numpy in functions.EXACT and all(one.is_exact for one in arguments)
        return Value(made, dims, kind, is_nonnegative=known.numpy in functions.NONNEGATIVE, is_exact=is_exact)

    def _checked(self, known: functions.MathFunction, argument: Value) -> Value:
        """Have an argument for which the function raises an error raise it."""
        if not isinstance(argument.node, ast.Name):
            argument = argument._replace(node=self.bind(self.fresh("argument"), argument.node), factors=None)
        assert known.fails is not None
        sign, bound = known.fails
        if sign == "inf":
            test: ast.expr = self.function("isinf", argument.node)
        else:
            op = ast.parse(f"_ {sign} 0", mode="eval").body
            assert isinstance(op, ast.Compare)
            test = ast.Compare(argument.node, op.ops, [constant(bound).node])
        value = Value(test, argument.dims, "b1")
        if known.error == "OverflowError":  # infinity itself is no error
            value = value._replace(
                node=ast.BinOp(test, ast.BitAnd(), ast.UnaryOp(ast.Invert(), self.function("isinf", argument.node)))
            )
        self.raise_where(value, known.error, known.message)
        return argument

    def _of_numpy(self, name: str, arguments: list[Value], node: ast.Call) -> Value:
        kinds = [one.kind for one in arguments]
        dims = union(arguments)
        is_exact = name in functions.EXACT and all(one.is_exact for one in arguments)
        call = self._kept(node, arguments, dims)
        made = Value(call, dims, "f8", is_nonnegative=name in functions.NONNEGATIVE, is_exact=is_exact)
        is_complex = any(RANKS[kind] == 3 for kind in kinds)
        if any(kind in BOOLS for kind in kinds) and name not in ("logical_and", "logical_or", "logical_not", "where"):
            raise VectorizeRefusal(f"`{source_of(node)}` of bools")
        if len(arguments) == 1 and (kind := self._kind_of_one(name, kinds[0])):
            return made._replace(kind=kind)
        if len(arguments) == 2 and not is_complex:
            if name in functions.OF_TWO:
                return made
            if name in functions.CHOOSING:
                return made._replace(kind=NUMPYS[max(RANKS[kind] for kind in kinds)])
        if len(arguments) == {"logical_and": 2, "logical_or": 2, "logical_not": 1}.get(name):
            return made._replace(kind="b1")
        raise VectorizeRefusal(f"`{source_of(node)}` is called")

    def _kind_of_one(self, name: str, kind: str) -> str:
        """Give the kind that a function of one number gives; empty for functions that are not known."""
        is_complex = RANKS[kind] == 3
        if is_complex and name not in functions.COMPLEX:
            return ""
        if name in functions.TESTS:
            return "b1"
        if name in functions.FLOATING or name in functions.ROUNDING and RANKS[kind] == 2:
            return "c16" if is_complex else "f8"
        if name in functions.KEEPING:
            return "f8" if is_complex and name.startswith("abs") else NUMPYS[RANKS[kind]]
        return ""

    def _kept(self, node: ast.Call, arguments: list[Value], dims: tuple[int, ...]) -> ast.Call:
        return ast.Call(node.func, [align(one, dims) for one in arguments], [])
