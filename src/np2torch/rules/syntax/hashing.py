"""Keys of mappings and members of sets: NumPy scalars hash by value, tensors by identity."""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.facts.interpreter.decorators import DISPATCHING
from np2torch.facts.interpreter.operators import is_set
from np2torch.facts.masks import is_mask
from np2torch.names.tree import dotted_name, walk
from np2torch.rules.handlers import Phase, on
from np2torch.rules.scalars.bodies import body_of
from np2torch.rules.scalars.reads import ALWAYS_ARRAYS, container_made
from np2torch.rules.site import Edit, ModuleContext
from np2torch.rules.syntax.foreign import contents, holds_tensor

OF_SETS = frozenset(
    "update union intersection difference symmetric_difference intersection_update difference_update "
    "symmetric_difference_update issubset issuperset isdisjoint".split()
)
"""Methods of sets that go through their arguments."""
OF_KEY = ("get", "pop", "setdefault", "move_to_end", "__contains__", "__getitem__", "__delitem__", "__setitem__")
"""Methods of mappings that take a key first."""
OF_MEMBER = ("add", "discard", "remove", "__contains__")
"""Methods of sets that take a member."""
OF_ONE = frozenset({*OF_KEY, *OF_MEMBER})
HASHING = OF_SETS | {*OF_KEY, *OF_MEMBER, "subtract"}
CACHES = frozenset({"functools.lru_cache", "functools.cache"})


def is_scalar(fact: v.Fact) -> bool:
    """Tell whether it is a NumPy scalar held as a 0-D tensor."""
    return v.only(fact, "scalar") and v.is_tensor(fact)


def is_vector(fact: v.Fact) -> bool:
    """Tell whether it is an array of one dimension for sure."""
    return v.only(fact, "array") and v.rank_of(fact) == 1


def by_value(ctx: ModuleContext, node: ast.expr, why: str = "hashed by value") -> None:
    """Take the Python number out of a 0-D tensor; methods of containers are given numbers as well."""
    if _is_in_container(ctx, node):
        _keyed(ctx, node, "shim.key(")
    else:
        ctx.wrap(node, "", ".item()", "native", "NPT105", why)


def _is_in_container(ctx: ModuleContext, node: ast.AST) -> bool:
    """Tell whether it stands in a class of the project that derives from a container of the standard library."""
    around = ctx.parents.get(node)
    while around is not None and not isinstance(around, ast.ClassDef):
        around = ctx.parents.get(around)
    definition = ctx.engine.classes.get(around) if around is not None else None
    return definition is not None and definition.opaque and not definition.is_ndarray()


DESCRIPTORS = frozenset({"__get__", "__set__", "__delete__"})


