"""How many elements arrays have at most, as far as the program itself says so: `n = 400; u = np.zeros(n)`.

What an array was made with is followed through names, calls and attributes. The answer is an estimate of what is
faster: no result rests on it.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias, TypeVar

from np2torch.facts import values as v
from np2torch.facts.access_paths import FunctionNode
from np2torch.facts.interpreter.fixpoint import Interpreter
from np2torch.facts.interpreter.subscripts import index_parts
from np2torch.facts.mod_ref_summaries import ProjectAliases
from np2torch.facts.reaching_values import ReachingValues, Value, Values

T = TypeVar("T")
Shape: TypeAlias = "tuple[int, ...] | None"
"""The most elements that there are along each axis; None where that is not known. `()` is a number."""
Key: TypeAlias = tuple[ast.expr | str, FunctionNode, tuple[int, ...], bool]
"""A value; a name stands for all places in its body that read it."""
MOST_STEPS = 2000
"""So many expressions are looked at for one question."""
MOST_DEEP = 100
"""What rests on so many others, one within the other, is not looked at."""
MOST_ROUNDS = 6

SHAPED = frozenset(
    f"numpy.{name}"
    for name in "bartlett blackman empty fft.fftfreq fft.rfftfreq full hamming hanning kaiser ones zeros".split()
)
"""Functions whose first argument is the shape, or the only length."""
SIZED = {"fft": "n", "ifft": "n", "rfft": "n", "irfft": "n", "bincount": "minlength"}
"""Keywords that give the length of the result of other functions."""
SQUARES = ("eye", "identity", "tri")
SPACED = ("linspace", "logspace", "geomspace")
ALIKE = tuple("array asarray asanyarray ascontiguousarray astype empty_like full_like ones_like zeros_like".split())
PRODUCTS = ("dot", "matmul", "inner")
JOINED = frozenset("concatenate hstack vstack dstack column_stack stack".split())
REDUCING = frozenset("all any argmax argmin max mean median min norm prod ptp std sum var amax amin".split())
EXPANDING = frozenset(
    "append bincount block broadcast_to convolve correlate diag diagflat einsum frombuffer fromfile fromfunction "
    "fromiter genfromtxt histogram indices insert interp irfft kron load loadtxt meshgrid mgrid ogrid pad repeat "
    "resize tensordot tile tril_indices triu_indices unpackbits vander".split()
)
"""Functions that may give more elements than they are given."""
SIZES = {
    **dict.fromkeys("beta binomial gamma integers laplace lognormal normal randint uniform".split(), 2),
    **dict.fromkeys("choice exponential poisson".split(), 1),
    **dict.fromkeys("permutation rand randn random random_sample standard_exponential standard_normal".split(), 0),
}
"""The place of the size among the arguments of functions that draw random numbers."""
APART = ("rand", "randn")
"""Those that take the size as one number for each axis."""
MANY = 32


class Extents:
    """Upper bounds of the numbers of elements of a project's arrays."""

    def __init__(self, engine: Interpreter, project: ProjectAliases) -> None:
        self.engine, self.project = engine, project
        self.reaching = ReachingValues(engine, project)
        self._final: dict[Key, Shape] = {}
        self._assumed: dict[Key, Shape] = {}
        self._round: dict[Key, Shape] = {}
        self._active: set[Key] = set()
        self._asked: set[Key] = set()
        self._counting: set[tuple[ast.AST, tuple[int, ...]]] = set()
        self._steps = 0

    def elements(self, node: ast.expr, body: FunctionNode) -> int | None:
        """Give the most elements that an array in a body has; None where the program does not say."""
        found = self._settled(lambda: self.shape(Value(node, body)))
        return None if found is None else math.prod(found)

    def passes(self, node: ast.expr, body: FunctionNode) -> int | None:
        """Give how often at most a loop over an expression in a body is run; None where the program does not say."""
        found = self._settled(lambda: self._passes(node, Value(node, body)))
        return found[0] if found else None

    def _settled(self, ask: Callable[[], Shape]) -> Shape:
        """Ask until what goes around in loops is what was assumed of it; None where it grows."""
        self._assumed, self._asked, self._steps = {}, set(), 0
        for _ in range(MOST_ROUNDS):
            self._round = {}
            found = ask()
            if self._steps > MOST_STEPS:
                return None
            if all(self._assumed.get(key, ()) == shape for key, shape in self._round.items() if key in self._asked):
                self._final.update(self._round)
                return found
            self._assumed = self._round
        return None

    def _goes_too_far(self) -> bool:
        """Count a step; tell whether there are too many, or too many within each other."""
        self._steps += 1
        return self._steps > MOST_STEPS or len(self._active) + len(self._counting) > MOST_DEEP

    def fact(self, node: ast.AST) -> v.Fact:
        """Give the fact of an expression in NumPy."""
        return self.engine.facts.get(node) or v.TOP

    # ---------------------------------------------------------------------------------------------------- arrays
    def shape(self, value: Value) -> Shape:
        """Give the shape of a value at most."""
        node = value.node
        if v.only(self.fact(node), "number", "scalar", "none") and not value.path:
            return ()
        key = (node.id if isinstance(node, ast.Name) else node, value.body, value.path, value.is_each)
        for known in (self._final, self._round):
            if key in known:
                return known[key]
        if self._goes_too_far():
            return None
        if key in self._active:
            self._asked.add(key)
            return self._assumed.get(key, ())
        self._active.add(key)
        found = self._round[key] = self._part(value) if value.path or value.is_each else self._whole(value)
        self._active.discard(key)
        return found

    def _shape(self, node: ast.expr, value: Value) -> Shape:
        return self.shape(Value(node, value.body))

    def _whole(self, value: Value) -> Shape:
        """Give the shape of an expression by its kind."""
        node = value.node
        match node:
            case ast.Name():
                return self._joined(self.reaching.of_name(node.id, value.body))
            case ast.BinOp(op=ast.MatMult()):
                return _product(self._shape(node.left, value), self._shape(node.right, value))
            case ast.BinOp() | ast.Compare() | ast.UnaryOp():
                operands = [one for one in ast.iter_child_nodes(node) if isinstance(one, ast.expr)]
                return self._broadcast(operands, value)
            case ast.IfExp():
                return _larger([self._shape(node.body, value), self._shape(node.orelse, value)])
            case ast.Subscript():
                return self._selected(node, value)
            case ast.Attribute():
                return self._attribute(node, value)
            case ast.Call():
                return self._call(node, value)
            case ast.List() | ast.Tuple():
                inner = _larger(self._shape(one, value) for one in node.elts)
                return None if inner is None else (len(node.elts), *inner)
            case ast.ListComp() | ast.GeneratorExp():
                passes = [self._passes(one.iter, value) for one in node.generators]
                each, known = self._shape(node.elt, value), [one[0] for one in passes if one]
                return (math.prod(known), *each) if each is not None and len(known) == len(passes) else None
            case ast.Constant():
                return ()
        return None

    def _part(self, value: Value) -> Shape:
        """Give the shape of an item of a value, or of what an iteration over it gives."""
        node, path = value.node, value.path
        if value.is_each:
            found = self._each(value)
            return self._cut(value) if found is None else self.shape(found)
        if isinstance(node, ast.Call):
            returned = self.reaching.of_call(node, path)
            if returned is not None:
                return self._joined([one.item() for one in returned])
            return self._outer(node.args, value) if self._function(node.func) == "numpy.meshgrid" else self._cut(value)
        if isinstance(node, ast.Name):
            sources = self.reaching.of_name(node.id, value.body)
            return self._joined(sources and [one._replace(path=(*one.path, *path)).item() for one in sources])
        return self._cut(value)

    def _cut(self, value: Value) -> Shape:
        """Give the shape of an item of an array; each of several results may be as large as what a function took."""
        found = self.shape(Value(value.node, value.body))
        is_several = isinstance(value.node, ast.Call) and v.only(self.fact(value.node), "sequence")
        return found if found is None or is_several else found[len(value.path) + value.is_each :]

    def _each(self, value: Value) -> Value | None:
        """Give what `enumerate`, `zip` and `range` give in each pass as a part of what they are given."""
        node, path = value.node, value.path
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            return None
        arguments = node.args
        match node.func.id:
            case "range":
                return Value(ast.Constant(0), value.body)
            case "enumerate" if path and arguments:
                each = Value(arguments[0], value.body, path[1:], is_each=True)
                return each if path[0] else Value(ast.Constant(0), value.body)
            case "zip" if path and path[0] < len(arguments):
                return Value(arguments[path[0]], value.body, path[1:], is_each=True)
        return None

    def _joined(self, values: Sequence[Value | None] | None) -> Shape:
        """Give the largest of what there may be."""
        return _larger(None if one is None else self.shape(one) for one in values or ())

    def _broadcast(self, operands: Iterable[ast.expr], value: Value) -> Shape:
        found: tuple[int, ...] = ()
        for one in operands:
            shape = self._shape(one, value)
            if shape is None:
                return None
            longest = max(len(found), len(shape))
            pairs = zip(_padded(found, longest), _padded(shape, longest), strict=True)
            found = tuple(map(max, pairs))
        return found

    def _selected(self, node: ast.Subscript, value: Value) -> Shape:
        """Give the shape of a part of an array."""
        base = self._shape(node.value, value)
        if not base:
            return base
        axes, found = list(base), list[int]()
        for part in index_parts(node.slice):
            if isinstance(part, ast.Slice):
                most = self.whole(Value(part.upper, value.body)) if part.upper is not None else None
                first = axes.pop(0) if axes else 1
                found.append(min(first, most) if most is not None and most > 0 else first)
            elif v.only(self.fact(part), "none"):
                found.append(1)
            elif isinstance(part, ast.Constant) and part.value is Ellipsis:
                found, axes = [*found, *axes], []
            else:
                first = axes.pop(0) if axes else 1
                index = self._shape(part, value)
                found += [first] if index is None else index
        return (*found, *axes)

    def _attribute(self, node: ast.Attribute, value: Value) -> Shape:
        if node.attr in ("T", "real", "imag", "flat"):
            found = self._shape(node.value, value)
            return found[::-1] if found is not None and node.attr == "T" else found
        return self._joined(self.reaching.of_attribute(node.attr))

    # ----------------------------------------------------------------------------------------------------- calls
    def _call(self, node: ast.Call, value: Value) -> Shape:
        returned = self.reaching.of_call(node, ())
        if returned is not None:
            return self._joined(returned)
        name, arguments = self._function(node.func), node.args
        if name is None and isinstance(node.func, ast.Attribute) and v.only(self.fact(node.func.value), "array"):
            name, arguments = node.func.attr, [node.func.value, *node.args]
        if name is None:
            return None
        return self._finished(name.rpartition(".")[2], self._made(name, arguments, node, value), arguments, node)

    def _finished(self, name: str, made: Shape, arguments: list[ast.expr], node: ast.Call) -> Shape:
        """Give the shape of a result by that of the arguments: joined, summed up, or with as many axes as it has."""
        ranks = v.ranks_of(self.fact(node))
        if not made:
            has_axes = not self._asked and v.only(self.fact(node), "array") and 0 not in (ranks or {0})
            return None if has_axes else made  # where none of the arguments has
        axis = next((one.value for one in node.keywords if one.arg == "axis"), None)
        if name in JOINED:
            return _joined(made, name, _number(self.fact(axis)) if axis is not None else None)
        given = axis or (arguments[1] if arguments[1:] else None)
        found = self._reduced(made, given, node) if name in REDUCING else made
        return _limited(found, max(ranks)) if found and ranks else found

    def _reduced(self, shape: tuple[int, ...], axis: ast.expr | None, node: ast.Call) -> Shape:
        """Give the shape of a sum or an extreme along an axis, or of all."""
        if axis is None:
            return ()
        place = _number(self.fact(axis))
        if not isinstance(place, int) or not -len(shape) <= place < len(shape) or len(node.keywords) > 1:
            return shape
        return tuple(one for at, one in enumerate(shape) if at != place % len(shape))

    def _made(self, name: str, arguments: list[ast.expr], node: ast.Call, value: Value) -> Shape:
        """Give the shape of what a function or a method of arrays gives."""
        short = name.rpartition(".")[2]
        place = 0 if name in SHAPED else SIZES.get(short, MANY) if "random." in name else MANY
        named = ("size", "shape", SIZED.get(short))
        sizes = [one.value for one in node.keywords if one.arg is not None and one.arg in named] or arguments[place:]
        if sizes:
            return self._sizes(sizes, value, is_apart=short in APART)
        made = MADE.get(short)
        if made is not None:
            return made(self, arguments, value)
        if short in EXPANDING or any(isinstance(one, ast.Starred) for one in arguments):
            return None
        return self._broadcast(arguments, value)

    def _function(self, function: ast.expr) -> str | None:
        """Give the function of NumPy that is called."""
        names = {atom.name for atom in self.fact(function) if isinstance(atom, v.Numpy)}
        return next(iter(names)) if len(names) == 1 else None

    def _sizes(self, nodes: Sequence[ast.expr], value: Value, is_apart: bool = False) -> Shape:
        """Give the shape that is passed as a number, a tuple, or one number after the other."""
        if not nodes:
            return None  # by name
        first = nodes[0]
        nodes = first.elts if isinstance(first, (ast.Tuple, ast.List)) else nodes if is_apart else nodes[:1]
        if isinstance(first, ast.Attribute) and first.attr == "shape":
            return self._shape(first.value, value)
        found = [self.whole(Value(one, value.body)) for one in nodes]
        return tuple(one for one in found if one is not None) if None not in found else None

    def _range(self, arguments: list[ast.expr], value: Value) -> Shape:
        if not arguments:
            return None
        numbers = [one for node in arguments if (one := _number(self.fact(node))) is not None]
        if len(numbers) == len(arguments) == 3 and numbers[2]:
            return (max(0, math.ceil((numbers[1] - numbers[0]) / numbers[2])),)
        first, last = arguments[0] if len(arguments) > 1 else None, arguments[min(1, len(arguments) - 1)]
        ends = [last, *([first.operand] if isinstance(first, ast.UnaryOp) else [])]  # from below zero
        if len(arguments) == 3 and isinstance(arguments[2], ast.UnaryOp) and first is not None:
            ends = [first]  # down to the last one
        found = [self.whole(Value(one, value.body)) for one in ends]
        return (sum(one for one in found if one is not None),) if None not in found else None

    def _spaced(self, arguments: list[ast.expr], value: Value) -> Shape:
        return self._sizes(arguments[2:3], value) if len(arguments) > 2 else (50,)

    def _square(self, arguments: list[ast.expr], value: Value) -> Shape:
        found = self._sizes(arguments[:1], value)
        return found and (found * 2)[:2]

    def _alike(self, arguments: list[ast.expr], value: Value) -> Shape:
        return self._shape(arguments[0], value) if arguments else None

    def _found(self, arguments: list[ast.expr], value: Value) -> Shape:
        """Give the shape of the indices of elements; of `where` with all its arguments that of an array."""
        found = self._broadcast(arguments, value)
        return found if len(arguments) > 1 else found and (len(found), math.prod(found))

    def _reshaped(self, arguments: list[ast.expr], value: Value) -> Shape:
        found = self._alike(arguments, value)
        return found and (math.prod(found),)

    def _multiplied(self, arguments: list[ast.expr], value: Value) -> Shape:
        return _product(*(self._shape(one, value) for one in arguments[:2])) if len(arguments) > 1 else None

    def _outer(self, arguments: list[ast.expr], value: Value) -> Shape:
        found = [self._shape(one, value) for one in arguments[:2]]
        return tuple(math.prod(one) for one in found if one is not None) if None not in found else None

    # ---------------------------------------------------------------------------------------------- whole numbers
    def whole(self, value: Value) -> int | None:
        """Give the largest that a whole number may be."""
        node = value.node
        known = _number(self.fact(node)) if not value.path and not value.is_each else None
        if self._goes_too_far() or isinstance(known, int) or (node, value.path) in self._counting:
            return known if isinstance(known, int) else None  # what goes around may grow
        self._counting.add((node, value.path))
        found = self._counted(value)
        self._counting.discard((node, value.path))
        return found

    def _counted(self, value: Value) -> int | None:
        node = value.node
        match node:
            case ast.Name() if not value.is_each:
                return self._largest(self.reaching.of_name(node.id, value.body), value.path)
            case ast.Attribute(attr="shape") | ast.Call(func=ast.Name(id="len" | "range")):
                return self._length(node, value)
            case ast.Attribute(attr="size"):
                found = self._shape(node.value, value)
                return math.prod(found) if found else None
            case ast.Attribute():
                return self._largest(self.reaching.of_attribute(node.attr), value.path)
            case ast.Subscript(value=ast.Attribute(attr="shape") as shape):
                place = _number(self.fact(node.slice))
                return self._length(shape, value._replace(path=(place,))) if isinstance(place, int) else None
            case ast.BinOp():
                return self._arithmetic(node, value)
            case ast.Call(func=ast.Name(id="int" | "round" | "max" | "min")):
                found_ones = [self.whole(Value(one, value.body)) for one in node.args]
                known = [one for one in found_ones if one is not None]
                return max(known) if known and len(known) == len(found_ones) else None
            case ast.Call():
                return self._largest(self.reaching.of_call(node, value.path), ())
        return None

    def _largest(self, values: Values, path: tuple[int, ...]) -> int | None:
        parts = [one._replace(path=(*one.path, *path)).item() for one in values or ()]
        known = _all_known(None if one is None else self.whole(one) for one in parts)
        return max(known) if known else None

    def _length(self, node: ast.expr, value: Value) -> int | None:
        """Give a length: of `len(x)`, of an axis, the last number of a range."""
        if isinstance(node, ast.Attribute):
            shape, axis = self._shape(node.value, value), value.path[0] if value.path else 0
            return shape[axis] if shape and -len(shape) <= axis < len(shape) else None
        assert isinstance(node, ast.Call)
        if not node.args or isinstance(node.func, ast.Name) and node.func.id == "range":
            last = self._range(node.args, value) if value.is_each else None
            return last[0] if last else None
        shape = self._shape(node.args[0], value)
        return shape[0] if shape else None

    def _arithmetic(self, node: ast.BinOp, value: Value) -> int | None:
        left, right = (self.whole(Value(one, value.body)) for one in (node.left, node.right))
        if left is None:
            return None
        exact = _number(self.fact(node.right))
        match node.op:
            case ast.Sub() | ast.FloorDiv() | ast.Mod() if not isinstance(exact, int) or exact <= 0:
                return left if isinstance(node.op, ast.Sub) and exact is None else None
            case ast.Sub():
                return left - int(exact or 0)
            case ast.FloorDiv():
                return left // int(exact or 1)
            case ast.Add():
                return None if right is None else left + right
            case ast.Mult():
                return None if right is None else left * right
        return None

    def _passes(self, node: ast.expr, value: Value) -> Shape:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id == "range":
                return self._range(node.args, value)
            if node.func.id in ("enumerate", "zip", "reversed", "sorted", "list") and node.args:
                return self._passes(node.args[0], value)
        return self._shape(node, value)


