"""Parameters that are whole numbers by their use: how often, how long, where to cut."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence

from np2torch.facts.kept_parameters import bindings, kept_parameters
from np2torch.names.tree import (
    Nodes,
    begins_below_head,
    called_name,
    dotted_name,
    is_of_self,
    is_real_number,
    is_whole_number,
)

RANGES = frozenset({"range", "xrange"})
SIZED = frozenset(
    "eye identity tri hamming hanning blackman bartlett tril_indices triu_indices fftfreq rfftfreq".split()
)
"""Functions of NumPy's whose first argument is a number of elements."""
SHAPED = frozenset("zeros ones empty full".split())
"""Functions whose first argument is a shape, or the only length of one."""
SIZES = frozenset({"reshape", "tile", "broadcast_to"})
"""Functions that take the lengths of several axes in a tuple; the first as a method also one by one."""
SHAPES = frozenset({"shape", "size", "newshape"})
"""Keywords that take the same."""
OF_INTEGERS = frozenset("factorial comb perm gcd lcm isqrt".split())
"""Functions of `math` that refuse all but whole numbers."""
WHOLE = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)
"""Operators that give a whole number of a whole number and the other operand only."""
BUILTINS = frozenset(dir(builtins))
ROUNDING = frozenset("int float round floor ceil rint trunc fix".split())
"""Functions that are given numbers with a point."""
WORDS = "used as only whole numbers are"
CALCULATED = "used as only whole numbers are, and calculated with"
OF_RANGE = "used as the length of a range"
STATED = "stated to be a whole number, and calculated with"
"""What the evidence says. Of a 0-D tensor torch calculates in single precision; `np.arange` takes numbers with a point
too, and gives such."""
MADE_OR_ASKED = frozenset("array asarray asanyarray atleast_1d isscalar ndim iterable".split())
"""Functions of what may be a number as well as an array."""
NO_TUPLE = (ast.Add, ast.Sub, ast.Div, ast.FloorDiv, ast.Pow)
"""Operators that no tuple has beside a number."""


def of_use(nodes: Nodes) -> dict[str, int]:
    """Names used as only whole numbers are, with the line of the first such use.

    Names that are subscripted, gone through, or of which an attribute is read are left out, and so is what a name is
    used as after it was bound again.
    """
    return _only_counts(nodes, (one for one in _counting(nodes) if isinstance(one, ast.Name)))


def said_of_attributes(class_: ast.ClassDef, nodes: Nodes) -> Iterator[tuple[str, int, str]]:
    """The parameters of `__init__` that are kept in attributes used as only whole numbers are: `self.n = n`."""
    counts = _only_counts(nodes, (one for one in _counting(nodes) if is_of_self(one)))
    found = kept_parameters(class_, dict(zip(counts, _worded(nodes, counts), strict=True)))
    yield from ((name, line, words) for name, (_, line, words) in found.items())


def said_by(function: ast.AST, nodes: Nodes, stated: Collection[str] = ()) -> Iterator[tuple[str, int, str]]:
    """The names that are whole numbers, each with the line and the words for it.

    Of the length of a range this is said where a line above the body can check it; of names that are only `stated` to
    be whole numbers, where they are calculated with.
    """
    used = of_use(nodes)
    yield from _worded(nodes, used)
    ranges = of_ranges(nodes) if begins_below_head(function) else {}
    yield from ((name, line, OF_RANGE) for name, line in ranges.items())
    numbers = [name for name in stated if name not in used and name not in ranges]
    operands = (one for one in _operands(nodes, numbers) if isinstance(one, ast.Name)) if numbers else ()
    calculated = {one.id: one.lineno for one in operands}
    yield from ((name, calculated[name], STATED) for name in numbers if name in calculated)


def _worded(nodes: Nodes, counts: Mapping[str, int]) -> Iterator[tuple[str, int, str]]:
    """The same with the words: whether they are calculated with too, here or where they are passed on."""
    if not counts:
        return
    calculated = {dotted_name(one) for one in _operands(nodes, counts)}
    calls = (call for call in nodes.of(ast.Call) if isinstance(call.func, ast.Name) and call.func.id not in BUILTINS)
    calculated.update(dotted_name(one) for call in calls for one in _named(call.args))
    calculated -= _asked(nodes)
    yield from ((name, line, CALCULATED if name in calculated else WORDS) for name, line in counts.items())