def is_described(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell the object that a descriptor is asked of, which is no array: in `def __set__(self, instance, value)`."""
    function = ctx.function(node)
    if not isinstance(node, ast.Name) or not isinstance(function, ast.FunctionDef) or function.name not in DESCRIPTORS:
        return False
    arguments = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
    names = (one for one in walk(function) if isinstance(one, ast.Name) and one.id == node.id)
    return arguments[1:2] == [node.id] and all(isinstance(one.ctx, ast.Load) for one in names)


def _keyed(ctx: ModuleContext, node: ast.expr, before: str) -> None:
    """Let run time take the values out of what may be tensors."""
    if is_described(ctx, node):
        return
    ctx.wrap(node, before, ")", "shim", "NPT105", "hashed by value")


@on(Phase.PYTHON, ast.Subscript)
def mapping_key(ctx: ModuleContext, node: ast.Subscript) -> Edit | None:
    """`d[x[0]]`: tensors hash by identity."""
    owner = ctx.fact(node.value)
    if v.known_to_include(owner, "mapping"):
        key_by_value(ctx, node.slice, owner)
    elif may_be_mapping(ctx, owner):
        inherited_key_by_value(ctx, node.slice)
    elif not v.known_to_include(owner, "array", "scalar", "sequence", "foreign", "numpy", "text", "opaque"):
        is_read = isinstance(node.ctx, ast.Load) and is_mask(node.slice)
        open_key_by_value(ctx, node.slice, ctx.is_open(node.value) and not is_read)
    return None


MAPPINGS = frozenset(f"collections.{name}{made}" for name in ("UserDict", "ChainMap") for made in ("", "()"))
"""Objects of the standard library that take keys."""


def inherited_key_by_value(ctx: ModuleContext, node: ast.expr) -> None:
    """A key of an object of the project that may inherit what a mapping does, or an index of it."""
    for part in node.elts if isinstance(node, ast.Tuple) else [node]:
        fact = ctx.fact(part)
        may_be = holds_tensor(fact) or _holds_any(ctx, fact) or _may_be_any(ctx, part, fact)
        if may_be and not isinstance(part, (ast.Slice, ast.Starred)):
            _keyed(ctx, part, "shim.key(")  # a method such as `__missing__` is given numbers as well


def may_be_mapping(ctx: ModuleContext, fact: v.Fact) -> bool:
    """Tell whether it is a mapping of `collections`, or a project's object that may inherit from one or from a set."""
    if any(isinstance(atom, v.Opaque) and atom.origin in MAPPINGS for atom in fact):
        return not ctx.converted_already()
    classes = [atom.definition for atom in fact if isinstance(atom, v.Instance)]
    return any(one.opaque and not one.is_ndarray() for one in classes) and not ctx.converted_already()


def open_key_by_value(ctx: ModuleContext, node: ast.expr, is_open: bool = True) -> None:
    """A key of what may be a mapping, or an index of what may be an array: the value serves both."""
    known_key_by_value(ctx, node)
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    for part in parts if is_open else []:
        fact = ctx.fact(part)
        if isinstance(part, (ast.Slice, ast.Starred)) or is_scalar(fact) or ctx.converted_already():
            continue
        may_be = v.known_to_include(fact, "unknown", "scalar") and not v.known_to_include(fact, "text")
        may_be = may_be or isinstance(part, ast.Name) and _may_have_no_axes(fact) and not _is_always_array(ctx, part)
        if may_be and _may_be_any(ctx, part, v.TOP) and ctx.mentions_numpy:
            _keyed(ctx, part, "shim.key(")


def _may_have_no_axes(fact: v.Fact) -> bool:
    """Tell whether it is an array of any rank, as a guard lets in: also one that stands for a scalar."""
    return any(isinstance(atom, v.Array) and (atom.ranks is None or 0 in atom.ranks) for atom in fact)


def _is_always_array(ctx: ModuleContext, node: ast.Name) -> bool:
    """Tell whether a local name is bound only to results that are always arrays, and so no keys."""
    scope = ctx.function(node)
    if not isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    body = body_of(ctx, scope)
    made = [v.sole(ctx.fact(getattr(one, "func", None))) for one in body.bindings.get(body.key(node), ())]
    return bool(made) and all(one in ALWAYS_ARRAYS for one in made)


def known_key_by_value(ctx: ModuleContext, node: ast.expr) -> None:
    """A key of what may be a mapping, where it certainly is or holds scalars: an array takes their values as well."""
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    if any(isinstance(part, (ast.Slice, ast.Starred)) for part in parts):
        return
    for part in parts:
        if is_scalar(ctx.fact(part)):
            by_value(ctx, part)


def key_by_value(ctx: ModuleContext, node: ast.expr, mapping: v.Fact) -> None:
    """A key that may be or hold a tensor; what is unknown may be one where others are."""
    fact = ctx.fact(node)
    if isinstance(node, ast.Tuple) and not any(isinstance(item, ast.Starred) for item in node.elts):
        for item in node.elts:
            key_by_value(ctx, item, mapping)
    elif is_scalar(fact):
        by_value(ctx, node)
    elif holds_tensor(fact) or _holds_any(ctx, fact) or _may_be_any(ctx, node, fact) and _may_be_numbers(ctx, mapping):
        _keyed(ctx, node, "shim.key(")


def _holds_any(ctx: ModuleContext, fact: v.Fact) -> bool:
    """Tell whether it is a tuple that holds what nobody knows at some depth, as `*args` does."""
    inside = [v.elements(atom) for atom in fact if isinstance(atom, v.Sequence) and atom.type == "tuple"]
    if any(v.known_to_include(one, "unknown") for one in inside):
        return not ctx.converted_already()
    return any(_holds_any(ctx, one) for one in inside)


NO_SCALARS = ("dtype", "name", "shape", "ndim", "kind", "type")
"""Attributes that are no NumPy scalars, whatever has them."""


def _may_be_any(ctx: ModuleContext, node: ast.expr, fact: v.Fact) -> bool:
    """Tell whether it is not known, or a number by word of people only, which a NumPy scalar is to them as well."""
    named = isinstance(node, ast.Attribute) and (node.attr.startswith("__") or node.attr in NO_SCALARS)
    if named or ctx.is_object(node):
        return False
    return v.known_to_include(fact, "unknown") or v.known_to_include(fact, "number") and ctx.is_only_said(node)


def hash_by_value(ctx: ModuleContext, node: ast.expr) -> None:
    """Take an item of a set, or what is looked up in one, by its value where it may be a tensor."""
    if isinstance(node, ast.Starred):
        items_hashed(ctx, node.value)
    elif v.known_to_include(ctx.fact(node), "unknown") and not ctx.converted_already() and not ctx.is_object(node):
        _keyed(ctx, node, "shim.key(")
    else:
        key_by_value(ctx, node, v.BOTTOM)


@on(Phase.PYTHON, ast.Call)
def mapping_method(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """`d.get(x[0])`, `s.add(x[0])`, `s.update(x)`."""
    function = node.func
    if not isinstance(function, ast.Attribute) or not node.args or function.attr not in HASHING:
        return None
    if isinstance(function.value, ast.Attribute) and function.value.attr == "__dict__":
        return None  # its keys are names
    owner, name = ctx.fact(function.value), function.attr
    if v.only(owner, "opaque") and name == "update" and may_be_mapping(ctx, owner):
        pairs_hashed(ctx, node.args[0])
    elif v.known_to_include(owner, "mapping") and name in (*OF_KEY, "update", "subtract"):
        _of_mapping(ctx, name, node.args[0], owner)
    elif is_set(owner):
        _of_set(ctx, name, node.args)
    elif _may_be_hashed(ctx, owner):
        _of_anything(ctx, function, node, owner)
    return None


def _of_mapping(ctx: ModuleContext, name: str, first: ast.expr, owner: v.Fact) -> None:
    if name in OF_KEY:
        key_by_value(ctx, first, owner)
    elif any(isinstance(atom, v.Mapping) and atom.counts for atom in owner):
        items_hashed(ctx, first)
    elif name == "update":
        pairs_hashed(ctx, first)


def _of_set(ctx: ModuleContext, name: str, given: list[ast.expr]) -> None:
    if name in OF_MEMBER:
        hash_by_value(ctx, given[0])
    elif name in OF_SETS:
        for argument in given:
            items_hashed(ctx, argument)


def _of_anything(ctx: ModuleContext, function: ast.Attribute, node: ast.Call, owner: v.Fact) -> None:
    if function.attr in OF_KEY:
        if may_be_mapping(ctx, owner):
            inherited_key_by_value(ctx, node.args[0])
        else:
            open_key_by_value(ctx, node.args[0], ctx.is_open(function.value))
    else:
        if function.attr in OF_MEMBER:
            known_key_by_value(ctx, node.args[0])
        _any_container(ctx, function, node)


def _may_be_hashed(ctx: ModuleContext, fact: v.Fact, others: tuple[str, ...] = ("unknown", "opaque")) -> bool:
    """Tell whether it may be a set or a mapping, or of kinds that may be anything."""
    return v.known_to_include(fact, *others) or may_be_mapping(ctx, fact) or _may_be_set(fact)


def _may_be_set(fact: v.Fact) -> bool:
    return any(isinstance(atom, v.Sequence) and atom.type == "set" for atom in fact)


@on(Phase.PYTHON, ast.Attribute)
def method_handed_on(ctx: ModuleContext, node: ast.Attribute) -> Edit | None:
    """`map(rank.get, x)`, `sorted(x, key=rank.__getitem__)`: whoever calls the method may give it tensors."""
    is_called = getattr(ctx.parents.get(node), "func", None) is node
    if node.attr not in OF_ONE or is_called or not isinstance(node.ctx, ast.Load) or ctx.converted_already():
        return None
    owner = ctx.fact(node.value)
    is_hashed = v.known_to_include(owner, "mapping") or is_set(owner) or may_be_mapping(ctx, owner)
    if ctx.mentions_numpy and (is_hashed or ctx.is_open(node.value) or _may_be_set(owner)):
        ctx.wrap(node.value, "shim.hashing(", ")", "shim", "NPT105", "hashed by value")
    return None


@on(Phase.PYTHON, ast.Call)
def container_filled(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """`Table(zip(x, y))`, where `Table` derives from `dict`."""
    kind = container_made(ctx, node)
    for argument in node.args[:1] if kind in FILLING and not ctx.converted_already() else ():
        if isinstance(argument, ast.Starred):
            _keyed(ctx, argument.value, "map(shim.pairs, " if kind == "dict" else "map(shim.keys, ")
        else:
            FILLING[kind](ctx, argument)
    return None


def _any_container(ctx: ModuleContext, function: ast.Attribute, node: ast.Call) -> None:
    """A method of what may be a set or a mapping: run time tells, and takes by value what becomes a key there."""
    given = node.args if function.attr in OF_SETS else node.args[:1]
    is_open = ctx.is_open(function.value) or _may_be_hashed(ctx, ctx.fact(function.value), ())
    if not is_open or node in ctx.engine.callees or isinstance(given[0], ast.Starred):
        return
    may_be = any(v.known_to_include(ctx.fact(one), "unknown", "array") or holds_tensor(ctx.fact(one)) for one in given)
    if may_be and not any(is_scalar(ctx.fact(one)) for one in given):
        ctx.wrap(function.value, "shim.hashing(", ")", "shim", "NPT105", "hashed by value")


def items_hashed(ctx: ModuleContext, node: ast.expr) -> None:
    """Take the items of a set by value: of an array its numbers, of all else what may be tensors."""
    fact = ctx.fact(node)
    if v.only(fact, "array"):
        if ctx.is_only_said(node):  # a list as well
            _keyed(ctx, node, "shim.keys(")
        else:
            ctx.wrap(node, "", ".tolist()", "native", "NPT105", "hashed by value")
    elif isinstance(node, (ast.GeneratorExp, ast.ListComp)):
        hash_by_value(ctx, node.elt)
    elif isinstance(node, (ast.List, ast.Tuple)):
        for item in node.elts:
            hash_by_value(ctx, item)
    elif v.known_to_include(fact, "unknown") and isinstance(ctx.parents.get(node), ast.Call):
        _keyed(ctx, node, "shim.keys(")
    elif any(holds_tensor(_items(atom)) or isinstance(atom, v.Array) for atom in fact) or _is_open(ctx, fact):
        is_counted = v.known_to_include(fact, "mapping", "unknown")
        _keyed(ctx, node, "shim.keys(" if is_counted else "map(shim.key, ")


def pairs_hashed(ctx: ModuleContext, node: ast.expr) -> None:
    """Take the keys of a dict by value, of which it is given the pairs: `dict(zip(x, y))`, `dict([(x[0], 1)])`."""
    fact = ctx.fact(node)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "zip" and node.args:
        if not isinstance(node.args[0], ast.Starred):
            items_hashed(ctx, node.args[0])
    elif isinstance(node, (ast.GeneratorExp, ast.ListComp)):
        _pair_hashed(ctx, node.elt)
    elif isinstance(node, (ast.List, ast.Tuple)):
        for item in node.elts:
            _pair_hashed(ctx, item)
    elif v.known_to_include(fact, "array") or ctx.is_open(node) or any(map(_yields_pairs, map(_items, fact))):
        _keyed(ctx, node, "shim.pairs(")


FILLING = {"dict": pairs_hashed, "set": items_hashed}
"""The handlers of the argument of a container with hashed items."""


def _yields_pairs(item: v.Fact) -> bool:
    """Tell whether iteration may give pairs whose first parts are tensors."""
    firsts = [atom.items[0] if isinstance(atom, v.Sequence) and atom.items else v.one(atom) for atom in item]
    return any(holds_tensor(one) or v.known_to_include(one, "unknown") for one in firsts)


def _pair_hashed(ctx: ModuleContext, node: ast.expr) -> None:
    if isinstance(node, (ast.Tuple, ast.List)) and node.elts:
        key_by_value(ctx, node.elts[0], v.BOTTOM)


def _is_open(ctx: ModuleContext, fact: v.Fact) -> bool:
    """Tell whether it may be or hold anything."""
    inside = v.known_to_include(contents(ctx, fact), "unknown")
    return (inside or v.known_to_include(fact, "unknown")) and not ctx.converted_already()


def _items(atom: v.Atom) -> v.Fact:
    if isinstance(atom, v.Sequence) and atom.type != "set":
        return v.elements(atom)
    return atom.element if isinstance(atom, v.Iterator) else v.BOTTOM


def _may_be_numbers(ctx: ModuleContext, mapping: v.Fact) -> bool:
    """Tell whether keys of a mapping may be numbers: no text is seen among them, or NumPy scalars are looked up."""
    if ctx.converted_already() or not ctx.mentions_numpy:
        return False
    sites = [atom.site for atom in mapping if isinstance(atom, v.Mapping)]
    texts = any(isinstance(key, str) for site in sites for key in ctx.engine.keys.get(site, ()))
    return not texts or any(isinstance(atom, v.Mapping) and atom.site in ctx.engine.by_number for atom in mapping)


@on(Phase.PYTHON, ast.Dict)
def mapping_display(ctx: ModuleContext, node: ast.Dict) -> Edit | None:
    """`{x[0]: ...}`."""
    for key in node.keys:
        if key is not None:
            key_by_value(ctx, key, v.BOTTOM)
    return None


@on(Phase.PYTHON, ast.DictComp)
def mapping_comprehension(ctx: ModuleContext, node: ast.DictComp) -> Edit | None:
    """`{x: ... for x in a}`."""
    key_by_value(ctx, node.key, v.BOTTOM)
    return None


@on(Phase.PYTHON, ast.SetComp)
def set_comprehension(ctx: ModuleContext, node: ast.SetComp) -> Edit | None:
    """`{x for x in a}`."""
    hash_by_value(ctx, node.elt)
    return None


@on(Phase.PYTHON, ast.Set)
def set_display(ctx: ModuleContext, node: ast.Set) -> Edit | None:
    """`{x[0], 1}`."""
    for item in node.elts:
        hash_by_value(ctx, item)
    return None


@on(Phase.PYTHON, ast.FunctionDef)
def cached_function(ctx: ModuleContext, node: ast.FunctionDef) -> Edit | None:
    """`@functools.lru_cache` on a function that is given NumPy scalars."""
    definition = ctx.engine.functions.get(node)
    for decorator in node.decorator_list:
        made = decorator.func if isinstance(decorator, ast.Call) else decorator
        caches = any(isinstance(a, v.Builtin) and a.name in CACHES for a in ctx.fact(made))
        if not caches or definition is None or ctx.converted_already():
            continue
        calls = ctx.project.calls(definition)
        passed = [value for call in calls for value in (*call.args, *(k.value for k in call.keywords))]
        facts = [ctx.fact(value) for value in passed]
        unknown = not calls or any(v.known_to_include(fact, "unknown") or _holds_any(ctx, fact) for fact in facts)
        if any(map(holds_tensor, facts)) or unknown and ctx.mentions_numpy and definition.parameters:
            ctx.wrap(decorator, "shim.by_value(", ")", "shim", "NPT105", "the cache looks tensors up by identity")
    return None


@on(Phase.PYTHON, ast.Call)
def enumeration_lookup(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """`Level(x[0])`: an enumeration looks its members up by value."""
    classes = [atom.definition for atom in ctx.fact(node.func) if isinstance(atom, v.Class)]
    if classes and all(class_.is_enum for class_ in classes):
        for argument in node.args:
            key_by_value(ctx, argument, v.BOTTOM)
    return None


@on(Phase.PYTHON, ast.FunctionDef)
def dispatch_by_type(ctx: ModuleContext, node: ast.FunctionDef) -> Edit | None:
    """`@functools.singledispatch`: a NumPy scalar of float64 is a `float`, and is dispatched as one."""
    for decorator in node.decorator_list:
        if v.sole(ctx.fact(decorator)) in DISPATCHING and not ctx.converted_already():
            ctx.wrap(decorator, "shim.by_class(", ")", "shim", "NPT105", "tensors are dispatched as NumPy scalars are")
    return None


@on(Phase.PYTHON, ast.ClassDef)
def hashed_class(ctx: ModuleContext, node: ast.ClassDef) -> Edit | None:
    """`@dataclass(frozen=True)`, `NamedTuple`: the hash is that of the fields, which may be NumPy scalars."""
    definition = ctx.engine.classes.get(node)
    if definition is None or ctx.converted_already() or not ctx.mentions_numpy:
        return None
    if not definition.is_tuple and not any(map(_makes_hash, node.decorator_list)):
        return None
    if definition.find("__hash__") is not None:
        return None
    facts = [definition.attribute(name) for name in definition.fields()] or [v.TOP]
    if not any(v.known_to_include(fact, "scalar", "unknown") for fact in facts):
        return None
    why = "its fields are hashed by value"
    return Edit(node, "shim", "NPT105", node.name, why, decorator="shim.by_value")


def _makes_hash(decorator: ast.expr) -> bool:
    """Tell whether a dataclass with this decorator has a hash of its fields."""
    if not isinstance(decorator, ast.Call) or (dotted_name(decorator.func) or "").rpartition(".")[2] != "dataclass":
        return False
    given = {keyword.arg: getattr(keyword.value, "value", None) for keyword in decorator.keywords}
    return given.get("eq", True) is not False and bool(given.get("frozen") or given.get("unsafe_hash"))
