"""Loops as axes: ranges, also those that depend on other loops, and the elements of arrays."""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.rules.site import source_of
from np2torch.rules.vectorize.linear import ZERO, Linear, to_node
from np2torch.rules.vectorize.nest import Axis, Temporary
from np2torch.rules.vectorize.reductions import Reductions
from np2torch.rules.vectorize.values import Value, VectorizeRefusal, align, constant, union


class Axes(Reductions):
    """The axes that loops become."""

    def open(self, loop: ast.For) -> Value | None:
        """Make an axis of a loop; the condition of its passes, where its range depends on other loops."""
        call = loop.iter
        if self._builtin_name(call) != "range" or not isinstance(loop.target, ast.Name):
            self._open_arrays(loop)
            return None
        assert isinstance(call, ast.Call)
        name = loop.target.id
        low, high, step = self._range(call.args)
        direction = 1
        if step < 0:
            if step != -1:
                raise VectorizeRefusal("the loop runs downwards by steps")
            low, high, step, direction = high.shift(1), low.shift(1), 1, -1
        hulls = self.hull(low), self.hull(high)
        assert hulls[0] is not None and hulls[1] is not None
        is_skewed = low.variables or high.variables
        if low.variables and step != 1:
            raise VectorizeRefusal("the range depends on another loop, and has a step")
        if name in self.bound and any(self.axes[one].name == name for one in self.stack):
            raise VectorizeRefusal(f"`{name}` is the variable of two loops")
        number = self._add_axis(name, self.fresh(f"{name}_all"), (hulls[0][0], hulls[1][1]), step, direction)
        for form in (hulls[0][0], hulls[1][1]):
            if not self.is_outer(form):
                raise VectorizeRefusal(f"the range of `{name}` is not known before the loop")
        self.at_most(hulls[0][0], hulls[1][1])
        for outer in form_variables(low, high):
            self.axes[outer].need_some()
        return self._skew(number, low, high) if is_skewed else None

    def _add_axis(
        self, name: str, array: str, limits: tuple[Linear, Linear], step: int = 1, direction: int = 1
    ) -> int:
        """Add an axis, and keep a line for the array of its variable."""
        number = len(self.axes)
        self.axes[number] = Axis(number, name, array, *limits, step, direction, line=len(self.lines))
        self.stack.append(number)
        self.lines.append(None)
        return number

    def _builtin_name(self, node: ast.expr) -> str:
        """Give the builtin that an expression calls without keywords; empty for others."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.keywords or not node.args:
            return ""
        return node.func.id if v.only(self.ctx.fact_in_numpy(node.func), "builtin") else ""

    def _elements(self, loop: ast.For) -> tuple[ast.Name | None, list[ast.Name], list[ast.Name]]:
        """Read `for v in x`, `enumerate(x)`, `zip(x, y)`: counter, arrays and names of elements."""
        node, target = loop.iter, loop.target
        refusal = VectorizeRefusal(f"`{source_of(node)}` is gone through")
        counters: list[ast.expr] = []
        if self._builtin_name(node) == "enumerate" and isinstance(target, ast.Tuple) and len(target.elts) == 2:
            assert isinstance(node, ast.Call)
            if len(node.args) != 1:
                raise refusal
            counters, target, node = target.elts[:1], target.elts[1], node.args[0]
        sources, targets = [node], [target]
        if self._builtin_name(node) == "zip" and isinstance(target, ast.Tuple):
            assert isinstance(node, ast.Call)
            sources, targets = node.args, target.elts
        names = [one for one in (*counters, *targets) if isinstance(one, ast.Name)]
        arrays = [one for one in sources if isinstance(one, ast.Name)]
        is_plain = len(arrays) == len(sources) == len(targets) and len(names) == len(counters) + len(targets)
        if not is_plain or len({one.id for one in names}) < len(names):
            raise refusal
        return (names[0] if counters else None), arrays, names[len(counters) :]

    def _open_arrays(self, loop: ast.For) -> None:
        """Make an axis of a loop through the elements of arrays."""
        counter, sources, targets = self._elements(loop)
        arrays = [self.array(one, 1)[0] for one in sources]
        lengths = [self.shapes.length(one, 0) for one in arrays]
        for other in lengths[1:]:
            self.at_most(lengths[0], other)
            self.at_most(other, lengths[0])
        if not self.is_outer(lengths[0]):
            raise VectorizeRefusal(f"the length of `{arrays[0]}` is not known before the loop")
        number = self._add_axis("", self.fresh(f"{(counter or targets[0]).id}_at"), (ZERO, lengths[0]))
        own = Value(
            ast.Name(self.axes[number].array, ast.Load()), (number,), "int", Linear(((number, 1),)), is_nonnegative=True
        )
        held = self.mask.branches if self.mask is not None else ()
        if counter is not None:
            self.temporaries[counter.id] = Temporary(own, held)
        self._take_elements(sources, targets, own, held)

    def _take_elements(
        self, sources: list[ast.Name], targets: list[ast.Name], own: Value, held: tuple[tuple[int, bool], ...]
    ) -> None:
        """Bind the names of a loop to the elements that it goes through."""
        for source, one in zip(sources, targets, strict=True):
            array, kind = self.array(source, 1)
            self.note(array, [own], is_store=False)
            place = self.place(array, [own])
            made = self.bind_array(one.id, place.node) if array in self.written else place.node
            self.temporaries[one.id] = Temporary(Value(made, place.dims, kind), held)

    def _skew(self, number: int, low: Linear, high: Linear) -> Value:
        axis = self.axes[number]
        own = Value(ast.Name(axis.array, ast.Load()), (number,), "int")
        found: Value | None = None
        for form, op in ((low, ast.GtE()), (high, ast.Lt())):
            if not form.variables:
                continue
            bound = self._written(form)
            dims = union((own, bound))
            one = Value(ast.Compare(align(own, dims), [op], [align(bound, dims)]), dims, "b1")
            found = one if found is None else self.combine(ast.BitAnd(), found, one)
        assert found is not None
        return found._replace(node=self.bind(self.fresh("within"), found.node))

    def _written(self, form: Linear) -> Value:
        """Write a form of the variables of loops as an array."""
        result: Value | None = None
        for variable in sorted(form.variables):
            one = Value(ast.Name(self.axes[variable].array, ast.Load()), (variable,), "int", bits=31)
            part = (
                self.operation(ast.Mult(), constant(form.factor(variable)), one) if form.factor(variable) != 1 else one
            )
            result = part if result is None else self.operation(ast.Add(), result, part)
        rest = Linear(tuple(term for term in form.terms if isinstance(term[0], str)), form.constant)
        assert result is not None
        if rest != ZERO:
            result = self.operation(ast.Add(), result, Value(to_node(rest, {}), (), "int"))
        return result

    def _range(self, arguments: list[ast.expr]) -> tuple[Linear, Linear, int]:
        values = []
        is_downwards = len(arguments) == 3 and isinstance(arguments[2], ast.UnaryOp)
        for at, one in enumerate(arguments):
            self.is_end_of_range = at == (0 if len(arguments) == 1 or is_downwards else 1)
            values.append(self.evaluate(one))
        self.is_end_of_range = False
        forms = []
        for value in values:
            form = self.form(value)
            if form is None or value.kind not in ("int", "i8"):
                raise VectorizeRefusal(f"the range of a loop depends on `{ast.unparse(value.node)}`")
            forms.append(form)
        step = forms[2] if len(forms) == 3 else Linear(constant=1)
        if not step.is_constant or not step.constant:
            raise VectorizeRefusal("the step of a range is not known")
        return (ZERO if len(forms) == 1 else forms[0]), (forms[0] if len(forms) == 1 else forms[1]), step.constant

    def _is_read(self, axis: Axis) -> bool:
        """Tell whether the lines of a loop read its variable."""
        written = (one for line in self.lines[axis.line :] if line is not None for one in ast.walk(line))
        return any(isinstance(one, ast.Name) and one.id == axis.array for one in written)

    def write_variable(self, axis: Axis) -> None:
        """Write the array of a loop's variable above the lines that read it."""
        if self._is_read(axis):
            low, high = to_node(axis.low, {}), to_node(axis.high, {})
            arguments = [high] if axis.low == ZERO and axis.step == 1 else [low, high]
            arguments += [ast.Constant(axis.step)] if axis.step != 1 else []
            made = self.function("arange", *arguments)
            self.lines[axis.line] = ast.Assign([ast.Name(axis.array, ast.Store())], made, lineno=0)


def form_variables(*forms: Linear) -> frozenset[int]:
    """Give the variables of loops in some forms."""
    return frozenset(one for form in forms for one in form.variables)
