"""A nest of loops under way: its axes, what has to hold at run time, and the lines of whole-array code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from np2torch.facts import values as v
from np2torch.names.tree import walk as tree_walk
from np2torch.rules.loops.flow import stores
from np2torch.rules.site import ModuleContext, source_of
from np2torch.rules.vectorize.dependence import Access
from np2torch.rules.vectorize.linear import Linear, Symbol, to_node
from np2torch.rules.vectorize.shapes import LENGTH, Shapes
from np2torch.rules.vectorize.values import Value, VectorizeRefusal, align, union

KINDS = {"float64": "f8", "int64": "i8", "bool": "b1", "complex128": "c16"}
DTYPES = {"f8": "float64", "i8": "int64", "b1": "bool_", "c16": "complex128"}
MOST_FACTOR = 1 << 12
"""The largest factor, or constant, with which a length is still a small number."""
NUMBERS = ("bool", "int", "float", "complex")


@dataclass
class Axis:
    """A loop as an axis: its variable takes the numbers from `low` to below `high`, in steps of `step`.

    `low` and `high` have no variable of another loop: what depends on one is in the mask. `direction` is -1 where the
    loop runs downwards. `needs_some` says that code rests on there being a pass.
    """

    number: int
    name: str
    array: str
    low: Linear
    high: Linear
    step: int
    direction: int
    needs_some: bool = False
    line: int = 0

    def need_some(self) -> None:
        """Rest on there being a pass."""
        self.needs_some = True


class Mask(NamedTuple):
    """The passes in which a statement runs: the branches that lead to it, and the condition of them all."""

    branches: tuple[tuple[int, bool], ...]
    value: Value


@dataclass
class Temporary:
    """A name that the nest binds, and the branches behind which it is bound."""

    value: Value
    branches: tuple[tuple[int, bool], ...] = ()


@dataclass
class Conditions:
    """The conditions under which a nest may run all at once, tested right before it; each only once."""

    kinds: dict[str, None] = field(default_factory=dict)
    bounds: dict[str, None] = field(default_factory=dict)
    overlaps: dict[str, None] = field(default_factory=dict)

    @property
    def texts(self) -> list[str]:
        """All of them, in the order in which they can be evaluated."""
        return [*self.kinds, *self.bounds, *self.overlaps]


class Nest:
    """The state of a nest that is being rewritten."""

    def __init__(
        self, ctx: ModuleContext, loop: ast.For, numpy: str, taken: set[str], may_overlap: bool = False
    ) -> None:
        self.ctx, self.loop, self.numpy, self.taken = ctx, loop, numpy, set(taken)
        self.may_overlap = may_overlap
        self.shapes = Shapes(ctx, loop)
        self.bound = stores([loop])
        self.written = {
            one.value.id for one in tree_walk(loop)
            if isinstance(one, ast.Subscript) and isinstance(one.ctx, ast.Store) and isinstance(one.value, ast.Name)
        }  # fmt: skip
        self.axes: dict[int, Axis] = {}
        self.stack: list[int] = []
        self.temporaries: dict[str, Temporary] = {}
        self.mask: Mask | None = None
        self.accesses: list[Access] = []
        self.conditions = Conditions()
        self.lines: list[ast.stmt | None] = []
        self.ranks: dict[str, int] = {}
        self.sums: dict[str, int] = {}
        self.proved: dict[str, None] = {}
        self.branch_count = 0
        self.is_end_of_range = False
        self.ways: dict[tuple[str, int], str] = {}
        self.own: dict[str, str] = {}
        self.least: dict[tuple[tuple[Symbol, int], ...], int] = {}
        self.tests: dict[tuple[tuple[Symbol, int], ...], str] = {}
        self.results: set[str] = set()
        self.before_loop: list[set[str]] = []

    # ------------------------------------------------------------------------------------------------------- writing
    def emit(self, statement: ast.stmt) -> None:
        """Write a line."""
        self.lines.append(statement)

    def bind_array(self, name: str, node: ast.expr) -> ast.expr:
        """Write a line that binds what a name of the loop is in all passes, and give the new name of that."""
        if name not in self.own:
            self.own[name] = self.fresh(f"{name}_all")
        return self.bind(self.own[name], node)

    def bind(self, name: str, node: ast.expr) -> ast.expr:
        """Write a line that binds a name, and give the name: of a copy, where the loop writes what it is a view of."""
        root = node
        while isinstance(root, (ast.Subscript, ast.Attribute)):
            root = root.value
        if isinstance(node, (ast.Subscript, ast.Attribute)) and isinstance(root, ast.Name) and root.id in self.written:
            node = ast.Call(ast.Attribute(node, "copy", ast.Load()), [], [])
        self.emit(ast.Assign([ast.Name(name, ast.Store())], node, lineno=0))
        return ast.Name(name, ast.Load())

    def fresh(self, stem: str) -> str:
        """Give a name that nothing else has."""
        name, count = stem, 1
        while name in self.taken:
            count += 1
            name = f"{stem}_{count}"
        self.taken.add(name)
        return name

    def function(self, name: str, *arguments: ast.expr, **keywords: ast.expr) -> ast.Call:
        """Call a function of NumPy's."""
        owner: ast.expr = ast.Name(self.numpy, ast.Load())
        for part in name.split("."):
            owner = ast.Attribute(owner, part, ast.Load())
        return ast.Call(owner, list(arguments), [ast.keyword(key, value) for key, value in keywords.items()])

    def raise_where(self, test: Value, error: str, message: str) -> None:
        """Write a line that raises the error of one pass, where the test holds in any."""
        self.need_passes()
        if self.mask is not None:
            test = self.combine(ast.BitAnd(), self.mask.value, test)
        node = self.function("any", test.node) if test.dims else test.node
        call = ast.Call(ast.Name(error, ast.Load()), [ast.Constant(message)], [])
        self.emit(ast.If(node, [ast.Raise(call)], []))

    def combine(self, op: ast.operator, left: Value, right: Value, kind: str = "b1") -> Value:
        """Put an operator between two values."""
        dims = union((left, right))
        return Value(ast.BinOp(align(left, dims), op, align(right, dims)), dims, kind)

    # ---------------------------------------------------------------------------------------------------- conditions
    def need_passes(self) -> None:
        """Rest on there being a pass of each loop around."""
        for number in self.stack:
            self.axes[number].need_some()

    def is_outer(self, form: Linear) -> bool:
        """Tell whether a form has the same value before the loop."""
        if form.variables:
            return False
        names = (
            one.id for symbol, _ in form.terms for one in ast.walk(ast.parse(str(symbol))) if isinstance(one, ast.Name)
        )
        return self.bound.isdisjoint(names)

    def at_most(self, low: Linear, high: Linear) -> None:
        """See to it that one form is no greater than another: proved, or tested at run time."""
        difference = high.plus(low, -1)
        if self.shapes.is_nonnegative(difference):
            return
        if difference.is_constant or not self.is_outer(difference):
            raise VectorizeRefusal("the bounds of a range or of a subscript are not known")
        self.least[difference.terms] = min(difference.constant, self.least.get(difference.terms, difference.constant))
        difference = Linear(difference.terms, self.least[difference.terms])
        left = Linear.of({symbol: -factor for symbol, factor in difference.terms if factor < 0})
        right = Linear.of({symbol: factor for symbol, factor in difference.terms if factor > 0})
        if difference.constant < 0:
            left = left.shift(-difference.constant)
        else:
            right = right.shift(difference.constant)
        test = ast.Compare(to_node(left, {}), [ast.LtE()], [to_node(right, {})])
        if (weaker := self.tests.get(difference.terms)) is not None:
            self.conditions.bounds.pop(weaker, None)
        self.tests[difference.terms] = ast.unparse(test)
        self.conditions.bounds[ast.unparse(test)] = None

    def may_be_at_most(self, low: Linear, high: Linear) -> bool:
        """Tell whether it is not known that one form is greater than another."""
        difference = high.plus(low, -1)
        return self.shapes.is_nonnegative(difference) or not difference.is_constant and self.is_outer(difference)

    def hull(self, form: Linear) -> tuple[Linear, Linear] | None:
        """Give the least and the greatest value of a form in all passes; None where one is not known."""
        low, high = form, form
        for variable in form.variables:
            axis = self.axes[variable]
            first, last = axis.low, axis.high.shift(-1)
            up = form.factor(variable) > 0
            low = low.put_in(variable, first if up else last)
            high = high.put_in(variable, last if up else first)
        return low, high

    def array(self, node: ast.expr, rank: int, is_index: bool = False) -> tuple[str, str]:
        """Give name and kind of an array of this many axes; what is not known of it is tested at run time."""
        if not isinstance(node, ast.Name):
            raise VectorizeRefusal(f"`{source_of(node)}` is no name of an array")
        name = node.id
        if name in self.bound:
            raise VectorizeRefusal(f"`{name}` is bound in the loop and read by elements")
        fact = self.ctx.fact_in_numpy(node)
        known = [atom for atom in fact if isinstance(atom, v.Array)]
        is_array = v.only(fact, "array")
        if not is_array and not v.may(fact, "array", "unknown"):
            raise VectorizeRefusal(f"`{name}` is no array")
        kind = _kind_of(name, known) or ("i8" if is_index else "f8")
        ranks = v.ranks_of(fact) if is_array else None
        if ranks is not None and rank not in ranks:
            raise VectorizeRefusal(f"rows of `{name}` are read or written")
        if self.ranks.setdefault(name, rank) != rank:
            raise VectorizeRefusal(f"`{name}` is read with more or fewer subscripts")
        if not is_array:
            self.conditions.kinds[f"isinstance({name}, {self.numpy}.ndarray)"] = None
        if ranks != frozenset([rank]):
            self.conditions.kinds[f"{name}.ndim == {rank}"] = None
        if not is_array or v.dtype_of(fact) is None:
            kind = self._asked_kind(name, kind)
        return name, kind

    def _asked_kind(self, name: str, kind: str) -> str:
        """Have the dtype of an array tested, and give its kind: that of a test which is there already."""
        for one, dtype in DTYPES.items():
            if f"{name}.dtype == {self.numpy}.{dtype}" in self.conditions.kinds:
                return one
        self.conditions.kinds[f"{name}.dtype == {self.numpy}.{DTYPES[kind]}"] = None
        return kind

    def number(self, node: ast.expr, name: str) -> Value:
        """Give a number that is the same in all passes."""
        fact = self.ctx.fact_in_numpy(node)
        own = ast.Name(name, ast.Load())
        types = {atom.type for atom in fact if isinstance(atom, v.Num)}
        if v.only(fact, "number") and len(types) == 1 and types <= set(NUMBERS):
            return self._whole(own, name, types.pop())
        if v.only(fact, "scalar") and (dtype := v.dtype_of(fact)) in KINDS:
            return Value(own, (), KINDS[str(dtype)])
        kind = types.pop() if len(types) == 1 and types <= set(NUMBERS) else "float"
        self.conditions.kinds[f"isinstance({name}, {kind})"] = None
        return self._whole(own, name, kind)

    def _whole(self, node: ast.expr, name: str, kind: str) -> Value:
        form = self.shapes.whole(ast.Name(name, ast.Load()), self.loop.lineno) if kind == "int" else None
        return Value(node, (), kind, form)

    def small(self, value: Value, name: str) -> Value:
        """Have one of Python's whole numbers tested for its bits; lengths and ends of ranges are small."""
        if value.kind != "int" or self.is_end_of_range or self.shapes.limits(name) is not None:
            return value
        form = value.form if value.form is not None else Linear(((name, 1),))
        if form.is_constant:
            return value._replace(bits=max(value.bits, form.constant.bit_length()))
        ends = {symbol for axis in self.axes.values() for symbol, _ in axis.high.terms}
        are_small = all(symbol in ends or LENGTH.fullmatch(str(symbol)) for symbol, _ in form.terms)
        if not are_small or any(abs(one) > MOST_FACTOR for one in (form.constant, *(one for _, one in form.terms))):
            self.conditions.bounds[f"abs({name}) < 2 ** {value.bits}"] = None
        return value

    def names_of(self) -> dict[int, str]:
        """The names of the loops' variables."""
        return {number: axis.array for number, axis in self.axes.items()}

    def nodes_inside(self) -> Iterator[ast.AST]:
        """All nodes of the loop."""
        yield from tree_walk(self.loop)


def _kind_of(name: str, known: list[v.Array]) -> str:
    """Give the kind of an array's elements by what is known of it; empty where that is nothing."""
    if not all(atom.dtypes for atom in known):
        return ""
    dtypes = {one for atom in known for one in atom.dtypes or ()}
    if len(dtypes) > 1 or any(one not in KINDS for one in dtypes):
        raise VectorizeRefusal(f"`{name}` may be of {', '.join(sorted(dtypes))}")
    return KINDS[dtypes.pop()] if dtypes else ""