Made: TypeAlias = "Callable[[Extents, list[ast.expr], Value], Shape]"
MADE: Mapping[str, Made] = {
    "arange": Extents._range, "outer": Extents._outer,
    **dict.fromkeys(SPACED, Extents._spaced),
    **dict.fromkeys(SQUARES, Extents._square),
    **dict.fromkeys(PRODUCTS, Extents._multiplied),
    **dict.fromkeys(("reshape", "ravel", "flatten"), Extents._reshaped),
    **dict.fromkeys(("where", "nonzero", "argwhere"), Extents._found),
    **dict.fromkeys(ALIKE, Extents._alike),
}  # fmt: skip
"""What gives an array of another shape than that of what it is given."""


def _number(fact: v.Fact) -> int | float | None:
    """Give the largest of the numbers that an expression may be; None where they are not known."""
    values = [atom.value for atom in fact if isinstance(atom, v.Num)]
    known = [one for one in values if isinstance(one, int) or isinstance(one, float) and math.isfinite(one)]
    return max(known) if known and len(known) == len(fact) else None


def _all_known(several: Iterable[T | None]) -> list[T] | None:
    """Give all of these; None at the first that is not known, so that no more are looked for."""
    found: list[T] = []
    for one in several:
        if one is None:
            return None
        found.append(one)
    return found


