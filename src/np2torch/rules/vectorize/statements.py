"""The statements of a nest, one after the other, each for all passes."""

from __future__ import annotations

import ast

from np2torch.names.tree import walk as tree_walk
from np2torch.rules.loops.flow import reads_first, stores
from np2torch.rules.site import source_of
from np2torch.rules.vectorize.dependence import why_not
from np2torch.rules.vectorize.linear import Linear
from np2torch.rules.vectorize.nest import Temporary
from np2torch.rules.vectorize.places import Place
from np2torch.rules.vectorize.recurrences import Recurrences, as_read
from np2torch.rules.vectorize.reductions import neutral, update_of
from np2torch.rules.vectorize.shapes import is_read_after
from np2torch.rules.vectorize.values import (
    RANKS,
    Value,
    VectorizeRefusal,
    align,
    constant,
    literal,
    transpose,
    union,
)

MOST_UNROLLED = 9
MOST_AROUND = 3
"""So many loops around one are likely to make whole arrays of few elements."""


class Statements(Recurrences):
    """A nest whose body is run for all passes at once."""

    def run(self) -> None:
        """Rewrite the nest.

        Raises
        ------
        VectorizeRefusal
            With the reason, where it has to stay.
        """
        if not self.recurrence(self.loop):
            self.enter_loop(self.loop)
        if (why := why_not(self.accesses, self._direction, self._is_positive_form)) is not None:
            raise VectorizeRefusal(why)
        if not self.accesses:
            raise VectorizeRefusal("no array is read or written by elements")
        self._keep_apart()
        self._finish()

    def pays(self) -> bool:
        """Tell whether whole arrays are worth it: not for sums of few terms, nor where many loops go around."""
        if len(self.shapes.around) >= MOST_AROUND:
            return False
        if not self.shapes.around or len(self.axes) > 1 or any(one.is_store for one in self.accesses):
            return True
        (axis,) = self.axes.values()
        around = {name for loop in self.shapes.around for name in stores([loop])}
        length = axis.high.plus(axis.low, -1)
        return any(str(symbol) in around for symbol, _ in length.terms)

    def _direction(self, loop: int) -> int:
        return self.axes[loop].direction

    def _is_positive_form(self, form: Linear) -> bool:
        return self.shapes.is_nonnegative(form.shift(-1))

    def _keep_apart(self) -> None:
        """See to it that arrays that are written share no memory with others."""
        names = list(dict.fromkeys(one.array for one in self.accesses))
        written = [name for name in names if any(one.array == name and one.is_store for one in self.accesses)]
        for name in written:
            if self.may_overlap and not self.shapes.is_fresh(name):
                raise VectorizeRefusal(f"several elements of `{name}` may be one place in memory")
        for at, name in enumerate(names):
            for other in names[at + 1 :]:
                if (
                    (name in written or other in written)
                    and not self.shapes.is_fresh(name)
                    and not self.shapes.is_fresh(other)
                ):
                    self.conditions.overlaps[f"not {self.numpy}.may_share_memory({name}, {other})"] = None

    def _finish(self) -> None:
        """Test that there are passes where something rests on it, and see to the names that are read later."""
        for axis in self.axes.values():
            if axis.needs_some:
                self.at_most(axis.low.shift(1), axis.high)
        kept = {name for name, found in self.temporaries.items() if found.value.dims or found.branches}
        dropped = self.bound - {axis.name for axis in self.axes.values()}
        for name in sorted(dropped):
            is_result = name in self.results
            if (name in kept or not is_result) and is_read_after(self.ctx, self.loop, name):
                raise VectorizeRefusal(f"`{name}` is read after the loop")
        for axis in self.axes.values():
            if axis.name and is_read_after(self.ctx, self.loop, axis.name):
                raise VectorizeRefusal(f"`{axis.name}` is read after the loop")

    # --------------------------------------------------------------------------------------------------------- loops
    def enter_loop(self, loop: ast.For) -> None:
        """Run a loop within the nest."""
        if loop.orelse:
            raise VectorizeRefusal("the loop has an `else`")
        if isinstance(loop.iter, (ast.Tuple, ast.List)):
            self._unroll(loop)
            return
        mask, names = self.mask, self._carried(loop)
        condition = self.open(loop)
        new = [name for name in names if name not in self.sums]
        for name in new:
            self.sums[name] = len(self.stack) - 1
        if condition is not None:
            self.enter(condition)
        self.block(loop.body)
        for name in new:
            self.ways.pop((name, self.sums.pop(name)), None)
        number = self.stack.pop()
        axis = self.axes[number]
        self.write_variable(axis)
        self.mask = mask
        for name in stores([loop]) - set(names):
            self.temporaries.pop(name, None) if name not in self.before_loop[-1] else None
        self.before_loop.pop()

    def _carried(self, loop: ast.For) -> list[str]:
        """Give the names that a pass may read as the pass before has bound them."""
        targets = stores(one.target for one in tree_walk(loop) if isinstance(one, ast.For))
        if targets & stores(_without_loops(loop)):
            raise VectorizeRefusal("the variable of a loop is bound in it as well")
        assigned = sorted(stores(loop.body) - targets)
        self.before_loop.append(set(self.temporaries))
        carried = [name for name in assigned if reads_first(loop, name)]
        updated = {
            found.name for one in tree_walk(loop) if isinstance(one, ast.stmt) and (found := update_of(one)) is not None
        }
        for name in carried:
            if name not in updated:
                raise VectorizeRefusal(f"`{name}` goes from one pass to the next")
            if name not in self.temporaries:
                self.results.add(name)
        for name in assigned:
            if name not in carried and name in self.temporaries:
                self.before_loop[-1].discard(name)
        return carried

    def _unroll(self, loop: ast.For) -> None:
        """Run a loop over a few numbers that are written out, one pass after the other."""
        assert isinstance(loop.iter, (ast.Tuple, ast.List)) and isinstance(loop.target, ast.Name)
        numbers = [literal(one) for one in loop.iter.elts]
        if not self.stack or len(numbers) > MOST_UNROLLED or not all(isinstance(one, (int, float)) for one in numbers):
            raise VectorizeRefusal(f"`{source_of(loop.iter)}` is gone through")
        if any(isinstance(one, (ast.Continue, ast.Break)) for one in tree_walk(loop)):
            raise VectorizeRefusal("a loop that is written out has a `continue`")
        for number in numbers:
            held = self.mask.branches if self.mask is not None else ()
            self.temporaries[loop.target.id] = Temporary(constant(number), held)
            self.block(loop.body)

    # ---------------------------------------------------------------------------------------------------- statements
    def block(self, body: list[ast.stmt]) -> None:
        """Run statements."""
        outer = self.mask
        for at, statement in enumerate(body):
            if isinstance(statement, ast.If) and self._is_skipping(statement):
                test = self.test(statement.test)
                if isinstance(test.node, ast.Constant):
                    raise VectorizeRefusal("a `continue` always runs, or never")
                self._skip_nothing(statement.orelse)
                test = self._named(test)
                self.branch_count += 1
                branch, before = self.branch_count, self.mask
                self.enter(test, branch)
                self.block(statement.body[:-1])
                self.mask = before
                self.enter(self.negate(test), branch, False)
                self.block(statement.orelse)
                continue
            self.statement(statement, at)
        self.mask = outer

    def _is_skipping(self, statement: ast.If) -> bool:
        return isinstance(statement.body[-1], ast.Continue)

    def statement(self, statement: ast.stmt, at: int) -> None:
        """Run a statement for all passes."""
        if isinstance(statement, ast.For):
            if not self.recurrence(statement):
                self.enter_loop(statement)
            return
        found = update_of(statement)
        if found is not None and found.name in self.sums:
            self.update(found)
        elif isinstance(statement, ast.Assign):
            self._assign(statement)
        elif isinstance(statement, ast.AugAssign):
            self._augment(statement)
        elif isinstance(statement, ast.If):
            self._branch(statement)
        elif not (
            isinstance(statement, ast.Pass)
            or isinstance(statement, ast.Expr)
            and isinstance(statement.value, ast.Constant)
        ):
            raise VectorizeRefusal(f"`{source_of(statement).splitlines()[0]}`")

    def _named(self, test: Value) -> Value:
        if isinstance(test.node, ast.Name):
            return test
        return test._replace(node=self.bind(self.fresh("mask"), test.node))

    def _skip_nothing(self, arm: list[ast.stmt]) -> None:
        """Refuse a `continue` inside of an arm: what stands below the branch is skipped as well then."""
        around = [*arm]
        for one in around:  # grows while it is read
            if isinstance(one, ast.Continue):
                raise VectorizeRefusal("a `continue` stands in a branch of a branch")
            if isinstance(one, ast.If):
                around += [*one.body, *one.orelse]

    def _branch(self, statement: ast.If) -> None:
        self._skip_nothing([statement])
        test = self.test(statement.test)
        if isinstance(test.node, ast.Constant):
            self.block(statement.body if test.node.value else statement.orelse)
            return
        test = self._named(test)
        self.branch_count += 1
        branch, outer = self.branch_count, self.mask
        self.enter(test, branch)
        self.block(statement.body)
        if statement.orelse:
            self.mask = outer
            self.enter(self.negate(test), branch, False)
            self.block(statement.orelse)
        self.mask = outer

    def _assign(self, statement: ast.Assign) -> None:
        if len(statement.targets) != 1:
            raise VectorizeRefusal(f"`{source_of(statement)}`")
        target, value = statement.targets[0], statement.value
        pairs = [(target, value)]
        if isinstance(target, ast.Tuple):
            if not isinstance(value, ast.Tuple) or len(value.elts) != len(target.elts):
                raise VectorizeRefusal(f"`{source_of(statement)}`")
            pairs = list(zip(target.elts, value.elts, strict=True))
        values = [self.evaluate(one) for _, one in pairs]
        if len(pairs) > 1:
            if any(isinstance(one, ast.Subscript) for one, _ in pairs):
                raise VectorizeRefusal(f"`{source_of(statement)}` stores several elements")
            values = [self._apart(one) for one in values]
        for (one, _), made in zip(pairs, values, strict=True):
            if isinstance(one, ast.Name):
                self._bind_name(one.id, made)
            elif isinstance(one, ast.Subscript):
                self._store(one, made)
            else:
                raise VectorizeRefusal(f"`{source_of(one)}` is bound")

    def _apart(self, value: Value) -> Value:
        """Write a value down before names that it is made of are bound."""
        if literal(value.node) is not None:
            return value
        return value._replace(node=self.bind(self.fresh("value"), value.node))

    def _bind_name(self, name: str, value: Value) -> None:
        if name in self.sums or any(self.axes[one].name == name for one in self.stack):
            raise VectorizeRefusal(f"`{name}` goes from one pass to the next")
        held = self.mask.branches if self.mask is not None else ()
        known = self.temporaries.get(name)
        branches = held
        if known is not None and known.branches != held and held[: len(known.branches)] == known.branches:
            assert self.mask is not None
            value, branches = self.choose(self.mask.value, value, known.value), known.branches
        elif known is not None and self._are_arms(known.branches, held):
            assert self.mask is not None
            value, branches = self.choose(self.mask.value, value, known.value), held[:-1]
        elif known is not None and known.branches[: len(held)] != held:
            raise VectorizeRefusal(f"`{name}` is bound in branches that are not told apart")
        if literal(value.node) is None:
            form = value.form
            value = value._replace(node=self.bind_array(name, value.node), factors=None, form=form)
        self.temporaries[name] = Temporary(value, branches)

    def _are_arms(self, one: tuple[tuple[int, bool], ...], other: tuple[tuple[int, bool], ...]) -> bool:
        """Tell whether these are the two arms of one branch."""
        return len(one) == len(other) > 0 and one[:-1] == other[:-1] and one[-1] == (other[-1][0], not other[-1][1])

    # -------------------------------------------------------------------------------------------------------- stores
    def _store(self, target: ast.Subscript, value: Value) -> None:
        indices = self.indices(target)
        array, kind = self.array(target.value, len(indices))
        self.check_store(array, kind, value)
        self.note(array, indices, is_store=True)
        self._write(self.target(array, indices), value)

    def _write(self, place: Place, value: Value) -> None:
        """Store in elements; in those of passes that do not store, what is there."""
        dims = tuple(sorted(place.dims))
        if self.mask is not None:
            old = Value(place.node, place.dims, value.kind)
            node: ast.expr = self.function("where", *(align(one, dims) for one in (self.mask.value, value, old)))
            value = Value(node, dims, value.kind)
        self.emit(ast.Assign([place.node], self._in_order(place, value), lineno=0))

    def _in_order(self, place: Place, value: Value) -> ast.expr:
        """Give a value with its axes in the order of the place, which may be another than that of the loops."""
        dims = tuple(sorted(place.dims))
        if place.dims == dims or not value.dims:
            return align(value, dims)
        if value.dims == place.dims:
            return value.node
        if set(value.dims) != set(dims):
            shape = self.function("broadcast_to", align(value, dims), self._shape(dims))
            return self._turned(shape, place)
        return self._turned(align(value, dims), place)

    def _shape(self, dims: tuple[int, ...]) -> ast.expr:
        return ast.Tuple([self._passes(self.axes[one]) for one in dims], ast.Load())

    def _turned(self, node: ast.expr, place: Place) -> ast.expr:
        dims = sorted(place.dims)
        return transpose(node, [dims.index(one) for one in place.dims])

    def _augment(self, statement: ast.AugAssign) -> None:
        value = self.evaluate(statement.value)
        if isinstance(statement.target, ast.Name):
            self._bind_name(
                statement.target.id, self.operation(statement.op, self.evaluate(as_read(statement.target)), value)
            )
            return
        if not isinstance(statement.target, ast.Subscript):
            raise VectorizeRefusal(f"`{source_of(statement)}`")
        indices = self.indices(statement.target)
        array, kind = self.array(statement.target.value, len(indices))
        forms = [self.form(one) for one in indices]
        seen = [one for form in forms if form is not None for one in form.variables]
        over = [one for one in self.stack if one not in seen]
        is_looked_up = None in forms or any(form is not None and len(form.variables) > 1 for form in forms)
        if is_looked_up:
            self._add_at(statement, array, kind, indices, value)
            return
        if over:
            self._add_up(statement, array, kind, indices, value, over)
            return
        self.note(array, indices, is_store=False)
        place = self.place(array, indices)
        made = self.operation(statement.op, Value(place.node, place.dims, kind), value)
        self.check_store(array, kind, made)
        self.note(array, indices, is_store=True)
        target = self.target(array, indices)
        if (
            self.mask is None
            and ast.dump(target.node) == ast.dump(place.node)
            and target.dims == tuple(sorted(target.dims))
        ):
            self.emit(ast.AugAssign(target.node, statement.op, align(value, target.dims)))
            return
        self._write(target, made)

    def _sign(self, statement: ast.AugAssign, kind: str, value: Value, array: str) -> str:
        """Give the way in which elements are summed up; refuse others, and sums of another type."""
        if not isinstance(statement.op, (ast.Add, ast.Sub)) or kind == "b1":
            raise VectorizeRefusal(f"`{source_of(statement)}`: elements of `{array}` go from one pass to the next")
        if RANKS[value.kind] > RANKS[kind] or value.kind in ("b1", "bool"):
            raise VectorizeRefusal(f"a number of another type is added to `{array}`")
        return "+"

    def _add_up(
        self, statement: ast.AugAssign, array: str, kind: str, indices: list[Value], value: Value, over: list[int]
    ) -> None:
        """Add to elements what all passes of some loops add to them."""
        self.note(array, indices, is_store=True, sums=self._sign(statement, kind, value, array))
        product = self.contract(value, over) if self.mask is None else None
        stack, mask = self.stack, self.mask
        self.stack, self.mask = [one for one in stack if one not in over], None
        place = self.target(array, indices)
        self.stack, self.mask = stack, mask
        before = Value(place.node, place.dims, kind, known=0 if self.shapes.is_zero(array) else None)
        before = before._replace(is_nonnegative=before.known == 0)
        if product is None and self.starts("sum", before, value):
            total = self.total_after(before, value, over, "sum", isinstance(statement.op, ast.Sub))
            self.emit(ast.Assign([place.node], self._in_order(place, total), lineno=0))
            return
        total = product if product is not None else self.total(value, over, "sum")
        dims = tuple(sorted(place.dims))
        if place.dims == dims:
            self.emit(ast.AugAssign(place.node, statement.op, align(total, dims)))
        else:
            self.emit(ast.AugAssign(place.node, statement.op, self._in_order(place, total)))

    def _add_at(self, statement: ast.AugAssign, array: str, kind: str, indices: list[Value], value: Value) -> None:
        """Add to elements that are looked up, some perhaps more than once."""
        self.note(array, indices, is_store=True, sums=self._sign(statement, kind, value, array))
        self.need_passes()
        mask = self.mask.value if self.mask is not None else None
        if mask is not None:
            indices = [self._where_wanted(array, at, one) for at, one in enumerate(indices)]
            dims = union((mask, value))
            added = ast.Constant(0) if isinstance(statement.op, ast.Sub) else neutral("sum", value.kind)
            value = Value(self.function("where", align(mask, dims), align(value, dims), added), dims, value.kind)
        dims = union((*indices, value))
        missing = [one for one in self.stack if one not in union(indices)]
        if missing:
            if RANKS[value.kind] >= 2:
                raise VectorizeRefusal(f"several numbers are added to each element of `{array}` that is looked up")
            value = self.total(value, missing, "sum") if mask is None else self._summed(value, missing)
            dims = union((*indices, value))
        if set(dims) != set(union(indices)):
            raise VectorizeRefusal(f"elements of `{array}` are added to in a way of their own")
        items = [align(one, dims) for one in indices]
        index = items[0] if len(items) == 1 else ast.Tuple(items, ast.Load())
        name = "add.at" if isinstance(statement.op, ast.Add) else "subtract.at"
        self.emit(ast.Expr(self.function(name, ast.Name(array, ast.Load()), index, align(value, dims))))

    def _summed(self, value: Value, over: list[int]) -> Value:
        mask, self.mask = self.mask, None
        try:
            return self.total(value, over, "sum")
        finally:
            self.mask = mask


def _without_loops(loop: ast.For) -> list[ast.AST]:
    """Give the statements of a nest that bind names, but for its loops."""
    return [
        one for one in tree_walk(loop) if isinstance(one, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.NamedExpr))
    ]