def _asked(nodes: Nodes) -> set[str | None]:
    """The names and paths that may be None or a text as well, for which they are tested, or for their truth."""
    asked: list[ast.expr] = []
    for node in nodes.of(ast.Compare):
        sides = [node.left, *node.comparators]
        asked += sides if any(isinstance(one, ast.Constant) and not is_real_number(one) for one in sides) else []
    asked += (one for node in nodes.of(ast.BoolOp) for one in node.values)
    asked += (node.operand for node in nodes.of(ast.UnaryOp) if isinstance(node.op, ast.Not))
    tests: list[ast.If | ast.IfExp | ast.While] = [*nodes.of(ast.If), *nodes.of(ast.IfExp), *nodes.of(ast.While)]
    asked += (node.test for node in tests)
    return set(map(dotted_name, asked))


def _operands(nodes: Nodes, counts: Container[str | None]) -> Iterator[ast.expr]:
    """The names and paths in quotients, and beside what may be no whole number."""
    for node in nodes.of(ast.BinOp):
        for one, other in ((node.left, node.right), (node.right, node.left)):
            is_list = isinstance(other, (ast.List, ast.Tuple))
            is_whole = is_list or is_whole_number(other) or dotted_name(other) in counts
            is_array = isinstance(other, ast.Call) and _is_module(other.func)
            if not is_array and (isinstance(node.op, ast.Div) or not is_whole):
                yield from _named([one])


def of_ranges(nodes: Nodes) -> dict[str, int]:
    """Names that are the only limit of a range of NumPy's, and the line: `np.arange(n)`, `np.arange(-n, n + 1)`.

    Those that are rounded may be numbers with a point.
    """
    calls = nodes.of(ast.Call)
    limits = [one for call in calls for one in _limits(call) if isinstance(one, ast.Name)]
    if not limits:
        return {}
    others = {dotted_name(one) for call in calls if called_name(call) in ROUNDING for one in call.args} | _asked(nodes)
    return _only_counts(nodes, (one for one in limits if one.id not in others))


def _limits(call: ast.Call) -> Sequence[ast.expr]:
    """List the limits of a range where one name and whole numbers are all that decides on it."""
    if called_name(call) != "arange" or not _is_module(call.func) or call.keywords:
        return ()
    names = list(_named(one for one in call.args if not is_whole_number(one)))
    are_whole = len(names) == sum(not is_whole_number(one) for one in call.args)
    return names if are_whole and len(set(map(dotted_name, names))) == 1 else ()


def _only_counts(nodes: Nodes, counting: Iterable[ast.expr]) -> dict[str, int]:
    """The names and paths among these that are nothing else, each with its first line."""
    if not (found := list(counting)):
        return {}
    bound = bindings(nodes)
    others: list[ast.expr] = [one.value for one in nodes.of(ast.Attribute)]
    others += (one.value for one in nodes.of(ast.Subscript))
    others += (one.value for one in nodes.of(ast.Starred))
    others += (loop.iter for loop in nodes.of(ast.For))
    others += (loop.iter for loop in nodes.of(ast.comprehension))
    others += (tested for call in nodes.of(ast.Call) for tested in _tested(call))
    other = set(map(dotted_name, others))
    lines: dict[str, int] = {}
    for one in found:
        path = dotted_name(one)
        if path is not None and path not in other and one.lineno < bound.get(path, one.lineno + 1):
            lines[path] = min(one.lineno, lines.get(path, one.lineno))
    return lines


def _tested(call: ast.Call) -> Iterator[ast.expr]:
    """Find names whose type is tested or of which an array is made: they may be something else."""
    if isinstance(call.func, ast.Name) and call.func.id in ("isinstance", "hasattr", "callable", "type", "len", "iter"):
        yield from call.args
    elif isinstance(call.func, ast.Attribute) and call.func.attr in MADE_OR_ASKED:
        yield from call.args[:1]


