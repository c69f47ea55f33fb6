"""Calls: of NumPy, of the project's functions and classes, of builtins, of methods."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from np2torch.facts import results
from np2torch.facts import values as v
from np2torch.facts.arguments import Argument, Arguments
from np2torch.facts.interpreter.definitions import FunctionDefinition
from np2torch.facts.libraries import gives_back

if TYPE_CHECKING:
    from np2torch.facts.interpreter.frame import Frame


def arguments_of(*facts: v.Fact) -> Arguments:
    """Positional arguments that have no expression of their own."""
    return Arguments([Argument(None, fact) for fact in facts])


def call(frame: Frame, node: ast.Call) -> v.Fact:
    """The fact of a call."""
    from np2torch.facts.interpreter.expressions import iterate

    function = frame.eval(node.func)
    arguments = Arguments()
    for argument in node.args:
        fact = frame.eval(argument)
        if isinstance(argument, ast.Starred):
            items = v.items_of(fact)
            if items is not None:
                arguments.positional += [Argument(None, item) for item in items]
                arguments.starred = True
            else:
                arguments.starred = True
                arguments.positional.append(Argument(None, iterate(frame, fact)))
        else:
            arguments.positional.append(Argument(argument, fact))
    for keyword in node.keywords:
        fact = frame.eval(keyword.value)
        if keyword.arg is None:
            arguments.starred = True
        else:
            arguments.keywords[keyword.arg] = Argument(keyword.value, fact)
    parts = [_call_atom(frame, node, atom, arguments) for atom in function]
    return v.join(*parts) if parts else v.BOTTOM


def _call_atom(frame: Frame, node: ast.Call, atom: v.Atom, arguments: Arguments) -> v.Fact:
    engine = frame.engine
    if isinstance(atom, v.Function):
        engine.callees[node].add(atom.definition)
        if stays_numpy(frame.function) and not stays_numpy(atom.definition):
            arguments = _crossing(arguments)
        return engine.apply(atom.definition, bind_parameters(atom.definition, arguments, v.one(atom.bound) if atom.bound else None))
    if isinstance(atom, v.Numpy):
        escape(arguments)
        return engine.api.call(atom.name, arguments)
    if isinstance(atom, v.Class):
        return engine.construct(atom.definition, arguments, bind_parameters)
    if isinstance(atom, v.Instance):
        method = atom.definition.find("__call__")
        if method is not None:
            engine.callees[node].add(method)
            return engine.apply(method, bind_parameters(method, arguments, v.one(atom)))
        return v.UNKNOWN
    if isinstance(atom, v.Method):
        return _call_method(frame, node, atom, arguments)
    if isinstance(atom, v.Builtin):
        handler = BUILTINS.get(atom.name)
        if handler is not None:
            return handler(frame, node, arguments)
        escape(arguments)
        return v.OPAQUE
    if isinstance(atom, v.Foreign):
        return v.one(atom)
    escape(arguments)
    if isinstance(atom, v.Opaque):
        return gives_back(atom.origin, arguments)
    return v.UNKNOWN


def stays_numpy(function: FunctionDefinition | None) -> bool:
    """Is it a method of a subclass of ndarray, which stays on NumPy whole?"""
    return function is not None and function.owner is not None and function.owner.stays_numpy()


def _crossing(arguments: Arguments) -> Arguments:
    """Arguments on their way from a class that stays on NumPy into converted code: a boundary makes them tensors."""

    def cross(argument: Argument) -> Argument:
        fact = v.join(*(v.ARRAY if isinstance(a, v.Foreign) else v.one(a) for a in argument.fact)) if argument.fact else argument.fact
        return Argument(argument.node, fact)

    keywords = {name: cross(a) for name, a in arguments.keywords.items()}
    return Arguments([cross(a) for a in arguments.positional], keywords, arguments.starred)


def escape(arguments: Arguments) -> None:
    """Functions passed to code we cannot see may be called with anything."""
    for fact in arguments.facts():
        for atom in fact:
            if isinstance(atom, v.Function):
                atom.definition.escaped = True


def bind_parameters(function: FunctionDefinition, arguments: Arguments, receiver: v.Fact | None = None) -> dict[str, v.Fact]:
    """Facts of a project function's parameters for this call; those not passed are left out."""
    positional = [a.fact for a in arguments.positional]
    names = [p.arg for p in function.parameters()]
    if receiver is not None and not function.is_static:
        positional = [receiver, *positional]
    bound: dict[str, v.Fact] = {}
    stars = arguments.starred
    for index, name in enumerate(names):
        if index < len(positional):
            bound[name] = positional[index]
        elif stars and name not in arguments.keywords:
            bound[name] = v.UNKNOWN
    arguments_node = function.node.args
    if arguments_node.vararg is not None:
        rest = positional[len(names) :]
        bound[arguments_node.vararg.arg] = v.one(
            v.Sequence("tuple", None, v.UNKNOWN) if stars else v.Sequence("tuple", tuple(rest))
        )
    known = {*names, *(a.arg for a in arguments_node.kwonlyargs)}
    extra = []
    for name, argument in arguments.keywords.items():
        if name in known:
            bound[name] = argument.fact
        else:
            extra.append(argument.fact)
    if arguments_node.kwarg is not None:
        bound[arguments_node.kwarg.arg] = v.UNKNOWN
    if stars:
        for only in arguments_node.kwonlyargs:
            bound.setdefault(only.arg, v.UNKNOWN)
    return bound


