"""Subscripts by the variables of loops: slices that are known to lie within the array, else arrays of indices."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from typing import NamedTuple

from np2torch.rules.vectorize.dependence import Access
from np2torch.rules.vectorize.linear import ZERO, Linear, to_node
from np2torch.rules.vectorize.nest import Nest
from np2torch.rules.vectorize.values import RANKS, Value, VectorizeRefusal, align, union


class Place(NamedTuple):
    """Elements of an array in all passes: the expression, and the loop of each of its axes."""

    node: ast.Subscript
    dims: tuple[int, ...]


class Places(Nest, ABC):
    """The reads and stores of elements of arrays."""

    @abstractmethod
    def evaluate(self, node: ast.expr) -> Value:
        """Give the value of an expression in all passes."""

    def indices(self, node: ast.Subscript) -> list[Value]:
        """Give the values of the subscripts.

        Raises
        ------
        VectorizeRefusal
            Where one of them is no whole number.
        """
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        found = []
        for part in parts:
            if isinstance(part, ast.Slice):
                raise VectorizeRefusal("a part of an array is read or written as a whole")
            value = self.index(part)
            if value.kind not in ("int", "i8"):
                raise VectorizeRefusal(f"`{ast.unparse(part)}` is not known to be a whole number")
            found.append(value)
        return found

    @abstractmethod
    def index(self, node: ast.expr) -> Value:
        """Give the value of a subscript; an array that it looks up in holds whole numbers."""

    def note(self, array: str, indices: list[Value], is_store: bool, sums: str = "") -> None:
        """Remember that elements are read or written."""
        forms = tuple(self.form(value) for value in indices)
        ranges = tuple(None if form is None or not self._known_before(form) else self.hull(form) for form in forms)
        at = len(self.accesses)
        self.accesses.append(Access(array, forms, tuple(self.stack), at, is_store, sums, ranges))

    def _known_before(self, form: Linear) -> bool:
        return self.is_outer(Linear(tuple(term for term in form.terms if isinstance(term[0], str)), form.constant))

    def form(self, value: Value) -> Linear | None:
        """Give the linear form of a whole number; one that is the same in all passes is a symbol."""
        if value.form is not None:
            return value.form
        if value.dims or value.kind not in ("int", "i8"):
            return None
        form = Linear(((ast.unparse(value.node), 1),))
        return form if self.is_outer(form) else None

    # ------------------------------------------------------------------------------------------------------- reading
    def read(self, node: ast.Subscript, is_index: bool = False) -> Value:
        """Read the elements of all passes."""
        indices = self.indices(node)
        array, kind = self.array(node.value, len(indices), is_index)
        self.note(array, indices, is_store=False)
        place = self.place(array, indices)
        return Value(place.node, place.dims, kind)

    def place(self, array: str, indices: list[Value]) -> Place:
        """Give the elements in all passes: by slices, where these are certain to mean the same."""
        forms = [self.form(value) for value in indices]
        sliced = self._slices(array, forms)
        return sliced if sliced is not None else self.gather(array, indices)

    def _slices(self, array: str, forms: list[Linear | None]) -> Place | None:
        seen: list[int] = []
        for form in forms:
            if form is None or len(form.variables) > 1 or form.variables & set(seen):
                return None
            seen += form.variables
        parts = [self._bounds(array, at, form) for at, form in enumerate(forms) if form is not None]
        if any(part is None for part in parts):
            return None
        items: list[ast.expr] = []
        flips: list[ast.expr] = []
        for part in parts:
            assert part is not None
            for low, high in part.needs:
                self.at_most(low, high)
            items.append(part.item)
            if part.is_slice:
                flips.append(
                    ast.Slice(step=ast.UnaryOp(ast.USub(), ast.Constant(1))) if part.is_flipped else ast.Slice()
                )
        name = ast.Name(array, ast.Load())
        node = ast.Subscript(name, items[0] if len(items) == 1 else ast.Tuple(items, ast.Load()), ast.Load())
        if any(isinstance(one, ast.Slice) and one.step is not None for one in flips):
            node = ast.Subscript(node, flips[0] if len(flips) == 1 else ast.Tuple(flips, ast.Load()), ast.Load())
        return Place(node, tuple(seen))

    def _bounds(self, array: str, at: int, form: Linear) -> _Part | None:
        length = self.shapes.length(array, at)
        if not form.variables:
            needs = [(ZERO, form), (form.shift(1), length)]
            if not self._fit(needs):
                return None
            return _Part(to_node(form, {}), needs)
        (variable,) = form.variables
        axis, factor = self.axes[variable], form.factor(variable)
        first = form.put_in(variable, axis.low)
        last = form.put_in(variable, axis.high.shift(-1))
        if factor < 0:
            if factor != -1 or axis.step != 1:
                return None
            first, last = last, first
        if abs(factor) * axis.step != 1:
            axis.need_some()
        stop = last.shift(1)
        needs = [(ZERO, first), (stop, length), (axis.low, axis.high)]
        if abs(factor) != 1:
            needs.append((axis.low.shift(1), axis.high))
        if not self._fit(needs):
            return None
        step = abs(factor) * axis.step
        item = ast.Slice(
            self._edge(first, length) if first != ZERO else None,
            self._edge(stop, length) if stop != length else None,
            ast.Constant(step) if step != 1 else None,
        )
        return _Part(item, needs, True, factor < 0)

    def _edge(self, form: Linear, length: Linear) -> ast.expr:
        """Write the end of a slice: from the end of the array, where that is shorter."""
        behind = form.plus(length, -1)
        return to_node(behind if behind.is_constant and behind.constant < 0 else form, {})

    def _fit(self, needs: list[tuple[Linear, Linear]]) -> bool:
        return all(self.may_be_at_most(low, high) for low, high in needs)

    def gather(self, array: str, indices: list[Value]) -> Place:
        """Look elements up by arrays of indices: negative ones wrap and others raise, as those of one pass do."""
        dims = union(indices)
        if not dims or self.mask is None:
            self.need_passes()
        if self.mask is not None:
            indices = [self._where_wanted(array, at, value) for at, value in enumerate(indices)]
            dims = union(indices)
        items = [align(value, dims) for value in indices]
        index = items[0] if len(items) == 1 else ast.Tuple(items, ast.Load())
        return Place(ast.Subscript(ast.Name(array, ast.Load()), index, ast.Load()), dims)

    def _where_wanted(self, array: str, at: int, value: Value) -> Value:
        """Look up the first element in the passes that do not want any."""
        assert self.mask is not None
        self.at_most(Linear(constant=1), self.shapes.length(array, at))
        dims = union((self.mask.value, value))
        node = self.function("where", align(self.mask.value, dims), align(value, dims), ast.Constant(0))
        return Value(node, dims, "i8")

    # ------------------------------------------------------------------------------------------------------- storing
    def check_store(self, array: str, kind: str, value: Value) -> None:
        """Refuse to store what the elements do not hold as it is."""
        if RANKS[value.kind] > RANKS[kind] or kind == "b1" and value.kind not in ("b1", "bool"):
            raise VectorizeRefusal(f"a number of another type is stored in `{array}`")

    def target(self, array: str, indices: list[Value]) -> Place:
        """Give the elements that are stored to: one for each pass, or refuse."""
        forms = [self.form(value) for value in indices]
        seen = [variable for form in forms if form is not None for variable in form.variables]
        if None in forms or any(len(form.variables) > 1 for form in forms if form is not None):
            raise VectorizeRefusal(f"it is not known that each pass stores to another element of `{array}`")
        if missing := set(self.stack) - set(seen):
            raise VectorizeRefusal(f"`{array}` is stored to at one place for all of `{self.axes[missing.pop()].name}`")
        place = self._stored(array, forms)
        if place is not None:
            return place
        hulls = [self.hull(form) for form in forms if form is not None]
        for at, range_ in enumerate(hulls):
            assert range_ is not None
            self.at_most(ZERO, range_[0])
            self.at_most(range_[1].shift(1), self.shapes.length(array, at))
        for axis in map(self.axes.__getitem__, self.stack):
            self.at_most(axis.low, axis.high)
        dims = union(indices)
        items = [align(value, dims) for value in indices]
        index = items[0] if len(items) == 1 else ast.Tuple(items, ast.Load())
        return Place(ast.Subscript(ast.Name(array, ast.Load()), index, ast.Load()), dims)

    def _stored(self, array: str, forms: list[Linear | None]) -> Place | None:
        """Give slices to store to; those of passes that do not store have to lie within the array too."""
        mask, self.mask = self.mask, None
        try:
            place = self._slices(array, forms)
        finally:
            self.mask = mask
        is_flipped = place is not None and isinstance(place.node.value, ast.Subscript)
        return None if is_flipped else place


class _Part(NamedTuple):
    """A subscript as an item of an index, and what it rests on."""

    item: ast.expr
    needs: list[tuple[Linear, Linear]]
    is_slice: bool = False
    is_flipped: bool = False