def _counting(nodes: Nodes) -> Iterator[ast.expr]:
    """The names and paths in expressions of which whole numbers are asked."""
    numbers = set(_beside_numbers(nodes))
    for call in nodes.of(ast.Call):
        yield from _named(_asked_of(call))
        is_shaped = called_name(call) in SHAPED and call.args
        if is_shaped and isinstance(call.args[0], ast.Name) and call.args[0].id in numbers:
            yield call.args[0]
        elif is_shaped and isinstance(call.args[0], ast.BinOp):
            yield from _named(call.args[:1])
    for cut in nodes.of(ast.Slice):
        yield from _named(one for one in (cut.lower, cut.upper, cut.step) if one is not None)
    for product in nodes.of(ast.BinOp):
        if isinstance(product.op, ast.Mult):
            for one, times in ((product.left, product.right), (product.right, product.left)):
                if isinstance(one, ast.List):
                    yield from _named([times])


def _asked_of(call: ast.Call) -> Iterator[ast.expr]:
    """The arguments of a call that are whole numbers."""
    name = called_name(call)
    if isinstance(call.func, ast.Name) and name in RANGES or _is_of_math(call):
        yield from call.args
    elif isinstance(call.func, ast.Attribute):
        yield from _numbers_for(call, name)
    if isinstance(call.func, ast.Attribute):
        for shape in _shapes_for(call, name):
            if isinstance(shape, ast.Tuple):
                yield from shape.elts


def _numbers_for(call: ast.Call, name: str) -> Sequence[ast.expr]:
    """List the sizes and counts that a function or a method takes one by one."""
    if name in SIZED:
        return call.args[:1]
    if name == "linspace":
        return call.args[2:3]
    several = len(call.args) > 1 and not isinstance(call.args[1], (ast.Tuple, ast.List))
    return call.args if name == "reshape" and several and not _is_module(call.func) else ()


def _shapes_for(call: ast.Call, name: str) -> list[ast.expr]:
    """The shapes that a function or a method takes."""
    named = [keyword.value for keyword in call.keywords if keyword.arg in SHAPES]
    if name == "reshape":
        return [*call.args[:2], *named]
    return [*(call.args[:1] if name in SHAPED else call.args[1:2] if name in SIZES else ()), *named]


def _is_module(function: ast.expr) -> bool:
    """Tell whether it is `np.reshape`, which takes the array first."""
    owner = function.value if isinstance(function, ast.Attribute) else function
    return isinstance(owner, ast.Name) and owner.id in ("np", "numpy")


def _is_of_math(call: ast.Call) -> bool:
    func = call.func
    module = isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name) and func.value.id == "math"
    return module and called_name(call) in OF_INTEGERS


def _beside_numbers(nodes: Nodes) -> Iterator[str]:
    """Names that stand beside a number, or an array of that length, in arithmetic that tuples have not."""
    for node in nodes.of(ast.BinOp):
        if isinstance(node.op, NO_TUPLE):
            for one, other in ((node.left, node.right), (node.right, node.left)):
                if isinstance(one, ast.Name) and (is_real_number(other) or _is_of_length(other, one.id)):
                    yield one.id


def _is_of_length(node: ast.expr, name: str) -> bool:
    """Tell an array that is made with this length: `np.ones(n)`."""
    if not isinstance(node, ast.Call) or called_name(node) not in SHAPED or not node.args:
        return False
    length = node.args[0]
    return isinstance(length, ast.Name) and length.id == name


def _named(expressions: Iterable[ast.expr]) -> Iterator[ast.expr]:
    """Yield the names and paths in expressions that compute one integer from another: `n` of `n + 1`, `2 * n`, `-n`."""
    for one in expressions:
        if isinstance(one, (ast.Name, ast.Attribute)):
            yield one
        elif isinstance(one, ast.UnaryOp) and isinstance(one.op, ast.USub):
            yield from _named([one.operand])
        elif isinstance(one, ast.BinOp) and isinstance(one.op, WHOLE):
            sides = [side for side in (one.left, one.right) if not is_whole_number(side)]
            if len(sides) == 1:
                yield from _named(sides)