# ------------------------------------------------------------------------------------------------- methods
def _call_method(frame: Frame, node: ast.Call, method: v.Method, arguments: Arguments) -> v.Fact:
    from np2torch.facts.interpreter.expressions import iterate

    owner = method.owner
    escape(arguments)
    atom = next(iter(owner), None)
    if isinstance(atom, (v.Array, v.Scalar)):
        return frame.engine.api.method(method.name, owner, arguments)
    facts = arguments.facts()
    if isinstance(atom, v.Sequence):
        if method.name in ("append", "insert", "add", "appendleft") and facts:
            return _grow(frame, node, atom, facts[-1])
        if method.name in ("extend", "update") and facts:
            return _grow(frame, node, atom, iterate(frame, facts[0]))
        if method.name == "pop":
            return iterate(frame, owner)
        if method.name == "copy":
            return owner
        return v.SIZE if method.name in ("index", "count") else v.NONE
    if isinstance(atom, v.Mapping):
        values = frame.engine.heap.get(atom.site, v.BOTTOM)
        keys = iterate(frame, owner)
        if method.name in ("get", "pop", "setdefault"):
            key = v.constant(facts[0]) if facts else None
            found = frame.engine.keys.get(atom.site, {}).get(key, values) if key is not None else values
            default = facts[1] if len(facts) > 1 else v.NONE
            if method.name == "setdefault" and len(facts) > 1:
                frame.engine.add_element(atom.site, facts[1], key)
            return v.join(found, default) if found else v.UNKNOWN
        if method.name == "items":
            return v.one(v.Iterator(v.tuple_of(keys, values)))
        if method.name == "values":
            return v.one(v.Iterator(values))
        if method.name == "keys":
            return v.one(v.Iterator(keys))
        if method.name == "update" and facts:
            for other in facts[0]:
                if isinstance(other, v.Mapping):
                    frame.engine.add_element(atom.site, frame.engine.heap.get(other.site, v.BOTTOM))
                else:
                    frame.engine.add_element(atom.site, v.UNKNOWN)
            for name, argument in arguments.keywords.items():
                frame.engine.add_element(atom.site, argument.fact, name)
            return v.NONE
        return owner if method.name == "copy" else v.OPAQUE
    if isinstance(atom, v.Text):
        if method.name in ("split", "splitlines", "rsplit"):
            return v.one(v.Sequence("list", None, v.TEXT))
        if method.name.startswith(("is", "ends", "starts")):
            return v.BOOL
        return v.SIZE if method.name in ("count", "find", "index") else v.TEXT
    if isinstance(atom, v.Num):
        return v.UNKNOWN if method.name not in ("conjugate", "item") else owner
    if isinstance(atom, v.DType):
        return v.scalar(atom.names) if method.name == "type" else v.OPAQUE
    if isinstance(atom, v.Iterator):
        return v.NONE if method.name in ("add", "update", "discard") else v.UNKNOWN
    return _of_unknown(method.name)


def _grow(frame: Frame, node: ast.Call, atom: v.Sequence, fact: v.Fact) -> v.Fact:
    """`xs.append(fact)`: the list made there may hold it too, here and wherever the list went."""
    if atom.site:
        frame.engine.add_element(atom.site, fact)
    function = node.func
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        old = frame.lookup(function.value.id) or v.BOTTOM
        element = v.widen(v.join(v.elements(atom), fact))
        rest = v.keep(old, lambda a: not isinstance(a, v.Sequence))
        frame.bind(function.value.id, v.join(rest, v.one(v.Sequence(atom.type, None, element, atom.site))))
    return v.NONE