def _padded(shape: tuple[int, ...], length: int) -> tuple[int, ...]:
    return (1,) * (length - len(shape)) + shape


def _larger(shapes: Iterable[Shape]) -> Shape:
    known = _all_known(shapes)
    return max(known, key=lambda one: (math.prod(one), len(one))) if known else None


def _product(left: Shape, right: Shape) -> Shape:
    if left is None or right is None:
        return None
    return (*left[:-1], *(right[:-2] + right[-1:] if len(right) > 1 else ()))


def _limited(shape: tuple[int, ...], rank: int) -> tuple[int, ...]:
    """Give a shape as many axes as there are: the longest stay."""
    while len(shape) > rank:
        shortest = shape.index(min(shape))
        shape = shape[:shortest] + shape[shortest + 1 :]
    return shape


def _joined(shape: tuple[int, ...], name: str, axis: float | None) -> tuple[int, ...]:
    """Give the shape of arrays, of which the first axis counts, when they are put side by side."""
    count, *each = shape
    to_last = name in ("column_stack", "dstack") or name == "hstack" and len(each) > 1
    at = int(axis) if axis is not None else 1 if to_last else 0
    if name == "stack" or len(each) < 2 and name not in ("concatenate", "hstack"):
        each.insert(at % (len(each) + 1), count)  # a new axis
    elif each:
        each[at % len(each)] *= count
    return tuple(each)
