"""Calls of Python's builtins and of the functions of `math`, `copy`, `itertools` that numeric code uses."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from np2torch.facts import results
from np2torch.facts import values as v
from np2torch.facts.arguments import Arguments, arguments_of
from np2torch.facts.domain import DOMAIN
from np2torch.facts.interpreter import methods, reflection
from np2torch.facts.interpreter.iteration import ANY_KEY, each_of, is_filled, is_settled, iterate
from np2torch.facts.interpreter.iteration import items as known_items
from np2torch.facts.interpreter.narrowing import is_instance
from np2torch.facts.interpreter.operators import operate
from np2torch.facts.interpreter.stable_order import in_order
from np2torch.facts.stdlib import FILE, RANDOM

if TYPE_CHECKING:
    from np2torch.facts.interpreter.protocols import Frame


def _first(arguments: Arguments) -> v.Fact:
    facts = arguments.facts()
    return facts[0] if facts else v.BOTTOM


def _len(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    fact = _first(arguments)
    if DOMAIN.supposed and v.only(fact, "array", "scalar", "number") and v.ranks_of(fact) == frozenset({0}):
        return v.BOTTOM  # NumPy refuses what is supposed here
    items = v.items_of(fact)
    if items is not None:
        only = next(iter(fact))
        if isinstance(only, v.Sequence) and is_settled(frame, only):
            return v.number(len(items))
    return v.SIZE


def _number(kind: str) -> Callable[[Frame, ast.Call, Arguments], v.Fact]:
    def convert(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
        fact = _first(arguments)
        value = v.constant(fact)
        if isinstance(value, (bool, int, float)) and value == value and abs(value) < 2**62:
            try:
                return v.number({"int": int, "float": float, "bool": bool, "complex": complex}[kind](value))
            except (OverflowError, ValueError):
                pass
        nonnegative = all(isinstance(a, v.Num) and a.nonnegative for a in fact) and bool(fact)
        return v.one(v.Num(kind, None, nonnegative or kind == "bool"))

    return convert


def _range(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    facts = arguments.facts()
    start = facts[0] if len(facts) > 1 else v.number(0)
    step = facts[2] if len(facts) > 2 else v.number(1)
    up = all(isinstance(a, v.Num) and a.nonnegative for a in start | step)
    bounds = [v.constant(fact) for fact in facts]
    known = not arguments.starred and 0 < len(bounds) < 4 and all(type(bound) is int for bound in bounds)
    filled = known and bounds[2:] != [0] and bool(range(*bounds))
    return v.one(v.Iterator(v.one(v.Num("int", None, up)), filled, True))


def _zip(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    if arguments.starred:
        return v.one(v.Iterator(v.TOP))
    filled = all(is_filled(a.fact) for a in arguments.positional)
    return v.one(v.Iterator(v.tuple_of(*(iterate(frame, a.fact) for a in arguments.positional)), filled))


def _enumerate(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    fact = _first(arguments)
    return v.one(v.Iterator(v.tuple_of(v.SIZE, iterate(frame, fact)), is_filled(fact)))


def _items(kind: str, in_order: bool = True) -> Callable[[Frame, ast.Call, Arguments], v.Fact]:
    def collect(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
        fact = _first(arguments)
        site = id(node) if kind in ("list", "set") else 0
        if not arguments.positional:
            grown = frame.element(id(node))
            return v.one(v.Sequence(kind, None, grown, site) if grown else v.Sequence(kind, (), site=site))
        grown = frame.element(id(node))
        only = v.sole(fact) if in_order and kind != "set" and not grown else None
        if only is not None and (items := known_items(frame, only)) is not None:
            return v.one(v.Sequence(kind, items, site=site))
        element, lengths = v.join(v.widen(iterate(frame, fact)), grown), None if grown else v.lengths_of(fact)
        return v.one(v.Sequence(kind, None, element, site, is_filled(fact), lengths))

    return collect


def _iterated(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    return v.one(v.Iterator(iterate(frame, _first(arguments))))


def _reversed(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    return v.one(v.Iterator(iterate(frame, _first(arguments)), is_filled(_first(arguments))))


def _next(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    return v.join(iterate(frame, _first(arguments)), *(a.fact for a in arguments.positional[1:]))


def _largest(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    if len(arguments.positional) == 1:
        return v.widen(iterate(frame, _first(arguments)))
    fact = v.join(*(a.fact for a in arguments.positional)) if arguments.positional else v.TOP
    if v.only(fact, "number"):
        return frozenset(v.Num(a.type, None, a.nonnegative) for a in fact if isinstance(a, v.Num))
    return fact


def _sum(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    item = v.widen(iterate(frame, _first(arguments)))
    start = arguments.positional[1].fact if len(arguments.positional) > 1 else v.INT
    if not item:
        return v.TOP
    added = (_of_any_length(frame, atom) for atom in operate(frame, ast.Add, start, item))
    return v.join(*added, v.BOTTOM if is_filled(_first(arguments)) else start)


def _of_any_length(frame: Frame, atom: v.Atom) -> v.Fact:
    """Forget the length of what is added up: a list of it grows."""
    if isinstance(atom, v.Sequence) and atom.type != "set":
        return v.one(v.Sequence(atom.type, None, iterate(frame, v.one(atom))))
    return v.one(atom)


def _abs(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    fact = _first(arguments)
    if v.only(fact, "number"):
        value = v.constant(fact)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return v.number(abs(value))
        return _abs_of(fact)
    numbers = v.keep(fact, lambda atom: atom.kind == "number")
    if numbers and v.only(fact, "array", "scalar", "number"):
        return v.join(_abs_of(numbers), results.ufunc("absolute", [fact - numbers]))
    return results.ufunc("absolute", [fact]) if v.only(fact, "array", "scalar") else v.TOP


def _abs_of(numbers: v.Fact) -> v.Fact:
    types = {"float" if a.type == "complex" else a.type for a in numbers if isinstance(a, v.Num)}
    return frozenset(v.Num("int" if kind == "bool" else kind, None, True) for kind in types)


def _round(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    fact = _first(arguments)
    if arguments.spread:
        return v.TOP
    if v.only(fact, "number", "scalar") and len(arguments.positional) == 1 and "ndigits" not in arguments.keywords:
        return v.INT
    if v.only(fact, "scalar"):
        return fact
    return frozenset(v.Num(a.type) for a in fact if isinstance(a, v.Num)) if v.only(fact, "number") else v.TOP


def _divmod(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    """The quotient and the remainder, as the operators give them."""
    facts = [one.fact for one in arguments.positional]
    if len(facts) == 2 and not arguments.starred and all(v.only(one, "number", "scalar", "array") for one in facts):
        return v.tuple_of(*(operate(frame, op, *facts) for op in (ast.FloorDiv, ast.Mod)))
    frame.let_go(arguments)
    return v.TOP


def _map(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    if not arguments.positional or arguments.starred:
        return v.one(v.Iterator(v.TOP))
    callees = in_order(_first(arguments))

    def call_all(*facts: v.Fact) -> v.Fact:
        made = arguments_of(*map(v.widen, facts))
        return v.join(*(frame.call(node, atom, made) for atom in callees)) if callees else v.TOP

    rows = [each_of(frame, a.fact) for a in arguments.positional[1:]]
    known = [row for row in rows if row is not None]
    if known and len(known) == len(rows):
        items = tuple(call_all(*column) for column in zip(*known, strict=False))
        return v.one(v.Iterator(v.join(*items), True, items=items))
    filled = all(is_filled(a.fact) for a in arguments.positional[1:])
    return v.one(v.Iterator(call_all(*(iterate(frame, a.fact) for a in arguments.positional[1:])), filled))


def _item_of_any(frame: Frame, node: ast.Call) -> v.Fact:
    """Give what may be an item of any of the iterables passed, those of `*rows` too."""
    parts = [v.BOTTOM]
    for one in node.args:
        if isinstance(one, ast.Starred):
            parts.append(iterate(frame, iterate(frame, frame.facts.get(one.value, v.TOP))))
        else:
            parts.append(iterate(frame, frame.facts.get(one, v.TOP)))
    return v.widen(v.join(*parts))


def _product(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    if arguments.starred or "repeat" in arguments.keywords:
        return v.one(v.Iterator(v.one(v.Sequence("tuple", None, _item_of_any(frame, node)))))
    return v.one(v.Iterator(v.tuple_of(*(iterate(frame, a.fact) for a in arguments.positional))))


def _chosen(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    item = v.widen(iterate(frame, _first(arguments)))
    many = v.constant(arguments.positional[1].fact) if len(arguments.positional) > 1 else None
    if isinstance(many, int) and 0 < many <= 8:
        return v.one(v.Iterator(v.tuple_of(*[item] * many)))
    return v.one(v.Iterator(v.one(v.Sequence("tuple", None, item))))


def _chain(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    return v.one(v.Iterator(_item_of_any(frame, node)))


def _chain_of(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    return v.one(v.Iterator(iterate(frame, iterate(frame, _first(arguments)))))


def _zip_longest(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    if arguments.starred:
        return v.one(v.Iterator(v.TOP))
    fill = arguments.keywords["fillvalue"].fact if "fillvalue" in arguments.keywords else v.NONE
    return v.one(v.Iterator(v.tuple_of(*(v.join(fill, iterate(frame, a.fact)) for a in arguments.positional))))


def _after_function(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    rest = Arguments(arguments.positional[1:])
    item = iterate(frame, _first(rest))
    for atom in in_order(_first(arguments)):
        frame.call(node, atom, arguments_of(item))
    return v.one(v.Iterator(item))


def _sample(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    return v.one(v.Sequence("list", None, v.widen(iterate(frame, _first(arguments))), id(node)))


def _drawn(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    return v.widen(iterate(frame, _first(arguments)))


def _count(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    facts = arguments.facts()
    return v.one(v.Iterator(v.widen(v.join(*facts)) if facts else v.SIZE))


def _reduce(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    if arguments.starred or len(arguments.positional) < 2:
        return v.TOP
    item = v.widen(iterate(frame, arguments.positional[1].fact))
    result = v.widen(arguments.positional[2].fact) if len(arguments.positional) > 2 else item
    callees = in_order(_first(arguments))
    for _ in range(3):
        made = v.join(v.BOTTOM, *(frame.call(node, atom, arguments_of(result, item)) for atom in callees))
        result = v.widen(v.join(result, made))
    return result


def _isinstance(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    answer = is_instance(frame, *node.args) if len(node.args) == 2 else None
    return v.BOOL if answer is None else v.number(answer)


def _dict_call(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    for name, argument in arguments.keywords.items():
        frame.engine.add_element(id(node), argument.fact, name)
    for name, fact in (arguments.spread or {}).items():
        frame.engine.add_element(id(node), fact, name)
    if arguments.starred and arguments.spread is None:
        frame.engine.add_element(id(node), v.TOP, ANY_KEY)
    for argument in arguments.positional:
        named = _zipped(frame, argument.node)
        for key, fact in named:
            frame.engine.add_element(id(node), fact, key)
        if not named:
            frame.add_mappings(id(node), argument.fact)
    return v.one(v.Mapping(id(node)))


def _zipped(frame: Frame, node: ast.expr | None) -> list[tuple[str, v.Fact]]:
    """The keys and values of `zip(["a", "b"], values)`, where the keys are written out."""
    if not isinstance(node, ast.Call) or len(node.args) != 2 or node.keywords:
        return []
    if frame.facts.get(node.func) != v.one(v.Builtin("zip")):
        return []
    keys, values = (frame.facts.get(side, v.TOP) for side in node.args)
    names = [v.constant(item) for item in v.items_of(keys) or ()]
    items = v.items_of(values)
    if items is None or len(items) < len(names):
        items = (v.widen(iterate(frame, values)),) * len(names)
    found = [(name, item) for name, item in zip(names, items, strict=False) if isinstance(name, str)]
    return found if len(found) == len(names) else []


def _defaultdict(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    """A dict that also holds what its factory makes for keys that are missing."""
    for atom in in_order(v.without(_first(arguments), "none")) if arguments.positional else ():
        place = node.args[0] if isinstance(atom, v.Builtin) and node.args else node  # a list made there is not the dict
        made = frame.call(cast("ast.Call", place), atom, Arguments([]))
        frame.engine.add_element(id(node), v.widen(made), ANY_KEY)
    return _dict_call(frame, node, Arguments(arguments.positional[1:], arguments.keywords))


def _counter(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    """A dict that holds the counts of what it goes through, or those of a mapping."""
    frame.let_go(arguments)
    frame.engine.add_element(id(node), v.INT, ANY_KEY)
    for fact in arguments.facts():
        if v.known_to_include(fact, "mapping", "unknown"):
            frame.add_mappings(id(node), v.keep(fact, lambda atom: isinstance(atom, (v.Mapping, v.Top))))
    for name, argument in arguments.keywords.items():
        frame.engine.add_element(id(node), argument.fact, name)
    return v.one(v.Mapping(id(node), counts=True))


def _from_keys(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    facts = arguments.facts()
    frame.let_go(arguments)
    frame.engine.add_element(id(node), facts[1] if len(facts) > 1 else v.NONE, ANY_KEY)
    return v.one(v.Mapping(id(node)))


def _chain_map(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    """Give the fact of a `ChainMap`, which reads and writes the mappings passed to it."""
    given = v.join(v.BOTTOM, *arguments.facts())
    return given if v.only(given, "mapping") and not arguments.starred else v.TOP


def _math(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    return v.FLOAT


def _super(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    owner = frame.function.owner if frame.function is not None else None
    if owner is not None and owner.bases:
        return v.one(frame.engine.instance(owner.bases[0]))
    return v.one(v.Numpy("numpy.ndarray")) if owner is not None and owner.is_array else v.TOP


def _copy(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    return _first(arguments) or v.TOP


def _type(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    fact = _first(arguments)
    if len(arguments.positional) != 1 or not v.only(fact, "instance"):
        return v.TOP
    return frozenset(v.Class(atom.definition) for atom in fact if isinstance(atom, v.Instance))


def _slice(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    step = arguments.positional[2].fact if len(arguments.positional) > 2 else v.NONE
    forward = not arguments.starred and all(a.kind == "none" or isinstance(a, v.Num) and a.nonnegative for a in step)
    return v.one(v.Opaque("forward slice" if forward else "slice"))


def _fixed(fact: v.Fact) -> Callable[[Frame, ast.Call, Arguments], v.Fact]:
    def answer(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
        frame.let_go(arguments)
        return fact

    return answer



def _searches(fact: v.Fact) -> Callable[[Frame, ast.Call, Arguments], v.Fact]:
    """`eval(text)`, `globals()[name](x)`: any function of the module may be called, with anything."""

    def handler(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
        frame.search(frame.module.name)
        return fact

    return handler


MATH_FLOATS = [f"math.{name}" for name in (
    "sqrt exp log log2 log10 sin cos tan asin acos atan atan2 sinh cosh tanh hypot pow degrees radians fabs expm1 "
    "log1p fmod copysign gamma lgamma erf erfc dist fsum cbrt"
).split()] + [f"random.{name}" for name in (
    "uniform gauss normalvariate triangular betavariate expovariate gammavariate lognormvariate paretovariate "
    "vonmisesvariate weibullvariate"
).split()]  # fmt: skip
EXCEPTIONS = [name for name, of in vars(builtins).items() if isinstance(of, type) and issubclass(of, BaseException)]
"""Python's own classes of errors and warnings."""
OLD_BUILTINS = frozenset("basestring cmp execfile long raw_input reduce unichr unicode xrange".split())
"""Builtins of Python 2, which code that still serves it asks for: a NameError now."""
BUILTINS: dict[str, Callable[[Frame, ast.Call, Arguments], v.Fact]] = {
    "len": _len, "int": _number("int"), "float": _number("float"), "bool": _number("bool"),
    "complex": _number("complex"), "range": _range, "zip": _zip, "enumerate": _enumerate, "list": _items("list"),
    "tuple": _items("tuple"), "sorted": _items("list", in_order=False), "reversed": _reversed, "iter": _iterated,
    "set": _items("set"),
    "frozenset": _items("set"), "next": _next, "max": _largest, "min": _largest, "sum": _sum, "abs": _abs,
    "round": _round, "map": _map, "isinstance": _isinstance, "issubclass": _fixed(v.BOOL), "hasattr": _fixed(v.BOOL),
    "callable": _fixed(v.BOOL), "any": _fixed(v.BOOL), "all": _fixed(v.BOOL), "str": _fixed(v.TEXT),
    "repr": _fixed(v.TEXT), "format": _fixed(v.TEXT), "chr": _fixed(v.TEXT), "ord": _fixed(v.SIZE),
    "id": _fixed(v.SIZE), "hash": _fixed(v.INT), "print": _fixed(v.NONE), "dict": _dict_call, "super": _super,
    "getattr": reflection.get, "filter": lambda f, n, a: _iterated(f, n, Arguments(a.positional[1:])),
    "type": _type, "divmod": _divmod, "pow": _fixed(v.TOP), "eval": _searches(v.TOP),
    "vars": _fixed(v.TOP), "open": _fixed(v.one(v.Opaque(FILE))), "input": _fixed(v.TEXT), "slice": _slice,
    "copy.copy": _copy, "copy.deepcopy": _copy, "object": _fixed(v.OPAQUE), "setattr": reflection.put,
    "object.__setattr__": reflection.put, "object.__new__": lambda f, n, a: methods.new_instances(f, a) or v.TOP,
    "delattr": _fixed(v.NONE), "exec": _searches(v.NONE), "locals": _fixed(v.TOP),
    "globals": _fixed(v.join(v.TOP, v.one(reflection.GLOBALS))),
    "globals().get": _fixed(reflection.GLOBAL), "globals()[]": _searches(v.TOP),
    "itertools.product": _product, "itertools.combinations": _chosen, "itertools.permutations": _chosen,
    "itertools.combinations_with_replacement": _chosen, "itertools.chain": _chain, "itertools.cycle": _iterated,
    "itertools.islice": _iterated, "itertools.chain.from_iterable": _chain_of, "itertools.zip_longest": _zip_longest,
    "itertools.dropwhile": _after_function, "itertools.takewhile": _after_function,
    "itertools.filterfalse": _after_function, "itertools.repeat": lambda f, n, a: v.one(v.Iterator(_first(a))),
    "itertools.tee": lambda f, n, a: v.one(v.Sequence("tuple", None, _iterated(f, n, a))),
    "itertools.pairwise": lambda f, n, a: v.one(v.Iterator(v.tuple_of(*[v.widen(iterate(f, _first(a)))] * 2))),
    "itertools.count": _count, "collections.OrderedDict": _dict_call, "collections.deque": _items("list"),
    "dict.fromkeys": _from_keys, "collections.defaultdict": _defaultdict,
    "collections.Counter": _counter, "collections.ChainMap": _chain_map,
    "bytes": _fixed(v.TEXT), "bytearray": _fixed(v.OPAQUE),
    "memoryview": _fixed(v.OPAQUE), "property": _fixed(v.TOP), "staticmethod": _fixed(v.TOP),
    "math.floor": _fixed(v.INT), "math.ceil": _fixed(v.INT), "math.isnan": _fixed(v.BOOL), "math.gcd": _fixed(v.SIZE),
    "math.isclose": _fixed(v.BOOL), "math.factorial": _fixed(v.SIZE), "math.comb": _fixed(v.SIZE),
    "math.trunc": _fixed(v.INT), "operator.index": _fixed(v.INT),
    "random.sample": _sample, "random.choices": _sample, "random.choice": _drawn,
    **dict.fromkeys(("random.shuffle", "heapq.heapify"), methods.shuffle_items),
    **dict.fromkeys(
        ("heapq.heappush", "bisect.insort", "bisect.insort_left", "bisect.insort_right"), methods.insert_items
    ),
    "random.randint": _fixed(v.INT), "random.randrange": _fixed(v.INT), "random.getrandbits": _fixed(v.SIZE),
    "random.Random": _fixed(v.one(v.Opaque(RANDOM))),
    "collections.UserDict": _fixed(v.one(v.Opaque("collections.UserDict()"))),
    "random.seed": _fixed(v.NONE), "random.random": _fixed(v.one(v.Num("float", None, True))),
    "functools.partial": _fixed(v.TOP), "functools.reduce": _reduce,
} | dict.fromkeys(MATH_FLOATS, _math) | {name: _fixed(v.OPAQUE) for name in EXCEPTIONS}  # fmt: skip