ARRAY_METHODS = frozenset("astype reshape ravel flatten argsort cumsum cumprod".split())


def _of_unknown(name: str) -> v.Fact:
    """A method of who knows what: some names only arrays have."""
    return v.ARRAY if name in ARRAY_METHODS else v.UNKNOWN


# ------------------------------------------------------------------------------------------------ builtins
def _first(arguments: Arguments) -> v.Fact:
    facts = arguments.facts()
    return facts[0] if facts else v.BOTTOM


def _len(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    items = v.items_of(_first(arguments))
    if items is not None:
        only = next(iter(_first(arguments)))
        if isinstance(only, v.Sequence) and (only.type == "tuple" or not frame.engine.heap.get(only.site)):
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
    return v.one(v.Iterator(v.one(v.Num("int", None, up))))


def _zip(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    from np2torch.facts.interpreter.expressions import iterate

    if arguments.starred:
        return v.one(v.Iterator(v.UNKNOWN))
    return v.one(v.Iterator(v.tuple_of(*(iterate(frame, a.fact) for a in arguments.positional))))


def _enumerate(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    from np2torch.facts.interpreter.expressions import iterate

    return v.one(v.Iterator(v.tuple_of(v.SIZE, iterate(frame, _first(arguments)))))


def _items(kind: str) -> Callable[[Frame, ast.Call, Arguments], v.Fact]:
    def collect(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
        from np2torch.facts.interpreter.expressions import iterate

        fact = _first(arguments)
        site = id(node) if kind in ("list", "set") else 0
        if not arguments.positional:
            grown = frame.engine.heap.get(id(node), v.BOTTOM)
            return v.one(v.Sequence(kind, None, grown, site) if grown else v.Sequence(kind, (), site=site))
        items = v.items_of(fact)
        if items is not None and kind != "set":
            return v.one(v.Sequence(kind, items, site=site))
        return v.one(v.Sequence(kind, None, v.join(v.widen(iterate(frame, fact)), frame.engine.heap.get(id(node), v.BOTTOM)), site))

    return collect


def _iterated(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    from np2torch.facts.interpreter.expressions import iterate

    return v.one(v.Iterator(iterate(frame, _first(arguments))))


def _next(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    from np2torch.facts.interpreter.expressions import iterate

    return v.join(iterate(frame, _first(arguments)), *(a.fact for a in arguments.positional[1:]))


def _largest(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    from np2torch.facts.interpreter.expressions import iterate

    if len(arguments.positional) == 1:
        return v.widen(iterate(frame, _first(arguments)))
    fact = v.join(*(a.fact for a in arguments.positional)) if arguments.positional else v.UNKNOWN
    if v.only(fact, "number"):
        return frozenset(v.Num(a.type, None, a.nonnegative) for a in fact if isinstance(a, v.Num))
    return fact


def _sum(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    from np2torch.facts.interpreter.expressions import iterate, operate

    item = v.widen(iterate(frame, _first(arguments)))
    start = arguments.positional[1].fact if len(arguments.positional) > 1 else v.INT
    return operate(frame, ast.Add, start, item) if item else v.UNKNOWN


def _abs(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    fact = _first(arguments)
    if v.only(fact, "number"):
        value = v.constant(fact)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return v.number(abs(value))
        return frozenset(v.Num("float" if a.type == "complex" else a.type, None, True) for a in fact if isinstance(a, v.Num))
    if v.only(fact, "array", "scalar"):
        return results.ufunc("absolute", [fact])
    return v.UNKNOWN


def _round(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    fact = _first(arguments)
    if v.only(fact, "number", "scalar") and len(arguments.positional) == 1:
        return v.INT
    return frozenset(v.Num(a.type) for a in fact if isinstance(a, v.Num)) if v.only(fact, "number") else v.UNKNOWN


def _map(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    from np2torch.facts.interpreter.expressions import iterate

    if not arguments.positional or arguments.starred:
        return v.one(v.Iterator(v.UNKNOWN))
    inner = arguments_of(*(v.widen(iterate(frame, a.fact)) for a in arguments.positional[1:]))
    parts = [_call_atom(frame, node, atom, inner) for atom in _first(arguments)]
    return v.one(v.Iterator(v.join(*parts) if parts else v.UNKNOWN))


def _isinstance(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    return v.BOOL


def _dict_call(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    for name, argument in arguments.keywords.items():
        frame.engine.add_element(id(node), argument.fact, name)
    for argument in arguments.positional:
        for atom in argument.fact:
            if isinstance(atom, v.Mapping):
                frame.engine.add_element(id(node), frame.engine.heap.get(atom.site, v.BOTTOM))
            else:
                frame.engine.add_element(id(node), v.UNKNOWN)
    return v.one(v.Mapping(id(node)))


def _math(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    return v.FLOAT


def _super(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    owner = frame.function.owner if frame.function is not None else None
    if owner is None or not owner.bases:
        return v.OPAQUE
    return v.one(v.Instance(owner.bases[0]))


def _copy(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    return _first(arguments) or v.UNKNOWN


def _slice(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    step = arguments.positional[2].fact if len(arguments.positional) > 2 else v.NONE
    forward = not arguments.starred and all(a.kind == "none" or isinstance(a, v.Num) and a.nonnegative for a in step)
    return v.one(v.Opaque("forward slice" if forward else "slice"))


def _getattr(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
    return v.UNKNOWN


def _fixed(fact: v.Fact) -> Callable[[Frame, ast.Call, Arguments], v.Fact]:
    def answer(frame: Frame, node: ast.Call, arguments: Arguments) -> v.Fact:
        escape(arguments)
        return fact

    return answer


MATH_FLOATS = (
    "sqrt exp log log2 log10 sin cos tan asin acos atan atan2 sinh cosh tanh hypot pow degrees radians fabs expm1 log1p "
    "fmod copysign gamma lgamma erf erfc dist fsum cbrt"
).split()
BUILTINS: dict[str, Callable[[Frame, ast.Call, Arguments], v.Fact]] = {
    "len": _len, "int": _number("int"), "float": _number("float"), "bool": _number("bool"),
    "complex": _number("complex"), "range": _range, "zip": _zip, "enumerate": _enumerate, "list": _items("list"),
    "tuple": _items("tuple"), "sorted": _items("list"), "reversed": _iterated, "iter": _iterated, "set": _items("set"),
    "frozenset": _items("set"), "next": _next, "max": _largest, "min": _largest, "sum": _sum, "abs": _abs, "round": _round,
    "map": _map, "isinstance": _isinstance, "issubclass": _fixed(v.BOOL), "hasattr": _fixed(v.BOOL),
    "callable": _fixed(v.BOOL), "any": _fixed(v.BOOL), "all": _fixed(v.BOOL), "str": _fixed(v.TEXT),
    "repr": _fixed(v.TEXT), "format": _fixed(v.TEXT), "chr": _fixed(v.TEXT), "ord": _fixed(v.SIZE),
    "id": _fixed(v.SIZE), "hash": _fixed(v.INT), "print": _fixed(v.NONE), "dict": _dict_call, "super": _super,
    "getattr": _getattr, "filter": lambda f, n, a: _iterated(f, n, Arguments(a.positional[1:])),
    "type": _fixed(v.UNKNOWN), "divmod": _fixed(v.UNKNOWN), "pow": _fixed(v.UNKNOWN), "eval": _fixed(v.UNKNOWN),
    "vars": _fixed(v.OPAQUE), "open": _fixed(v.OPAQUE), "input": _fixed(v.TEXT), "slice": _slice,
    "copy.copy": _copy, "copy.deepcopy": _copy, "object": _fixed(v.OPAQUE), "setattr": _fixed(v.NONE),
    "delattr": _fixed(v.NONE), "exec": _fixed(v.NONE), "locals": _fixed(v.OPAQUE), "globals": _fixed(v.OPAQUE),
    "itertools.product": _fixed(v.one(v.Iterator(v.UNKNOWN))), "bytes": _fixed(v.TEXT), "bytearray": _fixed(v.OPAQUE),
    "memoryview": _fixed(v.OPAQUE), "property": _fixed(v.UNKNOWN), "staticmethod": _fixed(v.UNKNOWN),
    "math.floor": _fixed(v.INT), "math.ceil": _fixed(v.INT), "math.isnan": _fixed(v.BOOL), "math.gcd": _fixed(v.SIZE),
    "math.isclose": _fixed(v.BOOL), "math.factorial": _fixed(v.SIZE), "math.comb": _fixed(v.SIZE), "math.trunc": _fixed(v.INT),
    "functools.partial": _fixed(v.UNKNOWN), "functools.reduce": _fixed(v.UNKNOWN),
} | {f"math.{name}": _math for name in MATH_FLOATS}  # fmt: skip
for _name in "Exception ValueError TypeError RuntimeError NotImplementedError IndexError KeyError AttributeError".split():
    BUILTINS[_name] = _fixed(v.OPAQUE)
